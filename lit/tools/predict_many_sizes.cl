// Where one prediction takes as long as hundreds do else, some of the local sizes that nobody asked for stand for all; a note that holds for all names none.
// RUN: %gpuperf predict --device a100 --kernel random %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --kernel ends %s | FileCheck --check-prefix=ALL %s

// CHECK: note       {{[0-9]|[1-4][0-9]}} of {{[2-9][0-9]}} local sizes were looked at, spread evenly, since each takes long
// CHECK-NEXT: note       all local sizes: a warp is not followed to its end
kernel void random(global const float *in, global float *out)
{
    unsigned i = get_global_id(0), x = get_global_id(1);
    float s = 0;
    while (x != 4000000000u) {
        x = x * 1664525 + 1013904223;
        s += in[x & 255] + in[x >> 4 & 511] + in[x >> 8 & 1023] + in[x >> 12 & 2047];
    }
    out[i] = s;
}

// ALL-NOT: local sizes were looked at
kernel void ends(global float *out)
{
    out[get_global_id(0) + get_global_id(1)] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
