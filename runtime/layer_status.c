/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>
#include <string.h>

#include "runtime/layer_state.h"

/* A program that makes up names does not fill the memory with them. */
enum { MOST_STATUSES = 1024 };

struct gp_status_record *gp_status_for(const char *kernel, const char *device)
{
    struct gp_kernel_status named = {.launches = 0};
    snprintf(named.kernel, sizeof named.kernel, "%s", kernel);
    snprintf(named.device, sizeof named.device, "%s", device);
    struct gp_hash key = gp_status_key(&named);
    struct gp_status_record *record = gp_map_get(&gp_layer.statuses, key);
    if (record != NULL || gp_layer.statuses.count >= MOST_STATUSES)
        return record;
    record = gp_map_made(&gp_layer.statuses, key, sizeof *record);
    if (record != NULL)
        record->row = named;
    return record;
}

/* Each launch comes by here: most say what the last one said. */
void gp_status_say(struct gp_status_record *record, const char *from, const char *reason)
{
    if (record == NULL)
        return;
    record->told = NULL;
    if (strcmp(record->row.from, from) == 0 && strncmp(record->row.reason, reason, sizeof record->row.reason - 1) == 0)
        return;
    snprintf(record->row.from, sizeof record->row.from, "%s", from);
    snprintf(record->row.reason, sizeof record->row.reason, "%s", reason);
}

void gp_status_count(struct gp_status_record *record, const struct gp_open_launch *launch, const uint32_t local[3],
                     bool chosen, double ns, double driver_ns)
{
    record->row.launches++;
    record->row.chosen += chosen;
    record->row.ns += ns;
    record->row.driver_ns += driver_ns;
    record->dims = launch->dims;
    memcpy(record->global, launch->global, sizeof record->global);
    memcpy(record->local, local, sizeof record->local);
}

bool gp_status_take(struct gp_status_record *record, struct gp_kernel_status *row)
{
    if (record->row.launches == 0)
        return false;
    *row = record->row;
    gp_print_size(record->global, record->dims, row->global, sizeof row->global);
    if (record->local[0] != 0)
        gp_print_local(record->local, record->dims, row->local, sizeof row->local);
    else
        snprintf(row->local, sizeof row->local, "auto");
    record->row.launches = record->row.chosen = 0;
    record->row.ns = record->row.driver_ns = 0;
    return true;
}
