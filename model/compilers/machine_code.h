/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What AMD's and NVIDIA's code has for a profile's instructions and loads from local memory. The profile has what
 * LLVM's intermediate code tells; the backend adds addresses and moves, and makes one instruction of two
 * (v_dual_fmac_f32 on RDNA3, v_pk_fma_f32 since CDNA2); the compiler that a device's driver has may keep more values,
 * or fewer, of local memory in registers.
 */
#ifndef GPUPERF_MODEL_MACHINE_CODE_H
#define GPUPERF_MODEL_MACHINE_CODE_H

#include "hwdb/hwdb.h"
#include "model/compilers/cost.h"
#include "model/profile/profile.h"

struct gp_code_factors {
    float vector; /* AMD's: instructions of the backend for each of the profile's that takes the vector unit's full
                     rate, those at other rates being as many in both */
    float others; /* NVIDIA's: for each that is neither of floats nor of a slow pipe, nor an access: integers, moves,
                     branches */
    float local_words; /* words that the backend loads from local memory for each of the profile's */
};

/*
 * Sets factors[block]. 1 where no code is known, and for other vendors' devices. On AMD's also where the profile's loop
 * has other operations on floats than the code's, as when one of them is unrolled further; of a loop that has none also
 * where some other loop has others, or none has any. NVIDIA's code was counted by lines (compile/sass_code.h), whatever
 * is unrolled.
 */
void gp_machine_code_factors(const struct gp_kernel *kernel, const struct gp_device *device,
                             const struct gp_cost costs[GP_CLASS_COUNT], struct gp_code_factors *factors);

/* Additions, products and both, of 32 and 64 bits. */
bool gp_is_of_floats(enum gp_class cost_class);

/* floats[loop]: operations on floats of 32 and 64 bits in the loop's own blocks, inner loops apart; floats[loop_count]:
 * in blocks that are in no loop. What tells loops of two compilers apart. */
void gp_floats_of_loops(const struct gp_kernel *kernel, uint32_t *floats);

/* Whether two loops with so many, one in a backend's code, one in a profile, may be the same. */
bool gp_same_floats(double code, double profile);

/* What the loads of a memory operation are multiplied by, where `factors` are its block's. */
float gp_local_words_factor(const struct gp_memory *memory, const struct gp_code_factors *factors);

/* The instruction's cost with its instructions so many times; an access is one in both. */
struct gp_cost gp_cost_in_code(const struct gp_inst *inst, struct gp_cost cost, const struct gp_code_factors *factors);

#endif
