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
#include "support/text.h"

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

static bool is_of_entry(const struct gp_device *device, const char *entry)
{
    const char *file = strrchr(device->path, '/');
    size_t length = strlen(entry);
    return file != NULL && strncmp(file + 1, entry, length) == 0 && strcmp(file + 1 + length, ".yaml") == 0;
}

static void test_rows(void **state)
{
    (void)state;
    size_t read = 0;
    for (size_t i = 0; i < boards.count; i++) {
        const struct gp_board *b = &boards.rows[i];
        struct gp_device *d = load(b->name);
        if (!is_of_entry(d, b->entry))
            fail_msg("%s is of %s, not of %s", b->name, d->path, b->entry);
        if (d->nearest != NULL) {
            assert_true(d->sm_count.value == b->units && d->clock_mhz.value == b->clock_mhz &&
                        d->dram_gbps.value == b->gbps);
            assert_int_equal(d->dram_gbps.origin, b->recalled & GP_BOARD_GBPS ? GP_FROM_ASSUMED : GP_FROM_VENDOR);
        }
        assert_true(strlen(b->source) > 4);
        if ((strstr(b->source, "recalled") != NULL) != (b->recalled != 0))
            fail_msg("%s: a recalled number has a question mark, and its source says so", b->name);
        read += b->recalled == 0;
        gp_device_free(d);
    }
    assert_true(read >= 150);
}

/* A board that is an entry is that entry; where only its numbers are, it keeps its name. Others are boards, and those
 * with a recalled number are less sure. */
static void test_entries(void **state)
{
    (void)state;
    struct gp_device *itself = load("RTX A6000"), *same = load("A100 PCIe 40 GB"), *board = load("RTX A5000"),
                     *recalled = load("MI325X"), *documents = load("rtx 5090");
    assert_string_equal(itself->name, "a6000");
    assert_string_equal(same->name, "a100 pcie 40 gb");
    assert_null(same->nearest);
    assert_true(gp_device_is_measured(same) && !gp_device_is_measured(documents));
    assert_string_equal(board->nearest, "a6000");
    assert_true(!gp_board_is_doubtful(board) && gp_board_is_doubtful(recalled));
    gp_device_free(itself);
    gp_device_free(same);
    gp_device_free(board);
    gp_device_free(recalled);
    gp_device_free(documents);
}

/* A name means one thing: no two boards have it, nor what stands in the last column. */
static void test_no_name_twice(void **state)
{
    (void)state;
    for (size_t i = 0; i < boards.count; i++) {
        struct gp_text several = {0};
        assert_ptr_equal(gp_board_find(&boards, boards.rows[i].name, &several), &boards.rows[i]);
        for (size_t j = i + 1; j < boards.count; j++)
            assert_false(gp_board_is_called(boards.rows[i].name, boards.rows[j].name));
        gp_text_free(&several);
    }
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
        {"NVIDIA GeForce RTX 4090", "rtx4090", NULL},
        {"GeForce RTX 2070 SUPER", "rtx2070s", NULL},
        {"arc a770", "a770", NULL},
        {"Intel(R) Arc(TM) A770 Graphics", "a770", NULL},
        {"arc b580", "b580", NULL},
        {"AMD Instinct MI300X", "mi300x", NULL},
        {"NVIDIA A100-SXM4-80GB", "a100 sxm4 80 gb", NULL},
        {"a100 80gb", "a100 sxm4 80 gb", NULL},
        {"NVIDIA A100 80GB PCIe", "a100 pcie 80 gb", "a100-80"}, /* words in any order */
        {"NVIDIA H100 80GB HBM3", "h100 sxm5 80 gb", NULL},
        {"3060 ti", "rtx 3060 ti", "rtx3070"}, /* without its series */
        {"7900xtx", "rx 7900 xtx", "w7800"},
        {"rtx 3060", "rtx 3060 12 gb", "rtx3070"}, /* the last column */
        {"dgx spark", "gb10", "rtx5090"},
        {"GeForce RTX 3050 6GB Laptop GPU", "rtx 3050 mobile refresh 6 gb", "rtx3070"},
        {"RTX 2070 with Max-Q Design", "rtx 2070 max-q", "rtx2080ti"},
        {"w7900", "pro w7900", "w7800"},
        {"orin 64 gb", "jetson agx orin 64 gb", "rtx3070"},
        {"SM_89", "sm_89", "rtx4090"},
        {"GFX1030", "gfx1030", "w6600"},
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
    assert_refused("rtx 4061", "unknown device 'rtx 4061'; near it: 'GeForce RTX 4060'");
    assert_refused("gtx28", "near it: 'gtx280'; ");
    assert_refused("cpu", "near it: 'pocl-cpu'; ");
    assert_refused("apple m1", "unknown device 'apple m1'; 'gpuperf devices' lists entries");
    assert_refused("tesla v100 sxm", "is several boards that differ: 'Tesla V100 SXM2 16 GB'");
    assert_refused("mi300", "is several boards that differ: 'Instinct MI300A', 'Instinct MI300X'; name one");
    assert_refused("jetson orin", "'Jetson Orin NX 8 GB'");
    assert_refused("mobile", " more; name one of them");
    assert_refused("arc", "'Arc A310'");
    assert_refused("gbps=272", "numbers follow a device behind colons");
    assert_refused("sm89", "targets are written sm_89");
    assert_refused("sm_999", "unknown device");
    assert_refused("sm_89:sms", "'sms' behind sm_89 is not FIELD=VALUE");
    assert_refused("a100:", "'' behind a100 is not FIELD=VALUE");
    assert_refused("sm_89:sms=0", "0 is not between 1 and");
    assert_refused("sm_89:gbps=1e6", "is not between");
    assert_refused("sm_89:gbps=", "no number of GB/s");
    assert_refused("sm_89:l2=24Q", "24M is 24 MB");
    assert_refused("a100:wings=2", "no number 'wings'; there are sms, gbps");
    assert_refused("a100:bandwidth=2", "no number 'bandwidth'; near it: gbps; there are sms, gbps");
    assert_refused("a100:gpbs=2", "near it: gbps; ");
    assert_refused("a100:lat_fp23=2", "near it: lat_fp32, ");
    assert_refused("a100:l2=24MiBs", "24M is 24 MB");
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
    d = load("sm_89: SMs = 24:L2=24MiB");
    assert_true(d->sm_count.value == 24 && d->l2_size.value == 24 << 20);
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
        cmocka_unit_test(test_derived_again), cmocka_unit_test(test_forgotten), cmocka_unit_test(test_entries),
        cmocka_unit_test(test_no_name_twice),
    };
    return cmocka_run_group_tests_name("boards", tests, load_boards, free_boards);
}
