/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/sampling.h"

#include <math.h>
#include <string.h>

#include "support/divisor.h"

enum { PASSES = 2, MOST_TRIALS = 3, FIRST_SATURATIONS = 2, SECOND_SATURATIONS = 3 };
enum { WARM_TURNS = GP_SIDES, TURNS_OF_A_PASS = GP_SIDES * GP_WINDOWS, WHOLE_TURNS = 6, OFTEN = 64 };

/* A part is to take this long, beside which the starts of launches and the clock that reads them do not count. */
static const double SHORTEST_PART_NS = 1e6;

/* Launches that cannot be cut are to take this long, and to be made OFTEN, so that what a bad size loses is little. */
static const double SHORTEST_WHOLE_NS = 0.2e6;

/* Of a launch that may be on trial. */
static const double MOST_ON_TRIAL = 0.25;

/* A size must be faster by this to take another's place; one that is slower by that is given up early. */
static const double FASTER = 1.05, HOPELESS = 1.3;

/* Of the time of all launches: what trials may lose that nobody has asked for. */
static const double AFFORDED = 0.01;

/* A gain this many times the predicted one is measured again. */
static const double IMPLAUSIBLE = 2;

/* ---- Cutting ---- */

/* What the driver chooses divides these, as a rule. */
static uint64_t unit_of(const uint32_t size[3], uint32_t dimension)
{
    return size[0] != 0 ? size[dimension] : dimension == 0 ? 256 : 16;
}

static double all_items(const struct gp_open_launch *launch)
{
    return (double)launch->global[0] * (double)launch->global[1] * (double)launch->global[2];
}

/* The last of those with most groups; *unit: whole groups of both sizes along it. */
static uint32_t dimension_to_cut(const struct gp_open_launch *launch, const uint32_t on_trial[3],
                                 const uint32_t at_hand[3], uint64_t *unit)
{
    uint32_t best = 0;
    *unit = 0;
    for (uint32_t d = 0; d < launch->dims; d++) {
        uint64_t own = gp_common_multiple(unit_of(on_trial, d), unit_of(at_hand, d));
        if (*unit == 0 || launch->global[d] / own >= launch->global[best] / *unit) {
            best = d;
            *unit = own;
        }
    }
    return best;
}

/* Items before a window: windows are a third of what is not on trial apart. */
static uint64_t place_of(uint32_t window, uint64_t others, uint64_t unit)
{
    static const uint32_t thirds[GP_WINDOWS] = {1, 3, 0, 2};
    return others / unit * thirds[window % GP_WINDOWS] / (GP_WINDOWS - 1) * unit;
}

bool gp_cut_launch(const struct gp_open_launch *launch, const uint32_t on_trial[3], const uint32_t at_hand[3],
                   double at_once, double launch_ns, uint32_t window, struct gp_cut *cut)
{
    uint64_t unit;
    uint32_t d = dimension_to_cut(launch, on_trial, at_hand, &unit);
    uint64_t range = launch->global[d];
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
    uint64_t others = range - (uint64_t)first - (uint64_t)second, before = place_of(window, others, unit);
    *cut = (struct gp_cut){.dimension = d, .items = {before, (uint64_t)first, (uint64_t)second, others - before}};
    return true;
}

struct gp_cut gp_cut_nothing(const struct gp_open_launch *launch)
{
    return (struct gp_cut){.dimension = 0, .items = {0, 0, 0, launch->global[0]}};
}

/* ---- One trial ---- */

/* Each two launches make a pair, and pairs begin with either side in turn, so that what drifts does so for both. */
static enum gp_side side_of(uint32_t turn) { return (turn + turn / 2) % 2 == 0 ? GP_ON_TRIAL : GP_AT_HAND; }

static bool is_warm(const struct gp_trial *trial) { return trial->turns >= WARM_TURNS; }

