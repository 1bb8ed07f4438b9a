/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NVIDIA's machine code in cubins, and what it says of a profile's loops. */
#include "test/golden.h"

#include "compile/cubin.h"
#include "compile/sass_code.h"
#include "compile/sass_operations.h"
#include "model/profile/profile_binary.h"
#include "support/text.h"

/* Lines of test/cubin/dot.cu. */
enum { LOOP_LINE = 5, BODY_LINE = 6, STORE_LINE = 7 };

static char *fixture(size_t *size)
{
    char *cubin = gp_read_file(TEST_DATA "/cubin/dot.cubin", size);
    if (cubin == NULL)
        fail_msg("no fixture");
    return cubin;
}

/* Instructions of a kind in a line. */
static unsigned count(const struct gp_cubin_code *code, unsigned operation, uint32_t line)
{
    unsigned found = 0;
    for (size_t i = 0; i < code->count; i++)
        found += code->code[i].operation == operation && code->code[i].row != GP_SASS_NOWHERE &&
                 code->rows[code->code[i].row].place == gp_source_place("/elsewhere/dot.cu", line);
    return found;
}

static void reads_code_and_lines(void **state)
{
    enum { ITERATIONS = 16 + 8 + 4 + 1 };
    size_t size = 0;
    struct gp_cubin_code code;
    char *cubin = fixture(&size);
    (void)state;
    assert_true(gp_cubin_read(cubin, size, "dot", &code));
    assert_int_equal(count(&code, FFMA, BODY_LINE), ITERATIONS);
    assert_int_equal(count(&code, LDG, BODY_LINE), 2 * ITERATIONS);
    assert_int_equal(count(&code, STG, STORE_LINE), 1);
    unsigned back = 0;
    for (size_t i = 0; i < code.count; i++) {
        assert_int_equal(code.code[i].words, code.code[i].operation == LDG || code.code[i].operation == STG ? 1 : 0);
        if (code.code[i].operation == BRA && code.code[i].target < i)
            back++;
    }
    assert_int_equal(back, 2); /* by one, and by sixteen; eight and four are left once */
    assert_false(gp_cubin_read(cubin, size, "another", &(struct gp_cubin_code){0}));
    gp_cubin_code_free(&code);
    free(cubin);
}

/* Cut off anywhere, or with any byte another one, it is read or it is not. */
static void takes_any_bytes(void **state)
{
    size_t size = 0;
    char *cubin = fixture(&size), *copy = malloc(size);
    struct gp_cubin_code code;
    (void)state;
    for (size_t length = 0; length < size; length += 7) {
        char *part = malloc(length + 1);
        memcpy(part, cubin, length);
        gp_cubin_read(part, length, "dot", &code);
        gp_cubin_code_free(&code);
        free(part);
    }
    for (size_t at = 0; at < size; at++) {
        memcpy(copy, cubin, size);
        copy[at] = (char)(copy[at] ^ (0x55 + at % 7));
        gp_cubin_read(copy, size, "dot", &code);
        gp_cubin_code_free(&code);
    }
    free(copy);
    free(cubin);
}

/* The same kernel's profile; with the loop as it is, or by four iterations. */
static struct gp_profile *dot_profile(unsigned iterations)
{
    struct gp_text text = {0};
    gp_text_printf(&text,
                   "gpuperf-profile 1\ntriple \"nvptx64-nvidia-cuda\"\nlocation 0: \"dot.cu\":%d:9\nlocation 1: "
                   "\"dot.cu\":%d:40\nkernel dot\n  param a: buffer 64 in global skeleton size 8\n  dims 1\n  "
                   "resources registers 32 from ptxas\n"
                   "  loop 0: header 1 latch 1 bound constant trips 1000\n  block 0: ipdom 1\n    br block 1\n  block "
                   "1: ipdom 2 loop 0\n    %%i = phi i32 [block 0: 0], [block 1: %%next]\n",
                   BODY_LINE, LOOP_LINE);
    for (unsigned k = 0; k < iterations; k++)
        gp_text_printf(&text,
                       "    %%a%u = load i32 $a in global 4x1 base $a at 0\n    %%b%u = load i32 $a in global 4x1 base "
                       "$a at 0\n    %%x%u = weight f32 : fp32.fma at 0\n",
                       k, k, k);
    gp_text_printf(&text, "    %%next = add i32 %%i, 1 : int32.add at 1\n    %%more = icmp.ult i32 %%next, 1000 : "
                          "int32.cmp at 1\n    condbr %%more, block 1, block 2 kind induction\n  block 2:\n    ret\n");
    struct gp_profile *profile = parse_text(text.data);
    gp_text_free(&text);
    return profile;
}

/* Written and read back. */
static void keeps_counts(struct gp_profile *profile, struct gp_machine_code *code, uint32_t count)
{
    struct gp_error error;
    uint32_t *words;
    size_t size;
    profile->kernels[0].code = code;
    profile->kernels[0].code_count = count;
    assert_true(gp_profile_encode(profile, &words, &size, &error));
    struct gp_profile *read = gp_profile_decode(words, size * sizeof *words, &error);
    assert_non_null(read);
    assert_int_equal(read->kernels[0].code_count, count);
    assert_memory_equal(read->kernels[0].code, code, count * sizeof *code);
    struct gp_text text = {0};
    gp_profile_print(read, &text);
    struct gp_profile *parsed = parse_text(text.data);
    assert_memory_equal(parsed->kernels[0].code, code, count * sizeof *code);
    gp_profile_free(parsed);
    gp_text_free(&text);
    gp_profile_free(read);
    free(words);
}

static uint32_t instructions_of_loop(unsigned iterations)
{
    size_t size = 0;
    struct gp_cubin_code cubin;
    struct gp_machine_code code[2] = {{0}};
    char *bytes = fixture(&size);
    struct gp_profile *profile = dot_profile(iterations);
    assert_true(gp_cubin_read(bytes, size, "dot", &cubin));
    uint32_t count = gp_sass_machine_code(&cubin, profile, &profile->kernels[0], code);
    assert_int_equal(count, 2);
    assert_int_equal(code[0].loop, 0);
    assert_int_equal(code[0].floats, iterations);
    assert_int_equal(code[1].loop, GP_NONE);
    assert_in_range(code[0].integers, 1, code[0].vector - iterations);
    assert_int_equal(code[0].stepping, 0); /* no block of it is without a load */
    assert_in_range(code[1].integers, 1, code[1].vector);
    keeps_counts(profile, code, count);
    gp_cubin_code_free(&cubin);
    gp_profile_free(profile);
    free(bytes);
    return code[0].vector;
}

/* An iteration in the mean of those that stand there: a multiply-add and two steps or so of the 16 and 8 and 4, more of
 * the one that is alone. */
static void counts_for_an_iteration(void **state)
{
    (void)state;
    uint32_t one = instructions_of_loop(1), four = instructions_of_loop(4);
    assert_in_range(one, 2, 4);
    assert_in_range(four, 4 * one - 2, 4 * one + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_code_and_lines), cmocka_unit_test(takes_any_bytes),
                                       cmocka_unit_test(counts_for_an_iteration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
