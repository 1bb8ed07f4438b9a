/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One warp at a time: values, reconvergence, guesses, against what the kernels do by hand. */
#include <math.h>

#include "executor_fixture.h"
#include "test/golden.h"

/* The store in memory record 0 has in lane i the offset that `expected` says, on parameter 0's symbol. */
static void assert_offsets(const struct event *event, gp_mask active, int64_t (*expected)(unsigned lane))
{
    assert_int_equal(event->active, active);
    for (unsigned lane = 0; lane < 64; lane++) {
        if (!(active >> lane & 1))
            continue;
        if (event->symbol[lane] != 1 || (int64_t)event->offset[lane] != expected(lane))
            fail_msg("lane %u: %u + %lld, not %lld", lane, event->symbol[lane], (long long)event->offset[lane],
                     (long long)expected(lane));
    }
}

#define ALL UINT64_C(0xffffffff)

/* ---- Ids ------------------------------------------------------------------------------------------------------- */

static const char *const identity = KERNEL OUT "block 0:\n"
                                               "%g = id.global_id.0 i64\n"
                                               "%b = shl i64 %g, 2\n"
                                               "%p = add i64 $out, %b\n"
                                               "store %p, 0 in global 4x1 base $out\n"
                                               "ret\n";

static int64_t global_in_group_3(unsigned lane) { return 4 * (96 + (int64_t)lane); }
static int64_t with_offset_1000(unsigned lane) { return 4 * (1096 + (int64_t)lane); }

static void global_ids_count_through_groups(void **state)
{
    (void)state;
    struct run run = start_text(identity);
    execute(&run, 3, 0);
    assert_offsets(event_at(&run, ACCESS, 0, 0), ALL, global_in_group_3);
    assert_false(event_at(&run, ACCESS, 0, 0)->uniform);
    assert_weight(run.result.instructions, 5.0);
    run.launch.offset[0] = 1000;
    execute(&run, 3, 0);
    assert_offsets(event_at(&run, ACCESS, 0, 0), ALL, with_offset_1000);
    finish(&run);
}

/* 1000 work-items in groups of 48: warps of 32 and 16 lanes; the last group has 40, its second warp 8. */
static void partial_warps_and_groups_have_lanes_off(void **state)
{
    (void)state;
    struct run run = start_text(identity);
    run.launch.global[0] = 1000;
    run.launch.local[0] = 48;
    execute(&run, 0, 1);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->active, 0xffff);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->offset[0], 4 * 32);
    execute(&run, 20, 1);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->active, 0xff);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->offset[7], 4 * 999);
    execute(&run, 20, 2); /* there is no such warp: nothing happens */
    assert_int_equal(run.event_count, 0);
    assert_weight(run.result.instructions, 0.0);
    finish(&run);
}

static const char *const two_dimensions = KERNEL OUT "block 0:\n"
                                                     "%x = id.local_id.0 i32\n"
                                                     "%y = id.local_id.1 i32\n"
                                                     "%n = id.local_size.0 i32\n"
                                                     "%row = mul i32 %y, 100\n"
                                                     "%i = add i32 %row, %x\n"
                                                     "%w = zext i32 %i to i64\n"
                                                     "%p = add i64 $out, %w\n"
                                                     "%q = zext i32 %n to i64\n"
                                                     "%r = add i64 $out, %q\n"
                                                     "store %p, 0 in global 1x1 base $out\n"
                                                     "store %r, 0 in global 1x1 base $out\n"
                                                     "ret\n";

static int64_t five_wide(unsigned lane) { return lane / 5 * 100 + lane % 5; }
static int64_t two_wide(unsigned lane) { return lane / 2 * 100 + lane % 2; }

/* Group of 5 x 3; with 7 columns in all, the second group of a row is 2 wide and has a local size of 2. */
static void lanes_fill_rows_of_the_actual_group(void **state)
{
    (void)state;
    struct run run = start_text(two_dimensions);
    run.launch.dims = 2;
    run.launch.global[0] = 7;
    run.launch.global[1] = 3;
    run.launch.local[0] = 5;
    run.launch.local[1] = 3;
    execute(&run, 0, 0);
    assert_offsets(event_at(&run, ACCESS, 0, 0), 0x7fff, five_wide);
    execute(&run, 1, 0);
    assert_offsets(event_at(&run, ACCESS, 0, 0), 0x3f, two_wide);
    assert_int_equal(event_at(&run, ACCESS, 1, 0)->offset[0], 2);
    assert_true(event_at(&run, ACCESS, 1, 0)->uniform);
    finish(&run);
}

/* ---- Reconvergence --------------------------------------------------------------------------------------------- */

/* lane < 8 ? (lane < 4 ? 100 : 200) : 300 */
static const char *const nested_if = KERNEL OUT "block 0: ipdom 5\n" LANE "%c = icmp.ult i64 %lid, 8\n"
                                                "condbr %c, block 1, block 4 kind thread\n"
                                                "block 1: ipdom 3\n"
                                                "%d = icmp.ult i64 %lid, 4\n"
                                                "condbr %d, block 2, block 3 kind thread\n"
                                                "block 2: ipdom 3\n"
                                                "br block 3\n"
                                                "block 3: ipdom 5\n"
                                                "%m = phi i64 [block 1: 200], [block 2: 100]\n"
                                                "br block 5\n"
                                                "block 4: ipdom 5\n"
                                                "br block 5\n"
                                                "block 5:\n"
                                                "%v = phi i64 [block 3: %m], [block 4: 300]\n"
                                                "%p = add i64 $out, %v\n"
                                                "store %p, 0 in global 4x1 base $out\n"
                                                "ret\n";

static int64_t by_nest(unsigned lane) { return lane < 4 ? 100 : lane < 8 ? 200 : 300; }

static void nested_branches_rejoin(void **state)
{
    (void)state;
    struct run run = run_text(nested_if);
    assert_offsets(event_at(&run, ACCESS, 0, 0), ALL, by_nest);
    assert_int_equal(event_at(&run, VISIT, 2, 0)->active, 0xf);
    assert_int_equal(event_at(&run, VISIT, 3, 0)->active, 0xff);
    assert_int_equal(event_at(&run, VISIT, 4, 0)->active, 0xffffff00);
    assert_int_equal(event_at(&run, DIVERGE, 0, 0)->active, 0xff);
    assert_int_equal(event_at(&run, DIVERGE, 0, 0)->other, 0xffffff00);
    assert_int_equal(event_at(&run, DIVERGE, 1, 0)->active, 0xf);
    for (uint32_t block = 0; block < 6; block++)
        assert_int_equal(count_events(&run, VISIT, block), 1);
    assert_weight(run.result.guessed_instructions, 0.0);
    finish(&run);
}

/* for (i = 0; ; i++) { if (i == lane) break; if (i == 6) return; }  out[i] */
static const char *const break_and_return = KERNEL OUT "loop 0: header 1 latch 3 bound executed\n"
                                                       "block 0:\n" LANE "br block 1\n"
                                                       "block 1: loop 0\n"
                                                       "%i = phi i64 [block 0: 0], [block 3: %next]\n"
                                                       "%c = icmp.eq i64 %i, %lid\n"
                                                       "condbr %c, block 4, block 2 kind thread\n"
                                                       "block 2: loop 0\n"
                                                       "%d = icmp.eq i64 %i, 6\n"
                                                       "condbr %d, block 5, block 3 kind induction\n"
                                                       "block 3: ipdom 1 loop 0\n"
                                                       "%next = add i64 %i, 1\n"
                                                       "br block 1\n"
                                                       "block 4: ipdom 5\n"
                                                       "%p = add i64 $out, %i\n"
                                                       "store %p, 0 in global 1x1 base $out\n"
                                                       "br block 5\n"
                                                       "block 5:\n"
                                                       "ret\n";

static int64_t own_lane(unsigned lane) { return lane; }

/* Lanes 0 to 6 leave one by one and wait for each other, each with its own i; the others return. */
static void lanes_leave_a_loop_one_by_one(void **state)
{
    (void)state;
    struct run run = run_text(break_and_return);
    assert_int_equal(count_events(&run, VISIT, 1), 7);
    for (uint32_t i = 0; i < 7; i++)
        assert_int_equal(event_at(&run, VISIT, 1, i)->active, ALL & ~((UINT64_C(1) << i) - 1));
    assert_int_equal(count_events(&run, VISIT, 4), 1);
    assert_offsets(event_at(&run, ACCESS, 0, 0), 0x7f, own_lane);
    finish(&run);
}

/* for (i = 0; i < 8; i++) { if (lane & 1) { if (i == lane) break; a } b }  c */
static const char *const break_inside_if = KERNEL OUT "loop 0: header 1 latch 4 bound executed\n"
                                                      "block 0: ipdom 1\n" LANE "%low = and i64 %lid, 1\n"
                                                      "%odd = icmp.eq i64 %low, 1\n"
                                                      "br block 1\n"
                                                      "block 1: ipdom 5 loop 0\n"
                                                      "%i = phi i64 [block 0: 0], [block 4: %next]\n"
                                                      "condbr %odd, block 2, block 4 kind thread\n"
                                                      "block 2: ipdom 5 loop 0\n"
                                                      "%d = icmp.eq i64 %i, %lid\n"
                                                      "condbr %d, block 5, block 3 kind thread\n"
                                                      "block 3: ipdom 4 loop 0\n"
                                                      "br block 4\n"
                                                      "block 4: ipdom 5 loop 0\n"
                                                      "%next = add i64 %i, 1\n"
                                                      "%c = icmp.ult i64 %next, 8\n"
                                                      "condbr %c, block 1, block 5 kind induction\n"
                                                      "block 5:\n"
                                                      "ret\n";

/* Those that break hold up nobody: the others meet behind the inner condition in each iteration. */
static void lanes_that_break_are_not_waited_for(void **state)
{
    (void)state;
    struct run run = run_text(break_inside_if);
    gp_mask gone = 0, odd = ALL & UINT64_C(0xaaaaaaaaaaaaaaaa);
    assert_int_equal(count_events(&run, VISIT, 1), 8);
    assert_int_equal(count_events(&run, VISIT, 4), 8);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(event_at(&run, VISIT, 2, i)->active, odd & ~gone);
        gone |= i & 1 ? UINT64_C(1) << i : 0;
        assert_int_equal(event_at(&run, VISIT, 3, i)->active, odd & ~gone);
        assert_int_equal(event_at(&run, VISIT, 4, i)->active, ALL & ~gone);
    }
    assert_int_equal(event_at(&run, VISIT, 5, 0)->active, ALL);
    assert_int_equal(count_events(&run, VISIT, 5), 1);
    finish(&run);
}

