/*
 * Small private arrays, which AMD's compiler keeps in registers: an index that it does not know is compared with all that it may be. Whether it makes a vector of the array before its backend runs (gather)
 * or there (median), and what is too large for that and stays in memory (large).
 *
 * RUN: %gpuperf predict --device mi250x --model throughput --kernel gather --local 64 %s | FileCheck %s --check-prefix=GATHER
 * RUN: %gpuperf predict --device mi250x,w6600 --model throughput --kernel median --local 64x1 %s | FileCheck %s --check-prefix=MEDIAN
 * RUN: %gpuperf predict --device mi250x --model throughput --kernel large --local 64 %s | FileCheck %s --check-prefix=LARGE
 * RUN: %gpuperf predict --device mi250x --model throughput --kernel known --local 64x1 %s | FileCheck %s --check-prefix=KNOWN
 *
 * GATHER: predict_chosen_elements.cl:[[#]]:{{[0-9]+}}: spill: a private array is indexed by a value unknown at compile time: it is in registers, and an access takes 30 comparisons and moves
 * GATHER-NEXT: let its indices be known, as in loops that are unrolled whole
 * MEDIAN-COUNT-2: spill: 'v' is indexed by a value unknown at compile time: it is in registers, and an access takes 16 comparisons and moves
 * MEDIAN-NOT: lives in memory
 * LARGE: spill: 'v' is indexed by a value unknown at compile time, so it lives in memory
 * KNOWN-NOT: spill:
 */
kernel void gather(global const int *in, global float *out, int n)
{
    float v[16];
    int g = get_global_id(0);
    for (int i = 0; i < 16; i++)
        v[i] = in[g + i];
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < n; i++)
        sum += v[in[g + i * 1024] & 15];
    out[g] = sum;
}

#define MEDIAN(NAME, UNROLL)                                                \
    kernel void NAME(global const float *in, global float *out, int w)      \
    {                                                                       \
        int x = get_global_id(0), y = get_global_id(1);                     \
        float v[9];                                                         \
        for (int j = 0; j < 3; j++)                                         \
            for (int i = 0; i < 3; i++)                                     \
                v[j * 3 + i] = in[(y + j) * w + x + i];                     \
        _Pragma(UNROLL) for (int i = 0; i < 5; i++) {                       \
            _Pragma(UNROLL) for (int j = i + 1; j < 9; j++) {               \
                float low = fmin(v[i], v[j]), high = fmax(v[i], v[j]);      \
                v[i] = low, v[j] = high;                                    \
            }                                                               \
        }                                                                   \
        out[y * w + x] = v[4];                                              \
    }
MEDIAN(known, "unroll")

kernel void median(global const float *in, global float *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    float v[9];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            v[j * 3 + i] = in[(y + j) * w + x + i];
#pragma unroll 1
    for (int i = 0; i < 5; i++) {
        int least = i;
#pragma unroll 1
        for (int j = i + 1; j < 9; j++)
            if (v[j] < v[least])
                least = j;
        float t = v[i];
        v[i] = v[least], v[least] = t;
    }
    out[y * w + x] = v[4];
}

kernel void large(global const int *in, global int *out, int n)
{
    int v[40] = {0};
    int g = get_global_id(0);
#pragma unroll 1
    for (int i = 0; i < n; i++)
        v[in[g + i * 1024] % 40u]++;
    for (int i = 0; i < 40; i++)
        out[g * 40 + i] = v[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
