// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* What a work-group has of its own: local memory's banks, barriers; what it costs to start one; and atomics. */
enum { REACH = 2048, ROWS = 16, ROW = 64, TILE = REACH + ROWS * ROW };
#define FOUR(step) step step step step
#define SIXTEEN(step) FOUR(step) FOUR(step) FOUR(step) FOUR(step)

/* Sixteen loads a turn, work-items `stride` words apart, each load of another row. */
kernel void banks(global int *in, global int *out, int count, int stride)
{
    local int tile[TILE];
    for (int i = get_local_id(0); i < TILE; i += get_local_size(0))
        tile[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = get_local_id(0) * stride, sum = 0;
    for (int i = 0; i < count; i++) {
#pragma unroll
        for (int k = 0; k < ROWS; k++)
            sum += tile[(at + i & (REACH - 1)) + k * ROW];
    }
    out[get_global_id(0)] = sum;
}

/* A load, a store that waits for it, and a barrier. */
kernel void waits_for_banks(global int *in, global int *out, int count, int stride)
{
    local int tile[TILE], results[64];
    for (int i = get_local_id(0); i < TILE; i += get_local_size(0))
        tile[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = get_local_id(0) * stride;
    for (int i = 0; i < count; i++) {
        results[get_local_id(0)] = tile[at + i & (REACH - 1)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = results[get_local_size(0) - 1 - get_local_id(0)];
}

kernel void barriers(global int *in, global int *out, int count, int unused)
{
    local int tile[1];
    int x = get_global_id(0);
    for (int i = 0; i < count; i++) {
        if (x == -1)
            tile[0] = i;
        SIXTEEN(barrier(CLK_LOCAL_MEM_FENCE);)
        SIXTEEN(barrier(CLK_LOCAL_MEM_FENCE);)
    }
    out[get_global_id(0)] = x;
}

kernel void nothing(global int *in, global int *out, int count, int unused)
{
    if (count == -1)
        out[0] = 1;
}

/* All work-items on one word of global or of local memory: exchanges, which nobody joins beforehand. */
kernel void atomics_global(global int *in, global int *out, int count, int unused)
{
    int x = get_local_id(0);
    for (int i = 0; i < count; i++)
        x = atomic_xchg(out, x);
    out[1 + get_global_id(0)] = x;
}

kernel void atomics_local(global int *in, global int *out, int count, int unused)
{
    local int counter;
    int x = get_local_id(0);
    counter = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < count; i++)
        x = atomic_xchg(&counter, x);
    out[1 + get_global_id(0)] = x;
}
