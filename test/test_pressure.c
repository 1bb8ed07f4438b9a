/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How many values are alive at once where a compiler may order instructions. */
#include "test/golden.h"

#include "model/compilers/liveness.h"

static struct gp_text text;

static int setup(void **state)
{
    (void)state;
    gp_text_printf(&text, "gpuperf-profile 1\nkernel k\n  param a: buffer 64 in global skeleton size 8\n  local tile: "
                          "1024 align 4\n  dims 1\n  resources registers 8 from estimate\n  block 0:\n");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gp_text_free(&text);
    return 0;
}

struct words {
    uint32_t stands, least;
};

static struct words find(uint32_t enough)
{
    struct gp_profile *profile = parse_text(text.data);
    struct gp_liveness live;
    struct words words = {0};
    uint32_t scalars;
    gp_liveness_begin(&live, &profile->kernels[0], false);
    gp_live_peak(&live, &words.stands, &scalars);
    gp_live_least(&live, enough, &words.least);
    gp_liveness_end(&live);
    gp_profile_free(profile);
    return words;
}

enum { STEPS = 24, APART = 8 };
#define NEAR "load i32 local.tile in local 4x1 base local.tile"
#define FAR  "load i32 $a in global 4x1 base $a"

/* Two sums, of the values 0 to 23 and 8 to 31, in step: what both take is needed eight steps after it was loaded. */
static void add_two_sums(int barrier_at, const char *load)
{
    for (int i = 0; i < APART; i++)
        gp_text_printf(&text, "    %%v%d = %s\n", i, load);
    for (int i = 0; i < STEPS; i++) {
        if (i == barrier_at)
            gp_text_printf(&text, "    barrier : barrier\n");
        gp_text_printf(&text, "    %%v%d = %s\n", i + APART, load);
        const char *const sums =
            i == 0 ? "    %%s%d = weight f32 %%v%d : fp32.fma\n    %%t%d = weight f32 %%v%d : fp32.fma\n"
                   : "    %%s%d = weight f32 %%v%d, %%s%d : fp32.fma\n    %%t%d = weight f32 %%v%d, %%t%d : fp32.fma\n";
        if (i == 0)
            gp_text_printf(&text, sums, i, i, i, i + APART);
        else
            gp_text_printf(&text, sums, i, i, i - 1, i, i + APART, i - 1);
    }
    gp_text_printf(&text,
                   "    store $a, %%s%d in global 4x1 base $a\n    store $a, %%t%d in global 4x1 base $a\n    ret\n",
                   STEPS - 1, STEPS - 1);
}

/* One sum runs ahead of the other, so that each value goes when it has come. */
/* 64 sums that LLVM has made one value of are 64 registers; the 64 multiply-adds of a matrix unit are no 64 results. */
static void sums_in_a_wide_vector_are_as_many_registers(void **state)
{
    (void)state;
    gp_text_printf(
        &text,
        "    %%v = %s\n    %%s = weight f32 %%v : fp32.fma x64\n    %%t = weight f32 %%v : matrix.fp16_fp32 x64\n",
        NEAR);
    gp_text_printf(&text,
                   "    store $a, %%t in global 4x1 base $a\n    store $a, %%s in global 4x1 base $a\n    ret\n");
    assert_in_range(find(1).stands, 65, 69);
}

static void chains_need_not_march_in_step(void **state)
{
    (void)state;
    add_two_sums(-1, NEAR);
    struct words words = find(2);
    assert_int_equal(words.stands, APART + 3);
    assert_int_equal(words.least, 3);
}

static void enough_is_left_alone(void **state)
{
    (void)state;
    add_two_sums(-1, NEAR);
    assert_int_equal(find(6).least, 6); /* nobody saves below that */
    assert_int_equal(find(APART + 3).least, APART + 3);
}

/* What was loaded before a barrier and is used behind it stays. */
static void barriers_stay_where_they_are(void **state)
{
    (void)state;
    add_two_sums(STEPS / 2, NEAR);
    struct words words = find(2);
    assert_true(words.least >= APART + 2 && words.least <= words.stands);
}

/* Global memory is asked early, whatever that takes. */
static void loads_from_far_stay_where_they_are(void **state)
{
    (void)state;
    add_two_sums(-1, FAR);
    struct words words = find(2);
    assert_int_equal(words.least, words.stands);
}

