/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Reads an instruction of the text form, with the records that it has. */
#include "model/profile/parser.h"

#include <inttypes.h>
#include <string.h>

static const char *space_name(unsigned i) { return gp_space_name((enum gp_space)i); }
static const char *class_name(unsigned i) { return gp_class_name((enum gp_class)i); }
static const char *branch_kind_name(unsigned i) { return gp_branch_kind_name((enum gp_branch_kind)i); }

static bool add_operand(struct gp_parser *p, struct gp_inst *inst)
{
    gp_ref ref;
    if (!gp_take_ref(p, &ref))
        return false;
    gp_ref *slot = gp_list_add(&p->lists.operands, sizeof *slot);
    if (slot == NULL)
        return gp_out_of_memory(p);
    *slot = ref;
    inst->operand_count++;
    return true;
}

/* operand, operand, [operand: operand] ... */
static bool take_operands(struct gp_parser *p, struct gp_inst *inst)
{
    inst->operand = (uint32_t)p->lists.operands.count;
    while (gp_is_operand(p) || gp_is_at_mark(p, '[')) {
        if (gp_is_at_mark(p, '[')) {
            if (!gp_advance(p) || !add_operand(p, inst) || !gp_take_mark(p, ':') || !add_operand(p, inst) ||
                !gp_take_mark(p, ']'))
                return false;
        } else if (!add_operand(p, inst)) {
            return false;
        }
        if (!gp_is_at_mark(p, ','))
            break;
        if (!gp_advance(p))
            return false;
        if (!gp_is_operand(p) && !gp_is_at_mark(p, '['))
            return gp_expected(p, "an operand");
    }
    return true;
}

/* i32 or f32: bits only; the letter is for the reader. */
static bool try_type(struct gp_parser *p, uint8_t *bits, bool *there)
{
    static const uint8_t widths[] = {1, 8, 16, 32, 64};
    *there = false;
    if (p->token.kind != GP_TOKEN_WORD || (*p->token.text != 'i' && *p->token.text != 'f'))
        return true;
    uint64_t value;
    if (!gp_number_of(p->token.text + 1, p->token.length - 1, &value))
        return true;
    for (size_t i = 0; i < sizeof widths; i++)
        if (widths[i] == value) {
            *bits = (uint8_t)value;
            *there = true;
            return gp_advance(p);
        }
    return gp_expected(p, "a type of 1, 8, 16, 32 or 64 bits");
}

