/*
 * The micro-benchmarks of Hong & Kim's Table 4: a loop of 1000 iterations with so many loads and floating-point operations. Work-items of a warp
 * read words that are `stride` words apart: 1 coalesced, 8 not. Table 4 has six instructions for each load beside the multiplications: its addresses
 * are computed anew, which the mask keeps compilers from mending.
 */
#define MAD x = mad(x, a, b);
#define MAD_8 MAD MAD MAD MAD MAD MAD MAD MAD
#define MAD_12 MAD_8 MAD MAD MAD MAD
#define MAD_20 MAD_12 MAD_8
#define LOAD(i) sum += in[(((i) * width + id) * stride) & mask];
#define NO_LOAD
#define LOAD_1 LOAD(i)
#define LOAD_2 LOAD(2 * i) LOAD(2 * i + 1)
#define LOAD_4 LOAD(4 * i) LOAD(4 * i + 1) LOAD(4 * i + 2) LOAD(4 * i + 3)
#define LOAD_6 LOAD(6 * i) LOAD(6 * i + 1) LOAD(6 * i + 2) LOAD(6 * i + 3) LOAD(6 * i + 4) LOAD(6 * i + 5)

/* The loads' sums count as floating-point operations, so that one is left out of the chain for each. */
#define BENCHMARK(name, loads, operations)                                                                               \
    __kernel void name(__global const float *in, __global float *out, int width, int stride, int mask, int iterations, float a, float b) \
    {                                                                                                                    \
        int id = get_global_id(0);                                                                                       \
        float x = a, sum = 0;                                                                                            \
        _Pragma("unroll 1") for (int i = 0; i < iterations; i++)                                                         \
        {                                                                                                                \
            loads                                                                                                        \
            operations                                                                                                   \
        }                                                                                                                \
        out[id] = x + sum;                                                                                               \
    }

BENCHMARK(mb1, NO_LOAD, MAD_20)
BENCHMARK(mb2, LOAD_1, MAD MAD MAD MAD MAD MAD MAD)
BENCHMARK(mb3, LOAD_1, MAD_12 MAD MAD MAD MAD MAD MAD MAD)
BENCHMARK(mb4, LOAD_2, MAD_8 MAD MAD)
BENCHMARK(mb5, LOAD_2, MAD_12 MAD MAD MAD MAD MAD MAD)
BENCHMARK(mb6, LOAD_4, MAD_12 MAD MAD MAD MAD)
BENCHMARK(mb7, LOAD_6, MAD_12 MAD MAD)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
