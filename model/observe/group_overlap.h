/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How much neighbouring groups touch together. From one group to the next along a dimension what is touched moves by
 * the same distance, the group's advance; what lies whole advances apart is a chain. Of a chain a group touches some
 * places p1 < p2 < ..., and N groups touch p1 ... p1 + N - 1, p2 ... p2 + N - 1 and so on: N of them, and for each gap
 * g between two of the group's places min(g, N) more. With s(g), the share of a group's bytes that the g-th group after
 * it is the first to touch again, N groups touch
 *
 *     bytes x (N (1 - sum of s(g)) + sum of s(g) min(g, N)) = bytes x (1 + (N - 1) (1 - s(1)) - sum over g > 1 of s(g)
 * max(0, N - g))
 *
 * Rows y - 1, y, y + 1 of groups that have one row each are gaps of 1; rows y - 16, y, y + 16 of groups of eight gaps
 * of 2.
 */
#ifndef GPUPERF_MODEL_SPREAD_H
#define GPUPERF_MODEL_SPREAD_H

enum { GP_MOST_FURTHER = 4 };

/* Of what a group touches, along each dimension: the share that the next group touches as well; that a further one does
 * first, at each of the distances. */
struct gp_shared {
    double next[3];
    double further[3][GP_MOST_FURTHER];
};

/* Along each dimension, in groups, ascending and more than one; 0: there are no more. */
typedef double gp_distances[3][GP_MOST_FURTHER];

/* Bytes that a block of n[0] x n[1] x n[2] neighbouring groups touches, each counted once, where one touches so many;
 * less than a group counts as one. */
double gp_spread(double bytes, const struct gp_shared *shared, const gp_distances distances, const double n[3]);

#endif
