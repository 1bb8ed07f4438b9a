/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the collector keeps of a kernel, made and freed. */
#include "model/observe/collect_internal.h"

#include <stdlib.h>

#include "model/sampling/varied_groups.h"
#include "support/memory.h"

static void find_buffers(struct gp_collector *c)
{
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        gp_ref base = c->kernel->memory[m].base;
        uint32_t b = 0;
        while (b < c->buffer_count && c->buffers[b].base != base)
            b++;
        if (b == c->buffer_count)
            c->buffers[c->buffer_count++].base = base;
        c->code.buffer_of[m] = b;
    }
}

static void find_read_and_written(struct gp_collector *c)
{
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        bool read = false, written = false;
        for (uint32_t m = 0; m < c->kernel->memory_count; m++)
            if (c->code.buffer_of[m] == b && !gp_is_on_chip(&c->kernel->memory[m]))
                *(gp_memory_writes(&c->kernel->memory[m]) ? &written : &read) = true;
        c->near.read_and_written[b] = read && written && gp_ref_kind(c->buffers[b].base) != GP_REF_PRIVATE;
    }
}

/* Memory records of a block stand side by side. */
static void find_next_stores(struct gp_collector *c)
{
    uint32_t next = GP_NONE;
    for (uint32_t m = c->kernel->memory_count; m-- > 0;) {
        if (m + 1 == c->kernel->memory_count || c->code.block_of[m] != c->code.block_of[m + 1])
            next = GP_NONE;
        c->code.next_store[m] = next;
        if (gp_memory_writes(&c->kernel->memory[m]))
            next = m;
    }
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/* What they have an entry for. There are no more buffers than memory operations. */
struct counts {
    size_t block, memory, inst, operand, branch, loop;
};

/* Each array with its length: these lists make them and free them. */
/* clang-format off */
#define EACH_CLEARED(X)                                                                                               \
    X(code.blocks, n.block) X(block_work, n.block) X(waits.spent, n.block) X(waits.block_paths, n.block)              \
    X(waits.block_has_paths, n.block) X(waits.has_slots, n.block) X(code.block_calls, n.block)                        \
    X(code.code_factors, n.block) X(waits.line_at_hand.blocks, n.block) X(waits.line_at_hand.seen, n.block)           \
    X(code.held_words, n.block) X(code.heads, n.block) X(survey.visited, n.block)                                     \
    X(code.turns, n.memory) X(code.counted, n.inst) X(code.in_bank, n.memory) X(code.block_of, n.memory)              \
    X(code.next_store, n.memory)                                                                                      \
    X(waits.pending_latency, n.memory) X(touch.visits, n.memory) X(near.stretches, n.memory)                          \
    X(code.buffer_of, n.memory) X(touch.spots, n.memory) X(touch.bounds, n.memory) X(touch.walked, n.memory)          \
    X(touch.ahead, n.memory) X(touch.drawn, n.memory) X(touch.reaches, n.memory) X(touch.hulls, n.memory)             \
    X(touch.boxes, n.memory) X(touch.fetches, n.memory) X(survey.surveyed, n.memory) X(memory, n.memory)              \
    X(buffers, n.memory) X(near.probes, (1 + GP_MOST_FURTHER) * n.memory) X(near.read_and_written, n.memory)          \
    X(near.crossed, n.memory) X(near.began, n.memory) X(near.next_began, n.memory) X(near.kept, n.memory)             \
    X(code.entries, n.inst) X(waits.slots, n.inst) X(code.operands, n.operand) X(touch.loop_bytes, n.loop + 1)        \
    X(touch.brought_at, n.loop) X(code.branch_block, n.branch) X(branches, n.branch) X(near.joined, GP_FEW_JOINED)
/* Large, and cleared as far as a group needs them, or marked as empty. */
#define EACH_UNCLEARED(X)                                                                                             \
    X(waits.waited, GP_MOST_ALONE * n.memory + 1) X(waits.parted, GP_MOST_ALONE * n.branch + 1)                       \
    X(touch.skipped, 1) X(touch.skipped_within, 1)
#define EACH_SET(X)                                                                                                   \
    X(kept_lines) X(words) X(probed_lines) X(probed_words) X(read) X(written) X(stored) X(probed_written)             \
    X(read_elsewhere)
/* clang-format on */

static void make_arrays(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    const struct counts n = {kernel->block_count,   kernel->memory_count, kernel->inst_count,
                             kernel->operand_count, kernel->branch_count, kernel->loop_count};
#define MAKE(field, count) c->field = gp_some(count, sizeof *c->field);
    EACH_CLEARED(MAKE)
#undef MAKE
#define MAKE(field, count) c->field = malloc((count) * sizeof *c->field);
    EACH_UNCLEARED(MAKE)
#undef MAKE
    c->near.joined_count = GP_FEW_JOINED;
    gp_skipped_nothing(c->touch.skipped);
    gp_skipped_nothing(c->touch.skipped_within);
}

static void free_arrays(struct gp_collector *c)
{
#define FREE(field, count) free(c->field);
    EACH_CLEARED(FREE)
    EACH_UNCLEARED(FREE)
#undef FREE
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

static void make_parts(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    c->executor = gp_executor_new(kernel);
    c->code.schedule = gp_schedule_new(kernel->inst_count);
    c->waits.steps = gp_steps_new(kernel);
    c->waits.trajectories = gp_trajectories_new(kernel, MOST_SURVEYED);
    c->touch.requests = gp_request_memo_new(kernel);
    c->touch.images = gp_image_memo_new(kernel);
    c->touch.footprints = gp_footprints_new();
    c->touch.walks = gp_walks_new(kernel);
}

static void init_sets(struct gp_collector *c)
{
    gp_line_set_init(&c->touch.lines);
#define INIT(set) gp_unit_set_init(&c->near.set);
    EACH_SET(INIT)
#undef INIT
}

struct gp_collector *gp_collector_new(const struct gp_kernel *kernel)
{
    struct gp_collector *c = calloc(1, sizeof *c);
    c->kernel = kernel;
    make_parts(c);
    make_arrays(c);
    init_sets(c);
    gp_collector_decode(c);
    find_buffers(c);
    find_read_and_written(c);
    find_next_stores(c);
    c->code.groups_may_differ = gp_groups_may_differ(kernel);
    return c;
}

void gp_collector_free(struct gp_collector *c)
{
    if (c == NULL)
        return;
    gp_executor_free(c->executor);
    gp_schedule_free(c->code.schedule);
    gp_predication_free(&c->code.straight);
    gp_block_times_free(c->waits.times);
    gp_steps_free(c->waits.steps);
    gp_walks_free(c->touch.walks);
    gp_trajectories_free(c->waits.trajectories);
    gp_request_memo_free(c->touch.requests);
    gp_image_memo_free(c->touch.images);
    gp_footprints_free(c->touch.footprints);
    free_arrays(c);
    gp_line_set_free(&c->touch.lines);
#define FREE(set) gp_unit_set_free(&c->near.set);
    EACH_SET(FREE)
#undef FREE
    free(c);
}