/* The same with reconvergence behind the loop: one store, each lane with the i of its own last iteration. */
static const char *const break_and_rejoin = KERNEL OUT "loop 0: header 1 latch 2 bound executed\n"
                                                       "block 0: ipdom 1\n" LANE "br block 1\n"
                                                       "block 1: ipdom 3 loop 0\n"
                                                       "%i = phi i64 [block 0: 0], [block 2: %next]\n"
                                                       "%twice = shl i64 %i, 1\n"
                                                       "%c = icmp.eq i64 %i, %lid\n"
                                                       "condbr %c, block 3, block 2 kind thread\n"
                                                       "block 2: ipdom 1 loop 0\n"
                                                       "%next = add i64 %i, 1\n"
                                                       "br block 1\n"
                                                       "block 3:\n"
                                                       "%last = phi i64 [block 1: %twice]\n"
                                                       "%p = add i64 $out, %last\n"
                                                       "store %p, 0 in global 1x1 base $out\n"
                                                       "ret\n";

static int64_t twice_lane(unsigned lane) { return 2 * (int64_t)lane; }

static void values_of_lanes_that_left_survive(void **state)
{
    (void)state;
    struct run run = run_text(break_and_rejoin);
    assert_int_equal(count_events(&run, VISIT, 1), 32);
    assert_offsets(event_at(&run, ACCESS, 0, 0), ALL, twice_lane);
    assert_int_equal(run.event_count, 32 + 31 + 31 + 3); /* header, body, divergence; entry, exit, store */
    finish(&run);
}

/* if (lane >= 5) return; out[lane] */
static const char *const early_return = KERNEL OUT "block 0:\n" LANE "%c = icmp.uge i64 %lid, 5\n"
                                                   "condbr %c, block 1, block 2 kind thread\n"
                                                   "block 1:\n"
                                                   "ret\n"
                                                   "block 2:\n"
                                                   "%p = add i64 $out, %lid\n"
                                                   "store %p, 0 in global 1x1 base $out\n"
                                                   "ret\n";

static void lanes_that_returned_are_gone(void **state)
{
    (void)state;
    struct run run = run_text(early_return);
    assert_offsets(event_at(&run, ACCESS, 0, 0), 0x1f, own_lane);
    finish(&run);
}

/* switch (lane % 4 as i8) { case 1: 10; case 3: falls into 1's; case -2 (never); default: 20 } */
static const char *const switch_text =
    KERNEL OUT "block 0: ipdom 3\n" LANE "%r = and i64 %lid, 3\n"
               "%b = trunc i64 %r to i8\n"
               "switch %b, block 1, [1: block 2], [3: block 2], [-2: block 3] kind thread\n"
               "block 1: ipdom 3\n"
               "br block 3\n"
               "block 2: ipdom 3\n"
               "br block 3\n"
               "block 3:\n"
               "%v = phi i64 [block 0: 30], [block 1: 20], [block 2: 10]\n"
               "%p = add i64 $out, %v\n"
               "store %p, 0 in global 1x1 base $out\n"
               "ret\n";

static int64_t by_case(unsigned lane) { return lane % 2 ? 10 : 20; }

static void switches_sort_lanes(void **state)
{
    (void)state;
    struct run run = run_text(switch_text);
    assert_offsets(event_at(&run, ACCESS, 0, 0), ALL, by_case);
    assert_int_equal(event_at(&run, VISIT, 1, 0)->active, 0x55555555);
    assert_int_equal(event_at(&run, VISIT, 2, 0)->active, 0xaaaaaaaa);
    assert_int_equal(count_events(&run, VISIT, 3), 1);
    finish(&run);
}

/*
 * A cycle with two entries (goto into a loop's middle): lanes below 16 start in A (block 1), the others in B (block 2).
 * A: n++, then B. B: n++, then out if n >= 4, else A. All rejoin in block 3.
 */
static const char *const irreducible = KERNEL OUT "block 0: ipdom 2\n" LANE "%c = icmp.ult i64 %lid, 16\n"
                                                  "condbr %c, block 1, block 2 kind thread\n"
                                                  "block 1: ipdom 2\n"
                                                  "%a = phi i64 [block 0: 0], [block 2: %b1]\n"
                                                  "%a1 = add i64 %a, 1\n"
                                                  "br block 2\n"
                                                  "block 2: ipdom 3\n"
                                                  "%b = phi i64 [block 0: 0], [block 1: %a1]\n"
                                                  "%b1 = add i64 %b, 1\n"
                                                  "%d = icmp.uge i64 %b1, 4\n"
                                                  "condbr %d, block 3, block 1 kind thread\n"
                                                  "block 3:\n"
                                                  "%p = add i64 $out, %b1\n"
                                                  "store %p, 0 in global 1x1 base $out\n"
                                                  "ret\n";

static int64_t four_or_five(unsigned lane) { return lane < 16 ? 4 : 5; } /* A B A B; B A B A B */

static void irreducible_cycles_run(void **state)
{
    (void)state;
    struct run run = run_text(irreducible);
    assert_offsets(event_at(&run, ACCESS, 0, 0), ALL, four_or_five);
    finish(&run);
}

/* (a, b) = (b, a + b): phis that read each other. Fibonacci numbers 5 and 8 after five turns. */
static const char *const fibonacci = KERNEL OUT "loop 0: header 1 latch 1 bound constant trips 6\n"
                                                "induction %i loop 0 step 1\n"
                                                "block 0: ipdom 1\n"
                                                "br block 1\n"
                                                "block 1: ipdom 2 loop 0\n"
                                                "%i = phi i64 [block 0: 0], [block 1: %i1]\n"
                                                "%a = phi i64 [block 0: 0], [block 1: %b]\n"
                                                "%b = phi i64 [block 0: 1], [block 1: %s]\n"
                                                "%z = phi i64 [block 0: 7], [block 1: %a]\n"
                                                "%s = add i64 %a, %b\n"
                                                "%i1 = add i64 %i, 1\n"
                                                "%c = icmp.ult i64 %i1, 6\n"
                                                "condbr %c, block 1, block 2 kind induction\n"
                                                "block 2:\n"
                                                "%pa = add i64 $out, %a\n"
                                                "%pb = add i64 %pa, %b\n"
                                                "%pz = add i64 $out, %z\n"
                                                "store %pa, 0 in global 1x1 base $out\n"
                                                "store %pb, 0 in global 1x1 base $out\n"
                                                "store %pz, 0 in global 1x1 base $out\n"
                                                "ret\n";

static void phis_are_read_before_they_are_written(void **state)
{
    (void)state;
    struct run run = run_text(fibonacci);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->offset[0], 5);
    assert_int_equal(event_at(&run, ACCESS, 1, 0)->offset[31], 13);
    assert_int_equal(event_at(&run, ACCESS, 2, 0)->offset[31], 3);
    assert_true(event_at(&run, ACCESS, 1, 0)->uniform);
    finish(&run);
}

/* ---- Symbols --------------------------------------------------------------------------------------------------- */

/* out[index[5] + lane - 1]: nobody knows where, but in neighbouring places. */
static const char *const gathered = KERNEL OUT "param index: buffer 64 in global size 8\n"
                                               "block 0:\n" LANE "%q = add i64 $index, 20\n"
                                               "%x = load i32 %q in global 4x1 base $index\n"
                                               "%l = trunc i64 %lid to i32\n"
                                               "%m = add i32 %x, %l\n"
                                               "%n = add i32 %m, -1\n"
                                               "%w = sext i32 %n to i64\n"
                                               "%b = shl i64 %w, 2\n"
                                               "%p = add i64 $out, %b\n"
                                               "%load = load i32 %p in global 4x1 base $out\n"
                                               "%w2 = sext i32 %load to i64\n"
                                               "%p2 = add i64 $out, %w2\n"
                                               "store %p2, 0 in global 4x1 base $out\n"
                                               "ret\n";

static void what_a_uniform_load_returns_is_a_symbol(void **state)
{
    (void)state;
    struct run run = run_text(gathered);
    const struct event *index = event_at(&run, ACCESS, 0, 0), *value = event_at(&run, ACCESS, 1, 0);
    const struct event *store = event_at(&run, ACCESS, 2, 0);
    assert_true(index->uniform && index->symbol[0] == 2 && index->offset[0] == 20);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(value->symbol[lane], value->symbol[0]);
        assert_int_equal((int64_t)value->offset[lane], 4 * ((int64_t)lane - 1));
        assert_int_equal(store->symbol[lane], GP_SYMBOL_UNKNOWN);
    }
    assert_true(value->symbol[0] > 2 && value->symbol[0] != GP_SYMBOL_UNKNOWN);
    assert_weight(run.result.guessed_instructions, 0.0);
    finish(&run);
}

/* A chase of four hops through a table whose contents are stated: of numbers, and of addresses in it. */
static const char *const chased = KERNEL OUT "param table: buffer 64 in global size 8\n"
                                             "block 0:\n"
                                             "%a = load i64 $table in global 8x1 base $table\n"
                                             "%p = add i64 $table, %a\n"
                                             "%b = load i64 %p in global 8x1 base $table\n"
                                             "%q = add i64 $out, %b\n"
                                             "store %q, 0 in global 8x1 base $out\n"
                                             "ret\n";
static const char *const followed = KERNEL OUT "param table: buffer 64 in global size 8\n"
                                               "block 0:\n"
                                               "%a = load i64 $table in global 8x1 base $table\n"
                                               "%b = load i64 %a in global 8x1 base $table\n"
                                               "%c = load i64 %b in global 8x1 base $table\n"
                                               "store $out, 0 in global 8x1 base $out\n"
                                               "ret\n";
static const char *const overwritten = KERNEL "param table: buffer 64 in global size 8\n"
                                              "block 0:\n"
                                              "%a = load i64 $table in global 8x1 base $table\n"
                                              "%p = add i64 $table, %a\n"
                                              "store %p, 0 in global 8x1 base $table\n"
                                              "ret\n";