static bool same(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

/* "global_id.0", "lane_id" */
static bool id_of(const char *text, size_t length, uint8_t *sub)
{
    unsigned dim = 0;
    bool dotted = length > 2 && text[length - 2] == '.' && text[length - 1] >= '0' && text[length - 1] <= '2';
    if (dotted) {
        dim = (unsigned)(text[length - 1] - '0');
        length -= 2;
    }
    for (unsigned id = 0; id < GP_ID_COUNT; id++)
        if (same(text, length, gp_id_name((enum gp_id)id)) && gp_id_has_dimension((enum gp_id)id) == dotted) {
            *sub = GP_ID_SUB(id, dim);
            return true;
        }
    return false;
}

static bool predicate_of(const char *text, size_t length, uint8_t *sub)
{
    for (unsigned i = 0; i < GP_PRED_COUNT; i++)
        if (same(text, length, gp_predicate_name((enum gp_predicate)i))) {
            *sub = (uint8_t)i;
            return true;
        }
    return false;
}

/* NAME or NAME.SUB */
static bool take_op(struct gp_parser *p, struct gp_inst *inst)
{
    const char *text = p->token.text;
    if (p->token.kind != GP_TOKEN_WORD)
        return gp_expected(p, "an operation");
    const char *dot = memchr(text, '.', p->token.length);
    size_t length = dot ? (size_t)(dot - text) : p->token.length;
    unsigned op = 0;
    while (op < GP_OP_COUNT && !same(text, length, gp_op_name((enum gp_op)op)))
        op++;
    if (op == GP_OP_COUNT)
        return gp_expected(p, "an operation");
    inst->op = (uint8_t)op;
    const char *sub = dot ? dot + 1 : text + length;
    size_t sub_length = dot ? p->token.length - length - 1 : 0;
    if (op == GP_OP_ID) {
        if (!id_of(sub, sub_length, &inst->sub))
            return gp_expected(p, "an id like id.global_id.0 or id.lane_id");
    } else if (op == GP_OP_ICMP || op == GP_OP_FCMP) {
        if (!predicate_of(sub, sub_length, &inst->sub))
            return gp_expected(p, "a comparison like icmp.slt or fcmp.oge");
    } else if (dot != NULL) {
        return gp_expected(p, "an operation");
    }
    return gp_advance(p);
}

/* What an operation costs where the text does not say it. */
static uint8_t default_class(const struct gp_inst *inst)
{
    bool wide = inst->bits == 64 || inst->width == 64, doubles = inst->bits == 64;
    switch ((enum gp_op)inst->op) {
    case GP_OP_ADD:
    case GP_OP_SUB: return wide ? GP_CLASS_LONG_ADD : GP_CLASS_INT_ADD;
    case GP_OP_MUL: return wide ? GP_CLASS_LONG_MUL : GP_CLASS_INT_MUL;
    case GP_OP_UDIV:
    case GP_OP_UREM: return wide ? GP_CLASS_LONG_DIV : GP_CLASS_INT_UDIV;
    case GP_OP_SDIV:
    case GP_OP_SREM: return wide ? GP_CLASS_LONG_DIV : GP_CLASS_INT_DIV;
    case GP_OP_AND:
    case GP_OP_OR:
    case GP_OP_XOR: return wide ? GP_CLASS_LONG_LOGIC : GP_CLASS_INT_LOGIC;
    case GP_OP_SHL:
    case GP_OP_LSHR:
    case GP_OP_ASHR:
    case GP_OP_FSHL: return wide ? GP_CLASS_LONG_SHIFT : GP_CLASS_INT_SHIFT;
    case GP_OP_UMIN:
    case GP_OP_UMAX:
    case GP_OP_SMIN:
    case GP_OP_SMAX:
    case GP_OP_ABS: return wide ? GP_CLASS_LONG_CMP : GP_CLASS_INT_MINMAX;
    case GP_OP_UMULHI:
    case GP_OP_SMULHI: return wide ? GP_CLASS_LONG_MUL : GP_CLASS_INT_MULHI;
    case GP_OP_POPCOUNT:
    case GP_OP_CLZ:
    case GP_OP_CTZ:
    case GP_OP_BITREVERSE:
    case GP_OP_BSWAP: return wide ? GP_CLASS_LONG_BITS : GP_CLASS_INT_BITS;
    case GP_OP_ICMP: return wide ? GP_CLASS_LONG_CMP : GP_CLASS_INT_CMP;
    case GP_OP_FCMP: return wide ? GP_CLASS_DOUBLE_CMP : GP_CLASS_FLOAT_CMP;
    case GP_OP_SELECT: return GP_CLASS_SELECT;
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_ID: return GP_CLASS_MOV;
    case GP_OP_FPTOUI:
    case GP_OP_FPTOSI:
    case GP_OP_UITOFP:
    case GP_OP_SITOFP:
    case GP_OP_FPTRUNC:
    case GP_OP_FPEXT: return wide ? GP_CLASS_CVT_64 : GP_CLASS_CVT;
    case GP_OP_FADD:
    case GP_OP_FSUB: return doubles ? GP_CLASS_DOUBLE_ADD : GP_CLASS_FLOAT_ADD;
    case GP_OP_FMUL: return doubles ? GP_CLASS_DOUBLE_MUL : GP_CLASS_FLOAT_MUL;
    case GP_OP_FMA: return doubles ? GP_CLASS_DOUBLE_FMA : GP_CLASS_FLOAT_FMA;
    case GP_OP_FDIV:
    case GP_OP_FREM: return doubles ? GP_CLASS_DOUBLE_DIV : GP_CLASS_FLOAT_DIV;
    case GP_OP_FMIN:
    case GP_OP_FMAX: return doubles ? GP_CLASS_DOUBLE_MINMAX : GP_CLASS_FLOAT_MINMAX;
    case GP_OP_FLOOR:
    case GP_OP_CEIL:
    case GP_OP_FTRUNC:
    case GP_OP_ROUND:
    case GP_OP_RINT: return doubles ? GP_CLASS_DOUBLE_ROUND : GP_CLASS_FLOAT_ROUND;
    case GP_OP_SQRT: return doubles ? GP_CLASS_DOUBLE_SQRT : GP_CLASS_FLOAT_SQRT;
    case GP_OP_LOAD:
    case GP_OP_STORE:
    case GP_OP_ATOMIC:
    case GP_OP_IMAGE_LOAD:
    case GP_OP_IMAGE_STORE:
    case GP_OP_BULK_COPY: return GP_CLASS_MEMORY;
    case GP_OP_SHUFFLE: return GP_CLASS_SHUFFLE;
    case GP_OP_BARRIER: return GP_CLASS_BARRIER;
    case GP_OP_CALL: return GP_CLASS_CALL;
    case GP_OP_BR:
    case GP_OP_CONDBR:
    case GP_OP_SWITCH:
    case GP_OP_RET: return GP_CLASS_BRANCH;
    default: return GP_CLASS_FREE;
    }
}

/* "4x2": bytes of an element, elements */
static bool take_shape(struct gp_parser *p, struct gp_memory *memory)
{
    const char *text = p->token.text;
    const char *x = p->token.kind == GP_TOKEN_WORD ? memchr(text, 'x', p->token.length) : NULL;
    uint64_t bytes, vector;
    if (x == NULL || !gp_number_of(text, (size_t)(x - text), &bytes) ||
        !gp_number_of(x + 1, p->token.length - (size_t)(x - text) - 1, &vector) || bytes > UINT16_MAX ||
        vector > UINT16_MAX)
        return gp_expected(p, "BYTESxELEMENTS like 4x1");
    memory->element_bytes = (uint16_t)bytes;
    memory->vector = (uint16_t)vector;
    if (memory->alignment == 0)
        memory->alignment = memory->element_bytes;
    return gp_advance(p);
}

/* Flags that the operation implies are not written. */
static uint8_t implied_memory_flags(unsigned op)
{
    return op == GP_OP_STORE || op == GP_OP_IMAGE_STORE ? GP_MEMORY_STORE : op == GP_OP_ATOMIC ? GP_MEMORY_ATOMIC : 0;
}

static bool try_memory_flag(struct gp_parser *p, struct gp_memory *memory, bool *there)
{
    static const struct {
        const char *word;
        uint16_t flag;
    } flags[] = {
        {"store", GP_MEMORY_STORE},         {"atomic", GP_MEMORY_ATOMIC},       {"returns", GP_MEMORY_RETURNS},
        {"readonly", GP_MEMORY_READONLY},   {"streaming", GP_MEMORY_STREAMING}, {"volatile", GP_MEMORY_VOLATILE},
        {"async", GP_MEMORY_ASYNC},         {"combines", GP_MEMORY_COMBINES},   {"counts", GP_MEMORY_COUNTS},
        {"exchanges", GP_MEMORY_EXCHANGES}, {"keeps", GP_MEMORY_KEEPS}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!gp_try_word(p, flags[i].word, there))
            return false;
        if (*there) {
            memory->flags |= flags[i].flag;
            return true;
        }
    }
    return true;
}

