/*
 * gp_profile_check(): every invariant that profile.h states, in time linear in the size of the profile. Whoever
 * computes with a profile relies on this and checks nothing again.
 */
#include "model/profile/profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/launch/launch.h"

enum { MAX_INDEX = 0x1fffffff, MAX_ALIGNMENT = 1 << 20 };

struct check {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    struct gp_error *error;
    uint32_t *block_of;     /* [inst_count] block of an instruction; GP_NONE: an expression */
    uint32_t *edges;        /* predecessors, grouped by block, each once */
    uint32_t *first_edge;   /* [block_count + 1] in edges */
    uint32_t *mark, *seen;  /* [block_count] scratch */
    uint32_t *loop_begin, *loop_end; /* [loop_count] numbers in preorder: loop l holds begin[l] <= begin[m] < end[l] */
    uint32_t block, inst;   /* being checked, for the sentence; GP_NONE: none */
};

/* ---- Complaints ----------------------------------------------------------------------------------------------- */

static bool complain(struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool complain(struct check *c, const char *format, ...)
{
    char what[256], where[64] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    size_t length = 0;
    if (c->block != GP_NONE)
        length = (size_t)snprintf(where, sizeof where, ", block %u", c->block);
    if (c->inst != GP_NONE)
        snprintf(where + length, sizeof where - length, ", instruction %%%u", c->inst);
    if (c->kernel == NULL)
        return gp_fail(c->error, "invalid profile: %s", what);
    const char *name = c->kernel->name ? c->kernel->name : "?";
    return gp_fail(c->error, "invalid profile: kernel '%.200s'%s: %s", name, where, what);
}

#define REQUIRE(c, condition, ...)             \
    do {                                       \
        if (!(condition))                      \
            return complain((c), __VA_ARGS__); \
    } while (0)

/* ---- The profile's own tables --------------------------------------------------------------------------------- */

static bool check_location_index(struct check *c, uint32_t location)
{
    REQUIRE(c, location == GP_NONE || location < c->profile->location_count, "location %u does not exist", location);
    return true;
}

static bool check_locations(struct check *c)
{
    const struct gp_profile *profile = c->profile;
    REQUIRE(c, profile->location_count == 0 || profile->locations != NULL, "the locations are missing");
    for (uint32_t i = 0; i < profile->location_count; i++) {
        const struct gp_location *location = &profile->locations[i];
        REQUIRE(c, location->file != NULL, "location %u has no file", i);
        REQUIRE(c, location->inlined_at == GP_NONE || location->inlined_at < i,
                "location %u is inlined at location %u, which does not stand before it", i, location->inlined_at);
    }
    return true;
}

static bool check_header(struct check *c)
{
    const struct gp_profile *profile = c->profile;
    REQUIRE(c, profile->producer && profile->source && profile->triple && profile->cpu && profile->language,
            "a string of the header is missing");
    REQUIRE(c, profile->opt_level <= 3, "optimisation level %u", profile->opt_level);
    REQUIRE(c, profile->kernel_count == 0 || profile->kernels != NULL, "the kernels are missing");
    return check_locations(c);
}

/* ---- Tables of a kernel --------------------------------------------------------------------------------------- */

static bool check_table(struct check *c, const void *table, uint32_t count, const char *what)
{
    REQUIRE(c, count <= MAX_INDEX, "%u %s are too many", count, what);
    REQUIRE(c, count == 0 || table != NULL, "the %s are missing", what);
    return true;
}

static bool check_tables(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    REQUIRE(c, k->name != NULL && k->symbol != NULL, "it has no name or no symbol");
    REQUIRE(c, k->local_size_agnostic.reason != NULL && k->split_safe.reason != NULL, "a fact has no reason");
    return check_table(c, k->params, k->param_count, "parameters") &&
           check_table(c, k->blocks, k->block_count, "blocks") &&
           check_table(c, k->insts, k->inst_count, "instructions") &&
           check_table(c, k->operands, k->operand_count, "operands") &&
           check_table(c, k->constants, k->constant_count, "constants") &&
           check_table(c, k->memory, k->memory_count, "memory records") &&
           check_table(c, k->branches, k->branch_count, "branch records") &&
           check_table(c, k->loops, k->loop_count, "loops") &&
           check_table(c, k->inductions, k->induction_count, "inductions") &&
           check_table(c, k->locals, k->local_count, "local arrays") &&
           check_table(c, k->globals, k->global_count, "global arrays") &&
           check_table(c, k->privates, k->private_count, "private arrays") &&
           check_table(c, k->callees, k->callee_count, "callees") &&
           check_table(c, k->resources, k->resource_count, "resources") &&
           check_table(c, k->defaults, k->default_count, "default arguments") &&
           check_table(c, k->code, k->code_count, "machine code");
}

static bool check_params(struct check *c)
{
    REQUIRE(c, c->kernel->param_count <= GP_MAX_ARGUMENTS, "%u parameters, more than %d", c->kernel->param_count,
            GP_MAX_ARGUMENTS);
    for (uint32_t i = 0; i < c->kernel->param_count; i++) {
        const struct gp_param *param = &c->kernel->params[i];
        bool scalar = param->kind == GP_PARAM_INT || param->kind == GP_PARAM_FLOAT;
        REQUIRE(c, param->name != NULL, "parameter %u has no name string", i);
        REQUIRE(c, param->kind < GP_PARAM_KIND_COUNT, "parameter %u is of unknown kind %u", i, param->kind);
        REQUIRE(c, param->space < GP_SPACE_COUNT, "parameter %u is in unknown space %u", i, param->space);
        REQUIRE(c, param->flags < 32, "parameter %u has unknown flags %#x", i, param->flags);
        REQUIRE(c, !scalar || param->bits > 0, "parameter %u is a number of 0 bits", i);
        REQUIRE(c, param->kind != GP_PARAM_LOCAL || param->size == 0, "local parameter %u has a size of its own", i);
        REQUIRE(c, param->bounds_dim == GP_NONE || (param->bounds_dim < GP_MAX_DIMS && param->kind == GP_PARAM_INT),
                "parameter %u bounds dimension %u", i, param->bounds_dim);
    }
    return true;
}

static bool is_power_of_two(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static bool check_arrays(struct check *c, const struct gp_array *arrays, uint32_t count, const char *what)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct gp_array *array = &arrays[i];
        REQUIRE(c, array->name != NULL, "%s array %u has no name string", what, i);
        REQUIRE(c, is_power_of_two(array->alignment) && array->alignment <= MAX_ALIGNMENT,
                "%s array %u is aligned to %u, not a power of two up to %d", what, i, array->alignment, MAX_ALIGNMENT);
        if (!check_location_index(c, array->location))
            return false;
        total += (uint64_t)array->bytes + array->alignment;
    }
    REQUIRE(c, total <= UINT32_MAX || arrays != c->kernel->locals, "the %s arrays together exceed 4 GiB", what);
    return true;
}

