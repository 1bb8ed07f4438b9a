// Neighbours' lines are read once, not once for each work-item that asks: a convolution's warps share rows, and what a quick look counts more than there is must not be warned about.
// RUN: %cl -c %s -o %t.bc -fplugin-arg-gpuperf-device=w6600 -Rpass-analysis=gpuperf 2>&1 | FileCheck %s
// CHECK-NOT: uncoalesced
// CHECK: kernel conv on w6600{{.*}} w=1024, h=1024: {{.*}}known {{[89]}}
// CHECK-NOT: warning: uncoalesced
kernel void conv(global const float *in, constant float *f, global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2)
        return;
    float s = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            s += in[(y + j) * w + x + i] * f[(j + 2) * 5 + i + 2];
    out[y * w + x] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
