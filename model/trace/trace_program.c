/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* From a kernel's blocks to what the SM does for them: units, issue slots, latencies, dependences. */
#include "model/compilers/block_order.h"
#include "model/compilers/held_registers.h"
#include "model/value/inst_facts.h"
#include "model/compilers/machine_code.h"
#include "model/compilers/predication.h"
#include "model/trace/trace.h"
#include "model/compilers/inst_cost.h"
#include "support/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    const struct gp_kernel *kernel;
    const struct gp_device *device;
    const struct gp_sm *sm;
    struct gp_program *program;
    struct gp_cost costs[GP_CLASS_COUNT];
    struct gp_code_factors *factors; /* per block (gp_machine_code_factors()) */
    struct gp_code_factors factor;   /* of the block at hand */
    uint32_t repaired_paths;         /* bits 1 << GP_NARROW_... */
    uint32_t merge;
    uint32_t *slot;       /* per instruction: of its result; GP_NONE */
    uint32_t *taken;      /* per instruction: the load of local memory that it takes as an operand; GP_NONE */
    double registers;     /* 0: instructions stay in program order */
    uint32_t *held_words; /* per block: gp_held_words() */
    struct gp_block_order *order;
    struct gp_order_item *items; /* of the straight line at hand */
    struct gp_predication predication;
    uint32_t guard; /* of the instruction at hand: what decides whether it takes effect; GP_NONE */
    uint16_t *rank; /* per memory operation: so many accesses of its block come before it in program order */
    /* the merged instruction at hand */
    struct gp_sim_op *open; /* NULL: none */
    uint32_t open_count;
    double open_clock;
    double *ready;    /* per instruction of the merged one: cycles after its issue */
    uint32_t *member; /* per instruction: number of the merged one that it is in */
    uint32_t open_number;
};

/* ---- Units ------------------------------------------------------------------------------------------------------ */

/* AMD's local memory is a unit beside that of the caches (as in throughput.c); NVIDIA's shares one with them. */
static enum gp_unit local_unit(const struct gp_device *device)
{
    return gp_arch_is_amd(device->arch) ? GP_UNIT_LDS : GP_UNIT_LSU;
}

static enum gp_unit unit_of(const struct gp_device *device, enum gp_pipe pipe)
{
    if (gp_pipe_on_simd(device, pipe))
        return GP_UNIT_FP32;
    switch (pipe) {
    case GP_PIPE_FP32:
    case GP_PIPE_FP16: return GP_UNIT_FP32;
    case GP_PIPE_FP64: return GP_UNIT_FP64;
    case GP_PIPE_INT:
    case GP_PIPE_SHIFT: return GP_UNIT_INT;
    case GP_PIPE_INT_MUL: return GP_UNIT_MUL;
    case GP_PIPE_SFU:
    case GP_PIPE_CVT: return GP_UNIT_SFU;
    case GP_PIPE_CVT64: return gp_converts_on_fp64(device) ? GP_UNIT_FP64 : GP_UNIT_SFU;
    case GP_PIPE_SHUFFLE: return local_unit(device);
    case GP_PIPE_BARRIER: return GP_UNIT_BARRIER;
    case GP_PIPE_MATRIX: return GP_UNIT_MATRIX;
    default: return GP_UNIT_SCALAR;
    }
}

/* Cycles of a unit for one warp instruction of a pipe; of a scheduler's own unit where it has one. */
static double cycles_of(const struct builder *b, enum gp_pipe pipe, enum gp_unit unit)
{
    double rate = gp_pipe_rate(b->device, pipe) * b->sm->lsu_units;
    return b->sm->partitioned[unit] ? b->sm->schedulers / rate : 1 / rate;
}

