/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/papers/sampling/features.h"

#include <math.h>

const char *const feature_names[FEATURE_COUNT] = {
#define X(name) #name,
    FEATURES(X)
#undef X
};

static double logarithm(double value) { return value > 0 ? log(value) : 0; }

static double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

void feature_values(const struct counted_sample *s, double values[FEATURE_COUNT])
{
    values[FEATURE_active] = s->active;
    values[FEATURE_registers] = s->registers;
    values[FEATURE_ns] = logarithm(s->ns);
    values[FEATURE_branches] = logarithm(1 + s->branches);
    values[FEATURE_items] = logarithm(s->items);
    values[FEATURE_divergent] = share(s->divergent, s->branches);
    values[FEATURE_l1_miss_rate] = share(s->l1_misses, s->issued);
    values[FEATURE_l2_miss_rate] = share(s->l2_misses, s->issued);
    values[FEATURE_l1_requests] = logarithm(1 + s->l1_requests);
    values[FEATURE_issued] = logarithm(s->issued);
    values[FEATURE_executed] = logarithm(s->executed);
    values[FEATURE_conflicts] = share(s->conflicts, s->issued);
    values[FEATURE_shared] = share(s->shared, s->issued);
    values[FEATURE_coalesced] = logarithm(1 + share(s->transactions, s->l1_requests));
    values[FEATURE_serialised] = share(s->serialised, s->issued);
    values[FEATURE_linear_ips] = logarithm(s->linear_ips);
    values[FEATURE_ns_ratio] = logarithm(s->ns_ratio);
    values[FEATURE_work_ratio] = logarithm(s->work_ratio);
    values[FEATURE_work_ips] = logarithm(s->work_ips);
}
