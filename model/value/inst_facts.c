/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/value/inst_facts.h"

#include "model/value/refs.h"

bool gp_inst_runs_on_scalar_unit(const struct gp_inst *inst)
{
    if (inst->cost == GP_CLASS_BRANCH)
        return true;
    if (!(inst->flags & GP_INST_UNIFORM))
        return false;
    return (inst->cost >= GP_CLASS_INT_ADD && inst->cost <= GP_CLASS_LONG_BITS) || inst->cost == GP_CLASS_SELECT ||
           inst->cost == GP_CLASS_MOV;
}

double gp_inst_scalar_issue(const struct gp_kernel *kernel, const struct gp_inst *inst, double issue)
{
    if (inst->cost != GP_CLASS_BRANCH)
        return issue;
    gp_ref condition = inst->op == GP_OP_CONDBR || inst->op == GP_OP_SWITCH ? kernel->operands[inst->operand] : 0;
    bool divergent = condition != 0 && gp_ref_kind(condition) == GP_REF_INST &&
                     !(kernel->insts[gp_ref_index(condition)].flags & GP_INST_UNIFORM);
    return divergent ? issue : 0;
}

/* NVIDIA's arithmetic instructions take an operand from a constant bank at a fixed offset (CUDA Binary Utilities,
 * c[X][Y]). */
bool gp_inst_has_constant_address(const struct gp_kernel *kernel, const struct gp_inst *load)
{
    if (load->op != GP_OP_LOAD || kernel->memory[load->record].space != GP_SPACE_CONSTANT)
        return false;
    gp_ref address = kernel->operands[load->operand];
    if (gp_ref_kind(address) == GP_REF_GLOBAL)
        return true;
    if (gp_ref_kind(address) != GP_REF_INST || kernel->insts[gp_ref_index(address)].op != GP_OP_ADD)
        return false;
    const gp_ref *sum = &kernel->operands[kernel->insts[gp_ref_index(address)].operand];
    return (gp_ref_kind(sum[0]) == GP_REF_GLOBAL && gp_ref_kind(sum[1]) == GP_REF_CONST) ||
           (gp_ref_kind(sum[1]) == GP_REF_GLOBAL && gp_ref_kind(sum[0]) == GP_REF_CONST);
}

bool gp_branches_part_warps(const struct gp_kernel *kernel)
{
    bool parts = false;
    for (uint32_t b = 0; b < kernel->branch_count && !parts; b++)
        parts = kernel->branches[b].kind == GP_BRANCH_THREAD;
    return parts;
}

bool gp_class_divides_integers(uint8_t class)
{
    return class == GP_CLASS_INT_DIV || class == GP_CLASS_INT_UDIV || class == GP_CLASS_LONG_DIV ||
           class == GP_CLASS_LONG_DIV_WIDE || class == GP_CLASS_LONG_UDIV_WIDE || class == GP_CLASS_LONG_DIV_DATA ||
           class == GP_CLASS_INT_POWER_REM || class == GP_CLASS_INT_POWER_SREM || class == GP_CLASS_LONG_POWER_REM ||
           class == GP_CLASS_INT_DIV_NEXT || class == GP_CLASS_INT_UDIV_NEXT;
}

bool gp_memory_reads_constants(const struct gp_device *device, const struct gp_memory *memory)
{
    bool own = gp_arch_is_nvidia(device->arch) || device->arch == GP_ARCH_TERASCALE || device->arch == GP_ARCH_CPU;
    return memory->space == GP_SPACE_CONSTANT && own;
}

bool gp_memory_reads_cached(const struct gp_device *device, const struct gp_memory *memory)
{
    if (memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC | GP_MEMORY_VOLATILE))
        return false;
    if (memory->space == GP_SPACE_PRIVATE || memory->space == GP_SPACE_IMAGE || memory->space == GP_SPACE_CONSTANT)
        return true;
    /* Global loads of compute capability 3.x and 5.x go to L2 unless they are read-only (CUDA C Programming Guide). */
    if (device->arch == GP_ARCH_KEPLER || device->arch == GP_ARCH_MAXWELL)
        return memory->flags & GP_MEMORY_READONLY;
    return device->l1_size.value > 0;
}

