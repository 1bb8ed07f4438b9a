/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* hwdb/boards.tsv: every row loads, and its numbers agree with each other; names as people write them; numbers that a
 * user states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "hwdb/boards.h"

static struct gp_boards boards;

static int load_boards(void **state)
{
    (void)state;
    struct gp_error error;
    if (!gp_boards_load(&boards, &error))
        fail_msg("%s", error.text);
    return 0;
}

static int free_boards(void **state)
{
    (void)state;
    gp_boards_free(&boards);
    return 0;
}

static struct gp_device *load(const char *name)
{
    struct gp_error error = {""};
    struct gp_device *device = gp_device_load(name, SOURCE_HWDB, &error);
    if (device == NULL)
        fail_msg("%s: %s", name, error.text);
    return device;
}

static bool is_near(double value, double wanted, double by) { return fabs(value / wanted - 1) <= by; }

static void test_bandwidth(void **state)
{
    (void)state;
    for (size_t i = 0; i < boards.count; i++) {
        const struct gp_board *b = &boards.rows[i];
        if (!is_near(b->bus_bits * b->pin_gbps / 8, b->gbps, 0.01))
            fail_msg("%s: %g bits at %g Gbps are not %g GB/s", b->name, b->bus_bits, b->pin_gbps, b->gbps);
    }
}

/* Two operations for each lane and clock; RDNA 3 and later count two instructions at a time. */
static void test_peak(void **state)
{
    (void)state;
    for (size_t i = 0; i < boards.count; i++) {
        const struct gp_board *b = &boards.rows[i];
        struct gp_device *d = load(b->name);
        double peak = 2e-3 * b->units * d->fp32_lanes.value * b->clock_mhz;
        if (!is_near(peak, b->fp32_gflops, 0.03) && !is_near(2 * peak, b->fp32_gflops, 0.03))
            fail_msg("%s: %g units of %g lanes at %g MHz make %g GFLOP/s, not %g", b->name, b->units,
                     d->fp32_lanes.value, b->clock_mhz, peak, b->fp32_gflops);
        gp_device_free(d);
    }
}

static void test_rows(void **state)
{
    (void)state;
    size_t read = 0;
    for (size_t i = 0; i < boards.count; i++) {
        const struct gp_board *b = &boards.rows[i];
        struct gp_device *d = load(b->name);
        assert_true(strcmp(d->nearest != NULL ? d->nearest : d->name, b->entry) == 0);
        if (d->nearest != NULL) {
            assert_true(d->sm_count.value == b->units && d->clock_mhz.value == b->clock_mhz &&
                        d->dram_gbps.value == b->gbps);
            assert_int_equal(d->dram_gbps.origin, GP_FROM_VENDOR);
        }
        assert_true(strlen(b->source) > 4);
        read += strstr(b->source, "recalled") == NULL;
        gp_device_free(d);
    }
    assert_true(read >= 150);
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *asked, *name, *entry;
    } rows[] = {
        {"rtx 4060", "rtx 4060", "rtx4090"},
        {"RTX4060", "rtx 4060", "rtx4090"},
        {"NVIDIA GeForce RTX 4060", "rtx 4060", "rtx4090"},
        {"NVIDIA GeForce RTX 4060 Laptop GPU", "rtx 4060 mobile", "rtx4090"},
        {"AMD Radeon RX 6800 XT", "rx 6800 xt", "w6600"},
        {"rx 6800", "rx 6800", "w6600"},
        {"Tesla P40", "p40", "gtx1080"},
        {"l40s", "l40s", "rtx4090"},
        {"AMD Radeon(TM) RX 7900 XTX", "rx 7900 xtx", "w7800"},
        {"RTX 3070", "rtx3070", NULL}, /* a file of its own goes before the row */
        {"arc a770", "a770", "a770"},
        {"Intel(R) Arc(TM) A770 Graphics", "a770", "a770"},
        {"arc b580", "b580", "b580"},
        {"Intel(R) Data Center GPU Max 1100", "max 1100", "max1550"},
        {"max 1550", "max1550", NULL},
        {"A100", "a100", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gp_device *d = load(rows[i].asked);
        assert_string_equal(d->name, rows[i].name);
        assert_true((d->nearest == NULL) == (rows[i].entry == NULL));
        if (rows[i].entry != NULL)
            assert_string_equal(d->nearest, rows[i].entry);
        gp_device_free(d);
    }
}

