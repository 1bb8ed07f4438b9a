/*
 * TEG, 5.1: C = A B^T by tiles of 16 x 16 in local memory, a work-item per element. Neighbouring work-items read the same column of sixteen rows
 * of B: with rows of sixteen words all of them lie in one bank of GT200's sixteen. PAD 1 makes rows of seventeen.
 *
 * The paper gives each warp the same work and runs 1 to 16 of them: a group of 16 x 2 work-items is one warp with two rows of the tiles, one of
 * 16 x 16 is eight. Fewer than sixteen rows leave a part of B's tile unwritten, which changes no address that is read.
 *
 * What they measured was nvcc 2's code for cc 1.3; this is the code of another compiler for another target, written so that the counts agree: both loads before
 * the first use (nvcc's back end schedules them so), pointers that advance by a constant (one addition each), the inner loop unrolled. Around the loop the 64-bit
 * addresses cost what 32-bit ones do not; n 0 tells how much.
 */
#define TILE 16

kernel void matmul_transposed(global const float *a, global const float *b, global float *c, int n)
{
    local float as[TILE][TILE], bs[TILE][TILE + PAD];
    int tx = get_local_id(0), ty = get_local_id(1);
    int row = get_group_id(1) * TILE + ty, column = get_group_id(0) * TILE + ty;
    global const float *from_a = a + row * n + tx, *from_b = b + column * n + tx;
    int left = n;
    float sum = 0;
    __attribute__((opencl_unroll_hint(1)))
    while (left > 0) {
        float next_a = *from_a, next_b = *from_b;
        as[ty][tx] = next_a;
        bs[ty][tx] = next_b;
        from_a += TILE;
        from_b += TILE;
        left -= TILE;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += as[ty][k] * bs[tx][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + get_group_id(0) * TILE + tx] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
