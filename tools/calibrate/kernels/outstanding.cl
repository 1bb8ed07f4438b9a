// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Lashgar et al., Listing 1: independent loads of each work-item of one group, all of different 128-byte lines; `sharing`
 * neighbours load from the same one. loads_N loads; only_N makes the same addresses and loads nothing.
 */
#define LINE(n) (in + ((n) * (int)get_local_size(0) + tid / sharing) * 32)
#define BEGIN                                                                                                          \
    int tid = get_local_id(0), sum = tid;                                                                              \
    global const int *line1 = LINE(0), *line2 = LINE(1), *line3 = LINE(2), *line4 = LINE(3);                           \
    barrier(CLK_GLOBAL_MEM_FENCE);
#define END                                                                                                            \
    barrier(CLK_GLOBAL_MEM_FENCE);                                                                                     \
    out[tid] = sum;
#define READ(n) int value##n = *line##n;
#define MAKE(n) int value##n = (int)(size_t)line##n;
#define OUTSTANDING(count, loads, makes, sums)                                                                         \
    kernel void loads_##count(global const int *in, global int *out, int unused, int sharing)                          \
    {                                                                                                                  \
        BEGIN loads barrier(CLK_GLOBAL_MEM_FENCE);                                                                     \
        sums END                                                                                                       \
    }                                                                                                                  \
    kernel void only_##count(global const int *in, global int *out, int unused, int sharing)                           \
    {                                                                                                                  \
        BEGIN makes barrier(CLK_GLOBAL_MEM_FENCE);                                                                     \
        sums END                                                                                                       \
    }
OUTSTANDING(1, READ(1), MAKE(1), sum += value1;)
OUTSTANDING(2, READ(1) READ(2), MAKE(1) MAKE(2), sum += value1 + value2;)
OUTSTANDING(3, READ(1) READ(2) READ(3), MAKE(1) MAKE(2) MAKE(3), sum += value1 + value2 + value3;)
OUTSTANDING(4, READ(1) READ(2) READ(3) READ(4), MAKE(1) MAKE(2) MAKE(3) MAKE(4), sum += value1 + value2 + value3 + value4;)
