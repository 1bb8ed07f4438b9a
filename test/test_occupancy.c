/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Resident work-groups, against cases worked by hand with the vendors' calculators' rules. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "model/launch/occupancy.h"

enum { W = GP_LIMIT_WARPS, G = GP_LIMIT_BLOCKS, R = GP_LIMIT_REGISTERS, L = GP_LIMIT_LOCAL_MEMORY };

struct row {
    const char *device;
    uint32_t work_items, registers, scalar_registers, local_bytes;
    double groups; /* resident; 0: impossible */
    int limit;
    const char *why;
};

static const struct row rows[] = {
    /* A100: 64 warps, 32 groups, 4 partitions of 16384 registers in units of 256 per warp, 164 KB with 1 KB reserved
       per group. */
    {"a100", 256, 32, 0, 0, 8, W, "64 / 8 warps; registers: 16384/1024 = 16 warps x 4 / 8 = 8, too"},
    {"a100", 256, 40, 0, 0, 6, R, "1280 per warp: 12 x 4 = 48 warps / 8"},
    {"a100", 256, 255, 0, 0, 1, R, "8160 -> 8192 per warp: 2 x 4 / 8"},
    {"a100", 256, 300, 0, 0, 1, R, "more than 255 are spilled: as 255"},
    {"a100", 1024, 64, 0, 0, 1, R, "2048 per warp: 8 x 4 / 32"},
    {"a100", 1024, 65, 0, 0, 0, R, "2304 per warp x 32 = 73728 > 65536"},
    {"a100", 32, 16, 0, 0, 32, G, "64 warps, but 32 groups"},
    {"a100", 33, 32, 0, 0, 32, W, "2 warps"},
    {"a100", 96, 40, 0, 0, 16, R, "48 warps / 3"},
    {"a100", 256, 32, 0, 49152, 3, L, "49152 + 1024 = 50176; 167936 / 50176 = 3.3"},
    {"a100", 256, 32, 0, 166912, 1, L, "163 KB + 1 KB = all 164 KB"},
    {"a100", 256, 32, 0, 166913, 0, L, "one byte more than a group may have"},
    {"a100", 1024, 32, 0, 1, 2, W, "1 + 1024 -> 1152 each; 64 / 32 warps"},
    {"a100", 1025, 32, 0, 0, 0, W, "more than 1024 work-items"},
    {"a100", 0, 32, 0, 0, 0, W, "no work-items"},
    {"a100", 256, 0, 0, 0, 8, W, "registers not known: they do not limit"},
    /* A6000: 48 warps, 16 groups, 100 KB. */
    {"a6000", 256, 32, 0, 0, 6, W, "48 / 8"},
    {"a6000", 64, 32, 0, 0, 16, G, "24 by warps"},
    {"a6000", 1024, 32, 0, 0, 1, W, "48 / 32 = 1.5"},
    {"a6000", 256, 32, 0, 101376, 1, L, "99 KB + 1 KB"},
    {"a6000", 128, 32, 0, 16384, 5, L, "17408 each; 102400 / 17408 = 5.9"},
    /* RTX 2080 Ti: 32 warps, 16 groups, 64 KB, nothing reserved, units of 256 B. */
    {"rtx2080ti", 1024, 64, 0, 0, 1, W, "32 / 32; registers 8 x 4 / 32 = 1"},
    {"rtx2080ti", 128, 32, 0, 10000, 6, L, "10240 each; 65536 / 10240 = 6.4"},
    {"rtx2080ti", 64, 32, 0, 0, 16, W, "32 / 2, as many as groups"},
    {"rtx2080ti", 64, 32, 0, 65536, 1, L, "opt-in maximum"},
    /* V100: 64 warps, 96 KB. */
    {"v100", 128, 33, 0, 0, 12, R, "1056 -> 1280: 12 x 4 / 4"},
    {"v100", 128, 32, 0, 98304, 1, L, "all"},
    {"v100", 128, 32, 0, 12289, 7, L, "12544 each; 98304 / 12544 = 7.8"},
    /* H100: 64 warps, 228 KB. */
    {"h100", 512, 128, 0, 0, 1, R, "4096 per warp: 4 x 4 / 16"},
    {"h100", 256, 32, 0, 232448, 1, L, "227 KB + 1 KB"},
    {"h100", 256, 32, 0, 32768, 6, L, "33792 each; 233472 / 33792 = 6.9"},
    /* RTX 4090: 24 groups. */
    {"rtx4090", 32, 32, 0, 0, 24, G, "48 by warps"},
    /* Kepler: 64 warps, 16 groups; 63 registers on GK104, 255 on GK110. Maxwell: 32 groups, 64 KB. */
    {"k20", 128, 63, 0, 0, 8, R, "2016 -> 2048: 8 x 4 / 4"},
    {"k20", 64, 16, 0, 0, 16, G, "32 by warps"},
    {"k20", 64, 16, 0, 49152, 1, L, "all"},
    {"gtx680", 256, 100, 0, 0, 4, R, "as 63: 2048 per warp, 32 / 8"},
    {"k620", 64, 32, 0, 0, 32, W, "64 / 2"},
    {"940m", 64, 32, 0, 24576, 2, L, "65536 / 24576 = 2.7"},
    /* Fermi: 48 warps, 8 groups, 2 partitions of 16384 registers in units of 64, of 128 for some counts. */
    {"gtx580", 256, 20, 0, 0, 6, W, "640 per warp: 25 x 2 = 50 / 8 = 6; 48 / 8 = 6"},
    {"gtx580", 352, 22, 0, 0, 3, R, "704 -> 768 by units of 128: 21 x 2 = 42 / 11"},
    {"gtx580", 352, 24, 0, 0, 3, R, "768: 42 / 11"},
    {"gtx580", 352, 20, 0, 0, 4, W, "48 / 11"},
    {"m2070", 64, 20, 0, 0, 8, G, "24 by warps"},
    {"m2070", 256, 20, 0, 10000, 4, L, "10112 each; 49152 / 10112 = 4.9"},
    {"gtx580", 1024, 32, 0, 0, 1, W, "48 / 32; registers 16 x 2 / 32 = 1"},
    {"gtx580", 1024, 33, 0, 0, 0, R, "1088 x 32 = 34816 > 32768"},
    /* cc 1.3: 32 warps in pairs, 16384 registers per group in units of 512, 16 KB with 16 B for the system. */
    {"gtx280", 256, 16, 0, 0, 4, W, "32 / 8; registers 16384 / 4096 = 4"},
    {"gtx280", 96, 10, 0, 0, 8, W, "3 -> 4 warps: 32 / 4; registers 1280 -> 1536: 10"},
    {"gtx280", 256, 20, 0, 4000, 3, R, "5120 each; local memory 4016 -> 4096: 4"},
    {"gtx280", 256, 16, 0, 16384, 0, L, "16 B too many"},
    /* cc 1.0: 24 warps, 8192 registers in units of 256. */
    {"8800gtx", 256, 10, 0, 0, 3, W, "24 / 8; registers 8192 / 2560 = 3"},
    {"8800gtx", 256, 11, 0, 0, 2, R, "2816 each: the cliff of the CUDA guide"},
    {"8800gt", 512, 17, 0, 0, 0, R, "16 x 32 x 17 = 8704 > 8192"},
    {"fx5600", 64, 10, 0, 2048, 6, L, "2064 -> 2560; 16384 / 2560 = 6.4"},
    {"fx5600", 513, 10, 0, 0, 0, W, "more than 512 work-items"},
    /* GCN: 4 SIMDs of 10 waves, 256 VGPRs per lane in units of 4. 256 work-items: a wave per SIMD. llc's sweep. */
    {"mi50", 256, 24, 0, 0, 10, W, "10 waves"},
    {"mi50", 256, 25, 0, 0, 9, R, "28: 256 / 28 = 9.1"},
    {"mi50", 256, 28, 0, 0, 9, R, "256 / 28"},
    {"mi50", 256, 32, 0, 0, 8, R, "256 / 32"},
    {"mi50", 256, 36, 0, 0, 7, R, "256 / 36 = 7.1"},
    {"mi50", 256, 40, 0, 0, 6, R, "256 / 40 = 6.4"},
    {"mi50", 256, 48, 0, 0, 5, R, "256 / 48 = 5.3"},
    {"mi50", 256, 64, 0, 0, 4, R, "256 / 64"},
    {"mi50", 256, 84, 0, 0, 3, R, "256 / 84 = 3.05"},
    {"mi50", 256, 128, 0, 0, 2, R, "256 / 128"},
    {"mi50", 256, 24, 80, 0, 10, W, "800 / 80 scalar registers"},
    {"mi50", 256, 24, 81, 0, 8, R, "96: 800 / 96 = 8.3"},
    {"mi50", 256, 24, 102, 0, 7, R, "112: 800 / 112 = 7.1"},
    {"mi50", 64, 24, 0, 0, 40, W, "a group of one wave needs no barrier"},
    {"mi50", 128, 24, 0, 0, 16, G, "20 by waves; 16 barriers"},
    {"mi50", 320, 24, 0, 0, 8, W, "40 / 5"},
    {"mi50", 1024, 64, 0, 0, 1, R, "4 SIMDs x 4 waves / 16"},
    {"mi50", 1024, 65, 0, 0, 0, R, "3 waves per SIMD; the group needs 4"},
    /* CDNA2: 8 waves per SIMD, 512 registers per lane in units of 8; 64 KB in units of 512 B. */
    {"mi250x", 256, 64, 0, 0, 8, W, "8 waves"},
    {"mi250x", 256, 72, 0, 0, 7, R, "512 / 72 = 7.1"},
    {"mi250x", 256, 80, 0, 0, 6, R, "512 / 80 = 6.4"},
    {"mi250x", 256, 96, 0, 0, 5, R, "512 / 96 = 5.3"},
    {"mi250x", 256, 128, 0, 0, 4, R, "512 / 128"},
    {"mi250x", 256, 168, 0, 0, 3, R, "512 / 168 = 3.05"},
    {"mi250x", 256, 256, 0, 0, 2, R, "512 / 256"},
    {"mi250x", 256, 512, 0, 0, 1, R, "all"},
    {"mi250x", 256, 32, 0, 8192, 8, W, "8 groups of 8 KB"},
    {"mi250x", 256, 32, 0, 8193, 7, L, "8704 each; 65536 / 8704 = 7.5"},
    {"mi250x", 256, 32, 0, 9216, 7, L, "18 units of 512 B; 65536 / 9216 = 7.1"},
    {"mi250x", 256, 32, 0, 9363, 6, L, "9728 each; 65536 / 9728 = 6.7"},
    {"mi250x", 256, 32, 0, 16385, 3, L, "16896 each; 65536 / 16896 = 3.9"},
    {"mi250x", 256, 32, 104, 0, 7, R, "112 scalar registers: 800 / 112"},
    /* RDNA2, wave32: a work-group processor has 4 SIMDs of 16 waves, 1024 VGPRs per lane in units of 16, 128 KB of LDS
       in units of 1 KB; a CU has half of the groups. 128 work-items: a wave per SIMD. */
    {"w6600", 128, 64, 0, 0, 8, W, "16 waves"},
    {"w6600", 128, 80, 0, 0, 6, R, "1024 / 80 = 12.8"},
    {"w6600", 128, 96, 0, 0, 5, R, "10.7"},
    {"w6600", 128, 112, 0, 0, 4.5, R, "9.1"},
    {"w6600", 128, 128, 0, 0, 4, R, "8"},
    {"w6600", 128, 144, 0, 0, 3.5, R, "7.1"},
    {"w6600", 128, 160, 0, 0, 3, R, "6.4"},
    {"w6600", 128, 192, 0, 0, 2.5, R, "5.3"},
    {"w6600", 128, 256, 0, 0, 2, R, "4"},
    {"w6600", 1024, 64, 0, 0, 1, W, "64 / 32 waves"},
    {"w6600", 1024, 128, 0, 0, 0.5, R, "4 SIMDs x 8 waves / 32: one group on two CUs"},
    {"w6600", 1024, 129, 0, 0, 0, R, "7 waves per SIMD; the group needs 8"},
    {"w6600", 256, 32, 0, 16384, 4, W, "131072 / 16384 = 8, as many as 64 / 8 waves"},
    {"w6600", 256, 32, 0, 16385, 3.5, L, "17408 each; 131072 / 17408 = 7.5"},
    {"w6600", 256, 32, 0, 40960, 1.5, L, "131072 / 40960 = 3.2"},
    {"w6600", 256, 32, 0, 43691, 1, L, "44032 each; 131072 / 44032 = 2.98"},
    {"w6600", 256, 32, 0, 65536, 1, L, "two of 64 KB"},
    {"w6600", 256, 32, 0, 65537, 0, L, "more than a group may have"},
    {"w6600", 32, 32, 0, 0, 32, W, "a group of one wave needs no barrier"},
    {"w6600", 64, 32, 0, 0, 16, W, "64 / 2 waves, as many as barriers"},
    /* RDNA3: 1536 VGPRs per lane in units of 24. */
    {"w7800", 128, 96, 0, 0, 8, W, "16 waves"},
    {"w7800", 128, 120, 0, 0, 6, R, "12.8"},
    {"w7800", 128, 144, 0, 0, 5, R, "10.7"},
    {"w7800", 128, 168, 0, 0, 4.5, R, "9.1"},
    {"w7800", 128, 192, 0, 0, 4, R, "8"},
    {"w7800", 128, 216, 0, 0, 3.5, R, "7.1"},
    {"w7800", 128, 240, 0, 0, 3, R, "6.4"},
    /* Cayman: 20 wavefronts of a SIMD engine, 248 x 4 32-bit registers per lane. */
    {"hd6970", 256, 32, 0, 0, 5, W, "20 / 4"},
    {"hd6970", 256, 124, 0, 0, 2, R, "992 / 124 = 8 waves / 4"},
    {"hd6970", 256, 125, 0, 0, 1, R, "992 / 128 = 7.8"},
    {"hd6970", 257, 32, 0, 0, 0, W, "more than 256 work-items"},
    /* A CPU core runs one group. */
    {"pocl-cpu", 1, 16, 0, 0, 1, G, "one"},
    {"pocl-cpu", 4096, 200, 0, 65536, 1, G, "one"},
    {"pocl-cpu", 4097, 16, 0, 0, 0, G, "more than PoCL takes"},
};

