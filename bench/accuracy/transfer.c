/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/accuracy/transfer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The other GPUs' times of one kernel. */
struct elsewhere {
    struct table tables[MAX_FILES];
    int count;
};

static void read_tables(const char *directory, const struct measured *m, struct elsewhere *e)
{
    char kernel[128], own[160], path[512], *files[MAX_FILES];
    snprintf(kernel, sizeof kernel, "%.*s", (int)(strstr(m->name, "__") + 2 - m->name), m->name);
    snprintf(own, sizeof own, "%s.csv", m->name);
    int count = measured_find(directory, (char *[]){kernel, NULL}, files);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, files[i]);
        if (strncmp(files[i], kernel, strlen(kernel)) == 0 && strcmp(files[i], own) != 0)
            e->count += table_read(path, &e->tables[e->count], &(struct gp_error){{0}});
        free(files[i]);
    }
}

/* The logarithm of a shape's regret in another GPU's rows of a slice; NAN: it has none. */
static double regret_there(const struct table *there, const struct table *here, size_t row, const unsigned shape[2])
{
    double best = INFINITY, worst = 0, own = NAN;
    for (size_t r = 0; r < there->rows; r++) {
        if (!measured_same_slice(here, row, there, r))
            continue;
        double time = table_cell(there, r, "time_ms", NAN);
        best = fmin(best, time);
        worst = fmax(worst, time);
        if (table_cell(there, r, "block_size_x", 1) == shape[0] && table_cell(there, r, "block_size_y", 1) == shape[1])
            own = time;
    }
    return worst > 0 ? log((isnan(own) ? worst : own) / best) : NAN;
}

/* The sum of that over the other GPUs; NAN: none has the slice. */
static double regrets_elsewhere(const struct elsewhere *e, const struct table *here, const struct config *c)
{
    double sum = NAN;
    for (int i = 0; i < e->count; i++) {
        double there = regret_there(&e->tables[i], here, c->row, c->block);
        if (!isnan(there))
            sum = (isnan(sum) ? 0 : sum) + there;
    }
    return sum;
}

double transfer_regret(const char *directory, const struct measured *measured, const struct config *configs,
                       size_t count)
{
    struct elsewhere *e = calloc(1, sizeof *e);
    double total = 0;
    size_t slices = 0;
    if (e == NULL)
        return NAN;
    read_tables(directory, measured, e);
    for (size_t first = 0, end; first < count; first = end) {
        double best = INFINITY, least = INFINITY, picked = NAN;
        for (end = first; end < count && configs[end].slice == configs[first].slice; end++) {
            double regret = regrets_elsewhere(e, &measured->table, &configs[end]);
            best = fmin(best, configs[end].measured_ms);
            if (regret < least) {
                least = regret;
                picked = configs[end].measured_ms;
            }
        }
        if (!isnan(picked)) {
            total += log(picked / best);
            slices++;
        }
    }
    for (int i = 0; i < e->count; i++)
        table_free(&e->tables[i]);
    free(e);
    return slices > 0 ? exp(total / (double)slices) : NAN;
}
