// Look-ups in local memory that data decides meet in banks by chance. A copy of the table in each bank is what is told of, with what it takes to write them and to hold them; the copies' look-ups
// are known not to meet, although nobody knows their rows.
// RUN: %gpuperf predict --device rtx3090,w6600 --global 16777216 --local 256 --arg rounds=400 --json %s > %t.json
// RUN: %python %S/Inputs/told_gain.py %t.json table copies 0.1 bank-conflict
// RUN: %gpuperf predict --device a100 --global 16777216 --local 256 --arg rounds=400 %s | FileCheck %s
// CHECK: look-ups in 't' that data decides: 3.5 passes per warp on average instead of 1
// CHECK-NEXT: a copy of the table in each bank: work-items 32 apart use the same one (32 KB of each group instead of 1)
// CHECK: copies on a100
// CHECK-NOT: bank-conflict

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