static void check_row(const struct gp_device *device, const struct row *row)
{
    struct gp_occupancy o;
    struct gp_error error = {""};
    bool ok =
        gp_occupancy(device, row->work_items, row->registers, row->scalar_registers, row->local_bytes, &o, &error);
    if (ok != (row->groups > 0) || o.resident_groups != row->groups || (ok && (int)o.limit != row->limit))
        fail_msg("%s %u work-items, %u registers, %u B: %g by %s (%s), not %g: %s", row->device, row->work_items,
                 row->registers, row->local_bytes, o.resident_groups, gp_occupancy_limit_name(o.limit), error.text,
                 row->groups, row->why);
    if (!ok) {
        assert_int_equal(o.groups, 0);
        assert_string_not_equal(error.text, "");
        return;
    }
    assert_int_equal(o.groups, row->groups < 1 ? 1 : (int)floor(row->groups));
    assert_int_equal(o.groups, o.groups_by[o.limit]);
    for (int i = 0; i < GP_LIMIT_COUNT; i++)
        assert_true(o.groups_by[i] >= o.groups);
    assert_true(o.occupancy > 0 && o.occupancy <= 1);
}

static void test_rows(void **state)
{
    (void)state;
    struct gp_device *device = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gp_error error;
        if (device == NULL || strcmp(device->name, rows[i].device) != 0) {
            gp_device_free(device);
            device = gp_device_load(rows[i].device, SOURCE_HWDB, &error);
            if (device == NULL)
                fail_msg("%s", error.text);
        }
        check_row(device, &rows[i]);
    }
    gp_device_free(device);
}

