// Look-ups in local memory that data decides meet in banks by chance. A copy of the table in each bank is what is told of, with what it takes to write them and to hold them; the copies' look-ups
// are known not to meet, although nobody knows their rows.
// RUN: %gpuperf predict --device rtx3090,w6600 --global 16777216 --local 256 --arg rounds=400 --json %s > %t.json
// RUN: %python %S/Inputs/told_gain.py %t.json table copies 0.2 bank-conflict
// RUN: %gpuperf predict --device a100 --global 16777216 --local 256 --arg rounds=400 %s | FileCheck %s
// CHECK: look-ups in 't' that data decides: 3.5 passes per warp on average instead of 1
// CHECK-NEXT: a copy of the table in each bank: work-items 32 apart use the same one (32 KB of each group instead of 1)
// CHECK: copies on a100
// CHECK-NOT: bank-conflict
// CHECK: four_tables on a100

// Copies of 128 KB leave an A100 one group, of 8 warps where it is as large as here: they are worth it in a larger one.
// RUN: %gpuperf predict --device a100 --kernel four_tables --local 256 --arg rounds=14 %s | FileCheck %s --check-prefix=LARGER
// LARGER: 1.{{[6-9]}}{{[0-9]}}x {{.*}} look-ups in 't' that data decides
// LARGER-NEXT: (128 KB of each group instead of 4), in groups of 1024 work-items; of 256 as here: {{0.9|1.0}}{{[0-9]}}x

kernel void table(global const uint *restrict in, global uint *restrict out, global const uint *restrict values, int rounds)
{
    local uint t[256];
    for (int i = get_local_id(0); i < 256; i += get_local_size(0))
        t[i] = values[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint v = in[get_global_id(0)];
    for (int r = 0; r < rounds; r++)
        v = t[v & 255] ^ rotate(t[v >> 8 & 255], 8u) ^ t[v >> 16 & 255] ^ t[v >> 24] ^ r;
    out[get_global_id(0)] = v;
}

kernel void copies(global const uint *restrict in, global uint *restrict out, global const uint *restrict values, int rounds)
{
    local uint t[256 * 32];
    const uint c = get_local_id(0) % 32;
    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) {
        uint x = values[i];
        for (uint k = 0; k < 32; k++)
            t[i * 32 + (k + c) % 32] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint v = in[get_global_id(0)];
    for (int r = 0; r < rounds; r++)
        v = t[(v & 255) * 32 + c] ^ rotate(t[(v >> 8 & 255) * 32 + c], 8u) ^ t[(v >> 16 & 255) * 32 + c] ^ t[(v >> 24) * 32 + c] ^ r;
    out[get_global_id(0)] = v;
}

kernel void four_tables(global const uint4 *restrict in, global uint4 *restrict out, global const uint *restrict keys, global const uint *restrict values, int rounds)
{
    local uint t[1024];
    for (int i = get_local_id(0); i < 1024; i += get_local_size(0))
        t[i] = values[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint4 s = in[get_global_id(0)];
    for (int r = 1; r < rounds; r++) {
        uint4 n;
        n.x = t[s.x >> 24] ^ t[256 + (s.y >> 16 & 255)] ^ t[512 + (s.z >> 8 & 255)] ^ t[768 + (s.w & 255)] ^ keys[4 * r];
        n.y = t[s.y >> 24] ^ t[256 + (s.z >> 16 & 255)] ^ t[512 + (s.w >> 8 & 255)] ^ t[768 + (s.x & 255)] ^ keys[4 * r + 1];
        n.z = t[s.z >> 24] ^ t[256 + (s.w >> 16 & 255)] ^ t[512 + (s.x >> 8 & 255)] ^ t[768 + (s.y & 255)] ^ keys[4 * r + 2];
        n.w = t[s.w >> 24] ^ t[256 + (s.x >> 16 & 255)] ^ t[512 + (s.y >> 8 & 255)] ^ t[768 + (s.z & 255)] ^ keys[4 * r + 3];
        s = n;
    }
    out[get_global_id(0)] = s;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
