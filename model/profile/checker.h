/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the files of gp_profile_check() share: the profile that is checked, and how it is complained of. Checks rely on
 * those before them, in profile_check.c's order.
 */
#ifndef GPUPERF_MODEL_CHECKER_H
#define GPUPERF_MODEL_CHECKER_H

#include "model/profile/profile.h"

struct check {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    struct gp_error *error;
    uint32_t *block_of;              /* [inst_count] block of an instruction; GP_NONE: an expression */
    uint32_t *edges;                 /* predecessors, grouped by block, each once */
    uint32_t *first_edge;            /* [block_count + 1] in edges */
    uint32_t *mark, *seen;           /* [block_count] scratch */
    uint32_t *loop_begin, *loop_end; /* [loop_count] numbers in preorder: loop l holds begin[l] <= begin[m] < end[l] */
    uint32_t block, inst;            /* being checked, for the sentence; GP_NONE: none */
};

/* ---- profile_check.c --------------------------------------------------------------------------------------------- */

/* Fails with where the check is and what it found. */
bool gp_check_complain(struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define REQUIRE(c, condition, ...) \
    do { \
        if (!(condition)) \
            return gp_check_complain((c), __VA_ARGS__); \
    } while (0)

bool gp_check_location_index(struct check *c, uint32_t location);

static inline bool gp_check_is_power_of_two(uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

/* ---- check_flow.c ------------------------------------------------------------------------------------------------ */

bool gp_check_blocks(struct check *c);
bool gp_check_post_dominators(struct check *c);
/* Predecessors of each block. */
bool gp_check_collect_edges(struct check *c);

bool gp_check_cycles(struct check *c);

bool gp_check_loop_nest(struct check *c);
bool gp_check_loops(struct check *c);
bool gp_check_inductions(struct check *c);

/* ---- check_insts.c ----------------------------------------------------------------------------------------------- */

bool gp_check_operand_total(struct check *c);
bool gp_check_block_insts(struct check *c);
bool gp_check_expressions(struct check *c);
bool gp_check_phis(struct check *c);
/* That what a reference names exists. */
bool gp_check_ref(struct check *c, gp_ref ref);
bool gp_check_has_branch_record(enum gp_op op);

#endif
