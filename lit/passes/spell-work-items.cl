// In a compile for the profile's sake, for NVIDIA: once the profile is made each kernel has its body, and ids, sizes and barriers are registers and bar.sync, so that nothing is called. The profile has them as the source has.
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -S -emit-llvm -o %t.ll -fplugin-arg-gpuperf-builtins=early -fplugin-arg-gpuperf-warn=none -fplugin-arg-gpuperf-profile=%t.gpuperf %s
// RUN: FileCheck --implicit-check-not=get_local --implicit-check-not=get_group --implicit-check-not=get_global_id --implicit-check-not=get_num --implicit-check-not=kern_imp --implicit-check-not=barrierj %s < %t.ll
// RUN: %gpuperf dis %t.gpuperf | FileCheck --check-prefix=PROFILE %s
// Elsewhere, and where nobody asked for it, the code is clang's.
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx78 -nogpulib -S -emit-llvm -o - -fplugin-arg-gpuperf-warn=none %s | FileCheck --check-prefix=LATE %s

// CHECK-LABEL: @shift(
// CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
// CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
// CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
// CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
// CHECK-LABEL: @sizes(
// CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
// CHECK-DAG: call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
// CHECK-DAG: @_Z17get_global_offsetj(i32 {{.*}}0)
// CHECK-DAG: @_Z15get_global_sizej(i32

// PROFILE: kernel "shift"
// PROFILE: barrier
// PROFILE: kernel "sizes"

// LATE: @_Z12get_local_idj(

// A word that is widened and cut again, right behind the call.
kernel void shift(global float *a, local float *part)
{
    int local_id = (int)get_local_id(0);
    part[local_id] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_group_id(0) * get_local_size(0) + local_id] = part[(int)get_local_size(0) - 1 - local_id];
}

// Offsets, and a dimension that is known at run time, stay calls.
kernel void sizes(global ulong *a, uint dim)
{
    a[get_global_id(0)] = get_num_groups(1) + get_local_size(2) + get_global_offset(0) + get_global_size(dim);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
