/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a cost class costs on an architecture: a row per class and architecture family in cost.c, which says how they
 * were counted.
 */
#ifndef GPUPERF_MODEL_COST_H
#define GPUPERF_MODEL_COST_H

#include "hwdb/hwdb.h"
#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */
#define GP_PIPES(X) \
    X(FP32, "fp32") X(FP64, "fp64") X(FP16, "fp16") X(INT, "int") X(INT_MUL, "int_mul") X(SHIFT, "shift") \
    X(SFU, "sfu") X(CVT, "cvt") X(CVT64, "cvt64") X(SHUFFLE, "shuffle") X(BARRIER, "barrier") X(SCALAR, "scalar") X(MATRIX, "matrix")
/* clang-format on */
enum gp_pipe {
#define X(name, text) GP_PIPE_##name,
    GP_PIPES(X)
#undef X
        GP_PIPE_COUNT
};

struct gp_cost {
    float issue;              /* warp instructions issued */
    float ops[GP_PIPE_COUNT]; /* warp instructions per pipe */
    float latency;            /* cycles from issue until a dependent instruction may issue */
};

/*
 * Fills costs[GP_CLASS_COUNT] for a device. Where `guessed` is not NULL, guessed[class] is 1 if the cost rests on an
 * assumed number of the device or on a count taken from a relative, else 0. MEMORY costs its issue slot here, the rest
 * is priced from the addresses.
 */
void gp_cost_table(const struct gp_device *device, struct gp_cost costs[GP_CLASS_COUNT],
                   uint8_t guessed[GP_CLASS_COUNT]);

/* The class of an approximation where denormal numbers are flushed to zero (CUDA's -ftz=true, OpenCL's
 * -cl-denorms-are-zero); the class itself where that changes nothing. */
enum gp_class gp_flushed_class(enum gp_class cost_class);
/* The class of an approximation that OpenCL's native_ functions ask for; the class itself where it is the same on all
 * devices. */
enum gp_class gp_native_class(enum gp_class cost_class);

/* The class of the same operation in another precision; the class itself where there is none. */
enum gp_class gp_half_class(enum gp_class single);
enum gp_class gp_double_class(enum gp_class single);
enum gp_class gp_single_class(enum gp_class wide); /* of conversions, too */

/* Instructions of an operation as ptxas counts them when it unrolls a loop, 24 at most: mostly those of the table of
 * NVIDIA's devices since Volta. */
uint32_t gp_ptx_instructions(enum gp_class cost_class);

/* Warp instructions per cycle and SM that a pipe takes: lanes / warp width. */
double gp_pipe_rate(const struct gp_device *device, enum gp_pipe pipe);

/*
 * Whether the pipe's instructions take turns on the lanes of AMD's SIMDs, each for as many cycles as its rate says: a
 * SIMD takes one vector instruction after the other, of whatever kind (GCN architecture whitepaper). RDNA has pipelines
 * of their own for the slow ones (its whitepaper).
 */
bool gp_pipe_on_simd(const struct gp_device *device, enum gp_pipe pipe);

/*
 * Whether NVIDIA's conversions from and to 64 bits take turns with other instructions of double precision, not with
 * those of 32 bits: where they are as slow as these, on all but the data centres' chips. Four such instructions, two of
 * them conversions, take an RTX 3080 four times 16 cycles per SM and warp (docs/benchmarks.md, "Textbook kernels").
 */
bool gp_converts_on_fp64(const struct gp_device *device);

/*
 * Part of an access's cycles of the load/store units that the FP32 lanes stand still for it, as if operands of both
 * came by one path: where these take a warp in two turns and those its addresses in one, as on the V100 and the A100.
 * Loads from global memory, or accesses to local memory; 0 elsewhere, and for global stores. Found on an A100's matrix
 * multiplications; its convolution and dedispersion, which nothing was found on, fit better as well
 * (docs/benchmarks.md, "Tuned matrix multiplications").
 */
double gp_fp32_held(const struct gp_device *device, bool local, bool store);

#ifdef __cplusplus
}
#endif
#endif
