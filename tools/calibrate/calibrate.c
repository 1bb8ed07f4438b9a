/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf calibrate: the numbers of a device file, measured.
 *
 *     gpuperf calibrate --opencl [PLATFORM:DEVICE] [--only NAME,..] [-o NAME.yaml]
 *     gpuperf calibrate --cuda [DEVICE] [--ptx FOLDER] ...
 *     gpuperf calibrate --simulate NAME [--noise PCT] ...
 *     gpuperf calibrate --compile-only sm_NN --ptx FOLDER
 *
 *     NVIDIA A100 40 GB, simulated: 412 launches, 3 s
 *     field            measured  spread  by
 *     l1_latency           33.0    0.0%  pointer chase
 *     l1_ways        not identifiable    how lines fall into sets is not known
 *
 * With --simulate the entry's own numbers stand beside what came back.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compile/ptx.h"
#include "support/text.h"
#include "tools/calibrate/calibration.h"
#include "tools/command.h"
#include "tools/settings.h"

static const struct probe {
    const char *name;
    bool (*run)(struct gp_calibration *calibration, struct gp_error *error);
    bool usual; /* without --only, too */
} probes[] = {
    {"launch", gp_probe_launches, true},            /* what a launch and a group cost */
    {"chains", gp_probe_chains, true},              /* latency and rate of each class of operation */
    {"chase", gp_probe_chase, true},                /* latency, size and line of each level of memory */
    {"bandwidth", gp_probe_bandwidth, true},        /* DRAM, L2 and an SM's way there */
    {"groups", gp_probe_groups, true},              /* local memory, barriers, atomics */
    {"core", gp_probe_core, true},                  /* a CPU's vectors, caches' bandwidth, misses at once, barriers */
    {"constant", gp_probe_constant, false},         /* constant memory's cache */
    {"texture", gp_probe_texture, false},           /* the cache of what is only read */
    {"residency", gp_probe_residency, false},       /* groups, warps and local memory that an SM holds */
    {"divergence", gp_probe_divergence, false},     /* lanes that go two ways */
    {"coalescing", gp_probe_coalescing, false},     /* what a warp's loads move by their places */
    {"knee", gp_probe_knee, false},                 /* DRAM's bandwidth over resident warps */
    {"lashgar-requests", gp_probe_requests, false}, /* what limits the requests that an SM waits for */
    {"lashgar-l2", gp_probe_l2_copies, false},      /* L2's size by copies after the host's */
    {"hk", gp_probe_departures, false},             /* Hong & Kim's Mem_LD and departure delays */
    {"wang", gp_probe_table1, false},               /* Wang et al.: each operation of Table I over active warps */
    {"lee", gp_probe_policy, false},                /* how an SM's schedulers choose warps, by when its groups end */
    {"teg", gp_probe_teg, false},                   /* Lai & Seznec: between instructions of one warp and of several */
};
enum { PROBES = sizeof probes / sizeof *probes };

enum measured { NOTHING, BY_OPENCL, BY_CUDA, SIMULATED, COMPILED_ONLY };

struct request {
    enum measured what;
    const char *device; /* as the option has it; NULL: the first */
    const char *ptx, *output, *html;
    struct gp_arguments only;
    bool twice, curves; /* two of the options that say what is measured */
    double noise;
};

/* ---- The command line -------------------------------------------------------------------------------------------- */

static bool parse_percent(const char *text, double *share, struct gp_error *error)
{
    char *end;
    double percent = strtod(text, &end);
    if (end == text || (*end != '\0' && strcmp(end, "%") != 0) || !(percent >= 0 && percent <= 50))
        return gp_fail(error, "--noise takes percent from 0 to 50, not '%.40s'", text);
    *share = percent / 100;
    return true;
}

/* --opencl's and --cuda's values may be left out. */
static const char *value_behind(const struct gp_command_line *line)
{
    const char *next = optind < line->count ? line->arguments[optind] : NULL;
    if (next == NULL || next[0] == '-')
        return NULL;
    optind++;
    return next;
}

static void take_what(struct request *r, enum measured what, const char *device)
{
    r->twice |= r->what != NOTHING && r->what != what;
    r->what = what;
    r->device = device;
}

