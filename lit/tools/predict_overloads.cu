// Kernels of one name are told apart by their symbols, in the table and as JSON, and picked by them; a name that is unique stands alone.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --json %s | FileCheck %s --check-prefix=JSON
// RUN: %gpuperf predict --device a100 --local 256 --kernel _Z5scalePdd %s | FileCheck %s --check-prefix=ONE --implicit-check-not=scalePff
// RUN: not %gpuperf predict --device a100 --kernel scales %s 2>&1 | FileCheck %s --check-prefix=NAMES

// CHECK: scale (_Z5scalePff) on a100
// CHECK: scale (_Z5scalePdd) on a100
// CHECK: alone on a100
// ONE: scale (_Z5scalePdd) on a100
// JSON: "kernel": "scale",
// JSON-NEXT: "symbol": "_Z5scalePff",
// JSON: "kernel": "scale",
// JSON-NEXT: "symbol": "_Z5scalePdd",
// JSON: "kernel": "alone",
// JSON-NOT: "symbol"
// NAMES: has no kernel 'scales'; did you mean 'scale'; there are _Z5scalePff, _Z5scalePdd, alone
__global__ void scale(float *a, float f) { a[blockIdx.x * blockDim.x + threadIdx.x] *= f; }
__global__ void scale(double *a, double f) { a[(blockIdx.x * blockDim.x + threadIdx.x) * 32] *= f; }
__global__ void alone(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
