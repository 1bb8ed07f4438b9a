/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Confidence and range: the measured rows behind them, and what is not known besides. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/predict/calibration.h"
#include "model/predict/how_sure.h"

static const struct gp_unknown nothing = {0, 0}, twice = {0.693, 0.693};

static struct gp_prediction prediction_of(const char *path)
{
    struct gp_prediction p = {.time_ns = 1000};
    gp_find_evidence(path, &p.basis.evidence);
    gp_take_unknown(&p, nothing, nothing);
    return p;
}

static void paths_go_from_coarse_to_fine(void **state)
{
    (void)state;
    char path[GP_CELL_TEXT];
    struct gp_circumstances c = {
        .arch = GP_ARCH_HOPPER, .limiter = GP_LIMITER_DRAM, .known_share = 1, .transactions = 4};
    gp_circumstances_path(&c, path);
    assert_string_equal(path, "nvidia/known/coalesced/memory/estimated/hopper");
    c = (struct gp_circumstances){
        .arch = GP_ARCH_RDNA, .limiter = GP_LIMITER_LAUNCH, .known_share = 0.3, .transactions = 32, .compiled = true};
    gp_circumstances_path(&c, path);
    assert_string_equal(path, "amd/guessed/scattered/waits/compiled/rdna");
    c.spills = true;
    gp_circumstances_path(&c, path);
    assert_string_equal(path, "amd/guessed/scattered/waits/spills/rdna");
}

/* What has too few rows is told by its parent; another kind of processor by all rows, which know little of it. */
static void cells_without_rows_use_their_parents(void **state)
{
    (void)state;
    struct gp_evidence of, parent;
    gp_find_evidence("nvidia/known/coalesced/memory/spills/tesla1", &of);
    gp_find_evidence("nvidia/known/coalesced/memory", &parent);
    assert_string_equal(of.cell, parent.cell);
    assert_true(of.rows == parent.rows && of.rows >= 30);
    gp_find_evidence("npu/known", &of);
    assert_string_equal(of.cell, "all");
    assert_true(of.confidence < 0.5);
    gp_find_evidence("nvidiax/known", &of);
    assert_string_equal(of.cell, "all");
}

static void known_times_are_surer_than_guessed_ones(void **state)
{
    (void)state;
    struct gp_prediction known = prediction_of("nvidia/known/coalesced/pipes/compiled/hopper"),
                         guessed = prediction_of("nvidia/guessed/scattered/memory/compiled/hopper"),
                         cpu = prediction_of("cpu/known/coalesced/memory/estimated/cpu");
    assert_true(known.confidence > 0.8 && guessed.confidence < 0.5 && cpu.confidence < 0.5);
    assert_true(known.time_ns_low < 1000 && known.time_ns_high > 1000);
    assert_true(known.time_ns_high / known.time_ns_low < 2.5);
    assert_true(guessed.time_ns_high / guessed.time_ns_low > 2.5);
}

static void what_is_not_known_widens_the_range(void **state)
{
    (void)state;
    struct gp_prediction known = prediction_of("nvidia/known/coalesced/pipes/compiled/hopper"), assumed = known,
                         other = known;
    gp_take_unknown(&assumed, nothing, twice);
    gp_take_unknown(&other, twice, twice);
    assert_true(assumed.confidence < 0.6 * known.confidence && other.confidence < assumed.confidence);
    assert_true(assumed.time_ns_low < known.time_ns_low && assumed.time_ns_high > known.time_ns_high);
    assert_true(assumed.time_ns_high / assumed.time_ns_low < 5);
    assert_true(other.time_ns_low < assumed.time_ns_low && other.time_ns_high > assumed.time_ns_high);
}

/* Nobody launches what takes minutes with arguments that nobody stated. */
static void long_times_of_assumed_arguments_are_no_facts(void **state)
{
    (void)state;
    struct gp_prediction p = prediction_of("nvidia/known/coalesced/pipes/compiled/hopper");
    p.time_ns = 6e10;
    gp_take_unknown(&p, nothing, nothing);
    assert_true(p.confidence > 0.8);
    p.basis.assumes_arguments = true;
    gp_take_unknown(&p, nothing, nothing);
    assert_true(p.confidence < 0.5);
}

