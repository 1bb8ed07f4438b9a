// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The micro-benchmarks of Hong & Kim's Table 4: a turn has so many loads and floating-point operations, whose chain begins with the loads' sum. Work-items
 * of a warp read words that are `stride` words apart, nobody any twice. only_N makes the addresses and loads nothing; mbN_barrier has a barrier a turn.
 */
#define MAD x = mad(x, a, b);
#define MAD_8 MAD MAD MAD MAD MAD MAD MAD MAD
#define MAD_12 MAD_8 MAD MAD MAD MAD
#define PLACE at = (at + step) & 0x3fffffff
#define LOADED x += in[at]; PLACE;
#define MADE x += as_float(at); PLACE;
#define NONE(get)
#define ONE(get) get
#define TWO(get) get get
#define FOUR(get) get get get get
#define SIX(get) get get get get get get

#define KERNEL(name, loads, operations, end)                                                                           \
    kernel void name(global const float *restrict in, global float *restrict out, int count, int stride)               \
    {                                                                                                                  \
        int at = get_global_id(0) * stride, step = get_global_size(0) * stride;                                                         \
        float a = in[0], b = in[1], x = in[2];                                                                         \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)                                         \
        {                                                                                                              \
            loads operations end                                                                                       \
        }                                                                                                              \
        out[get_global_id(0)] = x;                                                                                                   \
    }
#define BENCHMARK(n, loads, operations)                                                                                \
    KERNEL(mb##n, loads(LOADED), operations, )                                                                         \
    KERNEL(only_##n, loads(MADE), operations, )                                                                        \
    KERNEL(mb##n##_barrier, loads(LOADED), operations, barrier(CLK_LOCAL_MEM_FENCE);)                                  \
    KERNEL(only_##n##_barrier, loads(MADE), operations, barrier(CLK_LOCAL_MEM_FENCE);)

BENCHMARK(1, NONE, MAD_12 MAD_8)
BENCHMARK(2, ONE, MAD MAD MAD MAD MAD MAD MAD)
BENCHMARK(3, ONE, MAD_12 MAD MAD MAD MAD MAD MAD MAD)
BENCHMARK(4, TWO, MAD_8 MAD MAD)
BENCHMARK(5, TWO, MAD_12 MAD MAD MAD MAD MAD MAD)
BENCHMARK(6, FOUR, MAD_12 MAD MAD MAD MAD)
BENCHMARK(7, SIX, MAD_12 MAD MAD)
