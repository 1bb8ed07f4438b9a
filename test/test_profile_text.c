/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The text form: what is printed can be read again, and what cannot be read names its line. */
#include "profile_fixture.h"

static void test_round_trip(void **state)
{
    (void)state;
    for (int i = 0; i < GOLDEN_COUNT; i++) {
        struct gp_profile *profile = golden_profile(golden_names[i]);
        struct gp_text once = {0}, twice = {0};
        gp_profile_print(profile, &once);
        struct gp_profile *again = parse_text(once.data);
        gp_profile_print(again, &twice);
        assert_string_equal(once.data, twice.data);
        /* the two are equal field by field: the binary form holds every field */
        uint32_t *words, *words_again;
        size_t count, count_again;
        assert_true(gp_profile_encode(profile, &words, &count, NULL));
        assert_true(gp_profile_encode(again, &words_again, &count_again, NULL));
        assert_int_equal(count, count_again);
        assert_memory_equal(words, words_again, count * sizeof *words);
        free(words);
        free(words_again);
        gp_text_free(&once);
        gp_text_free(&twice);
        gp_profile_free(profile);
        gp_profile_free(again);
    }
}

/* A line of each kind as `gpuperf dis` shows it. */
static void test_layout(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("matrix_multiply");
    struct gp_text text = {0};
    gp_profile_print(profile, &text);
    static const char *const lines[] = {"location 3: \"matrix_multiply.cl\":5:5\n",
                                        "\nkernel \"matmul\" symbol \"matmul\" at 0 ",
                                        "  param \"a\": buffer 64 in global const skeleton size 8\n",
                                        "  param \"n\": int 32 skeleton signed size 4\n",
                                        "  loop 0: header 2 latch 2 bound scalar-evolution trips $n at 3 ",
                                        "  induction %8 loop 0 step 1\n",
                                        "  block 2: ipdom 3 loop 0\n",
                                        "    %8 = phi i32 [block 1: 0], [block 2: %22] ",
                                        "    %11 = sext i32 %10 to i64 ",
                                        "    %14 = load i32 %13 in global 4x1 align 4 base $a ",
                                        "    %21 = weight f32 %14, %20, %9 ",
                                        ": fp32.fma at 6 ",
                                        " ; matrix_multiply.cl:6:13\n",
                                        "    condbr %23, block 2, block 3 kind argument ",
                                        "    store %30, %26 in global 4x1 align 4 base $c "};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strstr(text.data, lines[i]) == NULL)
            fail_msg("'%s' is not in\n%s", lines[i], text.data);
    gp_text_free(&text);
    gp_profile_free(profile);
}

/* The fields of one instruction, worked out by hand from the line of vector_add. */
static void test_fields(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("vector_add");
    const struct gp_kernel *k = &profile->kernels[0];
    const struct gp_inst *load = &k->insts[7]; /* %va = load i32 %pa in global 4x1 base $a at 3 */
    const struct gp_memory *memory = &k->memory[0];
    assert_int_equal(k->inst_count, 15);
    assert_int_equal(k->block_count, 3);
    assert_int_equal(k->blocks[1].inst, 4);
    assert_int_equal(k->blocks[1].inst_count, 10);
    assert_int_equal(k->blocks[2].ipdom, GP_NONE);
    assert_int_equal(load->op, GP_OP_LOAD);
    assert_int_equal(load->cost, GP_CLASS_MEMORY);
    assert_int_equal(load->bits, 32);
    assert_int_equal(load->location, 3);
    assert_int_equal(load->record, 0);
    assert_int_equal(k->operands[load->operand], gp_ref_make(GP_REF_INST, 6));
    assert_int_equal(memory->inst, 7);
    assert_int_equal(memory->space, GP_SPACE_GLOBAL);
    assert_int_equal(memory->element_bytes, 4);
    assert_int_equal(memory->vector, 1);
    assert_int_equal(memory->alignment, 4);
    assert_int_equal(memory->base, gp_ref_make(GP_REF_PARAM, 0));
    assert_int_equal(k->memory[2].flags, GP_MEMORY_STORE);
    assert_int_equal(k->params[3].bounds_dim, 0);
    assert_int_equal(k->params[3].flags, GP_PARAM_SKELETON | GP_PARAM_SIGNED);
    assert_int_equal(k->insts[2].sub, GP_PRED_SLT);
    assert_int_equal(k->insts[2].width, 32);
    assert_int_equal(k->insts[4].flags, GP_INST_CHEAP);
    gp_profile_free(profile);
}

