/*
 * Reads the text form. A line is one statement; the grammar is in docs/profile.md. Numbers of instructions in the text
 * are labels: they are resolved when the kernel ends, so that a phi may name what stands below it.
 */
#include "model/profile_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/arena.h"
#include "model/intern.h"

/* ---- Lists that grow ---------------------------------------------------------------------------------------- */

struct list {
    void *data;
    size_t count, capacity;
};

/* A zeroed new last element; NULL: out of memory. */
static void *list_add(struct list *list, size_t size)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 16;
        void *data = capacity < (size_t)UINT32_MAX / 8 ? realloc(list->data, capacity * size) : NULL;
        if (data == NULL)
            return NULL;
        list->data = data;
        list->capacity = capacity;
    }
    return memset((char *)list->data + list->count++ * size, 0, size);
}

/* ---- State -------------------------------------------------------------------------------------------------- */

enum token_kind { END, WORD, STRING, MARK };

struct token {
    enum token_kind kind;
    const char *text; /* of a STRING: between the quotes, still escaped */
    size_t length;
};

/* What a %label, $parameter or array name stands for. */
struct name {
    gp_ref ref;
    bool defined, ambiguous;
    unsigned first_use; /* line */
};

struct kernel_lists {
    struct list params, blocks, insts, operands, constants, memory, branches, loops, inductions;
    struct list locals, globals, privates, callees, resources, defaults, names;
    struct gp_intern name_numbers, constant_numbers;
};

struct parser {
    const char *at, *end; /* of what is not yet read */
    unsigned line;
    struct token token;
    struct gp_arena arena;
    struct gp_error *error;
    struct gp_profile *profile;
    struct list locations, kernels;
    struct gp_kernel *kernel; /* being read, or NULL */
    struct kernel_lists lists;
    bool in_block, in_expressions;
};

#define FAIL(p, ...) (gp_fail((p)->error, __VA_ARGS__), fail_at_line(p))

static bool fail_at_line(struct parser *p)
{
    char prefix[32];
    snprintf(prefix, sizeof prefix, "line %u", p->line);
    return gp_fail_within(p->error, prefix);
}

static bool out_of_memory(struct parser *p)
{
    return FAIL(p, "out of memory");
}

/* ---- Tokens ------------------------------------------------------------------------------------------------- */

static bool is_mark(char c)
{
    return c == ',' || c == ':' || c == '=' || c == '[' || c == ']';
}

static bool ends_word(char c)
{
    return isspace((unsigned char)c) || is_mark(c) || c == '"' || c == ';' || c == '#' || c == '\0';
}

/* Reads the next token of this line. */
static bool advance(struct parser *p)
{
    while (p->at < p->end && *p->at != '\n' && isspace((unsigned char)*p->at))
        p->at++;
    const char *start = p->at;
    p->token = (struct token){END, start, 0};
    if (p->at == p->end || *p->at == '\n' || *p->at == ';' || *p->at == '#')
        return true;
    if (is_mark(*p->at)) {
        p->token = (struct token){MARK, p->at++, 1};
        return true;
    }
    if (*p->at == '"') {
        for (p->at++; p->at < p->end && *p->at != '"' && *p->at != '\n'; p->at++)
            if (*p->at == '\\' && p->at + 1 < p->end && p->at[1] != '\n')
                p->at++;
        if (p->at >= p->end || *p->at != '"')
            return FAIL(p, "a string is not closed");
        p->token = (struct token){STRING, start + 1, (size_t)(p->at - start - 1)};
        p->at++;
        return true;
    }
    while (p->at < p->end && !ends_word(*p->at))
        p->at++;
    if (p->at == start)
        return FAIL(p, "a NUL byte");
    p->token = (struct token){WORD, start, (size_t)(p->at - start)};
    return true;
}

static bool is_word(const struct parser *p, const char *word)
{
    return p->token.kind == WORD && p->token.length == strlen(word) && memcmp(p->token.text, word, p->token.length) == 0;
}

static bool is_at_mark(const struct parser *p, char mark)
{
    return p->token.kind == MARK && *p->token.text == mark;
}

static bool expected(struct parser *p, const char *what)
{
    if (p->token.kind == END)
        return FAIL(p, "%s is missing at the end", what);
    return FAIL(p, "%s expected, not '%.*s'", what, (int)(p->token.length < 60 ? p->token.length : 60), p->token.text);
}

static bool take_mark(struct parser *p, char mark)
{
    char text[4] = {'\'', mark, '\'', '\0'};
    return is_at_mark(p, mark) ? advance(p) : expected(p, text);
}

/* The word, when it is the next; *there says whether it was. */
static bool try_word(struct parser *p, const char *word, bool *there)
{
    *there = is_word(p, word);
    return *there ? advance(p) : true;
}

static bool take_end(struct parser *p)
{
    return p->token.kind == END || expected(p, "the end of the line");
}

/* ---- Numbers and strings ------------------------------------------------------------------------------------ */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* Decimal, 0x hexadecimal, or negative decimal: its two's complement. */
static bool number_of(const char *text, size_t length, uint64_t *value)
{
    bool negative = length > 0 && *text == '-';
    if (negative)
        text++, length--;
    unsigned base = 10;
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        base = 16, text += 2, length -= 2;
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)digit_of(text[i]);
        if (digit >= base || sum > (UINT64_MAX - digit) / base)
            return false;
        sum = sum * base + digit;
    }
    if (length == 0 || (negative && sum > (uint64_t)INT64_MAX + 1))
        return false;
    *value = negative ? 0 - sum : sum;
    return true;
}

static bool take_number(struct parser *p, uint64_t most, uint64_t *value, const char *what)
{
    if (p->token.kind != WORD || *p->token.text == '-' || !number_of(p->token.text, p->token.length, value))
        return expected(p, what);
    if (*value > most)
        return FAIL(p, "%s is %" PRIu64 ", more than %" PRIu64, what, *value, most);
    return advance(p);
}

static bool take_u32(struct parser *p, uint32_t *value, const char *what)
{
    uint64_t wide = 0;
    bool good = take_number(p, UINT32_MAX, &wide, what);
    *value = (uint32_t)wide;
    return good;
}

/* A number, or `none`. */
static bool take_index(struct parser *p, uint32_t *value, const char *what)
{
    if (is_word(p, "none")) {
        *value = GP_NONE;
        return advance(p);
    }
    return take_u32(p, value, what);
}

