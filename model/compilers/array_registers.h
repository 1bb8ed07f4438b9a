/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Private arrays that end up in registers although the profile's code has them in memory: by NVIDIA's assembler, by
 * AMD's backend, or, of code for no device, by the unrolling of whoever compiles it further (unrolled_index.h).
 *
 * ptxas compares the index with each element that it may be and moves that element under the predicate; a store to the
 * same index shares the comparisons: ISETP.EQ P1, i, 0; ISETP.EQ P2, i, 4; ...; @P1 MOV r, a0; @P2 MOV r, a1; ... An
 * index that goes in steps of two in an array of eight may be one of four elements.
 */
#ifndef GPUPERF_MODEL_ARRAY_REGISTERS_H
#define GPUPERF_MODEL_ARRAY_REGISTERS_H

#include "hwdb/hwdb.h"
#include "model/profile/profile.h"

/*
 * Sets *changed to the kernel with accesses to such arrays as comparisons and moves; it shares all but its instructions
 * with `kernel`. NULL: there are none. For code for NVIDIA's devices: an array larger than the stack frame that the
 * assembler reported is in registers, and one whose accesses become nine comparisons and moves each at most, in the
 * mean (so in 26 of 28 kernels that nvcc 13.0 compiled; of clang's code ptxas keeps fewer there, depending on how
 * addresses are written). Where an access would be more, and all indices of an array outside the frame are counters of
 * loops of constant numbers of turns, the compiler has unrolled what the profile has as loops: its accesses are free.
 * Of an index no more than its lowest four bits in bytes are known: in steps of eight words it may be any fourth
 * element. Of code for AMD's devices: an array larger than the private memory that the backend reported. Of code for
 * spir64: an array all of whose indices are constants in unrolled loops; its accesses are free; where AMD's compiler
 * will make machine code of it also one that this makes a vector of, `vector_words` of them at most (else 0). Estimated
 * registers then have those arrays that are alive together. The caller frees it with
 * gp_arrays_in_registers_free(), before the kernel.
 */
void gp_arrays_in_registers(const struct gp_profile *profile, const struct gp_kernel *kernel, uint32_t vector_words,
                            struct gp_kernel **changed);
void gp_arrays_in_registers_free(struct gp_kernel *changed);

/* Whether registers tell of other code than the profile's: NVIDIA's compiler has an array in them that `kernel`'s code,
 * of which `changed` was made (or NULL), needs to have its loops unrolled for. */
bool gp_arrays_tell_of_unrolling(const struct gp_profile *profile, const struct gp_kernel *kernel,
                                 const struct gp_kernel *changed);

/*
 * Words of a work-item's registers that AMD's compiler gives to vectors when it makes machine code for the device of
 * code for spir64; 0: it does not. A quarter of what the largest group leaves it, which is 256 work-items where nobody
 * says (AMDGPUPromoteAlloca).
 */
uint32_t gp_words_for_vectors(const struct gp_profile *profile, const struct gp_kernel *kernel,
                              const struct gp_device *device);

#endif
