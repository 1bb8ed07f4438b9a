/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Launches with numbers at the ends of their types: all integer arguments at one of them, arguments drawn apart, global
 * sizes and offsets likewise. Predictions end, with finite times, and (in the sanitized build) without a report: what
 * is multiplied and added for addresses, distances and trip counts saturates (support/saturate.h). TEST_SEEDS in the
 * environment: so many draws.
 */
#include <math.h>

#include "hwdb/hwdb.h"
#include "model/predict.h"
#include "test/golden.h"

static uint64_t drawn = 1;
static uint32_t draw(uint32_t below)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33) % below;
}

static const uint64_t ends[] = {0,
                                1,
                                UINT64_MAX,
                                INT32_MAX,
                                UINT64_C(1) << 31,
                                UINT32_MAX,
                                INT64_MAX,
                                UINT64_C(1) << 63,
                                3,
                                UINT64_C(1) << 62,
                                UINT64_C(0) - (UINT64_C(1) << 31)};
enum { ENDS = sizeof ends / sizeof *ends, SIGNED_ENDS = 8 };

/* a[i * n], a[(i * n + j) % m], a loop of n rounds in steps of m that goes through a in rows of n bytes, a shift by m,
 * a tile of local memory, atomics. */
static const char *const own =
    "gpuperf-profile 1\n"
    "kernel strided\n  param a: buffer 64 in global size 8\n  param n: int 64 size 8\n  param m: int 64 size 8\n  "
    "param k: int 32 signed size 4\n  local t: 4096\n  dims 2\n"
    "  local-size-agnostic yes\n  loop 0: header 1 latch 1 bound executed\n  induction %r loop 0 step $m\n"
    "  block 0: ipdom 2\n    %x = id.global_id.0 i64\n    %y = id.global_id.1 i64\n    %xn = mul i64 %x, $n\n    %o = "
    "shl i64 %xn, 3\n    %p = add i64 $a, %o\n"
    "    %v = load i64 %p in global 8x1 base $a\n    %s = add i64 %xn, %y\n    %w = urem i64 %s, $m\n    %wo = shl i64 "
    "%w, 3\n    %q = add i64 $a, %wo\n    store %q, %v in global 8x1 base $a\n"
    "    %kk = sext i32 $k to i64\n    %ky = mul i64 %y, %kk\n    %kb = mul i64 %ky, $n\n    %kp = add i64 $a, %kb\n   "
    " %kv = load i32 %kp in global 4x1 base $a\n"
    "    %sh = shl i64 %x, $m\n    %sp = add i64 $a, %sh\n    %sv = load i32 %sp in global 4x1 base $a\n    %tt = and "
    "i64 %xn, 1023\n    %tb = shl i64 %tt, 2\n    %tp = add i64 local.t, %tb\n"
    "    store %tp, %sv in local 4x1 base local.t\n    %at = atomic i32 %q, 1 in global 4x1 base $a returns\n    %any "
    "= icmp.slt i64 %x, $n\n    condbr %any, block 1, block 2 kind thread\n"
    "  block 1: ipdom 2 loop 0\n    %r = phi i64 [block 0: %x], [block 1: %next]\n    %rn = mul i64 %r, $n\n    %rp = "
    "add i64 $a, %rn\n    %rv = load i32 %rp in global 4x1 base $a\n"
    "    %rr = mul i64 %r, %r\n    %rq = sub i64 %rp, %rr\n    store %rq, %rv in global 4x1 base $a\n    %next = add "
    "i64 %r, $m\n    %more = icmp.slt i64 %next, $n\n    condbr %more, block 1, block 2\n"
    "  block 2:\n    ret\n";

static const char *const kernels[] = {"vector_add",      "transpose_naive",  "transpose_tiled", "transpose_padded",
                                      "matrix_multiply", "divergent_branch", "data_loop",       "loop_nest"};
enum { GOLDEN = sizeof kernels / sizeof *kernels, PROFILES };
static struct gp_profile *profiles[PROFILES];

static const char *const names[] = {"a100", "gtx280", "mi250x", "w7800", "pocl-cpu"};
enum { DEVICES = sizeof names / sizeof *names };
static struct gp_device *devices[DEVICES];

/* ---- Launches ---------------------------------------------------------------------------------------------------- */

