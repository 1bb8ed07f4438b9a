/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * rodinia [--check] [--device NAME] [--model NAME] [--space INPUTS]
 *
 * Table IV of the hybrid framework's paper (Wang et al.): for each of its 20 kernels how its loops are bounded, the
 * length of a warp's execution trace and the processor time of a prediction, beside the paper's. Then the whole design
 * space of cfd's compute_flux, every local size on three grids. --check only looks at loops and traces, and fails where
 * a loop is not bounded: by a number, or by end less start of what is loaded.
 *
 * A trace holds what the paper leaves in one (its section III.A): arithmetic, compares, memory accesses and barriers;
 * no address arithmetic of a single access (getelementptr), no conversions, phis and branches. The launches are
 * Rodinia's own default inputs; which inputs the paper took its means over is not stated.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/subject.h"
#include "model/compilers/loop_text.h"
#include "model/executor/executor.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

struct entry {
    const char *application, *kernel, *launch;
    unsigned theirs;     /* Table IV: average trace length */
    double theirs_ms;    /* and time per run */
    const char *formula; /* of the iterations of a loop that ends where memory says; NULL: there is none */
};

static const struct entry entries[] = {
    {"backprop", "bpnn_adjust_weights", "global=16x65536:local=16x16:hidden=16", 41, 23.03, NULL},
    {"backprop", "bpnn_layerforward", "global=16x65536:local=16x16:hidden=16", 74, 40.08, NULL},
    {"bfs", "BFS_1", "global=1000192:local=256:count=1000000:trip=6", 79, 60.09,
     "nodes[...]"}, /* a node's number of edges; six is the graph's mean */
    {"bfs", "BFS_2", "global=1000192:local=256:count=1000000", 7, 10.40, NULL},
    {"btree", "findK", "global=2560000:local=256:height=3:knodes_elem=7874", 100, 72.93, NULL},
    {"btree", "findRangeK", "global=1536000:local=256:height=3:knodes_elem=7874", 163, 119.66, NULL},
    {"cfd", "compute_flux", "global=97152:local=192:nelr=97046", 616, 77.55, NULL},
    {"cfd", "compute_step_factor", "global=97152:local=192:nelr=97046", 33, 14.01, NULL},
    {"cfd", "initialize_variables", "global=97152:local=192:nelr=97046", 18, 15.38, NULL},
    {"cfd", "memset_kernel", "global=97152:local=192", 2, 7.081, NULL},
    {"cfd", "time_step", "global=97152:local=192:nelr=97046:stage=1", 31, 23.78, NULL},
    {"hotspot", "hotspot", "global=688x688:local=16x16:iteration=2:columns=512:rows=512:border_columns=2:border_rows=2",
     22093, 4130.09, NULL},
    {"kmeans", "kmeans_c", "global=494080:local=256:points=494020:cluster_count=5:features=34", 2338, 824.60, NULL},
    {"kmeans", "kmeans_swap", "global=494080:local=256:points=494020:features=34", 533, 219.67, NULL},
    {"lud", "lud_internal", "global=240x240:local=16x16:dim=256:offset=0:row=1024:column=1024", 108, 45.10, NULL},
    {"nn", "nearestNeighbor", "global=43008:local=256:records=42764", 9, 6.030, NULL},
    {"nw", "nw_kernel1", "global=2048:local=16:columns=2049:penalty=10:block=128:score=1156:ref=1024", 1431, 65.27,
     NULL},
    {"nw", "nw_kernel2", "global=2032:local=16:columns=2049:penalty=10:block=128:width=128:score=1156:ref=1024", 1431,
     63.99, NULL},
    {"particlefilter", "particle_naive", "global=10240:local=256:particles=10000", 52387, 11751.93, NULL},
    {"pathfinder", "dynproc",
     "global=118784:local=256:iteration=20:columns=100000:rows=100:start=0:border=20:previous=1024:now=1024", 1469,
     1055.97, NULL},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

struct settings {
    bool check;
    const char *device;
    enum gp_model model;
    int inputs;
};

/* ---- Trace length ------------------------------------------------------------------------------------------------ */

/* Per instruction: a pointer, as far as the text of the kernel says so. */
static bool *find_pointers(const struct gp_kernel *kernel)
{
    bool *pointer = calloc(kernel->inst_count + 1, sizeof *pointer);
    for (int pass = 0; pointer != NULL && pass < 2; pass++) { /* the second for phis of loops */
        for (uint32_t i = 0; i < kernel->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            if (inst->bits != 64 || (inst->op != GP_OP_ADD && inst->op != GP_OP_SUB && inst->op != GP_OP_PHI &&
                                     inst->op != GP_OP_SELECT && inst->op != GP_OP_COPY))
                continue;
            for (uint32_t o = 0; o < inst->operand_count; o++) {
                gp_ref ref = kernel->operands[inst->operand + o];
                uint32_t index = gp_ref_index(ref);
                switch (gp_ref_kind(ref)) {
                case GP_REF_PARAM:
                    pointer[i] |=
                        kernel->params[index].kind == GP_PARAM_BUFFER || kernel->params[index].kind == GP_PARAM_LOCAL;
                    break;
                case GP_REF_INST: pointer[i] |= pointer[index]; break;
                case GP_REF_LOCAL:
                case GP_REF_GLOBAL:
                case GP_REF_PRIVATE: pointer[i] = true; break;
                default: break;
                }
            }
        }
    }
    return pointer;
}

/* What getelementptr became: pointers, and 64-bit offsets that only pointers are made of. */
static bool *find_addresses(const struct gp_kernel *kernel)
{
    bool *address = find_pointers(kernel), *other_use = calloc(kernel->inst_count + 1, sizeof *other_use);
    for (uint32_t i = kernel->inst_count; address != NULL && other_use != NULL && i-- > 0;) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (!address[i] && inst->bits == 64 &&
            (inst->op == GP_OP_MUL || inst->op == GP_OP_SHL || inst->op == GP_OP_ADD))
            address[i] = !other_use[i];
        for (uint32_t o = 0; o < inst->operand_count; o++) {
            gp_ref ref = kernel->operands[inst->operand + o];
            if (gp_ref_kind(ref) == GP_REF_INST && !address[i])
                other_use[gp_ref_index(ref)] = true;
        }
    }
    free(other_use);
    return address;
}

