/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What compilers print and write, to its readers: a byte chooses one, the rest is the text (or a cubin). Whatever it
 * says, they stay within it and end.
 */
#include <stdlib.h>
#include <string.h>

#include "compile/alike.h"
#include "compile/amdgpu_code.h"
#include "compile/backend.h"
#include "compile/messages.h"
#include "compile/sass_code.h"
#include "compile/stand_ins.h"
#include "test/fuzz/edits.h"

static void apply(const struct gp_backend_list *list)
{
    struct gp_profile *profile = golden_profile(0);
    const struct gp_kernel *kernel = &profile->kernels[0];
    struct gp_machine_code *code = calloc(kernel->loop_count + 1, sizeof *code);
    struct gp_error error = {""};
    want(code != NULL, "out of memory");
    for (size_t i = 0; i < list->count; i++) {
        struct gp_resources resources = list->kernels[i].resources;
        gp_weigh_spills(&list->kernels[i], kernel, &resources);
        want(gp_machine_code_of(&list->kernels[i], kernel, code) <= kernel->loop_count + 1, "more code than loops");
    }
    profile = gp_backend_apply(profile, list, false, NULL, &error);
    want(profile != NULL && gp_profile_check(profile, &error), error.text);
    free(code);
    gp_profile_free(profile);
}

/* The golden profile's kernel has the name that the backend says. */
static void read_backend(const char *text, bool amd)
{
    struct gp_backend_list list = {0};
    if (amd)
        gp_read_amdgpu(text, &list);
    else
        gp_read_ptxas(text, &list);
    apply(&list);
    gp_backend_free(&list);
}

static void leave_out(const char *text, bool ptx)
{
    struct gp_text result = {0};
    struct gp_alike_list left_out = {0};
    struct gp_backend_list list = {0};
    if (ptx)
        gp_leave_out_alike_entries(text, &result, &left_out);
    else
        gp_leave_out_alike_functions(text, &result, &left_out);
    gp_read_ptxas(text, &list);
    gp_backend_add_alike(&left_out, &list);
    gp_backend_free(&list);
    gp_alike_free(&left_out);
    gp_text_free(&result);
}

static void rewrite(const char *module, uint32_t how)
{
    struct gp_text result = {0};
    struct gp_error error = {""};
    struct gp_profile *profile = golden_profile(0);
    struct gp_stand_in_options options = {how % 2 ? GP_TARGET_NVPTX : GP_TARGET_AMDGCN, how % 3 == 0};
    unsigned count = 0;
    switch (how % 6) {
    case 0:
    case 1:
        want(gp_add_stand_ins(module, &options, &result, &count, &error) || error.text[0],
             "refused, and nobody says why");
        break;
    case 2: gp_state_required_sizes(module, profile, &result); break;
    case 3: gp_inline_kernel_bodies(module, &result); break;
    case 4: gp_forget_processor(module, &result); break;
    default: (void)gp_raise_launch_bound(module, 1024, &result); break;
    }
    (void)gp_is_whole(module);
    gp_profile_free(profile);
    gp_text_free(&result);
}

static void read_cubin(const uint8_t *bytes, size_t size)
{
    struct gp_cubin_code cubin;
    struct gp_profile *profile = golden_profile(0);
    const struct gp_kernel *kernel = &profile->kernels[0];
    struct gp_machine_code *code = calloc(kernel->loop_count + 1, sizeof *code);
    want(code != NULL, "out of memory");
    static const char *const kernels[] = {"matmul", "dot", "_Z3dotPKfS0_Pfi"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (gp_cubin_read(bytes, size, kernels[i], &cubin)) {
            want(gp_sass_machine_code(&cubin, profile, kernel, code) <= kernel->loop_count + 1, "more code than loops");
            gp_cubin_code_free(&cubin);
        }
    free(code);
    gp_profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    uint8_t which = bytes[0];
    char *text = malloc(size);
    uint8_t *copy = malloc(size);
    struct gp_error error = {""};
    want(text && copy, "out of memory");
    memcpy(text, bytes + 1, size - 1);
    memcpy(copy, bytes + 1, size - 1);
    text[size - 1] = '\0';
    switch (which % 8) {
    case 0: read_backend(text, false); break;
    case 1: read_backend(text, true); break;
    case 2: leave_out(text, false); break;
    case 3: leave_out(text, true); break;
    case 4: gp_fail_with_output(&error, "clang", text); break;
    case 5: read_cubin(copy, size - 1); break;
    default: rewrite(text, which / 8u); break;
    }
    free(copy);
    free(text);
    return 0;
}
