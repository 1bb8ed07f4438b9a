/* Five-point stencil on SIZE x SIZE floats; the border keeps its value. VARIANT 0: from global memory; 1: through local memory with a halo. */
__kernel void stencil(__global float *restrict output, __global const float *restrict input)
{
    const int tx = get_local_id(0), ty = get_local_id(1);
    const int x = get_group_id(0) * BLOCK_X + tx, y = get_group_id(1) * BLOCK_Y + ty;
#if VARIANT == 1
    __local float tile[BLOCK_Y + 2][BLOCK_X + 2];
    for (int i = ty; i < BLOCK_Y + 2; i += BLOCK_Y)
        for (int j = tx; j < BLOCK_X + 2; j += BLOCK_X) {
            const int sx = x - tx + j - 1, sy = y - ty + i - 1;
            if (sx >= 0 && sx < SIZE && sy >= 0 && sy < SIZE)
                tile[i][j] = input[sy * SIZE + sx];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
#define AT(dx, dy) tile[ty + 1 + (dy)][tx + 1 + (dx)]
#else
#define AT(dx, dy) input[(y + (dy)) * SIZE + x + (dx)]
#endif
    if (x >= SIZE || y >= SIZE)
        return;
    if (x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1)
        output[y * SIZE + x] = AT(0, 0);
    else
        output[y * SIZE + x] = 0.5f * AT(0, 0) + 0.125f * (AT(-1, 0) + AT(1, 0) + AT(0, -1) + AT(0, 1));
}
#undef AT
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
