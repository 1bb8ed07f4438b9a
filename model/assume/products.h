/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A value as a sum of products: `(y + 1) * width + 4 * x` is y * width + width + 4 * x. What several questions about
 * arguments ask: what a row's length is multiplied with, and what lies beside it within the row.
 */
#ifndef GPUPERF_MODEL_PRODUCTS_H
#define GPUPERF_MODEL_PRODUCTS_H

#include "model/launch/launch.h"

enum { GP_MOST_PRODUCTS = 24, GP_MOST_FACTORS = 4 };

/* scale times integer parameters (in order of their indices, one twice where it is squared) times something that is
 * none; GP_REF_NONE: nothing else. */
struct gp_product {
    int64_t scale;
    uint32_t params[GP_MOST_FACTORS], param_count;
    gp_ref leaf;
};

/* whole: nothing was left out. */
struct gp_products {
    struct gp_product product[GP_MOST_PRODUCTS];
    uint32_t count;
    bool whole;
};

/* Counters, and what ways join, are something of their own; or they are what they start with. */
struct gp_products gp_products_of(const struct gp_kernel *kernel, gp_ref ref, unsigned bits);
struct gp_products gp_start_products_of(const struct gp_kernel *kernel, gp_ref ref, unsigned bits);

/* The address of a memory operation; false: it has none. */
bool gp_address_products(const struct gp_kernel *kernel, uint32_t memory, struct gp_products *address);

/* a - b. */
struct gp_products gp_products_less(const struct gp_products *a, const struct gp_products *b);

bool gp_product_has(const struct gp_product *product, uint32_t param);
bool gp_have_same_parameters(const struct gp_product *a, const struct gp_product *b);

/* The parameter that a value is, with a constant added or not: `n - 1`; GP_NONE: something else. */
uint32_t gp_parameter_about(const struct gp_kernel *kernel, gp_ref ref);

/* The parameter that `scale` times a value is half of: `size >> 1`, `(size - 1) / 2`, and `size / -2` with a scale of
 * -1; GP_NONE: it is no half. */
uint32_t gp_half_of(const struct gp_kernel *kernel, gp_ref ref, int64_t scale);

#endif
