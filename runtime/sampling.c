/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/sampling.h"

#include <math.h>
#include <string.h>

enum { RUNS = 3, MOST_TRIALS = 3, FIRST_SATURATIONS = 2, SECOND_SATURATIONS = 3 };

/* A part is to take this long, beside which the starts of launches and the clock that reads them do not count. */
static const double SHORTEST_PART_NS = 1e6;

/* Of a launch that may be on trial. */
static const double MOST_ON_TRIAL = 0.25;

/* A size must be faster by this to take another's place; one that is slower by that twice is not tried a third time. */
static const double FASTER = 1.05, HOPELESS = 1.3;

/* ---- Cutting ---- */

static uint64_t common_multiple(uint64_t a, uint64_t b)
{
    uint64_t x = a, y = b;
    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* What the driver chooses divides these, as a rule. */
static uint64_t unit_of(const uint32_t size[3], uint32_t dimension)
{
    return size[0] != 0 ? size[dimension] : dimension == 0 ? 256 : 16;
}

static double all_items(const struct gp_open_launch *launch)
{
    return (double)launch->global[0] * (double)launch->global[1] * (double)launch->global[2];
}

bool gp_cut_launch(const struct gp_open_launch *launch, const uint32_t on_trial[3], const uint32_t at_hand[3],
                   double at_once, double launch_ns, struct gp_cut *cut)
{
    uint32_t d = launch->dims - 1;
    while (d > 0 && launch->global[d] == 1)
        d--;
    uint64_t unit = common_multiple(unit_of(on_trial, d), unit_of(at_hand, d)), range = launch->global[d];
    double items = all_items(launch), row = items / (double)range, saturations = FIRST_SATURATIONS;
    if (!(at_once > 0) || !(launch_ns > 0))
        return false;
    saturations *= fmax(1, ceil(SHORTEST_PART_NS / (saturations * at_once * launch_ns / items)));
    double first = ceil(saturations * at_once / row / (double)unit) * (double)unit;
    double second =
        ceil(saturations * SECOND_SATURATIONS / FIRST_SATURATIONS * at_once / row / (double)unit) * (double)unit;
    if (second <= first)
        second = first + (double)unit;
    if (!(first + second <= MOST_ON_TRIAL * (double)range))
        return false;
    *cut = (struct gp_cut){.dimension = d,
                           .items = {(uint64_t)first, (uint64_t)second, range - (uint64_t)first - (uint64_t)second}};
    return true;
}

/* ---- One trial ---- */

void gp_trial_add(struct gp_trial *trial, const struct gp_cut *cut, const double ns[GP_SAMPLE_PARTS])
{
    double range = 0;
    for (int part = 0; part < GP_SAMPLE_PARTS; part++)
        range += (double)cut->items[part];
    for (int part = 0; part < GP_SAMPLE_PARTS; part++) {
        trial->share[part] = (double)cut->items[part] / range;
        trial->ns[part] = trial->runs == 0 ? ns[part] : fmin(trial->ns[part], ns[part]);
    }
    trial->runs++;
}

double gp_trial_rate_ns(const struct gp_trial *trial)
{
    return (trial->ns[0] + trial->ns[1]) / (trial->share[0] + trial->share[1]);
}

double gp_trial_linear_ns(const struct gp_trial *trial)
{
    double slope = (trial->ns[1] - trial->ns[0]) / (trial->share[1] - trial->share[0]);
    return slope > 0 ? trial->ns[0] + slope * (1 - trial->share[0]) : gp_trial_rate_ns(trial);
}

double gp_trial_at_hand_ns(const struct gp_trial *trial) { return trial->ns[2] / trial->share[2]; }

enum gp_verdict gp_trial_judge(const struct gp_trial *trial)
{
    double at_hand = gp_trial_at_hand_ns(trial), rate = gp_trial_rate_ns(trial);
    if (trial->runs < RUNS) /* the first run may hold a build, or what the caches lack */
        return trial->runs > 1 && rate > HOPELESS * at_hand ? GP_TRIAL_SLOWER : GP_TRIAL_OPEN;
    return gp_trial_linear_ns(trial) * FASTER < at_hand && rate < at_hand ? GP_TRIAL_FASTER : GP_TRIAL_SLOWER;
}

/* ---- All trials ---- */

void gp_sampling_begin(struct gp_sampling *sampling)
{
    *sampling = (struct gp_sampling){.begun = true, .at_hand = 0, .on_trial = GP_SAMPLE_AS_IT_IS};
}

const uint32_t *gp_sampling_size(const struct gp_decision *decision, int index)
{
    return index == GP_SAMPLE_AS_IT_IS ? decision->baseline : decision->alternatives[index].local;
}

double gp_sampling_at_once(const struct gp_decision *decision, int index)
{
    double own = index == GP_SAMPLE_AS_IT_IS ? decision->baseline_at_once : decision->alternatives[index].at_once;
    return own > 0 ? own : decision->alternatives[0].at_once;
}

double gp_sampling_time_ns(const struct gp_sampling *sampling, const struct gp_decision *decision)
{
    int index = sampling->on_trial;
    double predicted = index == GP_SAMPLE_AS_IT_IS ? decision->baseline_ns : decision->alternatives[index].time_ns;
    return sampling->at_hand_ns > 0 ? sampling->at_hand_ns
           : predicted > 0          ? predicted
                                    : decision->alternatives[0].time_ns;
}

/* The decision is what was measured. */
static void conclude(struct gp_sampling *sampling, struct gp_decision *decision)
{
    sampling->over = true;
    if (sampling->at_hand_ns <= 0) /* nothing could be tried */
        return;
    struct gp_alternative kept =
        decision->alternatives[sampling->at_hand == GP_SAMPLE_AS_IT_IS ? 0 : sampling->at_hand];
    kept.time_ns = sampling->at_hand_ns;
    memset(decision->alternatives, 0, sizeof decision->alternatives);
    decision->alternative_count = sampling->at_hand != GP_SAMPLE_AS_IT_IS;
    if (decision->alternative_count > 0)
        decision->alternatives[0] = kept;
    double as_it_is_ns = sampling->at_hand == GP_SAMPLE_AS_IT_IS ? sampling->at_hand_ns : sampling->as_it_is_ns;
    if (as_it_is_ns > 0)
        decision->baseline_ns = as_it_is_ns;
    decision->confidence = decision->known_share = 1;
    decision->sampled = true;
}

bool gp_sampling_skip(struct gp_sampling *sampling, struct gp_decision *decision)
{
    int most = (int)decision->alternative_count < MOST_TRIALS ? (int)decision->alternative_count : MOST_TRIALS;
    sampling->trial = (struct gp_trial){0};
    do /* the first alternative is the one at hand from the beginning */
        sampling->on_trial++;
    while (sampling->on_trial == 0);
    if (sampling->on_trial < most)
        return false;
    conclude(sampling, decision);
    return true;
}

bool gp_sampling_add(struct gp_sampling *sampling, const struct gp_cut *cut, const double ns[GP_SAMPLE_PARTS],
                     struct gp_decision *decision)
{
    struct gp_trial *trial = &sampling->trial;
    gp_trial_add(trial, cut, ns);
    enum gp_verdict verdict = gp_trial_judge(trial);
    if (verdict == GP_TRIAL_OPEN)
        return false;
    sampling->at_hand_ns = verdict == GP_TRIAL_FASTER ? gp_trial_linear_ns(trial) : gp_trial_at_hand_ns(trial);
    if (sampling->on_trial == GP_SAMPLE_AS_IT_IS)
        sampling->as_it_is_ns = gp_trial_linear_ns(trial);
    if (verdict == GP_TRIAL_FASTER)
        sampling->at_hand = sampling->on_trial;
    return gp_sampling_skip(sampling, decision);
}
