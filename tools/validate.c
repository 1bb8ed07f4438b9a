/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf validate: a user's own times beside what is predicted for the same launches.
 *
 *     gpuperf validate MEASURED.csv FILE
 *
 * MEASURED.csv has a line of names and a row per launch: kernel, device, local, global, time_us, and arguments by name.
 * `kernel` may be missing where FILE has one or --kernel says it, `device` where --device names one; an empty field is
 * not stated, but by --global and --arg.
 *
 *     saxpy on a100: 12 rows
 *       predicted over measured  0.93x in the geometric mean; off by 8% in the median, 21% in nine of ten
 *       ranges                   11 of 12 hold the measured time
 *       choices                  3 launches of several sizes: the picked one is 1.02x the best; Spearman 0.91
 *       furthest off             line 7, local 1024: 3.20 us for 4.10 us
 *       look at                  what no column states: n=1048576
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/assume/defaults.h"
#include "model/assume/describe.h"
#include "model/assume/stated.h"
#include "model/launch/launch.h"
#include "model/launch/numbers.h"
#include "model/predict.h"
#include "support/rank_correlation.h"
#include "tools/command.h"
#include "tools/input.h"
#include "tools/measured_table.h"
#include "tools/results.h"
#include "tools/settings.h"

/* ---- Predictions ------------------------------------------------------------------------------------------------- */

struct side { /* a device, with the profile that is for it */
    char *name;
    struct gp_device *device;
    struct gp_device_profile profile;
};

struct row {
    const struct side *side;
    const struct gp_kernel *kernel;
    struct gp_launch launch;
    double measured_ns, predicted_ns, low_ns, high_ns;
};

struct session {
    struct gp_settings settings;
    struct gp_input input;
    struct gp_combination stated; /* of all rows; what a row says goes before it */
    struct gp_measured_table table;
    struct side *sides;
    size_t side_count;
    struct row *rows;
};

static struct side *find_side(struct session *s, const char *name, struct gp_error *error)
{
    for (size_t i = 0; i < s->side_count; i++)
        if (strcmp(s->sides[i].name, name) == 0)
            return &s->sides[i];
    struct side *side = &s->sides[s->side_count];
    side->device = gp_settings_device(&s->settings, name, error);
    side->name = side->device != NULL ? strdup(name) : NULL;
    if (side->name == NULL)
        return gp_device_free(side->device), NULL;
    s->side_count++;
    return gp_input_suits(&s->input, side->device, error) &&
                   gp_input_profile(&s->input, side->device, (const char *const *)s->settings.clang_arguments,
                                    &side->profile, error)
               ? side
               : NULL;
}

static const struct gp_kernel *find_kernel(const struct gp_profile *profile, const char *name, struct gp_error *error)
{
    const struct gp_kernel *kernel = *name != '\0'                ? gp_profile_find(profile, name)
                                     : profile->kernel_count == 1 ? &profile->kernels[0]
                                                                  : NULL;
    if (kernel == NULL)
        gp_fail(error, *name != '\0' ? "there is no kernel '%s'" : "the file has several kernels: say which one%s",
                name);
    return kernel;
}

/* What options state of each launch; an argument that this kernel has not is another's. */
static bool set_stated(const struct session *s, struct row *row, struct gp_error *error)
{
    for (size_t i = 0; i < s->stated.values.count; i++) {
        char name[256];
        const char *text = s->stated.values.items[i], *equals = strchr(text, '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        if (gp_launch_has_argument(row->kernel, name) &&
            !gp_launch_set_argument(row->kernel, &row->launch, name, equals + 1, error))
            return false;
    }
    if (s->stated.global.dims > 0)
        gp_launch_set_global(row->kernel, &row->launch, s->stated.global.dims, s->stated.global.size);
    if (s->settings.trip_count > 0)
        row->launch.assumed_trip_count = s->settings.trip_count;
    return true;
}

