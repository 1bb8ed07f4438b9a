/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The C API of gpuperf/gpuperf.h over the model. */
#define _GNU_SOURCE
#include "gpuperf/gpuperf.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "hwdb/stand_in.h"
#include "model/launch/range.h"
#include "model/assume/vectors.h"
#include "model/assume/describe.h"
#include "runtime/choose.h"
#include "runtime/handles.h"
#include "runtime/options.h"
#include "support/operation.h"
#include "support/text.h"

_Static_assert(sizeof(gpuperf_error) == sizeof(struct gp_error), "one layout");

int gp_refuse(gpuperf_error *error, int code, const struct gp_error *reason)
{
    if (error != NULL)
        memcpy(error->text, reason->text, sizeof error->text);
    return code;
}

static int no_memory(struct gp_error *reason)
{
    gp_fail(reason, GP_OUT_OF_MEMORY);
    return GPUPERF_ESYSTEM;
}

/* Numbers in YAML and in compilers' output are written as in C, whatever the program's locale. */
static locale_t enter_c_locale(void)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", NULL);
    return c != NULL ? uselocale(c) : NULL;
}

static void leave_c_locale(locale_t before)
{
    if (before != NULL)
        freelocale(uselocale(before));
}

/* ---- Profiles ---- */

static gpuperf_profile *wrap(struct gp_profile *profile, bool foreign, const struct gp_error *reason,
                             gpuperf_error *error)
{
    gpuperf_profile *result = profile != NULL ? malloc(sizeof *result) : NULL;
    if (result == NULL) {
        gp_profile_free(profile);
        gp_refuse(error, 0, profile != NULL ? &(struct gp_error){GP_OUT_OF_MEMORY} : reason);
        return NULL;
    }
    *result = (gpuperf_profile){profile, foreign};
    return result;
}

gpuperf_profile *gpuperf_profile_from_memory(const void *bytes, size_t size, gpuperf_error *error)
{
    struct gp_error reason = {0};
    if (bytes == NULL)
        size = 0;
    return wrap(gp_profile_from_bytes(bytes, size, &reason), false, &reason, error);
}

gpuperf_profile *gpuperf_profile_load(const char *path, gpuperf_error *error)
{
    struct gp_error reason = {0};
    size_t size = 0;
    char *bytes = path != NULL ? gp_read_file(path, &size) : NULL;
    struct gp_profile *profile = NULL;
    if (path == NULL)
        gp_fail(&reason, "the path is NULL");
    else if (bytes == NULL)
        gp_fail(&reason, "cannot read %s: %s", path, strerror(errno));
    else if ((profile = gp_profile_from_bytes(bytes, size, &reason)) == NULL)
        gp_fail_within(&reason, path);
    free(bytes);
    return wrap(profile, false, &reason, error);
}

gpuperf_profile *gpuperf_profile_compile(const char *source, const char *options, const gpuperf_device *device,
                                         gpuperf_error *error)
{
    struct gp_error reason = {0};
    struct gp_options parsed;
    struct gp_compile_result result = {0};
    if (source == NULL) {
        gp_refuse(error, 0, &(struct gp_error){"the source is NULL"});
        return NULL;
    }
    if (!gp_options_parse(options, &parsed)) {
        gp_refuse(error, 0, &(struct gp_error){GP_OUT_OF_MEMORY});
        return NULL;
    }
    struct gp_compile_request request = {.source_path = "source.cl",
                                         .source_text = source,
                                         .language = "opencl",
                                         .arguments = (const char *const *)parsed.arguments,
                                         .device = device != NULL ? device->device : NULL};
    locale_t before = enter_c_locale();
    bool done = gp_compile(&request, &result, &reason);
    leave_c_locale(before);
    gp_options_free(&parsed);
    if (!done) {
        gp_refuse(error, 0, &reason);
        return NULL;
    }
    struct gp_profile *profile = result.profile;
    bool foreign = result.foreign_target;
    result.profile = NULL;
    gp_compile_result_free(&result);
    return wrap(profile, foreign, &reason, error);
}

