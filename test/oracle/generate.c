/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * generate FIRST COUNT [data|flow|flow-data]: prints COUNT random kernels, one per seed from FIRST on, for
 * gpuperf-oracle. Loops, branches and addresses of all forms, nested; barriers where all work-items come by. Nothing
 * that decides control flow or an address is loaded, so that everything must be exact; with `data` some of it is. With
 * `flow` the kernels are made of labels that jump to each other by gotos and switches, some of them inside loops, some
 * that nothing leads to.
 *
 * Every expression carries the range of its values, so that nothing overflows and no access leaves its buffer.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 700, MAX_NAMES = 24, WORDS = 200000, LOCAL_WORDS = 512, MAX_TRIPS = 400 };

struct expr {
    char text[TEXT];
    int64_t low, high;
    bool uniform; /* the same for the whole group */
};

struct name {
    char text[16];
    int64_t low, high;
    bool uniform;
};

struct kernel {
    uint64_t state;
    bool data; /* loaded values may decide */
    bool barriers;
    struct name names[MAX_NAMES];
    uint32_t name_count;
    uint32_t made;  /* names made up so far */
    uint32_t depth; /* of statements */
    uint32_t loops; /* enclosing ones */
    bool in_switch;
    bool uniform;    /* all work-items come here */
    int64_t trips;   /* of the enclosing loops together, at most */
    uint32_t left;   /* statements that may still be made */
    uint32_t labels; /* 0: no gotos */
};

/* ---- Chance
 * ------------------------------------------------------------------------------------------------------------- */

static uint32_t chance(struct kernel *k, uint32_t below)
{
    k->state ^= k->state >> 12;
    k->state ^= k->state << 25;
    k->state ^= k->state >> 27;
    return (uint32_t)((k->state * 0x2545f4914f6cdd1du) >> 33) % below;
}

static int64_t between(struct kernel *k, int64_t low, int64_t high)
{
    return low + chance(k, (uint32_t)(high - low + 1));
}

/* ---- Expressions
 * ---------------------------------------------------------------------------------------------------------- */

