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

static enum gp_mode read_mode(struct gp_settings *settings)
{
    const char *value = getenv("GPUPERF");
    if (value == NULL || value[0] == '\0' || strcmp(value, "on") == 0)
        return GP_MODE_ON;
    if (strcmp(value, "off") == 0)
        return GP_MODE_OFF;
    if (strcmp(value, "override") == 0)
        return GP_MODE_OVERRIDE;
    complain(settings, "GPUPERF", value, "off, on, override");
    return GP_MODE_ON;
}

/* Whether it has the word `yes`. */
static bool read_choice(struct gp_settings *settings, const char *name, const char *no, const char *yes)
{
    const char *value = getenv(name);
    bool chosen = value != NULL && strcmp(value, yes) == 0;
    char valid[32];
    snprintf(valid, sizeof valid, "%s, %s", no, yes);
    if (!chosen && value != NULL && value[0] != '\0' && strcmp(value, no) != 0)
        complain(settings, name, value, valid);
    return chosen;
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
    settings->sample = read_choice(settings, "GPUPERF_SAMPLE", "off", "on");
    settings->any_rounding = read_choice(settings, "GPUPERF_ROUNDING", "same", "any");
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
