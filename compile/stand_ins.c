/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* strchrnul, memmem */
#include "compile/stand_ins.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/prefix.h"

enum { MAX_PARAMETERS = 64, POLYNOMIAL_TERMS = 6 };

/* A first-class type as LLVM writes it: i32, float, ptr addrspace(1), <4 x float>. */
struct ir_type {
    const char *text;
    int length;
    enum { TYPE_VOID, TYPE_INT, TYPE_FLOAT, TYPE_POINTER } kind;
    unsigned bits;     /* of an element */
    unsigned elements; /* 0: a scalar */
    char element[16];  /* "i32" */
};

struct declaration {
    struct ir_type result;
    const char *name; /* with its quotes, if any */
    int name_length;
    struct ir_type parameters[MAX_PARAMETERS];
    unsigned parameter_count;
    bool variadic;
};

static const char *skip_blanks(const char *at) { return at + strspn(at, " "); }

static bool ends_word(char c) { return !isalnum((unsigned char)c) && c != '_' && c != '.'; }

/* i32, half, float, double; returns what follows, NULL when it is none of these. */
static const char *read_element(const char *at, struct ir_type *type)
{
    static const struct {
        const char *name;
        unsigned bits;
    } floats[] = {{"half", 16}, {"bfloat", 16}, {"float", 32}, {"double", 64}};
    const char *end = at;
    while (!ends_word(*end))
        end++;
    size_t length = (size_t)(end - at);
    if (length == 0 || length >= sizeof type->element)
        return NULL;
    memcpy(type->element, at, length);
    type->element[length] = '\0';
    for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
        if (strcmp(type->element, floats[i].name) == 0) {
            type->kind = TYPE_FLOAT;
            type->bits = floats[i].bits;
            return end;
        }
    }
    if (at[0] != 'i' || !isdigit((unsigned char)at[1]))
        return NULL;
    type->kind = TYPE_INT;
    type->bits = (unsigned)strtoul(at + 1, NULL, 10);
    return type->bits >= 1 && type->bits <= 64 ? end : NULL;
}

static const char *read_pointer(const char *at, struct ir_type *type)
{
    if (!gp_starts_with(at, "ptr") || !ends_word(at[3]))
        return NULL;
    type->kind = TYPE_POINTER;
    type->bits = 64;
    at += 3;
    if (!gp_starts_with(at, " addrspace("))
        return at;
    at = strchr(at, ')');
    return at ? at + 1 : NULL;
}

static const char *read_vector(const char *at, struct ir_type *type)
{
    if (*at != '<')
        return NULL;
    char *end;
    unsigned long elements = strtoul(at + 1, &end, 10);
    if (elements == 0 || elements > 64 || !gp_starts_with(end, " x "))
        return NULL;
    const char *after = read_element(end + 3, type);
    type->elements = (unsigned)elements;
    return after != NULL && *after == '>' ? after + 1 : NULL;
}

/* Returns what follows; NULL when no type that we know starts here. */
static const char *read_type(const char *at, struct ir_type *type)
{
    *type = (struct ir_type){.text = at};
    const char *end = NULL;
    if (gp_starts_with(at, "void") && ends_word(at[4]))
        end = at + 4;
    end = end ? end : read_vector(at, type);
    end = end ? end : read_pointer(at, type);
    if (end == NULL && *at != '<')
        end = read_element(at, type);
    if (end != NULL)
        type->length = (int)(end - at);
    return end;
}

/* A keyword or attribute, with its parenthesis: noundef, range(i32 0, 5), align, 4. */
static const char *skip_attribute(const char *at)
{
    while (!ends_word(*at))
        at++;
    if (*at != '(')
        return *at == ' ' || *at == ',' || *at == ')' ? at : NULL;
    unsigned depth = 0;
    do {
        depth += *at == '(';
        depth -= *at == ')';
        at++;
    } while (depth > 0 && *at != '\0' && *at != '\n');
    return at;
}