static bool check_sizes(struct check *c, const uint32_t sizes[3], uint64_t most, const char *what)
{
    bool none = sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 0, all = sizes[0] != 0 && sizes[1] != 0 && sizes[2] != 0;
    REQUIRE(c, none || all, "%s is 0 in some dimensions only", what);
    uint64_t area = (uint64_t)sizes[0] * sizes[1];
    REQUIRE(c, none || (area <= most && area * sizes[2] / sizes[2] == area && area * sizes[2] <= most),
            "%s is too large", what);
    return true;
}

static bool check_facts(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    REQUIRE(c, k->dims <= GP_MAX_DIMS, "it uses %u dimensions", k->dims);
    for (uint32_t i = 0; i < k->callee_count; i++)
        REQUIRE(c, k->callees[i] != NULL, "callee %u has no name", i);
    for (uint32_t i = 0; i < k->resource_count; i++) {
        const struct gp_resources *entry = &k->resources[i];
        REQUIRE(c, entry->source < GP_SOURCE_COUNT, "resources %u are from unknown source %u", i, entry->source);
        REQUIRE(c, (entry->loop_store_bytes == 0 && entry->loop_load_bytes == 0) || entry->spill_loop < k->loop_count, "resources %u spill in loop %u, which there is not", i,
                entry->spill_loop);
        REQUIRE(c, entry->loop_store_bytes <= entry->spill_store_bytes && entry->loop_load_bytes <= entry->spill_load_bytes, "resources %u spill more in a loop than in all", i);
    }
    for (uint32_t i = 0; i < k->code_count; i++)
        REQUIRE(c, k->code[i].loop == GP_NONE || k->code[i].loop < k->loop_count, "machine code %u is of loop %u, which there is not", i, k->code[i].loop);
    for (uint32_t i = 0; i < k->default_count; i++) {
        uint32_t param = k->defaults[i].param;
        REQUIRE(c,
                param < k->param_count &&
                    (k->params[param].kind == GP_PARAM_INT || k->params[param].kind == GP_PARAM_FLOAT),
                "default argument %u is for parameter %u, which is no number", i, param);
    }
    return check_location_index(c, k->location) &&
           check_sizes(c, k->required_local, INT32_MAX, "the required local size") &&
           check_sizes(c, k->default_local, INT32_MAX, "the default local size") &&
           check_sizes(c, k->default_global, INT64_MAX, "the default global size");
}

