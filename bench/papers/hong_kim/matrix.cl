/* Matrix multiplication of Hong & Kim's Table 5: naive, and in tiles that are as wide as the work-groups. */
__kernel void naive(__global const float *a, __global const float *b, __global float *c, int n)
{
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    if (column >= n || row >= n)
        return;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

#define TILED(name, TILE)                                                                                          \
    __kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))                                                  \
    void name(__global const float *a, __global const float *b, __global float *c, int n)                          \
    {                                                                                                              \
        __local float a_tile[TILE][TILE], b_tile[TILE][TILE];                                                      \
        int tx = get_local_id(0), ty = get_local_id(1), column = get_global_id(0), row = get_global_id(1);         \
        float sum = 0;                                                                                             \
        for (int tile = 0; tile < n; tile += TILE) {                                                               \
            a_tile[ty][tx] = a[row * n + tile + tx];                                                               \
            b_tile[ty][tx] = b[(tile + ty) * n + column];                                                          \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
            _Pragma("unroll") for (int k = 0; k < TILE; k++)                                                       \
                sum += a_tile[ty][k] * b_tile[k][tx];                                                              \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                          \
        }                                                                                                          \
        c[row * n + column] = sum;                                                                                 \
    }

TILED(tiled_2, 2)
TILED(tiled_3, 3)
TILED(tiled_4, 4)
TILED(tiled_5, 5)
TILED(tiled_6, 6)
TILED(tiled_7, 7)
TILED(tiled_8, 8)
TILED(tiled_9, 9)
TILED(tiled_10, 10)
TILED(tiled_11, 11)
TILED(tiled_12, 12)
TILED(tiled_13, 13)
TILED(tiled_14, 14)
TILED(tiled_15, 15)
TILED(tiled_16, 16)
TILED(tiled_17, 17)
TILED(tiled_18, 18)
TILED(tiled_19, 19)
TILED(tiled_20, 20)
TILED(tiled_21, 21)
TILED(tiled_22, 22)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
