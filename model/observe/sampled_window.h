/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a sampled iteration stands for where addresses move. Of a loop's iterations few are executed; between two of
 * them the lanes' window over an array has moved on, and lines were entered that no executed iteration need have
 * touched.
 */
#ifndef GPUPERF_MODEL_SAMPLED_WINDOW_H
#define GPUPERF_MODEL_SAMPLED_WINDOW_H

/* An execution of a memory operation in sampled loops. */
struct gp_window_move {
    double weight;  /* executions that it stands for */
    double runs;    /* and runs of the innermost loop */
    double step;    /* bytes by which addresses move from one iteration to the next; negative: not known */
    double between; /* iterations from then to now, at most */
    double moved;   /* bytes by which they moved since the operation was executed before, where iterations lie between;
                       negative: none do */
};

/* What the execution touches, in lines or words of `unit` bytes. */
struct gp_window {
    double unit;
    double all;   /* at least 1 */
    double runs;  /* stretches of neighbours among these, at least 1 */
    double fresh; /* nobody in the group touched them before */
    double moved; /* units between where the first lane is and where it was; 0 where iterations do not lie between */
};

/* Units touched first, by all executions that this one stands for. */
double gp_window_fresh(const struct gp_window_move *move, const struct gp_window *window);

/*
 * Of `units` that this execution lacks (nobody touched them before, or they were driven out since it was executed
 * before), how many the average one of the iterations that it stands for lacks: each finds what the iteration before it
 * touched, which mostly was not executed, and lacks at most what it enters.
 */
double gp_window_lacks(const struct gp_window_move *move, const struct gp_window *window, double units);

#endif
