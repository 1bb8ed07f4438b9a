/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/launch/range.h"

#include "model/value/inst_facts.h"
#include "support/divisor.h"
#include "support/saturate.h"

/*
 * A value is one of low, low + step ... high, in two's complement of 64 bits; step 0: it is low. Bounds stay within
 * 2^40, so that nothing here overflows: what may be larger is not known.
 */
struct range {
    bool known;
    int64_t low, high, step;
};

/* Values that two operations share are looked at twice: so many of them that any address in a source is done, and no
 * more. */
enum { MOST_VALUES = 500, MOST_PHIS = 32 };

/* One look at an address. Phis that choose among values are open while these are looked at; those from `inner` on by
 * the choice at hand (range_of_choice()). */
struct look {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch; /* NULL: none */
    bool places;                    /* ids are those of the launch, not unknown */
    unsigned left;
    uint32_t open[MOST_PHIS];
    unsigned open_count, inner;
    struct {
        uint32_t phi;
        struct range range;
    } counters[MOST_PHIS]; /* known already: an unrolled loop's body has many values made of one */
    unsigned counter_count;
};

static const int64_t largest = INT64_C(1) << 40;

static const struct range unknown = {0};

/* Both at least 0. */
static int64_t common_step(int64_t a, int64_t b)
{
    return (int64_t)gp_greatest_common_divisor((uint64_t)a, (uint64_t)b);
}

static struct range between(int64_t low, int64_t high, int64_t step)
{
    if (low < -largest || high > largest)
        return unknown;
    return (struct range){true, low, high, low == high ? 0 : step};
}

static struct range scaled(struct range a, int64_t by)
{
    if (!a.known || by < 0 || by > largest || (by > 0 && (a.high > largest / by || a.low < -largest / by)))
        return unknown;
    return between(a.low * by, a.high * by, gp_multiply(a.step, by));
}

/* All values of that many bits. */
static struct range any_of_bits(unsigned bits)
{
    return bits > 0 && bits <= 32 ? between(0, (INT64_C(1) << bits) - 1, 1) : unknown;
}