/* One attribute of a memory operation: in SPACE SHAPE, align N, base REF, flags. */
static bool try_memory_attribute(struct gp_parser *p, struct gp_memory *memory, bool *there)
{
    unsigned space = 0;
    if (!gp_try_word(p, "in", there))
        return false;
    if (*there) {
        if (!gp_take_name(p, space_name, GP_SPACE_COUNT, &space,
                          "a space (global, constant, local, private, generic, image)"))
            return false;
        memory->space = (uint8_t)space;
        return take_shape(p, memory);
    }
    if (!gp_try_word(p, "align", there))
        return false;
    if (*there) {
        uint64_t alignment = 0;
        bool good = gp_take_number(p, UINT16_MAX, &alignment, "an alignment");
        memory->alignment = (uint16_t)alignment;
        return good;
    }
    if (!gp_try_word(p, "base", there))
        return false;
    return *there ? gp_take_ref(p, &memory->base) : try_memory_flag(p, memory, there);
}

/* One attribute of a branch: kind KIND, probability N. */
static bool try_branch_attribute(struct gp_parser *p, struct gp_branch *branch, bool *there)
{
    unsigned kind = 0;
    if (!gp_try_word(p, "kind", there))
        return false;
    if (*there) {
        if (!gp_take_name(p, branch_kind_name, GP_BRANCH_KIND_COUNT, &kind,
                          "a kind (argument, thread, induction, data)"))
            return false;
        branch->kind = (uint8_t)kind;
        return true;
    }
    if (!gp_try_word(p, "probability", there))
        return false;
    if (*there) {
        uint64_t probability = 0;
        if (!gp_take_number(p, UINT16_MAX, &probability, "a probability in 1/65535"))
            return false;
        branch->probability = (uint16_t)probability;
        branch->has_probability = 1;
    }
    return true;
}

