/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loops with iterations left out, against the same loops run in full. */
#include "executor_fixture.h"

#include <math.h>

/* for (k = 0; k < n; k++) load out[k + lane]: a window that moves by 4 bytes, so that sectors depend on the alignment
 */
static const char *const window = KERNEL OUT "param n: int 64 size 8\n"
                                             "default $n = 1000\n"
                                             "loop 0: header 1 latch 1 bound scalar-evolution trips $n\n"
                                             "induction %k loop 0 step 1\n"
                                             "block 0: ipdom 1\n" LANE "br block 1\n"
                                             "block 1: ipdom 2 loop 0\n"
                                             "%k = phi i64 [block 0: 0], [block 1: %next]\n"
                                             "%i = add i64 %k, %lid\n"
                                             "%b = shl i64 %i, 2\n"
                                             "%p = add i64 $out, %b\n"
                                             "%v = load f32 %p in global 4x1 base $out\n"
                                             "%next = add i64 %k, 1\n"
                                             "%c = icmp.ult i64 %next, $n\n"
                                             "condbr %c, block 1, block 2 kind argument\n"
                                             "block 2:\n"
                                             "ret\n";

/* for (k = 0; k < g; k++), tested at the top; g is the global id: each lane another trip count. */
static const char *const triangle_by_lane = KERNEL OUT "loop 0: header 1 latch 2 bound scalar-evolution trips %trips\n"
                                                       "induction %k loop 0 step 1\n"
                                                       "block 0: ipdom 1\n"
                                                       "%g = id.global_id.0 i64\n"
                                                       "br block 1\n"
                                                       "block 1: ipdom 3 loop 0\n"
                                                       "%k = phi i64 [block 0: 0], [block 2: %next]\n"
                                                       "%c = icmp.ult i64 %k, %g\n"
                                                       "condbr %c, block 2, block 3 kind thread\n"
                                                       "block 2: ipdom 1 loop 0\n"
                                                       "%r = mul i64 %k, 260\n"
                                                       "%b = shl i64 %g, 2\n"
                                                       "%s = add i64 %r, %b\n"
                                                       "%p = add i64 $out, %s\n"
                                                       "%v = load f32 %p in global 4x1 base $out\n"
                                                       "%next = add i64 %k, 1\n"
                                                       "br block 1\n"
                                                       "block 3:\n"
                                                       "%last = phi i64 [block 1: %k]\n"
                                                       "%q = add i64 $out, %last\n"
                                                       "store %q, 0 in global 1x1 base $out\n"
                                                       "ret\n"
                                                       "expressions:\n"
                                                       "%trips = add i64 %g, 1\n";

/* The same with lanes far apart: trip count 100 * lane + 7. */
static const char *const far_lanes = KERNEL OUT "loop 0: header 1 latch 1 bound scalar-evolution trips %t\n"
                                                "induction %k loop 0 step 3\n"
                                                "block 0: ipdom 1\n" LANE "%s = mul i64 %lid, 100\n"
                                                "%t = add i64 %s, 7\n"
                                                "%e = mul i64 %t, 3\n"
                                                "br block 1\n"
                                                "block 1: ipdom 2 loop 0\n"
                                                "%k = phi i64 [block 0: 0], [block 1: %next]\n"
                                                "%b = shl i64 %k, 2\n"
                                                "%p = add i64 $out, %b\n"
                                                "%v = load f32 %p in global 4x1 base $out\n"
                                                "%next = add i64 %k, 3\n"
                                                "%c = icmp.ult i64 %next, %e\n"
                                                "condbr %c, block 1, block 2 kind thread\n"
                                                "block 2:\n"
                                                "ret\n";

/* for (k = 0; g + k < 1100 && k < n; k++), as a search through keys ends: at the top by what is left of the keys, at
 * the end by the number of keys for each lane. */
