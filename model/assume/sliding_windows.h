/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Windows that slide over an image, as in convolutions, pools and im2col: `for (y = max(py * step - pad, 0); y < min(py
 * * step - pad + window, height); y++)`, or `y = py * step - pad + k * dilation; if (y >= 0 && y < height)`. With the
 * number that is assumed of other arguments all of a window would lie beside the image.
 */
#ifndef GPUPERF_MODEL_SLIDES_H
#define GPUPERF_MODEL_SLIDES_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gp_slides {
    bool width[GP_MAX_ARGUMENTS]; /* of a window: where a loop begins at a place, cut off at an edge or moved by a pad,
                                     it is that loop's length; also where what is taken from the place is half of it */
    bool step[GP_MAX_ARGUMENTS];  /* from one window to the next, or from one element of it to the next: a place, or a
                                     counter beside it, is multiplied with it */
    bool pad[GP_MAX_ARGUMENTS];   /* is taken from such a place, which is compared with the image's size then */
};

void gp_find_slides(const struct gp_kernel *kernel, struct gp_slides *slides);

#ifdef __cplusplus
}
#endif
#endif
