/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What has to be less than what for a branch to go a way: all comparisons of a condition that are joined by `&&`, or by
 * `||` where the condition must not hold. */
#ifndef GPUPERF_MODEL_ORDERS_H
#define GPUPERF_MODEL_ORDERS_H

#include "model/profile/profile.h"

enum gp_order { GP_LESS, GP_LESS_OR_EQUAL, GP_EQUAL };

/* The first operand, of so many bits, is less than the second, or so. */
typedef void (*gp_order_seen)(const struct gp_kernel *kernel, gp_ref smaller, gp_ref larger, unsigned bits,
                              enum gp_order order, void *data);

/* What has to be equal to what comes, too: compilers write `x < 1` so of a number without a sign. */
void gp_each_order(const struct gp_kernel *kernel, gp_ref condition, bool wanted, gp_order_seen seen, void *data);

/* The same of all that has to hold for a loop to go on. */
void gp_each_order_within(const struct gp_kernel *kernel, uint32_t loop, gp_order_seen seen, void *data);

#endif
