/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Where device files are, and which device a compile target stands for. */
#include "hwdb/boards.h"
#include "support/own_file.h"
#include "support/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Found once per process: a constant of the installation. */
static char database[PATH_MAX];
static pthread_once_t database_once = PTHREAD_ONCE_INIT;

static void find_database(void)
{
    static const char name[] = "share/gpuperf/hwdb";
    if (!gp_beside_own_file(name, database))
        snprintf(database, sizeof database, "%s beside gpuperf", name); /* for the message that there is none */
}

const char *gp_device_directory(void)
{
    pthread_once(&database_once, find_database);
    return database;
}

/* The next of DIR[:DIR]; false: there is none. */
static bool next_directory(const char **at, char directory[PATH_MAX])
{
    while (*at != NULL && **at == ':')
        ++*at;
    if (*at == NULL || **at == '\0')
        return false;
    int length = (int)strcspn(*at, ":");
    snprintf(directory, PATH_MAX, "%.*s", length, *at);
    *at += length;
    return true;
}

/* Calls visit(context, directory) for each of DIR[:DIR] and then the installed database, until one says true. */
static bool each_directory(const char *directories, bool (*visit)(void *context, const char *directory), void *context)
{
    char directory[PATH_MAX];
    for (const char *at = directories; next_directory(&at, directory);)
        if (visit(context, directory))
            return true;
    return visit(context, gp_device_directory());
}

/* What a user names must be there: a misspelt directory would be the database that came with gpuperf. */
static bool are_directories(const char *directories, struct gp_error *error)
{
    char directory[PATH_MAX];
    struct stat status;
    for (const char *at = directories; next_directory(&at, directory);)
        if (stat(directory, &status) != 0 || !S_ISDIR(status.st_mode))
            return gp_fail(error, "GPUPERF_HWDB names %s, which is no folder of device files: correct it, or unset it",
                           directory);
    return true;
}

/* Names are file names: nothing that leaves the directory. */
static bool is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '-' && name[i] != '_' && (name[i] != '.' || i == 0))
            return false;
    return length > 0 && length <= 60;
}

struct search {
    const char *name, *directory;
    char path[PATH_MAX];
};

static bool has_file(void *context, const char *directory)
{
    struct search *search = context;
    search->directory = directory;
    int length = snprintf(search->path, sizeof search->path, "%s/%s.yaml", directory, search->name);
    return length < (int)sizeof search->path && access(search->path, F_OK) == 0;
}

bool gp_device_find_file(const char *name, const char *directories, char path[PATH_MAX], bool *installed)
{
    struct search search = {.name = name};
    if (!is_name(name, strlen(name)) || !each_directory(directories, has_file, &search))
        return false;
    memcpy(path, search.path, sizeof search.path);
    *installed = search.directory == gp_device_directory();
    return true;
}

static bool is_words(const char *name)
{
    for (; *name != '\0'; name++)
        if (!isalnum((unsigned char)*name) && strchr(" -_.()", *name) == NULL)
            return false;
    return true;
}

/* "sm_89:sms", "a100:": what stands behind a known name's colon is no assignment. */
static bool is_bad_assignment(const char *name, const char *directories, struct gp_error *error)
{
    char before[64], path[PATH_MAX];
    bool installed;
    size_t length = strcspn(name, ":");
    if (name[length] == '\0' || length >= sizeof before)
        return false;
    snprintf(before, sizeof before, "%.*s", (int)length, name);
    if (!gp_is_target(before) && !gp_device_find_file(before, directories, path, &installed))
        return false;
    gp_fail(error, "'%.60s' behind %s is not FIELD=VALUE, such as sms=24 or l2=24M", name + length + 1, before);
    return true;
}

/* "gbps=272" of "sm_89:sms=24,gbps=272": a comma parts devices. */
static bool is_assignment(const char *name)
{
    const char *equals = strchr(name, '=');
    return equals != NULL && strcspn(name, ":") > (size_t)(equals - name);
}

static bool is_path(const char *name) { return strchr(name, '/') != NULL || strstr(name, ".yaml") != NULL; }

static bool is_short_target(const char *name) { return strncmp(name, "sm", 2) == 0 && isdigit((unsigned char)name[2]); }

static void tell_what_to_do(const char *name, struct gp_text *text)
{
    if (is_assignment(name)) {
        gp_text_printf(text, "numbers follow a device behind colons, sm_89:sms=24:gbps=272");
        return;
    }
    gp_text_printf(text, "'gpuperf devices' lists entries, 'gpuperf devices --boards' boards; or state a compile "
                         "target's numbers, sm_89:sms=24:gbps=272:l2=24M");
    if (is_path(name))
        gp_text_printf(text, "; a file of your own is found by its name without .yaml in a directory of GPUPERF_HWDB");
    if (is_short_target(name))
        gp_text_printf(text, "; targets are written sm_%.10s", name + 2);
}

