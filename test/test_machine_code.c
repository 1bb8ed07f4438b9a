/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a backend's code has for the vector instructions of a profile, and what predictions make of it. */
#include "test/golden.h"

#include "model/compilers/machine_code.h"
#include "model/predict.h"
#include "model/assume/defaults.h"

static struct gp_device *device_of(const char *name)
{
    struct gp_error error = {{0}};
    struct gp_device *device = gp_device_load(name, SOURCE_HWDB, &error);
    if (device == NULL)
        fail_msg("%s", error.text);
    return device;
}

/* A loop with such a body that goes round 1000 times by a counter of the scalar unit; `code` is what the backend made
 * of it. */
static struct gp_profile *loop_around(const char *body, const char *behind, const char *code)
{
    struct gp_text text = {0};
    gp_text_printf(&text,
                   "gpuperf-profile 1\ntriple \"amdgcn-amd-amdhsa\"\nkernel k\n  param a: buffer 64 in global skeleton "
                   "size 8\n  local tile: 4096 align 4\n  dims 1\n  resources registers 32 from llvm\n"
                   "  loop 0: header 1 latch 1 bound constant trips 1000\n%s  block 0: ipdom 1\n    br block 1\n  "
                   "block 1: ipdom 2 loop 0\n    %%i = phi i32 [block 0: 0], [block 1: %%next]\n%s"
                   "    %%next = add i32 %%i, 1 : int32.add uniform\n    %%more = icmp.ult i32 %%next, 1000 : "
                   "int32.cmp uniform\n    condbr %%more, block 1, block 2 kind induction\n  block 2:\n%s    ret\n",
                   code, body, behind);
    struct gp_profile *profile = parse_text(text.data);
    gp_text_free(&text);
    return profile;
}

/* 64 FMAs in one instruction and so many loads of a word that all lanes share from local memory. */
static struct gp_profile *loading_loop(unsigned loads, const char *code)
{
    struct gp_text body = {0};
    gp_text_printf(&body, "    %%x = weight f32 : fp32.fma x64\n");
    for (unsigned k = 0; k < loads; k++)
        gp_text_printf(&body, "    %%l%u = load i32 local.tile in local 4x1 base local.tile\n", k);
    struct gp_profile *profile = loop_around(body.data, "", code);
    gp_text_free(&body);
    return profile;
}

/* So many independent FMAs, and six additions behind the loop. */
static struct gp_profile *loop_of(unsigned fmas, const char *code)
{
    struct gp_text body = {0};
    for (unsigned k = 0; k < fmas; k++)
        gp_text_printf(&body, "    %%x%u = weight f32 : fp32.fma\n", k);
    struct gp_profile *profile = loop_around(body.data, "    %y = weight i32 : int32.add x6\n", code);
    gp_text_free(&body);
    return profile;
}

static void factor(const char *device_name, const char *code, double expected, double outside)
{
    struct gp_device *device = device_of(device_name);
    struct gp_profile *profile = loop_of(64, code);
    struct gp_cost costs[GP_CLASS_COUNT];
    struct gp_code_factors factors[3];
    gp_cost_table(device, costs, NULL);
    gp_machine_code_factors(&profile->kernels[0], device, costs, factors);
    assert_float_equal(factors[0].vector, outside, 1e-6);
    assert_float_equal(factors[1].vector, expected, 1e-6);
    assert_float_equal(factors[2].vector, outside, 1e-6);
    gp_device_free(device);
    gp_profile_free(profile);
}

static void compares_loop_by_loop(void **state)
{
    (void)state;
    const char *pairs = "  code loop 0 vector 33 floats 64\n  code vector 9 floats 0\n";
    factor("w7800", "", 1, 1);
    factor("w7800", pairs, 33.0 / 64, 1.5); /* the counter and its comparison are the scalar unit's */
    factor("mi250x", "  code loop 0 vector 96 floats 64\n", 1.5, 1);
    factor("w7800", "  code loop 0 vector 160 floats 128\n  code vector 9 floats 0\n", 1,
           1); /* unrolled once more: what has no floats may be, too */
    factor("w7800", "  code loop 0 vector 2000 floats 64\n", 3, 1); /* no further */
    factor("a100", pairs, 1, 1);
}

/* With so many work-items. Takes the profile over. */
static double cycles_on(const char *device_name, uint64_t items, struct gp_profile *profile, enum gp_model model)
{
    struct gp_error error = {{0}};
    struct gp_device *device = device_of(device_name);
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    struct gp_launch launch;
    struct gp_prediction prediction;
    gp_launch_default(&profile->kernels[0], &launch);
    gp_launch_set_global(&profile->kernels[0], &launch, 1, (const uint64_t[3]){items, 1, 1});
    launch.cold = false; /* one of many on the same data */
    launch.local[0] = items < 256 ? (uint32_t)items : 256;
    if (!gp_predict(predictor, device, &launch, &(struct gp_predict_options){.model = model}, &prediction, &error))
        fail_msg("%s", error.text);
    gp_predictor_free(predictor);
    gp_device_free(device);
    gp_profile_free(profile);
    return prediction.cycles;
}

static double cycles(struct gp_profile *profile, enum gp_model model)
{
    return cycles_on("w7800", 1 << 20, profile, model);
}

/* A lone wave takes as long for two in one instruction as for one: the loop's counter, which the scalar unit counts, is
 * as long in both. */
static void scalar_instructions_are_not_paired(void **state)
{
    (void)state;
    double one = cycles_on("mi250x", 64, loop_of(1, "  code loop 0 vector 1 floats 1\n"), GP_MODEL_THROUGHPUT),
           pair = cycles_on("mi250x", 64, loop_of(2, "  code loop 0 vector 1 floats 2\n"), GP_MODEL_THROUGHPUT);
    assert_float_equal(pair, one, 1e-6 * one);
}

/* Two in one instruction take half the time, by both models. */
static void pairs_are_faster(void **state)
{
    (void)state;
    for (enum gp_model model = GP_MODEL_THROUGHPUT; model <= GP_MODEL_TRACE; model++) {
        if (model == GP_MODEL_MWP_CWP)
            continue;
        double apart = cycles(loop_of(64, ""), model),
               paired = cycles(loop_of(64, "  code loop 0 vector 33 floats 64\n"), model);
        assert_in_range(100 * paired / apart, 48, 58);
    }
}

/* A compiler that keeps what another one loads again takes half the time, by both models; one that loads it more often
 * takes longer; of other loops nothing is known. */
static void words_kept_in_registers_are_not_loaded(void **state)
{
    (void)state;
    const enum gp_model models[] = {GP_MODEL_THROUGHPUT, GP_MODEL_TRACE};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        enum gp_model model = models[i];
        double as_told = cycles(loading_loop(400, ""), model);
        assert_in_range(100 * cycles(loading_loop(400, "  code loop 0 vector 64 floats 64 local-words 200\n"), model) /
                            as_told,
                        48, 56);
        assert_in_range(100 * cycles(loading_loop(400, "  code loop 0 vector 64 floats 64 local-words 800\n"), model) /
                            as_told,
                        190, 202);
        assert_float_equal(cycles(loading_loop(400, "  code loop 0 vector 128 floats 128 local-words 200\n"), model),
                           as_told, 1e-9);
        assert_float_equal(cycles(loading_loop(400, "  code loop 0 vector 64 floats 64\n"), model), as_told, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(compares_loop_by_loop), cmocka_unit_test(pairs_are_faster),
                                       cmocka_unit_test(scalar_instructions_are_not_paired),
                                       cmocka_unit_test(words_kept_in_registers_are_not_loaded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
