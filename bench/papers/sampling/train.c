/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * train [FILE...]
 *
 * The learned model of the sampling paper (section 5.2) on tables of instances (default: results/): leaves one kernel
 * out with all its instances, trains on the others, and prints its error beside those of the line, a line through work
 * instead of groups, a linear kernel, and ridge regression, by classes of the line's error (Table 3), and which
 * features matter. Parameters come from an inner search that leaves kernels out as well.
 */
#include <libsvm/svm.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/papers/sampling/features.h"
#include "bench/papers/sampling/report.h"

enum {
    OURS_COUNT = FEATURE_work_ips,
    /* work_ips is what they correct */ FOLDS = 5,
    MOST_KERNELS = 64,
    WHOLE = POINTS - 1,
    TURNS = 5
};

/* Estimates of a kernel's whole launch. RBF with the paper's features and its formula; then with ours, and with the
 * instructions that the executor counts for the whole launch instead of those of a sample in proportion; it corrects
 * the line through work. GATED: ours where something says that the line does not hold, else the line through work. */
enum estimate { LINE, BY_WORK, LEARNED, OURS, LINEAR_KERNEL, RIDGE, GATED, ESTIMATES };
static const char *const estimate_names[ESTIMATES] = {"line",          "by work", "learned", "ours",
                                                      "linear kernel", "ridge",   "gated"};

struct row {
    int kernel;
    double values[FEATURE_COUNT], target;
};

/* What is learned is how far that is from the line through work, for ours; for the others the value itself. */
static double base_of(bool ours, const double *values) { return ours ? values[FEATURE_work_ips] : 0; }

/* One device's. */
struct data {
    const char *device;
    const struct subject_times *subjects[2 * MOST_KERNELS];
    int subject_kernel[2 * MOST_KERNELS], subject_count;
    char names[MOST_KERNELS][32];
    int kernels;
    struct row *rows;
    int count;
};

/* What a fold learned. */
struct fit {
    bool ours;
    int feature_count; /* the first so many */
    double mean[FEATURE_COUNT], scale[FEATURE_COUNT], target_mean, target_scale;
    struct svm_model *svm;
    struct svm_problem problem;
    struct svm_node *nodes;
    double ridge[FEATURE_COUNT];
};

struct choice {
    bool is_ridge, is_linear;
    double cost, epsilon, gamma, lambda;
};

/* ---- Instances ---- */

static double linear_ips_of(const struct subject_times *s)
{
    int first, second;
    linear_points(s, &first, &second);
    const struct instance *sample = &s->at[second];
    double ns = linear_ns(s, first, second, WHOLE);
    return ns > 0 ? issued_of(sample) / sample->groups * s->at[WHOLE].groups / ns * 1e9
                  : issued_of(sample) / sample->ns * 1e9;
}

/* What a run at a point tells; the ratios are those of the two samples. */
static void values_of(const struct subject_times *s, int point, double values[FEATURE_COUNT])
{
    int first, second;
    linear_points(s, &first, &second);
    const struct instance *i = &s->at[point], *a = &s->at[first], *b = &s->at[second], *all = &s->at[WHOLE];
    struct counted_sample sample = {.active = i->active,
                                    .registers = i->registers,
                                    .ns = i->ns,
                                    .items = i->items,
                                    .executed = i->executed > 0 ? i->executed : i->items,
                                    .issued = issued_of(i),
                                    .branches = i->branches,
                                    .divergent = i->divergent,
                                    .l1_requests = i->l1_requests,
                                    .l1_misses = i->l1_misses,
                                    .l2_misses = i->l2_misses,
                                    .conflicts = i->conflicts,
                                    .shared = i->shared,
                                    .transactions = i->transactions,
                                    .serialised = i->serialised,
                                    .linear_ips = linear_ips_of(s),
                                    .ns_ratio = b->ns / a->ns / (b->groups / a->groups),
                                    .work_ratio = issued_of(all) / issued_of(b) / (all->groups / b->groups),
                                    .work_ips = issued_of(all) / work_ns(s) * 1e9};
    feature_values(&sample, values);
}

