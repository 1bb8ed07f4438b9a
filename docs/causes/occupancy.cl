// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Each work-item follows 16 links; its group holds 48 KB of local memory, or what it uses. */
#define FOLLOW(NAME, WORDS) \
    kernel void NAME(global uint *restrict out, global const uint *restrict links) \
    { \
        local uint scratch[WORDS]; \
        int item = get_local_id(0); \
        uint at = get_global_id(0); \
        for (int k = 0; k < 16; k++) \
            at = links[at]; \
        scratch[item] = at; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        out[get_global_id(0)] = scratch[item ^ 1]; \
    }
FOLLOW(faulty, 12 * 1024)
FOLLOW(repaired, 256)
