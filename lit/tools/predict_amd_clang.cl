// AMD's registers come from AMD's own clang where there is one and its code is whole, also for groups beyond the default bound; it is told what our clang is told. Else as without it.
// RUN: rm -f %t.arguments
// RUN: env GPUPERF_AMD_CLANG=%S/Inputs/amd_clang.sh AMD_ARGUMENTS=%t.arguments %gpuperf predict --device w6600 --global 4096 --local 64,1024 %s -- -DN=3 -cl-std=CL2.0 | FileCheck --check-prefix=KNOWS %s
// RUN: FileCheck --check-prefix=ARGUMENTS --input-file=%t.arguments %s
// RUN: env GPUPERF_AMD_CLANG=%S/Inputs/amd_clang.sh AMD_ARGUMENTS=%t.other %gpuperf predict --device w6600 --global 4096 --local 64 %s -- -DN=3 -DLIBRARY | FileCheck --check-prefix=OTHERS %s
// RUN: env GPUPERF_AMD_CLANG=%S/Inputs/nvcc_refuses.sh %gpuperf predict --device w6600 --global 4096 --local 64 %s -- -DN=3 | FileCheck --check-prefix=OTHERS %s
// RUN: env GPUPERF_AMD_CLANG= %gpuperf predict --device w6600 --global 4096 --local 64 %s -- -DN=3 | FileCheck --check-prefix=OTHERS %s

// KNOWS: registers 77 (amd-clang)
// OTHERS: registers
// OTHERS-NOT: 77 (amd-clang)

// ARGUMENTS: -O3 {{.*}}-mcpu=gfx1032 {{.*}}-include {{[^ ]*}}amd_prelude.h {{.*}}-DN=3 -cl-std=CL2.0 -S -emit-llvm
// ARGUMENTS: -x ir {{.*}}-disable-llvm-passes
// ARGUMENTS: -x ir {{.*}}-disable-llvm-passes
kernel void one(global float *a, local float *part)
{
    part[get_local_id(0)] = a[get_global_id(0)] * N;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = part[get_local_size(0) - 1 - get_local_id(0)] + get_num_groups(0) + get_global_size(0);
#ifdef LIBRARY
    sum = sin(sum);
#endif
    a[get_global_id(0)] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
