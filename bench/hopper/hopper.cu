/*
 * Kernels that were measured on an H100 and an A100 and described elsewhere (see hopper.sh), written after the descriptions: matrix transpositions through tiles of local memory, histograms of bytes,
 * sums, the two kernels of a prefix sum, copies. One name per kernel, as gpuperf asks for one by name.
 */

/* ---- Transpositions of n x n numbers ----------------------------------------------------------------------------------- */

extern "C" __global__ void transpose_straight(const float *__restrict__ from, float *__restrict__ to, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < n && row < n)
        to[column * n + row] = from[row * n + column];
}

template <int WIDE> struct vector;
template <> struct vector<1> { typedef float type; };
template <> struct vector<2> { typedef float2 type; };
template <> struct vector<4> { typedef float4 type; };

/* A tile of SIDE x SIDE per group of SIDE / WIDE columns and ROWS rows; each work-item moves WIDE neighbours at a time. */
template <int SIDE, int ROWS, int WIDE, int PADDING>
__device__ __forceinline__ void transpose_tile(const float *__restrict__ from, float *__restrict__ to, int n)
{
    typedef typename vector<WIDE>::type wide;
    __shared__ float tile[SIDE][SIDE + PADDING];
    int column = blockIdx.x * SIDE + threadIdx.x * WIDE, row = blockIdx.y * SIDE + threadIdx.y;
#pragma unroll
    for (int down = 0; down < SIDE; down += ROWS) {
        wide several = *(const wide *)&from[(row + down) * n + column];
        for (int i = 0; i < WIDE; i++)
            tile[threadIdx.y + down][threadIdx.x * WIDE + i] = ((const float *)&several)[i];
    }
    __syncthreads();
    column = blockIdx.y * SIDE + threadIdx.x * WIDE, row = blockIdx.x * SIDE + threadIdx.y;
#pragma unroll
    for (int down = 0; down < SIDE; down += ROWS) {
        wide several;
        for (int i = 0; i < WIDE; i++)
            ((float *)&several)[i] = tile[threadIdx.x * WIDE + i][threadIdx.y + down];
        *(wide *)&to[(row + down) * n + column] = several;
    }
}

#define TRANSPOSE(name, side, rows, wide, padding) \
    extern "C" __global__ void name(const float *__restrict__ from, float *__restrict__ to, int n) { transpose_tile<side, rows, wide, padding>(from, to, n); }

TRANSPOSE(transpose_conflicts, 32, 32, 1, 0)
TRANSPOSE(transpose_32_rows_32, 32, 32, 1, 1)
TRANSPOSE(transpose_32_rows_16, 32, 16, 1, 1)
TRANSPOSE(transpose_32_rows_8, 32, 8, 1, 1)
TRANSPOSE(transpose_32_rows_4, 32, 4, 1, 1)
TRANSPOSE(transpose_32_rows_32_wide_2, 32, 32, 2, 1)
TRANSPOSE(transpose_32_rows_16_wide_2, 32, 16, 2, 1)
TRANSPOSE(transpose_32_rows_8_wide_2, 32, 8, 2, 1)
TRANSPOSE(transpose_32_rows_32_wide_4, 32, 32, 4, 1)
TRANSPOSE(transpose_32_rows_16_wide_4, 32, 16, 4, 1)
TRANSPOSE(transpose_32_rows_8_wide_4, 32, 8, 4, 1)
TRANSPOSE(transpose_64_rows_32_wide_2, 64, 32, 2, 1)
TRANSPOSE(transpose_64_rows_16_wide_2, 64, 16, 2, 1)
TRANSPOSE(transpose_64_rows_8_wide_2, 64, 8, 2, 1)
TRANSPOSE(transpose_64_rows_32_wide_4, 64, 32, 4, 1)
TRANSPOSE(transpose_64_rows_16_wide_4, 64, 16, 4, 1)
TRANSPOSE(transpose_64_rows_8_wide_4, 64, 8, 4, 1)

/* ---- Histograms of n random bytes -------------------------------------------------------------------------------------- */

enum { BINS = 256 };

extern "C" __global__ void histogram_global(const unsigned char *__restrict__ data, int n, int *__restrict__ histogram)
{
    int all = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
        atomicAdd(&histogram[data[i]], 1);
}

__device__ __forceinline__ void empty(int *bins)
{
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();
}

__device__ __forceinline__ void merge(const int *bins, int *histogram)
{
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        if (bins[i] > 0)
            atomicAdd(&histogram[i], bins[i]);
}

extern "C" __global__ void histogram_local(const unsigned char *__restrict__ data, int n, int *__restrict__ histogram)
{
    __shared__ int bins[BINS];
    int all = gridDim.x * blockDim.x;
    empty(bins);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all)
        atomicAdd(&bins[data[i]], 1);
    merge(bins, histogram);
}

