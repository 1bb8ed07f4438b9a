/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values that are stored to the same place time and again, by a loop or one store after another, and may be loaded
 * again: a register would keep them. */
#include <math.h>
#include <stdio.h>

#include "model/value/inst_facts.h"
#include "model/findings/causes.h"

/* ---- Places ------------------------------------------------------------------------------------------------------ */

/* A place that is stored to: a base and an address, and the instructions from the first store to the last; all of a
 * loop's, if it stays the same there. */
struct place {
    gp_ref base, address;
    uint32_t first, end;
};

static uint32_t block_of(const struct gp_kernel *kernel, uint32_t m)
{
    return gp_inst_block(kernel, kernel->memory[m].inst);
}

static gp_ref address_of(const struct gp_kernel *kernel, uint32_t m)
{
    return gp_memory_address(kernel, &kernel->memory[m]);
}

static bool is_at(const struct gp_kernel *kernel, uint32_t m, const struct place *p)
{
    return kernel->memory[m].base == p->base && address_of(kernel, m) == p->address;
}

static bool could_keep(const struct gp_memory *memory)
{
    bool off_registers =
        memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_GENERIC || memory->space == GP_SPACE_LOCAL;
    return off_registers && gp_ref_kind(memory->base) != GP_REF_NONE &&
           !(memory->flags & (GP_MEMORY_ATOMIC | GP_MEMORY_VOLATILE));
}

static bool is_store(const struct gp_finder *f, uint32_t m)
{
    const struct gp_memory *memory = &f->in->kernel->memory[m];
    return (memory->flags & GP_MEMORY_STORE) && could_keep(memory) && f->in->work->memory[m].requests > 0 &&
           gp_ref_kind(address_of(f->in->kernel, m)) != GP_REF_NONE;
}

/* The innermost loop around an operation, if its address is the same in all iterations; else GP_NONE. */
static uint32_t loop_it_stays_in(const struct gp_kernel *kernel, uint32_t m)
{
    uint32_t loop = kernel->blocks[block_of(kernel, m)].loop;
    bool moves = loop != GP_NONE && gp_is_made_within(kernel, address_of(kernel, m), loop);
    return moves ? GP_NONE : loop;
}

static void reach(struct place *p, uint32_t first, uint32_t end)
{
    p->first = first < p->first ? first : p->first;
    p->end = end > p->end ? end : p->end;
}

static struct place place_of(const struct gp_finder *f, uint32_t store)
{
    const struct gp_kernel *kernel = f->in->kernel;
    struct place p = {kernel->memory[store].base, address_of(kernel, store), UINT32_MAX, 0};
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        if (!is_at(kernel, m, &p) || !is_store(f, m))
            continue;
        uint32_t loop = loop_it_stays_in(kernel, m);
        reach(&p, kernel->memory[m].inst, kernel->memory[m].inst + 1);
        for (uint32_t b = 0; loop != GP_NONE && b < kernel->block_count; b++)
            if (gp_block_is_within(kernel, b, loop))
                reach(&p, kernel->blocks[b].inst, gp_block_end(kernel, b));
    }
    return p;
}

static bool is_between(const struct gp_kernel *kernel, uint32_t m, const struct place *p)
{
    return kernel->memory[m].inst >= p->first && kernel->memory[m].inst < p->end;
}

/* Whether others may look at the place between the stores, or change it; or whether the same buffer is accessed
 * elsewhere meanwhile, which may be there. */
static bool is_disturbed(const struct gp_kernel *kernel, const struct place *p)
{
    bool disturbed = false;
    for (uint32_t m = 0; m < kernel->memory_count && !disturbed; m++)
        disturbed = is_between(kernel, m, p) && kernel->memory[m].base == p->base && !is_at(kernel, m, p);
    for (uint32_t i = p->first; i < p->end && !disturbed; i++)
        disturbed = gp_inst_is_fence(&kernel->insts[i]) || kernel->insts[i].op == GP_OP_ATOMIC;
    return disturbed;
}

/* ---- What a register would spare --------------------------------------------------------------------------------- */

/* How often a warp comes to a loop, at most: as often as the loop around it turns. */
static double entries_of(const struct gp_finder *f, uint32_t loop)
{
    uint32_t parent = f->in->kernel->loops[loop].parent;
    return parent == GP_NONE ? 1 : f->in->work->blocks[f->in->kernel->loops[parent].header].visits;
}

/* Stores of an average warp to a place: all, those that would be left, and where most are made. Loads of it between
 * them. */
struct stores {
    double made, needed, loads;
    uint32_t most;
};

/* Whether another store to the same place stands before it in its block. */
static bool is_again_in_block(const struct gp_finder *f, uint32_t m)
{
    const struct gp_kernel *kernel = f->in->kernel;
    struct place p = {kernel->memory[m].base, address_of(kernel, m), 0, 0};
    bool again = false;
    for (uint32_t i = m; i-- > 0 && block_of(kernel, i) == block_of(kernel, m) && !again;)
        again = is_at(kernel, i, &p) && is_store(f, i);
    return again;
}

