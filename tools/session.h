/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One run of `predict`: what it was asked, what it has compiled, and who takes its results. */
#ifndef GPUPERF_TOOLS_SESSION_H
#define GPUPERF_TOOLS_SESSION_H

#include "tools/input.h"
#include "tools/output/printer.h"
#include "tools/results.h"
#include "tools/settings.h"

struct gp_offer;

/* Everything one run of the verb holds; results point into the profiles. */
struct gp_session {
    struct gp_settings settings;
    struct gp_combination now; /* of what is varied */
    size_t combinations;
    struct gp_input input;
    struct gp_device **devices;
    struct gp_device_profile *profiles; /* per device */
    size_t device_count;
    bool *suited;                       /* per device: there is a profile for it */
    struct gp_printer printer;          /* each result is printed when it is there, and not kept */
    size_t kernel_number, kernel_count; /* of the wanted ones of the profile at hand */
    struct gp_text left_out; /* kernels that a device cannot run, or not with the local sizes asked for: a line each */
    struct gp_error first_left_out;
    size_t left_out_combinations; /* of the kernel and device at hand */
    /* Not NULL: takes each result instead of the printer. False: a sentence. */
    bool (*take)(void *taker, const struct gp_result *result, struct gp_error *error);
    void *taker;
    struct gp_offer *offer; /* changes of the source; NULL: not asked for */
};

/* Predicts all combinations of a kernel of that device's profile. False: a sentence. */
bool gp_session_predict(struct gp_session *s, size_t device, const struct gp_kernel *kernel, struct gp_text *out,
                        struct gp_error *error);

#endif