/* The next index of a table: entries are numbered so that a reader can find them. */
static bool take_next_index(struct parser *p, size_t next, const char *what)
{
    uint32_t index;
    if (!take_u32(p, &index, what))
        return false;
    return index == next || FAIL(p, "%s is %u, but the next is %zu", what, index, next);
}

/* "16x16x1" */
static bool take_sizes(struct parser *p, uint32_t sizes[3])
{
    const char *text = p->token.text;
    size_t left = p->token.kind == WORD ? p->token.length : 0;
    for (int i = 0; i < 3; i++) {
        const char *x = i < 2 ? memchr(text, 'x', left) : NULL;
        size_t length = x ? (size_t)(x - text) : left;
        uint64_t value;
        if ((i < 2 && x == NULL) || !number_of(text, length, &value) || value > UINT32_MAX)
            return expected(p, "sizes like 16x16x1");
        sizes[i] = (uint32_t)value;
        text += length + (x != NULL);
        left -= length + (x != NULL);
    }
    return advance(p);
}

/* Resolves \\ \" \n \t \xHH. */
static bool unescape(struct parser *p, const struct token *token, char *out)
{
    size_t i = 0;
    while (i < token->length) {
        char c = token->text[i++];
        if (c == '\\') {
            c = token->text[i++];
            if (c == 'n' || c == 't') {
                c = c == 'n' ? '\n' : '\t';
            } else if (c == 'x') {
                int high = i + 1 < token->length ? digit_of(token->text[i]) : 99;
                int low = i + 1 < token->length ? digit_of(token->text[i + 1]) : 99;
                if (high > 15 || low > 15 || high + low == 0)
                    return FAIL(p, "\\x in a string needs two hexadecimal digits, not both 0");
                c = (char)(high * 16 + low);
                i += 2;
            } else if (c != '\\' && c != '"') {
                return FAIL(p, "no such escape in a string: \\%c", isprint((unsigned char)c) ? c : '?');
            }
        } else if (c == '\0') {
            return FAIL(p, "a NUL byte in a string");
        }
        *out++ = c;
    }
    *out = '\0';
    return true;
}

/* A string in quotes or a bare word. */
static bool take_string(struct parser *p, const char **string, const char *what)
{
    if (p->token.kind != STRING && p->token.kind != WORD)
        return expected(p, what);
    char *copy = gp_arena_new(&p->arena, p->token.length + 1, 1);
    if (copy == NULL)
        return out_of_memory(p);
    if (p->token.kind == WORD)
        memcpy(copy, p->token.text, p->token.length);
    else if (!unescape(p, &p->token, copy))
        return false;
    *string = copy;
    return advance(p);
}

/* One of a list of names. */
static bool take_name(struct parser *p, const char *(*name)(unsigned), unsigned count, unsigned *value, const char *what)
{
    for (unsigned i = 0; i < count; i++)
        if (is_word(p, name(i))) {
            *value = i;
            return advance(p);
        }
    return expected(p, what);
}

static const char *space_name(unsigned i) { return gp_space_name((enum gp_space)i); }
static const char *class_name(unsigned i) { return gp_class_name((enum gp_class)i); }
static const char *branch_kind_name(unsigned i) { return gp_branch_kind_name((enum gp_branch_kind)i); }
static const char *bound_name(unsigned i) { return gp_bound_name((enum gp_bound)i); }
static const char *param_kind_name(unsigned i) { return gp_param_kind_name((enum gp_param_kind)i); }
static const char *source_name(unsigned i) { return gp_resource_source_name((enum gp_resource_source)i); }

/* ---- Names and references ----------------------------------------------------------------------------------- */

/* The entry of a name; its bytes are prefix and name, e.g. "$" "width". */
static struct name *name_entry(struct parser *p, const char *bytes, size_t length, uint32_t *number)
{
    struct list *names = &p->lists.names;
    if (!gp_intern(&p->lists.name_numbers, bytes, length, number))
        return NULL;
    while (names->count <= *number)
        if (list_add(names, sizeof(struct name)) == NULL)
            return NULL;
    return (struct name *)names->data + *number;
}

static bool define_name(struct parser *p, const char *bytes, size_t length, gp_ref ref)
{
    uint32_t number;
    struct name *name = name_entry(p, bytes, length, &number);
    if (name == NULL)
        return out_of_memory(p);
    name->ambiguous = name->defined;
    name->defined = true;
    name->ref = ref;
    return true;
}

/* Makes PREFIX NAME usable for the parameter or array just read. */
static bool define_entity(struct parser *p, const char *prefix, const char *name, gp_ref ref)
{
    char joined[320];
    int length = snprintf(joined, sizeof joined, "%s%s", prefix, name);
    return *name == '\0' || (size_t)length >= sizeof joined || define_name(p, joined, (size_t)length, ref);
}

static bool constant_ref(struct parser *p, uint64_t value, gp_ref *ref)
{
    uint32_t number;
    if (!gp_intern(&p->lists.constant_numbers, &value, sizeof value, &number))
        return out_of_memory(p);
    if (number == p->lists.constants.count) {
        uint64_t *slot = list_add(&p->lists.constants, sizeof value);
        if (slot == NULL)
            return out_of_memory(p);
        *slot = value;
    }
    *ref = gp_ref_make(GP_REF_CONST, number);
    return true;
}

/* PREFIX followed by a number (an index) or by a name that was declared above. */
static bool take_entity(struct parser *p, size_t prefix, enum gp_ref_kind kind, gp_ref *ref)
{
    const char *text = p->token.text;
    size_t length = p->token.length;
    uint64_t index;
    uint32_t number;
    if (length > prefix && isdigit((unsigned char)text[prefix])) {
        if (!number_of(text + prefix, length - prefix, &index) || index > 0x1fffffff)
            return expected(p, "an index");
        *ref = gp_ref_make(kind, (uint32_t)index);
        return advance(p);
    }
    const struct name *name = name_entry(p, text, length, &number);
    if (name == NULL)
        return out_of_memory(p);
    if (!name->defined || name->ambiguous)
        return FAIL(p, "'%.*s' is %s", (int)(length < 60 ? length : 60), text,
                    name->defined ? "the name of several; use its number" : "not declared above");
    *ref = name->ref;
    return advance(p);
}

/* %label: holds the label's number until the kernel ends. */
static bool take_label(struct parser *p, gp_ref *ref)
{
    uint32_t number;
    struct name *name = name_entry(p, p->token.text, p->token.length, &number);
    if (name == NULL)
        return out_of_memory(p);
    if (name->first_use == 0)
        name->first_use = p->line;
    *ref = gp_ref_make(GP_REF_INST, number);
    return advance(p);
}