static const char *const two_ends = KERNEL OUT "param n: int 64 size 8\n"
                                               "default $n = 1000\n"
                                               "loop 0: header 1 latch 2 bound scalar-evolution trips %trips\n"
                                               "induction %k loop 0 step 1\n"
                                               "block 0: ipdom 1\n"
                                               "%g = id.global_id.0 i64\n"
                                               "%left = sub i64 1100, %g\n"
                                               "br block 1\n"
                                               "block 1: ipdom 3 loop 0\n"
                                               "%k = phi i64 [block 0: 0], [block 2: %next]\n"
                                               "%key = add i64 %k, %g\n"
                                               "%is = icmp.ult i64 %k, %left\n"
                                               "condbr %is, block 2, block 3 kind thread\n"
                                               "block 2: ipdom 3 loop 0\n"
                                               "%b = shl i64 %key, 2\n"
                                               "%p = add i64 $out, %b\n"
                                               "%v = load f32 %p in global 4x1 base $out\n"
                                               "%next = add i64 %k, 1\n"
                                               "%c = icmp.ult i64 %next, $n\n"
                                               "condbr %c, block 1, block 3 kind argument\n"
                                               "block 3:\n"
                                               "ret\n"
                                               "expressions:\n"
                                               "%more = add i64 %left, 1\n"
                                               "%trips = umin i64 %more, $n\n";

/* for (i = 1; i <= n; i++) for (j = 0; j < i; j++) load out[i * n + j + lane] */
static const char *const triangle = KERNEL OUT "param n: int 64 size 8\n"
                                               "default $n = 300\n"
                                               "loop 0: header 1 latch 3 bound scalar-evolution trips $n\n"
                                               "loop 1: header 2 latch 2 parent 0 bound scalar-evolution trips %i\n"
                                               "induction %i loop 0 step 1\n"
                                               "induction %j loop 1 step 1\n"
                                               "block 0: ipdom 1\n" LANE "br block 1\n"
                                               "block 1: ipdom 2 loop 0\n"
                                               "%i = phi i64 [block 0: 1], [block 3: %inext]\n"
                                               "%row = mul i64 %i, $n\n"
                                               "br block 2\n"
                                               "block 2: ipdom 3 loop 1\n"
                                               "%j = phi i64 [block 1: 0], [block 2: %jnext]\n"
                                               "%a = add i64 %row, %j\n"
                                               "%b = add i64 %a, %lid\n"
                                               "%d = shl i64 %b, 2\n"
                                               "%p = add i64 $out, %d\n"
                                               "%v = load f32 %p in global 4x1 base $out\n"
                                               "%jnext = add i64 %j, 1\n"
                                               "%c = icmp.ult i64 %jnext, %i\n"
                                               "condbr %c, block 2, block 3 kind induction\n"
                                               "block 3: ipdom 4 loop 0\n"
                                               "%inext = add i64 %i, 1\n"
                                               "%e = icmp.ule i64 %inext, $n\n"
                                               "condbr %e, block 1, block 4 kind argument\n"
                                               "block 4:\n"
                                               "ret\n";

/* for (i = 0; i < 1000; i++) { if (i % 16 == 0) load; if (i < 300) load; if (lane < i) store; } */
static const char *const branches_inside = KERNEL OUT "loop 0: header 1 latch 7 bound constant trips 1000\n"
                                                      "induction %i loop 0 step 1\n"
                                                      "block 0: ipdom 1\n" LANE "br block 1\n"
                                                      "block 1: ipdom 3 loop 0\n"
                                                      "%i = phi i64 [block 0: 0], [block 7: %next]\n"
                                                      "%m = and i64 %i, 15\n"
                                                      "%a = icmp.eq i64 %m, 0\n"
                                                      "condbr %a, block 2, block 3 kind induction\n"
                                                      "block 2: ipdom 3 loop 0\n"
                                                      "%pa = add i64 $out, %i\n"
                                                      "%va = load f32 %pa in global 4x1 base $out\n"
                                                      "br block 3\n"
                                                      "block 3: ipdom 5 loop 0\n"
                                                      "%b = icmp.ult i64 %i, 300\n"
                                                      "condbr %b, block 4, block 5 kind induction\n"
                                                      "block 4: ipdom 5 loop 0\n"
                                                      "%lb = shl i64 %lid, 2\n"
                                                      "%pb = add i64 $out, %lb\n"
                                                      "%vb = load f32 %pb in global 4x1 base $out\n"
                                                      "br block 5\n"
                                                      "block 5: ipdom 7 loop 0\n"
                                                      "%c = icmp.ult i64 %lid, %i\n"
                                                      "condbr %c, block 6, block 7 kind thread\n"
                                                      "block 6: ipdom 7 loop 0\n"
                                                      "store $out, 0 in global 4x1 base $out\n"
                                                      "br block 7\n"
                                                      "block 7: ipdom 8 loop 0\n"
                                                      "%next = add i64 %i, 1\n"
                                                      "%e = icmp.ult i64 %next, 1000\n"
                                                      "condbr %e, block 1, block 8 kind induction\n"
                                                      "block 8:\n"
                                                      "ret\n";

