// Of several devices those that do not run CUDA are left out and named; one alone, or all of them, are an error.
// RUN: %gpuperf predict --device mi250x,a100 --local 256 %s 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=NAMED --input-file=%t.err
// RUN: not %gpuperf predict --device mi250x --local 256 %s 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not %gpuperf predict --device mi250x,w6600 --local 256 %s 2>&1 | FileCheck %s --check-prefix=ALONE
// CHECK: copy on a100
// NAMED: left out: {{.*}}predict_left_out_device.cu is CUDA, which AMD Instinct MI250X (one GCD) does not run; choose an NVIDIA device
// RUN: not %gpuperf predict --device gfx942 %s 2>&1 | FileCheck %s --check-prefix=NEAREST
// NEAREST: gpuperf: {{.*}}predict_left_out_device.cu is CUDA, which gfx942 does not run; choose an NVIDIA device
// ALONE: predict_left_out_device.cu is CUDA, which AMD Instinct MI250X (one GCD) does not run; choose an NVIDIA device
extern "C" __global__ void copy(const float *a, float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