/* Everything between `declare` and the result type: linkage, visibility, calling convention, attributes. */
static const char *read_result(const char *at, struct ir_type *type)
{
    for (at = skip_blanks(at); *at != '\0' && *at != '@'; at = skip_blanks(at)) {
        const char *end = read_type(at, type);
        if (end != NULL)
            return end;
        end = skip_attribute(at);
        if (end == NULL || end == at)
            return NULL;
        at = end;
    }
    return NULL;
}

static const char *read_name(const char *at, struct declaration *declaration)
{
    at = skip_blanks(at);
    if (*at != '@')
        return NULL;
    declaration->name = at;
    const char *end = at[1] == '"' ? strchr(at + 2, '"') : strchrnul(at, '(');
    if (end == NULL)
        return NULL;
    end += *end == '"';
    declaration->name_length = (int)(end - at);
    return *end == '(' ? end + 1 : NULL;
}

static const char *read_parameter(const char *at, struct declaration *declaration)
{
    if (declaration->parameter_count == MAX_PARAMETERS)
        return NULL;
    if (gp_starts_with(at, "...")) {
        declaration->variadic = true;
        return at + 3;
    }
    at = read_type(at, &declaration->parameters[declaration->parameter_count++]);
    while (at != NULL && *at == ' ')
        at = skip_attribute(skip_blanks(at));
    return at;
}

static bool read_declaration(const char *line, struct declaration *declaration)
{
    *declaration = (struct declaration){0};
    const char *at = read_result(line + strlen("declare"), &declaration->result);
    at = at ? read_name(at, declaration) : NULL;
    while (at != NULL && *at != ')') {
        at = read_parameter(at, declaration);
        if (at != NULL && *at == ',')
            at = skip_blanks(at + 1);
        else if (at != NULL && *at != ')')
            return false;
    }
    return at != NULL;
}

/* ---- Bodies -------------------------------------------------------------------------------------------------- */

struct body {
    struct gp_text *text;
    unsigned next; /* number of the next local value: %gN */
};

static void print_head(struct body *body, const struct declaration *d, const char *prefix)
{
    gp_text_printf(body->text, "define internal %.*s @%s%.*s(", d->result.length, d->result.text, prefix,
                   d->name_length - 1, d->name + 1);
    for (unsigned i = 0; i < d->parameter_count; i++)
        gp_text_printf(body->text, "%s%.*s %%p%u", i ? ", " : "", d->parameters[i].length, d->parameters[i].text, i);
    if (d->variadic)
        gp_text_printf(body->text, "%s...", d->parameter_count ? ", " : "");
    gp_text_printf(body->text, ") alwaysinline nounwind {\n");
}

/* An integer of up to 64 bits as i32; both halves count. Returns the value's number. */
static unsigned fold(struct body *body, unsigned value, unsigned bits)
{
    if (bits == 32)
        return value;
    unsigned result = body->next++;
    if (bits < 32) {
        gp_text_printf(body->text, "  %%g%u = zext i%u %%g%u to i32\n", result, bits, value);
        return result;
    }
    unsigned high = body->next++, low = body->next++, sum = body->next++;
    gp_text_printf(body->text,
                   "  %%g%u = lshr i%u %%g%u, 32\n  %%g%u = trunc i%u %%g%u to i32\n  %%g%u = trunc i%u %%g%u to i32\n",
                   result, bits, value, high, bits, result, low, bits, value);
    gp_text_printf(body->text, "  %%g%u = xor i32 %%g%u, %%g%u\n", sum, high, low);
    return sum;
}

