/* A matrix of rows of COLUMNS floats times a vector, a row per group; both are read in vectors of VECTOR. */
#undef WIDE
#undef DOT
#if VECTOR == 4
#define WIDE float4
#define DOT(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z + (a).w * (b).w)
#else
#define WIDE float
#define DOT(a, b) ((a) * (b))
#endif
__kernel void gemv(__global float *restrict out, __global const WIDE *restrict matrix, __global const WIDE *restrict vector)
{
    __local float part[BLOCK_X];
    const int t = get_local_id(0);
    const size_t first = (size_t)get_group_id(0) * (COLUMNS / VECTOR);
    float sum = 0.0f;
    for (int i = t; i < COLUMNS / VECTOR; i += BLOCK_X) {
        const WIDE entry = matrix[first + i], factor = vector[i];
        sum += DOT(entry, factor);
    }
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = BLOCK_X / 2; span > 0; span /= 2) {
        if (t < span)
            part[t] += part[t + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
