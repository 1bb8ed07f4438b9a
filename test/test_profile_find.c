/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Profiles that are embedded in compiled modules are found again: in what clang makes of a module that holds the pieces
 * as constants, for each kind of object; and nothing is found, or worse, in any other bytes.
 */
#include "profile_fixture.h"

#include <unistd.h>

#include "model/profile/profile_find.h"

/* ---- Fixture -------------------------------------------------------------------------------------------------- */

/* A profile of so many kernels PREFIX0, PREFIX1 ... */
static struct gp_profile *large_profile(const char *prefix, int kernels)
{
    char *text = golden_text("matrix_multiply");
    char *body = strstr(text, "  param a:"), *head = strstr(text, "\nkernel matmul");
    struct gp_text all = {0};
    gp_text_append(&all, text, (size_t)(head - text));
    for (int i = 0; i < kernels; i++)
        gp_text_printf(&all, "\nkernel %s%d at 0\n%s", prefix, i, body);
    struct gp_profile *profile = parse_text(all.data);
    gp_text_free(&all);
    free(text);
    return profile;
}

static uint32_t *encode(const struct gp_profile *profile, size_t *count)
{
    uint32_t *words;
    struct gp_error error = {""};
    if (!gp_profile_encode(profile, &words, count, &error))
        fail_msg("%s", error.text);
    return words;
}

/* A constant that stands for the piece by its name, and what to call it. */
static void print_name(const uint32_t *piece, size_t length, int address_space, struct gp_text *out,
                       struct gp_text *names)
{
    char name[GP_PIECE_NAME_SIZE];
    gp_profile_piece_name(piece, length, name);
    gp_text_printf(out, "@%s = private addrspace(%d) constant i8 0\n", name, address_space);
    gp_text_printf(names, "%sptr addrspace(%d) @%s", names->length ? ", " : "", address_space, name);
}

static void print_words(const uint32_t *piece, size_t length, int address_space, const char *prefix,
                        struct gp_text *out, struct gp_text *names)
{
    gp_text_printf(out, "@%s%u = private addrspace(%d) constant [%zu x i32] [", prefix, piece[2], address_space,
                   length);
    for (size_t w = 0; w < length; w++)
        gp_text_printf(out, "%si32 %d", w ? ", " : "", (int)piece[w]);
    gp_text_printf(out, "], align 4\n");
    gp_text_printf(names, "%sptr addrspace(%d) @%s%u", names->length ? ", " : "", address_space, prefix, piece[2]);
}

/* The pieces as LLVM IR, in an address space; without a prefix as names. */
static void print_module(const struct gp_profile *profile, int address_space, const char *prefix, struct gp_text *out)
{
    size_t count;
    uint32_t *words = encode(profile, &count), piece[GP_PIECE_WORDS], pieces = gp_profile_piece_count(count);
    struct gp_text names = {0};
    for (uint32_t i = 0; i < pieces; i++) {
        size_t length = gp_profile_piece(words, count, i, piece);
        if (prefix == NULL)
            print_name(piece, length, address_space, out, &names);
        else
            print_words(piece, length, address_space, prefix, out, &names);
    }
    gp_text_printf(out,
                   "@llvm.compiler.used = appending global [%u x ptr addrspace(%d)] [%s], section \"llvm.metadata\"\n",
                   pieces, address_space, names.data);
    gp_text_printf(out, "define void @%sf() {\n  ret void\n}\n", prefix ? prefix : "");
    gp_text_free(&names);
    free(words);
}

static char folder[] = "/tmp/gpuperf-find-XXXXXX";

static char *path_of(const char *name)
{
    static char paths[2][256];
    static int turn;
    turn = !turn;
    snprintf(paths[turn], sizeof paths[turn], "%s/%s", folder, name);
    return paths[turn];
}

static void write_file(const char *name, const char *bytes, size_t length)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    fclose(file);
}

/* clang-22, wherever it is; "" when it is nowhere. */
static const char *clang(void)
{
    return access("/usr/bin/clang-22", X_OK) == 0            ? "/usr/bin/clang-22"
           : access("/usr/lib/llvm-22/bin/clang", X_OK) == 0 ? "/usr/lib/llvm-22/bin/clang"
                                                             : "";
}

static void run(const char *command)
{
    if (system(command) != 0)
        fail_msg("failed: %s", command);
}

