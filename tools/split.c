/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf split: one range shared out over several devices, so that they end together (model/predict/share_out.h).
 *
 *     scale: shared out along dimension 1, in parts of 112
 *       device                 from      items  share  time
 *       a100                      0       2688    66%  68.7 us
 *       rtx3080                2688       1408    34%  68.3 us
 *       together 68.7 us; alone: a100 104 us, rtx3080 196 us
 *       evenly 94.5 us, by peak rates 116 us, by whole times 68.7 us, the best in steps of 5% 68.7 us
 *
 * What a share costs is predicted at its place in the range, on the size that is best for the whole range there. What
 * it needs is sent before: the bytes of each buffer that the share can read, all of it where these are not known; of
 * one that it writes its share comes back.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "model/launch/launch.h"
#include "model/launch/range.h"
#include "runtime/share.h"
#include "tools/command.h"
#include "tools/input.h"
#include "tools/results.h"
#include "tools/settings.h"

struct side {
    struct gp_device *device;
    struct gp_device_profile profile;
    struct gp_launch launch; /* the whole range */
    double gbps;             /* of the way to it; 0: nothing has to be sent */
};

struct session {
    struct gp_settings settings;
    struct gp_combination stated; /* the range and the arguments */
    struct gp_input input;
    struct side *sides;
    size_t count;
    struct gp_sharing sharing; /* as sides */
    double returned_bytes;     /* of the whole range */
    struct gp_text unknown;    /* buffers whose size is not known */
};

/* ---- What is asked ----------------------------------------------------------------------------------------------- */

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

/* ---- The devices ------------------------------------------------------------------------------------------------- */

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

/* The size that is stated, or the best one. */
static bool choose_size(struct session *s, size_t i, struct gp_error *error)
{
    uint32_t local[3] = {1, 1, 1};
    bool stated = s->settings.local_count == 1;
    for (int d = 0; stated && d < 3; d++)
        local[d] = (uint32_t)s->settings.locals[0].size[d];
    return gp_side_open(&s->sharing.sides[i], stated ? local : NULL, error);
}

static bool open_side(struct session *s, size_t i, const char *spec, struct gp_error *error)
{
    struct side *side = &s->sides[i];
    const struct gp_kernel *kernel;
    side->device = gp_settings_device(&s->settings, spec, error);
    if (side->device == NULL || !gp_input_suits(&s->input, side->device, error) ||
        !gp_input_profile(&s->input, side->device, (const char *const *)s->settings.clang_arguments, &side->profile,
                          error) ||
        (kernel = find_kernel(s, side->profile.profile, error)) == NULL || !gp_can_be_shared(kernel, error))
        return false;
    gp_launch_default(kernel, &side->launch);
    gp_launch_set_global(kernel, &side->launch, s->stated.global.dims, s->stated.global.size);
    side->launch.cold = !s->settings.warm;
    s->sharing.sides[i].quick = true;
    s->sharing.sides[i].request = (struct gp_choose_request){
        .profile = side->profile.profile,
        .kernel = kernel,
        .device = side->device,
        .launch = &side->launch,
        .uniform = gp_needs_uniform_groups(side->profile.profile, s->settings.clang_arguments),
        .foreign_target = side->profile.foreign};
    return set_values(&s->stated, kernel, &side->launch, error) && choose_size(s, i, error);
}

static void close_sides(struct session *s)
{
    for (size_t i = 0; i < s->count; i++) {
        gp_side_close(&s->sharing.sides[i]);
        gp_device_profile_free(&s->sides[i].profile);
        gp_device_free(s->sides[i].device);
    }
    free(s->sharing.sides);
    free(s->sides);
}

/* ---- Parts ------------------------------------------------------------------------------------------------------- */

static bool cut_range(struct session *s, struct gp_error *error)
{
    gp_sharing_cut(&s->sharing);
    return s->sharing.cut.parts > 1 ||
           gp_fail(error, "the range is one part: there is nothing to share out; make --global larger");
}

static uint64_t items_of(const struct session *s, uint32_t first, uint32_t parts)
{
    return gp_cut_items(&s->sharing.cut, s->stated.global.size, first, parts);
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

/* Whether what ends there is no more than what any index of 31 bits reaches. */
static bool is_anywhere(const struct gp_kernel *kernel, uint32_t param, int64_t to)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        uint32_t bytes = (uint32_t)kernel->memory[m].element_bytes * kernel->memory[m].vector;
        least = kernel->memory[m].base == gp_ref_make(GP_REF_PARAM, param) && bytes < least ? bytes : least;
    }
    return to >= (int64_t)least << 31;
}

/* Of a buffer that a launch reads; 0: neither what it can read nor the buffer's size is known. */
static double sent_bytes(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t param)
{
    int64_t from, to;
    double all = (double)launch->arguments[param].bytes;
    if (!gp_range_read(kernel, launch, param, &from, &to) || is_anywhere(kernel, param, to))
        return all;
    double first = fmax(0, (double)from), last = all > 0 ? fmin(all, (double)to) : (double)to;
    return fmax(0, last - first);
}

/* What a share of the range sends and gets back, ns. */
static double transfer_of(const void *context, size_t device, const struct gp_launch *share)
{
    const struct session *s = context;
    const struct side *side = &s->sides[device];
    const struct gp_kernel *kernel = s->sharing.sides[device].request.kernel;
    uint32_t d = s->sharing.cut.dimension;
    if (side->gbps <= 0)
        return 0;
    double bytes = s->returned_bytes * (double)share->global[d] / (double)s->stated.global.size[d];
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        bytes += is_read(kernel, i) ? sent_bytes(kernel, share, i) : 0;
    return bytes / side->gbps;
}

