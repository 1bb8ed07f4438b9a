/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program was built from, device by device. With the lock held. */
#include <stdlib.h>

#include "runtime/layer_state.h"

bool gp_built_add(struct gp_built_list *list, void *device, struct gp_unit *unit)
{
    struct gp_built *grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    list->items = grown;
    if (unit != NULL)
        gp_unit_retain(unit);
    grown[list->count++] = (struct gp_built){.device = device, .unit = unit};
    return true;
}

void gp_built_drop(struct gp_built_list *list, void *device)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < list->count; i++) {
        if (list->items[i].device != device)
            list->items[kept++] = list->items[i];
        else if (list->items[i].unit != NULL)
            gp_unit_release(list->items[i].unit);
    }
    list->count = kept;
}

bool gp_built_copy(struct gp_built_list *list, const struct gp_built_list *from)
{
    for (unsigned i = 0; i < from->count; i++)
        if (!gp_built_add(list, from->items[i].device, from->items[i].unit))
            return false;
    return true;
}

void gp_built_free(struct gp_built_list *list)
{
    for (unsigned i = 0; i < list->count; i++)
        if (list->items[i].unit != NULL)
            gp_unit_release(list->items[i].unit);
    free(list->items);
    *list = (struct gp_built_list){0};
}

struct gp_unit *gp_built_next(const struct gp_built_list *list, const struct gp_cl_device *device, unsigned *at)
{
    while (*at < list->count) {
        const struct gp_built *item = &list->items[(*at)++];
        if (item->unit != NULL && (item->device == NULL || item->device == device->id ||
                                   (device->parent != NULL && item->device == device->parent)))
            return item->unit;
    }
    return NULL;
}
