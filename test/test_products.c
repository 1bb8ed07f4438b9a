/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Values as sums of products. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/assume/products.h"
#include "model/profile/profile_text.h"

enum { N, M };

/* A kernel whose last instruction but for the branch makes %value. */
static struct gp_profile *kernel_with(const char *value)
{
    char text[4096];
    struct gp_error error;
    int length = snprintf(text, sizeof text,
                          "gpuperf-profile 1\nkernel k\n  param n: int 32 skeleton signed size 4\n  param m: int 32 "
                          "skeleton signed size 4\n  dims 1\n"
                          "  resources registers 8 from estimate\n  block 0:\n    %%x = id.global_id.0 i32\n    %%y = "
                          "id.global_id.1 i32\n%s    ret\n",
                          value);
    struct gp_profile *profile = gp_profile_parse(text, (size_t)length, &error);
    if (profile == NULL)
        fail_msg("%s", error.text);
    return profile;
}

static struct gp_products products_of(const struct gp_profile *profile)
{
    const struct gp_kernel *kernel = &profile->kernels[0];
    return gp_products_of(kernel, gp_ref_make(GP_REF_INST, kernel->inst_count - 2), 32);
}

static gp_ref x(void) { return gp_ref_make(GP_REF_INST, 0); }

static void assert_product(const struct gp_products *sum, int64_t scale, uint32_t param_count, const uint32_t *params,
                           gp_ref leaf)
{
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct gp_product *product = &sum->product[i];
        if (product->param_count == param_count && memcmp(product->params, params, param_count * sizeof *params) == 0 &&
            product->leaf == leaf) {
            assert_int_equal(product->scale, scale);
            return;
        }
    }
    fail_msg("no such product");
}

/* (4 * x + 3) * n - n, twice: 8 * n * x + 4 * n. */
static void a_sum_is_multiplied_out(void **state)
{
    (void)state;
    struct gp_profile *profile =
        kernel_with("    %a = mul i32 %x, 4 : free\n    %b = or i32 %a, 3 : free\n    %c = mul i32 %b, $n : free\n    "
                    "%d = sub i32 %c, $n : free\n    %e = shl i32 %d, 1 : free\n");
    struct gp_products sum = products_of(profile);
    assert_true(sum.whole);
    assert_int_equal(sum.count, 2);
    assert_product(&sum, 8, 1, (uint32_t[]){N}, x());
    assert_product(&sum, 4, 1, (uint32_t[]){N}, GP_REF_NONE);
    gp_profile_free(profile);
}

/* m * (x * n) has its parameters in order; what is taken away again is gone. */
static void parameters_are_in_order(void **state)
{
    (void)state;
    struct gp_profile *profile = kernel_with("    %a = mul i32 %x, $n : free\n    %b = mul i32 $m, %a : free\n    %c = "
                                             "add i32 %b, $m : free\n    %d = sub i32 %c, $m : free\n");
    struct gp_products sum = products_of(profile);
    assert_int_equal(sum.count, 1);
    assert_product(&sum, 1, 2, (uint32_t[]){N, M}, x());
    gp_profile_free(profile);
}

/* ~n is -n - 1. */
static void an_inversion_is_a_difference(void **state)
{
    (void)state;
    struct gp_profile *profile =
        kernel_with("    %a = xor i32 $n, 0xffffffff : free\n    %b = add i32 $m, %a : free\n");
    struct gp_products sum = products_of(profile);
    assert_int_equal(sum.count, 3);
    assert_product(&sum, -1, 1, (uint32_t[]){N}, GP_REF_NONE);
    assert_product(&sum, 1, 1, (uint32_t[]){M}, GP_REF_NONE);
    assert_product(&sum, -1, 0, (uint32_t[]){0}, GP_REF_NONE);
    gp_profile_free(profile);
}

/* x * y is something of its own, and so is what is too large. */
static void what_cannot_be_taken_apart_stays(void **state)
{
    (void)state;
    struct gp_profile *profile = kernel_with("    %a = mul i32 %x, %y : free\n    %b = mul i32 %a, $n : free\n");
    struct gp_products sum = products_of(profile);
    assert_int_equal(sum.count, 1);
    assert_product(&sum, 1, 1, (uint32_t[]){N}, gp_ref_make(GP_REF_INST, 2));
    gp_profile_free(profile);
    profile = kernel_with("    %a = zext i32 %x to i64 : free\n    %b = mul i64 %a, 0x7000000000000000 : free\n    %c "
                          "= mul i64 %b, 4 : free\n");
    sum = products_of(profile);
    assert_int_equal(sum.count, 1);
    assert_int_equal(sum.product[0].scale, 1);
    gp_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_is_multiplied_out), cmocka_unit_test(parameters_are_in_order),
        cmocka_unit_test(an_inversion_is_a_difference), cmocka_unit_test(what_cannot_be_taken_apart_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
