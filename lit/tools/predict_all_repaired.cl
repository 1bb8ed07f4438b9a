// With conversions gone the FP32 lanes are the busiest, and sines as wide as these would take longer than on their own path: all repaired is no less than the best repair alone.
// RUN: %gpuperf predict --device a100 --local 64 --global 64x2048 --arg n=1500 --arg width=1024 --json %s | FileCheck %s
// CHECK: "cause": "throughput"
// CHECK: "speedup": [[BEST:1\.[0-9]+]]
// CHECK: "all_speedup": [[BEST]]
kernel void rows(global const float *a, global float *out, int n, int width)
{
    int y = get_global_id(1), x = get_global_id(0);
    if (y >= n)
        return;
    float s = 0;
    for (int k = 0; k < width; k++)
        s += a[y * width + k] * native_sin((float)(k + x));
    out[y * get_global_size(0) + x] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
