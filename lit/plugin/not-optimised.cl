// Without the optimiser there is no prediction, and one remark that says so.
// RUN: %clang -x cl -O0 -target spir64 -emit-llvm -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=O0
// RUN: %cl -Xclang -disable-llvm-passes -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: %cl -fsyntax-only %s 2>&1 | count 0
// RUN: %cl -E %s 2>&1 | FileCheck %s --check-prefix=PREPROCESSED
// O0: remark: gpuperf: no prediction at -O0
// O0-NOT: remark:
// PASSES: remark: gpuperf: no prediction with LLVM's passes disabled
// PASSES-NOT: remark:
// PREPROCESSED-NOT: remark:
kernel void transpose(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