/* A board by its name has its own SMs and bandwidth; a target may be any of its boards, a stand-in's code another's. */
static void boards_are_surer_than_targets(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double apart;
    } rows[] = {
        {"a100", 1},
        {"rtx 4060", 1.75},
        {"rtx 4060:clock=2000", 1.75},
        {"l40s", 2} /* L2 recalled */,
        {"sm_89:sms=24:gbps=272", 2} /* neither clock nor L2 */,
        {"sm_89:sms=24:gbps=272:clock=2460:l2=24M", 1.75},
        {"rtx5090", 1.75} /* an entry that documents made */,
        {"gfx1103", 2.5} /* no board of that target is known */,
        {"rx 6800", 2.5} /* of a relative's entry */,
        {"arc a770", 2.5},
        {"gtx 1060 6 gb", 2.5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gp_error error = {""};
        struct gp_device *d = gp_device_load(rows[i].name, SOURCE_HWDB, &error);
        if (d == NULL)
            fail_msg("%s", error.text);
        struct gp_unknown unknown = gp_unknown_of_device(d);
        if (fabs(exp(unknown.up) - rows[i].apart) > 1e-9 || unknown.down != unknown.up)
            fail_msg("%s: %.3f times, not %.3f", rows[i].name, exp(unknown.up), rows[i].apart);
        gp_device_free(d);
    }
}

/* As far apart as the boards of that target are: AD102 is a little faster than the entry, a laptop's smallest tenfold
 * slower; of those with as many SMs as are stated, fewer. */
static void targets_are_as_far_apart_as_their_boards(void **state)
{
    (void)state;
    struct gp_device *any = gp_device_load("sm_89", SOURCE_HWDB, NULL),
                     *some = gp_device_load("sm_89:sms=24", SOURCE_HWDB, NULL);
    assert_true(any != NULL && some != NULL);
    struct gp_unknown all = gp_unknown_of_device(any), alike = gp_unknown_of_device(some);
    assert_true(fabs(exp(all.down) - 1.75) < 1e-9 && exp(all.up) > 7 && exp(all.up) < 12);
    assert_true(exp(alike.up) > 1.75 && exp(alike.up) < 5);
    gp_device_free(any);
    gp_device_free(some);
}

static void effects_add_up(void **state)
{
    (void)state;
    struct gp_argument_effects effects = {.assumed = 1, .asked = 1, .count = 1, .items = {{0, 0.5, 2}}};
    struct gp_unknown one = gp_unknown_of_arguments(&effects);
    effects.items[1] = (struct gp_argument_effect){1, 0.5, 0}; /* twice as much cannot be launched */
    effects.assumed = effects.asked = effects.count = 2;
    struct gp_unknown two = gp_unknown_of_arguments(&effects);
    effects.assumed = 3;
    struct gp_unknown more = gp_unknown_of_arguments(&effects);
    effects.trip_matters = true;
    effects.trip = (struct gp_argument_effect){GP_NONE, 0.7, 1.5};
    struct gp_unknown trips = gp_unknown_of_arguments(&effects);
    assert_true(one.down > 0.5 && one.down < log(2) && one.up == one.down);
    assert_true(two.down > one.down && fabs(two.up - one.up) < 1e-9);
    assert_true(more.down > two.down && more.up > two.up);
    assert_true(trips.down > more.down && trips.up > more.up);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_go_from_coarse_to_fine),
                                       cmocka_unit_test(cells_without_rows_use_their_parents),
                                       cmocka_unit_test(known_times_are_surer_than_guessed_ones),
                                       cmocka_unit_test(what_is_not_known_widens_the_range),
                                       cmocka_unit_test(long_times_of_assumed_arguments_are_no_facts),
                                       cmocka_unit_test(boards_are_surer_than_targets),
                                       cmocka_unit_test(targets_are_as_far_apart_as_their_boards),
                                       cmocka_unit_test(effects_add_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