static void stated_contents_are_loaded(void **state)
{
    (void)state;
    const uint64_t words[] = {24, 0, 8, 40, 0, 0};
    struct gp_contents contents = {words, sizeof words, false};
    struct run run = start_text(chased);
    run.launch.arguments[1].contents = &contents;
    execute(&run, 0, 0);
    assert_int_equal(event_at(&run, ACCESS, 1, 0)->offset[31], 24);
    assert_int_equal(event_at(&run, ACCESS, 2, 0)->symbol[0], 1);
    assert_int_equal(event_at(&run, ACCESS, 2, 0)->offset[0], 40);
    contents.size = 24; /* the second load is from beyond it */
    execute(&run, 0, 0);
    assert_int_equal(event_at(&run, ACCESS, 1, 0)->offset[0], 24);
    assert_true(event_at(&run, ACCESS, 2, 0)->symbol[0] > 2);
    finish(&run);

    run = start_text(followed);
    contents = (struct gp_contents){words, sizeof words, true};
    run.launch.arguments[1].contents = &contents;
    execute(&run, 0, 0);
    assert_true(event_at(&run, ACCESS, 2, 0)->symbol[0] == 2 && event_at(&run, ACCESS, 2, 0)->offset[0] == 40);
    finish(&run);
}

static void what_a_kernel_writes_to_has_no_contents(void **state)
{
    (void)state;
    const uint64_t words[] = {24, 0, 8, 40};
    const struct gp_contents contents = {words, sizeof words, false};
    struct run run = start_text(overwritten);
    run.launch.arguments[0].contents = &contents;
    execute(&run, 0, 0);
    assert_true(event_at(&run, ACCESS, 1, 0)->symbol[0] > 1);
    finish(&run);
}

/* Four lanes share what index[] says: out[((index[lane / 4] % 1000003) * 16 + lane % 4) ^ 0x5555]; out[index[lane] %
 * 16] has no such thing. */
static const char *const shared_rows = KERNEL OUT "param index: buffer 64 in global size 8\n"
                                                  "block 0:\n" LANE "%row = lshr i64 %lid, 2\n"
                                                  "%rb = shl i64 %row, 2\n"
                                                  "%rp = add i64 $index, %rb\n"
                                                  "%x = load i32 %rp in global 4x1 base $index\n"
                                                  "%m = urem i32 %x, 1000003\n"
                                                  "%s = shl i32 %m, 4\n"
                                                  "%l = trunc i64 %lid to i32\n"
                                                  "%t = and i32 %l, 3\n"
                                                  "%i = or i32 %s, %t\n"
                                                  "%h = xor i32 %i, 0x5555\n"
                                                  "%w = zext i32 %h to i64\n"
                                                  "%b = shl i64 %w, 2\n"
                                                  "%p = add i64 $out, %b\n"
                                                  "store %p, 0 in global 4x1 base $out\n"
                                                  "%ob = shl i64 %lid, 2\n"
                                                  "%op = add i64 $index, %ob\n"
                                                  "%y = load i32 %op in global 4x1 base $index\n"
                                                  "%z = and i32 %y, 15\n"
                                                  "%zw = zext i32 %z to i64\n"
                                                  "%zp = add i64 $out, %zw\n"
                                                  "store %zp, 0 in global 4x1 base $out\n"
                                                  "ret\n";

static void lanes_that_share_a_load_share_what_is_made_of_it(void **state)
{
    (void)state;
    struct run run = run_text(shared_rows);
    const struct event *rows = event_at(&run, ACCESS, 1, 0), *own = event_at(&run, ACCESS, 3, 0);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_not_equal(rows->symbol[lane], GP_SYMBOL_UNKNOWN);
        assert_int_equal(rows->offset[lane], 4 * (5 ^ lane % 4));
        for (unsigned other = 0; other < lane; other++)
            assert_int_equal(rows->symbol[other] == rows->symbol[lane], other / 4 == lane / 4);
        assert_int_equal(own->symbol[lane], GP_SYMBOL_UNKNOWN);
    }
    finish(&run);
}

/* out[(int)index[5].y + lane], and out[(int)(lane * scale[0].y)] of a vector of floats that do nothing but scale. */
static const char *const second_elements =
    KERNEL OUT "param index: buffer 64 in global size 8\n"
               "block 0:\n" LANE "%q = add i64 $index, 80\n"
               "%x = load i32 %q in global 4x4 base $index\n"
               "%y = weight i32 %x : free\n"
               "%l = trunc i64 %lid to i32\n"
               "%n = add i32 %y, %l\n"
               "%w = sext i32 %n to i64\n"
               "%b = shl i64 %w, 2\n"
               "%p = add i64 $out, %b\n"
               "store %p, 0 in global 4x1 base $out\n"
               "%f = load f32 $index in global 4x2 base $index : memory uniform\n"
               "%g = weight f32 %f : free uniform\n"
               "%lf = uitofp i32 %l to f32\n"
               "%s = fmul f32 %lf, %g\n"
               "%i = fptosi f32 %s to i32\n"
               "%iw = sext i32 %i to i64\n"
               "%ib = shl i64 %iw, 2\n"
               "%ip = add i64 $out, %ib\n"
               "store %ip, 0 in global 4x1 base $out\n"
               "ret\n";

static void other_elements_of_vectors_are_as_known_as_the_first(void **state)
{
    (void)state;
    struct run run = run_text(second_elements);
    const struct event *placed = event_at(&run, ACCESS, 1, 0), *scaled = event_at(&run, ACCESS, 3, 0);
    assert_true(placed->symbol[0] > 2 && placed->symbol[0] != GP_SYMBOL_UNKNOWN);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(placed->symbol[lane], placed->symbol[0]);
        assert_int_equal((int64_t)placed->offset[lane], 4 * (int64_t)lane);
        assert_int_equal(scaled->symbol[lane], 1); /* the buffer's, as of a number that is taken to be 1 */
        assert_int_equal(scaled->offset[lane], 4 * lane);
    }
    finish(&run);
}

/* out[y * pitch + x] with unknown pitch in a group of 16 x 2: two rows, each contiguous, on symbols of their own. */
static const char *const pitched = KERNEL OUT "param pitch: int 32 size 4\n"
                                              "block 0:\n"
                                              "%x = id.local_id.0 i32\n"
                                              "%gy = id.global_id.1 i32\n"
                                              "%row = mul i32 %gy, $pitch\n"
                                              "%i = add i32 %row, %x\n"
                                              "%w = sext i32 %i to i64\n"
                                              "%p = add i64 $out, %w\n"
                                              "%q = xor i32 %x, 1\n"
                                              "%s = mul i32 %row, 16\n"
                                              "%t = add i32 %s, %q\n"
                                              "%u = and i32 %t, 15\n"
                                              "%v = zext i32 %u to i64\n"
                                              "%o = add i64 $out, %v\n"
                                              "store %p, 0 in global 1x1 base $out\n"
                                              "store %o, 0 in global 1x1 base $out\n"
                                              "ret\n";

static int64_t swizzled(unsigned lane) { return (lane % 16) ^ 1; }

static void rows_of_unknown_pitch_are_contiguous(void **state)
{
    (void)state;
    struct run run = start_text(pitched);
    run.launch.global[0] = 16;
    run.launch.global[1] = 64;
    run.launch.local[0] = 16;
    run.launch.local[1] = 2;
    execute(&run, 0, 0);
    const struct event *event = event_at(&run, ACCESS, 0, 0);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(event->symbol[lane], event->symbol[lane / 16 * 16]);
        assert_int_equal(event->offset[lane], lane % 16);
    }
    assert_int_equal(event->symbol[0], 1); /* row 0 times pitch is 0 */
    assert_int_not_equal(event->symbol[16], 1);
    assert_offsets(event_at(&run, ACCESS, 1, 0), ALL, swizzled); /* row * pitch * 16 has no low bits */
    run.launch.arguments[1] = (struct gp_argument){.known = true, .value = 1000};
    execute(&run, 0, 0);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->symbol[16], 1);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->offset[17], 1001);
    finish(&run);
}

/* tile[lane % 16][(lane ^ lane / 16) & 31]: local memory, a swizzle. */
static const char *const swizzle = KERNEL OUT "local tile: 8192 align 16\n"
                                              "block 0:\n" LANE "%m = urem i64 %lid, 16\n"
                                              "%h = udiv i64 %lid, 16\n"
                                              "%x = xor i64 %lid, %h\n"
                                              "%y = and i64 %x, 31\n"
                                              "%r = mul i64 %m, 128\n"
                                              "%c = shl i64 %y, 2\n"
                                              "%o = add i64 %r, %c\n"
                                              "%p = add i64 local.tile, %o\n"
                                              "store %p, 0 in local 4x1 base local.tile\n"
                                              "barrier\n"
                                              "ret\n";

static void swizzles_are_exact(void **state)
{
    (void)state;
    struct run run = run_text(swizzle);
    const struct event *event = event_at(&run, ACCESS, 0, 0);
    assert_int_equal(event->symbol[0], gp_symbol_of(run.kernel, gp_ref_make(GP_REF_LOCAL, 0)));
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(event->offset[lane], lane % 16 * 128 + ((lane ^ lane / 16) & 31) * 4);
    assert_int_equal(event_at(&run, BARRIER, 10, 0)->active, ALL);
    finish(&run);
}

/* Private arrays, atomics: the same address does not mean the same value. */
static const char *const own_values = KERNEL OUT "private mine: 64 align 4\n"
                                                 "block 0:\n"
                                                 "%a = load i32 private.mine in private 4x1 base private.mine\n"
                                                 "%b = atomic i32 $out, 1 in global 4x1 base $out returns\n"
                                                 "%c = load i32 $out in global 4x1 base $out\n"
                                                 "%aw = zext i32 %a to i64\n"
                                                 "%bw = zext i32 %b to i64\n"
                                                 "%cw = zext i32 %c to i64\n"
                                                 "%ap = add i64 $out, %aw\n"
                                                 "%bp = add i64 $out, %bw\n"
                                                 "%cp = add i64 $out, %cw\n"
                                                 "store %ap, 0 in global 4x1 base $out\n"
                                                 "store %bp, 0 in global 4x1 base $out\n"
                                                 "store %cp, 0 in global 4x1 base $out\n"
                                                 "ret\n";