static bool set_launch(const struct session *s, size_t index, struct row *row, struct gp_error *error)
{
    const struct gp_measured_table *t = &s->table;
    const char *global = gp_measured_field(t, index, "global"), *local = gp_measured_field(t, index, "local");
    uint32_t dims;
    uint64_t sizes[3];
    gp_launch_default(row->kernel, &row->launch);
    row->launch.cold = !s->settings.warm;
    if (!set_stated(s, row, error))
        return false;
    if (*global != '\0') {
        if (!gp_parse_sizes(global, &dims, sizes, error))
            return false;
        gp_launch_set_global(row->kernel, &row->launch, dims, sizes);
    }
    for (size_t c = 0; c < t->columns; c++)
        if (gp_is_measured_argument(t->names[c]) && *t->fields[index][c] != '\0' &&
            !gp_launch_set_argument(row->kernel, &row->launch, t->names[c], t->fields[index][c], error))
            return false;
    if (*local == '\0')
        return gp_fail(error, "no local size");
    if (!gp_parse_sizes(local, &dims, sizes, error))
        return false;
    for (int d = 0; d < 3; d++)
        row->launch.local[d] = sizes[d] < UINT32_MAX ? (uint32_t)sizes[d] : UINT32_MAX;
    return true;
}

static bool predict_row(const struct gp_settings *settings, struct row *row, struct gp_error *error)
{
    struct gp_predict_options options = {
        .foreign_target = row->side->profile.foreign, .model = settings->model, .clock_mhz = settings->clock_mhz};
    struct gp_predictor *predictor = gp_predictor_new(row->side->profile.profile, row->kernel);
    struct gp_prediction *p = calloc(1, sizeof *p);
    bool done = predictor != NULL && p != NULL
                    ? gp_predict(predictor, row->side->device, &row->launch, &options, p, error)
                    : gp_fail(error, "out of memory");
    if (done && !p->feasible)
        done = gp_fail(error, "%s", p->why);
    if (done) {
        row->predicted_ns = p->time_ns;
        row->low_ns = p->time_ns_low;
        row->high_ns = p->time_ns_high;
    }
    gp_predictor_free(predictor);
    free(p);
    return done;
}

static bool take_row(struct session *s, size_t index, struct gp_error *error)
{
    struct row *row = &s->rows[index];
    const char *device = gp_measured_field(&s->table, index, "device"),
               *time = gp_measured_field(&s->table, index, "time_us");
    double us;
    if (*device == '\0')
        device = s->settings.devices.count == 1 ? s->settings.devices.items[0] : "";
    if (*device == '\0')
        return gp_fail(error, "no device: a column 'device', or --device D");
    if (!gp_parse_decimal(time, &us) || !(us > 0) || !isfinite(us))
        return gp_fail(error, "'%s' is no time in microseconds (column 'time_us')", time);
    row->measured_ns = 1000 * us;
    row->side = find_side(s, device, error);
    const char *kernel = gp_measured_field(&s->table, index, "kernel");
    if (*kernel == '\0' && s->settings.kernels.count == 1)
        kernel = s->settings.kernels.items[0];
    row->kernel = row->side != NULL ? find_kernel(row->side->profile.profile, kernel, error) : NULL;
    return row->kernel != NULL && set_launch(s, index, row, error) && predict_row(&s->settings, row, error);
}

static bool take_rows(struct session *s, struct gp_error *error)
{
    for (size_t i = 0; i < s->table.rows; i++)
        if (!take_row(s, i, error)) {
            char at[300];
            snprintf(at, sizeof at, "%.280s:%zu", s->table.path, s->table.lines[i]);
            return gp_fail_within(error, at);
        }
    return true;
}

/* ---- What is told ------------------------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Whether two rows are one launch on one device, of different local sizes. */
static bool same_launch(const struct session *s, size_t a, size_t b)
{
    const struct gp_measured_table *t = &s->table;
    if (s->rows[a].kernel != s->rows[b].kernel || s->rows[a].side != s->rows[b].side)
        return false;
    for (size_t c = 0; c < t->columns; c++)
        if ((gp_is_measured_argument(t->names[c]) || strcmp(t->names[c], "global") == 0) &&
            strcmp(t->fields[a][c], t->fields[b][c]) != 0)
            return false;
    return true;
}

struct choices {
    size_t launches; /* of several sizes */
    double log_regret, correlation;
};

static void see_launch(const struct session *s, size_t first, bool *seen, struct choices *choices)
{
    double *predicted = calloc(s->table.rows, sizeof *predicted), *measured = calloc(s->table.rows, sizeof *measured);
    size_t count = 0, pick = 0;
    double best = INFINITY;
    for (size_t i = first; predicted != NULL && measured != NULL && i < s->table.rows; i++)
        if (!seen[i] && same_launch(s, first, i)) {
            seen[i] = true;
            predicted[count] = s->rows[i].predicted_ns;
            measured[count] = s->rows[i].measured_ns;
            pick = predicted[count] < predicted[pick] ? count : pick;
            best = fmin(best, measured[count++]);
        }
    if (count > 1) {
        choices->launches++;
        choices->log_regret += log(measured[pick] / best);
        choices->correlation += gp_rank_correlation(predicted, measured, count);
    }
    free(predicted);
    free(measured);
}

