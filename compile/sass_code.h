/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What NVIDIA's machine code has for a profile's loops, as gp_machine_code. ptxas and nvcc unroll loops that the
 * profile has rolled, some iterations before the others, and write steps and comparisons anew for each; so instructions
 * are told apart by the lines of source that they come from, and counted for each operation on floats and each word
 * that is moved: these are as many for an iteration in both.
 */
#ifndef GPUPERF_COMPILE_SASS_CODE_H
#define GPUPERF_COMPILE_SASS_CODE_H

#include "compile/cubin.h"
#include "model/profile/profile.h"

/*
 * `code`: room for loops + 1. Of each loop of the profile that the code's lines tell, and of what is in none: `vector`
 * is all instructions but accesses that an iteration takes, `floats` the profile's own; local words are not counted.
 * How many there are; 0 where the code has no lines.
 */
uint32_t gp_sass_machine_code(const struct gp_cubin_code *cubin, const struct gp_profile *profile,
                              const struct gp_kernel *kernel, struct gp_machine_code *code);

#endif