/* Whether the options go together. */
static bool check(const struct request *r, struct gp_error *error)
{
    bool takes_ptx = r->what == BY_CUDA || r->what == COMPILED_ONLY;
    if (r->twice)
        return gp_fail(error, "calibrate takes one of --opencl, --cuda, --simulate and --compile-only");
    if (r->what == NOTHING)
        return gp_fail(error, "calibrate what? --opencl [PLATFORM:DEVICE] or --cuda [DEVICE] measures a device of this "
                              "machine, --simulate NAME one of the database");
    if (r->noise > 0 && r->what != SIMULATED)
        return gp_fail(error, "--noise is for --simulate: a real device has its own");
    if (r->ptx != NULL && !takes_ptx)
        return gp_fail(error, "--ptx is for --cuda, which takes the programs from that folder");
    return r->what != COMPILED_ONLY || r->ptx != NULL ||
           gp_fail(error, "--compile-only needs --ptx FOLDER, where the programs go");
}

static enum gp_status parse(const struct gp_command_line *line, struct request *r, struct gp_error *error)
{
    enum { OPENCL = GP_FIRST_OPTION, CUDA, PTX, COMPILE_ONLY, SIMULATE, ONLY, NOISE, CURVES, HTML };
    static const struct option options[] = {{"opencl", 0, 0, OPENCL},     {"cuda", 0, 0, CUDA},
                                            {"ptx", 1, 0, PTX},           {"compile-only", 1, 0, COMPILE_ONLY},
                                            {"simulate", 1, 0, SIMULATE}, {"only", 1, 0, ONLY},
                                            {"noise", 1, 0, NOISE},       {"curves", 0, 0, CURVES},
                                            {"html", 1, 0, HTML},         {0}};
    optind = 0; /* anew, whatever a parse before has left of a word */
    for (int option; (option = getopt_long(line->count, line->arguments, "+:o:", options, NULL)) != -1;) {
        switch (option) {
        case OPENCL: take_what(r, BY_OPENCL, value_behind(line)); break;
        case CUDA: take_what(r, BY_CUDA, value_behind(line)); break;
        case SIMULATE: take_what(r, SIMULATED, optarg); break;
        case COMPILE_ONLY: take_what(r, COMPILED_ONLY, optarg); break;
        case PTX: r->ptx = optarg; break;
        case ONLY:
            if (!gp_take_list("--only", optarg, &r->only, error))
                return GP_STATUS_USAGE;
            break;
        case HTML: r->html = optarg; break;
        case CURVES: r->curves = true; break;
        case 'o': r->output = optarg; break;
        case NOISE:
            if (!parse_percent(optarg, &r->noise, error))
                return GP_STATUS_USAGE;
            break;
        default: return gp_bad_option(line, option, error);
        }
    }
    if (optind < line->count)
        return gp_fail(error, "'calibrate' takes no file, not '%.60s'", line->arguments[optind]), GP_STATUS_USAGE;
    return check(r, error) ? GP_STATUS_OK : GP_STATUS_USAGE;
}

static const struct probe *find_probe(const char *name)
{
    for (size_t i = 0; i < PROBES; i++)
        if (strcmp(probes[i].name, name) == 0)
            return &probes[i];
    return NULL;
}

/* None named: the usual ones. */
static bool is_wanted(const struct gp_arguments *only, const struct probe *probe)
{
    for (size_t i = 0; i < only->count; i++)
        if (find_probe(only->items[i]) == probe)
            return true;
    return only->count == 0 && probe->usual;
}

static bool all_are_probes(const struct gp_arguments *only, struct gp_error *error)
{
    for (size_t i = 0; i < only->count; i++) {
        char names[256] = "";
        if (find_probe(only->items[i]) != NULL)
            continue;
        for (size_t k = 0; k < PROBES; k++) {
            size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", probes[k].name);
        }
        return gp_fail(error, "there is no probe '%s'; there are %s", only->items[i], names);
    }
    return true;
}

/* ---- The table --------------------------------------------------------------------------------------------------- */

