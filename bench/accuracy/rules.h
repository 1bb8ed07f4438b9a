/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What people and drivers do where nothing predicts: each rule picks one of the `count` configurations of a slice. */
#ifndef GPUPERF_BENCH_RULES_H
#define GPUPERF_BENCH_RULES_H

#include "bench/accuracy/score.h"

struct named_rule {
    const char *name;
    rule *pick;
};
extern const struct named_rule baselines[];
extern const size_t baseline_count;

#endif
