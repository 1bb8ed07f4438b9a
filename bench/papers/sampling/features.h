/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the sampling paper's learned model (section 5.2) goes by. */
#ifndef GPUPERF_BENCH_SAMPLING_FEATURES_H
#define GPUPERF_BENCH_SAMPLING_FEATURES_H

/* The paper's Table 1, of one SM's groups up to a sample's last: counters by the executor and the simulated caches. Of
 * two samples: ns_ratio is the second's time over the first's, by groups (1: in proportion). */
/* clang-format off */
#define FEATURES(X) \
    X(active) X(registers) X(ns) X(branches) X(items) X(divergent) X(l1_miss_rate) X(l2_miss_rate) X(l1_requests) \
    X(issued) X(executed) X(conflicts) X(shared) X(coalesced) X(serialised) X(linear_ips) X(ns_ratio) X(work_ratio) \
    X(work_ips)
/* clang-format on */
enum feature {
#define X(name) FEATURE_##name,
    FEATURES(X)
#undef X
        FEATURE_COUNT
};
extern const char *const feature_names[FEATURE_COUNT];

/* The first so many are the paper's; those behind are ours. */
enum { PAPERS_FEATURES = FEATURE_ns_ratio };

/* What is known of a sample, as it was counted. */
struct counted_sample {
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
void feature_values(const struct counted_sample *sample, double values[FEATURE_COUNT]);

#endif
