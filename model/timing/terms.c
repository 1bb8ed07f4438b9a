/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/timing/terms.h"

#include <stdbool.h>
#include <string.h>

#define X(field, symbol, unit, what) {#field, symbol, unit, what, offsetof(struct gp_terms, field)},
struct row {
    const char *name, *symbol, *unit, *what;
    size_t offset;
};
static const struct row of_launch[] = {GP_TERMS_LAUNCH(X)};
static const struct row of_units[] = {GP_TERMS_UNITS(X)};
static const struct row of_floors[] = {GP_TERMS_FLOORS(X)};
static const struct row of_throughput[] = {GP_TERMS_THROUGHPUT(X)};
static const struct row of_mwp_cwp[] = {GP_TERMS_MWP_CWP(X)};
static const struct row of_trace[] = {GP_TERMS_TRACE(X)};
static const struct row of_cpu[] = {GP_TERMS_CPU(X)};
#undef X

#define ROWS(of) of, sizeof of / sizeof *of
static const struct {
    const char *model; /* NULL: all */
    const struct row *rows;
    size_t count;
} sections[] = {
    {"throughput", ROWS(of_units)},  {"trace", ROWS(of_units)},  {"cpu", ROWS(of_units)},
    {"throughput", ROWS(of_floors)}, {"trace", ROWS(of_floors)}, {"throughput", ROWS(of_throughput)},
    {"mwp-cwp", ROWS(of_mwp_cwp)},   {"trace", ROWS(of_trace)},  {"cpu", ROWS(of_cpu)},
    {NULL, ROWS(of_launch)},
};

static struct gp_time_term term_of(const struct gp_terms *terms, const struct row *row)
{
    struct gp_time_term term = {.name = row->name, .symbol = row->symbol, .unit = row->unit, .what = row->what};
    memcpy(&term.value, (const char *)terms + row->offset, sizeof term.value);
    return term;
}

size_t gp_list_terms(const struct gp_terms *terms, const char *model, struct gp_time_term *list, size_t most)
{
    size_t count = 0;
    for (size_t s = 0; s < sizeof sections / sizeof *sections; s++)
        for (size_t i = 0; i < sections[s].count && count < most; i++)
            if (sections[s].model == NULL || strcmp(sections[s].model, model) == 0)
                list[count++] = term_of(terms, &sections[s].rows[i]);
    return count;
}
