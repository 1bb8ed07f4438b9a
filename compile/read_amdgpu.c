/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The metadata that LLVM's AMDGPU backend writes behind the code (AMDGPUUsage, "Code Object Metadata"): YAML with one
 * list item per kernel under `amdhsa.kernels`, whose keys stand at an indentation of four:
 *
 *   amdhsa.kernels:
 *     - .agpr_count:     0
 *       .args: ...
 *       .max_flat_workgroup_size: 256
 *       .name:           blur
 *       .vgpr_count:     22
 *
 * LLVM prints it itself, so its layout is fixed and a line reader is enough. On gfx90a `.vgpr_count` counts the unified
 * file, accumulation registers included, as occupancy does.
 */
#define _GNU_SOURCE /* strchrnul */
#include "compile/backend_list.h"

#include <stdint.h>

#include "compile/amdgpu_code.h"

struct item {
    const char *name;
    size_t name_length;
    uint32_t vgprs, sgprs, vgpr_spills, private_bytes, local_bytes, bound;
};

/* The value after "KEY:" when the line starts with the key; NULL: another line. */
static const char *value_of(const char *line, const char *key)
{
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || line[length] != ':')
        return NULL;
    line += length + 1;
    return line + strspn(line, " ");
}

static bool read_number(const char *line, const char *key, uint32_t *number)
{
    const char *value = value_of(line, key);
    if (value == NULL)
        return false;
    *number = (uint32_t)strtoul(value, NULL, 10);
    return true;
}

static void read_name(const char *line, struct item *item)
{
    const char *value = value_of(line, ".name");
    if (value == NULL)
        return;
    size_t length = (size_t)(strchrnul(value, '\n') - value);
    bool quoted = length >= 2 && (*value == '\'' || *value == '"');
    item->name = value + quoted;
    item->name_length = length - 2 * quoted;
}

static void read_line(const char *line, struct item *item)
{
    read_name(line, item);
    (void)(read_number(line, ".vgpr_count", &item->vgprs) || read_number(line, ".sgpr_count", &item->sgprs) ||
           read_number(line, ".vgpr_spill_count", &item->vgpr_spills) ||
           read_number(line, ".private_segment_fixed_size", &item->private_bytes) ||
           read_number(line, ".group_segment_fixed_size", &item->local_bytes) ||
           read_number(line, ".max_flat_workgroup_size", &item->bound));
}

/*
 * A spilled register is stored and loaded at least once, four bytes each; the code tells how often. Scalar registers
 * spill into lanes of vector registers, and vector registers first into accumulation registers: without private memory
 * nothing reached memory.
 */
static void add_item(const char *assembly, const struct item *item, struct gp_backend_list *list)
{
    if (item->name_length == 0)
        return;
    struct gp_resources *resources = gp_backend_add(list, item->name, item->name_length);
    uint32_t spilled = item->private_bytes > 0 ? item->vgpr_spills * 4 : 0;
    *resources = (struct gp_resources){.launch_bound = item->bound,
                                       .registers = item->vgprs,
                                       .scalar_registers = item->sgprs,
                                       .spill_store_bytes = spilled,
                                       .spill_load_bytes = spilled,
                                       .stack_bytes = item->private_bytes,
                                       .local_bytes = item->local_bytes,
                                       .source = GP_SOURCE_LLVM};
    gp_read_amdgpu_code(assembly, &list->kernels[list->count - 1]);
}

void gp_read_amdgpu(const char *assembly, struct gp_backend_list *list)
{
    const char *line = strstr(assembly, "\namdhsa.kernels:");
    if (line == NULL)
        return;
    struct item item = {0};
    for (line = strchrnul(line + 1, '\n'); *line == '\n'; line = strchrnul(line, '\n')) {
        line++;
        bool starts = strncmp(line, "  - ", 4) == 0;
        if (strncmp(line, "  ", 2) != 0 && *line != '\n')
            break; /* the next top-level key */
        if (starts) {
            add_item(assembly, &item, list);
            item = (struct item){0};
        }
        if (starts || strncmp(line, "    .", 5) == 0)
            read_line(line + 4, &item);
    }
    add_item(assembly, &item, list);
}
