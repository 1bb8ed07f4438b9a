/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf split: one range shared out over several devices, so that they end together (model/predict/share_out.h).
 *
 *     scale: shared out along dimension 1, in parts of 104
 *       device                 from      items  share  time
 *       a100                      0       2704    66%  68.9 us
 *       rtx3080                2704       1392    34%  67.4 us
 *       together 68.9 us; alone: a100 103 us, rtx3080 195 us
 *       evenly 97.1 us, by peak rates 117 us, by whole times 68.9 us, the best in steps of 5% 68.9 us
 *
 * What a share costs is predicted at its place in the range, on the size that is best for the whole range there. What
 * it needs is sent before: the bytes of each buffer that the share can read, all of it where these are not known; of
 * one that it writes its share comes back.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "model/launch/launch.h"
#include "model/launch/range.h"
#include "model/predict.h"
#include "model/predict/share_out.h"
#include "tools/command.h"
#include "tools/input.h"
#include "tools/results.h"
#include "tools/settings.h"

struct side {
    struct gp_device *device;
    struct gp_device_profile profile;
    const struct gp_kernel *kernel;
    struct gp_predictor *predictor;
    struct gp_launch launch;                            /* the whole range, with the size that is best for it here */
    double gbps;                                        /* of the way to it; 0: nothing has to be sent */
    double times[GP_MOST_PARTS + 1][GP_MOST_PARTS + 1]; /* [first][parts] ns; 0: not predicted yet */
};

struct session {
    struct gp_settings settings;
    struct gp_combination stated; /* the range and the arguments */
    struct gp_input input;
    struct side *sides;
    size_t count;
    struct gp_cut cut;
    double returned_bytes;  /* of the whole range */
    struct gp_text unknown; /* buffers whose size is not known */
};

/* ---- What is asked ------------------------------------------------------------------------------------------------
 */

/* Takes `--transfer LIST` out of the words, which are predict's but for that. */
static const char *take_transfer(struct gp_command_line *line, char **words)
{
    const char *list = NULL;
    int count = 0;
    for (int i = 0; i < line->count; i++) {
        bool here = strncmp(line->arguments[i], "--transfer", 10) == 0;
        bool joined = here && line->arguments[i][10] == '=';
        if (joined)
            list = line->arguments[i] + 11;
        else if (here && line->arguments[i][10] == '\0')
            list = i + 1 < line->count ? line->arguments[++i] : "";
        else
            words[count++] = line->arguments[i];
    }
    words[count] = NULL;
    line->count = count;
    line->arguments = words;
    return list;
}

/* Rates in GB/s, one for all devices or one for each. */
static bool set_transfers(struct session *s, const char *list, struct gp_error *error)
{
    struct gp_arguments rates = {0};
    bool done = gp_take_list("--transfer", list, &rates, error);
    if (done && rates.count != 1 && rates.count != s->count)
        done = gp_fail(error, "--transfer takes one rate, or one for each of the %zu devices, not %zu", s->count,
                       rates.count);
    for (size_t i = 0; done && i < s->count; i++) {
        const char *text = rates.items[rates.count == 1 ? 0 : i];
        char *end;
        double rate = strtod(text, &end);
        if (end == text || *end != '\0' || !isfinite(rate) || rate < 0.001 || rate > 100000)
            done = gp_fail(error, "--transfer takes rates in GB/s from 0.001 to 100000, not '%s'", text);
        s->sides[i].gbps = rate;
    }
    gp_arguments_free(&rates);
    return done;
}