static void expect(const char *name, uint32_t work_items, uint32_t registers, uint32_t local_bytes, double occupancy,
                   const char *sentence)
{
    struct gp_error error = {""};
    struct gp_device *device = gp_device_load(name, SOURCE_HWDB, &error);
    assert_non_null(device);
    struct gp_occupancy o;
    gp_occupancy(device, work_items, registers, 0, local_bytes, &o, &error);
    assert_true(fabs(o.occupancy - occupancy) < 1e-12);
    assert_string_equal(error.text, sentence);
    gp_device_free(device);
}

static void test_occupancy(void **state)
{
    (void)state;
    expect("a100", 256, 40, 0, 0.75, "");           /* 6 x 8 of 64 warps */
    expect("a6000", 1024, 32, 0, 32.0 / 48, "");    /* 1 x 32 of 48 */
    expect("w6600", 256, 32, 40960, 12.0 / 32, ""); /* 1.5 x 8 of 32 waves */
    expect("mi50", 128, 24, 0, 32.0 / 40, "");      /* 16 x 2 of 40 */
    expect("pocl-cpu", 64, 16, 0, 1, "");
}

/* An RDNA2 CU by itself: 2 SIMDs of 16 waves, 1024 VGPRs per lane, 64 KB. */
/* The nearest change of one thing: what it says is so, and one less of it changes nothing. */
static void test_next_step(void **state)
{
    (void)state;
    static const struct {
        uint32_t items, registers, local;
        enum gp_step_of of;
    } cases[] = {{256, 40, 0, GP_STEP_REGISTERS},
                 {128, 32, 49152, GP_STEP_LOCAL_MEMORY},
                 {768, 32, 0, GP_STEP_GROUP_SIZE},
                 {32, 16, 0, GP_STEP_GROUP_SIZE},
                 {256, 32, 0, GP_STEP_NONE}};
    struct gp_device *device = gp_device_load("a100", SOURCE_HWDB, NULL);
    assert_non_null(device);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp_occupancy now, then, less;
        uint32_t items = cases[i].items, registers = cases[i].registers, local = cases[i].local;
        assert_true(gp_occupancy(device, items, registers, 0, local, &now, NULL));
        struct gp_occupancy_step step = gp_next_occupancy(device, items, registers, 0, local, &now);
        assert_int_equal(step.of, cases[i].of);
        if (step.of == GP_STEP_NONE)
            continue;
        uint32_t fewer[2] = {step.of == GP_STEP_REGISTERS ? step.by : 0, step.of == GP_STEP_LOCAL_MEMORY ? step.by : 0};
        items = step.of == GP_STEP_GROUP_SIZE ? step.by : items;
        assert_true(gp_occupancy(device, items, registers - fewer[0], 0, local - fewer[1], &then, NULL));
        assert_true(then.occupancy > now.occupancy && then.occupancy == step.occupancy &&
                    then.resident_groups == step.groups);
        if (step.of == GP_STEP_GROUP_SIZE)
            continue;
        assert_true(gp_occupancy(device, items, registers - fewer[0] + (fewer[0] > 0), 0,
                                 local - fewer[1] + (fewer[1] > 0), &less, NULL));
        assert_true(less.occupancy == now.occupancy);
    }
    gp_device_free(device);
}

