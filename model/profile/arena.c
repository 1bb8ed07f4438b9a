/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/profile/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct gp_arena_chunk {
    struct gp_arena_chunk *next;
    size_t capacity;
    alignas(max_align_t) unsigned char bytes[];
};

enum { CHUNK_BYTES = 16 * 1024 };

static bool add_chunk(struct gp_arena *arena, size_t needed)
{
    size_t capacity = needed > CHUNK_BYTES ? needed : CHUNK_BYTES;
    if (capacity > SIZE_MAX - sizeof(struct gp_arena_chunk))
        return false;
    struct gp_arena_chunk *chunk = malloc(sizeof *chunk + capacity);
    if (chunk == NULL)
        return false;
    chunk->next = arena->chunks;
    chunk->capacity = capacity;
    arena->chunks = chunk;
    arena->used = 0;
    return true;
}

void *gp_arena_new(struct gp_arena *arena, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - alignof(max_align_t)) / size)
        return NULL;
    size_t bytes = count * size + alignof(max_align_t) - 1;
    bytes -= bytes % alignof(max_align_t);
    if (bytes == 0)
        bytes = alignof(max_align_t);
    if (arena->chunks == NULL || arena->chunks->capacity - arena->used < bytes)
        if (!add_chunk(arena, bytes))
            return NULL;
    void *result = arena->chunks->bytes + arena->used;
    arena->used += bytes;
    return memset(result, 0, bytes);
}

char *gp_arena_copy(struct gp_arena *arena, const void *bytes, size_t count)
{
    char *copy = count < SIZE_MAX ? gp_arena_new(arena, count + 1, 1) : NULL;
    if (copy != NULL && count != 0)
        memcpy(copy, bytes, count);
    return copy;
}

void gp_arena_free(struct gp_arena *arena)
{
    struct gp_arena_chunk *chunk = arena->chunks;
    while (chunk != NULL) {
        struct gp_arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    *arena = (struct gp_arena){0};
}

void *gp_arena_seal(struct gp_arena *arena)
{
    struct gp_arena *sealed = gp_arena_new(arena, 1, sizeof *sealed);
    if (sealed != NULL)
        *sealed = *arena;
    return sealed;
}

struct gp_arena gp_arena_unseal(void *sealed) { return sealed ? *(struct gp_arena *)sealed : (struct gp_arena){0}; }

void gp_arena_free_sealed(void *sealed)
{
    struct gp_arena arena = gp_arena_unseal(sealed);
    gp_arena_free(&arena);
}

void gp_arena_adopt(struct gp_arena *arena, struct gp_arena *other)
{
    if (other->chunks != NULL) {
        struct gp_arena_chunk *last = other->chunks;
        while (last->next != NULL)
            last = last->next;
        last->next = arena->chunks;
        *arena = *other;
    }
    *other = (struct gp_arena){0};
}
