/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Symbols, interned, and arithmetic on values.
 *
 * A symbol is an atom (bit 31 clear) or names a linear combination of atoms (bit 31 set), kept sorted by atom and
 * without zero coefficients, so that equal sums are one symbol. What is not linear gives a derived atom, interned by
 * operation and operands.
 */
#include <stdlib.h>
#include <string.h>

#include "model/value/value.h"

#define FORM_BIT UINT32_C(0x80000000)

/* Beyond these the tables grow no more and results are fresh atoms: one warp's execution stays within a few megabytes.
 */
enum { MAX_FORMS = 1 << 17, MAX_DERIVED = 1 << 15, MIN_SLOTS = 64 };

/* A linear combination while it is worked on. */
struct sum {
    uint32_t count;
    struct gp_term terms[2 * GP_MAX_TERMS];
};

static struct gp_value known(uint64_t number) { return (struct gp_value){GP_SYMBOL_KNOWN, number}; }
static struct gp_value unknown(void) { return (struct gp_value){GP_SYMBOL_UNKNOWN, 0}; }
static bool is_known(struct gp_value value) { return value.symbol == GP_SYMBOL_KNOWN; }
static bool is_unknown(struct gp_value value) { return value.symbol == GP_SYMBOL_UNKNOWN; }

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

void gp_symbols_init(struct gp_symbols *symbols, uint32_t fixed, const uint8_t *alignment)
{
    memset(symbols, 0, sizeof *symbols);
    symbols->fixed = fixed;
    symbols->alignment = alignment;
    symbols->next = fixed + 1;
    symbols->compact_at = MAX_FORMS / 4;
}

void gp_symbols_free(struct gp_symbols *symbols)
{
    free(symbols->terms);
    free(symbols->forms);
    free(symbols->form_index);
    free(symbols->derived);
    free(symbols->derived_index);
    free(symbols->names);
    memset(symbols, 0, sizeof *symbols);
}