static void unknown_device(const char *name, const char *directories, struct gp_error *error)
{
    char **names;
    size_t count;
    struct gp_boards boards = {0};
    struct gp_text near = {0}, advice = {0};
    if (!gp_device_list(directories, &names, &count, error))
        return;
    gp_boards_load(&boards, NULL);
    gp_board_suggest(&boards, names, count, name, &near);
    tell_what_to_do(name, &advice);
    gp_fail(error, "unknown device '%.60s'; %s%s%s%s", name, near.length > 0 ? "near it: " : "",
            near.length > 0 ? near.data : "", near.length > 0 ? "; " : "", advice.data != NULL ? advice.data : "");
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    gp_text_free(&near);
    gp_text_free(&advice);
    gp_boards_free(&boards);
}

static void remove_spaces(char *text)
{
    char *to = text;
    for (const char *at = text; *at != '\0'; at++)
        if (*at != ' ')
            *to++ = *at;
    *to = '\0';
}

/* A file by its name, else by its name without spaces, vendors' names and case: "NVIDIA RTX 3070" is rtx3070. */
static struct gp_device *load_file(const char *name, const char *directories, struct gp_error *error)
{
    char words[64];
    struct search search = {.name = name};
    if (is_name(name, strlen(name)) && each_directory(directories, has_file, &search))
        return gp_device_load_file(search.path, error);
    if (!is_words(name))
        return NULL;
    snprintf(words, sizeof words, "%.63s", name);
    for (char *c = words; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    for (int vendors = 1; vendors >= 0; vendors--) {
        remove_spaces(words);
        search.name = words;
        if (is_name(words, strlen(words)) && each_directory(directories, has_file, &search))
            return gp_device_load_file(search.path, error);
        gp_board_words(name, words, sizeof words);
    }
    return NULL;
}

/* Gives an entry's device the name and title of a board. NULL: out of memory, and the device is freed. */
static struct gp_device *name_board(struct gp_device *device, const struct gp_board *board, const char *nearest,
                                    struct gp_error *error)
{
    char name[64], title[200];
    gp_board_title(board, name, sizeof name);
    snprintf(title, sizeof title, "%s; what boards.tsv does not tell: %s", board->name, device->name);
    if (gp_device_retitle(device, name, title, nearest, error))
        return device;
    gp_device_free(device);
    return NULL;
}

/* The entry with the board's numbers and name; where they are the entry's own, it is no other's. */
static struct gp_device *make_board(const struct gp_board *board, const char *directories, struct gp_error *error)
{
    char text[400];
    struct gp_device *device = load_file(board->entry, directories, error);
    if (device == NULL || gp_board_is_called(device->title, board->name))
        return device;
    snprintf(text, sizeof text, "boards.tsv: %s", board->source);
    const char *source = gp_device_keep(device, text), *target = gp_device_keep(device, board->target);
    if (source == NULL || target == NULL) {
        gp_device_free(device);
        gp_fail(error, "out of memory");
        return NULL;
    }
    device = name_board(device, board, gp_board_is_entry(device, board) ? NULL : device->name, error);
    if (device != NULL) {
        gp_device_take_target(device, target);
        gp_board_apply(device, board, source);
    }
    return device;
}

/* NULL without a sentence: no board has that name. */
static struct gp_device *load_board(const char *name, const char *directories, struct gp_error *error)
{
    struct gp_boards boards;
    struct gp_text several = {0};
    if (!gp_boards_load(&boards, NULL))
        return NULL; /* a database without boards has none of that name */
    const struct gp_board *board = is_words(name) ? gp_board_find(&boards, name, &several) : NULL;
    struct gp_device *device = board != NULL ? make_board(board, directories, error) : NULL;
    if (several.length > 0)
        gp_fail(error, "'%.60s' is several boards that differ: %s; name one of them", name, several.data);
    gp_text_free(&several);
    gp_boards_free(&boards);
    return device;
}

/* "SM_89", "GFX942" are sm_89 and gfx942. */
static void lower_target(const char *name, char lower[100])
{
    bool is_target = strncasecmp(name, "sm_", 3) == 0 || strncasecmp(name, "gfx", 3) == 0;
    snprintf(lower, 100, "%.99s", name);
    for (char *c = lower; is_target && *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
}

/* A device without what is stated of it: a file, a compile target, a board. */
static struct gp_device *load_named(const char *name, const char *directories, struct gp_error *error)
{
    struct gp_error reason = {0};
    char target[100];
    if (!are_directories(directories, error))
        return NULL;
    lower_target(name, target);
    struct gp_device *device = load_file(name, directories, &reason);
    if (device == NULL && reason.text[0] == '\0' && gp_is_target(target))
        device = gp_device_load_nearest(target, directories, &reason);
    else if (device == NULL && reason.text[0] == '\0' && !is_bad_assignment(name, directories, &reason))
        device = load_board(name, directories, &reason);
    if (device == NULL && reason.text[0] == '\0')
        unknown_device(name, directories, &reason);
    if (device == NULL)
        gp_fail(error, "%s", reason.text);
    return device;
}

/* The name of NAME:FIELD=VALUE:... ends before the first part that is an assignment (a target's own colons stay). */
size_t gp_device_name_length(const char *spec)
{
    size_t end = strlen(spec);
    for (const char *colon = strchr(spec, ':'); colon != NULL; colon = strchr(colon + 1, ':'))
        if (memchr(colon + 1, '=', strcspn(colon + 1, ":")) != NULL)
            return (size_t)(colon - spec);
    return end;
}

static bool set_each(struct gp_device *device, const char *assignments, struct gp_error *error)
{
    char one[100];
    for (const char *at = assignments; *at == ':';) {
        size_t length = strcspn(++at, ":");
        snprintf(one, sizeof one, "%.*s", (int)(length < sizeof one ? length : sizeof one - 1), at);
        if (!gp_device_set(device, one, error))
            return false;
        at += length;
    }
    return true;
}

struct gp_device *gp_device_load(const char *spec, const char *directories, struct gp_error *error)
{
    char name[100];
    size_t length = gp_device_name_length(spec);
    if (spec[length] == '\0')
        return load_named(spec, directories, error);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), spec);
    struct gp_device *device = load_named(name, directories, error);
    if (device == NULL)
        return NULL;
    if (set_each(device, spec + length, error) &&
        gp_device_retitle(device, spec, device->title, device->nearest, error))
        return device;
    gp_device_free(device);
    return NULL;
}

