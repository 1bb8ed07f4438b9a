/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The hardware database: every entry agrees with the vendors' figures; every broken file gives its sentence. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "hwdb/internal.h"
#include "hwdb/known.h"
#include "support/text.h"

static const char *const names[] = {
    "8800gt",  "8800gtx", "940m",     "a100",     "a100-80",  "a4000",     "a6000",   "a770",    "b200",
    "b580",    "fx5600",  "gtx1080",  "gtx280",   "gtx580",   "gtx645",    "gtx680",  "h100",    "h200",
    "hd6970",  "k20",     "k600",     "k620",     "m2070",    "max1550",   "mi100",   "mi250x",  "mi300x",
    "mi355x",  "mi50",    "p100",     "pocl-cpu", "rtx2070s", "rtx2080ti", "rtx3070", "rtx3080", "rtx3090",
    "rtx4090", "rtx5090", "rx5700xt", "rx9070xt", "t4",       "v100",      "w6600",   "w7800",
};
enum { NAMES = sizeof names / sizeof names[0] };

static struct gp_device *load(const char *name)
{
    struct gp_error error;
    struct gp_device *device = gp_device_load(name, SOURCE_HWDB, &error);
    if (device == NULL)
        fail_msg("%s", error.text);
    return device;
}

static void check_numbers(const struct gp_device *d)
{
#define X(field, unit, meaning) \
    if (!isfinite(d->field.value) || d->field.origin == GP_FROM_UNKNOWN || d->field.source == NULL || \
        d->field.source[0] == '\0') \
        fail_msg("%s: %s has no value or no source", d->name, #field);
    GP_DEVICE_NUMBERS(X)
#undef X
}

static void test_every_entry(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        struct gp_device *d = load(names[i]);
        assert_string_equal(d->name, names[i]);
        assert_non_null(d->matches[0]);
        assert_null(d->matches[GP_MAX_DEVICE_MATCHES - 1]);
        assert_true(d->arch == GP_ARCH_CPU || d->arch == GP_ARCH_XE ? d->cpu[0] == '\0' : d->cpu[0] != '\0');
        check_numbers(d);
        gp_device_free(d);
    }
}

static void assert_same_device(const struct gp_device *a, const struct gp_device *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->triple, b->triple);
    assert_string_equal(a->cpu, b->cpu);
    assert_int_equal(a->arch, b->arch);
    assert_int_equal(a->compute_capability, b->compute_capability);
    assert_int_equal(a->proxy_target, b->proxy_target);
    for (size_t i = 0; i < GP_MAX_DEVICE_MATCHES; i++) {
        assert_int_equal(a->matches[i] == NULL, b->matches[i] == NULL);
        if (a->matches[i] != NULL)
            assert_string_equal(a->matches[i], b->matches[i]);
    }
#define X(field, unit, meaning) \
    if (memcmp(&a->field.value, &b->field.value, sizeof a->field.value) != 0 || a->field.origin != b->field.origin || \
        strcmp(a->field.source, b->field.source) != 0) \
        fail_msg("%s: %s differs", a->name, #field);
    GP_DEVICE_NUMBERS(X)
#undef X
}

static void test_list(void **state)
{
    (void)state;
    struct gp_error error;
    char **found;
    size_t count;
    assert_true(gp_device_list(SOURCE_HWDB "::", &found, &count, &error));
    assert_int_equal(count, NAMES);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(found[i], names[i]);
        free(found[i]);
    }
    free(found);
}

/* Two operations per FMA lane and cycle, at the clock of the vendor's figure where it is not the entry's. */
static void test_vendor_figures(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double gflops, gbps, clock_mhz;
    } figures[] = {
        {"8800gtx", 345.6, 86.4, 0},  {"8800gt", 336, 57.6, 0},       {"gtx280", 622, 141.7, 0},
        {"m2070", 1030, 150, 0},      {"gtx580", 1581, 192.4, 0},     {"k20", 3520, 208, 0},
        {"gtx680", 3090, 192.3, 0},   {"k600", 336, 29, 0},           {"gtx645", 949, 64, 0},
        {"k620", 863, 29, 1124},      {"hd6970", 2703, 176, 0},       {"v100", 14100, 900, 0},
        {"t4", 8100, 320, 0},         {"rtx2080ti", 13450, 616, 0},   {"a100", 19500, 1555, 0},
        {"a4000", 19200, 448, 0},     {"a6000", 38700, 768, 0},       {"rtx3090", 35580, 936, 0},
        {"rtx3080", 29770, 760, 0},   {"rtx3070", 20310, 448, 0},     {"rtx2070s", 9060, 448, 0},
        {"a100-80", 19500, 2039, 0},  {"rtx4090", 82600, 1008, 0},    {"h100", 66900, 3350, 0},
        {"h200", 66900, 4800, 0},     {"mi250x", 23950, 1638, 0},     {"mi50", 13300, 1024, 0},
        {"w6600", 10400, 224, 2903},  {"w7800", 45200 / 2.0, 576, 0}, /* counted without dual issue */
        {"fx5600", 345.6, 76.8, 0},   {"940m", 903, 14.4, 1176},      /* boost */
        {"p100", 10600, 732, 0},      {"gtx1080", 8873, 320, 0},      {"b200", 74450, 8000, 0},
        {"rtx5090", 104800, 1792, 0}, {"mi100", 23070, 1229, 0},      {"mi300x", 81700, 5300, 0},
        {"mi355x", 78640, 8192, 0},   {"rx5700xt", 9754, 448, 0},     {"rx9070xt", 48700 / 2.0, 645, 0},
        {"a770", 19660, 560, 0},      {"b580", 13670, 456, 0},        {"max1550", 52430, 3277, 0},
    };
    assert_int_equal(sizeof figures / sizeof figures[0], NAMES - 1); /* all but the CPU */
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        struct gp_device *d = load(figures[i].name);
        double clock = figures[i].clock_mhz > 0 ? figures[i].clock_mhz : d->clock_mhz.value;
        double gflops = 2e-3 * d->fp32_lanes.value * d->sm_count.value * clock;
        if (fabs(gflops / figures[i].gflops - 1) > 0.02 || fabs(d->dram_gbps.value / figures[i].gbps - 1) > 0.02)
            fail_msg("%s: %.0f GFLOP/s and %.1f GB/s, the vendor says %.0f and %.1f", d->name, gflops,
                     d->dram_gbps.value, figures[i].gflops, figures[i].gbps);
        gp_device_free(d);
    }
}

