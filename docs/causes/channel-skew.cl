// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A transpose through a padded tile in groups of 32x8: tiles in order, or along diagonals (Ruetsch, Micikevicius 2009). */
#define TRANSPOSE(NAME, COLUMN, ROW) \
    kernel __attribute__((reqd_work_group_size(32, 8, 1))) void NAME(global float *restrict out, \
                                                                     global const float *restrict in, int n) \
    { \
        local float tile[32][33]; \
        int gx = COLUMN, gy = ROW; \
        int x = gx * 32 + get_local_id(0), y = gy * 32 + get_local_id(1); \
        for (int i = 0; i < 32; i += 8) \
            tile[get_local_id(1) + i][get_local_id(0)] = in[(y + i) * n + x]; \
        barrier(CLK_LOCAL_MEM_FENCE); \
        x = gy * 32 + get_local_id(0), y = gx * 32 + get_local_id(1); \
        for (int i = 0; i < 32; i += 8) \
            out[(y + i) * n + x] = tile[get_local_id(0)][get_local_id(1) + i]; \
    }
TRANSPOSE(faulty, get_group_id(0), get_group_id(1))
TRANSPOSE(repaired, (get_group_id(0) + get_group_id(1)) % get_num_groups(0), get_group_id(0))
