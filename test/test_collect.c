/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the collector finds a work-group to touch, and who waits for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/profile_text.h"
#include "model/observe/work.h"
#include "model/assume/defaults.h"
#include "test/golden.h"

static struct gp_error error;

struct collected {
    struct gp_profile *profile;
    struct gp_device *device;
    struct gp_collector *collector;
    struct gp_launch launch;
    struct gp_work work;
};

static void sample(struct collected *c, enum gp_sampling sampling)
{
    const struct gp_kernel *kernel = &c->profile->kernels[0];
    c->device = gp_device_load("a100", SOURCE_HWDB, &error);
    if (c->device == NULL)
        fail_msg("%s", error.text);
    c->collector = gp_collector_new(kernel);
    if (!gp_collect(c->collector, c->device, &c->launch, 64, c->device->l1_size.value, 32, sampling, &c->work, &error))
        fail_msg("%s", error.text);
}

static void assert_near(double value, double expected, double tolerance)
{
    assert_true(fabs(value - expected) <= tolerance * expected);
}

static void collect(struct collected *c) { sample(c, GP_SAMPLE_FULL); }

/* Matrix multiplication of 1024 x 1024 work-items, the inner dimension being n. */
static struct collected *multiply(uint32_t x, uint32_t y, uint32_t n)
{
    static struct collected c;
    c.profile = golden_profile("matrix_multiply");
    gp_launch_default(&c.profile->kernels[0], &c.launch);
    c.launch.global[0] = (1024 + x - 1) / x * x;
    c.launch.global[1] = 1024;
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

/* A row of A is read word by word, by iterations of which most are not executed: its n words lie in n / 8 sectors, for
 * any n. */
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
 * Eight warps read the same columns of B. Whichever asks first waits for them; that it is always the first one executed
 * must not make it the slowest: the chain is that of eight warps that wait an eighth each, well below that of one warp
 * alone.
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
 * Work-items 132 bytes apart read n words each: after 33 of them the next one's begin. A group of 96 touches what lies
 * between its first and its last word, and no more.
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

/* Work-items at (x, y) of 1024 x 1024 read words of a matrix with rows of 4096 bytes, as `body` says from %x, %y and
 * %row, the bytes before theirs. */
static struct collected *read_matrix(const char *body, uint32_t x, uint32_t y)
{
    static struct collected c;
    char text[4000];
    int length = snprintf(text, sizeof text,
                          "gpuperf-profile 1\nkernel k\nparam a: buffer 64 in global const skeleton size 8\nparam out: "
                          "buffer 64 in global skeleton size 8\ndims 2\n"
                          "resources registers 8 from estimate\n%sblock 0: ipdom 1\n%%x = id.global_id.0 i64\n%%y = "
                          "id.global_id.1 i64\n%%lx = id.local_id.0 i64\n"
                          "%%row = shl i64 %%y, 12 : int64.shift\n%%xb = shl i64 %%x, 2 : int64.shift\n%%place = add "
                          "i64 %%row, %%xb : int64.add\n%%p = add i64 $a, %%place : int64.add\n%s",
                          strstr(body, "loop") != NULL
                              ? "loop 0: header 1 latch 3 bound constant trips 2\ninduction %k loop 0 step 1\n"
                              : "",
                          body);
    c.profile = gp_profile_parse(text, (size_t)length, &error);
    if (c.profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&c.profile->kernels[0], &c.launch);
    c.launch.global[0] = c.launch.global[1] = 1024;
    c.launch.local[0] = x;
    c.launch.local[1] = y;
    collect(&c);
    return &c;
}

static const uint32_t shapes[][2] = {{32, 4}, {32, 8}, {32, 16}, {32, 32}, {64, 16}, {128, 8}, {256, 4}, {1024, 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* What was collected before is not in what is collected now: each block of the average warp, the first one once. */
static void each_time_anew(void **state)
{
    (void)state;
    struct collected *c = multiply(32, 8, 64);
    double chain = c->work.blocks[0].chain;
    for (int i = 0; i < 3; i++) {
        assert_true(gp_collect(c->collector, c->device, &c->launch, 64, c->device->l1_size.value, 32, GP_SAMPLE_FULL,
                               &c->work, &error));
        assert_near(c->work.blocks[0].visits, 1, 1e-9);
        assert_near(c->work.blocks[0].chain, chain, 1e-9);
    }
    done(c);
}

/* Three rows, one above the other: a group of so many rows reads two more, whether its warps are all executed or not.
 */
static void rows_of_a_stencil_count_once(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        uint32_t width = shapes[i][0], height = shapes[i][1];
        struct collected *c = read_matrix("%q = add i64 %p, 4096 : int64.add\n%r = add i64 %p, 8192 : int64.add\n%a = "
                                          "load f32 %p in global 4x1 base $a\n"
                                          "%b = load f32 %q in global 4x1 base $a\n%c = load f32 %r in global 4x1 base "
                                          "$a\nbr block 1\nblock 1:\nret\n",
                                          width, height);
        assert_near(c->work.buffers[0].group_bytes, (height + 2.0) * width * 4, 0.03);
        assert_near(c->work.memory[0].l2_bytes + c->work.memory[1].l2_bytes + c->work.memory[2].l2_bytes,
                    (height + 2.0) * 128 / height, 0.03);
        if (height < 1024)
            assert_near(c->work.buffers[0].shared.next[1], 2.0 / (height + 2), 0.4);
        done(c);
    }
}

/* Warps begin in the middle of lines: a row has one line more than would hold it, and neighbours share that one, not
 * one for each of their warps. */
static void warps_that_meet_in_a_line_bring_it_once(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        uint32_t width = shapes[i][0], height = shapes[i][1];
        struct collected *c = read_matrix(
            "%q = add i64 %p, 16 : int64.add\n%a = load f32 %q in global 4x1 base $a\nbr block 1\nblock 1:\nret\n",
            width, height);
        assert_near(c->work.buffers[0].group_bytes, height * (width * 4 + 32.0), 0.03);
        if (width < 1024)
            assert_near(c->work.buffers[0].shared.next[0], 32 / (width * 4 + 32.0), 0.25);
        done(c);
    }
}

/* Four groups of a column each have a word of their own in a sector: wherever the sampled one stands, it shares three
 * quarters of its sectors with the next. */
static void columns_share_parts_of_lines(void **state)
{
    (void)state;
    for (uint32_t height = 32; height <= 256; height *= 2)
        for (uint32_t columns = 1018; columns <= 1024; columns += 2) {
            struct collected *c = read_matrix("%far = sub i64 %p, $a : int64.add\n%record = shl i64 %far, 1 : "
                                              "int64.shift\n%q = add i64 $a, %record : int64.add\n"
                                              "%v = load f32 %q in global 4x1 base $a\nbr block 1\nblock 1:\nret\n",
                                              1, height);
            c->launch.global[0] = columns;
            assert_true(gp_collect(c->collector, c->device, &c->launch, 64, c->device->l1_size.value, 32,
                                   GP_SAMPLE_FULL, &c->work, &error));
            assert_near(c->work.buffers[0].shared.next[0], 0.75, 1e-9);
            done(c);
        }
}

/* Work-items at (x, y, z) of 64 x 64 x 64 read the words before and behind theirs along each dimension, unless they lie
 * at a face. */
static const char inside[] =
    "gpuperf-profile 1\nkernel k\nparam a: buffer 64 in global const skeleton size 8\ndims 3\nresources registers 8 "
    "from estimate\n"
    "block 0: ipdom 3\n%x = id.global_id.0 i64\n%y = id.global_id.1 i64\n%z = id.global_id.2 i64\n%fy = icmp.eq i64 "
    "%y, 0 : int32.cmp\n%ly = icmp.eq i64 %y, 63 : int32.cmp\n"
    "%ey = select i1 %fy, 1, %ly : free\ncondbr %ey, block 3, block 1 : branch\n"
    "block 1: ipdom 3\n%fz = icmp.eq i64 %z, 0 : int32.cmp\n%lz = icmp.eq i64 %z, 63 : int32.cmp\n%ez = select i1 %fz, "
    "1, %lz : free\ncondbr %ez, block 3, block 2 : branch\n"
    "block 2: ipdom 3\n%yb = shl i64 %y, 8 : int64.shift\n%zb = shl i64 %z, 14 : int64.shift\n%xb = shl i64 %x, 2 : "
    "int64.shift\n%yz = add i64 %yb, %zb : int64.add\n"
    "%at = add i64 %yz, %xb : int64.add\n%p = add i64 $a, %at : int64.add\n%v = load f32 %p in global 4x1 base $a\n%n "
    "= add i64 %p, -256 : int64.add\n%vn = load f32 %n in global 4x1 base $a\n"
    "%s = add i64 %p, 256 : int64.add\n%vs = load f32 %s in global 4x1 base $a\n%u = add i64 %p, -16384 : "
    "int64.add\n%vu = load f32 %u in global 4x1 base $a\n"
    "%d = add i64 %p, 16384 : int64.add\n%vd = load f32 %d in global 4x1 base $a\nbr block 3\nblock 3:\nret\n";

/* Groups at the corners do nothing, and those at other edges work: how far all reach and what a group touches is known
 * nevertheless, also to a quick look. */
static void idle_corners_hide_nothing(void **state)
{
    (void)state;
    static const uint32_t locals[][3] = {{64, 1, 1}, {32, 2, 1}, {16, 4, 1}, {8, 8, 1}, {16, 1, 4}};
    static const enum gp_sampling looks[] = {GP_SAMPLE_FULL, GP_SAMPLE_QUICK, GP_SAMPLE_QUICK_SHARING};
    for (size_t i = 0; i < sizeof locals / sizeof *locals; i++) {
        double bytes[3];
        for (int look = 0; look < 3; look++) {
            struct collected c = {.profile = gp_profile_parse(inside, sizeof inside - 1, &error)};
            if (c.profile == NULL)
                fail_msg("%s", error.text);
            gp_launch_default(&c.profile->kernels[0], &c.launch);
            for (int d = 0; d < 3; d++) {
                c.launch.global[d] = 64;
                c.launch.local[d] = locals[i][d];
            }
            sample(&c, looks[look]);
            assert_near(c.work.buffers[0].extent, 64 * 64 * 64 * 4, 0.07);
            bytes[look] = c.work.buffers[0].group_bytes;
            done(&c);
        }
        assert_near(bytes[2], bytes[0], 0.06);
    }
}

/*
 * A group's row and the 8 words behind it, in two turns of which the second is for 8 work-items alone: what lies behind
 * is the neighbour's beginning. All turns are executed: nothing is taken to be touched between them.
 */
static void halos_share_their_words(void **state)
{
    (void)state;
    for (uint32_t width = 32; width <= 256; width *= 2) {
        char text[2000];
        snprintf(text, sizeof text,
                 "br block 1\nblock 1: ipdom 2 loop 0\n%%k = phi i64 [block 0: 0], [block 3: %%next]\n%%turn = mul i64 "
                 "%%k, %u : int64.mul\n"
                 "%%column = add i64 %%lx, %%turn : int64.add\n%%in = icmp.ult i64 %%column, %u : int64.cmp\ncondbr "
                 "%%in, block 2, block 3 kind thread\n"
                 "block 2: ipdom 3 loop 0\n%%far = shl i64 %%turn, 2 : int64.shift\n%%q = add i64 %%p, %%far : "
                 "int64.add\n%%v = load f32 %%q in global 4x1 base $a\nbr block 3\n"
                 "block 3: ipdom 4 loop 0\n%%next = add i64 %%k, 1 : int64.add\n%%more = icmp.ult i64 %%next, 2 : "
                 "int64.cmp\ncondbr %%more, block 1, block 4 kind induction\n"
                 "block 4:\nret\n",
                 width, width + 8);
        struct collected *c = read_matrix(text, width, 8);
        assert_near(c->work.buffers[0].useful_bytes, 8 * (width + 8) * 4.0, 0.02);
        assert_near(c->work.buffers[0].shared_words.next[0], 8 / (width + 8.0), 0.05);
        done(c);
    }
}

/* load: with # for its number, so that there can be several. */
struct source {
    const char *param, *load;
};

static const struct source
    of_buffer = {"buffer 64 in global const skeleton size 8",
                 "    %bytes# = shl i64 %at, 2 : int64.shift\n    %p# = add i64 $in, %bytes# : int64.add\n    %v# = "
                 "load i32 %p# in global 4x1 base $in\n"},
    of_image = {"image 64 in image size 8",
                "    %column# = add i64 %x, %k64 : int64.add\n    %cx# = trunc i64 %column# to i32 : free\n"
                "    %cy# = trunc i64 %row to i32 : free\n    %v# = image_load i32 $in, %cx#, %cy# in image 4x1 base "
                "$in readonly\n"};

static void append_load(char *loads, size_t *length, const char *load, unsigned number)
{
    for (; *load != '\0'; load++)
        *length +=
            (size_t)(*load == '#' ? sprintf(loads + *length, "%u", number) : sprintf(loads + *length, "%c", *load));
}

enum { MOST_LOADS = 30 };

/* in[(y + j) * 2048 + x + k], or the texel (x + k, y + j) of an image, loaded so many times: j below `rows`, k below
 * `columns`. */
static struct collected blur(const struct source *source, unsigned count, uint32_t x, uint32_t y, uint32_t rows,
                             uint32_t columns, enum gp_sampling sampling)
{
    char text[4096 + MOST_LOADS * 256], loads[MOST_LOADS * 256];
    size_t loads_length = 0;
    for (unsigned i = 0; i < count; i++)
        append_load(loads, &loads_length, source->load, i);
    int length =
        snprintf(text, sizeof text,
                 "gpuperf-profile 1\nkernel blur\n  param in: %s\n  param rows: int 32 skeleton signed size 4\n"
                 "  param columns: int 32 skeleton signed size 4\n  dims 2\n  resources registers 8 from estimate\n"
                 "  loop 0: header 1 latch 3 bound scalar-evolution trips $rows\n  loop 1: header 2 latch 2 parent 0 "
                 "bound scalar-evolution trips $columns\n"
                 "  induction %%j loop 0 step 1\n  induction %%k loop 1 step 1\n"
                 "  block 0: ipdom 1\n    %%x = id.global_id.0 i64\n    %%y = id.global_id.1 i64\n    br block 1\n"
                 "  block 1: ipdom 2 loop 0\n    %%j = phi i32 [block 0: 0], [block 3: %%jnext]\n    %%j64 = sext i32 "
                 "%%j to i64 : mov cheap\n"
                 "    %%row = add i64 %%y, %%j64 : int64.add\n    %%far = shl i64 %%row, 11 : int64.shift\n    %%from "
                 "= add i64 %%far, %%x : int64.add\n    br block 2\n"
                 "  block 2: ipdom 3 loop 1\n    %%k = phi i32 [block 1: 0], [block 2: %%knext]\n    %%k64 = sext i32 "
                 "%%k to i64 : mov cheap\n"
                 "    %%at = add i64 %%from, %%k64 : int64.add\n%s    %%knext = add i32 %%k, 1 : int32.add\n    %%more "
                 "= icmp.slt i32 %%knext, $columns : int32.cmp\n"
                 "    condbr %%more, block 2, block 3 kind argument\n"
                 "  block 3: ipdom 4 loop 0\n    %%jnext = add i32 %%j, 1 : int32.add\n    %%again = icmp.slt i32 "
                 "%%jnext, $rows : int32.cmp\n"
                 "    condbr %%again, block 1, block 4 kind argument\n  block 4:\n    ret\n",
                 source->param, loads);
    struct collected c = {.profile = gp_profile_parse(text, (size_t)length, &error)};
    if (c.profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&c.profile->kernels[0], &c.launch);
    c.launch.global[0] = (1024 + x - 1) / x * x;
    c.launch.global[1] = 1024;
    c.launch.local[0] = x;
    c.launch.local[1] = y;
    c.launch.arguments[1] = (struct gp_argument){.known = true, .value = rows};
    c.launch.arguments[2] = (struct gp_argument){.known = true, .value = columns};
    sample(&c, sampling);
    return c;
}

/*
 * Rows that the warps of a group go through one below the other: each comes into rows that another was in, in
 * iterations of which few are executed. What is counted must be what executing all of them counts.
 */
static void compare(const struct source *source, const uint32_t shape[2], const uint32_t loops[2])
{
    struct collected few = blur(source, 1, shape[0], shape[1], loops[0], loops[1], GP_SAMPLE_FULL);
    struct collected all = blur(source, 1, shape[0], shape[1], loops[0], loops[1], GP_SAMPLE_EVERY_ITERATION);
    const struct gp_buffer_work *a = &few.work.buffers[0], *b = &all.work.buffers[0];
    assert_near(a->group_bytes, b->group_bytes, 1e-6);
    assert_near(a->useful_bytes, b->useful_bytes, 1e-6);
    assert_near(few.work.memory[0].l2_bytes, all.work.memory[0].l2_bytes,
                source == &of_image ? 0.12 : 0.09); /* 41 x 41 by groups of 16 x 16 are about what L1 holds */
    assert_near(few.work.chain, all.work.chain, 1e-3);
    for (int d = 0; d < 2; d++)
        assert_true(fabs(a->shared.next[d] - b->shared.next[d]) < 1e-6 &&
                    fabs(a->shared_words.next[d] - b->shared_words.next[d]) < 1e-6);
    done(&few);
    done(&all);
}

static void few_iterations_touch_what_all_do(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{32, 1}, {32, 8}, {16, 16}, {8, 32}, {64, 4}, {256, 1}},
                          loops[][2] = {{41, 1}, {41, 41}, {9, 33}, {33, 9}, {200, 1}};
    for (int s = 0; s < 6; s++)
        for (int l = 0; l < 5; l++) {
            compare(&of_buffer, shapes[s], loops[l]);
            compare(&of_image, shapes[s], loops[l]);
        }
}

