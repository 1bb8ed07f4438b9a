/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime/driver_macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/prefix.h"

/* Extensions and features that clang defines macros for by itself, whatever the device (clang 22, spir64, nvptx64 and
 * amdgcn); the driver's are those that its device lists. */
static const char *const extensions[] = {"cl_amd_fp64",
                                         "cl_amd_media_ops",
                                         "cl_amd_media_ops2",
                                         "cl_clang_storage_class_specifiers",
                                         "cl_ext_float_atomics",
                                         "cl_intel_bfloat16_conversions",
                                         "cl_intel_device_side_avc_motion_estimation",
                                         "cl_intel_required_subgroup_size",
                                         "cl_intel_subgroup_buffer_prefetch",
                                         "cl_intel_subgroup_local_block_io",
                                         "cl_intel_subgroups",
                                         "cl_intel_subgroups_char",
                                         "cl_intel_subgroups_long",
                                         "cl_intel_subgroups_short",
                                         "cl_khr_3d_image_writes",
                                         "cl_khr_byte_addressable_store",
                                         "cl_khr_extended_bit_ops",
                                         "cl_khr_fp16",
                                         "cl_khr_fp64",
                                         "cl_khr_gl_msaa_sharing",
                                         "cl_khr_global_int32_base_atomics",
                                         "cl_khr_global_int32_extended_atomics",
                                         "cl_khr_int64_base_atomics",
                                         "cl_khr_int64_extended_atomics",
                                         "cl_khr_integer_dot_product",
                                         "cl_khr_kernel_clock",
                                         "cl_khr_local_int32_base_atomics",
                                         "cl_khr_local_int32_extended_atomics",
                                         "cl_khr_mipmap_image",
                                         "cl_khr_mipmap_image_writes",
                                         "cl_khr_srgb_image_writes",
                                         "cl_khr_subgroup_ballot",
                                         "cl_khr_subgroup_clustered_reduce",
                                         "cl_khr_subgroup_extended_types",
                                         "cl_khr_subgroup_named_barrier",
                                         "cl_khr_subgroup_non_uniform_arithmetic",
                                         "cl_khr_subgroup_non_uniform_vote",
                                         "cl_khr_subgroup_rotate",
                                         "cl_khr_subgroup_shuffle",
                                         "cl_khr_subgroup_shuffle_relative",
                                         "cl_khr_subgroups"};
static const char *const features[] = {"__opencl_c_3d_image_writes",
                                       "__opencl_c_atomic_order_acq_rel",
                                       "__opencl_c_atomic_order_seq_cst",
                                       "__opencl_c_atomic_scope_all_devices",
                                       "__opencl_c_atomic_scope_device",
                                       "__opencl_c_device_enqueue",
                                       "__opencl_c_fp64",
                                       "__opencl_c_generic_address_space",
                                       "__opencl_c_images",
                                       "__opencl_c_int64",
                                       "__opencl_c_integer_dot_product_input_4x8bit",
                                       "__opencl_c_integer_dot_product_input_4x8bit_packed",
                                       "__opencl_c_pipes",
                                       "__opencl_c_program_scope_global_variables",
                                       "__opencl_c_read_write_images",
                                       "__opencl_c_subgroups",
                                       "__opencl_c_work_group_collective_functions"};

/* PoCL 3.1 defines these whatever the device lists (-D, opencl-c-base.h). */
static const char *const pocls_extensions[] = {"cl_khr_int64", "cl_khr_depth_images"};

/* What compilers call themselves, GPUs and systems; a CPU's under Linux, as PoCL's is, is none of these. */
static const char *const not_pocls[] = {"__APPLE__", "__CUDACC__", "__CUDA_ARCH__", "__NV_CL_C_VERSION",     "__AMD__",
                                        "__GPU__",   "_WIN32",     "__cplusplus",   "__OPENCL_CPP_VERSION__"};

/* Constants of OpenCL C: its specification says which there are, and what they are. */
static const char *const constants[] = {"M_",       "FLT_",     "DBL_",     "CHAR_", "SCHAR_", "UCHAR_",
                                        "SHRT_",    "USHRT_",   "INT_",     "UINT_", "LONG_",  "ULONG_",
                                        "MAXFLOAT", "HUGE_VAL", "INFINITY", "NAN"};

/* A name is the program's unless C keeps it for compilers (C99 6.10.8: a leading underscore), OpenCL for itself, or a
 * driver's headers are known to use it (PoCL's, also for functions of later versions; clang's). */