void gpuperf_profile_free(gpuperf_profile *profile)
{
    if (profile == NULL)
        return;
    gp_profile_free(profile->profile);
    free(profile);
}

size_t gpuperf_profile_kernels(const gpuperf_profile *profile)
{
    return profile != NULL ? profile->profile->kernel_count : 0;
}

const char *gpuperf_profile_kernel_name(const gpuperf_profile *profile, size_t index)
{
    return index < gpuperf_profile_kernels(profile) ? profile->profile->kernels[index].name : NULL;
}

/* ---- Devices ---- */

gpuperf_device *gpuperf_device_open(const char *name, gpuperf_error *error)
{
    struct gp_error reason = {0};
    locale_t before = enter_c_locale();
    struct gp_device *device = name != NULL ? gp_device_load(name, getenv("GPUPERF_HWDB"), &reason) : NULL;
    if (name == NULL)
        gp_fail(&reason, "the device's name is NULL");
    leave_c_locale(before);
    gpuperf_device *result = device != NULL ? malloc(sizeof *result) : NULL;
    if (result == NULL) {
        gp_device_free(device);
        gp_refuse(error, 0, device != NULL ? &(struct gp_error){GP_OUT_OF_MEMORY} : &reason);
        return NULL;
    }
    result->device = device;
    return result;
}

void gpuperf_device_free(gpuperf_device *device)
{
    if (device == NULL)
        return;
    gp_device_free(device->device);
    free(device);
}

void gpuperf_device_override(gpuperf_device *device, uint32_t compute_units, uint32_t clock_mhz)
{
    if (device != NULL)
        gp_device_at_hand(device->device, compute_units, clock_mhz, 0, "the running machine");
}

/* ---- Launches ---- */

static int take_arguments(const gpuperf_launch *from, const struct gp_kernel *kernel, struct gp_launch *launch,
                          struct gp_error *reason)
{
    for (size_t i = 0; i < from->argument_count; i++) {
        const gpuperf_argument *argument = &from->arguments[i];
        if (argument->index >= kernel->param_count || argument->index >= GP_MAX_ARGUMENTS) {
            gp_fail(reason, "kernel '%s' has no argument %u: it has %u, and the first is 0", kernel->name,
                    argument->index, kernel->param_count);
            return GPUPERF_ENOTFOUND;
        }
        uint8_t kind = kernel->params[argument->index].kind;
        if (kind != GP_PARAM_INT && kind != GP_PARAM_FLOAT) {
            gp_fail(reason, "argument %u of kernel '%s' is no scalar: leave it out", argument->index, kernel->name);
            return GPUPERF_EINPUT;
        }
        launch->arguments[argument->index] = (struct gp_argument){.known = true, .value = argument->value};
        gp_take_elements(kernel, argument->index, &argument->value, sizeof argument->value, false, launch);
    }
    return GPUPERF_OK;
}

/* False: one is NULL that must not be. */
static bool all_there(const gpuperf_profile *profile, const char *name, const gpuperf_device *device,
                      const gpuperf_launch *launch, const void *result, struct gp_error *reason)
{
    const char *missing = profile == NULL                                           ? "profile"
                          : name == NULL                                            ? "kernel's name"
                          : device == NULL                                          ? "device"
                          : launch == NULL                                          ? "launch"
                          : launch->arguments == NULL && launch->argument_count > 0 ? "list of arguments"
                          : result == NULL                                          ? "place for the result"
                                                                                    : NULL;
    return missing == NULL || gp_fail(reason, "the %s is NULL", missing);
}

