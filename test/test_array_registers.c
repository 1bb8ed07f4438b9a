/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which private arrays ptxas and AMD's backend keep in registers, and what an access to them becomes. */
#include "test/golden.h"

#include "model/compilers/array_registers.h"

static struct gp_text text;
static struct gp_profile *profile;
static struct gp_kernel *changed;
static bool turns_are_argument; /* of make()'s loop */
static uint32_t vector_words;   /* that AMD's compiler has for them, of code for spir64 */

static int teardown(void **state)
{
    (void)state;
    gp_arrays_in_registers_free(changed);
    gp_profile_free(profile);
    gp_text_free(&text);
    changed = NULL;
    profile = NULL;
    vector_words = 0;
    turns_are_argument = false;
    return 0;
}

/* A loop that goes through an array of so many floats in such steps, and adds to each element of a step. */
static void make(const char *triple, unsigned elements, unsigned step, const char *resources)
{
    char turns[16];
    snprintf(turns, sizeof turns, "%u", elements / step);
    gp_text_printf(&text,
                   "gpuperf-profile 1\ntriple \"%s\"\nkernel k\n  param a: buffer 64 in global skeleton size 8\n  "
                   "param n: int 32 skeleton\n  private sums: %u align 4\n  dims 1\n  resources registers 32 %s\n"
                   "  loop 0: header 1 latch 1 bound scalar-evolution trips %s\n  induction %%i loop 0 step %u\n  "
                   "block 0: ipdom 1\n    store private.sums, 0 in private 4x1 base private.sums\n    br block 1\n"
                   "  block 1: ipdom 2 loop 0\n    %%i = phi i32 [block 0: 0], [block 1: %%next]\n",
                   triple, 4 * elements, resources, turns_are_argument ? "$n" : turns, step);
    for (unsigned k = 0; k < step; k++)
        gp_text_printf(&text,
                       "    %%j%u = add i32 %%i, %u\n    %%b%u = shl i32 %%j%u, 2\n    %%w%u = zext i32 %%b%u to i64\n "
                       "   %%p%u = add i64 private.sums, %%w%u\n"
                       "    %%x%u = load i32 %%p%u in private 4x1 base private.sums\n    %%y%u = weight f32 %%x%u : "
                       "fp32.add\n    store %%p%u, %%y%u in private 4x1 base private.sums\n",
                       k, k, k, k, k, k, k, k, k, k, k, k, k, k);
    gp_text_printf(&text,
                   "    %%next = add i32 %%i, %u\n    %%more = icmp.ult i32 %%next, %u\n    condbr %%more, block 1, "
                   "block 2 kind induction\n  block 2:\n    ret\n",
                   step, elements);
    profile = parse_text(text.data);
    gp_arrays_in_registers(profile, &profile->kernels[0], vector_words, &changed);
}

static unsigned paid(unsigned access)
{
    const struct gp_inst *inst = &changed->insts[changed->memory[access].inst];
    assert_int_equal(inst->op, GP_OP_WEIGHT);
    return inst->cost == GP_CLASS_FREE ? 0 : inst->repeat;
}

/* Four elements, one after the other: four comparisons and four moves of a load, the moves alone of the store to the
 * same place; a constant place costs nothing. */
static void each_element_is_a_choice(void **state)
{
    (void)state;
    make("nvptx64-nvidia-cuda", 4, 1, "from estimate");
    assert_non_null(changed);
    assert_int_equal(paid(0), 0);
    assert_int_equal(paid(1), 8);
    assert_int_equal(paid(2), 4);
    assert_int_equal(profile->kernels[0].insts[profile->kernels[0].memory[1].inst].op, GP_OP_LOAD); /* as it was */
}

/* In steps of two each access has half of the elements to choose from, and the second one knows the first one's
 * comparisons. */
static void steps_leave_fewer(void **state)
{
    (void)state;
    make("nvptx64-nvidia-cuda", 8, 2, "from estimate");
    assert_non_null(changed);
    assert_int_equal(paid(1), 8);
    assert_int_equal(paid(2), 4);
    assert_int_equal(paid(3), 4);
    assert_int_equal(paid(4), 4);
}

/* No more than the lowest four bits of an address are known: of 32 elements in steps of eight there are eight to choose
 * from. */
static void a_grain_of_sixteen_bytes(void **state)
{
    (void)state;
    make("nvptx64-nvidia-cuda", 32, 8, "from estimate");
    assert_non_null(changed);
    assert_int_equal(paid(1), 16);
    assert_int_equal(paid(3), 8);
}