/* Of loops in which many operations take too many iterations to list, some stand for the others. */
static void some_stand_for_the_others(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{32, 8}, {8, 32}}, loops[][2] = {{100, 1}, {3, 100}};
    for (int i = 0; i < 8; i++) {
        const struct source *source = i % 2 ? &of_image : &of_buffer;
        const uint32_t *shape = shapes[i / 2 % 2], *n = loops[i / 4];
        struct collected few = blur(source, MOST_LOADS, shape[0], shape[1], n[0], n[1], GP_SAMPLE_FULL);
        struct collected all = blur(source, MOST_LOADS, shape[0], shape[1], n[0], n[1], GP_SAMPLE_EVERY_ITERATION);
        const struct gp_buffer_work *a = &few.work.buffers[0], *b = &all.work.buffers[0];
        assert_near(a->group_bytes, b->group_bytes, 0.25);
        for (int d = 0; d < 2; d++)
            assert_true(fabs(a->shared.next[d] - b->shared.next[d]) < 0.06);
        done(&few);
        done(&all);
    }
}

/* 769 work-items: 24 full warps and one of one lane, which stands for no other. */
static void a_lone_lane_stands_for_itself(void **state)
{
    (void)state;
    struct collected c = blur(&of_buffer, 1, 769, 1, 1, 1, GP_SAMPLE_FULL);
    assert_near(c.work.buffers[0].useful_bytes, 769 * 4, 0.01);
    done(&c);
}

