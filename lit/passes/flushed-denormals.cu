// PTX says of each instruction whether it flushes denormal numbers.
// RUN: %noplugin -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -ffast-math -fgpu-flush-denormals-to-zero -S -emit-llvm %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,FLUSH
// RUN: %noplugin -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -ffast-math -S -emit-llvm %s -o - | %profile_ir - | FileCheck %s --check-prefixes=CHECK,KEEP
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

// CHECK-LABEL: kernel "quotient"
// FLUSH: : fp32.div_flush
// KEEP: : fp32.div_fast
__global__ void quotient(float *o, float x, float y) { o[0] = x / y; }
// CHECK-LABEL: kernel "intrinsics"
// CHECK-DAG: : fp32.rsqrt_flush
// CHECK-DAG: : sfu.exp2{{ |$}}
__global__ void intrinsics(float *o, float x) { o[0] = __nvvm_rsqrt_approx_ftz_f(x) + __nvvm_ex2_approx_f(x); }
// CHECK-LABEL: kernel "assembly"
// CHECK-DAG: : fp32.rcp_flush
// CHECK-DAG: : sfu.log2{{ |$}}
__global__ void assembly(float *o, float x)
{
    float y, z;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    asm("lg2.approx.f32 %0, %1;" : "=f"(z) : "f"(x));
    o[0] = y + z;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