/* CLASS [xREPEAT] */
static bool take_cost(struct gp_parser *p, uint8_t *cost, uint16_t *times)
{
    unsigned class = 0;
    if (!gp_take_name(p, class_name, GP_CLASS_COUNT, &class, "a cost class"))
        return false;
    *cost = (uint8_t) class;
    if (p->token.kind == GP_TOKEN_WORD && *p->token.text == 'x') {
        uint64_t repeat;
        if (!gp_number_of(p->token.text + 1, p->token.length - 1, &repeat) || repeat > UINT16_MAX)
            return gp_expected(p, "a repetition like x4");
        *times = (uint16_t)repeat;
        return gp_advance(p);
    }
    return true;
}

/* : CLASS [xREPEAT] [repaired CLASS [xREPEAT]] */
static bool take_class(struct gp_parser *p, struct gp_inst *inst)
{
    bool repairable;
    if (!gp_take_mark(p, ':') || !take_cost(p, &inst->cost, &inst->repeat) || !gp_try_word(p, "mended", &repairable))
        return false;
    if (!repairable)
        return true;
    inst->flags |= GP_INST_REPAIRABLE;
    inst->repaired_repeat = 1;
    return take_cost(p, &inst->repaired, &inst->repaired_repeat);
}

static bool try_flag_or_place(struct gp_parser *p, struct gp_inst *inst, bool *there)
{
    if (!gp_try_word(p, "uniform", there))
        return false;
    if (*there) {
        inst->flags |= GP_INST_UNIFORM;
        return true;
    }
    if (!gp_try_word(p, "cheap", there))
        return false;
    if (*there) {
        inst->flags |= GP_INST_CHEAP;
        return true;
    }
    if (!gp_try_word(p, "at", there))
        return false;
    return *there ? gp_take_index(p, &inst->location, "a location's number") : true;
}

/* The record that the operation has, with what is known before its attributes. */
struct records {
    struct gp_memory memory;
    struct gp_branch branch;
    bool has_memory, has_branch;
};

static bool take_attribute(struct gp_parser *p, struct gp_inst *inst, struct records *records)
{
    bool there;
    if (gp_is_at_mark(p, ':'))
        return take_class(p, inst);
    if (!try_flag_or_place(p, inst, &there))
        return false;
    if (!there && records->has_memory && !try_memory_attribute(p, &records->memory, &there))
        return false;
    if (!there && records->has_branch && !try_branch_attribute(p, &records->branch, &there))
        return false;
    if (there)
        return true;
    if (inst->op == GP_OP_CALL) {
        if (!gp_try_word(p, "callee", &there))
            return false;
        if (there)
            return gp_take_u32(p, &inst->record, "a callee's number");
    }
    return gp_expected(p, "an attribute of this operation");
}

