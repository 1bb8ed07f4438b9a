/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How long blocks took when they were visited last. A block's time depends on what it finds under way (results of
 * earlier blocks that are still waited for) and on the latencies of its accesses; where both are what they were, the
 * scoreboard (schedule.h) is not run again. In loops that is the rule. Blocks of one straight line (predication.h) take
 * their time together; it depends on which of them are visited, too.
 */
#ifndef GPUPERF_MODEL_BLOCK_TIMES_H
#define GPUPERF_MODEL_BLOCK_TIMES_H

#include "model/compilers/predication.h"
#include "model/compilers/schedule.h"
#include "model/profile/profile.h"

struct gp_block_times;

/* The blocks of a line that are executed one after the other, in its order. */
struct gp_line_visit {
    uint32_t head; /* of the line */
    const uint32_t *blocks;
    uint32_t count;
};

/* The kernel must stay alive. */
struct gp_block_times *gp_block_times_new(const struct gp_kernel *kernel, const struct gp_predication *lines);
void gp_block_times_free(struct gp_block_times *times);

/* Costs of instructions, or the words that loads may wait in, are others from here on. */
void gp_block_times_forget(struct gp_block_times *times);

/*
 * A line is visited; `latency`: of each memory record's access (cycles). True: it takes `*cycles`, as when it was
 * visited last; the schedule is as if it had been run, and the observer was told of the stalls. False: run it, and say
 * so with gp_block_times_keep().
 */
bool gp_block_times_recall(struct gp_block_times *times, const struct gp_line_visit *line, struct gp_schedule *schedule,
                           const double *latency, gp_stall_observer *observer, void *context, double *cycles);

/* What the line is waiting for, told by gp_schedule_finish(); between a recall that was false and the keep that belongs
 * to it. */
void gp_block_times_stall(struct gp_block_times *times, uint32_t head, uint32_t record, double cycles);

/* The line was run and took so long. */
void gp_block_times_keep(struct gp_block_times *times, const struct gp_line_visit *line,
                         const struct gp_schedule *schedule, double cycles);

#endif