/* Sixteen sums that each take a step with every pair of values: all are alive, whatever the order. */
static void outer_products_need_all_sums(void **state)
{
    (void)state;
    enum { SIDE = 4, ROUNDS = 3 };
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < SIDE; i++)
            gp_text_printf(&text, "    %%a%d_%d = " NEAR "\n    %%b%d_%d = " NEAR "\n", r, i, r, i);
        for (int i = 0; i < SIDE * SIDE; i++)
            if (r == 0)
                gp_text_printf(&text, "    %%s0_%d = weight f32 %%a0_%d, %%b0_%d : fp32.fma\n", i, i / SIDE, i % SIDE);
            else
                gp_text_printf(&text, "    %%s%d_%d = weight f32 %%a%d_%d, %%b%d_%d, %%s%d_%d : fp32.fma\n", r, i, r,
                               i / SIDE, r, i % SIDE, r - 1, i);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        gp_text_printf(&text, "    store $a, %%s%d_%d in global 4x1 base $a\n", ROUNDS - 1, i);
    gp_text_printf(&text, "    ret\n");
    struct words words = find(2);
    assert_true(words.least >= SIDE * SIDE + 2 && words.least <= words.stands);
}

/* ---- Against the best of all orders ------------------------------------------------------------------------------ */

enum { NODES = 12 };

struct graph {
    unsigned operands[NODES], users[NODES];
}; /* sets; the last node is stored */

static unsigned next_random(unsigned *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 16; }

static void make_graph(struct graph *g, unsigned *seed)
{
    *g = (struct graph){0};
    for (int n = 1; n < NODES; n++)
        for (unsigned k = next_random(seed) % 4; k > 0; k--)
            g->operands[n] |= 1u << next_random(seed) % (unsigned)n;
    for (int n = 0; n < NODES - 1; n++) { /* all are used */
        bool used = false;
        for (int m = n + 1; m < NODES; m++)
            used |= g->operands[m] >> n & 1;
        g->operands[NODES - 1] |= used ? 0 : 1u << n;
    }
    for (int n = 0; n < NODES; n++)
        for (int m = 0; m < NODES; m++)
            g->users[m] |= (g->operands[n] >> m & 1) << n;
}

static void write_graph(const struct graph *g)
{
    for (int n = 0; n < NODES; n++) {
        if (g->operands[n] == 0) {
            gp_text_printf(&text, "    %%n%d = " NEAR "\n", n);
            continue;
        }
        const char *before = "";
        gp_text_printf(&text, "    %%n%d = weight f32 ", n);
        for (int m = 0; m < n; m++)
            if (g->operands[n] >> m & 1) {
                gp_text_printf(&text, "%s%%n%d", before, m);
                before = ", ";
            }
        gp_text_printf(&text, " : fp32.fma\n");
    }
    gp_text_printf(&text, "    store $a, %%n%d in global 4x1 base $a\n    ret\n", NODES - 1);
}

/* Values alive above a set of instructions that stand last. */
static unsigned alive(const struct graph *g, unsigned set)
{
    unsigned count = 0;
    for (int n = 0; n < NODES; n++)
        count += !(set >> n & 1) && (n == NODES - 1 || (g->users[n] & set) != 0);
    return count;
}

static unsigned best_order(const struct graph *g)
{
    static unsigned best[1 << NODES];
    best[0] = 1;
    for (unsigned set = 1; set < 1u << NODES; set++) {
        best[set] = UINT32_MAX;
        for (int n = 0; n < NODES; n++) {
            unsigned rest = set & ~(1u << n);
            if (!(set >> n & 1) || (g->users[n] & ~rest) != 0 || best[rest] == UINT32_MAX)
                continue;
            unsigned most = best[rest] > alive(g, set) ? best[rest] : alive(g, set);
            best[set] = most < best[set] ? most : best[set];
        }
    }
    return best[(1u << NODES) - 1];
}

/* Never below what any order needs, never above what stands, and near the former. */
static void near_the_best_of_all_orders(void **state)
{
    enum { GRAPHS = 100 };
    unsigned seed = 7, least = 0, stands = 0, best = 0;
    for (int i = 0; i < GRAPHS; i++) {
        struct graph graph;
        teardown(state);
        setup(state);
        make_graph(&graph, &seed);
        write_graph(&graph);
        struct words words = find(1);
        unsigned optimum = best_order(&graph);
        assert_true(words.least >= optimum && words.least <= words.stands);
        best += optimum;
        least += words.least;
        stands += words.stands;
    }
    print_message("best order %u, found %u, as they stand %u\n", best, least, stands);
    assert_true(least <= 1.1 * best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sums_in_a_wide_vector_are_as_many_registers, setup, teardown),
        cmocka_unit_test_setup_teardown(chains_need_not_march_in_step, setup, teardown),
        cmocka_unit_test_setup_teardown(enough_is_left_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(barriers_stay_where_they_are, setup, teardown),
        cmocka_unit_test_setup_teardown(loads_from_far_stay_where_they_are, setup, teardown),
        cmocka_unit_test_setup_teardown(outer_products_need_all_sums, setup, teardown),
        cmocka_unit_test_setup_teardown(near_the_best_of_all_orders, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
