/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/profile/profile.h"

#include <string.h>

#include "model/profile/arena.h"

static const char *name_at(const char *const *names, unsigned count, unsigned index)
{
    return index < count ? names[index] : "?";
}

#define DEFINE_NAMES(function, type, table, count) \
    const char *function(type value) \
    { \
        static const char *const names[] = {table}; \
        return name_at(names, count, (unsigned)value); \
    }

#define X(name, text, ...) text,
DEFINE_NAMES(gp_op_name, enum gp_op, GP_OPS(X), GP_OP_COUNT)
DEFINE_NAMES(gp_class_name, enum gp_class, GP_CLASSES(X), GP_CLASS_COUNT)
DEFINE_NAMES(gp_id_name, enum gp_id, GP_IDS(X), GP_ID_COUNT)
DEFINE_NAMES(gp_predicate_name, enum gp_predicate, GP_PREDICATES(X), GP_PRED_COUNT)
DEFINE_NAMES(gp_space_name, enum gp_space, GP_SPACES(X), GP_SPACE_COUNT)
DEFINE_NAMES(gp_branch_kind_name, enum gp_branch_kind, GP_BRANCH_KINDS(X), GP_BRANCH_KIND_COUNT)
DEFINE_NAMES(gp_bound_name, enum gp_bound, GP_BOUNDS(X), GP_BOUND_COUNT)
DEFINE_NAMES(gp_param_kind_name, enum gp_param_kind, GP_PARAM_KINDS(X), GP_PARAM_KIND_COUNT)
DEFINE_NAMES(gp_resource_source_name, enum gp_resource_source, GP_SOURCES(X), GP_SOURCE_COUNT)
#undef X

int gp_op_operands(enum gp_op op)
{
#define X(name, text, operands) operands,
    static const signed char counts[] = {GP_OPS(X)};
#undef X
    return (unsigned)op < GP_OP_COUNT ? counts[op] : -1;
}

bool gp_op_is_terminator(enum gp_op op)
{
    return op == GP_OP_BR || op == GP_OP_CONDBR || op == GP_OP_SWITCH || op == GP_OP_RET;
}

bool gp_op_is_memory(enum gp_op op)
{
    return op == GP_OP_LOAD || op == GP_OP_STORE || op == GP_OP_ATOMIC || op == GP_OP_IMAGE_LOAD ||
           op == GP_OP_IMAGE_STORE || op == GP_OP_BULK_COPY;
}

bool gp_op_is_cast(enum gp_op op)
{
    switch (op) {
    case GP_OP_TRUNC:
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_FPTOUI:
    case GP_OP_FPTOSI:
    case GP_OP_UITOFP:
    case GP_OP_SITOFP:
    case GP_OP_FPTRUNC:
    case GP_OP_FPEXT: return true;
    default: return false;
    }
}

bool gp_id_has_dimension(enum gp_id id) { return id <= GP_ID_OFFSET; }

bool gp_kernel_is_called(const struct gp_kernel *kernel, const char *name)
{
    size_t length = strcspn(kernel->name, "<");
    return strcmp(kernel->name, name) == 0 || strcmp(kernel->symbol, name) == 0 ||
           (length == strlen(name) && length > 0 && memcmp(kernel->name, name, length) == 0);
}

const struct gp_kernel *gp_profile_find(const struct gp_profile *profile, const char *name)
{
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        if (strcmp(profile->kernels[i].name, name) == 0)
            return &profile->kernels[i];
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        if (gp_kernel_is_called(&profile->kernels[i], name))
            return &profile->kernels[i];
    return NULL;
}

uint32_t gp_kernel_find_param(const struct gp_kernel *kernel, const char *name)
{
    if (*name == '\0')
        return GP_NONE;
    for (uint32_t i = 0; i < kernel->param_count; i++)
        if (strcmp(kernel->params[i].name, name) == 0)
            return i;
    return GP_NONE;
}

const struct gp_resources *gp_kernel_resources(const struct gp_kernel *kernel, uint32_t work_items)
{
    const struct gp_resources *covering = NULL, *fallback = NULL;
    for (uint32_t i = 0; i < kernel->resource_count; i++) {
        const struct gp_resources *entry = &kernel->resources[i];
        if (entry->launch_bound == 0)
            fallback = fallback ? fallback : entry;
        else if (entry->launch_bound >= work_items &&
                 (covering == NULL || entry->launch_bound < covering->launch_bound))
            covering = entry;
    }
    return covering ? covering : fallback;
}

uint64_t gp_stated_items(const struct gp_stated_launch *stated)
{
    const uint32_t *size = stated->required_local;
    return size[0] > 0 ? (uint64_t)size[0] * size[1] * size[2] : stated->max_local;
}

uint32_t gp_kernel_local_bytes(const struct gp_kernel *kernel)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < kernel->local_count; i++) {
        uint64_t alignment = kernel->locals[i].alignment ? kernel->locals[i].alignment : 1;
        bytes = (bytes + alignment - 1) / alignment * alignment + kernel->locals[i].bytes;
    }
    return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

void gp_profile_free(struct gp_profile *profile)
{
    if (profile != NULL)
        gp_arena_free_sealed(profile->storage);
}