/* FP64 peaks of data sheets, GFLOP/s. */
static void test_fp64_figures(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double gflops;
    } figures[] = {
        {"v100", 7000}, {"a100", 9700},   {"h100", 33500},   {"k20", 1170},     {"m2070", 515},  {"mi250x", 23950},
        {"mi50", 6600}, {"hd6970", 676},  {"gtx280", 78},    {"gtx580", 197.6}, {"gtx680", 129}, {"rtx2080ti", 420},
        {"t4", 254},    {"rtx3090", 556}, {"rtx4090", 1290}, {"rtx3080", 465},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        struct gp_device *d = load(figures[i].name);
        double gflops = 2e-3 * d->fp64_lanes.value * d->sm_count.value * d->clock_mhz.value;
        if (fabs(gflops / figures[i].gflops - 1) > 0.02)
            fail_msg("%s: %.0f GFLOP/s in FP64, the vendor says %.0f", d->name, gflops, figures[i].gflops);
        gp_device_free(d);
    }
}

/* What makes the architectures differ in shared-memory cost: banks that a cycle serves, and address lanes. */
static void test_sensitive_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double lsu, smem, fp32, integer, shares;
    } rows[] = {
        {"v100", 32, 128, 64, 64, 0},     {"rtx2080ti", 16, 64, 64, 64, 0}, {"t4", 16, 64, 64, 64, 0},
        {"a100", 32, 128, 64, 64, 0},     {"a6000", 16, 128, 128, 64, 1},   {"a4000", 16, 128, 128, 64, 1},
        {"rtx4090", 16, 128, 128, 64, 1}, {"h100", 32, 128, 128, 64, 0},    {"mi50", 16, 128, 64, 64, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gp_device *d = load(rows[i].name);
        assert_true(d->lsu_lanes.value == rows[i].lsu && d->smem_bytes_per_clk.value == rows[i].smem);
        assert_true(d->fp32_lanes.value == rows[i].fp32 && d->int_lanes.value == rows[i].integer &&
                    d->int_shares_fp32.value == rows[i].shares);
        gp_device_free(d);
    }
}

/* ---- Rules for unknown numbers ---------------------------------------------------------------------------------- */

static void assert_derived(const struct gp_number *number, double value)
{
    assert_true(fabs(number->value - value) < 1e-9);
    assert_int_equal(number->origin, GP_FROM_ASSUMED);
    assert_true(strncmp(number->source, "rule: ", 6) == 0);
}

static void test_rules(void **state)
{
    (void)state;
    struct gp_device *d = load("a100");
    assert_derived(&d->barrier_latency, 29); /* smem_latency */
    assert_derived(&d->lat_shuffle, 29);
    assert_derived(&d->atomic_global_clk, 1);
    assert_derived(&d->atomic_local_clk, 1); /* 32 banks x 4 B at 128 B per cycle */
    assert_derived(&d->const_latency, 20);
    assert_derived(&d->channel_bytes, 256);
    assert_derived(&d->group_dispatch_clk, 350);
    assert_derived(&d->same_warp_clk, 1); /* one instruction a cycle */
    assert_derived(&d->mshr_entries, 0);
    assert_derived(&d->warp_loads, 64);
    assert_derived(&d->tex_size, 0); /* L1 serves */
    assert_derived(&d->tex_latency, 33);
    gp_device_free(d);
    d = load("a6000");
    assert_derived(&d->l2_bytes_per_clk, 84 * 20);
    assert_derived(&d->lat_cvt, 21); /* lat_sfu */
    gp_device_free(d);
    d = load("rtx2080ti");
    assert_derived(&d->atomic_local_clk, 2); /* 128 B at 64 B per cycle */
    assert_derived(&d->launch_ns, 2500);
    gp_device_free(d);
    d = load("gtx580");
    assert_derived(&d->fp16_lanes, 32);      /* fp32_lanes */
    assert_derived(&d->lat_int_mul, 4 * 20); /* half as wide as int_lanes */
    assert_derived(&d->lat_sfu, 22 + 16);
    assert_derived(&d->atomic_global_clk, 9); /* before Kepler */
    assert_derived(&d->atomic_local_clk, 27); /* before Maxwell: smem_latency */
    gp_device_free(d);
    d = load("gtx680");
    assert_derived(&d->lat_fp64, 9 + 40); /* 8 of 192 lanes: narrow */
    gp_device_free(d);
    d = load("a100-80");
    assert_derived(&d->const_clk, 1);
    assert_derived(&d->l2_fetch, 64); /* Ampere */
    gp_device_free(d);
    d = load("gtx280");
    assert_derived(&d->l2_latency, 440); /* no L2: dram_latency */
    assert_derived(&d->l1_latency, 440); /* no L1: l2_latency */
    assert_derived(&d->scheduler_policy, 0);
    gp_device_free(d);
    d = load("k20");
    assert_derived(&d->tex_latency, 0.6 * d->l2_latency.value);
    assert_derived(&d->scheduler_quantum, 0.5);
    assert_derived(&d->channel_hash, 1);
    gp_device_free(d);
    d = load("w6600");
    assert_derived(&d->dram_latency, 600);
    assert_derived(&d->smem_latency, 64);
    assert_derived(&d->cvt64_lanes, 4); /* the slower of fp64_lanes 4 and cvt_lanes 16 */
    gp_device_free(d);
}

/* Departure delays: fitted for four devices (Hong & Kim, Table 6), arithmetic for every other. */
static void test_departure_delays(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double coalesced, uncoalesced;
        enum gp_origin origin;
    } rows[] = {
        {"fx5600", 4, 10, GP_FROM_FITTED},
        {"8800gtx", 4, 10, GP_FROM_FITTED},
        {"8800gt", 4, 10, GP_FROM_FITTED},
        {"gtx280", 4, 40, GP_FROM_FITTED},
        {"k20", 1, 32 * 0.706 * 13 / 208, GP_FROM_DERIVED},      /* 32 addresses at once */
        {"m2070", 2, 128 * 1.150 * 14 / 150.3, GP_FROM_DERIVED}, /* 16; whole lines */
        {"a100", 1, 32 * 1.410 * 108 / 1555, GP_FROM_DERIVED},
        {"mi50", 4, 64 * 1.725 * 60 / 1024, GP_FROM_DERIVED}, /* 64 lanes at 16 addresses */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gp_device *d = load(rows[i].name);
        if (fabs(d->departure_delay_coalesced.value - rows[i].coalesced) > 1e-9 ||
            fabs(d->departure_delay_uncoalesced.value / rows[i].uncoalesced - 1) > 0.01)
            fail_msg("%s: %g and %g", d->name, d->departure_delay_coalesced.value,
                     d->departure_delay_uncoalesced.value);
        assert_int_equal(d->departure_delay_coalesced.origin, rows[i].origin);
        assert_int_equal(d->departure_delay_uncoalesced.origin, rows[i].origin);
        gp_device_free(d);
    }
    struct gp_device *d = load("940m"); /* its sector is assumed, and so is what rests on it */
    assert_int_equal(d->departure_delay_coalesced.origin, GP_FROM_DERIVED);
    assert_int_equal(d->departure_delay_uncoalesced.origin, GP_FROM_ASSUMED);
    gp_device_free(d);
}

