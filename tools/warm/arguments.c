/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/warm/arguments.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/launch/numbers.h"
#include "support/prefix.h"
#include "support/scalar_types.h"

/* ---- By value ---- */

enum { MOST_BYTES = 128 }; /* of what clSetKernelArg takes by value: double16 */

/* All bytes as one number, the last first. 0: it is not written so. */
static size_t read_whole(const char *text, uint8_t bytes[MOST_BYTES])
{
    size_t digits = strncmp(text, "0x", 2) == 0 ? strlen(text + 2) : 0;
    if (digits == 0 || digits % 2 != 0 || digits > 2 * MOST_BYTES ||
        strspn(text + 2, "0123456789abcdefABCDEF") != digits)
        return 0;
    for (size_t i = 0; i < digits / 2; i++) {
        const char pair[3] = {text[digits - 2 * i], text[digits - 2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return digits / 2;
}

static bool read_element(const struct gp_scalar_type *scalar, const char *text, uint8_t *bytes)
{
    double number;
    uint64_t bits;
    if (scalar->kind == 'f') {
        float single;
        if (!gp_parse_decimal(text, &number))
            return false;
        single = (float)number;
        memcpy(bytes, scalar->size == sizeof single ? (void *)&single : (void *)&number, scalar->size);
        return true;
    }
    if (!gp_parse_integer(text, 8 * scalar->size, &bits))
        return false;
    memcpy(bytes, &bits, scalar->size); /* devices and hosts are little-endian here */
    return true;
}

/* "5", "-1", "0.5", "640,480" in that type, "0x05000000" as its bytes, the last first (record.h). The number of bytes;
 * 0: it is none of the type's. */
static size_t argument_bytes(const char *type, const char *text, uint8_t bytes[MOST_BYTES])
{
    unsigned elements;
    const struct gp_scalar_type *scalar = gp_scalar_type_of(type, &elements);
    memset(bytes, 0, MOST_BYTES);
    if (scalar == NULL || elements == 0 || elements > 16)
        return read_whole(text, bytes);
    size_t size = scalar->size * (elements == 3 ? 4 : elements);
    if (strncmp(text, "0x", 2) == 0 && read_whole(text, bytes) == size)
        return size;
    for (unsigned i = 0; i < elements; i++) {
        size_t length = strcspn(text, ",");
        char number[64];
        bool last = i + 1 == elements;
        snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), text);
        if ((text[length] == '\0') != last || !read_element(scalar, number, bytes + i * scalar->size))
            return 0;
        text += length + !last;
    }
    return size;
}

/* ---- Objects ---- */

struct parameter {
    uint32_t index;
    char name[128], type[64];
    bool local, buffer;
};

/* By channels: one texel of so many bytes. */
static bool format_of(unsigned bytes, uint32_t format[2])
{
    enum {
        R = 0x10B0,
        RGBA = 0x10B5,
        UNORM_INT8 = 0x10D2,
        UNORM_INT16 = 0x10D3,
        UNSIGNED_INT32 = 0x10DC,
        FLOAT = 0x10DE
    };
    static const struct {
        unsigned bytes;
        uint32_t format[2];
    } formats[] = {{1, {R, UNORM_INT8}},
                   {2, {R, UNORM_INT16}},
                   {4, {RGBA, UNORM_INT8}},
                   {8, {RGBA, UNORM_INT16}},
                   {16, {RGBA, FLOAT}}};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (formats[i].bytes == bytes) {
            memcpy(format, formats[i].format, sizeof formats[i].format);
            return true;
        }
    return false;
}

/* cl_image_desc */
struct image_description {
    uint32_t type;
    size_t width, height, depth, array_size, row_pitch, slice_pitch;
    uint32_t levels, samples;
    void *object;
};

static bool set_image(const struct gp_cl *cl, void *context, void *kernel, const struct parameter *parameter,
                      const char *value)
{
    static const struct {
        const char *name;
        uint32_t type;
    } types[] = {{"image2d_array_t", 0x10F3},
                 {"image1d_array_t", 0x10F5},
                 {"image1d_t", 0x10F4},
                 {"image2d_t", 0x10F1},
                 {"image3d_t", 0x10F2}};
    struct image_description description = {.width = 1, .height = 1, .depth = 1, .array_size = 1};
    uint32_t format[2];
    int32_t status = -1;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(parameter->type, types[i].name) == 0)
            description.type = types[i].type;
    if (description.type == 0 || value == NULL || !format_of((unsigned)strtoul(value, NULL, 10), format))
        return false;
    void *image = cl->CreateImage(context, 1, format, &description, NULL, &status);
    return status == 0 && cl->SetKernelArg(kernel, parameter->index, sizeof image, &image) == 0;
}

