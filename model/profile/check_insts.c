/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks of instructions, expressions and phis. */
#include <string.h>

#include "model/profile/checker.h"

static bool valid_bits(unsigned bits)
{
    return bits == 0 || bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* Whether an operation has a result (1), has none (-1), or may have one (0). */
static int has_result(enum gp_op op)
{
    switch (op) {
    case GP_OP_WEIGHT:
    case GP_OP_ATOMIC:
    case GP_OP_IMAGE_LOAD:
    case GP_OP_BULK_COPY:
    case GP_OP_SHUFFLE:
    case GP_OP_CALL: return 0;
    case GP_OP_STORE:
    case GP_OP_IMAGE_STORE:
    case GP_OP_BARRIER:
    case GP_OP_BR:
    case GP_OP_CONDBR:
    case GP_OP_SWITCH:
    case GP_OP_RET: return -1;
    default: return 1;
    }
}

static bool check_bits(struct check *c, const struct gp_inst *inst)
{
    enum gp_op op = (enum gp_op)inst->op;
    int result = has_result(op);
    bool compare = op == GP_OP_ICMP || op == GP_OP_FCMP;
    REQUIRE(c, valid_bits(inst->bits), "a result of %u bits", inst->bits);
    REQUIRE(c, result <= 0 || inst->bits != 0, "'%s' needs a result of 1, 8, 16, 32 or 64 bits", gp_op_name(op));
    REQUIRE(c, result >= 0 || inst->bits == 0, "'%s' has no result", gp_op_name(op));
    REQUIRE(c, !compare || inst->bits == 1, "a comparison has 1 bit, not %u", inst->bits);
    if (compare || gp_op_is_cast(op))
        REQUIRE(c, valid_bits(inst->width) && inst->width != 0, "operands of %u bits", inst->width);
    else
        REQUIRE(c, inst->width == 0, "'%s' has no width of its own", gp_op_name(op));
    return true;
}

static bool check_sub(struct check *c, const struct gp_inst *inst)
{
    unsigned sub = inst->sub;
    switch ((enum gp_op)inst->op) {
    case GP_OP_ICMP: REQUIRE(c, sub <= GP_PRED_SGE, "predicate %u is none of integers", sub); return true;
    case GP_OP_FCMP:
        REQUIRE(c, sub >= GP_PRED_OEQ && sub < GP_PRED_COUNT, "predicate %u is none of floating-point numbers", sub);
        return true;
    case GP_OP_ID:
        REQUIRE(c, sub >> 2 < GP_ID_COUNT, "unknown id %u", sub >> 2);
        REQUIRE(c, (sub & 3) < (gp_id_has_dimension((enum gp_id)(sub >> 2)) ? 3u : 1u), "dimension %u of %s", sub & 3,
                gp_id_name((enum gp_id)(sub >> 2)));
        return true;
    default: REQUIRE(c, sub == 0, "'%s' has no variant %u", gp_op_name((enum gp_op)inst->op), sub); return true;
    }
}

/* Numbers of operands where profile.h says -1. Phis are counted against their predecessors. */
static bool valid_operand_count(enum gp_op op, uint32_t count)
{
    int fixed = gp_op_operands(op);
    if (fixed >= 0)
        return count == (uint32_t)fixed;
    switch (op) {
    case GP_OP_ATOMIC: return count >= 1;
    case GP_OP_IMAGE_LOAD:
    case GP_OP_IMAGE_STORE: return count >= 2 && count <= 4;
    case GP_OP_BULK_COPY: return count == 3 || count == 4;
    case GP_OP_PHI:
    case GP_OP_SWITCH: return count >= 2 && count % 2 == 0;
    default: return true;
    }
}

/* Whether operand number i of the operation is a block. */
static bool takes_block(enum gp_op op, uint32_t i)
{
    switch (op) {
    case GP_OP_BR: return true;
    case GP_OP_CONDBR: return i > 0;
    case GP_OP_SWITCH: return i % 2 == 1;
    case GP_OP_PHI: return i % 2 == 0;
    default: return false;
    }
}

/* Value or block that the reference names exists; instructions have a result. */
bool gp_check_ref(struct check *c, gp_ref ref)
{
    const struct gp_kernel *k = c->kernel;
    const uint32_t counts[] = {1,
                               k->inst_count,
                               k->constant_count,
                               k->param_count,
                               k->local_count,
                               k->global_count,
                               k->private_count,
                               k->block_count};
    static const char *const words[] = {"nothing",     "instruction",  "constant",      "parameter",
                                        "local array", "global array", "private array", "block"};
    enum gp_ref_kind kind = gp_ref_kind(ref);
    REQUIRE(c, gp_ref_index(ref) < counts[kind], "%s %u does not exist", words[kind], gp_ref_index(ref));
    REQUIRE(c, kind != GP_REF_INST || k->insts[gp_ref_index(ref)].bits != 0,
            "it uses instruction %%%u, which has no result", gp_ref_index(ref));
    return true;
}

static bool check_operands(struct check *c, const struct gp_inst *inst)
{
    const struct gp_kernel *k = c->kernel;
    enum gp_op op = (enum gp_op)inst->op;
    REQUIRE(c, valid_operand_count(op, inst->operand_count), "'%s' with %u operands", gp_op_name(op),
            inst->operand_count);
    REQUIRE(c,
            inst->operand_count == 0 ||
                (inst->operand <= k->operand_count && inst->operand_count <= k->operand_count - inst->operand),
            "its operands do not exist");
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        gp_ref ref = k->operands[inst->operand + i];
        enum gp_ref_kind kind = gp_ref_kind(ref);
        if (!gp_check_ref(c, ref))
            return false;
        REQUIRE(c, (kind == GP_REF_BLOCK) == takes_block(op, i), "operand %u of '%s' is %s block", i, gp_op_name(op),
                kind == GP_REF_BLOCK ? "a" : "no");
        REQUIRE(c, op != GP_OP_SWITCH || i < 2 || i % 2 == 1 || kind == GP_REF_CONST,
                "a case of a switch is no constant");
        REQUIRE(c,
                kind != GP_REF_INST || c->inst == GP_NONE || c->block_of[c->inst] == GP_NONE ||
                    c->block_of[gp_ref_index(ref)] != GP_NONE,
                "it uses expression %%%u, which no block computes", gp_ref_index(ref));
    }
    return true;
}