static int kernel_number(struct data *data, const char *name)
{
    for (int k = 0; k < data->kernels; k++)
        if (strcmp(data->names[k], name) == 0)
            return k;
    if (data->kernels == MOST_KERNELS)
        return -1;
    snprintf(data->names[data->kernels], sizeof data->names[0], "%s", name);
    return data->kernels++;
}

static bool add_subject(struct data *data, const struct subject_times *s)
{
    int kernel = kernel_number(data, s->at[WHOLE].kernel);
    if (!is_complete(s))
        return true; /* half measured: left out */
    if (kernel < 0 || data->subject_count == 2 * MOST_KERNELS)
        return false;
    data->subjects[data->subject_count] = s;
    data->subject_kernel[data->subject_count++] = kernel;
    for (int p = 0; p < POINTS; p++) {
        struct row *row = &data->rows[data->count++];
        row->kernel = kernel;
        row->target = log(issued_of(&s->at[WHOLE]) / s->at[WHOLE].ns * 1e9);
        values_of(s, p, row->values);
    }
    return true;
}

static bool load_device(const struct times *times, const char *device, struct data *data)
{
    *data = (struct data){.device = device, .rows = calloc((size_t)times->count * POINTS, sizeof *data->rows)};
    bool done = data->rows != NULL;
    for (int s = 0; done && s < times->count; s++)
        if (strcmp(times->items[s].at[WHOLE].device, device) == 0)
            done = add_subject(data, &times->items[s]);
    return done;
}

/* ---- Fitting ---- */

static void scale_by(struct fit *fit, const struct data *data, const bool *in)
{
    double sums[FEATURE_COUNT] = {0}, squares[FEATURE_COUNT] = {0}, target = 0, target2 = 0;
    int n = 0;
    for (int r = 0; r < data->count; r++) {
        const struct row *row = &data->rows[r];
        if (!in[row->kernel])
            continue;
        n++;
        double of_base = row->target - base_of(fit->ours, row->values);
        target += of_base;
        target2 += of_base * of_base;
        for (int f = 0; f < fit->feature_count; f++) {
            double v = row->values[f];
            sums[f] += v;
            squares[f] += v * v;
        }
    }
    for (int f = 0; f < fit->feature_count; f++) {
        fit->mean[f] = sums[f] / n;
        double variance = squares[f] / n - fit->mean[f] * fit->mean[f];
        fit->scale[f] = variance > 1e-12 ? sqrt(variance) : 1;
    }
    fit->target_mean = target / n;
    double variance = target2 / n - fit->target_mean * fit->target_mean;
    fit->target_scale = variance > 1e-12 ? sqrt(variance) : 1;
}

static double scaled(const struct fit *fit, const double *values, int f)
{
    return (values[f] - fit->mean[f]) / fit->scale[f];
}

static void nodes_of(const struct fit *fit, const double *values, struct svm_node *nodes)
{
    for (int f = 0; f < fit->feature_count; f++)
        nodes[f] = (struct svm_node){f + 1, scaled(fit, values, f)};
    nodes[fit->feature_count].index = -1;
}

static bool fit_svm(struct fit *fit, const struct data *data, const bool *in, const struct choice *choice)
{
    size_t width = (size_t)fit->feature_count + 1;
    fit->problem.x = calloc((size_t)data->count, sizeof *fit->problem.x);
    fit->problem.y = calloc((size_t)data->count, sizeof *fit->problem.y);
    fit->nodes = calloc((size_t)data->count * width, sizeof *fit->nodes);
    if (fit->problem.x == NULL || fit->problem.y == NULL || fit->nodes == NULL)
        return false;
    for (int r = 0; r < data->count; r++) {
        if (!in[data->rows[r].kernel])
            continue;
        int n = fit->problem.l++;
        fit->problem.x[n] = fit->nodes + (size_t)n * width;
        fit->problem.y[n] =
            (data->rows[r].target - base_of(fit->ours, data->rows[r].values) - fit->target_mean) / fit->target_scale;
        nodes_of(fit, data->rows[r].values, fit->problem.x[n]);
    }
    struct svm_parameter parameter = {.svm_type = EPSILON_SVR,
                                      .kernel_type = choice->is_linear ? LINEAR : RBF,
                                      .gamma = choice->gamma,
                                      .cache_size = 32,
                                      .eps = 0.05,
                                      .C = choice->cost,
                                      .p = choice->epsilon,
                                      .shrinking = 1};
    fit->svm = svm_train(&fit->problem, &parameter);
    return fit->svm != NULL;
}

