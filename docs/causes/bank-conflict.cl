// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A transpose through a tile of local memory, in groups of 32x8: rows of 32 floats, or padded to 33. */
#define TRANSPOSE(NAME, PITCH) \
    kernel void NAME(global float *restrict out, global const float *restrict in, int width, int height) \
    { \
        local float tile[32][PITCH]; \
        int x = get_group_id(0) * 32 + get_local_id(0), y = get_group_id(1) * 32 + get_local_id(1); \
        for (int i = 0; i < 32; i += 8) \
            tile[get_local_id(1) + i][get_local_id(0)] = in[(y + i) * width + x]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        x = get_group_id(1) * 32 + get_local_id(0), y = get_group_id(0) * 32 + get_local_id(1); \
        for (int i = 0; i < 32; i += 8) \
            out[(y + i) * height + x] = tile[get_local_id(0)][get_local_id(1) + i]; \
    }
TRANSPOSE(faulty, 32)
TRANSPOSE(repaired, 33)