/* A counter's old values lie side by side in the lanes that count, three apart here, and are others each time. */
static const char *const counted = KERNEL OUT "block 0:\n"
                                              "%a = atomic i32 $out, 3 in global 4x1 base $out returns counts\n"
                                              "%b = atomic i32 $out, 3 in global 4x1 base $out returns counts\n"
                                              "%aw = zext i32 %a to i64\n"
                                              "%bw = zext i32 %b to i64\n"
                                              "%ap = add i64 $out, %aw\n"
                                              "%bp = add i64 $out, %bw\n"
                                              "store %ap, 0 in global 4x1 base $out\n"
                                              "store %bp, 0 in global 4x1 base $out\n"
                                              "ret\n";

static void counters_count_lane_by_lane(void **state)
{
    (void)state;
    struct run run = run_text(counted);
    const struct event *first = event_at(&run, ACCESS, 2, 0), *second = event_at(&run, ACCESS, 3, 0);
    assert_int_not_equal(first->symbol[0], GP_SYMBOL_UNKNOWN);
    assert_int_not_equal(first->symbol[0], second->symbol[0]);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(first->symbol[lane], first->symbol[0]);
        assert_int_equal(first->offset[lane] - first->offset[0], 3 * lane);
    }
    finish(&run);
}

static void private_and_atomic_values_differ_by_lane(void **state)
{
    (void)state;
    struct run run = run_text(own_values);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->symbol[0], gp_symbol_of(run.kernel, gp_ref_make(GP_REF_PRIVATE, 0)));
    assert_true(event_at(&run, ACCESS, 0, 0)->uniform && event_at(&run, ACCESS, 1, 0)->uniform);
    assert_int_equal(event_at(&run, ACCESS, 3, 0)->symbol[3], GP_SYMBOL_UNKNOWN);
    assert_int_equal(event_at(&run, ACCESS, 4, 0)->symbol[3], GP_SYMBOL_UNKNOWN);
    assert_true(event_at(&run, ACCESS, 5, 0)->uniform);
    run.launch.local[0] = 1; /* one lane: everything is the same for all lanes */
    execute(&run, 0, 0);
    assert_true(event_at(&run, ACCESS, 3, 0)->uniform);
    finish(&run);
}

/* An exchange is tried again by the lanes that met another one at their address: four lanes to a word. */
static const char *const retried = KERNEL OUT "loop 0: header 1 latch 1 bound retry data\n"
                                              "block 0:\n" LANE "%w = lshr i64 %lid, 2\n"
                                              "%b = shl i64 %w, 2\n"
                                              "%p = add i64 $out, %b\n"
                                              "br block 1\n"
                                              "block 1: loop 0\n"
                                              "%old = load i32 %p in global 4x1 base $out\n"
                                              "%found = atomic i32 %p, %old, 0 in global 4x1 base $out returns\n"
                                              "%done = icmp.eq i32 %old, %found\n"
                                              "condbr %done, block 2, block 1 kind data\n"
                                              "block 2:\n"
                                              "ret\n";

static void exchanges_succeed_one_by_one_at_an_address(void **state)
{
    (void)state;
    struct run run = run_text(retried);
    for (unsigned turn = 0; turn < 4; turn++)
        assert_int_equal(event_at(&run, ACCESS, 1, turn)->active, ALL / 15 * (15 & 15 << turn));
    assert_int_equal(count_events(&run, ACCESS, 1), 4);
    assert_int_equal(run.result.guessed_trips, 0);
    run.options.in_turn = true;
    execute(&run, 0, 0);
    assert_int_equal(count_events(&run, ACCESS, 1), 1);
    finish(&run);
}

static const char *const retried_somewhere = KERNEL OUT "loop 0: header 1 latch 1 bound retry data\n"
                                                        "block 0:\n" LANE "%a = shl i64 %lid, 2\n"
                                                        "%at = add i64 $out, %a\n"
                                                        "%w = load i32 %at in global 4x1 base $out\n"
                                                        "%b = sext i32 %w to i64\n"
                                                        "%p = add i64 $out, %b\n"
                                                        "br block 1\n"
                                                        "block 1: loop 0\n"
                                                        "%found = atomic i32 %p, 1 in global 4x1 base $out returns\n"
                                                        "%free = icmp.eq i32 %found, 0\n"
                                                        "condbr %free, block 2, block 1 kind data\n"
                                                        "block 2:\n"
                                                        "ret\n";

static void exchanges_that_lie_anywhere_succeed_at_once(void **state)
{
    (void)state;
    struct run run = run_text(retried_somewhere);
    assert_int_equal(event_at(&run, ACCESS, 1, 0)->active, ALL);
    assert_int_equal(count_events(&run, ACCESS, 1), 1);
    finish(&run);
}

/* A row of a sparse matrix: `if (first < end) do ... while (++j < end)`. The guard asks what the loop does, which so
 * many iterations are assumed of. */
static const char *const row_of_matrix = KERNEL OUT "loop 0: header 1 latch 1 bound assumed data\n"
                                                    "induction %j loop 0 step 1\n"
                                                    "block 0: ipdom 2\n"
                                                    "%first = load i32 $out in global 4x1 base $out\n"
                                                    "%behind = add i64 $out, 4\n"
                                                    "%end = load i32 %behind in global 4x1 base $out\n"
                                                    "%some = icmp.slt i32 %first, %end\n"
                                                    "condbr %some, block 1, block 2 kind data\n"
                                                    "block 1: ipdom 2 loop 0\n"
                                                    "%j = phi i32 [block 0: %first], [block 1: %next]\n"
                                                    "%next = add i32 %j, 1\n"
                                                    "%more = icmp.slt i32 %next, %end\n"
                                                    "condbr %more, block 1, block 2 kind data\n"
                                                    "block 2:\n"
                                                    "ret\n";

static double weight_of_visits(const struct run *run, uint32_t block)
{
    double weight = 0;
    for (uint32_t i = 0; i < run->event_count && i < MAX_EVENTS; i++)
        weight += run->events[i].kind == VISIT && run->events[i].what == block ? run->events[i].weight : 0;
    return weight;
}

/*
 * table[row * 32 + column] in local memory, of rows that data decides: the lane's own column is known, in whatever way
 * it is put together. Neither where columns are known to meet (x / 2) nor where nobody knows them is anything said.
 */
static const char *const columns = KERNEL OUT "local table: 32768 align 4\n"
                                              "block 0:\n"
                                              "%x = id.local_id.0 i32\n"
                                              "%w = zext i32 %x to i64\n"
                                              "%p = add i64 $out, %w\n"
                                              "%data = load i32 %p in global 4x1 base $out\n"
                                              "%wide = zext i32 %data to i64\n"
                                              "%masked = and i64 %wide, 255\n"
                                              "%row = shl i64 %masked, 7\n"
                                              "%bytes = mul i64 %w, 4\n"
                                              "%at = or i64 %row, %bytes\n"
                                              "%q = add i64 local.table, %at\n"
                                              "%high = and i64 %wide, 32640\n"
                                              "%turned = xor i64 %bytes, 36\n"
                                              "%sum = add i64 %high, %turned\n"
                                              "%r = add i64 local.table, %sum\n"
                                              "%pairs = and i64 %bytes, 120\n"
                                              "%met = add i64 %row, %pairs\n"
                                              "%s = add i64 local.table, %met\n"
                                              "%near = shl i64 %masked, 6\n"
                                              "%lost = add i64 %near, %bytes\n"
                                              "%t = add i64 local.table, %lost\n"
                                              "store %q, 0 in local 4x1 base local.table\n"
                                              "store %r, 0 in local 4x1 base local.table\n"
                                              "store %s, 0 in local 4x1 base local.table\n"
                                              "store %t, 0 in local 4x1 base local.table\n"
                                              "ret\n";

static void rows_of_data_have_columns(void **state)
{
    (void)state;
    struct run run = start_text(columns);
    run.launch.global[0] = run.launch.local[0] = 32;
    execute(&run, 0, 0);
    const struct event *own = event_at(&run, ACCESS, 1, 0), *turned = event_at(&run, ACCESS, 2, 0);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(own->offset[lane], 4 * lane);
        assert_int_equal(turned->offset[lane], 4 * lane ^ 36);
        assert_int_not_equal(own->symbol[lane], GP_SYMBOL_UNKNOWN);
        for (unsigned other = 0; other < lane; other++)
            assert_int_not_equal(own->symbol[lane], own->symbol[other]);
        assert_int_equal(event_at(&run, ACCESS, 3, 0)->symbol[lane], GP_SYMBOL_UNKNOWN);
        assert_int_equal(event_at(&run, ACCESS, 4, 0)->symbol[lane], GP_SYMBOL_UNKNOWN);
    }
    finish(&run);
}

/*
 * A byte picks one of 256 elements of the group's tile, and so does a number that is kept within 0 and 255, with the
 * element behind it: places within the tile, some of them apart, and others for the next group. What is behind the
 * byte's, but within the tile, is behind the same one. Nothing is drawn of a number of 32 bits, nor in the one table
 * that all look into.
 */
static const char *const tiles = KERNEL OUT "param key: buffer 64 in global const size 8\n"
                                            "block 0:\n"
                                            "%g = id.global_id.0 i64\n"
                                            "%k = add i64 $key, %g\n"
                                            "%byte = load i8 %k in global 1x1 base $key\n"
                                            "%u = zext i8 %byte to i64\n"
                                            "%tile = and i64 %g, 0xffffffffffffff00\n"
                                            "%i = add i64 %tile, %u\n"
                                            "%o = shl i64 %i, 2\n"
                                            "%p = add i64 $out, %o\n"
                                            "store %p, 0 in global 4x1 base $out\n"
                                            "%t = shl i64 %u, 2\n"
                                            "%q = add i64 $out, %t\n"
                                            "store %q, 0 in global 4x1 base $out\n"
                                            "%word = load i32 %k in global 4x1 base $key\n"
                                            "%v = zext i32 %word to i64\n"
                                            "%any = add i64 %tile, %v\n"
                                            "%r = add i64 $out, %any\n"
                                            "store %r, 0 in global 4x1 base $out\n"
                                            "%least = smax i32 %word, 0\n"
                                            "%kept = smin i32 %least, 255\n"
                                            "%n = zext i32 %kept to i64\n"
                                            "%own = add i64 %tile, %n\n"
                                            "%b = shl i64 %own, 2\n"
                                            "%c = add i64 $out, %b\n"
                                            "store %c, 0 in global 4x1 base $out\n"
                                            "%d = add i64 %c, 4\n"
                                            "store %d, 0 in global 4x1 base $out\n"
                                            "%next = add i64 %u, 1\n"
                                            "%inside = umin i64 %next, 255\n"
                                            "%e = add i64 %tile, %inside\n"
                                            "%f = shl i64 %e, 2\n"
                                            "%h = add i64 $out, %f\n"
                                            "store %h, 0 in global 4x1 base $out\n"
                                            "ret\n";

