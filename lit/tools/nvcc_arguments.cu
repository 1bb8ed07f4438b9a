// nvcc's own spellings, and OpenCL's option that clang does not heed for NVIDIA.
// RUN: env KEEP=%t.gpuperf KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device a100 --local 256 %s -- --use_fast_math -lineinfo
// RUN: %gpuperf dis %t.gpuperf | FileCheck %s --check-prefix=FAST
// RUN: env KEEP=%t.gpuperf KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device a100 --local 256 %s -- -fmad=false
// RUN: %gpuperf dis %t.gpuperf | FileCheck %s --check-prefix=EXACT
// RUN: env KEEP=%t.gpuperf KEEP_CLANG=%noplugin GPUPERF_CLANG=%S/Inputs/keep_profile.sh %gpuperf predict --device a100 --local 256 %S/Inputs/quotient.cl -- -cl-denorms-are-zero -cl-fast-relaxed-math
// RUN: %gpuperf dis %t.gpuperf | FileCheck %s --check-prefix=OPENCL
// FAST: : fp32.div_flush
// FAST: : fp32.fma
// EXACT: : fp32.div{{ |$}}
// EXACT: : fp32.mul
// OPENCL: : fp32.div_flush
extern "C" __global__ void quotient(float *o, const float *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float y = x[i], z = x[i + 1];
    o[i] = y / z * y + z;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