/* A group of 32 x 8 that blurs 41 rows of one column touches 48 rows of 128 bytes; the group below shares 40 of them.
 */
static void rows_of_a_blur(void **state)
{
    (void)state;
    struct collected c = blur(&of_buffer, 1, 32, 8, 41, 1, GP_SAMPLE_EVERY_ITERATION);
    assert_near(c.work.buffers[0].group_bytes, 48 * 128, 0.02); /* groups at the edges are seen by fewer warps */
    assert_near(c.work.buffers[0].shared.next[1], 40 / 48.0, 1e-9);
    assert_near(c.work.buffers[0].shared_words.next[1], 40 / 48.0, 1e-9);
    done(&c);
}

/* What the profile does in groups of 32 x `height`, 64 by 200 of them. */
static struct collected in_tall_groups(const char *text, size_t length, uint32_t height)
{
    struct collected c = {.profile = gp_profile_parse(text, length, &error)};
    if (c.profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&c.profile->kernels[0], &c.launch);
    c.launch.global[0] = 2048;
    c.launch.global[1] = 200 * height;
    c.launch.local[0] = 32;
    c.launch.local[1] = height;
    collect(&c);
    return c;
}

/* in[(y + j) * 2048 + x] for three j, in groups of 32 x `height`. */
static struct collected three_rows(const uint32_t j[3], uint32_t height)
{
    char text[2048];
    int length = snprintf(text, sizeof text,
                          "gpuperf-profile 1\nkernel k\n  param in: buffer 64 in global const skeleton size 8\n  dims "
                          "2\n  resources registers 8 from estimate\n"
                          "  block 0:\n    %%x = id.global_id.0 i64\n    %%y = id.global_id.1 i64\n");
    for (int i = 0; i < 3; i++)
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "    %%row%d = add i64 %%y, %u : int64.add\n    %%far%d = shl i64 %%row%d, 11 : "
                           "int64.shift\n    %%at%d = add i64 %%far%d, %%x : int64.add\n"
                           "    %%bytes%d = shl i64 %%at%d, 2 : int64.shift\n    %%p%d = add i64 $in, %%bytes%d : "
                           "int64.add\n    %%v%d = load f32 %%p%d in global 4x1 base $in\n",
                           i, j[i], i, i, i, i, i, i, i, i, i, i);
    length += snprintf(text + length, sizeof text - (size_t)length, "    ret\n");
    return in_tall_groups(text, (size_t)length, height);
}

