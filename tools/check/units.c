/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/units.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

#include "support/prefix.h"
#include "support/words.h"

enum { DEEPEST_FOLDER = 32 };

static bool is_kernel_source(const char *path)
{
    return gp_ends_with(path, ".cl") || gp_ends_with(path, ".clcpp") || gp_ends_with(path, ".cu") ||
           gp_ends_with(path, ".hip");
}

/* "./a.cl" is called "a.cl", as compilers call what it includes. */
static const char *without_dot(const char *path)
{
    while (path[0] == '.' && path[1] == '/' && path[2] != '\0')
        path += 2 + strspn(path + 2, "/");
    return path;
}

static struct gp_unit *add(struct gp_units *units, const char *file, const char *directory, struct gp_error *error)
{
    struct gp_unit *items = realloc(units->items, (units->count + 1) * sizeof *items);
    if (items == NULL) {
        gp_fail(error, "out of memory");
        return NULL;
    }
    units->items = items;
    items[units->count] =
        (struct gp_unit){.file = strdup(without_dot(file)), .directory = directory != NULL ? strdup(directory) : NULL};
    return &items[units->count++];
}

static bool add_source(struct gp_units *units, const char *path, const char *const *shared, struct gp_error *error)
{
    struct gp_unit *unit = add(units, path, NULL, error);
    if (unit != NULL)
        gp_arguments_add_all(&unit->arguments, shared);
    return unit != NULL;
}

bool gp_units_add_recorded(struct gp_units *units, const char *path, const struct gp_arguments *options,
                           const char *const *shared, struct gp_error *error)
{
    struct gp_unit *unit = add(units, path, NULL, error);
    if (unit == NULL)
        return false;
    unit->recorded = true;
    unit->own_arguments = options->count;
    gp_arguments_add_all(&unit->arguments, (const char *const *)options->items);
    gp_arguments_add_all(&unit->arguments, shared);
    return true;
}

/* ---- Folders ----------------------------------------------------------------------------------------------------- */

static bool add_folder(struct gp_units *units, const char *path, const char *const *shared, unsigned depth,
                       struct gp_error *error);

static bool add_entry(struct gp_units *units, const char *path, const char *const *shared, unsigned depth,
                      struct gp_error *error)
{
    struct stat status;
    if (lstat(path, &status) != 0)
        return true; /* gone meanwhile */
    if (S_ISDIR(status.st_mode) && depth < DEEPEST_FOLDER)
        return add_folder(units, path, shared, depth + 1, error);
    return !S_ISREG(status.st_mode) || !is_kernel_source(path) || add_source(units, path, shared, error);
}

static bool add_folder(struct gp_units *units, const char *path, const char *const *shared, unsigned depth,
                       struct gp_error *error)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0)
        return gp_fail(error, "cannot read %s: %s", path, strerror(errno));
    bool done = true;
    for (int i = 0; i < count; i++) {
        char below[PATH_MAX];
        bool fits = snprintf(below, sizeof below, "%s/%s", path, entries[i]->d_name) < (int)sizeof below;
        if (done && fits && entries[i]->d_name[0] != '.')
            done = add_entry(units, below, shared, depth, error);
        (free)(entries[i]); /* the C library's */
    }
    (free)(entries);
    return done;
}

/* ---- Compilation databases
 * ------------------------------------------------------------------------------------------- */

/* What of a compiler's command changes the code that a kernel becomes, with its value in the same word or in the next
 * one. */
static const char *const kept[] = {"-I",    "-D",    "-U",     "-isystem",       "-iquote",         "-include",
                                   "-std",  "--std", "-cl-",   "-use_fast_math", "--use_fast_math", "-ftz",
                                   "--ftz", "-fmad", "--fmad", "-ffast-math",    "-ffp-contract",   "-fgpu-",
                                   "-O"};

static bool is_kept(const char *word)
{
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (strncmp(word, kept[i], strlen(kept[i])) == 0)
            return true;
    return false;
}

static bool has_value_behind(const char *word)
{
    static const char *const words[] = {"-I", "-D", "-U", "-isystem", "-iquote", "-include", "-std", "--std"};
    return gp_is_one_of(word, words, sizeof words / sizeof words[0]);
}

/* A path is the database's, not gpuperf's: relative ones are below the entry's directory. */
static void add_path(struct gp_arguments *arguments, const char *option, const char *path, const char *directory)
{
    if (path[0] == '/' || directory == NULL)
        gp_arguments_add(arguments, "%s%s", option, path);
    else
        gp_arguments_add(arguments, "%s%s/%s", option, directory, path);
}

static void take_word(struct gp_unit *unit, const char *word, const char *next, bool *took_next)
{
    bool behind = has_value_behind(word) && next != NULL;
    *took_next = behind;
    if (!is_kept(word))
        return;
    if (strncmp(word, "-I", 2) == 0) {
        add_path(&unit->arguments, "-I", behind ? next : word + 2, unit->directory);
    } else if (behind && (strcmp(word, "-isystem") == 0 || strcmp(word, "-iquote") == 0)) {
        gp_arguments_add(&unit->arguments, "%s", word);
        add_path(&unit->arguments, "", next, unit->directory);
    } else {
        gp_arguments_add(&unit->arguments, "%s", word);
        if (behind)
            gp_arguments_add(&unit->arguments, "%s", next);
    }
}

static void take_words(struct gp_unit *unit, const char *const *words, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        bool took_next;
        take_word(unit, words[i], i + 1 < count ? words[i + 1] : NULL, &took_next);
        i += took_next;
    }
}

