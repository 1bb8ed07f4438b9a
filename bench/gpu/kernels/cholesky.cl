/*
 * Cholesky's factors of COUNT symmetric matrices of ORDER x ORDER, ORDER added to their diagonals. LANES 1: a matrix per work-item, in registers;
 * ORDER: a row per work-item, in local memory. They lie one behind the other, or element by element (INTERLEAVED).
 */
#undef PLACE
#if INTERLEAVED
#define PLACE(i, j) (((i) * ORDER + (j)) * COUNT + matrix)
#else
#define PLACE(i, j) ((matrix * ORDER + (i)) * ORDER + (j))
#endif
__kernel void cholesky(__global float *restrict out, __global const float *restrict in)
{
#if LANES == 1
    const int matrix = get_group_id(0) * BLOCK_X + get_local_id(0);
    if (matrix < COUNT) {
        float a[ORDER][ORDER];
        #pragma unroll
        for (int i = 0; i < ORDER; i++)
            #pragma unroll
            for (int j = 0; j <= i; j++)
                a[i][j] = in[PLACE(i, j)];
        #pragma unroll
        for (int j = 0; j < ORDER; j++) {
            float diagonal = a[j][j] + ORDER;
            #pragma unroll
            for (int k = 0; k < j; k++)
                diagonal -= a[j][k] * a[j][k];
            const float inverse = rsqrt(diagonal);
            a[j][j] = diagonal * inverse;
            #pragma unroll
            for (int i = j + 1; i < ORDER; i++) {
                float sum = a[i][j];
                #pragma unroll
                for (int k = 0; k < j; k++)
                    sum -= a[i][k] * a[j][k];
                a[i][j] = sum * inverse;
            }
        }
        #pragma unroll
        for (int i = 0; i < ORDER; i++)
            #pragma unroll
            for (int j = 0; j <= i; j++)
                out[PLACE(i, j)] = a[i][j];
    }
#else
    enum { MATRICES = BLOCK_X / ORDER, EACH = ORDER * ORDER };
    __local float rows[BLOCK_X][ORDER + 1];
    const int t = get_local_id(0), i = t % ORDER, top = t - i, first = get_group_id(0) * MATRICES;
    for (int e = t; e < MATRICES * EACH; e += BLOCK_X)
        if (first + e / EACH < COUNT)
            rows[e / ORDER][e % ORDER] = in[first * EACH + e];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < ORDER; j++) {
        float sum = rows[t][j];
        if (i == j)
            sum += ORDER;
        for (int k = 0; k < j; k++)
            sum -= rows[t][k] * rows[top + j][k];
        if (i == j)
            rows[t][ORDER] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        rows[t][j] = sum * rsqrt(rows[top + j][ORDER]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int e = t; e < MATRICES * EACH; e += BLOCK_X)
        if (first + e / EACH < COUNT && e % ORDER <= e / ORDER % ORDER)
            out[first * EACH + e] = rows[e / ORDER][e % ORDER];
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
