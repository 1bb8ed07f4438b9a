/* Running sums within each BLOCK_X neighbouring floats. VARIANT 0: log2 steps by all (Hillis and Steele); 1: up and down a tree (Blelloch). */
__kernel void scan(__global float *restrict output, __global const float *restrict input)
{
    const int t = get_local_id(0), i = get_group_id(0) * BLOCK_X + t;
    const float mine = input[i];
#if VARIANT == 0
    __local float part[2][BLOCK_X];
    int side = 0;
    part[0][t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < BLOCK_X; step *= 2) {
        part[1 - side][t] = part[side][t] + (t >= step ? part[side][t - step] : 0.0f);
        side = 1 - side;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    output[i] = part[side][t];
#else
    __local float part[BLOCK_X];
    part[t] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < BLOCK_X; step *= 2) {
        const int at = 2 * step * (t + 1) - 1;
        if (at < BLOCK_X)
            part[at] += part[at - step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        part[BLOCK_X - 1] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = BLOCK_X / 2; step > 0; step /= 2) {
        const int at = 2 * step * (t + 1) - 1;
        if (at < BLOCK_X) {
            const float left = part[at - step];
            part[at - step] = part[at];
            part[at] += left;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    output[i] = part[t] + mine;
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