static void print_finding(const struct gp_calibration *c, const struct gp_finding *f, struct gp_text *out)
{
    const char *unit = "";
    const struct gp_number *own = c->target->known != NULL ? gp_device_number(c->target->known, f->field, &unit) : NULL;
    char entry[32] = "";
    if (own != NULL)
        snprintf(entry, sizeof entry, "%10.5g", own->value);
    if (f->verdict == GP_FOUND)
        gp_text_printf(out, "%-22s %10.5g %s %5.1f%%  %s\n", f->field, f->value, entry, 100 * f->spread, f->how);
    else if (f->verdict == GP_NOT_TRUSTED)
        gp_text_printf(out, "%-22s not trusted %s: repeats differ by %.0f%% (%.4g)\n", f->field, entry, 100 * f->spread,
                       f->value);
    else
        gp_text_printf(out, "%-22s not identifiable %s: %s\n", f->field, entry, f->how);
}

/* --curves: every point, for those who look into a reader. */
static void print_curves(const struct gp_calibration *c, struct gp_text *out)
{
    for (size_t i = 0; i < c->curve_count; i++) {
        const struct gp_curve *curve = &c->curves[i];
        gp_text_printf(out, "curve: %s; %s, %s, fit\n", curve->title, curve->x_label, curve->y_label);
        for (size_t k = 0; k < curve->count; k++)
            gp_text_printf(out, "  %12.6g %12.6g %12.6g\n", curve->x[k], curve->y[k], curve->fit[k]);
    }
}

static void print_table(const struct gp_calibration *c, double seconds, struct gp_text *out)
{
    gp_text_printf(out, "%s: %zu launches in %.0f s\n", c->target->title, c->launches, seconds);
    gp_text_printf(out, "%-22s %10s %s %6s  by\n", "field", "measured", c->target->known != NULL ? "     entry" : "",
                   "spread");
    for (size_t i = 0; i < c->finding_count; i++)
        print_finding(c, &c->findings[i], out);
    gp_text_printf(out, "%s", c->notes.length > 0 ? c->notes.data : "");
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

/* Before anything is measured: a file there may be written. */
static bool can_write(const char *path, struct gp_error *error)
{
    const char *slash = strrchr(path, '/');
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path + 1) : 1, slash != NULL ? path : ".");
    return access(folder, W_OK) == 0 || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

/* NAME of NAME.yaml. False: it is not one, or cannot be written. */
static bool name_of(const char *path, char name[64], struct gp_error *error)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    size_t length = strlen(base);
    if (length < 6 || length > 60 || strcmp(base + length - 5, ".yaml") != 0)
        return gp_fail(error, "a device file is called NAME.yaml, not '%.60s'", base);
    for (size_t i = 0; i < length - 5; i++)
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-_", base[i]) == NULL)
            return gp_fail(error, "a device's name has lower-case letters, digits and '-' only: '%.60s' has '%c'", base,
                           base[i]);
    snprintf(name, 64, "%.*s", (int)(length - 5), base);
    return can_write(path, error);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What a driver says of a real device. */
static void take_told(struct gp_calibration *c)
{
    gp_told(c, "sm_count", c->target->units);
    gp_told(c, "clock_mhz", c->target->clock_mhz);
    gp_told(c, "max_threads_per_block", c->target->most_local);
}

static bool run_probes(struct gp_calibration *c, const struct gp_arguments *only, struct gp_error *error)
{
    if (c->target->known == NULL)
        take_told(c);
    for (size_t i = 0; i < PROBES; i++)
        if (is_wanted(only, &probes[i]) && !probes[i].run(c, error))
            return gp_fail_within(error, probes[i].name);
    return true;
}

