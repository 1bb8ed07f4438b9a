/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/decision.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/assume/vectors.h"
#include "support/text.h"

/*
 * Below these the model's order of sizes says little. On an H200 the 172 sizes of 40 kernels that were predicted 2 to
 * 10 percent faster than the driver's were so by 0.5 percent on average, and a fifth of them more than 5 percent
 * slower; the 123 predicted 10 to 20 percent faster were so by 11. Sizes that a CPU takes equally long for are
 * predicted up to a quarter apart (bench/cpu/choices.c).
 */
static const double GPU_GAIN = 0.10, CPU_GAIN = 0.25;

/* Below this confidence sizes are worth trying that the model does not promise a gain of. */
static const double LITTLE_CONFIDENCE = 0.5;

uint64_t gp_integer_bucket(int64_t value)
{
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    if (magnitude <= 256)
        return (uint64_t)value;
    unsigned exponent = 63 - (unsigned)__builtin_clzll(magnitude);
    uint64_t eighth = magnitude >> (exponent - 3) & 7;
    unsigned zeros = (unsigned)__builtin_ctzll(magnitude);
    return UINT64_C(1) << 32 | (uint64_t)(value < 0) << 24 | (uint64_t)exponent << 16 | eighth << 8 |
           (zeros < 7 ? zeros : 7);
}

static int64_t integer_value(const struct gp_param *param, uint64_t bits)
{
    unsigned width = param->bits;
    if (width == 0 || width >= 64)
        return (int64_t)bits;
    bits &= (UINT64_C(1) << width) - 1;
    bool negative = (param->flags & GP_PARAM_SIGNED) && bits >> (width - 1);
    return (int64_t)(negative ? bits | ~((UINT64_C(1) << width) - 1) : bits);
}

/* The number that the program passes for a parameter; false: it is none, or not known. */
static bool known_number(const struct gp_param *param, const struct gp_raw_argument *argument, uint64_t *value)
{
    bool number =
        (param->kind == GP_PARAM_INT || param->kind == GP_PARAM_FLOAT) && argument->set && !argument->no_value;
    if (number && (param->flags & GP_PARAM_ELEMENT))
        return argument->size <= sizeof argument->bytes &&
               gp_element_of_bytes(param, argument->bytes, argument->size, value);
    *value = argument->value;
    return number && argument->size <= 8;
}

/* Sign, exponent and the first three bits of the fraction of an IEEE 754 number of 16, 32 or 64 bits. */
static uint64_t float_bucket(const struct gp_param *param, uint64_t bits)
{
    unsigned dropped = param->bits == 64 ? 49 : param->bits == 16 ? 7 : 20;
    return bits >> dropped;
}

static void hash_argument(struct gp_hasher *hasher, const struct gp_param *param,
                          const struct gp_raw_argument *argument, bool scalars)
{
    uint64_t value;
    if (param->kind == GP_PARAM_LOCAL) {
        gp_hash_add_u64(hasher, argument->size);
    } else if (param->kind == GP_PARAM_IMAGE) {
        gp_hash_add_u64(hasher, argument->texel_bytes);
    } else if (scalars && param->flags & GP_PARAM_SKELETON && known_number(param, argument, &value)) {
        gp_hash_add_u64(hasher, 1);
        gp_hash_add_u64(hasher, param->kind == GP_PARAM_INT ? gp_integer_bucket(integer_value(param, value))
                                                            : float_bucket(param, value));
    } else {
        gp_hash_add_u64(hasher, 0);
    }
}

/* What the program set a parameter by: the argument of its number, or that of the vector of which it is an element;
 * NULL: nothing. */
static const struct gp_raw_argument *argument_of(const struct gp_kernel *kernel, const struct gp_open_launch *launch,
                                                 uint32_t param)
{
    uint32_t from = kernel->params[param].flags & GP_PARAM_ELEMENT ? kernel->params[param].vector : param;
    return from < launch->argument_count ? &launch->arguments[from] : NULL;
}

