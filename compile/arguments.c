/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* vasprintf */
#include "compile/arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes over `item`. */
static void push(struct gp_arguments *arguments, char *item)
{
    if (arguments->count + 2 > arguments->capacity) {
        arguments->capacity = arguments->capacity ? arguments->capacity * 2 : 32;
        arguments->items = realloc(arguments->items, arguments->capacity * sizeof *arguments->items);
    }
    arguments->items[arguments->count++] = item;
    arguments->items[arguments->count] = NULL;
}

void gp_arguments_add(struct gp_arguments *arguments, const char *format, ...)
{
    char *item = NULL;
    va_list values;
    va_start(values, format);
    vasprintf(&item, format, values);
    va_end(values);
    push(arguments, item);
}

void gp_arguments_add_all(struct gp_arguments *arguments, const char *const *items)
{
    for (; items != NULL && *items != NULL; items++)
        push(arguments, strdup(*items));
}

void gp_arguments_include(struct gp_arguments *arguments, const char *path)
{
    gp_arguments_add(arguments, "-include");
    gp_arguments_add(arguments, "%s", path);
}

void gp_arguments_add_opencl(struct gp_arguments *arguments, enum gp_opencl language)
{
    static const char *const c[] = {
        "-x", "cl", "-fgnu89-inline", "-Wno-error=incompatible-pointer-types", "-Wno-error=int-conversion", NULL};
    static const char *const cpp[] = {"-x", "clcpp", NULL};
    static const char *const standards[] = {
        [GP_OPENCL_1_2] = "CL1.2", [GP_OPENCL_2_0] = "CL2.0", [GP_OPENCL_CPP] = "CLC++"};
    gp_arguments_add_all(arguments, language == GP_OPENCL_CPP ? cpp : c);
    gp_arguments_add(arguments, "-cl-std=%s", standards[language]);
}

void gp_arguments_add_source(struct gp_arguments *arguments, const char *path)
{
    bool is_taken = path[0] == '-' || path[0] == '@'; /* @FILE: arguments are read from there */
    gp_arguments_add(arguments, is_taken ? "./%s" : "%s", path);
}

bool gp_is_option(const char *argument, const char *option)
{
    return strcmp(argument, option) == 0 || (argument[0] == '-' && strcmp(argument + 1, option) == 0);
}

void gp_arguments_free(struct gp_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->items[i]);
    free(arguments->items);
    *arguments = (struct gp_arguments){0};
}