/* Of a buffer, rows y and y + 2 make row y + 1, or the one so many further down. */
static struct collected update(uint32_t height, uint32_t down)
{
    char text[2048];
    int length = snprintf(text, sizeof text,
                          "gpuperf-profile 1\nkernel k\n  param in: buffer 64 in global skeleton size 8\n  dims 2\n  "
                          "resources registers 8 from estimate\n"
                          "  block 0:\n    %%x = id.global_id.0 i64\n    %%y = id.global_id.1 i64\n    %%far = shl i64 "
                          "%%y, 11 : int64.shift\n    %%at = add i64 %%far, %%x : int64.add\n"
                          "    %%bytes = shl i64 %%at, 2 : int64.shift\n    %%p = add i64 $in, %%bytes : int64.add\n   "
                          " %%r = add i64 %%p, 16384 : int64.add\n"
                          "    %%q = add i64 %%p, %u : int64.add\n    %%v = load i32 %%p in global 4x1 base $in\n    "
                          "%%w = load i32 %%r in global 4x1 base $in\n"
                          "    store %%q, %%v in global 4x1 base $in\n    ret\n",
                          8192 * (1 + down));
    return in_tall_groups(text, (size_t)length, height);
}

/* Of the lines that a group stores before it reads them its neighbours read all, in place; nobody does where they are
 * elsewhere. No two groups store to one. */
static void what_neighbours_read_is_known(void **state)
{
    (void)state;
    for (uint32_t height = 1; height <= 8; height *= 8)
        for (uint32_t down = 0; down <= 10000; down += 10000) {
            struct collected c = update(height, down);
            const struct gp_buffer_work *b = &c.work.buffers[0];
            assert_true(b->read_and_written && b->stored_bytes > 0);
            assert_near(b->read_elsewhere, down == 0, 1e-9);
            assert_true(b->shared_written.next[0] == 0 && b->shared_written.next[1] == 0);
            done(&c);
        }
}

/* Rows that so many groups of that height touch, one below the other. */
static uint32_t rows_of(const uint32_t j[3], uint32_t rows)
{
    bool touched[4096] = {0};
    uint32_t count = 0;
    for (uint32_t y = 0; y < rows; y++)
        for (int i = 0; i < 3; i++) {
            count += !touched[y + j[i]];
            touched[y + j[i]] = true;
        }
    return count;
}

/* However far apart the rows of a stencil are, groups one below the other touch together what there is of them. */
static void rows_apart_are_shared(void **state)
{
    (void)state;
    static const uint32_t rows[][3] = {{0, 1, 2},  {0, 2, 4},   {0, 0, 2},  {0, 8, 16}, {0, 16, 32},
                                       {0, 3, 24}, {0, 20, 61}, {0, 1, 90}, {0, 0, 0}},
                          heights[] = {1, 2, 8};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int h = 0; h < 3; h++) {
            struct collected c = three_rows(rows[r], heights[h]);
            const struct gp_buffer_work *b = &c.work.buffers[0];
            for (uint32_t n = 1; n <= 200; n += n < 10 ? 1 : 19) {
                double all[3] = {1, n, 1}, one = 128.0 * rows_of(rows[r], heights[h]),
                       bytes = 128.0 * rows_of(rows[r], n * heights[h]);
                assert_near(gp_spread(one, &b->shared, c.work.further, all), bytes, 1e-9);
                assert_near(gp_spread(one, &b->shared_words, c.work.further, all), bytes, 1e-9);
            }
            assert_true(r > 0 ||
                        c.work.further[1][0] == 0); /* of neighbouring rows the next group alone is looked at */
            done(&c);
        }
}

/* a[gid], then a[i] with i from what was loaded, as `index` makes it; groups of five, whose words begin and end within
 * sectors of their neighbours. */
static void gather(struct collected *c, const char *index)
{
    char text[2048];
    int length =
        snprintf(text, sizeof text,
                 "gpuperf-profile 1\nkernel k\n  param a: buffer 64 in global const skeleton size 8\n  dims 1\n  "
                 "resources registers 8 from estimate\n"
                 "  block 0:\n    %%gid = id.global_id.0 i64\n    %%own = mul i64 %%gid, 4 : int64.mul\n    %%p = add "
                 "i64 $a, %%own : int64.add\n"
                 "    %%v = load i64 %%p in global 4x1 base $a\n    %%i = %s : int64.logic\n    %%far = mul i64 %%i, 4 "
                 ": int64.mul\n"
                 "    %%q = add i64 $a, %%far : int64.add\n    %%w = load i64 %%q in global 4x1 base $a\n    ret\n",
                 index);
    *c = (struct collected){.profile = gp_profile_parse(text, (size_t)length, &error)};
    if (c->profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&c->profile->kernels[0], &c->launch);
    c->launch.global[0] = 10000;
    c->launch.local[0] = 5;
    collect(c);
}

/*
 * Of what a group touches its neighbours were seen to share the ends of its own 20 bytes. It must not be taken to share
 * as much of what it gathers, whose addresses nobody knows: five sectors of its own; or any of the 128 of a table.
 */
static void what_is_gathered_is_not_shared(void **state)
{
    (void)state;
    struct collected c;
    gather(&c, "or i64 %v, 1");
    const struct gp_buffer_work *buffer = &c.work.buffers[0];
    assert_true(buffer->shared.next[0] > 0 && (1 - buffer->shared.next[0]) * buffer->group_bytes >= 5 * 32);
    done(&c);
    gather(&c, "and i64 %v, 1023");
    buffer = &c.work.buffers[0];
    double distinct = 128 * (1 - pow(127.0 / 128, 5)), own = buffer->group_bytes / 32 - distinct;
    assert_true(own > 1 && own < 2);
    assert_true((1 - buffer->shared.next[0]) * buffer->group_bytes / 32 >= distinct * (1 - distinct / 128));
    assert_true(buffer->shared.next[0] * buffer->group_bytes / 32 >= distinct * distinct / 128);
    done(&c);
}

/* One kernel of groups of 256, `body` behind %gid, %lid and %group. */
static void run(struct collected *c, const char *declared, const char *body)
{
    char text[4096];
    int length = snprintf(text, sizeof text,
                          "gpuperf-profile 1\nkernel k\n  param a: buffer 64 in global skeleton size 8\n  dims 1\n  "
                          "resources registers 8 from estimate\n%s"
                          "  block 0: ipdom 2\n    %%gid = id.global_id.0 i64\n    %%lid = id.local_id.0 i64\n    "
                          "%%group = id.group_id.0 i64\n%s",
                          declared, body);
    *c = (struct collected){.profile = gp_profile_parse(text, (size_t)length, &error)};
    if (c->profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&c->profile->kernels[0], &c->launch);
    collect(c);
}

static double issued_behind(const char *guard)
{
    char body[1024];
    snprintf(body, sizeof body,
             "    %%odd = and i64 %%group, 1 : int64.logic\n    %%holds = icmp.%s : int64.cmp\n    condbr %%holds, "
             "block 1, block 2 kind thread\n"
             "  block 1: ipdom 2\n    %%x = add i64 %%gid, 1 : int64.add\n    %%y = mul i64 %%x, 3 : int64.mul\n    br "
             "block 2\n  block 2:\n    ret\n",
             guard);
    struct collected c;
    run(&c, "", body);
    double issued = c.work.pipes.issue;
    done(&c);
    return issued;
}

