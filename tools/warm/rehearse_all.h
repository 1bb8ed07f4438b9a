/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The part of `gpuperf warm` that runs in a process of its own: OpenCL with the layer, programs built, launches
 * rehearsed (runtime/rehearse.h), none made. */
#ifndef GPUPERF_TOOLS_WARM_REHEARSE_ALL_H
#define GPUPERF_TOOLS_WARM_REHEARSE_ALL_H

#include <stdio.h>

#include "config/config.h"

/* A source with the options that its program is built with. */
struct gp_warm_program {
    const char *path;
    const struct gp_arguments *options;
    bool recorded; /* only the launches that `config` has of this source with these options */
};

struct gp_warm_question {
    const char *layer; /* its path */
    const struct gp_warm_program *programs;
    size_t count;
    const struct gp_check_config *config;
    const struct gp_arguments *kernels; /* these only; empty: all */
};

/*
 * Sets OPENCL_LAYERS and what the layer goes by, loads OpenCL, and does it for each device. Prints lines, as they are
 * shown, to `answers`, and at last one "= DECIDED ANALYSED LEFT-ALONE FAILED DEVICES" with their numbers; where
 * nothing can be done, "! " and a sentence. To be ended with exit(), since the layer writes its cache then.
 */
void gp_rehearse_all(const struct gp_warm_question *question, FILE *answers);

#endif
