/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The runtime without a driver: hashes, tables, options, the driver's rule, decisions, the cache, and the C API. */
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "gpuperf/gpuperf.h"
#include "model/profile/profile_binary.h"
#include "model/profile/profile_text.h"
#include "runtime/cache.h"
#include "runtime/decision.h"
#include "runtime/driver_rule.h"
#include "runtime/driver_macros.h"
#include "runtime/includes.h"
#include "runtime/map.h"
#include "runtime/options.h"
#include "runtime/sampling.h"
#include "runtime/settings.h"
#include "support/environment.h"
#include "support/text.h"
#include "test/golden.h"

/* ---- Hashes ---- */

/* The first entries of the reference implementation's 128-bit test vectors: key 00..0f, input 00 01 02 ... */
static void hash_is_siphash(void **state)
{
    (void)state;
    static const uint8_t empty[16] = {0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6,
                                      0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02, 0x93};
    static const uint8_t one[16] = {0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44,
                                    0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc, 0x45};
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    struct gp_hash hash = gp_hash_end(&hasher);
    assert_memory_equal(&hash, empty, 16);
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, "\0", 1);
    hash = gp_hash_end(&hasher);
    assert_memory_equal(&hash, one, 16);
}

static struct gp_hash hash_in_pieces(const char *text, size_t first, size_t second)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, text, first);
    gp_hash_add(&hasher, text + first, second);
    gp_hash_add(&hasher, text + first + second, strlen(text) - first - second);
    return gp_hash_end(&hasher);
}

static void hash_does_not_depend_on_pieces(void **state)
{
    (void)state;
    const char *text = "a text of thirty-one characters";
    struct gp_hash whole = hash_in_pieces(text, 0, 0);
    for (size_t first = 0; first < 20; first++)
        for (size_t second = 0; second < 11; second++)
            assert_true(gp_hash_equal(whole, hash_in_pieces(text, first, second)));
    assert_false(gp_hash_equal(whole, hash_in_pieces("a text of thirty-one Characters", 0, 0)));
}

static const int *first_value;
static unsigned sifted;
static bool is_early(const void *value) { return (const int *)value < first_value + 100; }
static void count_sifted(void *value)
{
    (void)value;
    sifted++;
}

static void map_keeps_what_it_is_given(void **state)
{
    (void)state;
    static int values[1000];
    struct gp_map map = {0};
    assert_null(gp_map_get(&map, gp_handle_key(&values[0])));
    for (int i = 0; i < 1000; i++)
        assert_null(gp_map_put(&map, gp_handle_key(&values[i]), &values[i], NULL));
    assert_int_equal(map.count, 1000);
    assert_ptr_equal(gp_map_put(&map, gp_handle_key(&values[7]), &values[8], NULL), &values[7]);
    for (int i = 0; i < 1000; i += 2)
        assert_ptr_equal(gp_map_remove(&map, gp_handle_key(&values[i])), &values[i]);
    assert_null(gp_map_remove(&map, gp_handle_key(&values[2])));
    assert_ptr_equal(gp_map_get(&map, gp_handle_key(&values[7])), &values[8]);
    assert_int_equal(map.count, 500);
    assert_ptr_equal(gp_map_made(&map, gp_handle_key(&values[7]), sizeof(int)), &values[8]); /* what is there */
    int *made = gp_map_made(&map, gp_handle_key(&values[2]), sizeof *made);
    assert_true(made != NULL && *made == 0 && gp_map_get(&map, gp_handle_key(&values[2])) == made);
    free(gp_map_remove(&map, gp_handle_key(&values[2])));
    assert_int_equal(map.count, 500);
    first_value = values;
    sifted = 0;
    gp_map_sift(&map, is_early, count_sifted); /* 1, 3 .. 99, where 7 leads to values[8] */
    assert_int_equal(sifted, 50);
    assert_int_equal(map.count, 450);
    assert_null(gp_map_get(&map, gp_handle_key(&values[99])));
    assert_ptr_equal(gp_map_get(&map, gp_handle_key(&values[101])), &values[101]);
    gp_map_clear(&map, NULL);
    assert_null(gp_map_get(&map, gp_handle_key(&values[1])));
}

/* ---- Build options ---- */

static void assert_options(const char *text, const char *expected)
{
    struct gp_options options;
    struct gp_text joined = {0};
    assert_true(gp_options_parse(text, &options));
    gp_text_append(&joined, "", 0);
    for (size_t i = 0; i < options.count; i++)
        gp_text_printf(&joined, "%s[%s]", i ? " " : "", options.arguments[i]);
    assert_null(options.arguments[options.count]);
    assert_string_equal(joined.data, expected);
    gp_text_free(&joined);
    gp_options_free(&options);
}

static void options_that_clang_knows_are_kept(void **state)
{
    (void)state;
    assert_options(NULL, "");
    assert_options("  ", "");
    assert_options("-DA=1 -D B -cl-std=CL1.2", "[-DA=1] [-DB] [-cl-std=CL1.2]");
    assert_options("-I/usr/include -I /opt/x", "[-I/usr/include] [-I/opt/x]");
    assert_options("-DNAME=\"a b\" '-DC=d e' -DE=\\\"f\\\"", "[-DNAME=a b] [-DC=d e] [-DE=\"f\"]");
    assert_options("-cl-nv-verbose -cl-fast-relaxed-math -g -O3 -fplugin=evil.so -cl-opt-disable",
                   "[-cl-fast-relaxed-math]");
    assert_options("-D", "");
    assert_options("\"-DX=unclosed y", "[-DX=unclosed y]");
}

static void directories_become_absolute(void **state)
{
    (void)state;
    struct gp_options options;
    assert_true(gp_options_parse("-Ikernels", &options));
    assert_int_equal(options.arguments[0][2], '/');
    assert_non_null(strstr(options.arguments[0], "/kernels"));
    gp_options_free(&options);
}

static void standard_and_uniform_groups_are_noticed(void **state)
{
    (void)state;
    struct gp_options options;
    assert_true(gp_options_parse("-cl-std=CL3.0 -cl-uniform-work-group-size", &options));
    assert_int_equal(options.version, 300);
    assert_true(options.uniform_groups);
    gp_options_free(&options);
    assert_true(gp_options_parse("-cl-std=CLC++", &options));
    assert_int_equal(options.version, 200);
    assert_false(options.uniform_groups);
    gp_options_free(&options);
}

/* ---- Included headers ---- */

static char directory[] = "/tmp/gpuperf-test-XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool record_of(const char *name, char **record)
{
    char line[512];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(line, sizeof line, "macro A defined\nheader %s/%s\nabsent %s/none.h\n", directory, name, directory);
    *record = gp_headers_record(line, (long long)(now.tv_sec + 1) * 1000000000);
    return *record != NULL;
}

