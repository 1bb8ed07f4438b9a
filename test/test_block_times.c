/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Blocks whose times are remembered, beside a scoreboard that runs them each time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/observe/block_times.h"

/*
 * Block 0: a load, a sum that takes it and what the visit before left, and what this visit leaves. Block 1 uses the
 * latter. Block 2 uses the load, and has a barrier. Blocks 3, 4 and 5 are a line: an index; a load under a guard; a sum
 * of what the block before it, or an earlier visit, loaded, and of the index.
 */
enum { LOAD, SUM, LEFT, USER, LATE, BARRIER, INDEX, GUARDED, BEHIND, INSTS };
static const uint32_t used[INSTS][2] = {[SUM] = {LOAD, LEFT}, [LEFT] = {SUM},      [USER] = {LEFT},
                                        [LATE] = {LOAD},      [GUARDED] = {INDEX}, [BEHIND] = {GUARDED, INDEX}};
static const uint32_t count[INSTS] = {[SUM] = 2, [LEFT] = 1, [USER] = 1, [LATE] = 1, [GUARDED] = 1, [BEHIND] = 2};
static struct gp_inst insts[INSTS] = {[LOAD] = {.op = GP_OP_LOAD, .record = 0},
                                      [BARRIER] = {.op = GP_OP_BARRIER, .record = GP_NONE, .cost = GP_CLASS_BARRIER},
                                      [GUARDED] = {.op = GP_OP_LOAD, .record = 1}};
static gp_ref operands[2 * INSTS];
enum { BLOCKS = 6 };
static struct gp_block blocks[BLOCKS] = {{.inst = LOAD, .inst_count = 3},    {.inst = USER, .inst_count = 1},
                                         {.inst = LATE, .inst_count = 2},    {.inst = INDEX, .inst_count = 1},
                                         {.inst = GUARDED, .inst_count = 1}, {.inst = BEHIND, .inst_count = 1}};
static uint32_t head[BLOCKS] = {0, 1, 2, 3, 3, 3}, next[BLOCKS] = {GP_NONE, GP_NONE, GP_NONE, 4, 5, GP_NONE},
                place[BLOCKS] = {0, 0, 0, 0, 1, 2};
static uint32_t guard[BLOCKS] = {GP_NONE, GP_NONE, GP_NONE, GP_NONE, INDEX, GP_NONE};
static bool guarded[BLOCKS] = {[4] = true};

static struct gp_kernel make_kernel(void)
{
    struct gp_kernel kernel = {
        .insts = insts, .inst_count = INSTS, .operands = operands, .blocks = blocks, .block_count = BLOCKS};
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
    uint32_t line, recalled;
    double stalled;
};

static void note(void *context, uint32_t record, double cycles)
{
    struct machine *machine = context;
    assert_true(record <= 1);
    machine->stalled += cycles;
}

static void note_new(void *context, uint32_t record, double cycles)
{
    struct machine *machine = context;
    if (machine->times != NULL)
        gp_block_times_stall(machine->times, machine->line, record, cycles);
    note(context, record, cycles);
}

static void add_block(struct machine *machine, uint32_t block, double latency)
{
    for (uint32_t i = blocks[block].inst; i < blocks[block].inst + blocks[block].inst_count; i++) {
        bool load = insts[i].op == GP_OP_LOAD;
        struct gp_slot slot = {.inst = i,
                               .record = load ? insts[i].record : GP_NONE,
                               .operands = used[i],
                               .operand_count = count[i],
                               .issue = 1,
                               .latency = load ? latency : 4,
                               .words = load,
                               .space = load ? 0 : -1};
        gp_schedule_add(machine->schedule, &slot);
    }
}

static double visit(struct machine *machine, const struct gp_line_visit *line, double latency)
{
    double cycles;
    const double latencies[2] = {latency, latency};
    machine->line = line->head;
    if (machine->times != NULL &&
        gp_block_times_recall(machine->times, line, machine->schedule, latencies, note, machine, &cycles)) {
        machine->recalled++;
        return cycles;
    }
    for (uint32_t k = 0; k < line->count; k++)
        add_block(machine, line->blocks[k], latency);
    cycles = gp_schedule_finish(machine->schedule, note_new, machine);
    if (machine->times != NULL)
        gp_block_times_keep(machine->times, line, machine->schedule, cycles);
    return cycles;
}

struct expected {
    struct gp_line_visit line;
    double latency;
    bool recalled;
};

static void check_visits(const struct expected *visits, size_t visit_count, const struct gp_line_visit *last)
{
    struct gp_kernel kernel = make_kernel();
    const struct gp_predication lines = {
        .head = head, .next = next, .place = place, .guarded = guarded, .guard = guard};
    struct machine plain = {.schedule = gp_schedule_new(kernel.inst_count)};
    struct machine remembering = {.times = gp_block_times_new(&kernel, &lines),
                                  .schedule = gp_schedule_new(kernel.inst_count)};
    gp_schedule_start(plain.schedule, 100, 0, 64);
    gp_schedule_start(remembering.schedule, 100, 0, 64);
    for (size_t i = 0; i < visit_count; i++) {
        uint32_t before = remembering.recalled;
        double cycles = visit(&plain, &visits[i].line, visits[i].latency);
        assert_true(visit(&remembering, &visits[i].line, visits[i].latency) == cycles);
        assert_true(remembering.stalled == plain.stalled);
        assert_int_equal(remembering.recalled > before, visits[i].recalled);
    }
    gp_block_times_forget(remembering.times);
    assert_true(visit(&remembering, last, 0) == visit(&plain, last, 0));
    gp_schedule_free(plain.schedule);
    gp_schedule_free(remembering.schedule);
    gp_block_times_free(remembering.times);
}

#define BLOCK(number) \
    { \
        .head = (number), .blocks = (const uint32_t[]){(number)}, .count = 1 \
    }

static void what_is_remembered_is_what_happens(void **state)
{
    (void)state;
    const struct expected visits[] = {
        {BLOCK(0), 100, false}, {BLOCK(0), 100, false}, /* now it finds what it left */
        {BLOCK(0), 100, true},  {BLOCK(0), 100, true},  {BLOCK(0), 40, false}, {BLOCK(0), 40, true},
        {BLOCK(1), 0, false},   {BLOCK(0), 40, false}, /* block 1 has waited for what it left */
        {BLOCK(1), 0, true},    {BLOCK(0), 100, false}, {BLOCK(1), 0, true},   {BLOCK(0), 100, true},
        {BLOCK(1), 0, true},    {BLOCK(2), 0, false},   {BLOCK(2), 0, false}};
    check_visits(visits, sizeof visits / sizeof *visits, &visits[6].line);
}

static void lines_are_remembered_with_their_guards(void **state)
{
    (void)state;
    const struct gp_line_visit all = {3, (const uint32_t[]){3, 4, 5}, 3}, without = {3, (const uint32_t[]){3, 5}, 2};
    const struct expected visits[] = {{all, 100, false}, {all, 100, true}, {without, 100, false}, {without, 100, true},
                                      {all, 100, false}, {all, 40, false}, {all, 40, true},       {without, 40, false},
                                      {all, 100, false}, {all, 100, true}, {BLOCK(0), 10, false}};
    check_visits(visits, sizeof visits / sizeof *visits, &all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_remembered_is_what_happens),
                                       cmocka_unit_test(lines_are_remembered_with_their_guards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
