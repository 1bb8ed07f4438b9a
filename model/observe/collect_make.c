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

static bool make_for_blocks(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    c->code.blocks = gp_some(kernel->block_count, sizeof *c->code.blocks);
    c->block_work = gp_some(kernel->block_count, sizeof *c->block_work);
    c->waits.spent = gp_some(kernel->block_count, sizeof *c->waits.spent);
    c->waits.block_paths = gp_some(kernel->block_count, sizeof *c->waits.block_paths);
    c->waits.block_has_paths = gp_some(kernel->block_count, sizeof *c->waits.block_has_paths);
    c->waits.has_slots = gp_some(kernel->block_count, sizeof *c->waits.has_slots);
    c->code.block_calls = gp_some(kernel->block_count, sizeof *c->code.block_calls);
    c->code.code_factors = gp_some(kernel->block_count, sizeof *c->code.code_factors);
    c->waits.line_at_hand.blocks = gp_some(kernel->block_count, sizeof *c->waits.line_at_hand.blocks);
    c->waits.line_at_hand.seen = gp_some(kernel->block_count, sizeof *c->waits.line_at_hand.seen);
    c->code.held_words = gp_some(kernel->block_count, sizeof *c->code.held_words);
    c->code.heads = gp_some(kernel->block_count, sizeof *c->code.heads);
    c->survey.visited = gp_some(kernel->block_count, sizeof *c->survey.visited);
    return c->code.blocks && c->block_work && c->waits.spent && c->waits.block_paths && c->waits.block_has_paths &&
           c->waits.has_slots && c->code.block_calls && c->code.code_factors && c->waits.line_at_hand.blocks &&
           c->waits.line_at_hand.seen && c->code.held_words && c->code.heads && c->survey.visited;
}

/* An entry per memory operation; there are no more buffers than these. */
static bool make_for_memory(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    uint32_t memory = kernel->memory_count;
    c->code.turns = gp_some(memory, sizeof *c->code.turns);
    c->code.in_bank = gp_some(memory, sizeof *c->code.in_bank);
    c->code.block_of = gp_some(memory, sizeof *c->code.block_of);
    c->code.next_store = gp_some(memory, sizeof *c->code.next_store);
    c->waits.pending_latency = gp_some(memory, sizeof *c->waits.pending_latency);
    c->waits.waited =
        malloc(((size_t)GP_MOST_ALONE * memory + 1) * sizeof *c->waits.waited); /* cleared as far as a group needs it */
    c->touch.visits = gp_some(memory, sizeof *c->touch.visits);
    c->near.stretches = gp_some(memory, sizeof *c->near.stretches);
    c->code.buffer_of = gp_some(memory, sizeof *c->code.buffer_of);
    c->touch.spots = gp_some(memory, sizeof *c->touch.spots);
    c->touch.bounds = gp_some(memory, sizeof *c->touch.bounds);
    c->touch.walked = gp_some(memory, sizeof *c->touch.walked);
    c->touch.ahead = gp_some(memory, sizeof *c->touch.ahead);
    c->touch.drawn = gp_some(memory, sizeof *c->touch.drawn);
    c->touch.reaches = gp_some(memory, sizeof *c->touch.reaches);
    c->touch.hulls = gp_some(memory, sizeof *c->touch.hulls);
    c->touch.boxes = gp_some(memory, sizeof *c->touch.boxes);
    c->touch.fetches = gp_some(memory, sizeof *c->touch.fetches);
    c->survey.surveyed = gp_some(memory, sizeof *c->survey.surveyed);
    c->memory = gp_some(memory, sizeof *c->memory);
    c->buffers = gp_some(memory, sizeof *c->buffers);
    c->near.probes = gp_some((size_t)(1 + GP_MOST_FURTHER) * memory, sizeof *c->near.probes);
    c->near.read_and_written = gp_some(memory, sizeof *c->near.read_and_written);
    c->near.crossed = gp_some(memory, sizeof *c->near.crossed);
    c->near.began = gp_some(memory, sizeof *c->near.began);
    c->near.next_began = gp_some(memory, sizeof *c->near.next_began);
    c->near.kept = gp_some(memory, sizeof *c->near.kept);
    return c->code.turns && c->code.in_bank && c->code.block_of && c->code.next_store && c->waits.pending_latency &&
           c->waits.waited && c->touch.visits && c->near.stretches && c->code.buffer_of && c->touch.spots &&
           c->touch.bounds && c->touch.walked && c->touch.ahead && c->touch.drawn && c->touch.reaches &&
           c->touch.hulls && c->touch.boxes && c->touch.fetches && c->survey.surveyed && c->memory && c->buffers &&
           c->near.read_and_written && c->near.crossed && c->near.probes && c->near.began && c->near.next_began &&
           c->near.kept;
}

