/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Profiles that would keep whoever follows operands busy for ever. Values that are made of themselves are refused;
 * values that are made of the same ones over and over, of which there are more ways than anybody can go, are valid:
 * each walker in the model gives up in time. The test ends, or ctest ends it.
 */
#include "hwdb/hwdb.h"
#include "model/compilers/loop_text.h"
#include "model/predict.h"
#include "test/golden.h"

/* ---- Cycles ------------------------------------------------------------------------------------------------------ */

static const char *const head =
    "gpuperf-profile 1\nkernel k\nparam a: buffer 64 in global\nparam n: int 64 size 8\nprivate p: 64\ndims 1\n";

static const struct {
    const char *code, *where;
} cycles[] = {
    {"block 0:\n%x = zext i32 %x to i64\nret\n", "kernel 'k', block 0, instruction %0"},
    {"block 0:\n%x = copy i64 %x\nret\n", "block 0, instruction %0"},
    {"block 0:\n%x = add i64 %y, 1\n%y = mul i64 %x, 2\nret\n", "block 0"},
    {"block 0:\n%x = sext i32 %y to i64\n%y = trunc i64 %x to i32\nret\n", "block 0"},
    {"block 0:\n%c = icmp.slt i64 $n, 5\n%x = select i64 %c, %x, 1\nret\n", "instruction %1"},
    {"block 0:\n%x = select i1 %x, 1, 0\nret\n", "instruction %0"},
    {"block 0:\n%p = add i64 $a, %x\n%v = load i32 %p in global 4x1 base $a\n%x = zext i32 %v to i64\nret\n",
     "block 0"},
    {"block 0:\n%p = add i64 $a, %old\n%old = atomic i64 %p, 1 in global 8x1 base $a returns\nret\n", "block 0"},
    {"block 0:\n%x = shuffle i32 %y\n%y = weight i32 %x\nret\n", "block 0"},
    {"callee 0: f\nblock 0:\n%x = call i32 %y, %x callee 0\n%y = call i32 %x callee 0\nret\n", "block 0"},
    {"block 0:\n%x = add i64 %y, 1\nbr block 1\nblock 1:\n%y = add i64 %z, 1\nbr block 2\nblock 2:\n%z = add i64 %x, "
     "1\nret\n",
     "block"},
    {"loop 0: header 1 latch 1 bound assumed\nblock 0:\nbr block 1\nblock 1: ipdom 2 loop 0\n%i = phi i64 [block 0: "
     "0], [block 1: %next]\n%next = add i64 %i, %more\n"
     "%more = and i64 %next, 1\n%c = icmp.slt i64 %next, $n\ncondbr %c, block 1, block 2\nblock 2:\nret\n",
     "block 1"},
    {"loop 0: header 1 latch 1 bound scalar-evolution trips %t\nblock 0:\nbr block 1\nblock 1: ipdom 2 loop 0\n%c = "
     "icmp.slt i64 $n, 1\ncondbr %c, block 1, block 2\nblock 2:\nret\n"
     "expressions:\n%t = add i64 %t, 1\n",
     "instruction"},
};

static void cycles_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        char text[2048];
        struct gp_error error = {""};
        snprintf(text, sizeof text, "%s%s", head, cycles[i].code);
        struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
        if (profile != NULL)
            fail_msg("taken: %s", cycles[i].code);
        if (strstr(error.text, cycles[i].where) == NULL ||
            strstr(error.text, i + 1 < sizeof cycles / sizeof *cycles ? "made of itself" : "not earlier") == NULL)
            fail_msg("%s: %s", cycles[i].code, error.text);
    }
}

/* ---- More ways than anybody can go
 * ----------------------------------------------------------------------------------- */

/* Values v0 to v<length> of `first`, each made twice (or, of a call, eight times) of the one before. */
static void append_chain(struct gp_text *text, const char *name, const char *operation, int times, int length,
                         const char *first, const char *behind)
{
    gp_text_printf(text, "%%%s0 = %s\n", name, first);
    for (int i = 1; i <= length; i++) {
        gp_text_printf(text, "%%%s%d = %s", name, i, operation);
        for (int k = 0; k < times; k++)
            gp_text_printf(text, "%s %%%s%d", k > 0 ? "," : "", name, i - 1);
        gp_text_printf(text, "%s\n", behind);
    }
}

