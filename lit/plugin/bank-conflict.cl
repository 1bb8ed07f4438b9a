// Without padding a column of a 32 x 32 tile of floats lies in one bank.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | FileCheck %s

#define TILE 32

__attribute__((reqd_work_group_size(TILE, TILE, 1)))
kernel void transpose_tiled(global const float *in, global float *out, int width, int height)
{
    local float tile[TILE][TILE];
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[get_global_id(1) * width + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = get_group_id(1) * TILE + lx, y = get_group_id(0) * TILE + ly;
// CHECK-NOT: warning:
// CHECK: bank-conflict.cl:[[@LINE+2]]:{{[0-9]+}}: warning: {{.*}}32-way bank conflict{{.*}} of predicted time on a100 ({{[0-9.]+}}x faster without conflicts) [gpuperf-bank-conflict]
// CHECK-NOT: warning:
    out[y * height + x] = tile[lx][ly];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