static struct gp_hash launch_key(const struct gp_hash *kernel_key, const struct gp_kernel *kernel,
                                 const struct gp_open_launch *launch, bool scalars)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add_u64(&hasher, kernel_key->word[0]);
    gp_hash_add_u64(&hasher, kernel_key->word[1]);
    gp_hash_add_u64(&hasher, launch->dims | (uint64_t)launch->uniform << 8 | (uint64_t)launch->explicit_local << 9);
    gp_hash_add_u64(&hasher, launch->max_group);
    for (int d = 0; d < 3; d++) {
        gp_hash_add_u64(&hasher, launch->global[d]);
        gp_hash_add_u64(&hasher, (uint64_t)launch->baseline[d] << 1 | (launch->offset[d] != 0));
    }
    for (uint32_t i = 0; i < kernel->param_count; i++)
        if (argument_of(kernel, launch, i) != NULL)
            hash_argument(&hasher, &kernel->params[i], argument_of(kernel, launch, i), scalars);
    return gp_hash_end(&hasher);
}

struct gp_hash gp_decision_key(const struct gp_hash *kernel_key, const struct gp_kernel *kernel,
                               const struct gp_open_launch *launch)
{
    return launch_key(kernel_key, kernel, launch, true);
}

struct gp_hash gp_family_key(const struct gp_hash *kernel_key, const struct gp_kernel *kernel,
                             const struct gp_open_launch *launch)
{
    return launch_key(kernel_key, kernel, launch, false);
}

static void model_launch(const struct gp_kernel *kernel, const struct gp_open_launch *open, struct gp_launch *launch)
{
    *launch = (struct gp_launch){.dims = open->dims, .assumed_trip_count = GP_DEFAULT_TRIP_COUNT, .local = {1, 1, 1}};
    memcpy(launch->global, open->global, sizeof launch->global);
    memcpy(launch->offset, open->offset, sizeof launch->offset);
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        const struct gp_raw_argument *from = argument_of(kernel, open, i);
        uint64_t value;
        if (from == NULL)
            continue;
        if (kernel->params[i].kind == GP_PARAM_LOCAL)
            launch->arguments[i].bytes = from->size;
        else if (kernel->params[i].kind == GP_PARAM_IMAGE)
            launch->arguments[i].bytes = from->texel_bytes;
        else if (known_number(&kernel->params[i], from, &value))
            launch->arguments[i] = (struct gp_argument){.known = true, .value = value};
    }
}

bool gp_is_worth_leaving(const struct gp_device *device, double baseline_ns, double time_ns, double known_share)
{
    double least_gain = device->arch == GP_ARCH_CPU ? CPU_GAIN : GPU_GAIN;
    return time_ns > 0 && (baseline_ns / time_ns - 1) * known_share >= least_gain;
}

static double items_at_once(const struct gp_prediction *p)
{
    return p->waves > 0 ? (double)p->global[0] * (double)p->global[1] * (double)p->global[2] / p->waves : 0;
}

static struct gp_alternative alternative_of(const struct gp_prediction *p)
{
    return (struct gp_alternative){
        .local = {p->local[0], p->local[1], p->local[2]}, .time_ns = p->time_ns, .at_once = items_at_once(p)};
}

static bool is_same_size(const uint32_t a[3], const uint32_t b[3]) { return memcmp(a, b, 3 * sizeof *a) == 0; }

/*
 * Keeps the candidates that are worth leaving the baseline for. Without a known baseline that is the best one, where it
 * matters which one it is: where all take equally long, or there is only one, the driver may know a better one that is
 * no candidate, and cannot do worse.
 */
static void keep_alternatives(const struct gp_ranking *ranking, const struct gp_device *device,
                              struct gp_decision *decision)
{
    bool known = decision->baseline_ns > 0;
    double reference_ns = known ? decision->baseline_ns : decision->worst_ns;
    for (size_t i = 0; i < ranking->count && decision->alternative_count < (known ? GP_MAX_ALTERNATIVES : 1); i++) {
        const struct gp_prediction *p = &ranking->predictions[i];
        if (gp_is_worth_leaving(device, reference_ns, p->time_ns, p->known_share))
            decision->alternatives[decision->alternative_count++] = alternative_of(p);
    }
}

static bool is_kept(const struct gp_decision *decision, const uint32_t local[3])
{
    for (uint32_t i = 0; i < decision->alternative_count; i++)
        if (is_same_size(decision->alternatives[i].local, local))
            return true;
    for (uint32_t i = 0; i < decision->trial_count; i++)
        if (is_same_size(decision->trials[i].local, local))
            return true;
    return is_same_size(decision->baseline, local);
}