static bool in_trace(const struct gp_inst *inst, bool address)
{
    switch (inst->op) {
    case GP_OP_PHI:
    case GP_OP_ID:
    case GP_OP_BR:
    case GP_OP_CONDBR:
    case GP_OP_SWITCH:
    case GP_OP_RET:
    case GP_OP_COPY: return false;
    case GP_OP_WEIGHT:
        return inst->cost != GP_CLASS_FREE && inst->cost != GP_CLASS_CVT && inst->cost != GP_CLASS_CVT_64;
    default: return !gp_op_is_cast(inst->op) && !address;
    }
}

struct count {
    const double *per_block;
    double length;
};

static void on_enter(void *context, uint32_t block, gp_mask active, double weight)
{
    struct count *count = context;
    (void)active;
    count->length += weight * count->per_block[block];
}

/* Mean over the warps of the launch's middle group. */
static bool trace_length(const struct gp_kernel *kernel, const struct gp_launch *launch, double *length,
                         struct gp_error *error)
{
    double *per_block = calloc(kernel->block_count + 1, sizeof *per_block);
    bool *address = find_addresses(kernel);
    struct gp_executor *executor = gp_executor_new(kernel);
    if (per_block == NULL || address == NULL || executor == NULL)
        return gp_fail(error, "out of memory");
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < kernel->blocks[b].inst + kernel->blocks[b].inst_count; i++)
            per_block[b] += in_trace(&kernel->insts[i], address[i]);
    uint64_t groups[3];
    gp_launch_groups(launch, groups);
    for (int d = 0; d < 3; d++)
        groups[d] /= 2;
    struct count count = {.per_block = per_block};
    struct gp_observer observer = {.context = &count, .enter = on_enter};
    struct gp_exec_options options = {.warp_width = 32, .exhaustive = true};
    struct gp_exec_result result;
    uint32_t warps = (launch->local[0] * launch->local[1] * launch->local[2] + 31) / 32;
    bool done = true;
    for (uint32_t w = 0; done && w < warps; w++)
        done = gp_execute_warp(executor, launch, groups, w, &options, &observer, &result, error);
    *length = count.length / warps;
    gp_executor_free(executor);
    free(address);
    free(per_block);
    return done;
}