/* One scalar ("%p3" or "%g7") as i32. */
static unsigned as_word(struct body *body, const struct ir_type *type, const char *operand, unsigned number)
{
    unsigned value = body->next++;
    const char *how = type->kind == TYPE_FLOAT ? "bitcast" : "add";
    if (type->kind == TYPE_FLOAT)
        gp_text_printf(body->text, "  %%g%u = %s %s %s%u to i%u\n", value, how, type->element, operand, number,
                       type->bits);
    else
        gp_text_printf(body->text, "  %%g%u = %s i%u %s%u, 0\n", value, how, type->bits, operand, number);
    return fold(body, value, type->bits);
}

/* sum * 31 + value */
static unsigned mix(struct body *body, unsigned sum, unsigned value)
{
    unsigned product = body->next++, result = body->next++;
    gp_text_printf(body->text, "  %%g%u = mul i32 %%g%u, 31\n  %%g%u = add i32 %%g%u, %%g%u\n", product, sum, result,
                   product, value);
    return result;
}

static unsigned mix_parameter(struct body *body, const struct ir_type *type, unsigned index, unsigned sum)
{
    if (type->elements == 0)
        return mix(body, sum, as_word(body, type, "%p", index));
    for (unsigned i = 0; i < type->elements; i++) {
        unsigned element = body->next++;
        gp_text_printf(body->text, "  %%g%u = extractelement %.*s %%p%u, i32 %u\n", element, type->length, type->text,
                       index, i);
        sum = mix(body, sum, as_word(body, type, "%g", element));
    }
    return sum;
}

/*
 * The address that the first `count` parameters make: pointers add up (an image is its handle), all else is an offset
 * from them. Returns its number; the address is a pointer to global memory.
 */
static unsigned print_address(struct body *body, const struct declaration *d, unsigned count)
{
    unsigned sum = body->next++, base = body->next++;
    gp_text_printf(body->text, "  %%g%u = add i32 0, %d\n  %%g%u = add i64 0, 4096\n", sum, d->name_length, base);
    for (unsigned i = 0; i < count; i++) {
        const struct ir_type *type = &d->parameters[i];
        if (type->kind != TYPE_POINTER) {
            sum = mix_parameter(body, type, i, sum);
            continue;
        }
        unsigned number = body->next++, next = body->next++;
        gp_text_printf(body->text, "  %%g%u = ptrtoint %.*s %%p%u to i64\n  %%g%u = add i64 %%g%u, %%g%u\n", number,
                       type->length, type->text, i, next, base, number);
        base = next;
    }
    unsigned wide = body->next++, scaled = body->next++, total = body->next++, address = body->next++;
    gp_text_printf(body->text,
                   "  %%g%u = zext i32 %%g%u to i64\n  %%g%u = shl i64 %%g%u, 4\n  %%g%u = add i64 %%g%u, %%g%u\n",
                   wide, sum, scaled, wide, total, base, scaled);
    gp_text_printf(body->text, "  %%g%u = inttoptr i64 %%g%u to ptr addrspace(1)\n", address, total);
    return address;
}

static unsigned bytes_of(const struct ir_type *type)
{
    unsigned elements = type->elements == 3 ? 4 : type->elements ? type->elements : 1;
    unsigned bytes = (type->bits + 7) / 8 * elements;
    return bytes < 16 ? (bytes & (bytes - 1) ? 1 : bytes) : 16;
}

static void print_store(struct body *body, const struct declaration *d)
{
    if (d->parameter_count > 0) {
        unsigned last = d->parameter_count - 1;
        const struct ir_type *type = &d->parameters[last];
        unsigned address = print_address(body, d, last);
        gp_text_printf(body->text, "  store %.*s %%p%u, ptr addrspace(1) %%g%u, align %u\n", type->length, type->text,
                       last, address, bytes_of(type));
    }
    gp_text_printf(body->text, "  ret void\n}\n");
}

static void print_load(struct body *body, const struct declaration *d)
{
    unsigned address = print_address(body, d, d->parameter_count);
    gp_text_printf(body->text,
                   "  %%r = load %.*s, ptr addrspace(1) %%g%u, align %u, !invariant.load !{}\n  ret %.*s %%r\n}\n",
                   d->result.length, d->result.text, address, bytes_of(&d->result), d->result.length, d->result.text);
}

