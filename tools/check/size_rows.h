/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A row's times over local sizes: "sizes": [{local, rank, time_ns, occupancy, limiter, confidence}], best first; its
 * own local size is among them.
 */
#ifndef GPUPERF_TOOLS_CHECK_SIZE_ROWS_H
#define GPUPERF_TOOLS_CHECK_SIZE_ROWS_H

#include <jansson.h>

#include "model/predict.h"

struct gp_size_question {
    struct gp_predictor *predictor;
    const struct gp_kernel *kernel;
    const struct gp_device *device;
    const struct gp_launch *launch;
    const struct gp_prediction *own; /* of that launch */
    bool uniform;                    /* groups divide the range */
    bool foreign;                    /* the code is not what the device would run */
    size_t kernels;                  /* that are asked for at once */
};

/* False: out of memory. */
bool gp_add_sizes(const struct gp_size_question *question, json_t *row, struct gp_error *error);

#endif
