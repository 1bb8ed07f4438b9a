// AMD's loads and stores of up to four words need to be aligned as one word is: neighbours are read and written together, though nobody knows where a row begins. Ids are
// numbers of few bits to those who compile for the device, so that (int)(4 * id + 1) is next to (int)(4 * id). Elsewhere they stay apart.
// RUN: %cl -w -fplugin-arg-gpuperf-builtins=early -fplugin-arg-gpuperf-device=mi50 -fplugin-arg-gpuperf-profile=%t.amd -c %s -o %t.bc && %gpuperf dis %t.amd | FileCheck %s
// RUN: %cl -w -fplugin-arg-gpuperf-builtins=early -fplugin-arg-gpuperf-device=mi50,a100 -fplugin-arg-gpuperf-profile=%t.both -c %s -o %t.bc && %gpuperf dis %t.both | FileCheck %s --check-prefix=APART
// CHECK-LABEL: kernel "quads"
// CHECK: load {{.*}} in global 4x4 align 4 base $in
// CHECK: store {{.*}} in global 4x4 align 4 base $out
// APART-LABEL: kernel "quads"
// APART-COUNT-4: load {{.*}} in global 4x1 align 4 base $in
kernel void quads(global float *restrict out, global const float *restrict in, int pitch)
{
    int x = get_local_id(0) * 4, y = get_group_id(0);
    for (int i = 0; i < 4; i++)
        out[y * pitch + x + i] = 2 * in[y * pitch + x + i];
}
// In work-group memory LLVM knows best, for SPIR-V the alignment decides.
// CHECK-LABEL: kernel "local_ones"
// CHECK-COUNT-2: load {{.*}} in local 4x1 align 4
kernel void local_ones(global float *out, global const float *in)
{
    local float tile[65];
    int x = get_local_id(0);
    tile[x] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[x] + tile[x + 1];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
