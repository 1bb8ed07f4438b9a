/*
 * Product of matrices in tiles, with 14 parameters that bear the names and the meaning of CLBlast's (github.com/CNugteren/CLBlast, "xgemm"), which tuners have measured: C = alpha A B + beta C with A[k][m], B[k][n],
 * C[n][m]. A work-group of MDIMC x NDIMC makes a tile of MWG x NWG, KWG rows of A and B at a time, KWI of them unrolled. VWM, VWN: numbers read at once; STRM, STRN: whether a work-item's vectors are as far apart as
 * the group is wide, or side by side; SA, SB: whether rows are brought to local memory first, by work-items that stand MDIMA (NDIMB) in a row for it.
 */
#define M_VECTORS (MWG / VWM / MDIMC)
#define N_VECTORS (NWG / VWN / NDIMC)
#define ITEMS (MDIMC * NDIMC)

#define VECTOR_(width) float##width
#define VECTOR(width) VECTOR_(width)
#define float1 float
typedef VECTOR(VWM) m_vector;
typedef VECTOR(VWN) n_vector;

/* The i-th vector of `lane` among `lanes` that have `count` each. */
#define PLACE(strided, i, lane, lanes, count) ((strided) ? (lane) + (i) * (lanes) : (lane) * (count) + (i))

/* Brings KWG rows of a tile of `width` vectors, which begin at `from`; a row of the matrix is `pitch` vectors. */
#define FILL(tile, from, pitch, width, lanes, strided) \
    do { \
        const int lane = item % (lanes), line = item / (lanes), rows = KWG / (ITEMS / (lanes)), count = (width) / (lanes); \
        _Pragma("unroll") for (int i = 0; i < count; i++) \
            _Pragma("unroll") for (int r = 0; r < rows; r++) { \
                const int place = PLACE(strided, i, lane, lanes, count), row = line * rows + r; \
                (tile)[row * (width) + place] = (from)[(k + row) * (pitch) + place]; \
            } \
    } while (0)

__kernel __attribute__((reqd_work_group_size(MDIMC, NDIMC, 1)))
void gemm(int m_size, int n_size, int k_size, float alpha, float beta, __global const m_vector *restrict a, __global const n_vector *restrict b, __global m_vector *c)
{
    const int x = get_local_id(0), y = get_local_id(1), item = x + MDIMC * y;
    const int m_pitch = m_size / VWM, n_pitch = n_size / VWN, m_first = get_group_id(0) * (MWG / VWM), n_first = get_group_id(1) * (NWG / VWN);
#if SA
    __local m_vector m_tile[KWG * MWG / VWM];
#endif
#if SB
    __local n_vector n_tile[KWG * NWG / VWN];
#endif
    m_vector sums[N_VECTORS * VWN][M_VECTORS];
    #pragma unroll
    for (int n = 0; n < N_VECTORS * VWN; n++)
        #pragma unroll
        for (int m = 0; m < M_VECTORS; m++)
            sums[n][m] = 0;

    for (int k = 0; k < k_size; k += KWG) {
#if SA
        FILL(m_tile, a + m_first, m_pitch, MWG / VWM, MDIMA, STRM);
#endif
#if SB
        FILL(n_tile, b + n_first, n_pitch, NWG / VWN, NDIMB, STRN);
#endif
#if SA || SB
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        for (int some = 0; some < KWG; some += KWI)
            #pragma unroll
            for (int row = some; row < some + KWI; row++) {
                m_vector m_part[M_VECTORS];
                n_vector n_part[N_VECTORS];
                #pragma unroll
                for (int n = 0; n < N_VECTORS; n++)
#if SB
                    n_part[n] = n_tile[row * (NWG / VWN) + PLACE(STRN, n, y, NDIMC, N_VECTORS)];
#else
                    n_part[n] = b[(k + row) * n_pitch + n_first + PLACE(STRN, n, y, NDIMC, N_VECTORS)];
#endif
                #pragma unroll
                for (int m = 0; m < M_VECTORS; m++)
#if SA
                    m_part[m] = m_tile[row * (MWG / VWM) + PLACE(STRM, m, x, MDIMC, M_VECTORS)];
#else
                    m_part[m] = a[(k + row) * m_pitch + m_first + PLACE(STRM, m, x, MDIMC, M_VECTORS)];
#endif
                #pragma unroll
                for (int n = 0; n < N_VECTORS; n++)
                    #pragma unroll
                    for (int m = 0; m < M_VECTORS; m++)
                        #pragma unroll
                        for (int e = 0; e < VWN; e++)
                            sums[n * VWN + e][m] += m_part[m] * ((const float *)&n_part[n])[e];
            }
#if SA || SB
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }

    #pragma unroll
    for (int n = 0; n < N_VECTORS; n++)
        #pragma unroll
        for (int e = 0; e < VWN; e++)
            #pragma unroll
            for (int m = 0; m < M_VECTORS; m++) {
                const int column = (n_first + PLACE(STRN, n, y, NDIMC, N_VECTORS)) * VWN + e;
                __global m_vector *place = c + column * m_pitch + m_first + PLACE(STRM, m, x, MDIMC, M_VECTORS);
                *place = beta == 0 ? alpha * sums[n * VWN + e][m] : alpha * sums[n * VWN + e][m] + beta * *place;
            }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