/* ---- Broken files ----------------------------------------------------------------------------------------------- */

static void assert_refused(const char *path, const char *sentence)
{
    struct gp_error error = {""};
    struct gp_device *device = gp_device_load_file(path, &error);
    gp_device_free(device);
    if (device != NULL || strcmp(error.text, sentence) != 0)
        fail_msg("%s: expected \"%s\", got \"%s\"", path, sentence, error.text);
}

static void test_broken_files(void **state)
{
    (void)state;
    static const char mapping[] = "expected {value: NUMBER, from: ORIGIN, source: \"TEXT\"} or unknown";
    static const struct {
        const char *file, *sentence;
    } files[] = {
        {"empty.yaml", ":1: the file is empty"},
        {"comment.yaml", ":1: the file is empty"},
        {"syntax.yaml", ":3: not YAML: did not find expected ',' or ']'"},
        {"not-utf8.yaml", ":1: not YAML: invalid leading UTF-8 octet"},
        {"control.yaml", ":1: not YAML: control characters are not allowed"},
        {"list.yaml", ":1: expected fields, 'NAME: VALUE'"},
        {"word.yaml", ":1: expected fields, 'NAME: VALUE'"},
        {"strange-key.yaml", ":2: expected the name of a field"},
        {"unknown-field.yaml", ":3: field 'warp_size': there is no such field; docs/hwdb.md lists them"},
        {"repeated.yaml", ":4: field 'sm_count': given before, in line 2"},
        {"missing.yaml", ":1: missing: arch, compute_capability, triple, cpu, proxy_target, matches; docs/hwdb.md says "
                         "what goes there"},
        {"bare-number.yaml", ":2: field 'sm_count': "},
        {"quoted-unknown.yaml", ":2: field 'sm_count': "},
        {"null-number.yaml", ":2: field 'sm_count': "},
        {"alias.yaml", ":3: field 'clock_mhz': "},
        {"", ": a directory, not a device file"},
        {"none.yaml", ": No such file or directory"},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[500], sentence[1000];
        const char *tail = files[i].sentence;
        snprintf(path, sizeof path, TEST_DATA "/hwdb/%s", files[i].file);
        snprintf(sentence, sizeof sentence, "%s%s%s", path, tail, tail[strlen(tail) - 1] == ' ' ? mapping : "");
        assert_refused(path, sentence);
    }
}

/* A private directory whose files the tests write. */
static char directory[64];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/gpuperf-test-hwdb-XXXXXX");
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

/* Writes test/hwdb/base.yaml with the line of a field replaced and more text at the end. Returns the number of that
 * line. */
static unsigned write_variant(const char *path, const char *field, const char *replacement, const char *more)
{
    char *base = gp_read_file(TEST_DATA "/hwdb/base.yaml", NULL);
    assert_non_null(base);
    struct gp_text text = {0};
    unsigned line = 0, found = 0;
    for (char *at = base; *at != '\0';) {
        size_t length = strcspn(at, "\n") + 1;
        line++;
        if (field != NULL && strncmp(at, field, strlen(field)) == 0 && at[strlen(field)] == ':') {
            gp_text_printf(&text, "%s", replacement);
            found = line;
        } else {
            gp_text_append(&text, at, length);
        }
        at += length;
    }
    gp_text_printf(&text, "%s", more);
    write_file(path, text.data, text.length);
    gp_text_free(&text);
    free(base);
    return found;
}

static void test_base_is_right(void **state)
{
    (void)state;
    struct gp_error error = {""};
    struct gp_device *device = gp_device_load_file(TEST_DATA "/hwdb/base.yaml", &error);
    assert_string_equal(error.text, "");
    assert_non_null(device);
    gp_device_free(device);
}

#define MIND "; mind its unit, or write unknown where no source has the number"