int gp_ask(const gpuperf_profile *profile, const char *name, const gpuperf_device *device, const gpuperf_launch *from,
           const void *result, struct gp_question *q, struct gp_error *reason)
{
    if (!all_there(profile, name, device, from, result, reason))
        return GPUPERF_EINPUT;
    const struct gp_kernel *kernel = gp_profile_find(profile->profile, name);
    if (kernel == NULL) {
        gp_fail(reason, "the profile has no kernel '%s'", name);
        return GPUPERF_ENOTFOUND;
    }
    if (from->dims < 1 || from->dims > 3) {
        gp_fail(reason, "a launch has 1, 2 or 3 dimensions, not %u", from->dims);
        return GPUPERF_ELAUNCH;
    }
    q->launch = (struct gp_launch){.dims = from->dims,
                                   .global = {1, 1, 1},
                                   .local = {1, 1, 1},
                                   .dynamic_local_bytes = from->local_memory_bytes,
                                   .assumed_trip_count = GP_DEFAULT_TRIP_COUNT};
    for (uint32_t d = 0; d < from->dims; d++) {
        if (from->global[d] == 0) {
            gp_fail(reason, "the global size is 0 in dimension %u", d);
            return GPUPERF_ELAUNCH;
        }
        q->launch.global[d] = from->global[d];
        q->launch.offset[d] = from->offset[d];
    }
    q->request = (struct gp_choose_request){.profile = profile->profile,
                                            .kernel = kernel,
                                            .device = device->device,
                                            .launch = &q->launch,
                                            .uniform = from->uniform != 0,
                                            .max_group = from->max_local,
                                            .foreign_target = profile->foreign_target ||
                                                              gp_profile_is_foreign(profile->profile, device->device)};
    return take_arguments(from, kernel, &q->launch, reason);
}

int gpuperf_choose(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                   const gpuperf_launch *launch, gpuperf_choice *choice, gpuperf_error *error)
{
    struct gp_question q;
    struct gp_error reason = {0};
    struct gp_ranking ranking;
    int code = gp_ask(profile, kernel, device, launch, choice, &q, &reason);
    if (code != GPUPERF_OK)
        return gp_refuse(error, code, &reason);
    if (!gp_choose(&q.request, &ranking, &reason))
        return gp_refuse(error, ranking.no_memory ? GPUPERF_ESYSTEM : GPUPERF_ELAUNCH, &reason);
    const struct gp_prediction *best = &ranking.predictions[0], *worst = &ranking.predictions[ranking.count - 1];
    memset(choice, 0, sizeof *choice); /* its padding, too: equal choices are equal bytes */
    memcpy(choice->local, best->local, sizeof choice->local);
    choice->time_ns = best->time_ns;
    choice->cycles = best->cycles;
    choice->confidence = best->confidence;
    choice->known_share = best->known_share;
    choice->time_ns_low = best->time_ns_low;
    choice->time_ns_high = best->time_ns_high;
    choice->gain = best->time_ns > 0 ? worst->time_ns / best->time_ns : 1;
    choice->candidates = (uint32_t)ranking.count;
    gp_ranking_free(&ranking);
    return GPUPERF_OK;
}

struct timing {
    struct gp_question q;
    struct gp_error reason;
    struct gp_prediction prediction;
    bool done;
};

static void predict_time(void *context)
{
    struct timing *t = context;
    const struct gp_choose_request *request = &t->q.request;
    struct gp_predict_options options = {.foreign_target = request->foreign_target};
    struct gp_predictor *predictor = gp_predictor_new(request->profile, request->kernel);
    t->done = gp_predict(predictor, request->device, &t->q.launch, &options, &t->prediction, &t->reason);
    if (t->done && !t->prediction.feasible)
        t->done = gp_fail(&t->reason, "%s", t->prediction.why);
    gp_predictor_free(predictor);
}

static int time_of(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                   const gpuperf_launch *launch, const uint32_t local[3], const void *answer, struct timing *t)
{
    int code = gp_ask(profile, kernel, device, launch, local != NULL ? answer : NULL, &t->q, &t->reason);
    if (code != GPUPERF_OK)
        return code;
    if (!gp_local_within_limits(&t->q.request, local, &t->reason))
        return GPUPERF_ELAUNCH;
    memcpy(t->q.launch.local, local, sizeof t->q.launch.local);
    if (!gp_operation(predict_time, t))
        return no_memory(&t->reason);
    return t->done ? GPUPERF_OK : GPUPERF_ELAUNCH;
}