struct gp_turn gp_trial_next(const struct gp_trial *trial)
{
    if (!is_warm(trial))
        return (struct gp_turn){.whole = trial->whole, .side = side_of(trial->turns)};
    if (trial->whole)
        return (struct gp_turn){.whole = true, .side = side_of(trial->whole_turns)};
    uint32_t turn = trial->turns - WARM_TURNS;
    return (struct gp_turn){.side = side_of(turn), .window = turn / GP_SIDES % GP_WINDOWS};
}

static double shorter(double known, double ns) { return known > 0 ? fmin(known, ns) : ns; }

static void add_window(struct gp_trial *trial, struct gp_turn turn, const struct gp_cut *cut, const double *ns)
{
    double range = 0, all = 0;
    for (int part = 0; part < GP_SAMPLE_PARTS; part++) {
        range += (double)cut->items[part];
        all += cut->items[part] > 0 ? ns[part] : 0;
    }
    for (int part = 0; part < GP_WINDOW_PARTS; part++) {
        double *known = &trial->ns[turn.window][turn.side][part];
        trial->share[part] = (double)cut->items[GP_WINDOW + part] / range;
        *known = shorter(*known, ns[GP_WINDOW + part]);
    }
    if (turn.side == GP_AT_HAND)
        trial->launch_ns = shorter(trial->launch_ns, all);
}

void gp_trial_add(struct gp_trial *trial, const struct gp_cut *cut, const double ns[GP_SAMPLE_PARTS])
{
    struct gp_turn turn = gp_trial_next(trial);
    bool counts = is_warm(trial);
    if (counts && turn.whole)
        trial->whole_ns[turn.side] = shorter(trial->whole_ns[turn.side], ns[GP_SAMPLE_PARTS - 1]);
    else if (counts)
        add_window(trial, turn, cut, ns);
    trial->turns += !counts || !turn.whole;
    trial->whole_turns += counts && turn.whole;
}

static double window_ns(const struct gp_trial *trial, int window, enum gp_side side)
{
    return trial->ns[window][side][0] + trial->ns[window][side][1];
}

/* Timed with both sizes. */
static bool is_complete(const struct gp_trial *trial, int window)
{
    return window_ns(trial, window, GP_ON_TRIAL) > 0 && window_ns(trial, window, GP_AT_HAND) > 0;
}

double gp_trial_linear_ns(const struct gp_trial *trial, enum gp_side side)
{
    double first = 0, second = 0;
    int windows = 0;
    for (int w = 0; w < GP_WINDOWS; w++) {
        first += trial->ns[w][side][0];
        second += trial->ns[w][side][1];
        windows += trial->ns[w][side][1] > 0;
    }
    if (windows == 0)
        return 0;
    double slope = (second - first) / windows / (trial->share[1] - trial->share[0]);
    return slope > 0 ? first / windows + slope * (1 - trial->share[0])
                     : (first + second) / windows / (trial->share[0] + trial->share[1]);
}

double gp_trial_ratio(const struct gp_trial *trial)
{
    double sum[GP_SIDES] = {trial->whole_ns[GP_ON_TRIAL], trial->whole_ns[GP_AT_HAND]};
    for (int w = 0; !trial->whole && w < GP_WINDOWS; w++)
        for (int side = 0; side < GP_SIDES && is_complete(trial, w); side++)
            sum[side] += window_ns(trial, w, side);
    return sum[GP_ON_TRIAL] > 0 && sum[GP_AT_HAND] > 0 ? sum[GP_ON_TRIAL] / sum[GP_AT_HAND] : 1;
}