static void headers_count(void **state)
{
    (void)state;
    const long long later = (long long)(time(NULL) + 10) * 1000000000;
    char path[512], *record, *fifo;
    write_file("a.h", "#define A 1\n");
    assert_true(record_of("a.h", &record));
    assert_true(gp_headers_are_same(record, later));
    assert_false(gp_headers_are_same(record, 1000000000)); /* it has changed since */
    write_file("a.h", "#define A 2\n");
    assert_false(gp_headers_are_same(record, later));
    write_file("a.h", "#define A 1\n");
    assert_true(gp_headers_are_same(record, later));
    write_file("none.h", ""); /* stands before it in the directories */
    assert_false(gp_headers_are_same(record, later));
    snprintf(path, sizeof path, "%s/none.h", directory);
    unlink(path);
    assert_true(gp_headers_are_same(record, later));
    free(record);
    snprintf(path, sizeof path, "%s/fifo", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(record_of("fifo", &fifo)); /* and it does not wait for a writer */
    unlink(path);
    assert_null(gp_headers_record("header /dev/zero\n", later));
    assert_null(gp_headers_record("header a.h\n", later));
    assert_null(gp_headers_record(NULL, later));
}

static void only_sources_with_the_word_include_headers(void **state)
{
    (void)state;
    assert_true(gp_may_include("#include <a.h>"));
    assert_true(gp_may_include("%: inc\\\nlude <a.h>"));
    assert_true(gp_may_include("#i\\ \nncl?\?/\nude <a.h>"));
    assert_false(gp_may_include("#define ifinclud 1\nint i;"));
    assert_true(gp_has_included("macro X defined\nheader /a.h\n"));
    assert_false(gp_has_included("macro header defined\nabsent /header /a.h\n"));
}

/* ---- The driver's macros ---- */

static bool compiled_as(const char *preprocessed, const char *build_options, bool pocl)
{
    struct gp_driver_language language = {.extensions = "cl_khr_fp64 cl_khr_icd",
                                          .features = "__opencl_c_int64 __opencl_c_images ",
                                          .version = 300,
                                          .default_c_version = pocl ? 0 : 120,
                                          .address_bits = 64,
                                          .images = true,
                                          .little_endian = true,
                                          .is_pocl = pocl};
    struct gp_options options;
    struct gp_error why;
    assert_true(gp_options_parse(build_options, &options));
    char **macros = gp_driver_macros(&language, &options);
    assert_non_null(macros);
    bool same = gp_compiled_as_driver(preprocessed, &language, &options, macros, &why);
    gp_driver_macros_free(macros);
    gp_options_free(&options);
    return same;
}

static void what_the_driver_defines_is_known(void **state)
{
    (void)state;
    static const char *const same[] = {"",
                                       "macro cl_khr_fp64 defined\nmacro cl_khr_fp16 undefined\n",
                                       "macro USE_DOUBLE undefined\n",
                                       "macro __OPENCL_VERSION__ defined\n",
                                       "macro __IMAGE_SUPPORT__ defined\n",
                                       "macro M_PI_F defined\n",
                                       "header /a.h\nabsent /b/a.h\nrounding\n",
                                       "macro __FAST_RELAXED_MATH__ undefined\n"};
    static const char *const others[] = {"macro __clang__ defined\n",
                                         "macro __LINE__ defined\n",
                                         "macro __AVX__ undefined\n",
                                         "macro cl_khr_fp16 defined\n",
                                         "macro cl_khr_fp64 undefined\n",
                                         "macro ## defined\n",
                                         "macro sin language\n",
                                         "macro POCL_DEVICE_ADDRESS_BITS undefined\n",
                                         "macro FP_FAST_FMAF undefined\n",
                                         "macro atomic_init undefined\n",
                                         "what is this\n",
                                         "macro USE_DOUBLE undefined\nmacro __POCL__ undefined\n"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_true(compiled_as(same[i], "", false) && compiled_as(same[i], "", true));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(compiled_as(others[i], "", false) || compiled_as(others[i], "", true));
    assert_false(compiled_as(NULL, "", false));
}

static void what_it_defines_depends_on_the_build(void **state)
{
    (void)state;
    assert_true(compiled_as("macro __OPENCL_C_VERSION__ defined\n", "", false));
    assert_false(
        compiled_as("macro __OPENCL_C_VERSION__ defined\n", "", true)); /* which version this PoCL takes is not known */
    assert_true(compiled_as("macro __OPENCL_C_VERSION__ defined\n", "-cl-std=CL1.2", true));
    assert_true(
        compiled_as("macro __opencl_c_images defined\nmacro __opencl_c_pipes undefined\n", "-cl-std=CL3.0", true));
    assert_false(compiled_as("macro __opencl_c_images defined\n", "-cl-std=CL2.0", true));
    assert_true(compiled_as("macro __FAST_RELAXED_MATH__ defined\n", "-cl-fast-relaxed-math", true));
    assert_true(compiled_as("macro cl_khr_int64 undefined\n", "", false));
    assert_false(compiled_as("macro cl_khr_int64 undefined\n", "", true));
    assert_true(compiled_as("", "-DMINE -O3 -g -cl-mad-enable", true));
    assert_false(compiled_as("", "-include x.h", true));
    assert_false(compiled_as("", "-Dcl_khr_fp16", true));
    assert_false(compiled_as("", "-U__IMAGE_SUPPORT__", true));
}

/* ---- The driver's rule ---- */

/*
 * What PoCL 3.1 took on a CPU of 2 units, preferred multiple 8, groups up to 4096 (asked with get_local_size()). By
 * hand: 640x360: grains 8 and 8; 640x360 is too large; y to 180 is no multiple of 8, so x is halved to 320, 160, 80,
 * 40; 20 is no multiple of 8; no dimension has a grain as small as z's, so that y is given up: 40x1. 4096: one group of
 * 4096 for 2 units; divided by 2, since 4096 >= 2 x 32.
 */
static void pocl_rule(void **state)
{
    (void)state;
    static const struct {
        uint64_t global[3];
        uint32_t local[3];
    } cases[] = {{{640, 360, 1}, {40, 1, 1}},     {{1009, 1, 1}, {1009, 1, 1}},   {{13, 17, 1}, {13, 17, 1}},
                 {{64, 32, 2}, {64, 16, 2}},      {{1920, 1080, 1}, {120, 1, 1}}, {{4096, 1, 1}, {2048, 1, 1}},
                 {{100, 100, 100}, {100, 1, 1}},  {{65537, 1, 1}, {1, 1, 1}},     {{8, 8, 1}, {8, 8, 1}},
                 {{1000000, 1, 1}, {4000, 1, 1}}, {{24, 36, 1}, {24, 36, 1}},     {{48, 64, 10}, {48, 8, 10}}};
    struct gp_driver_limits limits = {
        .max_sizes = {4096, 4096, 4096}, .max_group = 4096, .preferred_multiple = 8, .compute_units = 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t local[3];
        gp_pocl_local_size(&limits, cases[i].global, local);
        assert_memory_equal(local, cases[i].local, sizeof local);
    }
}

static void pocl_rule_survives_odd_limits(void **state)
{
    (void)state;
    static const uint64_t ranges[][3] = {{1, 1, 1},           {7, 3, 5}, {1u << 31, 1, 1},
                                         {4294967291u, 2, 1}, {0, 0, 0}, {12, 4096, 64}};
    static const struct gp_driver_limits limits[] = {
        {{0, 0, 0}, 0, 0, 0}, {{1, 1, 1}, 1, 1, 1}, {{4, 4, 4}, 8, 8, 1000}, {{4096, 4096, 4096}, 4096, 16, 256}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
            uint32_t local[3];
            gp_pocl_local_size(&limits[k], ranges[i], local);
            for (int d = 0; d < 3; d++)
                assert_true(local[d] > 0 && (ranges[i][d] == 0 || ranges[i][d] % local[d] == 0));
        }
}

/* ---- Decisions ---- */

static void buckets_of_arguments(void **state)
{
    (void)state;
    for (int64_t v = -256; v < 256; v++)
        assert_true(gp_integer_bucket(v) != gp_integer_bucket(v + 1));
    assert_int_equal(gp_integer_bucket(1001), gp_integer_bucket(1003)); /* both odd, 960 to 1023 */
    assert_true(gp_integer_bucket(1001) != gp_integer_bucket(1002));    /* another alignment */
    assert_true(gp_integer_bucket(1024) != gp_integer_bucket(2048));
    assert_true(gp_integer_bucket(1024) != gp_integer_bucket(1024 + 128)); /* 12.5 percent more */
    assert_int_equal(gp_integer_bucket(1 << 20),
                     gp_integer_bucket((1 << 20) + 128)); /* alignment beyond 128 counts no more */
    assert_true(gp_integer_bucket(-1024) != gp_integer_bucket(1024));
    gp_integer_bucket(INT64_MIN);
}

static bool nothing_is_built(const void *context, const uint32_t local[3])
{
    (void)context, (void)local;
    return false;
}
static bool everything_is_built(const void *context, const uint32_t local[3])
{
    (void)context, (void)local;
    return true;
}
static bool baseline_is_built(const void *context, const uint32_t local[3])
{
    (void)context;
    return local[0] == 40;
}

static void requires(struct gp_pick pick, const struct gp_alternative *taken, const struct gp_alternative *wanted,
                     double lost_ns)
{
    assert_ptr_equal(pick.taken, taken);
    assert_ptr_equal(pick.wanted, wanted);
    assert_true(pick.lost_ns == lost_ns);
}

static bool all_but_the_best_are_built(const void *context, const uint32_t local[3])
{
    (void)context;
    return local[0] != 64;
}

/* 10 ms per launch for 40x1, 6 ms for 32x8, 4 ms for 64x4: what is not built is done without, and what that costs is
 * told. */
static void what_is_built_is_taken(void **state)
{
    (void)state;
    const struct gp_device cpu = {.arch = GP_ARCH_CPU};
    struct gp_decision decision = {.baseline = {40, 1, 1},
                                   .baseline_ns = 10e6,
                                   .alternative_count = 2,
                                   .known_share = 1,
                                   .alternatives = {{{64, 4, 1}, 4e6}, {{32, 8, 1}, 6e6}}};
    const struct gp_alternative *best = &decision.alternatives[0];
    requires(gp_decision_pick(&decision, &cpu, true, baseline_is_built, NULL), NULL, best, 6e6);
    requires(gp_decision_pick(&decision, &cpu, true, all_but_the_best_are_built, NULL), best + 1, best, 2e6);
    requires(gp_decision_pick(&decision, &cpu, true, everything_is_built, NULL), best, NULL, 0);
    requires(gp_decision_pick(&decision, &cpu, true, nothing_is_built, NULL), best, NULL,
             0); /* the driver's would be built as well */
    requires(gp_decision_pick(&decision, &cpu, false, baseline_is_built, NULL), best, NULL, 0);
    decision.alternatives[1].time_ns = 4.5e6; /* as good */
    requires(gp_decision_pick(&decision, &cpu, true, all_but_the_best_are_built, NULL), best + 1, NULL, 0);
    decision.alternative_count = 0;
    requires(gp_decision_pick(&decision, &cpu, true, everything_is_built, NULL), NULL, NULL, 0);
}

static void decisions_as_text(void **state)
{
    (void)state;
    struct gp_decision decision = {.baseline = {40, 1, 1},
                                   .baseline_ns = 1.25e6,
                                   .alternative_count = 2,
                                   .worst_ns = 2e9,
                                   .confidence = 0.75,
                                   .known_share = 0.9,
                                   .baseline_at_once = 80,
                                   .alternatives = {{{64, 4, 1}, 5e5, 4096}, {{4294967295u, 8, 1}, 6e5, 0}}};
    struct gp_decision again;
    char *text = gp_decision_print(&decision);
    assert_string_equal(text, "predicted 0.75 0.9 2e+09;40x1x1 1250000 80;64x4x1 500000 4096;4294967295x8x1 600000 0");
    assert_true(gp_decision_parse(text, &again));
    assert_memory_equal(&decision.alternatives, &again.alternatives, 2 * sizeof decision.alternatives[0]);
    assert_true(again.baseline_ns == decision.baseline_ns && again.confidence == 0.75 && again.known_share == 0.9 &&
                again.alternative_count == 2);
    assert_true(again.baseline_at_once == 80 && !again.sampled);
    free(text);
    decision.sampled = true;
    decision.trials[decision.trial_count++] = (struct gp_alternative){{8, 8, 1}, 9e5, 12};
    text = gp_decision_print(&decision);
    assert_non_null(strstr(text, ";4294967295x8x1 600000 0?8x8x1 900000 12"));
    assert_true(gp_decision_parse(text, &again) && again.sampled && again.trial_count == 1);
    assert_memory_equal(&decision.trials, &again.trials, sizeof decision.trials);
    free(text);
    static const char *const bad[] = {"",
                                      "x",
                                      "predicted 0.5",
                                      "0.5 1;1x1x1 3 4",
                                      "guessed 0.5 1;1x1x1 3 4",
                                      "predicted 0.5 1;1x1x1 3",
                                      "predicted 0.5 1;1x1x1 3 -1",
                                      "predicted 0.5 1",
                                      "predicted 0.5 1;",
                                      "predicted 0.5 1;1x1 3 4",
                                      "predicted 0.5 1;1x1x1 nan 4",
                                      "predicted 0.5 1;1x1x1 -3 4",
                                      "predicted 0.5 1;1x1x1 3 4?8x8x1 3 4;8x8x1 3 4",
                                      "predicted 0.5 1;1x1x1 3 4?8x8x1 3 4?8x8x1 3 4?8x8x1 3 4",
                                      "predicted 2 1;1x1x1 3 4",
                                      "predicted 0.5 1;1x1x1 3 4;0x1x1 3 4",
                                      "predicted 0.5 1;1x1x1 3 4 trailing",
                                      "predicted 0.5 inf;1x1x1 3 4",
                                      "predicted 1 1;1x1x1 1 1;1x1x1 1 1;1x1x1 1 1;1x1x1 1 1;1x1x1 1 1;1x1x1 1 1;1x1x1 "
                                      "1 1;1x1x1 1 1;1x1x1 1 1;1x1x1 1 1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(gp_decision_parse(bad[i], &again));
}

/* ---- Sampling ---- */

enum { AT_THE_START = 2 }; /* a window's number */

static bool cut_at_start(const struct gp_open_launch *launch, const uint32_t on_trial[3], const uint32_t at_hand[3],
                         double at_once, double launch_ns, struct gp_cut *cut)
{
    return gp_cut_launch(launch, on_trial, at_hand, at_once, launch_ns, AT_THE_START, cut);
}

static void launches_are_cut_at_saturations(void **state)
{
    (void)state;
    const uint32_t trial[3] = {256, 1, 1}, at_hand[3] = {64, 1, 1}, tile[3] = {32, 8, 1}, other[3] = {16, 12, 1},
                   unknown[3] = {0};
    struct gp_open_launch line = {.dims = 1, .global = {1 << 20, 1, 1}}, image = {.dims = 2, .global = {1000, 3600, 1}};
    struct gp_cut cut;
    const double items = 1 << 20;
    assert_true(cut_at_start(&line, trial, at_hand, 10240, 1000 * items, &cut)); /* 20 ms are long enough */
    assert_int_equal(cut.dimension, 0);
    assert_int_equal(cut.items[0], 0);
    assert_int_equal(cut.items[1], 2 * 10240);
    assert_int_equal(cut.items[2], 3 * 10240);
    assert_int_equal(cut.items[1] + cut.items[2] + cut.items[3], 1 << 20);
    assert_true(cut_at_start(&line, trial, at_hand, 10240, 10 * items, &cut)); /* 0.2 ms are not: five times as many */
    assert_int_equal(cut.items[1], 10 * 10240);
    assert_int_equal(cut.items[2], 15 * 10240);
    assert_false(cut_at_start(&line, trial, at_hand, 10240, 3 * items, &cut)); /* a third of the launch */
    assert_false(cut_at_start(&line, trial, at_hand, 60000, 1000 * items, &cut));
    assert_false(cut_at_start(&line, trial, at_hand, 0, 1000 * items, &cut));
    /* Rows of 1000: 4 groups of 8 rows each hold 32 rows; parts are whole groups of both sizes (24 rows). */
    assert_true(cut_at_start(&image, tile, other, 32000, 1000 * 3.6e6, &cut));
    assert_int_equal(cut.dimension, 1);
    assert_int_equal(cut.items[1], 72);
    assert_int_equal(cut.items[2], 96);
    assert_true(cut_at_start(&image, unknown, tile, 32000, 1000 * 3.6e6, &cut));
    assert_int_equal(cut.items[1] % 16, 0);
    image.global[0] = 64000; /* the dimension with most groups: 2000 of 32 against 225 of 8 */
    assert_true(cut_at_start(&image, tile, tile, 3600 * 64, 10 * 64e3 * 3.6e3, &cut));
    assert_int_equal(cut.dimension, 0);
    assert_int_equal(cut.items[1], 128);
    image.global[1] = 1;
    assert_false(cut_at_start(&image, tile, other, 32000, 1000 * 3.6e6, &cut));
}

/* The windows of a launch lie at its start, its end and between, at whole groups. */
static void windows_lie_all_over_the_range(void **state)
{
    (void)state;
    const uint32_t size[3] = {256, 1, 1};
    const struct gp_open_launch line = {.dims = 1, .global = {1 << 20, 1, 1}};
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t window = 0; window < GP_WINDOWS; window++) {
        struct gp_cut cut;
        assert_true(gp_cut_launch(&line, size, size, 10240, 1000.0 * (1 << 20), window, &cut));
        assert_int_equal(cut.items[0] + cut.items[1] + cut.items[2] + cut.items[3], 1 << 20);
        assert_int_equal(cut.items[0] % 256, 0);
        first = cut.items[0] < first ? cut.items[0] : first;
        last = cut.items[0] + cut.items[1] + cut.items[2] > last ? cut.items[0] + cut.items[1] + cut.items[2] : last;
    }
    assert_int_equal(first, 0);
    assert_int_equal(last, 1 << 20);
}

/* A device on which sizes take so many nanoseconds for the whole launch, launches start in 5 us, and the work of a
 * window is `heavy[window]` times that of the average. */
struct machine {
    double ns[GP_SIDES], heavy[GP_WINDOWS];
};

static const struct gp_cut cut_evenly = {.items = {310, 20, 30, 640}};

/* One launch. */
static void time_parts(struct gp_turn turn, const struct machine *machine, double ns[GP_SAMPLE_PARTS],
                       struct gp_cut *cut)
{
    *cut = turn.whole ? (struct gp_cut){.items = {0, 0, 0, 1000}} : cut_evenly;
    for (int part = 0; part < GP_SAMPLE_PARTS; part++) {
        bool timed = turn.whole || part == GP_WINDOW || part == GP_WINDOW + 1;
        double heavy = turn.whole || !timed ? 1 : machine->heavy[turn.window];
        ns[part] = 5e3 + machine->ns[timed ? turn.side : GP_AT_HAND] * heavy * (double)cut->items[part] / 1000;
    }
}

/* Launches until the trial is over. */
static int run_alone(const struct machine *machine, double expected, struct gp_trial *trial, enum gp_verdict *verdict)
{
    int launches = 0;
    *trial = (struct gp_trial){0};
    do {
        double ns[GP_SAMPLE_PARTS];
        struct gp_cut cut;
        time_parts(gp_trial_next(trial), machine, ns, &cut);
        if (launches < 2) /* they may hold builds */
            ns[GP_WINDOW] *= 1000;
        gp_trial_add(trial, &cut, ns);
        *verdict = gp_trial_judge(trial, expected);
    } while (*verdict == GP_TRIAL_OPEN && ++launches < 100);
    return launches + 1;
}

static void the_line_of_two_samples(void **state)
{
    (void)state;
    const struct machine even = {{40e6, 50e6}, {1, 1, 1, 1}}, slow = {{100e6, 50e6}, {1, 1, 1, 1}},
                         wonder = {{10e6, 50e6}, {1, 1, 1, 1}};
    struct gp_trial trial;
    enum gp_verdict verdict;
    int launches = run_alone(&even, 0.8, &trial, &verdict);
    assert_int_equal(verdict, GP_TRIAL_FASTER);
    assert_int_equal(launches, 2 + 16 + 6); /* twice each window with each size, then six whole launches */
    assert_true(fabs(gp_trial_linear_ns(&trial, GP_ON_TRIAL) - 40.005e6) < 1);
    assert_true(fabs(gp_trial_linear_ns(&trial, GP_AT_HAND) - 50.005e6) < 1);
    assert_true(fabs(trial.whole_ns[GP_ON_TRIAL] - 40.005e6) < 1 && fabs(trial.whole_ns[GP_AT_HAND] - 50.005e6) < 1);
    assert_true(fabs(gp_trial_unevenness(&trial) - 1) < 1e-9);
    assert_int_equal(run_alone(&wonder, 0.8, &trial, &verdict), 2 + 16 + 12); /* measured again */
    assert_int_equal(verdict, GP_TRIAL_FASTER);
    assert_int_equal(run_alone(&slow, 0.8, &trial, &verdict), 2 + 4); /* hopeless */
    assert_int_equal(verdict, GP_TRIAL_SLOWER);
    for (int w = 0; w < GP_WINDOWS; w++) /* no line through a longer part that takes less */
        trial.ns[w][GP_ON_TRIAL][1] = trial.ns[w][GP_ON_TRIAL][0] / 2;
    assert_true(gp_trial_linear_ns(&trial, GP_ON_TRIAL) > 0);
}

/* Work that differs from window to window by far more than the sizes do, as behind a guard: the same parts tell. */
static void uneven_work_does_not_mislead(void **state)
{
    (void)state;
    const struct machine guarded = {{52e6, 50e6}, {0.01, 4, 0.01, 2}};
    struct gp_trial trial;
    enum gp_verdict verdict;
    run_alone(&guarded, 1, &trial, &verdict);
    assert_int_equal(verdict, GP_TRIAL_SLOWER);
    assert_true(gp_trial_unevenness(&trial) > 50);
}

/* Faster in every window, slower as a whole: what the windows miss the whole launches tell. */
static void a_gain_must_hold_for_whole_launches(void **state)
{
    (void)state;
    struct gp_trial trial = {0};
    enum gp_verdict verdict = GP_TRIAL_OPEN;
    while (verdict == GP_TRIAL_OPEN) {
        struct gp_turn turn = gp_trial_next(&trial);
        const struct machine misleading = {{turn.whole ? 90e6 : 5e6, 50e6}, {1, 1, 1, 1}};
        double ns[GP_SAMPLE_PARTS];
        struct gp_cut cut;
        time_parts(turn, &misleading, ns, &cut);
        gp_trial_add(&trial, &cut, ns);
        verdict = gp_trial_judge(&trial, 0.5);
    }
    assert_int_equal(verdict, GP_TRIAL_SLOWER);
    assert_int_equal(trial.whole_turns, 4);
}

static void run_trial(struct gp_sampling *sampling, struct gp_decision *decision, double trial_ns, double at_hand_ns,
                      bool last)
{
    const struct machine machine = {{trial_ns, at_hand_ns}, {1, 1, 1, 1}};
    bool over = false;
    int on_trial = sampling->on_trial;
    for (int run = 0; run < 60 && sampling->on_trial == on_trial && !over; run++) {
        double ns[GP_SAMPLE_PARTS];
        struct gp_cut cut;
        time_parts(gp_sampling_next(sampling), &machine, ns, &cut);
        over = gp_sampling_add(sampling, &cut, ns, decision);
    }
    assert_int_equal(over, last);
}

static const struct gp_decision predicted_decision = {
    .baseline = {8, 1, 1},
    .baseline_ns = 60e6,
    .alternative_count = 4,
    .known_share = 0.5,
    .alternatives = {
        {{64, 1, 1}, 10e6, 100}, {{128, 1, 1}, 11e6, 100}, {{256, 1, 1}, 12e6, 100}, {{512, 1, 1}, 13e6, 100}}};

static void trials_end_in_what_was_measured(void **state)
{
    (void)state;
    struct gp_decision decision = predicted_decision;
    struct gp_sampling sampling;
    gp_sampling_begin(&sampling, &decision);
    assert_ptr_equal(gp_sampling_size(&decision, sampling.on_trial), decision.baseline);
    assert_true(gp_sampling_time_ns(&sampling, &decision) == 60e6);
    run_trial(&sampling, &decision, 80e6, 40e6, false); /* the driver's loses */
    assert_int_equal(sampling.at_hand, 0);
    assert_int_equal(sampling.on_trial, 1);
    assert_true(fabs(gp_sampling_time_ns(&sampling, &decision) - 40e6) < 30e3);
    run_trial(&sampling, &decision, 20e6, 40e6, false); /* 128 wins */
    assert_int_equal(sampling.at_hand, 1);
    run_trial(&sampling, &decision, 25e6, 20e6, true); /* 256 does not; no more than three are tried */
    assert_true(sampling.over && decision.sampled && decision.alternative_count == 1);
    assert_int_equal(decision.alternatives[0].local[0], 128);
    assert_true(fabs(decision.alternatives[0].time_ns - 20e6) < 30e3 && fabs(decision.baseline_ns - 80e6) < 1e6);

    decision = predicted_decision; /* the driver's wins: the launch is left as it is */
    decision.alternative_count = 1;
    gp_sampling_begin(&sampling, &decision);
    run_trial(&sampling, &decision, 30e6, 40e6, true);
    assert_true(decision.sampled && decision.alternative_count == 0);
    assert_null(gp_decision_pick(&decision, &(struct gp_device){0}, false, everything_is_built, NULL).taken);

    decision = predicted_decision; /* nothing could be tried: what was predicted stays */
    gp_sampling_begin(&sampling, &decision);
    assert_false(gp_sampling_skip(&sampling, &decision));
    assert_false(gp_sampling_skip(&sampling, &decision));
    assert_true(gp_sampling_skip(&sampling, &decision));
    assert_true(sampling.over && !decision.sampled);
    assert_memory_equal(&decision, &predicted_decision, sizeof decision);
}

/* Model and driver agree, but the model knows little: its next sizes are tried from the driver's. */
static void little_confidence_is_tried(void **state)
{
    (void)state;
    struct gp_decision decision = {.baseline = {64, 1, 1},
                                   .baseline_ns = 10e6,
                                   .trial_count = 2,
                                   .trials = {{{8, 1, 1}, 10e6, 100}, {{1, 1, 1}, 11e6, 100}}};
    struct gp_sampling sampling;
    assert_true(gp_sampling_has_trials(&decision));
    gp_sampling_begin(&sampling, &decision);
    assert_int_equal(sampling.at_hand, GP_SAMPLE_AS_IT_IS);
    assert_null(gp_sampling_of(&decision, sampling.at_hand));
    assert_int_equal(gp_sampling_size(&decision, sampling.on_trial)[0], 8);
    run_trial(&sampling, &decision, 80e6, 40e6, false);
    run_trial(&sampling, &decision, 20e6, 40e6, true);
    assert_true(decision.sampled && decision.alternative_count == 1 && decision.trial_count == 0);
    assert_int_equal(decision.alternatives[0].local[0], 1);
    assert_true(fabs(decision.baseline_ns - 40e6) < 30e3);
}

/* All alternatives are ten times as slow: in the first hundred launches that are timed and those between them. */
static void unasked_trials_lose_a_hundredth(void **state)
{
    (void)state;
    const struct machine slow = {{400e6, 40e6}, {1, 1, 1, 1}};
    struct gp_decision decision = predicted_decision;
    struct gp_sampling sampling;
    double all = 0, lost = 0;
    int launches = 0, turns = 0;
    gp_sampling_begin(&sampling, &decision);
    for (bool over = false; !over && launches < 10000; launches++) {
        double ns[GP_SAMPLE_PARTS];
        struct gp_cut cut;
        all += 40e6;
        if (!gp_sampling_affords(&sampling))
            continue;
        time_parts(gp_sampling_next(&sampling), &slow, ns, &cut);
        turns++;
        lost += ns[0] + ns[1] + ns[2] + ns[3] - 40e6;
        over = gp_sampling_add(&sampling, &cut, ns, &decision);
        assert_true(lost < 0.01 * all + 0.5 * 40e6);
    }
    assert_true(launches > 25 && launches < 1000 && turns == 2 + 3 * 6 && decision.sampled);
    assert_int_equal(sampling.at_hand, 0);
}

/* Launches until the check of a measured decision is over. */
static enum gp_check run_check(struct gp_sampling *sampling, struct gp_decision *decision, double as_it_is_ns,
                               double kept_ns, bool from_cache, int *launches)
{
    const struct machine machine = {{as_it_is_ns, kept_ns}, {1, 1, 1, 1}};
    enum gp_check check = GP_CHECK_OPEN;
    for (*launches = 0; check == GP_CHECK_OPEN && *launches < 100000; ++*launches) {
        double ns[GP_SAMPLE_PARTS];
        struct gp_cut cut;
        if (!gp_sampling_check_is_due(sampling, decision, from_cache))
            continue;
        time_parts(gp_sampling_next(sampling), &machine, ns, &cut);
        check = gp_sampling_add_check(sampling, &cut, ns, decision);
    }
    return check;
}

static void what_was_measured_is_checked(void **state)
{
    (void)state;
    struct gp_decision measured = {.baseline = {8, 1, 1},
                                   .baseline_ns = 20e6,
                                   .sampled = true,
                                   .alternative_count = 1,
                                   .alternatives = {{{64, 1, 1}, 10e6, 100}}},
                       decision = measured;
    struct gp_sampling sampling = {.begun = true, .over = true, .predicted = predicted_decision};
    int first, second, third;
    assert_int_equal(run_check(&sampling, &decision, 20e6, 10e6, false, &first), GP_CHECK_HOLDS);
    assert_int_equal(run_check(&sampling, &decision, 20e6, 10e6, false, &second), GP_CHECK_HOLDS);
    assert_true(first > 500 && second > 3 * first / 2 && decision.sampled);
    assert_int_equal(run_check(&sampling, &decision, 8e6, 10e6, false, &third), GP_CHECK_FORGOTTEN);
    assert_memory_equal(&decision, &predicted_decision, sizeof decision); /* to be sampled anew */
    assert_false(sampling.begun || sampling.over);

    decision = measured; /* from the cache, by another process: what was predicted is not known */
    sampling = (struct gp_sampling){0};
    assert_int_equal(run_check(&sampling, &decision, 8e6, 10e6, true, &first), GP_CHECK_FORGOTTEN);
    assert_true(first < 100 && !decision.sampled && decision.alternative_count == 0 && sampling.over);

    decision = measured; /* the driver's size replaced nothing */
    decision.alternative_count = 0;
    sampling = (struct gp_sampling){.over = true};
    assert_int_equal(run_check(&sampling, &decision, 8e6, 10e6, false, &first), GP_CHECK_OPEN);
}

/* ---- Records of launches ---- */

static struct gp_raw_argument number(uint64_t value)
{
    return (struct gp_raw_argument){.value = value, .size = 4, .set = true};
}

static void keys_hold_what_decides_time(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("vector_add");
    struct gp_hash own = {{1, 2}};
    struct gp_raw_argument arguments[4] = {
        {.value = 0xabc0, .size = 8, .set = true}, {.value = 0xdef0, .size = 8, .set = true}, {0}, number(4001)};
    struct gp_open_launch launch = {.dims = 1,
                                    .global = {4096, 1, 1},
                                    .uniform = true,
                                    .max_group = 256,
                                    .arguments = arguments,
                                    .argument_count = 4};
    struct gp_hash key = gp_decision_key(&own, profile->kernels, &launch);
    arguments[0].value = 0x1230; /* another buffer */
    assert_true(gp_hash_equal(key, gp_decision_key(&own, profile->kernels, &launch)));
    arguments[3].value = 4003; /* the same bucket */
    assert_true(gp_hash_equal(key, gp_decision_key(&own, profile->kernels, &launch)));
    arguments[3].value = 100;
    assert_false(gp_hash_equal(key, gp_decision_key(&own, profile->kernels, &launch)));
    struct gp_hash family = gp_family_key(&own, profile->kernels, &launch);
    arguments[3].value = 4001;
    assert_true(gp_hash_equal(family, gp_family_key(&own, profile->kernels, &launch))); /* another scalar */
    launch.offset[0] = 64;
    assert_false(gp_hash_equal(family, gp_family_key(&own, profile->kernels, &launch)));
    assert_false(gp_hash_equal(key, gp_decision_key(&own, profile->kernels, &launch)));
    launch.offset[0] = 0;
    launch.max_group = 128;
    assert_false(gp_hash_equal(key, gp_decision_key(&own, profile->kernels, &launch)));
    profile->kernels[0].params[0].kind = GP_PARAM_IMAGE;
    arguments[0].texel_bytes = 16;
    key = gp_decision_key(&own, profile->kernels, &launch);
    arguments[0].value = 0x4560; /* another image of the same format */
    assert_true(gp_hash_equal(key, gp_decision_key(&own, profile->kernels, &launch)));
    arguments[0].texel_bytes = 4;
    assert_false(gp_hash_equal(key, gp_decision_key(&own, profile->kernels, &launch)));
    gp_profile_free(profile);
}

/* An element of a vector is a part of the bytes that the program has set it by. */
static void keys_hold_elements(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("vector_add");
    struct gp_kernel *kernel = &profile->kernels[0];
    struct gp_hash own = {{1, 2}};
    int32_t sizes[2][4] = {{1, 2, 100, 4}, {5, 6, 100, 8}};
    struct gp_raw_argument arguments[3] = {{.value = 0xabc0, .size = 8, .set = true},
                                           {.value = 0xdef0, .size = 8, .set = true},
                                           {.size = sizeof sizes[0], .set = true}};
    struct gp_open_launch launch = {
        .dims = 1, .global = {4096, 1, 1}, .max_group = 256, .arguments = arguments, .argument_count = 3};
    kernel->params[2] =
        (struct gp_param){.name = "sizes", .kind = GP_PARAM_INT, .bits = 128, .size = 16, .bounds_dim = GP_NONE};
    kernel->params[3].flags |= GP_PARAM_ELEMENT;
    kernel->params[3].vector = kernel->params[3].element = 2;
    memcpy(arguments[2].bytes, sizes[0], sizeof sizes[0]);
    struct gp_hash key = gp_decision_key(&own, kernel, &launch);
    memcpy(arguments[2].bytes, sizes[1], sizeof sizes[1]); /* other elements */
    assert_true(gp_hash_equal(key, gp_decision_key(&own, kernel, &launch)));
    arguments[2].bytes[8] = 99;
    assert_false(gp_hash_equal(key, gp_decision_key(&own, kernel, &launch)));
    gp_profile_free(profile);
}

/* Of a GPU's 100 ns: 10 percent, and more where the model is less sure; on CPUs a quarter. */
static void a_choice_must_gain(void **state)
{
    (void)state;
    const struct gp_device gpu = {.arch = GP_ARCH_HOPPER}, cpu = {.arch = GP_ARCH_CPU};
    assert_true(gp_is_worth_leaving(&gpu, 100, 90, 1));
    assert_false(gp_is_worth_leaving(&gpu, 100, 92, 1));
    assert_false(gp_is_worth_leaving(&gpu, 100, 85, 0.5));
    assert_true(gp_is_worth_leaving(&gpu, 100, 80, 0.5));
    assert_false(gp_is_worth_leaving(&cpu, 100, 85, 1));
    assert_true(gp_is_worth_leaving(&cpu, 100, 79, 1));
}

/*
 * A matrix multiplication of a prime width: no size but 1x1 divides the range within the 256 work-items that NVIDIA's
 * driver says a group may have, and the driver takes 1021x1. On an H200 that takes 0.48 ms, and 1x1 takes 9.5.
 */
static void a_prime_width_is_left_to_the_driver(void **state)
{
    (void)state;
    struct gp_error error = {0};
    struct gp_profile *profile = golden_profile("matrix_multiply");
    struct gp_device *device = gp_device_load("h200", SOURCE_HWDB, &error);
    assert_non_null(device);
    struct gp_raw_argument arguments[4] = {{.value = 0xa00, .size = 8, .set = true},
                                           {.value = 0xb00, .size = 8, .set = true},
                                           {.value = 0xc00, .size = 8, .set = true},
                                           number(1021)};
    struct gp_open_launch launch = {.dims = 2,
                                    .global = {1021, 1021, 1},
                                    .uniform = true,
                                    .max_group = 256,
                                    .max_sizes = {1024, 1024, 64},
                                    .arguments = arguments,
                                    .argument_count = 4};
    struct gp_decision decision;
    assert_true(gp_decide(profile, profile->kernels, device, true, &launch, NULL, &decision, &error));
    assert_true(decision.baseline_ns == 0 &&
                decision.alternative_count == 0); /* a driver whose rule is not known may know more than one size */
    gp_nvidia_local_size(1024, launch.global, launch.baseline);
    assert_int_equal(launch.baseline[0], 1021);
    assert_true(gp_decide(profile, profile->kernels, device, true, &launch, NULL, &decision, &error));
    assert_true(decision.baseline_ns > 0 && decision.alternative_count == 0);
    assert_true(decision.worst_ns > 8 * decision.baseline_ns); /* 1x1; measured 20 times */
    gp_device_free(device);
    gp_profile_free(profile);
}

/* ---- The cache ---- */

static void note_hash(void *context, struct gp_hash hash) { *(struct gp_hash *)context = hash; }

static void note_decision(void *context, struct gp_hash key, const struct gp_decision *decision)
{
    (void)key;
    *(struct gp_decision *)context = *decision;
}

static void cache_path(char path[256], const char *name) { snprintf(path, 256, "%s/cache/%s", directory, name); }

static struct gp_cache *open_test_cache(void)
{
    char path[256];
    struct gp_error error = {0};
    cache_path(path, "deep/down");
    struct gp_cache *cache = gp_cache_open(path, &error);
    if (cache == NULL)
        fail_msg("%s", error.text);
    return cache;
}

static void keeps_sources(struct gp_cache *cache, struct gp_hash with_options, struct gp_hash empty,
                          const struct gp_options *options)
{
    struct gp_options got;
    char *source = gp_cache_source(cache, with_options, &got);
    assert_string_equal(source, "kernel void k() {}");
    assert_int_equal(got.count, options->count);
    for (size_t i = 0; i < got.count; i++)
        assert_string_equal(got.arguments[i], options->arguments[i]);
    assert_true(got.version == 200 && got.uniform_groups);
    free(source);
    gp_options_free(&got);
    source = gp_cache_source(cache, empty, &got);
    assert_string_equal(source, "");
    assert_int_equal(got.count, 0);
    free(source);
    gp_options_free(&got);
    assert_null(gp_cache_source(cache, (struct gp_hash){{7, 7}}, &got));
}

/* Of sources the newest 32 MiB stay, and none is very large. */
static void cache_bounds_sources(void **state)
{
    (void)state;
    struct gp_options options = {0}, got;
    struct gp_cache *cache = open_test_cache();
    char *text = malloc((5 << 20) + 1);
    memset(text, 'x', 5 << 20);
    text[5 << 20] = '\0';
    gp_cache_add_source(cache, (struct gp_hash){{99, 0}}, text, &options);
    text[4 << 20] = '\0';
    for (uint64_t i = 0; i < 12; i++)
        gp_cache_add_source(cache, (struct gp_hash){{i, 5}}, text, &options);
    gp_cache_close(cache);
    cache = open_test_cache();
    unsigned kept = 0;
    assert_null(gp_cache_source(cache, (struct gp_hash){{99, 0}}, &got));
    for (uint64_t i = 0; i < 12; i++) {
        char *source = gp_cache_source(cache, (struct gp_hash){{i, 5}}, &got);
        if (source != NULL)
            gp_options_free(&got);
        kept += source != NULL;
        free(source);
    }
    assert_true(kept == 7 || kept == 8); /* what other tests keep counts, too */
    gp_cache_close(cache);
    free(text);
}

static void count_decision(void *context, struct gp_hash key, const struct gp_decision *decision)
{
    (void)key, (void)decision;
    ++*(unsigned *)context;
}
static void count_hash(void *context, struct gp_hash hash)
{
    (void)hash;
    ++*(unsigned *)context;
}

static void count_rows(struct gp_cache *cache, struct gp_hash kernel, unsigned *decisions, unsigned *built)
{
    *decisions = *built = 0;
    gp_cache_decisions(cache, kernel, count_decision, decisions);
    gp_cache_built(cache, kernel, count_hash, built);
}

/* Of decisions and built sizes the newest stay: 12288, three quarters of the most that there may be. */
static void cache_bounds_decisions(void **state)
{
    (void)state;
    const struct gp_hash kernel = {{5, 6}};
    const struct gp_decision decision = {.baseline = {8, 1, 1}, .baseline_ns = 5, .confidence = 1};
    unsigned decisions, built;
    struct gp_cache *cache = open_test_cache();
    gp_cache_begin(cache);
    for (uint64_t i = 0; i < 20000; i++) {
        gp_cache_add_decision(cache, kernel, (struct gp_hash){{i, 7}}, &decision);
        gp_cache_add_built(cache, kernel, (struct gp_hash){{i, 8}});
    }
    gp_cache_commit(cache);
    count_rows(cache, kernel, &decisions, &built);
    assert_true(decisions == 20000 && built == 20000);
    gp_cache_close(cache);
    cache = open_test_cache();
    count_rows(cache, kernel, &decisions, &built);
    assert_in_range(decisions, 12000, 12288); /* what other tests keep counts, too */
    assert_in_range(built, 12000, 12288);
    gp_cache_close(cache);
}

static void cache_keeps_things(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("vector_add");
    struct gp_hash a = {{1, 2}}, b = {{3, 4}}, hash = {{0, 0}}, found = {{0, 0}};
    struct gp_decision decision = {.baseline = {8, 1, 1}, .baseline_ns = 5, .confidence = 1}, got = {0};
    struct gp_options options, none = {0};
    bool foreign = false;
    struct gp_cache *cache = open_test_cache();
    assert_null(gp_cache_profile(cache, a, &foreign, &hash));
    gp_cache_add_profile(cache, a, profile, true);
    gp_cache_add_decision(cache, a, b, &decision);
    gp_cache_add_built(cache, a, b);
    gp_cache_add_binary(cache, b, a);
    assert_true(gp_options_parse("-D A=\"b c\" -I inc -cl-std=CL2.0 -cl-uniform-work-group-size", &options));
    gp_cache_begin(cache);
    gp_cache_add_source(cache, a, "kernel void k() {}", &options);
    gp_cache_add_source(cache, a, "kernel void k() {}", &options); /* once more */
    gp_cache_add_source(cache, b, "", &none);
    gp_cache_commit(cache);
    gp_cache_close(cache);
    cache = open_test_cache();
    keeps_sources(cache, a, b, &options);
    gp_options_free(&options);
    struct gp_profile *again = gp_cache_profile(cache, a, &foreign, &hash);
    assert_non_null(again);
    assert_true(foreign);
    assert_true(gp_hash_equal(hash, gp_profile_hash(profile)));
    assert_string_equal(again->kernels[0].name, "vector_add");
    gp_cache_decisions(cache, a, note_decision, &got);
    assert_int_equal(got.baseline[0], 8);
    gp_cache_built(cache, a, note_hash, &found);
    assert_true(gp_hash_equal(found, b));
    assert_true(gp_cache_binary(cache, b, &found) && gp_hash_equal(found, a));
    assert_false(gp_cache_binary(cache, a, &found));
    gp_cache_close(cache);
    gp_profile_free(again);
    gp_profile_free(profile);
}

/* Whatever stands in the file, opening and asking end well, and something new can be kept. */
static void cache_survives_damage(void **state)
{
    (void)state;
    char path[256];
    struct gp_hash a = {{1, 2}}, hash;
    struct gp_profile *profile = golden_profile("vector_add");
    bool foreign;
    cache_path(path, "deep/down/gpuperf.db");
    uint32_t random = 1;
    for (int round = 0; round < 60; round++) {
        gp_cache_close(
            open_test_cache()); /* the last round's damage may have been noticed late, and the file set aside */
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fseek(file, 0, SEEK_END);
        long size = ftell(file);
        for (int i = 0; i < 40; i++) {
            random = random * 1664525u + 1013904223u;
            fseek(file, (long)(random >> 8) % size, SEEK_SET);
            fputc((int)(random >> 16 & 0xff), file);
        }
        fclose(file);
        if (round % 7 == 6)
            assert_int_equal(truncate(path, size / 2), 0);
        struct gp_cache *cache = gp_cache_open(strndupa(path, strlen(path) - strlen("/gpuperf.db")), NULL);
        gp_profile_free(gp_cache_profile(cache, a, &foreign, &hash));
        gp_cache_add_profile(cache, a, profile, false);
        gp_cache_close(cache);
    }
    gp_profile_free(profile);
    struct gp_cache *cache = open_test_cache();
    gp_cache_close(cache);
}

static bool has_content(const char *path, const char *content)
{
    char *now = gp_read_file(path, NULL);
    bool same = now != NULL && strcmp(now, content) == 0;
    free(now);
    return same;
}

/* Where this is the file, or stands beside it, nothing is cached, one line says why, and all stays as it is. */
static void refuses(const char *name, const char *why)
{
    char path[256];
    struct gp_error error = {0};
    cache_path(path, name);
    assert_null(gp_cache_open(path, &error));
    if (strstr(error.text, why) == NULL || strstr(error.text, "left alone") == NULL)
        fail_msg("%s: '%s' instead of '%s'", name, error.text, why);
}

static void cache_leaves_links_alone(void **state)
{
    (void)state;
    char link[256], target[256], aside[512];
    struct stat status;
    static const char text[] =
        "this is no database, and long enough for a header that is none: ............................................";
    static const char *const names[] = {"gpuperf.db", "gpuperf.db-journal", "gpuperf.db-wal"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char place[64];
        snprintf(place, sizeof place, "linked%zu/%s", i, names[i]);
        cache_path(target, "elsewhere.db");
        cache_path(link, place);
        *strrchr(link, '/') = '\0';
        gp_cache_close(gp_cache_open(link, NULL));
        cache_path(link, place);
        unlink(link);
        write_file("cache/elsewhere.db", text);
        assert_int_equal(symlink(target, link), 0);
        *strrchr(place, '/') = '\0';
        refuses(place, "is a link");
        snprintf(aside, sizeof aside, "%s.broken", target);
        assert_int_equal(access(aside, F_OK), -1);
        assert_true(has_content(target, text));
        assert_int_equal(lstat(link, &status), 0);
        assert_true(S_ISLNK(status.st_mode));
    }
}

/* A database in the cache's place, made by these statements. */
static void database_in(const char *name, const char *sql)
{
    char path[256];
    sqlite3 *database;
    cache_path(path, name);
    mkdir(path, 0755);
    strcat(path, "/gpuperf.db");
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

static void cache_leaves_others_files_alone(void **state)
{
    (void)state;
    static const char *const foreign[] = {
        "CREATE TABLE sources(x); INSERT INTO sources VALUES(1)",
        "CREATE TABLE sources(x); INSERT INTO sources VALUES(1); PRAGMA user_version = 4",
        "CREATE TABLE sources(x); INSERT INTO sources VALUES(1); PRAGMA user_version = 4; PRAGMA journal_mode = WAL",
        "CREATE TABLE profiles(key BLOB PRIMARY KEY, profile BLOB NOT NULL, foreign_target INTEGER NOT NULL); PRAGMA "
        "application_id = 77; PRAGMA user_version = 4",
    };
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        char name[32], path[256];
        size_t before, after;
        snprintf(name, sizeof name, "foreign%zu", i);
        database_in(name, foreign[i]);
        cache_path(path, name);
        strcat(path, "/gpuperf.db");
        char *content = gp_read_file(path, &before);
        refuses(name, "another program's database");
        char *again = gp_read_file(path, &after);
        assert_int_equal(before, after);
        assert_memory_equal(content, again, before);
        free(content);
        free(again);
    }
    char path[256];
    cache_path(path, "taken");
    mkdir(path, 0700);
    strcat(path, "/gpuperf.db");
    assert_int_equal(mkdir(path, 0700), 0);
    refuses("taken", "no regular file");
    if (geteuid() == 0) { /* another user's */
        database_in("theirs", "PRAGMA application_id = 0x67707066; PRAGMA user_version = 4; CREATE TABLE x(y)");
        cache_path(path, "theirs");
        strcat(path, "/gpuperf.db");
        assert_int_equal(chown(path, 12345, 12345), 0);
        refuses("theirs", "another user's");
    }
}

/* What an earlier gpuperf wrote is begun anew; other tables than it expects are as good as broken ones. */
static void cache_takes_its_own_files_over(void **state)
{
    (void)state;
    struct gp_hash a = {{1, 2}};
    static const struct {
        const char *sql;
        bool is_broken;
    } own[] = {
        {"CREATE TABLE profiles(key BLOB PRIMARY KEY, profile BLOB NOT NULL, foreign_target INTEGER NOT NULL, made "
         "INTEGER NOT NULL); PRAGMA user_version = 4",
         false},
        {"CREATE TABLE profiles(key BLOB PRIMARY KEY); PRAGMA application_id = 0x67707066; PRAGMA user_version = 6",
         true},
        {"CREATE VIEW profiles AS SELECT 1; PRAGMA application_id = 0x67707066; PRAGMA user_version = 3", true},
    };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        char name[32], path[256];
        struct gp_error error = {0};
        unsigned decisions = 0, built = 0;
        struct stat status;
        snprintf(name, sizeof name, "own%zu", i);
        database_in(name, own[i].sql);
        cache_path(path, name);
        struct gp_cache *cache = gp_cache_open(path, &error);
        assert_non_null(cache);
        assert_int_equal(strstr(error.text, "was broken") != NULL, own[i].is_broken);
        gp_cache_add_built(cache, a, a);
        count_rows(cache, a, &decisions, &built);
        assert_int_equal(built, 1);
        gp_cache_close(cache);
        strcat(path, "/gpuperf.db");
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 07777, 0600); /* in a directory that others may read */
    }
}

