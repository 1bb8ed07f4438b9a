/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* asprintf */
#include "tools/fixit/offer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fixit/trial.h"
#include "tools/json_out.h"

/* Each costs a compile for each device: the source's first so many. */
enum { MOST_TRIALS = 24 };

struct gp_offer {
    struct gp_baselines before;
    struct gp_fixes fixes;
    struct gp_trial trials[MOST_TRIALS];
    size_t count;
    size_t untried;
};

/* ---- What is there ----------------------------------------------------------------------------------------------- */

struct gp_offer *gp_offer_begin(const struct gp_session *session, struct gp_error *error)
{
    enum gp_prints format = session->settings.format;
    struct gp_offer *offer = NULL;
    if (session->input.profiles != NULL || !session->input.regular)
        gp_fail(error, "--fix-it changes a source; %s is %s", session->input.path,
                session->input.profiles != NULL ? "a profile or a compiled module: name its source" : "no file");
    else if (session->combinations > 1)
        gp_fail(error, "--fix-it predicts one launch; state one value of each argument and size");
    else if (format == GP_PRINTS_CSV || format == GP_PRINTS_MARKDOWN)
        gp_fail(error, "--fix-it prints text or JSON; leave out --format or say --format json");
    else if ((offer = calloc(1, sizeof *offer)) == NULL)
        gp_fail(error, "out of memory");
    return offer;
}

static bool add_baseline(struct gp_offer *offer, const struct gp_session *session, const struct gp_result *result,
                         size_t index)
{
    struct gp_baseline *list = realloc(offer->before.list, (offer->before.count + 1) * sizeof *list);
    if (list == NULL)
        return false;
    size_t device = 0;
    while (session->devices[device] != result->device)
        device++;
    offer->before.list = list;
    list[offer->before.count++] = (struct gp_baseline){.device = device,
                                                       .profile = result->profile,
                                                       .kernel = result->kernel,
                                                       .prediction = result->predictions[index],
                                                       .launched = gp_is_launched(result, index)};
    return true;
}

bool gp_offer_take(void *taker, const struct gp_result *result, struct gp_error *error)
{
    const struct gp_session *session = taker;
    struct gp_offer *offer = session->offer;
    bool done = true;
    for (size_t i = 0; done && i < result->count; i++)
        if (i == 0 || gp_is_launched(result, i))
            done = add_baseline(offer, session, result, i);
    return done || gp_fail(error, "out of memory");
}

/* The devices' compiles read the same source, and may see other parts of it. */
static bool read_fixes(struct gp_offer *offer, const struct gp_session *session, struct gp_error *error)
{
    for (size_t i = 0; i < session->device_count; i++)
        if (session->profiles[i].edits != NULL && offer->fixes.count == 0 &&
            !gp_fixes_parse(session->profiles[i].edits, &offer->fixes, error))
            return false;
    return true;
}

/* ---- Launch bounds ----------------------------------------------------------------------------------------------- */

/* Where fewer registers hold more groups, and the compiler need only be told: how many of them, and of what size. */
static bool needs_bounds(const struct gp_fix *fix, const struct gp_baseline *baseline)
{
    return strcmp(baseline->kernel->symbol, fix->function) == 0 &&
           baseline->prediction.occupancy_next.of == GP_STEP_REGISTERS;
}

static char *bounds_for(const struct gp_baseline *baseline)
{
    const struct gp_prediction *p = &baseline->prediction;
    char *text = NULL;
    bool cuda = strcmp(baseline->profile->language, "cuda") == 0;
    int length = cuda ? asprintf(&text, "__launch_bounds__(%u, %.0f) ", p->local[0] * p->local[1] * p->local[2],
                                 floor(p->occupancy_next.groups))
                      : asprintf(&text, "__attribute__((reqd_work_group_size(%u, %u, %u))) ", p->local[0], p->local[1],
                                 p->local[2]);
    return length >= 0 ? text : NULL;
}

/* The launch's own size before the best one. NULL: none needs them. */
static const struct gp_baseline *find_unbounded(const struct gp_offer *offer, const struct gp_fix *fix)
{
    const struct gp_baseline *found = NULL;
    for (size_t i = 0; i < offer->before.count; i++) {
        const struct gp_baseline *baseline = &offer->before.list[i];
        if (needs_bounds(fix, baseline) && (found == NULL || (baseline->launched && !found->launched)))
            found = baseline;
    }
    return found;
}

/* False: there is nothing to try. */
static bool complete(const struct gp_offer *offer, struct gp_fix *fix)
{
    const struct gp_baseline *unbounded = fix->kind == GP_FIX_BOUNDS ? find_unbounded(offer, fix) : NULL;
    if (fix->kind != GP_FIX_BOUNDS)
        return fix->count > 0;
    char *text = unbounded != NULL && fix->count == 1 ? bounds_for(unbounded) : NULL;
    if (text == NULL)
        return false;
    free(fix->replacements[0].text);
    fix->replacements[0].text = text;
    return true;
}

