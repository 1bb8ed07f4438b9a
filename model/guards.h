/*
 * Guards: an argument that an index made of ids is compared to (`if (get_global_id(0) / 32 >= rows) return;`) is as large as lets all work-items of a
 * launch pass, where nobody says otherwise.
 */
#ifndef GPUPERF_MODEL_GUARDS_H
#define GPUPERF_MODEL_GUARDS_H

#include "model/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Per parameter the least round number that no such index of the launch reaches: for `4 * i < n` four times the global
 * size. 0: no index that grows with the group's number is compared to it, or nothing below 2^40 will do. Where it is a global id, bounds_dim says so as well.
 * What the indices depend on besides must be constants or arguments that are stated or bound a global id.
 */
void gp_guard_limits(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t limits[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
