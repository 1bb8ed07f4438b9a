/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/backend.h"

#include <stdlib.h>
#include <string.h>

#include "compile/sass_code.h"
#include "model/profile/profile_binary.h"
#include "support/text.h"

void gp_backend_free(struct gp_backend_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->kernels[i].symbol);
        free(list->kernels[i].loops);
        gp_cubin_code_free(&list->kernels[i].cubin);
    }
    free(list->kernels);
    *list = (struct gp_backend_list){0};
}

void gp_read_cubin(const char *path, struct gp_backend_list *list)
{
    size_t size = 0;
    char *cubin = gp_read_file(path, &size);
    for (size_t i = 0; cubin != NULL && i < list->count; i++)
        if (list->kernels[i].cubin.count == 0)
            gp_cubin_read(cubin, size, list->kernels[i].symbol, &list->kernels[i].cubin);
    free(cubin);
}

static bool knows(const struct gp_backend_list *list, const char *symbol)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->kernels[i].symbol, symbol) == 0)
            return true;
    return false;
}

bool gp_backend_knows_all(const struct gp_backend_list *list, const struct gp_profile *profile)
{
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        if (!knows(list, profile->kernels[i].symbol))
            return false;
    return true;
}

static bool is_of(const struct gp_backend_kernel *known, const struct gp_kernel *kernel)
{
    return strcmp(known->symbol, kernel->symbol) == 0 || strcmp(known->symbol, kernel->name) == 0;
}

/*
 * Whether the kernel calls something of which only a stand-in was seen. libdevice's functions are plain arithmetic,
 * like theirs; inline assembly is in the code that the backend saw.
 */
static bool has_unknown_calls(const struct gp_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (inst->op == GP_OP_CALL && inst->cost == GP_CLASS_CALL &&
            strncmp(kernel->callees[inst->record], "__nv_", 5) != 0)
            return true;
    }
    return false;
}

/* The kernel's entries from the backend; *resources is the caller's. 0: it knows none, or memory is short. */
static uint32_t collect(const struct gp_backend_list *list, const struct gp_kernel *kernel, bool guess,
                        struct gp_resources **resources)
{
    uint32_t count = 0;
    *resources = calloc(list->count ? list->count : 1, sizeof **resources);
    for (size_t i = 0; *resources != NULL && i < list->count; i++) {
        if (!is_of(&list->kernels[i], kernel))
            continue;
        struct gp_resources *entry = &(*resources)[count++];
        *entry = list->kernels[i].resources;
        gp_weigh_spills(&list->kernels[i], kernel, entry);
        if (guess)
            entry->source = GP_SOURCE_ESTIMATE;
    }
    return count;
}

/* The caller frees kernel->code. */
static void add_code(const struct gp_backend_list *list, const struct gp_profile *profile, struct gp_kernel *kernel)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct gp_backend_kernel *known = &list->kernels[i];
        if (!is_of(known, kernel))
            continue;
        kernel->code = calloc(kernel->loop_count + (size_t)1, sizeof *kernel->code);
        if (kernel->code != NULL)
            kernel->code_count = known->cubin.count > 0
                                     ? gp_sass_machine_code(&known->cubin, profile, kernel, kernel->code)
                                     : gp_machine_code_of(known, kernel, kernel->code);
        return;
    }
}

/* Written out and read back, so that the result owns all that it points to and has passed the reader's checks. */
static struct gp_profile *copy(const struct gp_profile *profile, struct gp_error *error)
{
    uint32_t *words;
    size_t count;
    if (!gp_profile_encode(profile, &words, &count, error))
        return NULL;
    struct gp_profile *result = gp_profile_decode(words, count * sizeof *words, error);
    free(words);
    return result;
}

struct gp_profile *gp_backend_copy_for(const struct gp_profile *profile, const char *cpu, struct gp_error *error)
{
    struct gp_profile changed = *profile;
    changed.cpu = cpu;
    return copy(&changed, error);
}

struct gp_profile *gp_backend_apply(struct gp_profile *profile, const struct gp_backend_list *list, bool stand_ins,
                                    const char *source, struct gp_error *error)
{
    struct gp_profile changed = *profile;
    if (source != NULL)
        changed.source = source;
    struct gp_resources **added = calloc(profile->kernel_count + 1, sizeof *added);
    changed.kernels = calloc(profile->kernel_count + 1, sizeof *changed.kernels);
    struct gp_profile *result = NULL;
    if (added != NULL && changed.kernels != NULL) {
        for (uint32_t i = 0; i < profile->kernel_count; i++) {
            struct gp_kernel *kernel = &changed.kernels[i];
            *kernel = profile->kernels[i];
            kernel->code = NULL;
            kernel->code_count = 0;
            bool guess = stand_ins && has_unknown_calls(kernel);
            uint32_t count = collect(list, kernel, guess, &added[i]);
            if (!guess)
                add_code(list, profile, kernel);
            if (count > 0) {
                kernel->resources = added[i];
                kernel->resource_count = count;
            }
        }
        result = copy(&changed, error);
    } else {
        gp_fail(error, "out of memory");
    }
    for (uint32_t i = 0; added != NULL && changed.kernels != NULL && i < profile->kernel_count; i++) {
        free(added[i]);
        free(changed.kernels[i].code);
    }
    free(added);
    free(changed.kernels);
    gp_profile_free(profile);
    return result;
}
