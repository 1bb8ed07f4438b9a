/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/predict/calibration.h"

#include <stdio.h>
#include <string.h>

struct cell {
    const char *path;
    uint32_t rows, kernels;
    double confidence, low, high;
};

/* `cells`, that of all rows first, and `longest_ns`. */
#include "model/predict/calibration_table.h"

double gp_longest_evidence(void) { return longest_ns; }

static const char *vendor_of(enum gp_arch arch)
{
    return arch == GP_ARCH_CPU ? "cpu" : arch == GP_ARCH_XE ? "intel" : gp_arch_is_nvidia(arch) ? "nvidia" : "amd";
}

static const char *known_of(double share)
{
    const double nearly_all = 0.9, little = 0.4;
    return share >= nearly_all ? "known" : share >= little ? "partly" : "guessed";
}

/* A warp of 32 lanes that read a float each side by side asks for 4 sectors; one and a bit where it begins anywhere. */
static const char *access_of(double transactions)
{
    const double side_by_side = 5;
    return transactions <= side_by_side ? "coalesced" : "scattered";
}

static const char *bound_of(enum gp_limiter limiter)
{
    switch (limiter) {
    case GP_LIMITER_L1:
    case GP_LIMITER_L2:
    case GP_LIMITER_DRAM: return "memory";
    case GP_LIMITER_LATENCY:
    case GP_LIMITER_BARRIER:
    case GP_LIMITER_LAUNCH: return "waits";
    default: return "pipes";
    }
}

static const char *code_of(const struct gp_circumstances *c)
{
    return c->spills ? "spills" : c->compiled ? "compiled" : "estimated";
}

void gp_circumstances_path(const struct gp_circumstances *c, char path[GP_CELL_TEXT])
{
    snprintf(path, GP_CELL_TEXT, "%s/%s/%s/%s/%s/%s", vendor_of(c->arch), known_of(c->known_share),
             access_of(c->transactions), bound_of(c->limiter), code_of(c), gp_arch_name(c->arch));
}

/* Whether the cell has rows of such a path. */
static bool holds(const char *cell, const char *path)
{
    size_t length = strlen(cell);
    return length == 0 || (strncmp(cell, path, length) == 0 && (path[length] == '/' || path[length] == '\0'));
}

void gp_find_evidence(const char *path, struct gp_evidence *evidence)
{
    const struct cell *found = &cells[0]; /* all rows */
    for (size_t i = 1; i < sizeof cells / sizeof *cells; i++)
        if (holds(cells[i].path, path) && strlen(cells[i].path) > strlen(found->path))
            found = &cells[i];
    *evidence = (struct gp_evidence){.cell = found->path[0] != '\0' ? found->path : "all",
                                     .rows = found->rows,
                                     .kernels = found->kernels,
                                     .confidence = found->confidence,
                                     .low = found->low,
                                     .high = found->high};
}
