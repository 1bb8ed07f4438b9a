// A required work-group size that no launch on the device can have, or that the kernel's own array has no room for.
// RUN: %cl -fplugin-arg-gpuperf-device=a100,w6600 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark:

// CHECK: required-size.cl:[[@LINE+1]]:{{[0-9]+}}: warning: required work-group of 32x33x1 work-items: a100 takes 1024 at most, a launch will fail [gpuperf-local-size]
__attribute__((reqd_work_group_size(32, 33, 1))) kernel void too_large(global float *out, int n) { out[get_global_id(1) * n + get_global_id(0)] = 1; }
// CHECK: warning: required work-group of 32x33x1 work-items: w6600 takes 1024 at most, a launch will fail [gpuperf-local-size]

__attribute__((reqd_work_group_size(32, 33, 1))) kernel void known(global float *out, int n) { out[get_global_id(1) * n + get_global_id(0)] = 1; } // gpuperf-ignore

__attribute__((reqd_work_group_size(32, 32, 1))) kernel void fits(global float *out, int n) { out[get_global_id(1) * n + get_global_id(0)] = 1; }

// CHECK: required-size.cl:[[@LINE+1]]:{{[0-9]+}}: warning: required work-group of 256x1x1 work-items: work-items reach 1024 bytes of 't', which has 256 [gpuperf-local-size]
__attribute__((reqd_work_group_size(256, 1, 1))) kernel void beyond(global const float *restrict in, global float *restrict out)
{
    local float t[64];
    int item = get_local_id(0);
    t[item] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63 - item % 64];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