static bool has_prefix(const struct parser *p, const char *prefix)
{
    size_t length = strlen(prefix);
    return p->token.kind == WORD && p->token.length > length && memcmp(p->token.text, prefix, length) == 0;
}

static bool is_operand(const struct parser *p)
{
    return p->token.kind == WORD &&
           (*p->token.text == '%' || *p->token.text == '$' || *p->token.text == '-' || isdigit((unsigned char)*p->token.text) ||
            has_prefix(p, "local.") || has_prefix(p, "global.") || has_prefix(p, "private.") || is_word(p, "block") ||
            is_word(p, "none"));
}

static bool take_ref(struct parser *p, gp_ref *ref)
{
    if (!is_operand(p))
        return expected(p, "an operand");
    if (*p->token.text == '%')
        return take_label(p, ref);
    if (*p->token.text == '$')
        return take_entity(p, 1, GP_REF_PARAM, ref);
    if (has_prefix(p, "local."))
        return take_entity(p, 6, GP_REF_LOCAL, ref);
    if (has_prefix(p, "global."))
        return take_entity(p, 7, GP_REF_GLOBAL, ref);
    if (has_prefix(p, "private."))
        return take_entity(p, 8, GP_REF_PRIVATE, ref);
    if (is_word(p, "none")) {
        *ref = gp_ref_make(GP_REF_NONE, 0);
        return advance(p);
    }
    if (is_word(p, "block")) {
        uint64_t index = 0;
        if (!advance(p) || !take_number(p, 0x1fffffff, &index, "a block's number"))
            return false;
        *ref = gp_ref_make(GP_REF_BLOCK, (uint32_t)index);
        return true;
    }
    uint64_t value;
    if (!number_of(p->token.text, p->token.length, &value))
        return expected(p, "a number");
    return constant_ref(p, value, ref) && advance(p);
}

/* ---- Instructions ------------------------------------------------------------------------------------------- */

static bool add_operand(struct parser *p, struct gp_inst *inst)
{
    gp_ref ref;
    if (!take_ref(p, &ref))
        return false;
    gp_ref *slot = list_add(&p->lists.operands, sizeof *slot);
    if (slot == NULL)
        return out_of_memory(p);
    *slot = ref;
    inst->operand_count++;
    return true;
}

/* operand, operand, [operand: operand] ... */
static bool take_operands(struct parser *p, struct gp_inst *inst)
{
    inst->operand = (uint32_t)p->lists.operands.count;
    while (is_operand(p) || is_at_mark(p, '[')) {
        if (is_at_mark(p, '[')) {
            if (!advance(p) || !add_operand(p, inst) || !take_mark(p, ':') || !add_operand(p, inst) || !take_mark(p, ']'))
                return false;
        } else if (!add_operand(p, inst)) {
            return false;
        }
        if (!is_at_mark(p, ','))
            break;
        if (!advance(p))
            return false;
        if (!is_operand(p) && !is_at_mark(p, '['))
            return expected(p, "an operand");
    }
    return true;
}

