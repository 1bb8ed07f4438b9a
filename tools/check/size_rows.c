/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/size_rows.h"

#include <stdlib.h>
#include <string.h>

struct sizes {
    const struct gp_size_question *question;
    uint32_t locals[GP_MAX_CANDIDATES][3];
    size_t local_count;
    struct gp_prediction *predictions;
    size_t count;
};

static void predict_size(struct sizes *s, const uint32_t local[3])
{
    const struct gp_size_question *q = s->question;
    struct gp_predict_options options = {.foreign_target = q->foreign};
    struct gp_launch launch = *q->launch;
    struct gp_prediction *p = &s->predictions[s->count];
    struct gp_error why = {""};
    memcpy(launch.local, local, sizeof launch.local);
    memset(p, 0, sizeof *p);
    s->count += gp_predict(q->predictor, q->device, &launch, &options, p, &why) && p->feasible;
}

/* Where those so far tell that all would take too long, some of those behind them, spread evenly, stand for all. */
static void pass_over_some(struct sizes *s, size_t next)
{
    uint64_t effort = 0;
    for (size_t i = 0; i < s->count; i++)
        effort += s->predictions[i].effort;
    size_t others = s->local_count - next, affordable = gp_endurable_candidates(effort, s->count, s->question->kernels);
    if (others + s->count <= affordable)
        return;
    size_t kept = affordable > s->count ? affordable - s->count : 0;
    for (size_t i = 0; i < kept; i++)
        memmove(s->locals[next + i], s->locals[next + i * others / kept], sizeof s->locals[0]);
    s->local_count = next + kept;
}

static void predict_sizes(struct sizes *s)
{
    const struct gp_size_question *q = s->question;
    s->local_count = gp_candidates(q->device, q->kernel, q->launch, q->uniform, s->locals, GP_MAX_CANDIDATES);
    s->predictions[s->count++] = *q->own;
    for (size_t i = 0; i < s->local_count; i++) {
        if (memcmp(s->locals[i], q->own->local, sizeof s->locals[i]) != 0)
            predict_size(s, s->locals[i]);
        pass_over_some(s, i + 1);
    }
}

static json_t *size_object(const struct gp_prediction *p)
{
    json_t *object =
        json_pack("{s:[i,i,i],s:i,s:f,s:f,s:f,s:s,s:f}", "local", (int)p->local[0], (int)p->local[1], (int)p->local[2],
                  "rank", (int)p->rank, "time_ns", p->time_ns, "time_ns_low", p->time_ns_low, "occupancy", p->occupancy,
                  "limiter", gp_limit_told(p), "confidence", p->confidence);
    if (p->endless == 0)
        json_object_set_new(object, "time_ns_high", json_real(p->time_ns_high));
    return object;
}

bool gp_add_sizes(const struct gp_size_question *question, json_t *row, struct gp_error *error)
{
    struct sizes s = {.question = question, .predictions = calloc(GP_MAX_CANDIDATES + 1, sizeof *s.predictions)};
    json_t *array = json_array();
    if (s.predictions == NULL || array == NULL) {
        json_decref(array);
        free(s.predictions);
        return gp_fail(error, "out of memory");
    }
    predict_sizes(&s);
    gp_predictions_rank(s.predictions, s.count);
    for (size_t i = 0; i < s.count; i++)
        json_array_append_new(array, size_object(&s.predictions[i]));
    free(s.predictions);
    return json_object_set_new(row, "sizes", array) == 0 || gp_fail(error, "out of memory");
}
