/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/sampling/varied_groups.h"

#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/value/refs.h"

/*
 * How a value follows from the place of the work-item's group, a bit each: along dimension 0, 1 or 2, the further the
 * larger, or the smaller; in another way. Where none is set it does not. A comparison of what follows along two
 * dimensions (i >= j, i + j < n, of linear numbers, too) parts the range along no dimension alone.
 */
enum { ALONG = 7, OTHERWISE = 8 };

static uint8_t of_operand(const struct gp_kernel *kernel, const uint8_t *known, const struct gp_inst *inst, uint32_t i)
{
    gp_ref ref = kernel->operands[inst->operand + i];
    return gp_ref_kind(ref) == GP_REF_INST ? known[gp_ref_index(ref)] : 0;
}

static uint8_t of_operands(const struct gp_kernel *kernel, const uint8_t *known, const struct gp_inst *inst)
{
    uint8_t all = 0;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        all |= of_operand(kernel, known, inst, i);
    return all;
}

static bool is_of_group(const struct gp_inst *inst)
{
    enum gp_id id = (enum gp_id)(inst->sub >> 2);
    return id == GP_ID_GROUP || id == GP_ID_GLOBAL;
}

static bool is_of_several(uint8_t follows) { return (follows & ALONG & ((follows & ALONG) - 1)) != 0; }

static uint8_t of_inst(const struct gp_kernel *kernel, const uint8_t *known, const struct gp_inst *inst)
{
    uint8_t all = of_operands(kernel, known, inst), otherwise = all != 0 ? OTHERWISE : 0;
    bool second = inst->operand_count > 1 && of_operand(kernel, known, inst, 1) != 0;
    switch (inst->op) {
    case GP_OP_ID: return is_of_group(inst) ? (uint8_t)(1 << (inst->sub & 3)) : 0;
    case GP_OP_LOAD:
    case GP_OP_ATOMIC:
    case GP_OP_IMAGE_LOAD:
    case GP_OP_SHUFFLE:
    case GP_OP_CALL: return 0; /* nobody knows what comes back */
    case GP_OP_ADD:
    case GP_OP_SUB:
    case GP_OP_PHI:
    case GP_OP_OR: /* or: of bits that the other has not */
    case GP_OP_UMIN:
    case GP_OP_UMAX:
    case GP_OP_SMIN:
    case GP_OP_SMAX:
    case GP_OP_TRUNC:
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_COPY: return all;
    case GP_OP_ICMP: return is_of_several(all) ? OTHERWISE : all;
    case GP_OP_AND:
    case GP_OP_XOR:
    case GP_OP_SELECT: /* of conditions, or of one and values that do not depend on the place */
        return inst->bits == 1 ? all : otherwise;
    case GP_OP_MUL: return second && of_operand(kernel, known, inst, 0) != 0 ? OTHERWISE : all;
    case GP_OP_SHL:
    case GP_OP_LSHR:
    case GP_OP_ASHR:
    case GP_OP_UDIV:
    case GP_OP_SDIV: return second ? OTHERWISE : all;
    default: return otherwise;
    }
}

typedef uint8_t of_one(const struct gp_kernel *kernel, const uint8_t *known, const struct gp_inst *inst);

/* How each instruction's result follows, to be freed by the caller. Phis follow what comes around a loop: as often as
 * anything changes. */
static uint8_t *follow(const struct gp_kernel *kernel, of_one *of)
{
    uint8_t *known = calloc(kernel->inst_count + 1, sizeof *known);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < kernel->inst_count; i++) {
            uint8_t now = known[i] | of(kernel, known, &kernel->insts[i]);
            changed |= now != known[i];
            known[i] = now;
        }
    }
    return known;
}

/* What ends a block in several ways; NULL: it goes on in one. */
static const struct gp_inst *fork_of(const struct gp_kernel *kernel, uint32_t block)
{
    const struct gp_inst *last = gp_block_terminator(kernel, block);
    return last->op == GP_OP_CONDBR || last->op == GP_OP_SWITCH ? last : NULL;
}

static bool depends_on_place(const struct gp_kernel *kernel, const uint8_t *known, uint32_t block)
{
    const struct gp_inst *fork = fork_of(kernel, block);
    uint8_t condition = fork != NULL ? of_operand(kernel, known, fork, 0) : 0;
    return (condition & OTHERWISE) != 0 ||
           (condition != 0 &&
            (fork->op == GP_OP_SWITCH || gp_block_can_leave(kernel, block, kernel->blocks[block].loop)));
}

bool gp_groups_may_differ(const struct gp_kernel *kernel)
{
    uint8_t *known = follow(kernel, of_inst);
    bool may = false;
    for (uint32_t b = 0; !may && b < kernel->block_count; b++)
        may = depends_on_place(kernel, known, b);
    free(known);
    return may;
}

static uint8_t of_cut(const struct gp_kernel *kernel, const uint8_t *known, const struct gp_inst *inst)
{
    if (gp_op_is_memory((enum gp_op)inst->op) || inst->op == GP_OP_CALL)
        return 0; /* what comes back is anything in any case */
    if (inst->op != GP_OP_ID)
        return of_operands(kernel, known, inst);
    unsigned id = inst->sub >> 2;
    return id != GP_ID_GLOBAL && id != GP_ID_GLOBAL_SIZE && id != GP_ID_OFFSET && id != GP_ID_WORK_DIM &&
           id != GP_ID_LANE && id != GP_ID_SUBGROUP_SIZE;
}

