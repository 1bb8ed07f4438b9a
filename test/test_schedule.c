/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A lone warp's block as a compiler would order it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/compilers/schedule.h"
#include "model/profile/profile.h"

struct stalls {
    double cycles[4];
};

static void note(void *context, uint32_t record, double cycles)
{
    ((struct stalls *)context)->cycles[record] += cycles;
}

/* A value that each iteration makes anew from itself: 1 to issue, 10 of latency, waited for in the next. The chain ends
 * there. */
static void a_value_carried_around_a_loop(void **state)
{
    (void)state;
    struct gp_schedule *schedule = gp_schedule_new(1);
    struct stalls stalls = {{0}};
    uint32_t itself = 0;
    struct gp_slot slot = {
        .record = GP_NONE, .operands = &itself, .operand_count = 1, .issue = 1, .latency = 10, .space = -1};
    gp_schedule_start(schedule, 100, 0, 64);
    gp_schedule_add(schedule, &slot);
    assert_true(gp_schedule_finish(schedule, note, &stalls) == 1);
    for (int iteration = 0; iteration < 3; iteration++) {
        gp_schedule_add(schedule, &slot);
        assert_true(gp_schedule_finish(schedule, note, &stalls) == 11);
    }
    gp_schedule_free(schedule);
}

/* A load of 100 cycles, then one that waits for it in the next iteration: all but the issue slot is the first one's,
 * memory operation 2. */
static void waiting_for_an_earlier_load_is_told(void **state)
{
    (void)state;
    struct gp_schedule *schedule = gp_schedule_new(2);
    struct stalls stalls = {{0}};
    uint32_t load = 0;
    struct gp_slot first = {
        .inst = 0, .record = 2, .issue = 1, .latency = 100, .words = 1, .space = 0, .reorders = true};
    struct gp_slot user = {
        .inst = 1, .record = GP_NONE, .operands = &load, .operand_count = 1, .issue = 1, .latency = 4, .space = -1};
    gp_schedule_start(schedule, 100, 0, 64);
    gp_schedule_add(schedule, &first);
    assert_true(gp_schedule_finish(schedule, note, &stalls) == 1);
    gp_schedule_add(schedule, &user);
    assert_true(gp_schedule_finish(schedule, note, &stalls) == 101);
    assert_true(stalls.cycles[2] == 100);
    gp_schedule_free(schedule);
}

/* The load's result goes through a phi. That is no instruction: the block with it lasts no longer, the wait is its
 * user's, and still the load's. */
static void a_phi_does_not_wait(void **state)
{
    (void)state;
    struct gp_schedule *schedule = gp_schedule_new(3);
    struct stalls stalls = {{0}};
    uint32_t load = 0, merged = 1;
    struct gp_slot first = {
        .inst = 0, .record = 2, .issue = 1, .latency = 100, .words = 1, .space = 0, .reorders = true};
    struct gp_slot phi = {.inst = 1, .record = GP_NONE, .operands = &load, .operand_count = 1, .space = -1};
    struct gp_slot user = {
        .inst = 2, .record = GP_NONE, .operands = &merged, .operand_count = 1, .issue = 1, .latency = 4, .space = -1};
    gp_schedule_start(schedule, 100, 0, 64);
    gp_schedule_add(schedule, &first);
    assert_true(gp_schedule_finish(schedule, note, &stalls) == 1);
    gp_schedule_add(schedule, &phi);
    assert_true(gp_schedule_finish(schedule, note, &stalls) == 0);
    gp_schedule_add(schedule, &user);
    assert_true(gp_schedule_finish(schedule, note, &stalls) == 101);
    assert_true(stalls.cycles[2] == 100);
    gp_schedule_free(schedule);
}

/* Two loads, each stored elsewhere before the next: cycles of a block in which the second one may or may not go first.
 */
static double two_copies(int from, int to, bool in_order)
{
    struct gp_schedule *s = gp_schedule_new(8);
    assert_non_null(s);
    gp_schedule_start(s, 64, 0, 64);
    uint32_t loads[] = {0, 2};
    for (uint32_t k = 0; k < 2; k++) {
        struct gp_slot load = {.inst = 2 * k,
                               .record = 2 * k,
                               .issue = 1,
                               .latency = 100,
                               .words = 1,
                               .space = from,
                               .in_order = in_order};
        struct gp_slot store = {.inst = 2 * k + 1,
                                .record = 2 * k + 1,
                                .operands = &loads[k],
                                .operand_count = 1,
                                .issue = 1,
                                .space = to,
                                .store = true,
                                .in_order = in_order};
        gp_schedule_add(s, &load);
        gp_schedule_add(s, &store);
    }
    double cycles = gp_schedule_finish(s, NULL, NULL);
    gp_schedule_free(s);
    return cycles;
}

/* A generic address may be of shared memory, so that the load behind a store waits for it; what is volatile stays in
 * order wherever it is. */
