/* Blocks whose times are remembered, beside a scoreboard that runs them each time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/block_times.h"

/*
 * Block 0: a load, a sum that takes it and what the visit before left, and what this visit leaves. Block 1 uses the latter. Block 2
 * uses the load, and has a barrier.
 */
enum { LOAD, SUM, LEFT, USER, LATE, BARRIER, INSTS };
static const uint32_t used[INSTS][2] = {[SUM] = {LOAD, LEFT}, [LEFT] = {SUM}, [USER] = {LEFT}, [LATE] = {LOAD}};
static const uint32_t count[INSTS] = {[SUM] = 2, [LEFT] = 1, [USER] = 1, [LATE] = 1};
static struct gp_inst insts[INSTS] = {[LOAD] = {.op = GP_OP_LOAD, .record = 0},
                                      [BARRIER] = {.op = GP_OP_BARRIER, .record = GP_NONE, .cost = GP_CLASS_BARRIER}};
static gp_ref operands[2 * INSTS];
static struct gp_block blocks[] = {{.inst = LOAD, .inst_count = 3}, {.inst = USER, .inst_count = 1}, {.inst = LATE, .inst_count = 2}};

static struct gp_kernel make_kernel(void)
{
    struct gp_kernel kernel = {.insts = insts, .inst_count = INSTS, .operands = operands, .blocks = blocks, .block_count = 3};
    for (uint32_t i = 0; i < INSTS; i++) {
        insts[i].operand = kernel.operand_count;
        insts[i].operand_count = (uint16_t)count[i];
        for (uint32_t k = 0; k < count[i]; k++)
            operands[kernel.operand_count++] = gp_ref_make(GP_REF_INST, used[i][k]);
    }
    return kernel;
}

struct machine {
    struct gp_block_times *times; /* NULL: runs each block */
    struct gp_schedule *schedule;
    uint32_t block, recalled;
    double stalled;
};

static void note(void *context, uint32_t record, double cycles)
{
    struct machine *machine = context;
    assert_int_equal(record, 0);
    machine->stalled += cycles;
}

static void note_new(void *context, uint32_t record, double cycles)
{
    struct machine *machine = context;
    if (machine->times != NULL)
        gp_block_times_stall(machine->times, machine->block, record, cycles);
    note(context, record, cycles);
}

static double run_block(struct machine *machine, uint32_t block, double latency)
{
    for (uint32_t i = blocks[block].inst; i < blocks[block].inst + blocks[block].inst_count; i++) {
        struct gp_slot slot = {.inst = i, .record = i == LOAD ? 0 : GP_NONE, .operands = used[i], .operand_count = count[i], .issue = 1,
                               .latency = i == LOAD ? latency : 4, .words = i == LOAD, .space = i == LOAD ? 0 : -1};
        gp_schedule_add(machine->schedule, &slot);
    }
    return gp_schedule_finish(machine->schedule, note_new, machine);
}

static double visit(struct machine *machine, uint32_t block, double latency)
{
    double cycles;
    machine->block = block;
    if (machine->times != NULL && gp_block_times_recall(machine->times, block, machine->schedule, &latency, note, machine, &cycles)) {
        machine->recalled++;
        return cycles;
    }
    cycles = run_block(machine, block, latency);
    if (machine->times != NULL)
        gp_block_times_keep(machine->times, block, machine->schedule, cycles);
    return cycles;
}

static void what_is_remembered_is_what_happens(void **state)
{
    (void)state;
    const struct { uint32_t block; double latency; bool recalled; } visits[] = {
        {0, 100, false}, {0, 100, false}, /* now it finds what it left */
        {0, 100, true},  {0, 100, true},  {0, 40, false},                 {0, 40, true},
        {1, 0, false},   {0, 40, false}, /* block 1 has waited for what it left */
        {1, 0, true},    {0, 100, false}, {1, 0, true},   {0, 100, true}, {1, 0, true},  {2, 0, false}, {2, 0, false}};
    struct gp_kernel kernel = make_kernel();
    struct machine plain = {.schedule = gp_schedule_new(kernel.inst_count)};
    struct machine remembering = {.times = gp_block_times_new(&kernel), .schedule = gp_schedule_new(kernel.inst_count)};
    gp_schedule_start(plain.schedule, 100, 0);
    gp_schedule_start(remembering.schedule, 100, 0);
    for (size_t i = 0; i < sizeof visits / sizeof *visits; i++) {
        uint32_t before = remembering.recalled;
        double cycles = visit(&plain, visits[i].block, visits[i].latency);
        assert_true(visit(&remembering, visits[i].block, visits[i].latency) == cycles);
        assert_true(remembering.stalled == plain.stalled);
        assert_int_equal(remembering.recalled > before, visits[i].recalled);
    }
    gp_block_times_forget(remembering.times);
    assert_true(visit(&remembering, 1, 0) == visit(&plain, 1, 0));
    gp_schedule_free(plain.schedule);
    gp_schedule_free(remembering.schedule);
    gp_block_times_free(remembering.times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_remembered_is_what_happens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