static void assert_refused(const char *name, const char *part)
{
    struct gp_error error = {""};
    assert_null(gp_device_load(name, SOURCE_HWDB, &error));
    if (strstr(error.text, part) == NULL)
        fail_msg("%s: '%s' is not in: %s", name, part, error.text);
}

static void test_refused(void **state)
{
    (void)state;
    assert_refused("rtx 4061", "'GeForce RTX 4060'");
    assert_refused("tesla v100 sxm", "is several boards that differ: 'Tesla V100 SXM2 16 GB'");
    assert_refused("4060", "'GeForce RTX 4060'");
    assert_refused("arc", "'Arc A310'");
    assert_refused("sm89", "targets are written sm_89");
    assert_refused("sm_999", "unknown device");
    assert_refused("sm_89:sms", "'sms' behind sm_89 is not FIELD=VALUE");
    assert_refused("a100:", "'' behind a100 is not FIELD=VALUE");
    assert_refused("sm_89:sms=0", "0, which no device has");
    assert_refused("sm_89:gbps=1e6", "is not between");
    assert_refused("sm_89:gbps=", "no number of GB/s");
    assert_refused("sm_89:l2=24Q", "24M is 24 MB");
    assert_refused("a100:wings=2", "no number 'wings'");
    assert_refused("a100:sms=1:wings", "'wings' is not FIELD=VALUE");
}

static void test_stated(void **state)
{
    (void)state;
    struct gp_device *d = load("sm_89:sms=24:gbps=272:l2=24M:dram_latency=480"), *whole = load("rtx4090");
    assert_true(d->sm_count.value == 24 && d->dram_gbps.value == 272 && d->l2_size.value == 24 << 20 &&
                d->dram_latency.value == 480);
    assert_string_equal(d->name, "sm_89:sms=24:gbps=272:l2=24M:dram_latency=480");
    assert_int_equal(d->dram_latency.origin, GP_FROM_VENDOR);
    assert_true(is_near(d->l2_bytes_per_clk.value, whole->l2_bytes_per_clk.value * 24 / 128, 1e-9));
    assert_int_equal(d->l2_bytes_per_clk.origin, GP_FROM_DERIVED);
    gp_device_free(d);
    gp_device_free(whole);
}

/* What a rule had derived follows the number that it was derived from. */
static void test_derived_again(void **state)
{
    (void)state;
    struct gp_device *d = load("t4"), *half = load("t4:sms=20");
    assert_true(strncmp(d->l2_write_bytes_per_clk.source, "rule:", 5) == 0);
    assert_true(half->l2_write_bytes_per_clk.value < d->l2_write_bytes_per_clk.value);
    gp_device_free(d);
    gp_device_free(half);
}

/* An entry without what was measured on its chip: all numbers are there, and none is a measurement. */
static void test_forgotten(void **state)
{
    (void)state;
    static const char *const chips[] = {"h200", "a100", "mi250x", "rtx2080ti"};
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct gp_device *d = load(chips[i]), *whole = load(chips[i]);
        gp_device_forget_measured(d);
        for (size_t f = 0; f < GP_NUMBER_COUNT; f++) {
            enum gp_origin origin = gp_field_of(d, f)->origin;
            assert_true(origin != GP_FROM_MEASURED && origin != GP_FROM_FITTED && origin != GP_FROM_UNKNOWN);
        }
        assert_true(d->sm_count.value == whole->sm_count.value && d->dram_gbps.value == whole->dram_gbps.value);
        assert_true(d->nearest != NULL && gp_check(d, NULL, NULL));
        gp_device_free(d);
        gp_device_free(whole);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bandwidth),     cmocka_unit_test(test_peak),      cmocka_unit_test(test_rows),
        cmocka_unit_test(test_names),         cmocka_unit_test(test_refused),   cmocka_unit_test(test_stated),
        cmocka_unit_test(test_derived_again), cmocka_unit_test(test_forgotten),
    };
    return cmocka_run_group_tests_name("boards", tests, load_boards, free_boards);
}
