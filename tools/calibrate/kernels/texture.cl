// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Chases whose words are offsets and stay so: an address is the buffer's and one of them, through which compilers see that memory is read only
 * (restrict) and take the path of textures; and the same where it may be written to. Eight hops a turn.
 */
#define HOP at = *(global const ulong *)((global const char *)words + at);
#define CHASE(name, restrict)                                                                                          \
    kernel void name(global const ulong *restrict words, global ulong *restrict out, int count, int unused)            \
    {                                                                                                                  \
        ulong at = 0;                                                                                                  \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)                                         \
        {                                                                                                              \
            HOP HOP HOP HOP HOP HOP HOP HOP                                                                            \
        }                                                                                                              \
        out[get_local_id(0)] = at;                                                                                     \
    }
CHASE(chase_read_only, restrict)
CHASE(chase_offsets, )