/* ---- Blocks and edges ----------------------------------------------------------------------------------------- */

static bool check_blocks(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    uint32_t next = 0;
    REQUIRE(c, k->block_count > 0, "it has no blocks");
    for (uint32_t i = 0; i < k->block_count; i++) {
        const struct gp_block *block = &k->blocks[i];
        c->block = i;
        REQUIRE(c, block->inst_count > 0, "it is empty");
        REQUIRE(c, block->inst == next, "it starts at instruction %u where %u is the next", block->inst, next);
        REQUIRE(c, block->inst_count <= k->inst_count - next, "it has more instructions than the kernel");
        REQUIRE(c, block->ipdom == GP_NONE || block->ipdom < k->block_count, "its post-dominator %u does not exist",
                block->ipdom);
        REQUIRE(c, block->ipdom != i, "it is its own post-dominator");
        REQUIRE(c, block->loop == GP_NONE || block->loop < k->loop_count, "its loop %u does not exist", block->loop);
        for (uint32_t inst = next; inst < next + block->inst_count; inst++)
            c->block_of[inst] = i;
        next += block->inst_count;
    }
    for (uint32_t inst = next; inst < k->inst_count; inst++)
        c->block_of[inst] = GP_NONE;
    c->block = GP_NONE;
    return true;
}

/* Post-dominators form a tree: following them ends. */
static bool check_post_dominators(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    memset(c->mark, 0xff, k->block_count * sizeof *c->mark);
    for (uint32_t start = 0; start < k->block_count; start++) {
        uint32_t at = start;
        for (; at != GP_NONE && c->mark[at] == GP_NONE; at = k->blocks[at].ipdom)
            c->mark[at] = start;
        if (at != GP_NONE && c->mark[at] == start) {
            c->block = at;
            return complain(c, "its chain of post-dominators comes back to it");
        }
    }
    return true;
}

/* Calls visit(c, from, to) for each successor of each block, each pair once. */
static void for_each_edge(struct check *c, void (*visit)(struct check *, uint32_t from, uint32_t to))
{
    const struct gp_kernel *k = c->kernel;
    memset(c->mark, 0xff, k->block_count * sizeof *c->mark);
    for (uint32_t from = 0; from < k->block_count; from++) {
        const struct gp_inst *last = gp_block_terminator(k, from);
        for (uint32_t i = 0; i < last->operand_count; i++) {
            gp_ref ref = k->operands[last->operand + i];
            uint32_t to = gp_ref_index(ref);
            if (gp_ref_kind(ref) != GP_REF_BLOCK || c->mark[to] == from)
                continue;
            c->mark[to] = from;
            visit(c, from, to);
        }
    }
}