/* What a lone warp waits for memory where the first of two loads is guarded by `first`, the second by `second`. */
static double waited_behind(const char *first, const char *second)
{
    char body[2048];
    snprintf(body, sizeof body,
             "    %%at = mul i64 %%gid, 4 : int64.mul\n    %%p = add i64 $a, %%at : int64.add\n    %%q = add i64 %%p, "
             "1048576 : int64.add\n"
             "    %%c = icmp.%s : int64.cmp\n    condbr %%c, block 1, block 2 kind thread\n"
             "  block 1: ipdom 2\n    %%x = load i32 %%p in global 4x1 base $a\n    br block 2\n"
             "  block 2: ipdom 4\n    %%u = phi i32 [block 0: 0], [block 1: %%x]\n    %%d = icmp.%s : int64.cmp\n    "
             "condbr %%d, block 3, block 4 kind thread\n"
             "  block 3: ipdom 4\n    %%y = load i32 %%q in global 4x1 base $a\n    br block 4\n"
             "  block 4:\n    %%v = phi i32 [block 2: 0], [block 3: %%y]\n    %%s = weight i32 %%u, %%v : int32.add\n  "
             "  store $a, %%s in global 4x1 base $a\n    ret\n",
             first, second);
    struct collected c;
    run(&c, "", body);
    double waited = c.work.chain_memory;
    done(&c);
    return waited;
}

/* Loads under two guards are under way together; one whose guard is loaded waits for it. */
static void guarded_loads_are_under_way_together(void **state)
{
    (void)state;
    double one = waited_behind("sge i64 %lid, 0", "slt i64 %lid, 0");
    assert_true(one > 100);
    assert_near(waited_behind("sge i64 %lid, 0", "sge i64 %lid, 0"), one, 0.05);
    assert_near(waited_behind("sge i64 %lid, 0", "sge i32 %u, -1000"), 2 * one, 0.05);
}

/* What a lone warp takes, and waits for memory of it, for two loads, the first where `condition` holds, the second
 * elsewhere. */
static struct collected both_sides(const char *condition, const char *first_side, const char *second_side)
{
    char body[2048];
    snprintf(body, sizeof body,
             "    %%at = mul i64 %%gid, 4 : int64.mul\n    %%p = add i64 $a, %%at : int64.add\n    %%q = add i64 %%p, "
             "1048576 : int64.add\n    %%odd = and i64 %%gid, 1 : int64.logic\n"
             "%s    condbr %%c, block %s, block %s kind %s\n"
             "  block 1: ipdom 3\n    %%x = load i32 %%p in global 4x1 base $a\n    br block 3\n"
             "  block 2: ipdom 3\n    %%y = load i32 %%q in global 4x1 base $a\n    br block 3\n"
             "  block 3:\n    %%v = phi i32 [block 1: %%x], [block 2: %%y]\n    %%s = weight i32 %%v, %%v : "
             "int32.add\n    store $a, %%s in global 4x1 base $a\n    ret\n",
             condition, first_side, second_side, strstr(condition, "load") ? "data" : "thread");
    struct collected c;
    run(&c, "", body);
    return c;
}

/* Both sides' loads are under way together, whichever the executor comes by first, and waits are no more than there is
 * time. */
static void both_sides_are_under_way_together(void **state)
{
    (void)state;
    for (int order = 0; order <= 1; order++) {
        struct collected parted =
            both_sides("    %c = icmp.eq i64 %odd, 0 : int64.cmp\n", order ? "1" : "2", order ? "2" : "1");
        struct collected one =
            both_sides("    %c = icmp.sge i64 %lid, 0 : int64.cmp\n", order ? "1" : "2", order ? "2" : "1");
        assert_true(one.work.chain_memory > 100 && one.work.chain_memory <= one.work.chain);
        assert_near(parted.work.chain_memory, one.work.chain_memory, 0.05);
        assert_true(parted.work.chain_memory <= parted.work.chain);
        done(&parted);
        done(&one);
    }
}

/* A condition that is the same for all lanes and not known: both sides may be, each is waited for as often as it may.
 */
static void what_may_be_is_waited_for_as_often(void **state)
{
    (void)state;
    struct collected known = both_sides(
        "    %g = load i32 $a in global 4x1 base $a : memory uniform\n    %c = icmp.sge i64 %lid, 0 : int64.cmp\n", "1",
        "2");
    struct collected guess = both_sides("    %g = load i32 $a in global 4x1 base $a : memory uniform\n    %c = "
                                        "icmp.sgt i32 %g, 0 : int32.cmp uniform\n",
                                        "1", "2");
    assert_true(guess.work.chain_memory <= guess.work.chain);
    assert_true(guess.work.chain_memory < 1.6 * known.work.chain_memory);
    done(&known);
    done(&guess);
}

/* A few guarded instructions are predicated on NVIDIA's devices: issued by every other group that skips them, too. */
static void what_is_predicated_is_issued(void **state)
{
    (void)state;
    assert_near(issued_behind("eq i64 %odd, 0"), issued_behind("ult i64 %odd, 2"), 1e-9);
}

/* Eight members of a struct of 32 bytes, stored one after the other: L1 does not keep them, L2 does, whatever all
 * resident warps write meanwhile. */
static void members_stored_together_are_under_way(void **state)
{
    (void)state;
    char body[2048];
    int length = snprintf(body, sizeof body,
                          "    %%at = mul i64 %%gid, 32 : int64.mul\n    %%p = add i64 $a, %%at : int64.add\n");
    for (int k = 0; k < 8; k++)
        length += snprintf(body + length, sizeof body - (size_t)length,
                           "    %%p%d = add i64 %%p, %d : int64.add\n    store %%p%d, 1 in global 4x1 base $a\n", k,
                           4 * k, k);
    snprintf(body + length, sizeof body - (size_t)length,
             "    br block 2\n  block 1: ipdom 2\n    br block 2\n  block 2:\n    ret\n");
    struct collected c;
    run(&c, "", body);
    assert_true(c.work.memory[7].reuse.again > 0.99 * c.work.memory[7].misses); /* of what the first one touched */
    for (uint32_t m = 0; m < 8; m++)
        assert_true(c.work.memory[m].reuse.lost == 0);
    done(&c);
}

static void assert_rewritten(const char *declared, const char *body, double group_bytes, double share)
{
    struct collected c;
    run(&c, declared, body);
    assert_near(c.work.buffers[0].group_bytes, group_bytes, 0.01);
    assert_true(fabs(c.work.buffers[0].rewritten_bytes - share * group_bytes) <= 0.01 * group_bytes);
    done(&c);
}

#define OWN_WORD     "    %at = mul i64 %gid, 4 : int64.mul\n    %p = add i64 $a, %at : int64.add\n"
#define LOAD(place)  "    %v = load i32 " place " in global 4x1 base $a\n"
#define STORE(place) "    store " place ", 1 in global 4x1 base $a\n"
#define LOOP_OVER_ROWS(step) \
    OWN_WORD \
    "    br block 1\n  block 1: ipdom 2 loop 0\n    %k = phi i64 [block 0: 0], [block 1: %next]\n    %row = mul " \
    "i64 %k, " step " : int64.mul\n" \
    "    %q = add i64 %p, %row : int64.add\n" LOAD("%q") \
        STORE("%q") "    %next = add i64 %k, 1 : int64.add\n    %more = icmp.slt i64 %next, 1000 : int64.cmp\n" \
                    "    condbr %more, block 1, block 2 kind induction\n  block 2:\n    ret\n"
#define NO_LOOP "    br block 2\n  block 1: ipdom 2\n    br block 2\n  block 2:\n    ret\n"

