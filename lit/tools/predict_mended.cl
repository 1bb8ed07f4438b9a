// The gain told for constants without an f, and for powers, is what changing them brings.
// RUN: %gpuperf predict --device a100,rtx3090 --local 256 --json %s > %t.json
// RUN: %python %S/Inputs/told_gain.py %t.json with_double with_single 0.05
// RUN: %python %S/Inputs/told_gain.py %t.json with_powers with_products 0.05
// RUN: %gpuperf predict --device gtx280 --model trace --local 256 --json %s > %t.trace.json
// RUN: %python %S/Inputs/told_gain.py %t.trace.json with_powers with_products 0.25
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define LOOP(NAME, EXPRESSION)                      \
    kernel void NAME(global float *x)               \
    {                                               \
        float v = x[get_global_id(0)];              \
        for (int i = 0; i < 64; i++)                \
            v = EXPRESSION;                         \
        x[get_global_id(0)] = v;                    \
    }

LOOP(with_double, v * 0.999 + 1.0)
LOOP(with_single, v * 0.999f + 1.0f)
LOOP(with_powers, pow(v, 3.0f))
LOOP(with_products, v * v * v)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