/* for (i = 0; i < 1000; i++) { next = a[i + lane]; if (last < next) store; last = next; }: what is loaded does not say
 * where iterations differ */
static const char *const branch_on_data_carried = KERNEL OUT "loop 0: header 1 latch 3 bound constant trips 1000\n"
                                                             "induction %i loop 0 step 1\n"
                                                             "block 0: ipdom 1\n" LANE "br block 1\n"
                                                             "block 1: ipdom 3 loop 0\n"
                                                             "%i = phi i64 [block 0: 0], [block 3: %step]\n"
                                                             "%last = phi i32 [block 0: 0], [block 3: %next]\n"
                                                             "%at = add i64 %lid, %i\n"
                                                             "%b = shl i64 %at, 2\n"
                                                             "%p = add i64 $out, %b\n"
                                                             "%next = load i32 %p in global 4x1 base $out\n"
                                                             "%less = icmp.slt i32 %last, %next\n"
                                                             "condbr %less, block 2, block 3 kind data\n"
                                                             "block 2: ipdom 3 loop 0\n"
                                                             "store $out, 0 in global 4x1 base $out\n"
                                                             "br block 3\n"
                                                             "block 3: ipdom 4 loop 0\n"
                                                             "%step = add i64 %i, 1\n"
                                                             "%e = icmp.ult i64 %step, 1000\n"
                                                             "condbr %e, block 1, block 4 kind induction\n"
                                                             "block 4:\n"
                                                             "ret\n";

/* A loop from 0 below 1000 that loads out[i + lane] and out[before + lane]; `last`: what it keeps of an iteration as
 * `before`, which is 999 at first. */
/* clang-format off */
#define ONE_BEHIND(trips, step, last, last_of_turn) \
    KERNEL OUT \
    "loop 0: header 1 latch 1 bound constant trips " trips "\n" \
    "induction %i loop 0 step " step "\n" \
    "block 0: ipdom 1\n" LANE \
    "br block 1\n" \
    "block 1: ipdom 2 loop 0\n" \
    "%i = phi i64 [block 0: 0], [block 1: %step]\n" \
    "%before = phi i64 [block 0: 999], [block 1: " last "]\n" \
    "%p = add i64 $out, %i\n" \
    "%v = load i32 %p in global 4x1 base $out\n" \
    "%far = mul i64 %before, 264\n" \
    "%at = add i64 %far, %lid\n" \
    "%q = add i64 $out, %at\n" \
    "%w = load i32 %q in global 4x1 base $out\n" \
    last_of_turn \
    "%step = add i64 %i, " step "\n" \
    "%e = icmp.ult i64 %step, 1000\n" \
    "condbr %e, block 1, block 2 kind induction\n" \
    "block 2:\n" \
    "ret\n"
/* clang-format on */

/* The edges of a polygon, one by one, and in fours, where the last of a turn is i | 3. */
static const char *const one_behind = ONE_BEHIND("1000", "1", "%i", "");
static const char *const one_behind_by_fours = ONE_BEHIND("250", "4", "%last", "%last = or i64 %i, 3\n");

/*
 * A stencil of 31 x 31 points with a guard: for (dy = -15 ..) for (dx = -15 ..) if (0 <= x + dx < 1024) load out[(y +
 * dy) * 1024 + x + dx]
 */
static const char *const halo = KERNEL OUT "loop 0: header 1 latch 5 bound constant trips 31\n"
                                           "loop 1: header 2 latch 4 parent 0 bound constant trips 31\n"
                                           "induction %dy loop 0 step 1\n"
                                           "induction %dx loop 1 step 1\n"
                                           "block 0: ipdom 1\n"
                                           "%x = id.global_id.0 i32\n"
                                           "%y = id.group_id.0 i32\n"
                                           "br block 1\n"
                                           "block 1: ipdom 2 loop 0\n"
                                           "%dy = phi i32 [block 0: -15], [block 5: %dy1]\n"
                                           "%yy = add i32 %y, %dy\n"
                                           "%row = mul i32 %yy, 1024\n"
                                           "br block 2\n"
                                           "block 2: ipdom 4 loop 1\n"
                                           "%dx = phi i32 [block 1: -15], [block 4: %dx1]\n"
                                           "%xx = add i32 %x, %dx\n"
                                           "%in = icmp.ult i32 %xx, 1024\n"
                                           "condbr %in, block 3, block 4 kind thread\n"
                                           "block 3: ipdom 4 loop 1\n"
                                           "%i = add i32 %row, %xx\n"
                                           "%w = sext i32 %i to i64\n"
                                           "%b = shl i64 %w, 2\n"
                                           "%p = add i64 $out, %b\n"
                                           "%v = load f32 %p in global 4x1 base $out\n"
                                           "br block 4\n"
                                           "block 4: ipdom 5 loop 1\n"
                                           "%dx1 = add i32 %dx, 1\n"
                                           "%c = icmp.sle i32 %dx1, 15\n"
                                           "condbr %c, block 2, block 5 kind induction\n"
                                           "block 5: ipdom 6 loop 0\n"
                                           "%dy1 = add i32 %dy, 1\n"
                                           "%e = icmp.sle i32 %dy1, 15\n"
                                           "condbr %e, block 1, block 6 kind induction\n"
                                           "block 6:\n"
                                           "ret\n";