static void note_lost(void *context, struct gp_hash size, double ns)
{
    (void)size;
    *(double *)context += ns;
}

static void cache_adds_up_what_was_lost(void **state)
{
    (void)state;
    struct gp_hash kernel = {{3, 4}}, size = {{5, 6}}, other = {{7, 8}};
    double lost = 0;
    for (int process = 0; process < 3; process++) {
        struct gp_cache *cache = open_test_cache();
        gp_cache_add_lost(cache, kernel, size, 10e6);
        gp_cache_add_cost(cache, kernel, 100e6 + process);
        gp_cache_close(cache);
    }
    struct gp_cache *cache = open_test_cache();
    gp_cache_add_lost(cache, other, size, 1);
    gp_cache_lost(cache, kernel, note_lost, &lost);
    assert_true(lost == 30e6 && gp_cache_cost(cache, kernel) == 100e6 + 2 && gp_cache_cost(cache, other) == 0);
    gp_cache_add_built(cache, kernel, size);
    lost = 0;
    gp_cache_lost(cache, kernel, note_lost, &lost);
    assert_true(lost == 0);
    gp_cache_close(cache);
}

static void cache_without_a_place(void **state)
{
    (void)state;
    struct gp_error error = {0};
    struct gp_hash hash;
    bool foreign;
    assert_null(gp_cache_open("/proc/nowhere/at/all", &error));
    assert_non_null(strstr(error.text, "GPUPERF_CACHE"));
    assert_null(gp_cache_profile(NULL, (struct gp_hash){{1, 1}}, &foreign, &hash)); /* no cache knows nothing */
    gp_cache_add_built(NULL, hash, hash);
    gp_cache_close(NULL);
}

