/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * L2 fetches more from DRAM at once than it hands to L1: l2_fetch bytes, of which a group may ask for one sector alone.
 * (On an H200 a load of every 16th float brings two sectors for each that it asks for: Nsight Compute,
 * dram__sectors_read.)
 */
#include "model/observe/collect_internal.h"

#include <string.h>

/* Lines of the fetch around a touched one that the group touches; 0: the touched one is not the first of these. */
static uint32_t touched_around(const struct gp_line_set *set, const struct gp_key *key, uint32_t together)
{
    uint64_t begin = key->number - key->number % together;
    uint32_t touched = 0;
    for (uint64_t line = begin; line < begin + together; line++) {
        bool is_touched = line == key->number || gp_line_set_has(set, key->symbol, line);
        if (is_touched && line < key->number)
            return 0;
        touched += is_touched;
    }
    return touched;
}

const struct gp_fetches *gp_collector_fetches(struct gp_collector *c)
{
    const struct gp_keyed_set *set = &c->touch.lines.lines;
    uint32_t together = (uint32_t)(c->device->l2_fetch.value / c->line.bytes);
    memset(c->touch.fetches, 0, c->buffer_count * sizeof *c->touch.fetches);
    if (together < 2)
        return c->touch.fetches;
    for (uint32_t i = 0; i < set->used; i++) {
        const struct gp_line *line = (const struct gp_line *)gp_keyed_set_at(set, sizeof *line, i);
        struct gp_fetches *fetches = &c->touch.fetches[c->code.buffer_of[line->memory]];
        uint32_t touched = touched_around(&c->touch.lines, &line->key, together);
        fetches->lines += touched;
        fetches->beside += touched > 0 ? together - touched : 0;
    }
    return c->touch.fetches;
}
