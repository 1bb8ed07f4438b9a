/* Option prices: a formula with library functions and with approximations; paths with a generator per thread. */
#include "subset.h"

template <bool FAST> static __device__ float exponential(float x) { return FAST ? __expf(x) : expf(x); }
template <bool FAST> static __device__ float quotient(float x, float y) { return FAST ? __fdividef(x, y) : x / y; }

template <bool FAST> static __device__ float normal(float d)
{
    float k = quotient<FAST>(1.0f, 1.0f + 0.2316419f * fabsf(d));
    float tail = 0.39894228f * exponential<FAST>(-0.5f * d * d) *
                 (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
    return d > 0 ? 1.0f - tail : tail;
}

template <bool FAST>
__global__ void options(const float *price, const float *strike, const float *years, float *call, float *put, float rate, float volatility, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
        float d1 = quotient<FAST>((FAST ? __logf(s / x) : logf(s / x)) + (rate + 0.5f * volatility * volatility) * t, volatility * root);
        float d2 = d1 - volatility * root, discounted = x * exponential<FAST>(-rate * t);
        call[i] = s * normal<FAST>(d1) - discounted * normal<FAST>(d2);
        put[i] = discounted * (1.0f - normal<FAST>(d2)) - s * (1.0f - normal<FAST>(d1));
    }
}
template __global__ void options<false>(const float *, const float *, const float *, float *, float *, float, float, int);
template __global__ void options<true>(const float *, const float *, const float *, float *, float *, float, float, int);

static __device__ unsigned draw(unsigned long long &state)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    unsigned mixed = (unsigned)((state >> 18 ^ state) >> 27), turn = (unsigned)(state >> 59);
    return mixed >> turn | mixed << (-turn & 31);
}

__global__ void paths(float *out, int steps, int rounds, float drift, float spread)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long state = i * 2654435761ull + 1;
    float total = 0;
    for (int r = 0; r < rounds; r++) {
        float value = 1;
        for (int s = 0; s < steps; s++) {
            float u = (draw(state) >> 8) * (1.0f / 16777216.0f);
            value *= 1.0f + drift + spread * (u - 0.5f);
        }
        total += fmaxf(value - 1.0f, 0.0f);
    }
    out[i] = total / rounds;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
