/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/store.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile/compile.h"
#include "compile/locate.h"
#include "report/json_string.h"
#include "support/hash.h"
#include "support/text.h"
#include "tools/cache_folder.h"

/* ---- Hashes
 * ------------------------------------------------------------------------------------------------------------ */

static uint64_t add_text(uint64_t hash, const char *text) { return gp_fnv1a(hash, text, strlen(text) + 1); }

static uint64_t add_words(uint64_t hash, const struct gp_arguments *words)
{
    for (size_t i = 0; i < words->count; i++)
        hash = add_text(hash, words->items[i]);
    return add_text(hash, "");
}

/* Of a file's text; 0: it cannot be read. */
static uint64_t file_hash(const char *path)
{
    struct stat status;
    size_t length;
    char *text = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? gp_read_file(path, &length) : NULL;
    uint64_t hash = text != NULL ? gp_fnv1a(GP_FNV1A, text, length) : 0;
    free(text);
    return hash;
}

static uint64_t add_device(uint64_t hash, const char *name)
{
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), NULL);
    if (device == NULL)
        return hash;
    hash = add_text(add_text(add_text(hash, device->name), device->triple), device->cpu);
#define X(field, unit, meaning) \
    hash = gp_fnv1a(hash, &device->field.value, sizeof device->field.value); \
    hash = gp_fnv1a(hash, &device->field.origin, sizeof device->field.origin);
    GP_DEVICE_NUMBERS(X)
#undef X
    gp_device_free(device);
    return hash;
}

/* gpuperf itself, by its program's size and date. */
static uint64_t add_self(uint64_t hash)
{
    struct stat status;
    char *programs = gp_compile_programs(NULL);
    if (stat("/proc/self/exe", &status) == 0) {
        hash = gp_fnv1a(hash, &status.st_size, sizeof status.st_size);
        hash = gp_fnv1a(hash, &status.st_mtim, sizeof status.st_mtim);
    }
    hash = add_text(hash, programs != NULL ? programs : "");
    free(programs);
    return hash;
}

static uint64_t add_program(uint64_t hash, char *path)
{
    struct stat status;
    if (path != NULL && stat(path, &status) == 0) {
        hash = gp_fnv1a(hash, &status.st_size, sizeof status.st_size);
        hash = gp_fnv1a(hash, &status.st_mtim, sizeof status.st_mtim);
    }
    hash = add_text(hash, path != NULL ? path : "");
    free(path);
    return hash;
}

/* The vendors' compilers and libraries, which tell registers and functions where they are installed. */
static uint64_t add_toolkits(uint64_t hash)
{
    char *cuda = gp_locate_cuda(NULL);
    hash = add_text(hash, cuda != NULL ? cuda : "");
    free(cuda);
    hash = add_program(hash, gp_locate_ptxas(NULL));
    hash = add_program(hash, gp_locate_nvcc(NULL));
    hash = add_program(hash, gp_locate_nvrtc(NULL));
    hash = add_program(hash, gp_locate_amd_clang(NULL));
    hash = add_program(hash, gp_locate_libclc(NULL, "nvptx64--nvidiacl.bc"));
    return add_program(hash, gp_locate_libclc(NULL, "amdgcn-amd-amdhsa.bc"));
}

/* Which source is asked about, and how: names the file. */
static uint64_t identity(const struct gp_unit_question *q)
{
    uint64_t hash = add_text(GP_FNV1A, q->unit->file);
    char here[PATH_MAX];
    hash = add_text(hash, getcwd(here, sizeof here) != NULL ? here : "");
    hash = add_words(add_words(add_words(hash, &q->unit->arguments), q->devices), q->kernels);
    hash = gp_fnv1a(hash, &q->unit->recorded, sizeof q->unit->recorded);
    return gp_fnv1a(gp_fnv1a(hash, &q->all_kernels, sizeof q->all_kernels), &q->sizes, sizeof q->sizes);
}

