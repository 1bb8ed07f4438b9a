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
        c->buffer_of[m] = b;
    }
}

static void find_read_and_written(struct gp_collector *c)
{
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        bool read = false, written = false;
        for (uint32_t m = 0; m < c->kernel->memory_count; m++)
            if (c->buffer_of[m] == b && !gp_is_on_chip(&c->kernel->memory[m]))
                *(gp_memory_writes(&c->kernel->memory[m]) ? &written : &read) = true;
        c->read_and_written[b] = read && written && gp_ref_kind(c->buffers[b].base) != GP_REF_PRIVATE;
    }
}

/* Memory records of a block stand side by side. */
static void find_next_stores(struct gp_collector *c)
{
    uint32_t next = GP_NONE;
    for (uint32_t m = c->kernel->memory_count; m-- > 0;) {
        if (m + 1 == c->kernel->memory_count || c->block_of[m] != c->block_of[m + 1])
            next = GP_NONE;
        c->next_store[m] = next;
        if (gp_memory_writes(&c->kernel->memory[m]))
            next = m;
    }
}

static bool make_for_blocks(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    c->blocks = gp_some(kernel->block_count, sizeof *c->blocks);
    c->block_work = gp_some(kernel->block_count, sizeof *c->block_work);
    c->spent = gp_some(kernel->block_count, sizeof *c->spent);
    c->block_paths = gp_some(kernel->block_count, sizeof *c->block_paths);
    c->block_has_paths = gp_some(kernel->block_count, sizeof *c->block_has_paths);
    c->has_slots = gp_some(kernel->block_count, sizeof *c->has_slots);
    c->block_calls = gp_some(kernel->block_count, sizeof *c->block_calls);
    c->code_factors = gp_some(kernel->block_count, sizeof *c->code_factors);
    c->line_at_hand.blocks = gp_some(kernel->block_count, sizeof *c->line_at_hand.blocks);
    c->line_at_hand.seen = gp_some(kernel->block_count, sizeof *c->line_at_hand.seen);
    c->held_words = gp_some(kernel->block_count, sizeof *c->held_words);
    c->heads = gp_some(kernel->block_count, sizeof *c->heads);
    c->visited = gp_some(kernel->block_count, sizeof *c->visited);
    return c->blocks && c->block_work && c->spent && c->block_paths && c->block_has_paths && c->has_slots &&
           c->block_calls && c->code_factors && c->line_at_hand.blocks && c->line_at_hand.seen && c->held_words &&
           c->heads && c->visited;
}

/* An entry per memory operation; there are no more buffers than these. */
static bool make_for_memory(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    uint32_t memory = kernel->memory_count;
    c->turns = gp_some(memory, sizeof *c->turns);
    c->in_bank = gp_some(memory, sizeof *c->in_bank);
    c->block_of = gp_some(memory, sizeof *c->block_of);
    c->next_store = gp_some(memory, sizeof *c->next_store);
    c->pending_latency = gp_some(memory, sizeof *c->pending_latency);
    c->waited =
        malloc(((size_t)GP_MOST_ALONE * memory + 1) * sizeof *c->waited); /* cleared as far as a group needs it */
    c->visits = gp_some(memory, sizeof *c->visits);
    c->stretches = gp_some(memory, sizeof *c->stretches);
    c->buffer_of = gp_some(memory, sizeof *c->buffer_of);
    c->spots = gp_some(memory, sizeof *c->spots);
    c->bounds = gp_some(memory, sizeof *c->bounds);
    c->walked = gp_some(memory, sizeof *c->walked);
    c->ahead = gp_some(memory, sizeof *c->ahead);
    c->drawn = gp_some(memory, sizeof *c->drawn);
    c->reaches = gp_some(memory, sizeof *c->reaches);
    c->hulls = gp_some(memory, sizeof *c->hulls);
    c->boxes = gp_some(memory, sizeof *c->boxes);
    c->fetches = gp_some(memory, sizeof *c->fetches);
    c->surveyed = gp_some(memory, sizeof *c->surveyed);
    c->memory = gp_some(memory, sizeof *c->memory);
    c->buffers = gp_some(memory, sizeof *c->buffers);
    c->probes = gp_some((size_t)(1 + GP_MOST_FURTHER) * memory, sizeof *c->probes);
    c->read_and_written = gp_some(memory, sizeof *c->read_and_written);
    c->crossed = gp_some(memory, sizeof *c->crossed);
    c->began = gp_some(memory, sizeof *c->began);
    c->next_began = gp_some(memory, sizeof *c->next_began);
    c->kept = gp_some(memory, sizeof *c->kept);
    return c->turns && c->in_bank && c->block_of && c->next_store && c->pending_latency && c->waited && c->visits &&
           c->stretches && c->buffer_of && c->spots && c->bounds && c->walked && c->ahead && c->drawn && c->reaches &&
           c->hulls && c->boxes && c->fetches && c->surveyed && c->memory && c->buffers && c->read_and_written &&
           c->crossed && c->probes && c->began && c->next_began && c->kept;
}

