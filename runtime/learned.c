/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/learned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, MOST_VECTORS = 100000, MOST_LINE = 4096 };

const char *const gp_learned_names[GP_LEARNED_FEATURE_COUNT] = {
#define X(name) #name,
    GP_LEARNED_FEATURES(X)
#undef X
};

struct gp_learned {
    char device[64];
    uint32_t feature_count;
    int features[GP_LEARNED_FEATURE_COUNT]; /* enum gp_learned_feature */
    double mean[GP_LEARNED_FEATURE_COUNT], scale[GP_LEARNED_FEATURE_COUNT];
    double gamma, rho, target_mean, target_scale;
    double *vectors; /* [vector_count][1 + feature_count]: coefficient, values */
    size_t vector_count;
    bool has_svr, ended;
};

static double logarithm(double value) { return value > 0 ? log(value) : 0; }

static double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

void gp_learned_values(const struct gp_learned_sample *s, double values[GP_LEARNED_FEATURE_COUNT])
{
    values[GP_LEARNED_active] = s->active;
    values[GP_LEARNED_registers] = s->registers;
    values[GP_LEARNED_ns] = logarithm(s->ns);
    values[GP_LEARNED_branches] = logarithm(1 + s->branches);
    values[GP_LEARNED_items] = logarithm(s->items);
    values[GP_LEARNED_divergent] = share(s->divergent, s->branches);
    values[GP_LEARNED_l1_miss_rate] = share(s->l1_misses, s->issued);
    values[GP_LEARNED_l2_miss_rate] = share(s->l2_misses, s->issued);
    values[GP_LEARNED_l1_requests] = logarithm(1 + s->l1_requests);
    values[GP_LEARNED_issued] = logarithm(s->issued);
    values[GP_LEARNED_executed] = logarithm(s->executed);
    values[GP_LEARNED_conflicts] = share(s->conflicts, s->issued);
    values[GP_LEARNED_shared] = share(s->shared, s->issued);
    values[GP_LEARNED_coalesced] = logarithm(1 + share(s->transactions, s->l1_requests));
    values[GP_LEARNED_serialised] = share(s->serialised, s->issued);
    values[GP_LEARNED_linear_ips] = logarithm(s->linear_ips);
    values[GP_LEARNED_ns_ratio] = logarithm(s->ns_ratio);
    values[GP_LEARNED_work_ratio] = logarithm(s->work_ratio);
    values[GP_LEARNED_work_ips] = logarithm(s->work_ips);
}

/* ---- Reading ---- */

static int feature_of(const char *name)
{
    for (int f = 0; f < GP_LEARNED_FEATURE_COUNT; f++)
        if (strcmp(gp_learned_names[f], name) == 0)
            return f;
    return -1;
}

static bool is_scale(double scale) { return isfinite(scale) && scale > 0; }

static bool parse_feature(struct gp_learned *l, const char *line)
{
    char name[32];
    double mean, scale;
    int used = 0;
    if (sscanf(line, "feature %31s %lf %lf %n", name, &mean, &scale, &used) != 3 || line[used] != '\0' || l->has_svr ||
        l->feature_count == GP_LEARNED_FEATURE_COUNT || feature_of(name) < 0 || !isfinite(mean) || !is_scale(scale))
        return false;
    l->features[l->feature_count] = feature_of(name);
    l->mean[l->feature_count] = mean;
    l->scale[l->feature_count++] = scale;
    return true;
}

static bool parse_svr(struct gp_learned *l, const char *line)
{
    int used = 0;
    if (l->has_svr || l->feature_count == 0 ||
        sscanf(line, "svr %lf %lf %lf %lf %n", &l->gamma, &l->rho, &l->target_mean, &l->target_scale, &used) != 4 ||
        line[used] != '\0')
        return false;
    l->has_svr = true;
    return is_scale(l->gamma) && isfinite(l->rho) && isfinite(l->target_mean) && is_scale(l->target_scale);
}

static bool parse_vector(struct gp_learned *l, const char *line)
{
    size_t row = 1 + l->feature_count;
    if (!l->has_svr || l->vector_count == MOST_VECTORS)
        return false;
    if ((l->vector_count & (l->vector_count - 1)) == 0) {
        size_t capacity = l->vector_count == 0 ? 1 : 2 * l->vector_count;
        double *more = realloc(l->vectors, capacity * row * sizeof *more);
        if (more == NULL)
            return false;
        l->vectors = more;
    }
    const char *at = line + strlen("vector");
    for (size_t i = 0; i < row; i++) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || !isfinite(value))
            return false;
        l->vectors[l->vector_count * row + i] = value;
        at = end;
    }
    l->vector_count++;
    return at[strspn(at, " \n")] == '\0';
}

static bool parse_line(struct gp_learned *l, const char *line, int number)
{
    int version = 0;
    if (number == 1)
        return sscanf(line, "gpuperf-learned %d", &version) == 1 && version == VERSION;
    if (number == 2)
        return sscanf(line, "device %63s", l->device) == 1;
    if (l->ended)
        return false;
    if (strncmp(line, "feature ", 8) == 0)
        return parse_feature(l, line);
    if (strncmp(line, "svr ", 4) == 0)
        return parse_svr(l, line);
    if (strncmp(line, "vector ", 7) == 0)
        return parse_vector(l, line);
    l->ended = strcmp(line, "end\n") == 0 && l->vector_count > 0;
    return l->ended;
}

struct gp_learned *gp_learned_load(const char *path, struct gp_error *error)
{
    char line[MOST_LINE];
    int number = 0;
    FILE *file = fopen(path, "r");
    struct gp_learned *l = calloc(1, sizeof *l);
    bool good = file != NULL && l != NULL;
    if (!good)
        gp_fail(error, "cannot read %s: the linear model is used", path);
    while (good && fgets(line, sizeof line, file) != NULL) {
        number++;
        if (!parse_line(l, line, number))
            good = gp_fail(error,
                           number == 1 ? "%s:%d: not a learned model of this version: the linear model is used"
                                       : "%s:%d: a damaged learned model: the linear model is used",
                           path, number);
    }
    if (good && !l->ended)
        good = gp_fail(error, "%s:%d: a learned model that ends too early: the linear model is used", path, number + 1);
    if (file != NULL)
        fclose(file);
    if (good)
        return l;
    gp_learned_free(l);
    return NULL;
}

void gp_learned_free(struct gp_learned *learned)
{
    if (learned != NULL)
        free(learned->vectors);
    free(learned);
}

const char *gp_learned_device(const struct gp_learned *learned) { return learned->device; }

/* ---- Evaluation ---- */

static double distance(const struct gp_learned *l, const double *vector, const double *values)
{
    double sum = 0;
    for (uint32_t f = 0; f < l->feature_count; f++) {
        double d = vector[f] - (values[l->features[f]] - l->mean[f]) / l->scale[f];
        sum += d * d;
    }
    return sum;
}

double gp_learned_ips(const struct gp_learned *l, const double values[GP_LEARNED_FEATURE_COUNT])
{
    double sum = -l->rho;
    for (size_t v = 0; v < l->vector_count; v++) {
        const double *vector = l->vectors + v * (1 + l->feature_count);
        sum += vector[0] * exp(-l->gamma * distance(l, vector + 1, values));
    }
    return exp(values[GP_LEARNED_work_ips] + sum * l->target_scale + l->target_mean);
}

double gp_learned_ns(double issued, double groups, double all, double ips) { return issued * all / groups / ips * 1e9; }