static bool check_settings(struct session *s, struct gp_error *error)
{
    const struct gp_settings *settings = &s->settings;
    size_t combinations;
    if (settings->devices.count < 2 || settings->devices.count > GP_MOST_SHARES)
        return gp_fail(error, "split needs 2 to %d devices: --device D1,D2[,..]", GP_MOST_SHARES);
    if (settings->format != GP_PRINTS_TEXT)
        return gp_fail(error, "split prints text only: leave --format and --json out");
    if (settings->kernels.count > 1)
        return gp_fail(error, "split takes one kernel: --kernel K");
    if (!gp_axes_combinations(&settings->axes, &combinations, error))
        return false;
    if (combinations != 1)
        return gp_fail(error, "split takes one range and one value of each argument, not lists");
    gp_axes_choose(&settings->axes, 0, &s->stated);
    if (s->stated.global.dims == 0)
        return gp_fail(error, "split needs the range that is shared out: --global XxYxZ");
    if (settings->local_count > 1)
        return gp_fail(error, "split takes one local size, or none: the best of each device");
    return true;
}

/* ---- The devices --------------------------------------------------------------------------------------------------
 */

static bool set_values(const struct gp_combination *stated, const struct gp_kernel *kernel, struct gp_launch *launch,
                       struct gp_error *error)
{
    for (size_t i = 0; i < stated->values.count; i++) {
        char name[256];
        const char *text = stated->values.items[i], *equals = strchr(text, '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        if (!gp_launch_set_argument(kernel, launch, name, equals + 1, error))
            return false;
    }
    return true;
}

/* INFINITY and a sentence: it does not run. */
static double time_of(struct side *side, const struct gp_launch *launch, struct gp_error *error)
{
    const char *kernel = side->kernel->name, *device = side->device->name;
    struct gp_predict_options options = {.quick = true, .foreign_target = side->profile.foreign};
    struct gp_prediction *p = calloc(1, sizeof *p);
    bool done = p != NULL && gp_predict(side->predictor, side->device, launch, &options, p, error);
    if (done && !p->feasible)
        gp_fail(error, "kernel '%s' does not run on %s: %s", kernel, device, p->why);
    else if (done && p->endless > 0)
        gp_fail(error,
                "kernel '%s' does not run on %s: a loop never ends in groups of %ux%ux%u; 'gpuperf predict' says "
                "which",
                kernel, device, launch->local[0], launch->local[1], launch->local[2]);
    double ns = done && p->feasible && p->endless == 0 ? p->time_ns : INFINITY;
    free(p);
    return ns;
}

/* The size that is stated, or the best one for the whole range, or one of finer groups that is as fast. */
static bool choose_local(const struct session *s, struct side *side, struct gp_error *error)
{
    uint32_t sizes[GP_MAX_CANDIDATES][3];
    bool uniform = gp_needs_uniform_groups(side->profile.profile, s->settings.clang_arguments);
    uint32_t count = gp_candidates(side->device, side->kernel, &side->launch, uniform, sizes, GP_MAX_CANDIDATES);
    double best = INFINITY;
    if (s->settings.local_count == 1) {
        count = 1;
        for (int d = 0; d < 3; d++)
            sizes[0][d] = (uint32_t)s->settings.locals[0].size[d];
    }
    struct gp_launch launch = side->launch;
    for (uint32_t i = 0; i < count; i++) {
        memcpy(launch.local, sizes[i], sizeof launch.local);
        double ns = time_of(side, &launch, error);
        if (ns < best)
            memcpy(side->launch.local, sizes[i], sizeof side->launch.local);
        best = fmin(best, ns);
    }
    if (!isfinite(best))
        return *error->text == '\0' ? gp_fail(error, "kernel '%s' does not run on %s: no size fits", side->kernel->name,
                                              side->device->name)
                                    : false;
    if (s->settings.local_count == 0 && gp_share_finer(launch.dims, launch.global, side->launch.local, launch.local) &&
        gp_share_takes(time_of(side, &launch, error), best))
        memcpy(side->launch.local, launch.local, sizeof launch.local);
    return true;
}

static const struct gp_kernel *find_kernel(const struct session *s, const struct gp_profile *profile,
                                           struct gp_error *error)
{
    const struct gp_kernel *found = s->settings.kernels.count == 1
                                        ? gp_profile_find(profile, s->settings.kernels.items[0])
                                    : profile->kernel_count == 1 ? &profile->kernels[0]
                                                                 : NULL;
    if (found == NULL)
        gp_fail(error,
                s->settings.kernels.count == 1 ? "%s has no kernel '%s'"
                                               : "%s has several kernels; say which one: --kernel K",
                s->input.path, s->settings.kernels.count == 1 ? s->settings.kernels.items[0] : "");
    return found;
}

static bool open_side(struct session *s, struct side *side, const char *spec, struct gp_error *error)
{
    side->device = gp_settings_device(&s->settings, spec, error);
    if (side->device == NULL || !gp_input_suits(&s->input, side->device, error) ||
        !gp_input_profile(&s->input, side->device, (const char *const *)s->settings.clang_arguments, &side->profile,
                          error) ||
        (side->kernel = find_kernel(s, side->profile.profile, error)) == NULL)
        return false;
    if (!side->kernel->split_safe.holds)
        return gp_fail(error, "kernel '%s' cannot be shared out: %s", side->kernel->name,
                       side->kernel->split_safe.reason);
    side->predictor = gp_predictor_new(side->profile.profile, side->kernel);
    gp_launch_default(side->kernel, &side->launch);
    gp_launch_set_global(side->kernel, &side->launch, s->stated.global.dims, s->stated.global.size);
    side->launch.cold = !s->settings.warm;
    return (side->predictor != NULL || gp_fail(error, "out of memory")) &&
           set_values(&s->stated, side->kernel, &side->launch, error) && choose_local(s, side, error);
}

static void close_sides(struct session *s)
{
    for (size_t i = 0; i < s->count; i++) {
        gp_predictor_free(s->sides[i].predictor);
        gp_device_profile_free(&s->sides[i].profile);
        gp_device_free(s->sides[i].device);
    }
    free(s->sides);
}

/* ---- Parts --------------------------------------------------------------------------------------------------------
 */

/* Parts are whole groups on each device. */
static bool cut_range(struct session *s, struct gp_error *error)
{
    uint64_t group[3] = {1, 1, 1};
    for (size_t i = 0; i < s->count; i++)
        for (uint32_t d = 0; d < 3; d++)
            group[d] = gp_common_multiple(group[d], s->sides[i].launch.local[d]);
    s->cut = gp_cut_range(s->stated.global.dims, s->stated.global.size, group);
    return s->cut.parts > 1 ||
           gp_fail(error, "the range is one part: there is nothing to share out; make --global larger");
}

static uint64_t items_of(const struct session *s, uint32_t first, uint32_t parts)
{
    return gp_cut_items(&s->cut, s->stated.global.size, first, parts);
}

/* Whether an operation on the buffer has one of the flags, or has none of them. */
static bool has_access(const struct gp_kernel *kernel, uint32_t param, unsigned flags, bool some)
{
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (kernel->memory[m].base == gp_ref_make(GP_REF_PARAM, param) &&
            ((kernel->memory[m].flags & flags) != 0) == some)
            return true;
    return false;
}

static bool is_read(const struct gp_kernel *kernel, uint32_t param)
{
    return has_access(kernel, param, GP_MEMORY_STORE, false);
}

static bool is_written(const struct gp_kernel *kernel, uint32_t param)
{
    return has_access(kernel, param, GP_MEMORY_STORE | GP_MEMORY_ATOMIC, true);
}

/* Of a buffer that a launch reads; 0: neither what it can read nor the buffer's size is known. */
static double sent_bytes(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param)
{
    int64_t from, to;
    double all = (double)launch->arguments[param].bytes;
    if (!gp_range_read(kernel, launch, param, &from, &to))
        return all;
    double first = fmax(0, (double)from), last = all > 0 ? fmin(all, (double)to) : (double)to;
    return fmax(0, last - first);
}

/* What a share of the range sends and gets back, ns. */
static double transfer_of(const struct session *s, const struct side *side, const struct gp_launch *share)
{
    uint32_t d = s->cut.dimension;
    if (side->gbps <= 0)
        return 0;
    double bytes = s->returned_bytes * (double)share->global[d] / (double)s->stated.global.size[d];
    for (uint32_t i = 0; i < side->kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        bytes += is_read(side->kernel, i) ? sent_bytes(side->kernel, share, i) : 0;
    return bytes / side->gbps;
}

static struct gp_launch share_of(const struct session *s, const struct side *side, uint32_t first, uint32_t parts)
{
    struct gp_launch launch = side->launch;
    launch.offset[s->cut.dimension] = first * s->cut.items;
    launch.global[s->cut.dimension] = items_of(s, first, parts);
    return launch;
}

static double part_time(void *context, size_t device, uint32_t first, uint32_t parts)
{
    struct session *s = context;
    struct side *side = &s->sides[device];
    double *known = &side->times[first][parts];
    if (*known == 0) {
        struct gp_launch launch = share_of(s, side, first, parts);
        struct gp_error error = {{0}};
        *known = time_of(side, &launch, &error) + transfer_of(s, side, &launch);
    }
    return *known;
}

static void see_buffers(struct session *s)
{
    const struct side *side = &s->sides[0];
    const struct gp_kernel *kernel = side->kernel;
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        bool written = is_written(kernel, i);
        double bytes = (double)side->launch.arguments[i].bytes;
        if ((written && bytes <= 0) || (is_read(kernel, i) && sent_bytes(kernel, &side->launch, i) <= 0))
            gp_text_printf(&s->unknown, "%s%s", s->unknown.length ? ", " : "", kernel->params[i].name);
        s->returned_bytes += written ? bytes : 0;
    }
}

/* ---- What others would do ------------------------------------------------------------------------------------------
 */

typedef double weight_of(struct session *s, size_t device);

static double same_weight(struct session *s, size_t device)
{
    (void)s, (void)device;
    return 1;
}

static double peak_weight(struct session *s, size_t device)
{
    const struct gp_device *d = s->sides[device].device;
    return d->sm_count.value * d->fp32_lanes.value * d->clock_mhz.value;
}

static double speed_weight(struct session *s, size_t device) { return 1 / part_time(s, device, 0, s->cut.parts); }

static double end_by(struct session *s, weight_of *weight)
{
    uint32_t share[GP_MOST_SHARES], first = 0;
    double sum = 0, before = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += weight(s, i);
    for (size_t i = 0; i < s->count; i++) {
        before += weight(s, i);
        uint32_t end = i + 1 < s->count ? (uint32_t)lround(s->cut.parts * before / sum) : s->cut.parts;
        share[i] = end - first;
        first = end;
    }
    return gp_shares_end(s->count, share, part_time, s);
}

/* Two devices: the best of shares that are 5% apart. */
static double end_of_sweep(struct session *s)
{
    double best = INFINITY;
    for (uint32_t k = 0; k <= 20; k++) {
        uint32_t one = (uint32_t)lround(s->cut.parts * k / 20.0), share[2] = {one, s->cut.parts - one};
        best = fmin(best, gp_shares_end(2, share, part_time, s));
    }
    return best;
}

/* ---- The answer ---------------------------------------------------------------------------------------------------
 */

static void print_time(double ns, struct gp_text *out)
{
    char text[GP_TIME_TEXT];
    gp_text_printf(out, "%s", gp_time_text(ns, text));
}

static void print_others(struct session *s, struct gp_text *out)
{
    gp_text_printf(out, "; alone:");
    for (size_t i = 0; i < s->count; i++) {
        gp_text_printf(out, "%s %s ", i ? "," : "", s->sides[i].device->name);
        print_time(part_time(s, i, 0, s->cut.parts), out);
    }
    const struct {
        const char *name;
        double end;
    } others[] = {{"evenly", end_by(s, same_weight)},
                  {"by peak rates", end_by(s, peak_weight)},
                  {"by whole times", end_by(s, speed_weight)},
                  {"the best in steps of 5%", s->count == 2 ? end_of_sweep(s) : 0}};
    for (size_t i = 0; i < sizeof others / sizeof *others && others[i].end > 0; i++) {
        gp_text_printf(out, "%s %s ", i ? "," : "\n ", others[i].name);
        print_time(others[i].end, out);
    }
    gp_text_printf(out, "\n");
}

static void print_share(struct session *s, size_t i, uint32_t first, uint32_t parts, struct gp_text *out)
{
    struct side *side = &s->sides[i];
    uint64_t items = parts > 0 ? items_of(s, first, parts) : 0;
    gp_text_printf(out, "  %-16s %10llu %10llu %5.0f%%  ", side->device->name,
                   (unsigned long long)(parts > 0 ? first * s->cut.items : 0), (unsigned long long)items,
                   100.0 * (double)items / (double)s->stated.global.size[s->cut.dimension]);
    print_time(parts > 0 ? part_time(s, i, first, parts) : 0, out);
    if (parts > 0 && side->gbps > 0) {
        struct gp_launch share = share_of(s, side, first, parts);
        gp_text_printf(out, ", of it transfer ");
        print_time(transfer_of(s, side, &share), out);
    }
    gp_text_printf(out, "\n");
}

static bool print_split(struct session *s, struct gp_text *out, struct gp_error *error)
{
    uint32_t share[GP_MOST_SHARES], first = 0;
    double end = gp_share_out(s->count, s->cut.parts, part_time, s, share);
    if (!isfinite(end))
        return gp_fail(error, "no device runs its part of the range");
    gp_text_printf(out, "%s: shared out along dimension %u, in parts of %llu\n", s->sides[0].kernel->name,
                   s->cut.dimension, (unsigned long long)s->cut.items);
    gp_text_printf(out, "  %-16s %10s %10s %6s  time\n", "device", "from", "items", "share");
    for (size_t i = 0; i < s->count; i++) {
        print_share(s, i, first, share[i], out);
        first += share[i];
    }
    gp_text_printf(out, "  together ");
    print_time(end, out);
    print_others(s, out);
    if (s->unknown.length > 0 && s->sides[0].gbps > 0)
        gp_text_printf(out, "  not counted, as their sizes are not known: %s; state them: --arg NAME=BYTES\n",
                       s->unknown.data);
    return true;
}

static bool split(struct session *s, const char *transfers, struct gp_text *out, struct gp_error *error)
{
    s->sides = calloc(s->settings.devices.count, sizeof *s->sides);
    if (s->sides == NULL)
        return gp_fail(error, "out of memory");
    for (; s->count < s->settings.devices.count; s->count++)
        if (!open_side(s, &s->sides[s->count], s->settings.devices.items[s->count], error)) {
            s->count++;
            return false;
        }
    see_buffers(s);
    return (transfers == NULL || set_transfers(s, transfers, error)) && cut_range(s, error) &&
           print_split(s, out, error);
}

enum gp_status gp_split_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct session s = {0};
    struct gp_command_line words = *line;
    char **list = calloc((size_t)line->count + 1, sizeof *list);
    if (list == NULL)
        return gp_fail(error, "out of memory"), GP_STATUS_FAILED;
    const char *transfers = take_transfer(&words, list);
    enum gp_status status = gp_settings_parse(&words, &s.settings, error);
    if (status == GP_STATUS_OK && !check_settings(&s, error))
        status = GP_STATUS_USAGE;
    if (status == GP_STATUS_OK) {
        bool opened = gp_input_open_as(s.settings.file, s.settings.language, &s.input, error);
        status = opened && split(&s, transfers, out, error) ? GP_STATUS_OK : GP_STATUS_FAILED;
        close_sides(&s);
        if (opened)
            gp_input_close(&s.input);
    }
    gp_text_free(&s.unknown);
    gp_combination_free(&s.stated);
    gp_settings_free(&s.settings);
    free(list);
    return status;
}
