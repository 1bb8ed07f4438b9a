/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/findings/cuda_words.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Longer ones before those that they begin with. */
static const struct {
    const char *opencl, *cuda;
} words[] = {
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

/* A word's length, and what is said instead; 0: it is left as it is. */
static size_t known_word(const char *text, const char **instead)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_at(text, words[i].opencl)) {
            *instead = words[i].cuda;
            return strlen(words[i].opencl);
        }
    return 0;
}

static bool begins_word(const char *text, const char *at) { return at == text || strchr(" (,;", at[-1]) != NULL; }

void gp_say_in_cuda(char *text, size_t size)
{
    char said[512];
    size_t n = 0;
    for (const char *at = text; *at != '\0' && n + 1 < sizeof said;) {
        const char *instead = NULL;
        size_t length = begins_word(text, at) ? known_word(at, &instead) : 0;
        if (length == 0) {
            said[n++] = *at++;
            continue;
        }
        n += (size_t)snprintf(said + n, sizeof said - n, "%s", instead);
        n = n < sizeof said ? n : sizeof said - 1;
        at += length;
    }
    said[n] = '\0';
    snprintf(text, size, "%s", said);
}
