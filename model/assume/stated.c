/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/stated.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/assume/defaults.h"
#include "model/assume/rules.h"
#include "model/assume/stated_ranges.h"
#include "model/assume/texels.h"
#include "model/assume/vectors.h"
#include "model/launch/numbers.h"
#include "support/suggest.h"

/* CUDA's `extern __shared__`: one piece of memory, whatever the names it has. */
static bool is_dynamic_array(const struct gp_kernel *kernel, const char *name)
{
    for (uint32_t i = 0; i < kernel->local_count; i++)
        if (kernel->locals[i].bytes == 0 && *name != '\0' && strcmp(kernel->locals[i].name, name) == 0)
            return true;
    return false;
}

bool gp_launch_has_argument(const struct gp_kernel *kernel, const char *name)
{
    return gp_kernel_find_param(kernel, name) != GP_NONE || is_dynamic_array(kernel, name);
}

static bool parse_u32(const char *name, const char *number, uint32_t least, uint32_t *value, struct gp_error *error)
{
    uint64_t wide;
    if (!gp_parse_integer(number, 32, &wide) || *number == '-' || wide < least)
        return gp_fail(error, "'%s=%.80s': a whole number from %u on is wanted", name, number, least);
    *value = (uint32_t)wide;
    return true;
}

static void list_name(char *text, size_t size, const char *name)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", name);
}

static void list_arguments(const struct gp_kernel *kernel, char *text, size_t size)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        const struct gp_param *param = &kernel->params[i];
        uint32_t elements[GP_MOST_ELEMENTS];
        bool settable = gp_is_scalar_integer(param) || gp_vector_elements(kernel, i, elements) > 0 ||
                        param->kind == GP_PARAM_FLOAT || param->kind == GP_PARAM_LOCAL ||
                        param->kind == GP_PARAM_BUFFER || param->kind == GP_PARAM_IMAGE;
        bool own = (param->flags & GP_PARAM_ELEMENT) == 0 ||
                   (gp_is_member(kernel, param) && (param->flags & GP_PARAM_SKELETON) != 0);
        if (settable && own && *param->name != '\0')
            list_name(text, size, param->name);
    }
    for (uint32_t i = 0; i < kernel->local_count; i++)
        if (kernel->locals[i].bytes == 0 && kernel->locals[i].name[0] != '\0')
            list_name(text, size, kernel->locals[i].name);
}

static bool set_bytes(const struct gp_param *param, struct gp_argument *argument, const char *number,
                      struct gp_error *error)
{
    bool local = param->kind == GP_PARAM_LOCAL;
    uint64_t bytes;
    if (!gp_parse_integer(number, local ? 32 : 47, &bytes) || *number == '-') /* what a process can address */
        return gp_fail(error, "'%.80s' is no number of bytes for the %s '%.80s'", number,
                       local ? "local argument" : "buffer", param->name);
    argument->bytes = bytes;
    argument->stated = true;
    return true;
}

static bool set_texel(const struct gp_param *param, struct gp_argument *argument, const char *number,
                      struct gp_error *error)
{
    uint64_t bytes;
    if (!gp_parse_integer(number, 32, &bytes) || bytes < 1 || bytes > GP_MOST_TEXEL_BYTES)
        return gp_fail(error, "'%.80s' is no number of bytes that a texel of the image '%.80s' can have: from 1 to %d",
                       number, param->name, GP_MOST_TEXEL_BYTES);
    argument->bytes = bytes;
    argument->stated = true;
    return true;
}

/* "640,480": so many numbers of so many bits, with a comma between each two. */
static bool parse_numbers(const char *text, unsigned bits, uint32_t count, uint64_t numbers[GP_MOST_ELEMENTS])
{
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strcspn(text, ",");
        char number[32];
        bool last = i + 1 == count;
        snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), text);
        if ((text[length] == '\0') != last || !gp_parse_integer(number, bits, &numbers[i]))
            return false;
        text += length + !last;
    }
    return true;
}

static void state(struct gp_argument *argument, uint64_t value)
{
    *argument = (struct gp_argument){.known = true, .stated = true, .window = argument->window, .value = value};
}

static bool set_vector(const struct gp_kernel *kernel, struct gp_launch *launch, const char *name,
                       const uint32_t elements[], uint32_t count, const char *text, struct gp_error *error)
{
    uint64_t numbers[GP_MOST_ELEMENTS];
    unsigned bits = kernel->params[elements[0]].bits;
    if (!parse_numbers(text, bits, count, numbers))
        return gp_fail(error,
                       "'%.80s' are no %u integers of %u bits for argument '%.80s': write numbers with commas between",
                       text, count, bits, name);
    for (uint32_t i = 0; i < count; i++)
        state(&launch->arguments[elements[i]], numbers[i]);
    return true;
}

