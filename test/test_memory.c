/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Without memory the library says so, leaks nothing and changes no answer: one allocation at a time fails, or all from
 * one on, of all that loading a profile, opening a device, choosing, predicting and explaining make. Those of the C
 * library and of libcyaml are among them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gpuperf/gpuperf.h"
#include "model/profile/profile_binary.h"
#include "test/failing_memory.h"
#include "test/golden.h"

/* AddressSanitizer's strdup() does not allocate by malloc(). It looks for leaks itself. */
#ifdef __SANITIZE_ADDRESS__
static const bool counts_blocks = false;
#else
static const bool counts_blocks = true;
#endif

struct answers {
    gpuperf_choice choice;
    double time_ns;
    uint64_t text; /* a hash of the explanation */
};

struct setting {
    const char *path, *device;
    bool reported; /* the failure: a function that can fail has failed, with its code and a sentence */
};

static void note(struct setting *s, int code, const gpuperf_error *error)
{
    s->reported |= code != GPUPERF_OK;
    if (code != GPUPERF_OK && code != GPUPERF_ESYSTEM)
        fail_msg("code %d: %s", code, error->text);
    if (code != GPUPERF_OK && strstr(error->text, "memory") == NULL)
        fail_msg("it says: %s", error->text);
}

static void ask_all(struct setting *s, const gpuperf_profile *profile, const gpuperf_device *device, struct answers *a)
{
    const char *kernel = gpuperf_profile_kernel_name(profile, 0);
    gpuperf_launch launch = {.dims = 2, .global = {256, 256, 1}};
    gpuperf_error error = {""};
    note(s, gpuperf_choose(profile, kernel, device, &launch, &a->choice, &error), &error);
    note(s, gpuperf_predict_time(profile, kernel, device, &launch, (uint32_t[3]){32, 32, 1}, &a->time_ns, &error),
         &error);
    char *text = gpuperf_explain(profile, kernel, device, &launch, &error);
    note(s, text != NULL ? GPUPERF_OK : GPUPERF_ESYSTEM, &error);
    for (const char *at = text; at != NULL && *at != '\0'; at++)
        a->text = a->text * 31 + (unsigned char)*at;
    free(text);
}

static struct answers once(struct setting *s)
{
    struct answers a = {0};
    gpuperf_error error = {""};
    s->reported = false;
    gpuperf_profile *profile = gpuperf_profile_load(s->path, &error);
    note(s, profile != NULL ? GPUPERF_OK : GPUPERF_ESYSTEM, &error);
    gpuperf_device *device = gpuperf_device_open(s->device, &error);
    note(s, device != NULL ? GPUPERF_OK : GPUPERF_ESYSTEM, &error);
    if (profile != NULL && device != NULL)
        ask_all(s, profile, device, &a);
    gpuperf_profile_free(profile);
    gpuperf_device_free(device);
    return a;
}

static void fail_at(struct setting *s, const struct answers *usual, long good, bool sticky)
{
    long live;
    failing_memory_begin(good, sticky);
    struct answers a = once(s);
    failing_memory_end(&live);
    if (live != 0 && counts_blocks)
        fail_msg("%ld blocks are left when allocation %ld fails (sticky: %d)", live, good, sticky);
    if (!s->reported && memcmp(&a, usual, sizeof a) != 0)
        fail_msg("other answers, and nothing said, when allocation %ld fails (sticky: %d)", good, sticky);
}

/* A file that holds the golden profile; remove it. */
static void write_profile(const char *kernel, const char *path)
{
    struct gp_profile *profile = golden_profile(kernel);
    uint32_t *words;
    size_t count;
    assert_true(gp_profile_encode(profile, &words, &count, NULL));
    assert_true(gp_write_file(path, words, count * sizeof *words));
    free(words);
    gp_profile_free(profile);
}

/* All allocations, or, of very many, every n-th. */
static void fail_everywhere(const char *kernel, const char *device, long points)
{
    char path[64];
    struct setting s = {path, device, false};
    long live;
    snprintf(path, sizeof path, "/tmp/gpuperf-test-memory-%ld", (long)getpid());
    write_profile(kernel, path);
    once(&s); /* what is made once per process */
    failing_memory_begin(-1, false);
    struct answers usual = once(&s);
    long count = failing_memory_end(&live), step = count > points ? count / points : 1;
    if (counts_blocks)
        assert_int_equal(live, 0);
    assert_false(s.reported);
    for (int sticky = 0; sticky < 2; sticky++)
        for (long good = 0; good < count; good += step)
            fail_at(&s, &usual, good, sticky);
    unlink(path);
}

static void of_a_kernel_with_a_tile(void **state)
{
    (void)state;
    fail_everywhere("transpose_tiled", "a100", 350);
}

static void of_a_loop(void **state)
{
    (void)state;
    fail_everywhere("matrix_multiply", "mi250x", 40);
}

/* One that is not as in the database goes through libyaml and libcyaml. */
static void of_a_device_file(void **state)
{
    (void)state;
    char directory[] = "/tmp/gpuperf-test-memory-XXXXXX", path[64], directories[512];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/own.yaml", directory);
    snprintf(directories, sizeof directories, "%s:" SOURCE_HWDB, directory);
    char *text = gp_read_file(SOURCE_HWDB "/a100.yaml", NULL), *name = strstr(text, "name: a100");
    memcpy(name, "name: own ", strlen("name: own "));
    assert_true(gp_write_file(path, text, strlen(text)));
    setenv("GPUPERF_HWDB", directories, 1);
    fail_everywhere("vector_add", "own", 200);
    setenv("GPUPERF_HWDB", SOURCE_HWDB, 1);
    free(text);
    unlink(path);
    rmdir(directory);
}

int main(void)
{
    setenv("GPUPERF_HWDB", SOURCE_HWDB, 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_a_kernel_with_a_tile), cmocka_unit_test(of_a_loop),
                                       cmocka_unit_test(of_a_device_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
