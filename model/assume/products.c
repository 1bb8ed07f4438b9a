/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/products.h"

#include <string.h>

#include "model/value/id_sources.h"
#include "model/value/operand_walk.h"
#include "model/value/refs.h"

enum { MOST_SHIFTED = 62 };

struct walk {
    const struct gp_kernel *kernel;
    bool starts;
    unsigned left;
};

bool gp_have_same_parameters(const struct gp_product *a, const struct gp_product *b)
{
    return a->param_count == b->param_count && memcmp(a->params, b->params, a->param_count * sizeof *a->params) == 0;
}

/* Products that differ in their scale only are one. */
static bool are_alike(const struct gp_product *a, const struct gp_product *b)
{
    return a->leaf == b->leaf && gp_have_same_parameters(a, b);
}

static void add_product(struct gp_products *products, const struct gp_product *added)
{
    uint32_t at = 0;
    while (at < products->count && !are_alike(&products->product[at], added))
        at++;
    if (at == GP_MOST_PRODUCTS) {
        products->whole = false;
        return;
    }
    if (at == products->count) {
        products->product[products->count++] = *added;
        return;
    }
    products->whole &= !__builtin_add_overflow(products->product[at].scale, added->scale, &products->product[at].scale);
    if (products->product[at].scale == 0)
        products->product[at] = products->product[--products->count];
}

static void add_scaled(struct gp_products *sum, const struct gp_products *other, int64_t by)
{
    sum->whole &= other->whole;
    for (uint32_t i = 0; i < other->count; i++) {
        struct gp_product product = other->product[i];
        sum->whole &= !__builtin_mul_overflow(product.scale, by, &product.scale);
        if (product.scale != 0)
            add_product(sum, &product);
    }
}

static struct gp_products one_product(int64_t scale, gp_ref leaf)
{
    struct gp_products products = {.whole = true, .count = scale != 0};
    products.product[0] = (struct gp_product){.scale = scale, .leaf = leaf};
    return products;
}

static struct gp_products one_parameter(uint32_t param)
{
    struct gp_products products = one_product(1, GP_REF_NONE);
    products.product[0].params[products.product[0].param_count++] = param;
    return products;
}

/* False: two things that are no parameters, or too many that are. */
static bool multiply(const struct gp_product *a, const struct gp_product *b, struct gp_product *product)
{
    *product = *a;
    if ((a->leaf != GP_REF_NONE && b->leaf != GP_REF_NONE) || a->param_count + b->param_count > GP_MOST_FACTORS ||
        __builtin_mul_overflow(a->scale, b->scale, &product->scale))
        return false;
    product->leaf = a->leaf != GP_REF_NONE ? a->leaf : b->leaf;
    for (uint32_t i = 0; i < b->param_count; i++) {
        uint32_t at = product->param_count++;
        for (; at > 0 && product->params[at - 1] > b->params[i]; at--)
            product->params[at] = product->params[at - 1];
        product->params[at] = b->params[i];
    }
    return true;
}

/* Each product of one with each of the other. A product that cannot be taken apart is something of its own. */
static struct gp_products product_of(const struct gp_products *a, const struct gp_products *b, gp_ref itself)
{
    struct gp_products sum = {.whole = a->whole && b->whole};
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            struct gp_product product;
            if (!multiply(&a->product[i], &b->product[k], &product))
                return one_product(1, itself);
            add_product(&sum, &product);
        }
    return sum.whole ? sum : one_product(1, itself);
}

static struct gp_products of_ref(struct walk *walk, gp_ref ref, unsigned bits);

/* x << 3 is 8 * x. */
static struct gp_products shifted(struct walk *walk, const struct gp_inst *inst, gp_ref itself)
{
    gp_ref by = gp_operand_of(walk->kernel, inst, 1);
    int64_t count = gp_signed_constant(walk->kernel, by, inst->bits);
    if (gp_ref_kind(by) != GP_REF_CONST || count < 0 || count > MOST_SHIFTED)
        return one_product(1, itself);
    struct gp_products products = of_ref(walk, gp_operand_of(walk->kernel, inst, 0), inst->bits), sum = {.whole = true};
    add_scaled(&sum, &products, INT64_C(1) << count);
    return sum;
}

