// In a compile for the profile's sake, as NVIDIA's compilers do it, divisors that are powers of two are not known to be, but for 1u << k and where all iterations are written out. What nvcc 13.0 makes of the same (sm_75, sm_86):
// a division in the first three, none in the others.
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -S -emit-llvm -o %t.ll -fplugin-arg-gpuperf-builtins=early -fplugin-arg-gpuperf-unroll=nvidia -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf %s
// RUN: %gpuperf dis %t.gpuperf | grep -E '^kernel| [us](rem|div) .*int32' | sed 's/ *;.*//' | FileCheck %s
// RUN: FileCheck --check-prefix=IR --implicit-check-not=gpuperf.divisor %s < %t.ll
// Elsewhere LLVM knows.
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -S -emit-llvm -o /dev/null -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf %s
// RUN: %gpuperf dis %t.gpuperf | grep -E '^kernel| [us](rem|div) .*int32' | sed 's/ *;.*//' | FileCheck --check-prefix=SPIR --implicit-check-not=rem --implicit-check-not=div %s

// IR: define

// CHECK-LABEL: kernel "every_other"
// CHECK-NEXT: urem
// SPIR: kernel "every_other"
__kernel void every_other(__global float *to, __local float *part)
{
    uint lane = get_local_id(0);
    for (uint d = 1; d < get_local_size(0); d *= 2) {
        if (lane % (2 * d) == 0)
            part[lane] += part[lane + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    to[get_group_id(0)] = part[0];
}

// CHECK-LABEL: kernel "with_signs"
// CHECK-NEXT: srem
// SPIR: kernel "with_signs"
__kernel void with_signs(__global float *to, __local float *part)
{
    int lane = get_local_id(0);
    for (int d = 1; d < (int)get_local_size(0); d *= 2) {
        if (lane % (2 * d) == 0)
            part[lane] += part[lane + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    to[get_group_id(0)] = part[0];
}

// CHECK-LABEL: kernel "quotient"
// CHECK-NEXT: udiv
// SPIR: kernel "quotient"
__kernel void quotient(__global float *to, __local float *part)
{
    uint lane = get_local_id(0);
    for (uint d = 1; d < get_local_size(0); d <<= 1) {
        if ((lane / d & 1) == 0)
            part[lane] += part[lane + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    to[get_group_id(0)] = part[0];
}

// CHECK-LABEL: kernel "bits"
// CHECK-NOT: {{rem|div}}
// SPIR: kernel "bits"
__kernel void bits(__global uint *to, int n)
{
    uint lane = get_local_id(0);
    to[lane] = lane % (1u << n);
}

// CHECK-LABEL: kernel "written_out"
// CHECK-NOT: {{rem|div}}
// SPIR: kernel "written_out"
__kernel void written_out(__global float *to, __local float *part)
{
    uint lane = get_local_id(0);
    for (uint d = 1; d < 256; d *= 2) {
        if (lane % (2 * d) == 0)
            part[lane] += part[lane + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    to[get_group_id(0)] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
