/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the configuration states of a kernel's launch, as a launch. */
#ifndef GPUPERF_TOOLS_CHECK_STATED_LAUNCH_H
#define GPUPERF_TOOLS_CHECK_STATED_LAUNCH_H

#include "config/config.h"
#include "hwdb/hwdb.h"
#include "model/launch/launch.h"
#include "tools/check/units.h"

/* Of "NAME=NUMBER". */
enum { GP_STATED_NAME = 256 };
void gp_stated_name(const char *value, char name[GP_STATED_NAME]);

/* By a rule; NULL: nothing is stated. False: a sentence. */
bool gp_state_launch(const struct gp_check_rule *rule, const struct gp_kernel *kernel, struct gp_launch *launch,
                     struct gp_error *error);

/* By one of a program's launches, on a device. False: a sentence. */
bool gp_state_recorded(const struct gp_check_launch *recorded, const struct gp_kernel *kernel,
                       const struct gp_device *device, struct gp_launch *launch, struct gp_error *error);

/* Whether a launch counts for a unit: of a recorded source, where it is of that source with these options; of other
 * sources always, since the kernel may be what has become of it. */
bool gp_launch_is_of(const struct gp_check_launch *recorded, const struct gp_unit *unit);

#endif