static void places_near_a_known_one_are_drawn(void **state)
{
    (void)state;
    struct run run = start_text(tiles);
    run.launch.local[0] = 256;
    for (uint64_t group = 0; group < 2; group++) {
        execute(&run, group, 3);
        const struct event *drawn = event_at(&run, ACCESS, 1, 0), *kept = event_at(&run, ACCESS, 5, 0),
                           *behind = event_at(&run, ACCESS, 6, 0), *next = event_at(&run, ACCESS, 7, 0);
        const uint64_t last = 1024 * group + 1020;
        unsigned different = 0, kept_apart = 0;
        for (unsigned lane = 0; lane < 32; lane++) {
            assert_int_equal(drawn->symbol[lane], 1);
            assert_in_range(drawn->offset[lane], 1024 * group, 1024 * group + 1020);
            different += lane > 0 && drawn->offset[lane] != drawn->offset[lane - 1];
            assert_in_range(kept->offset[lane], 1024 * group, 1024 * group + 1020);
            kept_apart += lane > 0 && kept->offset[lane] != kept->offset[lane - 1];
            assert_int_equal(behind->offset[lane], kept->offset[lane] + 4);
            assert_int_equal(next->offset[lane], drawn->offset[lane] == last ? last : drawn->offset[lane] + 4);
            assert_int_equal(event_at(&run, ACCESS, 2, 0)->symbol[lane], GP_SYMBOL_UNKNOWN);
            assert_int_equal(event_at(&run, ACCESS, 4, 0)->symbol[lane], GP_SYMBOL_UNKNOWN);
        }
        assert_true(different > 20 && kept_apart > 20);
    }
    finish(&run);
}

static void loops_of_assumed_iterations_are_entered(void **state)
{
    (void)state;
    struct run run = run_text(row_of_matrix);
    assert_float_equal(weight_of_visits(&run, 1), 16 * 2000.0 / 2001, 1e-9);
    run.launch.assumed_trip_count = 5;
    execute(&run, 0, 0);
    assert_float_equal(weight_of_visits(&run, 1), 5 * 2000.0 / 2001, 1e-9);
    finish(&run);
}

/* The same row, a warp for it, unrolled by four: what is left over first. Of 6 iterations the main loop does one of
 * four, the other two; both read side by side. */
static const char *const unrolled_row =
    "gpuperf-profile 1\nlocation 0: \"k.cl\":1:1\nkernel w\n" OUT "loop 0: header 2 latch 2 bound assumed data at 0\n"
    "loop 1: header 4 latch 4 bound assumed data at 0\n"
    "induction %j loop 0 step 32\n"
    "induction %k loop 0 step 1\n"
    "induction %i loop 1 step 128\n"
    "block 0: ipdom 5\n"
    "%lane = id.local_id.0 i32\n"
    "%row = load i32 $out in global 4x1 base $out\n"
    "%first = add i32 %row, %lane\n"
    "%behind = add i64 $out, 4\n"
    "%end = load i32 %behind in global 4x1 base $out\n"
    "%some = icmp.slt i32 %first, %end\n"
    "condbr %some, block 1, block 5 kind data\n"
    "block 1: ipdom 3\n"
    "%all = sub i32 %end, %first\n"
    "%turns = lshr i32 %all, 5\n"
    "%rest = and i32 %turns, 3\n"
    "%none = icmp.eq i32 %rest, 0\n"
    "condbr %none, block 3, block 2 kind data\n"
    "block 2: ipdom 3 loop 0\n"
    "%j = phi i32 [block 1: %first], [block 2: %j2]\n"
    "%k = phi i32 [block 1: 0], [block 2: %k2]\n"
    "%jw = sext i32 %j to i64\n"
    "%jb = shl i64 %jw, 2\n"
    "%jp = add i64 $out, %jb\n"
    "store %jp, 0 in global 4x1 base $out\n"
    "%j2 = add i32 %j, 32\n"
    "%k2 = add i32 %k, 1\n"
    "%left = icmp.ne i32 %k2, %rest\n"
    "condbr %left, block 2, block 3 kind data\n"
    "block 3: ipdom 5\n"
    "%on = phi i32 [block 1: %first], [block 2: %j2]\n"
    "%few = icmp.ult i32 %all, 96\n"
    "condbr %few, block 5, block 4 kind data\n"
    "block 4: ipdom 5 loop 1\n"
    "%i = phi i32 [block 3: %on], [block 4: %i2]\n"
    "%iw = sext i32 %i to i64\n"
    "%ib = shl i64 %iw, 2\n"
    "%ip = add i64 $out, %ib\n"
    "store %ip, 0 in global 4x1 base $out\n"
    "%i2 = add i32 %i, 128\n"
    "%again = icmp.slt i32 %i2, %end\n"
    "condbr %again, block 4, block 5 kind data\n"
    "block 5:\n"
    "ret\n";

static void parts_of_an_unrolled_loop_share_its_iterations(void **state)
{
    (void)state;
    struct run run = start_text(unrolled_row);
    run.launch.assumed_trip_count = 6;
    execute(&run, 0, 0);
    assert_float_equal(weight_of_visits(&run, 2), 2, 0.01);
    assert_float_equal(weight_of_visits(&run, 4), 1, 0.01);
    const struct event *store = event_at(&run, ACCESS, 3, 0);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(store->symbol[lane], store->symbol[0]);
        assert_int_equal(store->offset[lane] - store->offset[0], 4 * lane);
    }
    finish(&run);
}

/* Columns whose lengths were loaded, lane by lane, unrolled by four; what is left over comes behind. Branches choose
 * between the parts; a part counts on from where the other stopped. */
static const char *const unrolled_columns = "gpuperf-profile 1\nlocation 0: \"k.cl\":1:1\nkernel w\n" OUT
                                            "loop 0: header 3 latch 3 bound assumed data unroll 4 at 0\n"
                                            "loop 1: header 6 latch 6 bound assumed data at 0\n"
                                            "induction %j loop 0 step 4\n"
                                            "induction %k loop 1 step 1\n"
                                            "induction %c loop 1 step 1\n"
                                            "block 0: ipdom 7\n" LANE "%own = shl i64 %lid, 2\n"
                                            "%at = add i64 $out, %own\n"
                                            "%n = load i32 %at in global 4x1 base $out\n"
                                            "%some = icmp.sgt i32 %n, 0\n"
                                            "condbr %some, block 1, block 7 kind data\n"
                                            "block 1: ipdom 7\n"
                                            "%rest = and i32 %n, 3\n"
                                            "%few = icmp.ult i32 %n, 4\n"
                                            "condbr %few, block 5, block 2 kind data\n"
                                            "block 2: ipdom 3\n"
                                            "%fours = and i32 %n, 0x7ffffffc\n"
                                            "br block 3\n"
                                            "block 3: ipdom 4 loop 0\n"
                                            "%j = phi i32 [block 2: 0], [block 3: %j2]\n"
                                            "%jw = sext i32 %j to i64\n"
                                            "%jb = shl i64 %jw, 12\n"
                                            "%jp = add i64 %at, %jb\n"
                                            "store %jp, 0 in global 4x1 base $out\n"
                                            "%j2 = add i32 %j, 4\n"
                                            "%done = icmp.eq i32 %j2, %fours\n"
                                            "condbr %done, block 4, block 3 kind data\n"
                                            "block 4: ipdom 7\n"
                                            "%none = icmp.eq i32 %rest, 0\n"
                                            "condbr %none, block 7, block 5 kind data\n"
                                            "block 5: ipdom 6\n"
                                            "%on = phi i32 [block 1: 0], [block 4: %j2]\n"
                                            "br block 6\n"
                                            "block 6: ipdom 7 loop 1\n"
                                            "%k = phi i32 [block 5: %on], [block 6: %k2]\n"
                                            "%c = phi i32 [block 5: 0], [block 6: %c2]\n"
                                            "%kw = sext i32 %k to i64\n"
                                            "%kb = shl i64 %kw, 12\n"
                                            "%kp = add i64 %at, %kb\n"
                                            "store %kp, 0 in global 4x1 base $out\n"
                                            "%k2 = add i32 %k, 1\n"
                                            "%c2 = add i32 %c, 1\n"
                                            "%over = icmp.eq i32 %c2, %rest\n"
                                            "condbr %over, block 7, block 6 kind data\n"
                                            "block 7:\n"
                                            "%last = phi i32 [block 0: 0], [block 4: %j2], [block 6: %k2]\n"
                                            "%lw = sext i32 %last to i64\n"
                                            "%lb = shl i64 %lw, 2\n"
                                            "%lp = add i64 $out, %lb\n"
                                            "store %lp, 0 in global 4x1 base $out\n"
                                            "ret\n";

/* Of each number of iterations the main loop does fours, the other one what is left over, from there on; nobody goes
 * where there are none to do. */
static void parts_count_on_where_the_one_before_stopped(void **state)
{
    (void)state;
    struct run run = start_text(unrolled_columns);
    for (uint32_t trips = 1; trips <= 9; trips++) {
        run.launch.assumed_trip_count = trips;
        execute(&run, 0, 0);
        assert_int_equal(count_events(&run, VISIT, 3), trips / 4);
        assert_int_equal(count_events(&run, VISIT, 6), trips % 4);
        assert_float_equal(weight_of_visits(&run, 3), (double)(trips / 4), 1e-9);
        assert_float_equal(weight_of_visits(&run, 6), (double)(trips % 4), 1e-9);
        assert_true(run.result.guessed_branches > 0);
        for (uint32_t i = 0; i < trips % 4; i++) {
            const struct event *store = event_at(&run, ACCESS, 2, i);
            assert_true(store->guessed);
            for (uint64_t lane = 0; lane < 32; lane++) {
                assert_int_equal(store->symbol[lane], gp_symbol_of(run.kernel, gp_ref_make(GP_REF_PARAM, 0)));
                assert_int_equal(store->offset[lane], 4 * lane + 4096 * (trips / 4 * 4 + i));
            }
        }
        assert_int_equal(event_at(&run, ACCESS, 3, 0)->symbol[0],
                         GP_SYMBOL_UNKNOWN); /* behind all parts each lane has another count */
    }
    finish(&run);
}