static void count_edge(struct check *c, uint32_t from, uint32_t to)
{
    (void)from;
    c->first_edge[to + 1]++;
}

static void place_edge(struct check *c, uint32_t from, uint32_t to)
{
    c->edges[c->first_edge[to] + c->seen[to]++] = from;
}

/* Fills edges: needs terminators whose block operands exist. */
static bool collect_edges(struct check *c)
{
    uint32_t count = c->kernel->block_count;
    memset(c->first_edge, 0, (count + (size_t)1) * sizeof *c->first_edge);
    for_each_edge(c, count_edge);
    for (uint32_t i = 0; i < count; i++)
        c->first_edge[i + 1] += c->first_edge[i];
    free(c->edges);
    c->edges = calloc(c->first_edge[count] + (size_t)1, sizeof *c->edges);
    REQUIRE(c, c->edges != NULL, "out of memory");
    memset(c->seen, 0, count * sizeof *c->seen);
    for_each_edge(c, place_edge);
    return true;
}

/* ---- Instructions --------------------------------------------------------------------------------------------- */

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
    case GP_OP_CALL:
        return 0;
    case GP_OP_STORE: case GP_OP_IMAGE_STORE: case GP_OP_BARRIER: case GP_OP_BR: case GP_OP_CONDBR: case GP_OP_SWITCH:
    case GP_OP_RET:
        return -1;
    default:
        return 1;
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
    case GP_OP_ICMP:
        REQUIRE(c, sub <= GP_PRED_SGE, "predicate %u is none of integers", sub);
        return true;
    case GP_OP_FCMP:
        REQUIRE(c, sub >= GP_PRED_OEQ && sub < GP_PRED_COUNT, "predicate %u is none of floating-point numbers", sub);
        return true;
    case GP_OP_ID:
        REQUIRE(c, sub >> 2 < GP_ID_COUNT, "unknown id %u", sub >> 2);
        REQUIRE(c, (sub & 3) < (gp_id_has_dimension((enum gp_id)(sub >> 2)) ? 3u : 1u), "dimension %u of %s", sub & 3,
                gp_id_name((enum gp_id)(sub >> 2)));
        return true;
    default:
        REQUIRE(c, sub == 0, "'%s' has no variant %u", gp_op_name((enum gp_op)inst->op), sub);
        return true;
    }
}

/* Numbers of operands where profile.h says -1. Phis are counted against their predecessors. */
static bool valid_operand_count(enum gp_op op, uint32_t count)
{
    int fixed = gp_op_operands(op);
    if (fixed >= 0)
        return count == (uint32_t)fixed;
    switch (op) {
    case GP_OP_ATOMIC:
        return count >= 1;
    case GP_OP_IMAGE_LOAD: case GP_OP_IMAGE_STORE:
        return count >= 2 && count <= 4;
    case GP_OP_BULK_COPY:
        return count == 3 || count == 4;
    case GP_OP_PHI: case GP_OP_SWITCH:
        return count >= 2 && count % 2 == 0;
    default:
        return true;
    }
}

/* Whether operand number i of the operation is a block. */
static bool takes_block(enum gp_op op, uint32_t i)
{
    switch (op) {
    case GP_OP_BR:
        return true;
    case GP_OP_CONDBR:
        return i > 0;
    case GP_OP_SWITCH:
        return i % 2 == 1;
    case GP_OP_PHI:
        return i % 2 == 0;
    default:
        return false;
    }
}