/* What the source could make cheaper, in both forms. */
static void test_repaired(void **state)
{
    (void)state;
    struct gp_profile *parsed =
        parse_text("gpuperf-profile 1\nkernel k\nblock 0:\n%a = weight i64 : cvt.64 mended free\n"
                   "%b = weight f32 %a : math32.pow x4 mended fp32.mul x12 uniform\nret\n");
    uint32_t *words;
    size_t count;
    assert_true(gp_profile_encode(parsed, &words, &count, NULL));
    struct gp_profile *profile = gp_profile_decode(words, count * sizeof *words, NULL);
    assert_non_null(profile);
    const struct gp_inst *gone = &profile->kernels[0].insts[0], *power = gone + 1;
    assert_int_equal(gone->cost, GP_CLASS_CVT_64);
    assert_int_equal(gone->flags, GP_INST_REPAIRABLE);
    assert_int_equal(gone->repaired, GP_CLASS_FREE);
    assert_int_equal(gone->repaired_repeat, 1);
    assert_int_equal(power->repeat, 4);
    assert_int_equal(power->flags, GP_INST_REPAIRABLE | GP_INST_UNIFORM);
    assert_int_equal(power->repaired, GP_CLASS_FLOAT_MUL);
    assert_int_equal(power->repaired_repeat, 12);
    struct gp_text text = {0};
    gp_profile_print(profile, &text);
    assert_non_null(strstr(text.data, ": math32.pow x4 mended fp32.mul x12 uniform\n"));
    gp_text_free(&text);
    free(words);
    gp_profile_free(profile);
    gp_profile_free(parsed);
}

/* The elements of a vector, in both forms. */
static void test_elements(void **state)
{
    (void)state;
    struct gp_profile *parsed = parse_text("gpuperf-profile 1\nkernel k\nparam sizes: int 96 size 16\nparam "
                                           "\"sizes.x\": int 32 signed bounds 0 element 0 of 0\n"
                                           "param \"sizes.z\": int 32 signed element 2 of 0\nblock 0:\nret\n");
    uint32_t *words;
    size_t count;
    assert_true(gp_profile_encode(parsed, &words, &count, NULL));
    struct gp_profile *profile = gp_profile_decode(words, count * sizeof *words, NULL);
    assert_non_null(profile);
    const struct gp_param *last = &profile->kernels[0].params[2];
    assert_int_equal(last->flags, GP_PARAM_ELEMENT | GP_PARAM_SIGNED);
    assert_int_equal(last->vector, 0);
    assert_int_equal(last->element, 2);
    struct gp_text text = {0};
    gp_profile_print(profile, &text);
    assert_non_null(strstr(text.data, "int 32 signed size 4 element 2 of 0\n"));
    gp_text_free(&text);
    free(words);
    gp_profile_free(profile);
    gp_profile_free(parsed);
}

/* ---- What cannot be read -------------------------------------------------------------------------------------- */

static void refuse(const char *text, const char *sentence)
{
    struct gp_error error = {""};
    struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
    if (profile != NULL || strstr(error.text, sentence) == NULL)
        fail_msg("'%s' instead of '%s'", profile ? "a profile" : error.text, sentence);
}

static void test_first_line(void **state)
{
    (void)state;
    refuse("gpuperf-profile 1\nkernel k\nparam v: int 64\nparam x: int 32 element 2 of 0\nblock 0:\nret\n",
           "which its vector does not have");
    refuse("gpuperf-profile 1\nkernel k\nparam x: int 32 element 0 of 1\nparam v: int 64\nblock 0:\nret\n",
           "is not before it");
    refuse("gpuperf-profile 1\nkernel k\nparam v: int 64\nparam x: int 32 element 0 0\nblock 0:\nret\n", "'of'");
    refuse("", "'gpuperf-profile 1' is missing");
    refuse("# nothing\n\n", "'gpuperf-profile 1' is missing");
    refuse("\nkernel k\n", "line 2: 'gpuperf-profile 1' expected, not 'kernel'");
    refuse("gpuperf-profile 2\n", "line 1: version 2");
    refuse("gpuperf-profile 1 2\n", "line 1: the end of the line expected, not '2'");
}

