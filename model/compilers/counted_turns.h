/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What turns of a loop share once a driver has unrolled it (driver_turns.h): its end is asked for once for all of them,
 * its counter steps once, and an address that is a constant further in each turn is made once, the others being
 * immediate offsets from it.
 */
#ifndef GPUPERF_MODEL_COUNTED_TURNS_H
#define GPUPERF_MODEL_COUNTED_TURNS_H

#include "model/compilers/driver_turns.h"

/* turns[kernel->inst_count]: those that an instruction is executed once for; 1: it is in each. */
void gp_find_counted_turns(const struct gp_kernel *kernel, enum gp_unrolled_by unrolled_by, uint8_t *turns);

#endif