static struct expr make(int64_t low, int64_t high, bool uniform, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static struct expr make(int64_t low, int64_t high, bool uniform, const char *format, ...)
{
    struct expr e = {.low = low, .high = high, .uniform = uniform};
    va_list list;
    va_start(list, format);
    vsnprintf(e.text, sizeof e.text, format, list);
    va_end(list);
    return e;
}

static bool fits(int64_t low, int64_t high) { return low > -(1 << 28) && high < 1 << 28 && low <= high; }
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t all_ones_above(int64_t x)
{
    int64_t ones = 1;
    while (ones < x)
        ones = ones * 2 + 1;
    return ones;
}

static struct expr expression(struct kernel *k, uint32_t depth, bool uniform);
static struct expr index_into(struct kernel *k, int64_t words, bool uniform);

static struct expr atom(struct kernel *k, bool uniform)
{
    for (int tries = 0; tries < 6; tries++) {
        const struct name *name = &k->names[chance(k, k->name_count)];
        if (!uniform || name->uniform)
            return make(name->low, name->high, name->uniform, "%s", name->text);
    }
    int64_t value = between(k, 0, 20);
    return make(value, value, true, "%d", (int)value);
}

static struct expr condition(struct kernel *k, uint32_t depth, bool uniform)
{
    static const char *const compares[] = {"<", "<=", ">", ">=", "==", "!="};
    if (k->data && !uniform && chance(k, 5) == 0) {
        struct expr at = index_into(k, WORDS, false);
        return make(0, 1, false, "b[%s] > %u", at.text, chance(k, 1000));
    }
    struct expr a = expression(k, depth, uniform);
    switch (depth ? chance(k, 7) : 0) {
    case 0:
    case 1:
    case 2: {
        struct expr b = expression(k, depth ? depth - 1 : 0, uniform);
        return make(0, 1, a.uniform && b.uniform, "%s %s %s", a.text, compares[chance(k, 6)], b.text);
    }
    case 3: return make(0, 1, a.uniform, "(%s & %u) == %u", a.text, 1 + chance(k, 7), chance(k, 3));
    case 4: {
        struct expr x = condition(k, depth - 1, uniform), y = condition(k, depth - 1, uniform);
        return make(0, 1, x.uniform && y.uniform, "(%s) %s (%s)", x.text, chance(k, 2) ? "&&" : "||", y.text);
    }
    case 5: return make(0, 1, a.uniform, "!(%s)", a.text);
    default: return make(0, 1, a.uniform, "%s", a.text);
    }
}

static struct expr binary(struct kernel *k, struct expr a, struct expr b)
{
    bool uniform = a.uniform && b.uniform, positive = a.low >= 0 && b.low >= 0;
    int64_t c = between(k, 1, 17), shift = between(k, 1, 3);
    switch (chance(k, 16)) {
    case 0:
    case 1:
    case 2: return make(a.low + b.low, a.high + b.high, uniform, "(%s + %s)", a.text, b.text);
    case 3: return make(a.low - b.high, a.high - b.low, uniform, "(%s - %s)", a.text, b.text);
    case 4: return make(least(a.low * c, a.low), most(a.high * c, a.high), a.uniform, "(%s * %d)", a.text, (int)c);
    case 5:
        if (!positive || a.high > 4000 || b.high > 4000)
            return a;
        return make(0, a.high * b.high, uniform, "(%s * %s)", a.text, b.text);
    case 6: return make(0, a.low >= 0 ? least(a.high, 15) : 15, a.uniform, "(%s & 15)", a.text);
    case 7: return positive ? make(0, all_ones_above(most(a.high, b.high)), uniform, "(%s ^ %s)", a.text, b.text) : a;
    case 8: return positive ? make(0, all_ones_above(most(a.high, b.high)), uniform, "(%s | %s)", a.text, b.text) : a;
    case 9: return make(least(a.low / c, a.low), most(a.high / c, a.high), a.uniform, "(%s / %d)", a.text, (int)c);
    case 10: return make(a.low < 0 ? 1 - c : 0, c - 1, a.uniform, "(%s %% %d)", a.text, (int)c);
    case 11:
        return a.low >= 0 ? make(0, a.high << shift, a.uniform, "(%s << %d)", a.text, (int)shift)
                          : make(a.low, most(a.high, 0), a.uniform, "(%s >> %d)", a.text, (int)shift);
    case 12: return make(least(a.low, b.low), least(a.high, b.high), uniform, "min(%s, %s)", a.text, b.text);
    case 13: return make(most(a.low, b.low), most(a.high, b.high), uniform, "max(%s, %s)", a.text, b.text);
    case 14: return make(0, 32, a.uniform, "(int)popcount((uint)%s)", a.text);
    default:
        if (a.low < -(1 << 20) || a.high > 1 << 20)
            return a;
        return make(least(a.low, 0), most(a.high, 0), a.uniform, "(int)((float)%s * 0.75f)", a.text);
    }
}

static struct expr unusual(struct kernel *k, struct expr a, struct expr b, bool uniform)
{
    bool same = a.uniform && b.uniform;
    if (k->data && !uniform && chance(k, 4) == 0) {
        struct expr at = index_into(k, WORDS, false);
        return make(0, 99, false, "rows[%s]", at.text);
    }
    switch (chance(k, 6)) {
    case 0: {
        struct expr c = condition(k, 0, uniform);
        return make(least(a.low, b.low), most(a.high, b.high), same && c.uniform, "(%s ? %s : %s)", c.text, a.text,
                    b.text);
    }
    case 1:
        if (a.low >= -32768 && a.high <= 32767)
            return make(a.low, a.high, a.uniform, "(int)(short)%s", a.text);
        return make(-32768, 32767, a.uniform, "(int)(short)%s", a.text);
    case 2: return make(0, 255, a.uniform, "(int)(uchar)%s", a.text);
    case 3:
        return make(least(least(a.low, b.low), 0), most(most(a.high, b.high), a.high + 3), same, "pick(%s, %s)", a.text,
                    b.text);
    case 4:
        if (a.low < 0 || a.high >= 1 << 16)
            return a;
        return make(0, most(a.high, 1), a.uniform, "root(%s)", a.text);
    default: return make(0, 4, a.uniform, "steps(%s)", a.text);
    }
}

static struct expr expression(struct kernel *k, uint32_t depth, bool uniform)
{
    struct expr a = depth ? expression(k, depth - 1, uniform) : atom(k, uniform);
    if (depth == 0 || chance(k, 5) == 0)
        return a;
    struct expr b = expression(k, chance(k, depth), uniform);
    struct expr e = chance(k, 5) ? binary(k, a, b) : unusual(k, a, b, uniform);
    if (!fits(e.low, e.high) || strlen(e.text) > TEXT / 4)
        return a;
    return e;
}

/* 0 .. words - 1 */
static struct expr index_into(struct kernel *k, int64_t words, bool uniform)
{
    struct expr e = expression(k, 3, uniform);
    int64_t span = e.high - e.low + 1, room = words - span;
    if (room < 0) {
        int64_t power = 1;
        while (power * 2 <= words)
            power *= 2;
        return make(0, power - 1, e.uniform, "((%s) & %d)", e.text, (int)power - 1);
    }
    int64_t shift = -e.low + (room > 0 && chance(k, 2) ? (int64_t)chance(k, (uint32_t)least(room, 1000)) : 0);
    if (shift == 0)
        return e;
    return make(e.low + shift, e.high + shift, e.uniform, "%s + %d", e.text, (int)shift);
}

/* ---- Memory
 * ----------------------------------------------------------------------------------------------------------------- */

/* A value that is loaded; nothing is known of it. */
static struct expr load(struct kernel *k)
{
    struct expr at = index_into(k, WORDS, false), quarter = index_into(k, WORDS / 4, false),
                local = index_into(k, LOCAL_WORDS, false);
    switch (chance(k, 15)) {
    case 0: return make(0, 0, false, "vload4(%s, b).z", quarter.text);
    case 1: return make(0, 0, false, "((global const int4 *)b)[%s].y", quarter.text);
    case 2: return make(0, 0, false, "((global const struct item *)c)[%s].z[1]", quarter.text);
    case 3: return make(0, 0, false, "((global const struct item *)c)[%s].x", quarter.text);
    case 4: return make(0, 0, false, "((global const uchar *)b)[%s]", at.text);
    case 5: return make(0, 0, false, "(int)((global const double *)c)[(%s) >> 1]", at.text);
    case 6:
    case 7: return make(0, 0, false, "t[%s]", local.text);
    case 8: {
        struct expr x = index_into(k, 16, false), y = index_into(k, 17, false);
        return make(0, 0, false, "square[%s][%s]", x.text, y.text);
    }
    case 9: {
        struct expr in_private = index_into(k, 8, false);
        return make(0, 0, false, "own[%s]", in_private.text);
    }
    case 10: {
        struct expr entry = index_into(k, 64, chance(k, 2));
        return make(0, 0, false, "table[%s]", entry.text);
    }
    case 11: {
        struct expr which = condition(k, 1, chance(k, 2));
        return make(0, 0, false, "(%s ? b : c)[%s]", which.text, at.text);
    }
    case 12: return make(0, 0, false, "fetch(b, %s)", at.text);
    default: return make(0, 0, false, "%s[%s]", chance(k, 2) ? "b" : "c", at.text);
    }
}

static void indent(const struct kernel *k) { printf("%*s", (int)(4 * (k->depth + 1)), ""); }

static void access_statement(struct kernel *k)
{
    struct expr at = index_into(k, WORDS, false), local = index_into(k, LOCAL_WORDS, false);
    indent(k);
    switch (chance(k, 11)) {
    case 0: printf("a[%s] = s;\n", at.text); break;
    case 1: printf("vstore2((int2)(s, 1), %s, a);\n", index_into(k, WORDS / 2, false).text); break;
    case 2: printf("t[%s] = s;\n", local.text); break;
    case 3: printf("square[%s][%s] = s;\n", index_into(k, 16, false).text, index_into(k, 17, false).text); break;
    case 4: printf("own[%s] += s;\n", index_into(k, 8, false).text); break;
    case 5: printf("atomic_add(&a[%s], 1);\n", at.text); break;
    case 6:
        printf("((global struct item *)a)[%s].z[%u] = s;\n", index_into(k, WORDS / 4, false).text, chance(k, 2));
        break;
    default: printf("s += %s;\n", load(k).text); break;
    }
}

/* ---- Statements
 * ---------------------------------------------------------------------------------------------------------------- */

static void statements(struct kernel *k, uint32_t count);

/* A block behind a condition: work-items of a group may part here unless it is uniform. */
static void guarded(struct kernel *k, bool uniform, uint32_t count)
{
    bool before = k->uniform;
    uint32_t names = k->name_count;
    k->uniform = before && uniform;
    k->depth++;
    statements(k, count);
    k->depth--;
    k->uniform = before;
    k->name_count = names;
}

static void branch_statement(struct kernel *k)
{
    struct expr c = condition(k, 2, chance(k, 3) == 0);
    indent(k);
    printf("if (%s) {\n", c.text);
    guarded(k, c.uniform, 1 + chance(k, 3));
    if (chance(k, 2)) {
        indent(k);
        printf("} else {\n");
        guarded(k, c.uniform, 1 + chance(k, 2));
    }
    indent(k);
    printf("}\n");
}

static void switch_statement(struct kernel *k)
{
    struct expr e = expression(k, 2, chance(k, 3) == 0);
    bool before = k->in_switch;
    indent(k);
    printf("switch (%s & 3) {\n", e.text);
    k->in_switch = true;
    for (uint32_t i = 0; i < 3; i++) {
        indent(k);
        printf(i == 2 ? "default: {\n" : "case %u: {\n", i * 2);
        guarded(k, e.uniform, 1 + chance(k, 2));
        indent(k);
        printf(chance(k, 3) ? "} break;\n" : "} /* falls through */\n");
    }
    k->in_switch = before;
    indent(k);
    printf("}\n");
}

static void add_name(struct kernel *k, const char *text, int64_t low, int64_t high, bool uniform)
{
    if (k->name_count == MAX_NAMES)
        return;
    struct name *name = &k->names[k->name_count++];
    snprintf(name->text, sizeof name->text, "%s", text);
    name->low = low;
    name->high = high;
    name->uniform = uniform;
}

/* Less than `limit` values: a bound for a loop. */
static struct expr small(struct kernel *k, int64_t limit, bool uniform)
{
    struct expr e = expression(k, 2, uniform);
    if (e.low < 0 || e.high >= limit) {
        int64_t power = 1;
        while (power * 2 <= limit)
            power *= 2;
        return make(0, power - 1, e.uniform, "(%s & %d)", e.text, (int)power - 1);
    }
    return e;
}

static void loop_statement(struct kernel *k)
{
    char v[16];
    int64_t limit = least(24, MAX_TRIPS / k->trips), step = between(k, 1, 3), trips = limit;
    bool wants_uniform = k->uniform && k->barriers && chance(k, 2);
    struct expr from = small(k, 8, wants_uniform || chance(k, 2)), to = small(k, limit, wants_uniform || chance(k, 2));
    bool uniform = from.uniform && to.uniform;
    int64_t low = from.low, high = most(to.high, from.high);
    snprintf(v, sizeof v, "v%u", k->made++);
    indent(k);
    switch (chance(k, 9)) {
    case 0: printf("for (int %s = %s; %s < %s; %s += %d) {\n", v, from.text, v, to.text, v, (int)step); break;
    case 1:
        printf("for (int %s = %s; %s >= %s; %s--) {\n", v, to.text, v, from.text, v);
        high = to.high;
        break;
    case 2:
        printf("for (int %s = 1 + %s; %s < 60; %s *= 2) {\n", v, from.text, v, v);
        low = 1 + from.low;
        high = 60;
        trips = 7;
        uniform = from.uniform;
        break;
    case 3:
        printf("for (uint %s = 4 * %s; %s > 0; %s >>= 1) {\n", v, to.text, v, v);
        low = 0;
        high = 4 * to.high;
        trips = 10;
        uniform = to.uniform;
        break;
    case 4: {
        struct expr c = condition(k, 1, wants_uniform);
        printf("for (int %s = %s; %s < %s && !(%s); %s++) {\n", v, from.text, v, to.text, c.text, v);
        uniform = uniform && c.uniform;
        break;
    }
    case 5: printf("for (uchar %s = %s; %s < %s; %s += %d) {\n", v, from.text, v, to.text, v, (int)step); break;
    case 6: /* counts down past zero */
        printf("for (uint %s = %s; %s-- > 0;) {\n", v, to.text, v);
        low = 0;
        high = to.high;
        uniform = to.uniform;
        break;
    case 7: printf("for (long %s = %s; %s < %s; %s++) {\n", v, from.text, v, to.text, v); break;
    default:
        printf("for (int %s = %s; %s != %s + %s; %s++) {\n", v, from.text, v, from.text, to.text, v);
        high = from.high + to.high;
        break;
    }
    char typed[32];
    snprintf(typed, sizeof typed, "(int)%.8s", v);
    uint32_t names = k->name_count;
    int64_t trips_before = k->trips;
    bool switch_before = k->in_switch;
    if (strlen(typed) < sizeof k->names[0].text)
        add_name(k, typed, low, high, uniform);
    k->trips *= trips;
    k->loops++;
    k->in_switch = false;
    guarded(k, uniform, 1 + chance(k, 3));
    k->in_switch = switch_before;
    k->loops--;
    k->trips = trips_before;
    k->name_count = names;
    indent(k);
    printf("}\n");
}

/* Lanes that leave early make what follows in the loop, and barriers after it in the loop, divergent. */
static void jump_statement(struct kernel *k)
{
    bool uniform = k->barriers;
    struct expr c = condition(k, 1, uniform);
    if (uniform && !c.uniform)
        return;
    indent(k);
    printf("if (%s)\n    ", c.text);
    indent(k);
    printf("%s;\n", k->loops == 0 || (!k->barriers && chance(k, 5) == 0) ? "return"
                    : k->in_switch || chance(k, 2)                       ? "continue"
                                                                         : "break");
}

static void barrier_statement(struct kernel *k)
{
    indent(k);
    printf("barrier(CLK_LOCAL_MEM_FENCE);\n");
}

static void walk_statement(struct kernel *k)
{
    struct expr start = index_into(k, WORDS / 2, false), step = small(k, 64, chance(k, 2)),
                count = small(k, least(12, MAX_TRIPS / k->trips), chance(k, 2));
    uint32_t number = k->made++;
    indent(k);
    printf("for (global const int *p%u = b + %s, *e%u = p%u + %s * 70; p%u < e%u; p%u += %s + 6)\n    ", number,
           start.text, number, number, count.text, number, number, number, step.text);
    indent(k);
    printf("s += p%u[%s];\n", number, index_into(k, 1000, false).text);
}

static void variable_statement(struct kernel *k)
{
    struct expr e = expression(k, 3, chance(k, 3) == 0);
    char v[16];
    snprintf(v, sizeof v, "v%u", k->made++);
    indent(k);
    printf("int %s = %s;\n", v, e.text);
    add_name(k, v, e.low, e.high, e.uniform);
}

static void statements(struct kernel *k, uint32_t count)
{
    for (; count > 0 && k->left > 0; count--) {
        k->left--;
        uint32_t which = chance(k, 24);
        bool deep = k->depth >= 4;
        if (which < 3 && !deep)
            branch_statement(k);
        else if (which < 7 && !deep && k->trips * 8 <= MAX_TRIPS)
            loop_statement(k);
        else if (which == 7 && !deep)
            switch_statement(k);
        else if (which == 8 && k->depth > 0)
            jump_statement(k);
        else if (which == 9 && k->barriers && k->uniform)
            barrier_statement(k);
        else if (which == 10 && k->trips * 4 <= MAX_TRIPS)
            walk_statement(k);
        else if (which < 13)
            variable_statement(k);
        else
            access_statement(k);
    }
}

/* ---- Labels
 * ----------------------------------------------------------------------------------------------------------------------
 */

/* What decides where it goes changes with every label; `fuel` ends each cycle. Labels stand behind declarations, so
 * that no goto passes one. */
static void jump_anywhere(struct kernel *k)
{
    struct expr c = condition(k, 1, chance(k, 4) == 0);
    uint32_t a = chance(k, k->labels), b = chance(k, k->labels);
    indent(k);
    switch (chance(k, 8)) {
    case 0:
    case 1:
    case 2: printf("if (%s) goto L%u;\n", c.text, a); break;
    case 3: printf("if (%s) goto L%u; else goto L%u;\n", c.text, a, b); break;
    case 4:
        printf("switch (st & 7) { case 0: case 3: goto L%u; case 1: goto L%u; case 6: goto L%u; default: break; }\n", a,
               b, chance(k, k->labels));
        break;
    case 5: printf("goto L%u;\n", a); break;
    case 6:
        printf(k->loops ? "if (%s) %s;\n" : "if (%s) return;\n", c.text, chance(k, 2) ? "continue" : "break");
        break;
    default: break; /* goes on to the next */
    }
}

static void label(struct kernel *k, uint32_t number)
{
    uint32_t names = k->name_count;
    printf("L%u:\n", number);
    indent(k);
    printf("if (--fuel < 0) goto done;\n");
    indent(k);
    printf("st = (st * %u + %s + %u) & 63;\n", 1 + 2 * chance(k, 8), expression(k, 1, chance(k, 2)).text,
           chance(k, 64));
    statements(k, 1 + chance(k, 2));
    jump_anywhere(k);
    k->name_count = names;
}

static void labelled_statements(struct kernel *k)
{
    k->labels = (uint32_t)between(k, 2, 12);
    k->left = 3 * k->labels;
    printf("    int fuel = %d, st = %s & 63;\n", (int)between(k, 5, 40), expression(k, 1, false).text);
    add_name(k, "st", 0, 63, false);
    k->trips = MAX_TRIPS / 8;
    for (uint32_t i = 0; i < k->labels; i++) {
        if (k->depth < 3 && chance(k, 4) == 0) {
            struct expr c = condition(k, 1, false);
            indent(k);
            printf("while (%s) {\n", c.text);
            k->depth++;
            k->loops++;
        }
        label(k, i);
        while (k->depth > 0 && (i + 1 == k->labels || chance(k, 3) == 0)) {
            k->depth--;
            k->loops--;
            indent(k);
            printf("}\n");
        }
    }
    printf("done:\n");
}

/* ---- Kernels
 * -------------------------------------------------------------------------------------------------------------------
 */

static void print_kernel(uint64_t seed, bool data, bool flow)
{
    static const int locals[][2] = {{32, 1}, {64, 1}, {48, 1}, {70, 1}, {16, 4},
                                    {8, 8},  {33, 2}, {20, 3}, {96, 1}, {128, 1}};
    struct kernel k = {
        .state = seed * 0x9e3779b97f4a7c15u + 0x1234567, .data = data, .uniform = true, .trips = 1, .left = 32};
    for (int i = 0; i < 8; i++)
        chance(&k, 2);
    const int *local = locals[chance(&k, 10)];
    int groups[2] = {(int)between(&k, 1, 3), (int)between(&k, 1, 2)}, n = (int)between(&k, 0, 40),
        m = (int)between(&k, 1, 20);
    int global[2] = {local[0] * groups[0] - (chance(&k, 3) == 0),
                     local[1] * groups[1] - (local[1] > 1 && chance(&k, 3) == 0)};
    k.barriers = !flow && chance(&k, 2);
    add_name(&k, "n", 0, 40, true);
    add_name(&k, "m", 1, 20, true);
    add_name(&k, "lx", 0, local[0] - 1, false);
    add_name(&k, "ly", 0, local[1] - 1, false);
    add_name(&k, "gx", 0, (int64_t)local[0] * groups[0] - 1, false);
    add_name(&k, "gy", 0, (int64_t)local[1] * groups[1] - 1, false);
    add_name(&k, "wx", 0, groups[0] - 1, true);
    add_name(&k, "wy", 0, groups[1] - 1, true);
    printf("// run k%llu: global=%dx%d local=%dx%d n=%d m=%d rows=mod:100\n", (unsigned long long)seed, global[0],
           global[1], local[0], local[1], n, m);
    printf("kernel void k%llu(global int *a, global const int *b, global const int *c, global const int *rows, int n, "
           "int m)\n{\n",
           (unsigned long long)seed);
    printf("    local int t[%d];\n    local int square[16][17];\n    int own[8] = {n, m};\n", LOCAL_WORDS);
    printf("    int lx = get_local_id(0), ly = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);\n");
    printf("    int wx = get_group_id(0), wy = get_group_id(1), s = gx;\n");
    if (flow)
        labelled_statements(&k);
    while (!flow && k.left > 0)
        statements(&k, k.left);
    printf("    a[gy * 1000 + gx] = s + t[lx] + own[n & 7];\n}\n\n");
}

int main(int argc, char **argv)
{
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1, count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    bool data = argc > 3 && strstr(argv[3], "data"), flow = argc > 3 && strstr(argv[3], "flow");
    printf("struct item { int x; float y; short z[2]; };\n"
           "constant int table[64] = {5, 4, 3, 2, 1};\n"
           "int pick(int x, int y) { return x > y ? y : x & 1 ? x + 3 : x; }\n"
           "int root(int x) { return (int)sqrt((float)x); }\n"
           "int steps(int x) { int n = 0; for (x &= 63; x > 3; x /= 3) n++; return n; }\n"
           "__attribute__((noinline)) int fetch(global const int *p, int i) { return i & 1 ? p[i] : p[i * 2 & 4095]; "
           "}\n\n");
    for (uint64_t seed = first; seed < first + count; seed++)
        print_kernel(seed, data, flow);
    return 0;
}