/* i32 or f32: bits only; the letter is for the reader. */
static bool try_type(struct parser *p, uint8_t *bits, bool *there)
{
    static const uint8_t widths[] = {1, 8, 16, 32, 64};
    *there = false;
    if (p->token.kind != WORD || (*p->token.text != 'i' && *p->token.text != 'f'))
        return true;
    uint64_t value;
    if (!number_of(p->token.text + 1, p->token.length - 1, &value))
        return true;
    for (size_t i = 0; i < sizeof widths; i++)
        if (widths[i] == value) {
            *bits = (uint8_t)value;
            *there = true;
            return advance(p);
        }
    return expected(p, "a type of 1, 8, 16, 32 or 64 bits");
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
static bool take_op(struct parser *p, struct gp_inst *inst)
{
    const char *text = p->token.text;
    if (p->token.kind != WORD)
        return expected(p, "an operation");
    const char *dot = memchr(text, '.', p->token.length);
    size_t length = dot ? (size_t)(dot - text) : p->token.length;
    unsigned op = 0;
    while (op < GP_OP_COUNT && !same(text, length, gp_op_name((enum gp_op)op)))
        op++;
    if (op == GP_OP_COUNT)
        return expected(p, "an operation");
    inst->op = (uint8_t)op;
    const char *sub = dot ? dot + 1 : text + length;
    size_t sub_length = dot ? p->token.length - length - 1 : 0;
    if (op == GP_OP_ID) {
        if (!id_of(sub, sub_length, &inst->sub))
            return expected(p, "an id like id.global_id.0 or id.lane_id");
    } else if (op == GP_OP_ICMP || op == GP_OP_FCMP) {
        if (!predicate_of(sub, sub_length, &inst->sub))
            return expected(p, "a comparison like icmp.slt or fcmp.oge");
    } else if (dot != NULL) {
        return expected(p, "an operation");
    }
    return advance(p);
}

/* What an operation costs where the text does not say it. */
static uint8_t default_class(const struct gp_inst *inst)
{
    bool wide = inst->bits == 64 || inst->width == 64, doubles = inst->bits == 64;
    switch ((enum gp_op)inst->op) {
    case GP_OP_ADD: case GP_OP_SUB:
        return wide ? GP_CLASS_LONG_ADD : GP_CLASS_INT_ADD;
    case GP_OP_MUL:
        return wide ? GP_CLASS_LONG_MUL : GP_CLASS_INT_MUL;
    case GP_OP_UDIV: case GP_OP_UREM:
        return wide ? GP_CLASS_LONG_DIV : GP_CLASS_INT_UDIV;
    case GP_OP_SDIV: case GP_OP_SREM:
        return wide ? GP_CLASS_LONG_DIV : GP_CLASS_INT_DIV;
    case GP_OP_AND: case GP_OP_OR: case GP_OP_XOR:
        return wide ? GP_CLASS_LONG_LOGIC : GP_CLASS_INT_LOGIC;
    case GP_OP_SHL: case GP_OP_LSHR: case GP_OP_ASHR: case GP_OP_FSHL:
        return wide ? GP_CLASS_LONG_SHIFT : GP_CLASS_INT_SHIFT;
    case GP_OP_UMIN: case GP_OP_UMAX: case GP_OP_SMIN: case GP_OP_SMAX: case GP_OP_ABS:
        return wide ? GP_CLASS_LONG_CMP : GP_CLASS_INT_MINMAX;
    case GP_OP_UMULHI: case GP_OP_SMULHI:
        return wide ? GP_CLASS_LONG_MUL : GP_CLASS_INT_MULHI;
    case GP_OP_POPCOUNT: case GP_OP_CLZ: case GP_OP_CTZ: case GP_OP_BITREVERSE: case GP_OP_BSWAP:
        return wide ? GP_CLASS_LONG_BITS : GP_CLASS_INT_BITS;
    case GP_OP_ICMP:
        return wide ? GP_CLASS_LONG_CMP : GP_CLASS_INT_CMP;
    case GP_OP_FCMP:
        return wide ? GP_CLASS_DOUBLE_CMP : GP_CLASS_FLOAT_CMP;
    case GP_OP_SELECT:
        return GP_CLASS_SELECT;
    case GP_OP_ZEXT: case GP_OP_SEXT: case GP_OP_ID:
        return GP_CLASS_MOV;
    case GP_OP_FPTOUI: case GP_OP_FPTOSI: case GP_OP_UITOFP: case GP_OP_SITOFP: case GP_OP_FPTRUNC: case GP_OP_FPEXT:
        return wide ? GP_CLASS_CVT_64 : GP_CLASS_CVT;
    case GP_OP_FADD: case GP_OP_FSUB:
        return doubles ? GP_CLASS_DOUBLE_ADD : GP_CLASS_FLOAT_ADD;
    case GP_OP_FMUL:
        return doubles ? GP_CLASS_DOUBLE_MUL : GP_CLASS_FLOAT_MUL;
    case GP_OP_FMA:
        return doubles ? GP_CLASS_DOUBLE_FMA : GP_CLASS_FLOAT_FMA;
    case GP_OP_FDIV: case GP_OP_FREM:
        return doubles ? GP_CLASS_DOUBLE_DIV : GP_CLASS_FLOAT_DIV;
    case GP_OP_FMIN: case GP_OP_FMAX:
        return doubles ? GP_CLASS_DOUBLE_MINMAX : GP_CLASS_FLOAT_MINMAX;
    case GP_OP_FLOOR: case GP_OP_CEIL: case GP_OP_FTRUNC: case GP_OP_ROUND: case GP_OP_RINT:
        return doubles ? GP_CLASS_DOUBLE_ROUND : GP_CLASS_FLOAT_ROUND;
    case GP_OP_SQRT:
        return doubles ? GP_CLASS_DOUBLE_SQRT : GP_CLASS_FLOAT_SQRT;
    case GP_OP_LOAD: case GP_OP_STORE: case GP_OP_ATOMIC: case GP_OP_IMAGE_LOAD: case GP_OP_IMAGE_STORE:
    case GP_OP_BULK_COPY:
        return GP_CLASS_MEMORY;
    case GP_OP_SHUFFLE:
        return GP_CLASS_SHUFFLE;
    case GP_OP_BARRIER:
        return GP_CLASS_BARRIER;
    case GP_OP_CALL:
        return GP_CLASS_CALL;
    case GP_OP_BR: case GP_OP_CONDBR: case GP_OP_SWITCH: case GP_OP_RET:
        return GP_CLASS_BRANCH;
    default:
        return GP_CLASS_FREE;
    }
}

/* "4x2": bytes of an element, elements */
static bool take_shape(struct parser *p, struct gp_memory *memory)
{
    const char *text = p->token.text;
    const char *x = p->token.kind == WORD ? memchr(text, 'x', p->token.length) : NULL;
    uint64_t bytes, vector;
    if (x == NULL || !number_of(text, (size_t)(x - text), &bytes) ||
        !number_of(x + 1, p->token.length - (size_t)(x - text) - 1, &vector) || bytes > UINT16_MAX || vector > UINT16_MAX)
        return expected(p, "BYTESxELEMENTS like 4x1");
    memory->element_bytes = (uint16_t)bytes;
    memory->vector = (uint16_t)vector;
    if (memory->alignment == 0)
        memory->alignment = memory->element_bytes;
    return advance(p);
}

/* Flags that the operation implies are not written. */
static uint8_t implied_memory_flags(unsigned op)
{
    return op == GP_OP_STORE || op == GP_OP_IMAGE_STORE ? GP_MEMORY_STORE : op == GP_OP_ATOMIC ? GP_MEMORY_ATOMIC : 0;
}

static bool try_memory_flag(struct parser *p, struct gp_memory *memory, bool *there)
{
    static const struct { const char *word; uint8_t flag; } flags[] = {
        {"store", GP_MEMORY_STORE}, {"atomic", GP_MEMORY_ATOMIC}, {"returns", GP_MEMORY_RETURNS},
        {"readonly", GP_MEMORY_READONLY}, {"streaming", GP_MEMORY_STREAMING}, {"volatile", GP_MEMORY_VOLATILE}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!try_word(p, flags[i].word, there))
            return false;
        if (*there) {
            memory->flags |= flags[i].flag;
            return true;
        }
    }
    return true;
}

/* One attribute of a memory operation: in SPACE SHAPE, align N, base REF, flags. */
static bool try_memory_attribute(struct parser *p, struct gp_memory *memory, bool *there)
{
    unsigned space;
    if (!try_word(p, "in", there))
        return false;
    if (*there) {
        if (!take_name(p, space_name, GP_SPACE_COUNT, &space, "a space (global, constant, local, private, generic, image)"))
            return false;
        memory->space = (uint8_t)space;
        return take_shape(p, memory);
    }
    if (!try_word(p, "align", there))
        return false;
    if (*there) {
        uint64_t alignment = 0;
        bool good = take_number(p, UINT16_MAX, &alignment, "an alignment");
        memory->alignment = (uint16_t)alignment;
        return good;
    }
    if (!try_word(p, "base", there))
        return false;
    return *there ? take_ref(p, &memory->base) : try_memory_flag(p, memory, there);
}

/* One attribute of a branch: kind KIND, probability N. */
static bool try_branch_attribute(struct parser *p, struct gp_branch *branch, bool *there)
{
    unsigned kind;
    if (!try_word(p, "kind", there))
        return false;
    if (*there) {
        if (!take_name(p, branch_kind_name, GP_BRANCH_KIND_COUNT, &kind, "a kind (argument, thread, induction, data)"))
            return false;
        branch->kind = (uint8_t)kind;
        return true;
    }
    if (!try_word(p, "probability", there))
        return false;
    if (*there) {
        uint64_t probability = 0;
        if (!take_number(p, UINT16_MAX, &probability, "a probability in 1/65535"))
            return false;
        branch->probability = (uint16_t)probability;
        branch->has_probability = 1;
    }
    return true;
}

