/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What `ptxas -v` prints per kernel:
 *
 *   ptxas info    : Compiling entry function 'NAME' for 'sm_80'
 *   ptxas info    : Function properties for NAME
 *       16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
 *   ptxas info    : Used 26 registers, used 1 barriers, 4224 bytes smem, 376 bytes cmem[0]
 *
 * Functions that are not kernels have "Function properties" only, after the kernel's lines.
 */
#define _GNU_SOURCE /* strchrnul */
#include "compile/backend_list.h"

#include <stdint.h>
#include <stdio.h>

#include "compile/line.h"

/* The number before `words` in the line; 0 when it is not there. */
static uint32_t number_before(const char *line, const char *end, const char *words)
{
    const char *at = gp_find_in_line(line, end, words);
    if (at == NULL)
        return 0;
    const char *digits = at;
    while (digits > line && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    return digits == at ? 0 : (uint32_t)strtoul(digits, NULL, 10);
}

/* The text between the quotes after "Compiling entry function". */
static bool entry_name(const char *line, const char *end, const char **name, size_t *length)
{
    if (gp_find_in_line(line, end, "Compiling entry function '") == NULL)
        return false;
    *name = (const char *)memchr(line, '\'', (size_t)(end - line)) + 1;
    const char *quote = memchr(*name, '\'', (size_t)(end - *name));
    *length = quote ? (size_t)(quote - *name) : 0;
    return *length > 0;
}

/* Whether "Function properties for NAME" speaks of the kernel itself. */
static bool speaks_of(const char *line, const char *end, const char *symbol)
{
    static const char words[] = "Function properties for ";
    const char *at = gp_find_in_line(line, end, words);
    if (at == NULL)
        return false;
    at += sizeof words - 1;
    return (size_t)(end - at) == strlen(symbol) && memcmp(at, symbol, strlen(symbol)) == 0;
}

static void read_frame(const char *line, const char *end, struct gp_resources *resources)
{
    resources->stack_bytes = number_before(line, end, " bytes stack frame");
    resources->spill_store_bytes = number_before(line, end, " bytes spill stores");
    resources->spill_load_bytes = number_before(line, end, " bytes spill loads");
}

void gp_read_ptxas(const char *text, struct gp_backend_list *list)
{
    struct gp_resources *current = NULL;
    bool own_frame = false;
    for (const char *line = text; *line != '\0'; line += *line == '\n') {
        const char *end = strchrnul(line, '\n');
        const char *name;
        size_t length;
        if (entry_name(line, end, &name, &length)) {
            current = gp_backend_add(list, name, length);
            current->source = GP_SOURCE_PTXAS;
        } else if (gp_find_in_line(line, end, "Function properties for ") != NULL) {
            own_frame = current != NULL && speaks_of(line, end, list->kernels[list->count - 1].symbol);
        } else if (own_frame && gp_find_in_line(line, end, " bytes stack frame") != NULL) {
            read_frame(line, end, current);
            own_frame = false;
        } else if (current != NULL && gp_find_in_line(line, end, "Used ") != NULL &&
                   gp_find_in_line(line, end, " registers") != NULL) {
            current->registers = number_before(line, end, " registers");
            current->local_bytes = number_before(line, end, " bytes smem");
        }
        line = end;
    }
}