static bool make_others(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    c->code.entries = gp_some(kernel->inst_count, sizeof *c->code.entries);
    c->code.operands = gp_some(kernel->operand_count, sizeof *c->code.operands);
    c->touch.loop_bytes = gp_some(kernel->loop_count + 1, sizeof *c->touch.loop_bytes);
    c->code.branch_block = gp_some(kernel->branch_count, sizeof *c->code.branch_block);
    c->waits.slots = gp_some(kernel->inst_count, sizeof *c->waits.slots);
    c->waits.parted =
        malloc(((size_t)GP_MOST_ALONE * kernel->branch_count + 1) * sizeof *c->waits.parted); /* likewise */
    c->touch.brought_at = gp_some(kernel->loop_count, sizeof *c->touch.brought_at);
    c->branches = gp_some(kernel->branch_count, sizeof *c->branches);
    c->near.joined = gp_some(GP_FEW_JOINED, sizeof *c->near.joined);
    c->near.joined_count = GP_FEW_JOINED;
    return c->code.entries && c->code.operands && c->touch.loop_bytes && c->code.branch_block && c->waits.slots &&
           c->waits.parted && c->touch.brought_at && c->branches && c->near.joined;
}

static bool make_parts(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    c->executor = gp_executor_new(kernel);
    c->code.schedule = gp_schedule_new(kernel->inst_count);
    c->waits.steps = gp_steps_new(kernel);
    c->waits.courses = gp_courses_new(kernel, MOST_SURVEYED);
    c->touch.left_out = malloc(sizeof *c->touch.left_out); /* large, and set when first listed */
    c->touch.left_out_within = malloc(sizeof *c->touch.left_out_within);
    c->touch.requests = gp_request_memo_new(kernel);
    c->touch.images = gp_image_memo_new(kernel);
    c->touch.footprints = gp_footprints_new();
    c->touch.walks = gp_walks_new(kernel);
    return c->executor && c->code.schedule && c->waits.steps && c->waits.courses && c->touch.left_out &&
           c->touch.left_out_within && c->touch.requests && c->touch.images && c->touch.footprints && c->touch.walks;
}

static void init_sets(struct gp_collector *c)
{
    gp_line_set_init(&c->touch.lines);
    gp_unit_set_init(&c->near.kept_lines);
    gp_unit_set_init(&c->near.words);
    gp_unit_set_init(&c->near.probed_lines);
    gp_unit_set_init(&c->near.probed_words);
    gp_unit_set_init(&c->near.read);
    gp_unit_set_init(&c->near.written);
    gp_unit_set_init(&c->near.stored);
    gp_unit_set_init(&c->near.probed_written);
    gp_unit_set_init(&c->near.read_elsewhere);
}

struct gp_collector *gp_collector_new(const struct gp_kernel *kernel)
{
    struct gp_collector *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->kernel = kernel;
    if (!make_parts(c) || !make_for_blocks(c) || !make_for_memory(c) || !make_others(c)) {
        gp_collector_free(c);
        return NULL;
    }
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
    gp_courses_free(c->waits.courses);
    gp_request_memo_free(c->touch.requests);
    gp_image_memo_free(c->touch.images);
    gp_footprints_free(c->touch.footprints);
    void *all[] = {c->code.blocks,
                   c->code.entries,
                   c->code.operands,
                   c->code.turns,
                   c->code.in_bank,
                   c->code.block_of,
                   c->code.next_store,
                   c->touch.loop_bytes,
                   c->code.branch_block,
                   c->block_work,
                   c->waits.spent,
                   c->waits.block_paths,
                   c->waits.block_has_paths,
                   c->waits.slots,
                   c->waits.has_slots,
                   c->code.block_calls,
                   c->code.code_factors,
                   c->waits.line_at_hand.blocks,
                   c->waits.line_at_hand.seen,
                   c->waits.pending_latency,
                   c->waits.waited,
                   c->waits.parted,
                   c->touch.left_out,
                   c->touch.left_out_within,
                   c->touch.brought_at,
                   c->code.held_words,
                   c->code.heads,
                   c->touch.visits,
                   c->near.stretches,
                   c->touch.spots,
                   c->touch.bounds,
                   c->touch.walked,
                   c->touch.ahead,
                   c->touch.drawn,
                   c->code.buffer_of,
                   c->touch.reaches,
                   c->touch.hulls,
                   c->touch.boxes,
                   c->survey.surveyed,
                   c->survey.visited,
                   c->memory,
                   c->branches,
                   c->buffers,
                   c->near.read_and_written,
                   c->near.crossed,
                   c->near.probes,
                   c->near.began,
                   c->near.next_began,
                   c->near.kept,
                   c->near.joined,
                   c->touch.fetches};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    gp_line_set_free(&c->touch.lines);
    gp_unit_set_free(&c->near.kept_lines);
    gp_unit_set_free(&c->near.words);
    gp_unit_set_free(&c->near.probed_lines);
    gp_unit_set_free(&c->near.probed_words);
    gp_unit_set_free(&c->near.read);
    gp_unit_set_free(&c->near.written);
    gp_unit_set_free(&c->near.stored);
    gp_unit_set_free(&c->near.probed_written);
    gp_unit_set_free(&c->near.read_elsewhere);
    free(c);
}
