// One side of a naive transpose is uncoalesced: each lane of a warp stores to a sector of its own, 32 in all.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ONCE
// RUN: %clang -x cl -O2 -target spirv64 -c -fplugin-arg-gpuperf-device=a100 %s -o %t.spv 2>&1 | FileCheck %s
// ONCE-COUNT-1: warning:
// ONCE-NOT: warning:

kernel void transpose(global const float *in, global float *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1);
    if (row < n && col < n)
// CHECK: transpose-naive.cl:[[@LINE+3]]:{{[0-9]+}}: warning: uncoalesced global store: 32 transactions per warp, stride 4096 bytes along dimension 0; {{[0-9]+}}% of predicted time on a100 ({{[0-9.]+}}x faster if coalesced) [gpuperf-uncoalesced]
// CHECK: transpose-naive.cl:[[@LINE+2]]:{{[0-9]+}}: note:
// CHECK: transpose-naive.cl:[[@LINE-6]]:13: note: predicted for global 1024x1024, local 32x8, n=1024 (set with -fplugin-arg-gpuperf-assume=transpose:...)
        out[col * n + row] = in[row * n + col];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
