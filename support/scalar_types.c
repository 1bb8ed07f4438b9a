/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/scalar_types.h"

#include <stdlib.h>
#include <string.h>

static const struct gp_scalar_type types[] = {
    {"char", 1, 's'}, {"uchar", 1, 'u'}, {"short", 2, 's'}, {"ushort", 2, 'u'}, {"int", 4, 's'},
    {"uint", 4, 'u'}, {"long", 8, 's'},  {"ulong", 8, 'u'}, {"float", 4, 'f'},  {"double", 8, 'f'},
};

const struct gp_scalar_type *gp_scalar_type_of(const char *type, unsigned *elements)
{
    size_t letters = strcspn(type, "0123456789");
    *elements = type[letters] != '\0' ? (unsigned)strtoul(type + letters, NULL, 10) : 1;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == letters && strncmp(types[i].name, type, letters) == 0)
            return &types[i];
    return NULL;
}
