// OpenCL's arrays in constant memory stay there, whatever nvcc does with CUDA's tables: one address at a time, and no request where all lanes have the same.
// RUN: %gpuperf predict --device a100 --local 256 --kernel looked_up %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --json %s | %python -c "import json,sys; t = {p['kernel']: p['time_ns'] for p in json.load(sys.stdin)}; assert t['shared_by_all'] < 1.1 * t['known'], t"
// CHECK: uncoalesced constant load
constant uint table[256] = {1, 2, 3};
kernel void looked_up(global uint *d)
{
    uint x = get_global_id(0), s = 0;
    for (int k = 0; k < 256; k++) {
        x = x * 1664525u + 1013904223u;
        s += table[(x >> 13) & 255];
    }
    d[get_global_id(0)] = s;
}

__attribute__((weak)) constant float weights[64] = {0};
#define FILTER(name, weight)                                         \
    kernel void name(global const float *in, global float *out)     \
    {                                                                \
        local float tile[512];                                       \
        int l = get_local_id(0);                                     \
        tile[l] = tile[l + 256] = in[get_global_id(0)];              \
        barrier(CLK_LOCAL_MEM_FENCE);                                \
        float s = 0;                                                 \
        _Pragma("unroll") for (int k = 0; k < 64; k++)               \
            s += tile[l + k] * (weight);                             \
        out[get_global_id(0)] = s;                                   \
    }
FILTER(shared_by_all, weights[k])
FILTER(known, 0.1f + k)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
