/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/coalesced_misses.h"

#include <math.h>
#include <stdlib.h>

#include "model/observe/same_place.h"

struct gp_walked gp_walked(double step, double width, double line)
{
    bool walks = step >= 0 && step < line;
    return (struct gp_walked){walks ? fmin(1, step / width) : 1, walks ? fmax(1, step / width) : 1};
}

/* What a buffer's loads bring to L1, ask for anew once coalesced and then go over, bytes; how many requests bring the
 * former, and what these wait for DRAM. Later passes are as the first. */
struct brought {
    double entering, asked, walked, misses, dram_latency;
};

/* Of a buffer's loads as they are: bytes that they bring, that coalesced ones would, lines found lost that another loop
 * had brought, and the sum of what the warp had brought meanwhile. */
struct passes {
    double moved, asked, lost, since;
};

/* Bytes of a coalesced request. */
static double ideal_bytes(const struct gp_memory_work *m)
{
    return m->transactions > 0 ? m->bytes * fmin(1, m->ideal.transactions / m->transactions) / m->requests : 0;
}

/* What L1 had in the iteration before and has lost is not among what enters. */
static double stayed(const struct gp_memory_work *m)
{
    return m->l2_bytes > 0 ? fmin(1, m->reuse.stayed_bytes / m->l2_bytes) : 0;
}

static void add_pass(struct passes *p, const struct gp_memory_work *m)
{
    p->moved += m->l2_bytes;
    p->asked += m->reuse.asked_anew * ideal_bytes(m);
    p->lost += m->reuse.lost;
    p->since += m->reuse.since;
}

/* What a warp brings between two passes shrinks with what the buffer's own loads bring. */
static double shrinks(const struct passes *p) { return p->moved > 0 ? fmin(1, p->asked / p->moved) : 1; }

/* L1 has lost what one loop brought when the next one comes, coalesced as they are. */
static bool is_lost_between(const struct gp_l1_fill *fill, const struct passes *p)
{
    return p->lost > 0 && p->since / p->lost * shrinks(p) > fill->held;
}

static void add_brought(struct brought *b, const struct gp_memory_work *m)
{
    b->entering += (1 - stayed(m)) * m->l2_bytes;
    b->misses += (1 - stayed(m)) * m->misses;
    b->dram_latency += m->dram_latency;
    b->asked += m->reuse.asked_anew * ideal_bytes(m);
    b->walked += m->reuse.walked_over * ideal_bytes(m);
}

/* Of what it asks for anew the part that is not there, in bytes that L2 sends for each. What enters is used, if not by
 * this load by others of the buffer: coalesced, each brings its own part. */
static double part_entering(const struct brought *b) { return b->asked > 0 ? fmin(1, b->entering / b->asked) : 0; }
static double sent_for_each(const struct brought *b)
{
    return b->asked > 0 ? fmin(b->entering, b->walked) / b->asked : 0;
}

/* later: the first pass waited for DRAM. */
static void repair(const struct gp_l1_fill *fill, double hit, const struct brought *b, struct gp_memory_work *m,
                   bool later)
{
    double entering = m->reuse.asked_anew * part_entering(b);
    double misses = fmax((1 - stayed(m)) * m->misses, entering), dram = m->dram_latency,
           more = m->reuse.waited > m->misses ? fmax(0, misses - m->reuse.waited) : misses - m->misses;
    if (!later && b->misses > 0 && (more > 0 || m->reuse.stayed_bytes > 0))
        dram = fmax(dram, entering * fmin(fill->dram_latency - fill->l2_latency, b->dram_latency / b->misses));
    m->ideal.latency +=
        more * (fill->l2_latency - hit + (ideal_bytes(m) - fill->line) / fill->port) + dram - m->dram_latency;
    m->ideal.dram_latency = dram;
    m->ideal.misses = misses;
    if (m->reuse.asked_anew > 0)
        m->ideal.l2_bytes = m->reuse.asked_anew * ideal_bytes(m) * sent_for_each(b);
}

/* Coalesced, a load of a later pass finds lost all that the pass before brought: not only where it comes to a line
 * first, with those behind it in the iteration under way. */
static void come_again(const struct passes *p, struct gp_memory_work *m, bool later)
{
    m->ideal.again = later ? m->ideal.misses : fmin(m->reuse.again, m->ideal.misses);
    m->ideal.lost = later ? p->lost : m->reuse.lost;
    m->ideal.since = (later ? p->since : m->reuse.since) * shrinks(p);
}

