/*
 * Lashgar et al., Listing 1, on the NVIDIA GPU at hand: the cycles that LOADS independent loads of each thread take in one work-group of 2 to 1024
 * threads, from 128-byte lines of their own or shared by SHARING neighbours; data is in L2, not in L1. Prints lines `loads sharing threads cycles`,
 * for `lashgar --read FILE`.
 *
 *   nvcc -arch=native -O3 -o outstanding bench/gpu/outstanding.cu && ./outstanding > outstanding.txt
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                                       \
    do {                                                                                                  \
        cudaError_t status_ = (call);                                                                     \
        if (status_ != cudaSuccess) {                                                                     \
            fprintf(stderr, "outstanding.cu:%d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status_)); \
            exit(1);                                                                                      \
        }                                                                                                 \
    } while (0)

enum { LINE = 32 /* words */, MOST_THREADS = 1024, MOST_LOADS = 16, RUNS = 5 };

template <int LOADS, int SHARING> __global__ void outstanding(const uint32_t *in, uint32_t *out, long long *cycles)
{
    const uint32_t *lines[LOADS];
    uint32_t values[LOADS], sum = 0;
#pragma unroll
    for (int i = 0; i < LOADS; i++) {
        lines[i] = in + (size_t)(i * blockDim.x + threadIdx.x / SHARING) * LINE + threadIdx.x / SHARING % LINE; /* each in a bank of its own */
        asm volatile("" : "+l"(lines[i])); /* an address in a register before the clock starts */
    }
    __syncthreads();
    long long begin = clock64();
#pragma unroll
    for (int i = 0; i < LOADS; i++)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(values[i]) : "l"(lines[i]));
#pragma unroll
    for (int i = 0; i < LOADS; i++)
        asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(values[i]));
    __syncthreads_or(sum == 12345); /* waits for the values: ptxas moves a plain barrier, and the clock, in front of what uses them */
    long long end = clock64();
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        *cycles = end - begin;
}

template <int LOADS, int SHARING> static void curve(const uint32_t *in, uint32_t *out, long long *at_device)
{
    for (unsigned threads = 2; threads <= MOST_THREADS; threads += 2) {
        long long runs[RUNS];
        for (int i = 0; i < RUNS; i++) {
            outstanding<LOADS, SHARING><<<1, threads>>>(in, out, at_device);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(&runs[i], at_device, sizeof runs[i], cudaMemcpyDeviceToHost));
        }
        std::sort(runs, runs + RUNS);
        printf("%d %d %u %lld\n", LOADS, SHARING, threads, runs[RUNS / 2]);
    }
    fflush(stdout);
}

template <int SHARING> static void curves(const uint32_t *in, uint32_t *out, long long *at_device)
{
    curve<1, SHARING>(in, out, at_device);
    curve<2, SHARING>(in, out, at_device);
    curve<3, SHARING>(in, out, at_device);
    curve<4, SHARING>(in, out, at_device);
    curve<8, SHARING>(in, out, at_device);
    curve<16, SHARING>(in, out, at_device);
}

int main()
{
    uint32_t *in, *out;
    long long *at_device;
    size_t bytes = (size_t)MOST_LOADS * MOST_THREADS * LINE * sizeof *in;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMemset(in, 1, bytes));
    CHECK(cudaMalloc(&out, MOST_THREADS * sizeof *out));
    CHECK(cudaMalloc(&at_device, sizeof *at_device));
    curves<1>(in, out, at_device);
    curves<2>(in, out, at_device);
    curves<4>(in, out, at_device);
    curves<8>(in, out, at_device);
    curves<16>(in, out, at_device);
    curves<32>(in, out, at_device);
    return 0;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
