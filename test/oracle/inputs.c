/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "test/oracle/inputs.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 1 << 20, MARGIN = 1 << 16 };

/* xorshift64*: the same numbers everywhere. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1du >> 16;
}

static bool fill(unsigned char *bytes, size_t size, const char *how, uint64_t seed)
{
    char kind[16] = "mod";
    double number = 1000;
    uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    if (how && sscanf(how, "%15[a-z]:%lf", kind, &number) != 2)
        return false;
    uint64_t limit = number >= 1 ? (uint64_t)number : 1;
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint32_t word[2];
        for (size_t k = 0; k < 2; k++) {
            uint64_t random = next_random(&state);
            float real = (float)(number * (double)(random % 65536) / 65536);
            if (!strcmp(kind, "mod"))
                word[k] = (uint32_t)(random % limit);
            else if (!strcmp(kind, "ramp"))
                word[k] = (uint32_t)((double)(i / 4 + k) * number);
            else if (!strcmp(kind, "const"))
                word[k] = (uint32_t)(int64_t)number;
            else if (!strcmp(kind, "float"))
                memcpy(&word[k], &real, 4);
            else if (!strcmp(kind, "long"))
                word[k] = k == 0 ? (uint32_t)(random % limit) : 0;
            else if (!strcmp(kind, "byte"))
                word[k] = (uint32_t)(random % limit | random / 7 % limit << 8 | random / 49 % limit << 16 |
                                     random / 343 % limit << 24);
            else
                return false;
        }
        memcpy(bytes + i, word, 8);
    }
    return true;
}

/* The value of NAME= in the line, in `text`; NULL: it is not there. */
static const char *value_of(const char *line, const char *name, char *text, size_t size)
{
    size_t length = strlen(name);
    for (const char *at = line; (at = strstr(at, name)); at += length) {
        bool whole = (at == line || at[-1] == ' ') && at[length] == '=';
        if (!whole)
            continue;
        size_t end = strcspn(at + length + 1, " \n");
        snprintf(text, size, "%.*s", (int)end, at + length + 1);
        return text;
    }
    return NULL;
}

static bool is_pointer(const struct gp_param *param)
{
    return param->kind == GP_PARAM_BUFFER || param->kind == GP_PARAM_LOCAL;
}

static bool set_argument(const struct gp_kernel *kernel, uint32_t p, const char *line, struct oracle_inputs *inputs,
                         struct gp_error *error)
{
    const struct gp_param *param = &kernel->params[p];
    const struct gp_argument *argument = &inputs->launch.arguments[p];
    unsigned char *slot = inputs->arguments + (size_t)p * ORACLE_ARGUMENT_BYTES;
    char text[64];
    const char *how = param->name[0] ? value_of(line, param->name, text, sizeof text) : NULL;
    bool ok = true;
    if (is_pointer(param)) {
        bool local = param->kind == GP_PARAM_LOCAL;
        uint64_t bytes = local ? argument->bytes : BUFFER;
        unsigned char *memory = (unsigned char *)(uintptr_t)inputs->start[p];
        if (!memory) {
            memory =
                aligned_alloc(ORACLE_ALIGNMENT, (bytes + 2 * MARGIN + ORACLE_ALIGNMENT) & -(size_t)ORACLE_ALIGNMENT);
            if (!memory)
                return gp_fail(error, "out of memory");
            memory += MARGIN;
            inputs->start[p] = (uint64_t)(uintptr_t)memory;
            inputs->regions[inputs->region_count++] = (struct oracle_region){inputs->start[p], bytes, local};
        }
        if (!local)
            ok = fill(memory, bytes, how, p + 1);
        memcpy(slot, &memory, sizeof memory);
    } else if (param->kind == GP_PARAM_OTHER) {
        ok = fill(slot, ORACLE_ARGUMENT_BYTES, how, p + 1);
    } else if (argument->known) {
        memcpy(slot, &argument->value, 8);
    } else {
        ok = fill(slot, 64, how ? how : "const:1", p + 1);
    }
    return ok || gp_fail(error, "'%s' is no way to fill '%s'", how, param->name);
}

/* Sizes and scalars go to the launch as the command would take them. */
static bool assume(const struct gp_kernel *kernel, const char *line, struct gp_launch *launch, struct gp_error *error)
{
    char items[512] = "";
    size_t length = 0;
    for (const char *at = line + strspn(line, " "); *at && *at != '\n'; at += strspn(at, " ")) {
        size_t end = strcspn(at, " \n");
        const char *colon = memchr(at, ':', end);
        bool other = colon || !strncmp(at, "targets=", 8);
        if (!other && length + end + 2 < sizeof items)
            length +=
                (size_t)snprintf(items + length, sizeof items - length, "%s%.*s", length ? ":" : "", (int)end, at);
        at += end;
    }
    return gp_launch_assume(kernel, launch, items, error);
}

bool oracle_launch(const struct gp_kernel *kernel, const char *line, bool whole_groups, struct gp_launch *launch,
                   struct gp_error *error)
{
    memset(launch, 0, sizeof *launch);
    gp_launch_default(kernel, launch);
    if (!assume(kernel, line, launch, error))
        return false;
    for (int d = 0; d < 3 && whole_groups; d++) {
        uint64_t local = launch->local[d];
        launch->global[d] = (launch->global[d] + local - 1) / local * local;
    }
    return true;
}

bool oracle_inputs_make(const struct gp_kernel *kernel, const char *line, bool whole_groups,
                        struct oracle_inputs *inputs, struct gp_error *error)
{
    memset(inputs, 0, sizeof *inputs);
    if (!oracle_launch(kernel, line, whole_groups, &inputs->launch, error))
        return false;
    inputs->arguments = aligned_alloc(ORACLE_ALIGNMENT, ORACLE_ALIGNMENT * ((size_t)kernel->param_count + 1));
    bool ok = inputs->arguments || gp_fail(error, "out of memory");
    inputs->regions[inputs->region_count++] = (struct oracle_region){
        (uint64_t)(uintptr_t)inputs->arguments, ORACLE_ARGUMENT_BYTES * (uint64_t)kernel->param_count, false};
    for (uint32_t p = 0; ok && p < kernel->param_count; p++)
        ok = set_argument(kernel, p, line, inputs, error);
    if (!ok)
        oracle_inputs_free(inputs);
    return ok;
}

void oracle_inputs_reset(const struct gp_kernel *kernel, const char *line, struct oracle_inputs *inputs)
{
    struct gp_error unused = {0};
    for (uint32_t p = 0; p < kernel->param_count; p++)
        set_argument(kernel, p, line, inputs, &unused);
}

void oracle_inputs_free(struct oracle_inputs *inputs)
{
    for (uint32_t p = 0; p < GP_MAX_ARGUMENTS; p++)
        if (inputs->start[p])
            free((unsigned char *)(uintptr_t)inputs->start[p] - MARGIN);
    free(inputs->arguments);
    memset(inputs, 0, sizeof *inputs);
}
