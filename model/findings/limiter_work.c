/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/limiter_work.h"

static bool is_behind(enum gp_limiter limiter, int pipe)
{
    switch (limiter) {
    case GP_LIMITER_FP32:
        return pipe == GP_PIPE_FP32 || pipe == GP_PIPE_FP16 || pipe == GP_PIPE_INT_MUL || pipe == GP_PIPE_MATRIX;
    case GP_LIMITER_FP64: return pipe == GP_PIPE_FP64 || pipe == GP_PIPE_CVT64; /* on most devices */
    case GP_LIMITER_SFU: return pipe == GP_PIPE_SFU || pipe == GP_PIPE_CVT || pipe == GP_PIPE_CVT64;
    case GP_LIMITER_INT: return pipe == GP_PIPE_INT || pipe == GP_PIPE_SHIFT || pipe == GP_PIPE_INT_MUL;
    case GP_LIMITER_LSU: return pipe == GP_PIPE_SHUFFLE;
    default: return false;
    }
}

bool gp_limiter_is_time(enum gp_limiter limiter)
{
    return limiter == GP_LIMITER_LATENCY || limiter == GP_LIMITER_BARRIER || limiter == GP_LIMITER_LAUNCH;
}

double gp_limiter_of_pipes(enum gp_limiter limiter, double issue, const double *ops)
{
    double sum = limiter == GP_LIMITER_ISSUE ? issue : 0;
    for (int pipe = 0; pipe < GP_PIPE_COUNT; pipe++)
        if (is_behind(limiter, pipe))
            sum += ops[pipe];
    return sum;
}

double gp_limiter_of_memory(enum gp_limiter limiter, const struct gp_memory_work *memory)
{
    switch (limiter) {
    case GP_LIMITER_LSU:
    case GP_LIMITER_L1: return memory->wavefronts;
    case GP_LIMITER_L2:
    case GP_LIMITER_DRAM: return memory->l2_bytes;
    default: return 0;
    }
}
