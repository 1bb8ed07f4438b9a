/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A device from the text of its file: scan.c finds the fields, libcyaml gives them their types by the schema below
 * (generated from GP_DEVICE_NUMBERS), derive.c fills what is unknown or missing, check.c refuses what cannot be.
 */
#define _GNU_SOURCE /* strtod_l */
#include "hwdb/internal.h"
#include "support/text.h"

#include <cyaml/cyaml.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libcyaml takes "40 SMs" for 40 and a decimal point by the locale: numbers are read as text and converted here. */
struct file_number {
    char *value;
    enum gp_origin origin;
    char *source;
};

/* A file as libcyaml builds it. Numbers are NULL where unknown. */
struct file {
    char *name, *title;
    enum gp_arch arch;
    char *compute_capability;
    char *triple, *cpu;
    bool proxy_target;
    char **matches;
    unsigned matches_count;
#define X(field, unit, meaning) struct file_number *field;
    GP_DEVICE_NUMBERS(X)
#undef X
};

static const cyaml_strval_t origins[] = {
    {"measured", GP_FROM_MEASURED}, {"vendor", GP_FROM_VENDOR},   {"fitted", GP_FROM_FITTED},
    {"derived", GP_FROM_DERIVED},   {"assumed", GP_FROM_ASSUMED},
};
static const cyaml_strval_t archs[] = {
    {"tesla1", GP_ARCH_TESLA1},
    {"tesla2", GP_ARCH_TESLA2},
    {"fermi", GP_ARCH_FERMI},
    {"kepler", GP_ARCH_KEPLER},
    {"maxwell", GP_ARCH_MAXWELL},
    {"pascal", GP_ARCH_PASCAL},
    {"volta", GP_ARCH_VOLTA},
    {"turing", GP_ARCH_TURING},
    {"ampere", GP_ARCH_AMPERE},
    {"ada", GP_ARCH_ADA},
    {"hopper", GP_ARCH_HOPPER},
    {"blackwell", GP_ARCH_BLACKWELL},
    {"terascale", GP_ARCH_TERASCALE},
    {"gcn", GP_ARCH_GCN},
    {"cdna", GP_ARCH_CDNA},
    {"rdna", GP_ARCH_RDNA},
    {"xe", GP_ARCH_XE},
    {"cpu", GP_ARCH_CPU},
};

static const cyaml_strval_t truths[] = {{"false", false},
                                        {"true", true}}; /* libcyaml's BOOL takes any other word for true */

static const cyaml_schema_field_t number_schema[] = {
    CYAML_FIELD_STRING_PTR("value", CYAML_FLAG_POINTER, struct file_number, value, 1, 40),
    CYAML_FIELD_ENUM("from", CYAML_FLAG_STRICT, struct file_number, origin, origins, CYAML_ARRAY_LEN(origins)),
    CYAML_FIELD_STRING_PTR("source", CYAML_FLAG_POINTER, struct file_number, source, 1, 200),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t match_schema = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, 100)};
static const cyaml_schema_field_t file_schema[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct file, name, 1, 60),
    CYAML_FIELD_STRING_PTR("title", CYAML_FLAG_POINTER, struct file, title, 1, 100),
    CYAML_FIELD_ENUM("arch", CYAML_FLAG_STRICT, struct file, arch, archs, CYAML_ARRAY_LEN(archs)),
    CYAML_FIELD_STRING_PTR("compute_capability", CYAML_FLAG_POINTER, struct file, compute_capability, 1, 3),
    CYAML_FIELD_STRING_PTR("triple", CYAML_FLAG_POINTER, struct file, triple, 0, 60),
    CYAML_FIELD_STRING_PTR("cpu", CYAML_FLAG_POINTER, struct file, cpu, 0, 60),
    CYAML_FIELD_ENUM("proxy_target", CYAML_FLAG_STRICT, struct file, proxy_target, truths, CYAML_ARRAY_LEN(truths)),
    CYAML_FIELD_SEQUENCE("matches", CYAML_FLAG_POINTER, struct file, matches, &match_schema, 0,
                         GP_MAX_DEVICE_MATCHES - 1),