/* ---- Loops ------------------------------------------------------------------------------------------------------- */

/* "constant x3, scalar-evolution"; how many end where memory says. */
static unsigned describe_loops(const struct gp_kernel *kernel, char *text, size_t size)
{
    unsigned kinds[GP_BOUND_COUNT] = {0};
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        kinds[kernel->loops[i].bound]++;
    for (int k = 0; k < GP_BOUND_COUNT; k++)
        if (kinds[k] > 0 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%u %s", used ? ", " : "", kinds[k],
                                     gp_bound_name((enum gp_bound)k));
    if (used == 0)
        snprintf(text, size, "none");
    return kinds[GP_BOUND_ASSUMED];
}

/* The formula of the loop that ends where memory says, printed; false: it has none, or another one. */
static bool report_formula(const struct gp_kernel *kernel, const char *expected)
{
    struct gp_text formula = {0};
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        if (kernel->loops[i].bound == GP_BOUND_ASSUMED)
            gp_loop_formula(kernel, i, &formula);
    bool same = formula.data != NULL && expected != NULL && strcmp(formula.data, expected) == 0;
    printf("%-15s %-21s iterations: %s%s\n", "", "", formula.data != NULL ? formula.data : "UNBOUNDED",
           same ? ", end less start" : ", NOT AS EXPECTED");
    gp_text_free(&formula);
    return same;
}

/* ---- Predictions ------------------------------------------------------------------------------------------------- */

static bool predict(const struct settings *settings, const struct subject *subject, struct gp_predictor *predictor,
                    const struct gp_launch *launch, double *ns, double *ms, struct gp_error *error)
{
    static struct gp_prediction prediction;
    struct gp_predict_options options = {.model = settings->model, .foreign_target = subject->foreign};
    double start = processor_seconds();
    if (!gp_predict(predictor, subject->device, launch, &options, &prediction, error))
        return false;
    *ms = 1e3 * (processor_seconds() - start);
    *ns = prediction.feasible ? prediction.time_ns : NAN;
    return true;
}

static bool report_entry(const struct settings *settings, const struct subject *subject, const struct entry *entry,
                         unsigned *unbounded, struct gp_error *error)
{
    char loops[128];
    static struct gp_launch launch;
    double length = NAN, ns = NAN, ms = NAN;
    gp_launch_default(subject->kernel, &launch);
    bool done = gp_launch_assume(subject->kernel, &launch, entry->launch, error) &&
                trace_length(subject->kernel, &launch, &length, error);
    if (done && !settings->check) {
        struct gp_predictor *predictor = gp_predictor_new(subject->profile, subject->kernel);
        done = predict(settings, subject, predictor, &launch, &ns, &ms, error);
        gp_predictor_free(predictor);
    }
    if (done) {
        unsigned assumed = describe_loops(subject->kernel, loops, sizeof loops);
        printf("%-15s %-21s %-34s %9.0f %9u %7.2f", entry->application, entry->kernel, loops, length, entry->theirs,
               length / entry->theirs);
        if (!settings->check)
            printf(" %10.1f %9.3f %9.2f", ns * 1e-3, ms, entry->theirs_ms);
        printf("\n");
        if (assumed > 0)
            *unbounded += !report_formula(subject->kernel, entry->formula);
    }
    return done || gp_fail_within(error, entry->kernel);
}

/* Kernels of one application stand together, so that its file is compiled once. */
static bool report_all(const struct settings *settings, unsigned *unbounded, struct gp_error *error)
{
    struct subject subject = {0};
    bool done = true;
    for (int i = 0; done && i < ENTRIES; i++) {
        char file[64];
        snprintf(file, sizeof file, "rodinia/%s.cl", entries[i].application);
        if (i > 0 && strcmp(entries[i].application, entries[i - 1].application) == 0) {
            done = subject_choose(&subject, entries[i].kernel, error);
        } else {
            subject_close(&subject);
            done = subject_open(settings->device, file, entries[i].kernel, NULL, &subject, error);
        }
        done = done && report_entry(settings, &subject, &entries[i], unbounded, error);
    }
    subject_close(&subject);
    return done;
}

