/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A launch in words. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/value/value.h"
#include "model/assume/assumed_iterations.h"
#include "model/assume/products.h"
#include "model/launch/launch.h"
#include "model/assume/vectors.h"
#include "model/assume/describe.h"

struct line {
    char *text;
    size_t size, length;
};

static void append(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void append(struct line *line, const char *format, ...)
{
    va_list arguments;
    if (line->length >= line->size)
        return;
    va_start(arguments, format);
    int written = vsnprintf(line->text + line->length, line->size - line->length, format, arguments);
    va_end(arguments);
    line->length += written > 0 ? (size_t)written : 0;
}

static void append_sizes(struct line *line, uint32_t dims, uint64_t x, uint64_t y, uint64_t z)
{
    append(line, "%" PRIu64, x);
    if (dims > 1)
        append(line, "x%" PRIu64, y);
    if (dims > 2)
        append(line, "x%" PRIu64, z);
}

static void append_number(struct line *line, const struct gp_param *param, const struct gp_argument *argument)
{
    if (!argument->known)
        append(line, "?");
    else if (argument->group.along > 0 && !argument->stated) /* whichever is looked at */
        append(line, "group%s", argument->group.halved ? "/2" : "");
    else if (param->flags & GP_PARAM_SIGNED)
        append(line, "%" PRId64, (int64_t)gp_sign_extend(argument->value, param->bits));
    else
        append(line, "%" PRIu64, argument->value);
}

/* The elements of a vector of which one takes part in what the kernel does; their number, 0: it is no such vector. */
static uint32_t used_elements(const struct gp_kernel *kernel, uint32_t vector, uint32_t elements[GP_MOST_ELEMENTS])
{
    uint32_t count = gp_vector_elements(kernel, vector, elements);
    for (uint32_t i = 0; i < count; i++)
        if ((kernel->params[elements[i]].flags & GP_PARAM_SKELETON) != 0)
            return count;
    return 0;
}

/* An integer that takes part in what the kernel does. */
static bool is_used_integer(const struct gp_param *param)
{
    return (param->flags & GP_PARAM_SKELETON) != 0 && param->kind == GP_PARAM_INT && param->bits <= 64;
}

static bool is_named(const struct gp_kernel *kernel, const struct gp_param *param)
{
    return *param->name != '\0' && ((param->flags & GP_PARAM_ELEMENT) == 0 || gp_is_member(kernel, param));
}

/* A float that takes part in what the kernel does: nobody knows it unless it is stated. */
static bool is_used_float(const struct gp_param *param, const struct gp_argument *argument)
{
    return param->kind == GP_PARAM_FLOAT && (param->flags & GP_PARAM_SKELETON) != 0 &&
           (!argument->known || param->bits == 32 || param->bits == 64);
}

static bool has_stated_size(const struct gp_param *param, const struct gp_argument *argument)
{
    return (param->kind == GP_PARAM_LOCAL || param->kind == GP_PARAM_BUFFER) && argument->stated;
}

static bool is_described(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t i)
{
    uint32_t elements[GP_MOST_ELEMENTS];
    const struct gp_param *param = &kernel->params[i];
    const struct gp_argument *argument = &launch->arguments[i];
    return is_named(kernel, param) && (is_used_float(param, argument) || has_stated_size(param, argument) ||
                                       is_used_integer(param) || used_elements(kernel, i, elements) > 0);
}

static void append_float(struct line *line, const struct gp_param *param, const struct gp_argument *argument)
{
    uint32_t word = (uint32_t)argument->value;
    double number = 0;
    float single;
    memcpy(&number, &argument->value, sizeof number);
    memcpy(&single, &word, sizeof single);
    if (!argument->known)
        append(line, "?");
    else
        append(line, "%g", param->bits == 32 ? (double)single : number);
}

/* As it can be set. */
static void append_value(struct line *line, const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t i)
{
    const struct gp_param *param = &kernel->params[i];
    const struct gp_argument *argument = &launch->arguments[i];
    uint32_t elements[GP_MOST_ELEMENTS], count = used_elements(kernel, i, elements);
    if (param->kind == GP_PARAM_FLOAT)
        append_float(line, param, argument);
    else if (has_stated_size(param, argument))
        append(line, "%" PRIu64, argument->bytes);
    else if (is_used_integer(param))
        append_number(line, param, argument);
    for (uint32_t k = 0; k < count; k++) {
        append(line, k == 0 ? "" : ",");
        append_number(line, &kernel->params[elements[k]], &launch->arguments[elements[k]]);
    }
}

static bool asks_for_image_sizes(const struct gp_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->param_count; i++)
        if (kernel->params[i].kind == GP_PARAM_IMAGE && (kernel->params[i].flags & GP_PARAM_SKELETON))
            return true;
    return false;
}