void gp_symbols_reset(struct gp_symbols *symbols, uint64_t execution)
{
    symbols->execution = execution;
    symbols->next = symbols->fixed + 1;
    if (symbols->form_count)
        memset(symbols->form_index, 0, symbols->form_slots * sizeof *symbols->form_index);
    if (symbols->derived_count)
        memset(symbols->derived_index, 0, symbols->derived_slots * sizeof *symbols->derived_index);
    memset(symbols->combined, 0, sizeof symbols->combined);
    symbols->form_count = symbols->term_count = symbols->derived_count = 0;
    symbols->compact_at = MAX_FORMS / 4;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Makes room for `needed` elements of that size. */
static void reserve(void **data, uint32_t *capacity, uint32_t needed, size_t size)
{
    if (needed <= *capacity)
        return;
    uint32_t wanted = *capacity ? *capacity * 2 : 64;
    *capacity = wanted < needed ? needed : wanted;
    *data = realloc(*data, *capacity * size);
}

/* ---- Names ----------------------------------------------------------------------------------------------------- */

#define LOADED_BIT   UINT32_C(0x80000000) /* depends on what memory holds, or on a number that nobody stated */
#define COMPUTED_BIT UINT32_C(0x40000000) /* of fixed atoms only */

static uint32_t name_from(uint64_t hash, bool loaded)
{
    uint32_t name = (uint32_t)(hash >> 16);
    if (!loaded)
        return COMPUTED_BIT | (name & (COMPUTED_BIT - 1));
    name |= LOADED_BIT;
    return name == GP_SYMBOL_UNKNOWN ? LOADED_BIT : name;
}

bool gp_symbol_name_is_loaded(uint32_t name) { return name != GP_SYMBOL_UNKNOWN && (name & LOADED_BIT) != 0; }

uint32_t gp_symbols_own_name(const struct gp_symbols *symbols)
{
    return name_from(mix(mix(1, symbols->execution), symbols->next), true);
}

uint32_t gp_symbols_loaded_name(const struct gp_symbols *symbols, struct gp_value address, unsigned bits)
{
    uint64_t hash = mix(mix(2, gp_symbols_name(symbols, address.symbol)), address.offset);
    return name_from(mix(hash, bits), true);
}

uint32_t gp_symbols_name(const struct gp_symbols *symbols, uint32_t symbol)
{
    if (symbol <= symbols->fixed || symbol == GP_SYMBOL_UNKNOWN)
        return symbol;
    if (symbol & FORM_BIT)
        return symbols->forms[symbol & ~FORM_BIT].name;
    uint32_t index = symbol - symbols->fixed - 1;
    return index < symbols->name_capacity ? symbols->names[index] : name_from(mix(symbols->execution, symbol), true);
}

uint32_t gp_symbols_fresh(struct gp_symbols *symbols, uint32_t name)
{
    enum { MOST_NAMES = 1 << 20 };
    uint32_t atom = symbols->next++, index = atom - symbols->fixed - 1;
    if (symbols->next >= FORM_BIT) /* after 2^31 loads a number may come twice: they are far apart by then */
        symbols->next = symbols->fixed + 1;
    if (index < MOST_NAMES) {
        reserve((void **)&symbols->names, &symbols->name_capacity, index + 1, sizeof *symbols->names);
        symbols->names[index] = name;
    }
    return atom;
}

static void index_insert(uint32_t *index, uint32_t slots, uint32_t hash, uint32_t entry)
{
    uint32_t slot = hash & (slots - 1);
    while (index[slot])
        slot = (slot + 1) & (slots - 1);
    index[slot] = entry + 1;
}

/* Makes an index at least twice as large as `count`. True: it is another one, and empty. */
static bool grow_index(uint32_t **index, uint32_t *slots, uint32_t count)
{
    if (*slots >= 2 * (count + 1))
        return false;
    *slots = *slots ? *slots * 2 : MIN_SLOTS;
    free(*index);
    *index = calloc(*slots, sizeof **index);
    return true;
}

/* ---- Linear combinations --------------------------------------------------------------------------------------- */

static void sum_of(const struct gp_symbols *s, uint32_t symbol, struct sum *sum)
{
    sum->count = 0;
    if (symbol == GP_SYMBOL_KNOWN)
        return;
    if (!(symbol & FORM_BIT)) {
        sum->terms[sum->count++] = (struct gp_term){symbol, 1};
        return;
    }
    const struct gp_form *form = &s->forms[symbol & ~FORM_BIT];
    sum->count = form->count;
    memcpy(sum->terms, s->terms + form->first, form->count * sizeof *sum->terms);
}

static uint32_t sum_hash(const struct sum *sum)
{
    uint64_t hash = sum->count;
    for (uint32_t i = 0; i < sum->count; i++)
        hash = mix(mix(hash, sum->terms[i].atom), sum->terms[i].coefficient);
    return (uint32_t)(hash >> 32);
}

static bool form_equals(const struct gp_symbols *s, const struct gp_form *form, const struct sum *sum)
{
    const struct gp_term *terms = s->terms + form->first;
    if (form->count != sum->count)
        return false;
    for (uint32_t i = 0; i < sum->count; i++)
        if (terms[i].atom != sum->terms[i].atom || terms[i].coefficient != sum->terms[i].coefficient)
            return false;
    return true;
}

static uint32_t sum_name(const struct gp_symbols *s, const struct sum *sum)
{
    uint64_t hash = 0; /* terms stand in the order of this execution's numbers */
    bool loaded = false;
    for (uint32_t i = 0; i < sum->count; i++) {
        uint32_t name = gp_symbols_name(s, sum->terms[i].atom);
        hash += mix(mix(3, name), sum->terms[i].coefficient);
        loaded |= gp_symbol_name_is_loaded(name);
    }
    return name_from(mix(hash, sum->count), loaded);
}

static uint32_t form_add(struct gp_symbols *s, const struct sum *sum, uint32_t hash)
{
    if (s->form_count >= MAX_FORMS)
        return gp_symbols_fresh(s, gp_symbols_own_name(s));
    if (grow_index(&s->form_index, &s->form_slots, s->form_count))
        for (uint32_t i = 0; i < s->form_count; i++)
            index_insert(s->form_index, s->form_slots, s->forms[i].hash, i);
    reserve((void **)&s->forms, &s->form_capacity, s->form_count + 1, sizeof *s->forms);
    reserve((void **)&s->terms, &s->term_capacity, s->term_count + sum->count, sizeof *s->terms);
    s->forms[s->form_count] = (struct gp_form){s->term_count, sum->count, hash, sum_name(s, sum)};
    memcpy(s->terms + s->term_count, sum->terms, sum->count * sizeof *sum->terms);
    s->term_count += sum->count;
    index_insert(s->form_index, s->form_slots, hash, s->form_count);
    return FORM_BIT | s->form_count++;
}

/* The symbol of a sum; GP_SYMBOL_UNKNOWN when it has too many terms. */
static uint32_t sum_symbol(struct gp_symbols *s, const struct sum *sum)
{
    if (sum->count == 0)
        return GP_SYMBOL_KNOWN;
    if (sum->count == 1 && sum->terms[0].coefficient == 1)
        return sum->terms[0].atom;
    if (sum->count > GP_MAX_TERMS)
        return GP_SYMBOL_UNKNOWN;
    uint32_t hash = sum_hash(sum);
    if (s->form_slots)
        for (uint32_t slot = hash & (s->form_slots - 1); s->form_index[slot]; slot = (slot + 1) & (s->form_slots - 1)) {
            const struct gp_form *form = &s->forms[s->form_index[slot] - 1];
            if (form->hash == hash && form_equals(s, form, sum))
                return FORM_BIT | (s->form_index[slot] - 1);
        }
    return form_add(s, sum, hash);
}

static void push_term(struct sum *sum, uint32_t atom, uint64_t coefficient)
{
    if (coefficient)
        sum->terms[sum->count++] = (struct gp_term){atom, coefficient};
}

/* a + factor * b, both at most GP_MAX_TERMS long. */
static void sum_combine(const struct sum *a, const struct sum *b, uint64_t factor, struct sum *result)
{
    uint32_t i = 0, j = 0;
    result->count = 0;
    while (i < a->count || j < b->count) {
        if (j == b->count || (i < a->count && a->terms[i].atom < b->terms[j].atom)) {
            push_term(result, a->terms[i].atom, a->terms[i].coefficient);
            i++;
        } else if (i == a->count || b->terms[j].atom < a->terms[i].atom) {
            push_term(result, b->terms[j].atom, b->terms[j].coefficient * factor);
            j++;
        } else {
            push_term(result, a->terms[i].atom, a->terms[i].coefficient + b->terms[j].coefficient * factor);
            i++, j++;
        }
    }
}

static struct gp_combined *place_of(struct gp_symbols *s, uint32_t a, uint32_t b, uint64_t factor)
{
    uint64_t hash = (((uint64_t)a << 32 | b) ^ factor * UINT64_C(0xbf58476d1ce4e5b9)) * UINT64_C(0x9e3779b97f4a7c15);
    return &s->combined[(hash >> 32) % GP_COMBINED];
}

/* Symbol of a + factor * b. Symbols must not be unknown; the result may be (too many terms). */
static uint32_t symbol_combine(struct gp_symbols *s, uint32_t a, uint32_t b, uint64_t factor)
{
    if (b == GP_SYMBOL_KNOWN)
        return a;
    if (a == GP_SYMBOL_KNOWN && factor == 1)
        return b;
    struct gp_combined *place = place_of(s, a, b, factor);
    if (place->a == a && place->b == b && place->factor == factor)
        return place->symbol;
    struct sum x, y, z;
    sum_of(s, a, &x);
    sum_of(s, b, &y);
    sum_combine(&x, &y, factor, &z);
    uint32_t symbol = sum_symbol(s, &z);
    if (symbol & FORM_BIT && symbol != GP_SYMBOL_UNKNOWN) /* an atom may be fresh, for lack of memory */
        *place = (struct gp_combined){a, b, factor, symbol};
    return symbol;
}

static unsigned atom_alignment(const struct gp_symbols *s, uint32_t atom)
{
    return atom <= s->fixed ? s->alignment[atom] : 0;
}

unsigned gp_symbols_zero_bits(const struct gp_symbols *s, uint32_t symbol)
{
    if (symbol == GP_SYMBOL_UNKNOWN)
        return 0;
    struct sum sum;
    sum_of(s, symbol, &sum);
    unsigned bits = 64;
    for (uint32_t i = 0; i < sum.count; i++) {
        unsigned zeros = (unsigned)__builtin_ctzll(sum.terms[i].coefficient) + atom_alignment(s, sum.terms[i].atom);
        bits = zeros < bits ? zeros : bits;
    }
    return bits;
}

/* ---- Derived atoms --------------------------------------------------------------------------------------------- */

static uint32_t derived_hash(const struct gp_operation *o, const struct gp_value in[3])
{
    uint64_t hash = gp_operation_word(o);
    for (int i = 0; i < 3; i++)
        hash = mix(mix(hash, in[i].symbol), in[i].offset);
    return (uint32_t)(hash >> 32);
}

static bool derived_equals(const struct gp_derived *d, const struct gp_operation *o, const struct gp_value in[3])
{
    if (d->operation.op != o->op || d->operation.bits != o->bits || d->operation.width != o->width ||
        d->operation.sub != o->sub)
        return false;
    for (int i = 0; i < 3; i++)
        if (d->in[i].symbol != in[i].symbol || d->in[i].offset != in[i].offset)
            return false;
    return true;
}

/* The atom that stands for this operation on these operands. */
static bool is_commutative(enum gp_op op)
{
    return op == GP_OP_AND || op == GP_OP_OR || op == GP_OP_XOR || op == GP_OP_MUL;
}

/* An integer made of a floating-point argument that nobody stated is as little known as one that was loaded. */
static uint32_t derived_name(const struct gp_symbols *s, const struct gp_operation *o, const struct gp_value in[3])
{
    uint64_t operation = mix(4, gp_operation_word(o)), hash = 0;
    bool loaded = o->op == GP_OP_FPTOSI || o->op == GP_OP_FPTOUI;
    for (int i = 0; i < 3; i++) {
        uint32_t name = gp_symbols_name(s, in[i].symbol);
        hash += mix(mix(is_commutative((enum gp_op)o->op) ? operation : operation + (uint64_t)i, name), in[i].offset);
        loaded |= gp_symbol_name_is_loaded(name);
    }
    return name_from(mix(hash, operation), loaded);
}

static uint32_t derived_atom(struct gp_symbols *s, const struct gp_operation *o, const struct gp_value in[3])
{
    uint32_t hash = derived_hash(o, in);
    if (s->derived_slots)
        for (uint32_t slot = hash & (s->derived_slots - 1); s->derived_index[slot];
             slot = (slot + 1) & (s->derived_slots - 1)) {
            const struct gp_derived *d = &s->derived[s->derived_index[slot] - 1];
            if (d->hash == hash && derived_equals(d, o, in))
                return d->atom;
        }
    uint32_t atom = gp_symbols_fresh(s, derived_name(s, o, in));
    if (s->derived_count >= MAX_DERIVED)
        return atom;
    if (grow_index(&s->derived_index, &s->derived_slots, s->derived_count))
        for (uint32_t i = 0; i < s->derived_count; i++)
            index_insert(s->derived_index, s->derived_slots, s->derived[i].hash, i);
    reserve((void **)&s->derived, &s->derived_capacity, s->derived_count + 1, sizeof *s->derived);
    s->derived[s->derived_count] = (struct gp_derived){*o, {in[0], in[1], in[2]}, atom, hash};
    index_insert(s->derived_index, s->derived_slots, hash, s->derived_count++);
    return atom;
}

/* ---- Compaction ------------------------------------------------------------------------------------------------ */

bool gp_symbols_crowded(const struct gp_symbols *s)
{
    return s->form_count >= s->compact_at || s->derived_count >= MAX_DERIVED / 2;
}

uint32_t *gp_symbols_begin_compact(struct gp_symbols *s) { return calloc((size_t)s->form_count + 1, sizeof(uint32_t)); }

void gp_symbols_mark(uint32_t *used, uint32_t symbol)
{
    if ((symbol & FORM_BIT) && symbol != GP_SYMBOL_UNKNOWN)
        used[symbol & ~FORM_BIT] = 1;
}

uint32_t gp_symbols_moved(const uint32_t *used, uint32_t symbol)
{
    return (symbol & FORM_BIT) && symbol != GP_SYMBOL_UNKNOWN ? used[symbol & ~FORM_BIT] : symbol;
}

void gp_symbols_finish_compact(struct gp_symbols *s, uint32_t *used)
{
    uint32_t forms = 0, terms = 0;
    memset(s->combined, 0, sizeof s->combined);
    if (s->derived_count)
        memset(s->derived_index, 0, s->derived_slots * sizeof *s->derived_index);
    s->derived_count = 0; /* derived atoms only lose their memory: the same operation gives another atom from now on */
    if (s->form_count)
        memset(s->form_index, 0, s->form_slots * sizeof *s->form_index);
    for (uint32_t i = 0; i < s->form_count; i++) {
        struct gp_form form = s->forms[i];
        if (!used[i])
            continue;
        memmove(s->terms + terms, s->terms + form.first, form.count * sizeof *s->terms);
        s->forms[forms] = (struct gp_form){terms, form.count, form.hash, form.name};
        index_insert(s->form_index, s->form_slots, form.hash, forms);
        used[i] = FORM_BIT | forms++;
        terms += form.count;
    }
    s->form_count = forms;
    s->term_count = terms;
    s->compact_at = forms < MAX_FORMS / 8 ? MAX_FORMS / 4 : 2 * forms;
}

/* ---- Arithmetic ------------------------------------------------------------------------------------------------ */

/* Known operands count as signed where they meet a symbol, so that idx - 1 is a symbol and offset -1 at any width. */
static uint64_t addend(struct gp_value value, unsigned bits) { return gp_sign_extend(value.offset, bits); }

static struct gp_value make(uint32_t symbol, uint64_t offset, unsigned bits)
{
    if (symbol == GP_SYMBOL_UNKNOWN)
        return unknown();
    return (struct gp_value){symbol,
                             symbol == GP_SYMBOL_KNOWN ? offset & gp_bits_mask(bits) : gp_sign_extend(offset, bits)};
}

static struct gp_value add(struct gp_symbols *s, struct gp_value a, struct gp_value b, uint64_t factor, unsigned bits)
{
    return make(symbol_combine(s, a.symbol, b.symbol, factor), addend(a, bits) + factor * addend(b, bits), bits);
}

/* (A + x)(B + y) = AB + xB + yA + xy; the product AB of two symbols is an atom, whichever stands first. */
static struct gp_value multiply(struct gp_symbols *s, struct gp_value a, struct gp_value b, unsigned bits)
{
    uint64_t x = addend(a, bits), y = addend(b, bits);
    if (is_known(b))
        return make(symbol_combine(s, GP_SYMBOL_KNOWN, a.symbol, y), x * y, bits);
    if (is_known(a))
        return make(symbol_combine(s, GP_SYMBOL_KNOWN, b.symbol, x), x * y, bits);
    struct gp_operation product = {GP_OP_MUL, (uint8_t)bits, 0, 0};
    uint32_t low = a.symbol < b.symbol ? a.symbol : b.symbol, high = a.symbol < b.symbol ? b.symbol : a.symbol;
    struct gp_value key[3] = {{low, 0}, {high, 0}, known(0)};
    uint32_t symbol = symbol_combine(s, derived_atom(s, &product, key), b.symbol, x);
    if (symbol != GP_SYMBOL_UNKNOWN)
        symbol = symbol_combine(s, symbol, a.symbol, y);
    return make(symbol, x * y, bits);
}

/* (S + x) / d, rounded down, where every term of S is a multiple of d. Exact for what is not negative. */
static bool divide(struct gp_symbols *s, struct gp_value a, uint64_t divisor, unsigned bits, struct gp_value *result)
{
    struct sum sum;
    sum_of(s, a.symbol, &sum);
    if (divisor == 0 || divisor > INT64_MAX)
        return false;
    for (uint32_t i = 0; i < sum.count; i++) {
        int64_t coefficient = (int64_t)sum.terms[i].coefficient;
        if (coefficient % (int64_t)divisor)
            return false;
        sum.terms[i].coefficient = (uint64_t)(coefficient / (int64_t)divisor);
    }
    int64_t offset = (int64_t)a.offset, quotient = offset / (int64_t)divisor;
    if (offset % (int64_t)divisor < 0)
        quotient--;
    *result = make(sum_symbol(s, &sum), (uint64_t)quotient, bits);
    return true;
}

/*
 * Bits of two numbers joined: the lower ones of aligned symbols are those of the offsets, as in `((ulong)a | (ulong)b)
 * & 15`; above them is what nobody knows, at multiples of as much, and the same whatever is below.
 */
static struct gp_value join_bits(struct gp_symbols *s, const struct gp_operation *o, const struct gp_value in[3])
{
    unsigned zeros = GP_MOST_JOINED;
    for (int i = 0; i < 2; i++)
        if (!is_known(in[i]) && gp_symbols_zero_bits(s, in[i].symbol) < zeros)
            zeros = gp_symbols_zero_bits(s, in[i].symbol);
    if (zeros == 0 || zeros >= o->bits)
        return (struct gp_value){derived_atom(s, o, in), 0};
    uint64_t below = gp_bits_mask(zeros), x = in[0].offset, y = in[1].offset,
             low = o->op == GP_OP_AND  ? x & y
                   : o->op == GP_OP_OR ? x | y
                                       : x ^ y;
    struct gp_value high[3] = {{in[0].symbol, x & ~below}, {in[1].symbol, y & ~below}, known(0)},
                    above = {derived_atom(s, o, high), 0};
    return make(multiply(s, above, known(UINT64_C(1) << zeros), o->bits).symbol, low & below, o->bits);
}

/* What cannot be said in linear combinations. */
static struct gp_value derive(struct gp_symbols *s, const struct gp_operation *o, const struct gp_value in[3],
                              bool uniform)
{
    unsigned arity = gp_operation_arity(o->op);
    struct gp_value key[3] = {known(0), known(0), known(0)};
    for (unsigned i = 0; i < arity; i++) {
        if (is_unknown(in[i]))
            return unknown();
        key[i] = in[i];
    }
    if (!uniform)
        return unknown();
    return o->op == GP_OP_AND || o->op == GP_OP_OR || o->op == GP_OP_XOR
               ? join_bits(s, o, key)
               : (struct gp_value){derived_atom(s, o, key), 0};
}

/* (S + x) mod d under the same condition; for powers of two what is known of the alignment of S suffices. */
static bool remainder_of(struct gp_symbols *s, struct gp_value a, uint64_t divisor, unsigned bits,
                         struct gp_value *result)
{
    struct gp_value quotient;
    if (divisor == 0 || divisor > INT64_MAX)
        return false;
    bool power_of_two = (divisor & (divisor - 1)) == 0;
    bool aligned = power_of_two && gp_symbols_zero_bits(s, a.symbol) >= (unsigned)__builtin_ctzll(divisor);
    if (!aligned && !divide(s, a, divisor, bits, &quotient))
        return false;
    int64_t rest = (int64_t)a.offset % (int64_t)divisor;
    *result = known((uint64_t)(rest < 0 ? rest + (int64_t)divisor : rest) & gp_bits_mask(bits));
    return true;
}

/* AND, OR, XOR with a number where the symbol's low bits are known to be zero as far as needed. */
static bool logic(struct gp_symbols *s, enum gp_op op, struct gp_value a, uint64_t number, unsigned bits,
                  struct gp_value *result)
{
    unsigned zero_bits = gp_symbols_zero_bits(s, a.symbol);
    uint64_t low = gp_bits_mask(zero_bits < bits ? zero_bits : bits), all = gp_bits_mask(bits);
    number &= all;
    if (op == GP_OP_XOR && number == all) { /* ~a = -a - 1 */
        *result = add(s, known(all), a, UINT64_MAX, bits);
        return true;
    }
    if (op == GP_OP_AND) {
        if ((number & ~low) == 0)
            *result = known(a.offset & number);
        else if ((~number & all & ~low) == 0)
            *result = make(a.symbol, a.offset & (number | ~all), bits);
        else
            return false;
        return true;
    }
    if (number & ~low)
        return false;
    *result = make(a.symbol, op == GP_OP_OR ? a.offset | number : a.offset ^ number, bits);
    return true;
}

/* Results that hold whatever the other operand is. */
static bool absorb(const struct gp_operation *o, struct gp_value a, uint64_t number, struct gp_value *result)
{
    uint64_t all = gp_bits_mask(o->bits);
    number &= all;
    switch (o->op) {
    case GP_OP_AND: *result = number ? a : known(0); return number == 0 || number == all;
    case GP_OP_OR: *result = number ? known(all) : a; return number == 0 || number == all;
    case GP_OP_MUL: *result = number ? a : known(0); return number <= 1;
    default: return false;
    }
}

/* The same symbol on both sides: offsets decide, as if they did not wrap. */
static bool compare(const struct gp_operation *o, struct gp_value a, struct gp_value b, struct gp_value *result)
{
    int64_t difference = (int64_t)(a.offset - b.offset);
    bool truth;
    switch (o->sub) {
    case GP_PRED_EQ: truth = difference == 0; break;
    case GP_PRED_NE: truth = difference != 0; break;
    case GP_PRED_ULT:
    case GP_PRED_SLT: truth = difference < 0; break;
    case GP_PRED_ULE:
    case GP_PRED_SLE: truth = difference <= 0; break;
    case GP_PRED_UGT:
    case GP_PRED_SGT: truth = difference > 0; break;
    case GP_PRED_UGE:
    case GP_PRED_SGE: truth = difference >= 0; break;
    default: return false;
    }
    *result = known(truth);
    return true;
}

struct gp_value gp_value_either(struct gp_symbols *s, struct gp_value condition, struct gp_value a, struct gp_value b,
                                unsigned bits)
{
    if (a.symbol == b.symbol && a.offset == b.offset)
        return a;
    if (is_unknown(condition) || is_unknown(a) || is_unknown(b))
        return unknown();
    struct gp_operation select = {GP_OP_SELECT, (uint8_t)bits, 0, 0};
    struct gp_value key[3] = {condition, {a.symbol, 0}, {b.symbol, addend(b, bits) - addend(a, bits)}};
    return make(derived_atom(s, &select, key), addend(a, bits), bits);
}

static struct gp_value apply_select(struct gp_symbols *s, const struct gp_operation *o, const struct gp_value in[3])
{
    if (is_known(in[0]))
        return in[0].offset & 1 ? in[1] : in[2];
    return gp_value_either(s, in[0], in[1], in[2], o->bits);
}

/* Operations of a symbolic value with a number. False: nothing special about it. */
static bool apply_number(struct gp_symbols *s, const struct gp_operation *o, struct gp_value a, uint64_t number,
                         struct gp_value *result)
{
    number &= gp_bits_mask(o->bits);
    switch (o->op) {
    case GP_OP_SHL:
        if (number >= o->bits)
            return false;
        *result = multiply(s, a, known(UINT64_C(1) << number), o->bits);
        return true;
    case GP_OP_LSHR:
    case GP_OP_ASHR: return number < o->bits && number < 63 && divide(s, a, UINT64_C(1) << number, o->bits, result);
    case GP_OP_UDIV:
    case GP_OP_SDIV: return divide(s, a, gp_sign_extend(number, o->bits), o->bits, result);
    case GP_OP_UREM:
    case GP_OP_SREM: return remainder_of(s, a, gp_sign_extend(number, o->bits), o->bits, result);
    case GP_OP_AND:
    case GP_OP_OR:
    case GP_OP_XOR: return logic(s, o->op, a, number, o->bits, result);
    default: return false;
    }
}

static struct gp_value apply_cast(struct gp_symbols *s, const struct gp_operation *o, const struct gp_value in[3],
                                  bool uniform)
{
    struct gp_value a = in[0];
    bool narrow = o->op == GP_OP_TRUNC && o->bits < 16; /* wraps in practice: hashes, bytes */
    if (!narrow)
        return make(a.symbol, a.offset, o->bits);
    if (!is_unknown(a) && gp_symbols_zero_bits(s, a.symbol) >= o->bits)
        return known(a.offset & gp_bits_mask(o->bits));
    return derive(s, o, in, uniform);
}

/* The smaller or larger of two values that are a known distance apart. */
static bool choose(const struct gp_operation *o, struct gp_value a, struct gp_value b, struct gp_value *result)
{
    uint8_t less = o->op == GP_OP_UMIN || o->op == GP_OP_UMAX ? GP_PRED_ULT : GP_PRED_SLT;
    bool smaller = o->op == GP_OP_UMIN || o->op == GP_OP_SMIN;
    struct gp_operation order = {GP_OP_ICMP, 1, o->bits, less};
    struct gp_value first;
    if ((!smaller && o->op != GP_OP_UMAX && o->op != GP_OP_SMAX) || a.symbol != b.symbol ||
        !compare(&order, a, b, &first))
        return false;
    *result = (first.offset & 1) == smaller ? a : b;
    return true;
}

/* `buffer == NULL`: a launch has a buffer where the kernel takes one. Of the symbols with a number those of buffers and
 * arrays have an alignment, those of scalar arguments none. */
static bool compare_with_null(const struct gp_symbols *s, const struct gp_operation *o, struct gp_value a,
                              struct gp_value b, struct gp_value *result)
{
    bool equality = o->op == GP_OP_ICMP && (o->sub == GP_PRED_EQ || o->sub == GP_PRED_NE);
    if (!equality || !is_known(b) || b.offset != 0 || is_known(a) || is_unknown(a) || a.offset != 0 ||
        a.symbol > s->fixed || atom_alignment(s, a.symbol) == 0)
        return false;
    *result = known(o->sub == GP_PRED_NE);
    return true;
}

/* The buffer or array that an address lies in: its start, once, and no other's, is part of the sum. GP_SYMBOL_UNKNOWN:
 * it is no such address. */
static uint32_t buffer_of(const struct gp_symbols *s, struct gp_value address)
{
    const int64_t largest = INT64_C(1) << 47;
    uint32_t buffer = GP_SYMBOL_UNKNOWN;
    struct sum sum;
    bool atom = address.symbol <= s->fixed, form = (address.symbol & FORM_BIT) && !is_unknown(address);
    if ((!atom && !form) || (int64_t)address.offset >= largest || (int64_t)address.offset <= -largest)
        return GP_SYMBOL_UNKNOWN;
    sum_of(s, address.symbol, &sum);
    for (uint32_t i = 0; i < sum.count; i++) {
        if (atom_alignment(s, sum.terms[i].atom) == 0)
            continue;
        if (buffer != GP_SYMBOL_UNKNOWN || sum.terms[i].coefficient != 1)
            return GP_SYMBOL_UNKNOWN;
        buffer = sum.terms[i].atom;
    }
    return buffer;
}

bool gp_value_compare_places(const struct gp_symbols *s, const struct gp_operation *o, struct gp_value a,
                             struct gp_value b, struct gp_value *result)
{
    if (o->op != GP_OP_ICMP || a.symbol == b.symbol)
        return false;
    uint32_t first = buffer_of(s, a), second = first == GP_SYMBOL_UNKNOWN ? first : buffer_of(s, b);
    if (second == GP_SYMBOL_UNKNOWN || first == second)
        return false;
    return compare(o, (struct gp_value){GP_SYMBOL_KNOWN, first}, (struct gp_value){GP_SYMBOL_KNOWN, second}, result);
}

static struct gp_value apply_binary(struct gp_symbols *s, const struct gp_operation *o, const struct gp_value in[3],
                                    bool uniform)
{
    struct gp_value a = in[0], b = in[1], result;
    if (is_commutative(o->op) && is_known(a)) {
        a = in[1];
        b = in[0];
    }
    if (is_known(b) && absorb(o, a, b.offset, &result))
        return result;
    if (is_unknown(a) || is_unknown(b))
        return unknown();
    if (o->op == GP_OP_ICMP && a.symbol == b.symbol && compare(o, a, b, &result))
        return result;
    if (compare_with_null(s, o, a, b, &result) || choose(o, a, b, &result))
        return result;
    if (is_known(b) && !is_known(a) && apply_number(s, o, a, b.offset, &result) && !is_unknown(result))
        return result;
    result = unknown();
    if (o->op == GP_OP_ADD || o->op == GP_OP_SUB)
        result = add(s, a, b, o->op == GP_OP_ADD ? 1 : UINT64_MAX, o->bits);
    else if (o->op == GP_OP_MUL)
        result = multiply(s, a, b, o->bits);
    return is_unknown(result) ? derive(s, o, in, uniform) : result;
}

static struct gp_value apply_symbols(struct gp_symbols *s, const struct gp_operation *o, const struct gp_value in[3],
                                     bool uniform)
{
    switch (o->op) {
    case GP_OP_SELECT: return apply_select(s, o, in);
    case GP_OP_TRUNC:
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_COPY: return apply_cast(s, o, in, uniform);
    case GP_OP_FADD:
    case GP_OP_FSUB:
    case GP_OP_FMUL:
    case GP_OP_FDIV:
    case GP_OP_FREM:
    case GP_OP_FMIN:
    case GP_OP_FMAX:
    case GP_OP_FCMP: return derive(s, o, in, uniform);
    default: return gp_operation_arity(o->op) == 2 ? apply_binary(s, o, in, uniform) : derive(s, o, in, uniform);
    }
}

/* Operations that may have a result though an operand is unknown. */
static bool may_do_without(enum gp_op op)
{
    return op == GP_OP_SELECT || op == GP_OP_AND || op == GP_OP_OR || op == GP_OP_MUL;
}

struct gp_value gp_value_apply(struct gp_symbols *s, const struct gp_operation *o, const struct gp_value in[3],
                               bool uniform)
{
    unsigned arity = gp_operation_arity(o->op);
    bool numbers = arity > 0;
    uint64_t result;
    for (unsigned i = 0; i < arity; i++) {
        if (is_unknown(in[i]) && !may_do_without(o->op))
            return unknown();
        numbers = numbers && is_known(in[i]);
    }
    if (!numbers)
        return apply_symbols(s, o, in, uniform);
    return gp_compute(o, in[0].offset, in[1].offset, in[2].offset, &result) ? known(result) : derive(s, o, in, uniform);
}
