/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The learned model of the "sampling and learning" paper (section 5.2): support vector regression says at how many
 * instructions per second a kernel runs once an SM is full, from what two samples and the compiler tell. It is trained
 * elsewhere (bench/papers/sampling/train.c); here it is read from a text file and evaluated.
 *
 *   gpuperf-learned 1
 *   device gtx580
 *   feature NAME MEAN SCALE     one for each, in the order of a vector's values
 *   svr GAMMA RHO MEAN SCALE    of the target: the logarithm of instructions per second over those of work_ips
 *   vector COEFFICIENT VALUE..
 *   end
 */
#ifndef GPUPERF_RUNTIME_LEARNED_H
#define GPUPERF_RUNTIME_LEARNED_H

#include <stdbool.h>
#include <stdint.h>

#include "support/error.h"

/* The paper's Table 1, of one SM's groups up to a sample's last: counters by the executor and the simulated caches. Of
 * two samples: ns_ratio is the second's time over the first's, by groups (1: in proportion). */
/* clang-format off */
#define GP_LEARNED_FEATURES(X) \
    X(active) X(registers) X(ns) X(branches) X(items) X(divergent) X(l1_miss_rate) X(l2_miss_rate) X(l1_requests) \
    X(issued) X(executed) X(conflicts) X(shared) X(coalesced) X(serialised) X(linear_ips) X(ns_ratio) X(work_ratio) X(work_ips)
/* clang-format on */
enum gp_learned_feature {
#define X(name) GP_LEARNED_##name,
    GP_LEARNED_FEATURES(X)
#undef X
        GP_LEARNED_FEATURE_COUNT
};
extern const char *const gp_learned_names[GP_LEARNED_FEATURE_COUNT];

/* The first so many are the paper's; those behind are ours. */
enum { GP_LEARNED_PAPERS = GP_LEARNED_ns_ratio };

/* What is known of a sample, as it was counted. */
struct gp_learned_sample {
    double active;    /* groups at a time on an SM */
    double registers; /* of a work-item */
    double ns, items, executed, issued, branches, divergent, l1_requests, l1_misses, l2_misses, conflicts, shared,
        transactions, serialised;
    double linear_ips; /* instructions per second by the line through two samples */
    double ns_ratio;   /* of two samples: times in proportion to groups */
    double work_ratio; /* likewise instructions, of the whole launch over the sample: 1 where work is even */
    double work_ips;   /* as linear_ips, by the line through two samples' instructions instead of their groups */
};

/* A vector of all features: logarithms of what is positive, shares as they are. */
void gp_learned_values(const struct gp_learned_sample *sample, double values[GP_LEARNED_FEATURE_COUNT]);

struct gp_learned;

/* NULL and a sentence with the line: another version, damaged, not there. */
struct gp_learned *gp_learned_load(const char *path, struct gp_error *error);
void gp_learned_free(struct gp_learned *learned);
const char *gp_learned_device(const struct gp_learned *learned);

/* Instructions per second of a full SM. */
double gp_learned_ips(const struct gp_learned *learned, const double values[GP_LEARNED_FEATURE_COUNT]);

/* The paper's t(N) = IP(P2) N / (P2 IPS), in nanoseconds: `issued` of a sample of `groups`, for `all` groups. Where the
 * executor knows what the whole launch issues, that of all groups. */
double gp_learned_ns(double issued, double groups, double all, double ips);

#endif
