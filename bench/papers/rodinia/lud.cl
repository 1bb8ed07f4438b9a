/* Rodinia's LU decomposition, its last kernel: the blocks right of and below the diagonal block lose the product of their row and column. */
#ifndef BLOCK
#define BLOCK 16
#endif

kernel void lud_internal(global float *m, local float *row, local float *column, int dim, int offset)
{
    int bx = get_group_id(0), by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    int row_at = offset + (by + 1) * BLOCK, column_at = offset + (bx + 1) * BLOCK;
    row[ty * BLOCK + tx] = m[(offset + ty) * dim + column_at + tx];
    column[ty * BLOCK + tx] = m[(row_at + ty) * dim + offset + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    __attribute__((opencl_unroll_hint(1)))
    for (int i = 0; i < BLOCK; i++)
        sum += column[ty * BLOCK + i] * row[i * BLOCK + tx];
    m[(row_at + ty) * dim + column_at + tx] -= sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
