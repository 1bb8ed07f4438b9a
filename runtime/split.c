/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuperf_split(): one range shared out over several devices (model/predict/share_out.h). */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpuperf/gpuperf.h"
#include "model/predict/share_out.h"
#include "runtime/handles.h"

struct question {
    const gpuperf_profile *const *profiles;
    const char *kernel;
    const gpuperf_device *const *devices;
    const gpuperf_launch *launch;
    const gpuperf_transfer *transfers;
    gpuperf_share *shares;
    struct gp_cut cut;
    double times[GP_MOST_SHARES][GP_MOST_PARTS + 1][GP_MOST_PARTS + 1]; /* 0: not predicted yet */
};

static int say(gpuperf_error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

static int say(gpuperf_error *error, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (error != NULL)
        vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return code;
}

static double transfer_of(const struct question *q, size_t device, uint64_t items)
{
    const gpuperf_transfer *t = q->transfers != NULL ? &q->transfers[device] : NULL;
    double share = (double)items / (double)q->launch->global[q->cut.dimension];
    return t != NULL && t->gbps > 0 ? t->latency_ns + (t->sent_bytes + t->returned_bytes * share) / t->gbps : 0;
}

static double part_time(void *context, size_t device, uint32_t first, uint32_t parts)
{
    struct question *q = context;
    double *known = &q->times[device][first][parts];
    gpuperf_launch launch = *q->launch;
    uint64_t items = gp_cut_items(&q->cut, q->launch->global, first, parts);
    if (*known > 0)
        return *known;
    launch.offset[q->cut.dimension] += first * q->cut.items;
    launch.global[q->cut.dimension] = items;
    double ns;
    int code = gpuperf_predict_time(q->profiles[device], q->kernel, q->devices[device], &launch,
                                    q->shares[device].local, &ns, NULL);
    return *known = code == GPUPERF_OK ? ns + transfer_of(q, device, items) : INFINITY;
}

static bool whole_time(const struct question *q, size_t device, const uint32_t local[3], double *ns)
{
    return gpuperf_predict_time(q->profiles[device], q->kernel, q->devices[device], q->launch, local, ns, NULL) ==
           GPUPERF_OK;
}

/* The best size for the whole range, or one of finer groups that is as fast. */
static int choose_size(const struct question *q, size_t device, uint32_t local[3], gpuperf_error *error)
{
    gpuperf_choice choice = {.local = {1, 1, 1}};
    int code = gpuperf_choose(q->profiles[device], q->kernel, q->devices[device], q->launch, &choice, error);
    uint32_t finer[3];
    double times[2];
    memcpy(local, choice.local, sizeof choice.local);
    if (code == GPUPERF_OK && gp_share_finer(q->launch->dims, q->launch->global, choice.local, finer) &&
        whole_time(q, device, finer, &times[0]) && whole_time(q, device, local, &times[1]) &&
        gp_share_takes(times[0], times[1]))
        memcpy(local, finer, sizeof finer);
    return code;
}

/* Of each device the size for the whole range; a device that cannot run it gets none of it. */
static int choose_sizes(struct question *q, size_t count, gpuperf_error *error)
{
    int last = GPUPERF_ELAUNCH;
    bool any = false;
    uint64_t group[3] = {1, 1, 1};
    for (size_t i = 0; i < count; i++) {
        const struct gp_kernel *kernel = gp_profile_find(q->profiles[i]->profile, q->kernel);
        if (kernel != NULL && !kernel->split_safe.holds)
            return say(error, GPUPERF_ELAUNCH, "kernel '%s' cannot be shared out: %s", q->kernel,
                       kernel->split_safe.reason);
        int code = choose_size(q, i, q->shares[i].local, error);
        if (code != GPUPERF_OK && code != GPUPERF_ELAUNCH)
            return code;
        any = any || code == GPUPERF_OK;
        last = code;
        for (int d = 0; d < 3; d++)
            group[d] = gp_common_multiple(group[d], q->shares[i].local[d]);
    }
    if (!any)
        return last;
    q->cut = gp_cut_range(q->launch->dims, q->launch->global, group);
    return GPUPERF_OK;
}

static void fill_shares(struct question *q, size_t count, const uint32_t share[])
{
    uint32_t first = 0;
    for (size_t i = 0; i < count; i++) {
        q->shares[i].offset = share[i] > 0 ? first * q->cut.items : 0;
        q->shares[i].items = share[i] > 0 ? gp_cut_items(&q->cut, q->launch->global, first, share[i]) : 0;
        q->shares[i].time_ns = share[i] > 0 ? part_time(q, i, first, share[i]) : 0;
        first += share[i];
    }
}

int gpuperf_split(const gpuperf_profile *const profiles[], const char *kernel, const gpuperf_device *const devices[],
                  size_t count, const gpuperf_launch *launch, const gpuperf_transfer transfers[],
                  gpuperf_share shares[], uint32_t *dimension, double *time_ns, gpuperf_error *error)
{
    if (profiles == NULL || kernel == NULL || devices == NULL || launch == NULL || shares == NULL ||
        dimension == NULL || time_ns == NULL || count < 1 || count > GP_MOST_SHARES)
        return say(error, GPUPERF_EINPUT, "gpuperf_split() takes 1 to %d devices, and no NULL but for transfers",
                   GP_MOST_SHARES);
    struct question *q = calloc(1, sizeof *q);
    if (q == NULL)
        return say(error, GPUPERF_ESYSTEM, "out of memory");
    *q = (struct question){.profiles = profiles,
                           .kernel = kernel,
                           .devices = devices,
                           .launch = launch,
                           .transfers = transfers,
                           .shares = shares};
    uint32_t share[GP_MOST_SHARES];
    int code = choose_sizes(q, count, error);
    if (code == GPUPERF_OK) {
        *time_ns = gp_share_out(count, q->cut.parts, part_time, q, share);
        *dimension = q->cut.dimension;
        if (isfinite(*time_ns))
            fill_shares(q, count, share);
        else
            code = say(error, GPUPERF_ELAUNCH, "no device runs kernel '%s' over this range", kernel);
    }
    free(q);
    return code;
}
