/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The launch that is assumed when nothing is known, and how it is changed. */
#include "profile_fixture.h"

#include <locale.h>

#include "model/launch/launch.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "model/assume/describe.h"
#include "model/launch/numbers.h"

static struct gp_launch *default_launch(const struct gp_kernel *kernel)
{
    struct gp_launch *launch = malloc(sizeof *launch);
    assert_non_null(launch);
    gp_launch_default(kernel, launch);
    return launch;
}

static void assert_sizes(const struct gp_launch *launch, uint32_t dims, const uint64_t global[3],
                         const uint32_t local[3])
{
    assert_int_equal(launch->dims, dims);
    for (int d = 0; d < 3; d++) {
        assert_int_equal(launch->global[d], global[d]);
        assert_int_equal(launch->local[d], local[d]);
    }
}

static void check_assumed(struct gp_kernel *kernel, uint32_t dims, const uint64_t global[3], const uint32_t local[3])
{
    struct gp_launch *launch = default_launch(kernel);
    assert_sizes(launch, dims, global, local);
    free(launch);
}

static void test_assumed_sizes(void **state)
{
    (void)state;
    struct gp_inst ids[] = {{.op = GP_OP_ID, .sub = GP_ID_SUB(GP_ID_GLOBAL, 0)},
                            {.op = GP_OP_ID, .sub = GP_ID_SUB(GP_ID_GLOBAL, 1)}};
    struct gp_kernel kernel = {.dims = 1, .insts = ids, .inst_count = 2};
    check_assumed(&kernel, 1, (uint64_t[]){1048576, 1, 1}, (uint32_t[]){256, 1, 1});
    kernel.dims = 2;
    check_assumed(&kernel, 2, (uint64_t[]){1024, 1024, 1}, (uint32_t[]){32, 8, 1});
    kernel.dims = 3;
    check_assumed(&kernel, 3, (uint64_t[]){128, 128, 128}, (uint32_t[]){32, 4, 2});
    kernel.dims = 0;
    check_assumed(&kernel, 1, (uint64_t[]){1048576, 1, 1}, (uint32_t[]){256, 1, 1});
    /* a bound of the group: 32x4x2 halves from the last dimension on; 64 = 32x2x1 */
    kernel.dims = 3;
    kernel.stated.max_local = 64;
    check_assumed(&kernel, 3, (uint64_t[]){128, 128, 128}, (uint32_t[]){32, 2, 1});
    kernel.stated.max_local = 100;
    kernel.dims = 1;
    check_assumed(&kernel, 1, (uint64_t[]){1048576, 1, 1}, (uint32_t[]){64, 1, 1});
}

static void test_stated_sizes(void **state)
{
    (void)state;
    /* required: the range becomes whole groups; 1048576 = 43690 x 24 + 16, so 43691 x 24 = 1048584 */
    struct gp_kernel kernel = {.dims = 1, .stated.required_local = {24, 1, 1}};
    check_assumed(&kernel, 1, (uint64_t[]){1048584, 1, 1}, (uint32_t[]){24, 1, 1});
    /* more dimensions than the kernel uses */
    kernel = (struct gp_kernel){.dims = 1, .stated = {.required_local = {8, 8, 1}}};
    check_assumed(&kernel, 2, (uint64_t[]){1024, 1024, 1}, (uint32_t[]){8, 8, 1});
    /* the kernel's annotate attribute */
    kernel = (struct gp_kernel){.dims = 2, .stated = {.default_global = {100, 50, 1}, .default_local = {10, 5, 1}}};
    check_assumed(&kernel, 2, (uint64_t[]){100, 50, 1}, (uint32_t[]){10, 5, 1});
    /* no group larger than its range: 32 and 8 halve until they fit */
    kernel = (struct gp_kernel){.dims = 2, .stated = {.default_global = {20, 1, 1}}};
    check_assumed(&kernel, 2, (uint64_t[]){20, 1, 1}, (uint32_t[]){16, 1, 1});
}

