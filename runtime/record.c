/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/record.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/scalar_types.h"

/* ---- Arguments ---- */

static bool print_float(const uint8_t *bytes, unsigned size, struct gp_text *out)
{
    float single;
    double number;
    memcpy(&single, bytes, sizeof single);
    if (size == sizeof number)
        memcpy(&number, bytes, sizeof number);
    else
        number = single;
    if (!isfinite(number))
        return false;
    gp_text_printf(out, size == sizeof number ? "%.17g" : "%.9g", number);
    return true;
}

static bool print_element(const struct gp_scalar_type *scalar, const uint8_t *bytes, struct gp_text *out)
{
    uint64_t bits = 0;
    unsigned unused = 64 - 8 * scalar->size;
    if (scalar->kind == 'f')
        return print_float(bytes, scalar->size, out);
    memcpy(&bits, bytes, scalar->size); /* devices and hosts are little-endian here */
    if (scalar->kind == 's')
        gp_text_printf(out, "%" PRId64, (int64_t)(bits << unused) >> unused);
    else
        gp_text_printf(out, "%" PRIu64, bits);
    return true;
}

/* False: not a number of a known type. */
static bool print_number(const struct gp_raw_argument *argument, const char *type, struct gp_text *out)
{
    unsigned elements;
    const struct gp_scalar_type *scalar = gp_scalar_type_of(type, &elements);
    if (scalar == NULL || elements == 0 || argument->size > sizeof argument->bytes ||
        argument->size != scalar->size * (elements == 3 ? 4 : elements))
        return false;
    gp_text_printf(out, "%s", elements > 1 ? "\"" : "");
    for (unsigned i = 0; i < elements; i++) {
        gp_text_printf(out, "%s", i > 0 ? "," : "");
        if (!print_element(scalar, argument->bytes + i * scalar->size, out))
            return false;
    }
    gp_text_printf(out, "%s", elements > 1 ? "\"" : "");
    return true;
}

/* Objects and pointers are as large as an address, and no numbers. */
static bool is_object(const struct gp_raw_argument *argument, const struct gp_parameter_info *info)
{
    return argument->size == sizeof(void *) &&
           (info->buffer || strncmp(info->type, "image", 5) == 0 || strcmp(info->type, "sampler_t") == 0 ||
            strcmp(info->type, "queue_t") == 0 || strcmp(info->type, "pipe") == 0);
}

static bool print_value(const struct gp_raw_argument *argument, const struct gp_parameter_info *info, uint64_t bytes,
                        struct gp_text *out)
{
    if (!argument->set)
        return false;
    if (argument->no_value) {
        gp_text_printf(out, "%" PRIu32, argument->size);
        return info->local || (info->name[0] == '\0' && argument->size != sizeof(void *));
    }
    if (bytes > 0) {
        gp_text_printf(out, "%" PRIu64, bytes);
        return true;
    }
    if (is_object(argument, info))
        return false;
    size_t begin = out->length;
    if (print_number(argument, info->type, out))
        return true;
    out->length = begin; /* what was printed of it is printed over */
    if (argument->size > sizeof argument->bytes)
        return false;
    gp_text_printf(out, "0x");
    for (uint32_t i = argument->size; i > 0; i--)
        gp_text_printf(out, "%02x", argument->bytes[i - 1]);
    return true;
}

/* Words that YAML's readers take for something else. */
static bool is_special(const char *name)
{
    static const char *const words[] = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(name, words[i]) == 0)
            return true;
    return false;
}

void gp_record_argument(uint32_t index, const struct gp_raw_argument *argument, const struct gp_parameter_info *info,
                        uint64_t bytes, struct gp_text *list)
{
    struct gp_text value = {0};
    if (print_value(argument, info, bytes, &value) && value.length > 0) {
        const char *quote = is_special(info->name) ? "\"" : "";
        gp_text_printf(list, "%s", list->length > 0 ? ", " : "");
        if (info->name[0] != '\0')
            gp_text_printf(list, "%s%s%s: %s", quote, info->name, quote, value.data);
        else
            gp_text_printf(list, "%" PRIu32 ": %s", index, value.data);
    }
    gp_text_free(&value);
}

/* ---- The text ---- */

/* Also what is before its own line says so: record_file.c. */
static const char header[] =
    "# gpuperf: recorded launches. Written anew when a program is recorded into it; a copy under another name stays.\n"
    "# gpuperf check --config FILE predicts them, on any device.\n";

static int by_kernel(const void *a, const void *b)
{
    const struct gp_recorded_launch *x = a, *y = b;
    int order = strcmp(x->kernel, y->kernel);
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

/* A string as JSON has it is one as YAML has it. */
static void print_string(const char *text, struct gp_text *out)
{
    gp_text_printf(out, "\"");
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < 0x20 || *text == '"' || *text == '\\')
            gp_text_printf(out, "\\x%02X", (unsigned char)*text);
        else
            gp_text_append(out, text, 1);
    gp_text_printf(out, "\"");
}

static void print_source(const struct gp_recorded_launch *launch, const char *path, struct gp_text *out)
{
    char file[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(file, sizeof file, "%.3900s.d/%016" PRIx64 ".cl", slash != NULL ? slash + 1 : path,
             launch->source_hash.word[0]);
    gp_text_printf(out, "      - source: ");
    print_string(file, out);
    gp_text_printf(out, "\n        options: [");
    for (size_t i = 0; i < launch->options->count; i++) {
        gp_text_printf(out, "%s", i > 0 ? ", " : "");
        print_string(launch->options->arguments[i], out);
    }
    gp_text_printf(out, "]\n        ");
}

static void print_launch(const struct gp_recorded_launch *launch, const char *path, struct gp_text *out)
{
    char size[80];
    if (launch->source != NULL)
        print_source(launch, path, out);
    else
        gp_text_printf(out, "      # its source is not known: the program loaded a binary\n      - ");
    gp_print_size(launch->global, launch->dims, size, sizeof size);
    gp_text_printf(out, "global: %s\n", size);
    if (launch->local[0] != 0) {
        gp_print_local(launch->local, launch->dims, size, sizeof size);
        gp_text_printf(out, "        %s: %s\n", launch->open ? "driver_local" : "local", size);
    }
    if (launch->arguments[0] != '\0')
        gp_text_printf(out, "        args: {%s}\n", launch->arguments);
    gp_text_printf(out, "        count: %" PRIu64 "\n", launch->count);
    if (launch->others > 0)
        gp_text_printf(out, "        # %" PRIu64 " of these with other scalars\n", launch->others);
}

void gp_record_print(struct gp_recorded_launch *launches, size_t count, const char *path, struct gp_text *out)
{
    gp_text_printf(out, "%skernels:\n", header);
    if (count > 0)
        qsort(launches, count, sizeof *launches, by_kernel);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(launches[i - 1].kernel, launches[i].kernel) != 0)
            gp_text_printf(out, "  \"%s\":\n    launches:\n", launches[i].kernel);
        print_launch(&launches[i], path, out);
    }
}
