/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Accesses to images that were made before: as those that are worked out lane by lane. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/memory/image_memo.h"

static uint64_t random_state = 1;

static uint64_t next(uint64_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % limit;
}

enum { LANES = 32 };

/* One warp's texels: few patterns, so that they come again in other places; some begin beyond a border. */
struct texels {
    uint64_t at[3][LANES];
    uint32_t symbol[3][GP_MAX_LANES];
};

static void draw(struct texels *t, uint32_t dims)
{
    uint64_t width = 8u << next(3), step = 1 + next(3);
    for (uint32_t d = 0; d < dims; d++) {
        uint64_t from = next(40) - (next(4) == 0 ? 3 : 0);
        uint32_t symbol = next(4) == 0 ? 77 : GP_SYMBOL_KNOWN;
        for (uint64_t i = 0; i < LANES; i++) {
            t->at[d][i] = from + (d == 0 ? i % width * step : d == 1 ? i / width : 0);
            t->symbol[d][i] = symbol;
        }
    }
}

static void assert_alike(const struct gp_request *a, const struct gp_request *b)
{
    double numbers[][2] = {{a->transactions, b->transactions},
                           {a->ideal_transactions, b->ideal_transactions},
                           {a->lines, b->lines},
                           {a->bytes, b->bytes},
                           {a->useful_bytes, b->useful_bytes},
                           {a->wavefronts, b->wavefronts},
                           {a->ideal_wavefronts, b->ideal_wavefronts},
                           {a->same_address, b->same_address},
                           {a->guessed, b->guessed}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(numbers[i][0] == numbers[i][1]);
}

static void check(struct gp_image_memo *memo, const struct gp_device *device, const struct gp_kernel *kernel,
                  const struct gp_access *access)
{
    struct gp_image_addresses a, plain;
    struct gp_request request, again;
    struct gp_access lane_by_lane = *access;
    memset(lane_by_lane.coordinate_distances, 0, sizeof lane_by_lane.coordinate_distances);
    gp_image_addresses(device, kernel, &lane_by_lane, &plain);
    gp_request_cost(device, kernel, &lane_by_lane, &request);
    gp_image_memo_addresses(memo, device, access, &a);
    assert_int_equal(a.access.one_symbol, plain.access.one_symbol);
    assert_int_equal(a.access.coordinates, 0);
    for (gp_mask rest = access->active; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(rest);
        assert_int_equal(gp_access_offset(&a.access, lane), plain.offset[lane]);
        assert_int_equal(a.symbol[lane], plain.symbol[lane]);
    }
    for (int time = 0; time < 2; time++) {
        gp_image_memo_cost(memo, device, access, &again);
        assert_alike(&again, &request);
    }
}

static void as_lane_by_lane(void **state)
{
    (void)state;
    struct gp_memory memory[2] = {
        {.base = gp_ref_make(GP_REF_PARAM, 0), .element_bytes = 4, .vector = 4, .space = GP_SPACE_IMAGE},
        {.base = gp_ref_make(GP_REF_PARAM, 1), .element_bytes = 1, .vector = 1, .space = GP_SPACE_IMAGE}};
    struct gp_kernel kernel = {.memory = memory, .memory_count = 2};
    struct gp_device devices[2] = {{.arch = GP_ARCH_AMPERE}, {.arch = GP_ARCH_RDNA}};
    struct gp_distance_table table = {0};
    struct gp_image_memo *memo = gp_image_memo_new(&kernel);
    assert_non_null(memo);
    gp_distances_start(&table, LANES);
    for (int i = 0; i < 20000; i++) {
        struct texels t;
        uint32_t dims = 1 + (uint32_t)next(3);
        draw(&t, dims);
        struct gp_access access = {.memory = (uint32_t)next(2),
                                   .active = next(2) ? 0xffffffff : 0xf0ff0,
                                   .weight = 1,
                                   .coordinates = dims,
                                   .assumed = next(8) == 0};
        for (uint32_t d = 0; d < dims; d++) {
            access.coordinate[d] = t.at[d];
            access.coordinate_symbol[d] = t.symbol[d];
            access.coordinate_distances[d] = gp_distances_of(&table, t.at[d]);
        }
        check(memo, &devices[i / 5000 % 2], &kernel, &access);
    }
    gp_distances_free(&table);
    gp_image_memo_free(memo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_lane_by_lane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
