/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels whose code is alike: what is left out before a backend is asked, and what it is taken to say of that. */
#define _GNU_SOURCE /* strndup */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compile/alike.h"
#include "compile/backend_list.h"

#define PTX_HEAD ".version 8.8\n.target sm_80\n.address_size 64\n\n"

/* A kernel as LLVM writes it; BOUND is a line or nothing. */
#define ENTRY(name, number, bound, bytes, offset, load, factor) \
    "\t// .globl\t" name "\n.visible .entry " name "(\n\t.param .u64 .ptr .global .align 4 " name \
    "_param_0\n)\n" bound "{\n\t.reg .b32 \t%r<4>;\n$L__func_begin" number \
    ":\n\t.loc\t1 59 0                          // k.cl:59:0\n\t.shared .align 4 .b8 " name "_$_tile[" bytes \
    "];\n// %bb.0:\n\tld.param.b64 \t%rd1, [" name "_param_0];\n$L__tmp" number ":\n\t" load " \t%r1, [%rd1+" offset \
    "];\n\tbra.uni \t$L__BB" number "_2;\n$L__BB" number "_2:\n\tmul.rn.f32 \t%r2, %r1, " factor \
    ";\n\tst.global.b32 \t[%rd1], %r2;\n\tret;\n}\n"

static void leave_out_entries(const char *ptx, struct gp_text *fewer, struct gp_alike_list *left_out)
{
    *fewer = (struct gp_text){0};
    *left_out = (struct gp_alike_list){0};
    gp_leave_out_alike_entries(ptx, fewer, left_out);
}

static void assert_none_alike(const char *ptx)
{
    struct gp_text fewer;
    struct gp_alike_list left_out;
    leave_out_entries(ptx, &fewer, &left_out);
    assert_int_equal(left_out.count, 0);
    assert_string_equal(fewer.data, ptx);
    gp_text_free(&fewer);
    gp_alike_free(&left_out);
}

static void test_entries_that_differ_in_numbers(void **state)
{
    (void)state;
    struct gp_text fewer;
    struct gp_alike_list left_out;
    leave_out_entries(PTX_HEAD ENTRY("k_1", "0", "", "4864", "128", "ld.global.b32", "0f3F800000") ENTRY(
                          "k_12", "1", "", "5632", "256", "ld.global.nc.b32", "0f3F800000") "\t.section\t.debug_loc\n",
                      &fewer, &left_out);
    assert_int_equal(left_out.count, 1);
    assert_string_equal(left_out.items[0].symbol, "k_12");
    assert_string_equal(left_out.items[0].of, "k_1");
    assert_int_equal(left_out.items[0].local_bytes, 5632 - 4864);
    assert_string_equal(fewer.data, PTX_HEAD ENTRY("k_1", "0", "", "4864", "128", "ld.global.b32",
                                                   "0f3F800000") "\t// .globl\tk_12\n\t.section\t.debug_loc\n");
    gp_text_free(&fewer);
    gp_alike_free(&left_out);
}

static void test_entries_that_differ_in_more(void **state)
{
    (void)state;
#define FIRST PTX_HEAD ENTRY("k_1", "0", "", "4864", "128", "ld.global.b32", "0f3F800000")
    assert_none_alike(FIRST ENTRY("k_2", "1", "", "4864", "128", "ld.global.b64", "0f3F800000")); /* the width */
    assert_none_alike(FIRST ENTRY("k_2", "1", "", "4864", "128", "ld.shared.b32", "0f3F800000")); /* the memory */
    assert_none_alike(
        FIRST ENTRY("k_2", "1", "", "4864", "128", "ld.global.b32", "0f40000000")); /* a number that may fold */
    assert_none_alike(FIRST ENTRY("k_2", "1", ".maxntid 256, 1, 1\n", "4864", "128", "ld.global.b32", "0f3F800000"));
    assert_none_alike(PTX_HEAD ENTRY("k_1", "0", ".maxntid 128, 1, 1\n", "4864", "128", "ld.global.b32", "0f3F800000")
                          ENTRY("k_2", "1", ".maxntid 256, 1, 1\n", "4864", "128", "ld.global.b32",
                                "0f3F800000")); /* numbers of directives decide on registers */
#undef FIRST
}

#define MODULE_END \
    "!1 = !DILocation(line: 61, column: 20, scope: !9)\n!2 = !DILocation(line: 61, column: 20, scope: !8, inlinedAt: " \
    "!7)\n!3 = distinct !DILocation(line: 62, column: 20, scope: !9)\n"
