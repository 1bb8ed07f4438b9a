/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/divisor.h"

bool gp_can_be_shared(const struct gp_kernel *kernel, struct gp_error *error)
{
    return kernel->split_safe.holds ||
           gp_fail(error, "kernel '%s' cannot be shared out: %s", kernel->name, kernel->split_safe.reason);
}

/* INFINITY and a sentence: it does not run. */
static double time_of(struct gp_side *side, const struct gp_launch *launch, struct gp_error *error)
{
    const struct gp_choose_request *request = &side->request;
    const char *kernel = request->kernel->name, *device = request->device->name;
    struct gp_predict_options options = {.quick = side->quick, .foreign_target = request->foreign_target};
    struct gp_prediction *p = calloc(1, sizeof *p);
    bool done = gp_predict(side->predictor, request->device, launch, &options, p, error);
    if (done && !p->feasible)
        gp_fail(error, "kernel '%s' does not run on %s: %s", kernel, device, p->why);
    else if (done && p->endless > 0)
        gp_fail(error,
                "kernel '%s' does not run on %s: a loop never ends in groups of %ux%ux%u; 'gpuperf predict' says "
                "which",
                kernel, device, launch->local[0], launch->local[1], launch->local[2]);
    double ns = done && p->feasible && p->endless == 0 ? p->time_ns : INFINITY;
    free(p);
    return ns;
}

static bool choose_best(const struct gp_choose_request *request, uint32_t local[3], struct gp_error *error)
{
    struct gp_ranking ranking;
    if (!gp_choose(request, &ranking, error))
        return false;
    memcpy(local, ranking.predictions[0].local, sizeof ranking.predictions[0].local);
    gp_ranking_free(&ranking);
    return true;
}

static void try_finer(struct gp_side *side)
{
    struct gp_error error = {{0}};
    struct gp_launch finer = side->launch;
    if (!gp_share_finer(finer.dims, finer.global, side->launch.local, finer.local))
        return;
    double ns = time_of(side, &finer, &error);
    if (!gp_share_takes(ns, side->whole_ns))
        return;
    side->launch = finer;
    side->whole_ns = ns;
}

bool gp_side_open(struct gp_side *side, const uint32_t local[3], struct gp_error *error)
{
    side->launch = *side->request.launch;
    if (local != NULL)
        memcpy(side->launch.local, local, sizeof side->launch.local);
    else if (!choose_best(&side->request, side->launch.local, error))
        return false;
    side->predictor = gp_predictor_new(side->request.profile, side->request.kernel);
    side->whole_ns = time_of(side, &side->launch, error);
    if (!isfinite(side->whole_ns)) {
        gp_side_close(side);
        return false;
    }
    if (local == NULL)
        try_finer(side);
    return true;
}

void gp_side_close(struct gp_side *side)
{
    gp_predictor_free(side->predictor);
    side->predictor = NULL;
}

void gp_sharing_cut(struct gp_sharing *s)
{
    const struct gp_launch *whole = &s->sides[0].launch;
    uint64_t group[3] = {1, 1, 1};
    for (size_t i = 0; i < s->count; i++)
        for (uint32_t d = 0; s->sides[i].predictor != NULL && d < 3; d++)
            group[d] = gp_common_multiple(group[d], s->sides[i].launch.local[d]);
    s->cut = gp_cut_range(whole->dims, whole->global, group);
    for (size_t i = 0; i < s->count; i++)
        s->sides[i].times[0][s->cut.parts] = s->sides[i].whole_ns + s->transfer(s->context, i, &s->sides[i].launch);
}

struct gp_launch gp_sharing_part(const struct gp_sharing *s, size_t device, uint32_t first, uint32_t parts)
{
    struct gp_launch launch = s->sides[device].launch;
    launch.offset[s->cut.dimension] += first * s->cut.items;
    launch.global[s->cut.dimension] = gp_cut_items(&s->cut, s->sides[device].launch.global, first, parts);
    return launch;
}

double gp_sharing_time(void *sharing, size_t device, uint32_t first, uint32_t parts)
{
    struct gp_sharing *s = sharing;
    struct gp_side *side = &s->sides[device];
    double *known = &side->times[first][parts];
    if (side->predictor == NULL)
        return INFINITY;
    if (*known == 0) {
        struct gp_error error = {{0}};
        struct gp_launch launch = gp_sharing_part(s, device, first, parts);
        *known = time_of(side, &launch, &error) + s->transfer(s->context, device, &launch);
    }
    return *known;
}
