/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * NVIDIA's rule, as its driver 580.159.04 was seen to work on an H200: kernels that store their own get_local_size(),
 * launched with 834 ranges of one to three dimensions each (bench/gpu/results/h200/layer/rule.csv, which
 * test_nvidia_rule.c compares with, as it does the launches in summary.csv).
 *
 * 1. x takes the largest divisor of its range up to 256, and no other dimension takes anything.
 * 2. A range that has none but 1, a prime beyond 256, is one group where the kernel can run so large a one, else it is
 * cut into single work-items.
 *
 * Not seen: ranges with a divisor of 2 to 46 and none between it and 256, such as 514 = 2 x 257. They are taken to
 * follow the first line.
 */
#include "runtime/driver_rule.h"

#include "support/divisor.h"

enum { MOST_OF_A_DIVISOR = 256 };

void gp_nvidia_local_size(uint64_t most_items, const uint64_t global[3], uint32_t local[3])
{
    uint64_t range = global[0] > 0 ? global[0] : 1;
    uint64_t x = gp_largest_divisor(range, most_items < MOST_OF_A_DIVISOR ? most_items : MOST_OF_A_DIVISOR);
    local[0] = (uint32_t)(x == 1 && range <= most_items ? range : x);
    local[1] = local[2] = 1;
}