/* (X'X + lambda) w = X'y by Gauss' elimination: the matrix is positive definite. */
static void fit_ridge(struct fit *fit, const struct data *data, const bool *in, double lambda)
{
    enum { N = FEATURE_COUNT };
    double a[N][N + 1] = {{0}};
    int n = fit->feature_count;
    for (int r = 0; r < data->count; r++) {
        const struct row *row = &data->rows[r];
        if (!in[row->kernel])
            continue;
        for (int i = 0; i < n; i++) {
            double x = scaled(fit, row->values, i);
            for (int j = 0; j < n; j++)
                a[i][j] += x * scaled(fit, row->values, j);
            a[i][n] += x * (row->target - base_of(fit->ours, row->values) - fit->target_mean) / fit->target_scale;
        }
    }
    for (int i = 0; i < n; i++)
        a[i][i] += lambda;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = n; k >= i; k--)
                a[j][k] -= a[i][k] * a[j][i] / a[i][i];
    for (int i = n - 1; i >= 0; i--) {
        fit->ridge[i] = a[i][n];
        for (int j = i + 1; j < n; j++)
            fit->ridge[i] -= a[i][j] * fit->ridge[j];
        fit->ridge[i] /= a[i][i];
    }
}

static void fit_free(struct fit *fit)
{
    if (fit->svm != NULL)
        svm_free_and_destroy_model(&fit->svm);
    free(fit->problem.x);
    free(fit->problem.y);
    free(fit->nodes);
    *fit = (struct fit){.feature_count = 0};
}

static bool fit_to(struct fit *fit, const struct data *data, const bool *in, int features, const struct choice *choice)
{
    *fit = (struct fit){.ours = features > PAPERS_FEATURES, .feature_count = features};
    scale_by(fit, data, in);
    if (!choice->is_ridge)
        return fit_svm(fit, data, in, choice);
    fit_ridge(fit, data, in, choice->lambda);
    return true;
}

/* The logarithm of instructions per second. */
static double value_by(const struct fit *fit, const double *values)
{
    struct svm_node nodes[FEATURE_COUNT + 1];
    double sum = 0;
    nodes_of(fit, values, nodes);
    if (fit->svm != NULL)
        sum = svm_predict(fit->svm, nodes);
    for (int f = 0; fit->svm == NULL && f < fit->feature_count; f++)
        sum += fit->ridge[f] * nodes[f].value;
    return sum * fit->target_scale + fit->target_mean + base_of(fit->ours, values);
}

/* ---- The inner search ---- */

/* Mean distance of the logarithms over the samples of kernels that were left out, a fifth at a time. */
static double inner_error(const struct data *data, const bool *in, int features, const struct choice *choice)
{
    double sum = 0;
    int count = 0;
    for (int fold = 0; fold < FOLDS; fold++) {
        bool inner[MOST_KERNELS];
        struct fit fit;
        int any = 0, number = 0;
        for (int k = 0; k < data->kernels; k++) {
            inner[k] = in[k] && number % FOLDS != fold;
            number += in[k];
            any += inner[k];
        }
        if (any == 0 || !fit_to(&fit, data, inner, features, choice))
            return INFINITY;
        for (int s = 0; s < data->subject_count; s++) {
            int k = data->subject_kernel[s];
            if (!in[k] || inner[k])
                continue;
            const struct row *row = &data->rows[s * POINTS + SECOND_POINT];
            sum += fabs(value_by(&fit, row->values) - row->target);
            count++;
        }
        fit_free(&fit);
    }
    return count > 0 ? sum / count : INFINITY;
}

