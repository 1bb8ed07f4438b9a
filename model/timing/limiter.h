/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a launch waits for most. */
#ifndef GPUPERF_MODEL_LIMITER_H
#define GPUPERF_MODEL_LIMITER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define GP_LIMITERS(X) X(ISSUE, "issue") X(FP32, "fp32") X(FP64, "fp64") X(SFU, "sfu") X(INT, "int") X(LSU, "lsu") X(L1, "l1") \
    X(L2, "l2") X(DRAM, "dram") X(LATENCY, "latency") X(BARRIER, "barrier") X(LAUNCH, "launch")
/* clang-format on */
enum gp_limiter {
#define X(name, text) GP_LIMITER_##name,
    GP_LIMITERS(X)
#undef X
        GP_LIMITER_COUNT
};
const char *gp_limiter_name(enum gp_limiter limiter);

#ifdef __cplusplus
}
#endif
#endif
