/* Matrix multiplications, C = alpha A B + beta C of 4096 x 4096 floats: written after the description of an RDNA3 study (seb-v.github.io, "Deep Dive into Matrix Optimization on AMD GPUs"). */
enum { SIZE = 4096 };

/* An output per work-item, tiles of 32 x 32 in local memory. */
__kernel __attribute__((reqd_work_group_size(32, 32, 1))) void tiled(__global const float *restrict a, __global const float *restrict b, __global float *c, float alpha, float beta)
{
    __local float tile_a[32][32], tile_b[32][32];
    const int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < SIZE; k += 32) {
        tile_b[y][x] = b[SIZE * (y + k) + column];
        tile_a[y][x] = a[SIZE * row + k + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 32; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[SIZE * row + column] = beta * c[SIZE * row + column] + alpha * sum;
}

#ifdef ITEMS

/*
 * Register tiles: a group of ITEMS work-items makes 128 x 128 outputs from tiles of 8 steps of k, a wave 64 or 128 columns of 32 rows, a work-item sub-tiles of 4 x 4. Tiles of A have rows
 * of 128 + PAD. PREFETCH: what the next step needs is loaded to registers before this step's products. UNROLL: of the loop over a tile's k.
 */
enum { EDGE = 128, DEPTH = 8, WAVE_COLUMNS = ITEMS == 256 ? 64 : 128, WAVE_ROWS = 32, ACROSS = WAVE_COLUMNS / 32, DOWN = WAVE_ROWS / 16, EACH = EDGE * DEPTH / ITEMS };

__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void register_tiles(__global const float *restrict a, __global const float *restrict b, __global float *c, float alpha, float beta)
{
    __local float tile_a[DEPTH][EDGE + PAD], tile_b[DEPTH][EDGE];
    const int item = get_local_id(0), wave = item / 32, lane = item % 32;
    const int wave_x = wave % (EDGE / WAVE_COLUMNS), wave_y = wave / (EDGE / WAVE_COLUMNS), x = lane % 8, y = lane / 8;
    const int ax = item % DEPTH, ay = item / DEPTH, bx = item % EDGE, by = item / EDGE;
    const int left = EDGE * get_group_id(0), top = EDGE * get_group_id(1);
    float sums[DOWN * 4][ACROSS * 4] = {{0}}, column[DOWN * 4], row[ACROSS * 4];
#if PREFETCH
    float next_a[EACH], next_b[EACH];
    for (int i = 0; i < EACH; i++)
        tile_b[by + i * (ITEMS / EDGE)][bx] = b[SIZE * (by + i * (ITEMS / EDGE)) + left + bx];
    for (int i = 0; i < EACH; i++)
        tile_a[ax][ay + i * (ITEMS / DEPTH)] = a[SIZE * (top + ay + i * (ITEMS / DEPTH)) + ax];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int k = 0; k < SIZE; k += DEPTH) {
#if PREFETCH
        if (k < SIZE - 1) {
            for (int i = 0; i < EACH; i++)
                next_b[i] = b[SIZE * (by + i * (ITEMS / EDGE) + k + DEPTH) + left + bx];
            for (int i = 0; i < EACH; i++)
                next_a[i] = a[SIZE * (top + ay + i * (ITEMS / DEPTH)) + ax + k + DEPTH];
        }
#else
        for (int i = 0; i < EACH; i++)
            tile_b[by + i * (ITEMS / EDGE)][bx] = b[SIZE * (by + i * (ITEMS / EDGE) + k) + left + bx];
        for (int i = 0; i < EACH; i++)
            tile_a[ax][ay + i * (ITEMS / DEPTH)] = a[SIZE * (top + ay + i * (ITEMS / DEPTH)) + ax + k];
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
#pragma unroll UNROLL
        for (int step = 0; step < DEPTH; step++) {
#pragma unroll
            for (int i = 0; i < ACROSS * 4; i++)
                row[i] = tile_b[step][wave_x * WAVE_COLUMNS + i / 4 * 32 + 4 * x + i % 4];
#pragma unroll
            for (int i = 0; i < DOWN * 4; i++)
                column[i] = tile_a[step][wave_y * WAVE_ROWS + i / 4 * 16 + 4 * y + i % 4];
#pragma unroll
            for (int j = 0; j < DOWN * 4; j++)
#pragma unroll
                for (int i = 0; i < ACROSS * 4; i++)
                    sums[j][i] += column[j] * row[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#if PREFETCH
        if (k < SIZE - 1) {
            for (int i = 0; i < EACH; i++)
                tile_b[by + i * (ITEMS / EDGE)][bx] = next_b[i];
            for (int i = 0; i < EACH; i++)
                tile_a[ax][ay + i * (ITEMS / DEPTH)] = next_a[i];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
#endif
    }
    for (int j = 0; j < DOWN * 4; j++)
        for (int i = 0; i < ACROSS * 4; i++) {
            int at = SIZE * (top + wave_y * WAVE_ROWS + j / 4 * 16 + 4 * y + j % 4) + left + wave_x * WAVE_COLUMNS + i / 4 * 32 + 4 * x + i % 4;
            c[at] = beta * c[at] + alpha * sums[j][i];
        }
}

#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