static bool take_command(struct gp_unit *unit, const char *command)
{
    wordexp_t words;
    if (wordexp(command, &words, WRDE_NOCMD | WRDE_UNDEF) != 0)
        return false;
    take_words(unit, (const char *const *)words.we_wordv, words.we_wordc);
    wordfree(&words);
    return true;
}

static void take_array(struct gp_unit *unit, const json_t *array)
{
    size_t count = json_array_size(array);
    const char **words = calloc(count + 1, sizeof *words);
    for (size_t i = 0; words != NULL && i < count; i++)
        words[i] = json_string_value(json_array_get(array, i)) ? json_string_value(json_array_get(array, i)) : "";
    if (words != NULL)
        take_words(unit, words, count);
    free(words);
}

/* Without "..": "../build/../src/a.cl" is src/a.cl. The folder's links are followed, the file's own is not. */
static void tidy(char path[PATH_MAX])
{
    char folder[PATH_MAX], real[PATH_MAX], *slash = strrchr(path, '/');
    if (slash == NULL)
        return;
    snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    if (realpath(folder, real) == NULL || strlen(real) + strlen(slash) >= PATH_MAX)
        return;
    memmove(path + strlen(real), slash, strlen(slash) + 1);
    memcpy(path, real, strlen(real));
}

/* Below where gpuperf runs, a file is named from there. */
static const char *shorten(const char *path)
{
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    return length > 0 && strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

static bool add_database_entry(struct gp_units *units, const char *database, const json_t *entry,
                               const char *const *shared, struct gp_error *error)
{
    const char *file = json_string_value(json_object_get(entry, "file")),
               *directory = json_string_value(json_object_get(entry, "directory"));
    const char *command = json_string_value(json_object_get(entry, "command"));
    const json_t *arguments = json_object_get(entry, "arguments");
    char path[PATH_MAX];
    if (file == NULL)
        return gp_fail(error, "%s: an entry does not say which 'file' it compiles; make the database anew", database);
    if (!is_kernel_source(file))
        return true;
    snprintf(path, sizeof path, "%s%s%s", file[0] == '/' || directory == NULL ? "" : directory,
             file[0] == '/' || directory == NULL ? "" : "/", file);
    tidy(path);
    struct gp_unit *unit = add(units, shorten(path), directory, error);
    if (unit == NULL)
        return false;
    if (json_is_array(arguments))
        take_array(unit, arguments);
    else if (command == NULL || !take_command(unit, command))
        return gp_fail(
            error, "%s: the entry of %s has no 'arguments', and no 'command' that can be read; make the database anew",
            database, file);
    gp_arguments_add_all(&unit->arguments, shared);
    return true;
}

static bool add_database(struct gp_units *units, const char *path, const char *const *shared, struct gp_error *error)
{
    json_error_t why;
    json_t *database = json_load_file(path, 0, &why), *entry;
    size_t index;
    bool done = true;
    if (!json_is_array(database)) {
        json_decref(database);
        return gp_fail(error, "%s:%d: this is no compilation database: %s", path, why.line > 0 ? why.line : 1,
                       database == NULL ? why.text : "it is no list");
    }
    json_array_foreach(database, index, entry) { done = done && add_database_entry(units, path, entry, shared, error); }
    json_decref(database);
    return done;
}

/* ---- All of them
 * ------------------------------------------------------------------------------------------------------ */

static bool add_directory(struct gp_units *units, const char *path, const char *const *shared, struct gp_error *error)
{
    char database[PATH_MAX];
    size_t before = units->count, length = strlen(path);
    char trimmed[PATH_MAX];
    snprintf(trimmed, sizeof trimmed, "%.*s", (int)(length > 1 && path[length - 1] == '/' ? length - 1 : length), path);
    snprintf(database, sizeof database, "%.4000s/compile_commands.json", trimmed);
    if (access(database, F_OK) == 0)
        return add_database(units, database, shared, error);
    if (!add_folder(units, trimmed, shared, 0, error))
        return false;
    return units->count > before ||
           gp_fail(error, "%s has no compile_commands.json, and no .cl, .clcpp, .cu or .hip below it", path);
}

bool gp_units_add(struct gp_units *units, const char *path, const char *const *shared, struct gp_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return gp_fail(error, "cannot read %s: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return add_directory(units, path, shared, error);
    return gp_ends_with(path, ".json") ? add_database(units, path, shared, error)
                                       : add_source(units, path, shared, error);
}

static int by_name(const void *a, const void *b)
{
    const struct gp_unit *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    for (size_t i = 0; order == 0 && i < x->arguments.count && i < y->arguments.count; i++)
        order = strcmp(x->arguments.items[i], y->arguments.items[i]);
    return order != 0 ? order : (x->arguments.count > y->arguments.count) - (x->arguments.count < y->arguments.count);
}

static void free_unit(struct gp_unit *unit)
{
    free(unit->file);
    free(unit->directory);
    gp_arguments_free(&unit->arguments);
}

void gp_units_sort(struct gp_units *units)
{
    size_t count = 0;
    if (units->count == 0)
        return;
    qsort(units->items, units->count, sizeof *units->items, by_name);
    for (size_t i = 0; i < units->count; i++) {
        if (count > 0 && by_name(&units->items[count - 1], &units->items[i]) == 0)
            free_unit(&units->items[i]);
        else
            units->items[count++] = units->items[i];
    }
    units->count = count;
}

void gp_units_free(struct gp_units *units)
{
    for (size_t i = 0; i < units->count; i++)
        free_unit(&units->items[i]);
    free(units->items);
    *units = (struct gp_units){0};
}
