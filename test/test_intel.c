/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intel's rules: resident groups as oneAPI's occupancy calculator has them, requests of 64-byte lines, evidence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "hwdb/hwdb.h"
#include "model/launch/occupancy.h"
#include "model/memory/requests.h"
#include "model/predict/calibration.h"

static struct gp_device *load(const char *name)
{
    struct gp_error error = {""};
    struct gp_device *device = gp_device_load(name, SOURCE_HWDB, &error);
    if (device == NULL)
        fail_msg("%s: %s", name, error.text);
    return device;
}

static uint32_t groups(const char *name, uint32_t items, uint32_t local_bytes)
{
    struct gp_device *d = load(name);
    struct gp_occupancy occupancy;
    assert_true(gp_occupancy(d, items, 200, 0, local_bytes, &occupancy, NULL));
    gp_device_free(d);
    return occupancy.groups;
}

/* 128 threads of 16 on Xe-HPG, 64 of 32 on Xe-HPC; registers do not matter. */
static void test_threads(void **state)
{
    (void)state;
    assert_int_equal(groups("a770", 256, 0), 8);
    assert_int_equal(groups("a770", 1024, 0), 2);
    assert_int_equal(groups("max1550", 1024, 0), 2);
    assert_int_equal(groups("a770", 16, 0), 128); /* of one thread: no barrier */
    assert_int_equal(groups("a770", 32, 0), 32);  /* 32 barriers */
}

static void test_local_memory(void **state)
{
    (void)state;
    assert_int_equal(groups("a770", 64, 33 * 1024), 2);    /* takes 64 KB */
    assert_int_equal(groups("max1550", 64, 33 * 1024), 2); /* takes 48 KB */
    assert_int_equal(groups("max1550", 64, 50 * 1024), 2);
    assert_int_equal(groups("max1550", 64, 90 * 1024), 1);
    struct gp_device *d = load("a770");
    struct gp_occupancy occupancy;
    struct gp_error error = {""};
    assert_false(gp_occupancy(d, 64, 32, 0, 65 * 1024, &occupancy, &error));
    gp_device_free(d);
}

/* A load of `bytes` by the lanes of a sub-group, `step` bytes apart. */
static struct gp_request load_of(const struct gp_device *d, enum gp_space space, uint32_t bytes, uint64_t step)
{
    struct gp_inst inst = {.op = GP_OP_LOAD};
    struct gp_memory memory = {
        .space = (uint8_t)space, .element_bytes = (uint16_t)bytes, .vector = 1, .alignment = (uint16_t)bytes};
    struct gp_kernel kernel = {.insts = &inst, .inst_count = 1, .memory = &memory, .memory_count = 1};
    uint32_t symbol[64];
    uint64_t offset[64];
    for (uint32_t i = 0; i < 64; i++) {
        symbol[i] = 7;
        offset[i] = i * step;
    }
    struct gp_access access = {
        .active = ((gp_mask)1 << (unsigned)d->warp_width.value) - 1, .weight = 1, .symbol = symbol, .offset = offset};
    struct gp_request request;
    gp_request_cost(d, &kernel, &access, &request);
    return request;
}

/* 16 lanes side by side are a line of 64 bytes, which L1 gives at 128 bytes a cycle; their addresses go at 32. */
static void test_lines(void **state)
{
    (void)state;
    struct gp_device *d = load("a770");
    struct gp_request r = load_of(d, GP_SPACE_GLOBAL, 4, 4);
    assert_true(r.transactions == 1 && r.bytes == 64 && r.wavefronts == 0.5);
    r = load_of(d, GP_SPACE_GLOBAL, 4, 8);
    assert_true(r.transactions == 2 && r.wavefronts == 1 && r.ideal_wavefronts == 0.5);
    r = load_of(d, GP_SPACE_GLOBAL, 4, 4096);
    assert_true(r.transactions == 16 && r.wavefronts == 8);
    r = load_of(d, GP_SPACE_GLOBAL, 8, 8);
    assert_true(r.transactions == 2 && r.wavefronts == 1);
    r = load_of(d, GP_SPACE_GLOBAL, 4, 0);
    assert_true(r.transactions == 1 && r.wavefronts == 0.5);
    gp_device_free(d);
}

/* 32 banks of 4 bytes. */
static void test_banks(void **state)
{
    (void)state;
    struct gp_device *d = load("max1550");
    struct gp_request r = load_of(d, GP_SPACE_LOCAL, 4, 4);
    assert_true(r.passes == 1 && r.wavefronts == 1 && r.conflict_degree == 1);
    r = load_of(d, GP_SPACE_LOCAL, 4, 8);
    assert_true(r.passes == 2 && r.conflict_degree == 2);
    r = load_of(d, GP_SPACE_LOCAL, 4, 128);
    assert_true(r.passes == 32);
    r = load_of(d, GP_SPACE_LOCAL, 4, 132); /* padded */
    assert_true(r.passes == 1);
    r = load_of(d, GP_SPACE_LOCAL, 4, 0); /* one word for all */
    assert_true(r.passes == 1);
    r = load_of(d, GP_SPACE_LOCAL, 8, 8);
    assert_true(r.passes == 2 && r.conflict_degree == 1);
    gp_device_free(d);
}

/* Drivers count vector engines. */
static void test_at_hand(void **state)
{
    (void)state;
    struct gp_device *d = load("Intel(R) Arc(TM) A770 Graphics");
    gp_device_at_hand(d, 512, 2400, 0, "the driver");
    assert_true(d->sm_count.value == 32);
    gp_device_free(d);
}

static void test_no_evidence(void **state)
{
    (void)state;
    struct gp_circumstances c = {.arch = GP_ARCH_XE, .known_share = 1};
    struct gp_evidence evidence;
    char path[GP_CELL_TEXT];
    gp_circumstances_path(&c, path);
    assert_memory_equal(path, "intel/", 6);
    gp_find_evidence(path, &evidence);
    assert_string_equal(evidence.cell, "all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads), cmocka_unit_test(test_local_memory), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_banks),   cmocka_unit_test(test_at_hand),      cmocka_unit_test(test_no_evidence),
    };
    return cmocka_run_group_tests_name("intel", tests, NULL, NULL);
}