/* What the result is made from, but for headers. */
static uint64_t contents(const struct gp_unit_question *q)
{
    uint64_t source = file_hash(q->unit->file), config = q->config->path != NULL ? file_hash(q->config->path) : 0;
    uint64_t hash = gp_fnv1a(gp_fnv1a(GP_FNV1A, &source, sizeof source), &config, sizeof config);
    for (size_t i = 0; i < q->devices->count; i++)
        hash = add_device(hash, q->devices->items[i]);
    return add_toolkits(add_self(hash));
}

/* ---- The folder
 * --------------------------------------------------------------------------------------------------------- */

static bool make_folder(const char *path) { return mkdir(path, 0700) == 0 || access(path, W_OK) == 0; }

/* $GPUPERF_CACHE empty: nothing is kept. */
static bool folder(char path[PATH_MAX])
{
    const size_t most = PATH_MAX - 128; /* names are put behind it */
    if (!gp_cache_folder(path) || path[0] == '\0' || strlen(path) > most || !make_folder(path))
        return false;
    strcat(path, "/check");
    return make_folder(path);
}

static bool file_of(const struct gp_unit_question *q, char path[PATH_MAX])
{
    size_t length;
    if (!folder(path))
        return false;
    length = strlen(path);
    snprintf(path + length, PATH_MAX - length, "/%016" PRIx64 ".json", identity(q));
    return true;
}

/* ---- Getting
 * ------------------------------------------------------------------------------------------------------------- */

static bool is_hash(const json_t *value, uint64_t hash)
{
    const char *text = json_string_value(value);
    return text != NULL && strtoull(text, NULL, 16) == hash;
}

static bool headers_hold(json_t *headers, const json_t *absent)
{
    const char *path;
    json_t *hash;
    size_t index;
    json_object_foreach(headers, path, hash)
    {
        if (!is_hash(hash, file_hash(path)))
            return false;
    }
    json_array_foreach(absent, index, hash)
    {
        if (access(json_string_value(hash) ? json_string_value(hash) : "", F_OK) == 0)
            return false;
    }
    return true;
}

char *gp_store_get(const struct gp_unit_question *q)
{
    char path[PATH_MAX];
    json_t *kept = file_of(q, path) ? json_load_file(path, 0, NULL) : NULL;
    const char *result = json_string_value(json_object_get(kept, "result"));
    bool holds = result != NULL && is_hash(json_object_get(kept, "contents"), contents(q)) &&
                 headers_hold(json_object_get(kept, "headers"), json_object_get(kept, "absent"));
    char *copy = holds ? strdup(result) : NULL;
    json_decref(kept);
    return copy;
}

/* ---- Putting
 * ------------------------------------------------------------------------------------------------------------- */

static json_t *hash_text(uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return json_string(text);
}

static void take_line(char *line, json_t *headers, json_t *absent)
{
    if (strncmp(line, "header ", 7) == 0)
        json_object_set_new(headers, line + 7, hash_text(file_hash(line + 7)));
    else if (strncmp(line, "absent ", 7) == 0)
        json_array_append_new(absent, gp_json_string(line + 7));
}

void gp_store_put(const struct gp_unit_question *q, const char *read, const char *result)
{
    char path[PATH_MAX];
    char *lines = read != NULL && file_of(q, path) ? strdup(read) : NULL;
    json_t *headers = json_object(), *absent = json_array();
    for (char *at = lines, *line; at != NULL && (line = strsep(&at, "\n")) != NULL;)
        take_line(line, headers, absent);
    json_t *kept = lines != NULL ? json_pack("{s:o,s:O,s:O,s:o}", "contents", hash_text(contents(q)), "headers",
                                             headers, "absent", absent, "result", gp_json_string(result))
                                 : NULL;
    char *text = kept != NULL ? json_dumps(kept, JSON_COMPACT) : NULL;
    if (text != NULL)
        gp_write_file(path, text, strlen(text));
    free(text);
    free(lines);
    json_decref(kept);
    json_decref(headers);
    json_decref(absent);
}
