/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Numbers that a user states: FIELD=VALUE, or one of four short names.
 *
 *   sm_89:sms=24:gbps=272:l2=24M     --set dram_latency=480
 *
 * K, M and G count bytes, in powers of 1024; other units take none. What derive.c made of the numbers before is made
 * again.
 */
#include "hwdb/internal.h"
#include "support/edit_distance.h"
#include "support/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name, *field;
} short_names[] = {
    {"sms", "sm_count"},
    {"gbps", "dram_gbps"},
    {"l2", "l2_size"},
    {"clock", "clock_mhz"},
};

/* What people call a number that has another name here. */
static const struct {
    const char *said, *meant;
} other_names[] = {{"sm", "sms"},    {"cu", "sms"},         {"cus", "sms"},   {"cores", "sms"},
                   {"units", "sms"}, {"bandwidth", "gbps"}, {"mhz", "clock"}, {"bw", "gbps"}};

static const char *full_name(const char *name)
{
    for (size_t i = 0; i < sizeof short_names / sizeof short_names[0]; i++)
        if (strcmp(short_names[i].name, name) == 0)
            return short_names[i].field;
    return name;
}

static bool find_field(const char *name, size_t *index)
{
    for (*index = 0; *index < GP_NUMBER_COUNT; ++*index)
        if (strcmp(gp_number_fields[*index].name, name) == 0)
            return true;
    return false;
}

static bool may_be(const char *name, const char *field)
{
    size_t length = strlen(name);
    return (length >= 2 && strstr(field, name) != NULL) || gp_edit_distance(name, field) <= length / 3;
}

/* "lat_fp23" may be lat_fp32; "latency" is part of several names. */
static bool no_field(const char *name, struct gp_error *error)
{
    enum { MOST = 6 };
    struct gp_text list = {0};
    size_t count = 0;
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++)
        if (strcmp(other_names[i].said, name) == 0)
            gp_text_printf(&list, "%s%s", count++ > 0 ? ", " : "", other_names[i].meant);
    for (size_t i = 0; i < sizeof short_names / sizeof short_names[0] && count == 0; i++)
        if (gp_edit_distance(name, short_names[i].name) <= (strlen(name) > 3 ? 2 : 1))
            gp_text_printf(&list, "%s%s", count++ > 0 ? ", " : "", short_names[i].name);
    for (size_t i = 0; i < GP_NUMBER_COUNT && count < MOST; i++)
        if (may_be(name, gp_number_fields[i].name))
            gp_text_printf(&list, "%s%s", count++ > 0 ? ", " : "", gp_number_fields[i].name);
    gp_fail(error,
            "a device has no number '%.40s'; %s%s%sthere are sms, gbps, l2, clock and the names that 'gpuperf "
            "devices a100' lists",
            name, count > 0 ? "near it: " : "", count > 0 ? list.data : "", count > 0 ? "; " : "");
    gp_text_free(&list);
    return false;
}

static double factor_of(char suffix)
{
    switch (tolower((unsigned char)suffix)) {
    case 'k': return 1024;
    case 'm': return 1024 * 1024;
    case 'g': return 1024 * 1024 * 1024;
    default: return 0;
    }
}

/* 24M, 24MB, 24MiB. */
static bool read_value(const char *text, bool bytes, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (end == text || !isfinite(*value))
        return false;
    if (*end != '\0' && bytes && factor_of(*end) > 0) {
        *value *= factor_of(*end++);
        end += strcasecmp(end, "B") == 0 || strcasecmp(end, "iB") == 0 ? strlen(end) : 0;
    }
    return *end == '\0';
}

/* Where several boards of one architecture were measured, L2's rates go with its SMs (docs/hwdb.md: 15 to 35 B per
 * cycle and SM). */
void gp_scale_units(struct gp_device *device, double units)
{
    static const size_t fields[] = {GP_FIELD_l2_bytes_per_clk, GP_FIELD_l2_lines_per_clk,
                                    GP_FIELD_l2_write_bytes_per_clk};
    double ratio = units / device->sm_count.value;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0] && ratio != 1; i++) {
        struct gp_number *number = gp_field_of(device, fields[i]);
        *number = (struct gp_number){number->value * ratio, GP_FROM_DERIVED, "the entry's, by the number of SMs"};
    }
}

void gp_derive_again(struct gp_device *device)
{
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++) {
        struct gp_number *number = gp_field_of(device, i);
        if (number->source != NULL && strncmp(number->source, "rule:", 5) == 0)
            *number = (struct gp_number){.origin = GP_FROM_UNKNOWN};
    }
    gp_derive(device);
}

/* " SMS " is sms. */
static void take_name(const char *text, size_t length, char *name, size_t size)
{
    size_t blanks = strspn(text, " ");
    length = length > blanks ? length - blanks : 0;
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), text + blanks);
    for (size_t end = strlen(name); end > 0 && name[end - 1] == ' '; end--)
        name[end - 1] = '\0';
    for (char *c = name; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
}

bool gp_device_set(struct gp_device *device, const char *assignment, struct gp_error *error)
{
    char name[40];
    size_t length = strcspn(assignment, "="), index;
    double value;
    if (assignment[length] != '=' || length == 0)
        return gp_fail(error, "'%.60s' is not FIELD=VALUE, such as sms=24 or l2=24M", assignment);
    take_name(assignment, length, name, sizeof name);
    if (!find_field(full_name(name), &index))
        return no_field(name, error);
    const char *unit = gp_number_fields[index].unit;
    if (!read_value(assignment + length + 1, strcmp(unit, "B") == 0, &value))
        return gp_fail(error, "%.40s: '%.40s' is no number%s%s%s", name, assignment + length + 1, unit[0] ? " of " : "",
                       unit, strcmp(unit, "B") == 0 ? " (24M is 24 MB)" : "");
    struct gp_number before = *gp_field_of(device, index);
    *gp_field_of(device, index) = (struct gp_number){value, GP_FROM_VENDOR, "stated by the user"};
    if (!gp_check(device, NULL, error)) {
        *gp_field_of(device, index) = before;
        return false;
    }
    if (index == GP_FIELD_sm_count) {
        struct gp_number now = device->sm_count;
        device->sm_count = before;
        gp_scale_units(device, value);
        device->sm_count = now;
    }
    gp_derive_again(device);
    return gp_check(device, NULL, error);
}
