// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remainders by powers of two that LLVM alone finds to be such: a mask in this compile, a division in NVIDIA's, which is still to come. Told
// as predict tells it; not on AMD's devices, whose compiler is LLVM, nor where the source has the mask, or a shifted one.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %cl -fplugin-arg-gpuperf-device=mi250x -c %s -o /dev/null 2>&1 | count 0
// RUN: %gpuperf predict --device a100 --kernel tree --local 256 %s | FileCheck %s --check-prefix=PREDICT
// PREDICT: power-remainders.cl:[[#@LINE+10]]:{{[0-9]+}}: throughput: integer divisions and remainders
// REQUIRES: gpuperf

kernel void tree(global const float *in, global float *out, local float *t)
{
    uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < get_local_size(0); s *= 2) {
        // CHECK: power-remainders.cl:[[#@LINE+1]]:{{[0-9]+}}: warning: integer divisions and remainders{{.*}}on a100 (1.{{[5-9]}}x faster with one instruction each) [gpuperf-throughput]
        if (l % (2 * s) == 0)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}

kernel void with_signs(global const float *in, global float *out, local float *t)
{
    int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < (int)get_local_size(0); s *= 2) {
        // CHECK: power-remainders.cl:[[#@LINE+1]]:{{[0-9]+}}: warning: integer divisions and remainders
        if (l % (2 * s) == 0)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}

kernel void quotients(global const float *in, global float *out, local float *t)
{
    uint l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < get_local_size(0); s <<= 1) {
        // CHECK: power-remainders.cl:[[#@LINE+1]]:{{[0-9]+}}: warning: integer divisions and remainders
        if ((l / s & 1) == 0)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}

kernel void long_steps(global const ulong *in, global ulong *out)
{
    ulong i = get_global_id(0), v = in[i];
    for (ulong s = 1; s < get_global_size(0); s *= 2)
        // CHECK: power-remainders.cl:[[#@LINE+1]]:{{[0-9]+}}: warning: integer divisions and remainders
        v += (i + v) % (2 * s);
    out[i] = v;
}

kernel void masked(global const uint *in, global uint *out)
{
    uint i = get_global_id(0), v = in[i];
    for (uint s = 1; s < get_global_size(0); s *= 2)
        v += i & (2 * s - 1);
    out[i] = v;
}

kernel void shifted(global const uint *in, global uint *out)
{
    uint i = get_global_id(0), v = in[i];
    for (uint k = 1; k < 20; k++)
        v += i % (1u << k);
    out[i] = v;
}