/* A sampler constant turned into a sampler: a number the driver knows, no memory access. */
static bool makes_sampler(const struct declaration *d)
{
    return d->result.kind == TYPE_POINTER && d->result.elements == 0 && d->parameter_count == 1 && !d->variadic &&
           d->parameters[0].kind == TYPE_INT && d->parameters[0].elements == 0;
}

static void print_sampler(struct body *body, const struct declaration *d)
{
    gp_text_printf(body->text, "  %%r = inttoptr %.*s %%p0 to %.*s\n  ret %.*s %%r\n}\n", d->parameters[0].length,
                   d->parameters[0].text, d->result.length, d->result.text, d->result.length, d->result.text);
}

/* A vector of equal constants, or the constant itself; LLVM writes floating-point constants of any type in decimal
 * where exact. */
static void print_constant(struct body *body, const struct ir_type *type, unsigned term)
{
    double value = 0.5 + term * 0.25; /* exact in half, float and double; different, so that nothing folds */
    if (type->elements == 0) {
        gp_text_printf(body->text, "%.4e", value);
        return;
    }
    gp_text_printf(body->text, "<");
    for (unsigned i = 0; i < type->elements; i++)
        gp_text_printf(body->text, "%s%s %.4e", i ? ", " : "", type->element, value);
    gp_text_printf(body->text, ">");
}

/* r = (...(p0 * x + c1) * x + c2 ...); with two parameters the other one is x: pow, atan2, fmod. */
static void print_polynomial(struct body *body, const struct declaration *d)
{
    const struct ir_type *type = &d->result;
    unsigned x = d->parameter_count - 1;
    unsigned terms = POLYNOMIAL_TERMS * (type->bits == 64 ? 2 : 1);
    char last[24] = "%p0";
    for (unsigned i = 0; i < terms; i++) {
        unsigned product = body->next++, sum = body->next++;
        gp_text_printf(body->text, "  %%g%u = fmul contract %.*s %s, %%p%u\n  %%g%u = fadd contract %.*s %%g%u, ",
                       product, type->length, type->text, last, x, sum, type->length, type->text, product);
        print_constant(body, type, i);
        gp_text_printf(body->text, "\n");
        snprintf(last, sizeof last, "%%g%u", sum);
    }
    gp_text_printf(body->text, "  ret %.*s %s\n}\n", type->length, type->text, last);
}

/* ---- Which functions ----------------------------------------------------------------------------------------- */

static bool is_same_type(const struct ir_type *a, const struct ir_type *b)
{
    return a->length == b->length && memcmp(a->text, b->text, (size_t)a->length) == 0;
}

/* Floating point in, the same out: sqrt, pow ... */
static bool is_mathematical(const struct declaration *d)
{
    bool same = d->result.kind == TYPE_FLOAT && d->parameter_count >= 1 && d->parameter_count <= 3 && !d->variadic;
    for (unsigned i = 0; same && i < d->parameter_count; i++)
        same = is_same_type(&d->parameters[i], &d->result);
    return same;
}

/* LLVM's mathematical intrinsics that a GPU backend may have no code for: name, and up to which width it has. */
static const struct {
    const char *name;
    unsigned nvptx_bits, amdgcn_bits;
} intrinsics[] = {
    {"exp", 0, 32}, {"exp2", 32, 32}, {"exp10", 0, 32}, {"log", 0, 32}, {"log2", 0, 32}, {"log10", 0, 32},
    {"pow", 0, 0},  {"sin", 0, 32},   {"cos", 0, 32},   {"tan", 0, 0},  {"asin", 0, 0},  {"acos", 0, 0},
    {"atan", 0, 0}, {"atan2", 0, 0},  {"sinh", 0, 0},   {"cosh", 0, 0}, {"tanh", 0, 0},
};

