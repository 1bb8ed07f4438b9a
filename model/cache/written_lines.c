/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/cache/written_lines.h"

#include <stdlib.h>

/* The line plus 1 (0: none), and the group that wrote it first. */
struct written {
    uint64_t line, group;
    bool shared;
};

struct gp_written_lines {
    uint64_t apart;
    uint32_t most, count, shared, mask;
    struct written table[];
};

struct gp_written_lines *gp_written_lines_new(uint32_t most, uint64_t apart)
{
    uint32_t size = 16;
    while (size < 2 * most)
        size *= 2;
    struct gp_written_lines *lines = calloc(1, sizeof *lines + size * sizeof *lines->table);
    lines->most = most;
    lines->apart = apart;
    lines->mask = size - 1;
    return lines;
}

void gp_written_lines_free(struct gp_written_lines *lines) { free(lines); }

static struct written *entry_of(struct gp_written_lines *lines, uint64_t line)
{
    uint32_t at = (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) & lines->mask; /* the golden ratio's bits */
    while (lines->table[at].line != 0 && lines->table[at].line != line + 1)
        at = (at + 1) & lines->mask;
    return &lines->table[at];
}

bool gp_write_line(struct gp_written_lines *lines, uint64_t line, uint64_t group)
{
    struct written *entry = entry_of(lines, line);
    if (entry->line == 0) {
        if (lines->count == lines->most)
            return false;
        lines->count++;
        *entry = (struct written){line + 1, group, false};
    }
    uint64_t distance = group > entry->group ? group - entry->group : entry->group - group;
    if (!entry->shared && distance >= lines->apart) {
        entry->shared = true;
        lines->shared++;
    }
    return entry->shared;
}

uint32_t gp_shared_lines(const struct gp_written_lines *lines) { return lines->shared; }
