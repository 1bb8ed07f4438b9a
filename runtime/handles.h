/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What stands behind the C API's handles. */
#ifndef GPUPERF_RUNTIME_HANDLES_H
#define GPUPERF_RUNTIME_HANDLES_H

#include <stdbool.h>

#include "hwdb/hwdb.h"
#include "model/profile/profile.h"

struct gpuperf_profile {
    struct gp_profile *profile;
    bool foreign_target; /* the compile said so */
};

struct gpuperf_device {
    struct gp_device *device;
};

#endif