double gp_trial_unevenness(const struct gp_trial *trial)
{
    int least = -1, most = -1;
    for (int w = 0; w < GP_WINDOWS; w++) {
        double ns = window_ns(trial, w, GP_AT_HAND);
        if (!is_complete(trial, w))
            continue;
        least = least < 0 || ns < window_ns(trial, least, GP_AT_HAND) ? w : least;
        most = most < 0 || ns > window_ns(trial, most, GP_AT_HAND) ? w : most;
    }
    if (most < 0)
        return 1;
    double by_hand = window_ns(trial, most, GP_AT_HAND) / window_ns(trial, least, GP_AT_HAND),
           by_trial = window_ns(trial, most, GP_ON_TRIAL) / window_ns(trial, least, GP_ON_TRIAL);
    return fmax(1, fmin(by_hand, by_trial));
}

static bool is_implausible(double ratio, double expected)
{
    return ratio * IMPLAUSIBLE < (expected > 0 && expected < 1 ? expected : 1);
}

static enum gp_verdict judge_whole(const struct gp_trial *trial, double expected)
{
    double ratio = gp_trial_ratio(trial);
    uint32_t enough = is_implausible(ratio, expected) ? 2 * WHOLE_TURNS : WHOLE_TURNS;
    if (trial->whole_turns >= 2 * GP_SIDES && trial->whole_turns % GP_SIDES == 0 && ratio > HOPELESS)
        return GP_TRIAL_SLOWER;
    if (trial->whole_turns < enough)
        return GP_TRIAL_OPEN;
    return ratio * FASTER < 1 ? GP_TRIAL_FASTER : GP_TRIAL_SLOWER;
}

/* Hopeless is what was slow in two windows and more, and one of them was not just disturbed. */
static enum gp_verdict judge_windows(const struct gp_trial *trial)
{
    uint32_t counted = is_warm(trial) ? trial->turns - WARM_TURNS : 0;
    double ratio = gp_trial_ratio(trial);
    if (counted % GP_SIDES != 0 || counted < 2 * GP_SIDES)
        return GP_TRIAL_OPEN;
    if (ratio > HOPELESS && (counted >= TURNS_OF_A_PASS || ratio > HOPELESS * HOPELESS))
        return GP_TRIAL_SLOWER;
    if (counted < PASSES * TURNS_OF_A_PASS)
        return GP_TRIAL_OPEN;
    return ratio * FASTER < 1 ? GP_TRIAL_FASTER : GP_TRIAL_SLOWER;
}

enum gp_verdict gp_trial_judge(struct gp_trial *trial, double expected)
{
    if (trial->whole)
        return judge_whole(trial, expected);
    enum gp_verdict verdict = judge_windows(trial);
    if (verdict != GP_TRIAL_FASTER)
        return verdict;
    trial->whole = true;
    return GP_TRIAL_OPEN;
}

/* ---- All trials ---- */

bool gp_sampling_has_trials(const struct gp_decision *decision)
{
    return decision->alternative_count + decision->trial_count > 0;
}

void gp_sampling_begin(struct gp_sampling *sampling, const struct gp_decision *decision)
{
    bool chosen = decision->alternative_count > 0;
    *sampling = (struct gp_sampling){.begun = true,
                                     .at_hand = chosen ? 0 : GP_SAMPLE_AS_IT_IS,
                                     .on_trial = chosen ? GP_SAMPLE_AS_IT_IS : 0,
                                     .predicted = *decision};
}

const struct gp_alternative *gp_sampling_of(const struct gp_decision *decision, int index)
{
    int chosen = (int)decision->alternative_count;
    return index == GP_SAMPLE_AS_IT_IS ? NULL
           : index < chosen            ? &decision->alternatives[index]
                                       : &decision->trials[index - chosen];
}

const uint32_t *gp_sampling_size(const struct gp_decision *decision, int index)
{
    return index == GP_SAMPLE_AS_IT_IS ? decision->baseline : gp_sampling_of(decision, index)->local;
}

double gp_sampling_at_once(const struct gp_decision *decision, int index)
{
    double own = index == GP_SAMPLE_AS_IT_IS ? decision->baseline_at_once : gp_sampling_of(decision, index)->at_once;
    return own > 0 ? own : gp_sampling_of(decision, 0)->at_once;
}

