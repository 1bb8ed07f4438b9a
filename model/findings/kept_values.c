/* Values that a loop stores to the same place time and again, and may load again: a register would keep them until the loop ends. */
#include <math.h>
#include <stdio.h>

#include "model/code/inst_facts.h"
#include "model/findings/causes.h"

static uint32_t block_of(const struct gp_kernel *kernel, uint32_t m) { return gp_inst_block(kernel, kernel->memory[m].inst); }

static gp_ref address_of(const struct gp_kernel *kernel, uint32_t m)
{
    const struct gp_inst *inst = &kernel->insts[kernel->memory[m].inst];
    return inst->operand_count > 0 ? kernel->operands[inst->operand] : gp_ref_make(GP_REF_NONE, 0);
}

/* Whether an address is the same in all iterations. */
static bool stays(const struct gp_kernel *kernel, gp_ref address, uint32_t loop)
{
    if (gp_ref_kind(address) == GP_REF_NONE)
        return false;
    return gp_ref_kind(address) != GP_REF_INST || !gp_block_is_within(kernel, gp_inst_block(kernel, gp_ref_index(address)), loop);
}

/* Whether others may look at memory while the loop runs, or change it. */
static bool is_fenced(const struct gp_kernel *kernel, uint32_t loop)
{
    bool fenced = false;
    for (uint32_t b = 0; b < kernel->block_count && !fenced; b++)
        for (uint32_t i = kernel->blocks[b].inst; gp_block_is_within(kernel, b, loop) && i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++)
            fenced |= gp_inst_is_fence(&kernel->insts[i]) || kernel->insts[i].op == GP_OP_ATOMIC;
    return fenced;
}

/* Whether the loop goes to other places of the same buffer as well, which may be this one. */
static bool is_elsewhere_too(const struct gp_kernel *kernel, uint32_t m, uint32_t loop)
{
    bool elsewhere = false;
    for (uint32_t i = 0; i < kernel->memory_count && !elsewhere; i++)
        elsewhere = kernel->memory[i].base == kernel->memory[m].base && gp_block_is_within(kernel, block_of(kernel, i), loop) && address_of(kernel, i) != address_of(kernel, m);
    return elsewhere;
}

static bool is_in_reach(const struct gp_memory *memory)
{
    bool elsewhere = memory->space == GP_SPACE_GLOBAL || memory->space == GP_SPACE_GENERIC || memory->space == GP_SPACE_LOCAL;
    return elsewhere && gp_ref_kind(memory->base) != GP_REF_NONE && !(memory->flags & (GP_MEMORY_ATOMIC | GP_MEMORY_VOLATILE));
}

static bool is_stored_again(const struct gp_finder *f, uint32_t m)
{
    const struct gp_kernel *kernel = f->in->kernel;
    uint32_t loop = kernel->blocks[block_of(kernel, m)].loop;
    bool stores = is_in_reach(&kernel->memory[m]) && (kernel->memory[m].flags & GP_MEMORY_STORE) && f->in->work->memory[m].requests > 0;
    return stores && loop != GP_NONE && stays(kernel, address_of(kernel, m), loop) && !is_fenced(kernel, loop) && !is_elsewhere_too(kernel, m, loop);
}

/* How often a warp comes to a loop, at most: as often as the loop around it turns. */
static double entries_of(const struct gp_finder *f, uint32_t loop)
{
    uint32_t parent = f->in->kernel->loops[loop].parent;
    return parent == GP_NONE ? 1 : f->in->work->blocks[f->in->kernel->loops[parent].header].visits;
}

/* Loads of a block wait for each other behind stores that may change what they load; without these they are asked for side by side. */
static void load_side_by_side(struct gp_finder *f, uint32_t block)
{
    const struct gp_kernel *kernel = f->in->kernel;
    double all = 0, longest = 0;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory_work *memory = &f->in->work->memory[m];
        if (block_of(kernel, m) != block || gp_memory_writes(&kernel->memory[m]) || memory->scattered > 0)
            continue;
        all += memory->chain_stall;
        longest = fmax(longest, memory->chain_stall);
    }
    if (all > longest)
        gp_wait_less(&f->repair, all - longest);
}

void gp_mend_kept_value(struct gp_finder *f, gp_ref base)
{
    const struct gp_kernel *kernel = f->in->kernel;
    uint32_t last = GP_NONE;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        if (kernel->memory[m].base != base || !is_stored_again(f, m))
            continue;
        uint32_t block = block_of(kernel, m), loop = kernel->blocks[block].loop;
        for (uint32_t i = 0; i < kernel->memory_count; i++)
            if (kernel->memory[i].base == base && address_of(kernel, i) == address_of(kernel, m) && kernel->blocks[block_of(kernel, i)].loop == loop)
                gp_keep_between_iterations(&f->repair, i, entries_of(f, loop));
        if (block != last)
            load_side_by_side(f, block);
        last = block;
    }
}

void gp_mend_kept_values(struct gp_finder *f)
{
    for (uint32_t b = 0; b < f->in->work->buffer_count; b++)
        gp_mend_kept_value(f, f->in->work->buffers[b].base);
}

/* Stores of a buffer that a register would spare, and those that would be left. */
struct stores { double made, needed; uint32_t place; bool loads; };

static struct stores stores_of(const struct gp_finder *f, gp_ref base)
{
    const struct gp_kernel *kernel = f->in->kernel;
    struct stores s = {.place = GP_NONE};
    double most = 0;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        if (kernel->memory[m].base != base)
            continue;
        double requests = f->in->work->memory[m].requests;
        s.loads |= !gp_memory_writes(&kernel->memory[m]) && kernel->blocks[block_of(kernel, m)].loop != GP_NONE;
        if (!is_stored_again(f, m))
            continue;
        s.made += requests;
        s.needed = fmax(s.needed, fmin(requests, entries_of(f, kernel->blocks[block_of(kernel, m)].loop)));
        if (requests > most)
            most = requests, s.place = kernel->memory[m].inst;
    }
    return s;
}

void gp_try_kept_value(struct gp_finder *f, gp_ref base)
{
    const double some = 2; /* times as many stores as there need be */
    struct stores s = stores_of(f, base);
    if (s.place == GP_NONE || s.made < some * s.needed)
        return;
    gp_repair_reset(&f->repair);
    gp_mend_kept_value(f, base);
    struct gp_bottleneck *b = gp_finder_record(f, GP_CAUSE_SPILL, s.place);
    if (b == NULL)
        return;
    b->repaired = "in a register";
    const char *name = gp_base_name(f->in->kernel, base);
    char of[GP_NAME_TEXT];
    gp_print_name(of, "of", name);
    snprintf(b->measure, sizeof b->measure, "an element%s is %s in each iteration: %.0f stores per work-item where %.0f would do", of, s.loads ? "loaded and stored" : "stored", s.made, fmax(1, s.needed));
    snprintf(b->advice, sizeof b->advice, "keep it in a private variable and store that behind the loop; compilers cannot, since other pointers may point to it%s",
             gp_ref_kind(base) == GP_REF_PARAM ? " (or declare all of them restrict)" : "");
}