static struct choice search(const struct data *data, const bool *in, int features, enum estimate what)
{
    static const double costs[] = {1, 10, 100, 1000}, epsilons[] = {0.03, 0.1},
                        gammas[] = {1.0 / 256, 1.0 / 64, 1.0 / 16, 1.0 / 4, 1}, lambdas[] = {0.1, 1, 10, 100, 1000};
    struct choice best = {.is_ridge = what == RIDGE, .is_linear = what == LINEAR_KERNEL}, choice = best;
    double least = INFINITY;
    int outer = what == RIDGE ? 5 : 4, inner = what == LEARNED || what == OURS ? 5 : 1;
    for (int c = 0; c < outer; c++)
        for (int g = 0; g < inner; g++)
            for (int e = 0; e < (what == RIDGE ? 1 : 2); e++) {
                choice.lambda = lambdas[c];
                choice.cost = what == LINEAR_KERNEL ? costs[c] / 100 : costs[c % 4];
                choice.gamma = gammas[g];
                choice.epsilon = epsilons[e];
                double error = inner_error(data, in, features, &choice);
                if (error < least) {
                    least = error;
                    best = choice;
                }
            }
    return best;
}

/* ---- Leave one kernel out ---- */

struct outcome {
    double error[ESTIMATES]; /* of each kernel's whole launch, percent */
};

/* The paper's t(N) = IP(P2) N / (P2 IPS), in nanoseconds: `issued` of a sample of `groups`, for `all` groups. Where the
 * executor knows what the whole launch issues, that of all groups. */
static double ns_for(double issued, double groups, double all, double ips) { return issued * all / groups / ips * 1e9; }

static double ns_by(const struct subject_times *s, double log_ips, bool counts_all)
{
    int first, second;
    linear_points(s, &first, &second);
    const struct instance *sample = &s->at[second];
    return counts_all ? ns_for(issued_of(&s->at[WHOLE]), 1, 1, exp(log_ips))
                      : ns_for(issued_of(sample), sample->groups, s->at[WHOLE].groups, exp(log_ips));
}

/* Two samples whose times are not in proportion to their work, lanes that wait, misses that change. */
static bool is_not_linear(const struct subject_times *s)
{
    const double little = 0.05;
    int first, second;
    linear_points(s, &first, &second);
    const struct instance *a = &s->at[first], *b = &s->at[second];
    double time = b->ns / a->ns, work = issued_of(b) / issued_of(a);
    double rate_a = (a->l1_misses + a->l2_misses) / issued_of(a), rate_b = (b->l1_misses + b->l2_misses) / issued_of(b);
    return fabs(time / work - 1) > little || (b->branches > 0 && b->divergent > little * b->branches) ||
           fabs(rate_b - rate_a) > little * rate_a;
}

static int features_of(enum estimate what) { return what == OURS ? OURS_COUNT : PAPERS_FEATURES; }

/* By how much the error grows where a feature is another kernel's. */
static void add_importance(const struct data *data, const struct fit *fit, int s, double importance[])
{
    double values[FEATURE_COUNT];
    memcpy(values, data->rows[s * POINTS + SECOND_POINT].values, sizeof values);
    double own = error_of(ns_by(data->subjects[s], value_by(fit, values), true), data->subjects[s]);
    for (int f = 0; f < fit->feature_count; f++) {
        double kept = values[f];
        for (int turn = 0; turn < TURNS; turn++) {
            int other = (s + 1 + turn * 7) % data->subject_count;
            values[f] = data->rows[other * POINTS + SECOND_POINT].values[f];
            double error = error_of(ns_by(data->subjects[s], value_by(fit, values), true), data->subjects[s]);
            importance[f] += (error - own) / TURNS / data->subject_count;
        }
        values[f] = kept;
    }
}

static bool leave_out(const struct data *data, int kernel, const struct choice choices[ESTIMATES],
                      struct outcome *outcomes, double importance[])
{
    bool in[MOST_KERNELS];
    for (int k = 0; k < data->kernels; k++)
        in[k] = k != kernel;
    for (enum estimate what = LEARNED; what < GATED; what++) {
        struct fit fit;
        if (!fit_to(&fit, data, in, features_of(what), &choices[what]))
            return false;
        for (int s = 0; s < data->subject_count; s++) {
            if (data->subject_kernel[s] != kernel)
                continue;
            double value = value_by(&fit, data->rows[s * POINTS + SECOND_POINT].values);
            outcomes[s].error[what] = error_of(ns_by(data->subjects[s], value, what == OURS), data->subjects[s]);
            if (what == OURS)
                add_importance(data, &fit, s, importance);
        }
        fit_free(&fit);
    }
    return true;
}