/* ---- Settings ---- */

static void settings_from_the_environment(void **state)
{
    (void)state;
    struct gp_settings settings;
    setenv("GPUPERF", "override", 1);
    setenv("GPUPERF_LOG", "9", 1);
    setenv("GPUPERF_WAIT", "250", 1);
    setenv("GPUPERF_CACHE", "", 1);
    gp_settings_read(&settings);
    setenv("GPUPERF_WAIT", "251", 1); /* too late */
    assert_string_equal(gp_variable(settings.environment, "GPUPERF_WAIT"), "250");
    assert_string_equal(gp_variable(NULL, "GPUPERF_WAIT"), "251");
    assert_null(gp_variable(settings.environment, "GPUPERF_WAI"));
    assert_int_equal(settings.mode, GP_MODE_OVERRIDE);
    assert_int_equal(settings.log_level, GP_LOG_DEBUG);
    assert_int_equal(settings.wait_milliseconds, 250);
    assert_null(settings.cache_directory);
    assert_null(settings.complaint);
    gp_settings_free(&settings);
    setenv("GPUPERF", "sometimes", 1);
    char here[256], want[512];
    setenv("GPUPERF_CACHE", "kept/here", 1);
    gp_settings_read(&settings);
    snprintf(want, sizeof want, "%s/kept/here", getcwd(here, sizeof here));
    assert_string_equal(settings.cache_directory, want);
    gp_settings_free(&settings);
    unsetenv("GPUPERF_CACHE");
    setenv("XDG_CACHE_HOME", "/somewhere", 1);
    gp_settings_read(&settings);
    assert_int_equal(settings.mode, GP_MODE_ON);
    assert_string_equal(settings.complaint, "GPUPERF=sometimes is not understood (valid: off, on, override)");
    assert_string_equal(settings.cache_directory, "/somewhere/gpuperf");
    gp_settings_free(&settings);
    unsetenv("GPUPERF");
    setenv("GPUPERF_LOG", "debug", 1);
    gp_settings_read(&settings);
    assert_int_equal(settings.log_level, GP_LOG_DECISIONS); /* or nobody would see the complaint */
    assert_string_equal(settings.complaint, "GPUPERF_LOG=debug is not understood (valid: a whole number)");
    gp_settings_free(&settings);
    static const struct {
        const char *text;
        bool stated;
        unsigned milliseconds;
    } builds[] = {{"0", true, 0}, {"250", true, 250}, {"", false, 0}, {"abc", false, 0}};
    for (size_t i = 0; i < sizeof builds / sizeof builds[0]; i++) { /* what is no number does not make builds free */
        setenv("GPUPERF_BUILD_MS", builds[i].text, 1);
        gp_settings_read(&settings);
        assert_int_equal(settings.has_build_cost, builds[i].stated);
        assert_int_equal(settings.build_milliseconds, builds[i].milliseconds);
        gp_settings_free(&settings);
    }
    unsetenv("GPUPERF_BUILD_MS");
    unsetenv("GPUPERF_LOG");
    unsetenv("GPUPERF_WAIT");
    unsetenv("XDG_CACHE_HOME");
}

