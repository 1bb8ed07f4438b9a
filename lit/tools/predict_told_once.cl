// A loop of a function that is called several times is told once.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// CHECK-COUNT-1: note {{.*}}predict_told_once.cl:8:5: this loop's number of iterations is in 'row'
// CHECK-NOT: how often
float sum_of(global const float *in, int first, int last)
{
    float sum = 0;
    for (int i = first; i < last; i++)
        sum += in[i];
    return sum;
}

kernel void both(global const float *in, global const int *row, global float *out)
{
    int i = get_global_id(0);
    float sum = sum_of(in, row[i], row[i + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = sum * sum_of(in, row[i + 2], row[i + 3]);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