bool gp_memory_reads_texture_cache(const struct gp_device *device, const struct gp_memory *memory)
{
    bool texture = memory->space == GP_SPACE_IMAGE || (memory->flags & GP_MEMORY_READONLY);
    return texture && device->tex_size.value > 0 && gp_memory_reads_cached(device, memory);
}

uint32_t gp_inst_block(const struct gp_kernel *kernel, uint32_t inst)
{
    uint32_t low = 0, high = kernel->block_count; /* blocks lie in the order of their instructions */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (inst < kernel->blocks[middle].inst)
            high = middle;
        else if (inst - kernel->blocks[middle].inst < kernel->blocks[middle].inst_count)
            return middle;
        else
            low = middle + 1;
    }
    return GP_NONE;
}

bool gp_loop_is_innermost(const struct gp_kernel *kernel, uint32_t loop)
{
    for (uint32_t i = loop + 1; i < kernel->loop_count; i++) /* parents stand before their children */
        if (kernel->loops[i].parent == loop)
            return false;
    return true;
}

bool gp_is_header_phi(const struct gp_kernel *kernel, uint32_t loop, uint32_t inst)
{
    const struct gp_block *header = &kernel->blocks[kernel->loops[loop].header];
    return kernel->insts[inst].op == GP_OP_PHI && inst >= header->inst && inst < header->inst + header->inst_count;
}

bool gp_block_is_within(const struct gp_kernel *kernel, uint32_t block, uint32_t loop)
{
    uint32_t at = kernel->blocks[block].loop;
    while (at != loop && at != GP_NONE)
        at = kernel->loops[at].parent;
    return at == loop;
}

bool gp_is_made_within(const struct gp_kernel *kernel, gp_ref ref, uint32_t loop)
{
    uint32_t block = gp_ref_kind(ref) == GP_REF_INST ? gp_inst_block(kernel, gp_ref_index(ref)) : GP_NONE;
    return block != GP_NONE && gp_block_is_within(kernel, block, loop);
}

gp_ref gp_phi_start(const struct gp_kernel *kernel, const struct gp_inst *phi, uint32_t loop)
{
    for (uint32_t i = 0; i + 1 < phi->operand_count; i += 2)
        if (!gp_block_is_within(kernel, gp_ref_index(kernel->operands[phi->operand + i]), loop))
            return kernel->operands[phi->operand + i + 1];
    return gp_ref_make(GP_REF_NONE, 0);
}

bool gp_block_can_leave(const struct gp_kernel *kernel, uint32_t block, uint32_t loop)
{
    const struct gp_inst *terminator = gp_block_terminator(kernel, block);
    for (uint32_t k = 0; k < terminator->operand_count; k++) {
        gp_ref ref = kernel->operands[terminator->operand + k];
        if (gp_ref_kind(ref) == GP_REF_BLOCK && !gp_block_is_within(kernel, gp_ref_index(ref), loop))
            return true;
    }
    return false;
}

bool gp_loop_has_exit(const struct gp_kernel *kernel, uint32_t loop)
{
    uint32_t b = 0;
    while (b < kernel->block_count && !(gp_block_is_within(kernel, b, loop) && gp_block_can_leave(kernel, b, loop)))
        b++;
    return b < kernel->block_count;
}

bool gp_loop_cannot_end_itself(const struct gp_kernel *kernel, uint32_t loop)
{
    uint32_t exits = 0;
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        const struct gp_inst *terminator = gp_block_terminator(kernel, b);
        if (!gp_block_is_within(kernel, b, loop) || !gp_block_can_leave(kernel, b, loop))
            continue;
        bool decided_before = (terminator->op == GP_OP_CONDBR || terminator->op == GP_OP_SWITCH) &&
                              !gp_is_made_within(kernel, kernel->operands[terminator->operand], loop);
        if (!decided_before)
            return false;
        exits++;
    }
    return exits > 0;
}