/* Image coordinates: an integer and x + 0.5 in floating point, which falls into texel x. */
static const char *const image = KERNEL "param picture: image 64 in image size 8\n"
                                        "block 0:\n" LANE "%x = trunc i64 %lid to i32\n"
                                        "%f = uitofp i32 %x to f32\n"
                                        "%h = fadd f32 %f, 0x3f000000\n"
                                        "%y = sub i32 3, %x\n"
                                        "%v = image_load f32 $picture, %h, %y in image 4x4 base $picture readonly\n"
                                        "ret\n";

static void images_report_texels(void **state)
{
    (void)state;
    struct run run = run_text(image);
    const struct event *event = event_at(&run, ACCESS, 0, 0);
    assert_int_equal(event->coordinates, 2);
    assert_int_equal(event->symbol[0], 1);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(event->coordinate_symbol[0][lane], GP_SYMBOL_KNOWN);
        assert_int_equal(event->coordinate[0][lane], lane);
        assert_int_equal((int64_t)event->coordinate[1][lane], 3 - (int64_t)lane);
    }
    finish(&run);
}

/* x times a number that nobody knows: the work-item's own place, and said. */
static const char *const rotated_image =
    KERNEL "param picture: image 64 in image size 8\n"
           "param cosine: float 32 size 4\n"
           "block 0:\n" LANE "%x = trunc i64 %lid to i32\n"
           "%f = uitofp i32 %x to f32\n"
           "%h = fmul f32 %f, $cosine\n"
           "%v = image_load f32 $picture, %h, 5 in image 4x4 base $picture readonly\n"
           "ret\n";

static void unknown_texels_are_the_work_items_own(void **state)
{
    (void)state;
    struct run run = run_text(rotated_image);
    const struct event *event = event_at(&run, ACCESS, 0, 0);
    assert_int_equal(event->assumed & ~(gp_mask)1, ALL & ~(gp_mask)1);
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_int_equal(event->coordinate_symbol[0][lane], GP_SYMBOL_KNOWN);
        assert_int_equal(event->coordinate[0][lane], lane);
        assert_int_equal(event->coordinate[1][lane], 5);
    }
    finish(&run);
}

/* 256 elements of 4 bytes copied by a group of 64: each warp makes 4 accesses of neighbouring elements. */
static const char *const bulk = KERNEL OUT "local tile: 1024 align 16\n"
                                           "block 0:\n"
                                           "%e = bulk_copy i64 local.tile, $out, 256 in global 4x1 base $out\n"
                                           "ret\n";

static void bulk_copies_are_shared_by_the_group(void **state)
{
    (void)state;
    struct run run = start_text(bulk);
    run.launch.local[0] = 64;
    execute(&run, 0, 1);
    assert_int_equal(count_events(&run, ACCESS, 0), 4);
    for (uint32_t round = 0; round < 4; round++) {
        const struct event *event = event_at(&run, ACCESS, 0, round);
        assert_weight(event->weight, 1.0);
        assert_int_equal(event->symbol[0], 1);
        assert_int_equal(event->offset[0], 128 + 256 * round);
        assert_int_equal(event->offset[31], 252 + 256 * round);
    }
    run.options.exhaustive = false; /* the first round stands for all but the last */
    execute(&run, 0, 1);
    assert_int_equal(count_events(&run, ACCESS, 0), 2);
    assert_weight(event_at(&run, ACCESS, 0, 0)->weight, 3.0);
    assert_weight(event_at(&run, ACCESS, 0, 1)->weight, 1.0);
    assert_int_equal(event_at(&run, ACCESS, 0, 1)->offset[0], 128 + 256 * 3);
    finish(&run);
}

/* 80 elements: the second round is the first warp's alone, and half of it. */
static const char *const partial_bulk = KERNEL OUT "local tile: 1024 align 16\n"
                                                   "block 0:\n"
                                                   "%e = bulk_copy i64 local.tile, $out, 80 in global 4x1 base $out\n"
                                                   "ret\n";

static void bulk_copies_end_in_a_partial_round(void **state)
{
    (void)state;
    struct run run = start_text(partial_bulk);
    run.launch.local[0] = 64;
    execute(&run, 0, 0);
    assert_int_equal(count_events(&run, ACCESS, 0), 2);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->active, ALL);
    assert_int_equal(event_at(&run, ACCESS, 0, 1)->active, 0xffff);
    execute(&run, 0, 1);
    assert_int_equal(count_events(&run, ACCESS, 0), 1);
    finish(&run);
}

/* In a loop: if (odd) v = n * 3; else v = n / 2; out[v]. Where the sides meet, each lane has its own side's value. */
static const char *const meeting = KERNEL OUT "loop 0: header 1 latch 4 bound constant trips 2\n"
                                              "block 0: ipdom 1\n" LANE "br block 1\n"
                                              "block 1: ipdom 4 loop 0\n"
                                              "%n = phi i64 [block 0: %lid], [block 4: %v]\n"
                                              "%k = phi i64 [block 0: 0], [block 4: %next]\n"
                                              "%bit = and i64 %n, 1\n"
                                              "%even = icmp.eq i64 %bit, 0\n"
                                              "condbr %even, block 3, block 2 kind thread\n"
                                              "block 2: ipdom 4 loop 0\n"
                                              "%up = mul i64 %n, 3\n"
                                              "br block 4\n"
                                              "block 3: ipdom 4 loop 0\n"
                                              "%down = lshr i64 %n, 1\n"
                                              "br block 4\n"
                                              "block 4: ipdom 5 loop 0\n"
                                              "%v = phi i64 [block 2: %up], [block 3: %down]\n"
                                              "%b = shl i64 %v, 2\n"
                                              "%p = add i64 $out, %b\n"
                                              "store %p, 0 in global 4x1 base $out\n"
                                              "%next = add i64 %k, 1\n"
                                              "%more = icmp.ult i64 %next, 2\n"
                                              "condbr %more, block 1, block 5 kind induction\n"
                                              "block 5:\n"
                                              "ret\n";

static void lanes_that_meet_in_a_loop_keep_their_values(void **state)
{
    (void)state;
    struct run run = run_text(meeting);
    for (uint64_t lane = 0, n; lane < 32; lane++) {
        n = lane;
        for (uint32_t turn = 0; turn < 2; turn++) {
            n = n & 1 ? n * 3 : n / 2;
            assert_int_equal(event_at(&run, ACCESS, 0, turn)->offset[lane], n * 4);
        }
    }
    finish(&run);
}

/* ---- Guesses --------------------------------------------------------------------------------------------------- */

/* if (flag) v = lane * 4; else v = lane * 4 + 64; out[v] : flag is an argument that nobody knows. */
static const char *const unknown_flag = KERNEL OUT "param flag: int 32 size 4\n"
                                                   "block 0: ipdom 3\n" LANE "%b = shl i64 %lid, 2\n"
                                                   "%c = icmp.ne i32 $flag, 0\n"
                                                   "condbr %c, block 1, block 2 kind argument probability 16384\n"
                                                   "block 1: ipdom 3\n"
                                                   "br block 3\n"
                                                   "block 2: ipdom 3\n"
                                                   "%d = add i64 %b, 64\n"
                                                   "br block 3\n"
                                                   "block 3:\n"
                                                   "%v = phi i64 [block 1: %b], [block 2: %d]\n"
                                                   "%p = add i64 $out, %v\n"
                                                   "store %p, 0 in global 4x1 base $out\n"
                                                   "ret\n";

static void a_uniform_unknown_branch_is_weighed(void **state)
{
    (void)state;
    struct run run = run_text(unknown_flag);
    double quarter = 16384 / 65535.0;
    assert_weight(event_at(&run, VISIT, 1, 0)->weight, quarter);
    assert_weight(event_at(&run, VISIT, 2, 0)->weight, 1.0 - quarter);
    assert_int_equal(event_at(&run, VISIT, 1, 0)->active, ALL);
    assert_int_equal(event_at(&run, VISIT, 2, 0)->active, ALL);
    assert_weight(event_at(&run, VISIT, 3, 0)->weight, 1.0);
    assert_int_equal(count_events(&run, DIVERGE, 0), 0);
    const struct event *store = event_at(&run, ACCESS, 0, 0);
    for (unsigned lane = 1; lane < 32; lane++) { /* one of two places, but neighbours stay neighbours */
        assert_int_equal(store->symbol[lane], store->symbol[0]);
        assert_int_equal(store->offset[lane] - store->offset[0], 4 * lane);
    }
    assert_false(store->guessed);
    assert_int_equal(run.result.guessed_branches, 1);
    assert_weight(run.result.guessed_instructions, quarter * 1 + (1.0 - quarter) * 2);
    run.launch.arguments[1] = (struct gp_argument){.known = true, .value = 1};
    execute(&run, 0, 0);
    assert_int_equal(count_events(&run, VISIT, 2), 0);
    assert_int_equal(run.result.guessed_branches, 0);
    finish(&run);
}

/* if (f || g) store; of two arguments that nobody knows: where the ways to the store meet their weights add up, and
 * behind it all is as before. */
static const char *const either_flag = KERNEL OUT "param f: int 32 size 4\nparam g: int 32 size 4\n"
                                                  "block 0: ipdom 3\n" LANE "%p = add i64 $out, %lid\n"
                                                  "%a = icmp.ne i32 $f, 0\n"
                                                  "condbr %a, block 2, block 1 kind argument probability 16384\n"
                                                  "block 1: ipdom 3\n"
                                                  "%b = icmp.ne i32 $g, 0\n"
                                                  "condbr %b, block 2, block 3 kind argument probability 16384\n"
                                                  "block 2: ipdom 3\n"
                                                  "store %p, 0 in global 1x1 base $out\n"
                                                  "br block 3\n"
                                                  "block 3:\n"
                                                  "ret\n";

static void ways_that_meet_early_add_up(void **state)
{
    (void)state;
    struct run run = run_text(either_flag);
    double quarter = 16384 / 65535.0;
    assert_int_equal(count_events(&run, VISIT, 2), 1);
    assert_int_equal(count_events(&run, VISIT, 3), 1);
    assert_weight(event_at(&run, VISIT, 1, 0)->weight, 1 - quarter);
    assert_weight(event_at(&run, VISIT, 2, 0)->weight, quarter + (1 - quarter) * quarter);
    assert_weight(event_at(&run, VISIT, 3, 0)->weight, 1);
    assert_true(event_at(&run, ACCESS, 0, 0)->guessed);
    assert_int_equal(run.result.guessed_branches, 2);
    finish(&run);
}

