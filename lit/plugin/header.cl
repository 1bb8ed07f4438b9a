// A line of a header is named, and who called it; a kernel as a whole stays at the kernel.
// RUN: split-file %s %t
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %t/main.cl -o %t/out.bc 2>&1 | FileCheck %s
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -DIGNORE -c %t/main.cl -o %t/out.bc 2>&1 | count 0
// CHECK: header.h:3:{{[0-9]+}}: warning: uncoalesced global store{{.*}}[gpuperf-uncoalesced]
// CHECK: main.cl:6:5: note: called from here
// CHECK: main.cl:2:13: note: predicted for
// CHECK-NOT: warning:
//--- header.h
inline void put(global float *out, int at, float value)
{
    out[at] = value;
}
//--- main.cl
#include "header.h"
kernel void transpose(global const float *in, global float *out, int n)
{
    int col = get_global_id(0), row = get_global_id(1);
#ifndef IGNORE
    put(out, col * n + row, in[row * n + col]);
#else
    put(out, col * n + row, in[row * n + col]); // gpuperf-ignore
#endif
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
