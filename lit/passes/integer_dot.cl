// Dot products of bytes are one instruction: in PTX, as OpenCL's functions, as AMD's intrinsics; so are other integer instructions of PTX that stand alone.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target nvptx64-nvidia-cuda -nogpulib -DPTX -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s --check-prefix=PTX
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s --check-prefix=AMD
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s --check-prefix=SPIR
#ifdef PTX
// PTX-LABEL: kernel "dots"
// PTX-NOT: callee
// PTX: : int32.mad
// PTX: : int32.logic
// PTX: : int32.mulhi
// PTX: : int32.bits
// PTX-LABEL: kernel "lane"
// PTX: callee 0: "inline assembly: mov.u32"
kernel void dots(global int *out, int a, int b)
{
    int sum = out[get_global_id(0)], high;
    __asm__("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(sum));
    __asm__("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(sum) : "r"(a), "r"(b), "r"(sum));
    __asm__("mul.hi.u32 %0, %1, %2;" : "=r"(high) : "r"(a), "r"(sum));
    __asm__("popc.b32 %0, %1;" : "=r"(sum) : "r"(high));
    out[get_global_id(0)] = sum;
}
kernel void lane(global int *out)
{
    int lane;
    __asm__("mov.u32 %0, %%laneid_of_somebody;" : "=r"(lane));
    out[get_global_id(0)] = lane;
}
#else
// AMD-LABEL: kernel "dots"
// AMD-NOT: callee
// AMD: : int32.mul24
// SPIR-LABEL: kernel "dots"
// SPIR-NOT: callee
// SPIR: : int32.mad
int __attribute__((overloadable)) dot_acc_sat_4x8packed_ss_int(uint a, uint b, int sum);
kernel void dots(global int *out, uint a, uint b)
{
    out[get_global_id(0)] = dot_acc_sat_4x8packed_ss_int(a, b, out[get_global_id(0)]);
}
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