/* The loop around no block that goes there, which it leads into past blocks that go on in one way; GP_NONE: none. */
static uint32_t loop_at(const struct gp_kernel *kernel, uint32_t block, uint32_t around)
{
    enum { MOST_BETWEEN = 4 };
    for (int i = 0; i < MOST_BETWEEN; i++) {
        uint32_t loop = kernel->blocks[block].loop;
        if (loop != GP_NONE && loop != around && kernel->loops[loop].header == block)
            return loop;
        const struct gp_inst *last = gp_block_terminator(kernel, block);
        if (last->op != GP_OP_BR)
            return GP_NONE;
        block = gp_ref_index(gp_operand_of(kernel, last, 0));
    }
    return GP_NONE;
}

/* The loop that a branch ends, or whether it begins at all: GP_NONE: it is no loop's. */
static uint32_t loop_of_branch(const struct gp_kernel *kernel, uint32_t block, const struct gp_inst *branch)
{
    uint32_t loop = kernel->blocks[block].loop, ahead = GP_NONE;
    if (loop != GP_NONE && gp_block_can_leave(kernel, block, loop))
        return loop;
    for (uint32_t way = 1; way <= 2 && ahead == GP_NONE && branch->op == GP_OP_CONDBR; way++)
        ahead = loop_at(kernel, gp_ref_index(gp_operand_of(kernel, branch, way)), loop);
    return ahead;
}

bool gp_loops_of_cut(const struct gp_kernel *kernel, bool *loops)
{
    uint8_t *known = follow(kernel, of_cut);
    bool only = true;
    memset(loops, 0, kernel->loop_count * sizeof *loops);
    for (uint32_t b = 0; only && b < kernel->block_count; b++) {
        const struct gp_inst *fork = fork_of(kernel, b);
        if (fork == NULL || of_operand(kernel, known, fork, 0) == 0)
            continue;
        uint32_t loop = loop_of_branch(kernel, b, fork);
        only = loop != GP_NONE;
        if (only)
            loops[loop] = true;
    }
    free(known);
    return only;
}

/* Groups 1 to n - 2 of a dimension, where there are so many. */
static void keep_inside(const struct gp_launch *launch, uint64_t group[3])
{
    uint64_t groups[3];
    gp_launch_groups(launch, groups);
    for (int d = 0; d < 3; d++) {
        if (groups[d] > 2 && group[d] == 0)
            group[d] = 1;
        if (groups[d] > 2 && group[d] + 1 == groups[d])
            group[d]--;
    }
}

struct look {
    struct gp_pilots *pilots;
    struct gp_executor *executor;
    const struct gp_launch *launch;
    uint32_t warp_width;
    double sampled[GP_MAX_LANES]; /* what warps of the sampled group execute; 0: not asked for yet */
};

static bool execute(struct look *look, const uint64_t group[3], uint32_t warp, double *instructions)
{
    return gp_pilot_work(look->pilots, look->executor, look->launch, group, warp, look->warp_width, instructions);
}

/* One that has been looked at before executes the same again. */
static bool execute_sampled(struct look *look, const uint64_t group[3], uint32_t warp, double *instructions)
{
    bool kept = warp < GP_MAX_LANES;
    *instructions = kept ? look->sampled[warp] : 0;
    if (*instructions > 0)
        return true;
    bool ok = execute(look, group, warp, instructions);
    if (kept)
        look->sampled[warp] = *instructions;
    return ok;
}

/* The sampled ones, then others all over the group: where only these have work, groups seem to be alike else. */
static uint32_t warp_to_look_at(const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group,
                                uint32_t warp_width, uint32_t number)
{
    bool full;
    uint64_t warps = gp_group_warps(launch, samples[0].group, warp_width, &full);
    uint32_t turn = number * UINT32_C(0x9e3779b9);
    return number < in_group ? samples[number].warp : (uint32_t)(warps * turn >> 32);
}

bool gp_groups_differ(struct gp_pilots *pilots, struct gp_executor *executor, const struct gp_launch *launch,
                      uint32_t warp_width, const struct gp_sample *samples, size_t in_group, bool quick)
{
    enum {
        FEW = 16,
        MANY = 384,
        CHEAP = 12000,
        QUICK_FEW = 6,
        QUICK_MANY = 48,
        QUICK_CHEAP = 1200
    }; /* places; effort that more of them may take */
    struct look look = {.pilots = pilots, .executor = executor, .launch = launch, .warp_width = warp_width};
    double stands, looked;
    uint32_t least = quick ? QUICK_FEW : FEW, most = quick ? QUICK_MANY : MANY;
    uint64_t cheap = pilots->spent + (quick ? QUICK_CHEAP : CHEAP);
    for (uint32_t i = 0; i < least || (i < most && pilots->spent < cheap); i++) {
        uint64_t group[3];
        uint32_t warp = warp_to_look_at(launch, samples, in_group, warp_width, i);
        gp_sample_point(launch, i, group);
        keep_inside(launch, group);
        if (!execute_sampled(&look, samples[0].group, warp, &stands) || !execute(&look, group, warp, &looked))
            return false;
        if (gp_works_differ(looked, stands))
            return true;
    }
    return false;
}
