/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/cuda_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Longer ones before those that they begin with. */
static const struct {
    const char *opencl, *cuda;
} words[] = {
    {"the local id of dimension 0", "threadIdx.x"},
    {"the local id of dimension 1", "threadIdx.y"},
    {"the local id of dimension 2", "threadIdx.z"},
    {"the group id of dimension 0", "blockIdx.x"},
    {"the group id of dimension 1", "blockIdx.y"},
    {"the group id of dimension 2", "blockIdx.z"},
    {"work-group memory", "shared memory"},
    {"local memory", "shared memory"},
    {"local-memory", "shared-memory"},
    {"work-group", "block"},
    {"group", "block"},
    {"work-item", "thread"},
    {"dimension 0", "threadIdx.x"},
    {"get_global_id(0)", "threadIdx.x"},
    {"get_local_id(0)", "threadIdx.x"},
    {"global size", "grid"},
};

static bool is_at(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

/* Not a name that only begins so, as "groups_per_sm", "group.cu" or "group=4". */
static bool ends_word(const char *end)
{
    end += *end == 's';
    bool goes_on = *end == '_' || *end == '/' || *end == '=' || isalnum((unsigned char)*end);
    return !goes_on && !(*end == '.' && isalnum((unsigned char)end[1]));
}

/* A word's length, and what is said instead; 0: it is left as it is. */
static size_t known_word(const char *text, const char **instead)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_at(text, words[i].opencl) && ends_word(text + strlen(words[i].opencl))) {
            *instead = words[i].cuda;
            return strlen(words[i].opencl);
        }
    return 0;
}

static bool begins_word(const char *text, const char *at) { return at == text || strchr(" (,;\n", at[-1]) != NULL; }

/* How many characters are passed over, a word or one, and what is said for them; *instead NULL: the same. */
static size_t next_word(const char *text, const char *at, const char **instead)
{
    *instead = NULL;
    size_t length = begins_word(text, at) ? known_word(at, instead) : 0;
    return length > 0 ? length : 1;
}

void gp_say_in_cuda(char *text, size_t size)
{
    char said[512];
    size_t n = 0;
    for (const char *at = text; *at != '\0' && n + 1 < sizeof said;) {
        const char *instead;
        size_t length = next_word(text, at, &instead);
        if (instead == NULL)
            said[n++] = *at;
        else
            n += (size_t)snprintf(said + n, sizeof said - n, "%s", instead);
        n = n < sizeof said ? n : sizeof said - 1;
        at += length;
    }
    said[n] = '\0';
    snprintf(text, size, "%s", said);
}

void gp_text_say_in_cuda(struct gp_text *out, size_t from)
{
    struct gp_text said = {0};
    if (out->length <= from)
        return;
    const char *text = out->data + from;
    for (const char *at = text; *at != '\0';) {
        const char *instead;
        size_t length = next_word(text, at, &instead);
        if (instead == NULL)
            gp_text_append(&said, at, 1);
        else
            gp_text_printf(&said, "%s", instead);
        at += length;
    }
    out->length = from;
    gp_text_append(out, said.data, said.length);
    gp_text_free(&said);
}