/* ---- A design space ---------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    return *(const double *)a < *(const double *)b ? -1 : *(const double *)a > *(const double *)b;
}

/* 3 grids x 1024 local sizes are the 3072 configurations that the paper counts for each of cfd's kernels. */
static bool explore(const struct settings *settings, struct gp_error *error)
{
    static const unsigned elements[] = {97046, 193474, 232536};
    enum { LOCALS = 1024 };
    static double ms[3 * LOCALS];
    static struct gp_launch launch;
    struct subject subject;
    if (!subject_open(settings->device, "rodinia/cfd.cl", "compute_flux", NULL, &subject, error))
        return false;
    struct gp_predictor *predictor = gp_predictor_new(subject.profile, subject.kernel);
    bool done = true;
    size_t count = 0, infeasible = 0;
    printf("\ncompute_flux on %s, local sizes 1 to %d:\n%9s %22s %22s %22s\n", settings->device, LOCALS, "elements",
           "best", "worst", "local 192 (Rodinia's)");
    for (int e = 0; done && e < settings->inputs; e++) {
        double best = INFINITY, worst = 0, usual = NAN;
        unsigned best_local = 0, worst_local = 0;
        for (unsigned local = 1; done && local <= LOCALS; local++) {
            double ns = NAN;
            char text[96];
            snprintf(text, sizeof text, "global=%u:local=%u:nelr=%u", (elements[e] + local - 1) / local * local, local,
                     elements[e]);
            gp_launch_default(subject.kernel, &launch);
            done = gp_launch_assume(subject.kernel, &launch, text, error) &&
                   predict(settings, &subject, predictor, &launch, &ns, &ms[count], error);
            count += done;
            infeasible += isnan(ns);
            if (ns < best)
                best = ns, best_local = local;
            if (ns > worst)
                worst = ns, worst_local = local;
            if (local == 192)
                usual = ns;
        }
        printf("%9u %6u %12.1f us %6u %12.1f us %19.1f us\n", elements[e], best_local, best * 1e-3, worst_local,
               worst * 1e-3, usual * 1e-3);
    }
    if (done) {
        double sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += ms[i];
        qsort(ms, count, sizeof *ms, by_size);
        printf("%zu predictions (%zu cannot run there) in %.2f s: %.3f ms in the mean, %.3f ms in the median, %.3f ms "
               "at worst; the paper: 77.55 ms in the mean\n",
               count, infeasible, sum * 1e-3, sum / (double)count, ms[count / 2], ms[count - 1]);
    }
    gp_predictor_free(predictor);
    subject_close(&subject);
    return done;
}

static bool parse(int argc, char **argv, struct settings *settings, struct gp_error *error)
{
    static const struct option options[] = {
        {"check", 0, 0, 'c'}, {"device", 1, 0, 'd'}, {"model", 1, 0, 'm'}, {"space", 1, 0, 's'}, {0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 'c': settings->check = true; break;
        case 'd': settings->device = optarg; break;
        case 's': settings->inputs = atoi(optarg); break;
        case 'm':
            if (!gp_model_parse(optarg, &settings->model, error))
                return false;
            break;
        default: return gp_fail(error, "usage: rodinia [--check] [--device NAME] [--model NAME] [--space 0..3]");
        }
    }
    return settings->inputs >= 0 && settings->inputs <= 3 ? true : gp_fail(error, "--space takes 0 to 3 grids");
}

int main(int argc, char **argv)
{
    struct settings settings = {.device = "k620", .model = GP_MODEL_TRACE, .inputs = 3};
    struct gp_error error = {{0}};
    unsigned unbounded = 0;
    bool done = parse(argc, argv, &settings, &error);
    if (done)
        printf("%-15s %-21s %-34s %9s %9s %7s%s\n", "application", "kernel", "loops, by how they are bounded", "trace",
               "theirs", "ratio", settings.check ? "" : "    time us    cost ms    theirs");
    done = done && report_all(&settings, &unbounded, &error);
    if (done && !settings.check)
        done = explore(&settings, &error);
    if (done && unbounded > 0)
        done = gp_fail(&error, "%u kernels have a loop without a bound", unbounded);
    if (!done)
        fprintf(stderr, "rodinia: %s\n", error.text);
    return !done;
}