/* Matrix product in tiles of 16: for (t = 0; t < n / 16; t++) { load a, b; store both; barrier; for (k < 16) load both;
 * barrier } */
static const char *const tiles = KERNEL OUT "param n: int 32 size 4\n"
                                            "default $n = 1024\n"
                                            "local ta: 1024 align 16\n"
                                            "local tb: 1024 align 16\n"
                                            "loop 0: header 1 latch 3 bound scalar-evolution trips %tiles\n"
                                            "loop 1: header 2 latch 2 parent 0 bound constant trips 16\n"
                                            "induction %t loop 0 step 1\n"
                                            "induction %pa loop 0 step 64\n"
                                            "induction %k loop 1 step 1\n"
                                            "block 0: ipdom 1\n"
                                            "%lid = id.local_id.0 i32\n"
                                            "%x = urem i32 %lid, 16\n"
                                            "%y = udiv i32 %lid, 16\n"
                                            "%tiles = udiv i32 $n, 16\n"
                                            "%yr = mul i32 %y, $n\n"
                                            "%ia = add i32 %yr, %x\n"
                                            "%ia64 = sext i32 %ia to i64\n"
                                            "%ba = shl i64 %ia64, 2\n"
                                            "%start = add i64 $out, %ba\n"
                                            "%lb = shl i32 %lid, 2\n"
                                            "%lb64 = zext i32 %lb to i64\n"
                                            "%qa = add i64 local.ta, %lb64\n"
                                            "%qb = add i64 local.tb, %lb64\n"
                                            "br block 1\n"
                                            "block 1: ipdom 2 loop 0\n"
                                            "%t = phi i32 [block 0: 0], [block 3: %t1]\n"
                                            "%pa = phi i64 [block 0: %start], [block 3: %pa1]\n"
                                            "%va = load f32 %pa in global 4x1 base $out\n"
                                            "%tn = mul i32 %t, 16\n"
                                            "%ty = add i32 %tn, %y\n"
                                            "%tr = mul i32 %ty, $n\n"
                                            "%ib = add i32 %tr, %x\n"
                                            "%ib64 = sext i32 %ib to i64\n"
                                            "%bb = shl i64 %ib64, 2\n"
                                            "%pb = add i64 $out, %bb\n"
                                            "%vb = load f32 %pb in global 4x1 base $out\n"
                                            "store %qa, %va in local 4x1 base local.ta\n"
                                            "store %qb, %vb in local 4x1 base local.tb\n"
                                            "barrier\n"
                                            "br block 2\n"
                                            "block 2: ipdom 3 loop 1\n"
                                            "%k = phi i32 [block 1: 0], [block 2: %k1]\n"
                                            "%ya = mul i32 %y, 64\n"
                                            "%k4 = shl i32 %k, 2\n"
                                            "%oa = add i32 %ya, %k4\n"
                                            "%oa64 = zext i32 %oa to i64\n"
                                            "%la = add i64 local.ta, %oa64\n"
                                            "%wa = load f32 %la in local 4x1 base local.ta\n"
                                            "%kr = mul i32 %k, 64\n"
                                            "%x4 = shl i32 %x, 2\n"
                                            "%ob = add i32 %kr, %x4\n"
                                            "%ob64 = zext i32 %ob to i64\n"
                                            "%lbb = add i64 local.tb, %ob64\n"
                                            "%wb = load f32 %lbb in local 4x1 base local.tb\n"
                                            "%k1 = add i32 %k, 1\n"
                                            "%c = icmp.ult i32 %k1, 16\n"
                                            "condbr %c, block 2, block 3 kind induction\n"
                                            "block 3: ipdom 4 loop 0\n"
                                            "barrier\n"
                                            "%t1 = add i32 %t, 1\n"
                                            "%pa1 = add i64 %pa, 64\n"
                                            "%e = icmp.ult i32 %t1, %tiles\n"
                                            "condbr %e, block 1, block 4 kind argument\n"
                                            "block 4:\n"
                                            "ret\n";

