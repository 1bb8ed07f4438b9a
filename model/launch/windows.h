/*
 * Arguments that are the width of a window in several dimensions: in `for (j = 0; j < k; j++) for (i = 0; i < k; i++) sum += in[(y + j) * n + x + i] * ...` k is a filter's width, which is small. In one dimension it may be as
 * long as any array.
 */
#ifndef GPUPERF_MODEL_WINDOWS_H
#define GPUPERF_MODEL_WINDOWS_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* windows[GP_MAX_ARGUMENTS]: per parameter, whether it alone tells how often two loops go round, one within the other, whose counters are added to ids in an address. */
void gp_windows(const struct gp_kernel *kernel, bool windows[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
