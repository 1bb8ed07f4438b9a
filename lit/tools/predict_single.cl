// Single precision is another instruction for each: sequences that divide or take roots of doubles go with them, and so do a lone work-item's latencies. Told of is what rounds as well (OpenCL asks for less).
// RUN: %gpuperf predict --device rtx3090,a100 --global 65536 --local 128 --arg n=4096 --json %s > %t.json
// RUN: %python %S/Inputs/told_gain.py %t.json doubles floats 0.35

#define NEAR(NAME, TYPE)                                                                                 \
    kernel void NAME(global const TYPE *restrict x, global TYPE *restrict y, int n)                       \
    {                                                                                                    \
        TYPE own = x[get_global_id(0)], sum = 0;                                                          \
        for (int k = 0; k < n; k++) {                                                                    \
            TYPE d = x[k] - own, far = d * d + 1;                                                         \
            sum += d / (far * sqrt(far));                                                                \
        }                                                                                                \
        y[get_global_id(0)] = sum;                                                                       \
    }

NEAR(doubles, double)
NEAR(floats, float)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
