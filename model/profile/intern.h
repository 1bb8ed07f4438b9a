/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Numbers byte strings: equal strings get the same number, new ones the next. */
#ifndef GPUPERF_MODEL_INTERN_H
#define GPUPERF_MODEL_INTERN_H

#include <stdint.h>

#include "model/profile/arena.h"

struct gp_interned {
    const char *bytes; /* a copy with a NUL behind it */
    size_t length;
    uint64_t hash;
};

struct gp_intern {
    struct gp_arena arena;
    struct gp_interned *entries;
    uint32_t *slots; /* entry + 1, or 0; a power of two of them */
    uint32_t count, capacity, slot_count;
};

/* The string's number, from 0 on. False: out of memory. */
bool gp_intern(struct gp_intern *table, const void *bytes, size_t length, uint32_t *number);

void gp_intern_free(struct gp_intern *table);

#endif
