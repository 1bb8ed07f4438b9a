// Metadata on the kernel, the profile in the module; both gone with annotate=off.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -S %s -o - | FileCheck %s
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -fplugin-arg-gpuperf-annotate=off -S %s -o - | FileCheck %s --check-prefix=OFF
// CHECK: @__gpuperf_profile_0 = private {{.*}}addrspace(2) constant [{{[0-9]+}} x i32] [i32 1347440711, i32
// CHECK: @llvm.compiler.used = appending {{.*}}@__gpuperf_profile_0
// CHECK: define {{.*}}spir_kernel void @scale({{.*}} !gpuperf [[LIST:![0-9]+]]
// CHECK-NOT: !dbg
// CHECK: [[LIST]] = !{[[FIRST:![0-9]+]], {{![0-9]+}}
// CHECK: [[FIRST]] = !{!"a100", i32 {{[0-9]+}}, i32 1, i32 1, i64 {{[1-9][0-9]*}}}
// OFF-NOT: {{!gpuperf|__gpuperf}}
kernel void scale(global float *data, int n)
{
    int i = get_global_id(0);
    if (i < n)
        data[i] *= 2.0f;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