static void test_broken_fields(void **state)
{
    (void)state;
    static const struct {
        const char *field, *value, *complaint;
    } edits[] = {
        {"sm_count", "{value: -1, from: vendor, source: \"x\"}",
         "field 'sm_count': -1 is not between 1 and 1000000" MIND},
        {"sm_count", "{value: 0, from: vendor, source: \"x\"}",
         "field 'sm_count': 0 is not between 1 and 1000000" MIND},
        {"sm_count", "{value: 2.5, from: vendor, source: \"x\"}", "field 'sm_count': not a whole number"},
        {"sm_count", "{value: nan, from: vendor, source: \"x\"}", "field 'sm_count': not a finite number"},
        {"sm_count", "{value: .inf, from: vendor, source: \"x\"}", "field 'sm_count.value': not a number: .inf"},
        {"sm_count", "{value: inf, from: vendor, source: \"x\"}", "field 'sm_count': not a finite number"},
        {"sm_count", "{value: 1e999, from: vendor, source: \"x\"}", "field 'sm_count': not a finite number"},
        {"l2_size", "{value: 1e13, from: vendor, source: \"x\"}",
         "field 'l2_size': 1e+13 is neither 0 nor between 64 and 4294967296 B" MIND},
        {"sm_count", "unknown",
         "field 'sm_count': unknown, and no rule derives it; give a value, from: assumed if it must be"},
        {"sm_count", "{value: many, from: vendor, source: \"x\"}", "field 'sm_count.value': not a number: many"},
        {"sm_count", "{value: 40 SMs, from: vendor, source: \"x\"}", "field 'sm_count.value': not a number: 40 SMs"},
        {"sm_count", "{value: 40, from: rumour, source: \"x\"}",
         "field 'sm_count.from': Invalid ENUM value: rumour; it must be measured, vendor, fitted, derived or assumed"},
        {"sm_count", "{value: 40, from: 2, source: \"x\"}",
         "field 'sm_count.from': Invalid ENUM value: 2; it must be measured, vendor, fitted, derived or assumed"},
        {"sm_count", "{value: 40, from: vendor, source: \"\"}", "field 'sm_count.source': empty"},
        {"sm_count", "{value: 40, from: vendor}", "field 'sm_count': Missing required mapping field: source"},
        {"sm_count", "{value: 40, from: vendor, source: \"x\", unit: SMs}", "field 'sm_count': Unexpected key: unit"},
        {"sm_count", "{value: 40, from: vendor, source: [x]}",
         "field 'sm_count.source': Expecting STRING, got event: SEQUENCE_START"},
        {"sm_count", "{value: 40, value: 41, from: vendor, source: \"x\"}",
         "field 'sm_count.value': Mapping field already seen: value"},
        {"clock_mhz", "{value: 0, from: vendor, source: \"x\"}",
         "field 'clock_mhz': 0 is not between 1 and 100000 MHz" MIND},
        {"warp_width", "{value: 0, from: vendor, source: \"x\"}",
         "field 'warp_width': 0 is not between 1 and 65536 lanes" MIND},
        {"warp_width", "{value: 128, from: vendor, source: \"x\"}",
         "field 'warp_width': no power of two from 1 to 64; it is 32 on NVIDIA and RDNA, 64 on GCN and CDNA, 1 for a "
         "CPU"},
        {"warp_width", "{value: 33, from: vendor, source: \"x\"}",
         "field 'warp_width': no power of two from 1 to 64; it is 32 on NVIDIA and RDNA, 64 on GCN and CDNA, 1 for a "
         "CPU"},
        {"fp32_lanes", "{value: 1e-9, from: vendor, source: \"x\"}",
         "field 'fp32_lanes': 1e-09 is not between 0.015625 and 65536 lanes/clk" MIND},
        {"fp32_lanes", "{value: 70000, from: vendor, source: \"x\"}",
         "field 'fp32_lanes': 70000 is not between 0.015625 and 65536 lanes/clk" MIND},
        {"issue_per_scheduler", "{value: 0.001, from: vendor, source: \"x\"}",
         "field 'issue_per_scheduler': 0.001 is not between 0.015625 and 64 inst/clk" MIND},
        {"clock_mhz", "{value: 1410000000, from: vendor, source: \"x\"}",
         "field 'clock_mhz': 1410000000 is not between 1 and 100000 MHz" MIND},
        {"dram_gbps", "{value: 1e-3, from: vendor, source: \"x\"}",
         "field 'dram_gbps': 0.001 is not between 0.1 and 100000 GB/s" MIND},
        {"dram_efficiency", "{value: 1e-6, from: vendor, source: \"x\"}",
         "field 'dram_efficiency': 1e-06 is not between 0.01 and 1" MIND},
        {"lat_fp32", "{value: 1e9, from: vendor, source: \"x\"}",
         "field 'lat_fp32': 1000000000 is not between 0.015625 and 100000 clk" MIND},
        {"registers_per_sm", "{value: 1e9, from: vendor, source: \"x\"}",
         "field 'registers_per_sm': 1000000000 is not between 1 and 16777216 registers" MIND},
        {"sm_count", "{value: 1e9, from: vendor, source: \"x\"}",
         "field 'sm_count': 1000000000 is not between 1 and 1000000" MIND},
        {"cpu", "sm_999",
         "field 'cpu': 'sm_999' is no target of compute_capability 75; give the device's own, or say proxy_target: "
         "true for a stand-in"},
        {"cpu", "sm_80",
         "field 'cpu': 'sm_80' is no target of compute_capability 75; give the device's own, or say proxy_target: true "
         "for a stand-in"},
        {"cpu", "turing", "field 'cpu': 'turing' is no target of NVIDIA's; write it as clang does, like sm_86"},
        {"cpu", "\"\"", "field 'cpu': '' is no target of NVIDIA's; write it as clang does, like sm_86"},
        {"cpu", "gfx90a", "field 'cpu': 'gfx90a' is no target of NVIDIA's; write it as clang does, like sm_86"},
        {"fp32_lanes", "{value: 0, from: vendor, source: \"x\"}",
         "field 'fp32_lanes': 0 is not between 0.015625 and 65536 lanes/clk" MIND},
        {"lsu_lanes", "{value: -16, from: vendor, source: \"x\"}",
         "field 'lsu_lanes': -16 is not between 0.015625 and 4096 lanes/clk" MIND},
        {"int_shares_fp32", "{value: 2, from: vendor, source: \"x\"}",
         "field 'int_shares_fp32': 2 is not between 0 and 1" MIND},
        {"scheduler_policy", "{value: 3, from: vendor, source: \"x\"}",
         "field 'scheduler_policy': 3 is not between 0 and 2" MIND},
        {"dram_efficiency", "{value: 1.2, from: vendor, source: \"x\"}",
         "field 'dram_efficiency': 1.2 is not between 0.01 and 1" MIND},
        {"dram_efficiency", "{value: 0, from: vendor, source: \"x\"}",
         "field 'dram_efficiency': 0 is not between 0.01 and 1" MIND},
        {"smem_per_block", "{value: 65537, from: vendor, source: \"x\"}",
         "field 'smem_per_block': larger than smem_per_sm"},
        {"max_threads_per_block", "{value: 2048, from: vendor, source: \"x\"}",
         "field 'max_threads_per_block': larger than max_threads_per_sm"},
        {"max_warps_per_sm", "{value: 16, from: vendor, source: \"x\"}",
         "field 'max_warps_per_sm': too few for max_threads_per_sm"},
        {"l1_sector", "{value: 256, from: vendor, source: \"x\"}", "field 'l1_sector': larger than l1_line"},
        {"launch_ns", "{value: -2, from: vendor, source: \"x\"}",
         "field 'launch_ns': -2 is neither 0 nor between 0.015625 and 1000000000 ns" MIND},
        {"name", "another", "field 'name': 'another' is not the file's name; write 'base', or rename the file"},
        {"name", "[base]", "field 'name': Expecting STRING, got event: SEQUENCE_START"},
        {"title", "\"\"", "field 'title': empty"},
        {"compute_capability", "80",
         "field 'compute_capability': not one of the architecture's (80 stands for 8.0; 0 where there is none)"},
        {"compute_capability", "-1", "field 'compute_capability': not a whole number: -1"},
        {"compute_capability", "75a", "field 'compute_capability': not a whole number: 75a"},
        {"proxy_target", "maybe", "field 'proxy_target': Invalid ENUM value: maybe; it must be false or true"},
        {"arch", "pascall",
         "field 'arch': Invalid ENUM value: pascall; it must be tesla1, tesla2, fermi, kepler, maxwell, pascal, volta, "
         "turing, "
         "ampere, ada, hopper, blackwell, terascale, gcn, cdna, rdna, xe or cpu"},
        {"compute_capability", "7.5", "field 'compute_capability': not a whole number: 7.5"},
        {"triple", "\"amdgcn-amd-amdhsa\"", "field 'triple': an NVIDIA device compiles for nvptx64-nvidia-cuda"},
        {"title",
         "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 "
         "0123456789",
         "field 'title': too long"},
        {"matches", "[a, b, c, d, e, f, g, h]", "field 'matches': Excessive entries (7 max) in sequence."},
        {"matches", "word", "field 'matches': Expecting SEQUENCE, got event: SCALAR"},
    };
    char path[100];
    snprintf(path, sizeof path, "%s/base.yaml", directory);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        char line[300], sentence[800];
        snprintf(line, sizeof line, "%s: %s\n", edits[i].field, edits[i].value);
        unsigned number = write_variant(path, edits[i].field, line, "");
        snprintf(sentence, sizeof sentence, "%s:%u: %s", path, number, edits[i].complaint);
        assert_refused(path, sentence);
    }
    unlink(path);
}

