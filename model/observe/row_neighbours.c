/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/row_neighbours.h"

#include <math.h>

#include "model/value/refs.h"
#include "model/launch/launch_index.h"

struct rows {
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    double groups;
    double *distances;
    uint32_t count;
};

static void add_distance(struct rows *r, double distance)
{
    const double least = 1.5, most = 1 << 30, same = 0.05;
    uint32_t i = r->count;
    if (!(distance >= least && distance <= most && distance * least <= r->groups))
        return;
    for (uint32_t k = 0; k < r->count; k++)
        if (fabs(r->distances[k] - distance) < same * distance)
            return;
    for (; i > 0 && r->distances[i - 1] > distance; i--)
        if (i < GP_MOST_ROWS)
            r->distances[i] = r->distances[i - 1];
    if (i == GP_MOST_ROWS)
        return;
    r->distances[i] = distance;
    r->count += r->count < GP_MOST_ROWS;
}

static struct gp_index at_group(const struct rows *r, gp_ref ref, unsigned bits, uint64_t group, enum gp_index_of what)
{
    return gp_index_at(r->kernel, r->launch, ref, bits, (struct gp_item){.group = {group}}, what);
}

/* By how much it grows from one group to the next; 0: not at all, or nobody knows. */
static double growth(const struct rows *r, gp_ref ref, unsigned bits, enum gp_index_of what)
{
    uint64_t last = (uint64_t)r->groups - 1;
    struct gp_index from = at_group(r, ref, bits, 0, what), to = at_group(r, ref, bits, last, what);
    return from.known && to.known && to.of_group ? ((double)to.value - (double)from.value) / (double)last : 0;
}

/* What a value is divided by, or the remainder taken of; 0: it is not. */
static double divisor_of(const struct rows *r, const struct gp_inst *inst)
{
    bool divides = inst->op == GP_OP_UDIV || inst->op == GP_OP_SDIV || inst->op == GP_OP_UREM || inst->op == GP_OP_SREM;
    if (!divides && inst->op != GP_OP_LSHR && inst->op != GP_OP_ASHR && inst->op != GP_OP_AND)
        return 0;
    struct gp_index by = at_group(r, gp_operand_of(r->kernel, inst, 1), inst->bits, 0, GP_INDEX_ASSUMED);
    if (!by.known || by.of_group || by.of_item || by.value <= 0)
        return 0;
    if (inst->op == GP_OP_AND)
        return (by.value & (by.value + 1)) == 0 ? (double)by.value + 1 : 0;
    return divides ? (double)by.value : ldexp(1, (int)fmin(62, (double)by.value));
}

/* The dividend, also of a remainder, which grows as its own does until it begins anew. */
static gp_ref dividend_of(const struct rows *r, const struct gp_inst *inst)
{
    enum { DEEPEST = 6 };
    gp_ref ref = gp_operand_of(r->kernel, inst, 0);
    for (unsigned depth = 0; depth < DEEPEST; depth++) {
        const struct gp_inst *of = gp_inst_of(r->kernel, ref);
        if (of == NULL || (of->op != GP_OP_UREM && of->op != GP_OP_SREM && of->op != GP_OP_AND))
            break;
        ref = gp_operand_of(r->kernel, of, 0);
    }
    return ref;
}

/* Indices are divided where the kernel begins; hashes shift and mask by the thousand. */
static void see_divisions(struct rows *r)
{
    enum { MOST = 64 };
    for (uint32_t i = 0, seen = 0; i < r->kernel->inst_count && seen < MOST; i++) {
        const struct gp_inst *inst = &r->kernel->insts[i];
        double by = inst->operand_count == 2 ? divisor_of(r, inst) : 0,
               grows = by > 1 ? growth(r, dividend_of(r, inst), inst->bits, GP_INDEX_ASSUMED) : 0;
        seen += by > 1;
        if (grows > 0)
            add_distance(r, by / grows);
    }
}

/* Addresses of a buffer that grow alike. */
static void see_addresses(struct rows *r)
{
    enum { MOST = 64 };
    struct {
        gp_ref base;
        double at, grows;
    } seen[MOST];
    uint32_t count = 0;
    for (uint32_t m = 0; m < r->kernel->memory_count && count < MOST; m++) {
        const struct gp_memory *memory = &r->kernel->memory[m];
        const struct gp_inst *inst = &r->kernel->insts[memory->inst];
        if (memory->space != GP_SPACE_GLOBAL || inst->operand_count == 0)
            continue;
        gp_ref address = gp_operand_of(r->kernel, inst, 0);
        struct gp_index at = at_group(r, address, 64, 0, GP_INDEX_ADDRESS);
        double grows = at.known ? growth(r, address, 64, GP_INDEX_ADDRESS) : 0;
        if (grows <= 0)
            continue;
        for (uint32_t k = 0; k < count; k++)
            if (seen[k].base == memory->base && seen[k].grows == grows)
                add_distance(r, fabs((double)at.value - seen[k].at) / grows);
        seen[count].base = memory->base;
        seen[count].at = (double)at.value;
        seen[count++].grows = grows;
    }
}

uint32_t gp_row_distances(const struct gp_kernel *kernel, const struct gp_launch *launch,
                          double distances[GP_MOST_ROWS])
{
    uint64_t groups[3];
    struct rows r = {kernel, launch, (double)gp_launch_groups(launch, groups), distances, 0};
    if (groups[1] != 1 || groups[2] != 1 || groups[0] < 4)
        return 0;
    see_divisions(&r);
    see_addresses(&r);
    return r.count;
}
