/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/counters/tally.h"

#include <stdlib.h>

#include "model/value/inst_facts.h"
#include "model/compilers/machine_code.h"
#include "model/executor/executor.h"
#include "model/memory/requests.h"

enum { GROUPS = 9, WARPS = 64 };

/* Integer instructions of the machine code: for each of the profile's, or for each access and operation on floats and
 * once for a turn of the loop that the block is the header of. */
struct integers {
    double of_integers, of_marks, of_turn;
};

struct count {
    const struct gp_device *device;
    const struct gp_kernel *kernel;
    struct gp_cost costs[GP_CLASS_COUNT];
    struct gp_code_factors *factors; /* per block */
    struct integers *integers;       /* per block */
    bool zero_over_zero;
    double weight; /* of the warp at hand: how many of the launch it stands for */
    struct tally *tally;
};

static void on_access(void *context, const struct gp_access *access)
{
    struct count *c = context;
    const struct gp_memory *memory = &c->kernel->memory[access->memory];
    bool stores = memory->flags & GP_MEMORY_STORE;
    struct gp_request request;
    if (access->active == 0 || (memory->flags & GP_MEMORY_ATOMIC))
        return;
    double times = c->weight * access->weight;
    if (memory->space == GP_SPACE_LOCAL) {
        gp_request_cost(c->device, c->kernel, access, &request);
        *(stores ? &c->tally->shared_store_wavefronts : &c->tally->shared_load_wavefronts) += times * request.passes;
    } else if (memory->space == GP_SPACE_GLOBAL && !stores) {
        c->tally->global_load_requests += times;
    }
}

/*
 * The profiler sorts by opcode ("Floating Point Instructions" and "Integer Instructions" of the CUDA Binary Utilities):
 * comparisons and MUFU of floats are fp32; moves, selects, predicates and conversions are neither.
 */
static double fp32_of(const struct gp_cost *cost, unsigned class)
{
    bool is_float = class >= GP_CLASS_FLOAT_ADD && class <= GP_CLASS_MATH32_OTHER;
    return cost->ops[GP_PIPE_FP32] + cost->ops[GP_PIPE_SFU] * (class != GP_CLASS_INT_BITS) +
           (is_float ? cost->ops[GP_PIPE_INT] : 0);
}

static double integer_of(const struct gp_cost *cost, unsigned class)
{
    bool is_float = class >= GP_CLASS_FLOAT_ADD && class <= GP_CLASS_MATH32_OTHER;
    if (is_float || class == GP_CLASS_MOV || class == GP_CLASS_SELECT || class == GP_CLASS_VOTE)
        return 0;
    return cost->ops[GP_PIPE_INT] + cost->ops[GP_PIPE_INT_MUL] + cost->ops[GP_PIPE_SHIFT] +
           (class == GP_CLASS_INT_BITS ? cost->ops[GP_PIPE_SFU] : 0);
}

/*
 * What 0/0 runs through in ptxas 13's code for sm_75 beyond the path of ordinary values: 2 FSETP, MUFU; 2 SHF, 3 LOP3,
 * 2 IADD3, 2 ISETP, and of its moves one that is an IMAD.
 */
enum { SLOW_FP32 = 3, SLOW_INTEGER = 10 };

static bool is_mark(const struct gp_inst *inst)
{
    return gp_inst_accesses(inst) || gp_is_of_floats((enum gp_class)inst->cost);
}

/* What the profile has of a loop's own blocks: integer instructions, and marks. */
static double own_of(const struct count *c, uint32_t loop, double *marks)
{
    double integers = 0;
    *marks = 0;
    for (uint32_t b = 0; b < c->kernel->block_count; b++) {
        const struct gp_block *block = &c->kernel->blocks[b];
        for (uint32_t i = block->inst; block->loop == loop && i < block->inst + block->inst_count; i++) {
            const struct gp_inst *inst = &c->kernel->insts[i];
            integers += inst->repeat * integer_of(&c->costs[inst->cost], inst->cost);
            *marks += is_mark(inst) ? inst->repeat : 0;
        }
    }
    return integers;
}