/* Whether the backend lacks the intrinsic "@llvm.NAME.TYPE". */
static bool lacks_intrinsic(const struct declaration *d, const struct gp_stand_in_options *options)
{
    const char *name = d->name + strlen("@llvm.");
    for (size_t i = 0; i < sizeof intrinsics / sizeof intrinsics[0]; i++) {
        size_t length = strlen(intrinsics[i].name);
        if (strncmp(name, intrinsics[i].name, length) != 0 || name[length] != '.')
            continue;
        unsigned has = options->target == GP_TARGET_NVPTX ? intrinsics[i].nvptx_bits : intrinsics[i].amdgcn_bits;
        return d->result.bits > has && is_mathematical(d);
    }
    return false;
}

/* What NVIDIA's driver resolves by itself, or a library will. */
static bool has_definition(const struct declaration *d, const struct gp_stand_in_options *options)
{
    static const char *const names[] = {
        "@vprintf", "@malloc", "@free", "@__assertfail", "@cudaGetParameterBufferV2", "@cudaLaunchDeviceV2"};
    if (options->libdevice && gp_starts_with(d->name, "@__nv_"))
        return true;
    for (size_t i = 0; options->target == GP_TARGET_NVPTX && i < sizeof names / sizeof names[0]; i++) {
        if ((size_t)d->name_length == strlen(names[i]) && memcmp(d->name, names[i], strlen(names[i])) == 0)
            return true;
    }
    return false;
}

static void print_body(struct body *body, const struct declaration *d)
{
    if (d->result.kind == TYPE_VOID)
        print_store(body, d);
    else if (is_mathematical(d))
        print_polynomial(body, d);
    else if (makes_sampler(d))
        print_sampler(body, d);
    else
        print_load(body, d);
}

/* Every use of an intrinsic that got a body under another name; names of intrinsics cannot be defined. */
static void copy_renaming(const char *line, const char *end, const char *prefix, struct gp_text *result)
{
    static const char mark[] = "@llvm.";
    const char *at;
    while ((at = memmem(line, (size_t)(end - line), mark, sizeof mark - 1)) != NULL) {
        const char *name = at + sizeof mark - 1;
        const char *stop = name;
        while (!ends_word(*stop))
            stop++;
        gp_text_append(result, line, (size_t)(at - line));
        gp_text_printf(result, "@");
        /* the renamed ones were noted in `prefix` as "|NAME|NAME|" */
        struct gp_text wanted = {0};
        gp_text_printf(&wanted, "|%.*s|", (int)(stop - name), name);
        gp_text_printf(result, "%sllvm.%.*s", strstr(prefix, wanted.data) ? "gpuperf." : "", (int)(stop - name), name);
        gp_text_free(&wanted);
        line = stop;
    }
    gp_text_append(result, line, (size_t)(end - line));
}

/* "define dso_local " and visibilities before a function that is no kernel: nobody outside needs it. */
static const char *make_internal(const char *line, const char *end, struct gp_text *result)
{
    static const char *const words[] = {"dso_local ", "hidden ", "protected "};
    const char *parenthesis = memchr(line, '(', (size_t)(end - line));
    size_t head = parenthesis ? (size_t)(parenthesis - line) : 0;
    const char *at = line + strlen("define ");
    bool named = false;
    for (size_t i = 0; i < 3; i++) {
        if (gp_starts_with(at, words[i])) {
            at += strlen(words[i]);
            named = true;
            i = (size_t)-1;
        }
    }
    if (!named || head == 0 || memmem(line, head, "_kernel ", 8) != NULL)
        return line;
    gp_text_printf(result, "define internal ");
    return at;
}

