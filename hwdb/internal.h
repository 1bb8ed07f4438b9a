/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the loader's files share: the field table, the places of fields in a file, and the steps after parsing. */
#ifndef GPUPERF_HWDB_INTERNAL_H
#define GPUPERF_HWDB_INTERNAL_H

#include <limits.h>

#include "hwdb/hwdb.h"

/* A number field, from GP_DEVICE_NUMBERS. */
struct gp_number_field {
    const char *name;
    const char *unit;
    size_t offset; /* of the struct gp_number in struct gp_device */
};
extern const struct gp_number_field gp_number_fields[GP_NUMBER_COUNT];

static inline struct gp_number *gp_field_of(struct gp_device *device, size_t index)
{
    return (struct gp_number *)((char *)device + gp_number_fields[index].offset);
}

/* The text fields of a file; X(field). */
/* clang-format off */
#define GP_DEVICE_TEXTS(X) X(name) X(title) X(arch) X(compute_capability) X(triple) X(cpu) X(proxy_target) X(matches)
/* clang-format on */
enum {
#define X(field) GP_TEXT_##field,
    GP_DEVICE_TEXTS(X)
#undef X
        GP_TEXT_COUNT,
    GP_PLACE_COUNT = GP_TEXT_COUNT + GP_NUMBER_COUNT /* text fields first, then the numbers */
};
const char *gp_place_name(size_t place);

/* Where the fields of a file are: what libyaml's events say before libcyaml gives the fields their types. */
struct gp_places {
    unsigned line[GP_PLACE_COUNT]; /* 0: not in the file */
};

/*
 * Finds all fields and replaces the word `unknown`, where it is a number's value, by YAML's null of the same width,
 * which is how libcyaml spells an absent mapping. False and a sentence on a syntax error, an unknown or repeated field,
 * a missing text, an empty file, a second document, or a number that is neither a mapping nor `unknown`.
 */
bool gp_scan(const char *path, char *text, size_t length, struct gp_places *places, struct gp_error *error);

/*
 * Fills a device that is all zero but for its path from a file's text, which it changes. The device's texts belong to
 * `texts`, for gp_device_free_texts(), also after a failure; NULL: there are none. False and a sentence: where the file
 * is wrong. The plugin has these two from a module of its own (plugin/files.c).
 */
bool gp_device_parse(struct gp_device *device, char *text, size_t length, void **texts, struct gp_error *error);
void gp_device_free_texts(void *texts);

/*
 * Gives a device the name of another one, of which it is the nearest in the database. False: out of memory, and the
 * device is freed.
 */
bool gp_device_rename(struct gp_device *device, const char *name, bool same_target, struct gp_error *error);

/* What a device's `cpu` is: a target of the device's own architecture (or a host's, of which nothing is known here),
 * another one of the vendor's, none. */
enum gp_cpu_kind { GP_CPU_OWN, GP_CPU_RELATIVE, GP_CPU_OTHER };
enum gp_cpu_kind gp_cpu_kind(const struct gp_device *device);

/* limits.c: what a field may be; `none`: or 0, where the device has no such thing. */
struct gp_limit {
    double least, most;
    bool none;
};
extern const struct gp_limit gp_limits[GP_NUMBER_COUNT];

/* Fills unknown numbers by rule. What no rule can derive stays GP_FROM_UNKNOWN. */
void gp_derive(struct gp_device *device);

/* Fills anew what a rule had filled, after a number that rules use has changed. */
void gp_derive_again(struct gp_device *device);

/* Gives the rates of L2 the size that they would have with `units` SMs; sm_count itself stays. */
void gp_scale_units(struct gp_device *device, double units);

/* Gives a device a name and a title of its own, and the name of the entry whose numbers it has (NULL: it is an entry
 * itself). False: out of memory. */
bool gp_device_retitle(struct gp_device *device, const char *name, const char *title, const char *nearest,
                       struct gp_error *error);

/* The compile target of a board with an entry's numbers: its own, where the entry's is no stand-in. `name` lives as
 * long as the device. */
void gp_device_take_target(struct gp_device *device, const char *name);

/* The file of an entry's name, of the first directory that has it; *installed: it is the installed database's. False:
 * there is none. */
bool gp_device_find_file(const char *name, const char *directories, char path[PATH_MAX], bool *installed);

/* A text that lives as long as the device; NULL: out of memory. */
const char *gp_device_keep(struct gp_device *device, const char *text);

/* Values that no device can have, and numbers that stayed unknown. `places` NULL: of numbers that a user stated, the
 * texts are not asked. */
bool gp_check(const struct gp_device *device, const struct gp_places *places, struct gp_error *error);

#endif