static void loads_wait_for_stores_that_may_alias(void **state)
{
    (void)state;
    assert_true(two_copies(GP_SPACE_GLOBAL, GP_SPACE_LOCAL, false) < 110);
    assert_true(two_copies(GP_SPACE_GENERIC, GP_SPACE_LOCAL, false) > 200);
    assert_true(two_copies(GP_SPACE_LOCAL, GP_SPACE_GENERIC, false) > 200);
    assert_true(two_copies(GP_SPACE_GLOBAL, GP_SPACE_GLOBAL, false) > 200);
    assert_true(two_copies(GP_SPACE_GENERIC, GP_SPACE_PRIVATE, false) < 110);
    assert_true(two_copies(GP_SPACE_GLOBAL, GP_SPACE_LOCAL, true) > 200);
}

static struct gp_slot load_of(uint32_t inst, uint32_t words)
{
    return (struct gp_slot){
        .inst = inst, .record = 0, .issue = 1, .latency = 100, .words = words, .space = 0, .reorders = true};
}

static struct gp_slot use_of(uint32_t inst, const uint32_t *operand)
{
    return (struct gp_slot){.inst = inst,
                            .record = GP_NONE,
                            .operands = operand,
                            .operand_count = 1,
                            .issue = 1,
                            .latency = 4,
                            .space = -1};
}

/*
 * Load, use, load, use. With room for both results the second load goes up and waits beside the first: 1 + 100 until
 * the data is there, 1 for the use that ends last. With room for one word it waits for the first's use at 101: ready at
 * 202, used until 203.
 */
static void loads_go_up_as_far_as_registers_allow(void **state)
{
    (void)state;
    const uint32_t first = 0, second = 2;
    const struct gp_slot block[] = {load_of(0, 1), use_of(1, &first), load_of(2, 1), use_of(3, &second)};
    for (int words = 1; words <= 2; words++) {
        struct gp_schedule *schedule = gp_schedule_new(4);
        gp_schedule_start(schedule, words, 0, 64);
        for (int i = 0; i < 4; i++)
            gp_schedule_add(schedule, &block[i]);
        assert_true(gp_schedule_finish(schedule, NULL, NULL) == (words == 1 ? 203 : 102));
        gp_schedule_free(schedule);
    }
}

/* The same where a free product, or a cast of it, stands between a load and its use, as where another front end leaves
 * it to the compiler to fuse it with a sum. */
static void what_is_folded_keeps_registers_until_its_use(void **state)
{
    (void)state;
    static const uint32_t operands[] = {0, 1, 2, 4, 5, 6};
    struct gp_slot block[] = {load_of(0, 1), use_of(1, &operands[0]), use_of(2, &operands[1]), use_of(3, &operands[2]),
                              load_of(4, 1), use_of(5, &operands[3]), use_of(6, &operands[4]), use_of(7, &operands[5])};
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 4 * k + 1; i <= 4 * k + 2; i++)
            block[i].issue = block[i].latency = 0;
    struct gp_schedule *schedule = gp_schedule_new(8);
    gp_schedule_start(schedule, 1, 0, 64);
    for (int i = 0; i < 8; i++)
        gp_schedule_add(schedule, &block[i]);
    assert_true(gp_schedule_finish(schedule, NULL, NULL) == 203);
    gp_schedule_free(schedule);
}

/*
 * Room for one word. The first load's result is used at 101 and once more by what waits for a load that needs no
 * register, 200 cycles long: the second load waits for the last use, at 201.
 */
static void registers_are_free_behind_the_last_use(void **state)
{
    (void)state;
    static const uint32_t first = 0, both[] = {0, 1}, second = 4;
    struct gp_slot slow = load_of(1, 0), last = use_of(3, both);
    slow.latency = 200;
    last.operand_count = 2;
    const struct gp_slot block[] = {load_of(0, 1), slow, use_of(2, &first), last, load_of(4, 1), use_of(5, &second)};
    struct gp_schedule *schedule = gp_schedule_new(6);
    gp_schedule_start(schedule, 1, 0, 64);
    for (int i = 0; i < 6; i++)
        gp_schedule_add(schedule, &block[i]);
    assert_true(gp_schedule_finish(schedule, NULL, NULL) == 201 + 101 + 1);
    gp_schedule_free(schedule);
}

/* Loads of local memory may have room of their own: for one word, whatever there is for others. */
static void loads_of_local_memory_count_by_themselves(void **state)
{
    (void)state;
    const uint32_t first = 0, second = 2;
    struct gp_slot block[] = {load_of(0, 1), use_of(1, &first), load_of(2, 1), use_of(3, &second)};
    for (int local = 0; local <= 1; local++) {
        struct gp_schedule *schedule = gp_schedule_new(4);
        block[0].space = block[2].space = local ? GP_SPACE_LOCAL : GP_SPACE_GLOBAL;
        gp_schedule_start(schedule, 100, 1, 64);
        for (int i = 0; i < 4; i++)
            gp_schedule_add(schedule, &block[i]);
        assert_true(gp_schedule_finish(schedule, NULL, NULL) == (local ? 203 : 102));
        gp_schedule_free(schedule);
    }
}

