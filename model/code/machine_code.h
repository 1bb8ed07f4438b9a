/*
 * How many vector instructions AMD's code has for those of a profile. The profile has what LLVM's intermediate code tells; the backend adds addresses and moves, and makes one instruction of two
 * (v_dual_fmac_f32 on RDNA3, v_pk_fma_f32 since CDNA2).
 */
#ifndef GPUPERF_MODEL_MACHINE_CODE_H
#define GPUPERF_MODEL_MACHINE_CODE_H

#include "hwdb/hwdb.h"
#include "model/code/cost.h"
#include "model/profile/profile.h"

/*
 * Sets factors[block]: instructions of the backend for each of the profile's that takes the vector unit's full rate, those at other rates being as many in both. 1 where no code is known, for other vendors'
 * devices, and where the profile's loop has other operations on floats than the code's, as when one of them is unrolled further; of a loop that has none also where some other loop has others, or none has any.
 */
void gp_machine_code_factors(const struct gp_kernel *kernel, const struct gp_device *device, const struct gp_cost costs[GP_CLASS_COUNT], float *factors);

/* The cost with its full-rate instructions so many times. */
struct gp_cost gp_cost_in_code(struct gp_cost cost, float factor);

#endif
