/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Kernels of one compile whose code is alike, so that a backend need be asked of one of them only: a table of many
 * launches of one kernel, compiled once for each, has many such.
 *
 * Functions of an optimised module are alike that differ in nothing but what is said of their pointers (`restrict`) and
 * of their accesses' aliasing: NVIDIA's backend makes ld.global.nc instead of ld.global of that. Entries of a PTX file
 * are alike that differ in numbers, and in such loads: ptxas schedules and allocates them alike: 1686 kernels of
 * convolutions and dedispersions for three processors are 308 such sets, and it says the same registers and spills of
 * all in each. No document says so: for tables (gp_compile_request.alike), not for a kernel that somebody asks about.
 */
#ifndef GPUPERF_COMPILE_ALIKE_H
#define GPUPERF_COMPILE_ALIKE_H

#include <stddef.h>
#include <stdint.h>

#include "compile/backend.h"
#include "support/text.h"

struct gp_alike_list {
    struct gp_alike {
        char *symbol, *of;   /* the kernel that was left out, and the one that stands for it */
        int64_t local_bytes; /* what it declares of work-group memory beyond that one */
    } * items;
    size_t count;
};

/* Adds the module to the text without the kernels that are alike one before them, and these to the list. */
void gp_leave_out_alike_functions(const char *module, struct gp_text *result, struct gp_alike_list *left_out);

/* The same of PTX. */
void gp_leave_out_alike_entries(const char *ptx, struct gp_text *result, struct gp_alike_list *left_out);

/* Adds to what a backend says what it would say of the kernels that were left out. */
void gp_backend_add_alike(const struct gp_alike_list *left_out, struct gp_backend_list *list);

void gp_alike_free(struct gp_alike_list *list);

#endif