static struct gp_launch usual(const struct gp_kernel *kernel)
{
    struct gp_launch launch = {.dims = kernel->dims > 0 ? kernel->dims : 1,
                               .global = {512, 1, 1},
                               .local = {32, 1, 1},
                               .assumed_trip_count = 4};
    for (uint32_t d = 1; d < launch.dims; d++)
        launch.global[d] = 64;
    if (kernel->stated.required_local[0] > 0)
        memcpy(launch.local, kernel->stated.required_local, sizeof launch.local);
    return launch;
}

static void set_arguments(struct gp_launch *launch, const struct gp_kernel *kernel, uint64_t (*number)(uint64_t),
                          uint64_t context)
{
    for (uint32_t i = 0; i < kernel->param_count; i++)
        if (kernel->params[i].kind == GP_PARAM_INT)
            launch->arguments[i] = (struct gp_argument){.known = true, .value = number(context)};
}

static uint64_t same(uint64_t number) { return number; }
static uint64_t one_of(uint64_t unused)
{
    (void)unused;
    return ends[draw(ENDS)];
}

static void predict(const struct gp_profile *profile, const struct gp_launch *launch)
{
    static const enum gp_model models[] = {GP_MODEL_AUTO, GP_MODEL_THROUGHPUT, GP_MODEL_TRACE, GP_MODEL_MWP_CWP};
    const struct gp_kernel *kernel = &profile->kernels[0];
    const struct gp_device *device = devices[draw(DEVICES)];
    struct gp_error error = {""};
    struct gp_predictor *predictor = gp_predictor_new(profile, kernel);
    struct gp_predict_options options = {.bottlenecks = true, .quick = draw(2) == 0, .model = models[draw(4)]};
    struct gp_prediction *prediction = malloc(sizeof *prediction);
    if (gp_predict(predictor, device, launch, &options, prediction, &error) && prediction->feasible &&
        !(isfinite(prediction->time_ns) && prediction->time_ns >= 0))
        fail_msg("%s on %s: %g ns", kernel->name, device->name, prediction->time_ns);
    free(prediction);
    gp_predictor_free(predictor);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

static void all_arguments_at_one_end(void **state)
{
    (void)state;
    for (int k = 0; k < PROFILES; k++)
        for (int end = 0; end < SIGNED_ENDS; end++) {
            const struct gp_kernel *kernel = &profiles[k]->kernels[0];
            struct gp_launch launch = usual(kernel);
            set_arguments(&launch, kernel, same, ends[end]);
            predict(profiles[k], &launch);
        }
}

static void draws(void **state)
{
    (void)state;
    const char *asked = getenv("TEST_SEEDS");
    for (int seed = 1; seed <= (asked != NULL ? atoi(asked) : 40); seed++) {
        drawn = (uint64_t)seed;
        const struct gp_profile *profile = profiles[draw(2) == 0 ? PROFILES - 1 : draw(PROFILES)];
        const struct gp_kernel *kernel = &profile->kernels[0];
        struct gp_launch launch = usual(kernel);
        set_arguments(&launch, kernel, one_of, 0);
        for (uint32_t d = 0; d < launch.dims; d++) {
            uint64_t size = ends[draw(ENDS)];
            launch.global[d] = draw(3) == 0 && size > 0 ? size : launch.global[d];
            launch.offset[d] = draw(3) == 0 ? ends[draw(ENDS)] : 0;
        }
        for (uint32_t i = 0; i < kernel->param_count; i++)
            if (kernel->params[i].kind == GP_PARAM_BUFFER && draw(3) == 0)
                launch.arguments[i].bytes = ends[draw(ENDS)];
        predict(profile, &launch);
    }
}

int main(void)
{
    for (int k = 0; k < GOLDEN; k++)
        profiles[k] = golden_profile(kernels[k]);
    profiles[GOLDEN] = parse_text(own);
    for (int k = 0; k < DEVICES; k++)
        devices[k] = gp_device_load(names[k], SOURCE_HWDB, NULL);
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_arguments_at_one_end), cmocka_unit_test(draws)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int k = 0; k < PROFILES; k++)
        gp_profile_free(profiles[k]);
    for (int k = 0; k < DEVICES; k++)
        gp_device_free(devices[k]);
    return failed;
}
