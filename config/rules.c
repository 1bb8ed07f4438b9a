/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is asked of a configuration that was read. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "model/predict.h"

bool gp_is_cause(const char *name)
{
    for (int cause = 0; cause < GP_CAUSE_COUNT; cause++)
        if (strcmp(gp_cause_name((enum gp_cause)cause), name) == 0)
            return true;
    return false;
}

bool gp_check_config_find(const char *path, struct gp_check_config *config, struct gp_error *error)
{
    if (path == NULL && access("gpuperf.yaml", F_OK) == 0)
        path = "gpuperf.yaml";
    return path == NULL || gp_check_config_load(path, config, error);
}

void gp_check_default_devices(const struct gp_check_config *config, struct gp_arguments *devices)
{
    const char *set = getenv("GPUPERF_DEVICE");
    if (devices->count == 0)
        gp_arguments_add_all(devices, (const char *const *)config->devices.items);
    if (devices->count == 0)
        gp_arguments_add(devices, "%s", set != NULL && set[0] != '\0' ? set : "a100");
}

struct gp_check_rule *gp_check_rule_for(const struct gp_check_config *config, const char *kernel)
{
    for (size_t i = 0; i < config->count; i++)
        if (fnmatch(config->rules[i].pattern, kernel, 0) == 0)
            return &config->rules[i];
    return NULL;
}
