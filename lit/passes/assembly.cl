// Inline assembly is a known unknown: named, counted as the instructions that it seems to hold, and what depends on it is data.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s
// RUN: %clang -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -nogpulib -emit-llvm -w -Rpass-analysis=gpuperf -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -DAMD -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s --check-prefix=AMD
// CHECK-LABEL: kernel "several"
// CHECK: local-size-agnostic yes
// CHECK: callee 0: "inline assembly: add.s32, mul.lo.s32, bra, sub.s32, ..."
// CHECK: = call i32 {{.*}}callee 0 : int32.logic x5
// CHECK-LABEL: kernel "loop_by_assembly"
// CHECK: loop 0: {{.*}}bound assumed data
// CHECK-LABEL: kernel "of_neighbours"
// CHECK: local-size-agnostic no "its work-items exchange values within a sub-group"
// CHECK-LABEL: kernel "nothing"
// CHECK-NOT: callee
// CHECK-LABEL: kernel "own_shared"
// CHECK: local-size-agnostic yes
// CHECK-NOT: callee
// REMARK: assembly.cl:{{[0-9]+}}:{{[0-9]+}}: remark: inline assembly: add.s32, mul.lo.s32, bra, sub.s32, ...: what it does is not known; counted as 5 integer instructions, an estimate
// REMARK: remark: kernel loop_by_assembly {{.*}}known {{[0-9]%|[0-4][0-9]%}}
// AMD: local-size-agnostic no "it has inline assembly"
// AMD: callee 0: "inline assembly: v_add_u32, v_mov_b32"

#ifdef AMD
kernel void amd(global int *out)
{
    int i = get_global_id(0), sum;
    __asm__("v_add_u32 %0, %1, %1 ; twice; thrice\n\tv_mov_b32 %0, %0" : "=v"(sum) : "v"(i));
    out[i] = sum;
}
#else
kernel void several(global int *out)
{
    int i = get_global_id(0), sum;
    __asm__("{ .reg .s32 t; // a comment; and more\n\tadd.s32 t, %1, 1;\n again: mul.lo.s32 t, t, %1;\n@%%p bra again;\n\tsub.s32 %0, t, 1; xor.b32 %0, %0, t; }"
            : "=r"(sum) : "r"(i));
    out[i] = sum;
}
kernel void loop_by_assembly(global int *out, int n)
{
    int i = get_global_id(0), limit;
    __asm__("mul.lo.s32 %0, %1, %1;" : "=r"(limit) : "r"(n));
    #pragma unroll 1
    for (int k = 0; k < limit; k++)
        out[i + k] = k;
}
kernel void of_neighbours(global int *out)
{
    int i = get_global_id(0), sum;
    __asm__("activemask.b32 %0; add.s32 %0, %0, %1;" : "=r"(sum) : "r"(i));
    out[i] = sum;
}
kernel void nothing(global int *out)
{
    int i = get_global_id(0);
    __asm__("" : "+r"(i));
    out[i] = 0;
}
kernel void own_shared(global ulong *out) /* cooperative groups' */
{
    ulong place;
    __asm__("{\n\t .reg .u32 start;\n\t .reg .u64 extended;\n\t mov.u32 start, %%reserved_smem_offset_1;\n\t cvt.u64.u32 extended, start;\n\t cvta.shared.u64 %0, extended;\n\t}" : "=l"(place));
    out[get_global_id(0)] = place;
}
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
