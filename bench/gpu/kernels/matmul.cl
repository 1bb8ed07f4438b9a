/*
 * c = a * b, SIZE x SIZE floats. VARIANT 0: an element per work-item, straight from global memory; 1: an element per work-item, tiles of
 * depth BLOCK_X in local memory; 2: TILE_X x TILE_Y = 4 x 4 elements per work-item in registers, tiles of depth 8 filled by loads of four floats.
 */
__kernel void matmul(__global float *restrict c, __global const float *restrict a, __global const float *restrict b)
{
    const int tx = get_local_id(0), ty = get_local_id(1);
#if VARIANT == 0
    const int x = get_group_id(0) * BLOCK_X + tx, y = get_group_id(1) * BLOCK_Y + ty;
    float sum = 0.0f;
    for (int k = 0; k < SIZE; k++)
        sum += a[y * SIZE + k] * b[k * SIZE + x];
    c[y * SIZE + x] = sum;
#elif VARIANT == 1
    __local float rows[BLOCK_Y][BLOCK_X], columns[BLOCK_X][BLOCK_X];
    const int x = get_group_id(0) * BLOCK_X + tx, y = get_group_id(1) * BLOCK_Y + ty;
    float sum = 0.0f;
    for (int k0 = 0; k0 < SIZE; k0 += BLOCK_X) {
        rows[ty][tx] = a[y * SIZE + k0 + tx];
        for (int i = ty; i < BLOCK_X; i += BLOCK_Y)
            columns[i][tx] = b[(k0 + i) * SIZE + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < BLOCK_X; k++)
            sum += rows[ty][k] * columns[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * SIZE + x] = sum;
#else
    enum { DEPTH = 8, WIDTH = 4 * BLOCK_X, HEIGHT = 4 * BLOCK_Y, ITEMS = BLOCK_X * BLOCK_Y };
    __local float rows[DEPTH][HEIGHT], columns[DEPTH][WIDTH];
    const int item = ty * BLOCK_X + tx, x0 = get_group_id(0) * WIDTH, y0 = get_group_id(1) * HEIGHT;
    float sum[4][4];
    #pragma unroll
    for (int i = 0; i < 4; i++)
        #pragma unroll
        for (int j = 0; j < 4; j++)
            sum[i][j] = 0.0f;
    for (int k0 = 0; k0 < SIZE; k0 += DEPTH) {
        for (int i = item; i < HEIGHT * DEPTH / 4; i += ITEMS) {
            const int y = i / (DEPTH / 4), k = i % (DEPTH / 4) * 4;
            const float4 four = *(__global const float4 *)(a + (y0 + y) * SIZE + k0 + k);
            rows[k][y] = four.x;
            rows[k + 1][y] = four.y;
            rows[k + 2][y] = four.z;
            rows[k + 3][y] = four.w;
        }
        for (int i = item; i < WIDTH * DEPTH / 4; i += ITEMS) {
            const int k = i / BLOCK_X, x = i % BLOCK_X * 4;
            vstore4(*(__global const float4 *)(b + (k0 + k) * SIZE + x0 + x), 0, &columns[k][x]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            const float4 p = vload4(0, &rows[k][4 * ty]), q = vload4(0, &columns[k][4 * tx]);
            const float left[4] = {p.x, p.y, p.z, p.w}, right[4] = {q.x, q.y, q.z, q.w};
            #pragma unroll
            for (int i = 0; i < 4; i++)
                #pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += left[i] * right[j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    #pragma unroll
    for (int i = 0; i < 4; i++)
        #pragma unroll
        for (int j = 0; j < 4; j++)
            c[(y0 + 4 * ty + i) * SIZE + x0 + 4 * tx + j] = sum[i][j];
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