/* A warp may have one load under way, or two. From local memory as many as registers hold. */
static void loads_take_turns(void **state)
{
    (void)state;
    static const uint32_t first = 0, second = 2;
    struct gp_slot block[] = {load_of(0, 1), use_of(1, &first), load_of(2, 1), use_of(3, &second)};
    for (int most = 1; most <= 2; most++)
        for (int local = 0; local <= 1; local++) {
            struct gp_schedule *schedule = gp_schedule_new(4);
            block[0].space = block[2].space = local ? GP_SPACE_LOCAL : GP_SPACE_GLOBAL;
            gp_schedule_start(schedule, 100, 0, (uint32_t)most);
            for (int i = 0; i < 4; i++)
                gp_schedule_add(schedule, &block[i]);
            assert_true(gp_schedule_finish(schedule, NULL, NULL) == (most == 1 && !local ? 203 : 102));
            gp_schedule_free(schedule);
        }
}

/* A store that waits for its data until 101 holds back a load of the same space, but not one that reads what nobody
 * writes. */
static void loads_do_not_pass_stores(void **state)
{
    (void)state;
    const uint32_t data = 0, late = 2;
    for (int reorders = 0; reorders <= 1; reorders++) {
        struct gp_schedule *schedule = gp_schedule_new(4);
        struct gp_slot store = {
            .inst = 1, .record = 1, .operands = &data, .operand_count = 1, .issue = 1, .space = 0, .store = true};
        struct gp_slot load = load_of(2, 1), first = load_of(0, 1), use = use_of(3, &late);
        load.reorders = reorders;
        gp_schedule_start(schedule, 8, 0, 64);
        gp_schedule_add(schedule, &first);
        gp_schedule_add(schedule, &store);
        gp_schedule_add(schedule, &load);
        gp_schedule_add(schedule, &use);
        assert_true(gp_schedule_finish(schedule, NULL, NULL) == (reorders ? 102 : 203));
        gp_schedule_free(schedule);
    }
}

/* Independent instructions last as long as they take to issue: 20 of 2 cycles. */
static void issue_limits(void **state)
{
    (void)state;
    struct gp_schedule *schedule = gp_schedule_new(20);
    gp_schedule_start(schedule, 8, 0, 64);
    for (uint32_t i = 0; i < 20; i++) {
        struct gp_slot slot = {.inst = i, .record = GP_NONE, .issue = 2, .latency = 4, .space = -1};
        gp_schedule_add(schedule, &slot);
    }
    assert_true(gp_schedule_finish(schedule, NULL, NULL) == 40);
    gp_schedule_free(schedule);
}

static void add_wait(void *context, uint32_t record, double cycles) { ((double *)context)[record] += cycles; }

/* Load 0, a store of what it brings, load 2 that must not pass it, a use of that: both loads are waited for. */
static void a_load_behind_a_store_waits_for_what_is_stored(void **state)
{
    (void)state;
    const uint32_t data = 0, late = 2;
    double waits[3] = {0};
    struct gp_schedule *schedule = gp_schedule_new(4);
    struct gp_slot
        first = load_of(0, 1),
        store = {.inst = 1, .record = 1, .operands = &data, .operand_count = 1, .issue = 1, .space = 0, .store = true},
        load = load_of(2, 1), use = use_of(3, &late);
    load.record = 2;
    load.reorders = false;
    gp_schedule_start(schedule, 8, 0, 64);
    gp_schedule_add(schedule, &first);
    gp_schedule_add(schedule, &store);
    gp_schedule_add(schedule, &load);
    gp_schedule_add(schedule, &use);
    gp_schedule_finish(schedule, add_wait, waits);
    assert_true(waits[0] > 95 && waits[0] <= 100 && waits[1] == 0 && waits[2] > 95 && waits[2] <= 100);
    gp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_value_carried_around_a_loop),
                                       cmocka_unit_test(waiting_for_an_earlier_load_is_told),
                                       cmocka_unit_test(a_phi_does_not_wait),
                                       cmocka_unit_test(loads_wait_for_stores_that_may_alias),
                                       cmocka_unit_test(loads_go_up_as_far_as_registers_allow),
                                       cmocka_unit_test(what_is_folded_keeps_registers_until_its_use),
                                       cmocka_unit_test(registers_are_free_behind_the_last_use),
                                       cmocka_unit_test(loads_of_local_memory_count_by_themselves),
                                       cmocka_unit_test(loads_take_turns),
                                       cmocka_unit_test(a_load_behind_a_store_waits_for_what_is_stored),
                                       cmocka_unit_test(loads_do_not_pass_stores),
                                       cmocka_unit_test(issue_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
