/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The executor's value domain. A value is, per lane,
 *
 *   known            symbol GP_SYMBOL_KNOWN, the number in `offset`
 *   symbol + offset  a number that nobody knows, but that is the same wherever the same symbol stands
 *   unknown          symbol GP_SYMBOL_UNKNOWN: may differ from lane to lane
 *
 * Symbols are atoms (a buffer's start, an argument nobody set, what a uniform load returned) or linear combinations of
 * atoms, so that (base + 4 * s) computed twice is one symbol and differences cancel. Both are interned: equal means
 * identical. Arithmetic on symbols assumes that it does not wrap.
 */
#ifndef GPUPERF_MODEL_VALUE_H
#define GPUPERF_MODEL_VALUE_H

#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Symbols in gp_access. 0: the address is a plain number. */
#define GP_SYMBOL_KNOWN   0u
#define GP_SYMBOL_UNKNOWN UINT32_MAX

/*
 * The symbol of what a reference names, the same in every execution: a parameter, or an array's start. Symbols of
 * parameters come first, in order, then those of local, global and private arrays; what execution makes up is numbered
 * behind them. A sum such as buffer + 4 * (what was loaded) is another symbol: gp_memory.base says which buffer it
 * points into.
 */
static inline uint32_t gp_symbol_of(const struct gp_kernel *kernel, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref), first = 1;
    switch (gp_ref_kind(ref)) {
    case GP_REF_PARAM: return first + index;
    case GP_REF_LOCAL: return first + kernel->param_count + index;
    case GP_REF_GLOBAL: return first + kernel->param_count + kernel->local_count + index;
    case GP_REF_PRIVATE: return first + kernel->param_count + kernel->local_count + kernel->global_count + index;
    default: return GP_SYMBOL_UNKNOWN;
    }
}

struct gp_value {
    uint32_t symbol;
    uint64_t offset; /* known: masked to its bits. symbolic: sign-extended from its bits */
};

/* What an operation needs to know beside its operands: the fields of the same names of struct gp_inst. */
struct gp_operation {
    uint8_t op, bits, width, sub;
};

/* All of it in one number. */
static inline uint32_t gp_operation_word(const struct gp_operation *o)
{
    return (uint32_t)o->op << 24 | (uint32_t)o->bits << 16 | (uint32_t)o->width << 8 | o->sub;
}

/* Low `bits` bits; bits beyond 63 mean all. */
static inline uint64_t gp_bits_mask(unsigned bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }

/* The number sign-extended from its low `bits` bits. */
static inline uint64_t gp_sign_extend(uint64_t value, unsigned bits)
{
    if (bits == 0 || bits >= 64)
        return value;
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return ((value & gp_bits_mask(bits)) ^ sign) - sign;
}

/* Operands that gp_compute() and gp_value_apply() take for the operation; 0: it is not a pure operation. */
extern const uint8_t gp_operation_arities[GP_OP_COUNT];
static inline unsigned gp_operation_arity(enum gp_op op)
{
    return (unsigned)op < GP_OP_COUNT ? gp_operation_arities[op] : 0;
}

/* Floating-point arithmetic: takes and gives floating-point numbers of one width. Conversions and comparisons are none.
 */
bool gp_operation_is_float(enum gp_op op);

/* One pure operation on numbers. False: no result (division by zero, over-long shift, conversion out of range). */
bool gp_compute(const struct gp_operation *operation, uint64_t a, uint64_t b, uint64_t c, uint64_t *result);

/* ---- Symbols --------------------------------------------------------------------------------------------------- */

enum { GP_MAX_TERMS = 8 }; /* atoms in one linear combination; a longer one becomes an atom of its own */

struct gp_term {
    uint32_t atom;
    uint64_t coefficient;
};

struct gp_form { /* a linear combination: terms[first .. first + count), by atom */
    uint32_t first, count, hash, name;
};

struct gp_derived { /* an atom that stands for an operation on symbols */
    struct gp_operation operation;
    struct gp_value in[3];
    uint32_t atom, hash;
};

enum { GP_COMBINED = 64 };

struct gp_combined { /* a + factor * b is a linear combination; b is GP_SYMBOL_KNOWN where there is none */
    uint32_t a, b;
    uint64_t factor;
    uint32_t symbol;
};

