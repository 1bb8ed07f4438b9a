/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/nvrtc/as_cuda.h"

#include <ctype.h>
#include <string.h>

#include "support/text.h"

static const struct {
    const char *word, *before_star;
} spaces[] = {{"__local", ""}, {"local", ""}, {"__constant", "const"}, {"constant", "const"}};

static const char *const scalars[] = {"float", "int", "uint", "double"};

static size_t word_length(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    return length;
}

/* What stands for a word of an address space before a pointer; NULL: the word stays. */
static const char *instead_of(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (strlen(spaces[i].word) == length && strncmp(spaces[i].word, word, length) == 0)
            return word[length + strcspn(word + length, ";=[](){},#\"*")] == '*' ? spaces[i].before_star : NULL;
    return NULL;
}

static size_t blanks(const char *at) { return strspn(at, " \t"); }

/* The bytes of `(float4)` where a literal begins, its type in `type`; 0: none does. */
static size_t literal(const char *at, const char **type, size_t *type_length)
{
    if (*at != '(')
        return 0;
    *type = at + 1 + blanks(at + 1);
    *type_length = word_length(*type);
    const char *end = *type + *type_length + blanks(*type + *type_length);
    if (*end != ')' || end[1 + blanks(end + 1)] != '(')
        return 0;
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        size_t scalar = strlen(scalars[i]);
        if (*type_length == scalar + 1 && strncmp(*type, scalars[i], scalar) == 0 && strchr("24", (*type)[scalar]))
            return (size_t)(end + 1 - at);
    }
    return 0;
}

char *gp_as_cuda(const char *source)
{
    struct gp_text out = {0};
    while (*source != '\0') {
        const char *type;
        size_t type_length, length = word_length(source), cast = literal(source, &type, &type_length);
        const char *instead = length > 0 ? instead_of(source, length) : NULL;
        length += length == 0;
        if (cast > 0)
            gp_text_printf(&out, "gpuperf_%.*s", (int)type_length, type);
        else
            gp_text_append(&out, instead != NULL ? instead : source, instead != NULL ? strlen(instead) : length);
        source += cast > 0 ? cast : length;
    }
    return gp_text_take(&out);
}
