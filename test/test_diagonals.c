/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Work that differs from group to group along no dimension alone: triangles, bands, discs, hyperbolas, in two
 * dimensions and three. What a part of the groups tells is held against all of them, whatever the shape and in all
 * models.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/predict.h"
#include "model/sampling/varied_groups.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"
#include "test/golden.h"

enum { SIDE = 512, CUBE = 64 }; /* so that all groups can be executed */
static struct gp_error error;
static struct gp_device *devices[3];

/* What holds where there is work, of places %x, %y and %z. */
static const char *const flat[] = {
    "%heavy = icmp.sge i64 %x, %y : int64.cmp",
    "%heavy = icmp.slt i64 %x, %y : int64.cmp",
    "%s = add i64 %x, %y : int64.add\n%heavy = icmp.sge i64 %s, 384 : int64.cmp",
    "%s = sub i64 %x, %y : int64.add\n%l = icmp.slt i64 %s, 60 : int64.cmp\n%h = icmp.sgt i64 %s, -60 : "
    "int64.cmp\n%heavy = and i1 %l, %h : int64.logic",
    "%s = sub i64 %x, %y : int64.add\n%l = icmp.slt i64 %s, 300 : int64.cmp\n%h = icmp.sgt i64 %s, 200 : "
    "int64.cmp\n%heavy = and i1 %l, %h : int64.logic",
    "%xx = mul i64 %x, %x : int64.mul\n%yy = mul i64 %y, %y : int64.mul\n%r = add i64 %xx, %yy : int64.add\n%heavy = "
    "icmp.slt i64 %r, 131072 : int64.cmp",
    "%c = add i64 %y, 31 : int64.add\n%d = mul i64 %x, 3 : int64.mul\n%heavy = icmp.ugt i64 %c, %d : int64.cmp",
    "%xy = mul i64 %x, %y : int64.mul\n%heavy = icmp.slt i64 %xy, 20000 : int64.cmp",
};
static const char *const solid[] = {
    "%s = add i64 %x, %y : int64.add\n%t = add i64 %s, %z : int64.add\n%heavy = icmp.slt i64 %t, 64 : int64.cmp",
    "%l = icmp.sge i64 %x, %y : int64.cmp\n%h = icmp.sge i64 %y, %z : int64.cmp\n%heavy = and i1 %l, %h : int64.logic",
};
enum { FLAT = sizeof flat / sizeof *flat, SOLID = sizeof solid / sizeof *solid };

/* Work-items for which it holds scale a number, x fastest, or go round a loop. */
static struct gp_profile *kernel_of(const char *condition, bool loops)
{
    const char *scale = "block 1: ipdom 2\n%row = mul i64 %y, $w : int64.mul\n%plane = mul i64 %z, $w : "
                        "int64.mul\n%deep = mul i64 %plane, $w : int64.mul\n%i = add i64 %row, %x : int64.add\n"
                        "%j = add i64 %i, %deep : int64.add\n%o = shl i64 %j, 2 : int64.shift\n%p = add i64 $a, %o : "
                        "int64.add\n%v = load f32 %p in global 4x1 base $a\n"
                        "%w = weight f32 %v, 1 : fp32.mul\nstore %p, %w in global 4x1 base $a\nbr block 2\n";
    const char *loop = "block 1: ipdom 2 loop 0\n%k = phi i64 [block 0: 0], [block 1: %next]\n%v = weight f32 %k : "
                       "fp32.fma\n%next = add i64 %k, 1 : int32.add\n"
                       "%more = icmp.ult i64 %next, 200 : int32.cmp\ncondbr %more, block 1, block 2 kind induction\n";
    char text[4000];
    snprintf(text, sizeof text,
             "gpuperf-profile 1\nkernel k\nparam a: buffer 64 in global skeleton size 8\nparam w: int 64 skeleton "
             "signed size 8\ndims 3\nresources registers 16 from estimate\n%s"
             "block 0: ipdom 2\n%%x = id.global_id.0 i64\n%%y = id.global_id.1 i64\n%%z = id.global_id.2 "
             "i64\n%s\ncondbr %%heavy, block 1, block 2 kind thread\n%sblock 2:\nret\n",
             loops ? "loop 0: header 1 latch 1 bound constant trips 200\ninduction %k loop 0 step 1\n" : "", condition,
             loops ? loop : scale);
    return parse_text(text);
}