/* What was shifted to the left before: an int of 64-bit ids is `ashr (shl id, 32), 32`. */
static struct gp_products shifted_back(struct walk *walk, const struct gp_inst *inst, gp_ref itself)
{
    gp_ref by = gp_operand_of(walk->kernel, inst, 1);
    int64_t count = gp_signed_constant(walk->kernel, by, inst->bits);
    if (gp_ref_kind(by) != GP_REF_CONST || count < 0 || count > MOST_SHIFTED)
        return one_product(1, itself);
    struct gp_products products = of_ref(walk, gp_operand_of(walk->kernel, inst, 0), inst->bits);
    for (uint32_t i = 0; i < products.count; i++) {
        if (products.product[i].scale % (INT64_C(1) << count) != 0)
            return one_product(1, itself);
        products.product[i].scale /= INT64_C(1) << count;
    }
    return products.whole ? products : one_product(1, itself);
}

/* What a counter starts with, or one of the values that ways join: a loop's own blocks stand behind what leads to it.
 */
static gp_ref start_of(const struct gp_kernel *kernel, const struct gp_inst *phi)
{
    uint32_t first = 0;
    for (uint32_t i = 2; i + 1 < phi->operand_count; i += 2)
        if (gp_ref_index(gp_operand_of(kernel, phi, i)) < gp_ref_index(gp_operand_of(kernel, phi, first)))
            first = i;
    return gp_operand_of(kernel, phi, first + 1);
}

/* ~x is -x - 1, which compilers make of sums. */
static struct gp_products inverted(struct walk *walk, const struct gp_inst *inst)
{
    struct gp_products a = of_ref(walk, gp_operand_of(walk->kernel, inst, 0), inst->bits),
                       sum = one_product(-1, GP_REF_NONE);
    add_scaled(&sum, &a, -1);
    return sum;
}

/* Whether a value's bits lie above those of a local id, of which compilers know that it is less than 1024. */
static bool is_above_local_id(const struct gp_kernel *kernel, gp_ref ref, gp_ref other)
{
    const struct gp_inst *id = gp_inst_of(kernel, gp_behind_casts(kernel, other)),
                         *above = gp_inst_of(kernel, gp_behind_casts(kernel, ref));
    return id != NULL && id->op == GP_OP_ID && id->sub >> 2 == GP_ID_LOCAL && above != NULL && above->op == GP_OP_SHL &&
           gp_signed_constant(kernel, gp_operand_of(kernel, above, 1), above->bits) >= 10;
}

/* `or` is what compilers make of a sum whose bits do not meet: with a constant, or of a local id. */
static bool is_joined(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    if (inst->op != GP_OP_OR)
        return false;
    gp_ref first = gp_operand_of(kernel, inst, 0), second = gp_operand_of(kernel, inst, 1);
    return gp_ref_kind(second) == GP_REF_CONST || is_above_local_id(kernel, first, second) ||
           is_above_local_id(kernel, second, first);
}

static struct gp_products result_of(struct walk *walk, const struct gp_inst *inst, gp_ref itself)
{
    gp_ref second = inst->operand_count > 1 ? gp_operand_of(walk->kernel, inst, 1) : GP_REF_NONE;
    if (inst->op == GP_OP_XOR && gp_signed_constant(walk->kernel, second, inst->bits) == -1)
        return inverted(walk, inst);
    if (inst->op == GP_OP_PHI && walk->starts)
        return of_ref(walk, start_of(walk->kernel, inst), inst->bits);
    if (inst->op == GP_OP_SHL)
        return shifted(walk, inst, itself);
    if (inst->op == GP_OP_ASHR || inst->op == GP_OP_LSHR)
        return shifted_back(walk, inst, itself);
    if (inst->op != GP_OP_ADD && inst->op != GP_OP_SUB && inst->op != GP_OP_MUL && !is_joined(walk->kernel, inst))
        return one_product(1, itself);
    struct gp_products a = of_ref(walk, gp_operand_of(walk->kernel, inst, 0), inst->bits),
                       b = of_ref(walk, gp_operand_of(walk->kernel, inst, 1), inst->bits);
    if (inst->op == GP_OP_MUL)
        return product_of(&a, &b, itself);
    add_scaled(&a, &b, inst->op == GP_OP_SUB ? -1 : 1);
    return a;
}

