// Beyond the budget a kernel is an approximation: its skeleton whole, the rest summed up per block.
// RUN: %plain_cl -S %s -o - | %profile_ir -max-instructions=20 - | FileCheck %s
// CHECK: truncated
// CHECK: condbr
// CHECK: load i32 {{.*}} in global
// CHECK: weight {{.*}}: fp32.mul x{{[0-9]+}}
kernel void polynomial(global float *a, int n)
{
    int i = get_global_id(0);
    float x = a[i], y = x;
    if (i < n) {
        y = y * x * 3.0f; y = y * y * x; y = y * x * 5.0f; y = y * y * x; y = y * x * 7.0f; y = y * y * x;
        a[i] = y;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
