/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stretches of memory that a work-group touches, and how full. Of what lies in a stretch only a part was seen to be
 * touched, since only some iterations and warps are executed: the others' lines lie between.
 */
#ifndef GPUPERF_MODEL_STRETCHES_H
#define GPUPERF_MODEL_STRETCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes [low, high) of a symbol. Touched: in all, and of these the ones that were seen, which are known one by one. */
struct gp_stretch {
    uint32_t symbol;
    double low, high, touched, seen;
};

/* Joins stretches that overlap or meet. Sorts; returns how many are left. */
size_t gp_stretches_join(struct gp_stretch *stretches, size_t count);

/* Of joined stretches the first that ends behind an offset of the symbol; `count` or one of another symbol: none does.
 */
size_t gp_stretches_from(const struct gp_stretch *stretches, size_t count, uint32_t symbol, double offset);

/* The one of joined stretches that an offset lies in; NULL: none. */
struct gp_stretch *gp_stretches_at(struct gp_stretch *stretches, size_t count, uint32_t symbol, double offset);

/*
 * The share of what was not seen that is touched all the same. 0 where the stretch is not nearly full: then what is
 * touched lies in a pattern, rows of a matrix for example, that a share does not tell.
 */
double gp_stretch_fill(const struct gp_stretch *stretch);

#endif
