/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/cache/reuse.h"

void gp_line_set_init(struct gp_line_set *set) { gp_keyed_set_init(&set->lines); }
void gp_line_set_free(struct gp_line_set *set) { gp_keyed_set_free(&set->lines); }
void gp_line_set_clear(struct gp_line_set *set) { gp_keyed_set_clear(&set->lines); }

const struct gp_line *gp_line_set_find(const struct gp_line_set *set, uint32_t symbol, uint64_t line)
{
    return (const struct gp_line *)gp_keyed_set_find(&set->lines, sizeof(struct gp_line), symbol, line);
}

bool gp_line_set_has(const struct gp_line_set *set, uint32_t symbol, uint64_t line)
{
    return gp_line_set_find(set, symbol, line) != NULL;
}
