/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What stands behind the C API's handles. */
#ifndef GPUPERF_RUNTIME_HANDLES_H
#define GPUPERF_RUNTIME_HANDLES_H

#include <stdbool.h>

#include "gpuperf/gpuperf.h"
#include "hwdb/hwdb.h"
#include "model/profile/profile.h"
#include "runtime/choose.h"

struct gpuperf_profile {
    struct gp_profile *profile;
    bool foreign_target; /* the compile said so */
};

struct gpuperf_device {
    struct gp_device *device;
};

/* A launch in the model's words, with the kernel it is of. It stays where it is: the request knows its address. */
struct gp_question {
    struct gp_launch launch;
    struct gp_choose_request request;
};

/* Fills it from what a program said; `result`: where the answer goes, which must not be NULL either. Returns
 * GPUPERF_OK, or a code and a sentence. */
int gp_ask(const gpuperf_profile *profile, const char *name, const gpuperf_device *device, const gpuperf_launch *from,
           const void *result, struct gp_question *question, struct gp_error *reason);

/* Tells the program why not, where it wants to know; returns the code. */
int gp_refuse(gpuperf_error *error, int code, const struct gp_error *reason);

#endif
