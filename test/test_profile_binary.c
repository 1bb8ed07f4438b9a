/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The binary form: what is written is read again, and nothing else is. */
#include "profile_fixture.h"

#include <errno.h>
#include <unistd.h>

#include "model/profile/profile_layout.h"

static void test_crc(void **state)
{
    (void)state;
    /* the check value that every description of this CRC gives */
    assert_int_equal(gp_crc32("123456789", 9), 0xcbf43926u);
    assert_int_equal(gp_crc32("", 0), 0);
    const uint32_t words[] = {0x34333231, 0x38373635};
    assert_int_equal(gp_crc32_words(words, 2), gp_crc32("12345678", 8));
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int i = 0; i < GOLDEN_COUNT; i++) {
        struct gp_error error = {""};
        struct gp_profile *profile = golden_profile(golden_names[i]);
        uint32_t *words, *words_again;
        size_t count, count_again;
        assert_true(gp_profile_encode(profile, &words, &count, &error));
        assert_true(gp_profile_has_magic(words, count * 4));
        assert_int_equal(words[1], GP_PROFILE_VERSION);
        assert_int_equal(words[2], count);
        struct gp_profile *again = gp_profile_decode(words, count * 4, &error);
        if (again == NULL)
            fail_msg("%s: %s", golden_names[i], error.text);
        struct gp_text before = {0}, after = {0};
        gp_profile_print(profile, &before);
        gp_profile_print(again, &after);
        assert_string_equal(before.data, after.data);
        assert_true(gp_profile_encode(again, &words_again, &count_again, &error));
        assert_int_equal(count, count_again);
        assert_memory_equal(words, words_again, count * 4);
        gp_text_free(&before);
        gp_text_free(&after);
        free(words);
        free(words_again);
        gp_profile_free(profile);
        gp_profile_free(again);
    }
}

/* The smallest profile, byte by byte. */
static void test_bytes(void **state)
{
    (void)state;
    struct gp_profile profile = {
        .producer = "", .source = "a", .triple = "", .cpu = "", .language = "cuda", .opt_level = 2};
    static const unsigned char expected[] = {3, 0, 1, 'a', 4, 'c', 'u', 'd', 'a', /* three strings: "", "a", "cuda" */
                                             0, 1, 0, 0,   2, /* producer, source, triple, cpu, language */
                                             2, 0, 0,         /* opt_level, no locations, no kernels */
                                             0, 0, 0};        /* filled up to a word */
    uint32_t *words;
    size_t count;
    assert_true(gp_profile_encode(&profile, &words, &count, NULL));
    assert_int_equal(count, 4 + 5);
    assert_int_equal(words[0], 0x46505047);
    assert_int_equal(words[3], gp_crc32(expected, sizeof expected));
    for (size_t i = 0; i < sizeof expected; i++)
        assert_int_equal(words[4 + i / 4] >> i % 4 * 8 & 0xff, expected[i]);
    free(words);
}

static void refuse(const void *bytes, size_t count, const char *sentence)
{
    struct gp_error error = {""};
    struct gp_profile *profile = gp_profile_decode(bytes, count, &error);
    if (profile != NULL || strstr(error.text, sentence) == NULL)
        fail_msg("'%s' instead of '%s'", profile ? "a profile" : error.text, sentence);
}

static void test_frame(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("vector_add");
    uint32_t *words;
    size_t count;
    assert_true(gp_profile_encode(profile, &words, &count, NULL));
    refuse("", 0, "does not begin with 'GPPF'");
    refuse("kernel void", 11, "does not begin with 'GPPF'");
    refuse(words, 12, "within its header");
    refuse(words, count * 4 - 4, "bytes, but");
    refuse(words, count * 4 - 1, "bytes, but");
    words[1]++;
    refuse(words, count * 4, "version 2");
    words[1]--;
    words[3]++;
    refuse(words, count * 4, "checksum");
    words[3]--;
    words[count - 1] ^= 0x100;
    refuse(words, count * 4, "checksum");
    free(words);
    gp_profile_free(profile);
}

