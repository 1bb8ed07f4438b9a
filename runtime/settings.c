/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/settings.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/environment.h"

static char *copy_of_variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? strdup(value) : NULL;
}

static void complain(struct gp_settings *settings, const char *name, const char *value, const char *valid)
{
    char *sentence;
    if (settings->complaint == NULL &&
        asprintf(&sentence, "%s=%s is not understood (valid: %s)", name, value, valid) >= 0)
        settings->complaint = sentence;
}

/* False, and 0: there is none. */
static bool read_number(struct gp_settings *settings, const char *name, unsigned most, unsigned *result)
{
    const char *value = getenv(name);
    *result = 0;
    if (value == NULL || value[0] == '\0')
        return false;
    char *end;
    errno = 0;
    unsigned long number = strtoul(value, &end, 10);
    if (*end != '\0' || value[0] == '-' || errno != 0) {
        complain(settings, name, value, "a whole number");
        return false;
    }
    *result = number > most ? most : (unsigned)number;
    return true;
}

/* The place of the variable's word among `words`, `usual` where it is not set. */
static int read_word(struct gp_settings *settings, const char *name, const char *const words[], int usual,
                     const char *valid)
{
    const char *value = getenv(name);
    if (value == NULL || value[0] == '\0')
        return usual;
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(value, words[i]) == 0)
            return i;
    complain(settings, name, value, valid);
    return usual;
}

static enum gp_mode read_mode(struct gp_settings *settings)
{
    static const char *const words[] = {
        [GP_MODE_OFF] = "off", [GP_MODE_ON] = "on", [GP_MODE_OVERRIDE] = "override", NULL};
    return (enum gp_mode)read_word(settings, "GPUPERF", words, GP_MODE_ON, "off, on, override");
}

static bool read_rounding(struct gp_settings *settings)
{
    static const char *const words[] = {"same", "any", NULL};
    return read_word(settings, "GPUPERF_ROUNDING", words, 0, "same, any") == 1;
}

static enum gp_sample_mode read_sample_mode(struct gp_settings *settings)
{
    static const char *const words[] = {
        [GP_SAMPLE_AUTO] = "auto", [GP_SAMPLE_OFF] = "off", [GP_SAMPLE_ON] = "on", NULL};
    return (enum gp_sample_mode)read_word(settings, "GPUPERF_SAMPLE", words, GP_SAMPLE_AUTO, "auto, off, on");
}

/* As it is now: the program may change its directory before the cache is opened. */
static char *from_here(const char *path)
{
    char here[PATH_MAX], *whole = NULL;
    if (path[0] == '/' || getcwd(here, sizeof here) == NULL)
        return strdup(path);
    return asprintf(&whole, "%s/%s", here, path) >= 0 ? whole : NULL;
}

/* The XDG Base Directory Specification: $XDG_CACHE_HOME if absolute, else ~/.cache. */
static char *cache_directory(void)
{
    const char *chosen = getenv("GPUPERF_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char *path = NULL;
    int length = -1;
    if (chosen != NULL)
        return chosen[0] != '\0' ? from_here(chosen) : NULL;
    if (xdg != NULL && xdg[0] == '/')
        length = asprintf(&path, "%s/gpuperf", xdg);
    else if (home != NULL && home[0] == '/')
        length = asprintf(&path, "%s/.cache/gpuperf", home);
    return length >= 0 ? path : NULL;
}

/* "%p" in a name is this process's number, as in LLVM_PROFILE_FILE: of several processes none writes over another's. */
static char *record_file(void)
{
    const char *value = getenv("GPUPERF_RECORD");
    char *path = value != NULL && value[0] != '\0' ? from_here(value) : NULL, *named;
    char *number = path != NULL ? strstr(path, "%p") : NULL;
    if (number == NULL)
        return path;
    int length = asprintf(&named, "%.*s%ld%s", (int)(number - path), path, (long)getpid(), number + 2);
    free(path);
    return length >= 0 ? named : NULL;
}

void gp_settings_read(struct gp_settings *settings)
{
    unsigned level;
    *settings = (struct gp_settings){0};
    settings->mode = read_mode(settings);
    bool complained = settings->complaint != NULL;
    read_number(settings, "GPUPERF_LOG", GP_LOG_DEBUG, &level);
    settings->log_level = (int)level;
    if (!complained && settings->complaint != NULL) /* who asks for lines is to read this one */
        settings->log_level = GP_LOG_DECISIONS;
    read_number(settings, "GPUPERF_WAIT", 3600000, &settings->wait_milliseconds);
    settings->has_build_cost = read_number(settings, "GPUPERF_BUILD_MS", 3600000, &settings->build_milliseconds);
    settings->sample = read_sample_mode(settings);
    settings->any_rounding = read_rounding(settings);
    settings->device = copy_of_variable("GPUPERF_DEVICE");
    settings->hwdb = copy_of_variable("GPUPERF_HWDB");
    settings->cache_directory = cache_directory();
    settings->record = record_file();
    settings->environment = gp_environment_copy();
}

void gp_settings_free(struct gp_settings *settings)
{
    free(settings->device);
    free(settings->hwdb);
    free(settings->cache_directory);
    free(settings->record);
    gp_environment_free(settings->environment);
    free(settings->complaint);
    *settings = (struct gp_settings){0};
}
