/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/fixit/trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/progress.h"

/* A session of the changed source beside the user's, whose settings and devices it borrows. */
struct again {
    struct gp_session session;
    struct gp_sizes local;
    struct gp_arguments arguments; /* clang's, and where the source's own headers are */
    double time_ns;                /* of the launch at hand */
};

/* The changed source lies elsewhere: its headers are still beside the file. */
static void find_headers(const struct gp_session *session, struct again *again)
{
    const char *path = session->settings.file, *slash = strrchr(path, '/');
    gp_arguments_add_all(&again->arguments, (const char *const *)session->settings.clang_arguments);
    if (slash == NULL)
        gp_arguments_add(&again->arguments, "-I.");
    else
        gp_arguments_add(&again->arguments, "-I%.*s", (int)(slash - path), slash == path ? "/" : path);
}

static bool take(void *taker, const struct gp_result *result, struct gp_error *error)
{
    struct again *again = taker;
    again->time_ns = result->predictions[0].time_ns;
    return result->count > 0 || gp_fail(error, "no prediction");
}

static bool begin(const struct gp_session *session, const struct gp_trial *trial, struct again *again,
                  struct gp_error *error)
{
    find_headers(session, again);
    again->session = (struct gp_session){.settings = session->settings,
                                         .combinations = 1,
                                         .devices = session->devices,
                                         .device_count = session->device_count,
                                         .kernel_count = session->kernel_count,
                                         .take = take,
                                         .taker = again};
    again->session.settings.locals = &again->local;
    again->session.settings.local_count = 1;
    again->session.settings.explain_count = 0;
    again->session.settings.format = GP_PRINTS_CSV; /* no bottlenecks */
    again->session.settings.kernels = (struct gp_arguments){0};
    again->session.settings.clang_arguments = again->arguments.items;
    again->session.input = (struct gp_input){.path = session->input.path,
                                             .language = session->input.language,
                                             .bytes = trial->changed,
                                             .length = strlen(trial->changed)};
    again->session.profiles = calloc(session->device_count, sizeof *again->session.profiles);
    again->session.suited = calloc(session->device_count, sizeof *again->session.suited);
    return (again->session.profiles != NULL && again->session.suited != NULL) || gp_fail(error, "out of memory");
}

static void end(struct again *again)
{
    for (size_t i = 0; again->session.profiles != NULL && i < again->session.device_count; i++)
        gp_device_profile_free(&again->session.profiles[i]);
    free(again->session.profiles);
    free(again->session.suited);
    gp_text_free(&again->session.left_out);
    gp_combination_free(&again->session.now);
    gp_arguments_free(&again->arguments);
}

static bool compile_for(struct again *again, size_t device, struct gp_error *error)
{
    struct gp_session *s = &again->session;
    if (s->suited[device])
        return true;
    return gp_input_profile(&s->input, s->devices[device], (const char *const *)s->settings.clang_arguments,
                            &s->profiles[device], error) &&
           (s->suited[device] = true);
}

static bool predict_again(struct again *again, const struct gp_baseline *baseline, struct gp_outcome_row *row,
                          struct gp_error *error)
{
    if (!compile_for(again, baseline->device, error))
        return false;
    const struct gp_kernel *kernel =
        gp_profile_find(again->session.profiles[baseline->device].profile, baseline->kernel->symbol);
    if (kernel == NULL)
        return gp_fail(error, "the changed source has no kernel '%s'", baseline->kernel->name);
    again->local.dims = baseline->prediction.dims;
    for (int d = 0; d < 3; d++)
        again->local.size[d] = baseline->prediction.local[d];
    struct gp_text nothing = {0};
    again->time_ns = 0;
    bool done = gp_session_predict(&again->session, baseline->device, kernel, &nothing, error);
    gp_text_free(&nothing);
    row->time_ns = again->time_ns;
    return done && (again->time_ns > 0 || gp_fail(error, "kernel '%s' no longer runs", baseline->kernel->name));
}

static void weigh(struct gp_trial *trial, double speedup)
{
    trial->best = fmax(trial->best, speedup);
    trial->worst = trial->worst > 0 ? fmin(trial->worst, speedup) : speedup;
}

static void predict_each(struct again *again, const struct gp_baselines *baselines, struct gp_trial *trial)
{
    for (size_t i = 0; i < baselines->count; i++) {
        const struct gp_baseline *baseline = &baselines->list[i];
        gp_progress("trying a change, line %u: %.40s on %s", trial->fix->line, baseline->kernel->name,
                    again->session.devices[baseline->device]->name);
        trial->rows[i].promised = gp_fix_promise(trial->fix, baseline->profile, &baseline->prediction);
        if (!predict_again(again, baseline, &trial->rows[i], &trial->error))
            return;
        weigh(trial, baseline->prediction.time_ns / trial->rows[i].time_ns);
    }
}

bool gp_try_fix(const struct gp_session *session, const struct gp_baselines *baselines, const struct gp_fix *fix,
                struct gp_trial *trial, struct gp_error *error)
{
    struct again again = {.time_ns = 0};
    *trial = (struct gp_trial){.fix = fix, .rows = calloc(baselines->count + 1, sizeof *trial->rows)};
    if (trial->rows == NULL)
        return gp_fail(error, "out of memory");
    trial->changed = gp_fix_apply(fix, session->input.bytes, session->input.length, &trial->error);
    bool done = trial->changed == NULL || begin(session, trial, &again, error);
    if (trial->changed != NULL && done)
        predict_each(&again, baselines, trial);
    end(&again);
    return done;
}

void gp_trial_free(struct gp_trial *trial)
{
    free(trial->rows);
    free(trial->changed);
    *trial = (struct gp_trial){0};
}

bool gp_trial_gains(const struct gp_trial *trial)
{
    return trial->error.text[0] == '\0' && trial->best >= GP_TRIAL_GAIN && trial->worst >= GP_TRIAL_LOSS;
}
