/*
 * Sums of BLOCK_X neighbouring floats each. VARIANT 0: work-items whose number is a multiple of the step add (lanes diverge); 1: the same by
 * neighbouring work-items (banks conflict); 2: halves, neither.
 */
__kernel void reduction(__global float *restrict sums, __global const float *restrict input)
{
    __local float part[BLOCK_X];
    const int t = get_local_id(0);
    part[t] = input[get_group_id(0) * BLOCK_X + t];
    barrier(CLK_LOCAL_MEM_FENCE);
#if VARIANT == 0
    for (int step = 1; step < BLOCK_X; step *= 2) {
        if (t % (2 * step) == 0)
            part[t] += part[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#elif VARIANT == 1
    for (int step = 1; step < BLOCK_X; step *= 2) {
        if (2 * step * t < BLOCK_X)
            part[2 * step * t] += part[2 * step * t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    for (int step = BLOCK_X / 2; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#endif
    if (t == 0)
        sums[get_group_id(0)] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
