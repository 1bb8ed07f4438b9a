/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How good are picks and ranks? Slices, regrets, correlations. */
#ifndef GPUPERF_BENCH_SCORE_H
#define GPUPERF_BENCH_SCORE_H

#include <stddef.h>

/* One configuration. */
struct config {
    double measured_ms, predicted_ms; /* predicted: NAN where there is no prediction */
    double occupancy, full_group;     /* as in gp_prediction */
    unsigned block[2];
    unsigned items[2]; /* work-items per dimension of the launch */
    size_t slice;      /* configurations that agree in everything but the block shape */
    size_t row;
};

struct score {
    size_t slices, configs;
    double regret, regret_90; /* geometric mean, 90th percentile */
    double spearman;          /* mean over slices that spread more than 1.3x */
    size_t spearman_slices;
    double top1, top3;       /* share of slices whose pick (best of the three first) is within 3% of the best */
    double mape, median_ape; /* absolute percentage error of the time */
    size_t worst_slice;
    double worst_regret;
    /* Configurations that take three times the best of their slice and more; those of them predicted at twice the best
     * prediction and more. */
    size_t fallen, fallen_predicted;
};

/* A rule picks one of the `count` configurations of a slice. */
typedef size_t rule(const struct config *configs, size_t count, unsigned warp);

/* configs must be sorted by slice. */
struct score score_predictions(const struct config *configs, size_t count);
double score_rule(const struct config *configs, size_t count, unsigned warp, rule *pick);
double score_random(const struct config *configs, size_t count);
/* The best single block shape for all slices that have it, in hindsight. */
double score_fixed_shape(const struct config *configs, size_t count);

#endif
