/*
 * The trace model by name: one SM simulated; what costs time is found by simulating again without it.
 *
 * RUN: %gpuperf predict --device mi250x --model trace --local 16x1 %s | FileCheck %s
 * CHECK: transpose on mi250x
 * CHECK: Bottlenecks with local
 * CHECK: uncoalesced global
 * CHECK: all but latency and bandwidth repaired: {{[1-9][0-9.]*}}x; the shares overlap and do not add up
 *
 * The same in JSON.
 * RUN: %gpuperf predict --device mi250x --model trace --local 16x1 %s > %t.txt
 * RUN: %gpuperf predict --json --device mi250x --model trace --local 16x1 %s > %t.json
 * RUN: %python %S/Inputs/check_all_speedup.py %t.txt %t.json | FileCheck %s --check-prefix=ALL
 * ALL: the table's and JSON's are the same
 * ALL: no sum of the single gains
 *
 * RUN: %gpuperf predict --json --device gtx280 --model trace --local 16x16 %s | FileCheck %s --check-prefix=JSON
 * JSON: "model": "trace"
 * JSON: "cause": "uncoalesced"
 *
 * RUN: not %gpuperf predict --device pocl-cpu --model trace %s 2>&1 | FileCheck %s --check-prefix=CPU
 * CPU: gpuperf: the model 'trace' is one of GPUs; pocl-cpu takes auto or throughput
 */
__kernel void transpose(__global const float *in, __global float *out, int width, int height)
{
    int column = get_global_id(0), row = get_global_id(1);
    if (column < width && row < height) out[column * height + row] = in[row * width + column];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
