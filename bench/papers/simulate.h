/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One SM of a device that simulates some work-groups of a subject: what the papers' micro-benchmarks measured. */
#ifndef GPUPERF_BENCH_PAPERS_SIMULATE_H
#define GPUPERF_BENCH_PAPERS_SIMULATE_H

#include "bench/papers/subject.h"
#include "model/trace/trace.h"

struct experiment {
    uint32_t groups, resident; /* on this SM: in all, at the same time */
    double active_sms;         /* of the device, all doing the same */
    bool in_l2;                /* the data are in L2 from the start (Lashgar et al., section 3.3) */
    bool every_iteration;      /* of long loops, none left out: groups are compared with each other */
    bool as_written; /* the source has the order in which a back end schedules; else instructions are ordered as by
                        `--model trace` */
};

/* The kernel's program as the experiment orders it. NULL: out of memory; the caller frees it. */
struct gp_program *program_of(const struct subject *subject, const struct experiment *experiment,
                              const struct gp_sm *sm);

/*
 * Cycles until the last group finishes, of the launch's first groups. start and finish: [groups], or NULL. False and a
 * sentence.
 */
bool simulate(const struct subject *subject, const struct gp_launch *launch, const struct experiment *experiment,
              double *start, double *finish, struct gp_sim_result *result, struct gp_error *error);

#endif
