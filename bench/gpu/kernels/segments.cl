/*
 * Mean and variance of each of many segments of a long array, from `starts[s]` to `starts[s + 1]`; a segment per group. VARIANT 0: sums and sums of
 * squares at once; 1: the mean first, then what differs from it.
 */
#undef SUM_OF_GROUP
#define SUM_OF_GROUP(part) \
    barrier(CLK_LOCAL_MEM_FENCE); \
    for (int span = BLOCK_X / 2; span > 0; span /= 2) { \
        if (t < span) \
            part[t] += part[t + span]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
    }
__kernel void segments(__global float *restrict out, __global const int *restrict starts, __global const float *restrict in)
{
    const int t = get_local_id(0), segment = get_group_id(0), first = starts[segment], end = starts[segment + 1];
    const float inverse = 1.0f / (end - first);
    __local float sums[BLOCK_X];
#if VARIANT == 0
    __local float squares[BLOCK_X];
    float sum = 0.0f, square = 0.0f;
    for (int i = first + t; i < end; i += BLOCK_X) {
        const float value = in[i];
        sum += value;
        square += value * value;
    }
    sums[t] = sum;
    squares[t] = square;
    SUM_OF_GROUP(sums)
    SUM_OF_GROUP(squares)
    if (t == 0) {
        const float mean = sums[0] * inverse;
        out[2 * segment] = mean;
        out[2 * segment + 1] = squares[0] * inverse - mean * mean;
    }
#else
    float sum = 0.0f;
    for (int i = first + t; i < end; i += BLOCK_X)
        sum += in[i];
    sums[t] = sum;
    SUM_OF_GROUP(sums)
    const float mean = sums[0] * inverse;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
    for (int i = first + t; i < end; i += BLOCK_X) {
        const float apart = in[i] - mean;
        sum += apart * apart;
    }
    sums[t] = sum;
    SUM_OF_GROUP(sums)
    if (t == 0) {
        out[2 * segment] = mean;
        out[2 * segment + 1] = sums[0] * inverse;
    }
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