/* Each unit has a range: no field takes the largest number that there may be at all. */
static void test_every_unit_has_a_range(void **state)
{
    (void)state;
    char path[100], line[100];
    snprintf(path, sizeof path, "%s/base.yaml", directory);
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++) {
        struct gp_error error = {""};
        const char *name = gp_place_name(GP_TEXT_COUNT + i);
        snprintf(line, sizeof line, "%s: {value: 1e12, from: vendor, source: \"x\"}\n", name);
        write_variant(path, name, line, "");
        assert_null(gp_device_load_file(path, &error));
        if (strstr(error.text, " between ") == NULL &&
            strstr(error.text, "larger than ") == NULL) /* perhaps of a field that is derived from it */
            fail_msg("%s: %s", name, error.text);
    }
    unlink(path);
}

/* Targets are told by their form, so that new ones need no list. */
static void test_kinds_of_cpu(void **state)
{
    (void)state;
    static const struct {
        enum gp_arch arch;
        unsigned capability;
        const char *cpu;
        enum gp_cpu_kind kind;
    } cases[] = {
        {GP_ARCH_HOPPER, 90, "sm_90a", GP_CPU_OWN},
        {GP_ARCH_AMPERE, 87, "sm_87", GP_CPU_OWN},
        {GP_ARCH_VOLTA, 70, "sm_75", GP_CPU_RELATIVE},
        {GP_ARCH_AMPERE, 80, "sm_999", GP_CPU_RELATIVE},
        {GP_ARCH_AMPERE, 80, "sm_8", GP_CPU_OTHER},
        {GP_ARCH_AMPERE, 80, "ampere", GP_CPU_OTHER},
        {GP_ARCH_CDNA, 0, "gfx942", GP_CPU_OWN},
        {GP_ARCH_CDNA, 0, "gfx90a:sramecc+:xnack-", GP_CPU_OWN},
        {GP_ARCH_RDNA, 0, "gfx1299", GP_CPU_OWN},
        {GP_ARCH_RDNA, 0, "gfx11-generic", GP_CPU_OWN},
        {GP_ARCH_GCN, 0, "gfx1030", GP_CPU_RELATIVE},
        {GP_ARCH_TERASCALE, 0, "gfx906", GP_CPU_RELATIVE},
        {GP_ARCH_GCN, 0, "gfx11-generic", GP_CPU_RELATIVE},
        {GP_ARCH_CDNA, 0, "gfx9-4-generic", GP_CPU_OWN},
        {GP_ARCH_RDNA, 0, "navi21", GP_CPU_OTHER},
        {GP_ARCH_RDNA, 0, "gfx", GP_CPU_OTHER},
        {GP_ARCH_CPU, 0, "znver5", GP_CPU_OWN},
        {GP_ARCH_CPU, 0, "", GP_CPU_OWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct gp_device device = {
            .arch = cases[i].arch, .compute_capability = cases[i].capability, .cpu = cases[i].cpu};
        if (gp_cpu_kind(&device) != cases[i].kind)
            fail_msg("'%s' of %s", cases[i].cpu, gp_arch_name(cases[i].arch));
    }
}

/* What a number is by a rule may be as much as the stated one that it comes from: else a message has the other's range.
 */
static void test_copies_have_the_same_range(void **state)
{
    (void)state;
    for (size_t n = 0; n < NAMES; n++) {
        struct gp_device *d = load(names[n]);
        for (size_t i = 0; i < GP_NUMBER_COUNT; i++) {
            const struct gp_number *number = gp_field_of(d, i);
            char rule[64];
            if (number->source == NULL || sscanf(number->source, "rule: %63[a-z0-9_]", rule) != 1)
                continue;
            for (size_t k = 0; k < GP_NUMBER_COUNT; k++) {
                bool copied =
                    strcmp(gp_place_name(GP_TEXT_COUNT + k), rule) == 0 && gp_field_of(d, k)->value == number->value;
                if (copied && gp_limits[i].most < gp_limits[k].most)
                    fail_msg("%s: %s may be larger than %s, which is it", names[n], rule,
                             gp_place_name(GP_TEXT_COUNT + i));
            }
        }
        gp_device_free(d);
    }
}

static void test_second_document(void **state)
{
    (void)state;
    char path[100];
    struct gp_error error = {""};
    snprintf(path, sizeof path, "%s/base.yaml", directory);
    write_variant(path, NULL, "", "---\nname: another\n");
    assert_null(gp_device_load_file(path, &error));
    assert_non_null(strstr(error.text, ": a second document; a file describes one device"));
    unlink(path);
}

/* A number that is missing is as unknown as one that says so: derived where there is a rule, else refused. */
static void test_each_missing_number(void **state)
{
    (void)state;
    char path[100], line[100];
    snprintf(path, sizeof path, "%s/base.yaml", directory);
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++) {
        const char *name = gp_place_name(GP_TEXT_COUNT + i);
        struct gp_error error = {""}, same = {""};
        struct gp_text names = {0};
        snprintf(line, sizeof line, "%s: unknown\n", name);
        write_variant(path, name, line, "");
        struct gp_device *unknown = gp_device_load_file(path, &same);
        write_variant(path, name, "", "");
        struct gp_device *missing = gp_device_load_file(path, &error);
        if ((unknown == NULL) != (missing == NULL))
            fail_msg("%s: unknown: %s; missing: %s", name, same.text, error.text);
        if (missing != NULL) {
            assert_same_device(unknown, missing);
            assert_int_equal(gp_device_missing(unknown, &names), 0);
            assert_int_equal(gp_device_missing(missing, &names), 1);
            assert_string_equal(names.data, name);
        }
        gp_text_free(&names);
        gp_device_free(unknown);
        gp_device_free(missing);
    }
    unlink(path);
}

