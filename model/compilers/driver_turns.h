/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Turns of a loop whose loads are under way together once a driver has compiled code that is for no device (spir64).
 * NVIDIA's unroll what is left as a loop by four, short bodies by that again, larger ones by two
 * (passes/nvidia/runtime_unrolling.cpp, which makes that of the source where there is a device to compile for). Clang's
 * code of CUDA is told of as theirs, too: what LLVM has unrolled already they unroll as many times less.
 */
#ifndef GPUPERF_MODEL_DRIVER_TURNS_H
#define GPUPERF_MODEL_DRIVER_TURNS_H

#include "model/profile/profile.h"

/* What is unrolled: what the source asks for, at which drivers leave it; or what LLVM does for NVPTX. */
enum gp_unrolled_by { GP_UNROLLED_BY_SOURCE, GP_UNROLLED_BY_LLVM };

/* Turns of a loop, as it is in the profile, that become one: 1 to 16. */
uint8_t gp_driver_turns_of_loop(const struct gp_kernel *kernel, enum gp_unrolled_by unrolled_by, uint32_t loop);

/*
 * Of a memory operation: 1 to 16. More than one for loads of innermost loops that go round as often as is known
 * before they begin, without a barrier or a call, whose address does not come from what the turn before has loaded.
 * Those that may read what the turn before has stored are made one after the other, and wait for themselves.
 */
struct gp_driver_turns {
    uint8_t unrolled, waiting; /* one behind the other in a block; under way together */
};

/* turns[kernel->memory_count] */
void gp_find_driver_turns(const struct gp_kernel *kernel, enum gp_unrolled_by unrolled_by,
                          struct gp_driver_turns *turns);

#endif
