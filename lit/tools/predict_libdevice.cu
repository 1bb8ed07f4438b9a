// With a toolkit mathematical functions are libdevice's code. Where that leaves its fast path nobody comes: no private arrays there, no assembly that is not known, no guess.
// REQUIRES: ptxas
// RUN: %gpuperf predict --device a100 --local 256 --arg n=100 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --arg n=100 %s | FileCheck %s --check-prefix=NONE --implicit-check-not=spill: --implicit-check-not="not known"
// CHECK-COUNT-3: known 100%
// NONE: logarithms on a100
#define TIMES(name, type, f) extern "C" __global__ void name(type *a, int n) \
    { int i = blockIdx.x * blockDim.x + threadIdx.x; type x = a[i]; for (int k = 0; k < n; k++) x = f(x); a[i] = x; }
TIMES(sines, float, sinf)
TIMES(cosines, double, cos)
TIMES(logarithms, double, log)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