static double predicted_ns(const struct gp_decision *decision, int index)
{
    return index == GP_SAMPLE_AS_IT_IS ? decision->baseline_ns : gp_sampling_of(decision, index)->time_ns;
}

double gp_sampling_time_ns(const struct gp_sampling *sampling, const struct gp_decision *decision)
{
    double predicted = predicted_ns(decision, sampling->on_trial);
    return sampling->at_hand_ns > 0 ? sampling->at_hand_ns
           : predicted > 0          ? predicted
                                    : gp_sampling_of(decision, 0)->time_ns;
}

struct gp_turn gp_sampling_next(const struct gp_sampling *sampling)
{
    if (!sampling->checking && sampling->looks < GP_SAMPLE_LOOKS)
        return (struct gp_turn){.whole = true, .side = GP_AT_HAND};
    return gp_trial_next(&sampling->trial);
}

bool gp_sampling_affords(struct gp_sampling *sampling)
{
    double afforded = AFFORDED * (double)++sampling->seen - MOST_ON_TRIAL; /* launches */
    return afforded >= 0 && sampling->lost_ns <= afforded * sampling->at_hand_ns;
}

bool gp_sampling_may_take_wholes(const struct gp_sampling *sampling)
{
    return sampling->at_hand_ns >= SHORTEST_WHOLE_NS;
}

bool gp_sampling_take_wholes(struct gp_sampling *sampling)
{
    if (++sampling->launches < OFTEN)
        return false;
    sampling->trial.whole = true;
    return true;
}

/* The decision is what was measured. */
static void conclude(struct gp_sampling *sampling, struct gp_decision *decision)
{
    sampling->over = true;
    sampling->launches = 0;
    if (!sampling->tried) /* nothing could be */
        return;
    bool replaced = sampling->at_hand != GP_SAMPLE_AS_IT_IS;
    struct gp_alternative kept = replaced ? *gp_sampling_of(decision, sampling->at_hand) : (struct gp_alternative){0};
    kept.time_ns = sampling->at_hand_ns;
    memset(decision->alternatives, 0, sizeof decision->alternatives);
    memset(decision->trials, 0, sizeof decision->trials);
    decision->trial_count = 0;
    decision->alternative_count = replaced;
    if (replaced)
        decision->alternatives[0] = kept;
    double as_it_is_ns = replaced ? sampling->as_it_is_ns : sampling->at_hand_ns;
    if (as_it_is_ns > 0)
        decision->baseline_ns = as_it_is_ns;
    decision->confidence = decision->known_share = 1;
    decision->sampled = true;
}

bool gp_sampling_skip(struct gp_sampling *sampling, struct gp_decision *decision)
{
    int all = (int)(decision->alternative_count + decision->trial_count), most = all < MOST_TRIALS ? all : MOST_TRIALS,
        first = decision->alternative_count > 0 ? 0 : -1;
    sampling->trial = (struct gp_trial){0};
    do /* what was at hand from the beginning has had its turn */
        sampling->on_trial++;
    while (sampling->on_trial == first);
    if (sampling->on_trial < most)
        return false;
    conclude(sampling, decision);
    return true;
}

/* Of the size at hand, then of that on trial. */
static void take_times(struct gp_sampling *sampling, bool faster)
{
    const struct gp_trial *trial = &sampling->trial;
    double at_hand = trial->whole_ns[GP_AT_HAND] > 0 ? trial->whole_ns[GP_AT_HAND] : trial->launch_ns,
           on_trial = trial->whole_ns[GP_ON_TRIAL] > 0 ? trial->whole_ns[GP_ON_TRIAL] : at_hand * gp_trial_ratio(trial);
    sampling->tried = true;
    if (sampling->on_trial == GP_SAMPLE_AS_IT_IS)
        sampling->as_it_is_ns = on_trial;
    if (sampling->at_hand == GP_SAMPLE_AS_IT_IS)
        sampling->as_it_is_ns = at_hand;
    sampling->at_hand_ns = faster ? on_trial : at_hand;
    sampling->unevenness = fmax(sampling->unevenness, gp_trial_unevenness(trial));
}