static void test_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *sentence;
    } cases[] = {
        {"nonsense", "line 3: an operation expected, not 'nonsense'"},
        {"ret extra", "line 3: an attribute of this operation expected, not 'extra'"},
        {"%a = add i32 1", "'add' with 1 operands"},
        {"%a = add i32 1,", "line 3: an operand is missing at the end"},
        {"%a = add i24 1, 2", "line 3: a type of 1, 8, 16, 32 or 64 bits expected, not 'i24'"},
        {"%a = add i32 1, 18446744073709551616", "line 3: a number expected"},
        {"%a = add i32 1, -9223372036854775809", "line 3: a number expected"},
        {"%a = add i32 %b, 1", "line 3: '%b' is not defined in this kernel"},
        {"%a = add i32 $b, 1", "line 3: '$b' is not declared above"},
        {"%a = add i32 local.t, 1", "line 3: 'local.t' is not declared above"},
        {"%a = add i32 $0, 1", "parameter 0 does not exist"},
        {"%a = add.x i32 1, 1", "line 3: an operation expected"},
        {"%a = icmp i32 1, 1", "line 3: a comparison like icmp.slt"},
        {"%a = icmp.slt 1, 1", "line 3: a type expected"},
        {"%a = id.global_id.3 i32", "line 3: an id like id.global_id.0"},
        {"%a = id.lane_id.0 i32", "line 3: an id like"},
        {"%a = id.global_id i32", "line 3: an id like"},
        {"%a = zext i32 1", "line 3: 'to TYPE' is missing"},
        {"%a = load i32 1", "line 3: a memory operation needs 'in SPACE BYTESxELEMENTS'"},
        {"%a = load i32 1 in global 4", "line 3: BYTESxELEMENTS like 4x1 expected, not '4'"},
        {"%a = load i32 1 in globe 4x1", "line 3: a space (global, constant"},
        {"%a = weight : fp32.sin", "line 3: a cost class expected, not 'fp32.sin'"},
        {"%a = weight : fp32.fma x65536", "line 3: a repetition like x4"},
        {"%a = weight : math32.pow mended fast", "line 3: a cost class expected, not 'fast'"},
        {"%a = weight : math32.pow mended fp32.mul x0", "what it would cost is said of what can be mended"},
        {"%a = weight at x", "line 3: a location's number expected"},
        {"condbr 1, block 0, block 0 kind odd", "line 3: a kind (argument, thread"},
        {"loop 0: header 0 bound guessed", "line 3: how the bound was found expected, not 'guessed'"},
        {"loop 1: header 0", "line 3: the loop's number is 1, but the next is 0"},
        {"loop 0: header 0 parent 0", "line 3: the parent of loop 0 must stand before it"},
        {"induction 5", "line 3: the phi's label expected"},
        {"param n int 32", "line 3: ':' expected, not 'int'"},
        {"param n: pointer 32", "line 3: a kind of parameter"},
        {"param n: int 256", "line 3: the parameter's bits is 256, more than 255"},
        {"required-local 8x8", "line 3: sizes like 16x16x1 expected"},
        {"split-safe maybe", "line 3: 'yes' or 'no' expected"},
        {"default n = 3", "line 3: a parameter like $n expected"},
        {"callee 0: \"open", "line 3: a string is not closed"},
        {"callee 0: \"a\\q\"", "line 3: no such escape in a string: \\q"},
        {"callee 0: \"a\\x00\"", "line 3: \\x in a string needs"},
        {"resources bound many", "line 3: bound expected, not 'many'"},
        {"expressions", "line 3: ':' is missing"},
        {"block 1:", "line 3: the block's number is 1, but the next is 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const char *const instructions[] = {"%", "nonsense", "ret", "condbr"};
        bool instruction = false;
        for (int word = 0; word < 4; word++)
            instruction |= strncmp(cases[i].line, instructions[word], strlen(instructions[word])) == 0;
        char text[512], sentence[256];
        snprintf(text, sizeof text, "gpuperf-profile 1\nkernel k\n%s%s\nret\n", instruction ? "block 0:\n" : "",
                 cases[i].line);
        snprintf(sentence, sizeof sentence, "%s", cases[i].sentence);
        if (instruction && strncmp(sentence, "line 3", 6) == 0)
            sentence[5] = '4';
        refuse(text, sentence);
    }
    refuse("gpuperf-profile 1\nkernel k\nret\n", "an instruction needs a block above it");
    refuse("gpuperf-profile 1\nkernel k\nblock 0:\n%a = weight i32\n%a = weight i32\nret\n",
           "line 5: '%a' is defined twice");
    refuse("gpuperf-profile 1\nkernel k\nparam n: int 32\nparam n: int 32\nblock 0:\n%a = add i32 $n, 1\nret\n",
           "line 6: '$n' is the name of several; use its number");
}

/* Wherever a text is cut inside of a kernel's blocks, the sentence says that it is. */
static void test_cut(void **state)
{
    (void)state;
    char *text = golden_text("data_loop");
    size_t length = strlen(text), start = (size_t)(strstr(text, "\n  block 0") - text),
           last = (size_t)(strstr(text, "\n    ret") - text);
    for (size_t end = start; end <= last; end++) {
        struct gp_error error = {""};
        struct gp_profile *profile = gp_profile_parse(text, end, &error);
        bool whole_lines = text[end - 1] == '\n';
        const char *wanted = whole_lines ? "the text ends inside its last kernel: it seems to be cut short"
                                         : "the last line has no end: the text seems to be cut short";
        if (profile != NULL || strstr(error.text, wanted) == NULL)
            fail_msg("cut at byte %zu of %zu: '%s'", end, length, profile ? "a profile" : error.text);
    }
    free(text);
    struct gp_error error = {""};
    const char *wrong = "gpuperf-profile 1\nkernel k\nblock 0:\n%a = add i32 %b, 1\nret\n"; /* wrong, but whole */
    assert_null(gp_profile_parse(wrong, strlen(wrong), &error));
    assert_null(strstr(error.text, "cut short"));
}

/* Any prefix of a profile is read or refused, whatever it ends in. */
static void test_prefixes(void **state)
{
    (void)state;
    char *text = golden_text("every_field");
    size_t length = strlen(text);
    for (size_t end = 0; end < length; end += 7) {
        char *prefix = malloc(end + 1); /* so that a sanitizer sees a read beyond the end */
        memcpy(prefix, text, end);
        gp_profile_free(gp_profile_parse(prefix, end, NULL));
        free(prefix);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_layout),   cmocka_unit_test(test_fields),
        cmocka_unit_test(test_first_line), cmocka_unit_test(test_lines),    cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_cut),        cmocka_unit_test(test_repaired), cmocka_unit_test(test_elements)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
