/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Atomics of which compilers leave one per warp. */
#include "test/golden.h"

#include "model/predict.h"
#include "model/observe/combined_atomics.h"

static struct gp_profile *profile;

static int setup(void **state)
{
    (void)state;
    profile = parse_text("gpuperf-profile 1\nkernel k\n  param a: buffer 64 in global skeleton size 8\n  param v: int "
                         "32 size 4\n  dims 1\n  resources registers 8 from estimate\n"
                         "  block 0:\n"
                         "    %one = atomic i32 $a, 1 in global 4x1 base $a combines\n"
                         "    %swap = atomic i32 $a, 1 in global 4x1 base $a\n"
                         "    %lane = id.local_id.0 i32\n"
                         "    %each = atomic i32 $a, %lane in global 4x1 base $a combines\n"
                         "    %wide = atomic i64 $a, %lane in global 8x1 base $a combines\n"
                         "    ret\n");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    gp_profile_free(profile);
    return 0;
}

static void which_are_combined(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        bool combined[4];
    } rows[] = {{"a100", {true, false, true, false}},
                {"gtx680", {false, false, false, false}},
                {"mi50", {true, false, true, true}},
                {"pocl-cpu", {false, false, false, false}}};
    struct gp_error error = {{0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gp_device *device = gp_device_load(rows[i].device, SOURCE_HWDB, &error);
        for (int m = 0; m < 4; m++)
            assert_int_equal(gp_atomic_is_combined(device, &profile->kernels[0], &profile->kernels[0].memory[m]),
                             rows[i].combined[m]);
        gp_device_free(device);
    }
}

/* A warp makes 32 operations at the first two; one of the first is left, and instructions come instead. */
static void one_is_left(void **state)
{
    (void)state;
    struct gp_error error = {{0}};
    struct gp_device *device = gp_device_load("a100", SOURCE_HWDB, &error);
    struct gp_memory_work memory[4] = {{.requests = 2, .atomics.operations = 64, .atomics.contention = 62},
                                       {.requests = 2, .atomics.operations = 64, .atomics.contention = 62}};
    struct gp_work work = {.memory = memory, .memory_count = 4};
    gp_combine_atomics(device, &profile->kernels[0], &work);
    assert_true(memory[0].atomics.operations == 2 && memory[0].atomics.contention == 0);
    assert_true(memory[1].atomics.operations == 64 && memory[1].atomics.contention == 62);
    assert_true(work.pipes.issue == 10 && work.chain > 0);
    gp_device_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(which_are_combined), cmocka_unit_test(one_is_left)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
