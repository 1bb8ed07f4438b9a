/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/machine_code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/compilers/inst_cost.h"
#include "support/memory.h"

/* Of the pipes that the vector unit runs at its full rate. */
static const enum gp_pipe plain_pipes[] = {GP_PIPE_FP32, GP_PIPE_INT, GP_PIPE_SHIFT};
static const enum gp_pipe slow_pipes[] = {GP_PIPE_FP64, GP_PIPE_FP16, GP_PIPE_INT_MUL,
                                          GP_PIPE_SFU,  GP_PIPE_CVT,  GP_PIPE_CVT64};

static double sum(const struct gp_cost *cost, const enum gp_pipe *pipes, size_t count)
{
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += cost->ops[pipes[i]];
    return all;
}

static double plain_of(const struct gp_cost *cost)
{
    return sum(cost, plain_pipes, sizeof plain_pipes / sizeof *plain_pipes);
}
/* Of pipes that instructions are for by what they do, on NVIDIA's; what is left of those issued is integers, moves and
 * branches. */
static const enum gp_pipe named_pipes[] = {GP_PIPE_FP32,  GP_PIPE_FP64,    GP_PIPE_FP16,    GP_PIPE_SFU,   GP_PIPE_CVT,
                                           GP_PIPE_CVT64, GP_PIPE_SHUFFLE, GP_PIPE_BARRIER, GP_PIPE_MATRIX};
static const enum gp_pipe other_pipes[] = {GP_PIPE_INT, GP_PIPE_SHIFT, GP_PIPE_INT_MUL};

static double others_of(const struct gp_cost *cost)
{
    return fmax(0, cost->issue - sum(cost, named_pipes, sizeof named_pipes / sizeof *named_pipes));
}

static double slow_of(const struct gp_cost *cost)
{
    return sum(cost, slow_pipes, sizeof slow_pipes / sizeof *slow_pipes);
}

bool gp_is_of_floats(enum gp_class cost_class)
{
    return cost_class == GP_CLASS_FLOAT_ADD || cost_class == GP_CLASS_FLOAT_MUL || cost_class == GP_CLASS_FLOAT_FMA ||
           cost_class == GP_CLASS_DOUBLE_ADD || cost_class == GP_CLASS_DOUBLE_MUL || cost_class == GP_CLASS_DOUBLE_FMA;
}

void gp_floats_of_loops(const struct gp_kernel *kernel, uint32_t *floats)
{
    memset(floats, 0, (kernel->loop_count + (size_t)1) * sizeof *floats);
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_block *block = &kernel->blocks[b];
        uint32_t *sum = &floats[block->loop != GP_NONE ? block->loop : kernel->loop_count];
        for (uint32_t i = block->inst; i < block->inst + block->inst_count; i++)
            *sum += gp_is_of_floats((enum gp_class)kernel->insts[i].cost) ? kernel->insts[i].repeat : 0;
    }
}

static bool loads_local(const struct gp_memory *memory)
{
    return memory->space == GP_SPACE_LOCAL && !gp_memory_writes(memory);
}

static double local_words_of(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    const struct gp_memory *memory = inst->record != GP_NONE ? &kernel->memory[inst->record] : NULL;
    return memory != NULL && loads_local(memory) ? ceil(memory->element_bytes * memory->vector / 4.0) : 0;
}

/* What the profile has of a loop's own blocks; others: as in gp_code_factors. */
struct own {
    double plain, slow, floats, local_words, issued, others;
};

static struct own own_of(const struct gp_kernel *kernel, const struct gp_device *device,
                         const struct gp_cost costs[GP_CLASS_COUNT], uint32_t loop)
{
    bool scalar_unit = device->scalar_unit.value > 0;
    struct own own = {0};
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_block *block = &kernel->blocks[b];
        for (uint32_t i = block->inst; block->loop == loop && i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            if (gp_inst_accesses(inst))
                own.local_words += local_words_of(kernel, inst);
            if (gp_inst_accesses(inst) || (scalar_unit && gp_inst_runs_on_scalar_unit(inst)))
                continue;
            struct gp_cost cost = gp_inst_cost(inst, costs, 0);
            own.issued += cost.issue;
            own.others += others_of(&cost);
            own.plain += plain_of(&cost);
            own.slow += slow_of(&cost);
            own.floats += gp_is_of_floats((enum gp_class)inst->cost) ? inst->repeat : 0;
        }
    }
    return own;
}

