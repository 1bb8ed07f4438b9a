/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Memory that is released all at once: what a reader builds lives in one arena, and gp_profile_free() drops it. */
#ifndef GPUPERF_MODEL_ARENA_H
#define GPUPERF_MODEL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct gp_arena {
    struct gp_arena_chunk *chunks; /* newest first */
    size_t used;                   /* of the newest chunk */
};

/*
 * Zeroed memory for `count` objects of `size` bytes; never NULL for a count of 0. NULL: out of memory, or the product
 * overflows.
 */
void *gp_arena_new(struct gp_arena *arena, size_t count, size_t size);

/* A copy of the bytes with a NUL behind them. NULL: out of memory. */
char *gp_arena_copy(struct gp_arena *arena, const void *bytes, size_t count);

void gp_arena_free(struct gp_arena *arena);

/* Takes over the memory of the other arena, which is empty then. */
void gp_arena_adopt(struct gp_arena *arena, struct gp_arena *other);

/*
 * Moves the arena into itself, so that one pointer owns everything; NULL: out of memory (the arena is then as before).
 */
void *gp_arena_seal(struct gp_arena *arena);
void gp_arena_free_sealed(void *sealed);
struct gp_arena gp_arena_unseal(void *sealed);

#endif