/* As LLVM 22 does on gfx90a: a comparison and a move for each of eight elements but the first, of a store for each;
 * what was compared for the load is not again. */
static void amd_compares_with_all(void **state)
{
    (void)state;
    make("amdgcn-amd-amdhsa", 8, 2, "from llvm");
    assert_non_null(changed);
    assert_int_equal(paid(0), 0);
    assert_int_equal(paid(1), 14);
    assert_int_equal(paid(2), 8);
    const struct gp_inst *load = &changed->insts[changed->memory[1].inst];
    assert_true(load->flags & GP_INST_REPAIRABLE && load->repaired == GP_CLASS_MOV);
}

/* An element of several words, or of less than one, is one to compare with: so clang 22's code for gfx90a and gfx1030
 * of double[8], char[16] and float4[4], of which a load is one element and a store four. */
static void amd_counts_elements(void **state)
{
    static const struct {
        const char *shape;
        unsigned bits, shift, load, store;
    } of[] = {{"8x1", 64, 3, 7 * 3, 8 * 2}, {"1x1", 8, 0, 63 * 2, 64}, {"4x4", 32, 4, 3 * 5, 4 * 16}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        gp_text_printf(&text,
                       "gpuperf-profile 1\ntriple \"amdgcn-amd-amdhsa\"\nkernel k\n  param a: buffer 64 in global "
                       "skeleton size 8\n  private v: 64 align 16\n  dims 1\n  resources registers 32 from llvm\n"
                       "  block 0:\n    %%w = load i32 $a in global 4x1 base $a\n    %%z = zext i32 %%w to i64\n"
                       "    %%b = shl i64 %%z, %u\n    %%p = add i64 private.v, %%b\n"
                       "    %%x = load i%u %%p in private %s base private.v\n"
                       "    store %%p, %%x in private %s base private.v\n    ret\n",
                       of[i].shift, of[i].bits, of[i].shape, of[i].shape);
        profile = parse_text(text.data);
        gp_arrays_in_registers(profile, &profile->kernels[0], 0, &changed);
        assert_non_null(changed);
        assert_int_equal(paid(1), of[i].load);
        assert_int_equal(paid(2), of[i].store);
        teardown(NULL);
        text = (struct gp_text){0};
    }
}

/* Private memory is reported, in which the array may be; or nobody has asked the backend. */
static void amd_may_use_memory(void **state)
{
    (void)state;
    make("amdgcn-amd-amdhsa", 8, 2, "stack 32 from llvm");
    assert_null(changed);
    teardown(state);
    make("amdgcn-amd-amdhsa", 8, 2, "from estimate");
    assert_null(changed);
}

static void too_many_stay_in_memory(void **state)
{
    (void)state;
    make("nvptx64-nvidia-cuda", 16, 1, "from estimate");
    assert_null(changed);
}

/* Where ptxas' frame has no room for the array it is in registers, however many choices there are. */
static void the_frame_decides(void **state)
{
    (void)state;
    turns_are_argument = true;
    make("nvptx64-nvidia-cuda", 16, 1, "stack 0 from ptxas");
    assert_non_null(changed);
    assert_int_equal(paid(1), 32);
    assert_false(gp_arrays_tell_of_unrolling(profile, &profile->kernels[0], changed));
}

/* Where that would be many, and the loop's number of turns is a constant, the compiler has unrolled it: nothing is
 * compared, and the profile's code is not the compiler's. Few are compared, for all that is known. */
static void the_frame_tells_of_unrolling(void **state)
{
    (void)state;
    make("nvptx64-nvidia-cuda", 16, 1, "stack 0 from ptxas");
    assert_non_null(changed);
    assert_int_equal(paid(1), 0);
    assert_true(gp_arrays_tell_of_unrolling(profile, &profile->kernels[0], changed));
    teardown(state);
    text = (struct gp_text){0};
    make("nvptx64-nvidia-cuda", 4, 1, "stack 0 from ptxas");
    assert_int_equal(paid(1), 8);
    assert_false(gp_arrays_tell_of_unrolling(profile, &profile->kernels[0], changed));
}

static void the_frame_has_it(void **state)
{
    (void)state;
    make("nvptx64-nvidia-cuda", 16, 1, "stack 64 from ptxas");
    assert_null(changed);
}

/* LLVM's backend for AMD makes vectors of arrays before the profile is made. */
static void other_targets(void **state)
{
    (void)state;
    make("amdgcn-amd-amdhsa", 4, 1, "from estimate");
    assert_null(changed);
}

/* What compiles spir64 further unrolls the loop: the accesses go, and the array takes registers, where no back end
 * counted them. */
