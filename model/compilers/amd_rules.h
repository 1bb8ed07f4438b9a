/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What AMD's compiler, LLVM's AMDGPU backend, does with private arrays, each number once: passes/cost/ asks for what it
 * finds as vectors in LLVM IR, model/compilers/ for what a profile has as arrays. Read from LLVM 22.
 */
#ifndef GPUPERF_MODEL_AMD_RULES_H
#define GPUPERF_MODEL_AMD_RULES_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a loop is unrolled whole where that takes a private array out of memory: up to 2700 instructions but those
 * that count (AMDGPUTargetTransformInfo.cpp, "amdgpu-unroll-threshold-private"; LLVM's limit for a target that it does
 * not know is 150 at -O2).
 */
static inline bool gp_amd_unrolls_private(double instructions)
{
    const double limit = 2700;
    return instructions < limit;
}

/*
 * Whether an element, of so many words, whose number is a value that all lanes share is moved with an index register,
 * for which GFX9 has a mode and others v_movrel: where comparing with each element would be more than 16, or 15,
 * instructions (SITargetLowering::shouldExpandVectorDynExt()).
 */
static inline bool gp_amd_moves_indexed(uint32_t elements, uint32_t words, bool has_index_mode)
{
    return elements * (1 + words) > (has_index_mode ? 16u : 15u);
}

/*
 * Instructions for one access to an element whose number is a value, otherwise: v_cmp and a v_cndmask for each word of
 * each element that it may be; the last one that is read needs none, and comparisons that were made before are not made
 * again. So in clang 22's code for gfx90a and gfx1030 of float[8], double[8], long[8], char[16], short[16] and
 * float4[4].
 */
static inline uint32_t gp_amd_chosen(uint32_t elements, uint32_t words, bool reads, bool compares)
{
    uint32_t from = reads && elements > 1 ? elements - 1 : elements;
    return from * (words + compares);
}

#endif
