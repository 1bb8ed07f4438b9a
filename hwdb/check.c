/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values that no device can have. What is possible but strange is not our business. */
#include "hwdb/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/text.h"
#include "support/words.h"

static bool wrong(const struct gp_device *device, const struct gp_places *places, size_t place, struct gp_error *error,
                  const char *reason)
{
    if (places == NULL) /* stated by a user, in no file */
        return gp_fail(error, "%s: field '%s': %s", device->name, gp_place_name(place), reason);
    unsigned line = places->line[place];
    return gp_fail(error, "%s:%u: field '%s': %s", device->path, line > 0 ? line : 1, gp_place_name(place), reason);
}

/* Units of things that come in whole numbers. */
static bool is_count(const char *unit)
{
    static const char *const units[] = {"",       "B",          "0/1",       "lanes",  "warps",
                                        "groups", "work-items", "registers", "policy", "loads",
                                        "lines",  "pages",      "requests",  "stores", "SMs"};
    return gp_is_one_of(unit, units, sizeof units / sizeof units[0]);
}

/* Of a number that is another one by a rule, the other: that is what the file states. */
static size_t stated_for(const struct gp_device *device, size_t index)
{
    const struct gp_number *number = gp_field_of((struct gp_device *)device, index);
    const char *rule = number->source != NULL && strncmp(number->source, "rule: ", 6) == 0 ? number->source + 6 : "";
    size_t length = strcspn(rule, " ,;");
    for (size_t i = 0; i < GP_NUMBER_COUNT && length > 0; i++)
        if (strncmp(gp_number_fields[i].name, rule, length) == 0 && gp_number_fields[i].name[length] == '\0' &&
            gp_field_of((struct gp_device *)device, i)->value == number->value)
            return i;
    return index;
}

static bool check_range(const struct gp_device *device, const struct gp_places *places, size_t index,
                        struct gp_error *error)
{
    static const char *const bare[] = {"", "0/1", "share", "policy"};
    double value = gp_field_of((struct gp_device *)device, index)->value;
    const char *unit = gp_number_fields[index].unit;
    bool named = !gp_is_one_of(unit, bare, sizeof bare / sizeof bare[0]);
    const struct gp_limit *limit = &gp_limits[index];
    if ((value == 0 && limit->none) || (value >= limit->least && value <= limit->most))
        return true;
    char reason[160];
    snprintf(reason, sizeof reason, "%.10g is %s between %.10g and %.10g%s%s; mind its unit%s", value,
             limit->none && limit->least > 0 ? "neither 0 nor" : "not", limit->least, limit->most, named ? " " : "",
             named ? unit : "", places != NULL ? ", or write unknown where no source has the number" : "");
    return wrong(device, places, GP_TEXT_COUNT + stated_for(device, index), error, reason);
}

static bool check_number(const struct gp_device *device, const struct gp_places *places, size_t index,
                         struct gp_error *error)
{
    const struct gp_number *number = gp_field_of((struct gp_device *)device, index);
    const char *unit = gp_number_fields[index].unit;
    size_t place = GP_TEXT_COUNT + index;
    if (number->origin == GP_FROM_UNKNOWN)
        return wrong(device, places, place, error,
                     "unknown, and no rule derives it; give a value, from: assumed if it must be");
    if (!isfinite(number->value))
        return wrong(device, places, place, error, "not a finite number");
    if (is_count(unit) && number->value != floor(number->value))
        return wrong(device, places, place, error, "not a whole number");
    return check_range(device, places, index, error);
}

/* compute_capability belongs to the architecture. */
static bool check_capability(const struct gp_device *d)
{
    unsigned cc = d->compute_capability;
    switch (d->arch) {
    case GP_ARCH_TESLA1: return cc == 10 || cc == 11;
    case GP_ARCH_TESLA2: return cc == 12 || cc == 13;
    case GP_ARCH_FERMI: return cc / 10 == 2;
    case GP_ARCH_KEPLER: return cc / 10 == 3;
    case GP_ARCH_MAXWELL: return cc / 10 == 5;
    case GP_ARCH_PASCAL: return cc / 10 == 6;
    case GP_ARCH_VOLTA: return cc / 10 == 7 && cc < 75;
    case GP_ARCH_TURING: return cc == 75;
    case GP_ARCH_AMPERE: return cc / 10 == 8 && cc < 89;
    case GP_ARCH_ADA: return cc == 89;
    case GP_ARCH_HOPPER: return cc / 10 == 9;
    case GP_ARCH_BLACKWELL: return cc >= 100 && cc < 130;
    default: return cc == 0;
    }
}

/* Which targets there are only the compiler knows; which could be the device's can be seen. */
static bool check_cpu(const struct gp_device *device, const struct gp_places *places, struct gp_error *error)
{
    bool nvidia = gp_arch_is_nvidia(device->arch);
    char own[60], reason[200];
    switch (gp_cpu_kind(device)) {
    case GP_CPU_OTHER:
        snprintf(reason, sizeof reason, "'%.40s' is no target of %s; write it as clang does, like %s", device->cpu,
                 nvidia ? "NVIDIA's" : "AMD's", nvidia ? "sm_86" : "gfx90a");
        return wrong(device, places, GP_TEXT_cpu, error, reason);
    case GP_CPU_RELATIVE:
        if (device->proxy_target)
            return true;
        if (nvidia)
            snprintf(own, sizeof own, "compute_capability %u", device->compute_capability);
        else
            snprintf(own, sizeof own, "arch %s", gp_arch_name(device->arch));
        snprintf(reason, sizeof reason,
                 "'%.40s' is no target of %s; give the device's own, or say proxy_target: true for a stand-in",
                 device->cpu, own);
        return wrong(device, places, GP_TEXT_cpu, error, reason);
    default: return true;
    }
}