/* : CLASS [xREPEAT] */
static bool take_class(struct parser *p, struct gp_inst *inst)
{
    unsigned class = 0;
    if (!take_mark(p, ':') || !take_name(p, class_name, GP_CLASS_COUNT, &class, "a cost class"))
        return false;
    inst->cost = (uint8_t)class;
    if (p->token.kind == WORD && *p->token.text == 'x') {
        uint64_t repeat;
        if (!number_of(p->token.text + 1, p->token.length - 1, &repeat) || repeat > UINT16_MAX)
            return expected(p, "a repetition like x4");
        inst->repeat = (uint16_t)repeat;
        return advance(p);
    }
    return true;
}

static bool try_flag_or_place(struct parser *p, struct gp_inst *inst, bool *there)
{
    if (!try_word(p, "uniform", there))
        return false;
    if (*there) {
        inst->flags |= GP_INST_UNIFORM;
        return true;
    }
    if (!try_word(p, "cheap", there))
        return false;
    if (*there) {
        inst->flags |= GP_INST_CHEAP;
        return true;
    }
    if (!try_word(p, "at", there))
        return false;
    return *there ? take_index(p, &inst->location, "a location's number") : true;
}

/* The record that the operation has, with what is known before its attributes. */
struct records {
    struct gp_memory memory;
    struct gp_branch branch;
    bool has_memory, has_branch;
};

static bool take_attribute(struct parser *p, struct gp_inst *inst, struct records *records)
{
    bool there;
    if (is_at_mark(p, ':'))
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
        if (!try_word(p, "callee", &there))
            return false;
        if (there)
            return take_u32(p, &inst->record, "a callee's number");
    }
    return expected(p, "an attribute of this operation");
}

static bool store_records(struct parser *p, struct gp_inst *inst, const struct records *records)
{
    if (records->has_memory) {
        if (records->memory.element_bytes == 0)
            return FAIL(p, "a memory operation needs 'in SPACE BYTESxELEMENTS', e.g. 'in global 4x1'");
        struct gp_memory *memory = list_add(&p->lists.memory, sizeof *memory);
        if (memory == NULL)
            return out_of_memory(p);
        *memory = records->memory;
        inst->record = (uint32_t)p->lists.memory.count - 1;
    }
    if (records->has_branch) {
        struct gp_branch *branch = list_add(&p->lists.branches, sizeof *branch);
        if (branch == NULL)
            return out_of_memory(p);
        *branch = records->branch;
        inst->record = (uint32_t)p->lists.branches.count - 1;
    }
    return true;
}

/* The type after the operation: of the operands for casts and comparisons, else of the result. */
static bool take_type(struct parser *p, struct gp_inst *inst)
{
    bool cast = gp_op_is_cast((enum gp_op)inst->op), compare = inst->op == GP_OP_ICMP || inst->op == GP_OP_FCMP;
    uint8_t bits = 0;
    bool there;
    if (!try_type(p, &bits, &there))
        return false;
    if (cast || compare)
        inst->width = bits;
    inst->bits = compare ? 1 : cast ? 0 : bits;
    return there || (!cast && !compare) || expected(p, "a type");
}

static bool take_cast_result(struct parser *p, struct gp_inst *inst)
{
    bool there;
    if (!try_word(p, "to", &there))
        return false;
    if (there && !try_type(p, &inst->bits, &there))
        return false;
    return there || expected(p, "'to TYPE'");
}

static bool parse_label(struct parser *p, uint32_t index)
{
    if (p->token.kind != WORD || *p->token.text != '%')
        return true;
    struct token label = p->token;
    uint32_t number;
    struct name *name = name_entry(p, label.text, label.length, &number);
    if (name == NULL)
        return out_of_memory(p);
    if (name->defined)
        return FAIL(p, "'%.*s' is defined twice", (int)(label.length < 60 ? label.length : 60), label.text);
    name->defined = true;
    name->ref = gp_ref_make(GP_REF_INST, index);
    return advance(p) && take_mark(p, '=');
}

static bool parse_instruction(struct parser *p)
{
    uint32_t index = (uint32_t)p->lists.insts.count;
    if (!p->in_block && !p->in_expressions)
        return expected(p, "a statement of the kernel (an instruction needs a block above it)");
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
    while (p->token.kind != END)
        if (!take_attribute(p, &inst, &records))
            return false;
    if (!store_records(p, &inst, &records))
        return false;
    if (inst.cost == GP_CLASS_COUNT)
        inst.cost = default_class(&inst);
    struct gp_inst *slot = list_add(&p->lists.insts, sizeof *slot);
    if (slot == NULL)
        return out_of_memory(p);
    *slot = inst;
    if (p->in_block)
        ((struct gp_block *)p->lists.blocks.data)[p->lists.blocks.count - 1].inst_count++;
    return true;
}

/* ---- Statements of a kernel --------------------------------------------------------------------------------- */

/* block N: ipdom N loop N */
static bool parse_block(struct parser *p)
{
    if (p->in_expressions)
        return FAIL(p, "blocks stand before the expressions");
    if (!take_next_index(p, p->lists.blocks.count, "the block's number") || !take_mark(p, ':'))
        return false;
    struct gp_block *block = list_add(&p->lists.blocks, sizeof *block);
    if (block == NULL)
        return out_of_memory(p);
    *block = (struct gp_block){.inst = (uint32_t)p->lists.insts.count, .ipdom = GP_NONE, .loop = GP_NONE};
    p->in_block = true;
    bool there;
    if (!try_word(p, "ipdom", &there) || (there && !take_index(p, &block->ipdom, "a block's number")))
        return false;
    return try_word(p, "loop", &there) && (!there || take_index(p, &block->loop, "a loop's number"));
}

static bool parse_expressions(struct parser *p)
{
    p->in_block = false;
    p->in_expressions = true;
    return take_mark(p, ':');
}

static bool take_param_flags(struct parser *p, struct gp_param *param)
{
    static const struct { const char *word; uint8_t flag; } flags[] = {
        {"const", GP_PARAM_CONST}, {"restrict", GP_PARAM_RESTRICT}, {"skeleton", GP_PARAM_SKELETON}, {"signed", GP_PARAM_SIGNED}};
    bool there;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (!try_word(p, flags[i].word, &there))
            return false;
        if (there)
            param->flags |= flags[i].flag;
    }
    return true;
}