static void unrolled_later(void **state)
{
    (void)state;
    make("spir64-unknown-unknown", 16, 1, "from estimate");
    assert_non_null(changed);
    assert_int_equal(paid(1), 0);
    assert_int_equal(paid(2), 0);
    assert_int_equal(changed->resources[0].registers, 32 + 16);
    assert_int_equal(profile->kernels[0].resources[0].registers, 32);
}

static void too_large_to_unroll(void **state)
{
    (void)state;
    make("spir64-unknown-unknown", 512, 1, "from estimate");
    assert_null(changed);
}

/*
 * Of code for spir64 AMD's compiler makes a vector of 32 words at most: the index that data decides is compared with
 * each element, what unrolled loops store costs nothing. Two more instructions take a row of it.
 */
static void make_gathering(unsigned elements, unsigned words, const char *index)
{
    vector_words = words;
    gp_text_printf(&text,
                   "gpuperf-profile 1\ntriple \"spir64-unknown-unknown\"\nkernel k\n  param a: buffer 64 in global "
                   "skeleton size 8\n  param j: int 32 skeleton\n  private v: %u align 4\n  dims 1\n"
                   "  resources registers 32 from estimate\n  block 0:\n    store private.v, 0 in private 4x1 base "
                   "private.v\n    %%w = load i32 $a in global 4x1 base $a\n"
                   "    %%z = zext i32 %%w to i64\n    %%jz = zext i32 $j to i64\n    %%b = shl i64 %%z, 2\n    %%jb = "
                   "shl i64 %%jz, 4\n    %%row = add i64 private.v, %%jb\n    %%p = add i64 %s, %%b\n"
                   "    %%x = load i32 %%p in private 4x1 base private.v\n    store %%p, %%x in private 4x1 base "
                   "private.v\n    ret\n",
                   4 * elements, index);
    profile = parse_text(text.data);
    gp_arrays_in_registers(profile, &profile->kernels[0], vector_words, &changed);
}

static void amd_will_make_a_vector(void **state)
{
    (void)state;
    make_gathering(16, 64, "private.v");
    assert_non_null(changed);
    assert_int_equal(paid(0), 0);
    assert_int_equal(paid(2), 30);
    assert_int_equal(paid(3), 16);
    assert_int_equal(changed->resources[0].registers, 32 + 16);
    teardown(state);
    text = (struct gp_text){0};
    make_gathering(32, 64, "private.v");
    assert_non_null(changed);
}

/* More than 32 words, more than there are registers for, two indices, or another device's driver. */
static void no_vector(void **state)
{
    static const struct {
        unsigned elements, words;
        const char *index;
    } of[] = {{33, 64, "private.v"}, {32, 16, "private.v"}, {16, 64, "%row"}, {16, 0, "private.v"}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        make_gathering(of[i].elements, of[i].words, of[i].index);
        assert_null(changed);
        teardown(NULL);
        text = (struct gp_text){0};
    }
}

/* A quarter of 256 registers; of groups of 1024 four waves are on each of GCN's SIMDs, which leaves a quarter of that.
 */
static void words_by_the_largest_group(void **state)
{
    struct gp_device device = {.arch = GP_ARCH_GCN};
    device.registers_per_sm.value = 65536;
    (void)state;
    make_gathering(16, 64, "private.v");
    struct gp_kernel *kernel = &profile->kernels[0];
    assert_int_equal(gp_words_for_vectors(profile, kernel, &device), 64);
    kernel->stated.max_local = 1024;
    assert_int_equal(gp_words_for_vectors(profile, kernel, &device), 16);
    device.arch = GP_ARCH_AMPERE;
    assert_int_equal(gp_words_for_vectors(profile, kernel, &device), 0);
}