static double doublings(const uint32_t local[3]) { return log2((double)local[0] * local[1] * local[2]); }

/* Of candidates that are predicted about as good as the best, the one whose groups differ most from the baseline's in
 * size; NULL: none is left. */
static const struct gp_prediction *most_different(const struct gp_ranking *ranking, const struct gp_decision *decision)
{
    const double as_good = 1.5;
    const struct gp_prediction *found = NULL;
    double most = -1, baseline = doublings(decision->baseline);
    for (size_t i = 0; i < ranking->count; i++) {
        const struct gp_prediction *p = &ranking->predictions[i];
        double difference = fabs(doublings(p->local) - baseline);
        if (p->time_ns > as_good * ranking->predictions[0].time_ns || difference <= most || is_kept(decision, p->local))
            continue;
        found = p;
        most = difference;
    }
    return found;
}

static const struct gp_prediction *best_left(const struct gp_ranking *ranking, const struct gp_decision *decision)
{
    for (size_t i = 0; i < ranking->count; i++)
        if (!is_kept(decision, ranking->predictions[i].local))
            return &ranking->predictions[i];
    return NULL;
}

static void add_trial(struct gp_decision *decision, const struct gp_prediction *p)
{
    if (p != NULL)
        decision->trials[decision->trial_count++] = alternative_of(p);
}

/* Where the model knows little: the best of the others, and one that is quite another. */
static void keep_trials(const struct gp_ranking *ranking, struct gp_decision *decision)
{
    if (decision->confidence >= LITTLE_CONFIDENCE || decision->baseline[0] == 0)
        return;
    add_trial(decision, best_left(ranking, decision));
    add_trial(decision, most_different(ranking, decision));
}

bool gp_decide(const struct gp_profile *profile, const struct gp_kernel *kernel, const struct gp_device *device,
               bool foreign_target, const struct gp_open_launch *open, const int *cancelled,
               struct gp_decision *decision, struct gp_error *error)
{
    struct gp_launch launch;
    model_launch(kernel, open, &launch);
    struct gp_choose_request request = {.profile = profile,
                                        .kernel = kernel,
                                        .device = device,
                                        .launch = &launch,
                                        .uniform = open->uniform,
                                        .max_group = open->max_group,
                                        .foreign_target = foreign_target,
                                        .cancelled = cancelled};
    memcpy(request.max_sizes, open->max_sizes, sizeof request.max_sizes);
    memcpy(request.also, open->baseline, sizeof request.also);
    struct gp_ranking ranking;
    if (!gp_choose(&request, &ranking, error))
        return false;
    *decision = (struct gp_decision){.confidence = ranking.predictions[0].confidence,
                                     .known_share = ranking.predictions[0].known_share,
                                     .worst_ns = ranking.predictions[ranking.count - 1].time_ns};
    memcpy(decision->baseline, open->baseline, sizeof decision->baseline);
    const struct gp_prediction *baseline = open->baseline[0] ? gp_ranking_find(&ranking, open->baseline) : NULL;
    bool known = open->baseline[0] == 0 || baseline != NULL;
    if (known) {
        decision->baseline_ns = baseline != NULL ? baseline->time_ns : 0;
        decision->baseline_at_once = baseline != NULL ? items_at_once(baseline) : 0;
        keep_alternatives(&ranking, device, decision);
        keep_trials(&ranking, decision);
    }
    gp_ranking_free(&ranking);
    return known ? true : gp_fail(error, "the model has no time for the size that the launch would take anyway");
}

/* Alternatives are in the order of their times: the first of its kind is the fastest. */
static const struct gp_alternative *first_that_is(bool built, const struct gp_decision *decision, gp_is_built *is_built,
                                                  const void *context)
{
    for (uint32_t i = 0; i < decision->alternative_count; i++)
        if (is_built(context, decision->alternatives[i].local) == built)
            return &decision->alternatives[i];
    return NULL;
}