static bool check_texts(const struct gp_device *device, const struct gp_places *places, struct gp_error *error)
{
    const char *file = strrchr(device->path, '/');
    file = file != NULL ? file + 1 : device->path;
    size_t stem = strlen(file) > 5 && strcmp(file + strlen(file) - 5, ".yaml") == 0 ? strlen(file) - 5 : strlen(file);
    char expected[NAME_MAX + 60];
    snprintf(expected, sizeof expected, "'%.60s' is not the file's name; write '%.*s', or rename the file",
             device->name, (int)stem, file);
    if (strlen(device->name) != stem || strncmp(device->name, file, stem) != 0)
        return wrong(device, places, GP_TEXT_name, error, expected);
    if (!check_capability(device))
        return wrong(device, places, GP_TEXT_compute_capability, error,
                     "not one of the architecture's (80 stands for 8.0; 0 where there is none)");
    if (gp_arch_is_nvidia(device->arch) && strncmp(device->triple, "nvptx", 5) != 0)
        return wrong(device, places, GP_TEXT_triple, error, "an NVIDIA device compiles for nvptx64-nvidia-cuda");
    if (gp_arch_is_amd(device->arch) && strncmp(device->triple, "amdgcn", 6) != 0)
        return wrong(device, places, GP_TEXT_triple, error, "an AMD device compiles for amdgcn-amd-amdhsa");
    if (device->arch == GP_ARCH_XE && strcmp(device->triple, "spir64") != 0)
        return wrong(device, places, GP_TEXT_triple, error, "an Intel device compiles for spir64, which stands in");
    return check_cpu(device, places, error);
}

/* Of two fields the first is at most the second. */
static const struct {
    size_t smaller, larger;
    const char *reason;
} orders[] = {
    {GP_FIELD_smem_per_block, GP_FIELD_smem_per_sm, "larger than smem_per_sm"},
    {GP_FIELD_max_threads_per_block, GP_FIELD_max_threads_per_sm, "larger than max_threads_per_sm"},
    {GP_FIELD_max_warps_per_sm, GP_FIELD_max_threads_per_sm, "larger than max_threads_per_sm"},
    {GP_FIELD_schedulers_per_sm, GP_FIELD_max_warps_per_sm, "larger than max_warps_per_sm"},
    {GP_FIELD_l1_sector, GP_FIELD_l1_line, "larger than l1_line"},
    {GP_FIELD_l2_sector, GP_FIELD_l2_line, "larger than l2_line"},
    {GP_FIELD_max_registers_per_thread, GP_FIELD_registers_per_sm, "larger than registers_per_sm"},
};

static bool check_together(const struct gp_device *device, const struct gp_places *places, struct gp_error *error)
{
    struct gp_device *d = (struct gp_device *)device;
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (gp_field_of(d, orders[i].smaller)->value > gp_field_of(d, orders[i].larger)->value)
            return wrong(device, places, GP_TEXT_COUNT + orders[i].smaller, error, orders[i].reason);
    double width = device->warp_width.value;
    if (width > 64 || ((unsigned)width & ((unsigned)width - 1)) != 0)
        return wrong(device, places, GP_TEXT_COUNT + GP_FIELD_warp_width, error,
                     "no power of two from 1 to 64; it is 32 on NVIDIA and RDNA, 64 on GCN and CDNA, 1 for a CPU");
    if (device->arch != GP_ARCH_CPU &&
        device->max_warps_per_sm.value * device->warp_width.value < device->max_threads_per_sm.value)
        return wrong(device, places, GP_TEXT_COUNT + GP_FIELD_max_warps_per_sm, error,
                     "too few for max_threads_per_sm");
    return true;
}

/* All that a file has to have and has not, at once. */
static bool check_missing(const struct gp_device *device, struct gp_error *error)
{
    struct gp_text names = {0};
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++)
        if (device->missing[i] && gp_field_of((struct gp_device *)device, i)->origin == GP_FROM_UNKNOWN)
            gp_text_printf(&names, "%s%s", names.length > 0 ? ", " : "", gp_number_fields[i].name);
    bool none = names.length == 0;
    if (!none)
        gp_fail(error, "%s:1: missing: %s; no rule derives these; give values, from: assumed if it must be",
                device->path, names.data);
    gp_text_free(&names);
    return none;
}

bool gp_check(const struct gp_device *device, const struct gp_places *places, struct gp_error *error)
{
    if (places != NULL && !check_texts(device, places, error))
        return false;
    if (!check_missing(device, error))
        return false;
    for (size_t index = 0; index < GP_NUMBER_COUNT; index++)
        if (!check_number(device, places, index, error))
            return false;
    return check_together(device, places, error);
}
