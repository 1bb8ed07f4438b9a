// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Groups that wait all the time: one work-item of each hops along a chain, each group along a part of its own, while the others wait at a
 * barrier and the group holds so many bytes of local memory. As long as an SM holds all groups they take as long as one.
 */
enum { PLACES = 65536, WORDS = 64 /* of a place */, PART = 64 * 1237 /* places */, PARTS = 1021 /* prime */ };
#define HOPS                                                                                                    \
    size_t at = (size_t)(in + (get_group_id(0) % PARTS * PART & (PLACES - 1)) * WORDS);                                \
    if (get_local_id(0) == 0)                                                                                          \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++) at = *(global ulong *)at;               \
    barrier(CLK_LOCAL_MEM_FENCE);

#define HOLDS(bytes)                                                                                                   \
    kernel void holds_##bytes(global ulong *in, global ulong *out, int count, int unused)                               \
    {                                                                                                                  \
        local uint held[bytes / 4];                                                                                    \
        held[get_local_id(0)] = count;                                                                                 \
        HOPS                                                                                                       \
        out[get_global_id(0)] = at + held[get_local_size(0) - 1 - get_local_id(0)];                                    \
    }
HOLDS(4096)
HOLDS(5120)
HOLDS(6144)
HOLDS(7680)
HOLDS(10240)
HOLDS(12288)
HOLDS(16384)
HOLDS(20480)
HOLDS(24576)
HOLDS(32768)
HOLDS(40960)
HOLDS(49152)

kernel void waits(global ulong *in, global ulong *out, int count, int unused)
{
    HOPS
    out[get_global_id(0)] = at;
}
