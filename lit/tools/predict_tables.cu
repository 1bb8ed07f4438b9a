/*
 * Tables of CUDA as nvcc has them: const __device__ in global memory, __constant__ in constant memory, which serves one address at a time. Instances of a template have its arguments.
 * RUN: %gpuperf predict --device a100 --local 256 --arg n=256 %s | FileCheck %s
 * CHECK: constants on a100
 * CHECK: uncoalesced constant load
 * CHECK: looked_up<4, unsigned int> on a100
 * CHECK-NOT: constant load
 * CHECK: looked_up<8, int> on a100
 * CHECK-NOT: constant load
 * RUN: %gpuperf predict --device a100 --local 256 --arg n=256 --kernel looked_up %s | grep -c "on a100" | grep -x 2
 */
static const __device__ unsigned device_table[256] = {1, 2, 3};
__constant__ unsigned constant_table[256] = {1, 2, 3};

template <class T> __device__ T sum(const unsigned *table, int n, unsigned x)
{
    T s = 0;
    for (int k = 0; k < n; k++) {
        x = x * 1664525u + 1013904223u;
        s += table[(x >> 13) & 255];
    }
    return s;
}

__global__ void constants(unsigned *d, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    d[t] = sum<unsigned>(constant_table, n, t);
}

template <int K, class T> __global__ void looked_up(T *d, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    d[t] = sum<T>(device_table, n, t * K);
}
template __global__ void looked_up<4, unsigned>(unsigned *, int);
template __global__ void looked_up<8, int>(int *, int);
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