/* All that a file has to have is named at once. */
static void test_missing_without_rule(void **state)
{
    (void)state;
    char path[100], sentence[1100];
    snprintf(path, sizeof path, "%s/few.yaml", directory);
    static const char text[] = "name: few\ntitle: few\narch: ada\ncompute_capability: 89\ncpu: sm_89\nmatches: []\n"
                               "triple: nvptx64-nvidia-cuda\nproxy_target: false\n";
    write_file(path, text, sizeof text - 1);
    snprintf(sentence, sizeof sentence,
             "%s:1: missing: sm_count, clock_mhz, warp_width, schedulers_per_sm, fp32_lanes, fp64_lanes, "
             "max_warps_per_sm, max_threads_per_block, registers_per_sm, max_registers_per_thread, register_unit, "
             "smem_per_sm, smem_per_block, smem_banks, smem_bank_bytes, l1_size, l2_size, dram_gbps; no rule derives "
             "these; give values, from: assumed if it must be",
             path);
    assert_refused(path, sentence);
    unlink(path);
}

/* `unknown` is found by character positions, which are not byte positions after a title in Greek. */
static void test_unknown_after_wide_characters(void **state)
{
    (void)state;
    char path[100];
    struct gp_error error = {""};
    snprintf(path, sizeof path, "%s/base.yaml", directory);
    write_variant(path, "title", "title: \"\xce\xb1\xce\xb2\xce\xb3 unknown\"\n", "");
    struct gp_device *device = gp_device_load_file(path, &error);
    assert_string_equal(error.text, "");
    assert_string_equal(device->title, "\xce\xb1\xce\xb2\xce\xb3 unknown");
    assert_int_equal(device->barrier_latency.origin, GP_FROM_ASSUMED);
    gp_device_free(device);
    unlink(path);
}

/* Every file cut off anywhere, and with any one byte changed, is refused or loads; never more. */
static void test_damaged_bytes(void **state)
{
    (void)state;
    char path[100];
    size_t length;
    snprintf(path, sizeof path, "%s/base.yaml", directory);
    char *text = gp_read_file(TEST_DATA "/hwdb/base.yaml", &length);
    assert_non_null(text);
    uint32_t random = 1;
    for (int i = 0; i < 400; i++) {
        random = random * 1664525 + 1013904223;
        size_t at = random % length;
        char kept = text[at];
        text[at] = (char)(random >> 24);
        write_file(path, text, i % 2 ? length : at);
        struct gp_error error = {""};
        struct gp_device *device = gp_device_load_file(path, &error);
        assert_true((device != NULL) == (error.text[0] == '\0'));
        gp_device_free(device);
        text[at] = kept;
    }
    free(text);
    unlink(path);
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

/* The entries are compiled in; one byte more, and the file is parsed, to the same device. */
static void test_compiled_in(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        char path[100];
        struct gp_error error;
        struct gp_device *known = load(names[i]), blank = {.path = known->path}, elsewhere = {.path = "other.yaml"};
        size_t length;
        char *text = gp_read_file(known->path, &length);
        assert_non_null(text);
        assert_true(gp_known_device(text, length, &blank));
        assert_same_device(known, &blank);
        assert_false(gp_known_device(text, length, &elsewhere));
        snprintf(path, sizeof path, "%s/%s.yaml", directory, names[i]);
        char *longer = malloc(length + 1);
        assert_non_null(longer);
        memcpy(longer, text, length);
        longer[length] = '\n';
        write_file(path, longer, length + 1);
        struct gp_device *parsed = gp_device_load_file(path, &error);
        if (parsed == NULL)
            fail_msg("%s", error.text);
        assert_same_device(known, parsed);
        assert_false(gp_known_device(longer, length + 1, &blank));
        unlink(path);
        free(longer);
        free(text);
        gp_device_free(parsed);
        gp_device_free(known);
    }
}

/* An entry that was changed since is what the file says. */
static void test_changed_entry(void **state)
{
    (void)state;
    char path[100];
    struct gp_error error;
    struct gp_device *known = load("a100");
    size_t length;
    char *text = gp_read_file(known->path, &length),
         *clock = text != NULL ? strstr(text, "clock_mhz: {value: 1410") : NULL;
    assert_non_null(clock);
    memcpy(clock, "clock_mhz: {value: 1095", 23);
    snprintf(path, sizeof path, "%s/a100.yaml", directory);
    write_file(path, text, length);
    struct gp_device *changed = gp_device_load_file(path, &error);
    assert_non_null(changed);
    assert_float_equal(known->clock_mhz.value, 1410, 0);
    assert_float_equal(changed->clock_mhz.value, 1095, 0);
    unlink(path);
    free(text);
    gp_device_free(changed);
    gp_device_free(known);
}

static void test_own_directory_first(void **state)
{
    (void)state;
    char path[100], list[200];
    struct gp_error error = {""};
    snprintf(path, sizeof path, "%s/a100.yaml", directory);
    write_variant(path, "name", "name: a100\n", "");
    snprintf(list, sizeof list, ":%s:" SOURCE_HWDB, directory);
    struct gp_device *device = gp_device_load("a100", list, &error);
    assert_non_null(device);
    assert_string_equal(device->path, path);
    assert_string_equal(device->title, "A device for tests");
    gp_device_free(device);
    char **found;
    size_t count;
    assert_true(gp_device_list(list, &found, &count, &error));
    assert_int_equal(count, NAMES); /* a100 once */
    for (size_t i = 0; i < count; i++)
        free(found[i]);
    free(found);
    assert_null(gp_device_load("a100", SOURCE_HWDB ":/nowhere", &error));
    assert_string_equal(error.text,
                        "GPUPERF_HWDB names /nowhere, which is no folder of device files: correct it, or unset it");
    assert_false(gp_device_list("/nowhere", &found, &count, &error));
    unlink(path);
}

