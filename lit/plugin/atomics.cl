// Operations on one address are made one after the other, whichever work-group they come from.
// RUN: %cl -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %cl -Rpass-analysis=gpuperf -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=COST
// RUN: %cl -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=mi50 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=WAVE
// RUN: %cl -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-device=gtx680 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=OLD

// CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: contended global atomic: all 1048576 operations of the launch on one address; 9{{[0-9]}}% of predicted time
kernel void exchanged(global int *bins) { atomic_xchg(&bins[0], 3); }

// Compilers combine what the lanes of a warp add to one address; the older back ends do not.
// CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: contended global atomic: all 32768 operations of the launch on one address (the lanes of a warp make one); 8{{[0-9]}}% of predicted time
// WAVE: :[[@LINE+2]]:{{[0-9]+}}: remark: contended global atomic: all 16384 operations of the launch on one address (the lanes of a wave make one)
// OLD: :[[@LINE+1]]:{{[0-9]+}}: remark: contended global atomic: all 1048576 operations of the launch on one address;
kernel void one(global int *bins) { atomic_inc(&bins[0]); }

// CHECK: :[[@LINE+3]]:{{[0-9]+}}: warning: contended global atomic: all 32768 operations of the launch on one address (the lanes of a warp make one)
// WAVE-NOT: kernel sum {{.*}} limited by l2
// OLD: :[[@LINE+1]]:{{[0-9]+}}: remark: contended global atomic: all 1048576 operations of the launch on one address;
kernel void sum(global int *bins, global const int *in) { atomic_add(&bins[0], in[get_global_id(0)]); }

// CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: contended global atomic: the launch's 1048576 operations fall on 4 addresses; {{[6-9][0-9]}}% of predicted time
kernel void four(global int *bins) { atomic_inc(&bins[get_global_id(0) & 3]); }

// What is loaded is not known, but where the operation can fall is: 256 addresses of 4 bytes, in 8 lines of L2, each in one of its slices.
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: contended global atomic: the launch's 1048576 operations fall on 256 addresses; {{[89][0-9]}}% of predicted time
kernel void histogram(global int *bins, global const int *in) { atomic_inc(&bins[in[get_global_id(0)] & 255]); }
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: contended global atomic: the launch's 1048576 operations fall on 256 addresses; {{[89][0-9]}}% of predicted time
kernel void histogram_of_bytes(global int *bins, global const uchar *in) { atomic_inc(&bins[in[get_global_id(0)]]); }

// As many in a line each are in 32 of L2's slices, and less in each other's way; many seldom are.
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: contended global atomic: the launch's 1048576 operations fall on 256 addresses; {{[67][0-9]}}% of predicted time
kernel void a_line_each(global int *bins, global const int *in) { atomic_inc(&bins[(in[get_global_id(0)] & 255) * 32]); }
kernel void many(global int *bins, global const int *in) { atomic_inc(&bins[in[get_global_id(0)] & 65535]); }

// CHECK: :[[@LINE+1]]:{{[0-9]+}}: warning: contended global atomic: the launch's 1048576 operations fall on 3 addresses
kernel void remainder(global int *bins, global const uint *in) { atomic_inc(&bins[in[get_global_id(0)] % 3]); }

// A group's own counts: each of its work-items adds one of them.
// CHECK: :[[@LINE+5]]:{{[0-9]+}}: warning: contended global atomic: the launch's 1048576 operations fall on 256 addresses
// CHECK: note: a work-group comes to each of them once at most; let fewer work-groups do more each
kernel void merged(global int *bins, global const int *in)
{
    local int own[256]; own[get_local_id(0)] = in[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[get_local_id(0)], own[255 - get_local_id(0)]);
}

kernel void own(global int *bins) { atomic_inc(&bins[get_global_id(0)]); }

kernel void anywhere(global int *bins, global const int *in) { atomic_inc(&bins[in[get_global_id(0)]]); }

// How the data spreads over the bins is not known; the rest of the time is.
// COST: remark: kernel histogram on a100{{.*}} known 45%, limited by l2
// COST: remark: kernel remainder on a100{{.*}} known {{[34][0-9]}}%, limited by l2
// COST: remark: kernel anywhere on a100{{.*}} known {{[1-3]}}{{[0-9]}}%, limited by dram
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
