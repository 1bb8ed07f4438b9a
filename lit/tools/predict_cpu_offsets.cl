// Offsets from memory move all neighbours alike: on a CPU the lines of each tap are taken one after the other, wherever they begin, and no misses of all in one set are promised away.
// RUN: %gpuperf predict --device pocl-cpu --global 1048576 --local 256 --arg taps=16 %s | FileCheck %s
// CHECK: 256{{ .*}} {{latency|issue}} best
// CHECK-NOT: {{[0-9][0-9]\.[0-9]+x}}
kernel void gather(global const float *in, global const int *offset, global float *out, int taps)
{
    int i = get_global_id(0);
    float s = 0;
    for (int k = 0; k < taps; k++)
        s += in[i + offset[k]];
    out[i] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
