/* Arguments that are two numbers of 32 bits, such as an int2: the profile has one of 64 bits, of which the kernel takes the halves. */
#ifndef GPUPERF_MODEL_PAIRS_H
#define GPUPERF_MODEL_PAIRS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether nothing but halves of the parameter is used, of the upper one, too. */
bool gp_is_pair(const struct gp_kernel *kernel, uint32_t param);

/* The first number, in the lower half, and the second: the size of the range along the dimension whose id each is compared with, else `assumed`. */
uint64_t gp_assumed_pair(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param, uint32_t assumed);

#ifdef __cplusplus
}
#endif
#endif
