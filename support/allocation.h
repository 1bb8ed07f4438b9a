/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * All C files see this header before all others (support/CMakeLists.txt): what they allocate belongs to the operation
 * that is under way in their thread (operation.h), if there is one. There none of these functions gives NULL: without
 * memory the operation ends, and all that it allocated is freed. Elsewhere they are the C library's. Blocks are the C
 * library's in any case: who gets one from an operation that went well frees it as usual.
 */
#ifndef GPUPERF_SUPPORT_ALLOCATION_H
#define GPUPERF_SUPPORT_ALLOCATION_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *gp_malloc(size_t size);
void *gp_calloc(size_t count, size_t size);
void *gp_realloc(void *block, size_t size);
void gp_free(void *block);
char *gp_strdup(const char *text);
char *gp_strndup(const char *text, size_t most);
int gp_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int gp_vasprintf(char **text, const char *format, va_list values) __attribute__((format(printf, 2, 0)));

#define malloc(size)         gp_malloc(size)
#define calloc(count, size)  gp_calloc(count, size)
#define realloc(block, size) gp_realloc(block, size)
#define free(block)          gp_free(block)
#undef strdup
#undef strndup
#define strdup(text)                    gp_strdup(text)
#define strndup(text, most)             gp_strndup(text, most)
#define asprintf(...)                   gp_asprintf(__VA_ARGS__)
#define vasprintf(text, format, values) gp_vasprintf(text, format, values)

#endif