static struct integers integers_of(const struct count *c, const struct gp_machine_code *code)
{
    double marks, own = own_of(c, code->loop, &marks);
    if (marks > 0)
        return (struct integers){.of_marks = ((double)code->integers - code->stepping) / marks,
                                 .of_turn = code->stepping};
    return (struct integers){.of_integers = own > 0 ? code->integers / own : 1};
}

/* Where machine code was not counted, gp_code_factors'. */
static void count_integers(struct count *c)
{
    const struct gp_kernel *k = c->kernel;
    for (uint32_t b = 0; b < k->block_count; b++)
        c->integers[b] = (struct integers){.of_integers = c->factors[b].others};
    for (uint32_t i = 0; i < k->code_count; i++) {
        if (k->code[i].integers == GP_NONE || k->code[i].stepping == GP_NONE)
            continue;
        struct integers integers = integers_of(c, &k->code[i]);
        uint32_t header = k->code[i].loop != GP_NONE ? k->loops[k->code[i].loop].header : 0;
        for (uint32_t b = 0; b < k->block_count; b++)
            if (k->blocks[b].loop == k->code[i].loop)
                c->integers[b] =
                    (struct integers){integers.of_integers, integers.of_marks, b == header ? integers.of_turn : 0};
    }
}

static void on_leave(void *context, uint32_t block, gp_mask active, double weight)
{
    struct count *c = context;
    const struct gp_block *b = &c->kernel->blocks[block];
    double times = c->weight * weight * __builtin_popcountll(active);
    const struct integers *integers = &c->integers[block];
    c->tally->integer += times * integers->of_turn;
    for (uint32_t i = b->inst; i < b->inst + b->inst_count; i++) {
        const struct gp_inst *inst = &c->kernel->insts[i];
        const struct gp_cost cost = gp_cost_in_code(inst, c->costs[inst->cost], &c->factors[block]);
        c->tally->fp32 += times * inst->repeat * fp32_of(&cost, inst->cost);
        c->tally->integer += times * inst->repeat *
                             (integers->of_integers * integer_of(&c->costs[inst->cost], inst->cost) +
                              (is_mark(inst) ? integers->of_marks : 0));
        if (c->zero_over_zero && inst->cost == GP_CLASS_FLOAT_DIV) {
            c->tally->fp32 += times * inst->repeat * SLOW_FP32;
            c->tally->integer += times * inst->repeat * SLOW_INTEGER;
        }
    }
}

bool tally_launch(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_launch *launch,
                  bool zero_over_zero, struct tally *tally, struct gp_error *error)
{
    uint32_t width = (uint32_t)device->warp_width.value;
    struct count count = {.device = device, .kernel = kernel, .zero_over_zero = zero_over_zero, .tally = tally};
    struct gp_observer observer = {.context = &count, .access = on_access, .leave = on_leave};
    struct gp_exec_options options = {.warp_width = width};
    struct gp_sample *samples = NULL;
    struct gp_exec_result result;
    *tally = (struct tally){0};
    gp_cost_table(device, count.costs, NULL);
    size_t number = gp_sample_launch(launch, width, GROUPS, WARPS, &samples);
    struct gp_executor *executor = gp_executor_new(kernel);
    count.factors = calloc(kernel->block_count + (size_t)1, sizeof *count.factors);
    count.integers = calloc(kernel->block_count + (size_t)1, sizeof *count.integers);
    bool done = number > 0 && executor != NULL && count.factors != NULL && count.integers != NULL;
    if (!done) {
        gp_fail(error, "out of memory");
    } else {
        gp_machine_code_factors(kernel, device, count.costs, count.factors);
        count_integers(&count);
    }
    for (size_t i = 0; done && i < number; i++) {
        count.weight = samples[i].weight;
        done =
            gp_execute_warp(executor, launch, samples[i].group, samples[i].warp, &options, &observer, &result, error);
    }
    gp_executor_free(executor);
    free(count.factors);
    free(count.integers);
    free(samples);
    return done;
}
