/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What NVIDIA's compilers do with loops and branches, each number once: passes/nvidia/ rewrites LLVM IR by these rules
 * where there is a device to compile for, model/compilers/ reads profiles by them where there is none. Seen of libNVVM
 * and ptxas as nvcc 13.0 has them (sm_75 to sm_90 alike) and, where it says so, of NVIDIA's OpenCL (driver 580).
 */
#ifndef GPUPERF_MODEL_NVIDIA_RULES_H
#define GPUPERF_MODEL_NVIDIA_RULES_H

#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Loops whose number of iterations is not known (libNVVM) ----------------------------------------------------- */

/* How many iterations of so many instructions of LLVM's, addresses included, are made one: four, or two, up to 180. */
static inline uint32_t gp_nvidia_first_factor(uint32_t instructions)
{
    enum { MOST = 180 };
    return 4 * instructions <= MOST ? 4 : 2 * instructions <= MOST ? 2 : 1;
}

/* ---- The same loops once more (ptxas) ---------------------------------------------------------------------------- */

/* What an iteration is to ptxas. */
struct gp_ptx_loop {
    uint64_t machine;    /* instructions of the machine, but those of branches, addresses and counters */
    uint64_t accesses;   /* of these; each counts twice, as its address is an addition or an immediate */
    uint64_t stores;     /* of these */
    uint64_t slow_loads; /* of other than constant memory: ptxas likes to have many of them under way */
    uint32_t blocks;
};

/*
 * Whether ptxas makes four of libNVVM's iterations one again. It goes by the instructions of the four: 46 with a load
 * of other than constant memory, else 18. With a guard or two, which it makes straight-line code of, six instructions
 * of one iteration, stores counting twice (84 loops, sm_86).
 */
static inline bool gp_nvidia_unrolls_again(struct gp_ptx_loop loop)
{
    enum { WITH_LOADS = 46, ELSE = 18, ITERATIONS = 4, GUARDED = 6, MOST_BLOCKS = 4 };
    if (loop.blocks > 1)
        return loop.blocks <= MOST_BLOCKS && loop.machine + loop.stores <= GUARDED;
    return ITERATIONS * (loop.machine + loop.accesses) <= (loop.slow_loads > 0 ? WITH_LOADS : ELSE);
}

/* ---- Loops of known numbers of iterations whose counter indexes a private array (libNVVM) ------------------------ */

/* Of an iteration, what counts it: a step and a comparison, which are no more where the loop is unrolled. */
enum { GP_NVIDIA_COUNTING = 2 };

/*
 * Whether such a loop is unrolled whole, of so many instructions without phis, jumps and what counts; a minimum or a
 * maximum is two, a comparison and a choice. The largest numbers of iterations without an array in memory, from 75 of a
 * body of 32 instructions to 346 of one of seven, leave the limit between 2424 and 2429, of nine forms of loops alike;
 * without a private array it is about 600. Of two loops, the inner one's number of iterations the outer one's
 * counter's, the outer one's iterations times the most of the inner one count: 17 * 16 and 13 * 24 are unrolled, 18 *
 * 17 and 14 * 25 are not.
 */
static inline bool gp_nvidia_unrolls_private(double instructions)
{
    const double most = 2426;
    return instructions <= most;
}

/* ---- Branches within instructions (ptxas) ------------------------------------------------------------------------ */

/*
 * Whether the machine code of a class tests for rare operands and goes another way for them: BSSY and a call or a
 * branch in the code of one such operation alone. Quotients of 16-bit floats and of 32-bit integers, logf() and expf()
 * are straight lines.
 */
static inline bool gp_nvidia_branches(enum gp_class cost)
{
    switch (cost) {
    case GP_CLASS_FLOAT_DIV:
    case GP_CLASS_FLOAT_SQRT:
    case GP_CLASS_FLOAT_RCP:
    case GP_CLASS_LONG_DIV:
    case GP_CLASS_LONG_DIV_WIDE:
    case GP_CLASS_LONG_UDIV_WIDE:
    case GP_CLASS_LONG_DIV_DATA:
    case GP_CLASS_DOUBLE_DIV:
    case GP_CLASS_DOUBLE_SQRT:
    case GP_CLASS_MATH32_TRIG:
    case GP_CLASS_MATH32_POW:
    case GP_CLASS_MATH64:
    case GP_CLASS_MATH64_TRIG:
    case GP_CLASS_MATH64_EXP:
    case GP_CLASS_MATH64_LOG:
    case GP_CLASS_MATH64_POW: return true;
    default: return false;
    }
}

/*
 * Whether ptxas leaves a loop with one at what libNVVM made of it. Beside those with branches: what has one in PTX and
 * none in the machine's code, quotients of 16-bit floats and logf(), and quotients of integers, which are put in when
 * loops have been unrolled (18 loops of 1009 iterations with one operation each, sm_80 and sm_90: each of these stays
 * at the four copies that libNVVM makes, while expf(), rsqrtf() and __fdividef() come to 29 to 49).
 */
static inline bool gp_nvidia_keeps_loop(enum gp_class cost)
{
    switch (cost) {
    case GP_CLASS_HALF_DIV:
    case GP_CLASS_INT_DIV:
    case GP_CLASS_INT_UDIV:
    case GP_CLASS_INT_DIV_NEXT:
    case GP_CLASS_INT_UDIV_NEXT:
    case GP_CLASS_MATH32_LOG: return true;
    default: return gp_nvidia_branches(cost);
    }
}

#ifdef __cplusplus
}
#endif
#endif
