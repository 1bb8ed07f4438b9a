/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Threads share profiles and devices, not predictors: what they predict is the same, bit for bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "model/predict.h"
#include "model/assume/defaults.h"

enum { THREADS = 4, SHAPES = 6 };

static const uint32_t shapes[SHAPES][2] = {{32, 1}, {8, 8}, {16, 16}, {32, 8}, {64, 4}, {256, 1}};

struct job {
    const struct gp_profile *profile;
    const struct gp_device *device;
    enum gp_model model;
    uint32_t first; /* shape: each thread begins with another */
    struct gp_prediction predictions[SHAPES];
    bool failed;
};

static void *predict_all(void *context)
{
    struct job *job = context;
    const struct gp_kernel *kernel = &job->profile->kernels[0];
    struct gp_predictor *predictor = gp_predictor_new(job->profile, kernel);
    struct gp_launch *launch = calloc(1, sizeof *launch);
    struct gp_error error = {{0}};
    job->failed = predictor == NULL || launch == NULL;
    for (uint32_t i = 0; !job->failed && i < SHAPES; i++) {
        uint32_t shape = (job->first + i) % SHAPES;
        gp_launch_default(kernel, launch);
        launch->local[0] = shapes[shape][0];
        launch->local[1] = launch->dims > 1 ? shapes[shape][1] : 1;
        job->failed = !gp_predict(predictor, job->device, launch,
                                  &(struct gp_predict_options){.model = job->model, .bottlenecks = true},
                                  &job->predictions[shape], &error);
    }
    free(launch);
    gp_predictor_free(predictor);
    return NULL;
}

static void assert_same(const struct gp_prediction *a, const struct gp_prediction *b)
{
    assert_true(a->feasible == b->feasible && a->cycles == b->cycles && a->time_ns == b->time_ns &&
                a->confidence == b->confidence && a->time_ns_low == b->time_ns_low);
    assert_int_equal(a->bottleneck_count, b->bottleneck_count);
    for (uint32_t i = 0; i < a->bottleneck_count; i++)
        assert_true(a->bottlenecks[i].cause == b->bottlenecks[i].cause &&
                    a->bottlenecks[i].share == b->bottlenecks[i].share);
}

static void all_the_same(void **state)
{
    (void)state;
    static const char *const profiles[] = {"matrix_multiply", "transpose_naive", "divergent_branch", "data_loop"};
    static const enum gp_model models[] = {GP_MODEL_THROUGHPUT, GP_MODEL_TRACE, GP_MODEL_MWP_CWP};
    struct gp_error error;
    struct gp_device *device = gp_device_load("a100", SOURCE_HWDB, &error);
    assert_non_null(device);
    for (int i = 0; i < 12; i++) {
        struct gp_profile *profile = golden_profile(profiles[i % 4]);
        struct job *jobs = calloc(THREADS, sizeof *jobs);
        pthread_t threads[THREADS];
        for (uint32_t t = 0; t < THREADS; t++) {
            jobs[t] = (struct job){.profile = profile, .device = device, .model = models[i / 4], .first = t};
            assert_int_equal(pthread_create(&threads[t], NULL, predict_all, &jobs[t]), 0);
        }
        for (uint32_t t = 0; t < THREADS; t++) {
            pthread_join(threads[t], NULL);
            assert_false(jobs[t].failed);
            for (uint32_t s = 0; t > 0 && s < SHAPES; s++)
                assert_same(&jobs[0].predictions[s], &jobs[t].predictions[s]);
        }
        free(jobs);
        gp_profile_free(profile);
    }
    gp_device_free(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
