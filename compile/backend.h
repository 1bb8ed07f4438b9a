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

struct gp_backend_kernel {
    char *symbol;
    struct gp_resources resources;
};

struct gp_backend_list {
    struct gp_backend_kernel *kernels;
    size_t count;
};

/* Adds what `ptxas -v` says; the launch bound is 0 (ptxas has honoured whatever bound the kernel states). */
void gp_read_ptxas(const char *text, struct gp_backend_list *list);

/* Adds what the metadata (".amdgpu_metadata", code object version 3 and later) of an assembly file says. */
void gp_read_amdgpu(const char *assembly, struct gp_backend_list *list);

void gp_backend_free(struct gp_backend_list *list);

/*
 * The profile with the backend's numbers in place of its own estimates, for the kernels that the backend knows. A kernel
 * with calls that nobody could follow keeps the mark `estimate` when `stand_ins` is set: what the backend saw were stand-ins.
 * `source`, where not NULL, becomes the name of the profile's source. Takes the profile over; NULL and a sentence on failure.
 */
struct gp_profile *gp_backend_apply(struct gp_profile *profile, const struct gp_backend_list *list, bool stand_ins, const char *source,
                                    struct gp_error *error);

#endif
