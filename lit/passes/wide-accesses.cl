// The optimiser takes wide loads apart where elements are used one by one; code generators join accesses side by side again, where the
// alignment allows: so does the analysed copy. The place is that of an element's use.
// RUN: %cl -w -fplugin-arg-gpuperf-profile=%t.gpuperf -c %s -o %t.bc
// RUN: %gpuperf dis %t.gpuperf | FileCheck %s
// CHECK-LABEL: kernel "rows"
// CHECK: load {{.*}} in local 4x4 align 16 base local.tile : memory at {{[0-9]+}} {{ *}}; wide-accesses.cl:15:
// CHECK-NOT: in local 4x1
kernel void rows(global float *out, global const float4 *in)
{
    local float4 tile[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[get_global_id(1) * 1024 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < 16; k++) { float4 v = tile[k][x]; sum += v.x * v.y + v.z * v.w; }
    out[get_global_id(1) * 1024 + get_global_id(0)] = sum;
}
// Neighbours of which no alignment is known stay apart.
// CHECK-LABEL: kernel "apart"
// CHECK-COUNT-2: load {{.*}} in local 4x1 align 4
kernel void apart(global float *out, global const float *in)
{
    local float tile[65];
    int x = get_local_id(0);
    tile[x] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[x] + tile[x + 1];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