void gp_launch_describe(const struct gp_kernel *kernel, const struct gp_launch *launch, char *text, size_t size)
{
    struct line line = {text, size, 0};
    if (size != 0)
        *text = '\0';
    append(&line, "global ");
    append_sizes(&line, launch->dims, launch->global[0], launch->global[1], launch->global[2]);
    append(&line, ", local ");
    append_sizes(&line, launch->dims, launch->local[0], launch->local[1], launch->local[2]);
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        if (!is_described(kernel, launch, i))
            continue;
        append(&line, ", %s=", kernel->params[i].name);
        append_value(&line, kernel, launch, i);
    }
    for (uint32_t i = 0; launch->dynamic_stated && i < kernel->local_count; i++)
        if (kernel->locals[i].bytes == 0)
            append(&line, ", %s=%u", kernel->locals[i].name, launch->dynamic_local_bytes);
    if (asks_for_image_sizes(kernel))
        append(&line, ", images as large as the range%s",
               launch->dims == 1 ? " (2D, 3D: 1024 along each dimension)" : "");
    if (gp_assumes_iterations(kernel, launch))
        append(&line, ", trip=%u", launch->assumed_trip_count);
}

/* What gp_launch_describe() names, and whether somebody stated it. */
enum origin { UNNAMED, ASSUMED, STATED };
static enum origin origin_of(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param)
{
    uint32_t elements[GP_MOST_ELEMENTS], count = used_elements(kernel, param, elements);
    const struct gp_argument *argument = &launch->arguments[count > 0 ? elements[0] : param];
    if (!is_named(kernel, &kernel->params[param]))
        return UNNAMED;
    if (argument->stated)
        return STATED;
    return argument->known && (count > 0 || is_used_integer(&kernel->params[param])) ? ASSUMED : UNNAMED;
}

size_t gp_launch_range_from(const struct gp_kernel *kernel, const struct gp_launch *launch, char *text, size_t size)
{
    struct line line = {text, size, 0};
    const uint16_t *from = launch->range_from;
    if (size != 0)
        *text = '\0';
    for (uint32_t d = 0; launch->global_assumed && d < launch->dims; d++) {
        bool told = (d > 0 && from[d] == from[0]) || (d > 1 && from[d] == from[1]);
        if (from[d] > 0 && !told)
            append(&line, "%s%s", line.length > 0 ? ", " : "", kernel->params[from[d] - 1].name);
    }
    return line.length;
}

static void count_origin(struct line *line, enum origin origin, const char *name, uint32_t *assumed)
{
    *assumed += origin == ASSUMED;
    if (origin == STATED)
        append(line, "%s%s", line->length == 0 ? "all but " : ", ", name);
}

static bool is_local_stated(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    return launch->local_stated || kernel->stated.required_local[0] != 0 || kernel->stated.default_local[0] != 0;
}

void gp_launch_describe_assumed(const struct gp_kernel *kernel, const struct gp_launch *launch, char *text, size_t size)
{
    struct line line = {text, size, 0};
    uint32_t assumed = 0;
    count_origin(&line, launch->global_assumed ? ASSUMED : STATED, "global", &assumed);
    count_origin(&line, is_local_stated(kernel, launch) ? STATED : ASSUMED, "local", &assumed);
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        count_origin(&line, origin_of(kernel, launch, i), kernel->params[i].name, &assumed);
    char from[GP_ASSUMPTION_TEXT];
    append(&line, line.length == 0 ? "all of it assumed" : " assumed");
    if (gp_launch_range_from(kernel, launch, from, sizeof from) > 0)
        append(&line, "; global from %s", from);
    if (assumed == 0 && size != 0)
        *text = '\0';
}

/* ---- One after the other ----------------------------------------------------------------------------------------- */

