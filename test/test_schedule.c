/* A lone warp's block as a compiler would order it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/profile.h"
#include "model/schedule.h"

struct stalls {
    double cycles[4];
};

static void note(void *context, uint32_t record, double cycles) { ((struct stalls *)context)->cycles[record] += cycles; }

/* A value that each iteration makes anew from itself: 1 to issue, 10 of latency, waited for in the next. The chain ends there. */
static void a_value_carried_around_a_loop(void **state)
{
    (void)state;
    struct gp_schedule *schedule = gp_schedule_new(1);
    struct stalls stalls = {{0}};
    uint32_t itself = 0;
    struct gp_slot slot = {.record = GP_NONE, .operands = &itself, .operand_count = 1, .issue = 1, .latency = 10, .space = -1};
    gp_schedule_start(schedule, 100);
    gp_schedule_add(schedule, &slot);
    assert_true(gp_schedule_finish(schedule, note, &stalls) == 1);
    for (int iteration = 0; iteration < 3; iteration++) {
        gp_schedule_add(schedule, &slot);
        assert_true(gp_schedule_finish(schedule, note, &stalls) == 11);
    }
    gp_schedule_free(schedule);
}

/* A load of 100 cycles, then one that waits for it in the next iteration: all but the issue slot is the first one's, memory operation 2. */
static void waiting_for_an_earlier_load_is_told(void **state)
{
    (void)state;
    struct gp_schedule *schedule = gp_schedule_new(2);
    struct stalls stalls = {{0}};
    uint32_t load = 0;
    struct gp_slot first = {.inst = 0, .record = 2, .issue = 1, .latency = 100, .words = 1, .space = 0, .reorders = true};
    struct gp_slot user = {.inst = 1, .record = GP_NONE, .operands = &load, .operand_count = 1, .issue = 1, .latency = 4, .space = -1};
    gp_schedule_start(schedule, 100);
    gp_schedule_add(schedule, &first);
    assert_true(gp_schedule_finish(schedule, note, &stalls) == 1);
    gp_schedule_add(schedule, &user);
    assert_true(gp_schedule_finish(schedule, note, &stalls) == 101);
    assert_true(stalls.cycles[2] == 100);
    gp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_value_carried_around_a_loop), cmocka_unit_test(waiting_for_an_earlier_load_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