static void assert_match(const char *driver_name, const char *directories, const char *name, const char *path)
{
    struct gp_error error = {""};
    struct gp_device *device = gp_device_match(driver_name, directories, &error);
    if ((device != NULL) != (name != NULL) || (name != NULL && strcmp(device->name, name) != 0))
        fail_msg("%s is %s, not %s", driver_name, device != NULL ? device->name : "nothing", name);
    assert_string_equal(error.text, "");
    if (path != NULL)
        assert_string_equal(device->path, path);
    gp_device_free(device);
}

/* What an installed file matches is known without reading it; a user's file of the same name and length is read. */
static void test_match(void **state)
{
    (void)state;
    char path[100];
    for (size_t i = 0; i < NAMES; i++) {
        struct gp_device *device = load(names[i]);
        for (int m = 0; m < GP_MAX_DEVICE_MATCHES && device->matches[m] != NULL; m++)
            assert_match(device->matches[m], NULL, names[i], NULL);
        gp_device_free(device);
    }
    assert_match("NVIDIA A100 80GB PCIe", "", "a100-80", NULL); /* the longest */
    assert_match("NVIDIA A100-PCIE-40GB", "", "a100", NULL);
    assert_match("an abacus", NULL, NULL, NULL);
    struct gp_device *known = load("a100");
    size_t length;
    char *text = gp_read_file(known->path, &length), *matches = text != NULL ? strstr(text, "\"NVIDIA A100\"") : NULL;
    assert_non_null(matches);
    memcpy(matches, "\"NVIDIA Z777\"", 13);
    snprintf(path, sizeof path, "%s/a100.yaml", directory);
    write_file(path, text, length);
    assert_match("NVIDIA Z777", directory, "a100", path);
    assert_match("NVIDIA A100", directory, NULL, NULL);
    assert_match("NVIDIA Z777", NULL, NULL, NULL);
    unlink(path);
    free(text);
    gp_device_free(known);
}

static void test_unknown_device(void **state)
{
    (void)state;
    static const char *const wrong[] = {"a1001", "", "../hwdb/a100", "a100.yaml", ".", "a100\n", "/etc/passwd"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct gp_error error = {""};
        assert_null(gp_device_load(wrong[i], SOURCE_HWDB, &error));
        char start[100];
        snprintf(start, sizeof start, "unknown device '%s'; ", wrong[i]);
        if (strncmp(error.text, start, strlen(start)) != 0)
            fail_msg("%s", error.text);
        bool is_path = strchr(wrong[i], '/') != NULL || strstr(wrong[i], ".yaml") != NULL;
        assert_int_equal(
            strstr(error.text,
                   "; a file of your own is found by its name without .yaml in a directory of GPUPERF_HWDB") != NULL,
            is_path);
    }
}

static void test_without_directories(void **state)
{
    (void)state;
    struct gp_error error = {""};
    struct gp_device *device = gp_device_load("mi250x", NULL, &error);
    assert_string_equal(error.text, "");
    assert_string_equal(device->cpu, "gfx90a");
    assert_true(strncmp(device->path, gp_device_directory(), strlen(gp_device_directory())) == 0);
    gp_device_free(device);
}

static void test_targets(void **state)
{
    (void)state;
    static const struct {
        const char *triple, *cpu, *device;
    } rows[] = {
        {"nvptx64-nvidia-cuda", "sm_80", "a100"},
        {"nvptx64-nvidia-cuda", "sm_90", "h100"},
        {"nvptx64-nvidia-cuda", "sm_90a", "h100"},
        {"nvptx64--nvidiacl", "sm_75", "rtx2080ti"},
        {"amdgcn-amd-amdhsa", "gfx90a", "mi250x"},
        {"amdgcn-amd-amdhsa", "gfx906", "mi50"},
        {"amdgcn-amd-amdhsa", "gfx1032", "w6600"},
        {"amdgcn-amd-amdhsa", "gfx1100", "w7800"},
        {"x86_64-pc-linux-gnu", "", "pocl-cpu"},
        {"x86_64-pc-linux-gnu", "sm_80", "pocl-cpu"},
        {"aarch64-unknown-linux-gnu", NULL, "pocl-cpu"},
        {"nvptx64-nvidia-cuda", "sm_999", NULL},
        {"nvptx64-nvidia-cuda", NULL, NULL},
        {"spir64", "", NULL},
        {"spirv64-unknown-unknown", NULL, NULL},
        {"", "sm_80", NULL},
        {NULL, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *device = gp_device_for_target(rows[i].triple, rows[i].cpu);
        if ((device == NULL) != (rows[i].device == NULL) || (device != NULL && strcmp(device, rows[i].device) != 0))
            fail_msg("%s %s is %s", rows[i].triple, rows[i].cpu, device != NULL ? device : "nothing");
    }
}

/* Each entry that is no stand-in compiles for its target; its target stands for it or for a near relative. */
static void test_targets_of_entries(void **state)
{
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        struct gp_device *d = load(names[i]);
        if (!d->proxy_target && d->arch != GP_ARCH_CPU) {
            struct gp_device *same = load(gp_device_for_target(d->triple, d->cpu));
            assert_int_equal(same->arch, d->arch);
            assert_int_equal(same->compute_capability, d->compute_capability);
            gp_device_free(same);
        }
        gp_device_free(d);
    }
}