static bool save(const char *path, const struct gp_text *text, struct gp_error *error)
{
    return gp_write_file(path, text->data, text->length) ||
           gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

static bool write_result(const struct gp_calibration *c, const char *path, const char *name, struct gp_text *out,
                         struct gp_error *error)
{
    struct gp_text entry = {0};
    bool done = gp_write_entry(c, name, &entry, error) && save(path, &entry, error);
    if (done)
        gp_text_printf(out, "written: %s, which is --device %s where GPUPERF_HWDB names its folder\n", path, name);
    gp_text_free(&entry);
    return done;
}

static bool write_plots(const struct gp_calibration *c, const char *path, struct gp_text *out, struct gp_error *error)
{
    struct gp_text page = {0};
    bool done = gp_print_plots(c, &page, error) && save(path, &page, error);
    if (done)
        gp_text_printf(out, "plots: %s\n", path);
    gp_text_free(&page);
    return done;
}

/* Measures, and shows and writes what was found. */
static enum gp_status calibrate(const struct request *r, const char *name, struct gp_target *target,
                                struct gp_text *out, struct gp_error *error)
{
    double begin = now();
    struct gp_calibration *c = calloc(1, sizeof *c);
    if (c == NULL)
        return gp_fail(error, "out of memory"), GP_STATUS_USAGE;
    c->target = target;
    c->clock_mhz = target->clock_mhz;
    c->repeats = target->known == NULL ? 9
                 : r->noise > 0        ? 25
                                       : 1; /* simulated ones cost nothing: the same cycles, drawn again */
    enum gp_status status = GP_STATUS_USAGE;
    if (run_probes(c, &r->only, error)) {
        print_table(c, now() - begin, out);
        if (target->known != NULL)
            gp_print_round_trip(c, out);
        if (r->curves)
            print_curves(c, out);
        bool written = (r->output == NULL || write_result(c, r->output, name, out, error)) &&
                       (r->html == NULL || write_plots(c, r->html, out, error));
        if (!written) /* what was measured is shown all the same */
            gp_text_printf(out, "nothing is written: %s\n", error->text);
        status = written ? GP_STATUS_OK : GP_STATUS_TOLD_USAGE;
    }
    gp_text_free(&c->notes);
    free(c);
    return status;
}

static struct gp_target *open_target(const struct request *r, struct gp_error *error)
{
    if (r->what == SIMULATED)
        return gp_simulated_target(r->device, r->noise, error);
    return r->what == BY_CUDA ? gp_cuda_target(r->device, r->ptx, error) : gp_opencl_target(r->device, error);
}

static bool compile_program(const char *name, unsigned capability, const char *folder, struct gp_error *error)
{
    char path[4096], *source = gp_program_for_cuda(name), *ptx = gp_compile_ptx(source, capability, error);
    snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
    bool done = ptx != NULL &&
                (gp_write_file(path, ptx, strlen(ptx)) || gp_fail(error, "cannot write %s: %s", path, strerror(errno)));
    free(source);
    free(ptx);
    return done;
}

/* For a machine that has the GPU and no clang. */
static enum gp_status compile_only(const struct request *r, struct gp_text *out, struct gp_error *error)
{
    size_t count = 0;
    unsigned capability;
    char rest;
    if (sscanf(r->device, "sm_%3u%c", &capability, &rest) != 1)
        return gp_fail(error, "--compile-only takes an architecture such as sm_90, not '%.40s'", r->device),
               GP_STATUS_USAGE;
    for (; gp_program_name(count) != NULL; count++)
        if (!compile_program(gp_program_name(count), capability, r->ptx, error))
            return GP_STATUS_USAGE;
    gp_text_printf(out, "%zu programs for sm_%u are in %s\n", count, capability, r->ptx);
    return GP_STATUS_OK;
}

static enum gp_status run(const struct request *r, struct gp_text *out, struct gp_error *error)
{
    char name[64] = "";
    if (!all_are_probes(&r->only, error) || (r->output != NULL && !name_of(r->output, name, error)) ||
        (r->html != NULL && !can_write(r->html, error)))
        return GP_STATUS_USAGE;
    if (r->what == COMPILED_ONLY)
        return compile_only(r, out, error);
    struct gp_target *target = open_target(r, error);
    if (target == NULL)
        return GP_STATUS_USAGE;
    enum gp_status status = calibrate(r, name, target, out, error);
    target->close(target);
    return status;
}

enum gp_status gp_calibrate_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct request r = {0};
    enum gp_status status = parse(line, &r, error);
    if (status == GP_STATUS_OK)
        status = run(&r, out, error);
    gp_arguments_free(&r.only);
    return status;
}
