/*
 * Kernels that textbooks teach with: sums in local memory as in M. Harris' "Optimizing Parallel Reduction in CUDA", and one-dimensional convolutions as in Kirk and Hwu's "Programming
 * Massively Parallel Processors", in the shapes that were measured (textbook.sh). T: what is summed.
 */
extern __shared__ float part[];

/* A group's sum of what each work-item has put into part[]; three ways to choose who adds. */
#define EVERY_OTHER(n)                                          \
    for (unsigned d = 1; d < blockDim.x; d *= 2) {              \
        if (lane % (2 * d) == 0)                                \
            part[lane] += part[lane + d];                       \
        __syncthreads();                                        \
    }
#define SIDE_BY_SIDE(n)                                         \
    for (unsigned d = 1; d < blockDim.x; d *= 2) {              \
        unsigned at = 2 * d * lane;                             \
        if (at < blockDim.x)                                    \
            part[at] += part[at + d];                           \
        __syncthreads();                                        \
    }
#define LOWER_HALF(last)                                        \
    for (unsigned d = blockDim.x / 2; d > (last); d /= 2) {     \
        if (lane < d)                                           \
            part[lane] += part[lane + d];                       \
        __syncthreads();                                        \
    }

#define SUM(name, elements, steps)                                                                  \
    extern "C" __global__ void name(const float *in, float *out)                                    \
    {                                                                                               \
        unsigned lane = threadIdx.x, first = blockIdx.x * blockDim.x * elements + lane;             \
        part[lane] = elements == 2 ? in[first] + in[first + blockDim.x] : in[first];                \
        __syncthreads();                                                                            \
        steps                                                                                       \
        if (lane == 0)                                                                              \
            out[blockIdx.x] = part[0];                                                              \
    }

static __device__ void add_last_warp(volatile float *of, unsigned lane)
{
    for (unsigned d = 32; d > 0; d /= 2)
        of[lane] += of[lane + d];
}

SUM(every_other, 1, EVERY_OTHER(0))
SUM(side_by_side, 1, SIDE_BY_SIDE(0))
SUM(lower_half, 1, LOWER_HALF(0))
SUM(two_each, 2, LOWER_HALF(0))
SUM(last_warp_alone, 2, LOWER_HALF(32) if (lane < 32) add_last_warp(part, lane);)

/* Limits of type double: each result is converted to double precision, limited twice, and converted back. */
static __device__ float limited(float value) { return min(max(value, 0.0), 1.0); }

__constant__ float mask[64];

/* Each group loads its elements and those next to them. */
extern "C" __global__ void tiled(const float *in, float *out, int taps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, half = taps / 2, left = i - (int)blockDim.x, right = i + (int)blockDim.x;
    if (threadIdx.x >= blockDim.x - half)
        part[threadIdx.x - (blockDim.x - half)] = left < 0 ? 0 : in[left];
    part[half + threadIdx.x] = in[i];
    if (threadIdx.x < half)
        part[half + blockDim.x + threadIdx.x] = right >= n ? 0 : in[right];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < taps; k++)
        sum += part[threadIdx.x + k] * mask[k];
    out[i] = limited(sum);
}

/* Its own only; the others are left to the caches. */
extern "C" __global__ void tiled_own(const float *in, float *out, int taps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, begin = blockIdx.x * blockDim.x, end = begin + blockDim.x;
    part[threadIdx.x] = in[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < taps; k++) {
        int at = i - taps / 2 + k;
        if (at < 0 || at >= n)
            continue;
        sum += (at >= begin && at < end ? part[at - begin] : in[at]) * mask[k];
    }
    out[i] = limited(sum);
}

/* A histogram for each group, added to the launch's. What was counted were zeros only. */
extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, unsigned n, unsigned count)
{
    unsigned *own = (unsigned *)part;
    for (unsigned k = threadIdx.x; k < count; k += blockDim.x)
        own[k] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&own[in[i]], 1);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < count; k += blockDim.x)
        atomicAdd(&bins[k], own[k]);
}

/* Sums of matrices, by rows and across them. */
extern "C" __global__ void add_by_rows(const unsigned *a, const unsigned *b, unsigned *sum, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width)
        sum[row * width + column] = a[row * width + column] + b[row * width + column];
}

extern "C" __global__ void add_across(const unsigned *a, const unsigned *b, unsigned *sum, int width, int height)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width)
        sum[row * width + column] = a[row * width + column] + b[row * width + column];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
