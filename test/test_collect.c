/* What the collector finds a work-group to touch, and who waits for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/profile_text.h"
#include "model/work.h"
#include "test/golden.h"

static struct gp_error error;

struct collected { struct gp_profile *profile; struct gp_device *device; struct gp_collector *collector; struct gp_launch launch; struct gp_work work; };

static void collect(struct collected *c)
{
    const struct gp_kernel *kernel = &c->profile->kernels[0];
    c->device = gp_device_load("a100", SOURCE_HWDB, &error);
    if (c->device == NULL)
        fail_msg("%s", error.text);
    c->collector = gp_collector_new(kernel);
    if (!gp_collect(c->collector, c->device, &c->launch, 64, c->device->l1_size.value, 32, GP_SAMPLE_FULL, &c->work, &error))
        fail_msg("%s", error.text);
}

/* Matrix multiplication of 1024 x 1024 work-items, the inner dimension being n. */
static struct collected *multiply(uint32_t x, uint32_t y, uint32_t n)
{
    static struct collected c;
    c.profile = golden_profile("matrix_multiply");
    gp_launch_default(&c.profile->kernels[0], &c.launch);
    c.launch.global[0] = c.launch.global[1] = 1024;
    c.launch.local[0] = x;
    c.launch.local[1] = y;
    c.launch.arguments[3].known = true;
    c.launch.arguments[3].value = n;
    collect(&c);
    return &c;
}

static void done(struct collected *c)
{
    gp_collector_free(c->collector);
    gp_device_free(c->device);
    gp_profile_free(c->profile);
}

/* A row of A is read word by word, by iterations of which most are not executed: its n words lie in n / 8 sectors, for any n. */
static void rows_are_as_long_as_they_are(void **state)
{
    (void)state;
    for (uint32_t n = 8; n <= 264; n += 8) {
        struct collected *c = multiply(32, 8, n);
        assert_true(fabs(c->work.buffers[0].group_bytes - 8.0 * 4 * n) < 1e-6 * n);
        done(c);
    }
}

/*
 * Eight warps read the same columns of B. Whichever asks first waits for them; that it is always the first one executed must not make it
 * the slowest: the chain is that of eight warps that wait an eighth each, well below that of one warp alone.
 */
static void sharing_spreads_the_waiting(void **state)
{
    (void)state;
    struct collected *c = multiply(32, 1, 512);
    double alone = c->work.chain_memory;
    done(c);
    c = multiply(32, 8, 512);
    assert_true(c->work.chain_memory < 0.8 * alone);
    done(c);
}

/*
 * Work-items 132 bytes apart read n words each: after 33 of them the next one's begin. A group of 96 touches what lies between its first and its last word, and no more.
 */
static void stretches_overlap(void **state)
{
    (void)state;
    static const char text[] = "gpuperf-profile 1\n"
                               "kernel k\n"
                               "  param a: buffer 64 in global const skeleton size 8\n"
                               "  param n: int 32 skeleton signed size 4\n"
                               "  dims 1\n"
                               "  resources registers 8 from estimate\n"
                               "  loop 0: header 1 latch 1 bound scalar-evolution trips $n\n"
                               "  induction %k loop 0 step 1\n"
                               "  block 0: ipdom 1\n"
                               "    %gid = id.global_id.0 i64\n"
                               "    %first = mul i64 %gid, 132 : int64.mul\n"
                               "    br block 1\n"
                               "  block 1: ipdom 2 loop 0\n"
                               "    %k = phi i32 [block 0: 0], [block 1: %knext]\n"
                               "    %k64 = sext i32 %k to i64 : mov cheap\n"
                               "    %far = mul i64 %k64, 4 : int64.mul\n"
                               "    %at = add i64 %first, %far : int64.add\n"
                               "    %p = add i64 $a, %at : int64.add\n"
                               "    %v = load i32 %p in global 4x1 base $a\n"
                               "    %knext = add i32 %k, 1 : int32.add\n"
                               "    %more = icmp.slt i32 %knext, $n : int32.cmp\n"
                               "    condbr %more, block 1, block 2 kind argument\n"
                               "  block 2:\n"
                               "    ret\n";
    for (uint32_t n = 33; n < 600; n += 63) {
        struct collected c = {.profile = gp_profile_parse(text, sizeof text - 1, &error)};
        if (c.profile == NULL)
            fail_msg("%s", error.text);
        gp_launch_default(&c.profile->kernels[0], &c.launch);
        c.launch.global[0] = 960;
        c.launch.local[0] = 96;
        c.launch.arguments[1] = (struct gp_argument){.known = true, .value = n};
        collect(&c);
        double all = 95 * 132 + 4.0 * n;
        assert_true(c.work.buffers[0].group_bytes <= all + 2 * 32 && c.work.buffers[0].group_bytes >= 0.8 * all);
        done(&c);
    }
}

/* a[gid], then a[i] with i from what was loaded, as `index` makes it; groups of five, whose words begin and end within sectors of their neighbours. */
static void gather(struct collected *c, const char *index)
{
    char text[2048];
    int length = snprintf(text, sizeof text, "gpuperf-profile 1\nkernel k\n  param a: buffer 64 in global const skeleton size 8\n  dims 1\n  resources registers 8 from estimate\n"
                                             "  block 0:\n    %%gid = id.global_id.0 i64\n    %%own = mul i64 %%gid, 4 : int64.mul\n    %%p = add i64 $a, %%own : int64.add\n"
                                             "    %%v = load i64 %%p in global 4x1 base $a\n    %%i = %s : int64.logic\n    %%far = mul i64 %%i, 4 : int64.mul\n"
                                             "    %%q = add i64 $a, %%far : int64.add\n    %%w = load i64 %%q in global 4x1 base $a\n    ret\n", index);
    *c = (struct collected){.profile = gp_profile_parse(text, (size_t)length, &error)};
    if (c->profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&c->profile->kernels[0], &c->launch);
    c->launch.global[0] = 10000;
    c->launch.local[0] = 5;
    collect(c);
}

/*
 * Of what a group touches its neighbours were seen to share the ends of its own 20 bytes. It must not be taken to share as much of what it gathers, whose addresses
 * nobody knows: five sectors of its own; or any of the 128 of a table.
 */
static void what_is_gathered_is_not_shared(void **state)
{
    (void)state;
    struct collected c;
    gather(&c, "or i64 %v, 1");
    const struct gp_buffer_work *buffer = &c.work.buffers[0];
    assert_true(buffer->shared[0] > 0 && (1 - buffer->shared[0]) * buffer->group_bytes >= 5 * 32);
    done(&c);
    gather(&c, "and i64 %v, 1023");
    buffer = &c.work.buffers[0];
    double distinct = 128 * (1 - pow(127.0 / 128, 5)), own = buffer->group_bytes / 32 - distinct;
    assert_true(own > 1 && own < 2);
    assert_true((1 - buffer->shared[0]) * buffer->group_bytes / 32 >= distinct * (1 - distinct / 128));
    assert_true(buffer->shared[0] * buffer->group_bytes / 32 >= distinct * distinct / 128);
    done(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_gathered_is_not_shared),
        cmocka_unit_test(rows_are_as_long_as_they_are),
        cmocka_unit_test(sharing_spreads_the_waiting),
        cmocka_unit_test(stretches_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
