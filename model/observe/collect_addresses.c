/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* On how many addresses and lines of L2 atomics fall. */
#include "model/observe/collect_internal.h"

#include <math.h>
#include <stdlib.h>

#include "support/divisor.h"
#include "support/saturate.h"

static double line_of_l2(const struct gp_collector *c)
{
    return c->device->l2_line.value > 0 ? c->device->l2_line.value : c->line.bytes;
}

/* Lines of L2 that a request asks for: of lanes that fall anywhere within a bound, some into one. */
double gp_collector_asked_lines(struct gp_collector *c, const struct gp_access *access, const struct gp_request *r)
{
    const struct gp_scatter *bound = gp_scatter_of(c->touch.bounds, c->kernel, access->memory);
    return r->guessed && bound->known
               ? gp_min(r->lines, gp_expected_distinct(ceil(bound->bytes / line_of_l2(c)), gp_lanes_in(access->active)))
               : r->lines;
}

void gp_collector_note_spots(struct spots *s, const struct gp_access *access)
{
    for (gp_mask rest = s->scattered ? 0 : access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        if (!s->seen)
            *s = (struct spots){.seen = true, .symbol = access->symbol[lane], .first = gp_access_offset(access, lane)};
        if (access->symbol[lane] == GP_SYMBOL_UNKNOWN || access->symbol[lane] != s->symbol) {
            s->scattered = true;
            return;
        }
        int64_t from_first = (int64_t)(gp_access_offset(access, lane) - s->first);
        s->low = from_first < s->low ? from_first : s->low;
        s->high = from_first > s->high ? from_first : s->high;
        s->step = gp_greatest_common_divisor(s->step, (uint64_t)gp_size_of(from_first));
        if (access->uniform)
            return;
    }
}

void gp_collector_addresses(struct gp_collector *c, uint32_t memory, struct gp_memory_work *m)
{
    m->atomics.addresses = m->atomics.lines = m->atomics.highest = INFINITY;
    m->atomics.lowest = -INFINITY;
    m->atomics.keeps = (c->kernel->memory[memory].flags & GP_MEMORY_KEEPS) != 0;
    if (m->atomics.operations <= 0)
        return;
    const struct spots *s = &c->touch.spots[memory];
    const struct gp_scatter *bound = gp_scatter_of(c->touch.bounds, c->kernel, memory);
    double line = line_of_l2(c);
    bool seen = s->seen && !s->scattered;
    if (seen) {
        m->atomics.addresses = s->step == 0 ? 1 : (double)(s->high - s->low) / (double)s->step + 1;
        m->atomics.lines = floor((double)(s->high - s->low) / line) + 1;
        m->atomics.lowest = (double)((int64_t)s->first + s->low);
        m->atomics.highest = (double)((int64_t)s->first + s->high);
    }
    if (bound->known) {
        m->atomics.addresses = gp_min(m->atomics.addresses, (double)bound->addresses);
        m->atomics.lines = gp_min(m->atomics.lines, ceil(bound->bytes / line));
    }
    m->atomics.lines = gp_min(m->atomics.lines, m->atomics.addresses);
}
