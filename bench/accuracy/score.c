/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/accuracy/score.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/rank_correlation.h"
#include "model/predict.h"

static size_t slice_end(const struct config *c, size_t count, size_t first)
{
    size_t end = first;
    while (end < count && c[end].slice == c[first].slice)
        end++;
    return end;
}

static double best_time(const struct config *c, size_t n)
{
    double best = c[0].measured_ms;
    for (size_t i = 1; i < n; i++)
        best = fmin(best, c[i].measured_ms);
    return best;
}

static double worst_time(const struct config *c, size_t n)
{
    double worst = 0;
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, c[i].measured_ms);
    return worst;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double percentile(double *values, size_t n, double p)
{
    if (n == 0)
        return NAN;
    qsort(values, n, sizeof *values, ascending);
    return values[(size_t)(p * (double)(n - 1) + 0.5)];
}

static double spearman(const struct config *c, size_t n)
{
    double *measured = malloc(2 * n * sizeof *measured), *predicted = measured + n;
    if (measured == NULL)
        return 0;
    for (size_t i = 0; i < n; i++) {
        measured[i] = c[i].measured_ms;
        predicted[i] = isnan(c[i].predicted_ms) ? 1e30 : c[i].predicted_ms;
    }
    double correlation = gp_rank_correlation(measured, predicted, n);
    free(measured);
    return correlation;
}

enum { PICKS = 3 };

/* The first of those that are no pick yet, in the order of the file; n: there is none. */
static size_t next_fastest(const struct config *c, size_t n, const size_t *picks, size_t picked)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        bool taken = isnan(c[i].predicted_ms);
        for (size_t k = 0; k < picked; k++)
            taken |= picks[k] == i;
        if (!taken && (best == n || c[i].predicted_ms < c[best].predicted_ms))
            best = i;
    }
    return best;
}

static double items_of(const struct config *c) { return (double)c->block[0] * c->block[1]; }

/* Of two that take as long as nobody can tell apart. */
static bool is_preferred(const struct config *a, const struct config *b)
{
    return items_of(a) == items_of(b) ? a->predicted_ms < b->predicted_ms
                                      : gp_prefers_group(items_of(a), items_of(b), a->full_group);
}

/* The fastest few as gpuperf ranks them (gp_predictions_rank()). Returns how many. */
static size_t pick_predicted(const struct config *c, size_t n, size_t picks[PICKS])
{
    size_t fastest = next_fastest(c, n, picks, 0), picked = 0;
    if (fastest == n)
        return 0;
    picks[picked++] = fastest;
    for (size_t i = 0; i < n; i++)
        if (c[i].predicted_ms <= GP_EQUAL_TIMES * c[fastest].predicted_ms && is_preferred(&c[i], &c[picks[0]]))
            picks[0] = i;
    while (picked < PICKS && (picks[picked] = next_fastest(c, n, picks, picked)) < n)
        picked++;
    return picked;
}

/* A configuration without a prediction counts as one that nobody would pick. */
static void count_cliffs(const struct config *c, size_t n, double best, double best_predicted, struct score *s)
{
    for (size_t i = 0; i < n; i++) {
        bool fallen = c[i].measured_ms >= 3 * best;
        s->fallen += fallen;
        s->fallen_predicted += fallen && !(c[i].predicted_ms < 2 * best_predicted);
    }
}

struct score score_predictions(const struct config *configs, size_t count)
{
    struct score s = {.configs = count};
    double *regrets = malloc((count + 1) * sizeof *regrets), *errors = malloc((count + 1) * sizeof *errors);
    double log_regret = 0, correlation = 0;
    size_t error_count = 0;
    for (size_t first = 0, end; first < count; first = end) {
        end = slice_end(configs, count, first);
        const struct config *c = &configs[first];
        size_t n = end - first, picks[PICKS], picked = pick_predicted(c, n, picks);
        double best = best_time(c, n);
        double regret = picked > 0 ? c[picks[0]].measured_ms / best : worst_time(c, n) / best, best_of_three = regret;
        size_t fastest = next_fastest(c, n, picks, 0);
        count_cliffs(c, n, best, fastest < n ? c[fastest].predicted_ms : INFINITY, &s);
        for (size_t k = 1; k < picked; k++)
            best_of_three = fmin(best_of_three, c[picks[k]].measured_ms / best);
        regrets[s.slices++] = regret;
        log_regret += log(regret);
        s.top1 += regret <= 1.03;
        s.top3 += best_of_three <= 1.03;
        if (regret > s.worst_regret) {
            s.worst_regret = regret;
            s.worst_slice = c[0].slice;
        }
        if (worst_time(c, n) > 1.3 * best && n >= 3) {
            correlation += spearman(c, n);
            s.spearman_slices++;
        }
        for (size_t i = 0; i < n; i++)
            if (!isnan(c[i].predicted_ms))
                errors[error_count++] = fabs(c[i].predicted_ms / c[i].measured_ms - 1);
    }
    for (size_t i = 0; i < error_count; i++)
        s.mape += errors[i] / (double)error_count;
    s.median_ape = percentile(errors, error_count, 0.5);
    s.regret = exp(log_regret / (double)s.slices);
    s.regret_90 = percentile(regrets, s.slices, 0.9);
    s.top1 /= (double)s.slices;
    s.top3 /= (double)s.slices;
    s.spearman = s.spearman_slices ? correlation / (double)s.spearman_slices : NAN;
    free(regrets);
    free(errors);
    return s;
}

double score_rule(const struct config *configs, size_t count, unsigned warp, rule *pick)
{
    double log_regret = 0;
    size_t slices = 0;
    for (size_t first = 0, end; first < count; first = end, slices++) {
        end = slice_end(configs, count, first);
        size_t n = end - first;
        log_regret += log(configs[first + pick(&configs[first], n, warp)].measured_ms / best_time(&configs[first], n));
    }
    return exp(log_regret / (double)slices);
}

double score_random(const struct config *configs, size_t count)
{
    double log_regret = 0;
    size_t slices = 0;
    for (size_t first = 0, end; first < count; first = end, slices++) {
        end = slice_end(configs, count, first);
        double of_slice = 0, best = best_time(&configs[first], end - first);
        for (size_t i = first; i < end; i++)
            of_slice += log(configs[i].measured_ms / best);
        log_regret += of_slice / (double)(end - first);
    }
    return exp(log_regret / (double)slices);
}

static double score_shape(const struct config *configs, size_t count, const unsigned shape[2])
{
    double log_regret = 0;
    size_t slices = 0;
    for (size_t first = 0, end; first < count; first = end, slices++) {
        end = slice_end(configs, count, first);
        double best = best_time(&configs[first], end - first), regret = worst_time(&configs[first], end - first) / best;
        for (size_t i = first; i < end; i++)
            if (memcmp(configs[i].block, shape, sizeof configs[i].block) == 0)
                regret = configs[i].measured_ms / best;
        log_regret += log(regret);
    }
    return exp(log_regret / (double)slices);
}

double score_fixed_shape(const struct config *configs, size_t count)
{
    double best = INFINITY;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (memcmp(configs[k].block, configs[i].block, sizeof configs[i].block) != 0)
            k++;
        if (k == i)
            best = fmin(best, score_shape(configs, count, configs[i].block));
    }
    return best;
}
