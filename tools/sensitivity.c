/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuperf devices D --sensitivity FILE: which of a device's numbers a kernel's time depends on, so that a user knows
 * what to measure or to state. */
#include "tools/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict.h"
#include "model/assume/defaults.h"
#include "model/assume/describe.h"
#include "tools/input.h"

static const char *const field_names[] = {
#define X(field, unit, meaning) #field,
    GP_DEVICE_NUMBERS(X)
#undef X
};
enum { FIELDS = sizeof field_names / sizeof field_names[0] };

struct effect {
    size_t field;
    double change; /* of the time, as a share, for a tenth more of the number */
};

struct question {
    const char *device;
    const struct gp_device_profile *of;
    const struct gp_kernel *kernel;
    struct gp_predictor *predictor;
    struct gp_launch launch;
};

static double time_on(struct question *q, const struct gp_device *device)
{
    struct gp_predict_options options = {.foreign_target = q->of->foreign};
    struct gp_prediction *p = calloc(1, sizeof *p);
    double ns =
        p != NULL && gp_predict(q->predictor, device, &q->launch, &options, p, NULL) && p->feasible ? p->time_ns : 0;
    free(p);
    return ns;
}

/* The device with a tenth more of one number; a count grows by one at least. NULL: it cannot be so large, or is 0. */
static struct gp_device *with_more(const char *name, const char *field)
{
    char assignment[80];
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), NULL);
    const struct gp_number *number = device != NULL ? gp_device_number(device, field, NULL) : NULL;
    double value = number != NULL ? number->value : 0;
    bool whole = value == floor(value);
    double more = whole && value >= 10 ? floor(1.1 * value) : 1.1 * value;
    snprintf(assignment, sizeof assignment, "%s=%.17g", field, more);
    if (value > 0 && gp_device_set(device, assignment, NULL))
        return device;
    gp_device_free(device);
    return NULL;
}

static int by_size(const void *a, const void *b)
{
    const struct effect *x = a, *y = b;
    double one = fabs(x->change), other = fabs(y->change);
    return one != other ? (one < other) - (one > other) : (x->field > y->field) - (x->field < y->field);
}

static void print_effects(const struct question *q, const struct gp_device *device, double ns, struct effect *effects,
                          size_t count, struct gp_text *out)
{
    char launch[200];
    gp_launch_describe(q->kernel, &q->launch, launch, sizeof launch);
    gp_text_printf(out, "%s on %s: %.4g us for %s\n", q->kernel->name, device->name, ns / 1000, launch);
    qsort(effects, count, sizeof *effects, by_size);
    for (size_t i = 0; i < count && fabs(effects[i].change) >= 0.001; i++) {
        const char *name = field_names[effects[i].field], *unit;
        const struct gp_number *number = gp_device_number(device, name, &unit);
        gp_text_printf(out, "  %+6.1f%%  %-24s %12.10g %-12s %s\n", 100 * effects[i].change, name, number->value, unit,
                       gp_origin_name(number->origin));
    }
}

static bool tell_kernel(struct question *q, const struct gp_device *device, struct gp_text *out, struct gp_error *error)
{
    struct effect effects[FIELDS];
    size_t count = 0;
    gp_launch_default(q->kernel, &q->launch);
    double ns = time_on(q, device);
    if (ns <= 0)
        return gp_fail(error, "kernel '%s' cannot run on %s with its assumed launch", q->kernel->name, device->name);
    for (size_t i = 0; i < FIELDS; i++) {
        struct gp_device *other = with_more(q->device, field_names[i]);
        double then = other != NULL ? time_on(q, other) : 0;
        if (then > 0)
            effects[count++] = (struct effect){i, then / ns - 1};
        gp_device_free(other);
    }
    print_effects(q, device, ns, effects, count, out);
    return true;
}

static bool tell_kernels(const char *name, const struct gp_device_profile *of, const struct gp_device *device,
                         struct gp_text *out, struct gp_error *error)
{
    bool done = true;
    for (uint32_t i = 0; done && i < of->profile->kernel_count; i++) {
        struct question *q = calloc(1, sizeof *q);
        if (q == NULL)
            return gp_fail(error, "out of memory");
        *q = (struct question){.device = name, .of = of, .kernel = &of->profile->kernels[i]};
        q->predictor = gp_predictor_new(of->profile, q->kernel);
        done = q->predictor != NULL ? tell_kernel(q, device, out, error) : gp_fail(error, "out of memory");
        gp_predictor_free(q->predictor);
        free(q);
    }
    return done;
}

bool gp_print_sensitivity(const char *name, const char *path, const char *const *clang_arguments, struct gp_text *out,
                          struct gp_error *error)
{
    struct gp_input input;
    struct gp_device_profile of = {0};
    struct gp_device *device = gp_device_load(name, getenv("GPUPERF_HWDB"), error);
    if (device == NULL)
        return false;
    bool done = gp_input_open(path, &input, error);
    if (done) {
        done = gp_input_suits(&input, device, error) && gp_input_profile(&input, device, clang_arguments, &of, error) &&
               tell_kernels(name, &of, device, out, error);
        gp_device_profile_free(&of);
        gp_input_close(&input);
    }
    gp_device_free(device);
    return done;
}
