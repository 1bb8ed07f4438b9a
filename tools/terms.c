/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/findings/cuda_words.h"
#include "tools/results.h"

/* Five digits, and no more than there are. */
static void print_value(double value, char text[24])
{
    if (fabs(value) >= 1e5 && fabs(value) < 1e9)
        snprintf(text, 24, "%.0f", value);
    else
        snprintf(text, 24, "%.5g", value);
}

void gp_print_terms(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_prediction *p = &result->predictions[0];
    struct gp_time_term terms[GP_MOST_TERMS];
    size_t count = gp_list_terms(&p->terms, p->model, terms, GP_MOST_TERMS);
    char local[GP_SIZES_TEXT];
    bool cuda = strcmp(result->profile->language, "cuda") == 0;
    gp_text_printf(out, "\n  Terms of the time with %s %s (%s; docs/models.md):\n", gp_local_word(result),
                   gp_sizes_text(p->dims, p->local, local), p->model);
    for (size_t i = 0; i < count; i++) {
        char value[24];
        const char *name = terms[i].symbol[0] != '\0' ? terms[i].symbol : terms[i].name;
        print_value(terms[i].value, value);
        gp_text_printf(out, "    %-22s %9s ", name, value); /* a symbol is the same in both */
        size_t from = out->length;
        gp_text_printf(out, "%-9s %s\n", terms[i].unit, terms[i].what);
        if (cuda)
            gp_text_say_in_cuda(out, from);
    }
}