/* param NAME: KIND BITS [in SPACE] [const] [restrict] [skeleton] [signed] [bounds DIM] [size BYTES] */
static bool parse_param(struct parser *p)
{
    struct gp_param *param = list_add(&p->lists.params, sizeof *param);
    if (param == NULL)
        return out_of_memory(p);
    param->bounds_dim = GP_NONE;
    unsigned kind = 0, space = GP_SPACE_GLOBAL;
    uint64_t bits = 64;
    bool there;
    if (!take_string(p, &param->name, "the parameter's name") || !take_mark(p, ':') ||
        !take_name(p, param_kind_name, GP_PARAM_KIND_COUNT, &kind, "a kind of parameter (int, float, buffer, local, image, sampler, other)") ||
        !take_number(p, 255, &bits, "the parameter's bits") || !try_word(p, "in", &there))
        return false;
    if (there && !take_name(p, space_name, GP_SPACE_COUNT, &space, "a space"))
        return false;
    param->kind = (uint8_t)kind;
    param->bits = (uint8_t)bits;
    param->space = (uint8_t)space;
    param->size = kind == GP_PARAM_LOCAL ? 0 : (uint32_t)((bits + 7) / 8);
    if (!take_param_flags(p, param) || !try_word(p, "bounds", &there) ||
        (there && !take_u32(p, &param->bounds_dim, "a dimension")) || !try_word(p, "size", &there) ||
        (there && !take_u32(p, &param->size, "a size in bytes")))
        return false;
    return define_entity(p, "$", param->name, gp_ref_make(GP_REF_PARAM, (uint32_t)p->lists.params.count - 1));
}

/* local NAME: BYTES align N [at LOCATION] */
static bool parse_array(struct parser *p, struct list *list, const char *prefix, enum gp_ref_kind kind)
{
    struct gp_array *array = list_add(list, sizeof *array);
    if (array == NULL)
        return out_of_memory(p);
    array->alignment = 1;
    array->location = GP_NONE;
    bool there;
    if (!take_string(p, &array->name, "the array's name") || !take_mark(p, ':') ||
        !take_u32(p, &array->bytes, "the array's bytes") || !try_word(p, "align", &there) ||
        (there && !take_u32(p, &array->alignment, "an alignment")) || !try_word(p, "at", &there) ||
        (there && !take_index(p, &array->location, "a location's number")))
        return false;
    return define_entity(p, prefix, array->name, gp_ref_make(kind, (uint32_t)list->count - 1));
}

static bool parse_local(struct parser *p) { return parse_array(p, &p->lists.locals, "local.", GP_REF_LOCAL); }
static bool parse_global(struct parser *p) { return parse_array(p, &p->lists.globals, "global.", GP_REF_GLOBAL); }
static bool parse_private(struct parser *p) { return parse_array(p, &p->lists.privates, "private.", GP_REF_PRIVATE); }

/* callee N: NAME */
static bool parse_callee(struct parser *p)
{
    if (!take_next_index(p, p->lists.callees.count, "the callee's number") || !take_mark(p, ':'))
        return false;
    const char **name = list_add(&p->lists.callees, sizeof *name);
    return name == NULL ? out_of_memory(p) : take_string(p, name, "the callee's name");
}

/* Words with a number behind each, in this order, all optional. */
struct field {
    const char *word;
    uint32_t *value;
};

static bool take_fields(struct parser *p, const struct field *fields, size_t count)
{
    bool there;
    for (size_t i = 0; i < count; i++)
        if (!try_word(p, fields[i].word, &there) || (there && !take_index(p, fields[i].value, fields[i].word)))
            return false;
    return true;
}

/* resources bound N registers N scalar N spill-store N spill-load N stack N local N from SOURCE */
static bool parse_resources(struct parser *p)
{
    struct gp_resources *entry = list_add(&p->lists.resources, sizeof *entry);
    if (entry == NULL)
        return out_of_memory(p);
    const struct field fields[] = {
        {"bound", &entry->launch_bound}, {"registers", &entry->registers}, {"scalar", &entry->scalar_registers},
        {"spill-store", &entry->spill_store_bytes}, {"spill-load", &entry->spill_load_bytes},
        {"stack", &entry->stack_bytes}, {"local", &entry->local_bytes}};
    unsigned source = 0;
    bool there;
    if (!take_fields(p, fields, sizeof fields / sizeof *fields) || !try_word(p, "from", &there))
        return false;
    if (there && !take_name(p, source_name, GP_SOURCE_COUNT, &source, "a source (estimate, ptxas, llvm, runtime)"))
        return false;
    entry->source = (uint8_t)source;
    return true;
}

/* loop N: header B latch B parent N bound KIND [data] [unroll N] [trips REF] [at LOCATION] */
static bool parse_loop(struct parser *p)
{
    if (!take_next_index(p, p->lists.loops.count, "the loop's number") || !take_mark(p, ':'))
        return false;
    struct gp_loop *loops = p->lists.loops.data;
    struct gp_loop loop = {.parent = GP_NONE, .location = GP_NONE, .depth = 1, .unroll = 1};
    const struct field places[] = {{"header", &loop.header}, {"latch", &loop.latch}, {"parent", &loop.parent}};
    bool there, data = false;
    unsigned bound = GP_BOUND_EXECUTED;
    uint64_t unroll = 1;
    if (!take_fields(p, places, 3) || !try_word(p, "bound", &there) ||
        (there && !take_name(p, bound_name, GP_BOUND_COUNT, &bound, "how the bound was found")) || !try_word(p, "data", &data) ||
        !try_word(p, "unroll", &there) || (there && !take_number(p, UINT16_MAX, &unroll, "a factor")) ||
        !try_word(p, "trips", &there) || (there && !take_ref(p, &loop.trip_count)) || !try_word(p, "at", &there) ||
        (there && !take_index(p, &loop.location, "a location's number")))
        return false;
    loop.bound = (uint8_t)bound;
    loop.data_dependent = data;
    loop.unroll = (uint16_t)unroll;
    if (loop.parent != GP_NONE) {
        if (loop.parent >= p->lists.loops.count)
            return FAIL(p, "the parent of loop %zu must stand before it", p->lists.loops.count);
        loop.depth = loops[loop.parent].depth + 1;
    }
    struct gp_loop *slot = list_add(&p->lists.loops, sizeof *slot);
    if (slot == NULL)
        return out_of_memory(p);
    *slot = loop;
    return true;
}