/* out[f ? (out[lane] > 0 ? 4 : lane) : lane]: the argument is the same for all lanes, what is loaded is not, and all
 * three ways meet at once. */
static const char *const varying_inside = KERNEL OUT "param f: int 32 size 4\n"
                                                     "block 0: ipdom 3\n" LANE "%a = icmp.ne i32 $f, 0\n"
                                                     "condbr %a, block 1, block 3 kind argument\n"
                                                     "block 1: ipdom 3\n"
                                                     "%q = add i64 $out, %lid\n"
                                                     "%x = load i32 %q in global 4x1 base $out\n"
                                                     "%c = icmp.sgt i32 %x, 0\n"
                                                     "condbr %c, block 2, block 3 kind data\n"
                                                     "block 2: ipdom 3\n"
                                                     "br block 3\n"
                                                     "block 3:\n"
                                                     "%v = phi i64 [block 0: %lid], [block 1: %lid], [block 2: 4]\n"
                                                     "%p = add i64 $out, %v\n"
                                                     "store %p, 0 in global 4x1 base $out\n"
                                                     "ret\n";

static void what_varies_inside_a_uniform_guess_is_unknown(void **state)
{
    (void)state;
    struct run run = run_text(varying_inside);
    assert_int_equal(count_events(&run, VISIT, 3), 1);
    assert_weight(event_at(&run, VISIT, 3, 0)->weight, 1);
    assert_int_equal(event_at(&run, ACCESS, 1, 0)->symbol[0], GP_SYMBOL_UNKNOWN);
    finish(&run);
}

/* What LLVM asks before a loop that another version is kept of: `out + 16 lane < in + 8192 && in + 16 lane < out + n`.
 * SECOND: the other half's buffer. */
/* clang-format off */
#define VERSIONS(second) KERNEL OUT \
    "param in: buffer 64 in global size 8\nparam n: int 64 size 8\n" \
    "block 0: ipdom 3\n" LANE \
    "%s = shl i64 %lid, 4\n" \
    "%o = add i64 $out, %s\n" \
    "%i = add i64 $in, %s\n" \
    "%ie = add i64 $in, 8192\n" \
    "%oe = add i64 " second ", $n\n" \
    "%x = icmp.ult i64 %o, %ie\n" \
    "%y = icmp.ult i64 %i, %oe\n" \
    "%c = and i1 %x, %y\n" \
    "condbr %c, block 1, block 2 kind thread\n" \
    "block 1: ipdom 3\n" \
    "br block 3\n" \
    "block 2: ipdom 3\n" \
    "br block 3\n" \
    "block 3:\n" \
    "ret\n"
/* clang-format on */
static const char *const two_versions = VERSIONS("$out"), *const own_end = VERSIONS("$in");

static void buffers_do_not_overlap(void **state)
{
    (void)state;
    struct run run = run_text(two_versions);
    assert_int_equal(count_events(&run, VISIT, 1), 0);
    assert_int_equal(count_events(&run, VISIT, 2), 1);
    assert_int_equal(event_at(&run, VISIT, 2, 0)->active, ALL);
    assert_int_equal(run.result.guessed_branches, 0);
    finish(&run);
    run = run_text(own_end); /* asks of one buffer against another, once: maybe where the first one's data ends */
    assert_int_equal(count_events(&run, VISIT, 1), 1);
    assert_int_equal(count_events(&run, VISIT, 2), 1);
    assert_true(run.result.guessed_branches > 0);
    finish(&run);
}

/* The same with a condition of each lane's own: a warp takes a way as soon as one lane does. */
static const char *const rare_data = KERNEL OUT "block 0: ipdom 2\n" LANE "%b = shl i64 %lid, 2\n"
                                                "%p = add i64 $out, %b\n"
                                                "%v = load i32 %p in global 4x1 base $out\n"
                                                "%c = icmp.sgt i32 %v, 0\n"
                                                "condbr %c, block 1, block 2 kind data probability 655\n"
                                                "block 1: ipdom 2\n"
                                                "store %p, 0 in global 4x1 base $out\n"
                                                "br block 2\n"
                                                "block 2:\n"
                                                "ret\n";

static void a_rare_way_is_weighed_by_its_chance_in_a_warp(void **state)
{
    (void)state;
    struct run run = run_text(rare_data);
    double chance = 1 - pow(1 - 655 / 65535.0, 32);
    assert_weight(event_at(&run, VISIT, 1, 0)->weight, chance);
    assert_int_equal(event_at(&run, VISIT, 1, 0)->active, ALL);
    assert_weight(event_at(&run, VISIT, 2, 0)->weight, 1.0);
    assert_int_equal(count_events(&run, DIVERGE, 0), 1);
    assert_int_equal(run.result.guessed_branches, 1);
    finish(&run);
}

/* A way that is never taken: nobody goes there, and going the other is no guess. */
static const char *const never_data = KERNEL OUT "block 0: ipdom 3\n" LANE "%b = shl i64 %lid, 2\n"
                                                 "%p = add i64 $out, %b\n"
                                                 "%v = load i32 %p in global 4x1 base $out\n"
                                                 "%c = icmp.sgt i32 %v, 0\n"
                                                 "condbr %c, block 1, block 2 kind data probability 0\n"
                                                 "block 1: ipdom 3\n"
                                                 "store %p, 0 in global 4x1 base $out\n"
                                                 "br block 3\n"
                                                 "block 2: ipdom 3\n"
                                                 "br block 3\n"
                                                 "block 3:\n"
                                                 "ret\n";

static void a_way_that_is_never_taken_is_not_executed(void **state)
{
    (void)state;
    struct run run = run_text(never_data);
    assert_int_equal(count_events(&run, VISIT, 1), 0);
    assert_int_equal(event_at(&run, VISIT, 2, 0)->active, ALL);
    assert_weight(event_at(&run, VISIT, 2, 0)->weight, 1.0);
    assert_int_equal(run.result.guessed_branches, 0);
    assert_true(run.result.guessed_instructions == 0);
    finish(&run);
}

/* if (out[lane] > 0) v = 4; else v = 8; out[v]. The load differs by lane. */
static const char *const unknown_data = KERNEL OUT "block 0: ipdom 3\n" LANE "%b = shl i64 %lid, 2\n"
                                                   "%q = add i64 $out, %b\n"
                                                   "%x = load i32 %q in global 4x1 base $out\n"
                                                   "%c = icmp.sgt i32 %x, 0\n"
                                                   "condbr %c, block 1, block 2 kind data\n"
                                                   "block 1: ipdom 3\n"
                                                   "store %q, 0 in global 4x1 base $out\n"
                                                   "br block 3\n"
                                                   "block 2: ipdom 3\n"
                                                   "br block 3\n"
                                                   "block 3:\n"
                                                   "%v = phi i64 [block 1: 4], [block 2: 8]\n"
                                                   "%w = phi i64 [block 1: %b], [block 2: %b]\n"
                                                   "%p = add i64 $out, %v\n"
                                                   "%r = add i64 $out, %w\n"
                                                   "store %p, 0 in global 4x1 base $out\n"
                                                   "store %r, 0 in global 4x1 base $out\n"
                                                   "ret\n";

static int64_t four_per_lane(unsigned lane) { return 4 * (int64_t)lane; }

static void a_varying_unknown_branch_diverges(void **state)
{
    (void)state;
    struct run run = run_text(unknown_data);
    assert_weight(event_at(&run, VISIT, 1, 0)->weight, 1.0);
    assert_weight(event_at(&run, VISIT, 2, 0)->weight, 1.0);
    assert_int_equal(event_at(&run, VISIT, 1, 0)->active, ALL);
    assert_int_equal(event_at(&run, VISIT, 2, 0)->active, ALL);
    assert_int_equal(event_at(&run, DIVERGE, 0, 0)->active, ALL);
    assert_int_equal(event_at(&run, DIVERGE, 0, 0)->other, ALL);
    assert_true(event_at(&run, ACCESS, 1, 0)->guessed);
    assert_false(event_at(&run, ACCESS, 2, 0)->guessed);
    assert_int_equal(event_at(&run, ACCESS, 2, 0)->symbol[0], GP_SYMBOL_UNKNOWN);
    assert_offsets(event_at(&run, ACCESS, 3, 0), ALL, four_per_lane);
    finish(&run);
}

/* while (*out) ...: unrolled by 4, so 16 / 4 iterations; tested at the top: the fourth visit of the header leaves. */
static const char *const data_loop = KERNEL OUT "loop 0: header 1 latch 2 bound assumed data unroll 4\n"
                                                "block 0: ipdom 1\n"
                                                "br block 1\n"
                                                "block 1: ipdom 3 loop 0\n"
                                                "%x = load i32 $out in global 4x1 base $out volatile\n"
                                                "%c = icmp.ne i32 %x, 0\n"
                                                "condbr %c, block 2, block 3 kind data\n"
                                                "block 2: ipdom 1 loop 0\n"
                                                "br block 1\n"
                                                "block 3:\n"
                                                "ret\n";

static void unknown_loops_take_the_assumed_trip_count(void **state)
{
    (void)state;
    struct run run = run_text(data_loop);
    assert_int_equal(count_events(&run, VISIT, 1), 4);
    assert_int_equal(count_events(&run, VISIT, 3), 1);
    assert_int_equal(run.result.guessed_trips, 1);
    assert_false(event_at(&run, ACCESS, 0, 0)->guessed);
    assert_true(event_at(&run, ACCESS, 0, 1)->guessed);
    run.launch.assumed_trip_count = 40;
    execute(&run, 0, 0);
    assert_int_equal(count_events(&run, VISIT, 1), 10);
    assert_false(run.result.cut_off);
    finish(&run);
}

