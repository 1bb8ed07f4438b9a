/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every finding is told by: its cause's name, its place, the lines that belong to it, its worth. */
#include <stdio.h>
#include <string.h>

#include "model/findings/access_groups.h"
#include "model/predict.h"

static const struct {
    const char *name;
    bool warns;
} causes[] = {
#define X(name, text, warns) {text, warns},
    GP_CAUSES(X)
#undef X
};

const char *gp_cause_name(enum gp_cause cause) { return cause < GP_CAUSE_COUNT ? causes[cause].name : "?"; }

bool gp_cause_warns(enum gp_cause cause) { return cause < GP_CAUSE_COUNT && causes[cause].warns; }

bool gp_cause_is_a_limit(enum gp_cause cause) { return cause == GP_CAUSE_LATENCY || cause == GP_CAUSE_BANDWIDTH; }

static bool is_listed(const struct gp_profile *profile, const struct gp_bottleneck *b, uint32_t location)
{
    for (uint32_t i = 0; i <= b->also_count; i++)
        if (gp_on_one_line(profile, i == 0 ? b->location : b->also[i - 1], location))
            return true;
    return false;
}

double gp_bottleneck_worth(const struct gp_bottleneck *b)
{
    double beside = b->speedup_beside > 0 ? 1 - 1 / b->speedup_beside : 0;
    return beside > b->share ? beside : b->share;
}

const char *gp_bottleneck_when(const struct gp_bottleneck *b) { return b->only_then ? "then" : b->beside; }

void gp_bottleneck_add_line(const struct gp_profile *profile, struct gp_bottleneck *b, uint32_t location)
{
    if (b->also_count < GP_MAX_ALSO && !is_listed(profile, b, location))
        b->also[b->also_count++] = location;
}

int gp_print_further_line(char *text, size_t size, size_t index, size_t count, const char *file, uint32_t line)
{
    const char *start = index > 0 ? ", " : count > 1 ? " (and lines " : " (and line ";
    return snprintf(text, size, "%s%s%s%u%s", start, file != NULL ? file : "", file != NULL ? ":" : "", line,
                    index + 1 == count ? ")" : "");
}

void gp_bottleneck_also(const struct gp_profile *profile, const struct gp_bottleneck *b, char *text, size_t size)
{
    const struct gp_location *first = b->location < profile->location_count ? &profile->locations[b->location] : NULL;
    size_t n = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < b->also_count && n < size; i++) {
        const struct gp_location *line = &profile->locations[b->also[i]];
        bool elsewhere = first == NULL || strcmp(first->file, line->file) != 0;
        n += (size_t)gp_print_further_line(text + n, size - n, i, b->also_count, elsewhere ? line->file : NULL,
                                           line->line);
    }
}

void gp_print_place(const struct gp_profile *profile, const struct gp_kernel *kernel, uint32_t location, char *text,
                    size_t size)
{
    uint32_t at = location < profile->location_count ? location : kernel->location;
    text[0] = '\0';
    if (at < profile->location_count)
        snprintf(text, size, "%s:%u:%u", profile->locations[at].file, profile->locations[at].line,
                 profile->locations[at].column);
}
