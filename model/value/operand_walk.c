/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/value/operand_walk.h"

#include "model/value/inst_facts.h"
#include "model/value/refs.h"

enum { PLACES = 2 * GP_MOST_VISITED };

struct walk {
    const struct gp_kernel *kernel;
    gp_visitor *visit;
    void *context;
    uint32_t count;
    uint32_t visited[PLACES]; /* 1 + an instruction, at its number modulo PLACES or the next free place; 0: free */
};

/* Where an instruction is, or would be. */
static uint32_t *place_of(struct walk *w, uint32_t inst)
{
    uint32_t at = inst % PLACES;
    while (w->visited[at] != 0 && w->visited[at] != inst + 1)
        at = (at + 1) % PLACES;
    return &w->visited[at];
}

/* Whether a visit goes on to an operand of a phi: a block, or the value that comes from it. */
static bool is_start(const struct gp_kernel *kernel, gp_ref phi, const struct gp_inst *inst, uint32_t operand)
{
    uint32_t block = gp_inst_block(kernel, gp_ref_index(phi));
    return block == GP_NONE || gp_ref_index(gp_operand_of(kernel, inst, operand & ~1u)) < block;
}

/* No deeper than there are instructions to visit. */
static enum gp_walk walk(struct walk *w, gp_ref ref)
{
    const struct gp_inst *inst = gp_inst_of(w->kernel, ref);
    if (inst != NULL) {
        uint32_t *place = place_of(w, gp_ref_index(ref));
        if (*place != 0)
            return GP_WALK_WHOLE;
        if (w->count == GP_MOST_VISITED)
            return GP_WALK_CUT;
        *place = gp_ref_index(ref) + 1;
        w->count++;
    }
    enum gp_visit visit = w->visit(w->kernel, ref, inst, w->context);
    enum gp_walk found = visit == GP_VISIT_ENOUGH ? GP_WALK_ENOUGH : GP_WALK_WHOLE;
    bool goes_on = inst != NULL && (visit == GP_VISIT_OPERANDS || visit == GP_VISIT_START);
    for (uint32_t i = 0; goes_on && i < inst->operand_count; i++) {
        if (visit == GP_VISIT_START && !is_start(w->kernel, ref, inst, i))
            continue;
        enum gp_walk behind = walk(w, gp_operand_of(w->kernel, inst, i));
        if (behind == GP_WALK_ENOUGH)
            return behind;
        found = behind == GP_WALK_CUT ? behind : found;
    }
    return found;
}

enum gp_walk gp_walk_operands(const struct gp_kernel *kernel, gp_ref ref, gp_visitor *visit, void *context)
{
    struct walk w = {.kernel = kernel, .visit = visit, .context = context};
    return walk(&w, ref);
}