static bool store_records(struct gp_parser *p, struct gp_inst *inst, const struct records *records)
{
    if (records->has_memory) {
        if (records->memory.element_bytes == 0)
            return GP_PARSE_FAIL(p, "a memory operation needs 'in SPACE BYTESxELEMENTS', e.g. 'in global 4x1'");
        struct gp_memory *memory = gp_list_add(&p->lists.memory, sizeof *memory);
        if (memory == NULL)
            return gp_out_of_memory(p);
        *memory = records->memory;
        inst->record = (uint32_t)p->lists.memory.count - 1;
    }
    if (records->has_branch) {
        struct gp_branch *branch = gp_list_add(&p->lists.branches, sizeof *branch);
        if (branch == NULL)
            return gp_out_of_memory(p);
        *branch = records->branch;
        inst->record = (uint32_t)p->lists.branches.count - 1;
    }
    return true;
}

/* The type after the operation: of the operands for casts and comparisons, else of the result. */
static bool take_type(struct gp_parser *p, struct gp_inst *inst)
{
    bool cast = gp_op_is_cast((enum gp_op)inst->op), compare = inst->op == GP_OP_ICMP || inst->op == GP_OP_FCMP;
    uint8_t bits = 0;
    bool there;
    if (!try_type(p, &bits, &there))
        return false;
    if (cast || compare)
        inst->width = bits;
    inst->bits = compare ? 1 : cast ? 0 : bits;
    return there || (!cast && !compare) || gp_expected(p, "a type");
}

static bool take_cast_result(struct gp_parser *p, struct gp_inst *inst)
{
    bool there;
    if (!gp_try_word(p, "to", &there))
        return false;
    if (there && !try_type(p, &inst->bits, &there))
        return false;
    return there || gp_expected(p, "'to TYPE'");
}

static bool parse_label(struct gp_parser *p, uint32_t index)
{
    if (p->token.kind != GP_TOKEN_WORD || *p->token.text != '%')
        return true;
    struct gp_token label = p->token;
    uint32_t number;
    struct gp_label *name = gp_name_entry(p, label.text, label.length, &number);
    if (name == NULL)
        return gp_out_of_memory(p);
    if (name->defined)
        return GP_PARSE_FAIL(p, "'%.*s' is defined twice", (int)(label.length < 60 ? label.length : 60), label.text);
    name->defined = true;
    name->ref = gp_ref_make(GP_REF_INST, index);
    return gp_advance(p) && gp_take_mark(p, '=');
}

bool gp_parse_instruction(struct gp_parser *p)
{
    uint32_t index = (uint32_t)p->lists.insts.count;
    if (!p->in_block && !p->in_expressions)
        return gp_expected(p, "a statement of the kernel (an instruction needs a block above it)");
    if (!parse_label(p, index))
        return false;
    struct gp_inst inst = {.cost = GP_CLASS_COUNT, .repeat = 1, .location = GP_NONE, .record = GP_NONE};
    if (!take_op(p, &inst) || !take_type(p, &inst) || !take_operands(p, &inst))
        return false;
    if (gp_op_is_cast((enum gp_op)inst.op) && !take_cast_result(p, &inst))
        return false;
    struct records records = {.has_memory = gp_op_is_memory((enum gp_op)inst.op),
                              .has_branch = inst.op == GP_OP_CONDBR || inst.op == GP_OP_SWITCH,
                              .memory = {.inst = index, .flags = implied_memory_flags(inst.op)},
                              .branch = {.inst = index, .kind = GP_BRANCH_DATA}};
    while (p->token.kind != GP_TOKEN_END)
        if (!take_attribute(p, &inst, &records))
            return false;
    if (!store_records(p, &inst, &records))
        return false;
    if (inst.cost == GP_CLASS_COUNT)
        inst.cost = default_class(&inst);
    struct gp_inst *slot = gp_list_add(&p->lists.insts, sizeof *slot);
    if (slot == NULL)
        return gp_out_of_memory(p);
    *slot = inst;
    if (p->in_block)
        ((struct gp_block *)p->lists.blocks.data)[p->lists.blocks.count - 1].inst_count++;
    return true;
}
