/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where a memory operation was in the iterations that sampled execution left out. Addresses are mostly linear in the
 * counters of the loops around them; how far each loop moves them is seen from those executed. What lies between two of
 * these can then be looked at without executing it.
 */
#ifndef GPUPERF_MODEL_SKIPPED_ITERATIONS_H
#define GPUPERF_MODEL_SKIPPED_ITERATIONS_H

#include <stdbool.h>

#include "model/executor/executor.h"

enum { GP_MOST_SKIPPED = 1024 };

/* Whose warps another is compared with: those of its own group that were executed before it, and those of a group whose
 * neighbour it is in. */
enum gp_companions { GP_COMPANIONS_OWN, GP_COMPANIONS_NEXT, GP_COMPANIONS_COUNT };

/* By how many bytes the addresses of all lanes lie beside those at hand, how many such points this one stands for, and
 * a name of the iterations that it is in, of all loops around. */
struct gp_point {
    int64_t beside;
    double weight;
    uint32_t turn;
};

/*
 * Iterations that were left out, in the order in which they would have been executed. Of many the last ones are listed,
 * and those in the middle of these stand for all: the first do not show what the iterations before them had touched,
 * and the last reach what other warps touch in iterations behind the one at hand. These count where the loop ends.
 */
struct gp_skipped {
    uint64_t iterations; /* of the loop that went on, the one at hand among them */
    uint64_t covered;    /* of these the last ones, which the points and the one at hand are */
    uint32_t count;
    double points;              /* that the weights add up to, with that of the one at hand */
    double weight;              /* of the one at hand */
    uint64_t execution, stride; /* gp_trajectories_list() listed it for, from point to point; 0: it is something else */
    double met[GP_COMPANIONS_COUNT]; /* of the iterations the share in which one of them was where this one is, in
                                        iterations of its own; 0 where all points are listed */
    struct gp_point point[GP_MOST_SKIPPED];
};

void gp_skipped_nothing(struct gp_skipped *skipped);

struct gp_trajectories;

/* Of a kernel, which must stay as it is; keeps the trajectories of so many companions of each kind. The
 * caller frees it. */
struct gp_trajectories *gp_trajectories_new(const struct gp_kernel *kernel, uint32_t companions);
void gp_trajectories_free(struct gp_trajectories *trajectories);

/* A new warp: nothing is seen yet. count: of the companions that it is compared with, of each kind the first ones. */
void gp_trajectories_start(struct gp_trajectories *trajectories, const uint32_t count[GP_COMPANIONS_COUNT]);

/* The warp's trajectories become those of a companion. */
void gp_trajectories_keep(struct gp_trajectories *trajectories, enum gp_companions companions, uint32_t number);

/*
 * What is known of an execution. PLAIN: nothing beside what the executor says of its weight, as the first time and
 * where addresses are not linear. NEXT: none of its loops' iterations were left out since it was executed before.
 * LEFT_OUT: some were, and it is known where it was in them.
 */
enum gp_trajectory { GP_TRAJECTORY_PLAIN, GP_TRAJECTORY_NEXT, GP_TRAJECTORY_SKIPPED };

/* Where an operation is: symbol + offset (bytes, of its first active lane). Lanes of other shapes lie differently
 * beside that one, or are others. */
struct gp_place {
    uint32_t symbol;
    uint64_t offset, shape;
};

/*
 * Memory operation `memory` is executed; `unit`: bytes that matter, as in gp_trajectories_list(). *stands_for, if not
 * PLAIN: executions that its weight counts beside it although they are listed, now or at other times.
 */
enum gp_trajectory gp_trajectories_see(struct gp_trajectories *trajectories, const struct gp_executor *executor,
                                       uint32_t memory, const struct gp_place *place, double unit, double *stands_for);

/* The name of the iterations at hand, as gp_trajectories_see() saw them last. */
uint32_t gp_trajectories_turn(const struct gp_trajectories *trajectories, uint32_t memory);

/*
 * Of the loop that went on, the last iterations since the operation was executed before, 8 to 64 points, the loops
 * within it being where they are now. Where an iteration moves the operation by less than a `unit`, a point stands for
 * those of a unit.
 */
void gp_trajectories_list(struct gp_trajectories *trajectories, uint32_t memory, double unit,
                          struct gp_skipped *skipped);

/*
 * Whether all that is listed for the execution follows from two numbers: iterations of the innermost loop that were
 * left out, and bytes from one to the next. Not where loops within another one are listed.
 */
struct gp_gap {
    uint64_t skipped;
    int64_t step;
};
bool gp_trajectories_gap(const struct gp_trajectories *trajectories, uint32_t memory, enum gp_trajectory at,
                         struct gp_gap *gap);

/*
 * Whether another operation, executed in the same iterations, is in each where this one will be in a later one of the
 * loop that went on, and takes the same steps: it goes ahead. *bytes: by how far.
 */
bool gp_trajectories_goes_ahead(const struct gp_trajectories *trajectories, uint32_t memory, uint32_t other,
                                int64_t *bytes);

/* Of the execution before: what the loops within did in the iterations that gp_trajectories_list() listed, which other
 * operations' first iterations come before. */
void gp_trajectories_list_within(struct gp_trajectories *trajectories, uint32_t memory, double unit,
                                 struct gp_skipped *skipped);

#endif