/* ---- The C API ---- */

static gpuperf_profile *api_profile(void)
{
    gpuperf_error error = {""};
    struct gp_profile *profile = golden_profile("vector_add");
    uint32_t *words;
    size_t count;
    assert_true(gp_profile_encode(profile, &words, &count, NULL));
    gpuperf_profile *result = gpuperf_profile_from_memory(words, count * sizeof *words, &error);
    free(words);
    gp_profile_free(profile);
    if (result == NULL)
        fail_msg("%s", error.text);
    return result;
}

static gpuperf_device *api_device(const char *name)
{
    gpuperf_error error = {""};
    setenv("GPUPERF_HWDB", SOURCE_HWDB, 1);
    gpuperf_device *device = gpuperf_device_open(name, &error);
    if (device == NULL)
        fail_msg("%s", error.text);
    return device;
}

static void api_chooses(void **state)
{
    (void)state;
    gpuperf_error error = {""};
    gpuperf_profile *profile = api_profile();
    gpuperf_device *device = api_device("a100");
    gpuperf_argument n = {.index = 3, .value = 1 << 20};
    gpuperf_launch launch = {
        .dims = 1, .global = {1 << 20}, .arguments = &n, .argument_count = 1, .uniform = 1, .max_local = 512};
    gpuperf_choice choice, again;
    assert_int_equal(gpuperf_profile_kernels(profile), 1);
    assert_string_equal(gpuperf_profile_kernel_name(profile, 0), "vector_add");
    assert_null(gpuperf_profile_kernel_name(profile, 1));
    if (gpuperf_choose(profile, "vector_add", device, &launch, &choice, &error) != GPUPERF_OK)
        fail_msg("%s", error.text);
    assert_true(choice.local[0] >= 32 && choice.local[0] <= 512 && (1 << 20) % choice.local[0] == 0);
    assert_int_equal(choice.local[1], 1);
    assert_true(choice.gain >= 1 && choice.candidates > 1 && choice.confidence > 0 && choice.confidence <= 1);
    /* L2 holds 12 MB: a launch, and at most 64 B a cycle for each of 108 SMs at 1410 MHz. DRAM's 1555 GB/s would
     * need 8.1 us more. */
    assert_true(choice.time_ns > 1290 && choice.time_ns < 200000);
    double time_ns = 0;
    assert_int_equal(gpuperf_predict_time(profile, "vector_add", device, &launch, choice.local, &time_ns, &error),
                     GPUPERF_OK);
    assert_true(time_ns > 0);
    gpuperf_terms terms;
    assert_int_equal(gpuperf_predict_terms(profile, "vector_add", device, &launch, choice.local, &terms, &error),
                     GPUPERF_OK);
    assert_string_equal(terms.model, "throughput");
    assert_true(terms.time_ns == time_ns && fabs(terms.cycles / terms.clock_mhz * 1e3 - time_ns) < 1e-6 * time_ns);
    assert_true(terms.cycles >= terms.launch_cycles + fmax(terms.batches, terms.dram_cycles)); /* floors are floors */
    assert_int_equal(gpuperf_predict_terms(profile, "vector_sub", device, &launch, choice.local, &terms, &error),
                     GPUPERF_ENOTFOUND);
    assert_int_equal(gpuperf_choose(profile, "vector_add", device, &launch, &again, NULL), GPUPERF_OK);
    assert_memory_equal(&choice, &again, sizeof choice); /* bit for bit */
    char *text = gpuperf_explain(profile, "vector_add", device, &launch, &error);
    assert_non_null(text);
    assert_non_null(strstr(text, "vector_add on a100"));
    assert_non_null(strstr(text, "headroom: "));
    assert_null(strstr(text, "; 1.00x faster"));
    free(text);
    gpuperf_device_free(device);
    gpuperf_profile_free(profile);
}