bool gp_check_has_branch_record(enum gp_op op) { return op == GP_OP_CONDBR || op == GP_OP_SWITCH; }

/* The record exists and names this instruction; the check of the records finds those that nobody names. */
static bool check_record(struct check *c, const struct gp_inst *inst)
{
    const struct gp_kernel *k = c->kernel;
    enum gp_op op = (enum gp_op)inst->op;
    if (gp_op_is_memory(op))
        REQUIRE(c, inst->record < k->memory_count && k->memory[inst->record].inst == c->inst,
                "its memory record %u is not there or another's", inst->record);
    else if (gp_check_has_branch_record(op))
        REQUIRE(c, inst->record < k->branch_count && k->branches[inst->record].inst == c->inst,
                "its branch record %u is not there or another's", inst->record);
    else if (op == GP_OP_CALL)
        REQUIRE(c, inst->record < k->callee_count, "callee %u does not exist", inst->record);
    else
        REQUIRE(c, inst->record == GP_NONE, "'%s' has no record", gp_op_name(op));
    return true;
}

static bool check_inst(struct check *c, const struct gp_inst *inst)
{
    REQUIRE(c, inst->op < GP_OP_COUNT, "unknown operation %u", inst->op);
    REQUIRE(c, inst->cost < GP_CLASS_COUNT, "unknown cost class %u", inst->cost);
    REQUIRE(c, inst->flags < 8, "unknown flags %#x", inst->flags);
    REQUIRE(c, inst->repaired < GP_CLASS_COUNT, "unknown cost class %u", inst->repaired);
    bool repairable = inst->flags & GP_INST_REPAIRABLE;
    REQUIRE(c, repairable ? inst->repaired_repeat >= 1 : inst->repaired_repeat == 0 && inst->repaired == 0,
            "what it would cost is said of what can be mended");
    REQUIRE(c, inst->repeat >= 1, "its class is paid 0 times");
    return check_bits(c, inst) && check_sub(c, inst) && check_operands(c, inst) && check_record(c, inst) &&
           gp_check_location_index(c, inst->location);
}

