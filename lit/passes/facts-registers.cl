// The lane of a wave of 32, which is counted in one half; registers that are no ids.
// RUN: %noplugin -x cl -cl-std=CL1.2 -O2 -target amdgcn-amd-amdhsa -mcpu=gfx1030 -nogpulib -emit-llvm -S %s -o - | %profile_ir - | FileCheck %s

// CHECK-LABEL: kernel "lane"
// CHECK: local-size-agnostic no "it uses sub-group ids"
// CHECK: id.lane
kernel void lane(global uint *p) { p[get_global_id(0)] = __builtin_amdgcn_mbcnt_lo(~0u, 0u); }

// CHECK-LABEL: kernel "wide"
// CHECK: local-size-agnostic no "it uses sub-group ids"
// CHECK-COUNT-1: id.lane
// CHECK-NOT: id.lane
// CHECK-LABEL: kernel "time"
// CHECK: local-size-agnostic no "it reads a special register"
kernel void wide(global uint *p) { p[get_global_id(0)] = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)); }
kernel void time(global ulong *p) { p[get_global_id(0)] = __builtin_amdgcn_s_memtime(); }

// CHECK-LABEL: kernel "unit"
// CHECK: local-size-agnostic no "it reads a special register"
kernel void unit(global uint *p) { p[get_global_id(0)] = __builtin_amdgcn_s_getreg(0x1234); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