/* A linked list of 500 nodes: what is loaded is not known anyway, so that iterations may be left out; the counter
 * decides. */
static const char *const chase = KERNEL OUT "loop 0: header 1 latch 1 bound constant trips 500\n"
                                            "induction %i loop 0 step -1\n"
                                            "block 0: ipdom 1\n"
                                            "br block 1\n"
                                            "block 1: ipdom 2 loop 0\n"
                                            "%i = phi i64 [block 0: 500], [block 1: %i1]\n"
                                            "%p = phi i64 [block 0: $out], [block 1: %q]\n"
                                            "%q = load i64 %p in global 8x1 base $out\n"
                                            "%i1 = add i64 %i, -1\n"
                                            "%c = icmp.ne i64 %i1, 0\n"
                                            "condbr %c, block 1, block 2 kind induction\n"
                                            "block 2:\n"
                                            "ret\n";

/* A pointer that is squared each time follows no induction: nothing may be left out. */
static const char *const geometric = KERNEL OUT "loop 0: header 1 latch 1 bound constant trips 60\n"
                                                "induction %i loop 0 step 1\n"
                                                "block 0: ipdom 1\n"
                                                "br block 1\n"
                                                "block 1: ipdom 2 loop 0\n"
                                                "%i = phi i64 [block 0: 0], [block 1: %i1]\n"
                                                "%s = phi i64 [block 0: 1], [block 1: %s1]\n"
                                                "%p = add i64 $out, %s\n"
                                                "%v = load i8 %p in global 1x1 base $out\n"
                                                "%s1 = shl i64 %s, 1\n"
                                                "%i1 = add i64 %i, 1\n"
                                                "%c = icmp.ult i64 %i1, 60\n"
                                                "condbr %c, block 1, block 2 kind induction\n"
                                                "block 2:\n"
                                                "ret\n";

static double compare(double sampled, double exhaustive)
{
    double error = exhaustive ? sampled / exhaustive - 1.0 : sampled;
    return error < 0 ? -error : error;
}

/* The four sums of a warp, sampled against exhaustive; returns the largest relative difference. */
static double worst_error(struct run *run, uint64_t group, double *skips, double *saved)
{
    run->options.exhaustive = true;
    execute(run, group, 0);
    double visits = run->visits, lanes = run->lanes, requests = run->requests, sectors = run->sectors;
    double instructions = run->result.instructions;
    uint32_t events = run->event_count;
    assert_false(run->result.cut_off);
    run->options.exhaustive = false;
    execute(run, group, 0);
    *skips = run->skips;
    *saved = 1.0 - (double)run->event_count / events;
    double errors[] = {compare(run->visits, visits), compare(run->lanes, lanes), compare(run->requests, requests),
                       compare(run->sectors, sectors), compare(run->result.instructions, instructions)};
    double worst = 0;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        worst = errors[i] > worst ? errors[i] : worst;
    return worst;
}

struct bound {
    const char *text;
    uint64_t group;
    double error; /* at most */
    double saved; /* share of events left out, at least */
};

static void check(const struct bound *bound)
{
    struct run run = start_text(bound->text);
    double skips, saved, error = worst_error(&run, bound->group, &skips, &saved);
    if (getenv("GPUPERF_TEST_VERBOSE"))
        printf("error %.4f, %g jumps, %.3f left out\n", error, skips, saved);
    if (error > bound->error || saved < bound->saved)
        fail_msg("error %.4f, %g jumps, %.3f left out", error, skips, saved);
    finish(&run);
}

static void uniform_loops(void **state)
{
    (void)state;
    check(&(struct bound){
        window, 0, 0.03,
        0.95}); /* every eighth alignment takes 4 sectors instead of 5: four samples see 5, 2.6% too much */
    check(&(struct bound){tiles, 0, 1e-9, 0.80});
    check(&(struct bound){chase, 0, 1e-9, 0.95});
    check(&(struct bound){two_ends, 0, 0.03, 0.95});
    check(&(struct bound){two_ends, 20, 0.03, 0.85}); /* the keys end first, for each lane in another iteration */
}

