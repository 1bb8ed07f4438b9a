// One warning for a line and cause names every device.
// RUN: %cl -fplugin-arg-gpuperf-device=a100,h100 -S %s -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.ll
// CHECK-COUNT-1: warning: {{.*}}% of predicted time on {{a100|h100}} ({{.*}} if coalesced), {{[0-9]+}}% on {{a100|h100}} (
// CHECK-NOT: warning:
// IR-DAG: !{!"a100", i32 32, i32 8, i32 1, i64 {{[1-9][0-9]*}}}
// IR-DAG: !{!"h100", i32 32, i32 8, i32 1, i64 {{[1-9][0-9]*}}}
kernel void transpose(global const float *in, global float *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1);
    out[col * n + row] = in[row * n + col];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
