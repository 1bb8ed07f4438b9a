/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The entry that a driver's name for its device means. Only its file is read: what the installed files match is known
 * since gpuperf was built (known.h), as long as they are as long as then. Files of directories that a user names are
 * all read.
 */
#include "hwdb/known.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct match {
    const char *driver_name, *directories;
    char **names;
    size_t count;
    const char *best; /* one of names; NULL: none claims anything */
    size_t claimed;   /* characters */
};

static size_t longer_claim(const char *driver_name, const char *part, size_t longest)
{
    size_t length = strlen(part);
    return length > longest && strstr(driver_name, part) != NULL ? length : longest;
}

/* Characters of the longest part of a driver's name that the entry claims; 0: none. */
static size_t claim(const struct gp_device *entry, const char *driver_name)
{
    size_t longest = 0;
    for (int m = 0; m < GP_MAX_DEVICE_MATCHES && entry->matches[m] != NULL; m++)
        longest = longer_claim(driver_name, entry->matches[m], longest);
    return longest;
}

static size_t known_claim(const struct gp_known_file *file, const char *driver_name)
{
    size_t longest = 0;
    for (uint32_t m = 0; m < file->match_count; m++)
        longest = longer_claim(driver_name, gp_known_text + file->matches[m], longest);
    return longest;
}

static size_t claim_of_file(const struct match *match, const char *name)
{
    struct gp_device *entry = gp_device_load(name, match->directories, NULL);
    size_t claims = entry != NULL ? claim(entry, match->driver_name) : 0;
    gp_device_free(entry);
    return claims;
}

/* The known file that the name's file is, by its place and length. */
static const struct gp_known_file *known_file(const struct match *match, const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    bool installed = false;
    if (!gp_device_find_file(name, match->directories, path, &installed) || !installed || stat(path, &status) != 0)
        return NULL;
    return gp_known_named(name, (uint64_t)status.st_size);
}

static void search(struct match *match, bool trusting)
{
    match->best = NULL;
    match->claimed = 0;
    for (size_t i = 0; i < match->count; i++) {
        const struct gp_known_file *known = trusting ? known_file(match, match->names[i]) : NULL;
        size_t claims = known != NULL ? known_claim(known, match->driver_name) : claim_of_file(match, match->names[i]);
        if (claims > match->claimed) {
            match->best = match->names[i];
            match->claimed = claims;
        }
    }
}

/* A file that was changed since and is still as long: then all are read. */
static struct gp_device *load_best(struct match *match, struct gp_error *error)
{
    struct gp_device *device = match->best != NULL ? gp_device_load(match->best, match->directories, error) : NULL;
    if (device == NULL || claim(device, match->driver_name) == match->claimed)
        return device;
    gp_device_free(device);
    search(match, false);
    return match->best != NULL ? gp_device_load(match->best, match->directories, error) : NULL;
}

struct gp_device *gp_device_match(const char *driver_name, const char *directories, struct gp_error *error)
{
    struct match match = {.driver_name = driver_name, .directories = directories};
    if (!gp_device_list(directories, &match.names, &match.count, error))
        return NULL;
    search(&match, true);
    struct gp_device *device = load_best(&match, error);
    for (size_t i = 0; i < match.count; i++)
        free(match.names[i]);
    free(match.names);
    return device;
}