struct gp_pick gp_decision_pick(const struct gp_decision *decision, const struct gp_device *device, bool builds,
                                gp_is_built *is_built, const void *context)
{
    const struct gp_alternative *best = decision->alternative_count > 0 ? &decision->alternatives[0] : NULL;
    if (best == NULL || decision->baseline_ns <= 0 || !builds || !is_built(context, decision->baseline))
        return (struct gp_pick){.taken = best};
    struct gp_pick pick = {.taken = first_that_is(true, decision, is_built, context),
                           .wanted = first_that_is(false, decision, is_built, context)};
    double taken_ns = pick.taken != NULL ? pick.taken->time_ns : decision->baseline_ns;
    if (pick.wanted != NULL && gp_is_worth_leaving(device, taken_ns, pick.wanted->time_ns, decision->known_share))
        pick.lost_ns = taken_ns - pick.wanted->time_ns;
    else
        pick.wanted = NULL;
    return pick;
}

/* ---- Text ---- */

static void print_one(struct gp_text *text, char kind, const uint32_t local[3], double time_ns, double at_once)
{
    gp_text_printf(text, "%c%ux%ux%u %.9g %.9g", kind, local[0], local[1], local[2], time_ns, at_once);
}

char *gp_decision_print(const struct gp_decision *decision)
{
    struct gp_text text = {0};
    gp_text_printf(&text, "%s %.9g %.9g %.9g", decision->sampled ? "sampled" : "predicted", decision->confidence,
                   decision->known_share, decision->worst_ns);
    print_one(&text, ';', decision->baseline, decision->baseline_ns, decision->baseline_at_once);
    for (uint32_t i = 0; i < decision->alternative_count; i++)
        print_one(&text, ';', decision->alternatives[i].local, decision->alternatives[i].time_ns,
                  decision->alternatives[i].at_once);
    for (uint32_t i = 0; i < decision->trial_count; i++)
        print_one(&text, '?', decision->trials[i].local, decision->trials[i].time_ns, decision->trials[i].at_once);
    return gp_text_take(&text);
}

static bool is_time(double value) { return isfinite(value) && value >= 0; }

static bool parse_one(const char **at, uint32_t local[3], double *time_ns, double *at_once)
{
    int used = 0;
    if (sscanf(*at, "%*1[;?]%10ux%10ux%10u %lf %lf%n", &local[0], &local[1], &local[2], time_ns, at_once, &used) != 5 ||
        !is_time(*time_ns) || !is_time(*at_once))
        return false;
    *at += used;
    return true;
}

/* Sizes of one kind, as many as there are. */
static bool parse_list(const char **at, char kind, struct gp_alternative *list, uint32_t most, uint32_t *count)
{
    for (; **at == kind; ++*count) {
        struct gp_alternative *a = &list[*count];
        if (*count == most || !parse_one(at, a->local, &a->time_ns, &a->at_once) || a->local[0] == 0 ||
            a->local[1] == 0 || a->local[2] == 0)
            return false;
    }
    return true;
}

bool gp_decision_parse(const char *text, struct gp_decision *decision)
{
    int used = 0;
    char origin[10];
    *decision = (struct gp_decision){0};
    if (sscanf(text, "%9[a-z] %lf %lf %lf%n", origin, &decision->confidence, &decision->known_share,
               &decision->worst_ns, &used) != 4 ||
        (strcmp(origin, "sampled") != 0 && strcmp(origin, "predicted") != 0) || !is_time(decision->confidence) ||
        decision->confidence > 1 || !is_time(decision->known_share) || decision->known_share > 1 ||
        !is_time(decision->worst_ns))
        return false;
    text += used;
    decision->sampled = origin[0] == 's';
    if (!parse_one(&text, decision->baseline, &decision->baseline_ns, &decision->baseline_at_once))
        return false;
    return parse_list(&text, ';', decision->alternatives, GP_MAX_ALTERNATIVES, &decision->alternative_count) &&
           parse_list(&text, '?', decision->trials, GP_MAX_TRIALS, &decision->trial_count) && *text == '\0';
}

void gp_print_size(const uint64_t size[3], uint32_t dims, char *text, size_t capacity)
{
    int used = snprintf(text, capacity, "%llu", (unsigned long long)size[0]);
    for (uint32_t d = 1; d < dims && d < 3 && used > 0 && (size_t)used < capacity; d++)
        used += snprintf(text + used, capacity - (size_t)used, "x%llu", (unsigned long long)size[d]);
}

void gp_print_local(const uint32_t local[3], uint32_t dims, char *text, size_t capacity)
{
    uint64_t size[3] = {local[0], local[1], local[2]};
    gp_print_size(size, dims, text, capacity);
}