static void launch_of(const struct gp_kernel *kernel, const uint32_t local[3], unsigned side, bool is_solid,
                      struct gp_launch *launch)
{
    gp_launch_default(kernel, launch);
    for (int d = 0; d < 3; d++) {
        launch->global[d] = d < 2 || is_solid ? side : 1;
        launch->local[d] = local[d];
    }
    launch->cold = true;
    assert_true(gp_launch_set_argument(kernel, launch, "w", side == SIDE ? "512" : "64", &error));
}

static double time_of(struct gp_predictor *predictor, const struct gp_device *device, const struct gp_launch *launch,
                      struct gp_predict_options options)
{
    struct gp_prediction p;
    if (!gp_predict(predictor, device, launch, &options, &p, &error))
        fail_msg("%s", error.text);
    assert_true(p.feasible);
    return p.cycles;
}

/* Beside all groups, each warp of them. */
static void within(struct gp_predictor *predictor, const struct gp_device *device, const struct gp_launch *launch,
                   const char *what)
{
    const double most = 1.15;
    const enum gp_model models[] = {GP_MODEL_THROUGHPUT, GP_MODEL_MWP_CWP};
    for (int m = 0; m < (device->arch == GP_ARCH_CPU ? 1 : 2); m++) {
        enum gp_model model = device->arch == GP_ARCH_CPU ? GP_MODEL_AUTO : models[m];
        double all =
            time_of(predictor, device, launch, (struct gp_predict_options){.model = model, .every_iteration = true});
        for (int quick = 0; quick < 2; quick++) {
            double few =
                time_of(predictor, device, launch, (struct gp_predict_options){.model = model, .quick = quick});
            if (few > most * all || all > most * few)
                fail_msg("%s, %ux%ux%u on %s, model %d, quick %d: %.0f cycles instead of %.0f", what, launch->local[0],
                         launch->local[1], launch->local[2], device->name, model, quick, few, all);
        }
    }
}

static void check(const char *condition, bool loops, unsigned side, bool is_solid, const uint32_t local[3])
{
    struct gp_profile *profile = kernel_of(condition, loops);
    assert_true(gp_groups_may_differ(&profile->kernels[0]));
    struct gp_predictor *predictor = gp_predictor_new(profile, &profile->kernels[0]);
    struct gp_launch launch;
    launch_of(&profile->kernels[0], local, side, is_solid, &launch);
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        within(predictor, devices[d], &launch, condition);
    gp_predictor_free(predictor);
    gp_profile_free(profile);
}

static void flat_ranges(void **state)
{
    (void)state;
    static const uint32_t shapes[][3] = {{32, 8, 1}, {8, 32, 1}, {16, 16, 1}, {256, 1, 1}, {1, 256, 1}};
    enum { SHAPES = sizeof shapes / sizeof *shapes };
    for (int c = 0; c < FLAT; c++)
        for (int s = c % 2; s < SHAPES; s += 2)
            check(flat[c], (c + s / 2) % 2 == 0, SIDE, false, shapes[s]);
}

static void solid_ranges(void **state)
{
    (void)state;
    static const uint32_t shapes[][3] = {{32, 4, 1}, {4, 8, 8}};
    for (int c = 0; c < SOLID; c++)
        for (int s = 0; s < 2; s++)
            check(solid[c], (c + s) % 2 == 0, CUBE, true, shapes[s]);
}

int main(void)
{
    static const char *const names[] = {"a100", "mi250x", "pocl-cpu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((devices[i] = gp_device_load(names[i], SOURCE_HWDB, &error)) == NULL)
            return fprintf(stderr, "%s\n", error.text), 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_ranges), cmocka_unit_test(solid_ranges)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        gp_device_free(devices[i]);
    return failed;
}
