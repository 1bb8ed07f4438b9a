/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an instruction costs, and which narrow path of the device it takes. */
#ifndef GPUPERF_MODEL_INST_COST_H
#define GPUPERF_MODEL_INST_COST_H

#include "model/compilers/cost.h"
#include "model/profile/profile.h"

/*
 * What is narrower than FP32 by design: FP64 and conversions to it, integer division, special functions, conversions
 * between integers and floats; and what is so because of how the source spells it: double precision for a constant
 * without an f, pow() of a small whole number, functions, divisions and roots that are more exact than what the
 * hardware approximates, comparisons for an element of an array in registers.
 */
enum gp_narrow_path {
    GP_NARROW_DOUBLE,
    GP_NARROW_DIVISION,
    GP_NARROW_SPECIAL,
    GP_NARROW_CONSTANT,
    GP_NARROW_POWER,
    GP_NARROW_CONVERSION,
    GP_NARROW_EXACT,
    GP_NARROW_ELEMENT,
    GP_NARROW_COUNT
};

/* GP_NARROW_COUNT: none of these. */
enum gp_narrow_path gp_inst_path(const struct gp_inst *inst);

/* Whether the source can be written so that what takes the path takes another one. */
static inline bool gp_path_is_repairable(enum gp_narrow_path path)
{
    return path == GP_NARROW_DIVISION || path == GP_NARROW_CONSTANT || path == GP_NARROW_POWER ||
           path == GP_NARROW_ELEMENT;
}

/* Whether an instruction takes no time there. */
static inline bool gp_inst_is_free(const struct gp_inst *inst, uint32_t repaired_paths)
{
    bool repaired = (inst->flags & GP_INST_REPAIRABLE) && (repaired_paths >> gp_inst_path(inst) & 1);
    return (repaired ? inst->repaired : inst->cost) == GP_CLASS_FREE;
}

/*
 * What an instruction costs, its repetitions included (the latency is that of one), where the paths of a mask (1 <<
 * GP_NARROW_...) are repaired, as the cause `throughput` does: FP64 is single precision, special functions run on a
 * path as wide as FP32, conversions are not needed, a division of integers is a mask, what is exact is approximated,
 * what the source can repair is what it could be.
 */
struct gp_cost gp_inst_cost(const struct gp_inst *inst, const struct gp_cost costs[GP_CLASS_COUNT],
                            uint32_t repaired_paths);

/* What each turn of a loop costs where so many share one instruction (counted_turns.h). */
struct gp_cost gp_cost_of_turn(const struct gp_cost *cost, uint8_t turns);

#endif
