/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/hot_loop.h"

#include <stdlib.h>

#include "model/value/inst_facts.h"

/* The pipes behind a limiter; GP_PIPE_COUNT: all that is issued. */
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

static bool is_of_time(enum gp_limiter limiter)
{
    return limiter == GP_LIMITER_LATENCY || limiter == GP_LIMITER_BARRIER || limiter == GP_LIMITER_LAUNCH;
}

static double of_memory(const struct gp_memory_work *memory, enum gp_limiter limiter)
{
    switch (limiter) {
    case GP_LIMITER_LSU:
    case GP_LIMITER_L1: return memory->wavefronts;
    case GP_LIMITER_L2:
    case GP_LIMITER_DRAM: return memory->l2_bytes;
    default: return 0;
    }
}

static double of_block(const struct gp_kernel *kernel, const struct gp_work *work, enum gp_limiter limiter, uint32_t b)
{
    const struct gp_block_work *block = &work->blocks[b];
    if (is_of_time(limiter))
        return block->chain;
    double sum = limiter == GP_LIMITER_ISSUE ? block->visits * block->pipes.issue : 0;
    for (int pipe = 0; pipe < GP_PIPE_COUNT; pipe++)
        if (is_behind(limiter, pipe))
            sum += block->visits * block->pipes.ops[pipe];
    for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++) {
        uint32_t record = gp_inst_accesses(&kernel->insts[i]) ? kernel->insts[i].record : GP_NONE;
        if (record != GP_NONE)
            sum += of_memory(&work->memory[record], limiter);
    }
    return sum;
}

uint32_t gp_hot_loop(const struct gp_kernel *kernel, const struct gp_work *work, enum gp_limiter limiter, double *share)
{
    uint32_t hot = GP_NONE;
    double all = 0, *within = calloc(kernel->loop_count + 1, sizeof *within);
    *share = 0;
    for (uint32_t b = 0; within != NULL && b < work->block_count; b++) {
        double part = of_block(kernel, work, limiter, b);
        all += part;
        for (uint32_t loop = kernel->blocks[b].loop; loop != GP_NONE; loop = kernel->loops[loop].parent)
            within[loop] += part;
    }
    for (uint32_t loop = 0; within != NULL && loop < kernel->loop_count;
         loop++) /* parents first: what is found last is innermost */
        if (within[loop] > 0.5 * all) {
            hot = loop;
            *share = within[loop] / all;
        }
    free(within);
    return hot;
}