/* Terminators only at the end, phis only at the start. */
static bool check_order(struct check *c, uint32_t index, bool *phis_end)
{
    const struct gp_block *block = &c->kernel->blocks[c->block];
    enum gp_op op = (enum gp_op)c->kernel->insts[index].op;
    bool last = index == block->inst + block->inst_count - 1;
    REQUIRE(c, last == gp_op_is_terminator(op),
            last ? "a block must end with a branch or return, not '%s'" : "'%s' stands before the end of its block",
            gp_op_name(op));
    REQUIRE(c, op != GP_OP_PHI || !*phis_end, "a phi stands behind other instructions");
    *phis_end = *phis_end || op != GP_OP_PHI;
    return true;
}

bool gp_check_block_insts(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->block_count; i++) {
        bool phis_end = false;
        c->block = i;
        for (uint32_t inst = k->blocks[i].inst; inst < gp_block_end(k, i); inst++) {
            c->inst = inst;
            if (!check_inst(c, &k->insts[inst]) || !check_order(c, inst, &phis_end))
                return false;
        }
    }
    c->block = c->inst = GP_NONE;
    return true;
}

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

/* An expression can be evaluated at any time: it neither touches memory nor decides control flow. */
static bool is_pure(enum gp_op op) { return op < GP_OP_LOAD && op != GP_OP_PHI; }

bool gp_check_expressions(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    uint32_t first = gp_block_end(k, k->block_count - 1);
    for (c->inst = first; c->inst < k->inst_count; c->inst++) {
        const struct gp_inst *inst = &k->insts[c->inst];
        if (!check_inst(c, inst))
            return false;
        REQUIRE(c, is_pure((enum gp_op)inst->op), "'%s' cannot stand in an expression",
                gp_op_name((enum gp_op)inst->op));
        for (uint32_t i = 0; i < inst->operand_count; i++) {
            gp_ref ref = k->operands[inst->operand + i];
            REQUIRE(c, gp_ref_kind(ref) != GP_REF_INST || gp_ref_index(ref) < c->inst,
                    "an expression uses %%%u, which is not earlier", gp_ref_index(ref));
        }
    }
    c->inst = GP_NONE;
    return true;
}

/* Operand lists may not overlap: else a small profile could stand for endless work. */
bool gp_check_operand_total(struct check *c)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < c->kernel->inst_count; i++)
        total += c->kernel->insts[i].operand_count;
    REQUIRE(c, total <= c->kernel->operand_count, "its instructions have %llu operands, but %u are there",
            (unsigned long long)total, c->kernel->operand_count);
    return true;
}

/* ---- Phis -------------------------------------------------------------------------------------------------------- */

/* Each predecessor once and nothing but predecessors. mark: predecessors of this block; seen: named by this phi. */
static bool check_phi(struct check *c, const struct gp_inst *phi)
{
    uint32_t count = c->first_edge[c->block + 1] - c->first_edge[c->block];
    REQUIRE(c, phi->operand_count / 2 == count, "a phi with %u values in a block with %u predecessors",
            phi->operand_count / 2, count);
    for (uint32_t i = 0; i < phi->operand_count; i += 2) {
        uint32_t from = gp_ref_index(c->kernel->operands[phi->operand + i]);
        REQUIRE(c, c->mark[from] == c->block, "a phi names block %u, which is no predecessor", from);
        REQUIRE(c, c->seen[from] != c->inst, "a phi names block %u twice", from);
        c->seen[from] = c->inst;
    }
    return true;
}

bool gp_check_phis(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    if (!gp_check_collect_edges(c))
        return false;
    memset(c->mark, 0xff, k->block_count * sizeof *c->mark);
    memset(c->seen, 0xff, k->block_count * sizeof *c->seen);
    for (c->block = 0; c->block < k->block_count; c->block++) {
        for (uint32_t i = c->first_edge[c->block]; i < c->first_edge[c->block + 1]; i++)
            c->mark[c->edges[i]] = c->block;
        for (c->inst = k->blocks[c->block].inst; k->insts[c->inst].op == GP_OP_PHI; c->inst++)
            if (!check_phi(c, &k->insts[c->inst]))
                return false;
    }
    c->block = c->inst = GP_NONE;
    return true;
}
