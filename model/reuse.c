#include "model/reuse.h"

enum { FIRST_CAPACITY = 256 };

void gp_line_set_init(struct gp_line_set *set) { gp_keyed_set_init(&set->lines); }
void gp_line_set_free(struct gp_line_set *set) { gp_keyed_set_free(&set->lines); }
void gp_line_set_clear(struct gp_line_set *set) { gp_keyed_set_clear(&set->lines, sizeof(struct gp_line)); }

struct gp_line *gp_line_set_touch(struct gp_line_set *set, uint32_t symbol, uint64_t line, bool *fresh)
{
    if (!gp_keyed_set_reserve(&set->lines, sizeof(struct gp_line), FIRST_CAPACITY))
        return NULL;
    struct gp_line *entry = (struct gp_line *)gp_keyed_set_probe(&set->lines, sizeof *entry, symbol, line);
    *fresh = !gp_keyed_set_holds(&set->lines, &entry->key);
    if (*fresh) {
        *entry = (struct gp_line){.key = {line, symbol, set->lines.generation}};
        set->lines.used++;
    }
    return entry;
}

bool gp_line_set_has(const struct gp_line_set *set, uint32_t symbol, uint64_t line)
{
    return gp_keyed_set_find(&set->lines, sizeof(struct gp_line), symbol, line) != NULL;
}