extern "C" __global__ void histogram_wide(const uint4 *__restrict__ data, int n, int *__restrict__ histogram)
{
    __shared__ int bins[BINS];
    int all = gridDim.x * blockDim.x;
    empty(bins);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 16; i += all) {
        uint4 several = data[i];
        unsigned words[] = {several.x, several.y, several.z, several.w};
#pragma unroll
        for (int k = 0; k < 16; k++)
            atomicAdd(&bins[words[k / 4] >> 8 * (k % 4) & 255], 1);
    }
    merge(bins, histogram);
}

/* ---- Sums of n numbers ------------------------------------------------------------------------------------------------- */

__device__ __forceinline__ int sum_of(int value) { return value; }
__device__ __forceinline__ int sum_of(int2 value) { return value.x + value.y; }
__device__ __forceinline__ int sum_of(int4 value) { return value.x + value.y + value.z + value.w; }

__device__ __forceinline__ int sum_of_warp(int sum)
{
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    return sum;
}

template <typename WIDE>
__device__ __forceinline__ void add_up(const WIDE *__restrict__ data, int *__restrict__ total, int n)
{
    __shared__ int of_warp[32];
    int sum = 0, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += sum_of(data[i]);
    sum = sum_of_warp(sum);
    if (lane == 0)
        of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = sum_of_warp(lane < blockDim.x / 32 ? of_warp[lane] : 0);
        if (lane == 0)
            atomicAdd(total, sum);
    }
}

extern "C" __global__ void sum_1(const int *__restrict__ data, int *__restrict__ total, int n) { add_up(data, total, n); }
extern "C" __global__ void sum_2(const int2 *__restrict__ data, int *__restrict__ total, int n) { add_up(data, total, n / 2); }
extern "C" __global__ void sum_4(const int4 *__restrict__ data, int *__restrict__ total, int n) { add_up(data, total, n / 4); }

/* ---- A prefix sum in groups of 256 and what is added to each ------------------------------------------------------------ */

extern "C" __global__ void scan_local(const int *__restrict__ from, int *__restrict__ to, int n, int *__restrict__ sums)
{
    __shared__ int values[2][256];
    int i = blockIdx.x * blockDim.x + threadIdx.x, now = 0;
    values[0][threadIdx.x] = i < n ? from[i] : 0;
    __syncthreads();
    for (int distance = 1; distance < 256; distance *= 2) {
        int before = threadIdx.x >= distance ? values[now][threadIdx.x - distance] : 0;
        values[1 - now][threadIdx.x] = values[now][threadIdx.x] + before;
        now = 1 - now;
        __syncthreads();
    }
    if (i < n)
        to[i] = values[now][threadIdx.x];
    if (threadIdx.x == 255)
        sums[blockIdx.x] = values[now][255];
}

__device__ __forceinline__ int scan_of_warp(int value, int lane)
{
    for (int distance = 1; distance < 32; distance *= 2) {
        int before = __shfl_up_sync(~0u, value, distance);
        value += lane >= distance ? before : 0;
    }
    return value;
}

extern "C" __global__ void scan_by_warps(const int *__restrict__ from, int *__restrict__ to, int n, int *__restrict__ sums)
{
    __shared__ int of_warp[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int value = scan_of_warp(i < n ? from[i] : 0, lane);
    if (lane == 31)
        of_warp[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int sum = scan_of_warp(lane < 8 ? of_warp[lane] : 0, lane);
        if (lane < 8)
            of_warp[lane] = sum;
    }
    __syncthreads();
    value += warp > 0 ? of_warp[warp - 1] : 0;
    if (i < n)
        to[i] = value;
    if (threadIdx.x == 255)
        sums[blockIdx.x] = value;
}

extern "C" __global__ void add_before(int *to, int n, const int *before)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        to[i] += before[blockIdx.x - 1];
}

/* ---- Copies and scalings ----------------------------------------------------------------------------------------------- */

template <typename WIDE>
__device__ __forceinline__ void copy(WIDE *__restrict__ to, const WIDE *__restrict__ from, size_t n)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x)
        to[i] = from[i];
}

extern "C" __global__ void copy_1(unsigned char *__restrict__ to, const unsigned char *__restrict__ from, size_t n) { copy(to, from, n); }
extern "C" __global__ void copy_4(unsigned *__restrict__ to, const unsigned *__restrict__ from, size_t n) { copy(to, from, n); }
extern "C" __global__ void copy_16(uint4 *__restrict__ to, const uint4 *__restrict__ from, size_t n) { copy(to, from, n); }

extern "C" __global__ void scale(double *__restrict__ to, const double *__restrict__ from, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i] * 0.25;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
