/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/choose.h"

#include <stdlib.h>
#include <string.h>

#include "model/profile/profile_binary.h"
#include "model/profile/profile_find.h"
#include "support/operation.h"

bool gp_local_within_limits(const struct gp_choose_request *request, const uint32_t local[3], struct gp_error *error)
{
    const struct gp_launch *launch = request->launch;
    uint64_t items = 1;
    for (uint32_t d = 0; d < 3; d++) {
        uint64_t range = d < launch->dims ? launch->global[d] : 1;
        if (request->uniform && local[d] > 0 && range % local[d] != 0)
            return gp_fail(error,
                           "local size %u does not divide the global size %llu in dimension %u, as the launch demands",
                           local[d], (unsigned long long)range, d);
        items *= local[d];
        if (items > (request->max_group ? request->max_group : UINT32_MAX))
            return gp_fail(error, "%llu work-items are more than the %u of a group that the launch allows",
                           (unsigned long long)items, request->max_group ? request->max_group : UINT32_MAX);
    }
    return true;
}

bool gp_local_allowed(const struct gp_choose_request *request, const uint32_t local[3])
{
    const struct gp_launch *launch = request->launch;
    for (uint32_t d = 0; d < 3; d++) {
        uint64_t range = d < launch->dims ? launch->global[d] : 1;
        if (local[d] == 0 || local[d] > range || (request->max_sizes[d] && local[d] > request->max_sizes[d]))
            return false;
    }
    return gp_local_within_limits(request, local, NULL);
}

static bool same_size(const uint32_t a[3], const uint32_t b[3]) { return memcmp(a, b, 3 * sizeof *a) == 0; }

/* Where none of the candidates is allowed: the longest row of work-items that is. */
static uint32_t longest_row(const struct gp_choose_request *request, uint32_t (*sizes)[3])
{
    uint32_t most = (uint32_t)request->device->max_threads_per_block.value, row[3] = {most, 1, 1};
    if (request->max_group > 0 && request->max_group < most)
        row[0] = request->max_group;
    while (row[0] > 0 && !gp_local_allowed(request, row))
        row[0]--;
    memcpy(sizes[0], row, sizeof row);
    return row[0] > 0;
}

/* Drivers launch larger groups than they say a kernel may have: NVIDIA's takes a whole row of 1021 where it says 256,
 * and leaves it to the program, too. */
static bool may_be_asked_for(const struct gp_choose_request *request)
{
    struct gp_choose_request launched = *request;
    launched.max_group = 0;
    return gp_local_allowed(&launched, request->also);
}

/* The model's candidates that the launch allows, and the size asked for besides. */
static uint32_t collect_sizes(const struct gp_choose_request *request, uint32_t (*sizes)[3])
{
    uint32_t count =
        gp_candidates(request->device, request->kernel, request->launch, request->uniform, sizes, GP_MAX_CANDIDATES);
    uint32_t kept = 0;
    bool has_also = request->also[0] == 0;
    for (uint32_t i = 0; i < count; i++)
        if (gp_local_allowed(request, sizes[i])) {
            has_also |= same_size(sizes[i], request->also);
            memmove(sizes[kept++], sizes[i], sizeof sizes[i]);
        }
    if (kept == 0 && request->kernel->stated.required_local[0] == 0) {
        kept = longest_row(request, sizes);
        has_also |= kept > 0 && same_size(sizes[0], request->also);
    }
    if (!has_also && may_be_asked_for(request))
        memcpy(sizes[kept++], request->also, sizeof sizes[0]);
    return kept;
}