/* 1 KB of a group that is loaded and then stored; stored and loaded again; stored twice; loaded and stored twice. */
static void what_is_updated_goes_back(void **state)
{
    (void)state;
    assert_rewritten("", OWN_WORD LOAD("%p") STORE("%p") NO_LOOP, 1024, 1);
    assert_rewritten("", OWN_WORD STORE("%p") LOAD("%p") NO_LOOP, 1024, 0);
    assert_rewritten("", OWN_WORD STORE("%p") STORE("%p") NO_LOOP, 1024, 0);
    assert_rewritten("", OWN_WORD LOAD("%p") STORE("%p") STORE("%p") NO_LOOP, 1024, 1);
}

/* The same in each of 1000 iterations, of which few are executed: of a row 4 MB further on, and of the same word. */
static void what_a_loop_updates_goes_back(void **state)
{
    (void)state;
    static const char declared[] =
        "  loop 0: header 1 latch 1 bound constant trips 1000\n  induction %k loop 0 step 1\n";
    assert_rewritten(declared, LOOP_OVER_ROWS("4194304"), 1024 * 1000, 1);
    assert_rewritten(declared, LOOP_OVER_ROWS("0"), 1024, 1);
}

#define LOOP_AFTER(back) \
    OWN_WORD "    br block 1\n  block 1: ipdom 2 loop 0\n    %k = phi i64 [block 0: 0], [block 1: %next]\n    %row = " \
             "mul i64 %k, 4194304 : int64.mul\n" \
             "    %q = add i64 %p, %row : int64.add\n    %r = sub i64 %q, " back " : int64.add\n" LOAD("%r") \
                 STORE("%q") "    %next = add i64 %k, 1 : int64.add\n" \
                             "    %more = icmp.slt i64 %next, 1000 : int64.cmp\n    condbr %more, block 1, block 2 " \
                             "kind induction\n  block 2:\n    ret\n"

/* What an iteration loads that one before it stored, the one just before or four before, is no update of what lay in
 * memory: only what the first load is. */
static void what_an_iteration_before_stored_need_not_come(void **state)
{
    (void)state;
    static const char declared[] =
        "  loop 0: header 1 latch 1 bound constant trips 1000\n  induction %k loop 0 step 1\n";
    assert_rewritten(declared, LOOP_AFTER("4194304"), 1024 * 1001, 0);
    assert_rewritten(declared, LOOP_AFTER("16777216"), 1024 * 1004, 0);
}

/* One work-item of a group goes through a loop of 1000: 31 of 32 parts of what its warp, and so the group, takes. */
static void a_lone_lane_holds_up_its_group(void **state)
{
    (void)state;
    struct collected c;
    run(&c, "  loop 0: header 1 latch 1 bound constant trips 1000\n  induction %k loop 0 step 1\n",
        "    %first = icmp.eq i64 %lid, 0 : int64.cmp\n    condbr %first, block 1, block 2 kind thread\n"
        "  block 1: ipdom 2 loop 0\n    %k = phi i32 [block 0: 0], [block 1: %next]\n    %next = add i32 %k, 1 : "
        "int32.add\n"
        "    %more = icmp.slt i32 %next, 1000 : int32.cmp\n    condbr %more, block 1, block 2 kind induction\n  block "
        "2:\n    ret\n");
    assert_near(c.work.branches[0].stall, c.work.chain * 31 / 32, 0.02);
    done(&c);
}

/* Of eight warps the first one loads, and the group waits for it: eight times what the average warp waits. */
static void the_slowest_warps_waiting_is_the_groups(void **state)
{
    (void)state;
    struct collected c;
    run(&c, "  loop 0: header 1 latch 1 bound constant trips 100\n  induction %k loop 0 step 1\n",
        "    %first = icmp.slt i64 %lid, 32 : int64.cmp\n    condbr %first, block 1, block 2 kind thread\n"
        "  block 1: ipdom 2 loop 0\n    %k = phi i64 [block 0: 0], [block 1: %next]\n    %s = phi i32 [block 0: 0], "
        "[block 1: %sum]\n"
        "    %row = mul i64 %k, 4096 : int64.mul\n    %p = add i64 $a, %row : int64.add\n    %v = load i32 %p in "
        "global 4x1 base $a\n    %sum = weight i32 %s, %v : int32.add\n"
        "    %next = add i64 %k, 1 : int64.add\n    %more = icmp.slt i64 %next, 100 : int64.cmp\n    condbr %more, "
        "block 1, block 2 kind induction\n  block 2:\n    ret\n");
    assert_true(c.work.memory[0].stall > 0);
    assert_near(c.work.memory[0].chain_stall, 8 * c.work.memory[0].stall, 0.01);
    assert_true(c.work.memory[0].chain_stall <= c.work.chain);
    done(&c);
}

/* Bytes from L2 for each request of a loop that goes eight times through a private array of so many words. */
static double private_round(unsigned words)
{
    struct gp_text text = {0};
    struct collected c = {0};
    gp_text_printf(&text,
                   "gpuperf-profile 1\nkernel k\n  param a: buffer 64 in global skeleton size 8\n  private mine: %u "
                   "align 4\n  dims 1\n  resources registers 8 from estimate\n"
                   "  loop 0: header 1 latch 3 bound constant trips 8\n  loop 1: header 2 latch 2 parent 0 bound "
                   "constant trips %u\n"
                   "  block 0: ipdom 1\n    br block 1\n  block 1: ipdom 2 loop 0\n    %%n = phi i32 [block 0: 0], "
                   "[block 3: %%more]\n    br block 2\n"
                   "  block 2: ipdom 3 loop 1\n    %%k = phi i32 [block 1: 0], [block 2: %%next]\n    %%b = shl i32 "
                   "%%k, 2\n    %%w = zext i32 %%b to i64\n    %%p = add i64 private.mine, %%w\n"
                   "    %%v = load i32 %%p in private 4x1 base private.mine\n    %%next = add i32 %%k, 1\n    %%c = "
                   "icmp.ult i32 %%next, %u\n    condbr %%c, block 2, block 3 kind induction\n"
                   "  block 3: ipdom 4 loop 0\n    %%more = add i32 %%n, 1\n    %%d = icmp.ult i32 %%more, 8\n    "
                   "condbr %%d, block 1, block 4 kind induction\n  block 4:\n    ret\n",
                   4 * words, words, words);
    c.profile = parse_text(text.data);
    c.launch = (struct gp_launch){.dims = 1, .global = {1 << 20, 1, 1}, .local = {256, 1, 1}};
    collect(&c);
    double bytes = c.work.memory[0].l2_bytes / c.work.memory[0].requests;
    done(&c);
    gp_text_free(&text);
    return bytes;
}

/* The 2048 work-items of an SM go through their arrays side by side: of 16 words they fit its L1 and are fetched once
 * at most, of 64 they do not and are fetched in each round. */
static void private_arrays_of_all_warps(void **state)
{
    (void)state;
    assert_true(private_round(16) <= 128 / 8);
    assert_true(private_round(64) >= 0.9 * 128);
}

/* Of a loop that must be gone through from end to end, since nothing tells what x is some iterations later. */
static const char long_way[] = "gpuperf-profile 1\n"
                               "kernel long_way\n"
                               "param in: buffer 64 in global size 8\n"
                               "dims 1\n"
                               "loop 0: header 1 latch 1 bound executed\n"
                               "block 0:\n"
                               "%g = id.global_id.0 i32\n"
                               "br block 1\n"
                               "block 1: ipdom 2 loop 0\n"
                               "%i = phi i32 [block 0: 0], [block 1: %j]\n"
                               "%x = phi i32 [block 0: %g], [block 1: %z]\n"
                               "%y = mul i32 %x, 5\n"
                               "%z = and i32 %y, 1048575\n"
                               "%w = zext i32 %x to i64\n"
                               "%o = shl i64 %w, 2\n"
                               "%p = add i64 $in, %o\n"
                               "%v = load i32 %p in global 4x1 base $in\n"
                               "%j = add i32 %i, 1\n"
                               "%e = icmp.ult i32 %j, 25000\n"
                               "condbr %e, block 1, block 2\n"
                               "block 2:\n"
                               "ret\n";