/* A target that no file describes: the nearest device's choice with less confidence, and it says so. */
static void api_takes_the_nearest(void **state)
{
    (void)state;
    gpuperf_profile *profile = api_profile();
    gpuperf_device *listed = api_device("a6000"), *device = api_device("sm_87");
    gpuperf_argument n = {.index = 3, .value = 1 << 20};
    gpuperf_launch launch = {.dims = 1, .global = {1 << 20}, .arguments = &n, .argument_count = 1, .uniform = 1};
    gpuperf_choice choice, of_listed;
    assert_int_equal(gpuperf_choose(profile, "vector_add", device, &launch, &choice, NULL), GPUPERF_OK);
    assert_int_equal(gpuperf_choose(profile, "vector_add", listed, &launch, &of_listed, NULL), GPUPERF_OK);
    assert_true(choice.time_ns == of_listed.time_ns && choice.confidence < of_listed.confidence);
    char *text = gpuperf_explain(profile, "vector_add", device, &launch, NULL);
    assert_non_null(strstr(text, "sm_87 is not in the database, the numbers are those of a6000"));
    free(text);
    gpuperf_device_free(listed);
    gpuperf_device_free(device);
    gpuperf_profile_free(profile);
}

static void api_says_what_is_wrong(void **state)
{
    (void)state;
    gpuperf_error error = {""};
    gpuperf_profile *profile = api_profile();
    gpuperf_device *device = api_device("a100");
    gpuperf_launch launch = {.dims = 1, .global = {1024}};
    gpuperf_choice choice;
    double time_ns;
    assert_null(gpuperf_profile_load("/nonexistent.gpuperf", &error));
    assert_non_null(strstr(error.text, "/nonexistent.gpuperf"));
    assert_null(gpuperf_profile_from_memory("", 0, &error));
    assert_null(gpuperf_profile_from_memory("no profile here", 15, NULL));
    assert_null(gpuperf_device_open("abacus", &error));
    assert_non_null(strstr(error.text, "gpuperf devices")); /* lists what there is */
    assert_int_equal(gpuperf_choose(profile, "vector_sub", device, &launch, &choice, &error), GPUPERF_ENOTFOUND);
    launch.global[0] = 0;
    assert_int_equal(gpuperf_choose(profile, "vector_add", device, &launch, &choice, &error), GPUPERF_ELAUNCH);
    launch.dims = 4;
    assert_int_equal(gpuperf_choose(profile, "vector_add", device, &launch, &choice, &error), GPUPERF_ELAUNCH);
    launch = (gpuperf_launch){
        .dims = 1, .global = {1024}, .arguments = &(gpuperf_argument){.index = 9}, .argument_count = 1};
    assert_int_equal(gpuperf_choose(profile, "vector_add", device, &launch, &choice, &error), GPUPERF_ENOTFOUND);
    launch.arguments = &(gpuperf_argument){.index = 0};
    assert_int_equal(gpuperf_choose(profile, "vector_add", device, &launch, &choice, &error), GPUPERF_EINPUT);
    launch.argument_count = 0;
    assert_int_equal(
        gpuperf_predict_time(profile, "vector_add", device, &launch, (uint32_t[3]){2048, 1, 1}, &time_ns, &error),
        GPUPERF_ELAUNCH);
    assert_int_equal(
        gpuperf_predict_time(profile, "vector_add", device, &launch, (uint32_t[3]){0, 1, 1}, &time_ns, &error),
        GPUPERF_ELAUNCH);
    assert_non_null(error.text[0] ? error.text : NULL);
    launch.max_local = 64;
    assert_int_equal(
        gpuperf_predict_time(profile, "vector_add", device, &launch, (uint32_t[3]){128, 1, 1}, &time_ns, &error),
        GPUPERF_ELAUNCH);
    assert_non_null(strstr(error.text, "more than the 64"));
    launch.uniform = 1;
    assert_int_equal(
        gpuperf_predict_time(profile, "vector_add", device, &launch, (uint32_t[3]){48, 1, 1}, &time_ns, &error),
        GPUPERF_ELAUNCH);
    assert_non_null(strstr(error.text, "does not divide"));
    gpuperf_profile_free(NULL);
    gpuperf_device_free(NULL);
    gpuperf_device_free(device);
    gpuperf_profile_free(profile);
}