/* Group 0: trip counts 0 to 31 are run in full. Group 20: 641 to 672. */
static void lanes_with_their_own_trip_counts(void **state)
{
    (void)state;
    check(&(struct bound){triangle_by_lane, 0, 1e-9, 0.0});
    check(&(struct bound){triangle_by_lane, 20, 0.03, 0.90});
    check(&(struct bound){far_lanes, 0, 0.03, 0.90});
}

/* Where lanes leave one by one, every lane has run as often as it should: the header's lanes count the iterations. */
static void every_lane_leaves_when_it_should(void **state)
{
    (void)state;
    struct run run = start_text(triangle_by_lane);
    run.options.exhaustive = false;
    execute(&run, 20, 0);
    double header_lanes = 0, body_lanes = 0;
    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct event *event = &run.events[i];
        if (event->kind == VISIT && event->what == 1)
            header_lanes += event->weight * __builtin_popcountll(event->active);
        if (event->kind == VISIT && event->what == 2)
            body_lanes += event->weight * __builtin_popcountll(event->active);
    }
    double iterations = 0;
    for (int lane = 0; lane < 32; lane++)
        iterations += 640 + lane;
    assert_weight(body_lanes, iterations);
    assert_weight(header_lanes, iterations + 32);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_int_equal(event_at(&run, ACCESS, 1, 0)->offset[lane], 640 + lane);
    finish(&run);
}

static void nested_loops(void **state)
{
    (void)state;
    check(&(struct bound){triangle, 0, 0.02, 0.99});
    check(&(struct bound){halo, 0, 0.03, 0.70});
    check(&(struct bound){halo, 15, 0.03, 0.70});
}

static void branches_on_the_iteration_get_more_samples(void **state)
{
    (void)state;
    check(&(struct bound){branches_inside, 0, 0.05, 0.90});
}

static uint32_t visits_of(const char *kernel, uint32_t block)
{
    struct run run = start_text(kernel);
    uint32_t visits = 0;
    run.options.exhaustive = false;
    execute(&run, 0, 0);
    for (uint32_t i = 0; i < run.event_count; i++)
        visits += run.events[i].kind == VISIT && run.events[i].what == block;
    finish(&run);
    return visits;
}

static void branches_on_data_get_none(void **state)
{
    (void)state;
    assert_true(visits_of(branches_inside, 1) >= 16);
    assert_true(visits_of(branch_on_data_carried, 1) <= 8);
    check(&(struct bound){branch_on_data_carried, 0, 0.03, 0.98});
}

static void what_an_induction_was_is_known(void **state)
{
    (void)state;
    assert_true(visits_of(one_behind, 1) <= 8);
    check(&(struct bound){one_behind, 0, 0.02, 0.98});
    assert_true(visits_of(one_behind_by_fours, 1) <= 8);
    check(&(struct bound){one_behind_by_fours, 0, 0.02, 0.95});
}

/* for (k = 0; k < n; k++) { load out[x]; the low byte of x counts: another state follows by arithmetic, too: y = 5 y +
 * 3 } */
static const char *const carried = KERNEL OUT "param n: int 64 size 8\n"
                                              "default $n = 6000\n"
                                              "loop 0: header 1 latch 1 bound scalar-evolution trips $n\n"
                                              "induction %k loop 0 step 1\n"
                                              "block 0: ipdom 1\n" LANE "%start = shl i64 %lid, 10\n"
                                              "br block 1\n"
                                              "block 1: ipdom 2 loop 0\n"
                                              "%k = phi i64 [block 0: 0], [block 1: %next]\n"
                                              "%x = phi i64 [block 0: %start], [block 1: %xnext]\n"
                                              "%y = phi i64 [block 0: %lid], [block 1: %ynext]\n"
                                              "%b = shl i64 %x, 2\n"
                                              "%p = add i64 $out, %b\n"
                                              "%v = load f32 %p in global 4x1 base $out\n"
                                              "%low = and i64 %y, 7\n"
                                              "%d = shl i64 %low, 2\n"
                                              "%q = add i64 $out, %d\n"
                                              "%w = load f32 %q in global 4x1 base $out\n"
                                              "%five = mul i64 %y, 5\n"
                                              "%ynext = add i64 %five, 3\n"
                                              "%up = add i64 %x, 1\n"
                                              "%byte = and i64 %up, 255\n"
                                              "%rest = and i64 %x, 0xffffffffffffff00\n"
                                              "%xnext = or i64 %rest, %byte\n"
                                              "%next = add i64 %k, 1\n"
                                              "%c = icmp.ult i64 %next, $n\n"
                                              "condbr %c, block 1, block 2 kind argument\n"
                                              "block 2:\n"
                                              "%e = add i64 %xnext, %ynext\n"
                                              "%f = shl i64 %e, 2\n"
                                              "%g = add i64 $out, %f\n"
                                              "store %g, 0 in global 4x1 base $out\n"
                                              "ret\n";