/* Compiles one module with the given arguments; gives the object's bytes. */
static char *compile(const struct gp_profile *profile, int address_space, const char *prefix, const char *arguments,
                     size_t *length)
{
    struct gp_text module = {0}, command = {0};
    print_module(profile, address_space, prefix, &module);
    write_file("module.ll", module.data, module.length);
    gp_text_printf(&command, "%s -Wno-override-module %s %s/module.ll -o %s/object", clang(), arguments, folder,
                   folder);
    run(command.data);
    char *bytes = gp_read_file(path_of("object"), length);
    assert_non_null(bytes);
    gp_text_free(&module);
    gp_text_free(&command);
    return bytes;
}

static void assert_same(const struct gp_profile *found, const struct gp_profile *expected)
{
    size_t count, found_count;
    uint32_t *words = encode(expected, &count), *found_words = encode(found, &found_count);
    assert_int_equal(found_count, count);
    assert_memory_equal(found_words, words, count * sizeof *words);
    free(words);
    free(found_words);
}

static void assert_found(const char *bytes, size_t length, const struct gp_profile *expected)
{
    struct gp_error error = {""};
    struct gp_profile *found = gp_profile_find_embedded(bytes, length, &error);
    if (found == NULL)
        fail_msg("%s", error.text);
    assert_same(found, expected);
    gp_profile_free(found);
}

/* ---- Cutting -------------------------------------------------------------------------------------------------- */

static void test_pieces(void **state)
{
    (void)state;
    uint32_t words[2500], piece[GP_PIECE_WORDS];
    for (uint32_t i = 0; i < 2500; i++)
        words[i] = i;
    assert_int_equal(gp_profile_piece_count(1), 1);
    assert_int_equal(gp_profile_piece_count(1024), 1);
    assert_int_equal(gp_profile_piece_count(1025), 2);
    assert_int_equal(gp_profile_piece_count(2500), 3);
    assert_int_equal(gp_profile_piece(words, 2500, 0, piece), 1029);
    assert_int_equal(gp_profile_piece(words, 2500, 2, piece), 5 + 452); /* 2500 - 2 x 1024 */
    const uint32_t header[] = {GP_PIECE_MAGIC, 3, 2, 3, 452, 2048};
    assert_memory_equal(piece, header, sizeof header);
    assert_int_equal(piece[456], 2499);
}

static void test_name(void **state)
{
    (void)state;
    char name[GP_PIECE_NAME_SIZE];
    gp_profile_piece_name((const uint32_t[]){GP_PIECE_MAGIC, 0x03020100, 12}, 3, name);
    assert_string_equal(name, "__gpuperf_profile_12.R1BQUAABAgMMAAAA"); /* base64 of "GPPP", 0 1 2 3, 12 0 0 0 */
    gp_profile_piece_name((const uint32_t[]){0xfffefdfc, 0, 0, 0}, 4, name);
    assert_string_equal(name, "__gpuperf_profile_0._P3-_wAAAAAAAAAAAAAAAA");
}

/* ---- What clang makes of them --------------------------------------------------------------------------------- */

static void check_form(int address_space, const char *prefix, const char *arguments)
{
    if (*clang() == '\0')
        skip();
    static const int kernels[] = {1, 40}; /* one piece, several */
    for (int i = 0; i < 2; i++) {
        size_t length;
        struct gp_profile *profile = large_profile("kernel", kernels[i]);
        char *bytes = compile(profile, address_space, prefix, arguments, &length);
        assert_found(bytes, length, profile);
        free(bytes);
        gp_profile_free(profile);
    }
}

static void check_object(int address_space, const char *arguments) { check_form(address_space, "p", arguments); }

