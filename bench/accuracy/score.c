#include "bench/accuracy/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Ranks with ties shared. */
static void rank(const double *values, size_t n, double *ranks)
{
    for (size_t i = 0; i < n; i++) {
        double below = 0, equal = 0;
        for (size_t k = 0; k < n; k++) {
            below += values[k] < values[i];
            equal += values[k] == values[i];
        }
        ranks[i] = below + (equal - 1) / 2;
    }
}

static double spearman(const struct config *c, size_t n)
{
    double *v = malloc(4 * n * sizeof *v), *x = v + 2 * n, *y = v + 3 * n;
    for (size_t i = 0; i < n; i++) {
        v[i] = c[i].measured_ms;
        v[n + i] = isnan(c[i].predicted_ms) ? 1e30 : c[i].predicted_ms;
    }
    rank(v, n, x);
    rank(v + n, n, y);
    double mean = (double)(n - 1) / 2, xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < n; i++) {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    free(v);
    return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

static size_t pick_predicted(const struct config *c, size_t n, double above)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (c[i].predicted_ms > above && (best == n || c[i].predicted_ms < c[best].predicted_ms))
            best = i;
    return best;
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
        size_t n = end - first, pick = pick_predicted(c, n, 0);
        double best = best_time(c, n);
        double regret = pick < n ? c[pick].measured_ms / best : worst_time(c, n) / best, best_of_three = regret;
        double above = pick < n ? c[pick].predicted_ms : INFINITY;
        for (int k = 1; k < 3; k++) {
            size_t next = pick_predicted(c, n, above);
            if (next == n)
                break;
            best_of_three = fmin(best_of_three, c[next].measured_ms / best);
            above = c[next].predicted_ms;
        }
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

/* ---- Rules that people and drivers use ------------------------------------------------------------------------ */

static unsigned threads(const struct config *c) { return c->block[0] * c->block[1]; }

/* The configuration nearest to a shape, in octaves; equally near: the wider. */
static size_t nearest(const struct config *c, size_t n, double x, double y)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double distance = fabs(log2(c[i].block[0] / x)) + fabs(log2(c[i].block[1] / y));
        if (distance < least - 1e-9 || (distance < least + 1e-9 && c[i].block[0] > c[best].block[0])) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static size_t wide(const struct config *c, size_t n, unsigned total)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        double a = fabs(log2((double)threads(&c[i]) / total)), b = fabs(log2((double)threads(&c[best]) / total));
        if (a < b - 1e-9 || (a < b + 1e-9 && c[i].block[0] > c[best].block[0]))
            best = i;
    }
    return best;
}

static size_t wide_256(const struct config *c, size_t n, unsigned warp) { (void)warp; return wide(c, n, 256); }
static size_t wide_128(const struct config *c, size_t n, unsigned warp) { (void)warp; return wide(c, n, 128); }
static size_t wide_1024(const struct config *c, size_t n, unsigned warp) { (void)warp; return wide(c, n, 1024); }
static size_t square_16(const struct config *c, size_t n, unsigned warp) { (void)warp; return nearest(c, n, 16, 16); }

/* cudaOccupancyMaxPotentialBlockSize: the largest group among those of the highest occupancy, laid out wide. */
static size_t max_occupancy(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (c[i].occupancy > c[best].occupancy + 1e-9 ||
            (c[i].occupancy > c[best].occupancy - 1e-9 &&
             (threads(&c[i]) > threads(&c[best]) || (threads(&c[i]) == threads(&c[best]) && c[i].block[0] > c[best].block[0]))))
            best = i;
    return best;
}

static unsigned divisor_at_most(unsigned size, unsigned most)
{
    for (unsigned d = most < size ? most : size; d > 1; d--)
        if (size % d == 0)
            return d;
    return 1;
}

static unsigned power_at_most(unsigned size, unsigned most)
{
    unsigned p = 1;
    while (2 * p <= most && size % (2 * p) == 0)
        p *= 2;
    return p;
}

/* PoCL: multiples of gcd(preferred, global), at least four times the preferred multiple, x first. */
static size_t pocl(const struct config *c, size_t n, unsigned warp)
{
    unsigned x = divisor_at_most(c->items[0], 4 * warp), y = divisor_at_most(c->items[1], 4 * warp / (x ? x : 1));
    return nearest(c, n, x, y ? y : 1);
}

/* Intel: power-of-two divisors up to SIMD width x 32 in all, x first. */
static size_t intel(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    unsigned x = power_at_most(c->items[0], 256), y = power_at_most(c->items[1], 256 / x);
    return nearest(c, n, x, y);
}

/* AMD: a budget of 256, greedy divisors. */
static size_t amd(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    unsigned x = divisor_at_most(c->items[0], 256), y = divisor_at_most(c->items[1], 256 / x);
    return nearest(c, n, x, y);
}

/* rusticl: a whole sub-group along x where it divides, then powers of two. */
static size_t rusticl(const struct config *c, size_t n, unsigned warp)
{
    unsigned x = power_at_most(c->items[0], warp), y = power_at_most(c->items[1], 1024 / (x ? x : 1));
    return nearest(c, n, x, y);
}

const struct named_rule baselines[] = {
    {"256 wide", wide_256}, {"128 wide", wide_128}, {"1024 wide", wide_1024}, {"16x16", square_16},
    {"max occupancy", max_occupancy}, {"PoCL", pocl}, {"Intel", intel}, {"AMD", amd}, {"rusticl", rusticl}};
const size_t baseline_count = sizeof baselines / sizeof *baselines;
