/*
 * What an Asian option pays on random paths of STEPS prices each, TILE_X paths per work-item, summed per group. GENERATOR 0: Philox 4x32 of ten
 * rounds, its counter the path and the step; 1: a xorshift whose first state each path makes of its number.
 */
#ifndef ASIAN
#define ASIAN
#ifdef __CUDACC__
#define FUNCTION static __device__ inline
#else
#define FUNCTION static inline
#endif
FUNCTION void philox(uint words[4], uint key_0, uint key_1)
{
    #pragma unroll
    for (int r = 0; r < 10; r++) {
        const uint high_0 = mul_hi(0xd2511f53u, words[0]), low_0 = 0xd2511f53u * words[0];
        const uint high_1 = mul_hi(0xcd9e8d57u, words[2]), low_1 = 0xcd9e8d57u * words[2];
        words[0] = high_1 ^ words[1] ^ key_0;
        words[1] = low_1;
        words[2] = high_0 ^ words[3] ^ key_1;
        words[3] = low_0;
        key_0 += 0x9e3779b9u;
        key_1 += 0xbb67ae85u;
    }
}
FUNCTION uint xorshift(uint state)
{
    state ^= state << 13;
    state ^= state >> 17;
    return state ^ state << 5;
}
#endif
__kernel void asian(__global float *restrict sums)
{
    const float strike = 100.0f, start = 4.60517019f, drift = 0.0004f, deviation = 0.025f; /* of the logarithm, per step */
    __local float part[BLOCK_X];
    const int item = get_local_id(0);
    float sum = 0.0f;
    for (int t = 0; t < TILE_X; t++) {
        const uint path = (get_group_id(0) * TILE_X + t) * BLOCK_X + item;
        float price = start, total = 0.0f;
#if GENERATOR == 1
        uint state = path * 2654435769u + 0x7f4a7c15u;
        if (state == 0u)
            state = 1u;
#endif
        for (int s = 0; s < STEPS; s += 4) {
            uint words[4];
#if GENERATOR == 0
            words[0] = path;
            words[1] = s;
            words[2] = words[3] = 0u;
            philox(words, 0x2545f491u, 0x4f6cdd1du);
#else
            #pragma unroll
            for (int k = 0; k < 4; k++)
                words[k] = state = xorshift(state);
#endif
            #pragma unroll
            for (int k = 0; k < 4; k += 2) {
                const float first = (words[k] + 0.5f) * 2.3283064e-10f, second = words[k + 1] * 1.4629181e-9f;
                const float radius = native_sqrt(-2.0f * native_log(first)) * deviation;
                price += drift + radius * native_cos(second);
                total += native_exp(price);
                price += drift + radius * native_sin(second);
                total += native_exp(price);
            }
        }
        sum += fmax(total / STEPS - strike, 0.0f);
    }
    part[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int span = BLOCK_X / 2; span > 0; span /= 2) {
        if (item < span)
            part[item] += part[item + span];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        sums[get_group_id(0)] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
