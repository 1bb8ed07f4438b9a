/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/board_range.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hwdb/boards.h"

static double time_on(struct gp_predictor *predictor, const struct gp_device *device, const struct gp_launch *launch,
                      struct gp_predict_options options)
{
    struct gp_prediction *p = calloc(1, sizeof *p);
    options.bottlenecks = false;
    options.clock_mhz = 0;
    double ns = p != NULL && gp_predict(predictor, device, launch, &options, p, NULL) && p->feasible ? p->time_ns : 0;
    free(p);
    return ns;
}

static void take(struct gp_board_range *range, const char *name, double ns)
{
    if (range->count == 0 || ns < range->fastest_ns) {
        range->fastest_ns = ns;
        snprintf(range->fastest, sizeof range->fastest, "%.60s", name);
    }
    if (range->count == 0 || ns > range->slowest_ns) {
        range->slowest_ns = ns;
        snprintf(range->slowest, sizeof range->slowest, "%.60s", name);
    }
    range->count++;
}

void gp_range_over_boards(struct gp_predictor *predictor, const char *target, const struct gp_launch *launch,
                          const struct gp_predict_options *options, struct gp_board_range *range)
{
    struct gp_boards boards;
    char plain[32];
    gp_plain_target(target, plain);
    *range = (struct gp_board_range){0};
    if (!gp_boards_load(&boards, NULL))
        return;
    for (size_t i = 0; i < boards.count; i++) {
        if (strcmp(boards.rows[i].target, plain) != 0)
            continue;
        struct gp_device *device = gp_device_load(boards.rows[i].name, getenv("GPUPERF_HWDB"), NULL);
        double ns = device != NULL ? time_on(predictor, device, launch, *options) : 0;
        char name[64];
        gp_board_title(&boards.rows[i], name, sizeof name);
        if (ns > 0)
            take(range, name, ns);
        gp_device_free(device);
    }
    gp_boards_free(&boards);
}
