/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* NVIDIA's rule against what its driver took on an H200: every row of rule.csv and of summary.csv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/launch/launch.h"
#include "model/launch/numbers.h"
#include "runtime/driver_rule.h"

enum { LIGHT, HEAVY, KINDS };

/*
 * The kernel `heavy` keeps 120 numbers in registers. The driver ran a group of 257 of it and refused itself one of 509;
 * a number between the two stands for what the registers allow.
 */
static const uint64_t most_items[KINDS] = {1024, 384};

struct row {
    int kind;
    uint64_t global[3];
    uint64_t local[3];
};

static void parse(const char *line, struct row *row)
{
    char kernel[16], global[64], local[64];
    uint32_t dims, dims_of_local;
    struct gp_error error;
    assert_int_equal(sscanf(line, "%15[^,],%*u,%63[^,],%63s", kernel, global, local), 3);
    row->kind = strcmp(kernel, "heavy") == 0 ? HEAVY : LIGHT;
    assert_true(gp_parse_sizes(global, &dims, row->global, &error));
    assert_true(gp_parse_sizes(local, &dims_of_local, row->local, &error));
    assert_int_equal(dims, dims_of_local);
}

static bool follows_rule(const struct row *row, uint64_t most)
{
    uint32_t local[3];
    gp_nvidia_local_size(most, row->global, local);
    return local[0] == row->local[0] && local[1] == row->local[1] && local[2] == row->local[2];
}

static void every_observation(void **state)
{
    (void)state;
    char line[256];
    int rows = 0, by_registers = 0;
    FILE *file = fopen(MEASURED "/rule.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file)); /* the columns' names */
    while (fgets(line, sizeof line, file) != NULL) {
        struct row row;
        parse(line, &row);
        if (!follows_rule(&row, most_items[row.kind]))
            fail_msg("the rule does not give what the driver took: %s", line);
        by_registers += !follows_rule(&row, most_items[LIGHT]);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 2502);
    assert_int_equal(by_registers, 58); /* primes that `heavy` cannot run as one group */
}

/* The launches of real kernels: what they saw of themselves, where they could be asked. */
static void every_launch_of_a_kernel(void **state)
{
    (void)state;
    char line[512];
    int rows = 0;
    FILE *file = fopen(MEASURED "/summary.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file) != NULL) {
        char as_in_rule[160], global[64], local[64];
        struct row row;
        assert_int_equal(sscanf(line, "%*[^,],%63[^,],%63[^,]", global, local), 2);
        if (strcmp(local, "-") == 0)
            continue;
        snprintf(as_in_rule, sizeof as_in_rule, "light,256,%s,%s", global, local);
        parse(as_in_rule, &row);
        if (!follows_rule(&row, most_items[row.kind]))
            fail_msg("the rule does not give what the driver took: %s", line);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 91);
}

static void odd_limits(void **state)
{
    (void)state;
    static const uint64_t ranges[][3] = {
        {0, 0, 0}, {1, 1, 1}, {997, 5, 2}, {4294967291u, 2, 1}, {UINT64_C(1) << 40, 1, 1}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (uint64_t most = 0; most <= 1024; most += 128) {
            uint32_t local[3];
            gp_nvidia_local_size(most, ranges[i], local);
            assert_true(local[0] > 0 && local[0] <= (most > 0 ? most : 1) && ranges[i][0] % local[0] == 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_observation), cmocka_unit_test(every_launch_of_a_kernel),
                                       cmocka_unit_test(odd_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
