/*
 * c = a^T * b, SIZE x SIZE floats, in tiles: a work-item makes TILE_X x TILE_Y elements, in vectors of VECTOR that are as far apart as the group
 * is wide. STAGED: DEPTH rows of both at a time come to local memory first.
 */
#undef WIDE
#undef ELEMENT
#if VECTOR == 4
#define WIDE float4
#elif VECTOR == 2
#define WIDE float2
#else
#define WIDE float
#endif
#define ELEMENT(vectors, i) (((const float *)(vectors))[i])

__kernel void gemm(__global WIDE *restrict c, __global const WIDE *restrict a, __global const WIDE *restrict b)
{
    enum { DEPTH = 16, PITCH = SIZE / VECTOR, ACROSS = TILE_X / VECTOR, DOWN = TILE_Y / VECTOR, WIDTH = BLOCK_X * ACROSS, HEIGHT = BLOCK_Y * DOWN, ITEMS = BLOCK_X * BLOCK_Y };
    const int tx = get_local_id(0), ty = get_local_id(1), x0 = get_group_id(0) * WIDTH, y0 = get_group_id(1) * HEIGHT;
#if STAGED
    __local WIDE left[DEPTH][HEIGHT], right[DEPTH][WIDTH];
    const int item = ty * BLOCK_X + tx;
#endif
    float sums[TILE_Y][TILE_X];
    #pragma unroll
    for (int j = 0; j < TILE_Y; j++)
        #pragma unroll
        for (int i = 0; i < TILE_X; i++)
            sums[j][i] = 0.0f;
    for (int k0 = 0; k0 < SIZE; k0 += DEPTH) {
#if STAGED
        for (int i = item; i < DEPTH * HEIGHT; i += ITEMS)
            left[i / HEIGHT][i % HEIGHT] = a[(k0 + i / HEIGHT) * PITCH + y0 + i % HEIGHT];
        for (int i = item; i < DEPTH * WIDTH; i += ITEMS)
            right[i / WIDTH][i % WIDTH] = b[(k0 + i / WIDTH) * PITCH + x0 + i % WIDTH];
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        #pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            WIDE column[DOWN], row[ACROSS];
            #pragma unroll
            for (int j = 0; j < DOWN; j++)
#if STAGED
                column[j] = left[k][j * BLOCK_Y + ty];
#else
                column[j] = a[(k0 + k) * PITCH + y0 + j * BLOCK_Y + ty];
#endif
            #pragma unroll
            for (int i = 0; i < ACROSS; i++)
#if STAGED
                row[i] = right[k][i * BLOCK_X + tx];
#else
                row[i] = b[(k0 + k) * PITCH + x0 + i * BLOCK_X + tx];
#endif
            #pragma unroll
            for (int j = 0; j < TILE_Y; j++)
                #pragma unroll
                for (int i = 0; i < TILE_X; i++)
                    sums[j][i] += ELEMENT(column, j) * ELEMENT(row, i);
        }
#if STAGED
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }
    #pragma unroll
    for (int j = 0; j < TILE_Y; j++)
        #pragma unroll
        for (int i = 0; i < ACROSS; i++) {
            const int y = (y0 + j / VECTOR * BLOCK_Y + ty) * VECTOR + j % VECTOR;
            WIDE out;
            #pragma unroll
            for (int e = 0; e < VECTOR; e++)
                ((float *)&out)[e] = sums[j][i * VECTOR + e];
            c[y * PITCH + x0 + i * BLOCK_X + tx] = out;
        }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
