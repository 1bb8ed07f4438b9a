/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuperf_split(): one range shared out over several devices (share.h). */
#include <math.h>
#include <stdlib.h>

#include "runtime/handles.h"
#include "runtime/share.h"
#include "support/operation.h"

struct split {
    const gpuperf_profile *const *profiles;
    const char *kernel;
    const gpuperf_device *const *devices;
    size_t count;
    const gpuperf_launch *launch;
    const gpuperf_transfer *transfers;
    gpuperf_share *shares;
    uint32_t *dimension;
    double *time_ns;
    struct gp_error reason;
    int code;
};

static double transfer_of(const void *context, size_t device, const struct gp_launch *part)
{
    const struct split *s = context;
    if (s->transfers == NULL || s->transfers[device].gbps <= 0)
        return 0;
    const gpuperf_transfer *t = &s->transfers[device];
    double share = 1;
    for (uint32_t d = 0; d < part->dims; d++)
        share *= (double)part->global[d] / (double)s->launch->global[d];
    return t->latency_ns + (t->sent_bytes + t->returned_bytes * share) / t->gbps;
}

/* A device that cannot run it gets none of it. */
static int open_sides(struct split *s, struct gp_question *questions, struct gp_side *sides)
{
    bool any = false;
    for (size_t i = 0; i < s->count; i++) {
        int code = gp_ask(s->profiles[i], s->kernel, s->devices[i], s->launch, s->shares, &questions[i], &s->reason);
        if (code != GPUPERF_OK)
            return code;
        sides[i].request = questions[i].request;
        if (!gp_can_be_shared(sides[i].request.kernel, &s->reason))
            return GPUPERF_ELAUNCH;
        any |= gp_side_open(&sides[i], NULL, &s->reason);
    }
    return any ? GPUPERF_OK : GPUPERF_ELAUNCH;
}

static void fill_shares(struct split *s, struct gp_sharing *sharing, const uint32_t share[])
{
    uint32_t first = 0;
    for (size_t i = 0; i < s->count; first += share[i++]) {
        const struct gp_launch *whole = &sharing->sides[i].launch;
        s->shares[i] = (gpuperf_share){.local = {whole->local[0], whole->local[1], whole->local[2]}};
        if (share[i] == 0)
            continue;
        s->shares[i].offset = first * sharing->cut.items;
        s->shares[i].items = gp_cut_items(&sharing->cut, whole->global, first, share[i]);
        s->shares[i].time_ns = gp_sharing_time(sharing, i, first, share[i]);
    }
}

static void split(void *context)
{
    struct split *s = context;
    uint32_t share[GP_MOST_SHARES];
    struct gp_question *questions = calloc(s->count, sizeof *questions);
    struct gp_sharing sharing = {calloc(s->count, sizeof *sharing.sides), s->count, transfer_of, s, {0}};
    s->code = open_sides(s, questions, sharing.sides);
    if (s->code == GPUPERF_OK) {
        gp_sharing_cut(&sharing);
        *s->time_ns = gp_share_out(s->count, sharing.cut.parts, gp_sharing_time, &sharing, share);
        *s->dimension = sharing.cut.dimension;
        if (isfinite(*s->time_ns))
            fill_shares(s, &sharing, share);
        else
            s->code = (gp_fail(&s->reason, "no device runs kernel '%s' over this range", s->kernel), GPUPERF_ELAUNCH);
    }
    for (size_t i = 0; i < s->count; i++)
        gp_side_close(&sharing.sides[i]);
    free(sharing.sides);
    free(questions);
}

int gpuperf_split(const gpuperf_profile *const profiles[], const char *kernel, const gpuperf_device *const devices[],
                  size_t count, const gpuperf_launch *launch, const gpuperf_transfer transfers[],
                  gpuperf_share shares[], uint32_t *dimension, double *time_ns, gpuperf_error *error)
{
    struct split s = {profiles, kernel, devices, count, launch, transfers, shares, dimension, time_ns, {{0}}, 0};
    if (profiles == NULL || kernel == NULL || devices == NULL || launch == NULL || shares == NULL ||
        dimension == NULL || time_ns == NULL || count < 1 || count > GP_MOST_SHARES) {
        gp_fail(&s.reason, "gpuperf_split() takes 1 to %d devices, and no NULL but for transfers", GP_MOST_SHARES);
        return gp_refuse(error, GPUPERF_EINPUT, &s.reason);
    }
    if (!gp_operation(split, &s))
        return gp_refuse(error, GPUPERF_ESYSTEM, &(struct gp_error){GP_OUT_OF_MEMORY});
    return s.code == GPUPERF_OK ? s.code : gp_refuse(error, s.code, &s.reason);
}
