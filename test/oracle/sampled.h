/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sampled execution against exhaustive execution: what a launch costs in all, per pipe and per kind of memory, once
 * from the groups, warps and iterations that the models look at (model/observe/collect.c), once from all of them.
 */
#ifndef GPUPERF_TEST_ORACLE_SAMPLED_H
#define GPUPERF_TEST_ORACLE_SAMPLED_H

#include "hwdb/hwdb.h"
#include "model/compilers/cost.h"
#include "model/launch/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Totals of a launch: instructions issued and per pipe, barriers; then per memory space. */
enum {
    SAMPLED_PER_SPACE = 5,
    SAMPLED_SPACES = 2 + GP_PIPE_COUNT,
    SAMPLED_COUNT = SAMPLED_SPACES + SAMPLED_PER_SPACE * GP_SPACE_COUNT
};

struct sampled_totals {
    double total[SAMPLED_COUNT];
};

/* "global transactions", "pipe fp32" ...; `text` has room for 64. */
const char *sampled_name(unsigned which, char *text);

/* Whether a total is one of those compared: it, or the requests it belongs to, are at least 1% of all instructions. */
bool sampled_matters(const struct sampled_totals *all, const struct sampled_totals *some, unsigned which);

enum sampled_how { SAMPLED_ALL, SAMPLED_AS_MODELS, SAMPLED_QUICK };

/* most_visits: blocks that exhaustive execution of a warp may visit before that is given up as an error; 0: 2^32. */
bool sampled_run(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_device *device,
                 enum sampled_how how, uint64_t most_visits, struct sampled_totals *totals, struct gp_error *error);

/*
 * A launch of moderate size in place of a corpus file's small one: `factor` times the groups along the first dimension,
 * a quarter of that along the second if it is used. Integer arguments that bound a dimension keep their distance from
 * its end, others are multiplied by `scale`.
 */
void sampled_enlarge(const struct gp_kernel *kernel, struct gp_launch *launch, uint64_t factor, uint64_t scale);

#ifdef __cplusplus
}
#endif
#endif
