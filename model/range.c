#include "model/range.h"

#include "support/divisor.h"

/*
 * A value is one of low, low + step ... high, in two's complement of 64 bits; step 0: it is low. Bounds stay within 2^40, so that
 * nothing here overflows: what may be larger is not known.
 */
struct range { bool known; int64_t low, high, step; };

/* Values that two operations share are looked at twice: so many of them that any address in a source is done, and no more. */
enum { MOST_VALUES = 500 };
static const int64_t largest = INT64_C(1) << 40;

static const struct range unknown = {0};

/* Both at least 0. */
static int64_t common_step(int64_t a, int64_t b) { return (int64_t)gp_greatest_common_divisor((uint64_t)a, (uint64_t)b); }

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
    return between(a.low * by, a.high * by, a.step * by);
}

/* All values of that many bits. */
static struct range any_of_bits(unsigned bits)
{
    return bits > 0 && bits <= 32 ? between(0, (INT64_C(1) << bits) - 1, 1) : unknown;
}

static bool is_constant(struct range a) { return a.known && a.step == 0; }

/* A sum that wraps at its width is another number; one of 64 bits does not, by the bounds above. */
static struct range if_fits(struct range a, unsigned bits)
{
    bool fits = a.known && (bits >= 64 || (bits > 0 && bits < 64 && a.low >= 0 && a.high < INT64_C(1) << bits));
    return fits ? a : any_of_bits(bits);
}

static struct range range_of(const struct gp_kernel *kernel, gp_ref ref, unsigned *left);

static struct range masked(struct range a, struct range mask)
{
    if (!is_constant(mask) || mask.low < 0)
        return unknown;
    if (mask.low == 0)
        return between(0, 0, 0);
    int64_t step = mask.low & -mask.low, high = mask.low; /* zero bits at its end stay zero */
    if (a.known && a.low >= 0 && a.high < high)
        high = a.high;
    return between(0, high, step);
}

static struct range hull(struct range a, struct range b)
{
    if (!a.known || !b.known)
        return unknown;
    int64_t apart = a.low > b.low ? a.low - b.low : b.low - a.low;
    return between(a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, common_step(common_step(a.step, b.step), apart));
}

static struct range sum(struct range a, struct range b, unsigned bits)
{
    if (!a.known || !b.known)
        return any_of_bits(bits);
    return if_fits(between(a.low + b.low, a.high + b.high, common_step(a.step, b.step)), bits);
}

/* Of the others, all that is known is their width: what they are computed from need not be looked at. */
static bool tells_from_operands(enum gp_op op)
{
    switch (op) {
    case GP_OP_ADD: case GP_OP_SUB: case GP_OP_MUL: case GP_OP_SHL: case GP_OP_AND: case GP_OP_UREM: case GP_OP_SREM: case GP_OP_UDIV: case GP_OP_LSHR:
    case GP_OP_UMIN: case GP_OP_ZEXT: case GP_OP_SEXT: case GP_OP_TRUNC: case GP_OP_COPY: case GP_OP_SELECT:
        return true;
    default:
        return false;
    }
}

