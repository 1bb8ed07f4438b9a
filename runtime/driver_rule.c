/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * PoCL's rule, as its local-size optimizer for CPU devices works since 0.14 (checked against PoCL 3.1 by running it):
 *
 * 1. Each dimension takes the largest divisor of its range that is a multiple of the grain, gcd(preferred multiple,
 * range), and not beyond the device's limit for that dimension.
 * 2. While the group is larger than the device allows: halve z, y or x where the half is still a multiple of the grain
 * and divides the range; else give up the dimension of the smallest grain; else any dimension.
 * 3. While there are fewer groups than compute units: divide z, y or x by compute units / groups, or by the next
 * smaller number that fits, as long as the group keeps 4 x the preferred multiple; else give up the smallest dimension
 * if the other two keep that.
 */
#include "runtime/driver_rule.h"

#include <stdbool.h>

#include "support/divisor.h"

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

struct shape {
    uint64_t global[3], local[3], grain[3];
};

static uint64_t items(const struct shape *s) { return s->local[0] * s->local[1] * s->local[2]; }

static uint64_t groups(const struct shape *s)
{
    return s->global[0] / s->local[0] * (s->global[1] / s->local[1]) * (s->global[2] / s->local[2]);
}

/* Divides one dimension, z first, if what remains is a multiple of its grain and divides its range. */
static bool divide(struct shape *s, uint64_t by)
{
    for (int d = 2; d >= 0; d--) {
        uint64_t part = s->local[d] / by;
        if (s->local[d] % by == 0 && part > 0 && part % s->grain[d] == 0 && s->global[d] % part == 0) {
            s->local[d] = part;
            return true;
        }
    }
    return false;
}

static void give_up_a_dimension(struct shape *s)
{
    for (int d = 2; d >= 0; d--) {
        int a = (d + 1) % 3, b = (d + 2) % 3;
        if (s->local[d] > 1 && s->grain[d] <= s->grain[a] && s->grain[d] <= s->grain[b]) {
            s->local[d] = 1;
            return;
        }
    }
    for (int d = 2; d >= 0; d--)
        if (s->local[d] > 1) {
            s->local[d] = 1;
            return;
        }
}

static bool give_up_the_smallest(struct shape *s, uint64_t least_items)
{
    for (int d = 2; d >= 0; d--) {
        int a = (d + 1) % 3, b = (d + 2) % 3;
        if (s->local[d] > 1 && s->local[d] <= s->local[a] && s->local[d] <= s->local[b] &&
            s->local[a] * s->local[b] >= least_items) {
            s->local[d] = 1;
            return true;
        }
    }
    return false;
}

static void spread_over_units(struct shape *s, uint64_t units, uint64_t least_items)
{
    for (;;) {
        uint64_t missing = units / groups(s);
        if (missing <= 1 || items(s) < missing * least_items)
            return;
        while (missing > 1 && !divide(s, missing))
            missing--;
        if (missing <= 1 && !give_up_the_smallest(s, least_items))
            return;
    }
}

void gp_pocl_local_size(const struct gp_driver_limits *limits, const uint64_t global[3], uint32_t local[3])
{
    uint64_t multiple = limits->preferred_multiple ? limits->preferred_multiple : 1;
    uint64_t max_group = limits->max_group ? limits->max_group : 1;
    struct shape s;
    for (int d = 0; d < 3; d++) {
        s.global[d] = global[d] ? global[d] : 1;
        s.grain[d] = gp_greatest_common_divisor(multiple, s.global[d]);
        uint64_t most = smaller(limits->max_sizes[d], s.global[d]);
        s.local[d] =
            d == 0 || most > 1 ? gp_largest_divisor(s.global[d] / s.grain[d], most / s.grain[d]) * s.grain[d] : 1;
    }
    while (items(&s) > max_group)
        if (!divide(&s, 2))
            give_up_a_dimension(&s);
    spread_over_units(&s, limits->compute_units, smaller(4 * multiple, max_group));
    for (int d = 0; d < 3; d++)
        local[d] = (uint32_t)s.local[d];
}
