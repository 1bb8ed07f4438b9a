// A range that is rounded up: of 256 work-items in a row a guard lets 80 pass. They are as many whatever the local size, also where no group from the middle of
// the range has one (4x240), or a group's sampled vectors might all lie behind the guard (256x8): such sizes seemed to take half of the time.
// RUN: %gpuperf predict --warm --device pocl-cpu --local 8x360,256x8,4x240 --global 256x720 --arg cols=80 --arg rows=720 --arg step=1280 %s | FileCheck %s
// CHECK: repeat on pocl-cpu
// CHECK: 8x360 {{.*}} best
// CHECK-DAG: 4x240
// CHECK-DAG: 256x8
kernel void repeat(global const uchar *source, global uchar *out, int step, int rows, int cols)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < cols) {
        uchar16 v = *(global const uchar16 *)(source + y * step + x * 16);
        *(global uchar16 *)(out + y * step * 2 + x * 16) = v;
        *(global uchar16 *)(out + y * step * 2 + (x + cols) * 16) = v;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
