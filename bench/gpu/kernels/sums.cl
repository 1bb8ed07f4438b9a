/* A group's sum of BLOCK_X * TILE_X floats, read in vectors of VECTOR; a tree in local memory. */
#undef WIDE
#undef SUM
#if VECTOR == 4
#define WIDE float4
#define SUM(v) ((v).x + (v).y + (v).z + (v).w)
#else
#define WIDE float
#define SUM(v) (v)
#endif
__kernel void sums(__global float *restrict out, __global const WIDE *restrict in)
{
    __local float part[BLOCK_X];
    const int t = get_local_id(0);
    float sum = 0.0f;
    for (int i = 0; i < TILE_X / VECTOR; i++) {
        const WIDE some = in[(get_group_id(0) * (TILE_X / VECTOR) + i) * BLOCK_X + t];
        sum += SUM(some);
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