/* Limits below every candidate leave the longest row that they allow. */
static void api_keeps_narrow_limits(void **state)
{
    (void)state;
    static const uint32_t limits[][3] = {
        {1, 1, 1}, {7, 7, 4}, {29, 29, 16}}; /* the limit; the size; the size that divides 1024 */
    gpuperf_profile *profile = api_profile();
    gpuperf_device *device = api_device("a100");
    for (int uniform = 0; uniform < 2; uniform++)
        for (int i = 0; i < 3; i++) {
            gpuperf_launch launch = {.dims = 1, .global = {1024}, .uniform = uniform, .max_local = limits[i][0]};
            gpuperf_choice choice;
            gpuperf_error error = {""};
            if (gpuperf_choose(profile, "vector_add", device, &launch, &choice, &error) != GPUPERF_OK)
                fail_msg("%s", error.text);
            assert_int_equal(choice.local[0], limits[i][1 + uniform]);
        }
    gpuperf_device_free(device);
    gpuperf_profile_free(profile);
}

static void api_shares_out(void **state)
{
    (void)state;
    gpuperf_error error = {""};
    gpuperf_profile *profile = api_profile();
    gpuperf_device *fast = api_device("a100"), *slow = api_device("rtx3080");
    gpuperf_argument n = {.index = 3, .value = 1 << 26};
    gpuperf_launch launch = {.dims = 1, .global = {1 << 26}, .arguments = &n, .argument_count = 1, .uniform = 1};
    const gpuperf_profile *profiles[] = {profile, profile};
    const gpuperf_device *devices[] = {fast, slow};
    const gpuperf_transfer wire[] = {{.sent_bytes = 1e9, .gbps = 1}, {.latency_ns = 10}};
    gpuperf_share shares[2];
    uint32_t dimension;
    double together = 0, alone = 0;
    if (gpuperf_split(profiles, "vector_add", devices, 2, &launch, NULL, shares, &dimension, &together, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(dimension, 0);
    assert_int_equal(shares[0].offset, 0);
    assert_int_equal(shares[1].offset, shares[0].items);
    assert_int_equal(shares[0].items + shares[1].items, 1 << 26);
    assert_true(shares[0].items > shares[1].items && shares[1].items > 1 << 24);
    assert_int_equal(gpuperf_predict_time(profile, "vector_add", fast, &launch, shares[0].local, &alone, &error),
                     GPUPERF_OK);
    assert_true(together < 0.75 * alone);
    /* A gigabyte through a slow wire takes longer than all the work does on the other one. */
    assert_int_equal(
        gpuperf_split(profiles, "vector_add", devices, 2, &launch, wire, shares, &dimension, &together, &error), 0);
    assert_int_equal(shares[0].items, 0);
    assert_int_equal(shares[1].items, 1 << 26);
    assert_int_equal(
        gpuperf_split(profiles, "vector_add", devices, 0, &launch, NULL, shares, &dimension, &together, &error),
        GPUPERF_EINPUT);
    assert_int_equal(
        gpuperf_split(profiles, "vector_sub", devices, 2, &launch, NULL, shares, &dimension, &together, &error),
        GPUPERF_ENOTFOUND);
    gpuperf_device_free(fast);
    gpuperf_device_free(slow);
    gpuperf_profile_free(profile);
}

/* A share of c[i] = a[i] + b[i] reads as many words, from where it begins. */
static void api_tells_what_a_share_reads(void **state)
{
    (void)state;
    gpuperf_error error = {""};
    gpuperf_profile *profile = api_profile();
    gpuperf_device *device = api_device("a100");
    const gpuperf_launch share = {.dims = 1, .offset = {1000}, .global = {512}};
    const uint32_t local[3] = {256, 1, 1};
    uint64_t from = 1, to = 1;
    for (uint32_t i = 0; i < 3; i++) {
        if (gpuperf_read_range(profile, "vector_add", device, &share, local, i, &from, &to, &error) != GPUPERF_OK)
            fail_msg("%s", error.text);
        bool written = from == 0 && to == 0;
        assert_true(written || (from == 4000 && to == 4000 + 2048));
        assert_int_equal(written, i == 2); /* c */
    }
    assert_int_equal(gpuperf_read_range(profile, "vector_add", device, &share, local, 3, &from, &to, &error),
                     GPUPERF_EINPUT);
    assert_int_equal(gpuperf_read_range(profile, "vector_add", device, &share, local, 9, &from, &to, &error),
                     GPUPERF_EINPUT);
    assert_int_equal(gpuperf_read_range(profile, "vector_add", device, &share, NULL, 0, &from, &to, &error),
                     GPUPERF_EINPUT);
    gpuperf_device_free(device);
    gpuperf_profile_free(profile);
}

static void api_takes_no_null(void **state)
{
    (void)state;
    gpuperf_error error = {""};
    gpuperf_profile *profile = api_profile();
    gpuperf_device *device = api_device("a100");
    gpuperf_launch launch = {.dims = 1, .global = {1024}},
                   no_arguments = {.dims = 1, .global = {1024}, .argument_count = 3};
    gpuperf_choice choice;
    double time_ns;
    assert_int_equal(gpuperf_choose(NULL, "vector_add", device, &launch, &choice, &error), GPUPERF_EINPUT);
    assert_string_equal(error.text, "the profile is NULL");
    assert_int_equal(gpuperf_choose(profile, NULL, device, &launch, &choice, NULL), GPUPERF_EINPUT);
    assert_int_equal(gpuperf_choose(profile, "vector_add", NULL, &launch, &choice, NULL), GPUPERF_EINPUT);
    assert_int_equal(gpuperf_choose(profile, "vector_add", device, NULL, &choice, NULL), GPUPERF_EINPUT);
    assert_int_equal(gpuperf_choose(profile, "vector_add", device, &no_arguments, &choice, NULL), GPUPERF_EINPUT);
    assert_int_equal(gpuperf_choose(profile, "vector_add", device, &launch, NULL, NULL), GPUPERF_EINPUT);
    assert_int_equal(gpuperf_predict_time(profile, "vector_add", device, &launch, NULL, &time_ns, NULL),
                     GPUPERF_EINPUT);
    assert_int_equal(gpuperf_predict_time(profile, "vector_add", device, &launch, (uint32_t[3]){64, 1, 1}, NULL, NULL),
                     GPUPERF_EINPUT);
    assert_null(gpuperf_explain(NULL, "vector_add", device, &launch, &error));
    assert_null(gpuperf_profile_load(NULL, &error));
    assert_null(gpuperf_profile_from_memory(NULL, 10, &error));
    assert_null(gpuperf_profile_compile(NULL, NULL, NULL, &error));
    assert_null(gpuperf_device_open(NULL, &error));
    assert_int_equal(gpuperf_profile_kernels(NULL), 0);
    assert_null(gpuperf_profile_kernel_name(NULL, 0));
    gpuperf_device_override(NULL, 1, 1);
    gpuperf_device_free(device);
    gpuperf_profile_free(profile);
}

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    char command[256];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_is_siphash),
        cmocka_unit_test(hash_does_not_depend_on_pieces),
        cmocka_unit_test(map_keeps_what_it_is_given),
        cmocka_unit_test(options_that_clang_knows_are_kept),
        cmocka_unit_test(directories_become_absolute),
        cmocka_unit_test(standard_and_uniform_groups_are_noticed),
        cmocka_unit_test(headers_count),
        cmocka_unit_test(only_sources_with_the_word_include_headers),
        cmocka_unit_test(what_the_driver_defines_is_known),
        cmocka_unit_test(what_it_defines_depends_on_the_build),
        cmocka_unit_test(pocl_rule),
        cmocka_unit_test(pocl_rule_survives_odd_limits),
        cmocka_unit_test(buckets_of_arguments),
        cmocka_unit_test(what_is_built_is_taken),
        cmocka_unit_test(decisions_as_text),
        cmocka_unit_test(launches_are_cut_at_saturations),
        cmocka_unit_test(the_line_of_two_samples),
        cmocka_unit_test(windows_lie_all_over_the_range),
        cmocka_unit_test(uneven_work_does_not_mislead),
        cmocka_unit_test(a_gain_must_hold_for_whole_launches),
        cmocka_unit_test(little_confidence_is_tried),
        cmocka_unit_test(what_was_measured_is_checked),
        cmocka_unit_test(trials_end_in_what_was_measured),
        cmocka_unit_test(unasked_trials_lose_a_hundredth),
        cmocka_unit_test(keys_hold_what_decides_time),
        cmocka_unit_test(keys_hold_elements),
        cmocka_unit_test(a_choice_must_gain),
        cmocka_unit_test(a_prime_width_is_left_to_the_driver),
        cmocka_unit_test(cache_keeps_things),
        cmocka_unit_test(cache_bounds_sources),
        cmocka_unit_test(cache_bounds_decisions),
        cmocka_unit_test(cache_survives_damage),
        cmocka_unit_test(cache_leaves_links_alone),
        cmocka_unit_test(cache_leaves_others_files_alone),
        cmocka_unit_test(cache_takes_its_own_files_over),
        cmocka_unit_test(cache_adds_up_what_was_lost),
        cmocka_unit_test(cache_without_a_place),
        cmocka_unit_test(settings_from_the_environment),
        cmocka_unit_test(api_chooses),
        cmocka_unit_test(api_takes_the_nearest),
        cmocka_unit_test(api_keeps_narrow_limits),
        cmocka_unit_test(api_shares_out),
        cmocka_unit_test(api_tells_what_a_share_reads),
        cmocka_unit_test(api_takes_no_null),
        cmocka_unit_test(api_says_what_is_wrong),
    };
    return cmocka_run_group_tests_name("runtime", tests, make_directory, remove_directory);
}
