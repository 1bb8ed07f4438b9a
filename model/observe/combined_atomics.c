/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/combined_atomics.h"

#include <math.h>

#include "model/compilers/code_rules.h"

static bool is_uniform(const struct gp_kernel *kernel, gp_ref ref)
{
    return gp_ref_kind(ref) != GP_REF_INST || (kernel->insts[gp_ref_index(ref)].flags & GP_INST_UNIFORM);
}

static bool adds_one_value(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    const struct gp_inst *inst = &kernel->insts[memory->inst];
    return inst->operand_count < 2 || is_uniform(kernel, kernel->operands[inst->operand + 1]);
}

bool gp_atomic_is_combined(const struct gp_device *device, const struct gp_kernel *kernel,
                           const struct gp_memory *memory)
{
    if (!(memory->flags & GP_MEMORY_COMBINES))
        return false;
    if (gp_arch_is_amd(device->arch))
        return device->arch >= GP_ARCH_GCN; /* before, another back end */
    return gp_arch_is_nvidia_since(device->arch, GP_ARCH_VOLTA) &&
           (memory->element_bytes <= 4 || adds_one_value(kernel, memory));
}

void gp_combine_atomics(const struct gp_device *device, const struct gp_kernel *kernel, struct gp_work *work)
{
    struct gp_cost costs[GP_CLASS_COUNT];
    bool priced = false;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        struct gp_memory_work *memory = &work->memory[m];
        if (memory->requests <= 0 || !gp_atomic_is_combined(device, kernel, &kernel->memory[m]))
            continue;
        if (!priced)
            gp_cost_table(device, costs, NULL);
        priced = true;
        double lanes = memory->atomics.operations > 0 ? memory->atomics.operations / memory->requests
                                                      : 1 + memory->atomics.contention / memory->requests;
        struct gp_combining c = gp_combining_of(device, adds_one_value(kernel, &kernel->memory[m]), lanes);
        memory->atomics.operations = fmin(memory->atomics.operations, memory->requests);
        memory->atomics.asked_lines = fmin(memory->atomics.asked_lines, memory->requests);
        memory->atomics.contention = memory->atomics.least_contention = 0;
        work->pipes.issue += memory->requests * c.vector;
        work->pipes.ops[GP_PIPE_INT] += memory->requests * c.vector;
        work->pipes.ops[GP_PIPE_SCALAR] += memory->requests * c.scalar;
        work->chain += memory->requests * c.chain * costs[GP_CLASS_INT_ADD].latency;
    }
}