int gpuperf_predict_time(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                         const gpuperf_launch *launch, const uint32_t local[3], double *time_ns, gpuperf_error *error)
{
    struct gp_error reason = {GP_OUT_OF_MEMORY};
    struct timing *t = calloc(1, sizeof *t);
    int code = t != NULL ? time_of(profile, kernel, device, launch, local, time_ns, t) : GPUPERF_ESYSTEM;
    if (t != NULL)
        reason = t->reason;
    if (code == GPUPERF_OK)
        *time_ns = t->prediction.time_ns;
    free(t);
    return code == GPUPERF_OK ? code : gp_refuse(error, code, &reason);
}

/* The hull of the loads may begin before the buffer: nothing is there. */
static void read_range(const struct gp_question *q, uint32_t argument, uint64_t *from, uint64_t *to)
{
    int64_t first, last;
    bool known = gp_range_read(q->request.kernel, &q->launch, argument, &first, &last);
    *from = known && first > 0 ? (uint64_t)first : 0;
    *to = !known ? UINT64_MAX : last > 0 ? (uint64_t)last : 0;
}

int gpuperf_read_range(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                       const gpuperf_launch *launch, const uint32_t local[3], uint32_t argument, uint64_t *from,
                       uint64_t *to, gpuperf_error *error)
{
    struct gp_question q;
    struct gp_error reason = {0};
    int code = gp_ask(profile, kernel, device, launch, local != NULL && from != NULL ? to : NULL, &q, &reason);
    if (code == GPUPERF_OK &&
        (argument >= q.request.kernel->param_count || q.request.kernel->params[argument].kind != GP_PARAM_BUFFER)) {
        gp_fail(&reason, "argument %u of kernel '%s' is no buffer", argument, kernel);
        code = GPUPERF_EINPUT;
    }
    if (code == GPUPERF_OK && !gp_local_within_limits(&q.request, local, &reason))
        code = GPUPERF_ELAUNCH;
    if (code != GPUPERF_OK)
        return gp_refuse(error, code, &reason);
    memcpy(q.launch.local, local, sizeof q.launch.local);
    read_range(&q, argument, from, to);
    return GPUPERF_OK;
}

static void copy_terms(const struct gp_prediction *p, gpuperf_terms *terms)
{
    *terms = (gpuperf_terms){.model = p->model, .time_ns = p->time_ns};
#define X(field, symbol, unit, what) terms->field = p->terms.field;
    GP_TERMS(X)
#undef X
}

int gpuperf_predict_terms(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                          const gpuperf_launch *launch, const uint32_t local[3], gpuperf_terms *terms,
                          gpuperf_error *error)
{
    struct gp_error reason = {GP_OUT_OF_MEMORY};
    struct timing *t = calloc(1, sizeof *t);
    int code = t != NULL ? time_of(profile, kernel, device, launch, local, terms, t) : GPUPERF_ESYSTEM;
    if (t != NULL)
        reason = t->reason;
    if (code == GPUPERF_OK)
        copy_terms(&t->prediction, terms);
    free(t);
    return code == GPUPERF_OK ? code : gp_refuse(error, code, &reason);
}

static void explain_one(struct gp_text *text, const struct gp_prediction *p, uint32_t dims,
                        const struct gp_prediction *best)
{
    gp_text_printf(text, "%s %u", p == best ? "*" : gp_prediction_tied(p, best) ? "=" : " ", p->local[0]);
    for (uint32_t d = 1; d < dims; d++)
        gp_text_printf(text, "x%u", p->local[d]);
    gp_text_printf(text, ": %s%.0f ns", p->endless > 0 ? "at least " : "", p->time_ns);
    if (p->endless == 0)
        gp_text_printf(text, " (%.0f to %.0f)", p->time_ns_low, p->time_ns_high);
    gp_text_printf(text, ", %.0f cycles, occupancy %.0f%%, limited by %s, confidence %.2f\n", p->cycles,
                   100 * p->occupancy, gp_limit_told(p), p->confidence);
}