static bool predict_all(const struct gp_choose_request *request, struct gp_predictor *predictor, uint32_t (*sizes)[3],
                        uint32_t count, struct gp_ranking *ranking, struct gp_error *error)
{
    struct gp_predict_options options = {
        .bottlenecks = request->bottlenecks, .quick = true, .foreign_target = request->foreign_target};
    struct gp_launch launch = *request->launch;
    struct gp_error reason = {0};
    for (uint32_t i = 0; i < count; i++) {
        struct gp_prediction *prediction = &ranking->predictions[ranking->count];
        if (request->cancelled != NULL && __atomic_load_n(request->cancelled, __ATOMIC_RELAXED))
            return gp_fail(error, "the choice was cancelled");
        memcpy(launch.local, sizes[i], sizeof launch.local);
        if (!gp_predict(predictor, request->device, &launch, &options, prediction, &reason))
            continue;
        if (prediction->feasible)
            ranking->count++;
        else if (reason.text[0] == '\0')
            gp_fail(&reason, "%s", prediction->why);
    }
    if (ranking->count == 0)
        return gp_fail(error, "no local size is possible for kernel '%s' on %s%s%s", request->kernel->name,
                       request->device->name, reason.text[0] ? ": " : "", reason.text);
    gp_predictions_rank(ranking->predictions, ranking->count);
    return true;
}

struct choice {
    const struct gp_choose_request *request;
    struct gp_ranking *ranking;
    struct gp_error *error;
    bool done;
};

static void choose(void *context)
{
    struct choice *c = context;
    uint32_t sizes[GP_MAX_CANDIDATES + 1][3];
    uint32_t count = collect_sizes(c->request, sizes);
    if (count == 0) {
        gp_fail(c->error, "no local size is possible for kernel '%s' on %s: none keeps the launch's limits",
                c->request->kernel->name, c->request->device->name);
        return;
    }
    c->ranking->predictions = calloc(count, sizeof *c->ranking->predictions);
    struct gp_predictor *predictor = gp_predictor_new(c->request->profile, c->request->kernel);
    c->done = predict_all(c->request, predictor, sizes, count, c->ranking, c->error);
    if (!c->done)
        gp_ranking_free(c->ranking);
    gp_predictor_free(predictor);
}

bool gp_choose(const struct gp_choose_request *request, struct gp_ranking *ranking, struct gp_error *error)
{
    struct choice c = {.request = request, .ranking = ranking, .error = error};
    *ranking = (struct gp_ranking){0};
    if (gp_operation(choose, &c))
        return c.done;
    *ranking = (struct gp_ranking){.no_memory = true};
    return gp_fail(error, GP_OUT_OF_MEMORY);
}

void gp_ranking_free(struct gp_ranking *ranking)
{
    free(ranking->predictions);
    *ranking = (struct gp_ranking){0};
}

const struct gp_prediction *gp_ranking_find(const struct gp_ranking *ranking, const uint32_t local[3])
{
    for (size_t i = 0; i < ranking->count; i++)
        if (same_size(ranking->predictions[i].local, local))
            return &ranking->predictions[i];
    return NULL;
}

static bool is_gpu_triple(const char *triple)
{
    return strncmp(triple, "spir", 4) == 0 || strncmp(triple, "nvptx", 5) == 0 || strncmp(triple, "amdgcn", 6) == 0;
}

bool gp_profile_is_foreign(const struct gp_profile *profile, const struct gp_device *device)
{
    const char *own = device->triple, *is = profile->triple;
    if (own == NULL || own[0] == '\0')
        return is_gpu_triple(is);
    size_t arch = strcspn(own, "-");
    return strncmp(own, is, arch) != 0 || is[arch] != '-' ||
           (device->cpu[0] && profile->cpu[0] && strcmp(device->cpu, profile->cpu) != 0);
}

struct reading {
    const void *bytes;
    size_t size;
    struct gp_profile *profile;
    struct gp_error *error;
};

static void read_profile(void *context)
{
    struct reading *r = context;
    r->profile = gp_profile_has_magic(r->bytes, r->size) ? gp_profile_decode(r->bytes, r->size, r->error)
                                                         : gp_profile_find_embedded(r->bytes, r->size, r->error);
}

struct gp_profile *gp_profile_from_bytes(const void *bytes, size_t size, struct gp_error *error)
{
    struct reading r = {bytes, size, NULL, error};
    if (gp_operation(read_profile, &r))
        return r.profile;
    gp_fail(error, GP_OUT_OF_MEMORY);
    return NULL;
}
