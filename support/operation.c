/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A table of the blocks that the thread's operations have allocated, with how deep the operation is that each belongs
 * to: open addressing, at most half full, a block's place by its address. The outermost operation has it on its stack.
 * A thread-local variable leads to the innermost; it lies where no allocation is needed to reach it, since a library
 * that is loaded late would otherwise end the program without memory.
 */
#define _GNU_SOURCE /* vasprintf */
#include "support/operation.h"

#include <setjmp.h>
#include <stdint.h>

#include "support/allocation.h"

#undef malloc
#undef calloc
#undef realloc
#undef free
#undef vasprintf

struct block {
    void *start; /* NULL: a free place */
    uint32_t depth;
};

struct blocks {
    struct block *places;
    size_t room, count; /* room: 0 or a power of two */
};

struct operation {
    struct operation *outer;
    struct blocks *blocks;
    uint32_t depth;
    jmp_buf end;
};

static _Thread_local struct operation *innermost __attribute__((tls_model("initial-exec")));

/* ---- The table ---- */

static size_t place_of(const struct blocks *blocks, uintptr_t start)
{
    return (size_t)(start * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (blocks->room - 1);
}

/* Where the block stands, or would stand. */
static struct block *find(const struct blocks *blocks, uintptr_t start)
{
    size_t at = place_of(blocks, start);
    while (blocks->places[at].start != NULL && (uintptr_t)blocks->places[at].start != start)
        at = (at + 1) & (blocks->room - 1);
    return &blocks->places[at];
}

/* Room for one more. False: no memory. */
static bool reserve(struct blocks *blocks)
{
    if (2 * (blocks->count + 1) <= blocks->room)
        return true;
    struct blocks more = {.room = blocks->room > 0 ? 2 * blocks->room : 256, .count = blocks->count};
    more.places = calloc(more.room, sizeof *more.places);
    if (more.places == NULL)
        return false;
    for (size_t i = 0; i < blocks->room; i++)
        if (blocks->places[i].start != NULL)
            *find(&more, (uintptr_t)blocks->places[i].start) = blocks->places[i];
    free(blocks->places);
    *blocks = more;
    return true;
}

static void add(struct blocks *blocks, void *start, uint32_t depth)
{
    *find(blocks, (uintptr_t)start) = (struct block){start, depth};
    blocks->count++;
}

/* The depth of the operation that the block belonged to, or 0. Those behind it move up, so that none is cut off from
 * its place. */
static uint32_t take_out(struct blocks *blocks, uintptr_t start)
{
    struct block *hole = blocks->room > 0 ? find(blocks, start) : NULL;
    if (hole == NULL || hole->start == NULL)
        return 0;
    uint32_t depth = hole->depth;
    size_t mask = blocks->room - 1, to = (size_t)(hole - blocks->places);
    for (size_t at = (to + 1) & mask; blocks->places[at].start != NULL; at = (at + 1) & mask)
        if (((at - place_of(blocks, (uintptr_t)blocks->places[at].start)) & mask) >= ((at - to) & mask)) {
            blocks->places[to] = blocks->places[at];
            to = at;
        }
    blocks->places[to].start = NULL;
    blocks->count--;
    return depth;
}

/* ---- Operations ---- */

/* What is deeper than the operation becomes its outer one's, or nobody's. */
static void hand_over(const struct operation *done)
{
    for (size_t i = 0; done->outer != NULL && i < done->blocks->room; i++)
        if (done->blocks->places[i].depth == done->depth)
            done->blocks->places[i].depth = done->depth - 1;
}

static void give_back(const struct operation *failed)
{
    struct blocks *blocks = failed->blocks, left = {.room = blocks->room, .places = blocks->places};
    for (size_t i = 0; i < left.room; i++)
        while (left.places[i].start != NULL && left.places[i].depth >= failed->depth) {
            void *start = left.places[i].start;
            take_out(blocks, (uintptr_t)start); /* another may have moved here */
            free(start);
        }
}

/* Of the outermost operation: nobody asks for its blocks any more. */
static void end(const struct operation *o)
{
    innermost = o->outer;
    if (o->outer == NULL)
        free(o->blocks->places);
}

/* In a function of its own: what changed in this one is not certain after a jump. */
static bool ends_well(struct operation *operation, void (*work)(void *context), void *context)
{
    if (setjmp(operation->end) != 0)
        return false;
    work(context);
    return true;
}

bool gp_operation(void (*work)(void *context), void *context)
{
    struct blocks own = {0};
    struct operation operation = {.outer = innermost,
                                  .blocks = innermost != NULL ? innermost->blocks : &own,
                                  .depth = innermost != NULL ? innermost->depth + 1 : 1};
    innermost = &operation;
    bool done = ends_well(&operation, work, context);
    if (done)
        hand_over(&operation);
    else
        give_back(&operation);
    end(&operation);
    return done;
}

static void (*end_process)(void);

void gp_operation_or_end(void (*end)(void)) { end_process = end; }

void gp_operation_fail(void)
{
    if (innermost != NULL)
        longjmp(innermost->end, 1);
    if (end_process != NULL)
        end_process();
}

/* ---- Allocation ---- */

/* A new block is the operation's; without one, or without room to note it, the operation ends. */
static void *own(void *block)
{
    struct operation *o = innermost;
    if (block == NULL)
        gp_operation_fail();
    if (o != NULL && !reserve(o->blocks)) {
        free(block);
        gp_operation_fail();
    }
    if (o != NULL)
        add(o->blocks, block, o->depth);
    return block;
}

void *gp_malloc(size_t size) { return own(malloc(size > 0 ? size : 1)); }

void *gp_calloc(size_t count, size_t size) { return own(calloc(count > 0 ? count : 1, size > 0 ? size : 1)); }

/* A block that is older than the operations stays its owner's. */
void *gp_realloc(void *block, size_t size)
{
    if (block == NULL)
        return gp_malloc(size);
    uintptr_t before = (uintptr_t)block;
    void *moved = realloc(block, size > 0 ? size : 1);
    if (moved == NULL)
        gp_operation_fail();
    if (innermost == NULL)
        return moved;
    uint32_t depth = (uintptr_t)moved != before ? take_out(innermost->blocks, before) : 0;
    if (depth > 0)
        add(innermost->blocks, moved, depth); /* in the room of the old one */
    return moved;
}

void gp_free(void *block)
{
    if (block != NULL && innermost != NULL)
        take_out(innermost->blocks, (uintptr_t)block);
    free(block);
}

char *gp_strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = gp_malloc(length + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *gp_strdup(const char *text) { return gp_strndup(text, SIZE_MAX); }

int gp_vasprintf(char **text, const char *format, va_list values)
{
    int length = vasprintf(text, format, values);
    *text = own(length >= 0 ? *text : NULL);
    return length;
}

int gp_asprintf(char **text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int length = gp_vasprintf(text, format, values);
    va_end(values);
    return length;
}