/* A sort: how often the inner loop turns follows from the outer one's counter. */
static void make_sort(unsigned elements)
{
    gp_text_printf(&text,
                   "gpuperf-profile 1\ntriple \"spir64-unknown-unknown\"\nkernel k\n  private v: %u align 4\n  dims "
                   "1\n  resources registers 32 from estimate\n"
                   "  loop 0: header 1 latch 4 bound constant trips %u\n  loop 1: header 2 latch 3 parent 0 bound "
                   "scalar-evolution trips %%turns\n"
                   "  induction %%i loop 0 step 1\n  induction %%j loop 1 step 1\n  block 0: ipdom 1\n    br block 1\n"
                   "  block 1: ipdom 2 loop 0\n    %%i = phi i32 [block 0: 0], [block 4: %%i1]\n    %%i1 = add i32 "
                   "%%i, 1\n    %%b = shl i32 %%i, 2\n    %%w = zext i32 %%b to i64\n    %%p = add i64 private.v, %%w\n"
                   "    br block 2\n  block 2: ipdom 3 loop 1\n    %%j = phi i32 [block 1: %%i1], [block 3: %%j1]\n    "
                   "%%c = shl i32 %%j, 2\n    %%z = zext i32 %%c to i64\n    %%q = add i64 private.v, %%z\n"
                   "    %%x = load i32 %%p in private 4x1 base private.v\n    %%y = load i32 %%q in private 4x1 base "
                   "private.v\n    br block 3\n  block 3: ipdom 4 loop 1\n"
                   "    store %%p, %%y in private 4x1 base private.v\n    store %%q, %%x in private 4x1 base "
                   "private.v\n    %%j1 = add i32 %%j, 1\n    %%n = icmp.ult i32 %%j1, %u\n"
                   "    condbr %%n, block 2, block 4 kind induction\n  block 4: ipdom 5 loop 0\n    %%m = icmp.ult i32 "
                   "%%i1, %u\n    condbr %%m, block 1, block 5 kind induction\n  block 5:\n    ret\n"
                   "  expressions:\n    %%i64 = zext i32 %%i to i64\n    %%less = mul i64 -1, %%i64\n    %%turns = add "
                   "i64 %u, %%less\n",
                   4 * elements, elements - 1, elements, elements - 1, elements - 1);
    profile = parse_text(text.data);
    gp_arrays_in_registers(profile, &profile->kernels[0], vector_words, &changed);
}

static void sorts_are_unrolled(void **state)
{
    (void)state;
    make_sort(16);
    assert_non_null(changed);
    for (unsigned m = 0; m < 4; m++)
        assert_int_equal(paid(m), 0);
    teardown(state);
    text = (struct gp_text){0};
    make_sort(32);
    assert_null(changed);
}

/* Two arrays, one after the other, of the same kind each: each is filled by a loop and read by another one. */
static void make_two(const char *first_read, const char *second_filled)
{
    const char *const arrays[] = {"a", first_read, second_filled, "b"};
    gp_text_printf(&text, "gpuperf-profile 1\ntriple \"spir64-unknown-unknown\"\nkernel k\n  private a: 64 align 4\n  "
                          "private b: 128 align 4\n  dims 1\n  resources registers 10 from estimate\n");
    for (int l = 0; l < 4; l++)
        gp_text_printf(&text, "  loop %d: header %d latch %d bound constant trips 16\n", l, l + 1, l + 1);
    for (int l = 0; l < 4; l++)
        gp_text_printf(&text, "  induction %%i%d loop %d step 1\n", l, l);
    gp_text_printf(&text, "  block 0: ipdom 1\n    br block 1\n");
    for (int l = 0; l < 4; l++) {
        gp_text_printf(&text,
                       "  block %d: ipdom %d loop %d\n    %%i%d = phi i32 [block %d: 0], [block %d: %%n%d]\n    %%b%d "
                       "= shl i32 %%i%d, 2\n    %%w%d = zext i32 %%b%d to i64\n    %%p%d = add i64 private.%s, %%w%d\n",
                       l + 1, l + 2, l, l, l, l + 1, l, l, l, l, l, l, arrays[l], l);
        if (l % 2 == 0)
            gp_text_printf(&text, "    store %%p%d, 0 in private 4x1 base private.%s\n", l, arrays[l]);
        else
            gp_text_printf(&text, "    %%x%d = load i32 %%p%d in private 4x1 base private.%s\n", l, l, arrays[l]);
        gp_text_printf(&text,
                       "    %%n%d = add i32 %%i%d, 1\n    %%c%d = icmp.ult i32 %%n%d, 16\n    condbr %%c%d, block %d, "
                       "block %d kind induction\n",
                       l, l, l, l, l, l + 1, l + 2);
    }
    gp_text_printf(&text, "  block 5:\n    ret\n");
    profile = parse_text(text.data);
    gp_arrays_in_registers(profile, &profile->kernels[0], vector_words, &changed);
}

/* Arrays that are never alive together share registers; those that are have their own. */
static void arrays_share_registers(void **state)
{
    make_two("a", "b");
    assert_non_null(changed);
    assert_int_equal(gp_kernel_resources(changed, 0)->registers, 10 + 32);
    teardown(state);
    text = (struct gp_text){0};
    make_two("b", "a"); /* a, b, a, b */
    assert_non_null(changed);
    assert_int_equal(gp_kernel_resources(changed, 0)->registers, 10 + 16 + 32);
}