static double sum_of(const double ns[GP_SAMPLE_PARTS]) { return ns[0] + ns[1] + ns[2] + ns[3]; }

bool gp_sampling_add(struct gp_sampling *sampling, const struct gp_cut *cut, const double ns[GP_SAMPLE_PARTS],
                     struct gp_decision *decision)
{
    struct gp_trial *trial = &sampling->trial;
    if (sampling->looks < GP_SAMPLE_LOOKS) {
        sampling->at_hand_ns = shorter(sampling->at_hand_ns, ns[GP_SAMPLE_PARTS - 1]);
        sampling->looks++;
        return false;
    }
    sampling->lost_ns += fmax(0, sum_of(ns) - sampling->at_hand_ns);
    double of_trial = predicted_ns(decision, sampling->on_trial), of_hand = predicted_ns(decision, sampling->at_hand);
    gp_trial_add(trial, cut, ns);
    enum gp_verdict verdict = gp_trial_judge(trial, of_hand > 0 ? of_trial / of_hand : 0);
    if (verdict == GP_TRIAL_OPEN)
        return false;
    take_times(sampling, verdict == GP_TRIAL_FASTER);
    if (verdict == GP_TRIAL_FASTER)
        sampling->at_hand = sampling->on_trial;
    return gp_sampling_skip(sampling, decision);
}

/* ---- Whether it still holds ---- */

enum { FIRST_CHECK = 256, FIRST_CHECK_OF_CACHED = 32, LAST_CHECK = 1 << 20 };

bool gp_sampling_check_is_due(struct gp_sampling *sampling, const struct gp_decision *decision, bool from_cache)
{
    if (sampling->checking)
        return true;
    if (decision->alternative_count == 0) /* as it is: nothing was replaced */
        return false;
    if (sampling->check_after == 0) {
        double gain = decision->baseline_ns / decision->alternatives[0].time_ns;
        double launches = (from_cache ? FIRST_CHECK_OF_CACHED : FIRST_CHECK) * fmax(1, gain);
        sampling->check_after = launches < LAST_CHECK ? (uint64_t)launches : LAST_CHECK;
    }
    if (++sampling->launches < sampling->check_after)
        return false;
    sampling->checking = true;
    sampling->at_hand = 0;
    sampling->on_trial = GP_SAMPLE_AS_IT_IS;
    sampling->trial = (struct gp_trial){.whole = true};
    return true;
}

void gp_sampling_end_check(struct gp_sampling *sampling)
{
    sampling->checking = false;
    sampling->launches = 0;
    sampling->check_after = sampling->check_after < LAST_CHECK ? 2 * sampling->check_after : LAST_CHECK;
}

static void forget(struct gp_sampling *sampling, struct gp_decision *decision)
{
    if (sampling->begun) {
        *decision = sampling->predicted;
        *sampling = (struct gp_sampling){0};
        return;
    }
    decision->alternative_count = 0;
    decision->sampled = false;
    *sampling = (struct gp_sampling){.over = true};
}

enum gp_check gp_sampling_add_check(struct gp_sampling *sampling, const struct gp_cut *cut,
                                    const double ns[GP_SAMPLE_PARTS], struct gp_decision *decision)
{
    gp_trial_add(&sampling->trial, cut, ns);
    enum gp_verdict verdict = gp_trial_judge(&sampling->trial, 1);
    if (verdict == GP_TRIAL_OPEN)
        return GP_CHECK_OPEN;
    if (verdict == GP_TRIAL_FASTER) {
        forget(sampling, decision);
        return GP_CHECK_FORGOTTEN;
    }
    gp_sampling_end_check(sampling);
    return GP_CHECK_HOLDS;
}
