/*
 * What a backend says of each kernel that it made code for: registers, spills, memory. Read from the text that
 * `ptxas -v` prints and from the metadata at the end of LLVM's AMDGPU assembly.
 */
#ifndef GPUPERF_COMPILE_BACKEND_H
#define GPUPERF_COMPILE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "model/profile.h"
#include "support/error.h"

/* Bytes that spilled registers move in one iteration of a loop, inner loops apart. Loops stand in the code's order. */
struct gp_backend_loop { uint32_t depth, spill_store_bytes, spill_load_bytes; };

struct gp_backend_kernel {
    char *symbol;
    struct gp_resources resources;   /* spilled bytes: each instruction once */
    struct gp_backend_loop *loops;
    uint32_t loop_count;
};

struct gp_backend_list {
    struct gp_backend_kernel *kernels;
    size_t count;
};

/* Adds what `ptxas -v` says; the launch bound is 0 (ptxas has honoured whatever bound the kernel states). */
void gp_read_ptxas(const char *text, struct gp_backend_list *list);

/*
 * Adds what the metadata (".amdgpu_metadata", code object version 3 and later) of an assembly file says, and the spills that LLVM's comments
 * in the code tell.
 */
void gp_read_amdgpu(const char *assembly, struct gp_backend_list *list);

/* Whether every kernel of the profile is in the list. */
bool gp_backend_knows_all(const struct gp_backend_list *list, const struct gp_profile *profile);

void gp_backend_free(struct gp_backend_list *list);

/*
 * What spilled registers move as the kernel runs: what stands in a loop counts once for each iteration, where the backend's loops are the
 * profile's and their trip counts are constants; else once. Of the loops whose trip count is not known before the launch that which spills most is named.
 */
void gp_weigh_spills(const struct gp_backend_kernel *known, const struct gp_kernel *kernel, struct gp_resources *resources);

/*
 * The profile with the backend's numbers in place of its own estimates, for the kernels that the backend knows. A kernel
 * with calls that nobody could follow keeps the mark `estimate` when `stand_ins` is set: what the backend saw were stand-ins.
 * `source`, where not NULL, becomes the name of the profile's source. Takes the profile over; NULL and a sentence on failure.
 */
struct gp_profile *gp_backend_apply(struct gp_profile *profile, const struct gp_backend_list *list, bool stand_ins, const char *source,
                                    struct gp_error *error);

#endif