/* Where the warp's last access is, lane by lane. */
static void last_places(const char *kernel, bool exhaustive, uint64_t places[GP_MAX_LANES])
{
    struct run run = start_text(kernel);
    run.options.exhaustive = exhaustive;
    execute(&run, 0, 0);
    const struct event *last = &run.events[(run.event_count < MAX_EVENTS ? run.event_count : MAX_EVENTS) - 1];
    assert_int_equal(last->kind, ACCESS);
    memcpy(places, last->offset, sizeof last->offset);
    finish(&run);
}

/* Where the whole loop would be much, the turns between are left out by what they hand on alone; each that is executed
 * has just what it has in full. */
static void what_is_carried_is_computed(void **state)
{
    (void)state;
    assert_true(visits_of(carried, 1) <= 24);
    check(&(struct bound){carried, 0, 0.03, 0.95});
    uint64_t sampled[GP_MAX_LANES] = {0}, full[GP_MAX_LANES] = {0};
    last_places(carried, false, sampled);
    last_places(carried, true, full);
    assert_memory_equal(sampled, full, sizeof full);
}

static void what_cannot_be_left_out_is_not(void **state)
{
    (void)state;
    struct run run = start_text(geometric);
    double skips, saved;
    assert_true(worst_error(&run, 0, &skips, &saved) == 0.0);
    assert_true(skips == 0.0);
    finish(&run);
}

/* The weights of a loop's header add up to the trip count exactly, whatever it is. */
static void weights_add_up_to_the_trip_count(void **state)
{
    (void)state;
    struct run run = start_text(window);
    run.options.exhaustive = false;
    for (uint64_t trips = 1; trips < 3000; trips += trips < 200 ? 1 : 37) {
        double sum = 0;
        run.launch.arguments[1] = (struct gp_argument){.known = true, .value = trips};
        execute(&run, 0, 0);
        for (uint32_t i = 0; i < run.event_count; i++)
            if (run.events[i].kind == VISIT && run.events[i].what == 1)
                sum += run.events[i].weight;
        assert_weight(sum, (double)trips);
    }
    run.launch.arguments[1] = (struct gp_argument){.known = true, .value = UINT64_C(1) << 40};
    execute(&run, 0, 0);
    assert_weight(run.requests, 0x1p40);
    assert_true(run.event_count < 64);
    finish(&run);
}

/* How far the executed iterations' weights are from an even share of each remainder modulo 2 and 4, at most. */
static void uneven_shares(struct run *run, uint64_t trips, double *by_two, double *by_four)
{
    double two[2] = {0}, four[4] = {0};
    run->launch.arguments[1] = (struct gp_argument){.known = true, .value = trips};
    execute(run, 0, 0);
    for (uint32_t i = 0; i < run->event_count; i++) {
        const struct event *event = &run->events[i];
        if (event->kind != ACCESS)
            continue;
        two[event->offset[0] / 4 % 2] += event->weight;
        four[event->offset[0] / 4 % 4] += event->weight;
    }
    *by_two = *by_four = 0;
    for (int r = 0; r < 2; r++)
        *by_two = fmax(*by_two, fabs(two[r] / (double)trips - 0.5));
    for (int r = 0; r < 4; r++)
        *by_four = fmax(*by_four, fabs(four[r] / (double)trips - 0.25));
}

/* Short loops, too: rows of a filter of 19 x 19 that lie in one row of texel blocks, every second, were all the sampled
 * ones. */
static void what_repeats_every_few_iterations_is_seen_in_all_its_turns(void **state)
{
    (void)state;
    struct run run = start_text(window);
    double by_two, by_four, sum = 0;
    uint32_t count = 0;
    run.options.exhaustive = false;
    for (uint64_t trips = 16; trips < 200; trips++, count++) {
        uneven_shares(&run, trips, &by_two, &by_four);
        assert_true(by_two < 0.1);
        assert_true(by_four < 0.3);
        sum += by_four;
    }
    assert_true(sum / count < 0.1);
    finish(&run);
}