static struct stores stores_to(const struct gp_finder *f, const struct place *p)
{
    const struct gp_kernel *kernel = f->in->kernel;
    const struct gp_memory_work *work = f->in->work->memory;
    struct stores s = {.most = GP_NONE};
    double in_loops = 0, in_blocks = 0; /* which may be on different sides of a branch */
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        if (!is_at(kernel, m, p) || !is_between(kernel, m, p))
            continue;
        if (!is_store(f, m)) {
            s.loads += work[m].requests;
            continue;
        }
        uint32_t loop = loop_it_stays_in(kernel, m);
        s.made += work[m].requests;
        if (loop != GP_NONE)
            in_loops = fmax(in_loops, fmin(work[m].requests, entries_of(f, loop)));
        else if (!is_again_in_block(f, m))
            in_blocks += work[m].requests;
        if (s.most == GP_NONE || work[m].requests > work[s.most].requests)
            s.most = m;
    }
    s.needed = fmax(in_loops, in_blocks);
    return s;
}

/* Loads of a block wait for each other behind stores that may change what they load; without these they are asked for
 * side by side. */
static void load_side_by_side(struct gp_finder *f, uint32_t block)
{
    const struct gp_kernel *kernel = f->in->kernel;
    double all = 0, longest = 0;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory_work *memory = &f->in->work->memory[m];
        if (block_of(kernel, m) != block || gp_memory_writes(&kernel->memory[m]) || memory->scattered > 0)
            continue;
        all += memory->chain_stall;
        longest = fmax(longest, memory->chain_stall / fmax(1, memory->kept_apart));
    }
    if (all > longest)
        gp_wait_less(&f->repair, all - longest);
}

void gp_repair_kept_value(struct gp_finder *f, uint32_t store)
{
    const struct gp_kernel *kernel = f->in->kernel;
    struct place p = place_of(f, store);
    struct stores s = stores_to(f, &p);
    uint32_t last = GP_NONE;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        if (!is_at(kernel, m, &p) || !is_between(kernel, m, &p))
            continue;
        double requests = f->in->work->memory[m].requests;
        gp_keep_between(&f->repair, m, s.needed * requests / (is_store(f, m) ? s.made : s.loads));
        if (is_store(f, m) && block_of(kernel, m) != last)
            load_side_by_side(f, last = block_of(kernel, m));
    }
}

static bool is_made_again(const struct gp_finder *f, uint32_t m)
{
    return is_store(f, m) && (loop_it_stays_in(f->in->kernel, m) != GP_NONE || is_again_in_block(f, m));
}

/* Whether a store is the first that is made again to a place that is stored to `some` times as often as there is need.
 */
static bool is_first_of_many(const struct gp_finder *f, uint32_t m, struct stores *s)
{
    const double some = 2;
    if (!is_made_again(f, m))
        return false;
    struct place p = place_of(f, m);
    for (uint32_t i = 0; i < m; i++)
        if (is_at(f->in->kernel, i, &p) && is_made_again(f, i))
            return false;
    *s = stores_to(f, &p);
    return s->made >= some * s->needed && !is_disturbed(f->in->kernel, &p);
}

/* ---- The finding ------------------------------------------------------------------------------------------------- */

static void try_place(struct gp_finder *f, const struct stores *s)
{
    const struct gp_memory *memory = &f->in->kernel->memory[s->most];
    gp_repair_reset(&f->repair);
    gp_repair_kept_value(f, s->most);
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_SPILL, memory->inst);
    if (b == NULL)
        return;
    b->repaired = "in a register";
    char of[GP_NAME_TEXT];
    gp_print_name(of, "of", gp_base_name(f->in->kernel, memory->base));
    snprintf(b->measure, sizeof b->measure,
             "an element%s is %s time and again: %.0f stores per work-item where %.0f would do", of,
             s->loads > 0 ? "loaded and stored" : "stored", s->made, fmax(1, s->needed));
    snprintf(b->advice, sizeof b->advice,
             "keep it in a private variable and store that in the end; compilers cannot, since other pointers may "
             "point to it%s",
             gp_ref_kind(memory->base) == GP_REF_PARAM ? " (or declare all of them restrict)" : "");
}

void gp_try_kept_values(struct gp_finder *f)
{
    struct stores s;
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++)
        if (is_first_of_many(f, m, &s))
            try_place(f, &s);
}

void gp_repair_kept_values(struct gp_finder *f)
{
    struct stores s;
    for (uint32_t m = 0; m < f->in->kernel->memory_count; m++)
        if (is_first_of_many(f, m, &s))
            gp_repair_kept_value(f, s.most);
}
