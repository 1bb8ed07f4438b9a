/* Arguments that are the radius of a window: `for (d = -r; d <= r; d++)`. */
#ifndef GPUPERF_MODEL_RADII_H
#define GPUPERF_MODEL_RADII_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* radius[GP_MAX_ARGUMENTS]: per parameter, whether a loop's counter starts at minus its value. */
void gp_radii(const struct gp_kernel *kernel, bool radius[GP_MAX_ARGUMENTS]);

#ifdef __cplusplus
}
#endif
#endif
