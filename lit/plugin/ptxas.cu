// ptxas takes the annotated code and makes the same kernel of it.
// REQUIRES: ptxas
// RUN: %clang -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -S -o %t.with
// RUN: %noplugin -x cuda %s --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx83 -nocudainc -nocudalib -O2 -S -o %t.without
// RUN: /usr/local/cuda/bin/ptxas -v -arch=sm_80 %t.with -o %t.1.cubin 2>&1 | grep -o 'Used .* registers' >%t.1
// RUN: /usr/local/cuda/bin/ptxas -v -arch=sm_80 %t.without -o %t.2.cubin 2>&1 | grep -o 'Used .* registers' >%t.2
// RUN: cmp %t.1 %t.2
__attribute__((global)) void copy(const float *in, float *out)
{
    int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
    out[i] = in[i];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
