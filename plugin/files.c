/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the plugin does with files as YAML and JSON, which few compiles ask for, is in a module beside it,
 * gpuperf-files.so: hwdb/parse.c, hwdb/scan.c, config/config.c and report/report_json.c with the libraries they need.
 * To load these three libraries takes as long as the analysis of a small kernel. The functions here stand for the
 * module's of the same names.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

#include "config/config.h"
#include "hwdb/internal.h"
#include "report/report_json.h"
#include "support/own_file.h"

static const char module_name[] = "gpuperf-files.so";

/* The module beside the file that this code was loaded from. */
static bool module_path(char path[PATH_MAX])
{
    char *slash = gp_own_file(path) ? strrchr(path, '/') : NULL;
    if (slash == NULL || (size_t)(slash + 1 - path) + sizeof module_name > PATH_MAX)
        return false;
    memcpy(slash + 1, module_name, sizeof module_name);
    return true;
}

/* A function of the module, which is never unloaded: devices live as long as the compile. NULL and a sentence: it is
 * not there. */
static void *find(const char *name, struct gp_error *error)
{
    char path[PATH_MAX];
    void *module = module_path(path) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL,
         *function = module != NULL ? dlsym(module, name) : NULL;
    const char *why = function == NULL ? dlerror() : NULL;
    if (function == NULL)
        gp_fail(error,
                "device files of one's own, configurations and reports take %s, which belongs beside the plugin: %s",
                module_name, why != NULL ? why : "the plugin's own place is not known");
    return function;
}

bool gp_device_parse(struct gp_device *device, char *text, size_t length, void **texts, struct gp_error *error)
{
    void *function = find(__func__, error);
    return function != NULL && ((bool (*)(struct gp_device *, char *, size_t, void **, struct gp_error *))(
                                   uintptr_t)function)(device, text, length, texts, error);
}

void gp_device_free_texts(void *texts)
{
    void *function = find(__func__, NULL);
    if (function != NULL)
        ((void (*)(void *))(uintptr_t)function)(texts);
}

bool gp_check_config_load(const char *path, struct gp_check_config *config, struct gp_error *error)
{
    void *function = find(__func__, error);
    return function != NULL && ((bool (*)(const char *, struct gp_check_config *, struct gp_error *))(
                                   uintptr_t)function)(path, config, error);
}

void gp_check_config_free(struct gp_check_config *config)
{
    void *function = find(__func__, NULL);
    if (function != NULL)
        ((void (*)(struct gp_check_config *))(uintptr_t)function)(config);
}

bool gp_report_write_file(const struct gp_report_row *rows, size_t count, const char *path, struct gp_error *error)
{
    void *function = find(__func__, error);
    return function != NULL && ((bool (*)(const struct gp_report_row *, size_t, const char *, struct gp_error *))(
                                   uintptr_t)function)(rows, count, path, error);
}