/* All numbers of that many bits, one of which is the sign. */
static struct range any_signed(unsigned bits)
{
    return bits > 0 && bits <= 32 ? between(-(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1, 1) : unknown;
}

/* As a number with a sign. */
static struct range with_sign(struct range a, unsigned bits)
{
    struct range all = any_signed(bits);
    bool fits = a.known && (!all.known || (a.low >= all.low && a.high <= all.high));
    return fits ? a : all;
}

static struct range without_sign(struct range a, unsigned bits)
{
    return a.known && a.low >= 0 ? a : any_of_bits(bits);
}

static bool is_constant(struct range a) { return a.known && a.step == 0; }

/* A sum that wraps at its width is another number, which is known of one number only; one of 64 bits does not, by the
 * bounds above. Of fewer bits a range is of numbers without a sign, or with one, as ids less a border are. */
static struct range if_fits(struct range a, unsigned bits)
{
    int64_t half = bits > 0 && bits < 64 ? INT64_C(1) << (bits - 1) : 0;
    bool narrow = half > 0 && ((a.low >= 0 && a.high < 2 * half) || (a.low >= -half && a.high < half)),
         fits = a.known && (bits >= 64 || narrow);
    int64_t wrapped = bits > 0 && bits < 40 ? a.low & ((INT64_C(1) << bits) - 1) : 0;
    return fits ? a : is_constant(a) && bits > 0 && bits < 40 ? between(wrapped, wrapped, 0) : any_of_bits(bits);
}

static struct range range_of(struct look *look, gp_ref ref);

static struct range masked(struct range a, struct range mask)
{
    if (!is_constant(mask) || mask.low < 0)
        return unknown;
    if (is_constant(a))
        return between(a.low & mask.low, a.low & mask.low, 0);
    if (mask.low == 0)
        return between(0, 0, 0);
    int64_t step = mask.low & -mask.low, high = mask.low; /* zero bits at its end stay zero */
    if (a.known && a.low >= 0 && a.high < high)
        high = a.high;
    return between(0, high, step);
}

/* Of no value: a choice that leads back to itself adds none. */
static const struct range none = {.known = true, .low = 1, .high = 0};
static bool is_none(struct range a) { return a.known && a.low > a.high; }

static struct range hull(struct range a, struct range b)
{
    if (!a.known || !b.known)
        return unknown;
    if (is_none(a) || is_none(b))
        return is_none(a) ? b : a;
    int64_t apart = a.low > b.low ? a.low - b.low : b.low - a.low;
    return between(a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high,
                   common_step(common_step(a.step, b.step), apart));
}

/* What is added as a large number without a sign is taken away. */
static struct range as_taken_away(struct range a, unsigned bits)
{
    bool negative = is_constant(a) && bits > 0 && bits <= 32 && a.low >> (bits - 1) == 1;
    return negative ? between(a.low - (INT64_C(1) << bits), a.low - (INT64_C(1) << bits), 0) : a;
}

static struct range sum(struct range a, struct range b, unsigned bits)
{
    if (!a.known || !b.known)
        return any_of_bits(bits);
    a = as_taken_away(a, bits);
    b = as_taken_away(b, bits);
    return if_fits(between(a.low + b.low, a.high + b.high, common_step(a.step, b.step)), bits);
}

/* Of the others, all that is known is their width: what they are computed from need not be looked at. */
static bool tells_from_operands(enum gp_op op)
{
    switch (op) {
    case GP_OP_ADD:
    case GP_OP_SUB:
    case GP_OP_MUL:
    case GP_OP_SHL:
    case GP_OP_AND:
    case GP_OP_OR:
    case GP_OP_UREM:
    case GP_OP_SREM:
    case GP_OP_UDIV:
    case GP_OP_SDIV:
    case GP_OP_LSHR:
    case GP_OP_ASHR:
    case GP_OP_UMULHI:
    case GP_OP_UMIN:
    case GP_OP_UMAX:
    case GP_OP_SMIN:
    case GP_OP_SMAX:
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_TRUNC:
    case GP_OP_COPY:
    case GP_OP_SELECT: return true;
    default: return false;
    }
}

/* Both at least 0: no more than their sum, as what unrolling adds to a counter whose low bits are 0. */
static struct range either(struct range a, struct range b, unsigned bits)
{
    if (!a.known || !b.known || a.low < 0 || b.low < 0)
        return any_of_bits(bits);
    return if_fits(between(a.low > b.low ? a.low : b.low, a.high + b.high, 1), bits);
}

static struct range larger(struct range a, struct range b)
{
    return a.known && b.known ? between(a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, 1) : unknown;
}

static struct range smaller(struct range a, struct range b)
{
    return a.known && b.known ? between(a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high, 1) : unknown;
}

/* The upper half of a product of numbers of so many bits, `mul_hi(hash, n)`: less than either. */
static struct range upper_half(struct range a, struct range b)
{
    int64_t high = a.known && a.low >= 0 ? a.high : largest;
    if (b.known && b.low >= 0 && b.high < high)
        high = b.high;
    return high < largest ? between(0, high > 0 ? high - 1 : 0, 1) : unknown;
}

/* By the least that it is divided by. */
static struct range quotient(struct range all, struct range by)
{
    return all.known && by.known && by.low > 0 ? between(all.low / by.low, all.high / by.low, 1) : unknown;
}

/* Rounds down. */
static struct range shifted_right(struct range all, struct range by)
{
    return all.known && by.known && by.low >= 0 && by.low < 40 ? between(all.low >> by.low, all.high >> by.low, 1)
                                                               : unknown;
}

static struct range remainder_of(struct range a, struct range by, bool is_signed)
{
    if (!by.known || by.low <= 0)
        return unknown;
    int64_t most = by.high - 1;
    bool positive = a.known && a.low >= 0;
    return between(is_signed && !positive ? -most : 0, positive && a.high < most ? a.high : most, 1);
}

/* What an id can be over the launch. A last group may be smaller than others. */
static struct range range_of_id(const struct gp_launch *launch, uint8_t sub)
{
    uint32_t d = sub & 3;
    if (d >= GP_MAX_DIMS || launch->local[d] == 0 || launch->global[d] == 0 || launch->global[d] > (uint64_t)largest ||
        launch->offset[d] > (uint64_t)largest)
        return unknown;
    int64_t local = launch->local[d], global = (int64_t)launch->global[d], offset = (int64_t)launch->offset[d];
    int64_t groups = (global + local - 1) / local, rest = global % local;
    switch (sub >> 2) {
    case GP_ID_LOCAL: return between(0, local - 1, 1);
    case GP_ID_GROUP: return between(0, groups - 1, 1);
    case GP_ID_GLOBAL: return between(offset, offset + global - 1, 1);
    case GP_ID_LOCAL_SIZE: return between(rest > 0 ? rest : local, local, 1);
    case GP_ID_GLOBAL_SIZE: return between(global, global, 0);
    case GP_ID_GROUP_COUNT: return between(groups, groups, 0);
    case GP_ID_OFFSET: return between(offset, offset, 0);
    default: return unknown;
    }
}

static struct range range_of_inst(struct look *look, const struct gp_inst *inst)
{
    struct range in[3] = {unknown, unknown, unknown};
    for (uint32_t k = 0; k < inst->operand_count && k < 3 && tells_from_operands((enum gp_op)inst->op); k++)
        in[k] = range_of(look, look->kernel->operands[inst->operand + k]);
    struct range a = in[0], b = in[1];
    switch (inst->op) {
    case GP_OP_ADD: return sum(a, b, inst->bits);
    case GP_OP_SUB: return b.known ? sum(a, between(-b.high, -b.low, b.step), inst->bits) : any_of_bits(inst->bits);
    case GP_OP_MUL:
        return if_fits(is_constant(b) ? scaled(a, b.low) : is_constant(a) ? scaled(b, a.low) : unknown, inst->bits);
    case GP_OP_SHL:
        return if_fits(is_constant(b) && b.low >= 0 && b.low < 40 ? scaled(a, INT64_C(1) << b.low) : unknown,
                       inst->bits);
    case GP_OP_AND: {
        struct range by_b = masked(a, b);
        return by_b.known ? by_b : masked(b, a).known ? masked(b, a) : any_of_bits(inst->bits);
    }
    case GP_OP_OR: return either(a, b, inst->bits);
    case GP_OP_SMAX: return larger(with_sign(a, inst->bits), with_sign(b, inst->bits));
    case GP_OP_SMIN: return smaller(with_sign(a, inst->bits), with_sign(b, inst->bits));
    case GP_OP_UMAX: return a.known && b.known && a.low >= 0 && b.low >= 0 ? larger(a, b) : any_of_bits(inst->bits);
    case GP_OP_UREM: {
        struct range rest = remainder_of(a, b, false);
        return rest.known ? rest : any_of_bits(inst->bits);
    }
    case GP_OP_SREM: return remainder_of(with_sign(a, inst->bits), b, true);
    case GP_OP_UDIV: return quotient(without_sign(a, inst->bits), b);
    case GP_OP_LSHR: return shifted_right(without_sign(a, inst->bits), b);
    case GP_OP_SDIV: return quotient(with_sign(a, inst->bits), b);
    case GP_OP_ASHR: return shifted_right(with_sign(a, inst->bits), b);
    case GP_OP_UMULHI: return upper_half(a, b);
    case GP_OP_POPCOUNT:
    case GP_OP_CLZ:
    case GP_OP_CTZ: return between(0, inst->bits, 1);
    case GP_OP_UMIN:
        if (a.known && b.known && a.low >= 0 && b.low >= 0)
            return smaller(a, b);
        return a.known && a.low >= 0   ? between(0, a.high, 1)
               : b.known && b.low >= 0 ? between(0, b.high, 1)
                                       : any_of_bits(inst->bits);
    case GP_OP_ZEXT: return without_sign(a, inst->width);
    case GP_OP_SEXT:
        if (a.known && inst->width > 0 && inst->width <= 64 &&
            (inst->width == 64 ||
             (a.low >= -(INT64_C(1) << (inst->width - 1)) && a.high < INT64_C(1) << (inst->width - 1))))
            return a;
        return any_signed(inst->width);
    case GP_OP_TRUNC: return if_fits(a, inst->bits);
    case GP_OP_COPY: return a;
    case GP_OP_SELECT: return hull(b, in[2]);
    case GP_OP_ID: return look->places ? range_of_id(look->launch, inst->sub) : unknown;
    case GP_OP_LOAD: return inst->bits <= 16 ? any_of_bits(inst->bits) : unknown;
    default: return unknown;
    }
}

/* How often a loop goes round at most, if it is come to; 0: nothing tells. */
static int64_t most_rounds(struct look *look, uint32_t loop)
{
    gp_ref trips = look->kernel->loops[loop].trip_count;
    struct range rounds = gp_ref_kind(trips) == GP_REF_NONE ? unknown : range_of(look, trips);
    return !rounds.known || rounds.high < 0 ? 0 : rounds.high > 0 ? rounds.high : 1;
}

/* A loop's counter: from where it starts, so many steps. */
static struct range range_of_counter(struct look *look, const struct gp_induction *counter)
{
    const struct gp_kernel *kernel = look->kernel;
    const struct gp_inst *phi = &kernel->insts[counter->phi];
    struct range step = range_of(look, counter->step), start = none;
    int64_t rounds = most_rounds(look, counter->loop);
    if (!is_constant(step) || rounds == 0)
        return unknown;
    for (uint32_t k = 0; k + 1 < phi->operand_count; k += 2)
        if (!gp_block_is_within(kernel, gp_ref_index(kernel->operands[phi->operand + k]), counter->loop))
            start = hull(start, range_of(look, kernel->operands[phi->operand + k + 1]));
    int64_t by = step.low >= 0 && phi->bits < 64 && step.low >> (phi->bits - 1) ? step.low - (INT64_C(1) << phi->bits)
                                                                                : step.low;
    struct range steps = scaled(between(0, rounds - 1, 1), by < 0 ? -by : by);
    if (!start.known || !steps.known || is_none(start))
        return unknown;
    return hull(start, by < 0 ? between(start.low - steps.high, start.high, steps.step)
                              : between(start.low, start.high + steps.high, steps.step));
}

static bool is_open(const struct look *look, uint32_t phi, unsigned from)
{
    unsigned k = from;
    while (k < look->open_count && look->open[k] != phi)
        k++;
    return k < look->open_count;
}

/* A counter whose start is made of itself is none. */
static struct range known_counter(struct look *look, const struct gp_induction *counter)
{
    for (unsigned k = 0; k < look->counter_count; k++)
        if (look->counters[k].phi == counter->phi)
            return look->counters[k].range;
    if (is_open(look, counter->phi, 0) || look->open_count == MOST_PHIS)
        return unknown;
    look->open[look->open_count++] = counter->phi;
    struct range range = range_of_counter(look, counter);
    look->open_count--;
    if (range.known && look->counter_count < MOST_PHIS) {
        look->counters[look->counter_count].phi = counter->phi;
        look->counters[look->counter_count++].range = range;
    }
    return range;
}

static struct range chosen(struct look *look, gp_ref ref);

/* What a phi can be: all that flows into it. Through phis and selects, which only choose, it may lead back to itself
 * and is nothing new then. */
static struct range chosen_by_phi(struct look *look, uint32_t index)
{
    const struct gp_inst *phi = &look->kernel->insts[index];
    const struct gp_induction *counter = gp_counter_of(look->kernel, index);
    struct range all = none;
    if (counter != NULL)
        return known_counter(look, counter);
    if (is_open(look, index, look->inner))
        return none;
    if (is_open(look, index, 0) || look->open_count == MOST_PHIS)
        return unknown; /* made of itself by more than choosing */
    look->open[look->open_count++] = index;
    for (uint32_t k = 1; k < phi->operand_count && all.known; k += 2)
        all = hull(all, chosen(look, look->kernel->operands[phi->operand + k]));
    return all;
}

static struct range chosen(struct look *look, gp_ref ref)
{
    const struct gp_inst *inst = gp_ref_kind(ref) == GP_REF_INST ? &look->kernel->insts[gp_ref_index(ref)] : NULL;
    bool chooses = inst != NULL && (inst->op == GP_OP_PHI || inst->op == GP_OP_SELECT || inst->op == GP_OP_COPY);
    if (!chooses)
        return range_of(look, ref);
    if (look->left == 0)
        return unknown;
    look->left--;
    if (inst->op == GP_OP_PHI)
        return chosen_by_phi(look, gp_ref_index(ref));
    struct range first = chosen(look, look->kernel->operands[inst->operand + (inst->op == GP_OP_SELECT)]);
    return inst->op == GP_OP_SELECT ? hull(first, chosen(look, look->kernel->operands[inst->operand + 2])) : first;
}

/* A choice of its own within what may be another one. */
static struct range range_of_choice(struct look *look, gp_ref ref)
{
    unsigned inner = look->inner, open = look->open_count;
    look->inner = open;
    struct range range = chosen(look, ref);
    look->inner = inner;
    look->open_count = open;
    return is_none(range) ? unknown : range;
}

static struct range range_of_argument(const struct look *look, uint32_t index)
{
    const struct gp_param *param = &look->kernel->params[index];
    if (param->kind == GP_PARAM_BUFFER || param->kind == GP_PARAM_LOCAL)
        return between(0, 0, 0);
    const struct gp_argument *argument =
        look->launch != NULL && index < GP_MAX_ARGUMENTS ? &look->launch->arguments[index] : NULL;
    if (param->kind != GP_PARAM_INT || param->bits == 0 || param->bits > 64 || argument == NULL || !argument->known)
        return unknown;
    unsigned unused = 64 - param->bits;
    int64_t value = param->flags & GP_PARAM_SIGNED ? (int64_t)(argument->value << unused) >> unused
                                                   : (int64_t)(argument->value << unused >> unused);
    return between(value, value, 0);
}

static struct range range_of(struct look *look, gp_ref ref)
{
    uint32_t index = gp_ref_index(ref);
    switch (gp_ref_kind(ref)) {
    case GP_REF_CONST:
        return between((int64_t)look->kernel->constants[index], (int64_t)look->kernel->constants[index], 0);
    case GP_REF_LOCAL:
    case GP_REF_GLOBAL:
    case GP_REF_PRIVATE: return between(0, 0, 0);
    case GP_REF_PARAM: return range_of_argument(look, index);
    case GP_REF_INST:
        if (look->left == 0)
            return unknown;
        if (look->kernel->insts[index].op == GP_OP_PHI)
            return range_of_choice(look, ref);
        look->left--;
        return range_of_inst(look, &look->kernel->insts[index]);
    default: return unknown;
    }
}

uint32_t gp_array_bytes(const struct gp_kernel *kernel, gp_ref base)
{
    uint32_t index = gp_ref_index(base);
    switch (gp_ref_kind(base)) {
    case GP_REF_LOCAL: return kernel->locals[index].bytes;
    case GP_REF_GLOBAL: return kernel->globals[index].bytes;
    case GP_REF_PRIVATE: return kernel->privates[index].bytes;
    default: return 0;
    }
}

/* Whatever the index, an access stays within its array, at a multiple of its elements. */
static struct range within_array(struct range r, int64_t most, int64_t element)
{
    if (!r.known)
        return between(0, most / element * element, element);
    if (r.low > most || r.high < 0)
        return r;
    if (r.low < 0)
        r.low += r.step > 0 ? (-r.low + r.step - 1) / r.step * r.step : 0;
    if (r.high > most)
        r.high = r.step > 0 ? r.low + (most - r.low) / r.step * r.step : r.low;
    return r.low <= r.high ? between(r.low, r.high, r.step) : unknown;
}

static struct range range_of_address(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t memory,
                                     bool places)
{
    const struct gp_memory *m = &kernel->memory[memory];
    const struct gp_inst *inst = &kernel->insts[m->inst];
    struct look look = {.kernel = kernel, .launch = launch, .places = places, .left = MOST_VALUES};
    struct range range = inst->operand_count > 0 ? range_of(&look, kernel->operands[inst->operand]) : unknown;
    int64_t size = gp_array_bytes(kernel, m->base), width = (int64_t)m->element_bytes * m->vector;
    return size > 0 && width > 0 && size >= width ? within_array(range, size - width, m->element_bytes) : range;
}

uint64_t gp_range_addresses(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t memory)
{
    struct range range = range_of_address(kernel, launch, memory, false);
    if (!range.known)
        return 0;
    return range.step == 0 ? 1 : (uint64_t)((range.high - range.low) / range.step) + 1;
}

bool gp_range_bytes(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t memory, int64_t *low,
                    int64_t *high)
{
    struct range range = range_of_address(kernel, launch, memory, false);
    *low = range.low;
    *high = range.high;
    return range.known;
}

/* Copies of whole stretches, and functions that are not followed, may read more than their operands tell. */
static bool reads_stretches(const struct gp_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        if (kernel->insts[i].op == GP_OP_BULK_COPY || kernel->insts[i].op == GP_OP_CALL)
            return true;
    return false;
}

bool gp_range_read(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param, int64_t *from,
                   int64_t *to)
{
    struct range all = none;
    if (reads_stretches(kernel))
        return false;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        bool here = gp_ref_kind(memory->base) == GP_REF_PARAM && gp_ref_index(memory->base) == param,
             unknown_base = gp_ref_kind(memory->base) == GP_REF_NONE;
        if ((memory->flags & GP_MEMORY_STORE) != 0 || !(here || unknown_base))
            continue;
        struct range address = here ? range_of_address(kernel, launch, m, true) : unknown;
        if (!address.known)
            return false;
        all = hull(all, between(address.low, address.high + (int64_t)memory->element_bytes * memory->vector, 1));
    }
    *from = is_none(all) ? 0 : all.low;
    *to = is_none(all) ? 0 : all.high;
    return all.known;
}

bool gp_range_of(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref value, struct gp_range *range)
{
    struct look look = {.kernel = kernel, .launch = launch, .left = MOST_VALUES};
    struct range found = range_of(&look, value);
    *range = (struct gp_range){found.low, found.high, found.step};
    return found.known;
}

uint64_t gp_range_arguments(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        if (kernel->params[i].kind == GP_PARAM_INT && launch->arguments[i].known)
            hash = (hash ^ (launch->arguments[i].value + i + 1)) * 0x9e3779b97f4a7c15u;
    return hash;
}
