/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a core's caches have of accesses, and which local size a launch on a CPU should have for it. */
#include "test/golden.h"

#include <math.h>

#include "model/cache/cpu_caches.h"
#include "model/predict.h"
#include "model/assume/defaults.h"

static struct gp_device *load_cpu(void)
{
    struct gp_error error = {{0}};
    struct gp_device *device = gp_device_load("pocl-cpu", SOURCE_HWDB, &error);
    assert_non_null(device);
    return device;
}

/* `rounds` times through `count` floats, `stride` bytes apart. */
static struct gp_cpu_touches go_through(uint64_t count, uint64_t stride, int rounds)
{
    struct gp_device *device = load_cpu();
    struct gp_cpu_caches *caches = gp_cpu_caches_new(device);
    struct gp_cpu_touches touches = {0};
    assert_non_null(caches);
    for (int round = 0; round < rounds; round++)
        for (uint64_t i = 0; i < count; i++)
            gp_cpu_touch(caches, ((uint64_t)1 << 44) + i * stride, 4, &touches);
    gp_cpu_caches_free(caches);
    gp_device_free(device);
    return touches;
}

static void lines_in_a_row_are_streamed(void **state)
{
    (void)state;
    struct gp_cpu_touches t = go_through(1 << 16, 4, 1);
    assert_true(t.accesses == 1 << 16);
    assert_true(t.l1 == (1 << 16) / 16);
    assert_true(t.l2 == t.l1 / 64); /* the first of each page is waited for */
    assert_true(t.streamed == t.l1 - t.l2);
    assert_true(t.pages == (1 << 18) / 4096);
}

static void what_fits_stays(void **state)
{
    (void)state;
    struct gp_cpu_touches t = go_through(256, 64, 10); /* half of L1 */
    assert_true(t.l1 == 256);
    t = go_through(4096, 64, 10); /* a quarter of L2 */
    assert_true(t.l1 > 0.98 * 40960);
    assert_true(t.l2 + t.streamed == 4096);
    assert_true(t.pages == 64);
}

/* All lines at one place of their page fall into one of L1's sets, and into L2's sets as by lot; 4096 pages are more
 * than the translations that are kept. */
static void lines_a_power_of_two_apart_fall_into_one_set(void **state)
{
    (void)state;
    struct gp_cpu_touches t = go_through(8, 8192, 10);
    assert_true(t.l1 == 8);
    t = go_through(64, 8192, 10);
    assert_true(t.l1 == 640);
    assert_in_range((uint64_t)t.l2, 64, 128);
    t = go_through(4096, 8192, 10);
    assert_true(t.l2 > 0.9 * t.accesses);
    assert_true(t.pages > 0.9 * t.accesses);
    assert_true(t.streamed == 0);
}

/* Stores wait for their lines side by side, unless these fall into one set: 2400 bytes apart they lie in all sets, 8192
 * in one, 3072 in four, whose eight ways 56 of them fill. */
static void lines_of_few_sets_are_crowded(void **state)
{
    (void)state;
    struct gp_cpu_touches t = go_through(2048, 2400, 4);
    assert_true(t.l1 > 0.9 * t.accesses);
    assert_true(t.crowded == 0);
    t = go_through(2048, 8192, 4);
    assert_true(t.crowded > 0.9 * t.l1);
    t = go_through(2048, 3072, 4); /* four sets, too, and too far for a prefetcher */
    assert_true(t.crowded > 0.9 * t.l1);
}

/* As a profile may claim that nobody made from code. */
static void no_access_is_larger_than_a_page(void **state)
{
    (void)state;
    struct gp_device *device = load_cpu();
    struct gp_cpu_caches *caches = gp_cpu_caches_new(device);
    struct gp_cpu_touches touches = {0};
    gp_cpu_touch(caches, (uint64_t)1 << 44, UINT32_MAX, &touches);
    assert_in_range((uint64_t)touches.l1, 64, 65);
    gp_cpu_caches_free(caches);
    gp_device_free(device);
}