struct gp_symbols {
    uint32_t fixed;           /* atoms 1..fixed exist from the start */
    const uint8_t *alignment; /* [fixed + 1] log2 of what atom i is known to be a multiple of */
    uint32_t next;            /* next fresh atom */
    uint64_t execution;       /* the one at hand */
    uint32_t *names;
    uint32_t name_capacity; /* of fresh atoms, from fixed + 1 on */
    struct gp_term *terms;
    uint32_t term_count, term_capacity;
    struct gp_form *forms;
    uint32_t form_count, form_capacity;
    uint32_t *form_index;
    uint32_t form_slots; /* hash tables: index + 1, 0 is empty; sizes are powers of two */
    struct gp_derived *derived;
    uint32_t derived_count, derived_capacity;
    uint32_t *derived_index;
    uint32_t derived_slots;
    struct gp_combined
        combined[GP_COMBINED]; /* lately: lanes, and iterations, add and scale the same symbols again and again */
    uint32_t compact_at;       /* so many forms: time to forget those that nobody holds */
};

/* `alignment` stays the caller's. Tables grow when needed. */
void gp_symbols_init(struct gp_symbols *symbols, uint32_t fixed, const uint8_t *alignment);
void gp_symbols_free(struct gp_symbols *symbols);
/* Forgets everything but the fixed atoms. execution: a number that tells the one to come from others. */
void gp_symbols_reset(struct gp_symbols *symbols, uint64_t execution);
/*
 * Forgets what nobody holds, for long executions: gp_symbols_crowded() says when; mark every symbol that is still held
 * in `used`, finish, and replace each held symbol by what gp_symbols_moved() says.
 */
bool gp_symbols_crowded(const struct gp_symbols *symbols);
uint32_t *gp_symbols_begin_compact(struct gp_symbols *symbols);
void gp_symbols_mark(uint32_t *used, uint32_t symbol);
void gp_symbols_finish_compact(struct gp_symbols *symbols, uint32_t *used);
uint32_t gp_symbols_moved(const uint32_t *used, uint32_t symbol);
/* An atom that equals no other, under a name that another execution may give to the same thing. */
uint32_t gp_symbols_fresh(struct gp_symbols *symbols, uint32_t name);

/*
 * Symbols are numbered anew by each execution; their names are not: two executions have the same name for the same
 * thing. Fixed atoms and GP_SYMBOL_KNOWN, GP_SYMBOL_UNKNOWN are their own names.
 */
uint32_t gp_symbols_name(const struct gp_symbols *symbols, uint32_t symbol);
bool gp_symbol_name_is_loaded(
    uint32_t name); /* what it names depends on what memory holds, or on what else is not known before */
/* A name for what is of this execution only. */
uint32_t gp_symbols_own_name(const struct gp_symbols *symbols);
/* For a number of so many bits that was loaded from an address that is known. */
uint32_t gp_symbols_loaded_name(const struct gp_symbols *symbols, struct gp_value address, unsigned bits);
/* Whether it is an atom that appeared during execution: loaded, or derived by an operation that is not linear. */
static inline bool gp_symbol_is_fresh(const struct gp_symbols *symbols, uint32_t symbol)
{
    return symbol > symbols->fixed && symbol < UINT32_C(0x80000000);
}
/* The symbol is known to be a multiple of 2 to that (64 for the known 0, 0 for an unknown). */
unsigned gp_symbols_zero_bits(const struct gp_symbols *symbols, uint32_t symbol);

enum {
    GP_MOST_JOINED = 16
}; /* AND, OR and XOR know so many low bits of what is aligned at most; which symbol is above them does not depend on
      these */

/*
 * One pure operation on one lane's values. `uniform`: the operands are the same in all lanes, or in many, so that a
 * result which cannot be known is still a symbol; otherwise it is unknown.
 */
struct gp_value gp_value_apply(struct gp_symbols *symbols, const struct gp_operation *operation,
                               const struct gp_value in[3], bool uniform);

/*
 * A comparison of addresses in two buffers or arrays: those of a launch do not overlap, and lie in the order of their
 * symbols. False: they are no such addresses. gp_value_apply() leaves it open, as a kernel may take both ends of one
 * buffer.
 */
bool gp_value_compare_places(const struct gp_symbols *symbols, const struct gp_operation *operation, struct gp_value a,
                             struct gp_value b, struct gp_value *result);

/* The value that is either a or b, decided by something that is the same for all lanes and known as `condition` only.
 */
struct gp_value gp_value_either(struct gp_symbols *symbols, struct gp_value condition, struct gp_value a,
                                struct gp_value b, unsigned bits);

#ifdef __cplusplus
}
#endif
#endif