#define FUNCTION(name, pointer, scope, factor, attached) \
    "define dso_local ptx_kernel void @" name "(ptr addrspace(1) " pointer \
    "noundef align 4 %0) local_unnamed_addr #0 !dbg !12 !kernel_arg_type !18 {\n" scope \
    "  %2 = load i32, ptr addrspace(1) %0, align 4, !tbaa !5" attached "\n  %3 = mul i32 %2, " factor \
    "\n  store i32 %3, ptr addrspace(1) %0, align 4\n  ret void\n}\n\n"

static size_t functions_left_out(const char *module, size_t *length)
{
    struct gp_text fewer = {0};
    struct gp_alike_list left_out = {0};
    gp_leave_out_alike_functions(module, &fewer, &left_out);
    size_t count = left_out.count;
    *length = fewer.length;
    gp_text_free(&fewer);
    gp_alike_free(&left_out);
    return count;
}

static void test_functions(void **state)
{
    (void)state;
    size_t length;
#define FIRST FUNCTION("k_0", "", "", "12", ", !dbg !1")
    const char *restricted =
        FIRST FUNCTION("k_1", "noalias ", "  call void @llvm.experimental.noalias.scope.decl(metadata !20), !dbg !3\n",
                       "12", ", !alias.scope !4, !dbg !2") MODULE_END;
    assert_int_equal(functions_left_out(restricted, &length), 1);
    assert_int_equal(length, strlen(FIRST MODULE_END) + strlen("\n"));
    assert_int_equal(functions_left_out(FIRST FUNCTION("k_1", "", "", "13", ", !dbg !1") MODULE_END, &length),
                     0); /* a number: code may follow from it */
    assert_int_equal(functions_left_out(FIRST FUNCTION("k_1", "", "", "12", ", !dbg !3") MODULE_END, &length),
                     0); /* another line */
    assert_int_equal(functions_left_out(FIRST FUNCTION("k_1", "readonly ", "", "12", ", !dbg !1") MODULE_END, &length),
                     0);
#undef FIRST
}

static void test_what_a_backend_would_say(void **state)
{
    (void)state;
    struct gp_alike pair = {(char *)"k_12", (char *)"k_1", 768};
    struct gp_alike_list left_out = {&pair, 1};
    struct gp_backend_list list = {0};
    struct gp_resources *said = gp_backend_add(&list, "k_1", 3);
    said->registers = 40;
    said->spill_load_bytes = 12;
    said->local_bytes = 4864;
    list.kernels[0].loops = calloc(1, sizeof *list.kernels[0].loops);
    list.kernels[0].loop_count = 1;
    list.kernels[0].loops[0].floats = 7;
    gp_backend_add(&list, "other", 5);
    gp_backend_add_alike(&left_out, &list);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.kernels[2].symbol, "k_12");
    assert_int_equal(list.kernels[2].resources.registers, 40);
    assert_int_equal(list.kernels[2].resources.spill_load_bytes, 12);
    assert_int_equal(list.kernels[2].resources.local_bytes, 4864 + 768);
    assert_int_equal(list.kernels[2].loops[0].floats, 7);
    gp_backend_free(&list);
}

/* Text that ends anywhere. */
static void test_cut_off(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD ENTRY("k_1", "0", "", "4864", "128", "ld.global.b32", "0f3F800000")
        ENTRY("k_2", "1", "", "64", "8", "ld.global.nc.b32", "0f3F800000");
    static const char module[] =
        FUNCTION("k_0", "", "", "12", ", !dbg !1") FUNCTION("k_1", "noalias ", "", "12", ", !dbg !2") MODULE_END;
    for (size_t length = 0; length < sizeof ptx; length++) {
        char *cut = strndup(ptx, length);
        struct gp_text fewer;
        struct gp_alike_list left_out;
        leave_out_entries(cut, &fewer, &left_out);
        assert_true(left_out.count == (length + 1 >= sizeof ptx - 1 ? 1 : 0));
        gp_text_free(&fewer);
        gp_alike_free(&left_out);
        free(cut);
    }
    for (size_t length = 0; length < sizeof module; length++) {
        char *cut = strndup(module, length);
        size_t left;
        functions_left_out(cut, &left);
        assert_true(left <= length);
        free(cut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries_that_differ_in_numbers),
        cmocka_unit_test(test_entries_that_differ_in_more),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_what_a_backend_would_say),
        cmocka_unit_test(test_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