static void test_arguments(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("transpose_naive");
    const struct gp_kernel *kernel = &profile->kernels[0];
    struct gp_launch *launch = default_launch(kernel);
    assert_false(launch->arguments[0].known); /* a buffer */
    assert_true(launch->arguments[2].known);  /* width bounds dimension 0, height dimension 1 */
    assert_int_equal(launch->arguments[2].value, 1024);
    gp_launch_set_global(kernel, launch, 2, (uint64_t[]){640, 480, 1});
    assert_int_equal(launch->arguments[2].value, 640);
    assert_int_equal(launch->arguments[3].value, 480);
    /* what was stated stays */
    assert_true(gp_launch_set_argument(kernel, launch, "width", "77", NULL));
    gp_launch_set_global(kernel, launch, 2, (uint64_t[]){320, 200, 1});
    assert_int_equal(launch->arguments[2].value, 77);
    assert_int_equal(launch->arguments[3].value, 200);
    /* another number of dimensions: another group */
    assert_int_equal(launch->local[1], 8);
    gp_launch_set_global(kernel, launch, 1, (uint64_t[]){4096, 9, 9});
    assert_sizes(launch, 1, (uint64_t[]){4096, 1, 1}, (uint32_t[]){256, 1, 1});
    /* an assumed group is no larger than the range, a stated one stays */
    assert_true(gp_launch_assume(kernel, launch, "global=99", NULL));
    assert_sizes(launch, 1, (uint64_t[]){99, 1, 1}, (uint32_t[]){64, 1, 1});
    assert_true(gp_launch_assume(kernel, launch, "local=256", NULL));
    assert_true(gp_launch_assume(kernel, launch, "global=98", NULL));
    assert_sizes(launch, 1, (uint64_t[]){98, 1, 1}, (uint32_t[]){256, 1, 1});
    free(launch);
    gp_profile_free(profile);
}

static void test_narrow_arguments(void **state)
{
    (void)state;
    struct gp_param params[] = {
        {.name = "byte", .kind = GP_PARAM_INT, .bits = 8, .flags = GP_PARAM_SIGNED, .bounds_dim = GP_NONE},
        {.name = "ubyte", .kind = GP_PARAM_INT, .bits = 8, .bounds_dim = GP_NONE},
        {.name = "flag", .kind = GP_PARAM_INT, .bits = 1, .bounds_dim = GP_NONE},
        {.name = "shortbound", .kind = GP_PARAM_INT, .bits = 16, .flags = GP_PARAM_SIGNED, .bounds_dim = 0},
        {.name = "vector", .kind = GP_PARAM_INT, .bits = 128, .bounds_dim = GP_NONE},
        {.name = "tile", .kind = GP_PARAM_LOCAL, .bits = 64, .bounds_dim = GP_NONE},
        {.name = "f", .kind = GP_PARAM_FLOAT, .bits = 32, .bounds_dim = GP_NONE}};
    struct gp_default defaults[] = {{1, -1}, {0, -3}};
    struct gp_array dynamic = {"d", 0, 4, GP_NONE};
    struct gp_kernel kernel = {
        .name = "k", .dims = 1, .params = params, .param_count = 7, .locals = &dynamic, .local_count = 1};
    struct gp_launch *launch = default_launch(&kernel);
    assert_int_equal(launch->arguments[0].value, 127);
    assert_int_equal(launch->arguments[1].value, 255);
    assert_int_equal(launch->arguments[2].value, 1);
    assert_int_equal(launch->arguments[3].value, 32767); /* 1048576 does not fit */
    assert_false(launch->arguments[4].known);
    assert_false(launch->arguments[5].stated);
    assert_false(launch->arguments[6].known);
    assert_true(launch->assumed && !launch->dynamic_stated); /* local memory by use: local_reach.h */
    kernel.stated.defaults = defaults;
    kernel.stated.default_count = 2;
    gp_launch_default(&kernel, launch);
    assert_int_equal(launch->arguments[1].value, 255);
    assert_int_equal(launch->arguments[0].value, 253); /* -3 in 8 bits */
    free(launch);
}

