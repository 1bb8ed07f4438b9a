/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "hwdb/stand_in.h"

#include <stdio.h>
#include <string.h>

const char *gp_device_stand_in(const struct gp_device *device, char text[GP_STAND_IN_TEXT])
{
    char name[100];
    size_t length = gp_device_name_length(device->name);
    bool stated = device->name[length] != '\0';
    snprintf(name, sizeof name, "%.*s", (int)length, device->name);
    text[0] = '\0';
    if (device->nearest == NULL)
        return text;
    if (!gp_is_target(name))
        snprintf(text, GP_STAND_IN_TEXT, "%.90s: what boards.tsv does not tell is %.60s's", device->name,
                 device->nearest);
    else if (stated)
        snprintf(text, GP_STAND_IN_TEXT, "%.90s: what is not stated is %.60s's", device->name, device->nearest);
    else
        snprintf(text, GP_STAND_IN_TEXT, "%.90s is not in the database, the numbers are those of %.60s", device->name,
                 device->nearest);
    return text;
}
