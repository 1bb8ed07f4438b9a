/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A launch in words. */
#ifndef GPUPERF_MODEL_DESCRIBE_H
#define GPUPERF_MODEL_DESCRIBE_H

#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* "global 1024x1024, local 32x8, n=1024" as the warnings' note prints it; ", trip=16" where a loop is assumed to have
 * so many iterations. */
void gp_launch_describe(const struct gp_kernel *kernel, const struct gp_launch *launch, char *text, size_t size);

/* What of that nobody has stated: "all of it assumed", "all but global, n assumed"; "" where everything is stated. */
void gp_launch_describe_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch, char *text,
                                size_t size);

/* The stated arguments that the assumed range is as large as, "width, height"; returns the text's length, 0 where there
 * are none. */
size_t gp_launch_range_from(const struct gp_kernel *kernel, const struct gp_launch *launch, char *text, size_t size);

/* What gp_launch_describe() names of sizes, arguments and iterations, one after the other. */
enum { GP_MOST_ASSUMPTIONS = GP_MAX_ARGUMENTS + 3, GP_ASSUMPTION_TEXT = 96 };
struct gp_assumption {
    const char *name; /* "global", "local", an argument's, "trip" */
    char value[GP_ASSUMPTION_TEXT];
    bool stated;
    const char *why; /* of what nobody has stated, why it is that; else NULL */
};
/* Fills the list; returns how many. */
size_t gp_launch_assumptions(const struct gp_kernel *kernel, const struct gp_launch *launch,
                             struct gp_assumption list[GP_MOST_ASSUMPTIONS]);

/* "w * h": the first product of arguments in 32 bits that is more than these hold with the launch's arguments, so that
 * it wraps. False: there is none. */
bool gp_launch_overflow(const struct gp_kernel *kernel, const struct gp_launch *launch, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
