// Loops that end by a logarithm or a power of what the launch states turn as often as it says, and powers are divisors and offsets. The functions of constants are no calls at all to vendors' compilers
// (lit/tools/predict_logarithms.cl). A loop is entered once more than it turns.
// RUN: %plain_cl -cl-kernel-arg-info -S %s -o %t.ll
// RUN: %profile_ir -trips=n=100:global=1024:local=16 %t.ll | FileCheck %s
// RUN: %profile_ir -trips=n=100:global=1024:local=256 %t.ll | FileCheck %s --check-prefix=WIDE
// RUN: %profile_ir -addresses=n=100:global=1024:local=16 %t.ll | FileCheck %s --check-prefix=PLACES
#define TURNS(name, end) kernel void name(global float *x, int n) { int t = get_global_id(0); float v = x[t]; _Pragma("unroll 1") for (int i = 1; i <= end; i++) v = v * v + 1.0f / (v + i); x[t] = v; }
// CHECK: of_a_constant loop 0 {{.*}}executed 5,
TURNS(of_a_constant, native_log2(16.0f))
// CHECK: of_the_group loop 0 {{.*}}executed 5,
// WIDE: of_the_group loop 0 {{.*}}executed 9,
TURNS(of_the_group, log2((float)get_local_size(0)))
// CHECK: half_of_the_group loop 0 {{.*}}executed 5,
// WIDE: half_of_the_group loop 0 {{.*}}executed 9,
TURNS(half_of_the_group, half_log2((float)get_local_size(0)))
// CHECK: of_an_argument loop 0 {{.*}}executed 7,
TURNS(of_an_argument, native_log2((float)n))
// CHECK: upwards loop 0 {{.*}}executed 8,
TURNS(upwards, ceil(log2((float)n)))
// CHECK: by_ten loop 0 {{.*}}executed 3,
TURNS(by_ten, log10((float)n + 1))
// CHECK: by_e loop 0 {{.*}}executed 5,
TURNS(by_e, log((float)n))
// CHECK: quotient loop 0 {{.*}}executed 5,
// WIDE: quotient loop 0 {{.*}}executed 9,
TURNS(quotient, (int)(native_log((float)get_local_size(0)) / native_log(2.0f) + 0.5f))
// CHECK: power loop 0 {{.*}}executed 17,
// WIDE: power loop 0 {{.*}}executed 257,
TURNS(power, native_exp2(log2((float)get_local_size(0))))
// CHECK: with_pow loop 0 {{.*}}executed 51,
TURNS(with_pow, pow(2.0f, (float)(n / 20)) + 18)
// CHECK: with_pown loop 0 {{.*}}executed 17,
TURNS(with_pown, pown(4.0f, n / 50))
// CHECK: shifted loop 0 {{.*}}executed 32,
TURNS(shifted, (1 << (n / 20)))
// Lanes 0 to 7 and 2^0 to 2^7, less 1; then the logarithm of 1 to 8.
// PLACES: powers: store global {{.*}}+0 1 3 7 15 31 63 127
kernel void powers(global char *x, int n) { x[(int)exp2((float)get_local_id(0)) - 1] = 1; }
// PLACES: logarithms: store global {{.*}}+0 1 1 2 2 2 2 3
kernel void logarithms(global char *x, int n) { x[(int)log2((float)get_local_id(0) + 1)] = 1; }
// PLACES: of_both: store global {{.*}}+100 0 100 200 300 400 500 600
kernel void of_both(global char *x, int n) { float2 v = exp2(log2((float2)(get_local_id(0), 1))); x[max(100, 100 * (int)(v.x * v.y + 0.5f))] = 1; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
