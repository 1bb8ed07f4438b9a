/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Launches of which something is varied: lists and ranges on the command line, and all their combinations.
 *
 *     --global 1024x1024,2048x2048          two ranges
 *     --arg n=1:2:4                         three values; a comma stays between the components of a vector
 *     --arg n=64..4096*2 --arg k=1..9+2     from, to, and how one gets on; without either by ones
 *     --resident 1,2,4..64*2                resident warps per SM
 *
 * An axis is one of these, with its values as text; what is stated once is an axis of one value. Of the combinations
 * the last axis goes fastest. A million of them is the limit, for each kernel on each device.
 */
#ifndef GPUPERF_TOOLS_AXES_H
#define GPUPERF_TOOLS_AXES_H

#include <stdint.h>

#include "compile/arguments.h"
#include "config/sizes.h"
#include "support/error.h"
#include "support/text.h"

enum { GP_MOST_COMBINATIONS = 1000000 };

enum gp_axis_kind { GP_AXIS_GLOBAL, GP_AXIS_GROUPS, GP_AXIS_ARGUMENT, GP_AXIS_RESIDENT };

struct gp_axis {
    enum gp_axis_kind kind;
    char *name; /* "global", "groups", the argument's, "resident" */
    struct gp_arguments values;
};

struct gp_axes {
    struct gp_axis *list;
    size_t count;
};

/* One value of each axis. */
struct gp_combination {
    struct gp_sizes global, groups; /* at most one is given */
    struct gp_arguments values;     /* "NAME=NUMBER" */
    uint32_t resident;              /* warps per SM; 0: not given */
};

/* Adds "1024x1024,2048x2048" of --global or --groups, or "1,2,4..64*2" of --resident, instead of what the same option
 * said before. False: a sentence. */
bool gp_axes_add_list(struct gp_axes *axes, enum gp_axis_kind kind, const char *text, struct gp_error *error);

/* Adds "NAME=1:2:4" or "NAME=64..4096*2", instead of what was said of NAME before. False: a sentence. */
bool gp_axes_add_argument(struct gp_axes *axes, const char *text, struct gp_error *error);

/* The axis of --global or --groups; NULL: there is none. */
const struct gp_axis *gp_axes_find(const struct gp_axes *axes, enum gp_axis_kind kind);

/* Whether it has several values. */
bool gp_axis_is_varied(const struct gp_axis *axis);

/* How many combinations there are, 1 where nothing is stated. False: a sentence, there are more than the limit. */
bool gp_axes_combinations(const struct gp_axes *axes, size_t *count, struct gp_error *error);

/* Which value of an axis belongs to the combination of this number. */
const char *gp_axes_value(const struct gp_axes *axes, size_t axis, size_t combination);

/* The combination of this number; what was in `result` before is freed. */
void gp_axes_choose(const struct gp_axes *axes, size_t combination, struct gp_combination *result);

void gp_combination_free(struct gp_combination *combination);
void gp_axes_free(struct gp_axes *axes);

#endif