static void occupy(const struct builder *b, struct gp_sim_op *op, enum gp_pipe pipe, double times)
{
    const struct gp_device *d = b->device;
    if (times <= 0)
        return;
    enum gp_unit unit = unit_of(d, pipe);
    op->busy[unit] += (float)(times * cycles_of(b, pipe, unit));
    bool integer = pipe == GP_PIPE_INT || pipe == GP_PIPE_SHIFT;
    bool multiplied = pipe == GP_PIPE_INT_MUL && gp_arch_is_nvidia_since(d->arch, GP_ARCH_VOLTA);
    if (unit != GP_UNIT_FP32 && ((integer && d->int_shares_fp32.value > 0) || multiplied))
        op->busy[GP_UNIT_FP32] +=
            (float)(times * cycles_of(b, GP_PIPE_FP32, GP_UNIT_FP32)); /* as in arithmetic_cycles() */
    if (pipe == GP_PIPE_FP64 &&
        d->arch == GP_ARCH_FERMI) /* both rows of 16 lanes together (sampling paper, Figure 2) */
        op->busy[GP_UNIT_FP32] += (float)(2 * times * cycles_of(b, GP_PIPE_FP32, GP_UNIT_FP32));
}

static void set_unit(struct gp_sim_op *op)
{
    op->unit = GP_UNIT_COUNT;
    for (uint8_t u = 0; u < GP_UNIT_COUNT; u++)
        if (op->busy[u] > 0 && (op->unit == GP_UNIT_COUNT || op->busy[u] > op->busy[op->unit]))
            op->unit = u;
}

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

static bool is_free(const struct builder *b, const struct gp_inst *inst)
{
    return gp_inst_is_free(inst, b->repaired_paths);
}

static void set_costs(const struct builder *b, const struct gp_inst *inst, struct gp_sim_op *op)
{
    const struct gp_cost cost = gp_cost_in_code(inst, gp_inst_cost(inst, b->costs, b->repaired_paths), &b->factor);
    double interval = b->sm->issue_interval;
    if (gp_inst_runs_on_scalar_unit(inst) && b->device->scalar_unit.value > 0) {
        occupy(b, op, GP_PIPE_SCALAR, gp_inst_scalar_issue(b->kernel, inst, cost.issue));
        op->hold = (float)(0.5 * interval * cost.issue); /* beside other warps' vector instructions */
    } else {
        float issue = gp_inst_accesses(inst) ? 1 : cost.issue;
        op->issue = gp_inst_accesses(inst) && gp_arch_is_amd(b->device->arch)
                        ? 0
                        : issue; /* AMD's accesses issue beside other waves' vector instructions */
        op->hold = (float)(issue * interval);
        for (int p = 0; p < GP_PIPE_COUNT && !gp_inst_accesses(inst); p++)
            occupy(b, op, (enum gp_pipe)p, cost.ops[p]);
    }
    op->latency = fmaxf(fmaxf(cost.latency, op->hold), op->busy[GP_UNIT_MATRIX]);
    if (inst->cost == GP_CLASS_BRANCH)
        op->hold = op->latency; /* nothing of the warp issues before it is known where it goes on */
    set_unit(op);
}

static struct gp_sim_op *append(struct builder *b, enum gp_sim_kind kind)
{
    struct gp_sim_op *op = &b->program->ops[b->program->op_count++];
    *op = (struct gp_sim_op){.kind = (uint8_t)kind,
                             .unit = GP_UNIT_COUNT,
                             .operand = b->program->operand_count,
                             .result = GP_NONE,
                             .memory = GP_NONE};
    return op;
}

/* Operands are numbers of instructions until resolve_operands(): which slot a value gets is known when all is merged.
 */
static void add_operand(struct builder *b, struct gp_sim_op *op, uint32_t inst)
{
    for (uint32_t k = 0; k < op->operand_count; k++)
        if (b->program->operands[op->operand + k] == inst)
            return;
    if (op->operand_count < UINT16_MAX) {
        b->program->operands[b->program->operand_count++] = inst;
        op->operand_count++;
    }
}

static bool next_operand(const struct builder *b, uint32_t i, const struct gp_inst *inst, uint32_t *k,
                         uint32_t *operand)
{
    for (; *k < inst->operand_count; (*k)++) {
        gp_ref ref = b->kernel->operands[inst->operand + *k];
        if (gp_ref_kind(ref) == GP_REF_INST && gp_ref_index(ref) != i && b->slot[gp_ref_index(ref)] != GP_NONE) {
            *operand = gp_ref_index(ref);
            (*k)++;
            return true;
        }
    }
    if (*k == inst->operand_count && b->guard != GP_NONE && b->slot[b->guard] != GP_NONE) {
        *operand = b->guard;
        (*k)++;
        return true;
    }
    return false;
}