static void test_cu_mode(void **state)
{
    (void)state;
    static const struct {
        uint32_t work_items, registers, local_bytes;
        double groups;
    } cases[] = {
        {256, 32, 16384, 4}, {256, 32, 16385, 3}, /* 65536 / 17408 = 3.8 */
        {544, 32, 0, 1},     {512, 32, 0, 2},     /* 17 and 16 of 32 waves */
        {1024, 64, 0, 1},    {1024, 65, 0, 0},    /* 12 waves per SIMD; the group needs 16 */
        {128, 144, 0, 3},    {32, 32, 0, 32},     /* 7 waves per SIMD; one wave: no barrier */
    };
    struct gp_error error;
    struct gp_device *device = gp_device_load("w6600", SOURCE_HWDB, &error);
    assert_non_null(device);
    device->cu_mode = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp_occupancy o;
        bool ok = gp_occupancy(device, cases[i].work_items, cases[i].registers, 0, cases[i].local_bytes, &o, &error);
        assert_int_equal(ok, cases[i].groups > 0);
        assert_true(!ok || o.resident_groups == cases[i].groups);
    }
    gp_device_free(device);
}

/* Fewer than the device holds: whole groups, but one at least, and never more. */
static void test_hold(void **state)
{
    static const struct {
        uint32_t items, warps;
        double groups, share;
        bool asked;
    } cases[] = {{256, 16, 2, 16 / 64.0, true}, {256, 23, 2, 16 / 64.0, true}, {256, 1, 1, 8 / 64.0, true},
                 {32, 5, 5, 5 / 64.0, true},    {256, 64, 8, 1, false},        {256, 1000, 8, 1, false}};
    struct gp_error error = {""};
    struct gp_device *device = gp_device_load("a100", SOURCE_HWDB, &error);
    (void)state;
    assert_non_null(device);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp_occupancy o;
        assert_true(gp_occupancy(device, cases[i].items, 32, 0, 0, &o, &error));
        gp_occupancy_hold(device, cases[i].warps, &o);
        assert_true(o.resident_groups == cases[i].groups && o.groups == cases[i].groups);
        assert_true(o.occupancy == cases[i].share);
        assert_int_equal(o.limit == GP_LIMIT_ASKED, cases[i].asked);
    }
    gp_device_free(device);
}

static void test_sentences(void **state)
{
    (void)state;
    expect("a100", 0, 32, 0, 0, "a work-group of 0 work-items");
    expect("a100", 2048, 32, 0, 0, "a work-group of 2048 work-items; a100 allows 1024");
    expect("a100", 1024, 65, 0, 0,
           "a work-group of 1024 work-items with 65 registers each needs more registers than a100 has (65536)");
    expect("a100", 64, 32, 200000, 0, "a work-group with 200000 bytes of local memory; a100 allows 166912");
    expect("gtx280", 64, 8, 16384, 0,
           "a work-group with 16384 bytes of local memory and 16 reserved; gtx280 has 16384");
    expect("mi50", UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, "a work-group of 4294967295 work-items; mi50 allows 1024");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),      cmocka_unit_test(test_occupancy),
                                       cmocka_unit_test(test_cu_mode),   cmocka_unit_test(test_next_step),
                                       cmocka_unit_test(test_sentences), cmocka_unit_test(test_hold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