static const char *const others[] = {
    "_",     "cl_",    "CL_",          "CLK_",    "FP_",         "HALF_",      "ATOMIC_",     "CLANG_", "LLVM_",
    "POCL_", "IMG_",   "MAX_WORK_DIM", "INTTYPE", "NULL",        "SIZE_MAX",   "kernel_exec", "as_",    "convert_",
    "vload", "vstore", "atomic_",      "atom_",   "work_group_", "sub_group_", "ctz"};

#define COUNT(list) (sizeof list / sizeof *list)

static bool is_among(const char *name, size_t length, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}

static bool begins_with_one(const char *name, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (gp_starts_with(name, prefixes[i]))
            return true;
    return false;
}

/* Whether the list, of words with blanks between them, has the name. */
static bool lists(const char *list, const char *name, size_t length)
{
    for (const char *word = list; word != NULL && *word != '\0';) {
        word += strspn(word, " ");
        size_t own = strcspn(word, " ");
        if (own == length && own > 0 && memcmp(word, name, length) == 0)
            return true;
        word += own;
    }
    return false;
}

void gp_driver_language_free(struct gp_driver_language *language)
{
    free(language->extensions);
    free(language->features);
    *language = (struct gp_driver_language){0};
}

void gp_hash_driver_language(struct gp_hasher *hasher, const struct gp_driver_language *language)
{
    gp_hash_add_string(hasher, language->extensions != NULL ? language->extensions : "");
    gp_hash_add_string(hasher, language->features != NULL ? language->features : "");
    gp_hash_add_u64(hasher, (uint64_t)language->version << 32 | language->default_c_version);
    gp_hash_add_u64(hasher, (uint64_t)language->address_bits << 8 | (uint64_t)language->images << 3 |
                                (uint64_t)language->little_endian << 2 | (uint64_t)language->embedded_profile << 1 |
                                language->is_pocl);
}

/* ---- What they are ---- */

struct list {
    char **items;
    size_t count;
    bool failed;
};

/* value NULL: it is not defined. */
static void add(struct list *list, const char *name, const char *value)
{
    char **grown = realloc(list->items, (list->count + 2) * sizeof *grown), *item = NULL;
    if (grown != NULL)
        list->items = grown;
    if (grown == NULL || asprintf(&item, "%s%s%s", name, value != NULL ? "=" : "", value != NULL ? value : "") < 0) {
        list->failed = true;
        return;
    }
    grown[list->count++] = item;
    grown[list->count] = NULL;
}

static void add_version(struct list *list, const char *name, unsigned version)
{
    char text[16];
    snprintf(text, sizeof text, "%u", version);
    if (version != 0)
        add(list, name, text);
}

static unsigned language_version(const struct gp_driver_language *language, const struct gp_options *options)
{
    return options->version != 0 ? options->version : language->default_c_version;
}

/* Each of the list: 1. */
static void add_listed(struct list *list, const char *listed)
{
    for (const char *word = listed; word != NULL && *(word += strspn(word, " ")) != '\0'; word += strcspn(word, " ")) {
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, " "), word);
        add(list, name, "1");
    }
}

static void add_unlisted(struct list *list, const char *listed, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!lists(listed, names[i], strlen(names[i])))
            add(list, names[i], NULL);
}

/* Features have macros from OpenCL C 3.0 on; clang, and so PoCL, has that of 64-bit integers in all. What 2.0 has of
 * them is not known. */
static void add_features(struct list *list, const struct gp_driver_language *language, unsigned version)
{
    static const char before_them[] = "__opencl_c_int64";
    const char *listed = version >= 300 ? language->features : before_them;
    if (version < 300 && (version >= 200 || version == 0 || !language->is_pocl))
        return;
    add_listed(list, listed);
    add_unlisted(list, listed, features, COUNT(features));
}

static bool has(const struct gp_options *options, const char *option)
{
    for (size_t i = 0; i < options->count; i++)
        if (strcmp(options->arguments[i], option) == 0)
            return true;
    return false;
}

