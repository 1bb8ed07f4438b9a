/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The measurement programs, which the build embeds (tools/calibrate/kernels/). */
#include <string.h>

#include "support/text.h"
#include "tools/calibrate/target.h"

extern const char gp_kernels_chains[], gp_kernels_chase[], gp_kernels_core[], gp_kernels_cuda[],
    gp_kernels_departures[], gp_kernels_group[], gp_kernels_memory[], gp_kernels_operations[], gp_kernels_outstanding[],
    gp_kernels_places[], gp_kernels_policy[], gp_kernels_residency[], gp_kernels_shuffles[], gp_kernels_texture[];

static const struct {
    const char *name, *text;
} programs[] = {
    {"chains", gp_kernels_chains},
    {"chase", gp_kernels_chase},
    {"core", gp_kernels_core},
    {"departures", gp_kernels_departures},
    {"group", gp_kernels_group},
    {"memory", gp_kernels_memory},
    {"operations", gp_kernels_operations},
    {"outstanding", gp_kernels_outstanding},
    {"places", gp_kernels_places},
    {"policy", gp_kernels_policy},
    {"residency", gp_kernels_residency},
    {"shuffles", gp_kernels_shuffles},
    {"texture", gp_kernels_texture},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

const char *gp_program_name(size_t number) { return number < PROGRAMS ? programs[number].name : NULL; }

const char *gp_program_text(const char *name)
{
    for (size_t i = 0; i < PROGRAMS; i++)
        if (strcmp(programs[i].name, name) == 0)
            return programs[i].text;
    return NULL;
}

char *gp_program_for_cuda(const char *name)
{
    struct gp_text text = {0};
    gp_text_printf(&text, "%s#line 1 \"%s.cl\"\n%s", gp_kernels_cuda, name, gp_program_text(name));
    return text.data;
}