/* induction LABEL loop N step REF */
static bool parse_induction(struct parser *p)
{
    struct gp_induction *entry = list_add(&p->lists.inductions, sizeof *entry);
    if (entry == NULL)
        return out_of_memory(p);
    gp_ref phi;
    bool there;
    if (p->token.kind != WORD || *p->token.text != '%')
        return expected(p, "the phi's label");
    if (!take_label(p, &phi) || !try_word(p, "loop", &there) || (there && !take_u32(p, &entry->loop, "a loop's number")) ||
        !try_word(p, "step", &there))
        return false;
    entry->phi = gp_ref_index(phi); /* the label's number until the kernel ends */
    return there ? take_ref(p, &entry->step) : expected(p, "'step'");
}

/* default $NAME = NUMBER */
static bool parse_default(struct parser *p)
{
    struct gp_default *entry = list_add(&p->lists.defaults, sizeof *entry);
    if (entry == NULL)
        return out_of_memory(p);
    gp_ref param;
    uint64_t value;
    if (p->token.kind != WORD || *p->token.text != '$')
        return expected(p, "a parameter like $n");
    if (!take_entity(p, 1, GP_REF_PARAM, &param) || !take_mark(p, '='))
        return false;
    if (p->token.kind != WORD || !number_of(p->token.text, p->token.length, &value))
        return expected(p, "an integer");
    entry->param = gp_ref_index(param);
    entry->value = (int64_t)value;
    return advance(p);
}

/* yes | no [REASON] */
static bool parse_fact(struct parser *p, struct gp_fact *fact)
{
    bool no;
    if (!try_word(p, "yes", &fact->holds) || !try_word(p, "no", &no))
        return false;
    if (!fact->holds && !no)
        return expected(p, "'yes' or 'no'");
    return p->token.kind == END || take_string(p, &fact->reason, "the reason");
}

static bool parse_agnostic(struct parser *p) { return parse_fact(p, &p->kernel->local_size_agnostic); }
static bool parse_split_safe(struct parser *p) { return parse_fact(p, &p->kernel->split_safe); }
static bool parse_dims(struct parser *p) { return take_u32(p, &p->kernel->dims, "a number of dimensions"); }
static bool parse_barriers(struct parser *p) { return take_u32(p, &p->kernel->barrier_count, "a number of barriers"); }
static bool parse_max_local(struct parser *p) { return take_u32(p, &p->kernel->max_local, "a number of work-items"); }
static bool parse_required_local(struct parser *p) { return take_sizes(p, p->kernel->required_local); }
static bool parse_default_global(struct parser *p) { return take_sizes(p, p->kernel->default_global); }
static bool parse_default_local(struct parser *p) { return take_sizes(p, p->kernel->default_local); }

static bool parse_truncated(struct parser *p)
{
    p->kernel->truncated = true;
    return true;
}

/* ---- The end of a kernel: labels become indices, lists become arrays ------------------------------------------ */

static bool resolve(struct parser *p, uint32_t label, uint32_t *inst)
{
    const struct name *name = (const struct name *)p->lists.names.data + label;
    if (!name->defined) {
        p->line = name->first_use;
        return FAIL(p, "'%.60s' is not defined in this kernel", p->lists.name_numbers.entries[label].bytes);
    }
    *inst = gp_ref_index(name->ref);
    return true;
}

static bool resolve_ref(struct parser *p, gp_ref *ref)
{
    uint32_t inst;
    if (gp_ref_kind(*ref) != GP_REF_INST)
        return true;
    if (!resolve(p, gp_ref_index(*ref), &inst))
        return false;
    *ref = gp_ref_make(GP_REF_INST, inst);
    return true;
}

static bool resolve_labels(struct parser *p)
{
    struct kernel_lists *lists = &p->lists;
    for (size_t i = 0; i < lists->operands.count; i++)
        if (!resolve_ref(p, (gp_ref *)lists->operands.data + i))
            return false;
    for (size_t i = 0; i < lists->memory.count; i++)
        if (!resolve_ref(p, &((struct gp_memory *)lists->memory.data)[i].base))
            return false;
    for (size_t i = 0; i < lists->loops.count; i++)
        if (!resolve_ref(p, &((struct gp_loop *)lists->loops.data)[i].trip_count))
            return false;
    for (size_t i = 0; i < lists->inductions.count; i++) {
        struct gp_induction *entry = (struct gp_induction *)lists->inductions.data + i;
        if (!resolve(p, entry->phi, &entry->phi) || !resolve_ref(p, &entry->step))
            return false;
    }
    return true;
}

/* Copies a list into the arena. */
static bool keep(struct parser *p, const struct list *list, size_t size, void *array, uint32_t *count)
{
    void *copy = gp_arena_new(&p->arena, list->count, size);
    if (copy == NULL)
        return out_of_memory(p);
    if (list->count != 0)
        memcpy(copy, list->data, list->count * size);
    memcpy(array, &copy, sizeof copy);
    *count = (uint32_t)list->count;
    return true;
}

#define KEEP(p, list, kernel, array, count) keep(p, &(p)->lists.list, sizeof *(kernel)->array, &(kernel)->array, &(kernel)->count)

static void drop_lists(struct kernel_lists *lists)
{
    struct list *all[] = {&lists->params, &lists->blocks, &lists->insts, &lists->operands, &lists->constants, &lists->memory,
                          &lists->branches, &lists->loops, &lists->inductions, &lists->locals, &lists->globals,
                          &lists->privates, &lists->callees, &lists->resources, &lists->defaults, &lists->names};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->data);
    gp_intern_free(&lists->name_numbers);
    gp_intern_free(&lists->constant_numbers);
    *lists = (struct kernel_lists){0};
}

static bool finish_kernel(struct parser *p)
{
    struct gp_kernel *kernel = p->kernel;
    if (kernel == NULL)
        return true;
    bool good = resolve_labels(p) && KEEP(p, params, kernel, params, param_count) && KEEP(p, blocks, kernel, blocks, block_count) &&
                KEEP(p, insts, kernel, insts, inst_count) && KEEP(p, operands, kernel, operands, operand_count) &&
                KEEP(p, constants, kernel, constants, constant_count) && KEEP(p, memory, kernel, memory, memory_count) &&
                KEEP(p, branches, kernel, branches, branch_count) && KEEP(p, loops, kernel, loops, loop_count) &&
                KEEP(p, inductions, kernel, inductions, induction_count) && KEEP(p, locals, kernel, locals, local_count) &&
                KEEP(p, globals, kernel, globals, global_count) && KEEP(p, privates, kernel, privates, private_count) &&
                KEEP(p, callees, kernel, callees, callee_count) && KEEP(p, resources, kernel, resources, resource_count) &&
                KEEP(p, defaults, kernel, defaults, default_count);
    drop_lists(&p->lists);
    p->kernel = NULL;
    return good;
}

