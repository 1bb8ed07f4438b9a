#include "model/code/unrolled_index.h"

#include "model/code/inst_facts.h"
#include "model/code/spilled.h"

enum { LARGEST = 2700, DEEPEST = 32, MOST_STEPS = 500 };

struct walk {
    const struct gp_kernel *kernel;
    uint32_t outermost; /* of the loops whose counters the index is made of; GP_NONE: none so far */
    uint32_t depth, steps;
};

static bool turns_are_constant(const struct gp_kernel *kernel, uint32_t loop) { return gp_ref_kind(kernel->loops[loop].trip_count) == GP_REF_CONST; }

/* The loop whose counter the phi is; GP_NONE. */
static uint32_t counted_by(const struct gp_kernel *kernel, uint32_t phi)
{
    const struct gp_induction *counter = gp_counter_of(kernel, phi);
    return counter != NULL && gp_ref_kind(counter->step) == GP_REF_CONST ? counter->loop : GP_NONE;
}

static bool is_known(struct walk *w, gp_ref ref);

/* A counter that starts at what is known; what comes round is the counter and its step. */
static bool is_known_counter(struct walk *w, uint32_t phi)
{
    const struct gp_kernel *kernel = w->kernel;
    const struct gp_inst *inst = &kernel->insts[phi];
    uint32_t loop = counted_by(kernel, phi);
    if (loop == GP_NONE || !turns_are_constant(kernel, loop))
        return false;
    if (w->outermost == GP_NONE || kernel->loops[loop].depth < kernel->loops[w->outermost].depth)
        w->outermost = loop;
    for (uint32_t k = 0; k + 1 < inst->operand_count; k += 2)
        if (!gp_block_is_within(kernel, gp_ref_index(kernel->operands[inst->operand + k]), loop) && !is_known(w, kernel->operands[inst->operand + k + 1]))
            return false;
    return true;
}

static bool is_known_inst(struct walk *w, uint32_t index)
{
    const struct gp_inst *inst = &w->kernel->insts[index];
    switch ((enum gp_op)inst->op) {
    case GP_OP_PHI: return is_known_counter(w, index);
    case GP_OP_ADD: case GP_OP_SUB: case GP_OP_MUL: case GP_OP_SHL: case GP_OP_LSHR: case GP_OP_ASHR: case GP_OP_AND: case GP_OP_OR: case GP_OP_XOR: case GP_OP_UDIV: case GP_OP_UREM: case GP_OP_SDIV:
    case GP_OP_SREM: case GP_OP_ZEXT: case GP_OP_SEXT: case GP_OP_TRUNC: case GP_OP_COPY:
        for (uint32_t k = 0; k < inst->operand_count; k++)
            if (!is_known(w, w->kernel->operands[inst->operand + k]))
                return false;
        return true;
    default: return false;
    }
}

static bool is_known(struct walk *w, gp_ref ref)
{
    if (gp_ref_kind(ref) == GP_REF_PRIVATE || gp_ref_kind(ref) == GP_REF_CONST)
        return true;
    if (gp_ref_kind(ref) != GP_REF_INST || w->depth >= DEEPEST || w->steps++ >= MOST_STEPS)
        return false;
    w->depth++;
    bool known = is_known_inst(w, gp_ref_index(ref));
    w->depth--;
    return known;
}

/* Instructions of the loop when it and the loops in it are unrolled; more than LARGEST where one of them has no constant number of turns. */
static double unrolled_size(const struct gp_kernel *kernel, uint32_t loop)
{
    double size = 0, around = kernel->loops[loop].parent != GP_NONE ? gp_constant_iterations(kernel, kernel->loops[loop].parent) : 1;
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        bool turns = true;
        uint32_t in = kernel->blocks[b].loop;
        for (; in != GP_NONE && in != loop; in = kernel->loops[in].parent)
            turns &= turns_are_constant(kernel, in);
        if (in == loop)
            size += turns ? kernel->blocks[b].inst_count * gp_constant_iterations(kernel, kernel->blocks[b].loop) / around : LARGEST + 1;
    }
    return size;
}

static bool walk_index(struct walk *w, const struct gp_memory *memory) { return is_known(w, w->kernel->operands[w->kernel->insts[memory->inst].operand]); }

bool gp_index_is_known_unrolled(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    struct walk w = {.kernel = kernel, .outermost = GP_NONE};
    return walk_index(&w, memory) && (w.outermost == GP_NONE || unrolled_size(kernel, w.outermost) <= LARGEST);
}

bool gp_index_follows_from_counters(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    struct walk w = {.kernel = kernel, .outermost = GP_NONE};
    return walk_index(&w, memory);
}

bool gp_index_needs_unrolling(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    struct walk w = {.kernel = kernel, .outermost = GP_NONE};
    return walk_index(&w, memory) && w.outermost != GP_NONE;
}