static void close_merged(struct builder *b)
{
    if (b->open != NULL)
        set_unit(b->open);
    b->open = NULL;
}

/* Adds an arithmetic instruction to the merged one: a lone warp would issue it so many cycles after the first. */
static void merge_in(struct builder *b, uint32_t i, const struct gp_inst *inst)
{
    struct gp_sim_op part = {0};
    if (!is_free(b, inst))
        set_costs(b, inst, &part);
    if (b->open == NULL || b->open_count + part.issue > (double)b->merge) {
        close_merged(b);
        b->open = append(b, GP_SIM_COMPUTE);
        b->open_number++;
        b->open_count = 0;
        b->open_clock = 0;
        b->open->result = b->program->slot_count++;
    }
    struct gp_sim_op *op = b->open;
    double start = b->open_clock;
    uint32_t operand;
    for (uint32_t k = 0; next_operand(b, i, inst, &k, &operand);) {
        if (b->member[operand] == b->open_number)
            start = fmax(start, b->ready[operand]);
        else
            add_operand(b, op, operand);
    }
    b->slot[i] = op->result;
    b->member[i] = b->open_number;
    if (!is_free(b, inst))
        b->open_clock = start + fmax(part.hold, part.issue > 0 ? b->sm->same_warp : 0);
    b->ready[i] = !is_free(b, inst) ? start + part.latency : start;
    b->open_count += (uint32_t)ceilf(part.issue);
    op->issue += part.issue;
    op->hold = (float)b->open_clock;
    op->latency = fmaxf(op->latency, (float)b->ready[i]);
    for (int u = 0; u < GP_UNIT_COUNT; u++)
        op->busy[u] += part.busy[u];
}

/*
 * cc 1.x: an arithmetic instruction reads one operand from local memory itself, g[A1+0xb] (TEG, 3.3.3). It issues once
 * its other operands are there, takes what both take, and its result comes so much later; the warp goes on meanwhile.
 */
static void add_with_load(struct builder *b, uint32_t load, uint32_t i)
{
    const struct gp_inst *inst = &b->kernel->insts[i];
    struct gp_sim_op *op = append(b, GP_SIM_MEMORY);
    uint32_t operand;
    for (uint32_t k = 0; next_operand(b, load, &b->kernel->insts[load], &k, &operand);)
        add_operand(b, op, operand);
    for (uint32_t k = 0; next_operand(b, i, inst, &k, &operand);)
        if (operand != load)
            add_operand(b, op, operand);
    set_costs(b, inst, op);
    op->unit = GP_UNIT_LSU;
    op->memory = b->kernel->insts[load].record;
    op->rank = b->rank[op->memory];
    op->result = b->slot[load];
    struct gp_sim_op *rest = append(b, GP_SIM_FREE);
    add_operand(b, rest, load);
    rest->latency = op->latency;
    rest->result = b->slot[i];
    op->latency = op->hold;
}

/* NVIDIA's instructions take what lies at a constant address as an operand. */
static bool is_operand_of_others(const struct builder *b, const struct gp_inst *inst)
{
    return gp_arch_is_nvidia(b->device->arch) && gp_inst_has_constant_address(b->kernel, inst);
}

/* AMD: what is the same for all lanes comes through the scalar cache to scalar registers, beside the vector unit's
 * accesses. */
static bool is_scalar_load(const struct builder *b, const struct gp_inst *inst)
{
    const struct gp_memory *memory = &b->kernel->memory[inst->record];
    return (inst->flags & GP_INST_UNIFORM) &&
           !(memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC | GP_MEMORY_VOLATILE)) &&
           memory->space != GP_SPACE_LOCAL && b->device->scalar_unit.value > 0;
}

