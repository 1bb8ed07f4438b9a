/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The predictions for one source: what a worker of `check` does, in a process of its own.
 *
 * The result is JSON: {"rows": [...], "left_out": ["sentence", ...], "kernels_left_out": ["name", ...]}; a row is one
 * of report/report_json.h with, beside it,
 *
 *   file       the source, as it is named to the user
 *   title      the device's
 *   language   "opencl", "cuda"
 *   launch     "global 1024x1024, local 32x8, n=1024": what it is predicted for
 *   assumed    what of that was stated nowhere: "all of it assumed", ""
 *   assumptions  the same one by one: [{name, value, stated, why}]
 *   place      {file, line, column} of the kernel
 *   launches   how many a program makes (config.h), where that is stated; the row is that of the costliest of them,
 *   total_ns   and this is what all of them take
 *   unknown_arguments  {NAME: what may be meant} of what the rule states and the kernel does not have; for look.h,
 * which drops it
 *   sizes, resident  times over local sizes and over resident warps, where they are asked for (size_rows.h,
 * resident_rows.h)
 */
#ifndef GPUPERF_TOOLS_CHECK_UNIT_ROWS_H
#define GPUPERF_TOOLS_CHECK_UNIT_ROWS_H

#include "config/config.h"
#include "model/profile/profile.h"
#include "tools/check/units.h"

struct gp_unit_question {
    const struct gp_unit *unit;
    const struct gp_arguments *devices;
    const struct gp_check_config *config;
    const struct gp_arguments *kernels; /* names or globs; empty: all */
    bool all_kernels;                   /* also those from headers that are not the project's */
    bool sizes;                         /* the times over local sizes and resident warps, too */
};

/* Kernels of libraries' headers (cub, thrust) are somebody else's: their place is elsewhere than the source and the
 * folder that gpuperf runs in. */
bool gp_is_own_kernel(const struct gp_unit *unit, const struct gp_profile *profile, const struct gp_kernel *kernel);

/* The JSON text; free() it. NULL and a sentence: the source cannot be read, or no device's compiler takes it. */
char *gp_unit_rows(const struct gp_unit_question *question, struct gp_error *error);

#endif