static bool has_operand(const struct gp_kernel *kernel, const struct gp_inst *inst, gp_ref ref)
{
    for (uint32_t k = 0; k < inst->operand_count; k++)
        if (kernel->operands[inst->operand + k] == ref)
            return true;
    return false;
}

static uint32_t place_of_operand(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    for (uint32_t k = 0; k < inst->operand_count; k++) {
        gp_ref ref = kernel->operands[inst->operand + k];
        if (gp_ref_kind(ref) == GP_REF_INST && kernel->insts[gp_ref_index(ref)].location != GP_NONE)
            return kernel->insts[gp_ref_index(ref)].location;
    }
    return GP_NONE;
}

/*
 * The line of what first takes the result, of what it is combined with there, or of what makes an operand: compilers
 * forget the line of what they move out of a loop, or merge. Phis say nothing: they stand for loops and branches.
 */
static uint32_t place_of_neighbour(const struct gp_kernel *kernel, uint32_t inst)
{
    gp_ref result = gp_ref_make(GP_REF_INST, inst);
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *user = &kernel->insts[i];
        if (user->op == GP_OP_PHI || !has_operand(kernel, user, result))
            continue;
        uint32_t location = user->location != GP_NONE ? user->location : place_of_operand(kernel, user);
        if (location != GP_NONE)
            return location;
    }
    return place_of_operand(kernel, &kernel->insts[inst]);
}

uint32_t gp_place_around(const struct gp_kernel *kernel, uint32_t inst)
{
    uint32_t block = gp_inst_block(kernel, inst);
    for (uint32_t loop = kernel->blocks[block != GP_NONE ? block : kernel->block_count - 1].loop; loop != GP_NONE;
         loop = kernel->loops[loop].parent)
        if (kernel->loops[loop].location != GP_NONE)
            return kernel->loops[loop].location;
    return kernel->location;
}

uint32_t gp_own_place(const struct gp_kernel *kernel, uint32_t inst)
{
    uint32_t location = kernel->insts[inst].location;
    return location != GP_NONE ? location : place_of_neighbour(kernel, inst);
}

uint32_t gp_inst_place(const struct gp_kernel *kernel, uint32_t inst)
{
    if (inst == GP_NONE)
        return kernel->location;
    uint32_t own = gp_own_place(kernel, inst);
    return own != GP_NONE ? own : gp_place_around(kernel, inst);
}

/* Of what has no line, the first user's that has one. */
static void give_users_places(const struct gp_kernel *kernel, uint32_t *places)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *user = &kernel->insts[i];
        uint32_t location = user->location != GP_NONE ? user->location : place_of_operand(kernel, user);
        for (uint32_t k = 0; user->op != GP_OP_PHI && location != GP_NONE && k < user->operand_count; k++) {
            gp_ref ref = kernel->operands[user->operand + k];
            if (gp_ref_kind(ref) == GP_REF_INST && places[gp_ref_index(ref)] == GP_NONE)
                places[gp_ref_index(ref)] = location;
        }
    }
}

void gp_inst_places(const struct gp_kernel *kernel, uint32_t *places)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        places[i] = kernel->insts[i].location;
    give_users_places(kernel, places);
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        if (places[i] == GP_NONE)
            places[i] = place_of_operand(kernel, &kernel->insts[i]);
        if (places[i] == GP_NONE)
            places[i] = gp_place_around(kernel, i);
    }
}

void gp_memory_loops(const struct gp_kernel *kernel, uint32_t *loop)
{
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        loop[m] = GP_NONE;
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t i = kernel->blocks[b].inst; i < gp_block_end(kernel, b); i++)
            if (gp_inst_accesses(&kernel->insts[i]))
                loop[kernel->insts[i].record] = kernel->blocks[b].loop;
}

