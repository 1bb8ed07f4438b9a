/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Turns of a loop whose loads are under way together once a driver has compiled code that is for no device (spir64).
 * NVIDIA's unroll what is left as a loop by four, short bodies by that again, larger ones by two
 * (passes/nvidia/runtime_unrolling.h, which makes that of the source where there is a device to compile for).
 */
#ifndef GPUPERF_MODEL_DRIVER_TURNS_H
#define GPUPERF_MODEL_DRIVER_TURNS_H

#include "model/profile/profile.h"

/*
 * turns[kernel->memory_count]: per memory operation 16, 4, 2 or 1. More than one for loads of innermost loops that go
 * round as often as is known before they begin, without a barrier or a call, whose address does not come from what the
 * turn before has loaded.
 */
void gp_find_driver_turns(const struct gp_kernel *kernel, uint8_t *turns);

#endif