/* A kernel whose branch, addresses, private index and loop are made of such a chain. */
static struct gp_profile *with_chain(const char *operation, int times, int length, bool counted, const char *behind)
{
    struct gp_text text = {0};
    char trips[64];
    snprintf(trips, sizeof trips, counted ? "scalar-evolution data trips %%t%d" : "assumed data", length);
    gp_text_printf(&text,
                   "%scallee 0: f\nloop 0: header 1 latch 1 bound %s\ninduction %%i loop 0 step 1\nblock 0: ipdom 3\n",
                   head, trips);
    append_chain(&text, "v", operation, times, length, "add i64 $n, 1", behind);
    gp_text_printf(&text,
                   "%%c = icmp.slt i64 %%v%d, $n\ncondbr %%c, block 1, block 3 kind data\nblock 1: ipdom 2 loop 0\n%%i "
                   "= phi i64 [block 0: %%v%d], [block 1: %%next]\n",
                   length, length);
    append_chain(&text, "w", operation, times, length, "add i64 %i, %i", behind);
    gp_text_printf(&text,
                   "%%p = add i64 $a, %%w%d\n%%l = load i64 %%p in global 8x1 base $a\n%%q = add i64 private.p, "
                   "%%w%d\n%%m = load i64 %%q in private 8x1 base private.p\n"
                   "%%r = add i64 $a, %%l\nstore %%r, %%m in global 8x1 base $a\n%%next = add i64 %%i, 1\n%%d = "
                   "icmp.slt i64 %%next, %%w%d\ncondbr %%d, block 1, block 2 kind data\n"
                   "block 2: ipdom 3\nbr block 3\nblock 3:\nret\n",
                   length, length, length);
    if (counted) {
        gp_text_printf(&text, "expressions:\n");
        append_chain(&text, "t", operation, times, length, "add i64 $n, 1", behind);
    }
    struct gp_profile *profile = parse_text(text.data);
    gp_text_free(&text);
    return profile;
}

static void predict(const struct gp_profile *profile, const char *device_name)
{
    struct gp_error error = {""};
    struct gp_device *device = gp_device_load(device_name, SOURCE_HWDB, &error);
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    struct gp_predict_options options = {.bottlenecks = true};
    struct gp_launch launch = {
        .dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}, .assumed_trip_count = GP_DEFAULT_TRIP_COUNT};
    struct gp_prediction *prediction = malloc(sizeof *prediction);
    struct gp_text text = {0};
    if (!gp_predict(predictor, device, &launch, &options, prediction, &error) || !prediction->feasible)
        fail_msg("%s%s", error.text, prediction->why);
    gp_describe_loop(&profile->kernels[0], 0, 16, &text);
    assert_true(text.length < 65536);
    gp_text_free(&text);
    free(prediction);
    gp_predictor_free(predictor);
    gp_device_free(device);
}

static void walkers_give_up(void **state)
{
    (void)state;
    static const struct {
        const char *operation;
        int times;
        const char *behind;
    } chains[] = {{"add i64", 2, ""},  {"mul i64", 2, ""},  {"sub i64", 2, ""},    {"and i64", 2, ""},
                  {"xor i64", 2, ""},  {"umin i64", 2, ""}, {"smax i64", 2, ""},   {"shl i64", 2, ""},
                  {"udiv i64", 2, ""}, {"copy i64", 1, ""}, {"weight i64", 8, ""}, {"call i64", 8, " callee 0"}};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        for (int length = 14; length < 400; length += 62) {
            struct gp_profile *profile = with_chain(chains[i].operation, chains[i].times, length / 2,
                                                    length % 4 != 0 && chains[i].behind[0] == '\0', chains[i].behind);
            predict(profile, "a100");
            predict(profile, "mi250x");
            gp_profile_free(profile);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cycles_are_refused), cmocka_unit_test(walkers_give_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
