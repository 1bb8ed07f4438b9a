/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Predictions as JSON: what `gpuperf predict --json` prints and the plugin's `report` argument writes. An array with an
 * object per row, in the order given:
 *
 *   kernel, device, local [3], global [3], caches (cold, warm), rank, cycles, time_ns, occupancy, limiter, model,
 * confidence, registers, spill_bytes, local_memory, waves, feasible, bottlenecks: [{cause, file, line, column, share,
 * speedup, measure, advice}]
 *
 * A row of a launch of which arguments were stated has those that the kernel has in `arguments`: {"n": 64, "shape":
 * "640,480"}.
 *
 * `headroom` is time_ns over `ideal_ns` (predict.h), `units` each unit's share of its peak, `occupancy_next` what
 * would leave more warps resident: {registers_fewer | local_memory_fewer | work_items, groups, occupancy} or null;
 * `launched` stands where it is the size that the launch would have.
 *
 * With `terms` asked for, an object of what the time is made of by the names of model/timing/terms.h, numbers in its
 * units. A kernel whose name another one of its profile has, too, carries `symbol` as well. An infeasible row carries
 * `why` as well; one of a device that is not in the database, `nearest_device`; one of the model mwp-cwp mwp, cwp, cpi;
 * one of several bottlenecks that can be repaired `all_speedup`, with all of these repaired at once (predict.h,
 * repaired_all_ns): their gains do not add up. A bottleneck that others hide carries `speedup_beside` and when it gains
 * that, `beside` (predict.h). Where bottlenecks were asked for, `lines` are [{file, line, share}], what each line has
 * of the limiter's work (model/findings/limiter_shares.h), largest first. A bottleneck of the kernel as a whole stands
 * at the kernel's own location.
 */
#ifndef GPUPERF_REPORT_REPORT_JSON_H
#define GPUPERF_REPORT_REPORT_JSON_H

#include <stddef.h>

#include "model/predict.h"
#include "model/predict/assumed_arguments.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gp_report_row {
    const struct gp_profile *profile; /* for the locations of the bottlenecks */
    const struct gp_kernel *kernel;   /* of that profile */
    const char *device;               /* "a100" */
    const struct gp_prediction *prediction;
    const char *nearest; /* the entry whose numbers stand for a device that is not in the database; NULL: it is */
    bool launched;       /* the size that the launch would have */
    bool terms;          /* what each time is made of, too */
    const char *const *arguments; /* "NAME=NUMBER", what was stated of the launch; NULL-terminated; NULL: nothing was */
    const struct gp_argument_effects *effects; /* of what this row's launch assumes; NULL: nobody asked */
    const struct gp_launch *launch;            /* which has these arguments; NULL likewise */
};

/* Whether another kernel of the profile has the same name: overloads, which their symbols tell apart. */
bool gp_kernel_is_overloaded(const struct gp_profile *profile, const struct gp_kernel *kernel);

/* The text, ending in a newline; "[]" and a newline for no rows. Free with free(). NULL: out of memory. */
char *gp_report_json(const struct gp_report_row *rows, size_t count);

/* By gp_write_file() (support/text.h): nobody sees half a report; "-" is standard output. False and a sentence on
 * failure. */
bool gp_report_write_file(const struct gp_report_row *rows, size_t count, const char *path, struct gp_error *error);

#ifdef __cplusplus
}
#endif
#endif
