/*
 * Loads a device file: scan.c finds the fields, libcyaml gives them their types by the schema below (generated from
 * GP_DEVICE_NUMBERS), derive.c fills what is unknown, check.c refuses what cannot be.
 */
#include "hwdb/internal.h"
#include "support/text.h"

#include <cyaml/cyaml.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file as libcyaml builds it. Numbers are NULL where unknown. */
struct file {
    char *name, *title;
    enum gp_arch arch;
    unsigned compute_capability;
    char *triple, *cpu;
    bool proxy_target;
    char **matches;
    unsigned matches_count;
#define X(field, unit, meaning) struct gp_number *field;
    GP_DEVICE_NUMBERS(X)
#undef X
};

/* Owner of a device's memory. */
struct storage {
    struct file *file;
    char *path;
};

static const cyaml_strval_t origins[] = {
    {"measured", GP_FROM_MEASURED}, {"vendor", GP_FROM_VENDOR}, {"fitted", GP_FROM_FITTED},
    {"derived", GP_FROM_DERIVED},   {"assumed", GP_FROM_ASSUMED},
};
static const cyaml_strval_t archs[] = {
    {"tesla1", GP_ARCH_TESLA1}, {"tesla2", GP_ARCH_TESLA2}, {"fermi", GP_ARCH_FERMI},         {"kepler", GP_ARCH_KEPLER},
    {"maxwell", GP_ARCH_MAXWELL}, {"pascal", GP_ARCH_PASCAL}, {"volta", GP_ARCH_VOLTA},       {"turing", GP_ARCH_TURING},
    {"ampere", GP_ARCH_AMPERE}, {"ada", GP_ARCH_ADA},       {"hopper", GP_ARCH_HOPPER},       {"terascale", GP_ARCH_TERASCALE},
    {"gcn", GP_ARCH_GCN},       {"cdna", GP_ARCH_CDNA},     {"rdna", GP_ARCH_RDNA},           {"cpu", GP_ARCH_CPU},
};

static const cyaml_schema_field_t number_schema[] = {
    CYAML_FIELD_FLOAT("value", CYAML_FLAG_DEFAULT, struct gp_number, value),
    CYAML_FIELD_ENUM("from", CYAML_FLAG_STRICT, struct gp_number, origin, origins, CYAML_ARRAY_LEN(origins)),
    CYAML_FIELD_STRING_PTR("source", CYAML_FLAG_POINTER, struct gp_number, source, 1, 200),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t match_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 100)};
static const cyaml_schema_field_t file_schema[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct file, name, 1, 60),
    CYAML_FIELD_STRING_PTR("title", CYAML_FLAG_POINTER, struct file, title, 1, 100),
    CYAML_FIELD_ENUM("arch", CYAML_FLAG_STRICT, struct file, arch, archs, CYAML_ARRAY_LEN(archs)),
    CYAML_FIELD_UINT("compute_capability", CYAML_FLAG_DEFAULT, struct file, compute_capability),
    CYAML_FIELD_STRING_PTR("triple", CYAML_FLAG_POINTER, struct file, triple, 0, 60),
    CYAML_FIELD_STRING_PTR("cpu", CYAML_FLAG_POINTER, struct file, cpu, 0, 60),
    CYAML_FIELD_BOOL("proxy_target", CYAML_FLAG_DEFAULT, struct file, proxy_target),
    CYAML_FIELD_SEQUENCE("matches", CYAML_FLAG_POINTER, struct file, matches, &match_schema, 0, GP_MAX_DEVICE_MATCHES - 1),
#define X(field, unit, meaning) CYAML_FIELD_MAPPING_PTR(#field, CYAML_FLAG_POINTER_NULL_STR, struct file, field, number_schema),
    GP_DEVICE_NUMBERS(X)
#undef X
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t schema = {CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct file, file_schema)};

/* libcyaml's complaint: a first line that says what, then a backtrace from the innermost field to the outermost. */
struct complaint {
    char reason[200];
    unsigned line;
    char inner[40];
    char outer[40];
};

static void keep_complaint(cyaml_log_t level, void *context, const char *format, va_list arguments)
{
    (void)level;
    struct complaint *c = context;
    char text[300], field[40] = "";
    unsigned line = 0;
    vsnprintf(text, sizeof text, format, arguments);
    text[strcspn(text, "\n")] = '\0';
    if (sscanf(text, " in mapping field '%39[^']' (line: %u", field, &line) == 2) {
        if (c->inner[0] == '\0')
            strcpy(c->inner, field);
        strcpy(c->outer, field);
    } else if (sscanf(text, " in mapping (line: %u", &line) != 1 && sscanf(text, " in sequence entry %*s (line: %u", &line) != 1) {
        if (c->reason[0] == '\0' && strstr(text, "Backtrace") == NULL)
            snprintf(c->reason, sizeof c->reason, "%.199s", strncmp(text, "Load: ", 6) == 0 ? text + 6 : text);
    }
    if (c->line == 0)
        c->line = line;
}

