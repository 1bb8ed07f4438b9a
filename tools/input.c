/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/input.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compile/compile.h"
#include "compile/ir.h"
#include "model/profile/profile_binary.h"
#include "model/profile/profile_find.h"
#include "model/profile/profile_text.h"
#include "support/prefix.h"
#include "tools/command.h"

static bool read_standard_input(struct gp_input *input, struct gp_error *error)
{
    input->path = "<stdin>";
    errno = 0;
    input->bytes = gp_read_file("/dev/stdin", &input->length);
    if (input->bytes == NULL)
        return gp_fail(error, "cannot read standard input: %s", strerror(errno));
    return input->length > 0 || gp_fail(error, "standard input is empty");
}

static bool read_all(const char *path, struct gp_input *input, struct gp_error *error)
{
    struct stat status;
    if (strcmp(path, "-") == 0)
        return read_standard_input(input, error);
    bool known = stat(path, &status) == 0;
    if (known && S_ISDIR(status.st_mode))
        return gp_fail(error, "%s is a directory; name a file", path);
    bool own = gp_starts_with(path, "/dev/") ||
               gp_starts_with(path, "/proc/"); /* this process's name for it (/dev/stdin < FILE) */
    const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    input->regular = known && S_ISREG(status.st_mode) && !own &&
                     file[0] != '@'; /* clang hands a file's own name on, and reads @NAME as a file of options */
    errno = 0;
    input->bytes = gp_read_file(path, &input->length);
    if (input->bytes == NULL)
        return gp_fail(error, "cannot read %s: %s", path, strerror(errno));
    return input->length > 0 || gp_fail(error, "%s is empty", path);
}

static bool begins_with_one(const struct gp_input *input, const unsigned char magics[][4], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (input->length >= 4 && memcmp(input->bytes, magics[i], 4) == 0)
            return true;
    return false;
}

/* Plain or wrapped. */
static bool is_bitcode(const struct gp_input *input)
{
    static const unsigned char magics[][4] = {{'B', 'C', 0xc0, 0xde}, {0xde, 0xc0, 0x17, 0x0b}};
    return begins_with_one(input, magics, sizeof magics / sizeof *magics);
}

/* Bitcode, SPIR-V, ELF; or a module in text form, which only its name tells. */
static bool is_module(const struct gp_input *input)
{
    static const unsigned char magics[][4] = {
        {0x03, 0x02, 0x23, 0x07}, {0x07, 0x23, 0x02, 0x03}, {0x7f, 'E', 'L', 'F'}};
    if (is_bitcode(input) || begins_with_one(input, magics, sizeof magics / sizeof *magics))
        return true;
    static const char *const names[] = {".ll", ".ptx", ".s", ".o", ".bc", ".spv", ".so", ".cubin", ".fatbin"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (gp_ends_with(input->path, names[i]))
            return true;
    }
    return false;
}

static bool is_text_profile(const struct gp_input *input) { return gp_starts_with(input->bytes, "gpuperf-profile "); }

/* A source has no zero bytes; what has may be some container with a module in it. What is named like a profile is meant
 * to be one. */
static bool is_source(const struct gp_input *input)
{
    return memchr(input->bytes, '\0', input->length) == NULL && !is_module(input) &&
           !gp_ends_with(input->path, ".gpuperf");
}

static bool is_named_like_source(const char *path)
{
    static const char *const names[] = {".cl", ".clcpp", ".cu", ".cuh", ".hip", ".c", ".cc", ".cpp", ".h", ".hpp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (gp_ends_with(path, names[i]))
            return true;
    }
    return false;
}

/* A source with a zero byte, which no source has. */
static bool fail_no_text(const struct gp_input *input, struct gp_error *error)
{
    const char *zero = memchr(input->bytes, '\0', input->length), *at = input->bytes;
    size_t line = 1;
    for (; (at = memchr(at, '\n', (size_t)(zero - at))) != NULL; at++)
        line++;
    return gp_fail(error, "this is no source: line %zu has a zero byte; a source is text in UTF-8", line);
}

/* What is neither a profile nor a module is taken for a source; where its name is none of one's, that is said beside
 * what the compiler found. */
static bool fail_no_source(const struct gp_input *input, struct gp_error *error)
{
    struct gp_error found = *error;
    return gp_fail(error, "%s (%s is neither a profile nor a compiled module, so it was taken for OpenCL C)",
                   found.text, input->path);
}