/* ---- Statements of the profile -------------------------------------------------------------------------------- */

/* kernel NAME [symbol NAME] [at LOCATION] */
static bool parse_kernel(struct parser *p)
{
    if (!finish_kernel(p))
        return false;
    struct gp_kernel *kernel = list_add(&p->kernels, sizeof *kernel);
    if (kernel == NULL)
        return out_of_memory(p);
    p->kernel = kernel;
    p->in_block = p->in_expressions = false;
    kernel->location = GP_NONE;
    kernel->local_size_agnostic.reason = kernel->split_safe.reason = "";
    bool there;
    if (!take_string(p, &kernel->name, "the kernel's name") || !try_word(p, "symbol", &there))
        return false;
    kernel->symbol = kernel->name;
    if (there && !take_string(p, &kernel->symbol, "the kernel's symbol"))
        return false;
    return try_word(p, "at", &there) && (!there || take_index(p, &kernel->location, "a location's number"));
}

/* location N: FILE:LINE:COLUMN [in N] */
static bool parse_location(struct parser *p)
{
    if (!take_next_index(p, p->locations.count, "the location's number") || !take_mark(p, ':'))
        return false;
    struct gp_location *location = list_add(&p->locations, sizeof *location);
    if (location == NULL)
        return out_of_memory(p);
    location->inlined_at = GP_NONE;
    bool there;
    return take_string(p, &location->file, "a file's name") && take_mark(p, ':') && take_u32(p, &location->line, "a line") &&
           take_mark(p, ':') && take_u32(p, &location->column, "a column") && try_word(p, "in", &there) &&
           (!there || take_index(p, &location->inlined_at, "a location's number"));
}

static bool parse_producer(struct parser *p) { return take_string(p, &p->profile->producer, "a string"); }
static bool parse_source(struct parser *p) { return take_string(p, &p->profile->source, "a string"); }
static bool parse_triple(struct parser *p) { return take_string(p, &p->profile->triple, "a string"); }
static bool parse_cpu(struct parser *p) { return take_string(p, &p->profile->cpu, "a string"); }
static bool parse_language(struct parser *p) { return take_string(p, &p->profile->language, "a string"); }
static bool parse_opt(struct parser *p) { return take_u32(p, &p->profile->opt_level, "an optimisation level"); }

struct statement {
    const char *word;
    bool (*parse)(struct parser *);
};

static const struct statement profile_statements[] = {
    {"producer", parse_producer}, {"source", parse_source}, {"triple", parse_triple}, {"cpu", parse_cpu},
    {"language", parse_language}, {"opt", parse_opt}, {"location", parse_location}, {"kernel", parse_kernel}};

static const struct statement kernel_statements[] = {
    {"kernel", parse_kernel}, {"param", parse_param}, {"local", parse_local}, {"global", parse_global},
    {"private", parse_private}, {"callee", parse_callee}, {"resources", parse_resources}, {"dims", parse_dims},
    {"required-local", parse_required_local}, {"max-local", parse_max_local}, {"barriers", parse_barriers},
    {"default-global", parse_default_global}, {"default-local", parse_default_local}, {"default", parse_default},
    {"local-size-agnostic", parse_agnostic}, {"split-safe", parse_split_safe}, {"truncated", parse_truncated},
    {"loop", parse_loop}, {"induction", parse_induction}, {"block", parse_block}, {"expressions", parse_expressions}};

static bool parse_statement(struct parser *p)
{
    bool inside = p->kernel != NULL;
    const struct statement *statements = inside ? kernel_statements : profile_statements;
    size_t count = inside ? sizeof kernel_statements / sizeof *kernel_statements
                          : sizeof profile_statements / sizeof *profile_statements;
    for (size_t i = 0; i < count; i++)
        if (is_word(p, statements[i].word))
            return advance(p) && statements[i].parse(p) && take_end(p);
    if (!inside)
        return expected(p, "producer, source, triple, cpu, language, opt, location or kernel");
    return parse_instruction(p) && take_end(p);
}

/* gpuperf-profile 1 */
static bool parse_first_line(struct parser *p, bool *seen)
{
    uint64_t version = 0;
    if (!is_word(p, "gpuperf-profile"))
        return expected(p, "'gpuperf-profile 1'");
    if (!advance(p) || !take_number(p, UINT32_MAX, &version, "the version"))
        return false;
    *seen = true;
    return version == 1 ? take_end(p) : FAIL(p, "version %" PRIu64 " of the text form is not known; this is version 1", version);
}

static bool parse_lines(struct parser *p)
{
    bool seen = false;
    for (p->line = 1; p->at < p->end; p->line++) {
        if (!advance(p))
            return false;
        if (p->token.kind != END && !(seen ? parse_statement(p) : parse_first_line(p, &seen)))
            return false;
        const char *newline = memchr(p->at, '\n', (size_t)(p->end - p->at));
        p->at = newline ? newline + 1 : p->end;
    }
    return (seen || expected(p, "'gpuperf-profile 1'")) && finish_kernel(p);
}

static bool finish_profile(struct parser *p)
{
    return keep(p, &p->locations, sizeof(struct gp_location), &p->profile->locations, &p->profile->location_count) &&
           keep(p, &p->kernels, sizeof(struct gp_kernel), &p->profile->kernels, &p->profile->kernel_count) &&
           gp_profile_check(p->profile, p->error);
}

struct gp_profile *gp_profile_parse(const char *text, size_t length, struct gp_error *error)
{
    struct parser p = {.at = text, .end = text + length, .error = error};
    p.token.text = text;
    p.profile = gp_arena_new(&p.arena, 1, sizeof *p.profile);
    bool good = p.profile != NULL || out_of_memory(&p);
    if (good) {
        p.profile->producer = p.profile->source = p.profile->triple = p.profile->cpu = p.profile->language = "";
        good = parse_lines(&p) && finish_profile(&p);
    }
    drop_lists(&p.lists);
    free(p.locations.data);
    free(p.kernels.data);
    if (good)
        good = (p.profile->storage = gp_arena_seal(&p.arena)) != NULL || out_of_memory(&p);
    if (!good)
        gp_arena_free(&p.arena);
    return good ? p.profile : NULL;
}