/* What the database has not: the nearest by architecture, under its own name, and it says so. */
static void test_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *target, *nearest;
        bool same;
        const char *why;
    } rows[] = {
        {"sm_80", "a100", true, "the target's own device"},
        {"sm_75", "rtx2080ti", true, "of two, the target's"},
        {"sm_86", "a6000", true, "of three, the target's"},
        {"sm_87", "a6000", false, "nearest Ampere"},
        {"sm_88", "a6000", false, "Ampere, 8.6 rather than Ada's 8.9"},
        {"sm_89", "rtx4090", true, "Ada"},
        {"sm_72", "v100", false, "Volta"},
        {"sm_90a", "h100", true, ""},
        {"sm_100", "b200", true, "Blackwell for the data centre"},
        {"sm_103", "b200", false, "Blackwell for the data centre"},
        {"sm_120a", "rtx5090", true, "GeForce Blackwell"},
        {"sm_121", "rtx5090", false, "GeForce Blackwell's SM, not the data centre's"},
        {"sm_60", "p100", true, "Pascal for the data centre"},
        {"sm_61", "gtx1080", true, "GeForce Pascal"},
        {"sm_62", "gtx1080", false, "Tegra's Pascal: the GeForce's SM"},
        {"sm_52", "k620", false, "Maxwell"},
        {"sm_37", "k20", false, "Kepler, 3.5 rather than 3.0"},
        {"sm_32", "gtx680", false, "Kepler, 3.0 rather than 3.5"},
        {"sm_21", "gtx580", false, "Fermi"},
        {"sm_12", "gtx280", false, "as near to 1.1 as to 1.3, but of GT200's rules"},
        {"gfx906", "mi50", true, ""},
        {"gfx90a:sramecc+:xnack-", "mi250x", true, ""},
        {"gfx900", "mi50", false, "GCN"},
        {"gfx803", "mi50", false, "GCN"},
        {"gfx908", "mi100", true, "CDNA"},
        {"gfx942", "mi300x", true, "CDNA 3"},
        {"gfx940", "mi300x", false, "CDNA 3"},
        {"gfx1030", "w6600", false, "RDNA 2"},
        {"gfx1010", "rx5700xt", true, "RDNA 1"},
        {"gfx1012", "rx5700xt", false, "RDNA 1"},
        {"gfx1102", "w7800", false, "RDNA 3"},
        {"gfx1201", "rx9070xt", true, "RDNA 4"},
        {"gfx9-generic", "mi50", false, "GCN"},
        {"gfx9-4-generic", "mi300x", false, "CDNA 3"},
        {"gfx10-1-generic", "rx5700xt", false, "RDNA 1"},
        {"gfx10-3-generic", "w6600", false, "RDNA 2"},
        {"gfx11-generic", "w7800", false, "RDNA 3; not gfx1100's own code"},
        {"gfx12-generic", "rx9070xt", false, "RDNA 4"},
        {"gfx9-generic:xnack-", "mi50", false, "features do not matter"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gp_device *d = load(rows[i].target);
        if (d->nearest == NULL || strcmp(d->nearest, rows[i].nearest) != 0 || d->same_target != rows[i].same)
            fail_msg("%s: %s, not %s (%s)", rows[i].target, d->nearest ? d->nearest : "itself", rows[i].nearest,
                     rows[i].why);
        assert_string_equal(d->name, rows[i].target);
        assert_non_null(strstr(d->title, "not in the database; nearest: "));
        gp_device_free(d);
    }
    static const char *const wrong[] = {
        "sm_",           "sm_8",         "sm_80b",         "sm_80aa",       "sm_8000",        "gfx",
        "gfx90",         "gfx90z",       "gfx10301",       "gfx203",        "gfx9999",        "gfx20-generic",
        "SM-80",         "gfx1030-",     "gfx-generic",    "gfx9-generic2", "gfx9-x-generic", "gfx9-40-generic",
        "gfx9--generic", "gfx5-generic", "gfx906-generic", "gfx9-gen"};
    struct gp_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(gp_is_target(wrong[i]));
        assert_null(gp_device_load(wrong[i], SOURCE_HWDB, &error));
        assert_non_null(strstr(error.text, "unknown device"));
    }
    struct gp_device *d = load("a100");
    assert_null(d->nearest);
    gp_device_free(d);
}

/* What OpenCL drivers call their devices. */
static void test_targets_in_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *target;
    } rows[] = {
        {"gfx1030", "gfx1030"},
        {"gfx90a:sramecc+:xnack-", "gfx90a"},
        {"AMD Radeon RX 6700 XT (radeonsi, navi22, LLVM 15.0.7, DRM 3.49, 6.1.0)", "gfx1031"},
        {"Ellesmere", "gfx803"},
        {"AMD Radeon Graphics (radeonsi, VEGA20, LLVM 15)", "gfx906"},
        {"NVIDIA GeForce GTX 1080", NULL},
        {"Intel(R) Arc(TM) A770 Graphics", NULL},
        {"", NULL},
    };
    char target[16];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool found = gp_target_in_name(rows[i].name, target);
        assert_int_equal(found, rows[i].target != NULL);
        if (found)
            assert_string_equal(target, rows[i].target);
    }
}

static void test_names(void **state)
{
    (void)state;
    struct gp_device *d = load("t4");
    const char *unit;
    assert_ptr_equal(gp_device_number(d, "sm_count", &unit), &d->sm_count);
    assert_string_equal(unit, "");
    assert_ptr_equal(gp_device_number(d, "vector_bytes", NULL), &d->vector_bytes);
    assert_ptr_equal(gp_device_number(d, "dram_gbps", &unit), &d->dram_gbps);
    assert_string_equal(unit, "GB/s");
    assert_null(gp_device_number(d, "warp_size", NULL));
    gp_device_free(d);
    gp_device_free(NULL);
    assert_string_equal(gp_origin_name(GP_FROM_FITTED), "fitted");
    assert_string_equal(gp_origin_name((enum gp_origin)99), "unknown");
    assert_string_equal(gp_arch_name(GP_ARCH_AMPERE), "ampere");
    assert_string_equal(gp_arch_name(GP_ARCH_CPU), "cpu");
    assert_string_equal(gp_arch_name(GP_ARCH_COUNT), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_entry),
        cmocka_unit_test(test_compiled_in),
        cmocka_unit_test(test_changed_entry),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_vendor_figures),
        cmocka_unit_test(test_fp64_figures),
        cmocka_unit_test(test_sensitive_numbers),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_departure_delays),
        cmocka_unit_test(test_base_is_right),
        cmocka_unit_test(test_kinds_of_cpu),
        cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_broken_fields),
        cmocka_unit_test(test_every_unit_has_a_range),
        cmocka_unit_test(test_copies_have_the_same_range),
        cmocka_unit_test(test_second_document),
        cmocka_unit_test(test_each_missing_number),
        cmocka_unit_test(test_missing_without_rule),
        cmocka_unit_test(test_unknown_after_wide_characters),
        cmocka_unit_test(test_damaged_bytes),
        cmocka_unit_test(test_own_directory_first),
        cmocka_unit_test(test_match),
        cmocka_unit_test(test_unknown_device),
        cmocka_unit_test(test_without_directories),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_targets_of_entries),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_targets_in_names),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