static const char *const use_sentences[GP_ASSUMED_COUNT] = {
#define X(name, sentence) sentence,
    GP_ASSUMED_USES(X)
#undef X
};

static struct gp_assumption sizes_of(const struct gp_launch *launch, const char *name, uint64_t x, uint64_t y,
                                     uint64_t z)
{
    struct gp_assumption item = {.name = name};
    struct line line = {item.value, sizeof item.value, 0};
    append_sizes(&line, launch->dims, x, y, z);
    return item;
}

static struct gp_assumption global_of(const struct gp_launch *launch)
{
    struct gp_assumption item = sizes_of(launch, "global", launch->global[0], launch->global[1], launch->global[2]);
    item.stated = !launch->global_assumed;
    bool follows = (launch->range_from[0] | launch->range_from[1] | launch->range_from[2]) != 0;
    item.why = item.stated ? NULL
               : follows   ? "as large as stated arguments say that bound it"
                           : "the usual range of so many dimensions, which fills the device";
    return item;
}

static struct gp_assumption local_of(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    struct gp_assumption item = sizes_of(launch, "local", launch->local[0], launch->local[1], launch->local[2]);
    item.stated = is_local_stated(kernel, launch);
    item.why = item.stated ? NULL : "the usual group of so many dimensions";
    return item;
}

static struct gp_assumption argument_of(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t i)
{
    uint32_t elements[GP_MOST_ELEMENTS], count = used_elements(kernel, i, elements);
    const struct gp_argument *argument = &launch->arguments[count > 0 ? elements[0] : i];
    struct gp_assumption item = {.name = kernel->params[i].name, .stated = argument->stated};
    struct line line = {item.value, sizeof item.value, 0};
    append_value(&line, kernel, launch, i);
    if (!item.stated)
        item.why = kernel->params[i].kind == GP_PARAM_FLOAT ? "not known" : use_sentences[argument->use];
    return item;
}

size_t gp_launch_assumptions(const struct gp_kernel *kernel, const struct gp_launch *launch,
                             struct gp_assumption list[GP_MOST_ASSUMPTIONS])
{
    size_t count = 0;
    list[count++] = global_of(launch);
    list[count++] = local_of(kernel, launch);
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        if (is_described(kernel, launch, i))
            list[count++] = argument_of(kernel, launch, i);
    if (gp_assumes_iterations(kernel, launch)) {
        struct gp_assumption trip = {.name = "trip", .why = "the usual number of iterations of a loop that data ends"};
        snprintf(trip.value, sizeof trip.value, "%u", launch->assumed_trip_count);
        trip.stated = launch->assumed_trip_count != GP_DEFAULT_TRIP_COUNT;
        list[count++] = trip;
    }
    return count;
}

/* ---- Products that wrap ------------------------------------------------------------------------------------------ */

static bool overflows(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_product *product)
{
    double value = fabs((double)product->scale), most = UINT32_MAX;
    for (uint32_t i = 0; i < product->param_count; i++) {
        const struct gp_param *param = &kernel->params[product->params[i]];
        const struct gp_argument *argument = &launch->arguments[product->params[i]];
        bool is_signed = (param->flags & GP_PARAM_SIGNED) != 0;
        int64_t number = (int64_t)(is_signed ? gp_sign_extend(argument->value, param->bits) : argument->value);
        value *= argument->known ? fabs((double)number) : 0;
        most = is_signed ? INT32_MAX : most;
    }
    return product->leaf == GP_REF_NONE && product->param_count > 1 && value > most;
}

bool gp_launch_overflow(const struct gp_kernel *kernel, const struct gp_launch *launch, char *text, size_t size)
{
    struct line line = {text, size, 0};
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        if (kernel->insts[i].op != GP_OP_MUL || kernel->insts[i].bits != 32)
            continue;
        struct gp_products sum = gp_products_of(kernel, gp_ref_make(GP_REF_INST, i), 32);
        for (uint32_t k = 0; k < sum.count; k++) {
            const struct gp_product *product = &sum.product[k];
            if (!overflows(kernel, launch, product))
                continue;
            for (uint32_t p = 0; p < product->param_count; p++)
                append(&line, "%s%s", p > 0 ? " * " : "", kernel->params[product->params[p]].name);
            return true;
        }
    }
    return false;
}