/* Each element is what its use tells, and is set with the others or alone. */
static void test_vectors(void **state)
{
    (void)state;
    struct gp_param params[] = {
        {.name = "size", .kind = GP_PARAM_INT, .bits = 64, .size = 8, .flags = GP_PARAM_SIGNED, .bounds_dim = GP_NONE},
        {.name = "size.x",
         .kind = GP_PARAM_INT,
         .bits = 32,
         .size = 4,
         .flags = GP_PARAM_SIGNED | GP_PARAM_ELEMENT | GP_PARAM_SKELETON,
         .bounds_dim = 0},
        {.name = "size.y",
         .kind = GP_PARAM_INT,
         .bits = 32,
         .size = 4,
         .flags = GP_PARAM_SIGNED | GP_PARAM_ELEMENT,
         .bounds_dim = GP_NONE,
         .element = 1}};
    struct gp_kernel kernel = {.name = "k", .dims = 1, .params = params, .param_count = 3};
    struct gp_launch *launch = default_launch(&kernel);
    struct gp_error error;
    char text[200];
    gp_launch_describe(&kernel, launch, text, sizeof text);
    assert_string_equal(text, "global 1048576, local 256, size=1048576,1024");
    assert_true(gp_launch_set_argument(&kernel, launch, "size", "640,-1", &error));
    gp_launch_describe(&kernel, launch, text, sizeof text);
    assert_string_equal(text, "global 768, local 256, size=640,-1");
    assert_true(gp_launch_assume(&kernel, launch, "size.y=7:global=512", &error));
    gp_launch_describe(&kernel, launch, text, sizeof text);
    assert_string_equal(text, "global 512, local 256, size=640,7");
    static const char *const wrong[] = {"640", "640,480,3", "640,", ",480", "640,48x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(gp_launch_set_argument(&kernel, launch, "size", wrong[i], &error));
        assert_non_null(strstr(error.text, "no 2 integers of 32 bits for argument 'size'"));
    }
    assert_false(gp_launch_set_argument(&kernel, launch, "length", "1", &error));
    assert_non_null(strstr(error.text, "can be set: size"));
    assert_null(strstr(error.text, "size.x"));
    params[1].flags &= (uint8_t)~GP_PARAM_SKELETON; /* nothing depends on it */
    gp_launch_describe(&kernel, launch, text, sizeof text);
    assert_string_equal(text, "global 512, local 256");
    free(launch);
}

/* One by one, what is stated and why the rest is what it is. */
static void test_assumptions(void **state)
{
    (void)state;
    static struct gp_assumption list[GP_MOST_ASSUMPTIONS];
    struct gp_param params[] = {{.name = "width",
                                 .kind = GP_PARAM_INT,
                                 .bits = 32,
                                 .size = 4,
                                 .flags = GP_PARAM_SIGNED | GP_PARAM_SKELETON,
                                 .bounds_dim = 0},
                                {.name = "n",
                                 .kind = GP_PARAM_INT,
                                 .bits = 32,
                                 .size = 4,
                                 .flags = GP_PARAM_SIGNED | GP_PARAM_SKELETON,
                                 .bounds_dim = GP_NONE},
                                {.name = "unused", .kind = GP_PARAM_INT, .bits = 32, .size = 4, .bounds_dim = GP_NONE}};
    struct gp_kernel kernel = {.name = "k", .dims = 1, .params = params, .param_count = 3};
    struct gp_launch *launch = default_launch(&kernel);
    struct gp_error error;
    assert_int_equal(gp_launch_assumptions(&kernel, launch, list), 4);
    assert_string_equal(list[0].name, "global");
    assert_string_equal(list[1].value, "256");
    assert_string_equal(list[2].name, "width");
    assert_string_equal(list[2].value, "1048576");
    assert_false(list[2].stated);
    assert_string_equal(list[2].why, "as large as the range that it bounds");
    assert_string_equal(list[3].why, "the usual number: nothing in the kernel tells");
    assert_true(gp_launch_assume(&kernel, launch, "n=7:global=512", &error));
    assert_int_equal(gp_launch_assumptions(&kernel, launch, list), 4);
    assert_true(list[0].stated && !list[1].stated && !list[2].stated && list[3].stated);
    assert_null(list[3].why);
    assert_string_equal(list[3].value, "7");
    assert_string_equal(list[2].value, "512");
    free(launch);
}

