// Two causes that take as long hide each other: each alone gains next to nothing, and both are told, with what they gain where all else is mended.
// RUN: %cl -fplugin-arg-gpuperf-device=h200 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %cl -DMENDED -fplugin-arg-gpuperf-device=h200 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not=warning:
// RUN: %gpuperf predict --device h200 --local 32x8 %s | FileCheck %s --check-prefix=TABLE

// CHECK: hidden-causes.cl:[[#@LINE+24]]:{{[0-9]+}}: warning: divergent branch: {{.*}} on h200 ({{1.[0-3]}}x faster without divergence, 1.{{[5-9]}}x once all else is fixed, too) [gpuperf-divergence]
// CHECK: hidden-causes.cl:[[#@LINE+33]]:{{[0-9]+}}: warning: uncoalesced global store: 32 transactions per warp, stride 4096 bytes along dimension 0; on h200 1.{{[4-7]}}x faster if coalesced, once all else is fixed, too [gpuperf-uncoalesced]
// CHECK: note: {{.*}}make get_global_id(0) its fastest index

// Without the branch's two sides and with the hardware's functions the store is what is left.
// ALONE: hidden-causes.cl:[[#@LINE+29]]:{{[0-9]+}}: warning: uncoalesced global store: {{.*}}% of predicted time on h200 ({{[1-9.]+}}x faster if coalesced) [gpuperf-uncoalesced]

// What gains something alone stands above what does not.
// TABLE: divergence: {{.*}}; 1.{{[5-9][0-9]}}x once all else is fixed, too
// TABLE: throughput: functions
// TABLE: 0% 1.00x {{.*}}: uncoalesced global store: {{.*}}; 1.{{[4-7][0-9]}}x once all else is fixed, too
// TABLE: all but latency and bandwidth repaired: {{[2-5]}}.{{[0-9]+}}x
__attribute__((reqd_work_group_size(32, 8, 1)))
kernel void blend(global const float *a, global const float *b, global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float u = a[y * width + x], v = b[y * width + x], r;
#ifdef MENDED
    r = y & 1 ? u : v;
    for (int i = 0; i < 10; i++)
        r = r * (y & 1 ? v : u) + native_sin(r);
#else
    if (x & 1) {
        r = u;
        for (int i = 0; i < 10; i++)
            r = r * v + sin(r);
    } else {
        r = v;
        for (int i = 0; i < 10; i++)
            r = r * u + cos(r);
    }
#endif
    out[x * height + y] = r;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