/* for (i = 0; i < 10; i++) { if (out[i]) break; if (out[i]) return; } out[0] = .. : the known end decides. */
static const char *const search = KERNEL OUT "loop 0: header 1 latch 3 bound executed data\n"
                                             "block 0:\n"
                                             "br block 1\n"
                                             "block 1: loop 0\n"
                                             "%i = phi i64 [block 0: 0], [block 3: %next]\n"
                                             "%q = add i64 $out, %i\n"
                                             "%x = load i8 %q in global 1x1 base $out\n"
                                             "%c = icmp.ne i8 %x, 0\n"
                                             "condbr %c, block 4, block 2 kind data\n"
                                             "block 2: loop 0\n"
                                             "%y = load i8 %q in global 1x1 base $out\n"
                                             "%d = icmp.ne i8 %y, 0\n"
                                             "condbr %d, block 5, block 3 kind data\n"
                                             "block 3: ipdom 4 loop 0\n"
                                             "%next = add i64 %i, 1\n"
                                             "%e = icmp.ult i64 %next, 10\n"
                                             "condbr %e, block 1, block 4 kind induction\n"
                                             "block 4: ipdom 5\n"
                                             "store $out, 0 in global 1x1 base $out\n"
                                             "br block 5\n"
                                             "block 5:\n"
                                             "ret\n";

static void unknown_breaks_wait_for_the_known_end(void **state)
{
    (void)state;
    struct run run = run_text(search);
    assert_int_equal(count_events(&run, VISIT, 3), 10);
    assert_int_equal(count_events(&run, ACCESS, 2), 1);
    assert_weight(event_at(&run, ACCESS, 2, 0)->weight, 1.0);
    assert_int_equal(run.result.guessed_trips, 1);
    finish(&run);
}

/* A cycle that is no loop, left on data only: both ways each time, but not for ever. */
static const char *const unknown_cycle = KERNEL OUT "block 0: ipdom 2\n"
                                                    "%c = icmp.ne i64 $out, 0\n"
                                                    "condbr %c, block 1, block 2 kind argument\n"
                                                    "block 1: ipdom 2\n"
                                                    "br block 2\n"
                                                    "block 2: ipdom 3\n"
                                                    "%x = load i32 $out in global 4x1 base $out\n"
                                                    "%d = icmp.eq i32 %x, 0\n"
                                                    "condbr %d, block 1, block 3 kind data\n"
                                                    "block 3:\n"
                                                    "ret\n";

static void unknown_cycles_end(void **state)
{
    (void)state;
    struct run run = run_text(unknown_cycle);
    assert_false(run.result.cut_off);
    assert_true(count_events(&run, VISIT, 2) > 1 && count_events(&run, VISIT, 2) < 64);
    assert_int_equal(count_events(&run, VISIT, 3), 1);
    finish(&run);
}

/* for (;;) */
static void endless_loops_are_cut_off(void **state)
{
    (void)state;
    struct run run = start_text(KERNEL "loop 0: header 1 latch 1 bound executed\n"
                                       "block 0:\n"
                                       "br block 1\n"
                                       "block 1: loop 0\n"
                                       "%c = icmp.eq i32 1, 1\n"
                                       "condbr %c, block 1, block 2 kind argument\n"
                                       "block 2:\n"
                                       "ret\n");
    run.options.max_block_visits = 1000;
    execute(&run, 0, 0);
    assert_true(run.result.cut_off);
    assert_weight(run.visits, 1000.0);
    finish(&run);
}

/* ---- The interface --------------------------------------------------------------------------------------------- */

static void impossible_executions_are_refused(void **state)
{
    (void)state;
    struct run run = start_text(identity);
    struct gp_error error = {""};
    uint64_t group[3] = {0, 0, 0};
    run.options.warp_width = 65;
    assert_false(gp_execute_warp(run.executor, &run.launch, group, 0, &run.options, NULL, &run.result, &error));
    assert_string_equal(error.text, "a warp has 1 to 64 lanes, not 65");
    run.options.warp_width = 32;
    group[0] = 32;
    assert_false(gp_execute_warp(run.executor, &run.launch, group, 0, &run.options, NULL, &run.result, &error));
    assert_string_equal(error.text, "there is no work-group 32 in dimension 0: the launch has 32");
    run.launch.local[1] = 0;
    group[0] = 0;
    assert_false(gp_execute_warp(run.executor, &run.launch, group, 0, &run.options, NULL, NULL, NULL));
    run.launch.local[1] = 1;
    assert_true(gp_execute_warp(run.executor, &run.launch, group, 0, &run.options, NULL, NULL, NULL));
    finish(&run);
}

static void trip_counts_can_be_asked_for(void **state)
{
    (void)state;
    struct run run = start_text(KERNEL "param n: int 32 skeleton size 4\n"
                                       "param m: int 32 skeleton size 4\n"
                                       "default $n = 10\n"
                                       "loop 0: header 1 latch 1 bound scalar-evolution trips %t\n"
                                       "loop 1: header 3 latch 3 bound scalar-evolution trips $m\n"
                                       "block 0: ipdom 1\n"
                                       "%g = id.global_size.0 i32\n"
                                       "br block 1\n"
                                       "block 1: ipdom 2 loop 0\n"
                                       "condbr 0, block 1, block 2 kind argument\n"
                                       "block 2: ipdom 3\n"
                                       "br block 3\n"
                                       "block 3: ipdom 4 loop 1\n"
                                       "condbr 0, block 3, block 4 kind argument\n"
                                       "block 4:\n"
                                       "ret\n"
                                       "expressions:\n"
                                       "%s = mul i32 $n, 3\n"
                                       "%t = add i32 %s, %g\n");
    uint64_t count;
    assert_true(gp_loop_trip_count(run.executor, &run.launch, 0, &count));
    assert_int_equal(count, 30 + 1024);
    assert_false(gp_loop_trip_count(run.executor, &run.launch, 1, &count));
    assert_false(gp_loop_trip_count(run.executor, &run.launch, 2, &count));
    finish(&run);
}

/* What ran before leaves no trace. */
static void executions_repeat_bit_for_bit(void **state)
{
    (void)state;
    struct run run = start_text(gathered);
    struct event *before = malloc(MAX_EVENTS * sizeof *before);
    execute(&run, 5, 0);
    uint32_t count = run.event_count;
    memcpy(before, run.events, count * sizeof *before);
    for (uint64_t group = 0; group < 10; group++)
        execute(&run, group, 0);
    execute(&run, 5, 0);
    assert_int_equal(run.event_count, count);
    assert_memory_equal(before, run.events, count * sizeof *before);
    free(before);
    finish(&run);
}

/* Each golden profile, in every mode and at several widths. */
static void golden_profiles_run(void **state)
{
    (void)state;
    static const char *const names[] = {"vector_add",       "transpose_naive", "transpose_tiled",
                                        "transpose_padded", "matrix_multiply", "divergent_branch",
                                        "data_loop",        "every_field",     "loop_nest"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = golden_text(names[i]);
        struct run run = start_text(text);
        for (unsigned width = 1; width <= 64; width += 21) {
            run.options.warp_width = width;
            run.options.exhaustive = width > 32;
            execute(&run, 1, 0);
            if (run.event_count == 0 || run.result.cut_off)
                fail_msg("%s at width %u: %u events, cut off: %d", names[i], width, run.event_count,
                         run.result.cut_off);
            assert_true(run.result.instructions >= run.result.guessed_instructions);
        }
        finish(&run);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_ids_count_through_groups),
        cmocka_unit_test(partial_warps_and_groups_have_lanes_off),
        cmocka_unit_test(lanes_fill_rows_of_the_actual_group),
        cmocka_unit_test(nested_branches_rejoin),
        cmocka_unit_test(lanes_leave_a_loop_one_by_one),
        cmocka_unit_test(lanes_that_break_are_not_waited_for),
        cmocka_unit_test(values_of_lanes_that_left_survive),
        cmocka_unit_test(lanes_that_returned_are_gone),
        cmocka_unit_test(switches_sort_lanes),
        cmocka_unit_test(irreducible_cycles_run),
        cmocka_unit_test(phis_are_read_before_they_are_written),
        cmocka_unit_test(what_a_uniform_load_returns_is_a_symbol),
        cmocka_unit_test(stated_contents_are_loaded),
        cmocka_unit_test(what_a_kernel_writes_to_has_no_contents),
        cmocka_unit_test(lanes_that_share_a_load_share_what_is_made_of_it),
        cmocka_unit_test(other_elements_of_vectors_are_as_known_as_the_first),
        cmocka_unit_test(rows_of_unknown_pitch_are_contiguous),
        cmocka_unit_test(swizzles_are_exact),
        cmocka_unit_test(private_and_atomic_values_differ_by_lane),
        cmocka_unit_test(exchanges_succeed_one_by_one_at_an_address),
        cmocka_unit_test(exchanges_that_lie_anywhere_succeed_at_once),
        cmocka_unit_test(rows_of_data_have_columns),
        cmocka_unit_test(places_near_a_known_one_are_drawn),
        cmocka_unit_test(loops_of_assumed_iterations_are_entered),
        cmocka_unit_test(parts_of_an_unrolled_loop_share_its_iterations),
        cmocka_unit_test(parts_count_on_where_the_one_before_stopped),
        cmocka_unit_test(counters_count_lane_by_lane),
        cmocka_unit_test(images_report_texels),
        cmocka_unit_test(unknown_texels_are_the_work_items_own),
        cmocka_unit_test(bulk_copies_are_shared_by_the_group),
        cmocka_unit_test(bulk_copies_end_in_a_partial_round),
        cmocka_unit_test(lanes_that_meet_in_a_loop_keep_their_values),
        cmocka_unit_test(buffers_do_not_overlap),
        cmocka_unit_test(a_uniform_unknown_branch_is_weighed),
        cmocka_unit_test(ways_that_meet_early_add_up),
        cmocka_unit_test(what_varies_inside_a_uniform_guess_is_unknown),
        cmocka_unit_test(a_rare_way_is_weighed_by_its_chance_in_a_warp),
        cmocka_unit_test(a_way_that_is_never_taken_is_not_executed),
        cmocka_unit_test(a_varying_unknown_branch_diverges),
        cmocka_unit_test(unknown_loops_take_the_assumed_trip_count),
        cmocka_unit_test(unknown_breaks_wait_for_the_known_end),
        cmocka_unit_test(unknown_cycles_end),
        cmocka_unit_test(endless_loops_are_cut_off),
        cmocka_unit_test(impossible_executions_are_refused),
        cmocka_unit_test(trip_counts_can_be_asked_for),
        cmocka_unit_test(executions_repeat_bit_for_bit),
        cmocka_unit_test(golden_profiles_run),
    };
    return cmocka_run_group_tests_name("executor", tests, NULL, NULL);
}