/* The launch decides how often the loop turns, or the index starts where a work-item is. */
static void not_known_unrolled(void **state)
{
    static const char *const forms[] = {
        "trips $n\n  induction %i loop 0 step 1",
        "trips 16\n  induction %i loop 0 step 1\n  block 0: ipdom 1\n    %start = id.local_id.0 i32"};
    (void)state;
    for (int f = 0; f < 2; f++) {
        gp_text_printf(&text,
                       "gpuperf-profile 1\ntriple \"spir64-unknown-unknown\"\nkernel k\n  param n: int 32 skeleton\n  "
                       "private sums: 64 align 4\n  dims 1\n  resources registers 32 from estimate\n"
                       "  loop 0: header 1 latch 1 bound scalar-evolution %s\n",
                       forms[f]);
        gp_text_printf(&text,
                       "%s    br block 1\n  block 1: ipdom 2 loop 0\n    %%i = phi i32 [block 0: %s], [block 1: "
                       "%%next]\n    %%b = shl i32 %%i, 2\n    %%w = zext i32 %%b to i64\n"
                       "    %%p = add i64 private.sums, %%w\n    %%x = load i32 %%p in private 4x1 base private.sums\n "
                       "   store %%p, %%x in private 4x1 base private.sums\n    %%next = add i32 %%i, 1\n"
                       "    %%more = icmp.ult i32 %%next, 16\n    condbr %%more, block 1, block 2 kind induction\n  "
                       "block 2:\n    ret\n",
                       f == 0 ? "  block 0: ipdom 1\n" : "", f == 0 ? "0" : "%start");
        profile = parse_text(text.data);
        gp_arrays_in_registers(profile, &profile->kernels[0], vector_words, &changed);
        assert_null(changed);
        teardown(NULL);
        text = (struct gp_text){0};
    }
}

/* Two variables that a pointer chooses from, as clang leaves an array of two. */
static void a_pointer_chooses(void **state)
{
    (void)state;
    gp_text_printf(&text, "gpuperf-profile 1\ntriple \"nvptx64-nvidia-cuda\"\nkernel k\n  param a: int 32 skeleton\n  "
                          "private x: 4 align 4\n  private y: 4 align 4\n  dims 1\n"
                          "  resources registers 32 from estimate\n  block 0:\n    store private.x, 0 in private 4x1 "
                          "base private.x\n    store private.y, 0 in private 4x1 base private.y\n"
                          "    %%c = icmp.sgt i32 $a, 0\n    %%p = select i64 %%c, private.x, private.y\n    %%v = "
                          "load i32 %%p in generic 4x1\n    %%w = weight f32 %%v : fp32.add\n"
                          "    store %%p, %%w in generic 4x1\n    ret\n");
    profile = parse_text(text.data);
    gp_arrays_in_registers(profile, &profile->kernels[0], vector_words, &changed);
    assert_non_null(changed);
    assert_int_equal(paid(0), 0);
    assert_int_equal(paid(2), 4);
    assert_int_equal(paid(3), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(each_element_is_a_choice, teardown),
        cmocka_unit_test_teardown(steps_leave_fewer, teardown),
        cmocka_unit_test_teardown(a_grain_of_sixteen_bytes, teardown),
        cmocka_unit_test_teardown(too_many_stay_in_memory, teardown),
        cmocka_unit_test_teardown(the_frame_decides, teardown),
        cmocka_unit_test_teardown(the_frame_has_it, teardown),
        cmocka_unit_test_teardown(the_frame_tells_of_unrolling, teardown),
        cmocka_unit_test_teardown(other_targets, teardown),
        cmocka_unit_test_teardown(a_pointer_chooses, teardown),
        cmocka_unit_test_teardown(amd_compares_with_all, teardown),
        cmocka_unit_test_teardown(amd_counts_elements, teardown),
        cmocka_unit_test_teardown(amd_may_use_memory, teardown),
        cmocka_unit_test_teardown(unrolled_later, teardown),
        cmocka_unit_test_teardown(too_large_to_unroll, teardown),
        cmocka_unit_test_teardown(not_known_unrolled, teardown),
        cmocka_unit_test_teardown(sorts_are_unrolled, teardown),
        cmocka_unit_test_teardown(arrays_share_registers, teardown),
        cmocka_unit_test_teardown(amd_will_make_a_vector, teardown),
        cmocka_unit_test_teardown(no_vector, teardown),
        cmocka_unit_test_teardown(words_by_the_largest_group, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
