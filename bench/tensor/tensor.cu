/*
 * Products of half-precision matrices on tensor cores, sums in single precision: C[n][n] = A[n][n] * B[n][n], rows side by side, n a multiple of 128. A group makes a tile of 128 x 128 from slabs of
 * 32 columns of A and 32 rows of B in shared memory. Written after the descriptions of measured kernels (tensor.sh); compiles without a toolkit.
 */
#define DEPTH 32 /* of a slab */
#define TILE 128

typedef unsigned short half_bits;

/* ---- One instruction each --------------------------------------------------------------------------------------- */

static __device__ inline unsigned shared_address(const half_bits *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ inline void copy_16_bytes(half_bits *to, const half_bits *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));
}

static __device__ inline void close_copies() { asm volatile("cp.async.commit_group;"); }

template <int PENDING> static __device__ inline void wait_for_copies() { asm volatile("cp.async.wait_group %0;" ::"n"(PENDING)); }

static __device__ inline void load_fragment(unsigned to[4], const half_bits *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(shared_address(row)));
}

static __device__ inline void load_transposed(unsigned to[4], const half_bits *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(shared_address(row)));
}

static __device__ inline void multiply_add(float sum[4], const unsigned a[4], const unsigned b[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/* ---- A ladder of mma.sync --------------------------------------------------------------------------------------- */

/* Where an element of a slab lies whose rows have so many pieces of 16 bytes. Swizzled: pieces of neighbouring rows, which ldmatrix reads together, lie in different banks. */
template <int PIECES, bool SWIZZLED> static __device__ inline int place(int row, int column)
{
    int turn = !SWIZZLED ? 0 : PIECES >= 8 ? row % 8 : row / 2 % PIECES;
    return (row * PIECES + (column / 8 ^ turn)) * 8 + column % 8;
}

/* WARP: edge of a warp's part of the tile. STAGES: slabs in shared memory. COPIED: by cp.async, 16 bytes each; else halves by way of registers. */
template <int WARP, int STAGES, bool COPIED, bool SWIZZLED>
static __device__ inline void multiply(const half_bits *a, const half_bits *b, float *c, int n)
{
    constexpr int ACROSS = TILE / WARP, THREADS = ACROSS * ACROSS * 32, SLAB = 2 * TILE * DEPTH, A_PIECES = DEPTH / 8, B_PIECES = TILE / 8;
    extern __shared__ half_bits slabs[];
    const int thread = threadIdx.x, lane = thread % 32, down = thread / 32 / ACROSS * WARP, right = thread / 32 % ACROSS * WARP;
    const int top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    float sums[WARP / 16][WARP / 8][4] = {};

    auto fetch = [&](int slab) {
        half_bits *of_a = slabs + slab % STAGES * SLAB, *of_b = of_a + TILE * DEPTH;
        const int from = slab * DEPTH;
        if (COPIED) {
#pragma unroll
            for (int i = thread; i < TILE * A_PIECES; i += THREADS)
                copy_16_bytes(of_a + place<A_PIECES, SWIZZLED>(i / A_PIECES, i % A_PIECES * 8), a + (size_t)(top + i / A_PIECES) * n + from + i % A_PIECES * 8);
#pragma unroll
            for (int i = thread; i < DEPTH * B_PIECES; i += THREADS)
                copy_16_bytes(of_b + place<B_PIECES, SWIZZLED>(i / B_PIECES, i % B_PIECES * 8), b + (size_t)(from + i / B_PIECES) * n + left + i % B_PIECES * 8);
            close_copies();
        } else {
#pragma unroll 1
            for (int i = thread; i < TILE * DEPTH; i += THREADS)
                of_a[place<A_PIECES, SWIZZLED>(i / DEPTH, i % DEPTH)] = a[(size_t)(top + i / DEPTH) * n + from + i % DEPTH];
#pragma unroll 1
            for (int i = thread; i < DEPTH * TILE; i += THREADS)
                of_b[place<B_PIECES, SWIZZLED>(i / TILE, i % TILE)] = b[(size_t)(from + i / TILE) * n + left + i % TILE];
        }
    };

    for (int slab = 0; slab < STAGES - 1; slab++)
        fetch(slab);
    for (int slab = 0; slab < n / DEPTH; slab++) {
        if (slab + STAGES - 1 < n / DEPTH)
            fetch(slab + STAGES - 1);
        else if (COPIED)
            close_copies();
        if (COPIED)
            wait_for_copies<STAGES - 1>();
        __syncthreads();
        const half_bits *of_a = slabs + slab % STAGES * SLAB, *of_b = of_a + TILE * DEPTH;
#pragma unroll
        for (int k = 0; k < DEPTH; k += 16) {
            unsigned rows[WARP / 16][4], columns[WARP / 8][2];
#pragma unroll
            for (int i = 0; i < WARP / 16; i++)
                load_fragment(rows[i], of_a + place<A_PIECES, SWIZZLED>(down + i * 16 + lane % 16, k + lane / 16 * 8));
#pragma unroll
            for (int j = 0; j < WARP / 16; j++) {
                unsigned pair[4];
                load_transposed(pair, of_b + place<B_PIECES, SWIZZLED>(k + lane % 16, right + j * 16 + lane / 16 * 8));
                columns[2 * j][0] = pair[0], columns[2 * j][1] = pair[1];
                columns[2 * j + 1][0] = pair[2], columns[2 * j + 1][1] = pair[3];
            }
#pragma unroll
            for (int i = 0; i < WARP / 16; i++)
#pragma unroll
                for (int j = 0; j < WARP / 8; j++)
                    multiply_add(sums[i][j], rows[i], columns[j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < WARP / 16; i++)
#pragma unroll
        for (int j = 0; j < WARP / 8; j++)
#pragma unroll
            for (int half = 0; half < 2; half++) {
                float *to = c + (size_t)(top + down + i * 16 + half * 8 + lane / 4) * n + left + right + j * 8 + lane % 4 * 2;
                *(float2 *)to = make_float2(sums[i][j][2 * half], sums[i][j][2 * half + 1]);
            }
}

#define STEP(name, threads, ...)                                                                                                                     \
    extern "C" __global__ void __launch_bounds__(threads) name(const half_bits *__restrict__ a, const half_bits *__restrict__ b, float *__restrict__ c, int n) \
    {                                                                                                                                                \
        multiply<__VA_ARGS__>(a, b, c, n);                                                                                                           \
    }
STEP(m1_base, 512, 32, 1, false, false)
STEP(m2_swizzled, 512, 32, 1, false, true)
STEP(m3_copied, 512, 32, 1, true, true)
STEP(m4_two_stages, 512, 32, 2, true, true)
STEP(m5_warp_tiles, 128, 64, 2, true, true)

/* ---- wmma ------------------------------------------------------------------------------------------------------- */

/* 16 warps of 2 x 2 fragments, three slabs; the fragments' rows lie as those of the slabs, so that up to 8 meet in a bank. What nvcuda::wmma makes: mma.h's builtins. */
extern "C" __global__ void __launch_bounds__(512) w1_fragments(const half_bits *__restrict__ a, const half_bits *__restrict__ b, float *__restrict__ c, int n)
{
    constexpr int STAGES = 3, SLAB = 2 * TILE * DEPTH, ROW_MAJOR = 0;
    extern __shared__ half_bits slabs[];
    const int thread = threadIdx.x, top = blockIdx.y * TILE, left = blockIdx.x * TILE, down = thread / 32 / 4 * 32, right = thread / 32 % 4 * 32;
    float sums[2][2][8] = {};
    auto fetch = [&](int slab) {
        half_bits *of_a = slabs + slab % STAGES * SLAB, *of_b = of_a + TILE * DEPTH;
        copy_16_bytes(of_a + thread * 8, a + (size_t)(top + thread / 4) * n + slab * DEPTH + thread % 4 * 8);
        copy_16_bytes(of_b + thread * 8, b + (size_t)(slab * DEPTH + thread / 16) * n + left + thread % 16 * 8);
    };
    for (int slab = 0; slab < STAGES - 1; slab++) {
        fetch(slab);
        close_copies();
    }
    for (int slab = 0; slab < n / DEPTH; slab++) {
        if (slab + STAGES - 1 < n / DEPTH)
            fetch(slab + STAGES - 1);
        close_copies();
        wait_for_copies<STAGES - 1>();
        __syncthreads();
        const half_bits *of_a = slabs + slab % STAGES * SLAB, *of_b = of_a + TILE * DEPTH;
#pragma unroll
        for (int k = 0; k < DEPTH; k += 16) {
            int rows[2][8], columns[2][8];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                __hmma_m16n16k16_ld_a(rows[i], (const int *)(of_a + (down + i * 16) * DEPTH + k), DEPTH, ROW_MAJOR);
                __hmma_m16n16k16_ld_b(columns[i], (const int *)(of_b + k * TILE + right + i * 16), TILE, ROW_MAJOR);
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
                __hmma_m16n16k16_mma_f32f32(sums[i / 2][i % 2], rows[i / 2], columns[i % 2], sums[i / 2][i % 2], 0, 0);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        __hmma_m16n16k16_st_c_f32(c + (size_t)(top + down + i / 2 * 16) * n + left + right + i % 2 * 16, sums[i / 2][i % 2], n, ROW_MAJOR);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
