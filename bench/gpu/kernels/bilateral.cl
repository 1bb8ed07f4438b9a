/* Smoothing that keeps edges: neighbours up to RADIUS away in a picture of SIZE x SIZE floats, clamped at its edges. STAGED: by way of local memory. */
__kernel void bilateral(__global float *restrict out, __global const float *restrict in)
{
    const int tx = get_local_id(0), ty = get_local_id(1), left = get_group_id(0) * BLOCK_X, top = get_group_id(1) * BLOCK_Y, x = left + tx, y = top + ty;
#if STAGED
    __local float near[BLOCK_Y + 2 * RADIUS][BLOCK_X + 2 * RADIUS];
    for (int j = ty; j < BLOCK_Y + 2 * RADIUS; j += BLOCK_Y)
        for (int i = tx; i < BLOCK_X + 2 * RADIUS; i += BLOCK_X)
            near[j][i] = in[min(max(top + j - RADIUS, 0), SIZE - 1) * SIZE + min(max(left + i - RADIUS, 0), SIZE - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float centre = near[ty + RADIUS][tx + RADIUS];
#else
    const float centre = in[y * SIZE + x];
#endif
    float sum = 0.0f, weights = 0.0f;
    for (int j = -RADIUS; j <= RADIUS; j++)
        for (int i = -RADIUS; i <= RADIUS; i++) {
#if STAGED
            const float value = near[ty + RADIUS + j][tx + RADIUS + i];
#else
            const float value = in[min(max(y + j, 0), SIZE - 1) * SIZE + min(max(x + i, 0), SIZE - 1)];
#endif
            const float apart = value - centre, weight = native_exp((i * i + j * j) * -0.05f - apart * apart * 4.0f);
            sum += weight * value;
            weights += weight;
        }
    out[y * SIZE + x] = sum / weights;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