static void add_inst(struct builder *b, uint32_t i)
{
    const struct gp_inst *inst = &b->kernel->insts[i];
    bool barrier = inst->op == GP_OP_BARRIER, phi = inst->op == GP_OP_PHI;
    if (b->taken[i] == i)
        return; /* where it is taken */
    if (b->taken[i] != GP_NONE) {
        add_with_load(b, b->taken[i], i);
        return;
    }
    if (b->merge > 1 && !gp_inst_accesses(inst) && !barrier && !phi) {
        merge_in(b, i, inst);
        return;
    }
    close_merged(b);
    bool operand = gp_inst_accesses(inst) && is_operand_of_others(b, inst);
    enum gp_sim_kind kind = operand || is_free(b, inst) ? GP_SIM_FREE
                            : gp_inst_accesses(inst)    ? GP_SIM_MEMORY
                            : barrier                   ? GP_SIM_BARRIER
                                                        : GP_SIM_COMPUTE;
    struct gp_sim_op *op = append(b, kind);
    uint32_t from;
    for (uint32_t k = 0; next_operand(b, i, inst, &k, &from);)
        add_operand(b, op, from);
    op->result = b->slot[i];
    if (kind == GP_SIM_FREE)
        return;
    set_costs(b, inst, op);
    if (kind == GP_SIM_MEMORY) {
        op->memory = inst->record;
        op->rank = b->rank[op->memory];
        op->unit = b->kernel->memory[inst->record].space == GP_SPACE_LOCAL ? local_unit(b->device) : GP_UNIT_LSU;
    }
    if (kind == GP_SIM_MEMORY && is_scalar_load(b, inst)) {
        op->unit = GP_UNIT_SCALAR;
        occupy(b, op, GP_PIPE_SCALAR, 1);
    }
}

/* ---- Order ------------------------------------------------------------------------------------------------------- */

/* What a compiler reckons with: off-chip loads take as long as from L2. */
static double expected_latency(const struct builder *b, const struct gp_memory *memory)
{
    if (memory->space == GP_SPACE_LOCAL)
        return b->sm->local_latency;
    if (memory->space == GP_SPACE_CONSTANT && b->sm->constant.bytes > 0)
        return b->sm->constant.latency;
    return b->sm->l2.bytes > 0 ? b->sm->l2.latency : b->sm->dram_latency;
}

static struct gp_order_item item_of(const struct builder *b, uint32_t i, uint32_t guard)
{
    const struct gp_inst *inst = &b->kernel->insts[i];
    bool access = gp_inst_accesses(inst);
    struct gp_order_item item = {.inst = i, .guard = access ? guard : GP_NONE};
    struct gp_sim_op op = {0};
    if (is_free(b, inst) || (access && is_operand_of_others(b, inst)))
        return item;
    set_costs(b, inst, &op);
    item.issue = fmaxf(op.hold, (float)b->sm->same_warp);
    item.latency = op.latency;
    if (!access || (b->kernel->memory[inst->record].flags & GP_MEMORY_STORE))
        return item;
    const struct gp_memory *memory = &b->kernel->memory[inst->record];
    item.latency = fmaxf(item.latency, (float)expected_latency(b, memory));
    item.late = b->device->arch <= GP_ARCH_TESLA2 && memory->space == GP_SPACE_LOCAL;
    item.words = is_scalar_load(b, inst) || (memory->flags & GP_MEMORY_ASYNC)
                     ? 0
                     : ((uint32_t)memory->element_bytes * memory->vector + 3) / 4;
    return item;
}

/* The instructions of a line of blocks, without the branches between them. The accesses of a visit are recorded in this
 * order. */
static uint32_t list_line(struct builder *b, uint32_t head)
{
    uint32_t count = 0;
    uint16_t rank = 0;
    for (uint32_t n = head; n != GP_NONE; n = b->predication.next[n]) {
        const struct gp_block *block = &b->kernel->blocks[n];
        for (uint32_t k = 0; k < block->inst_count - (b->predication.next[n] != GP_NONE); k++) {
            const struct gp_inst *inst = &b->kernel->insts[block->inst + k];
            b->items[count++] = item_of(b, block->inst + k, b->predication.guard[n]);
            if (gp_inst_accesses(inst) && !is_operand_of_others(b, inst)) {
                b->rank[inst->record] = rank;
                rank += rank < UINT16_MAX;
            }
        }
    }
    return count;
}