static void test_bitcode(void **state)
{
    (void)state;
    check_object(2, "-target spir64 -x ir -emit-llvm -c");
}
static void test_bitcode_o2(void **state)
{
    (void)state;
    check_object(2, "-target spir64 -x ir -O2 -g -emit-llvm -c");
}
static void test_ir_text(void **state)
{
    (void)state;
    check_object(2, "-target spir64 -x ir -emit-llvm -S");
}
static void test_spirv(void **state)
{
    (void)state;
    check_object(2, "-target spirv64 -x ir -c");
}
static void test_spirv_names(void **state)
{
    (void)state;
    check_form(2, NULL, "-target spirv64 -x ir -c");
}
static void test_spirv_text(void **state)
{
    (void)state;
    check_form(2, NULL, "-target spirv64 -x ir -S");
}
static void test_bitcode_names(void **state)
{
    (void)state;
    check_form(2, NULL, "-target spirv64 -x ir -emit-llvm -c");
}
static void test_ir_text_names(void **state)
{
    (void)state;
    check_form(2, NULL, "-target spirv64 -x ir -emit-llvm -S");
}
static void test_ptx(void **state)
{
    (void)state;
    check_object(4, "-target nvptx64-nvidia-cuda -march=sm_80 -Xclang -target-feature -Xclang +ptx83 -x ir -S");
}
static void test_elf_amdgcn(void **state)
{
    (void)state;
    check_object(4, "-target amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -x ir -c");
}
static void test_elf_host(void **state)
{
    (void)state;
    check_object(0, "-x ir -c");
}
static void test_elf_shared(void **state)
{
    (void)state;
    check_object(0, "-x ir -shared -nostdlib -fPIC");
}
static void test_elf_with_bitcode(void **state)
{
    (void)state;
    check_object(0, "-x ir -c -flto=full -ffat-lto-objects");
}

/* Bitcode somewhere in another file, as in a PoCL binary. */
static void test_bitcode_within(void **state)
{
    (void)state;
    if (*clang() == '\0')
        skip();
    size_t length;
    struct gp_profile *profile = large_profile("kernel", 20);
    char *bytes = compile(profile, 2, "p", "-target spir64 -x ir -emit-llvm -c", &length);
    struct gp_text file = {0};
    gp_text_printf(&file, "poclbin BC? %c", '\0');
    gp_text_append(&file, "", 1);
    gp_text_append(&file, bytes, length);
    gp_text_printf(&file, "and more");
    assert_found(file.data, file.length, profile);
    gp_text_free(&file);
    free(bytes);
    gp_profile_free(profile);
}

/* Two modules linked into one: the kernels of both, and each still at its own place in the source. */
static void test_linked(void **state)
{
    (void)state;
    if (*clang() == '\0')
        skip();
    struct gp_profile *first = large_profile("first", 15), *second = large_profile("second", 2);
    second->locations[4].line = 77;
    struct gp_text module = {0}, command = {0};
    print_module(first, 0, "p", &module);
    write_file("one.ll", module.data, module.length);
    gp_text_free(&module);
    print_module(second, 0, "q", &module);
    write_file("two.ll", module.data, module.length);
    gp_text_printf(&command, "%s -Wno-override-module -shared -nostdlib -fPIC %s/one.ll %s/two.ll -o %s/object",
                   clang(), folder, folder, folder);
    run(command.data);
    size_t length;
    char *bytes = gp_read_file(path_of("object"), &length);
    struct gp_error error = {""};
    struct gp_profile *found = gp_profile_find_embedded(bytes, length, &error);
    if (found == NULL)
        fail_msg("%s", error.text);
    assert_true(gp_profile_check(found, &error));
    assert_int_equal(found->kernel_count, 17);
    assert_int_equal(found->location_count, first->location_count + second->location_count);
    const struct gp_kernel *kernel = gp_profile_find(found, "second1");
    assert_non_null(kernel);
    assert_int_equal(found->locations[kernel->insts[4].location].line, 77); /* %arow, at location 4 */
    assert_int_equal(found->locations[gp_profile_find(found, "first1")->insts[4].location].line, 6);
    gp_profile_free(found);
    free(bytes);
    gp_text_free(&module);
    gp_text_free(&command);
    gp_profile_free(first);
    gp_profile_free(second);
}

/* ---- By hand --------------------------------------------------------------------------------------------------- */

/* The pieces as bytes, in the given order, with `gap` bytes before each. */
static void lay_out(const struct gp_profile *profile, const uint32_t *order, size_t pieces, size_t gap,
                    struct gp_text *out)
{
    size_t count;
    uint32_t *words = encode(profile, &count), piece[GP_PIECE_WORDS];
    for (size_t i = 0; i < pieces; i++) {
        size_t length = gp_profile_piece(words, count, order[i], piece);
        for (size_t g = 0; g < gap; g++)
            gp_text_append(out, "G", 1);
        for (size_t w = 0; w < length; w++)
            for (int b = 0; b < 4; b++)
                gp_text_append(out, (const char[]){(char)(piece[w] >> b * 8)}, 1);
    }
    free(words);
}

