/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which cache lines were touched before, by whom and how long ago: a hash set of (symbol, line) with stamps. One set
 * stands for what the warps of one work-group touch.
 */
#ifndef GPUPERF_MODEL_REUSE_H
#define GPUPERF_MODEL_REUSE_H

#include "model/cache/keyed_set.h"

struct gp_line {
    struct gp_key key;    /* number: of the line, from the symbol's start */
    uint32_t owner, turn; /* the caller's: who touched it first, in which iteration, and when last */
    double stamp;
    uint64_t request; /* the caller's number of the request that touched it last; 0 at first */
    uint32_t memory : 31,
        written : 1;    /* the caller's memory operation that touched it last; whether any so far wrote it */
    uint32_t last_turn; /* in which iteration that was */
};

enum { GP_LINE_SET_CAPACITY = 256 /* at first */ };

struct gp_line_set {
    struct gp_keyed_set lines;
}; /* of struct gp_line */

static inline void gp_line_set_init(struct gp_line_set *set) { gp_keyed_set_init(&set->lines); }
static inline void gp_line_set_free(struct gp_line_set *set) { gp_keyed_set_free(&set->lines); }
static inline void gp_line_set_clear(struct gp_line_set *set) { gp_keyed_set_clear(&set->lines); }

/* The entry of a line; *fresh: it was not there and has been added (stamp 0). NULL: out of memory, or more than 2^20
 * lines. */
static inline struct gp_line *gp_line_set_touch(struct gp_line_set *set, uint32_t symbol, uint64_t line, bool *fresh)
{
    struct gp_line *entry =
        (struct gp_line *)gp_keyed_set_enter(&set->lines, sizeof *entry, GP_LINE_SET_CAPACITY, symbol, line, fresh);
    if (entry != NULL && *fresh)
        *entry = (struct gp_line){.key = {line, symbol}};
    return entry;
}

/* The line will be touched soon. */
static inline void gp_line_set_expect(const struct gp_line_set *set, uint32_t symbol, uint64_t line)
{
    gp_keyed_set_expect(&set->lines, symbol, line);
}

/* NULL: it was never touched. */
static inline const struct gp_line *gp_line_set_find(const struct gp_line_set *set, uint32_t symbol, uint64_t line)
{
    return (const struct gp_line *)gp_keyed_set_find(&set->lines, sizeof(struct gp_line), symbol, line);
}

static inline bool gp_line_set_has(const struct gp_line_set *set, uint32_t symbol, uint64_t line)
{
    return gp_line_set_find(set, symbol, line) != NULL;
}

#endif
