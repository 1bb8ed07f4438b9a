/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A kernel of a paper's experiment, compiled for the paper's device. */
#ifndef GPUPERF_BENCH_PAPERS_SUBJECT_H
#define GPUPERF_BENCH_PAPERS_SUBJECT_H

#include "model/predict.h"

struct subject {
    struct gp_device *device;
    struct gp_profile *profile;
    const struct gp_kernel *kernel;
    bool foreign; /* not compiled for the device's target */
};

/*
 * Compiles kernel `name` of bench/papers/FILE for the device, with clang arguments (NULL-terminated; NULL: none) after
 * the language version. False and a sentence; otherwise close with subject_close().
 */
bool subject_open(const char *device, const char *file, const char *name, const char *const *arguments,
                  struct subject *subject, struct gp_error *error);
/* Another kernel of the same file. */
bool subject_choose(struct subject *subject, const char *name, struct gp_error *error);
void subject_close(struct subject *subject);

/* Of processor time: other programs on the machine do not count. */
double processor_seconds(void);

#endif
