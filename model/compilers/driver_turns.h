/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Turns of a loop whose loads are under way together once a driver has compiled code that is for no device (spir64).
 * NVIDIA's unroll what is left as a loop by four, short bodies by that again, larger ones by two
 * (passes/nvidia/runtime_unrolling.cpp, which makes that of the source where there is a device to compile for).
 */
#ifndef GPUPERF_MODEL_DRIVER_TURNS_H
#define GPUPERF_MODEL_DRIVER_TURNS_H

#include "model/profile/profile.h"

/* Of a loop: 16, 4, 2 or 1. */
uint8_t gp_driver_turns_of_loop(const struct gp_kernel *kernel, uint32_t loop);

/*
 * Of a memory operation: 16, 4, 2 or 1. More than one for loads of innermost loops that go round as often as is known
 * before they begin, without a barrier or a call, whose address does not come from what the turn before has loaded.
 * Those that may read what the turn before has stored are made one after the other, and wait for themselves.
 */
struct gp_driver_turns {
    uint8_t unrolled, waiting; /* one behind the other in a block; under way together */
};

/* turns[kernel->memory_count] */
void gp_find_driver_turns(const struct gp_kernel *kernel, struct gp_driver_turns *turns);

#endif