static bool may_be_of_address(const struct gp_inst *inst)
{
    switch ((enum gp_op)inst->op) {
    case GP_OP_ADD:
    case GP_OP_SUB:
    case GP_OP_MUL:
    case GP_OP_SHL:
    case GP_OP_OR: /* LLVM's sum of what has no bit in common */
    case GP_OP_SEXT:
    case GP_OP_ZEXT:
    case GP_OP_TRUNC:
    case GP_OP_COPY: return true;
    default: return false;
    }
}

static bool loads_from_off_chip(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    if (inst->op != GP_OP_LOAD || inst->record == GP_NONE)
        return false;
    uint8_t space = kernel->memory[inst->record].space;
    return space != GP_SPACE_LOCAL && space != GP_SPACE_PRIVATE;
}

/* Operands stand before what uses them, but for those of phis. */
static void need_operands(const struct gp_kernel *kernel, bool of_phis, bool *addresses)
{
    for (uint32_t i = kernel->inst_count; i-- > 0;) {
        const struct gp_inst *inst = &kernel->insts[i];
        if ((inst->op == GP_OP_PHI) != of_phis || addresses[i])
            continue;
        for (uint32_t k = loads_from_off_chip(kernel, inst) ? 1 : 0; k < inst->operand_count; k++)
            if (gp_ref_kind(gp_operand_of(kernel, inst, k)) == GP_REF_INST)
                addresses[gp_ref_index(gp_operand_of(kernel, inst, k))] = false;
    }
}

void gp_find_load_addresses(const struct gp_kernel *kernel, bool *addresses)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        addresses[i] = may_be_of_address(&kernel->insts[i]);
    need_operands(kernel, true, addresses);
    need_operands(kernel, false, addresses);
}

const struct gp_induction *gp_counter_of(const struct gp_kernel *kernel, uint32_t phi)
{
    for (uint32_t i = 0; i < kernel->induction_count; i++)
        if (kernel->inductions[i].phi == phi)
            return &kernel->inductions[i];
    return NULL;
}

const struct gp_induction *gp_counter_at(const struct gp_kernel *kernel, gp_ref ref)
{
    return gp_ref_kind(ref) == GP_REF_INST ? gp_counter_of(kernel, gp_ref_index(ref)) : NULL;
}

bool gp_block_is_idle(const struct gp_kernel *kernel, uint32_t block)
{
    enum { DEEPEST = 8 };
    for (unsigned steps = 0; steps < DEEPEST; steps++) {
        const struct gp_block *b = &kernel->blocks[block];
        for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++)
            if (gp_op_is_memory((enum gp_op)kernel->insts[i].op) || kernel->insts[i].op == GP_OP_CALL ||
                kernel->insts[i].op == GP_OP_BARRIER)
                return false;
        const struct gp_inst *last = gp_block_terminator(kernel, block);
        if (last->op != GP_OP_BR)
            return last->op == GP_OP_RET;
        block = gp_ref_index(gp_operand_of(kernel, last, 0));
    }
    return false;
}

bool gp_operand_decides_nothing(const struct gp_inst *inst, uint32_t k)
{
    bool is_value = (inst->op == GP_OP_STORE || inst->op == GP_OP_ATOMIC) && k > 0;
    return is_value || inst->op == GP_OP_WEIGHT || gp_operation_is_float((enum gp_op)inst->op);
}

bool gp_branch_decides(const struct gp_kernel *kernel, uint32_t loop, uint32_t from, uint32_t block)
{
    const struct gp_block *b = &kernel->blocks[from];
    const struct gp_inst *end = gp_block_terminator(kernel, from);
    for (uint32_t k = 1; end->op == GP_OP_CONDBR && k < end->operand_count; k++) {
        uint32_t at = gp_ref_index(gp_operand_of(kernel, end, k));
        bool round = loop != GP_NONE && at == kernel->loops[loop].header;
        while (!round && at != GP_NONE && at != b->ipdom && at != block)
            at = kernel->blocks[at].ipdom;
        if (!round && at == block && at != b->ipdom)
            return true;
    }
    return false;
}
