/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers of the code that device compilers make, where one is all that there is of a rule. */
#ifndef GPUPERF_MODEL_CODE_RULES_H
#define GPUPERF_MODEL_CODE_RULES_H

#include "hwdb/hwdb.h"

/* Spilled words that a warp loads at a time: code that spills has no register to load ahead; for RDNA LLVM spills
 * pairs, and loads each pair in one clause. */
static inline double gp_spilled_words_at_a_time(const struct gp_device *device)
{
    return device->arch == GP_ARCH_RDNA ? 2 : 1;
}

/*
 * Words of local memory that code loads before it waits for them; 0: as many as registers allow. LLVM orders code for
 * GCN and CDNA as if local memory took 5 cycles (SISchedule.td, WriteLDS), of some 64: the code loads two words
 * (ds_read2_b32) and waits for them. For RDNA it takes 20; other compilers' loads go up as far as registers allow.
 */
static inline double gp_local_words_under_way(const struct gp_device *device)
{
    return device->arch == GP_ARCH_GCN || device->arch == GP_ARCH_CDNA ? 2 : 0;
}

/*
 * Of sums of two integers those that ptxas, from Volta on, may make IMAD.IADD (on Hopper VIADD) where the
 * multiply-add's lanes are less busy than the integers': 66 of 193 additions in 64 rounds of a hash, the others having
 * three terms or a shifted one (bench/gpu/kernels/digest.cl).
 */
static inline double gp_sums_as_products(double sums) { return sums / 3; }

/* Instructions of a warp, and those that wait for each other, that combine its lanes' atomics on one address, as
 * counted in the code that the compilers make. */
struct gp_combining {
    double vector, scalar, chain;
};

/* one_value: all lanes add the same. AMD: mbcnt, compare, product; per lane of a loop ff1, readlane, bitset, operation,
 * compare, branch. */
static inline struct gp_combining gp_combining_of(const struct gp_device *device, bool one_value, double lanes)
{
    if (gp_arch_is_amd(device->arch))
        return one_value ? (struct gp_combining){4, 3, 7}
                         : (struct gp_combining){3 + lanes, 2 + 5 * lanes, 5 + 6 * lanes};
    return one_value ? (struct gp_combining){5, 0, 5} : (struct gp_combining){6, 0, 6};
}

#endif
