/*
 * Where a memory operation was in the iterations that sampled execution left out. Addresses are mostly linear in the counters of the loops around them; how far
 * each loop moves them is seen from those executed. What lies between two of these can then be looked at without executing it.
 */
#ifndef GPUPERF_MODEL_LEFT_OUT_H
#define GPUPERF_MODEL_LEFT_OUT_H

#include <stdbool.h>

#include "model/executor.h"

enum { GP_MOST_LEFT_OUT = 1024 };

/* Iterations that were left out, in the order in which they would have been executed: by how many bytes the addresses of all lanes lie beside those at hand. */
struct gp_left_out {
    uint64_t iterations;   /* of the loop that went on, the one at hand among them */
    uint64_t covered;      /* of these the last ones, which the points and the one at hand stand for */
    uint32_t count;
    int64_t beside[GP_MOST_LEFT_OUT];
};

struct gp_courses;

/* Of a kernel, which must stay as it is. NULL: out of memory. The caller frees it. */
struct gp_courses *gp_courses_new(const struct gp_kernel *kernel);
void gp_courses_free(struct gp_courses *courses);

/* A new warp: nothing is seen yet. */
void gp_courses_start(struct gp_courses *courses);

/*
 * What is known of an execution. PLAIN: nothing beside what the executor says of its weight, as the first time and where addresses are not linear. NEXT: none of its loops'
 * iterations were left out since it was executed before. LEFT_OUT: some were, and it is known where it was in them.
 */
enum gp_course { GP_COURSE_PLAIN, GP_COURSE_NEXT, GP_COURSE_LEFT_OUT };

/* Where an operation is: symbol + offset (bytes, of its first active lane). Lanes of other shapes lie differently beside that one, or are others. */
struct gp_place { uint32_t symbol; uint64_t offset, shape; };

/*
 * Memory operation `memory` is executed; `unit`: bytes that matter, as in gp_courses_list(). *stands_for, if not PLAIN: executions that its weight counts beside it although
 * they are listed, now or at other times.
 */
enum gp_course gp_courses_see(struct gp_courses *courses, const struct gp_executor *executor, uint32_t memory, const struct gp_place *place, double unit, double *stands_for);

/*
 * Of the loop that went on, the last iterations since the operation was executed before, 8 to 64 points, the loops within it being where they are now. Where an iteration moves the
 * operation by less than a `unit`, a point stands for those of a unit.
 */
void gp_courses_list(const struct gp_courses *courses, uint32_t memory, double unit, struct gp_left_out *left_out);

/* Of the execution before: what the loops within did in the iterations that gp_courses_list() listed, which other operations' first iterations come before. */
void gp_courses_list_within(const struct gp_courses *courses, uint32_t memory, double unit, struct gp_left_out *left_out);

#endif