/* In a kernel that nobody asked for; of other functions any kernel may be the caller. */
static bool is_elsewhere(const struct gp_offer *offer, const struct gp_session *session, const struct gp_fix *fix)
{
    bool kernel = false;
    for (size_t i = 0; i < offer->before.count; i++)
        if (gp_kernel_is_called(offer->before.list[i].kernel, fix->function))
            return false;
    for (size_t i = 0; i < session->device_count; i++)
        kernel |= session->suited[i] && gp_profile_find(session->profiles[i].profile, fix->function) != NULL;
    return kernel;
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static const char *class_of(const struct gp_fix *fix)
{
    return gp_fix_rounds(fix->kind) ? "changes rounding" : "same results";
}

static void print_row(const struct gp_session *session, const struct gp_baseline *before,
                      const struct gp_outcome_row *after, struct gp_text *out)
{
    const struct gp_prediction *p = &before->prediction;
    char local[GP_SIZES_TEXT], one[GP_TIME_TEXT], other[GP_TIME_TEXT];
    bool cuda = strcmp(before->profile->language, "cuda") == 0;
    gp_text_printf(out, "   %s on %s, %s %s%s: %s -> %s; ", before->kernel->name,
                   session->devices[before->device]->name, cuda ? "block" : "local",
                   gp_sizes_text(p->dims, p->local, local), before->launched ? " (your launch)" : " (best)",
                   gp_time_text(p->time_ns, one), gp_time_text(after->time_ns, other));
    if (after->promised > 0)
        gp_text_printf(out, "promised %.2fx, ", after->promised);
    gp_text_printf(out, "predicted again %.2fx\n", p->time_ns / after->time_ns);
}

static bool is_touched(const struct gp_baseline *before, const struct gp_outcome_row *after)
{
    return after->promised > 0 || fabs(before->prediction.time_ns / after->time_ns - 1) >= 0.005;
}

/* What may be applied with the others stands as patches do; what rounds otherwise has a bar in front of each line. */
static void print_fix_patch(const struct gp_session *session, const struct gp_trial *trial, struct gp_text *out)
{
    struct gp_text patch = {0};
    gp_print_patch(session->settings.file, session->input.bytes, trial->changed, &patch);
    const char *bar = gp_fix_rounds(trial->fix->kind) ? "| " : "";
    for (const char *line = patch.data; line != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        gp_text_printf(out, "%s%.*s\n", bar, (int)length, line);
        line += length + (line[length] == '\n');
    }
    gp_text_free(&patch);
}

static void print_trial(const struct gp_offer *offer, const struct gp_session *session, const struct gp_trial *trial,
                        size_t number, struct gp_text *out)
{
    gp_text_printf(out, "\n%zu  ", number);
    gp_fix_title(trial->fix, out);
    gp_text_printf(out, " (%s)\n", class_of(trial->fix));
    if (trial->fix->kind == GP_FIX_BOUNDS)
        gp_text_printf(out, "   launches of other sizes will fail\n");
    if (gp_fix_rounds(trial->fix->kind))
        gp_text_printf(out, "   check its results before you use it; the patch alone: --fix-it=%zu\n", number);
    for (size_t i = 0; i < offer->before.count; i++)
        if (is_touched(&offer->before.list[i], &trial->rows[i]))
            print_row(session, &offer->before.list[i], &trial->rows[i], out);
    print_fix_patch(session, trial, out);
}

static void print_rest(const struct gp_offer *offer, const struct gp_session *session, struct gp_text *out)
{
    bool first = true;
    for (size_t i = 0; i < offer->count; i++) {
        const struct gp_trial *trial = &offer->trials[i];
        if (gp_trial_gains(trial))
            continue;
        gp_text_printf(out, "%s   ", first ? "\nTried and not offered:\n" : "");
        first = false;
        gp_fix_title(trial->fix, out);
        gp_text_printf(out, " (%s:%u): ", session->input.path, trial->fix->line);
        if (trial->error.text[0] != '\0')
            gp_text_printf(out, "%.200s\n", trial->error.text);
        else if (trial->worst < GP_TRIAL_LOSS && trial->best >= GP_TRIAL_GAIN)
            gp_text_printf(out, "%.2fx for one launch and %.2fx for another\n", trial->best, trial->worst);
        else
            gp_text_printf(out, "predicted again %.2fx\n", trial->worst < GP_TRIAL_LOSS ? trial->worst : trial->best);
    }
    if (offer->untried > 0)
        gp_text_printf(out, "\n%zu more were not tried.\n", offer->untried);
}

static size_t count_gains(const struct gp_offer *offer)
{
    size_t gains = 0;
    for (size_t i = 0; i < offer->count; i++)
        gains += gp_trial_gains(&offer->trials[i]);
    return gains;
}

static void print_text(const struct gp_offer *offer, const struct gp_session *session, struct gp_text *out)
{
    size_t gains = count_gains(offer), number = 0;
    if (offer->count == 0) {
        gp_text_printf(out, "%s: no change that gpuperf knows how to make; see gpuperf help fix-it\n",
                       session->input.path);
        return;
    }
    gp_text_printf(
        out, "%zu of %zu changes %s. Each was made on a copy, compiled and predicted again; nothing is written.\n",
        gains, offer->count, gains == 1 ? "gains" : "gain");
    for (size_t i = 0; i < offer->count; i++)
        if (gp_trial_gains(&offer->trials[i]))
            print_trial(offer, session, &offer->trials[i], ++number, out);
    print_rest(offer, session, out);
}

/* Of the changes that gain the one of that number. */
static bool print_one(const struct gp_offer *offer, const struct gp_session *session, struct gp_text *out,
                      struct gp_error *error)
{
    size_t number = 0, gains = count_gains(offer);
    for (size_t i = 0; i < offer->count; i++) {
        if (!gp_trial_gains(&offer->trials[i]) || ++number != session->settings.fix_number)
            continue;
        gp_print_patch(session->settings.file, session->input.bytes, offer->trials[i].changed, out);
        return true;
    }
    return gp_fail(error, "--fix-it=%zu: %s has %zu change%s that gain%s", session->settings.fix_number,
                   session->input.path, gains, gains == 1 ? "" : "s", gains == 1 ? "s" : "");
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static json_t *row_json(const struct gp_session *session, const struct gp_baseline *before,
                        const struct gp_outcome_row *after)
{
    const struct gp_prediction *p = &before->prediction;
    json_t *row = json_pack("{s:s, s:s, s:[i,i,i], s:b, s:f, s:f, s:f}", "kernel", before->kernel->name, "device",
                            session->devices[before->device]->name, "local", (int)p->local[0], (int)p->local[1],
                            (int)p->local[2], "launched", (int)before->launched, "time_ns", p->time_ns, "time_ns_again",
                            after->time_ns, "speedup", p->time_ns / after->time_ns);
    if (row != NULL && after->promised > 0)
        json_object_set_new(row, "promised", json_real(after->promised));
    return row;
}

static json_t *trial_json(const struct gp_offer *offer, const struct gp_session *session, const struct gp_trial *trial)
{
    struct gp_text title = {0}, patch = {0};
    gp_fix_title(trial->fix, &title);
    gp_print_patch(session->settings.file, session->input.bytes, trial->changed, &patch);
    json_t *rows = json_array();
    for (size_t i = 0; i < offer->before.count; i++)
        if (is_touched(&offer->before.list[i], &trial->rows[i]))
            json_array_append_new(rows, row_json(session, &offer->before.list[i], &trial->rows[i]));
    json_t *value = json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:o, s:s}", "kind", gp_fix_kind_name(trial->fix->kind),
                              "results", gp_fix_rounds(trial->fix->kind) ? "rounding" : "same", "title", title.data,
                              "file", session->input.path, "line", (int)trial->fix->line, "column",
                              (int)trial->fix->column, "predictions", rows, "patch", patch.data);
    gp_text_free(&title);
    gp_text_free(&patch);
    return value;
}