/* Nobody follows it to its end: after the first group one warp stands for the others, unless every iteration is asked
 * for. */
static void a_long_way_is_gone_by_few(void **state)
{
    (void)state;
    struct gp_work works[2];
    for (int every = 0; every < 2; every++) {
        struct collected c = {.profile = gp_profile_parse(long_way, sizeof long_way - 1, &error)};
        if (c.profile == NULL)
            fail_msg("%s", error.text);
        gp_launch_default(&c.profile->kernels[0], &c.launch);
        sample(&c, every ? GP_SAMPLE_EVERY_ITERATION : GP_SAMPLE_FULL);
        works[every] = c.work;
        assert_int_equal(c.work.cut_off, !every);
        done(&c);
    }
    assert_true(works[0].effort < works[1].effort / 3);
    assert_near(works[0].instructions, 0.8 * works[1].instructions, 0.01); /* 20000 rounds of 25000 */
}

/* Each of 2^20 work-items goes `times` through a column of 64 rows: more, for the resident warps, than L1 holds. */
static struct gp_work go_through_columns(uint64_t times, enum gp_sampling sampling)
{
    static const char text[] =
        "gpuperf-profile 1\nkernel k\nparam a: buffer 64 in global const skeleton size 8\nparam n: int 32 skeleton "
        "signed size 4\ndims 1\nresources registers 8 from estimate\n"
        "loop 0: header 1 latch 3 bound scalar-evolution trips $n\nloop 1: header 2 latch 2 parent 0 bound constant "
        "trips 64\ninduction %k loop 0 step 1\ninduction %j loop 1 step 1\n"
        "block 0: ipdom 1\n%x = id.global_id.0 i64\n%xb = shl i64 %x, 2 : int64.shift\n%p = add i64 $a, %xb : "
        "int64.add\nbr block 1\n"
        "block 1: ipdom 2 loop 0\n%k = phi i32 [block 0: 0], [block 3: %kn]\nbr block 2\n"
        "block 2: ipdom 3 loop 1\n%j = phi i64 [block 1: 0], [block 2: %jn]\n%row = shl i64 %j, 22 : int64.shift\n%at "
        "= add i64 %p, %row : int64.add\n"
        "%v = load f32 %at in global 4x1 base $a\n%jn = add i64 %j, 1 : int64.add\n%jd = icmp.eq i64 %jn, 64 : "
        "int32.cmp\ncondbr %jd, block 3, block 2 : branch\n"
        "block 3: ipdom 4 loop 0\n%kn = add i32 %k, 1 : int32.add\n%kd = icmp.eq i32 %kn, $n : int32.cmp\ncondbr %kd, "
        "block 4, block 1 : branch\nblock 4:\nret\n";
    struct collected c = {.profile = gp_profile_parse(text, sizeof text - 1, &error)};
    if (c.profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&c.profile->kernels[0], &c.launch);
    c.launch.arguments[1] = (struct gp_argument){.known = true, .value = times};
    sample(&c, sampling);
    struct gp_work work = {.memory = malloc(sizeof *work.memory)};
    work.memory[0] = c.work.memory[0];
    done(&c);
    return work;
}

/* What is read again comes from beyond L1 each time, whether its iterations are executed or left out. */
static void ways_gone_again_miss_again(void **state)
{
    (void)state;
    for (uint64_t times = 2; times <= 128; times *= 4)
        for (enum gp_sampling sampling = GP_SAMPLE_FULL; sampling <= GP_SAMPLE_QUICK; sampling++) {
            struct gp_work work = go_through_columns(times, sampling);
            const struct gp_memory_work *m = &work.memory[0];
            assert_near(m->l2_bytes, (double)times * 64 * 128, 0.1);
            assert_near(m->reuse.again, (double)(times - 1) * 64, 0.1);
            assert_true(m->reuse.lost > 0);
            free(work.memory);
        }
}

/* One work-item of a group of 16 and 32 warps loads, of which eight are executed: whichever it is, it is seen, and
 * counts once. */
static void a_lone_warp_is_seen(void **state)
{
    (void)state;
    for (uint32_t warps = 16; warps <= 32; warps *= 2)
        for (uint32_t item = 0; item < warps * 32; item += 40) {
            char text[1000];
            int length = snprintf(text, sizeof text,
                                  "gpuperf-profile 1\nkernel k\nparam a: buffer 64 in global const skeleton size "
                                  "8\ndims 1\nresources registers 8 from estimate\n"
                                  "block 0: ipdom 2\n%%g = id.global_id.0 i64\n%%l = id.local_id.0 i64\n%%one = "
                                  "icmp.eq i64 %%l, %u : int32.cmp\ncondbr %%one, block 1, block 2 kind thread\n"
                                  "block 1: ipdom 2\n%%b = shl i64 %%g, 2 : int64.shift\n%%p = add i64 $a, %%b : "
                                  "int64.add\n%%v = load f32 %%p in global 4x1 base $a\nbr block 2\nblock 2:\nret\n",
                                  item);
            struct collected c = {.profile = gp_profile_parse(text, (size_t)length, &error)};
            if (c.profile == NULL)
                fail_msg("%s", error.text);
            gp_launch_default(&c.profile->kernels[0], &c.launch);
            c.launch.global[0] = 1 << 20;
            c.launch.local[0] = warps * 32;
            collect(&c);
            assert_near(c.work.memory[0].requests, 1.0 / warps, 0.02);
            done(&c);
        }
}

/* A work-item's texel of `size` bytes, moved by `x` and `y` (texts of operands), and one more to its right where asked.
 */
static enum gp_texels_of texels_of(const char *x, const char *y, const char *element, bool beside, uint32_t columns,
                                   uint32_t rows)
{
    char text[2000];
    int length = snprintf(
        text, sizeof text,
        "gpuperf-profile 1\nkernel k\nparam in: image 64 in image size 8\ndims 2\nresources registers 8 from estimate\n"
        "block 0:\n%%gx = id.global_id.0 i64\n%%gy = id.global_id.1 i64\n%%lx = id.local_id.0 i64\n%%x = %s : "
        "int64.add\n%%y = %s : int64.add\n%%x1 = add i64 %%x, 1 : int64.add\n"
        "%%cx = trunc i64 %%x to i32 : free\n%%cx1 = trunc i64 %%x1 to i32 : free\n%%cy = trunc i64 %%y to i32 : free\n"
        "%%v = image_load f32 $in, %%cx, %%cy in image %s base $in readonly\n%s%s%sret\n",
        x, y, element, beside ? "%w = image_load f32 $in, %cx1, %cy in image " : "", beside ? element : "",
        beside ? " base $in readonly\n" : "");
    struct collected c = {.profile = gp_profile_parse(text, (size_t)length, &error)};
    if (c.profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&c.profile->kernels[0], &c.launch);
    for (int d = 0; d < 2; d++) {
        c.launch.global[d] = 1024;
        c.launch.local[d] = d == 0 ? columns : rows;
    }
    sample(&c, GP_SAMPLE_QUICK);
    enum gp_texels_of of;
    if (!gp_collector_texels_of(c.collector, &c.launch, &of, &error))
        fail_msg("%s", error.text);
    done(&c);
    return of;
}

