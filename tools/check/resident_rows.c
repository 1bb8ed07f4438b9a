/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/resident_rows.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CAUSES = 2, MOST_STEPS = 12 };

struct residents {
    const struct gp_size_question *question;
    enum gp_cause causes[MOST_CAUSES];
    size_t cause_count;
    struct gp_prediction *p; /* the last one */
    json_t *array;
};

/* ---- What is asked ---------------------------------------------------------------------------------------------- */

static bool has(const struct residents *r, enum gp_cause cause)
{
    for (size_t i = 0; i < r->cause_count; i++)
        if (r->causes[i] == cause)
            return true;
    return false;
}

/* The costliest that a program can repair: without those that the device has, there is nothing to be seen. */
static void pick_causes(struct residents *r)
{
    const struct gp_prediction *own = r->question->own;
    for (uint32_t i = 0; i < own->bottleneck_count && r->cause_count < MOST_CAUSES; i++) {
        enum gp_cause cause = own->bottlenecks[i].cause;
        if (!gp_cause_is_a_limit(cause) && cause != GP_CAUSE_OCCUPANCY && !has(r, cause))
            r->causes[r->cause_count++] = cause;
    }
}

/* Fewer curves, or none, where each prediction takes long. */
static bool affords(struct residents *r)
{
    const struct gp_size_question *q = r->question;
    size_t affordable = gp_endurable_candidates(q->own->effort, 1, q->kernels);
    while (r->cause_count > 0 && (r->cause_count + 1) * MOST_STEPS > affordable)
        r->cause_count--;
    return affordable >= MOST_STEPS;
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

/* In ns; 0: there is none. `without`: as in gp_predict_options. */
static double time_of(struct residents *r, uint32_t warps, uint32_t without)
{
    const struct gp_size_question *q = r->question;
    struct gp_predict_options options = {.foreign_target = q->foreign, .resident_warps = warps, .without = without};
    struct gp_error why = {""};
    memset(r->p, 0, sizeof *r->p);
    return gp_predict(q->predictor, q->device, q->launch, &options, r->p, &why) && r->p->feasible ? r->p->time_ns : 0;
}

/* The warps that are resident; 0: there is no such launch. */
static double add_point(struct residents *r, uint32_t warps)
{
    double ns = time_of(r, warps, 0), resident = r->p->resident_warps;
    json_t *without = json_object();
    if (ns <= 0) {
        json_decref(without);
        return 0;
    }
    for (size_t i = 0; i < r->cause_count; i++)
        json_object_set_new(without, gp_cause_name(r->causes[i]), json_real(time_of(r, warps, 1U << r->causes[i])));
    json_array_append_new(r->array, json_pack("{s:f,s:f,s:o}", "warps", resident, "time_ns", ns, "without", without));
    return resident;
}

static void add_points(struct residents *r)
{
    double held = r->question->own->resident_warps, resident = add_point(r, 1);
    for (int step = 1; resident > 0 && resident < held && step < MOST_STEPS; step++) {
        double asked = 2 * resident < held ? 2 * resident : held;
        resident = add_point(r, (uint32_t)(asked + 0.5));
    }
}

bool gp_add_residents(const struct gp_size_question *question, json_t *row, struct gp_error *error)
{
    struct residents r = {.question = question};
    pick_causes(&r);
    if (question->device->arch == GP_ARCH_CPU || !affords(&r))
        return true;
    r.p = malloc(sizeof *r.p);
    r.array = json_array();
    if (r.p == NULL || r.array == NULL) {
        json_decref(r.array);
        free(r.p);
        return gp_fail(error, "out of memory");
    }
    add_points(&r);
    free(r.p);
    return json_object_set_new(row, "resident", r.array) == 0 || gp_fail(error, "out of memory");
}
