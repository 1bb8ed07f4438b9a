// A load by an address that was an integer may read what a store to shared memory before it has written, so that one at a time is under way; so are volatile ones. Pointers that were passed, also in memory, lead to global memory.
// RUN: %gpuperf predict --device rtx4090 --model throughput --warm --groups 256 --local 256 --arg n=65536 --json %s > %t.json
// RUN: %python -c "import json; t = {k['kernel']: k['time_ns'] for k in json.load(open('%t.json'))}; print(t); exit(not (t['integers'] > 1.5 * t['pointers'] and t['ordered'] > 1.5 * t['pointers'] and t['rows'] < 1.2 * t['pointers'] and t['one_volatile'] < 1.2 * t['pointers']))"
#define STAGE(NAME, TYPE, KEPT, FROM) \
    __global__ void NAME(TYPE a, float *out, int n)                                                     \
    {                                                                                                   \
        __shared__ float s[8 * 256];                                                                    \
        KEPT float *t = s;                                                                              \
        float sum = 0;                                                                                  \
        for (int k = 0; k < 16; k++) {                                                                  \
            _Pragma("unroll") for (int i = 0; i < 8; i++) t[i * 256 + threadIdx.x] = FROM;              \
            __syncthreads();                                                                            \
            sum += s[(threadIdx.x * 7 + k) & 2047];                                                     \
            __syncthreads();                                                                            \
        }                                                                                               \
        out[blockIdx.x * 256 + threadIdx.x] = sum;                                                      \
    }
#define AT ((k * 8 + i) * n + blockIdx.x * 256 + threadIdx.x)
STAGE(pointers, const float *, , a[AT])
STAGE(integers, unsigned long, , *(const float *)(a + 4l * AT))
STAGE(ordered, const volatile float *, volatile, a[AT])
STAGE(one_volatile, const volatile float *, , a[AT])
STAGE(rows, const float *const *, , a[0][AT])
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
