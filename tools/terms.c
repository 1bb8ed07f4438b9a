/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>

#include "tools/results.h"

/* Five digits, and no more than there are. */
static void print_value(double value, char text[24])
{
    if (fabs(value) >= 1e5 && fabs(value) < 1e9)
        snprintf(text, 24, "%.0f", value);
    else
        snprintf(text, 24, "%.5g", value);
}

void gp_print_terms(const struct gp_prediction *p, struct gp_text *out)
{
    struct gp_time_term terms[GP_MOST_TERMS];
    size_t count = gp_list_terms(&p->terms, p->model, terms, GP_MOST_TERMS);
    gp_text_printf(out, "\n  Terms of the time with local %ux%ux%u (%s; docs/models.md):\n", p->local[0], p->local[1],
                   p->local[2], p->model);
    for (size_t i = 0; i < count; i++) {
        char value[24];
        const char *name = terms[i].symbol[0] != '\0' ? terms[i].symbol : terms[i].name;
        print_value(terms[i].value, value);
        gp_text_printf(out, "    %-22s %9s %-9s %s\n", name, value, terms[i].unit, terms[i].what);
    }
}