static void explain_headroom(struct gp_text *text, const struct gp_headroom *h)
{
    if (h->ideal_ns > 0)
        gp_text_printf(text,
                       "headroom: %.2fx over %.0f ns, each byte moved once and each operation at its pipe's rate%s\n",
                       h->headroom, h->ideal_ns, h->at_roof ? ": at the device's roof" : "");
}

/* Where the time goes, and what it would be without each cause. */
static void explain_causes(struct gp_text *text, const struct gp_profile *profile, const struct gp_kernel *kernel,
                           const struct gp_prediction *best)
{
    char place[1024], also[300];
    if (best->hot_loop != GP_NONE) {
        gp_print_place(profile, kernel, kernel->loops[best->hot_loop].location, place, sizeof place);
        gp_text_printf(text, "hot loop: %s, %.0f%% of what limits it\n", place, 100 * best->hot_share);
    }
    for (uint32_t i = 0; i < best->bottleneck_count; i++) {
        const struct gp_bottleneck *b = &best->bottlenecks[i];
        gp_print_place(profile, kernel, b->location, place, sizeof place);
        gp_bottleneck_also(profile, b, also, sizeof also);
        gp_text_printf(text, "%s: %s%s%s%s", gp_cause_name(b->cause), place, place[0] ? ": " : "", b->measure, also);
        if (b->share > 0)
            gp_text_printf(text, "; %.2fx faster without it", b->speedup);
        if (b->speedup_beside > 0)
            gp_text_printf(text, "; %.2fx %s", b->speedup_beside, gp_bottleneck_when(b));
        gp_text_printf(text, "\n");
    }
}

struct explanation {
    const gpuperf_profile *profile;
    const struct gp_device *device;
    struct gp_question q;
    struct gp_ranking ranking;
    char *text;
};

static void explain(void *context)
{
    struct explanation *e = context;
    const struct gp_kernel *kernel = e->q.request.kernel;
    const struct gp_prediction *best = &e->ranking.predictions[0];
    struct gp_text text = {0};
    char described[512];
    memcpy(e->q.launch.local, best->local, sizeof e->q.launch.local);
    gp_launch_describe(kernel, &e->q.launch, described, sizeof described);
    gp_text_printf(&text, "%s on %s, %s (* best, = as good within 3%%)\n", kernel->name, e->device->name, described);
    char stand_in[GP_STAND_IN_TEXT];
    if (*gp_device_stand_in(e->device, stand_in) != '\0')
        gp_text_printf(&text, "%s\n", stand_in);
    for (size_t i = 0; i < e->ranking.count; i++)
        explain_one(&text, &e->ranking.predictions[i], e->q.launch.dims, best);
    explain_headroom(&text, &best->headroom);
    explain_causes(&text, e->profile->profile, kernel, best);
    e->text = gp_text_take(&text);
}

char *gpuperf_explain(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                      const gpuperf_launch *launch, gpuperf_error *error)
{
    struct gp_error reason = {0};
    struct explanation e = {.profile = profile};
    bool done = gp_ask(profile, kernel, device, launch, "", &e.q, &reason) == GPUPERF_OK;
    e.q.request.bottlenecks = true;
    if (done && gp_choose(&e.q.request, &e.ranking, &reason)) {
        e.device = device->device;
        if (!gp_operation(explain, &e))
            e.text = NULL;
        gp_ranking_free(&e.ranking);
        if (e.text == NULL)
            no_memory(&reason);
    }
    if (e.text == NULL)
        gp_refuse(error, 0, &reason);
    return e.text;
}
