/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A row's times over resident warps: "resident": [{warps, time_ns, without: {CAUSE: ns}}], fewest first, from one group
 * per SM on in steps of two to what the device holds of them; `without` has the launch's costliest causes, each taken
 * not to exist. TEG's Figures 4 and 5 for any kernel.
 */
#ifndef GPUPERF_TOOLS_CHECK_RESIDENT_ROWS_H
#define GPUPERF_TOOLS_CHECK_RESIDENT_ROWS_H

#include <jansson.h>

#include "tools/check/size_rows.h"

/* None are added on CPUs, where one group is all that is resident, and where they would take too long. False: out of
 * memory. */
bool gp_add_residents(const struct gp_size_question *question, json_t *row, struct gp_error *error);

#endif
