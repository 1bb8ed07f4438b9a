#include "model/work/mended_misses.h"

#include <math.h>
#include <stdlib.h>

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

struct gp_walked gp_walked(double step, double width, double line)
{
    bool walks = step >= 0 && step < line;
    return (struct gp_walked){walks ? fmin(1, step / width) : 1, walks ? fmax(1, step / width) : 1};
}

/* What a buffer's loads bring to L1, ask for anew once coalesced, bytes; how many requests bring the former, and what these wait for DRAM. */
struct brought { double entering, asked, misses, dram_latency; };

/* Bytes of a coalesced request. */
static double ideal_bytes(const struct gp_memory_work *m) { return m->transactions > 0 ? m->bytes * fmin(1, m->ideal_transactions / m->transactions) / m->requests : 0; }

/* What L1 had in the iteration before and has lost is not among what enters. */
static double stayed(const struct gp_memory_work *m) { return m->l2_bytes > 0 ? fmin(1, m->stayed_bytes / m->l2_bytes) : 0; }

static int by_place(const void *left, const void *right)
{
    const struct gp_memory_work *a = *(struct gp_memory_work *const *)left, *b = *(struct gp_memory_work *const *)right;
    int order = ORDER(a->buffer, b->buffer);
    order = order != 0 ? order : ORDER(a->first_symbol, b->first_symbol);
    order = order != 0 ? order : ORDER(a->first_offset, b->first_offset);
    order = order != 0 ? order : ORDER(a->stride, b->stride);
    return order != 0 ? order : ORDER(a, b);
}

static bool is_at_one_place(const struct gp_memory_work *a, const struct gp_memory_work *b)
{
    return a->buffer == b->buffer && a->first_symbol == b->first_symbol && a->first_offset == b->first_offset && a->stride == b->stride;
}

static void add_brought(struct brought *b, const struct gp_memory_work *m)
{
    b->entering += (1 - stayed(m)) * m->l2_bytes;
    b->misses += (1 - stayed(m)) * m->misses;
    b->dram_latency += m->dram_latency;
    b->asked += m->asked_anew * ideal_bytes(m);
}

static void mend(const struct gp_l1_fill *fill, double hit, const struct brought *b, struct gp_memory_work *m)
{
    double entering = b->asked > 0 ? m->asked_anew * fmin(1, b->entering / b->asked) : 0;
    double misses = fmax((1 - stayed(m)) * m->misses, entering), more = misses - m->misses, dram = m->dram_latency;
    if (b->misses > 0 && (more > 0 || m->stayed_bytes > 0))
        dram = fmax(dram, entering * fmin(fill->dram_latency - fill->l2_latency, b->dram_latency / b->misses));
    m->ideal_latency += more * (fill->l2_latency - hit + (ideal_bytes(m) - fill->line) / fill->port) + dram - m->dram_latency;
    m->ideal_dram_latency = dram;
    m->ideal_misses = misses;
    if (m->asked_anew > 0)
        m->ideal_l2_bytes = fmin(m->l2_bytes, fmax(m->ideal_l2_bytes, misses * ideal_bytes(m) * m->walked_over / m->asked_anew));
}

bool gp_mend_misses(const struct gp_l1_fill *fill, const double *hit, struct gp_memory_work *memory, uint32_t count, uint32_t buffer_count)
{
    struct gp_memory_work **loads = malloc((count + 1) * sizeof *loads);
    struct brought *brought = calloc(buffer_count + 1, sizeof *brought);
    uint32_t found = 0;
    bool done = loads != NULL && brought != NULL;
    for (uint32_t m = 0; done && m < count; m++)
        if (hit[m] > 0 && memory[m].requests > 0)
            loads[found++] = &memory[m];
    if (done)
        qsort(loads, found, sizeof *loads, by_place);
    for (uint32_t i = 1; i < found; i++)
        if (is_at_one_place(loads[i - 1], loads[i])) /* what the first of them asked for is there */
            loads[i]->asked_anew = 0;
    for (uint32_t i = 0; i < found; i++)
        add_brought(&brought[loads[i]->buffer], loads[i]);
    for (uint32_t i = 0; i < found; i++)
        mend(fill, hit[loads[i] - memory], &brought[loads[i]->buffer], loads[i]);
    free(loads);
    free(brought);
    return done;
}
