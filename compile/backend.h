/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a backend says of each kernel that it made code for: registers, spills, memory. Read from the text that
 * `ptxas -v` prints and from the metadata at the end of LLVM's AMDGPU assembly.
 */
#ifndef GPUPERF_COMPILE_BACKEND_H
#define GPUPERF_COMPILE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "compile/cubin.h"
#include "model/profile/profile.h"
#include "support/error.h"

/* Of a loop's own code, inner loops apart, what one iteration moves of spilled registers, and as in gp_machine_code.
 * Loops stand in the code's order. */
struct gp_backend_loop {
    uint32_t depth, spill_store_bytes, spill_load_bytes, vector, floats, local_words;
};

struct gp_backend_kernel {
    char *symbol;
    struct gp_resources resources; /* spilled bytes: each instruction once */
    struct gp_backend_loop *loops; /* none where no code was read */
    uint32_t loop_count;
    uint32_t vector, floats,
        local_words;            /* outside of loops, as in gp_machine_code; no vector instructions: no code was read */
    struct gp_cubin_code cubin; /* NVIDIA's machine code; empty where none was read */
};

struct gp_backend_list {
    struct gp_backend_kernel *kernels;
    size_t count;
};

/* Adds to the list's kernels the machine code that a cubin has for them. A file that is none, or is missing, adds
 * nothing. */
void gp_read_cubin(const char *path, struct gp_backend_list *list);

/* Adds what `ptxas -v` says; the launch bound is 0 (ptxas has honoured whatever bound the kernel states). */
void gp_read_ptxas(const char *text, struct gp_backend_list *list);

/*
 * Adds what the metadata (".amdgpu_metadata", code object version 3 and later) of an assembly file says, and what the
 * code itself tells: loops, spills, vector instructions.
 */
void gp_read_amdgpu(const char *assembly, struct gp_backend_list *list);

/* The profile as that of another processor ("sm_86") that runs the same code. NULL and a sentence on failure. */
struct gp_profile *gp_backend_copy_for(const struct gp_profile *profile, const char *cpu, struct gp_error *error);

/* Whether every kernel of the profile is in the list. */
bool gp_backend_knows_all(const struct gp_backend_list *list, const struct gp_profile *profile);

void gp_backend_free(struct gp_backend_list *list);

/*
 * What spilled registers move as the kernel runs: what stands in a loop counts once for each iteration, where the
 * backend's loop is known to be one of the profile's and its trip count is a constant; else once. Of the loops whose
 * trip count is not known before the launch that which spills most is named.
 */
void gp_weigh_spills(const struct gp_backend_kernel *known, const struct gp_kernel *kernel,
                     struct gp_resources *resources);

/*
 * The kernel's machine code: an entry for each of its loops and one for what is in none, where the backend has the same
 * loops; else one for each loop that alone has as many operations on floats. 0: no code was read, or none of its loops
 * is known. `code`: room for loops + 1.
 */
uint32_t gp_machine_code_of(const struct gp_backend_kernel *known, const struct gp_kernel *kernel,
                            struct gp_machine_code *code);

/*
 * The profile with the backend's numbers in place of its own estimates, for the kernels that the backend knows. A
 * kernel with calls that nobody could follow keeps the mark `estimate` when `stand_ins` is set: what the backend saw
 * were stand-ins. `source`, where not NULL, becomes the name of the profile's source. Takes the profile over; NULL and
 * a sentence on failure.
 */
struct gp_profile *gp_backend_apply(struct gp_profile *profile, const struct gp_backend_list *list, bool stand_ins,
                                    const char *source, struct gp_error *error);

#endif