static struct gp_products of_ref(struct walk *walk, gp_ref ref, unsigned bits)
{
    gp_ref behind = gp_behind_casts(walk->kernel, ref);
    const struct gp_inst *inst = gp_inst_of(walk->kernel, behind);
    uint32_t param = gp_integer_parameter(walk->kernel, behind);
    if (gp_ref_kind(ref) == GP_REF_CONST)
        return one_product(gp_signed_constant(walk->kernel, ref, bits), GP_REF_NONE);
    if (param != GP_NONE)
        return one_parameter(param);
    if (inst == NULL || walk->left == 0)
        return one_product(1, behind);
    walk->left--;
    return result_of(walk, inst, behind);
}

struct gp_products gp_products_of(const struct gp_kernel *kernel, gp_ref ref, unsigned bits)
{
    return of_ref(&(struct walk){kernel, false, GP_MOST_FOLDED}, ref, bits);
}

struct gp_products gp_start_products_of(const struct gp_kernel *kernel, gp_ref ref, unsigned bits)
{
    return of_ref(&(struct walk){kernel, true, GP_MOST_FOLDED}, ref, bits);
}

bool gp_address_products(const struct gp_kernel *kernel, uint32_t memory, struct gp_products *address)
{
    const struct gp_inst *inst = &kernel->insts[kernel->memory[memory].inst];
    if (inst->operand_count == 0)
        return false;
    *address = gp_products_of(kernel, gp_operand_of(kernel, inst, 0), 64);
    return true;
}

struct gp_products gp_products_less(const struct gp_products *a, const struct gp_products *b)
{
    struct gp_products difference = *a;
    add_scaled(&difference, b, -1);
    return difference;
}

bool gp_product_has(const struct gp_product *product, uint32_t param)
{
    for (uint32_t i = 0; i < product->param_count; i++)
        if (product->params[i] == param)
            return true;
    return false;
}

enum { MOST_CONSTANTS = 8 };

uint32_t gp_parameter_about(const struct gp_kernel *kernel, gp_ref ref)
{
    for (unsigned steps = 0; steps < MOST_CONSTANTS; steps++) {
        ref = gp_behind_casts(kernel, ref);
        const struct gp_inst *inst = gp_inst_of(kernel, ref);
        if (inst == NULL)
            break;
        if ((inst->op != GP_OP_ADD && inst->op != GP_OP_SUB) ||
            gp_ref_kind(gp_operand_of(kernel, inst, 1)) != GP_REF_CONST)
            return GP_NONE;
        ref = gp_operand_of(kernel, inst, 0);
    }
    return gp_ref_kind(ref) == GP_REF_PARAM && gp_ref_index(ref) < GP_MAX_ARGUMENTS ? gp_ref_index(ref) : GP_NONE;
}

uint32_t gp_half_of(const struct gp_kernel *kernel, gp_ref ref, int64_t scale)
{
    const struct gp_inst *inst = gp_inst_of(kernel, gp_behind_casts(kernel, ref));
    bool shifts = inst != NULL && (inst->op == GP_OP_ASHR || inst->op == GP_OP_LSHR),
         divides = inst != NULL && (inst->op == GP_OP_SDIV || inst->op == GP_OP_UDIV);
    int64_t by = shifts || divides ? gp_signed_constant(kernel, gp_operand_of(kernel, inst, 1), inst->bits) : 0;
    bool half = (shifts && by == 1 && scale == 1) || (divides && by * scale == 2);
    return half ? gp_parameter_about(kernel, gp_operand_of(kernel, inst, 0)) : GP_NONE;
}