bool gp_same_floats(double code, double profile)
{
    static const double alike = 0.05;
    return fabs(code - profile) <= alike * profile;
}

static bool has_same_floats(const struct gp_machine_code *code, const struct own *own)
{
    return gp_same_floats(code->floats, own->floats);
}

/* Whether the backend's loops are unrolled as the profile's: some have floats, and what has has as many. */
static bool is_alike(const struct gp_kernel *kernel, const struct own *own)
{
    bool some = false;
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        some |= own[i].floats > 0;
        if (!has_same_floats(&kernel->code[i], &own[i]))
            return false;
    }
    return some;
}

static float ratio(double code, double profile)
{
    static const double least = 0.5, most = 3;
    return profile > 0 ? (float)fmin(most, fmax(least, code / profile)) : 1;
}

static const struct gp_code_factors as_it_is = {1, 1, 1};

static float words_ratio(const struct gp_machine_code *code, const struct own *own)
{
    return code->local_words != GP_NONE ? ratio(code->local_words, own->local_words) : 1;
}

static struct gp_code_factors factors_of(const struct gp_machine_code *code, const struct own *own, bool alike)
{
    if (!alike && (own->floats <= 0 || !has_same_floats(code, own)))
        return as_it_is;
    return (struct gp_code_factors){ratio(code->vector - own->slow, own->plain), 1, words_ratio(code, own)};
}

/* A loop that the profile has next to no instructions for may have many in the code, which prepares iterations. */
static struct gp_code_factors factors_on_nvidia(const struct gp_machine_code *code, const struct own *own)
{
    static const double least = 0.4, most = 12;
    double others = own->others > 0 ? (code->vector - (own->issued - own->others)) / own->others : 1;
    return (struct gp_code_factors){1, (float)fmin(most, fmax(least, others)), words_ratio(code, own)};
}

void gp_machine_code_factors(const struct gp_kernel *kernel, const struct gp_device *device,
                             const struct gp_cost costs[GP_CLASS_COUNT], struct gp_code_factors *factors)
{
    for (uint32_t b = 0; b < kernel->block_count; b++)
        factors[b] = as_it_is;
    bool nvidia = gp_arch_is_nvidia_since(device->arch, GP_ARCH_VOLTA);
    struct own *own = kernel->code_count > 0 && (nvidia || gp_arch_is_amd(device->arch))
                          ? gp_some(kernel->code_count, sizeof *own)
                          : NULL;
    for (uint32_t i = 0; own != NULL && i < kernel->code_count; i++)
        own[i] = own_of(kernel, device, costs, kernel->code[i].loop);
    bool alike = own != NULL && !nvidia && is_alike(kernel, own);
    for (uint32_t i = 0; own != NULL && i < kernel->code_count; i++) {
        struct gp_code_factors factor =
            nvidia ? factors_on_nvidia(&kernel->code[i], &own[i]) : factors_of(&kernel->code[i], &own[i], alike);
        for (uint32_t b = 0; b < kernel->block_count; b++)
            if (kernel->blocks[b].loop == kernel->code[i].loop)
                factors[b] = factor;
    }
    free(own);
}

float gp_local_words_factor(const struct gp_memory *memory, const struct gp_code_factors *factors)
{
    return loads_local(memory) ? factors->local_words : 1;
}

struct gp_cost gp_cost_in_code(const struct gp_inst *inst, struct gp_cost cost, const struct gp_code_factors *factors)
{
    if (gp_inst_accesses(inst))
        return cost;
    cost.issue += (factors->vector - 1) * (float)plain_of(&cost) + (factors->others - 1) * (float)others_of(&cost);
    for (size_t i = 0; i < sizeof plain_pipes / sizeof *plain_pipes; i++)
        cost.ops[plain_pipes[i]] *= factors->vector;
    for (size_t i = 0; i < sizeof other_pipes / sizeof *other_pipes; i++)
        cost.ops[other_pipes[i]] *= factors->others;
    return cost;
}
