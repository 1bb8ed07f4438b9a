/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What `check` looks at: files, folders and compilation databases as a list of sources with their compilers' arguments.
 */
#ifndef GPUPERF_TOOLS_CHECK_UNITS_H
#define GPUPERF_TOOLS_CHECK_UNITS_H

#include "compile/arguments.h"
#include "support/error.h"

struct gp_unit {
    char *file;      /* as it is named to the user: relative to where gpuperf runs where it lies below it */
    char *directory; /* where its compiler runs; NULL: here */
    struct gp_arguments arguments; /* of clang; nvcc's other options are left out */
    size_t own_arguments;          /* of a recorded source: the first so many are the program's */
    bool recorded;                 /* it is one of a program's launches' (config.h): kernels that it does not launch are
                                      left out */
};

struct gp_units {
    struct gp_unit *items; /* by file name, each once with the same arguments */
    size_t count;
};

/*
 * Adds a file, a folder (all .cl, .clcpp, .cu and .hip below it, hidden folders left out) or a compile_commands.json
 * (the entries of such files), with `shared` (clang's, NULL-terminated, may be NULL) behind each one's own arguments.
 * False: a sentence (no such file, a folder without a kernel source, no JSON).
 */
bool gp_units_add(struct gp_units *units, const char *path, const char *const *shared, struct gp_error *error);

/* Adds a recorded source with the options that its program was built with. */
bool gp_units_add_recorded(struct gp_units *units, const char *path, const struct gp_arguments *options,
                           const char *const *shared, struct gp_error *error);

/* Sorts by name and drops what is there twice. */
void gp_units_sort(struct gp_units *units);
void gp_units_free(struct gp_units *units);

#endif