static struct range range_of_inst(const struct gp_kernel *kernel, const struct gp_inst *inst, unsigned *left)
{
    struct range in[3] = {unknown, unknown, unknown};
    for (uint32_t k = 0; k < inst->operand_count && k < 3 && tells_from_operands((enum gp_op)inst->op); k++)
        in[k] = range_of(kernel, kernel->operands[inst->operand + k], left);
    struct range a = in[0], b = in[1];
    switch (inst->op) {
    case GP_OP_ADD: return sum(a, b, inst->bits);
    case GP_OP_SUB: return b.known ? sum(a, between(-b.high, -b.low, b.step), inst->bits) : any_of_bits(inst->bits);
    case GP_OP_MUL: return if_fits(is_constant(b) ? scaled(a, b.low) : is_constant(a) ? scaled(b, a.low) : unknown, inst->bits);
    case GP_OP_SHL: return if_fits(is_constant(b) && b.low >= 0 && b.low < 40 ? scaled(a, INT64_C(1) << b.low) : unknown, inst->bits);
    case GP_OP_AND: {
        struct range by_b = masked(a, b);
        return by_b.known ? by_b : masked(b, a).known ? masked(b, a) : any_of_bits(inst->bits);
    }
    case GP_OP_UREM:
        return is_constant(b) && b.low > 0 ? between(0, b.low - 1, 1) : any_of_bits(inst->bits);
    case GP_OP_SREM:
        return is_constant(b) && b.low > 0 ? between(1 - b.low, b.low - 1, 1) : unknown;
    case GP_OP_UDIV:
    case GP_OP_LSHR: {
        int64_t by = !is_constant(b) || b.low < 0 ? 0 : inst->op == GP_OP_UDIV ? b.low : b.low < 40 ? INT64_C(1) << b.low : 0;
        struct range all = a.known && a.low >= 0 ? a : any_of_bits(inst->bits);
        return by > 0 && all.known ? between(all.low / by, all.high / by, 1) : unknown;
    }
    case GP_OP_UMIN:
        if (a.known && b.known && a.low >= 0 && b.low >= 0)
            return between(a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high, 1);
        return a.known && a.low >= 0 ? between(0, a.high, 1) : b.known && b.low >= 0 ? between(0, b.high, 1) : any_of_bits(inst->bits);
    case GP_OP_ZEXT:
        return a.known && a.low >= 0 ? a : any_of_bits(inst->width);
    case GP_OP_SEXT:
        if (a.known && inst->width > 0 && inst->width <= 64 &&
            (inst->width == 64 || (a.low >= -(INT64_C(1) << (inst->width - 1)) && a.high < INT64_C(1) << (inst->width - 1))))
            return a;
        return inst->width > 0 && inst->width <= 32 ? between(-(INT64_C(1) << (inst->width - 1)), (INT64_C(1) << (inst->width - 1)) - 1, 1) : unknown;
    case GP_OP_TRUNC: return if_fits(a, inst->bits);
    case GP_OP_COPY: return a;
    case GP_OP_SELECT: return hull(b, in[2]);
    case GP_OP_LOAD: return inst->bits <= 16 ? any_of_bits(inst->bits) : unknown;
    default: return unknown;
    }
}

static struct range range_of(const struct gp_kernel *kernel, gp_ref ref, unsigned *left)
{
    uint32_t index = gp_ref_index(ref);
    switch (gp_ref_kind(ref)) {
    case GP_REF_CONST: return between((int64_t)kernel->constants[index], (int64_t)kernel->constants[index], 0);
    case GP_REF_LOCAL:
    case GP_REF_GLOBAL:
    case GP_REF_PRIVATE: return between(0, 0, 0);
    case GP_REF_PARAM:
        if (kernel->params[index].kind == GP_PARAM_BUFFER || kernel->params[index].kind == GP_PARAM_LOCAL)
            return between(0, 0, 0);
        return unknown;
    case GP_REF_INST:
        if (*left == 0)
            return unknown;
        --*left;
        return range_of_inst(kernel, &kernel->insts[index], left);
    default: return unknown;
    }
}

/* Bytes of the array that an access is based on; 0: it is none, or its size is that of the launch. */
static uint32_t array_bytes(const struct gp_kernel *kernel, gp_ref base)
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

static struct range range_of_address(const struct gp_kernel *kernel, uint32_t memory)
{
    const struct gp_memory *m = &kernel->memory[memory];
    const struct gp_inst *inst = &kernel->insts[m->inst];
    unsigned left = MOST_VALUES;
    struct range range = inst->operand_count > 0 ? range_of(kernel, kernel->operands[inst->operand], &left) : unknown;
    int64_t size = array_bytes(kernel, m->base), width = (int64_t)m->element_bytes * m->vector;
    return size > 0 && width > 0 && size >= width ? within_array(range, size - width, m->element_bytes) : range;
}

uint64_t gp_range_addresses(const struct gp_kernel *kernel, uint32_t memory)
{
    struct range range = range_of_address(kernel, memory);
    if (!range.known)
        return 0;
    return range.step == 0 ? 1 : (uint64_t)((range.high - range.low) / range.step) + 1;
}

bool gp_range_bytes(const struct gp_kernel *kernel, uint32_t memory, int64_t *low, int64_t *high)
{
    struct range range = range_of_address(kernel, memory);
    *low = range.low;
    *high = range.high;
    return range.known;
}