static bool make_others(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    c->entries = gp_some(kernel->inst_count, sizeof *c->entries);
    c->operands = gp_some(kernel->operand_count, sizeof *c->operands);
    c->loop_bytes = gp_some(kernel->loop_count + 1, sizeof *c->loop_bytes);
    c->branch_block = gp_some(kernel->branch_count, sizeof *c->branch_block);
    c->slots = gp_some(kernel->inst_count, sizeof *c->slots);
    c->parted = malloc(((size_t)GP_MOST_ALONE * kernel->branch_count + 1) * sizeof *c->parted); /* likewise */
    c->brought_at = gp_some(kernel->loop_count, sizeof *c->brought_at);
    c->branches = gp_some(kernel->branch_count, sizeof *c->branches);
    c->joined = gp_some(GP_FEW_JOINED, sizeof *c->joined);
    c->joined_count = GP_FEW_JOINED;
    return c->entries && c->operands && c->loop_bytes && c->branch_block && c->slots && c->parted && c->brought_at &&
           c->branches && c->joined;
}

static bool make_parts(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    c->executor = gp_executor_new(kernel);
    c->schedule = gp_schedule_new(kernel->inst_count);
    c->steps = gp_steps_new(kernel);
    c->courses = gp_courses_new(kernel, MOST_SURVEYED);
    c->left_out = malloc(sizeof *c->left_out); /* large, and set when first listed */
    c->left_out_within = malloc(sizeof *c->left_out_within);
    c->requests = gp_request_memo_new(kernel);
    c->images = gp_image_memo_new(kernel);
    c->footprints = gp_footprints_new();
    c->walks = gp_walks_new(kernel);
    return c->executor && c->schedule && c->steps && c->courses && c->left_out && c->left_out_within && c->requests &&
           c->images && c->footprints && c->walks;
}

static void init_sets(struct gp_collector *c)
{
    gp_line_set_init(&c->lines);
    gp_unit_set_init(&c->kept_lines);
    gp_unit_set_init(&c->words);
    gp_unit_set_init(&c->probed_lines);
    gp_unit_set_init(&c->probed_words);
    gp_unit_set_init(&c->read);
    gp_unit_set_init(&c->written);
    gp_unit_set_init(&c->stored);
    gp_unit_set_init(&c->probed_written);
    gp_unit_set_init(&c->read_elsewhere);
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
    c->groups_may_differ = gp_groups_may_differ(kernel);
    return c;
}

void gp_collector_free(struct gp_collector *c)
{
    if (c == NULL)
        return;
    gp_executor_free(c->executor);
    gp_schedule_free(c->schedule);
    gp_predication_free(&c->straight);
    gp_block_times_free(c->times);
    gp_steps_free(c->steps);
    gp_walks_free(c->walks);
    gp_courses_free(c->courses);
    gp_request_memo_free(c->requests);
    gp_image_memo_free(c->images);
    gp_footprints_free(c->footprints);
    void *all[] = {c->blocks,
                   c->entries,
                   c->operands,
                   c->turns,
                   c->in_bank,
                   c->block_of,
                   c->next_store,
                   c->loop_bytes,
                   c->branch_block,
                   c->block_work,
                   c->spent,
                   c->block_paths,
                   c->block_has_paths,
                   c->slots,
                   c->has_slots,
                   c->block_calls,
                   c->code_factors,
                   c->line_at_hand.blocks,
                   c->line_at_hand.seen,
                   c->pending_latency,
                   c->waited,
                   c->parted,
                   c->left_out,
                   c->left_out_within,
                   c->brought_at,
                   c->held_words,
                   c->heads,
                   c->visits,
                   c->stretches,
                   c->spots,
                   c->bounds,
                   c->walked,
                   c->ahead,
                   c->drawn,
                   c->buffer_of,
                   c->reaches,
                   c->hulls,
                   c->boxes,
                   c->surveyed,
                   c->visited,
                   c->memory,
                   c->branches,
                   c->buffers,
                   c->read_and_written,
                   c->crossed,
                   c->probes,
                   c->began,
                   c->next_began,
                   c->kept,
                   c->joined,
                   c->fetches};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    gp_line_set_free(&c->lines);
    gp_unit_set_free(&c->kept_lines);
    gp_unit_set_free(&c->words);
    gp_unit_set_free(&c->probed_lines);
    gp_unit_set_free(&c->probed_words);
    gp_unit_set_free(&c->read);
    gp_unit_set_free(&c->written);
    gp_unit_set_free(&c->stored);
    gp_unit_set_free(&c->probed_written);
    gp_unit_set_free(&c->read_elsewhere);
    free(c);
}