/* A core computes while lines come to it. */
static void assert_terms_add_up(const struct gp_prediction *p, double start)
{
    const struct gp_terms *t = &p->terms;
    double group = t->group_items * fmax(t->computing, t->missing),
           cores = t->groups_per_core * (group + t->barriers_cycles + start);
    assert_true(fabs(t->group_cycles - group) <= 1e-9 * group);
    assert_true(fabs(t->cores_cycles - cores) <= 1e-9 * cores);
    assert_true(fabs(t->cycles - fmax(cores, t->memory_cycles) - t->launch_cycles) <= 1e-9 * t->cycles);
}

/* A profile's first kernel, timed on so many cores of the CPU. */
static double time_on(double cores, const char *text, const uint64_t global[3], uint32_t x, uint32_t y)
{
    struct gp_profile *profile = parse_text(text);
    struct gp_device *device = load_cpu();
    struct gp_launch *launch = calloc(1, sizeof *launch);
    struct gp_prediction *prediction = malloc(sizeof *prediction);
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    const struct gp_predict_options options = {.quick = true};
    struct gp_error error = {{0}};
    device->sm_count.value = cores;
    gp_launch_default(&profile->kernels[0], launch);
    gp_launch_set_global(&profile->kernels[0], launch, 2, global);
    launch->cold = false; /* one of many on the same data */
    memcpy(launch->local, (const uint32_t[3]){x, y, 1}, sizeof launch->local);
    assert_true(gp_predict(predictor, device, launch, &options, prediction, &error));
    assert_terms_add_up(prediction, device->group_dispatch_clk.value);
    double time = prediction->time_ns;
    gp_predictor_free(predictor);
    free(prediction);
    free(launch);
    gp_device_free(device);
    gp_profile_free(profile);
    return time;
}

static double time_of(const char *text, const uint64_t global[3], uint32_t x, uint32_t y)
{
    return time_on(1, text, global, x, y); /* no other core takes its lines */
}

/* out[(x & 255) * stride] = 0, all of it in L1. */
static double time_of_stores(uint32_t stride)
{
    struct gp_text text = {0};
    gp_text_printf(&text,
                   "gpuperf-profile 1\nkernel k\n  param out: buffer 64 in global skeleton size 8\n  dims 2\n  "
                   "resources registers 8 from estimate\n  block 0:\n"
                   "    %%x = id.global_id.0 i64\n    %%m = and i64 %%x, 255 : int64.logic\n    %%a = mul i64 %%m, %u "
                   ": int64.shift\n    %%to = add i64 $out, %%a : int64.add\n"
                   "    store %%to, $0 in global 1x1 base $out\n    ret\n",
                   stride);
    double time = time_of(text.data, (const uint64_t[3]){1 << 24, 1, 1}, 4096, 1);
    gp_text_free(&text);
    return time;
}

/* Bytes side by side are one store of a vector; three apart, eight. */
static void elements_apart_are_stored_one_by_one(void **state)
{
    (void)state;
    assert_true(time_of_stores(3) > 1.5 * time_of_stores(1));
}

/* Counters by the low bits of what each work-item computes: so many, 64 bytes apart, or one of its own. */
static double time_of_atomics(double cores, uint32_t counters)
{
    struct gp_text text = {0};
    gp_text_printf(&text,
                   "gpuperf-profile 1\nkernel k\n  param out: buffer 64 in global skeleton size 8\n  dims 2\n  "
                   "resources registers 8 from estimate\n  block 0:\n    %%x = id.global_id.0 i64\n"
                   "    %%h = mul i64 %%x, 40503 : int64.mul\n    %%s = lshr i64 %%h, 7 : int64.shift\n"
                   "    %%m = and i64 %%s, %u : int64.logic\n    %%a = mul i64 %%m, 64 : int64.shift\n"
                   "    %%to = add i64 $out, %%a : int64.add\n"
                   "    %%old = atomic i32 %%to, 1 in global 4x1 base $out\n    ret\n",
                   counters - 1);
    double time = time_on(cores, text.data, (const uint64_t[3]){1 << 20, 1, 1}, 256, 1);
    gp_text_free(&text);
    return time;
}

/* Two cores that count on 16 lines take them from each other; on 65536 they seldom meet, and are twice as fast as one.
 */
static void cores_take_lines_from_each_other(void **state)
{
    (void)state;
    assert_true(time_of_atomics(2, 16) > time_of_atomics(1, 16));
    assert_true(time_of_atomics(2, 65536) < 0.6 * time_of_atomics(1, 65536));
}