static void add_line(struct builder *b, uint32_t head)
{
    uint32_t count = list_line(b, head);
    const uint32_t *order = b->registers > 0 ? gp_block_order_find(b->order, b->items, count,
                                                                   gp_load_words(b->registers, b->held_words[head]))
                                             : NULL;
    for (uint32_t n = 0; n < count; n++) {
        const struct gp_order_item *item = &b->items[order != NULL ? order[n] : n];
        b->guard = item->guard;
        add_inst(b, item->inst);
    }
    b->guard = GP_NONE;
    close_merged(b);
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

/* Values that some instruction of a block waits for get a slot. Merged ones share a slot, given out on the way. */
static void give_slots(struct builder *b, uint32_t insts)
{
    const struct gp_kernel *kernel = b->kernel;
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        b->slot[i] = GP_NONE;
    for (uint32_t i = 0; i < insts; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            gp_ref ref = kernel->operands[inst->operand + k];
            uint32_t from = gp_ref_index(ref);
            if (gp_ref_kind(ref) == GP_REF_INST && from != i && from < insts && b->slot[from] == GP_NONE)
                b->slot[from] = b->program->slot_count++;
        }
    }
}

static bool takes_operand(const struct gp_inst *inst)
{
    return inst->cost >= GP_CLASS_INT_ADD && inst->cost <= GP_CLASS_FLOAT_MINMAX && inst->repeat == 1 &&
           !gp_inst_accesses(inst);
}

/*
 * Loads that arithmetic takes as operands: the last access before it in its block, used by nothing else. A load that is
 * taken has its own number in `taken`. (Not where instructions are merged.)
 */
static void find_taken_loads(struct builder *b, uint32_t insts)
{
    const struct gp_kernel *kernel = b->kernel;
    bool takes = b->device->arch == GP_ARCH_TESLA1 || b->device->arch == GP_ARCH_TESLA2;
    for (uint32_t i = 0; i < kernel->inst_count; i++)
        b->taken[i] = GP_NONE;
    for (uint32_t i = 0; i < insts && takes && b->merge <= 1; i++)
        for (uint32_t k = 0; k < kernel->insts[i].operand_count; k++) {
            gp_ref ref = kernel->operands[kernel->insts[i].operand + k];
            if (gp_ref_kind(ref) == GP_REF_INST)
                b->member[gp_ref_index(ref)]++; /* counts uses here, and starts from 0 again below */
        }
    for (uint32_t n = 0; n < kernel->block_count && takes && b->merge <= 1; n++) {
        uint32_t last = GP_NONE;
        for (uint32_t i = kernel->blocks[n].inst; i < gp_block_end(kernel, n); i++) {
            const struct gp_inst *inst = &kernel->insts[i];
            if (gp_inst_accesses(inst) || inst->op == GP_OP_BARRIER)
                last = inst->op == GP_OP_LOAD && kernel->memory[inst->record].space == GP_SPACE_LOCAL ? i : GP_NONE;
            for (uint32_t k = 0; k < inst->operand_count && last != GP_NONE && takes_operand(inst); k++)
                if (kernel->operands[inst->operand + k] == gp_ref_make(GP_REF_INST, last) && b->member[last] == 1) {
                    b->taken[i] = b->taken[last] = last;
                    last = GP_NONE;
                }
        }
    }
    memset(b->member, 0, kernel->inst_count * sizeof *b->member);
}

/* Blocks behind the kernel's: an access to spilled registers, a store and a load. */
static void add_spill_blocks(struct builder *b)
{
    struct gp_program *program = b->program;
    program->spill_block = b->kernel->block_count;
    for (int i = 0; i < 2; i++) {
        program->blocks[program->spill_block + i] = (struct gp_sim_block){program->op_count, 1, 1};
        struct gp_sim_op *op = append(b, GP_SIM_MEMORY);
        op->memory = b->kernel->memory_count;
        op->unit = GP_UNIT_LSU;
        op->issue = gp_arch_is_amd(b->device->arch) ? 0 : 1;
        op->hold = op->latency = (float)b->sm->issue_interval;
        op->waits = i == 1; /* code that spills has no register to load ahead */
    }
    program->block_count = b->kernel->block_count + 2;
}

