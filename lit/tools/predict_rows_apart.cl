// Rows 16 apart, as of a wavelet without decimation: groups of one or eight rows share them with others further on, so that each row comes once, as of a stencil of
// neighbouring rows (256 MiB are read and as many written). Where 600 rows lie between, no L2 of 40 MB has the first when the last is asked for.

// RUN: %gpuperf predict --device a100 --cold --global 8192x8192 --local 256x1,32x8 --arg n=8192 --arg d=1 --json %s | FileCheck --check-prefix=ONCE %s
// RUN: %gpuperf predict --device a100 --cold --global 8192x8192 --local 256x1,32x8 --arg n=8192 --arg d=16 --json %s | FileCheck --check-prefix=ONCE %s
// RUN: %gpuperf predict --device a100 --cold --global 8192x8192 --local 256x1,32x8 --arg n=8192 --arg d=600 --json %s | FileCheck --check-prefix=THRICE %s

// ONCE: "time_ns": 40{{[0-9]{4}[.]}}
// ONCE: "time_ns": 40{{[0-9]{4}[.]}}
// THRICE: "time_ns": 76{{[0-9]{4}[.]}}
// THRICE: "time_ns": 76{{[0-9]{4}[.]}}

__kernel void column(__global const float *in, __global float *out, int n, int d)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[(y + d) * n + x] = 0.25f * in[y * n + x] + 0.5f * in[(y + d) * n + x] + 0.25f * in[(y + 2 * d) * n + x];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