/* "0x0000000500000400": all bytes of an argument as one number, the last first. False: it is not written so. */
static bool parse_whole(const char *text, uint32_t size, uint8_t bytes[GP_MOST_WHOLE])
{
    if (size == 0 || size > GP_MOST_WHOLE || strncmp(text, "0x", 2) != 0 || strlen(text) != 2 + 2 * (size_t)size ||
        strspn(text + 2, "0123456789abcdefABCDEF") != 2 * (size_t)size)
        return false;
    for (uint32_t i = 0; i < size; i++) {
        char digits[3] = {text[2 + 2 * i], text[3 + 2 * i], '\0'};
        bytes[size - 1 - i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return true;
}

/* As recordings have structures, and vectors under names of the program's own: of these the integers count. */
static bool set_whole(const struct gp_kernel *kernel, struct gp_launch *launch, uint32_t index, const char *text)
{
    uint8_t bytes[GP_MOST_WHOLE];
    if (!parse_whole(text, kernel->params[index].size, bytes))
        return false;
    gp_take_elements(kernel, index, bytes, kernel->params[index].size, true, launch);
    return true;
}

/* What is no number by itself; of a structure the integers within it are. */
static bool refuse_whole(const struct gp_kernel *kernel, uint32_t index, const char *name, struct gp_error *error)
{
    char names[512] = "";
    for (uint32_t i = index + 1; i < kernel->param_count; i++)
        if (gp_is_member(kernel, &kernel->params[i]) && kernel->params[i].vector == index &&
            (kernel->params[i].flags & GP_PARAM_SKELETON) != 0)
            list_name(names, sizeof names, kernel->params[i].name);
    if (*names == '\0')
        return gp_fail(error, "argument '%.80s' of kernel '%.100s' is no scalar, so it cannot be set", name,
                       kernel->name);
    return gp_fail(error, "argument '%.80s' of kernel '%.100s' is a structure: set its members, %s", name, kernel->name,
                   names);
}

void gp_suggest_argument(const struct gp_kernel *kernel, const char *name, struct gp_text *text)
{
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        gp_suggest(name, kernel->params[i].name, text);
}

static bool fail_unknown_argument(const struct gp_kernel *kernel, const char *name, struct gp_error *error)
{
    char names[512];
    struct gp_text meant = {0};
    list_arguments(kernel, names, sizeof names);
    gp_suggest_argument(kernel, name, &meant);
    gp_fail(error, "kernel '%.100s' has no argument '%.80s'%s; arguments that can be set: %s", kernel->name, name,
            meant.length > 0 ? meant.data : "", *names ? names : "none");
    gp_text_free(&meant);
    return false;
}

static bool set_argument(const struct gp_kernel *kernel, struct gp_launch *launch, const char *name, const char *number,
                         struct gp_error *error)
{
    uint32_t index = gp_kernel_find_param(kernel, name);
    if (index == GP_NONE && is_dynamic_array(kernel, name))
        return launch->dynamic_stated = parse_u32(name, number, 0, &launch->dynamic_local_bytes, error);
    if (index == GP_NONE || index >= GP_MAX_ARGUMENTS)
        return fail_unknown_argument(kernel, name, error);
    const struct gp_param *param = &kernel->params[index];
    struct gp_argument *argument = &launch->arguments[index];
    uint32_t elements[GP_MOST_ELEMENTS], count = gp_vector_elements(kernel, index, elements);
    bool whole = count > 0 || param->kind == GP_PARAM_OTHER || param->bits > 64;
    if (whole && set_whole(kernel, launch, index, number))
        return true;
    if (count > 0)
        return set_vector(kernel, launch, name, elements, count, number, error);
    if (param->kind == GP_PARAM_LOCAL || param->kind == GP_PARAM_BUFFER)
        return set_bytes(param, argument, number, error);
    if (param->kind == GP_PARAM_IMAGE)
        return set_texel(param, argument, number, error);
    uint64_t value = 0;
    double decimal;
    if (param->kind == GP_PARAM_FLOAT && (param->bits == 16 || param->bits == 32 || param->bits == 64)) {
        if (!gp_parse_decimal(number, &decimal))
            return gp_fail(error, "'%.80s' is no number for argument '%.80s'", number, name);
        value = gp_float_bits(param, decimal);
    } else if (!gp_is_scalar_integer(param)) {
        return refuse_whole(kernel, index, name, error);
    } else if (!gp_parse_integer(number, param->bits, &value)) {
        return gp_fail(error, "'%.80s' is no integer of %d bits for argument '%.80s'", number, param->bits, name);
    }
    state(argument, value);
    return true;
}

bool gp_launch_set_argument(const struct gp_kernel *kernel, struct gp_launch *launch, const char *name,
                            const char *number, struct gp_error *error)
{
    if (!set_argument(kernel, launch, name, number, error))
        return false;
    gp_range_from_stated(kernel, launch);
    gp_assume_arguments(kernel, launch); /* what goes with it: the other size of `i < w * h` */
    return true;
}

/* ---- Assumptions ---------------------------------------------------------------------------------------------- */

static bool assume_global_size(const struct gp_kernel *kernel, struct gp_launch *launch, const char *sizes,
                               struct gp_error *error)
{
    uint32_t dims;
    uint64_t global[3];
    if (!gp_parse_sizes(sizes, &dims, global, error))
        return gp_fail_within(error, "global");
    gp_launch_set_global(kernel, launch, dims, global);
    return true;
}

static bool assume_local_size(const struct gp_kernel *kernel, struct gp_launch *launch, const char *sizes,
                              struct gp_error *error)
{
    uint32_t dims;
    uint64_t local[3];
    if (!gp_parse_sizes(sizes, &dims, local, error))
        return gp_fail_within(error, "local");
    if (local[0] * local[1] * local[2] > INT32_MAX)
        return gp_fail(error, "local: '%.80s' is too large for a work-group", sizes);
    for (int d = 0; d < 3; d++)
        launch->local[d] = (uint32_t)local[d];
    launch->local_stated = true;
    launch->dims = dims > launch->dims ? dims : launch->dims;
    gp_assume_arguments(kernel, launch);
    return true;
}

/* "caches=warm": the launch is one of many on the same data. */
static bool assume_caches(struct gp_launch *launch, const char *value, struct gp_error *error)
{
    launch->cold = strcmp(value, "warm") != 0;
    return !launch->cold || strcmp(value, "cold") == 0 ||
           gp_fail(error, "caches are 'cold' or 'warm', not '%.80s'", value);
}

/* Sizes come before numbers: arguments that nobody states follow from them. */
enum round { GLOBAL_ROUND, LOCAL_ROUND, NUMBER_ROUND, ROUNDS };

static bool assume_item(const struct gp_kernel *kernel, struct gp_launch *launch, enum round round, const char *item,
                        struct gp_error *error)
{
    const char *equals = strchr(item, '=');
    char name[160];
    if (equals == NULL || equals == item || equals[1] == '\0' || (size_t)(equals - item) >= sizeof name)
        return gp_fail(error, "'%.80s' is no assumption; write NAME=NUMBER, global=XxY, local=XxY or trip=N", item);
    memcpy(name, item, (size_t)(equals - item));
    name[equals - item] = '\0';
    const char *value = equals + 1;
    bool global = strcmp(name, "global") == 0, local = strcmp(name, "local") == 0;
    enum round own = global ? GLOBAL_ROUND : local ? LOCAL_ROUND : NUMBER_ROUND;
    if (own != round)
        return true;
    if (global)
        return assume_global_size(kernel, launch, value, error);
    if (local)
        return assume_local_size(kernel, launch, value, error);
    if (strcmp(name, "trip") == 0)
        return parse_u32("trip", value, 1, &launch->assumed_trip_count, error);
    if (strcmp(name, "caches") == 0)
        return assume_caches(launch, value, error);
    if (strcmp(name, "dynamic") == 0)
        return launch->dynamic_stated = parse_u32("dynamic", value, 0, &launch->dynamic_local_bytes, error);
    return gp_launch_set_argument(kernel, launch, name, value, error);
}

static bool assume_items(const struct gp_kernel *kernel, struct gp_launch *launch, enum round round, const char *items,
                         struct gp_error *error)
{
    while (*items != '\0') {
        char item[320];
        size_t length = strcspn(items, ":");
        if (length >= sizeof item)
            return gp_fail(error, "the assumption '%.80s...' is too long", items);
        memcpy(item, items, length);
        item[length] = '\0';
        if (length != 0 && !assume_item(kernel, launch, round, item, error))
            return false;
        items += length + (items[length] == ':');
    }
    return true;
}

bool gp_launch_assume(const struct gp_kernel *kernel, struct gp_launch *launch, const char *items,
                      struct gp_error *error)
{
    struct gp_launch changed = *launch;
    for (int round = 0; round < ROUNDS; round++)
        if (!assume_items(kernel, &changed, (enum round)round, items, error))
            return false;
    *launch = changed;
    return true;
}

/* ---- Questions ------------------------------------------------------------------------------------------------ */