/* A jump lands on start + iteration * step: the first, the last and one of the iterations between. */
static void jumps_land_where_they_should(void **state)
{
    (void)state;
    struct run run = start_text(window);
    run.options.exhaustive = false;
    execute(&run, 0, 0);
    uint32_t loads = count_events(&run, ACCESS, 0);
    assert_int_equal(event_at(&run, ACCESS, 0, 0)->offset[1], 4);
    assert_int_equal(event_at(&run, ACCESS, 0, loads - 1)->offset[1], 4 * (999 + 1));
    assert_int_equal(event_at(&run, ACCESS, 0, loads - 2)->offset[1], 4 * (998 + 1));
    unsigned remainders = 0;
    for (uint32_t i = 1; i + 2 < loads; i++)
        remainders |= 1u << (event_at(&run, ACCESS, 0, i)->offset[0] / 4 % 4);
    assert_int_equal(remainders, 15);
    assert_int_equal(count_events(&run, SKIP, 0), 5); /* before each of the four between, and before the last two */
    finish(&run);
}

/* Assumed loops are sampled like others once the assumption is large. */
static void long_assumed_loops_are_sampled(void **state)
{
    (void)state;
    struct run run = start_text(KERNEL OUT "loop 0: header 1 latch 1 bound assumed data\n"
                                           "block 0: ipdom 1\n"
                                           "br block 1\n"
                                           "block 1: ipdom 2 loop 0\n"
                                           "%x = load i32 $out in global 4x1 base $out\n"
                                           "%c = icmp.ne i32 %x, 0\n"
                                           "condbr %c, block 1, block 2 kind data\n"
                                           "block 2:\n"
                                           "ret\n");
    run.launch.assumed_trip_count = 100000;
    run.options.exhaustive = false;
    execute(&run, 0, 0);
    assert_weight(run.requests, 100000.0);
    assert_true(run.event_count < 64);
    assert_weight(run.result.guessed_instructions, 99999.0 * 3);
    finish(&run);
}

/* A trip count that nobody knows, because an argument is not known or for some lanes: the assumed one, sampled. */
static void unknown_trip_counts_are_sampled(void **state)
{
    (void)state;
    struct run run = start_text(window);
    run.launch.arguments[1].known = false;
    run.launch.assumed_trip_count = 5000;
    run.options.exhaustive = false;
    execute(&run, 0, 0);
    assert_weight(run.requests, 5000.0);
    assert_true(run.event_count < 64);
    finish(&run);
    run = start_text(KERNEL OUT "loop 0: header 1 latch 1 bound scalar-evolution trips %t\n"
                                "induction %k loop 0 step 1\n"
                                "block 0: ipdom 1\n" LANE "%b = shl i64 %lid, 3\n"
                                "%p = add i64 $out, %b\n"
                                "%x = load i64 %p in global 8x1 base $out\n"
                                "%half = icmp.ult i64 %lid, 16\n"
                                "%t = select i64 %half, 500, %x\n"
                                "br block 1\n"
                                "block 1: ipdom 2 loop 0\n"
                                "%k = phi i64 [block 0: 0], [block 1: %next]\n"
                                "%next = add i64 %k, 1\n"
                                "%c = icmp.ult i64 %next, %t\n"
                                "condbr %c, block 1, block 2 kind thread\n"
                                "block 2:\n"
                                "ret\n");
    run.launch.assumed_trip_count = 5000;
    run.options.exhaustive = false;
    execute(&run, 0, 0);
    assert_weight(run.lanes, 32.0 + 16 * 500 + 16 * 5000 + 32);
    assert_true(run.event_count < 64);
    finish(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_loops),
        cmocka_unit_test(lanes_with_their_own_trip_counts),
        cmocka_unit_test(every_lane_leaves_when_it_should),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(branches_on_the_iteration_get_more_samples),
        cmocka_unit_test(branches_on_data_get_none),
        cmocka_unit_test(what_an_induction_was_is_known),
        cmocka_unit_test(what_is_carried_is_computed),
        cmocka_unit_test(what_cannot_be_left_out_is_not),
        cmocka_unit_test(weights_add_up_to_the_trip_count),
        cmocka_unit_test(what_repeats_every_few_iterations_is_seen_in_all_its_turns),
        cmocka_unit_test(jumps_land_where_they_should),
        cmocka_unit_test(long_assumed_loops_are_sampled),
        cmocka_unit_test(unknown_trip_counts_are_sampled),
    };
    return cmocka_run_group_tests_name("sampled loops", tests, NULL, NULL);
}
