/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/stated_launch.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/driver_rule.h"
#include "support/text.h"
#include "model/launch/numbers.h"
#include "model/assume/stated.h"
#include "model/assume/defaults.h"

static void append_sizes(struct gp_text *text, const char *name, const struct gp_sizes *sizes)
{
    if (sizes->dims == 0)
        return;
    gp_text_printf(text, "%s%s=", text->length > 0 ? ":" : "", name);
    for (uint32_t d = 0; d < sizes->dims; d++)
        gp_text_printf(text, "%s%llu", d > 0 ? "x" : "", (unsigned long long)sizes->size[d]);
}

/* A grid of so many groups of the stated size. */
static bool range_of_groups(const struct gp_check_rule *rule, struct gp_sizes *global, struct gp_error *error)
{
    *global = rule->global;
    if (rule->groups.dims == 0)
        return true;
    if (rule->local.dims == 0)
        return gp_fail(error, "'groups' of \"%s\" needs 'local', too: the size of each group", rule->pattern);
    *global = rule->groups;
    for (uint32_t d = 0; d < global->dims; d++)
        if (__builtin_mul_overflow(rule->groups.size[d], d < rule->local.dims ? rule->local.size[d] : 1,
                                   &global->size[d]))
            return gp_fail(error, "'groups' of \"%s\" are more than any device runs", rule->pattern);
    return true;
}

void gp_stated_name(const char *value, char name[GP_STATED_NAME])
{
    size_t length = strcspn(value, "=");
    snprintf(name, GP_STATED_NAME, "%.*s", (int)(length < GP_STATED_NAME ? length : GP_STATED_NAME - 1), value);
}

/* A rule for several kernels may state arguments that not all of them have. */
static bool has_argument(const struct gp_kernel *kernel, const char *value)
{
    char name[GP_STATED_NAME];
    gp_stated_name(value, name);
    return gp_launch_has_argument(kernel, name);
}

/* The rule's words as an annotation's. */
bool gp_state_launch(const struct gp_check_rule *rule, const struct gp_kernel *kernel, struct gp_launch *launch,
                     struct gp_error *error)
{
    struct gp_text items = {0};
    struct gp_sizes global;
    gp_launch_default(kernel, launch);
    if (rule == NULL)
        return true;
    bool done = range_of_groups(rule, &global, error);
    if (done) {
        append_sizes(&items, "global", &global);
        append_sizes(&items, "local", &rule->local);
        for (size_t i = 0; i < rule->values.count; i++)
            if (has_argument(kernel, rule->values.items[i]))
                gp_text_printf(&items, "%s%s", items.length > 0 ? ":" : "", rule->values.items[i]);
        done = items.length == 0 || gp_launch_assume(kernel, launch, items.data, error);
    }
    gp_text_free(&items);
    return done;
}

/* ---- Recorded launches ------------------------------------------------------------------------------------------- */

/* The parameter that a recording names: by its number where its driver did not tell the name. NULL: none of this
 * kernel's, or one that the compiler dropped. */
static const struct gp_param *recorded_param(const struct gp_kernel *kernel, const char *value)
{
    char name[GP_STATED_NAME];
    gp_stated_name(value, name);
    uint32_t index =
        isdigit((unsigned char)name[0]) ? (uint32_t)strtoul(name, NULL, 10) : gp_kernel_find_param(kernel, name);
    return index < kernel->param_count && kernel->params[index].name[0] != '\0' ? &kernel->params[index] : NULL;
}

/* A number's bytes in the parameter's type. */
static void append_bytes(const struct gp_param *param, const char *digits, struct gp_text *out)
{
    uint64_t bits = strtoull(digits, NULL, 16);
    float single;
    double number;
    memcpy(&single, &bits, sizeof single);
    memcpy(&number, &bits, sizeof number);
    if (param->kind == GP_PARAM_FLOAT)
        gp_text_printf(out, "%.17g", param->bits == 64 ? number : single);
    else
        gp_text_printf(out, "%llu", (unsigned long long)bits);
}

/* What no number of the parameter's type is (an object's handle, a half's bytes) is left out. */
static void append_value(const struct gp_kernel *kernel, const char *value, struct gp_text *items)
{
    const struct gp_param *param = recorded_param(kernel, value);
    const char *number = strchr(value, '=') + 1;
    bool bytes = strncmp(number, "0x", 2) == 0;
    bool is_number = param != NULL && (param->kind == GP_PARAM_INT ||
                                       (param->kind == GP_PARAM_FLOAT && (param->bits == 32 || param->bits == 64)));
    if (param == NULL || (bytes && !is_number))
        return;
    gp_text_printf(items, "%s%s=", items->length > 0 ? ":" : "", param->name);
    if (bytes)
        append_bytes(param, number, items);
    else
        gp_text_printf(items, "%s", number);
}

/* What the device's driver takes where the program leaves it open: by its rule where that is known, else what the
 * recording's took, where the device runs such groups. dims 0: neither. */
static struct gp_sizes drivers_local(const struct gp_check_launch *recorded, const struct gp_device *device)
{
    struct gp_sizes local = recorded->driver_local;
    uint64_t most = (uint64_t)device->max_threads_per_block.value, global[3] = {1, 1, 1};
    uint32_t size[3];
    for (uint32_t d = 0; d < recorded->global.dims; d++)
        global[d] = recorded->global.size[d];
    if (!gp_arch_is_nvidia(device->arch))
        return local.dims > 0 && local.size[0] * local.size[1] * local.size[2] <= most ? local : (struct gp_sizes){0};
    gp_nvidia_local_size(most, global, size);
    return (struct gp_sizes){.dims = recorded->global.dims, .size = {size[0], size[1], size[2]}};
}

bool gp_state_recorded(const struct gp_check_launch *recorded, const struct gp_kernel *kernel,
                       const struct gp_device *device, struct gp_launch *launch, struct gp_error *error)
{
    struct gp_text items = {0};
    struct gp_sizes local = recorded->local.dims > 0 ? recorded->local : drivers_local(recorded, device);
    gp_launch_default(kernel, launch);
    append_sizes(&items, "global", &recorded->global);
    append_sizes(&items, "local", &local);
    for (size_t i = 0; i < recorded->values.count; i++)
        append_value(kernel, recorded->values.items[i], &items);
    bool done = gp_launch_assume(kernel, launch, items.data, error);
    gp_text_free(&items);
    return done;
}

bool gp_launch_is_of(const struct gp_check_launch *recorded, const struct gp_unit *unit)
{
    if (!unit->recorded)
        return true;
    if (recorded->source == NULL || strcmp(recorded->source, unit->file) != 0 ||
        recorded->options.count != unit->own_arguments)
        return false;
    for (size_t i = 0; i < unit->own_arguments; i++)
        if (strcmp(recorded->options.items[i], unit->arguments.items[i]) != 0)
            return false;
    return true;
}
