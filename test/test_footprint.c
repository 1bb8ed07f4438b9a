/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Distances between lanes, sets of units, and what the lanes of an access touch: remembered, and counted lane by lane.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/cache/footprint.h"
#include "model/cache/unit_set.h"

static uint64_t random_state = 1;

static uint64_t next(uint64_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % limit;
}

static void distances_are_interned(void **state)
{
    (void)state;
    struct gp_distance_table table = {0};
    uint64_t numbers[32], moved[32], others[32];
    gp_distances_start(&table, 32);
    for (int i = 0; i < 32; i++) {
        numbers[i] = 100 + 4 * (uint64_t)i;
        moved[i] = numbers[i] - 5000;
        others[i] = numbers[i] - 8 * (uint64_t)i;
    }
    const struct gp_distances *d = gp_distances_of(&table, numbers), *falling = gp_distances_of(&table, others);
    uint64_t id = d->id;
    assert_ptr_equal(d, gp_distances_of(&table, moved));
    assert_ptr_not_equal(d, falling);
    assert_int_equal(d->low, 0);
    assert_int_equal(d->high, 124);
    assert_int_equal(falling->low, -124);
    assert_int_equal(d->lane[31], 124);
    for (int i = 0; i < 32; i++)
        numbers[i] = 7;
    assert_ptr_equal(gp_distances_of(&table, numbers), table.none);
    gp_distances_hold(&table, d);
    gp_distances_sweep(&table);
    assert_ptr_equal(d, gp_distances_of(&table, moved));
    assert_int_equal(d->id, id);
    assert_true(gp_distances_of(&table, others)->id > id); /* forgotten: not the one that it was */
    gp_distances_free(&table);
}

static void tables_grow_and_are_crowded(void **state)
{
    (void)state;
    struct gp_distance_table table = {0};
    uint64_t numbers[4] = {0};
    gp_distances_start(&table, 4);
    for (uint64_t i = 1; i < 5000; i++) {
        numbers[1] = i;
        numbers[3] = i % 7;
        assert_int_equal(gp_distances_of(&table, numbers)->lane[1], i);
        if (gp_distances_crowded(&table))
            gp_distances_sweep(&table);
        assert_false(gp_distances_crowded(&table));
    }
    assert_true(table.count < 2000);
    gp_distances_free(&table);
}

static void sets_of_units(void **state)
{
    (void)state;
    enum { NUMBERS = 4096 };
    static bool there[2][NUMBERS];
    struct gp_unit_set set;
    gp_unit_set_init(&set);
    for (int round = 0; round < 3; round++) {
        memset(there, 0, sizeof there);
        gp_unit_set_clear(&set);
        assert_false(gp_unit_set_has(&set, 0, 0));
        for (int i = 0; i < 400; i++) {
            uint32_t symbol = (uint32_t)next(2), count = 1 + (uint32_t)next(100), added;
            uint64_t number = next(NUMBERS - 100), fresh;
            for (uint32_t k = 0; k < count; k += added) {
                gp_unit_set_add(&set, symbol, number + k, count - k, &added, &fresh);
                assert_in_range(added, 1, count - k);
                for (uint32_t bit = 0; bit < added; bit++) {
                    assert_int_equal(fresh >> bit & 1, !there[symbol][number + k + bit]);
                    there[symbol][number + k + bit] = true;
                }
            }
        }
        for (uint32_t symbol = 0; symbol < 2; symbol++)
            for (uint64_t number = 0; number < NUMBERS; number++)
                assert_int_equal(gp_unit_set_has(&set, symbol, number), there[symbol][number]);
    }
    gp_unit_set_free(&set);
}

static void assert_same(const struct gp_footprint *a, const struct gp_footprint *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->stretches, b->stretches);
    assert_int_equal(a->lowest, b->lowest);
    assert_int_equal(a->highest, b->highest);
    for (uint32_t r = 0, unit = 0; r < a->count; r++) {
        assert_int_equal(a->from + a->runs[r].first, b->from + b->runs[r].first);
        assert_int_equal(a->runs[r].count, b->runs[r].count);
        assert_int_equal(a->runs[r].symbol, b->runs[r].symbol);
        for (uint32_t i = 0; i < a->runs[r].count; i++, unit++)
            assert_int_equal(a->lanes[unit], b->lanes[unit]);
    }
}

/* Lanes of some patterns, moved around, across the start of their symbol, too: what is remembered is what each lane's
 * address says. */
static void footprints_are_those_of_the_lanes(void **state)
{
    (void)state;
    const struct gp_unit units[] = {{4, 2}, {32, 5}, {128, 7}, {48, -1}};
    struct gp_footprints *remembered = gp_footprints_new(), *counted = gp_footprints_new();
    struct gp_distance_table table = {0};
    uint32_t symbol[64];
    uint64_t offset[64];
    gp_distances_start(&table, 64);
    for (int round = 0; round < 3000; round++) {
        uint32_t width = 1u << next(6);
        int64_t start = (int64_t)next(1000) - 300, step = ((int64_t)next(40) - 20) * (int64_t)width,
                row = 1 + (int64_t)next(64);
        gp_mask active = next(2) ? ~(gp_mask)0 : (next(UINT32_MAX) << 16) | 1;
        bool scattered = next(5) == 0;
        for (int i = 0; i < 64; i++) {
            offset[i] = scattered ? next(400) * width : (uint64_t)(start + i % row * step + i / row * 4096);
            symbol[i] = 3 + (uint32_t)round % 2;
        }
        for (int move = 0; move < 4; move++) {
            struct gp_unit unit = units[next(4)];
            struct gp_access access = {.active = active,
                                       .symbol = symbol,
                                       .offset = offset,
                                       .one_symbol = true,
                                       .distances = gp_distances_of(&table, offset)};
            struct gp_access bare = access;
            bare.distances = NULL;
            struct gp_footprint a = gp_footprint_of(remembered, &access, unit, width),
                                b = gp_footprint_of(counted, &bare, unit, width);
            assert_same(&a, &b);
            uint64_t by = next(3) * 384;
            for (int i = 0; i < 64; i++)
                offset[i] += by;
        }
        if (gp_distances_crowded(&table))
            gp_distances_sweep(&table);
    }
    gp_distances_free(&table);
    gp_footprints_free(remembered);
    gp_footprints_free(counted);
}

static void units_in_order(void **state)
{
    (void)state;
    struct gp_footprints *footprints = gp_footprints_new();
    uint32_t symbol[6] = {1, 1, 1, 1, 2, GP_SYMBOL_UNKNOWN};
    uint64_t offset[6] = {0, 4, 8, 256, 0, 0};
    struct gp_access access = {.active = 0x3f, .symbol = symbol, .offset = offset};
    struct gp_footprint f = gp_footprint_of(footprints, &access, (struct gp_unit){4, 2}, 8);
    assert_int_equal(f.count, 3); /* words 0 to 3, 64 and 65; of the other symbol 0 and 1 */
    assert_int_equal(f.stretches, 3);
    assert_int_equal(f.runs[0].count, 4);
    assert_int_equal(f.lanes[3], 2);
    assert_int_equal(f.runs[2].symbol, 2);
    assert_int_equal(f.highest, 256);
    gp_footprints_free(footprints);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_interned), cmocka_unit_test(tables_grow_and_are_crowded),
        cmocka_unit_test(sets_of_units),          cmocka_unit_test(footprints_are_those_of_the_lanes),
        cmocka_unit_test(units_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
