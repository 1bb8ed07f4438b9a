// Indices that are loaded may go anywhere in a buffer of any size, and hide what else is slow, of which is told what it gains if L2 holds the buffer; where that is stated, rows across the lanes are what takes the time.
// RUN: %gpuperf predict --device a100 --local 256 --arg width=64 %s | FileCheck %s --check-prefix=ANY
// RUN: %gpuperf predict --device a100 --local 256 --arg width=64 --arg x=4194304 %s | FileCheck %s
// RUN: %gpuperf predict --model trace --device a100 --local 256 --arg width=64 --arg x=4194304 %s | FileCheck %s
// RUN: not %gpuperf predict --device a100 --arg x=4MB %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// ANY: {{ +0% +1.00x .*}}: uncoalesced global load: {{.*}}; {{[12].[0-9]+}}x if 'x' fits L2
// ANY: rest on guesses
// CHECK: launch {{.*}}x=4194304
// CHECK: uncoalesced global load: 32 transactions per warp, stride 256 bytes
// NUMBER: gpuperf: '4MB' is no number of bytes for the buffer 'x'
kernel void rows(global const int *column, global const float *value, global const float *x, global float *y, int width)
{
    int row = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < width; k++)
        sum += value[row * width + k] * x[column[row * width + k]];
    y[row] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