static bool print_json(const struct gp_offer *offer, const struct gp_session *session, struct gp_text *out,
                       struct gp_error *error)
{
    json_t *list = json_array();
    for (size_t i = 0; i < offer->count; i++)
        if (gp_trial_gains(&offer->trials[i]))
            json_array_append_new(list, trial_json(offer, session, &offer->trials[i]));
    return gp_print_json(list, out, error);
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

bool gp_offer_fixes(struct gp_offer *offer, struct gp_session *session, struct gp_text *out, struct gp_error *error)
{
    if (!read_fixes(offer, session, error))
        return false;
    for (size_t i = 0; i < offer->fixes.count; i++) {
        if (is_elsewhere(offer, session, &offer->fixes.list[i]) || !complete(offer, &offer->fixes.list[i]))
            continue;
        if (offer->count == MOST_TRIALS)
            offer->untried++;
        else if (!gp_try_fix(session, &offer->before, &offer->fixes.list[i], &offer->trials[offer->count++], error))
            return false;
    }
    if (session->settings.fix_number > 0)
        return print_one(offer, session, out, error);
    if (session->settings.format != GP_PRINTS_TEXT)
        return print_json(offer, session, out, error);
    print_text(offer, session, out);
    return true;
}

void gp_offer_free(struct gp_offer *offer)
{
    if (offer == NULL)
        return;
    for (size_t i = 0; i < offer->count; i++)
        gp_trial_free(&offer->trials[i]);
    gp_fixes_free(&offer->fixes);
    free(offer->before.list);
    free(offer);
}