/* Value or block that the reference names exists; instructions have a result. */
static bool check_ref(struct check *c, gp_ref ref)
{
    const struct gp_kernel *k = c->kernel;
    const uint32_t counts[] = {1, k->inst_count, k->constant_count, k->param_count, k->local_count, k->global_count,
                               k->private_count, k->block_count};
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
        if (!check_ref(c, ref))
            return false;
        REQUIRE(c, (kind == GP_REF_BLOCK) == takes_block(op, i), "operand %u of '%s' is %s block", i, gp_op_name(op),
                kind == GP_REF_BLOCK ? "a" : "no");
        REQUIRE(c, op != GP_OP_SWITCH || i < 2 || i % 2 == 1 || kind == GP_REF_CONST,
                "a case of a switch is no constant");
        REQUIRE(c, kind != GP_REF_INST || c->inst == GP_NONE || c->block_of[c->inst] == GP_NONE ||
                       c->block_of[gp_ref_index(ref)] != GP_NONE,
                "it uses expression %%%u, which no block computes", gp_ref_index(ref));
    }
    return true;
}

static bool has_branch_record(enum gp_op op)
{
    return op == GP_OP_CONDBR || op == GP_OP_SWITCH;
}

/* The record exists and names this instruction; the check of the records finds those that nobody names. */
static bool check_record(struct check *c, const struct gp_inst *inst)
{
    const struct gp_kernel *k = c->kernel;
    enum gp_op op = (enum gp_op)inst->op;
    if (gp_op_is_memory(op))
        REQUIRE(c, inst->record < k->memory_count && k->memory[inst->record].inst == c->inst,
                "its memory record %u is not there or another's", inst->record);
    else if (has_branch_record(op))
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
    REQUIRE(c, inst->mended < GP_CLASS_COUNT, "unknown cost class %u", inst->mended);
    bool mendable = inst->flags & GP_INST_MENDABLE;
    REQUIRE(c, mendable ? inst->mended_repeat >= 1 : inst->mended_repeat == 0 && inst->mended == 0, "what it would cost is said of what can be mended");
    REQUIRE(c, inst->repeat >= 1, "its class is paid 0 times");
    return check_bits(c, inst) && check_sub(c, inst) && check_operands(c, inst) && check_record(c, inst) &&
           check_location_index(c, inst->location);
}

/* Terminators only at the end, phis only at the start. */
static bool check_order(struct check *c, uint32_t index, bool *phis_end)
{
    const struct gp_block *block = &c->kernel->blocks[c->block];
    enum gp_op op = (enum gp_op)c->kernel->insts[index].op;
    bool last = index == block->inst + block->inst_count - 1;
    REQUIRE(c, last == gp_op_is_terminator(op), last ? "a block must end with a branch or return, not '%s'"
                                                     : "'%s' stands before the end of its block", gp_op_name(op));
    REQUIRE(c, op != GP_OP_PHI || !*phis_end, "a phi stands behind other instructions");
    *phis_end = *phis_end || op != GP_OP_PHI;
    return true;
}

static bool check_block_insts(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->block_count; i++) {
        bool phis_end = false;
        c->block = i;
        for (uint32_t inst = k->blocks[i].inst; inst < k->blocks[i].inst + k->blocks[i].inst_count; inst++) {
            c->inst = inst;
            if (!check_inst(c, &k->insts[inst]) || !check_order(c, inst, &phis_end))
                return false;
        }
    }
    c->block = c->inst = GP_NONE;
    return true;
}

/* An expression can be evaluated at any time: it neither touches memory nor decides control flow. */
static bool is_pure(enum gp_op op)
{
    return op < GP_OP_LOAD && op != GP_OP_PHI;
}

static bool check_expressions(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    uint32_t first = k->blocks[k->block_count - 1].inst + k->blocks[k->block_count - 1].inst_count;
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
static bool check_operand_total(struct check *c)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < c->kernel->inst_count; i++)
        total += c->kernel->insts[i].operand_count;
    REQUIRE(c, total <= c->kernel->operand_count, "its instructions have %llu operands, but %u are there",
            (unsigned long long)total, c->kernel->operand_count);
    return true;
}

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

