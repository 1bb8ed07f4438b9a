/*
 * Tiled matrix multiplication as Hong & Kim's Figure 12 has it, launched as their Table 2 assumes: groups of 128 work-items (a tile of 16 columns
 * and 8 rows: 128 make no square), the loop over tiles three times, the loop within a tile once.
 */
enum { COLUMNS = 16, ROWS = 8, INNER = 1 };

__kernel __attribute__((reqd_work_group_size(COLUMNS, ROWS, 1)))
void figure_12(__global const float *m, __global const float *n, __global float *p, int width_m, int width_n, int start_a, int end_a, int step_a,
               int start_b, int step_b)
{
    __local float m_tile[ROWS][COLUMNS];
    __local float n_tile[ROWS][COLUMNS];
    int tx = get_local_id(0), ty = get_local_id(1);
    float sum = 0;
#pragma unroll 1
    for (int a = start_a, b = start_b; a <= end_a; a += step_a, b += step_b) {
        m_tile[ty][tx] = m[a + width_m * ty + tx];
        n_tile[ty][tx] = n[b + width_n * ty + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < INNER; k++)
            sum += m_tile[ty][k] * n_tile[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int index = width_n * ROWS * (int)get_group_id(1) + COLUMNS * (int)get_group_id(0);
    p[index + width_n * ty + tx] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
