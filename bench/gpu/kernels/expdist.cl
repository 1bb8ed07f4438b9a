/*
 * Two clouds of SIZE points compared: a Gaussian of each pair's distance, summed per group. TILE_X x TILE_Y pairs per work-item. STAGED: the group's
 * points come to local memory first.
 */
__kernel void expdist(__global float *restrict out, __global const float *restrict a, __global const float *restrict b)
{
    enum { ITEMS = BLOCK_X * BLOCK_Y, WIDTH = BLOCK_X * TILE_X, HEIGHT = BLOCK_Y * TILE_Y };
    __local float part[ITEMS];
    const int tx = get_local_id(0), ty = get_local_id(1), item = ty * BLOCK_X + tx, left = get_group_id(0) * WIDTH, top = get_group_id(1) * HEIGHT;
#if STAGED
    __local float a_x[WIDTH], a_y[WIDTH], a_scale[WIDTH], b_x[HEIGHT], b_y[HEIGHT], b_scale[HEIGHT];
    for (int i = item; i < WIDTH; i += ITEMS) {
        a_x[i] = a[left + i];
        a_y[i] = a[SIZE + left + i];
        a_scale[i] = a[2 * SIZE + left + i];
    }
    for (int i = item; i < HEIGHT; i += ITEMS) {
        b_x[i] = b[top + i];
        b_y[i] = b[SIZE + top + i];
        b_scale[i] = b[2 * SIZE + top + i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    float sum = 0.0f;
    #pragma unroll
    for (int j = 0; j < TILE_Y; j++)
        #pragma unroll
        for (int i = 0; i < TILE_X; i++) {
            const int x = i * BLOCK_X + tx, y = j * BLOCK_Y + ty;
#if STAGED
            const float dx = a_x[x] - b_x[y], dy = a_y[x] - b_y[y], scale = a_scale[x] + b_scale[y];
#else
            const float dx = a[left + x] - b[top + y], dy = a[SIZE + left + x] - b[SIZE + top + y], scale = a[2 * SIZE + left + x] + b[2 * SIZE + top + y];
#endif
            sum += native_exp((dx * dx + dy * dy) * -scale);
        }
    part[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = ITEMS / 2; span > 0; span /= 2) {
        if (item < span)
            part[item] += part[item + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[get_group_id(1) * (SIZE / WIDTH) + get_group_id(0)] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