/* What an earlier load of the same place asked for is there: in the same iteration, or where L1 holds it till the later
 * loop comes. */
static bool is_there(const struct gp_l1_access *before, const struct gp_l1_access *access, bool lost_between)
{
    return before->loop == access->loop || !lost_between;
}

/* By place, those that L1 may serve. */
static uint32_t sorted_loads(const struct gp_l1_access *access, struct gp_memory_work *memory, uint32_t count,
                             struct gp_memory_work **loads)
{
    uint32_t found = 0;
    for (uint32_t m = 0; m < count; m++)
        if (access[m].hit > 0 && memory[m].requests > 0)
            loads[found++] = &memory[m];
    qsort(loads, found, sizeof *loads, gp_by_place);
    return found;
}

/* Whether one that is executed so much less often, as a load in front of a loop, is no pass over the same bytes; what
 * is unrolled by sixteen is. */
static bool is_far_rarer(const struct gp_memory_work *before, const struct gp_memory_work *m)
{
    return m->requests > 16 * before->requests;
}

/* An earlier loop's over the same rows, wherever in a line it begins; NULL: there is none. */
static const struct gp_memory_work *earlier_pass(const struct gp_l1_fill *fill, const struct gp_l1_access *access,
                                                 const struct gp_memory_work *memory, const struct gp_memory_work *m)
{
    for (const struct gp_memory_work *before = memory; before < m; before++) {
        double apart = fabs((double)(int64_t)(before->shape.first_offset - m->shape.first_offset));
        if (before->buffer == m->buffer && before->shape.first_symbol == m->shape.first_symbol &&
            before->shape.stride == m->shape.stride && apart < fill->line && access[before - memory].hit > 0 &&
            access[before - memory].loop != access[m - memory].loop && !is_far_rarer(before, m))
            return before;
    }
    return NULL;
}

/* Whether it is of a later pass; what is there it need not ask for. */
static bool comes_later(const struct gp_l1_fill *fill, const struct gp_l1_access *access,
                        const struct gp_memory_work *memory, const struct gp_memory_work *before,
                        struct gp_memory_work *m, bool lost_between)
{
    if (!gp_is_at_one_place(before, m))
        return false;
    if (is_far_rarer(before, m))
        before = earlier_pass(fill, access, memory, m);
    if (before == NULL)
        return false;
    if (is_there(&access[before - memory], &access[m - memory], lost_between))
        m->reuse.asked_anew = 0;
    return m->reuse.asked_anew > 0;
}

static void repair_loads(const struct gp_l1_fill *fill, const struct gp_l1_access *access,
                         struct gp_memory_work *memory, struct gp_memory_work **loads, uint32_t count,
                         struct brought *brought, struct passes *passes, bool *later)
{
    for (uint32_t i = 0; i < count; i++)
        add_pass(&passes[loads[i]->buffer], loads[i]);
    for (uint32_t i = 0; i < count; i++)
        later[i] = i > 0 && comes_later(fill, access, memory, loads[i - 1], loads[i],
                                        is_lost_between(fill, &passes[loads[i]->buffer]));
    for (uint32_t i = 0; i < count; i++)
        if (!later[i])
            add_brought(&brought[loads[i]->buffer], loads[i]);
    for (uint32_t i = 0; i < count; i++) {
        repair(fill, access[loads[i] - memory].hit, &brought[loads[i]->buffer], loads[i], later[i]);
        come_again(&passes[loads[i]->buffer], loads[i], later[i]);
    }
}

void gp_repair_misses(const struct gp_l1_fill *fill, const struct gp_l1_access *access, struct gp_memory_work *memory,
                      uint32_t count, uint32_t buffer_count)
{
    struct gp_memory_work **loads = malloc((count + 1) * sizeof *loads);
    struct brought *brought = calloc(buffer_count + 1, sizeof *brought);
    struct passes *passes = calloc(buffer_count + 1, sizeof *passes);
    bool *later = calloc(count + 1, sizeof *later);
    repair_loads(fill, access, memory, loads, sorted_loads(access, memory, count, loads), brought, passes, later);
    free(loads);
    free(brought);
    free(passes);
    free(later);
}