/* Parameters for a kernel are searched for without it and the rest of its fold. */
static bool leave_out_each(const struct data *data, struct outcome *outcomes, double importance[])
{
    for (int fold = 0; fold < FOLDS; fold++) {
        bool in[MOST_KERNELS];
        struct choice choices[ESTIMATES];
        for (int k = 0; k < data->kernels; k++)
            in[k] = k % FOLDS != fold;
        for (enum estimate what = LEARNED; what < GATED; what++)
            choices[what] = search(data, in, features_of(what), what);
        for (int k = fold; k < data->kernels; k += FOLDS)
            if (!leave_out(data, k, choices, outcomes, importance))
                return false;
    }
    return true;
}

/* ---- What is printed ---- */

static void print_row(const struct outcome *outcomes, int count, const char *name, double least, double most)
{
    double sums[ESTIMATES] = {0};
    int n = 0;
    for (int s = 0; s < count; s++) {
        if (outcomes[s].error[LINE] < least || outcomes[s].error[LINE] >= most)
            continue;
        n++;
        for (int e = 0; e < ESTIMATES; e++)
            sums[e] += outcomes[s].error[e];
    }
    printf("  %-10s %4d", name, n);
    for (int e = 0; e < ESTIMATES; e++)
        printf(n > 0 ? " %13.2f" : "             -", sums[e] / n);
    printf("\n");
}

static void print_device(const struct data *data, const struct outcome *outcomes, const double importance[])
{
    printf("%s: %d kernels, %d instances; mean error of kernels that were left out, percent\n  of line's error   ",
           data->device, data->kernels, data->count);
    for (int e = 0; e < ESTIMATES; e++)
        printf(e == 0 ? " %8s" : " %13s", estimate_names[e]);
    printf("\n");
    print_row(outcomes, data->subject_count, "all", 0, INFINITY);
    print_row(outcomes, data->subject_count, "0-5%", 0, 5);
    print_row(outcomes, data->subject_count, "5-10%", 5, 10);
    print_row(outcomes, data->subject_count, ">10%", 10, INFINITY);
    printf("  importance (points of error where another kernel's is put):");
    for (int f = 0; f < OURS_COUNT; f++)
        printf(" %s %.1f", feature_names[f], importance[f]);
    printf("\n");
}

static bool learn(const struct times *times, const char *device, struct gp_error *error)
{
    struct data data;
    struct outcome outcomes[2 * MOST_KERNELS] = {{.error = {0}}};
    double importance[FEATURE_COUNT] = {0};
    bool done = load_device(times, device, &data);
    for (int s = 0; done && s < data.subject_count; s++) {
        outcomes[s].error[LINE] = linear_error(data.subjects[s]);
        outcomes[s].error[BY_WORK] = error_of(work_ns(data.subjects[s]), data.subjects[s]);
    }
    done = done && leave_out_each(&data, outcomes, importance);
    for (int s = 0; done && s < data.subject_count; s++)
        outcomes[s].error[GATED] = outcomes[s].error[is_not_linear(data.subjects[s]) ? OURS : BY_WORK];
    if (done)
        print_device(&data, outcomes, importance);
    fflush(stdout);
    free(data.rows);
    return done || gp_fail(error, "out of memory");
}

static void be_silent(const char *text) { (void)text; }

int main(int count, char **arguments)
{
    struct gp_error error = {0};
    struct times times = {0};
    bool done = true;
    svm_set_print_string_function(be_silent);
    for (int i = 1; done && i < count; i++)
        done = times_read(arguments[i], &times, &error);
    if (count == 1)
        done = times_read_all(PAPERS_DIR "/sampling/results", &times, &error);
    int at = 0;
    for (const char *device; done && (device = next_device(&times, &at)) != NULL;)
        done = learn(&times, device, &error);
    times_free(&times);
    if (!done)
        fprintf(stderr, "train: %s\n", error.text);
    return done ? 0 : 1;
}
