/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/cache/written_lines.h"

enum { FIRST_SLOTS = 1024 };

/* The group that wrote the line first, and whether one far from it has since. */
struct written {
    struct gp_key line;
    bool shared;
    uint64_t group;
};

void gp_written_lines_init(struct gp_written_lines *lines, uint32_t most, uint64_t apart)
{
    *lines = (struct gp_written_lines){.most = most, .apart = apart};
    gp_keyed_set_init(&lines->set);
}

void gp_written_lines_free(struct gp_written_lines *lines) { gp_keyed_set_free(&lines->set); }

static struct written *entry_of(struct gp_written_lines *lines, uint64_t line, uint64_t group)
{
    bool fresh;
    if (lines->set.used == lines->most)
        return (struct written *)gp_keyed_set_find(&lines->set, sizeof(struct written), 0, line);
    struct written *entry =
        (struct written *)gp_keyed_set_enter(&lines->set, sizeof *entry, FIRST_SLOTS, 0, line, &fresh);
    if (entry != NULL && fresh) {
        entry->shared = false;
        entry->group = group;
    }
    return entry;
}

bool gp_write_line(struct gp_written_lines *lines, uint64_t line, uint64_t group)
{
    struct written *entry = entry_of(lines, line, group);
    if (entry == NULL)
        return false;
    uint64_t distance = group > entry->group ? group - entry->group : entry->group - group;
    if (!entry->shared && distance >= lines->apart) {
        entry->shared = true;
        lines->shared++;
    }
    return entry->shared;
}
