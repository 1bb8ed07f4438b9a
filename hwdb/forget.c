/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A device as its data sheet alone has it: what was measured on the chip, or fitted to measurements, is forgotten and
 * derived by rule, as it would be for a chip that nobody had measured.
 */
#include "hwdb/boards.h"

void gp_device_forget_measured(struct gp_device *device)
{
    struct gp_number before[GP_NUMBER_COUNT];
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++) {
        struct gp_number *number = gp_field_of(device, i);
        before[i] = *number;
        if (number->origin == GP_FROM_MEASURED || number->origin == GP_FROM_FITTED)
            *number = (struct gp_number){.origin = GP_FROM_UNKNOWN};
    }
    gp_derive_again(device);
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++) { /* no rule: somebody has to say */
        struct gp_number *number = gp_field_of(device, i);
        if (number->origin == GP_FROM_UNKNOWN)
            *number = (struct gp_number){before[i].value, GP_FROM_ASSUMED, before[i].source};
    }
    device->nearest = device->name;
    device->same_target = true;
}
