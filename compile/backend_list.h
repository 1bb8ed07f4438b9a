/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Building a gp_backend_list: for its readers only. */
#ifndef GPUPERF_COMPILE_BACKEND_LIST_H
#define GPUPERF_COMPILE_BACKEND_LIST_H

#include <stdlib.h>
#include <string.h>

#include "compile/backend.h"

/* A new entry at the end, zeroed but for its name; valid until the next one is added. */
static inline struct gp_resources *gp_backend_add(struct gp_backend_list *list, const char *symbol, size_t length)
{
    struct gp_backend_kernel *kernels = realloc(list->kernels, (list->count + 1) * sizeof *kernels);
    char *copy = strndup(symbol, length);
    list->kernels = kernels;
    kernels[list->count] = (struct gp_backend_kernel){.symbol = copy};
    return &kernels[list->count++].resources;
}

#endif
