/*
 * STEPS steps of heat on a chip of SIZE x SIZE points, a group's tile and its border in local memory meanwhile; TILE_X x TILE_Y points per
 * work-item. STAGED: the power drawn at each point, too, is brought to local memory.
 */
__kernel void hotspot(__global float *restrict out, __global const float *restrict heat, __global const float *restrict power)
{
    enum { PITCH = SIZE + 2 * STEPS, WIDTH = BLOCK_X * TILE_X, HEIGHT = BLOCK_Y * TILE_Y, WIDE = WIDTH + 2 * STEPS, HIGH = HEIGHT + 2 * STEPS };
    __local float now[2][HIGH][WIDE];
#if STAGED
    __local float drawn[HIGH][WIDE];
#endif
    const int left = get_group_id(0) * WIDTH, top = get_group_id(1) * HEIGHT, tx = get_local_id(0), ty = get_local_id(1);
    for (int y = ty; y < HIGH; y += BLOCK_Y)
        for (int x = tx; x < WIDE; x += BLOCK_X) {
            const int at = (top + y) * PITCH + left + x;
            now[0][y][x] = heat[at];
#if STAGED
            drawn[y][x] = power[at];
#endif
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    int from = 0;
    for (int s = 1; s <= STEPS; s++) {
        for (int y = ty + s; y < HIGH - s; y += BLOCK_Y)
            for (int x = tx + s; x < WIDE - s; x += BLOCK_X) {
#if STAGED
                const float p = drawn[y][x];
#else
                const float p = power[(top + y) * PITCH + left + x];
#endif
                const float h = now[from][y][x];
                now[1 - from][y][x] = h + 0.1f * (p + (now[from][y + 1][x] + now[from][y - 1][x] - 2.0f * h) * 0.3f +
                                                  (now[from][y][x + 1] + now[from][y][x - 1] - 2.0f * h) * 0.2f + (0.5f - h) * 0.01f);
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        from = 1 - from;
    }
    for (int j = 0; j < TILE_Y; j++)
        for (int i = 0; i < TILE_X; i++)
            out[(top + j * BLOCK_Y + ty) * SIZE + left + i * BLOCK_X + tx] = now[from][STEPS + j * BLOCK_Y + ty][STEPS + i * BLOCK_X + tx];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