static void print_furthest(const struct session *s, const size_t *of, size_t count, struct gp_text *out)
{
    size_t worst = of[0];
    char sizes[GP_SIZES_TEXT], predicted[GP_TIME_TEXT], measured[GP_TIME_TEXT];
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &s->rows[of[i]], *other = &s->rows[worst];
        if (fabs(log(row->predicted_ns / row->measured_ns)) > fabs(log(other->predicted_ns / other->measured_ns)))
            worst = of[i];
    }
    const struct row *row = &s->rows[worst];
    gp_text_printf(out, "  furthest off             line %zu, local %s: %s for %s\n", s->table.lines[worst],
                   gp_sizes_text(row->launch.dims, row->launch.local, sizes),
                   gp_time_text(row->predicted_ns, predicted), gp_time_text(row->measured_ns, measured));
}

/* The rows of one kernel on one device. */
/* How far a group's rows are off, as logarithms. */
struct offness {
    double mean, spread, most;
};

static struct offness offness_of(const struct session *s, const size_t *of, size_t count)
{
    struct offness off = {0};
    double squares = 0;
    for (size_t i = 0; i < count; i++) {
        double ratio = log(s->rows[of[i]].predicted_ns / s->rows[of[i]].measured_ns);
        off.mean += ratio / (double)count;
        off.most = fmax(off.most, fabs(ratio));
        squares += ratio * ratio / (double)count;
    }
    off.spread = sqrt(fmax(0, squares - off.mean * off.mean));
    return off;
}

static void print_assumed(const struct row *row, struct gp_text *out)
{
    struct gp_assumption all[GP_MOST_ASSUMPTIONS];
    size_t count = gp_launch_assumptions(row->kernel, &row->launch, all), listed = 0;
    for (size_t i = 0; i < count; i++)
        if (!all[i].stated && strcmp(all[i].name, "local") != 0)
            gp_text_printf(out, "%s%s=%s",
                           listed++ > 0 ? ", " : "  look at                  assumed arguments: ", all[i].name,
                           all[i].value);
    if (listed > 0)
        gp_text_printf(out, "\n");
}

static const char *why_all_are_off(const struct row *row, double mean)
{
    if (gp_is_target(row->side->device->name))
        return "which board it was: a compile target is none (gpuperf devices --boards)";
    if (mean > 0 && row->launch.cold)
        return "whether caches were warm, as in a loop of launches: --warm";
    return "the clock while it was measured: --clock";
}

/* What to look at where rows are off by more than a quarter: what nobody stated, and what makes all of them off alike.
 */
static void print_advice(const struct session *s, const size_t *of, size_t count, struct gp_text *out)
{
    const struct row *row = &s->rows[of[0]];
    struct offness off = offness_of(s, of, count);
    if (off.most < log(1.25))
        return;
    print_assumed(row, out);
    if (fabs(off.mean) > log(1.25) && off.spread <= fabs(off.mean) / 2)
        gp_text_printf(out,
                       "  look at                  %s\n"
                       "                           numbers of the device: gpuperf devices \"%s\" --sensitivity %s\n",
                       why_all_are_off(row, off.mean), row->side->device->name, s->settings.file);
    else
        gp_text_printf(out, "  look at                  size and arguments of the row that is furthest off\n");
}

static bool print_group(const struct session *s, const size_t *of, size_t count, bool *seen, struct gp_text *out)
{
    double *errors = calloc(count, sizeof *errors), sum = 0;
    size_t held = 0;
    struct choices choices = {0};
    if (errors == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct row *row = &s->rows[of[i]];
        double ratio = row->predicted_ns / row->measured_ns;
        sum += log(ratio);
        errors[i] = fabs(ratio - 1);
        held += row->measured_ns >= row->low_ns && row->measured_ns <= row->high_ns;
        if (!seen[of[i]])
            see_launch(s, of[i], seen, &choices);
    }
    qsort(errors, count, sizeof *errors, by_number);
    const struct row *first = &s->rows[of[0]];
    gp_text_printf(out, "%s on %s: %zu row%s\n", first->kernel->name, first->side->device->name, count,
                   count == 1 ? "" : "s");
    gp_text_printf(
        out,
        "  predicted over measured  %.3gx in the geometric mean; off by %.0f%% in the median, %.0f%% in nine of ten\n",
        exp(sum / (double)count), 100 * errors[(count - 1) / 2],
        100 * errors[(size_t)(0.9 * (double)(count - 1) + 0.5)]);
    gp_text_printf(out, "  ranges                   %zu of %zu hold the measured time\n", held, count);
    if (choices.launches > 0)
        gp_text_printf(out,
                       "  choices                  %zu launch%s of several sizes: the picked one is %.3gx the best; "
                       "Spearman %.2f\n",
                       choices.launches, choices.launches == 1 ? "" : "es",
                       exp(choices.log_regret / (double)choices.launches),
                       choices.correlation / (double)choices.launches);
    print_furthest(s, of, count, out);
    print_advice(s, of, count, out);
    free(errors);
    return true;
}