static bool check_phis(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    if (!collect_edges(c))
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

/* ---- Records -------------------------------------------------------------------------------------------------- */

static bool valid_base(gp_ref base)
{
    switch (gp_ref_kind(base)) {
    case GP_REF_NONE: case GP_REF_PARAM: case GP_REF_LOCAL: case GP_REF_GLOBAL: case GP_REF_PRIVATE:
        return true;
    default:
        return false;
    }
}

static bool adds_constant(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    const struct gp_inst *inst = &kernel->insts[memory->inst];
    return inst->operand_count >= 2 && gp_ref_kind(kernel->operands[inst->operand + 1]) == GP_REF_CONST;
}

static bool check_memory_flags(struct check *c, const struct gp_memory *memory, enum gp_op op)
{
    bool image = op == GP_OP_IMAGE_LOAD || op == GP_OP_IMAGE_STORE,
         store = op == GP_OP_STORE || op == GP_OP_IMAGE_STORE;
    bool load = op == GP_OP_LOAD || op == GP_OP_IMAGE_LOAD, atomic = op == GP_OP_ATOMIC;
    REQUIRE(c, !store || (memory->flags & GP_MEMORY_STORE), "a store without the flag 'store'");
    REQUIRE(c, !load || !(memory->flags & GP_MEMORY_STORE), "a load with the flag 'store'");
    REQUIRE(c, atomic == ((memory->flags & GP_MEMORY_ATOMIC) != 0), "the flag 'atomic' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_RETURNS), "the flag 'returns' is for atomics");
    REQUIRE(c, atomic || !(memory->flags & GP_MEMORY_COMBINES), "the flag 'combines' is for atomics");
    REQUIRE(c, memory->flags < 2 * GP_MEMORY_ASYNC, "unknown flags %#x", memory->flags);
    REQUIRE(c, load || !(memory->flags & GP_MEMORY_ASYNC), "the flag 'async' is for loads");
    REQUIRE(c, !(memory->flags & GP_MEMORY_COUNTS) || (atomic && adds_constant(c->kernel, memory)), "the flag 'counts' is for atomics that add a constant");
    REQUIRE(c, image == (memory->space == GP_SPACE_IMAGE), "image operations and the space 'image' go together");
    return true;
}

static bool check_memory_records(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->memory_count; i++) {
        const struct gp_memory *memory = &k->memory[i];
        REQUIRE(c, memory->inst < k->inst_count && gp_op_is_memory((enum gp_op)k->insts[memory->inst].op) &&
                       k->insts[memory->inst].record == i,
                "memory record %u belongs to no instruction", i);
        c->inst = memory->inst;
        REQUIRE(c, memory->space < GP_SPACE_COUNT, "unknown space %u", memory->space);
        REQUIRE(c, memory->element_bytes >= 1 && memory->vector >= 1, "it moves no bytes");
        REQUIRE(c, is_power_of_two(memory->alignment), "alignment %u is no power of two", memory->alignment);
        REQUIRE(c, valid_base(memory->base), "the base of an address is a parameter or an array");
        if (!check_memory_flags(c, memory, (enum gp_op)k->insts[memory->inst].op) || !check_ref(c, memory->base))
            return false;
        c->inst = GP_NONE;
    }
    return true;
}

static bool check_branch_records(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->branch_count; i++) {
        const struct gp_branch *branch = &k->branches[i];
        REQUIRE(c, branch->inst < k->inst_count && has_branch_record((enum gp_op)k->insts[branch->inst].op) &&
                       k->insts[branch->inst].record == i,
                "branch record %u belongs to no instruction", i);
        c->inst = branch->inst;
        REQUIRE(c, branch->kind < GP_BRANCH_KIND_COUNT, "unknown kind of branch %u", branch->kind);
        REQUIRE(c, branch->has_probability <= 1 && (branch->has_probability || branch->probability == 0),
                "a probability that is not there");
        c->inst = GP_NONE;
    }
    return true;
}

/* ---- Loops ---------------------------------------------------------------------------------------------------- */