static void test_halves(void **state)
{
    (void)state;
    static const uint32_t halves[][3] = {{16, 8, 1}, {8, 8, 1}, {8, 4, 1}, {4, 4, 1},
                                         {4, 2, 1},  {2, 2, 1}, {2, 1, 1}, {1, 1, 1}};
    struct gp_launch launch = {.dims = 2, .local = {32, 8, 1}};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        assert_true(gp_launch_halve_group(&launch));
        assert_memory_equal(launch.local, halves[i], sizeof launch.local);
    }
    assert_false(gp_launch_halve_group(&launch));
}

/* ---- Texts ----------------------------------------------------------------------------------------------------- */

static void test_sizes(void **state)
{
    (void)state;
    uint32_t dims;
    uint64_t sizes[3];
    struct gp_error error;
    assert_true(gp_parse_sizes("256", &dims, sizes, &error));
    assert_int_equal(dims, 1);
    assert_int_equal(sizes[0] * 100 + sizes[1] * 10 + sizes[2], 25611);
    assert_true(gp_parse_sizes("64x4", &dims, sizes, &error));
    assert_int_equal(dims, 2);
    assert_int_equal(sizes[1], 4);
    assert_true(gp_parse_sizes("32x4x2", &dims, sizes, &error));
    assert_int_equal(dims, 3);
    assert_int_equal(sizes[2], 2);
    static const char *const wrong[] = {"",
                                        "x",
                                        "4x",
                                        "x4",
                                        "4xx4",
                                        "1x2x3x4",
                                        "4 x 4",
                                        "-4",
                                        "+4",
                                        "4.0",
                                        "0x10",
                                        "0",
                                        "4x0",
                                        "18446744073709551616",
                                        "9007199254740993",
                                        "4294967296x4294967296",
                                        "64,4"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        dims = 9;
        if (gp_parse_sizes(wrong[i], &dims, sizes, &error))
            fail_msg("'%s' was taken", wrong[i]);
        assert_int_equal(dims, 9);
        assert_non_null(strstr(error.text, wrong[i]));
    }
    assert_false(gp_parse_sizes("99999999999999999999", &dims, sizes, &error));
    assert_string_equal(error.text, "'99999999999999999999': more than 2^53 work-items");
}

static void test_countable_ranges(void **state)
{
    (void)state;
    static const uint64_t half = UINT64_C(1) << 52, large = UINT64_C(1) << 40;
    assert_true(gp_range_is_countable((uint64_t[3]){1, 1, 1}));
    assert_true(gp_range_is_countable((uint64_t[3]){half, 2, 1}));
    assert_false(gp_range_is_countable((uint64_t[3]){half, 2, 2}));
    assert_false(gp_range_is_countable((uint64_t[3]){2 * half + 1, 1, 1}));
    assert_false(gp_range_is_countable((uint64_t[3]){large, large, 1})); /* the product wraps to 0 */
    assert_false(gp_range_is_countable((uint64_t[3]){1, large, large}));
}