/* Bit flips behind a right checksum: read or refused, but nothing worse; the sanitizers watch. */
static void test_flips(void **state)
{
    (void)state;
    for (int i = 0; i < GOLDEN_COUNT; i++) {
        struct gp_profile *profile = golden_profile(golden_names[i]);
        uint32_t *words;
        size_t count;
        assert_true(gp_profile_encode(profile, &words, &count, NULL));
        for (size_t bit = 0; bit < (count - 4) * 32; bit++) {
            words[4 + bit / 32] ^= 1u << bit % 32;
            words[3] = gp_crc32_words(words + 4, count - 4);
            struct gp_error error = {""};
            struct gp_profile *flipped = gp_profile_decode(words, count * 4, &error);
            if (flipped == NULL)
                assert_true(error.text[0] != '\0');
            gp_profile_free(flipped);
            words[4 + bit / 32] ^= 1u << bit % 32;
        }
        free(words);
        gp_profile_free(profile);
    }
}

/* Cut off anywhere, with a right header. */
static void test_cuts(void **state)
{
    (void)state;
    struct gp_profile *profile = golden_profile("every_field");
    uint32_t *words;
    size_t count;
    assert_true(gp_profile_encode(profile, &words, &count, NULL));
    for (size_t end = 4; end < count; end++) {
        uint32_t *cut = malloc(end * 4);
        memcpy(cut, words, end * 4);
        cut[2] = (uint32_t)end;
        cut[3] = gp_crc32_words(cut + 4, end - 4);
        refuse(cut, end * 4, "damaged");
        free(cut);
    }
    free(words);
    gp_profile_free(profile);
}

/*
 * Twenty bytes that ask for 2^32 strings, and others that ask for as many locations, are refused before memory is
 * reserved.
 */
static void test_greed(void **state)
{
    (void)state;
    uint32_t words[8] = {GP_PROFILE_MAGIC, GP_PROFILE_VERSION, 8, 0, 0xffffffff, 0x0000000f, 0, 0};
    words[3] = gp_crc32_words(words + 4, 4);
    refuse(words, sizeof words, "a count exceeds what is there");
    const uint32_t locations[8] = {
        GP_PROFILE_MAGIC, GP_PROFILE_VERSION, 8, 0, 0x00000001 | 0 << 8, 0, 0xffffff00, 0x0f};
    memcpy(words, locations, sizeof words);
    words[3] = gp_crc32_words(words + 4, 4);
    refuse(words, sizeof words, "a count exceeds what is there");
    /* an endless LEB128 number */
    const uint32_t endless[8] = {GP_PROFILE_MAGIC, GP_PROFILE_VERSION, 8,          0,
                                 0x80808080,       0x80808080,         0x80808080, 0x80808080};
    memcpy(words, endless, sizeof words);
    words[3] = gp_crc32_words(words + 4, 4);
    refuse(words, sizeof words, "a number is too large");
}

static void test_invalid_is_not_written(void **state)
{
    (void)state;
    struct gp_error error = {""};
    struct gp_profile *profile = golden_profile("vector_add");
    uint32_t *words = NULL;
    size_t count = 0;
    profile->kernels[0].insts[0].repeat = 0;
    assert_false(gp_profile_encode(profile, &words, &count, &error));
    assert_non_null(strstr(error.text, "kernel 'vector_add', block 0, instruction %0"));
    assert_null(words);
    gp_profile_free(profile);
}

static void test_files(void **state)
{
    (void)state;
    struct gp_error error = {""};
    struct gp_profile *profile = golden_profile("data_loop");
    char path[] = "/tmp/gpuperf-test-XXXXXX", temporary[64], missing[64];
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_true(gp_profile_write_file(profile, path, &error));
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    assert_int_equal(access(temporary, F_OK), -1);
    struct gp_profile *again = gp_profile_read_file(path, &error);
    assert_non_null(again);
    assert_int_equal(again->kernels[0].inst_count, profile->kernels[0].inst_count);
    gp_profile_free(again);
    unlink(path);
    assert_null(gp_profile_read_file(path, &error));
    assert_non_null(strstr(error.text, path));
    snprintf(missing, sizeof missing, "%s/x", path);
    assert_false(gp_profile_write_file(profile, missing, &error));
    assert_non_null(strstr(error.text, "cannot write"));
    gp_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_crc),   cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_bytes), cmocka_unit_test(test_frame),
                                       cmocka_unit_test(test_flips), cmocka_unit_test(test_cuts),
                                       cmocka_unit_test(test_greed), cmocka_unit_test(test_invalid_is_not_written),
                                       cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