/* Numbers the loops in preorder: parents stand before children, so two passes do. */
static void number_loops(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->loop_count; i++)
        c->loop_end[i] = 1; /* loops in its subtree, at first */
    for (uint32_t i = k->loop_count; i-- > 0;)
        if (k->loops[i].parent != GP_NONE)
            c->loop_end[k->loops[i].parent] += c->loop_end[i];
    /* loop_end[i] now becomes the place for i's next child, and so its end once all children have theirs */
    uint32_t next = 0;
    for (uint32_t i = 0; i < k->loop_count; i++) {
        uint32_t *place = k->loops[i].parent == GP_NONE ? &next : &c->loop_end[k->loops[i].parent];
        uint32_t size = c->loop_end[i];
        c->loop_begin[i] = *place;
        *place += size;
        c->loop_end[i] = c->loop_begin[i] + 1;
    }
}

static bool loop_holds_block(const struct check *c, uint32_t loop, uint32_t block)
{
    uint32_t inner = c->kernel->blocks[block].loop;
    return inner != GP_NONE && c->loop_begin[loop] <= c->loop_begin[inner] && c->loop_begin[inner] < c->loop_end[loop];
}

static bool is_predecessor(const struct check *c, uint32_t from, uint32_t to)
{
    for (uint32_t i = c->first_edge[to]; i < c->first_edge[to + 1]; i++)
        if (c->edges[i] == from)
            return true;
    return false;
}

/* A trip count or step: a constant, a parameter, or an instruction before the loop, or an expression. */
static bool check_loop_value(struct check *c, uint32_t loop, gp_ref ref, const char *what)
{
    enum gp_ref_kind kind = gp_ref_kind(ref);
    if (!check_ref(c, ref))
        return false;
    REQUIRE(c, kind == GP_REF_NONE || kind == GP_REF_CONST || kind == GP_REF_PARAM || kind == GP_REF_INST,
            "the %s of loop %u is no constant, parameter or instruction", what, loop);
    if (kind == GP_REF_INST && c->block_of[gp_ref_index(ref)] != GP_NONE)
        REQUIRE(c, !loop_holds_block(c, loop, c->block_of[gp_ref_index(ref)]),
                "the %s of loop %u, %%%u, is computed in the loop", what, loop, gp_ref_index(ref));
    return true;
}

static bool check_trip_count(struct check *c, uint32_t i)
{
    const struct gp_loop *loop = &c->kernel->loops[i];
    enum gp_ref_kind kind = gp_ref_kind(loop->trip_count);
    REQUIRE(c, loop->bound < GP_BOUND_COUNT, "loop %u has an unknown kind of bound %u", i, loop->bound);
    REQUIRE(c, loop->bound != GP_BOUND_CONSTANT || kind == GP_REF_CONST, "loop %u has a constant bound but no constant",
            i);
    REQUIRE(c, (loop->bound != GP_BOUND_SCEV && loop->bound != GP_BOUND_INDUCTION) || kind != GP_REF_NONE,
            "loop %u has a bound from %s but no trip count", i, gp_bound_name((enum gp_bound)loop->bound));
    REQUIRE(c, (loop->bound != GP_BOUND_EXECUTED && loop->bound != GP_BOUND_ASSUMED && loop->bound != GP_BOUND_RETRY) || kind == GP_REF_NONE,
            "loop %u has a trip count although its bound is %s", i, gp_bound_name((enum gp_bound)loop->bound));
    return check_loop_value(c, i, loop->trip_count, "trip count");
}

static bool check_loop_nest(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->loop_count; i++) {
        const struct gp_loop *loop = &k->loops[i];
        REQUIRE(c, loop->parent == GP_NONE || loop->parent < i, "loop %u stands before its parent %u", i, loop->parent);
        uint32_t depth = loop->parent == GP_NONE ? 1 : k->loops[loop->parent].depth + 1;
        REQUIRE(c, loop->depth == depth, "loop %u is at depth %u, not %u", i, depth, loop->depth);
    }
    number_loops(c);
    return true;
}