static void see_buffers(struct session *s)
{
    const struct gp_launch *launch = &s->sharing.sides[0].launch;
    const struct gp_kernel *kernel = s->sharing.sides[0].request.kernel;
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        bool written = is_written(kernel, i);
        double bytes = (double)launch->arguments[i].bytes;
        if ((written && bytes <= 0) || (is_read(kernel, i) && sent_bytes(kernel, launch, i) <= 0))
            gp_text_printf(&s->unknown, "%s%s", s->unknown.length ? ", " : "", kernel->params[i].name);
        s->returned_bytes += written ? bytes : 0;
    }
}

/* ---- What others would do ---------------------------------------------------------------------------------------- */

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

static double speed_weight(struct session *s, size_t device)
{
    return 1 / gp_sharing_time(&s->sharing, device, 0, s->sharing.cut.parts);
}

static double end_by(struct session *s, weight_of *weight)
{
    uint32_t share[GP_MOST_SHARES], first = 0;
    double sum = 0, before = 0;
    for (size_t i = 0; i < s->count; i++)
        sum += weight(s, i);
    for (size_t i = 0; i < s->count; i++) {
        before += weight(s, i);
        uint32_t end = i + 1 < s->count ? (uint32_t)lround(s->sharing.cut.parts * before / sum) : s->sharing.cut.parts;
        share[i] = end - first;
        first = end;
    }
    return gp_shares_end(s->count, share, gp_sharing_time, &s->sharing);
}

/* Two devices: the best of shares that are 5% apart. */
static double end_of_sweep(struct session *s)
{
    double best = INFINITY;
    for (uint32_t k = 0; k <= 20; k++) {
        uint32_t one = (uint32_t)lround(s->sharing.cut.parts * k / 20.0), share[2] = {one, s->sharing.cut.parts - one};
        best = fmin(best, gp_shares_end(2, share, gp_sharing_time, &s->sharing));
    }
    return best;
}

/* ---- The answer -------------------------------------------------------------------------------------------------- */

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
        print_time(gp_sharing_time(&s->sharing, i, 0, s->sharing.cut.parts), out);
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
                   (unsigned long long)(parts > 0 ? first * s->sharing.cut.items : 0), (unsigned long long)items,
                   100.0 * (double)items / (double)s->stated.global.size[s->sharing.cut.dimension]);
    print_time(parts > 0 ? gp_sharing_time(&s->sharing, i, first, parts) : 0, out);
    if (parts > 0 && side->gbps > 0) {
        struct gp_launch share = gp_sharing_part(&s->sharing, i, first, parts);
        gp_text_printf(out, ", of it transfer ");
        print_time(transfer_of(s, i, &share), out);
    }
    gp_text_printf(out, "\n");
}

static void print_uneven_groups(const struct session *s, struct gp_text *out)
{
    const struct gp_sizes *global = &s->stated.global, *local = &s->settings.locals[0];
    uint32_t size[3] = {1, 1, 1};
    char text[GP_SIZES_TEXT];
    bool uneven = false;
    for (uint32_t d = 0; s->settings.local_count == 1 && d < local->dims; d++) {
        size[d] = (uint32_t)local->size[d];
        uneven |= d < global->dims && global->size[d] % local->size[d] != 0;
    }
    if (!uneven || !s->sharing.sides[0].request.uniform)
        return;
    gp_text_printf(out, "  note: ");
    gp_print_uneven(gp_sizes_text(local->dims, size, text), out);
}

static bool print_split(struct session *s, struct gp_text *out, struct gp_error *error)
{
    uint32_t share[GP_MOST_SHARES], first = 0;
    double end = gp_share_out(s->count, s->sharing.cut.parts, gp_sharing_time, &s->sharing, share);
    if (!isfinite(end))
        return gp_fail(error, "no device runs its part of the range");
    gp_text_printf(out, "%s: shared out along dimension %u, in parts of %llu\n",
                   s->sharing.sides[0].request.kernel->name, s->sharing.cut.dimension,
                   (unsigned long long)s->sharing.cut.items);
    gp_text_printf(out, "  %-16s %10s %10s %6s  time\n", "device", "from", "items", "share");
    for (size_t i = 0; i < s->count; i++) {
        print_share(s, i, first, share[i], out);
        first += share[i];
    }
    gp_text_printf(out, "  together ");
    print_time(end, out);
    print_others(s, out);
    print_uneven_groups(s, out);
    if (s->unknown.length > 0 && s->sides[0].gbps > 0)
        gp_text_printf(out, "  not counted, as their sizes are not known: %s; state them: --arg NAME=BYTES\n",
                       s->unknown.data);
    return true;
}

static bool split(struct session *s, const char *transfers, struct gp_text *out, struct gp_error *error)
{
    size_t count = s->settings.devices.count;
    s->sides = calloc(count, sizeof *s->sides);
    s->sharing = (struct gp_sharing){calloc(count, sizeof *s->sharing.sides), count, transfer_of, s, {0}};
    s->count = count;
    for (size_t i = 0; i < count; i++)
        if (!open_side(s, i, s->settings.devices.items[i], error))
            return false;
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
    if (line->count < 2)
        return free(list),
               gp_fail(error, "no file to share out; gpuperf split --device D1,D2[,..] --global XxYxZ [OPTIONS] FILE"),
               GP_STATUS_USAGE;
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
