/* The exponentials of each row's COLUMNS floats over their sum; a row per group. VARIANT 0: the row is read three times; 1: a work-item keeps its share. */
__kernel void softmax(__global float *restrict out, __global const float *restrict in)
{
    enum { SHARE = COLUMNS / BLOCK_X };
    __local float part[BLOCK_X];
    const int t = get_local_id(0);
    const size_t first = (size_t)get_group_id(0) * COLUMNS + t;
    float largest = -1e30f, sum = 0.0f;
#if VARIANT == 1
    float mine[SHARE];
    #pragma unroll
    for (int i = 0; i < SHARE; i++)
        mine[i] = in[first + i * BLOCK_X];
#define VALUE(i) mine[i]
#define TURNS _Pragma("unroll")
#else
#define VALUE(i) in[first + (i) * BLOCK_X]
#define TURNS
#endif
    TURNS for (int i = 0; i < SHARE; i++)
        largest = fmax(largest, VALUE(i));
    part[t] = largest;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = BLOCK_X / 2; span > 0; span /= 2) {
        if (t < span)
            part[t] = fmax(part[t], part[t + span]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    largest = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    TURNS for (int i = 0; i < SHARE; i++)
        sum += native_exp(VALUE(i) - largest);
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = BLOCK_X / 2; span > 0; span /= 2) {
        if (t < span)
            part[t] += part[t + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const float inverse = 1.0f / part[0];
    TURNS for (int i = 0; i < SHARE; i++)
        out[first + i * BLOCK_X] = native_exp(VALUE(i) - largest) * inverse;
#undef VALUE
#undef TURNS
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
