/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which guarded code NVIDIA's compilers make straight-line code of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/compilers/predication.h"
#include "model/profile/profile_text.h"

/* A kernel of these blocks; block 0 has the conditions %c and %d. */
static struct gp_profile *parse(uint32_t ipdom, const char *body)
{
    struct gp_error error = {{0}};
    char text[4096];
    snprintf(text, sizeof text,
             "gpuperf-profile 1\n"
             "kernel k\n"
             "  param a: buffer 64 in global skeleton size 8\n"
             "  param n: int 32 skeleton size 4\n"
             "  local tile: 1024 align 4\n"
             "  dims 1\n"
             "  resources registers 8 from estimate\n"
             "  block 0: ipdom %u\n"
             "    %%id = id.local_id.0 i32\n"
             "    %%c = icmp.ult i32 %%id, $n : int32.cmp\n"
             "    %%d = icmp.ult i32 %%id, 7 : int32.cmp\n%s",
             ipdom, body);
    struct gp_profile *profile = gp_profile_parse(text, strlen(text), &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    return profile;
}

/* The line that begins with block 0 is `line`, a digit for each block, in brackets where it is guarded. */
static void assert_line(const char *on, uint32_t ipdom, const char *body, const char *line)
{
    struct gp_profile *profile = parse(ipdom, body);
    struct gp_predication p;
    char found[64] = "";
    struct gp_error error = {{0}};
    struct gp_device *device = gp_device_load(on, SOURCE_HWDB, &error);
    if (device == NULL)
        fail_msg("%s", error.text);
    struct gp_cost costs[GP_CLASS_COUNT];
    gp_cost_table(device, costs, NULL);
    gp_predication_find(&profile->kernels[0], device, costs, &p);
    uint32_t place = 0;
    for (uint32_t b = 0; b != GP_NONE; b = p.next[b]) {
        assert_int_equal(p.head[b], 0);
        assert_int_equal(p.place[b], place++);
        sprintf(found + strlen(found), p.guarded[b] ? "(%u)" : "%u", b);
    }
    assert_string_equal(found, line);
    gp_predication_free(&p);
    gp_device_free(device);
    gp_profile_free(profile);
}

#define LOAD       "    %x = load i32 $a in global 4x1 base $a\n    store local.tile, %x in local 4x1 base local.tile\n"
#define ZERO       "    store local.tile, 0 in local 4x1 base local.tile\n"
#define END(block) "  block " block ":\n    ret\n"

static void assert_guarded(const char *on, const char *guarded, bool expected)
{
    char body[2048];
    snprintf(body, sizeof body,
             "    condbr %%c, block 1, block 2 kind thread : branch\n  block 1: ipdom 2\n%s    br block 2\n" END("2"),
             guarded);
    assert_line(on, 2, body, expected ? "0(1)2" : "0");
}

static const char *sums(char text[2048], const char *before, int count)
{
    strcpy(text, before);
    for (int i = 0; i < count; i++)
        sprintf(text + strlen(text), "    %%w%d = weight f32 $n : fp32.add\n", i);
    return text;
}

static void short_guarded_code_has_no_branch(void **state)
{
    (void)state;
    char text[2048];
    assert_guarded("a100", LOAD, true);
    assert_guarded("mi50", LOAD, false);
    assert_guarded("a100", "    barrier\n", false);
    assert_guarded("a100", "    %o = atomic i32 $a, 1 in global 4x1 base $a\n", false);
    assert_guarded("a100", "    %q = weight f32 $n : fp32.div\n", false); /* with a branch of its own */
    assert_guarded("a100", "    %q = weight f32 $n : fp32.div_fast\n", true);
    assert_guarded("a100", "    %q = weight f32 $n : fp32.div_fast\n    %r = weight f32 $n : fp32.div_fast\n", false);
    assert_guarded("a100", sums(text, "", 7), true);
    assert_guarded("a100", sums(text, "", 8), false);
}

static void with_a_load_it_may_be_longer(void **state)
{
    (void)state;
    char text[2048];
    assert_guarded("a100", sums(text, LOAD, 16), true);
    assert_guarded("a100", sums(text, LOAD, 17), false);
    assert_guarded("a100", sums(text, ZERO, 7), false);
}

static void both_sides_join(void **state)
{
    (void)state;
    assert_line("a100", 3,
                "    condbr %c, block 1, block 2 kind thread : branch\n  block 1: ipdom 3\n" LOAD
                "    br block 3\n  block 2: ipdom 3\n" ZERO "    br block 3\n" END("3"),
                "0(1)(2)3");
    assert_line("a100", 3,
                "    condbr %c, block 1, block 2 kind thread : branch\n  block 1: ipdom 3\n" LOAD
                "    br block 3\n  block 2: ipdom 3\n    barrier\n    br block 3\n" END("3"),
                "0");
}

/* c && d, without and with an else. */
static void conditions_join(void **state)
{
    (void)state;
    assert_line("a100", 3,
                "    condbr %c, block 1, block 3 kind thread : branch\n  block 1: ipdom 3\n    condbr %d, block 2, "
                "block 3 kind thread : branch\n"
                "  block 2: ipdom 3\n" LOAD "    br block 3\n" END("3"),
                "0(1)(2)3");
    assert_line("a100", 4,
                "    condbr %c, block 1, block 3 kind thread : branch\n  block 1: ipdom 4\n    condbr %d, block 3, "
                "block 2 kind thread : branch\n"
                "  block 2: ipdom 4\n" LOAD "    br block 4\n  block 3: ipdom 4\n" ZERO "    br block 4\n" END("4"),
                "0(1)(2)(3)4");
}

/* A condition behind an access stays a branch, and so does one of three ways. */
static void what_nests_has_a_branch(void **state)
{
    (void)state;
    assert_line("a100", 3,
                "    condbr %c, block 1, block 3 kind thread : branch\n  block 1: ipdom 3\n" ZERO
                "    condbr %d, block 2, block 3 kind thread : branch\n"
                "  block 2: ipdom 3\n" LOAD "    br block 3\n" END("3"),
                "0");
    assert_line("a100", 4,
                "    condbr %c, block 1, block 2 kind thread : branch\n  block 1: ipdom 4\n" LOAD "    br block 4\n"
                "  block 2: ipdom 4\n    condbr %d, block 3, block 4 kind thread : branch\n  block 3: ipdom 4\n" ZERO
                "    br block 4\n" END("4"),
                "0");
}

static void lines_go_on_behind_guards(void **state)
{
    (void)state;
    assert_line("a100", 2,
                "    condbr %c, block 1, block 2 kind thread : branch\n  block 1: ipdom 2\n" LOAD "    br block 2\n"
                "  block 2: ipdom 4\n    condbr %d, block 4, block 3 kind thread : branch\n  block 3: ipdom 4\n" ZERO
                "    br block 4\n" END("4"),
                "0(1)2(3)4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_guarded_code_has_no_branch),
                                       cmocka_unit_test(with_a_load_it_may_be_longer),
                                       cmocka_unit_test(both_sides_join),
                                       cmocka_unit_test(conditions_join),
                                       cmocka_unit_test(what_nests_has_a_branch),
                                       cmocka_unit_test(lines_go_on_behind_guards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