static bool print_groups(const struct session *s, struct gp_text *out, struct gp_error *error)
{
    bool *told = calloc(s->table.rows, sizeof *told), *seen = calloc(s->table.rows, sizeof *seen);
    size_t *of = calloc(s->table.rows, sizeof *of);
    bool done = told != NULL && seen != NULL && of != NULL;
    for (size_t i = 0; done && i < s->table.rows; i++) {
        size_t count = 0;
        for (size_t k = i; k < s->table.rows; k++)
            if (!told[k] && s->rows[k].kernel == s->rows[i].kernel && s->rows[k].side == s->rows[i].side) {
                told[k] = true;
                of[count++] = k;
            }
        done = count == 0 || print_group(s, of, count, seen, out);
    }
    free(told);
    free(seen);
    free(of);
    return done || gp_fail(error, "out of memory");
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static bool validate(struct session *s, const char *path, struct gp_text *out, struct gp_error *error)
{
    if (!gp_measured_table_read(path, &s->table, error))
        return false;
    s->rows = calloc(s->table.rows, sizeof *s->rows);
    s->sides = calloc(s->table.rows, sizeof *s->sides);
    if (s->rows == NULL || s->sides == NULL)
        return gp_fail(error, "out of memory");
    return take_rows(s, error) && print_groups(s, out, error);
}

static void close_session(struct session *s)
{
    for (size_t i = 0; i < s->side_count; i++) {
        gp_device_profile_free(&s->sides[i].profile);
        gp_device_free(s->sides[i].device);
        free(s->sides[i].name);
    }
    free(s->sides);
    free(s->rows);
    gp_measured_table_free(&s->table);
    gp_combination_free(&s->stated);
    gp_settings_free(&s->settings);
}

/* Lists have no place here: a row is a launch. */
static bool check_settings(struct session *s, struct gp_error *error)
{
    const struct gp_settings *settings = &s->settings;
    size_t combinations;
    if (settings->format != GP_PRINTS_TEXT)
        return gp_fail(error, "validate prints text only");
    if (settings->local_count > 0 || settings->explain_count > 0)
        return gp_fail(error, "local sizes go into the table's column 'local'");
    if (settings->devices.count > 1)
        return gp_fail(error, "several devices go into the table's column 'device'; --device names one for all rows");
    if (!gp_axes_combinations(&settings->axes, &combinations, error))
        return false;
    if (combinations != 1 || gp_axes_find(&settings->axes, GP_AXIS_GROUPS) != NULL)
        return gp_fail(error, "validate takes one --global and one value of each --arg; what varies is a column");
    gp_axes_choose(&settings->axes, 0, &s->stated);
    return true;
}

enum gp_status gp_validate_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct session *s = calloc(1, sizeof *s);
    const char *path = NULL;
    if (s == NULL)
        return gp_fail(error, "out of memory"), GP_STATUS_FAILED;
    enum gp_status status = gp_settings_parse_two(line, &s->settings, &path, error);
    if (status == GP_STATUS_OK && path == NULL)
        status = (gp_fail(error, "validate takes measured times and their source: gpuperf validate MEASURED.csv FILE"),
                  GP_STATUS_USAGE);
    if (status == GP_STATUS_OK && !check_settings(s, error))
        status = GP_STATUS_USAGE;
    if (status == GP_STATUS_OK) {
        bool opened = gp_input_open_as(s->settings.file, s->settings.language, &s->input, error);
        status = opened && validate(s, path, out, error) ? GP_STATUS_OK : GP_STATUS_FAILED;
        if (opened)
            gp_input_close(&s->input);
    }
    close_session(s);
    free(s);
    return status;
}
