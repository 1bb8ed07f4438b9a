/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A recorded launch in words: each kind of argument, and what is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "runtime/record.h"

static struct gp_raw_argument argument(const void *value, uint32_t size)
{
    struct gp_raw_argument made = {.size = size, .set = true, .no_value = value == NULL};
    if (value != NULL && size <= sizeof made.value)
        memcpy(&made.value, value, size);
    if (value != NULL && size <= sizeof made.bytes)
        memcpy(made.bytes, value, size);
    return made;
}

static void assert_printed(const char *expected, struct gp_raw_argument made, const char *name, const char *type,
                           bool buffer, bool local, uint64_t bytes)
{
    struct gp_text text = {0};
    struct gp_parameter_info info = {.buffer = buffer, .local = local};
    snprintf(info.name, sizeof info.name, "%s", name);
    snprintf(info.type, sizeof info.type, "%s", type);
    gp_record_argument(3, &made, &info, bytes, &text);
    assert_string_equal(text.data != NULL ? text.data : "", expected);
    gp_text_free(&text);
}

static void scalars_in_their_own_type(void **state)
{
    (void)state;
    int32_t minus = -3;
    uint32_t large = 4000000000u;
    int8_t small = -1;
    uint64_t huge = UINT64_MAX;
    float third = 0.1f, infinite = 1 / 0.0f;
    double tenth = 0.1;
    assert_printed("k: -3", argument(&minus, 4), "k", "int", false, false, 0);
    assert_printed("k: 4000000000", argument(&large, 4), "k", "uint", false, false, 0);
    assert_printed("k: -1", argument(&small, 1), "k", "char", false, false, 0);
    assert_printed("k: 18446744073709551615", argument(&huge, 8), "k", "ulong", false, false, 0);
    assert_printed("k: 0.100000001", argument(&third, 4), "k", "float", false, false, 0);
    assert_printed("k: 0.10000000000000001", argument(&tenth, 8), "k", "double", false, false, 0);
    assert_printed("k: 0x7f800000", argument(&infinite, 4), "k", "float", false, false, 0);
    assert_printed("\"n\": -3", argument(&minus, 4), "n", "int", false, false, 0); /* a word of YAML's */
    assert_printed("k: 0xfffffffd", argument(&minus, 4), "k", "own_type", false, false, 0);
    assert_printed("3: 0xfffffffd", argument(&minus, 4), "", "", false, false, 0);
}

static void vectors(void **state)
{
    (void)state;
    const int32_t pair[2] = {1, -2}, four[4] = {1, 2, 3, 4};
    const float halves[2] = {0.5f, 1.5f};
    const uint8_t large[12] = {1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff}, larger[129] = {0};
    assert_printed("k: \"1,-2\"", argument(pair, 8), "k", "int2", false, false, 0);
    assert_printed("k: \"1,2,3\"", argument(four, 16), "k", "int3", false, false, 0);
    assert_printed("k: \"0.5,1.5\"", argument(halves, 8), "k", "float2", false, false, 0);
    assert_printed("k: 0xff0000000000000000000201", argument(large, 12), "k", "struct_of_mine", false, false, 0);
    assert_printed("", argument(larger, 129), "k", "struct_of_mine", false, false, 0);
}

static void objects_and_local_memory(void **state)
{
    (void)state;
    uint64_t handle = 0x7f0012345678;
    assert_printed("k: 4096", argument(&handle, 8), "k", "float*", true, false, 4096);
    assert_printed("k: 4", argument(&handle, 8), "k", "image2d_t", false, false, 4);
    assert_printed("", argument(&handle, 8), "k", "float*", true, false, 0); /* a buffer that nobody has seen */
    assert_printed("", argument(&handle, 8), "k", "sampler_t", false, false, 0);
    assert_printed("", argument(NULL, 8), "k", "float*", true, false, 0); /* no buffer */
    assert_printed("k: 512", argument(NULL, 512), "k", "float*", false, true, 0);
    assert_printed("3: 512", argument(NULL, 512), "", "", false, false, 0);
    assert_printed("", argument(NULL, 8), "", "", false, false, 0); /* local memory, or no buffer */
    assert_printed("", (struct gp_raw_argument){0}, "k", "int", false, false, 0);
}

static void file_by_kernel(void **state)
{
    (void)state;
    struct gp_options options;
    assert_true(gp_options_parse("-DTEXT=\"a\\\"b\" -cl-std=CL1.2", &options));
    struct gp_recorded_launch launches[] = {
        {.kernel = "b", .dims = 1, .global = {64, 1, 1}, .arguments = "", .count = 2, .order = 2},
        {.kernel = "a",
         .source = "x",
         .source_hash = {{0x1f, 0}},
         .options = &options,
         .dims = 2,
         .global = {640, 360, 1},
         .local = {8, 4, 1},
         .arguments = "k: 1",
         .count = 3,
         .others = 1,
         .order = 1},
        {.kernel = "b", .dims = 1, .global = {32, 1, 1}, .local = {8, 1, 1}, .open = true, .arguments = "", .count = 1},
    };
    struct gp_text text = {0};
    gp_record_print(launches, 3, "/somewhere/rec.yaml", &text);
    assert_string_equal(strstr(text.data, "kernels:\n"),
                        "kernels:\n"
                        "  \"a\":\n"
                        "    launches:\n"
                        "      - source: \"rec.yaml.d/000000000000001f.cl\"\n"
                        "        options: [\"-DTEXT=a\\x22b\", \"-cl-std=CL1.2\"]\n"
                        "        global: 640x360\n"
                        "        local: 8x4\n"
                        "        args: {k: 1}\n"
                        "        count: 3\n"
                        "        # 1 of these with other scalars\n"
                        "  \"b\":\n"
                        "    launches:\n"
                        "      # its source is not known: the program loaded a binary\n"
                        "      - global: 32\n"
                        "        driver_local: 8\n"
                        "        count: 1\n"
                        "      # its source is not known: the program loaded a binary\n"
                        "      - global: 64\n"
                        "        count: 2\n");
    gp_text_free(&text);
    gp_options_free(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_in_their_own_type),
        cmocka_unit_test(vectors),
        cmocka_unit_test(objects_and_local_memory),
        cmocka_unit_test(file_by_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
