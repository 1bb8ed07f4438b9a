/*
 * nvcc makes a power of doubles of pow() with an int as exponent, where clang's headers multiply: it costs what pow(v, 2.0) costs, and products are advised.
 * REQUIRES: ptxas
 * RUN: %gpuperf predict --device a100 --global 1048576 --local 256 %s | FileCheck %s
 * RUN: %gpuperf predict --device a100 --global 1048576 --local 256 --json %s > %t.json
 * RUN: %python -c "import json; t = {k['kernel']: k['time_ns'] for k in json.load(open('%t.json'))}; print(t); exit(not (0.9 < t['by_int'] / t['by_double'] < 1.1 and t['by_double'] > 5 * t['products'] and t['of_float'] > 3 * t['products']))"
 * CHECK: by_int on
 * CHECK: throughput: pow() with a small whole number
 * CHECK-NEXT: multiply: x * x instead of pow(x, 2)
 * CHECK: by_double on
 * CHECK: throughput: pow() with a small whole number
 * CHECK: of_float on
 * CHECK: throughput: pow() with a small whole number
 * CHECK: by_macro on
 * CHECK: throughput: pow() with a small whole number
 * CHECK: products on
 * CHECK-NOT: pow()
 * CHECK: unknown on
 * CHECK-NOT: pow()
 */
#define EXPONENT 3
#define LOOP(NAME, T, E) __global__ void NAME(T *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; T v = x[i]; for (int k = 0; k < 16; k++) v = E; x[i] = v; }
LOOP(by_int, double, pow(v, 2) + 1)
LOOP(by_double, double, pow(v, 2.0) + 1)
LOOP(of_float, float, pow(v, 2) + 1)
LOOP(by_macro, double, pow(v, EXPONENT) + 1)
LOOP(products, double, v * v + 1)
LOOP(unknown, double, pow(v, n) + 1)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