/* A column of 2048 rows: out[x * 2048 + y] = in[y * 2048 + x]. */
static double time_of_transpose(uint32_t x, uint32_t y)
{
    struct gp_text text = {0};
    gp_text_printf(&text,
                   "gpuperf-profile 1\nkernel k\n  param in: buffer 64 in global skeleton size 8\n  param out: buffer "
                   "64 in global skeleton size 8\n  dims 2\n"
                   "  resources registers 8 from estimate\n  block 0:\n    %%x = id.global_id.0 i64\n    %%y = "
                   "id.global_id.1 i64\n"
                   "    %%a = mul i64 %%y, 8192 : int64.mul\n    %%b = mul i64 %%x, 4 : int64.mul\n    %%c = add i64 "
                   "%%a, %%b : int64.add\n"
                   "    %%from = add i64 $in, %%c : int64.add\n    %%v = load f32 %%from in global 4x1 base $in\n"
                   "    %%d = mul i64 %%x, 8192 : int64.mul\n    %%e = mul i64 %%y, 4 : int64.mul\n    %%f = add i64 "
                   "%%d, %%e : int64.add\n"
                   "    %%to = add i64 $out, %%f : int64.add\n    store %%to, %%v in global 4x1 base $out\n    ret\n");
    double time = time_of(text.data, (const uint64_t[3]){2048, 2048, 1}, x, y);
    gp_text_free(&text);
    return time;
}

/* Long rows write a column whose lines are lost before the next row: PoCL's own 512 x 8 was measured at 12 times the
 * time of 2 x 64. */
static void columns_want_short_rows(void **state)
{
    (void)state;
    assert_true(time_of_transpose(512, 8) > 2 * time_of_transpose(4, 64));
    assert_true(time_of_transpose(64, 1) > 2 * time_of_transpose(8, 64));
}

/* A loop over 1024 floats in L1 whose sum waits for itself (`carried`), or not. */
static double time_of_loop(bool carried)
{
    struct gp_text text = {0};
    gp_text_printf(&text,
                   "gpuperf-profile 1\nkernel k\n  param in: buffer 64 in global skeleton size 8\n  dims 1\n  "
                   "resources registers 8 from estimate\n  loop 0: header 1 latch 1 bound scalar-evolution unroll 1 "
                   "trips 1024\n  block 0: ipdom 1\n    %%x = id.global_id.0 i64\n    br block 1\n"
                   "  block 1: ipdom 2 loop 0\n    %%i = phi i64 [block 0: 0], [block 1: %%n] : free\n"
                   "    %%sum = phi f32 [block 0: 0], [block 1: %%s] : free\n"
                   "    %%m = mul i64 %%i, 4 : free\n    %%a = add i64 $in, %%m : free\n"
                   "    %%v = load f32 %%a in global 4x1 base $in\n    %%s = weight f32 %s, %%v : fp32.add\n"
                   "    %%n = add i64 %%i, 1 : int64.add\n    %%c = icmp.ult i64 %%n, 1024 : int64.cmp\n"
                   "    condbr %%c, block 1, block 2 kind induction : branch\n  block 2:\n    ret\n",
                   carried ? "%sum" : "%v");
    double time = time_of(text.data, (const uint64_t[3]){1 << 12, 1, 1}, 64, 1);
    gp_text_free(&text);
    return time;
}

/* Four cycles of an addition's latency for each, where a core of four issue slots would take two. */
static void sums_wait_for_themselves(void **state)
{
    (void)state;
    double carried = time_of_loop(true), free_of_it = time_of_loop(false);
    assert_true(carried > 1.5 * free_of_it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_in_a_row_are_streamed),
        cmocka_unit_test(what_fits_stays),
        cmocka_unit_test(lines_a_power_of_two_apart_fall_into_one_set),
        cmocka_unit_test(lines_of_few_sets_are_crowded),
        cmocka_unit_test(no_access_is_larger_than_a_page),
        cmocka_unit_test(sums_wait_for_themselves),
        cmocka_unit_test(elements_apart_are_stored_one_by_one),
        cmocka_unit_test(cores_take_lines_from_each_other),
        cmocka_unit_test(columns_want_short_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
