/* Rodinia's Needleman-Wunsch: a tile of the score matrix per group, computed along its anti-diagonals; kernel 1 for the upper left triangle of tiles, 2 for the lower right. */
#ifndef BLOCK
#define BLOCK 16
#endif

static void tile(global const int *reference, global int *scores, local int *score, local int *ref, int columns, int penalty, int bx, int by)
{
    int tx = get_local_id(0), base = columns * BLOCK * by + BLOCK * bx;
    int index = base + tx + columns + 1, index_n = base + tx + 1, index_w = base + columns;
    if (tx == 0)
        score[0] = scores[base];
    __attribute__((opencl_unroll_hint(1)))
    for (int ty = 0; ty < BLOCK; ty++)
        ref[ty * BLOCK + tx] = reference[index + columns * ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    score[(tx + 1) * (BLOCK + 1)] = scores[index_w + columns * tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    score[tx + 1] = scores[index_n];
    barrier(CLK_LOCAL_MEM_FENCE);
    __attribute__((opencl_unroll_hint(1)))
    for (int m = 0; m < BLOCK; m++) {
        if (tx <= m) {
            int x = tx + 1, y = m - tx + 1;
            score[y * (BLOCK + 1) + x] = max(max(score[(y - 1) * (BLOCK + 1) + x - 1] + ref[(y - 1) * BLOCK + x - 1], score[y * (BLOCK + 1) + x - 1] - penalty),
                                             score[(y - 1) * (BLOCK + 1) + x] - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    __attribute__((opencl_unroll_hint(1)))
    for (int m = BLOCK - 2; m >= 0; m--) {
        if (tx <= m) {
            int x = tx + BLOCK - m, y = BLOCK - tx;
            score[y * (BLOCK + 1) + x] = max(max(score[(y - 1) * (BLOCK + 1) + x - 1] + ref[(y - 1) * BLOCK + x - 1], score[y * (BLOCK + 1) + x - 1] - penalty),
                                             score[(y - 1) * (BLOCK + 1) + x] - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    __attribute__((opencl_unroll_hint(1)))
    for (int ty = 0; ty < BLOCK; ty++)
        scores[index + ty * columns] = score[(ty + 1) * (BLOCK + 1) + tx + 1];
}

kernel void nw_kernel1(global const int *reference, global int *scores, local int *score, local int *ref, int columns, int penalty, int block)
{
    int bx = get_group_id(0);
    tile(reference, scores, score, ref, columns, penalty, bx, block - 1 - bx);
}

kernel void nw_kernel2(global const int *reference, global int *scores, local int *score, local int *ref, int columns, int penalty, int block, int width)
{
    int group = get_group_id(0), bx = group + width - block;
    tile(reference, scores, score, ref, columns, penalty, bx, width - group - 1);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
