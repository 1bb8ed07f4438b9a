// A loop up to the logarithm of a constant is one of as many turns, which vendors' compilers unroll.
// RUN: %gpuperf predict --device a100 --global 16777216 --local 256 --arg n=16777216 %s | FileCheck %s
// RUN: %gpuperf predict --device mi250x --global 16777216 --local 256 --arg n=16777216 %s | FileCheck %s
#define TURNS(name, end) kernel void name(global float *x, int n) { int t = get_global_id(0); if (t >= n) return; float v = x[t]; for (int i = 1; i <= end; i++) v = v * v + 1.0f / (v + i); x[t] = v; }
// CHECK: by_four on
// CHECK: 256 [[FOUR:[0-9]+]]
TURNS(by_four, 4)
// CHECK: by_native_log2 on
// CHECK: 256 [[FOUR]]
TURNS(by_native_log2, native_log2(16.0f))
// CHECK: by_half_log2 on
// CHECK: 256 [[FOUR]]
TURNS(by_half_log2, half_log2(16.0f))
// CHECK: by_exp2 on
// CHECK: 256 [[FOUR]]
TURNS(by_exp2, exp2(2.0f))
// CHECK: by_pow on
// CHECK: 256 [[FOUR]]
TURNS(by_pow, pow(2.0f, 2.0f))
// CHECK: by_shift on
// CHECK: 256 [[FOUR]]
TURNS(by_shift, (1 << 2))
// The function of a local size is carried out, but what it gives is known: nothing is assumed.
// CHECK: of_the_group on
// CHECK: launch global 16777216, n=16777216{{$}}
// CHECK-NOT: assumed
TURNS(of_the_group, log2((float)get_local_size(0)))
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