static void resolve_operands(struct builder *b)
{
    for (uint32_t k = 0; k < b->program->operand_count; k++)
        b->program->operands[k] = b->slot[b->program->operands[k]];
}

static void build(struct builder *b)
{
    const struct gp_kernel *kernel = b->kernel;
    uint32_t insts = 0;
    for (uint32_t i = 0; i < kernel->block_count; i++)
        insts += kernel->blocks[i].inst_count;
    give_slots(b, insts);
    find_taken_loads(b, insts);
    for (uint32_t i = 0; i < kernel->block_count; i++) {
        b->program->blocks[i].first = b->program->op_count;
        b->factor = b->factors[i];
        if (b->predication.head[i] == i)
            add_line(b, i);
        b->program->blocks[i].count = b->program->op_count - b->program->blocks[i].first;
        for (uint32_t k = b->program->blocks[i].first; k < b->program->op_count; k++)
            b->program->blocks[i].issued += b->program->ops[k].kind != GP_SIM_FREE;
    }
    b->factor = (struct gp_code_factors){1, 1, 1};
    add_spill_blocks(b);
    resolve_operands(b);
}

struct gp_program *gp_program_new(const struct gp_kernel *kernel, const struct gp_device *device,
                                  const struct gp_sm *sm, uint32_t repaired_paths, uint32_t merge, double registers)
{
    struct gp_program *program = calloc(1, sizeof *program);
    struct builder b = {.kernel = kernel,
                        .device = device,
                        .sm = sm,
                        .program = program,
                        .repaired_paths = repaired_paths,
                        .merge = merge,
                        .registers = registers,
                        .guard = GP_NONE};
    program->ops = gp_some(kernel->inst_count + 2, sizeof *program->ops);
    program->blocks = gp_some(kernel->block_count + 2, sizeof *program->blocks);
    program->operands = gp_some(2 * ((size_t)kernel->operand_count + kernel->inst_count),
                                sizeof *program->operands); /* a load that is taken waits for its taker's, too */
    b.slot = gp_some(kernel->inst_count, sizeof *b.slot);
    b.taken = gp_some(kernel->inst_count, sizeof *b.taken);
    b.order = gp_block_order_new(kernel);
    b.items = gp_some(kernel->inst_count, sizeof *b.items);
    b.rank = gp_some(kernel->memory_count, sizeof *b.rank);
    b.ready = gp_some(kernel->inst_count, sizeof *b.ready);
    b.member = gp_some(kernel->inst_count, sizeof *b.member);
    b.factors = gp_some(kernel->block_count, sizeof *b.factors);
    b.held_words = gp_some(kernel->block_count, sizeof *b.held_words);
    gp_cost_table(device, b.costs, NULL);
    program->memory_count = kernel->memory_count + 1;
    gp_predication_find(kernel, device, b.costs, &b.predication);
    gp_held_words(kernel, device->scalar_unit.value > 0, b.held_words);
    gp_machine_code_factors(kernel, device, b.costs, b.factors);
    build(&b);
    free(b.slot);
    free(b.taken);
    gp_block_order_free(b.order);
    free(b.items);
    gp_predication_free(&b.predication);
    free(b.rank);
    free(b.ready);
    free(b.member);
    free(b.factors);
    free(b.held_words);
    return program;
}

void gp_program_free(struct gp_program *program)
{
    if (program == NULL)
        return;
    free(program->ops);
    free(program->blocks);
    free(program->operands);
    free(program);
}

void gp_sim_op_of(const struct gp_device *device, const struct gp_sm *sm, enum gp_class cost_class,
                  struct gp_sim_op *op)
{
    struct builder b = {.device = device, .sm = sm, .factor = {1, 1, 1}};
    struct gp_inst inst = {.op = GP_OP_WEIGHT, .cost = (uint8_t)cost_class, .repeat = 1, .record = GP_NONE};
    gp_cost_table(device, b.costs, NULL);
    *op = (struct gp_sim_op){.kind = GP_SIM_COMPUTE, .result = GP_NONE, .memory = GP_NONE};
    set_costs(&b, &inst, op);
}