/* Takes the profile over. */
static bool take_one(struct gp_input *input, struct gp_profile *profile, struct gp_error *error)
{
    if (profile == NULL)
        return false;
    input->profiles = malloc(sizeof(struct gp_profile *));
    if (input->profiles == NULL) {
        gp_profile_free(profile);
        return gp_fail(error, "out of memory");
    }
    input->profiles[0] = profile;
    input->profile_count = 1;
    return true;
}

/* Modules that others make, and what they are called; NULL: it is none of them. */
static const char *kind_of_module(const struct gp_input *input)
{
    static const struct {
        const char *end, *kind;
    } kinds[] = {{".ptx", "PTX"}, {".spv", "SPIR-V"}, {".s", "assembly"}, {".cubin", "machine code"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (gp_ends_with(input->path, kinds[i].end))
            return kinds[i].kind;
    return NULL;
}

static bool is_called_ir(const struct gp_input *input)
{
    return input->language != NULL && strcmp(input->language, "ir") == 0;
}

/* By its name, by -x ir, or as bitcode begins. */
static bool is_ir(const struct gp_input *input)
{
    return is_bitcode(input) || gp_ends_with(input->path, ".ll") || is_called_ir(input);
}

/* One that the plugin did not make, or without its annotation. */
static bool fail_no_profile(const struct gp_input *input, struct gp_error *error)
{
    const char *kind = kind_of_module(input);
    if (kind == NULL)
        return gp_fail_within(error, input->path);
    return gp_fail(error,
                   "%s is %s without a profile, which is not read; name the source that it was compiled from, or "
                   "compile that with the plugin (clang -fplugin=gpuperf.so), which embeds one",
                   input->path, kind);
}

static bool read_profile(struct gp_input *input, struct gp_error *error)
{
    bool profile = gp_profile_has_magic(input->bytes, input->length) || is_text_profile(input);
    if (gp_profile_has_magic(input->bytes, input->length))
        take_one(input, gp_profile_decode(input->bytes, input->length, error), error);
    else if (is_text_profile(input))
        take_one(input, gp_profile_parse(input->bytes, input->length, error), error);
    else
        input->profile_count = gp_profile_find_each(input->bytes, input->length, &input->profiles, error);
    if (input->profile_count == 0 && !profile && !is_module(input) && is_named_like_source(input->path))
        fail_no_text(input, error);
    if (input->profile_count == 0 && !profile && is_ir(input))
        return take_one(input, gp_compile_ir(input->path, input->bytes, input->length, error), error);
    if (input->profile_count > 0)
        return true;
    return profile || !is_module(input) ? gp_fail_within(error, input->path) : fail_no_profile(input, error);
}

/* As clang's -x has them. False: a sentence. */
static bool find_language(const char *name, const char **language, struct gp_error *error)
{
    static const struct {
        const char *name, *language;
    } languages[] = {{"cl", "opencl"}, {"clcpp", "clcpp"}, {"cuda", "cuda"}, {"hip", "hip"}, {"ir", "ir"}};
    *language = NULL;
    for (size_t i = 0; name != NULL && i < sizeof languages / sizeof languages[0]; i++)
        if (strcmp(name, languages[i].name) == 0)
            *language = languages[i].language;
    return name == NULL || *language != NULL ||
           gp_fail(error, "-x takes cl, clcpp, cuda, hip or ir, not '%.40s'", name);
}

static bool check_source(const struct gp_input *input, struct gp_error *error)
{
    return input->language != NULL || strcmp(input->path, "<stdin>") != 0 ||
           gp_fail(error, "standard input is a source; say in which language: -x cl, clcpp, cuda, hip or ir");
}

bool gp_input_open_as(const char *path, const char *language, struct gp_input *input, struct gp_error *error)
{
    *input = (struct gp_input){.path = path};
    if (!find_language(language, &input->language, error) || !read_all(path, input, error))
        return false;
    bool profile = gp_profile_has_magic(input->bytes, input->length) || is_text_profile(input);
    return !profile && !is_called_ir(input) && is_source(input) ? check_source(input, error)
                                                                : read_profile(input, error);
}

bool gp_input_open(const char *path, struct gp_input *input, struct gp_error *error)
{
    return gp_input_open_as(path, NULL, input, error);
}

void gp_input_close(struct gp_input *input)
{
    for (size_t i = 0; i < input->profile_count; i++)
        gp_profile_free(input->profiles[i]);
    free(input->profiles);
    free(input->bytes);
    *input = (struct gp_input){0};
}

/* Whether the profile's code is what the device would run. An empty triple of a device: the host. */
static bool is_foreign(const struct gp_profile *profile, const struct gp_device *device)
{
    if (device->proxy_target)
        return true;
    if (device->triple[0] == '\0')
        return gp_starts_with(profile->triple, "nvptx") || gp_starts_with(profile->triple, "amdgcn") ||
               gp_starts_with(profile->triple, "spir");
    size_t arch = strcspn(device->triple, "-");
    return strncmp(profile->triple, device->triple, arch) != 0 || strcmp(profile->cpu, device->cpu) != 0;
}

/* sm_75 is less than sm_90, and that than sm_100. */
static bool is_at_most(const char *cpu, const char *other)
{
    size_t length = strlen(cpu), others = strlen(other);
    return length != others ? length < others : strcmp(cpu, other) <= 0;
}

/* How willingly the device's driver takes the code: its own, that of its kind for nothing later, that of its kind, any.
 */
enum fitness { ANY, ITS_KIND, NOT_LATER, ITS_OWN };

static enum fitness fitness_for(const struct gp_device *device, const struct gp_profile *profile)
{
    if (!is_foreign(profile, device))
        return ITS_OWN;
    if (strncmp(profile->triple, device->triple, strcspn(device->triple, "-")) != 0)
        return ANY;
    return is_at_most(profile->cpu, device->cpu) ? NOT_LATER : ITS_KIND;
}

/* Of what is not later, the latest. */
static bool is_better_for(const struct gp_device *device, const struct gp_profile *a, const struct gp_profile *b)
{
    enum fitness of_a = fitness_for(device, a), of_b = fitness_for(device, b);
    return of_a != of_b ? of_a > of_b : of_a == NOT_LATER && !is_at_most(a->cpu, b->cpu);
}

static struct gp_profile *best_for(const struct gp_input *input, const struct gp_device *device)
{
    size_t best = 0;
    for (size_t i = 1; i < input->profile_count; i++)
        if (is_better_for(device, input->profiles[i], input->profiles[best]))
            best = i;
    return input->profiles[best];
}

bool gp_input_is_hip(const struct gp_input *input)
{
    if (input->profiles != NULL)
        return false;
    return input->language != NULL ? strcmp(input->language, "hip") == 0 : gp_ends_with(input->path, ".hip");
}

bool gp_input_suits(const struct gp_input *input, const struct gp_device *device, struct gp_error *error)
{
    struct gp_compile_request request = {.source_path = input->path, .language = input->language, .device = device};
    return input->profiles != NULL || gp_compile_suits(&request, error);
}

bool gp_input_profile(const struct gp_input *input, const struct gp_device *device, const char *const *clang_arguments,
                      struct gp_device_profile *result, struct gp_error *error)
{
    *result = (struct gp_device_profile){0};
    if (input->profiles != NULL) {
        struct gp_profile *profile = best_for(input, device);
        *result = (struct gp_device_profile){.profile = profile, .foreign = is_foreign(profile, device)};
        return true;
    }
    struct gp_compile_request request = {.source_path = input->path,
                                         .source_text = input->regular ? NULL : input->bytes,
                                         .language = input->language,
                                         .arguments = clang_arguments,
                                         .device = device,
                                         .preprocessed = true,
                                         .edits = input->edits};
    struct gp_compile_result compiled;
    if (!gp_compile(&request, &compiled, error))
        return input->regular && input->language == NULL && !is_named_like_source(input->path)
                   ? fail_no_source(input, error)
                   : false;
    *result = (struct gp_device_profile){.profile = compiled.profile,
                                         .owned = true,
                                         .foreign = compiled.foreign_target || is_foreign(compiled.profile, device),
                                         .foreign_why = compiled.foreign_why,
                                         .preprocessed = compiled.preprocessed,
                                         .edits = compiled.edits};
    compiled.preprocessed = compiled.edits = NULL;
    compiled.profile = NULL;
    gp_compile_result_free(&compiled);
    return true;
}

bool gp_needs_uniform_groups(const struct gp_profile *profile, char *const *clang_arguments)
{
    bool uniform = strcmp(profile->language, "cuda") != 0;
    for (char *const *argument = clang_arguments; uniform && argument != NULL && *argument != NULL; argument++) {
        if (strncmp(*argument, "-cl-std=", 8) == 0 && strncmp(*argument + 8, "CL1", 3) != 0 &&
            strncmp(*argument + 8, "cl1", 3) != 0)
            return false;
    }
    return uniform;
}

void gp_device_profile_free(struct gp_device_profile *profile)
{
    if (profile->owned)
        gp_profile_free(profile->profile);
    free(profile->preprocessed);
    free(profile->edits);
    *profile = (struct gp_device_profile){0};
}