static bool set_sampler(const struct gp_cl *cl, void *context, void *kernel, const struct parameter *parameter)
{
    enum { CLAMP_TO_EDGE = 0x1131, NEAREST = 0x1140 };
    int32_t status = -1;
    void *sampler = cl->CreateSampler(context, 0, CLAMP_TO_EDGE, NEAREST, &status);
    return status == 0 && cl->SetKernelArg(kernel, parameter->index, sizeof sampler, &sampler) == 0;
}

/* ---- All ---- */

static const char *value_of(const struct gp_arguments *values, const struct parameter *parameter)
{
    for (size_t i = 0; i < values->count; i++) {
        const char *text = values->items[i], *equals = strchr(text, '=');
        size_t length = equals != NULL ? (size_t)(equals - text) : 0;
        bool number = length > 0 && isdigit((unsigned char)text[0]);
        if (length > 0 && (number ? strtoul(text, NULL, 10) == parameter->index
                                  : strlen(parameter->name) == length && strncmp(parameter->name, text, length) == 0))
            return equals + 1;
    }
    return NULL;
}

static void ask(const struct gp_cl *cl, void *kernel, uint32_t index, struct parameter *parameter)
{
    enum { LOCAL = 0x119C, GLOBAL = 0x119B, CONSTANT = 0x119D };
    uint32_t space = 0;
    *parameter = (struct parameter){.index = index};
    cl->GetKernelArgInfo(kernel, index, GP_CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL);
    cl->GetKernelArgInfo(kernel, index, GP_CL_KERNEL_ARG_NAME, sizeof parameter->name - 1, parameter->name, NULL);
    cl->GetKernelArgInfo(kernel, index, GP_CL_KERNEL_ARG_TYPE_NAME, sizeof parameter->type - 1, parameter->type, NULL);
    parameter->local = space == LOCAL;
    parameter->buffer = (space == GLOBAL || space == CONSTANT) && !gp_starts_with(parameter->type, "image");
}

static bool set(const struct gp_cl *cl, void *context, void *kernel, const struct parameter *parameter,
                const char *value)
{
    uint8_t bytes[MOST_BYTES];
    if (parameter->buffer)
        return cl->SetKernelArg(kernel, parameter->index, sizeof(void *), NULL) == 0;
    if (gp_starts_with(parameter->type, "image"))
        return set_image(cl, context, kernel, parameter, value);
    if (strcmp(parameter->type, "sampler_t") == 0)
        return set_sampler(cl, context, kernel, parameter);
    if (value == NULL)
        return false;
    if (parameter->local)
        return cl->SetKernelArg(kernel, parameter->index, (size_t)strtoull(value, NULL, 10), NULL) == 0;
    size_t size = argument_bytes(parameter->type, value, bytes);
    return size > 0 && cl->SetKernelArg(kernel, parameter->index, size, bytes) == 0;
}

bool gp_set_arguments(const struct gp_cl *cl, void *context, void *kernel, const struct gp_arguments *values,
                      struct gp_error *error)
{
    uint32_t count = 0;
    cl->GetKernelInfo(kernel, GP_CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    for (uint32_t i = 0; i < count; i++) {
        struct parameter parameter;
        ask(cl, kernel, i, &parameter);
        const char *value = value_of(values, &parameter);
        if (!set(cl, context, kernel, &parameter, value))
            return gp_fail(error, "argument %u%s%.80s is %s%.60s", i, parameter.name[0] != '\0' ? ", " : "",
                           parameter.name, value != NULL ? "not to be set to " : "not known",
                           value != NULL ? value : "");
    }
    return true;
}