#define X(field, unit, meaning) \
    CYAML_FIELD_MAPPING_PTR(#field, CYAML_FLAG_POINTER_NULL_STR | CYAML_FLAG_OPTIONAL, struct file, field, \
                            number_schema),
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
    } else if (sscanf(text, " in mapping (line: %u", &line) != 1 &&
               sscanf(text, " in sequence entry %*s (line: %u", &line) != 1) {
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

/* Where libcyaml's words would puzzle a reader. */
static const char *reword(const struct complaint *c, cyaml_err_t code)
{
    if (c->reason[0] == '\0')
        return cyaml_strerror(code);
    if (strncmp(c->reason, "STRING length <", 15) == 0)
        return "empty";
    if (strncmp(c->reason, "STRING length >", 15) == 0)
        return strcmp(c->outer, "compute_capability") == 0 ? "not a whole number such as 80" : "too long";
    return c->reason;
}

static void list_expected(const struct complaint *c, struct gp_text *text)
{
    if (strncmp(c->reason, "Invalid ENUM", 12) != 0)
        return;
    if (strcmp(c->inner, "from") == 0)
        list_words(origins, CYAML_ARRAY_LEN(origins), text);
    else if (strcmp(c->inner, "arch") == 0)
        list_words(archs, CYAML_ARRAY_LEN(archs), text);
    else if (strcmp(c->inner, "proxy_target") == 0)
        list_words(truths, CYAML_ARRAY_LEN(truths), text);
}

static bool explain(const char *path, const struct complaint *c, cyaml_err_t code, struct gp_error *error)
{
    /* When a key of a number is missing, the innermost field is only the last one that was read. */
    bool inner = strcmp(c->inner, c->outer) != 0 && strncmp(c->reason, "Missing", 7) != 0;
    struct gp_text field = {0}, hint = {0};
    if (c->outer[0] != '\0')
        gp_text_printf(&field, "field '%s%s%s': ", c->outer, inner ? "." : "", inner ? c->inner : "");
    list_expected(c, &hint);
    gp_fail(error, "%s:%u: %s%s%s", path, c->line ? c->line : 1, field.data ? field.data : "", reword(c, code),
            hint.data ? hint.data : "");
    gp_text_free(&field);
    gp_text_free(&hint);
    return false;
}

static cyaml_config_t config(struct complaint *complaint)
{
    return (cyaml_config_t){.log_fn = keep_complaint,
                            .log_ctx = complaint,
                            .mem_fn = cyaml_mem,
                            .log_level = CYAML_LOG_ERROR,
                            .flags = CYAML_CFG_NO_ALIAS};
}

static struct file *parse(const char *path, char *text, size_t length, struct gp_places *places, struct gp_error *error)
{
    struct complaint complaint = {0};
    cyaml_config_t settings = config(&complaint);
    struct file *file = NULL;
    if (!gp_scan(path, text, length, places, error))
        return NULL;
    cyaml_err_t code = cyaml_load_data((const uint8_t *)text, length, &settings, &schema, (cyaml_data_t **)&file, NULL);
    if (code != CYAML_OK)
        explain(path, &complaint, code, error);
    return file;
}

void gp_device_free_texts(void *texts)
{
    struct complaint complaint;
    cyaml_config_t settings = config(&complaint);
    cyaml_free(&settings, &schema, texts, 0);
}

static bool convert(const struct gp_device *device, const struct gp_places *places, size_t index,
                    const struct file_number *from, locale_t locale, struct gp_number *to, struct gp_error *error)
{
    if (from == NULL) {
        *to = (struct gp_number){0, GP_FROM_UNKNOWN, ""};
        return true;
    }
    char *end;
    *to = (struct gp_number){strtod_l(from->value, &end, locale), from->origin, from->source};
    if (end != from->value && *end == '\0')
        return true;
    return gp_fail(error, "%s:%u: field '%s.value': not a number: %s", device->path,
                   places->line[GP_TEXT_COUNT + index], gp_number_fields[index].name, from->value);
}

static bool convert_capability(struct gp_device *device, const struct file *file, const struct gp_places *places,
                               struct gp_error *error)
{
    const char *text = file->compute_capability;
    if (text[strspn(text, "0123456789")] != '\0')
        return gp_fail(error, "%s:%u: field 'compute_capability': not a whole number: %s", device->path,
                       places->line[GP_TEXT_compute_capability], text);
    device->compute_capability = (unsigned)atoi(text);
    return true;
}

static bool convert_all(struct gp_device *device, const struct file *file, const struct gp_places *places,
                        struct gp_error *error)
{
    locale_t locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (locale == (locale_t)0)
        return gp_fail(error, "%s: out of memory", device->path);
    bool ok = convert_capability(device, file, places, error);
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++)
        device->missing[i] = places->line[GP_TEXT_COUNT + i] == 0;
#define X(field, unit, meaning) \
    ok = ok && convert(device, places, GP_FIELD_##field, file->field, locale, &device->field, error);
    GP_DEVICE_NUMBERS(X)
#undef X
    freelocale(locale);
    return ok;
}

static void fill(struct gp_device *device, const struct file *file)
{
    device->name = file->name;
    device->title = file->title;
    device->arch = file->arch;
    device->triple = file->triple;
    device->cpu = file->cpu;
    device->proxy_target = file->proxy_target;
    for (unsigned i = 0; i < file->matches_count; i++)
        device->matches[i] = file->matches[i];
}

bool gp_device_parse(struct gp_device *device, char *text, size_t length, void **texts, struct gp_error *error)
{
    struct gp_places places;
    struct file *file = parse(device->path, text, length, &places, error);
    *texts = file;
    if (file == NULL)
        return false;
    fill(device, file);
    if (!convert_all(device, file, &places, error))
        return false;
    gp_derive(device);
    return gp_check(device, &places, error);
}
