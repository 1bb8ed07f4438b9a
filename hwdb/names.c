/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of origins, architectures and fields. */
#include "hwdb/internal.h"

#include <string.h>

#include "support/text.h"

static const char *const origins[] = {
    [GP_FROM_UNKNOWN] = "unknown", [GP_FROM_MEASURED] = "measured", [GP_FROM_VENDOR] = "vendor",
    [GP_FROM_FITTED] = "fitted",   [GP_FROM_DERIVED] = "derived",   [GP_FROM_ASSUMED] = "assumed",
};

static const char *const archs[GP_ARCH_COUNT] = {
    [GP_ARCH_TESLA1] = "tesla1",
    [GP_ARCH_TESLA2] = "tesla2",
    [GP_ARCH_FERMI] = "fermi",
    [GP_ARCH_KEPLER] = "kepler",
    [GP_ARCH_MAXWELL] = "maxwell",
    [GP_ARCH_PASCAL] = "pascal",
    [GP_ARCH_VOLTA] = "volta",
    [GP_ARCH_TURING] = "turing",
    [GP_ARCH_AMPERE] = "ampere",
    [GP_ARCH_ADA] = "ada",
    [GP_ARCH_HOPPER] = "hopper",
    [GP_ARCH_BLACKWELL] = "blackwell",
    [GP_ARCH_TERASCALE] = "terascale",
    [GP_ARCH_GCN] = "gcn",
    [GP_ARCH_CDNA] = "cdna",
    [GP_ARCH_RDNA] = "rdna",
    [GP_ARCH_XE] = "xe",
    [GP_ARCH_CPU] = "cpu",
};

const struct gp_number_field gp_number_fields[GP_NUMBER_COUNT] = {
#define X(field, unit, meaning) {#field, unit, offsetof(struct gp_device, field)},
    GP_DEVICE_NUMBERS(X)
#undef X
};

static const char *const texts[GP_TEXT_COUNT] = {
#define X(field) #field,
    GP_DEVICE_TEXTS(X)
#undef X
};

const char *gp_origin_name(enum gp_origin origin)
{
    return (size_t)origin < sizeof origins / sizeof origins[0] ? origins[origin] : "unknown";
}

const char *gp_arch_name(enum gp_arch arch) { return (unsigned)arch < GP_ARCH_COUNT ? archs[arch] : "unknown"; }

const char *gp_place_name(size_t place)
{
    return place < GP_TEXT_COUNT ? texts[place] : gp_number_fields[place - GP_TEXT_COUNT].name;
}

const struct gp_number *gp_device_number(const struct gp_device *device, const char *field, const char **unit)
{
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++) {
        if (strcmp(gp_number_fields[i].name, field) != 0)
            continue;
        if (unit != NULL)
            *unit = gp_number_fields[i].unit;
        return (const struct gp_number *)((const char *)device + gp_number_fields[i].offset);
    }
    return NULL;
}

size_t gp_device_missing(const struct gp_device *device, struct gp_text *names)
{
    size_t count = 0;
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++)
        if (device->missing[i])
            gp_text_printf(names, "%s%s", count++ > 0 ? ", " : "", gp_number_fields[i].name);
    return count;
}
