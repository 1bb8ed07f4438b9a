/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The JSON form of predictions: every field that `gpuperf predict --json` promises, and nothing that breaks a reader.
 */
#include "profile_fixture.h"

#include <jansson.h>
#include <math.h>
#include <unistd.h>

#include "report/report_json.h"

static struct gp_profile *profile(void)
{
    char *text = golden_text("transpose_naive");
    struct gp_error error = {0};
    struct gp_profile *parsed = gp_profile_parse(text, strlen(text), &error);
    free(text);
    assert_non_null(parsed);
    return parsed;
}

static struct gp_prediction prediction(void)
{
    struct gp_prediction p = {.dims = 2,
                              .global = {1024, 512, 1},
                              .local = {32, 8, 1},
                              .feasible = true,
                              .cycles = 1234.5,
                              .time_ns = 875.5,
                              .occupancy = 0.75,
                              .limiter = GP_LIMITER_DRAM,
                              .model = "throughput",
                              .confidence = 0.5,
                              .waves = 2,
                              .registers = 24,
                              .spill_bytes = 8,
                              .local_memory = 4096,
                              .repaired_all_ns = 350.2,
                              .bottleneck_count = 2,
                              .rank = 1};
    p.bottlenecks[0] = (struct gp_bottleneck){.cause = GP_CAUSE_UNCOALESCED,
                                              .location = 4,
                                              .inst = 0,
                                              .speedup = 2,
                                              .share = 0.5,
                                              .measure = "m \"quoted\"",
                                              .advice = "a"};
    p.bottlenecks[1] =
        (struct gp_bottleneck){.cause = GP_CAUSE_TAIL, .location = GP_NONE, .inst = GP_NONE, .speedup = 1, .share = 0};
    return p;
}

static json_t *load(const struct gp_report_row *rows, size_t count)
{
    char *text = gp_report_json(rows, count);
    assert_non_null(text);
    assert_int_equal(text[strlen(text) - 1], '\n');
    json_error_t error;
    json_t *array = json_loads(text, 0, &error);
    free(text);
    assert_true(json_is_array(array));
    assert_int_equal(json_array_size(array), count);
    return array;
}

static double real(json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static void has_every_field(void **state)
{
    (void)state;
    struct gp_profile *p = profile();
    struct gp_prediction made = prediction();
    struct gp_report_row row = {p, &p->kernels[0], "a100", &made, NULL, false};
    json_t *array = load(&row, 1), *object = json_array_get(array, 0);
    assert_string_equal(json_string_value(json_object_get(object, "kernel")), "transpose");
    assert_string_equal(json_string_value(json_object_get(object, "device")), "a100");
    assert_string_equal(json_string_value(json_object_get(object, "limiter")), "dram");
    assert_string_equal(json_string_value(json_object_get(object, "model")), "throughput");
    assert_int_equal(json_integer_value(json_array_get(json_object_get(object, "local"), 1)), 8);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(object, "global"), 0)), 1024);
    assert_true(real(object, "cycles") == 1234.5 && real(object, "time_ns") == 875.5 &&
                real(object, "occupancy") == 0.75);
    assert_true(real(object, "confidence") == 0.5 && real(object, "registers") == 24 &&
                real(object, "spill_bytes") == 8);
    assert_true(real(object, "local_memory") == 4096 && real(object, "rank") == 1);

    assert_true(fabs(real(object, "all_speedup") - 2.5) < 1e-9); /* not the product of what each gains */

    json_t *bottleneck = json_array_get(json_object_get(object, "bottlenecks"), 0);
    assert_string_equal(json_string_value(json_object_get(bottleneck, "cause")), "uncoalesced");
    assert_string_equal(json_string_value(json_object_get(bottleneck, "file")), "transpose_naive.cl");
    assert_true(real(bottleneck, "line") == 5 && real(bottleneck, "column") == 29);
    assert_true(real(bottleneck, "share") == 0.5 && real(bottleneck, "speedup") == 2);
    /* A cause of the kernel as a whole stands at the kernel's name. */
    assert_true(real(json_array_get(json_object_get(object, "bottlenecks"), 1), "line") == 1);
    json_decref(array);
    gp_profile_free(p);
}

/* Without two causes that can be repaired there is nothing to add up. */
static void no_sum_of_one(void **state)
{
    (void)state;
    struct gp_profile *p = profile();
    struct gp_prediction made = prediction();
    made.repaired_all_ns = 0;
    struct gp_report_row row = {p, &p->kernels[0], "a100", &made, NULL, false};
    json_t *array = load(&row, 1);
    assert_null(json_object_get(json_array_get(array, 0), "all_speedup"));
    json_decref(array);
    gp_profile_free(p);
}

static void survives_odd_values(void **state)
{
    (void)state;
    struct gp_profile *p = profile();
    struct gp_prediction made = prediction();
    made.cycles = INFINITY;
    made.time_ns = NAN;
    strcpy(made.bottlenecks[0].measure, "not UTF-8: \xff");
    made.bottlenecks[0].location = 12345;
    made.feasible = false;
    strcpy(made.why, "too many registers");
    struct gp_report_row row = {p, &p->kernels[0], "a100", &made, NULL, false};
    json_t *array = load(&row, 1), *object = json_array_get(array, 0);
    assert_true(real(object, "cycles") == 0 && real(object, "time_ns") == 0);
    assert_string_equal(json_string_value(json_object_get(object, "why")), "too many registers");
    json_decref(array);
    gp_profile_free(p);
    json_decref(load(NULL, 0));
}

static void writes_files(void **state)
{
    (void)state;
    struct gp_error error = {0};
    char path[] = "/tmp/gpuperf-report-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_true(gp_report_write_file(NULL, 0, path, &error));
    char *text = gp_read_file(path, NULL);
    assert_string_equal(text, "[]\n");
    free(text);
    remove(path);
    assert_false(gp_report_write_file(NULL, 0, "/nonexistent/report.json", &error));
    assert_string_equal(error.text, "/nonexistent/report.json: cannot write the report: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_every_field),
        cmocka_unit_test(no_sum_of_one),
        cmocka_unit_test(survives_odd_values),
        cmocka_unit_test(writes_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
