// What a system header does in the user's name is told of at the user's line.
// RUN: mkdir -p %t && echo '__attribute__((device)) inline int add_one(int *at) { return __nvvm_atom_add_gen_i(at, 1); }' > %t/device_atomics.h
// RUN: %clang -isystem %t -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -S -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=device_atomics
#include <device_atomics.h>

// CHECK: system-header.cu:[[@LINE+1]]:{{[0-9]+}}: warning: contended global atomic: all 32768 operations of the launch on one address (the lanes of a warp make one), if all take the branch of line [[@LINE+1]]; {{.*}} [gpuperf-atomics]
__attribute__((global)) void count(int *count, const int *in) { if (in[__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x()]) add_one(count); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