static bool check_loops(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->loop_count; i++) {
        const struct gp_loop *loop = &k->loops[i];
        REQUIRE(c, loop->header < k->block_count && k->blocks[loop->header].loop == i,
                "the header of loop %u is not in it", i);
        REQUIRE(c, loop->latch < k->block_count && loop_holds_block(c, i, loop->latch),
                "the latch of loop %u is not in it", i);
        REQUIRE(c, is_predecessor(c, loop->latch, loop->header), "the latch of loop %u does not branch to the header",
                i);
        REQUIRE(c, loop->data_dependent <= 1, "loop %u depends on data %u times", i, loop->data_dependent);
        REQUIRE(c, loop->irreducible <= 1, "loop %u is irreducible %u times", i, loop->irreducible);
        REQUIRE(c, loop->unroll >= 1, "loop %u is unrolled 0 times", i);
        if (!check_trip_count(c, i) || !check_location_index(c, loop->location))
            return false;
    }
    return true;
}

static bool check_inductions(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t i = 0; i < k->induction_count; i++) {
        const struct gp_induction *entry = &k->inductions[i];
        REQUIRE(c, entry->loop < k->loop_count, "induction %u is of loop %u, which does not exist", i, entry->loop);
        REQUIRE(c, entry->phi < k->inst_count && k->insts[entry->phi].op == GP_OP_PHI &&
                       c->block_of[entry->phi] == k->loops[entry->loop].header,
                "induction %u is no phi in the header of loop %u", i, entry->loop);
        enum gp_ref_kind kind = gp_ref_kind(entry->step);
        REQUIRE(c, kind != GP_REF_NONE, "induction %u has no step", i);
        if (!check_loop_value(c, entry->loop, entry->step, "step"))
            return false;
        REQUIRE(c, kind != GP_REF_INST || k->insts[gp_ref_index(entry->step)].bits == k->insts[entry->phi].bits,
                "the step of induction %u has other bits than its phi", i);
    }
    return true;
}

/* ---- A kernel ------------------------------------------------------------------------------------------------- */

static bool reserve(struct check *c)
{
    size_t insts = c->kernel->inst_count + (size_t)1, blocks = c->kernel->block_count + (size_t)1,
           loops = c->kernel->loop_count + (size_t)1;
    c->block_of = calloc(insts, sizeof *c->block_of);
    c->first_edge = calloc(blocks, sizeof *c->first_edge);
    c->mark = calloc(blocks, sizeof *c->mark);
    c->seen = calloc(blocks, sizeof *c->seen);
    c->loop_begin = calloc(loops, sizeof *c->loop_begin);
    c->loop_end = calloc(loops, sizeof *c->loop_end);
    return (c->block_of && c->first_edge && c->mark && c->seen && c->loop_begin && c->loop_end) ||
           complain(c, "out of memory");
}

static void release(struct check *c)
{
    free(c->block_of);
    free(c->edges);
    free(c->first_edge);
    free(c->mark);
    free(c->seen);
    free(c->loop_begin);
    free(c->loop_end);
    c->block_of = c->edges = c->first_edge = c->mark = c->seen = c->loop_begin = c->loop_end = NULL;
}

static bool check_kernel(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    bool good = check_tables(c) && check_params(c) && check_arrays(c, k->locals, k->local_count, "local") &&
                check_arrays(c, k->globals, k->global_count, "global") &&
                check_arrays(c, k->privates, k->private_count, "private") && check_facts(c) && check_operand_total(c) &&
                reserve(c) && check_blocks(c) && check_post_dominators(c) && check_block_insts(c) &&
                check_expressions(c) && check_phis(c) && check_memory_records(c) && check_branch_records(c) &&
                check_loop_nest(c) && check_loops(c) && check_inductions(c);
    release(c);
    return good;
}

bool gp_profile_check(const struct gp_profile *profile, struct gp_error *error)
{
    struct check c = {.profile = profile, .error = error, .block = GP_NONE, .inst = GP_NONE};
    if (!check_header(&c))
        return false;
    for (uint32_t i = 0; i < profile->kernel_count; i++) {
        c.kernel = &profile->kernels[i];
        c.block = c.inst = GP_NONE;
        if (!check_kernel(&c))
            return false;
    }
    return true;
}