static void test_order(void **state)
{
    (void)state;
    struct gp_profile *profile = large_profile("kernel", 20);
    size_t count;
    free(encode(profile, &count));
    assert_int_equal(gp_profile_piece_count(count), 2);
    static const uint32_t orders[][4] = {{0, 1, 0, 1}, {1, 0, 1, 0}, {1, 1, 0, 0}};
    for (int i = 0; i < 3; i++)
        for (size_t gap = 0; gap < 6; gap++) {
            struct gp_text file = {0};
            lay_out(profile, orders[i], 4, gap, &file);
            assert_found(file.data, file.length, profile);
            gp_text_free(&file);
        }
    gp_profile_free(profile);
}

static void refuse(const char *bytes, size_t length, const char *sentence)
{
    struct gp_error error = {""};
    struct gp_profile *found = gp_profile_find_embedded(bytes, length, &error);
    if (found != NULL || strstr(error.text, sentence) == NULL)
        fail_msg("'%s' instead of '%s'", found ? "a profile" : error.text, sentence);
}

static void test_incomplete(void **state)
{
    (void)state;
    struct gp_profile *profile = large_profile("kernel", 20), *other = golden_profile("vector_add");
    struct gp_text file = {0};
    refuse("", 0, "no gpuperf profile, and none is embedded");
    refuse("GPPP", 4, "no gpuperf profile, and none is embedded");
    lay_out(profile, (const uint32_t[]){1}, 1, 0, &file);
    refuse(file.data, file.length, "0 of its 2 pieces");
    lay_out(profile, (const uint32_t[]){0}, 1, 0, &file);
    file.data[file.length - 9] ^= 1; /* in the payload of the second */
    refuse(file.data, file.length, "checksum");
    refuse(file.data, file.length - 1, "0 of its 2 pieces");
    /* one that is whole is found beside one that is not */
    lay_out(other, (const uint32_t[]){0}, 1, 3, &file);
    assert_found(file.data, file.length, other);
    gp_text_free(&file);
    gp_profile_free(profile);
    gp_profile_free(other);
}

/* Bits of real bitcode and SPIR-V flipped: found or not, but nothing worse; the sanitizers watch. */
static void test_flips(void **state)
{
    (void)state;
    if (*clang() == '\0')
        skip();
    static const char *const arguments[] = {"-target spir64 -x ir -emit-llvm -c", "-target spirv64 -x ir -c",
                                            "-target spirv64 -x ir -c"};
    struct gp_profile *profile = golden_profile("vector_add");
    for (int i = 0; i < 3; i++) {
        size_t length;
        char *bytes = compile(profile, 2, i == 2 ? NULL : "p", arguments[i], &length);
        for (size_t bit = 0; bit < length * 8; bit += bit < 4096 ? 1 : 13) {
            bytes[bit / 8] ^= (char)(1 << bit % 8);
            gp_profile_free(gp_profile_find_embedded(bytes, length, NULL));
            bytes[bit / 8] ^= (char)(1 << bit % 8);
        }
        for (size_t end = 0; end < length; end += 5) {
            char *cut = malloc(end + 1);
            memcpy(cut, bytes, end);
            gp_profile_free(gp_profile_find_embedded(cut, end, NULL));
            free(cut);
        }
        free(bytes);
    }
    gp_profile_free(profile);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"module.ll", "one.ll", "two.ll", "object"};
    for (int i = 0; i < 4; i++)
        unlink(path_of(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces),
                                       cmocka_unit_test(test_name),
                                       cmocka_unit_test(test_bitcode),
                                       cmocka_unit_test(test_bitcode_o2),
                                       cmocka_unit_test(test_ir_text),
                                       cmocka_unit_test(test_spirv),
                                       cmocka_unit_test(test_ptx),
                                       cmocka_unit_test(test_spirv_names),
                                       cmocka_unit_test(test_spirv_text),
                                       cmocka_unit_test(test_bitcode_names),
                                       cmocka_unit_test(test_ir_text_names),
                                       cmocka_unit_test(test_elf_amdgcn),
                                       cmocka_unit_test(test_elf_host),
                                       cmocka_unit_test(test_elf_shared),
                                       cmocka_unit_test(test_elf_with_bitcode),
                                       cmocka_unit_test(test_bitcode_within),
                                       cmocka_unit_test(test_linked),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_incomplete),
                                       cmocka_unit_test(test_flips)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
