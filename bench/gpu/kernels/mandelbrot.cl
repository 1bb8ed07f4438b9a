/*
 * After how many turns of z * z + c each of SIZE x SIZE points of the plane leaves a circle, ITERATIONS at most. TILE_X points per work-item, a block
 * apart.
 */
__kernel void mandelbrot(__global int *restrict out)
{
    const int y = get_group_id(1) * BLOCK_Y + get_local_id(1);
    const float step = 2.5f / SIZE, ci = y * step - 1.25f;
    for (int t = 0; t < TILE_X; t++) {
        const int x = (get_group_id(0) * TILE_X + t) * BLOCK_X + get_local_id(0);
        const float cr = x * step - 2.0f;
        float re = 0.0f, im = 0.0f;
        int n = 0;
        while (n < ITERATIONS && re * re + im * im <= 4.0f) {
            const float next = re * re - im * im + cr;
            im = 2.0f * re * im + ci;
            re = next;
            n++;
        }
        out[y * SIZE + x] = n;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