static void test_set_integer(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    const struct gp_kernel *kernel = &profile->kernels[0];
    struct gp_launch *launch = default_launch(kernel);
    struct gp_error error;
    static const struct {
        const char *text;
        uint64_t value;
    } right[] = {
        {"5", 5},    {"-1", 0xffffffff}, {"0x10", 16},    {"4294967295", 0xffffffff}, {"-2147483648", 0x80000000},
        {"010", 10}, {"1e3", 1000},      {"2.5E3", 2500}, {"4e9", 4000000000},        {"-1e3", 0xfffffc18}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        if (!gp_launch_set_argument(kernel, launch, "n", right[i].text, &error))
            fail_msg("%s", error.text);
        assert_int_equal(launch->arguments[1].value, right[i].value);
    }
    static const char *const wrong[] = {"",   "x",   "1.5",  "4294967296", "-2147483649", "99999999999999999999",
                                        "5 ", "--5", "0x",   "1e10",       "1.5e0",       "1e-1",
                                        "1e", "e3",  "1e3 ", "5e999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (gp_launch_set_argument(kernel, launch, "n", wrong[i], &error))
            fail_msg("'%s' was taken", wrong[i]);
    assert_false(gp_launch_set_argument(kernel, launch, "m", "1", &error));
    assert_string_equal(error.text, "kernel 'every' has no argument 'm'; arguments that can be set: in, n, scale, "
                                    "scratch, picture, twice, twice, odd name");
    assert_false(gp_launch_set_argument(kernel, launch, "in", "-1", &error));
    assert_string_equal(error.text, "'-1' is no number of bytes for the buffer 'in'");
    assert_true(gp_launch_set_argument(kernel, launch, "in", "5000000000", &error));
    assert_int_equal(launch->arguments[0].bytes, 5000000000);
    assert_true(gp_launch_set_argument(kernel, launch, "picture", "8", &error));
    assert_int_equal(launch->arguments[gp_kernel_find_param(kernel, "picture")].bytes, 8);
    assert_false(gp_launch_set_argument(kernel, launch, "picture", "17", &error));
    assert_string_equal(error.text,
                        "'17' is no number of bytes that a texel of the image 'picture' can have: from 1 to 16");
    assert_false(gp_launch_set_argument(kernel, launch, "picture", "0", &error));
    assert_true(gp_launch_set_argument(kernel, launch, "scratch", "512", &error));
    assert_int_equal(launch->arguments[3].bytes, 512);
    free(launch);
    gp_profile_free(profile);
}

static uint64_t float_value(unsigned bits, const char *text)
{
    struct gp_param param = {.name = "f", .kind = GP_PARAM_FLOAT, .bits = (uint8_t)bits, .bounds_dim = GP_NONE};
    struct gp_kernel kernel = {.name = "k", .params = &param, .param_count = 1};
    struct gp_launch *launch = default_launch(&kernel);
    struct gp_error error;
    if (!gp_launch_set_argument(&kernel, launch, "f", text, &error))
        fail_msg("%s", error.text);
    uint64_t value = launch->arguments[0].value;
    free(launch);
    return value;
}

static void test_set_float(void **state)
{
    (void)state;
    assert_int_equal(float_value(32, "1.5"), 0x3fc00000);
    assert_int_equal(float_value(64, "-2"), 0xc000000000000000);
    assert_int_equal(float_value(16, "1"), 0x3c00);
    assert_int_equal(float_value(16, "-1.5"), 0xbe00);
    assert_int_equal(float_value(16, "65504"), 0x7bff);
    assert_int_equal(float_value(16, "65520"), 0x7c00);            /* rounds up to infinity */
    assert_int_equal(float_value(16, "5.9604644775390625e-8"), 1); /* 2^-24, the smallest */
    assert_int_equal(float_value(16, "6.103515625e-5"), 0x0400);   /* 2^-14, the smallest normal one */
    assert_int_equal(float_value(16, "2047.9"), 0x6800);           /* 2048: the mantissa carries */
    assert_int_equal(float_value(16, "0.333251953125"), 0x3555);
    /* in a program whose locale writes a comma */
    setlocale(LC_NUMERIC, "de_DE.UTF-8");
    assert_int_equal(float_value(32, "1.5"), 0x3fc00000);
    setlocale(LC_NUMERIC, "C");
}

static void test_assume(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("transpose_naive");
    const struct gp_kernel *kernel = &profile->kernels[0];
    struct gp_launch *launch = default_launch(kernel), before;
    struct gp_error error;
    char text[200];
    /* the order does not matter: the global size comes first */
    assert_true(gp_launch_assume(kernel, launch, "width=2000:local=64x4:trip=7:global=2048x512", &error));
    assert_sizes(launch, 2, (uint64_t[]){2048, 512, 1}, (uint32_t[]){64, 4, 1});
    assert_int_equal(launch->arguments[2].value, 2000);
    assert_int_equal(launch->arguments[3].value, 512);
    assert_int_equal(launch->assumed_trip_count, 7);
    gp_launch_describe(kernel, launch, text, sizeof text);
    assert_string_equal(text, "global 2048x512, local 64x4, width=2000, height=512");
    assert_true(gp_launch_assume(kernel, launch, "", &error));
    /* a failure changes nothing */
    before = *launch;
    static const struct {
        const char *items, *sentence;
    } wrong[] = {{"global=64x64:widht=5", "no argument 'widht'"},
                 {"local=0x4", "a size is 0"},
                 {"global=axb", "global: 'axb' is no size"},
                 {"trip=0", "from 1 on"},
                 {"trip=many", "whole number"},
                 {"width", "no assumption"},
                 {"=5", "no assumption"},
                 {"width=", "no assumption"},
                 {"local=65536x65536", "too large"},
                 {"dynamic=-1", "whole number"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (gp_launch_assume(kernel, launch, wrong[i].items, &error) || strstr(error.text, wrong[i].sentence) == NULL)
            fail_msg("'%s': %s", wrong[i].items, error.text);
        assert_memory_equal(launch, &before, sizeof before);
    }
    free(launch);
    gp_profile_free(profile);
}

static void test_groups(void **state)
{
    (void)state;
    uint64_t groups[3];
    struct gp_launch launch = {.dims = 2, .global = {100, 64, 1}, .local = {32, 8, 1}};
    assert_int_equal(gp_launch_groups(&launch, groups), 32); /* ceil(100 / 32) x 64 / 8 = 4 x 8 */
    assert_int_equal(groups[0], 4);
    assert_int_equal(groups[1], 8);
    assert_int_equal(groups[2], 1);
}

static void test_describe(void **state)
{
    (void)state;
    char text[200], small[12];
    struct gp_profile *profile = golden_profile("every_field");
    const struct gp_kernel *kernel = &profile->kernels[0];
    struct gp_launch *launch = default_launch(kernel);
    gp_launch_describe(kernel, launch, text, sizeof text);
    /* signed and unsigned; the other arguments are no part of the skeleton, or follow from use */
    assert_string_equal(text, "global 4096x16x2, local 8x4x2, n=-5, twice=65535");
    assert_true(gp_launch_set_argument(kernel, launch, "scratch", "512", NULL));
    gp_launch_describe(kernel, launch, text, sizeof text);
    assert_string_equal(text, "global 4096x16x2, local 8x4x2, n=-5, scratch=512, twice=65535");
    gp_launch_describe(kernel, launch, small, sizeof small);
    assert_string_equal(small, "global 4096");
    free(launch);
    gp_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_assumed_sizes), cmocka_unit_test(test_stated_sizes),
                                       cmocka_unit_test(test_arguments),     cmocka_unit_test(test_narrow_arguments),
                                       cmocka_unit_test(test_vectors),       cmocka_unit_test(test_halves),
                                       cmocka_unit_test(test_sizes),         cmocka_unit_test(test_countable_ranges),
                                       cmocka_unit_test(test_set_integer),   cmocka_unit_test(test_set_float),
                                       cmocka_unit_test(test_assume),        cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_describe),      cmocka_unit_test(test_assumptions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
