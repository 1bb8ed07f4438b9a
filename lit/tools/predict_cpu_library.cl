// Functions that a CPU's library computes take what they were measured to take, one work-item after the other; exp is in line, among the vectors.
// RUN: %gpuperf predict --device pocl-cpu --warm --kernel error --terms --global 1048576 --local 256 %s | FileCheck --check-prefix=ERF %s
// RUN: %gpuperf predict --device pocl-cpu --warm --kernel exponential --terms --global 1048576 --local 256 %s | FileCheck --check-prefix=EXP %s
// ERF: computing {{ *}}{{1[01][0-9](\.[0-9]+)?}} cycles
// EXP: computing {{ *}}{{[23](\.[0-9]+)?}} cycles
kernel void error(global const float *in, global float *out)
{
    int i = get_global_id(0);
    out[i] = erf(in[i]);
}

kernel void exponential(global const float *in, global float *out)
{
    int i = get_global_id(0);
    out[i] = exp(in[i]);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
