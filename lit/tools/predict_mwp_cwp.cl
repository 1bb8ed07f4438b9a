/*
 * Hong & Kim's model by name: the best size's MWP, CWP and cycles per instruction stand below the table.
 *
 * RUN: %gpuperf predict --device fx5600 --model mwp-cwp --local 16x16 %s | FileCheck %s
 * CHECK: transpose on fx5600
 * CHECK: With local 16x16: MWP {{[1-9][0-9.]*}}, CWP {{[1-9][0-9.]*}}, {{[0-9.]+}} cycles per warp instruction
 * CHECK: uncoalesced global store: 32 transactions per warp
 *
 * RUN: %gpuperf predict --json --device gtx280 --model mwp-cwp --local 16x16 %s | FileCheck %s --check-prefix=JSON
 * JSON: "model": "mwp-cwp"
 * JSON: "mwp": {{[1-9]}}
 * JSON: "cwp": {{[1-9]}}
 * JSON: "cpi": {{[0-9]}}
 *
 * RUN: %clang -x cl -cl-std=CL1.2 -O2 -target spir64 -emit-llvm -c -o /dev/null -fplugin-arg-gpuperf-device=gtx280 -fplugin-arg-gpuperf-model=mwp-cwp %s 2>&1 | FileCheck %s --check-prefix=WARN
 * WARN: warning: uncoalesced global store
 *
 * RUN: not %gpuperf predict --device pocl-cpu --model mwp-cwp %s 2>&1 | FileCheck %s --check-prefix=CPU
 * CPU: gpuperf: the model 'mwp-cwp' is one of GPUs; pocl-cpu takes auto or throughput
 */
__kernel void transpose(__global float *out, __global const float *in, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