struct listing {
    char **names;
    size_t count, capacity;
    bool out_of_memory;
    bool found;
};

static bool add_name(struct listing *listing, const char *name, size_t length)
{
    if (listing->count == listing->capacity) {
        size_t capacity = listing->capacity ? 2 * listing->capacity : 32;
        char **names = realloc(listing->names, capacity * sizeof *names);
        if (names == NULL)
            return false;
        listing->names = names;
        listing->capacity = capacity;
    }
    listing->names[listing->count] = strndup(name, length);
    return listing->names[listing->count] != NULL && ++listing->count;
}

static bool add_directory(void *context, const char *directory)
{
    struct listing *listing = context;
    DIR *stream = opendir(directory);
    if (stream == NULL)
        return false;
    listing->found = true;
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0 && is_name(entry->d_name, length - 5) &&
            !add_name(listing, entry->d_name, length - 5))
            listing->out_of_memory = true;
    }
    closedir(stream);
    return false;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void drop_repeated(struct listing *listing)
{
    size_t kept = 0;
    for (size_t i = 0; i < listing->count; i++) {
        if (kept > 0 && strcmp(listing->names[kept - 1], listing->names[i]) == 0)
            free(listing->names[i]);
        else
            listing->names[kept++] = listing->names[i];
    }
    listing->count = kept;
}

bool gp_device_list(const char *directories, char ***names, size_t *count, struct gp_error *error)
{
    struct listing listing = {0};
    if (!are_directories(directories, error))
        return false;
    each_directory(directories, add_directory, &listing);
    if (listing.out_of_memory || !listing.found) {
        for (size_t i = 0; i < listing.count; i++)
            free(listing.names[i]);
        free(listing.names);
        return listing.out_of_memory
                   ? gp_fail(error, "out of memory")
                   : gp_fail(error, "no device files: %s does not exist; set GPUPERF_HWDB to a directory that has them",
                             gp_device_directory());
    }
    if (listing.count > 0)
        qsort(listing.names, listing.count, sizeof *listing.names, by_name);
    drop_repeated(&listing);
    *names = listing.names;
    *count = listing.count;
    return true;
}

/* A device per compile target; where several share one, the most common. */
static const struct {
    const char *cpu, *device;
} targets[] = {
    {"sm_70", "v100"},    {"sm_75", "rtx2080ti"}, {"sm_80", "a100"},       {"sm_86", "a6000"},
    {"sm_89", "rtx4090"}, {"sm_90", "h100"},      {"sm_90a", "h100"},      {"gfx906", "mi50"},
    {"gfx90a", "mi250x"}, {"gfx1032", "w6600"},   {"gfx1100", "w7800"},    {"sm_50", "k620"},
    {"sm_35", "k20"},     {"sm_30", "gtx680"},    {"sm_20", "gtx580"},     {"sm_60", "p100"},
    {"sm_61", "gtx1080"}, {"sm_100", "b200"},     {"sm_120", "rtx5090"},   {"gfx908", "mi100"},
    {"gfx942", "mi300x"}, {"gfx950", "mi355x"},   {"gfx1010", "rx5700xt"}, {"gfx1201", "rx9070xt"},
};
static const char *const hosts[] = {"x86_64-", "amd64-", "i386-",   "i486-", "i586-", "i686-",    "aarch64",
                                    "arm",     "riscv",  "powerpc", "ppc",   "s390x", "loongarch"};

const char *gp_device_for_target(const char *triple, const char *cpu)
{
    if (triple == NULL)
        return NULL;
    if (strncmp(triple, "nvptx", 5) == 0 || strncmp(triple, "amdgcn", 6) == 0) {
        for (size_t i = 0; cpu != NULL && i < sizeof targets / sizeof targets[0]; i++)
            if (strcmp(targets[i].cpu, cpu) == 0)
                return targets[i].device;
        return NULL;
    }
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++)
        if (strncmp(triple, hosts[i], strlen(hosts[i])) == 0)
            return "pocl-cpu";
    return NULL;
}