/* Gives the declaration a body, or leaves it. Names of intrinsics that got one are added to `renamed`. */
static bool define(const char *line, const struct gp_stand_in_options *options, struct gp_text *bodies,
                   struct gp_text *renamed, bool *defined, struct gp_error *error)
{
    struct declaration d;
    size_t length = (size_t)(strchrnul(line, '\n') - line);
    bool intrinsic = memmem(line, length, " @llvm.", 7) != NULL;
    *defined = false;
    if (!read_declaration(line, &d))
        return intrinsic || gp_fail(error, "no stand-in for '%.*s'", length < 800 ? (int)length : 800, line);
    if (intrinsic ? !lacks_intrinsic(&d, options) : has_definition(&d, options))
        return true;
    struct body body = {.text = bodies};
    print_head(&body, &d, intrinsic ? "gpuperf." : "");
    print_body(&body, &d);
    if (intrinsic)
        gp_text_printf(renamed, "%.*s|", d.name_length - 6, d.name + 6);
    *defined = true;
    return true;
}

static bool define_all(const char *module, const struct gp_stand_in_options *options, struct gp_text *bodies,
                       struct gp_text *renamed, unsigned *count, struct gp_error *error)
{
    gp_text_printf(renamed, "|");
    for (const char *line = module; *line != '\0'; line = strchrnul(line, '\n'), line += *line == '\n') {
        bool defined = false;
        if (gp_starts_with(line, "declare ") && !define(line, options, bodies, renamed, &defined, error))
            return false;
        *count += defined;
    }
    return true;
}

/* Whether this declaration has got a body: then it goes. */
static bool is_defined(const char *line, const struct gp_stand_in_options *options)
{
    struct declaration d;
    if (!gp_starts_with(line, "declare ") || !read_declaration(line, &d))
        return false;
    return gp_starts_with(d.name, "@llvm.") ? lacks_intrinsic(&d, options) : !has_definition(&d, options);
}

bool gp_add_stand_ins(const char *module, const struct gp_stand_in_options *options, struct gp_text *result,
                      unsigned *count, struct gp_error *error)
{
    struct gp_text bodies = {0}, renamed = {0};
    *count = 0;
    bool done = define_all(module, options, &bodies, &renamed, count, error);
    for (const char *line = module; done && *line != '\0';) {
        const char *end = strchrnul(line, '\n');
        end += *end == '\n';
        if (!is_defined(line, options)) {
            const char *rest = gp_starts_with(line, "define ") ? make_internal(line, end, result) : line;
            copy_renaming(rest, end, renamed.data, result);
        }
        line = end;
    }
    if (done && bodies.length > 0)
        gp_text_append(result, bodies.data, bodies.length);
    gp_text_free(&bodies);
    gp_text_free(&renamed);
    return done;
}

/* The kernel that a "define ... ptx_kernel ... @NAME(" begins; NULL: none. */
static const struct gp_kernel *kernel_of(const char *line, const char *end, const struct gp_profile *profile)
{
    const char *name = memchr(line, '@', (size_t)(end - line));
    if (!gp_starts_with(line, "define ") || name == NULL)
        return NULL;
    name++;
    if (*name == '"')
        name++;
    for (uint32_t i = 0; i < profile->kernel_count; i++) {
        size_t length = strlen(profile->kernels[i].symbol);
        if ((size_t)(end - name) > length && strncmp(name, profile->kernels[i].symbol, length) == 0 &&
            (name[length] == '(' || name[length] == '"'))
            return &profile->kernels[i];
    }
    return NULL;
}