/* An A100's blocks have two rows: whoever asks for whole blocks has them to himself, whose rows are halves of blocks
 * shares them with the warp of the row beside, whose columns reach over with a group. */
static void neighbours_are_asked_for_what_they_share(void **state)
{
    (void)state;
    const char *gx = "add i64 %gx, 0", *gy = "add i64 %gy, 0", *wide = "4x4", *narrow = "4x1";
    assert_int_equal(texels_of(gx, gy, wide, false, 16, 16), GP_TEXELS_OF_WARP);
    assert_int_equal(texels_of(gx, gy, wide, false, 32, 8), GP_TEXELS_OF_GROUP);
    assert_int_equal(texels_of(gx, gy, narrow, false, 32, 8), GP_TEXELS_OF_GROUP);
    assert_int_equal(texels_of(gx, gy, wide, true, 32, 8), GP_TEXELS_OF_SEVERAL);
    assert_int_equal(texels_of(gx, gy, wide, false, 256, 1), GP_TEXELS_OF_SEVERAL); /* halves of blocks */
    assert_int_equal(texels_of("weight i64 %gx", gy, wide, false, 16, 16),
                     GP_TEXELS_OF_WARP); /* of data: it is taken for the work-item's own place */
    assert_int_equal(texels_of("add i64 %gx, 1", gy, narrow, false, 32, 8), GP_TEXELS_OF_SEVERAL);
    assert_int_equal(texels_of("add i64 %gx, 1", gy, wide, false, 32, 8),
                     GP_TEXELS_OF_GROUP); /* blocks of one column */
    assert_int_equal(texels_of("shl i64 %gx, 3", gy, wide, false, 32, 8),
                     GP_TEXELS_OF_GROUP); /* there is less of each block than of the box */
    assert_int_equal(texels_of("add i64 %lx, 0", gy, wide, false, 32, 8), GP_TEXELS_OF_SEVERAL); /* a table */
    assert_int_equal(texels_of(gx, "add i64 0, 0", wide, false, 32, 8), GP_TEXELS_OF_SEVERAL);
}

/* Four loops of 1000 iterations, one within the other, whose counters and ids lie side by side in an address: 2401
 * samples of iterations, were no bound kept. */
static const char nested[] =
    "gpuperf-profile 1\nkernel k\n"
    "param in: buffer 64 in global const size 8\nparam out: buffer 64 in global size 8\n"
    "loop 0: header 1 latch 7 bound constant trips 1000\nloop 1: header 2 latch 6 parent 0 bound constant trips 1000\n"
    "loop 2: header 3 latch 5 parent 1 bound constant trips 1000\nloop 3: header 4 latch 4 parent 2 bound constant "
    "trips 1000\n"
    "induction %a loop 0 step 1\ninduction %b loop 1 step 1\ninduction %c loop 2 step 1\ninduction %d loop 3 step 1\n"
    "block 0:\n%x = id.global_id.0 i64\n%y = id.global_id.1 i64\nbr block 1\n"
    "block 1: loop 0\n%a = phi i64 [block 0: 0], [block 7: %an]\nbr block 2\n"
    "block 2: loop 1\n%b = phi i64 [block 1: 0], [block 6: %bn]\n%za = add i64 %a, %b\n%zn = mul i64 %za, 1024\nbr "
    "block 3\n"
    "block 3: loop 2\n%c = phi i64 [block 2: 0], [block 5: %cn]\n%yc = add i64 %y, %c\n%zy = add i64 %zn, %yc\n%row = "
    "mul i64 %zy, 1024\nbr block 4\n"
    "block 4: loop 3\n%d = phi i64 [block 3: 0], [block 4: %dn]\n%xd = add i64 %x, %d\n%i = add i64 %row, %xd\n%o = "
    "shl i64 %i, 2\n%p = add i64 $in, %o\n"
    "%v = load f32 %p in global 4x1 base $in\n%dn = add i64 %d, 1\n%de = icmp.ne i64 %dn, 1000\ncondbr %de, block 4, "
    "block 5 kind induction\n"
    "block 5: loop 2\n%cn = add i64 %c, 1\n%ce = icmp.ne i64 %cn, 1000\ncondbr %ce, block 3, block 6 kind induction\n"
    "block 6: loop 1\n%bn = add i64 %b, 1\n%be = icmp.ne i64 %bn, 1000\ncondbr %be, block 2, block 7 kind induction\n"
    "block 7: loop 0\n%an = add i64 %a, 1\n%ae = icmp.ne i64 %an, 1000\ncondbr %ae, block 1, block 8 kind induction\n"
    "block 8:\n%oo = shl i64 %x, 2\n%q = add i64 $out, %oo\nstore %q, %v in global 4x1 base $out\nret\n";

static void nested_loops_are_not_dear(void **state)
{
    (void)state;
    struct collected c;
    c.profile = gp_profile_parse(nested, strlen(nested), &error);
    if (c.profile == NULL)
        fail_msg("%s", error.text);
    gp_launch_default(&c.profile->kernels[0], &c.launch);
    collect(&c);
    assert_true(c.work.effort < 30000000);
    assert_near(c.work.memory[0].requests, 1e12, 1e-6);
    done(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lone_warp_is_seen),
        cmocka_unit_test(neighbours_are_asked_for_what_they_share),
        cmocka_unit_test(ways_gone_again_miss_again),
        cmocka_unit_test(a_long_way_is_gone_by_few),
        cmocka_unit_test(few_iterations_touch_what_all_do),
        cmocka_unit_test(some_stand_for_the_others),
        cmocka_unit_test(a_lone_lane_stands_for_itself),
        cmocka_unit_test(rows_of_a_blur),
        cmocka_unit_test(rows_apart_are_shared),
        cmocka_unit_test(what_neighbours_read_is_known),
        cmocka_unit_test(what_is_gathered_is_not_shared),
        cmocka_unit_test(nested_loops_are_not_dear),
        cmocka_unit_test(rows_are_as_long_as_they_are),
        cmocka_unit_test(sharing_spreads_the_waiting),
        cmocka_unit_test(stretches_overlap),
        cmocka_unit_test(each_time_anew),
        cmocka_unit_test(rows_of_a_stencil_count_once),
        cmocka_unit_test(warps_that_meet_in_a_line_bring_it_once),
        cmocka_unit_test(columns_share_parts_of_lines),
        cmocka_unit_test(idle_corners_hide_nothing),
        cmocka_unit_test(halos_share_their_words),
        cmocka_unit_test(what_is_predicated_is_issued),
        cmocka_unit_test(guarded_loads_are_under_way_together),
        cmocka_unit_test(both_sides_are_under_way_together),
        cmocka_unit_test(what_may_be_is_waited_for_as_often),
        cmocka_unit_test(members_stored_together_are_under_way),
        cmocka_unit_test(what_is_updated_goes_back),
        cmocka_unit_test(what_a_loop_updates_goes_back),
        cmocka_unit_test(what_an_iteration_before_stored_need_not_come),
        cmocka_unit_test(a_lone_lane_holds_up_its_group),
        cmocka_unit_test(the_slowest_warps_waiting_is_the_groups),
        cmocka_unit_test(private_arrays_of_all_warps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