/* "measured, vendor ... or assumed" for a field whose values are words. */
static void list_words(const cyaml_strval_t *words, size_t count, struct gp_text *text)
{
    for (size_t i = 0; i < count; i++)
        gp_text_printf(text, "%s%s", i == 0 ? "; it must be " : i + 1 == count ? " or " : ", ", words[i].str);
}

static bool explain(const char *path, const struct complaint *c, cyaml_err_t code, struct gp_error *error)
{
    struct gp_text field = {0}, hint = {0};
    if (c->outer[0] != '\0')
        gp_text_printf(&field, "field '%s%s%s': ", c->outer, strcmp(c->inner, c->outer) ? "." : "", strcmp(c->inner, c->outer) ? c->inner : "");
    if (strcmp(c->inner, "from") == 0)
        list_words(origins, CYAML_ARRAY_LEN(origins), &hint);
    else if (strcmp(c->inner, "arch") == 0)
        list_words(archs, CYAML_ARRAY_LEN(archs), &hint);
    gp_fail(error, "%s:%u: %s%s%s", path, c->line ? c->line : 1, field.data ? field.data : "",
            c->reason[0] ? c->reason : cyaml_strerror(code), hint.data ? hint.data : "");
    gp_text_free(&field);
    gp_text_free(&hint);
    return false;
}

static cyaml_config_t config(struct complaint *complaint)
{
    return (cyaml_config_t){.log_fn = keep_complaint, .log_ctx = complaint, .mem_fn = cyaml_mem,
                            .log_level = CYAML_LOG_ERROR, .flags = CYAML_CFG_NO_ALIAS};
}

static char *read_text(const char *path, size_t *length, struct gp_error *error)
{
    enum { LONGEST = 1 << 20 };
    char *text = gp_read_file(path, length);
    if (text == NULL) {
        gp_fail(error, "%s: %s", path, errno == EISDIR ? "a directory, not a device file" : strerror(errno));
        return NULL;
    }
    if (*length > LONGEST) {
        gp_fail(error, "%s: larger than 1 MB, not a device file", path);
        free(text);
        return NULL;
    }
    return text;
}

static struct file *read_file(const char *path, struct gp_places *places, struct gp_error *error)
{
    size_t length;
    char *text = read_text(path, &length, error);
    if (text == NULL)
        return NULL;
    struct complaint complaint = {0};
    cyaml_config_t settings = config(&complaint);
    struct file *file = NULL;
    if (gp_scan(path, text, length, places, error)) {
        cyaml_err_t code = cyaml_load_data((const uint8_t *)text, length, &settings, &schema, (cyaml_data_t **)&file, NULL);
        if (code != CYAML_OK)
            explain(path, &complaint, code, error);
    }
    free(text);
    return file;
}

static void fill(struct gp_device *device, const struct file *file)
{
    device->name = file->name;
    device->title = file->title;
    device->arch = file->arch;
    device->compute_capability = file->compute_capability;
    device->triple = file->triple;
    device->cpu = file->cpu;
    device->proxy_target = file->proxy_target;
    for (unsigned i = 0; i < file->matches_count; i++)
        device->matches[i] = file->matches[i];
#define X(field, unit, meaning) device->field = file->field ? *file->field : (struct gp_number){0, GP_FROM_UNKNOWN, ""};
    GP_DEVICE_NUMBERS(X)
#undef X
}

/* The device takes the file over. NULL: out of memory, and the file is freed. */
static struct gp_device *make_device(struct file *file, const char *path)
{
    struct gp_device *device = calloc(1, sizeof *device);
    struct storage *storage = malloc(sizeof *storage);
    char *copy = strdup(path);
    if (device == NULL || storage == NULL || copy == NULL) {
        struct complaint complaint;
        cyaml_config_t settings = config(&complaint);
        cyaml_free(&settings, &schema, file, 0);
        free(device);
        free(storage);
        free(copy);
        return NULL;
    }
    *storage = (struct storage){file, copy};
    device->storage = storage;
    device->path = copy;
    fill(device, file);
    return device;
}

void gp_device_free(struct gp_device *device)
{
    if (device == NULL)
        return;
    struct storage *storage = device->storage;
    struct complaint complaint;
    cyaml_config_t settings = config(&complaint);
    cyaml_free(&settings, &schema, storage->file, 0);
    free(storage->path);
    free(storage);
    free(device);
}

struct gp_device *gp_device_load_file(const char *path, struct gp_error *error)
{
    struct gp_places places;
    struct file *file = read_file(path, &places, error);
    if (file == NULL)
        return NULL;
    struct gp_device *device = make_device(file, path);
    if (device == NULL) {
        gp_fail(error, "%s: out of memory", path);
        return NULL;
    }
    gp_derive(device);
    if (gp_check(device, &places, error))
        return device;
    gp_device_free(device);
    return NULL;
}
