// What data picks from a vector of unknown size is taken to come from DRAM, and hides that the rows of the matrix are uncoalesced in any case: told with what mending it gains if the vector fits L2.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s --check-prefix=TABLE
// RUN: %gpuperf predict --device a100 --local 256 --json %s | FileCheck %s --check-prefix=JSON
// RUN: %gpuperf predict --device a100 --local 256 --arg x=4194304 %s | FileCheck %s --check-prefix=STATED

// CHECK: unknown-size.cl:[[#@LINE+16]]:{{[0-9]+}}: warning: uncoalesced global load: 32 transactions per warp, stride 4096 bytes along dimension 0; {{.*}}2.{{[0-9]}}x faster if coalesced, if 'x' fits L2 [gpuperf-uncoalesced]

// TABLE: DRAM {{9[0-9]|100}}%
// TABLE: {{ +}}0% 1.00x {{.*}}: uncoalesced global load: {{.*}}; 2.{{[0-9]+}}x if 'x' fits L2

// JSON: "speedup_beside": 2.
// JSON: "beside": "if 'x' fits L2"

// STATED: {{ +}}5{{[0-9]}}% 2.{{[0-9]+}}x {{.*}}: uncoalesced global load: {{[^;]*$}}
kernel void multiply(global const float *val, global const int *col, global const float *x, global float *y, int rows, int width)
{
    int r = get_global_id(0);
    if (r >= rows)
        return;
    float s = 0;
    for (int j = 0; j < width; j++)
        s += val[r * width + j] * x[col[r * width + j]];
    y[r] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