void gp_state_required_sizes(const char *module, const struct gp_profile *profile, struct gp_text *result)
{
    for (const char *line = module; *line != '\0';) {
        const char *end = strchrnul(line, '\n');
        const struct gp_kernel *kernel = kernel_of(line, end, profile);
        const char *attributes = kernel && kernel->stated.required_local[0] > 0
                                     ? memmem(line, (size_t)(end - line), " #", 2)
                                     : NULL; /* a group of them */
        size_t kept = attributes ? (size_t)(attributes - line) : (size_t)(end - line);
        gp_text_append(result, line, kept);
        if (attributes != NULL) {
            const uint32_t *size = kernel->stated.required_local;
            gp_text_printf(result, " \"nvvm.reqntid\"=\"%u,%u,%u\"", size[0], size[1], size[2]);
            gp_text_append(result, line + kept, (size_t)(end - line) - kept);
        }
        if (*end == '\n')
            gp_text_append(result, "\n", 1);
        line = end + (*end == '\n');
    }
}

/* One line: attributes lose the word, bodies of kernels get another before their group of attributes, and are nobody
 * else's: what is inlined everywhere is gone. */
static void append_inlined(const char *line, size_t length, struct gp_text *result)
{
    static const char body[] = "@__clang_ocl_kern_imp_", kept[] = " noinline", added[] = " alwaysinline",
                      outside[] = "define dso_local ";
    const char *from = line, *end = line + length;
    const char *word = strncmp(line, "attributes #", 12) == 0 ? memmem(line, length, kept, sizeof kept - 1) : NULL;
    bool defined = strncmp(line, "define ", 7) == 0 && memmem(line, length, body, sizeof body - 1) != NULL;
    const char *group = defined ? memmem(line, length, " #", 2) : NULL;
    if (word != NULL) {
        gp_text_append(result, from, (size_t)(word - from));
        from = word + sizeof kept - 1;
    } else if (group != NULL) {
        if (strncmp(line, outside, sizeof outside - 1) == 0) {
            gp_text_append(result, "define internal ", strlen("define internal "));
            from += sizeof outside - 1;
        }
        gp_text_append(result, from, (size_t)(group - from));
        gp_text_append(result, added, sizeof added - 1);
        from = group;
    }
    gp_text_append(result, from, (size_t)(end - from));
}

void gp_inline_kernel_bodies(const char *module, struct gp_text *result)
{
    for (const char *line = module; *line != '\0';) {
        const char *end = strchrnul(line, '\n');
        append_inlined(line, (size_t)(end - line) + (*end == '\n'), result);
        line = end + (*end == '\n');
    }
}

bool gp_is_whole(const char *module)
{
    for (const char *at = module; (at = strstr(at, "\ndeclare ")) != NULL; at++) {
        const char *name = strchr(at, '@');
        if (name == NULL || !gp_starts_with(name, "@llvm."))
            return false;
    }
    return true;
}

/* Behind the attribute that names a processor or its features, where one begins; NULL: none does. */
static const char *behind_processor(const char *at)
{
    static const char *const marks[] = {"\"target-cpu\"=\"", "\"target-features\"=\""};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *end = gp_starts_with(at, marks[i]) ? strchr(at + strlen(marks[i]), '"') : NULL;
        if (end != NULL)
            return end + 1;
    }
    return NULL;
}

void gp_forget_processor(const char *module, struct gp_text *result)
{
    for (const char *at = module; (at = strstr(at, "\"target-")) != NULL;) {
        const char *behind = behind_processor(at);
        if (behind != NULL) {
            gp_text_append(result, module, (size_t)(at - module));
            module = behind;
        }
        at = behind != NULL ? behind : at + 1;
    }
    gp_text_append(result, module, strlen(module));
}

bool gp_raise_launch_bound(const char *module, unsigned bound, struct gp_text *result)
{
    static const char mark[] = "\"amdgpu-flat-work-group-size\"=\"1,256\"";
    const char *at = strstr(module, mark);
    if (at == NULL)
        return false;
    for (; at != NULL; at = strstr(module, mark)) {
        gp_text_append(result, module, (size_t)(at - module));
        gp_text_printf(result, "\"amdgpu-flat-work-group-size\"=\"1,%u\"", bound);
        module = at + sizeof mark - 1;
    }
    gp_text_append(result, module, strlen(module));
    return true;
}