char **gp_driver_macros(const struct gp_driver_language *language, const struct gp_options *options)
{
    struct list list = {0};
    add_listed(&list, language->extensions);
    add_unlisted(&list, language->extensions, extensions, COUNT(extensions));
    add_features(&list, language, language_version(language, options));
    add_version(&list, "__OPENCL_VERSION__", language->version);
    add_version(&list, "__OPENCL_C_VERSION__", language_version(language, options));
    add(&list, "__IMAGE_SUPPORT__", language->images ? "1" : NULL);
    add(&list, "__ENDIAN_LITTLE__", language->little_endian ? "1" : NULL);
    add(&list, "__EMBEDDED_PROFILE__", language->embedded_profile ? "1" : NULL);
    add(&list, "__FAST_RELAXED_MATH__", has(options, "-cl-fast-relaxed-math") ? "1" : NULL);
    if (list.failed) {
        gp_driver_macros_free(list.items);
        return NULL;
    }
    return list.items;
}

void gp_driver_macros_free(char **macros)
{
    for (char **macro = macros; macro != NULL && *macro != NULL; macro++)
        free(*macro);
    free(macros);
}

/* ---- What was read of them ---- */

/* The driver's macro of that name; NULL: it is not known. */
static const char *find(char *const *macros, const char *name, size_t length)
{
    for (; *macros != NULL; macros++)
        if (strncmp(*macros, name, length) == 0 && ((*macros)[length] == '=' || (*macros)[length] == '\0'))
            return *macros;
    return NULL;
}

static bool is_undefined_there(const char *name, size_t length, const struct gp_driver_language *language,
                               const struct gp_options *options)
{
    if (gp_starts_with(name, "cl_"))
        return !language->is_pocl || !is_among(name, length, pocls_extensions, COUNT(pocls_extensions));
    if (gp_starts_with(name, "__opencl_c_"))
        return language_version(language, options) >= 300;
    if (language->is_pocl && is_among(name, length, not_pocls, COUNT(not_pocls)))
        return true;
    return !begins_with_one(name, others, COUNT(others)) && !begins_with_one(name, constants, COUNT(constants));
}

/* One line: NAME STATE. */
static bool is_same_there(const char *name, size_t length, const char *state, const struct gp_driver_language *language,
                          const struct gp_options *options, char *const *macros)
{
    bool defined = gp_starts_with(state, "defined"), undefined = gp_starts_with(state, "undefined");
    const char *drivers = find(macros, name, length);
    if (drivers != NULL)
        return drivers[length] == '=' ? defined : undefined;
    return undefined ? is_undefined_there(name, length, language, options)
                     : defined && begins_with_one(name, constants, COUNT(constants));
}

/* A macro of the compiler's own that the options define, too: which of the two holds is the driver's secret. */
static const char *overridden(const struct gp_options *options, char *const *macros)
{
    for (size_t i = 0; i < options->count; i++) {
        const char *argument = options->arguments[i], *name = argument + 2;
        if ((gp_starts_with(argument, "-D") || gp_starts_with(argument, "-U")) &&
            (find(macros, name, strcspn(name, "=(")) != NULL || begins_with_one(name, others + 1, COUNT(others) - 1)))
            return argument;
    }
    return NULL;
}

bool gp_compiled_as_driver(const char *preprocessed, const struct gp_driver_language *language,
                           const struct gp_options *options, char *const *macros, struct gp_error *error)
{
    const char *twice = overridden(options, macros);
    if (options->unknown)
        return gp_fail(error, "the program is built with options that only the driver knows");
    if (twice != NULL)
        return gp_fail(error, "the program is built with %s, a name of the compiler's own", twice);
    if (language->address_bits != 0 && language->address_bits != 64)
        return gp_fail(error, "the device's addresses have %u bits", language->address_bits);
    for (const char *line = preprocessed, *end; line != NULL && *line != '\0'; line = *end != '\0' ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        const char *name = line + 6;
        if (gp_starts_with(line, "header ") || gp_starts_with(line, "absent ") || gp_starts_with(line, "rounding\n"))
            continue;
        size_t length = gp_starts_with(line, "macro ") ? strcspn(name, " \n") : 0;
        if (length == 0 || name[length] != ' ' ||
            !is_same_there(name, length, name + length + 1, language, options, macros))
            return gp_fail(error, "the source looks at %.*s, which may be another in the driver's compiler",
                           length > 0 ? (int)length : (int)(end - line), length > 0 ? name : line);
    }
    return preprocessed != NULL || gp_fail(error, "what the preprocessor has read is not known");
}

bool gp_leaves_rounding_open(const char *preprocessed)
{
    const char *line = preprocessed != NULL ? strstr(preprocessed, "rounding\n") : NULL;
    return line != NULL && (line == preprocessed || line[-1] == '\n');
}
