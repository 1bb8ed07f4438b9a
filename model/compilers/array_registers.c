/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/compilers/array_registers.h"

#include <stdlib.h>
#include <string.h>

#include "model/compilers/amd_rules.h"
#include "model/compilers/nvidia_rules.h"
#include "model/compilers/unrolled_index.h"
#include "model/value/inst_facts.h"
#include "model/value/value.h"
#include "support/divisor.h"
#include "support/memory.h"

enum { MOST_PAID = 9, KNOWN_GRAIN = 16, MOST_STEPS = 2000, DEEPEST = 64 };

/* ---- Where in its array an access may be ---------------------------------------------------------------------- */

/* offset + k * grain for all k; grain 0: offset alone. none: nowhere as far as is known yet. */
struct places {
    int64_t offset;
    uint64_t grain;
    bool none;
};

static const struct places anywhere = {0, 1, false}, nowhere = {0, 0, true};

struct search {
    const struct gp_kernel *kernel;
    struct places *phis;   /* of each instruction that is an open phi */
    bool *open;            /* the phis being looked through */
    uint32_t depth, steps; /* of this access, so far */
};

static uint64_t distance(int64_t a, int64_t b) { return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a; }

static struct places either(struct places a, struct places b)
{
    if (a.none || b.none)
        return a.none ? b : a;
    return (struct places){
        a.offset,
        gp_greatest_common_divisor(gp_greatest_common_divisor(a.grain, b.grain), distance(a.offset, b.offset)), false};
}

static struct places sum(struct places a, struct places b)
{
    int64_t offset;
    if (a.none || b.none)
        return nowhere;
    return __builtin_add_overflow(a.offset, b.offset, &offset)
               ? anywhere
               : (struct places){offset, gp_greatest_common_divisor(a.grain, b.grain), false};
}

static struct places scaled(struct places a, int64_t by)
{
    int64_t offset;
    uint64_t grain;
    if (a.none)
        return nowhere;
    if (__builtin_mul_overflow(a.offset, by, &offset) || __builtin_mul_overflow(a.grain, distance(by, 0), &grain))
        return anywhere;
    return (struct places){offset, grain, false};
}

static int64_t constant(const struct gp_kernel *kernel, gp_ref ref, unsigned bits)
{
    return (int64_t)gp_sign_extend(kernel->constants[gp_ref_index(ref)], bits);
}

static struct places places_of(struct search *s, gp_ref ref, unsigned bits);

/* A loop's counter: where it starts, then also what comes round with that. */
static struct places places_of_phi(struct search *s, uint32_t index)
{
    const struct gp_inst *phi = &s->kernel->insts[index];
    const gp_ref *edges = &s->kernel->operands[phi->operand];
    if (s->open[index])
        return s->phis[index];
    s->open[index] = true;
    s->phis[index] = nowhere;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i + 1 < phi->operand_count; i += 2)
            s->phis[index] = either(s->phis[index], places_of(s, edges[i + 1], phi->bits));
    s->open[index] = false;
    return s->phis[index];
}

static struct places places_of_product(struct search *s, const gp_ref *factors, unsigned bits)
{
    for (int i = 0; i < 2; i++)
        if (gp_ref_kind(factors[i]) == GP_REF_CONST)
            return scaled(places_of(s, factors[1 - i], bits), constant(s->kernel, factors[i], bits));
    return anywhere;
}

static struct places places_of_inst(struct search *s, uint32_t index)
{
    const struct gp_inst *inst = &s->kernel->insts[index];
    const gp_ref *operands = &s->kernel->operands[inst->operand];
    switch ((enum gp_op)inst->op) {
    case GP_OP_PHI: return places_of_phi(s, index);
    case GP_OP_ADD: return sum(places_of(s, operands[0], inst->bits), places_of(s, operands[1], inst->bits));
    case GP_OP_SUB:
        return sum(places_of(s, operands[0], inst->bits), scaled(places_of(s, operands[1], inst->bits), -1));
    case GP_OP_MUL: return places_of_product(s, operands, inst->bits);
    case GP_OP_SHL: {
        int64_t by = gp_ref_kind(operands[1]) == GP_REF_CONST ? constant(s->kernel, operands[1], inst->bits) : 64;
        return by >= 0 && by < 32 ? scaled(places_of(s, operands[0], inst->bits), (int64_t)1 << by) : anywhere;
    }
    case GP_OP_SELECT: return either(places_of(s, operands[1], inst->bits), places_of(s, operands[2], inst->bits));
    case GP_OP_ZEXT:
    case GP_OP_SEXT:
    case GP_OP_COPY: return places_of(s, operands[0], inst->width > 0 ? inst->width : inst->bits);
    default: return anywhere;
    }
}

static struct places places_of(struct search *s, gp_ref ref, unsigned bits)
{
    struct places found = anywhere;
    if (s->depth >= DEEPEST || s->steps++ >= MOST_STEPS)
        return anywhere;
    s->depth++;
    if (gp_ref_kind(ref) == GP_REF_PRIVATE)
        found = (struct places){0};
    else if (gp_ref_kind(ref) == GP_REF_CONST)
        found = (struct places){constant(s->kernel, ref, bits), 0, false};
    else if (gp_ref_kind(ref) == GP_REF_INST)
        found = places_of_inst(s, gp_ref_index(ref));
    s->depth--;
    return found;
}

/* Elements that the access may be at; 1: its place is constant. */
static uint32_t choices(struct search *s, const struct gp_memory *memory)
{
    const struct gp_inst *inst = &s->kernel->insts[memory->inst];
    uint32_t bytes = s->kernel->privates[gp_ref_index(memory->base)].bytes,
             least = (uint32_t)memory->element_bytes * memory->vector;
    s->steps = 0;
    struct places at = places_of(s, s->kernel->operands[inst->operand], 64);
    if (at.none || at.grain == 0)
        return 1;
    uint64_t known = gp_greatest_common_divisor(at.grain, KNOWN_GRAIN), grain = known > least ? known : least;
    return grain == 0 || grain >= bytes ? 1 : (uint32_t)((bytes + grain - 1) / grain);
}

/* What varies of an address: without the constants that are added to it and multiply it. */
static gp_ref varying_part(const struct gp_kernel *kernel, gp_ref ref)
{
    for (int steps = 0; steps < DEEPEST && gp_ref_kind(ref) == GP_REF_INST; steps++) {
        const struct gp_inst *inst = &kernel->insts[gp_ref_index(ref)];
        const gp_ref *operands = &kernel->operands[inst->operand];
        switch ((enum gp_op)inst->op) {
        case GP_OP_ADD:
        case GP_OP_MUL:
        case GP_OP_SHL:
        case GP_OP_OR: {
            bool first = gp_ref_kind(operands[0]) == GP_REF_PRIVATE || gp_ref_kind(operands[0]) == GP_REF_CONST;
            if (!first && gp_ref_kind(operands[1]) != GP_REF_CONST)
                return ref;
            ref = operands[first];
            break;
        }
        case GP_OP_ZEXT:
        case GP_OP_SEXT:
        case GP_OP_COPY: ref = operands[0]; break;
        default: return ref;
        }
    }
    return ref;
}

/* ---- Accesses that choose ------------------------------------------------------------------------------------- */

/* What a phi or a select chooses from. */
static uint32_t choice_count(const struct gp_inst *inst) { return inst->op == GP_OP_PHI ? inst->operand_count / 2 : 2; }
static gp_ref choice_at(const struct gp_kernel *kernel, const struct gp_inst *inst, uint32_t k)
{
    return kernel->operands[inst->operand + 1 + (inst->op == GP_OP_PHI ? 2 * k : k)];
}

/* The phi or select by which a pointer chooses from arrays alone; NULL: there is none. */
static const struct gp_inst *choice_of_arrays(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    gp_ref address = gp_memory_address(kernel, memory);
    if (gp_ref_kind(memory->base) != GP_REF_NONE || gp_ref_kind(address) != GP_REF_INST)
        return NULL;
    const struct gp_inst *inst = &kernel->insts[gp_ref_index(address)];
    if (inst->op != GP_OP_PHI && inst->op != GP_OP_SELECT)
        return NULL;
    for (uint32_t k = 0; k < choice_count(inst); k++)
        if (gp_ref_kind(choice_at(kernel, inst, k)) != GP_REF_PRIVATE)
            return NULL;
    return inst;
}

/* Arrays that the access may be in, one after the other; NONE behind the last. */
static gp_ref array_at(const struct gp_kernel *kernel, const struct gp_memory *memory, uint32_t k)
{
    if (gp_ref_kind(memory->base) == GP_REF_PRIVATE)
        return k == 0 ? memory->base : GP_REF_NONE;
    const struct gp_inst *choice = choice_of_arrays(kernel, memory);
    return choice != NULL && k < choice_count(choice) ? choice_at(kernel, choice, k) : GP_REF_NONE;
}

static bool may_be_in(const struct gp_kernel *kernel, const struct gp_memory *memory, uint32_t array)
{
    gp_ref at;
    for (uint32_t k = 0; (at = array_at(kernel, memory, k)) != GP_REF_NONE; k++)
        if (gp_ref_index(at) == array)
            return true;
    return false;
}

/* An earlier access whose index is another by a constant, or the same, has made the comparisons. */
static bool is_compared_before(const struct gp_kernel *kernel, const gp_ref *indices, uint32_t memory)
{
    for (uint32_t m = 0; m < memory; m++)
        if (kernel->memory[m].base == kernel->memory[memory].base && indices[m] == indices[memory])
            return true;
    return false;
}

/* Comparisons and moves that an access becomes; 0: its place is constant. */
static uint32_t paid_for(struct search *s, const gp_ref *indices, uint32_t m)
{
    const struct gp_memory *memory = &s->kernel->memory[m];
    const struct gp_inst *choice = choice_of_arrays(s->kernel, memory);
    uint32_t count = choice != NULL                                ? choice_count(choice)
                     : gp_ref_kind(memory->base) == GP_REF_PRIVATE ? choices(s, memory)
                                                                   : 0;
    uint32_t words = ((uint32_t)memory->element_bytes * memory->vector + 3) / 4;
    return count <= 1 ? 0 : count * words + (is_compared_before(s->kernel, indices, m) ? 0 : count);
}

/*
 * LLVM makes a vector of the array's elements and chooses from it, a vector that is read as one of vectors, one that is
 * written element by element; by a number that is the same in all lanes on the scalar unit, or as a register's number.
 */
static uint32_t paid_on_amd(struct search *s, const gp_ref *indices, uint32_t m)
{
    const struct gp_kernel *kernel = s->kernel;
    const struct gp_memory *memory = &kernel->memory[m];
    if (gp_ref_kind(memory->base) != GP_REF_PRIVATE || choices(s, memory) <= 1)
        return 0;
    bool writes = memory->flags & GP_MEMORY_STORE,
         uniform =
             gp_ref_kind(indices[m]) == GP_REF_INST && kernel->insts[gp_ref_index(indices[m])].flags & GP_INST_UNIFORM;
    uint32_t times = writes ? memory->vector : 1, bytes = (uint32_t)memory->element_bytes * memory->vector / times,
             words = (bytes + 3) / 4,
             elements = kernel->privates[gp_ref_index(memory->base)].bytes / (bytes ? bytes : 1);
    if (uniform && gp_amd_moves_indexed(elements, words, true))
        return times * words;
    bool compares = !uniform && !is_compared_before(kernel, indices, m);
    return times * gp_amd_chosen(elements, words, !writes, compares);
}

/* ---- Which arrays, and what their accesses become ------------------------------------------------------------- */

static bool is_worth_it(const struct gp_kernel *kernel, const uint32_t *paid, uint32_t array)
{
    uint64_t all = 0, accesses = 0;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (paid[m] > 0 && may_be_in(kernel, &kernel->memory[m], array)) {
            all += paid[m];
            accesses++;
        }
    return accesses > 0 && all <= MOST_PAID * accesses;
}

static bool is_for(const struct gp_profile *profile, const char *target)
{
    return profile->triple != NULL && strncmp(profile->triple, target, strlen(target)) == 0;
}

/* Whether unrolling loops of so many instructions makes all indices of the array constant; the accesses then cost
 * nothing. */
static bool is_unrolled(const struct gp_kernel *kernel, uint32_t array, gp_unrolls *unrolls)
{
    bool some = false;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        if (!may_be_in(kernel, &kernel->memory[m], array))
            continue;
        if (gp_ref_kind(kernel->memory[m].base) != GP_REF_PRIVATE ||
            !gp_index_is_known_unrolled(kernel, &kernel->memory[m], unrolls))
            return false;
        some = true;
    }
    return some;
}

static bool is_outside_frame(const struct gp_kernel *kernel, uint32_t array)
{
    const struct gp_resources *resources = gp_kernel_resources(kernel, 0);
    return resources != NULL && resources->source == GP_SOURCE_PTXAS &&
           kernel->privates[array].bytes > resources->stack_bytes;
}

static bool is_kept_by_ptxas(const struct gp_kernel *kernel, const uint32_t *paid, uint32_t array)
{
    return is_outside_frame(kernel, array) || is_worth_it(kernel, paid, array);
}

/* Whether NVIDIA's compiler must have unrolled loops that the profile's code has: the array is in registers, too dear
 * for comparisons and moves, and all its indices are counters'. */
static bool was_unrolled(const struct gp_kernel *kernel, const uint32_t *paid, uint32_t array)
{
    return is_outside_frame(kernel, array) && !is_worth_it(kernel, paid, array) && is_unrolled(kernel, array, NULL);
}

/* By AMD's backend: it would be in what the backend says it has of private memory. */
static bool is_kept_by_llvm(const struct gp_kernel *kernel, uint32_t array)
{
    const struct gp_resources *resources = gp_kernel_resources(kernel, 0);
    return resources != NULL && (resources->source == GP_SOURCE_LLVM || resources->source == GP_SOURCE_AMD_CLANG) &&
           kernel->privates[array].bytes > resources->stack_bytes;
}

/* ---- What AMD's compiler will make of code for no device -------------------------------------------------------- */

/* Whether an address is the array and one index: sums of others than constants are several, of which LLVM's
 * AMDGPUPromoteAlloca.cpp takes none. */
static bool has_one_index(const struct gp_kernel *kernel, gp_ref ref)
{
    for (int steps = 0; steps < DEEPEST && gp_ref_kind(ref) == GP_REF_INST; steps++) {
        const struct gp_inst *inst = &kernel->insts[gp_ref_index(ref)];
        const gp_ref *operands = &kernel->operands[inst->operand];
        if (inst->op != GP_OP_ADD)
            return false;
        if (gp_ref_kind(operands[0]) == GP_REF_PRIVATE || gp_ref_kind(operands[1]) == GP_REF_PRIVATE)
            return true;
        bool first = gp_ref_kind(operands[0]) == GP_REF_CONST;
        if (!first && gp_ref_kind(operands[1]) != GP_REF_CONST)
            return false;
        ref = operands[first];
    }
    return gp_ref_kind(ref) == GP_REF_PRIVATE;
}

/* Whether the array is used otherwise than as what an address starts with: a pointer to it is chosen, stored or given
 * away. */
static bool is_given_away(const struct gp_kernel *kernel, uint32_t array)
{
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        for (uint32_t k = 0; k < inst->operand_count; k++) {
            gp_ref ref = kernel->operands[inst->operand + k];
            if (gp_ref_kind(ref) == GP_REF_PRIVATE && gp_ref_index(ref) == array && inst->op != GP_OP_ADD &&
                !(k == 0 && (inst->op == GP_OP_LOAD || inst->op == GP_OP_STORE)))
                return true;
        }
    }
    return false;
}

/*
 * Whether the compiler makes a vector of the array, by AMDGPUPromoteAlloca's rules: 32 words at most, of elements that
 * each access with an unknown index moves whole. Elements of less than a word, whose vectors it takes apart in other
 * ways, are left out.
 */
static bool becomes_vector(const struct gp_kernel *kernel, const uint32_t *paid, uint32_t array)
{
    enum { MOST_BYTES = 32 * 4 };
    uint32_t element = 0;
    if (kernel->privates[array].bytes > MOST_BYTES || is_given_away(kernel, array))
        return false;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        if (gp_ref_kind(memory->base) != GP_REF_PRIVATE || gp_ref_index(memory->base) != array)
            continue;
        if (memory->flags & (GP_MEMORY_ATOMIC | GP_MEMORY_VOLATILE) ||
            (paid[m] > 0 && (!has_one_index(kernel, gp_memory_address(kernel, memory)) ||
                             (element != 0 && memory->element_bytes != element))))
            return false;
        element = paid[m] > 0 ? memory->element_bytes : element;
    }
    return element >= 4;
}

/* Of arrays that are not unrolled as many as there are registers for. */
static void choose_vectors(const struct gp_kernel *kernel, uint32_t vector_words, const uint32_t *paid,
                           bool *in_registers)
{
    uint32_t left = vector_words;
    for (uint32_t array = 0; array < kernel->private_count; array++) {
        uint32_t words = (kernel->privates[array].bytes + 3) / 4;
        if (in_registers[array] || words > left || !becomes_vector(kernel, paid, array))
            continue;
        in_registers[array] = true;
        left -= words;
    }
}

/* ---- All of it -------------------------------------------------------------------------------------------------- */

/* Whether all that the access may be at is in registers. */
static bool finds_registers(const struct gp_kernel *kernel, const struct gp_memory *memory, const bool *in_registers)
{
    gp_ref at;
    uint32_t k = 0;
    for (; (at = array_at(kernel, memory, k)) != GP_REF_NONE; k++)
        if (!in_registers[gp_ref_index(at)])
            return false;
    return k > 0 && kernel->insts[memory->inst].op != GP_OP_ATOMIC;
}

static void change_access(struct gp_inst *inst, uint32_t paid)
{
    inst->op = GP_OP_WEIGHT;
    inst->record = GP_NONE;
    inst->cost = paid > 0 ? GP_CLASS_MOV : GP_CLASS_FREE;
    inst->repeat = (uint16_t)(paid == 0 ? 1 : paid < UINT16_MAX ? paid : UINT16_MAX);
    if (paid > 1) {
        inst->flags |= GP_INST_REPAIRABLE;
        inst->repaired = GP_CLASS_MOV;
        inst->repaired_repeat = 1;
    }
}

static bool change_all(const struct gp_kernel *kernel, const uint32_t *paid, const bool *in_registers,
                       struct gp_inst *insts)
{
    bool some = false;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (finds_registers(kernel, &kernel->memory[m], in_registers)) {
            change_access(&insts[kernel->memory[m].inst], paid[m]);
            some = true;
        }
    return some;
}

/* Blocks by their numbers, which follow control as far as that has an order. first > last: none. */
struct stretch {
    uint32_t first, last;
};

static void widen(struct stretch *s, struct stretch by)
{
    s->first = by.first < s->first ? by.first : s->first;
    s->last = by.last > s->last ? by.last : s->last;
}

static void find_loop_stretches(const struct gp_kernel *kernel, struct stretch *loops)
{
    for (uint32_t l = 0; l < kernel->loop_count; l++)
        loops[l] = (struct stretch){UINT32_MAX, 0};
    for (uint32_t b = 0; b < kernel->block_count; b++)
        for (uint32_t l = kernel->blocks[b].loop; l != GP_NONE; l = kernel->loops[l].parent)
            widen(&loops[l], (struct stretch){b, b});
}

/*
 * Where an array is alive: from its first access to its last, and all the while that a loop turns which has some of its
 * accesses, but not all. What has all of them fills the array anew in each turn.
 */
static struct stretch life_of(const struct gp_kernel *kernel, uint32_t array, const struct stretch *loops)
{
    struct stretch accessed = {UINT32_MAX, 0}, life;
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        if (may_be_in(kernel, &kernel->memory[m], array)) {
            uint32_t block = gp_inst_block(kernel, kernel->memory[m].inst);
            if (block != GP_NONE)
                widen(&accessed, (struct stretch){block, block});
        }
    life = accessed;
    for (uint32_t l = 0; l < kernel->loop_count && accessed.first <= accessed.last; l++) {
        bool some = loops[l].first <= accessed.last && accessed.first <= loops[l].last,
             all = loops[l].first <= accessed.first && accessed.last <= loops[l].last;
        if (some && !all)
            widen(&life, loops[l]);
    }
    return life;
}

/* Registers that the arrays in them take at most: those that are alive together. */
static uint32_t most_alive(const struct gp_kernel *kernel, const bool *in_registers)
{
    uint32_t most = 0;
    struct stretch *loops = gp_some(kernel->loop_count, sizeof *loops);
    int64_t *change = calloc(kernel->block_count + 1, sizeof *change), alive = 0;
    find_loop_stretches(kernel, loops);
    for (uint32_t array = 0; array < kernel->private_count; array++) {
        struct stretch life = in_registers[array] ? life_of(kernel, array, loops) : (struct stretch){1, 0};
        if (life.first > life.last)
            continue;
        change[life.first] += (kernel->privates[array].bytes + 3) / 4;
        change[life.last + 1] -= (kernel->privates[array].bytes + 3) / 4;
    }
    for (uint32_t b = 0; b < kernel->block_count; b++) {
        alive += change[b];
        most = alive > most ? (uint32_t)alive : most;
    }
    free(loops);
    free(change);
    return most;
}

/* What a back end reported has them. */
static void count_registers(struct gp_kernel *copy, const bool *in_registers)
{
    uint32_t words = most_alive(copy, in_registers);
    const struct gp_resources *before = copy->resources;
    copy->resources = gp_some(copy->resource_count, sizeof *copy->resources);
    for (uint32_t i = 0; i < copy->resource_count; i++) {
        copy->resources[i] = before[i];
        copy->resources[i].registers += before[i].source == GP_SOURCE_ESTIMATE ? words : 0;
    }
}

/* Who makes machine code of the profile's: NVIDIA's assembler, AMD's backend, which has been asked, AMD's compiler,
 * which has not, or another driver's compiler. */
enum maker { PTXAS, LLVM, LLVM_LATER, LATER, NOBODY };

static enum maker maker_of(const struct gp_profile *profile, uint32_t vector_words)
{
    if (is_for(profile, "spir"))
        return vector_words > 0 ? LLVM_LATER : LATER;
    return is_for(profile, "nvptx") ? PTXAS : is_for(profile, "amdgcn") ? LLVM : NOBODY;
}

uint32_t gp_words_for_vectors(const struct gp_profile *profile, const struct gp_kernel *kernel,
                              const struct gp_device *device)
{
    enum { MOST_REGISTERS = 256, USUAL_GROUP = 256 };
    if (!is_for(profile, "spir") || !gp_arch_is_amd(device->arch) || device->arch == GP_ARCH_TERASCALE)
        return 0;
    uint64_t bound = gp_stated_items(&kernel->stated);
    double items = bound > 0 ? (double)bound : USUAL_GROUP;
    double each = device->registers_per_sm.value * gp_device_group_sms(device) / items;
    return (uint32_t)(each < MOST_REGISTERS ? each : MOST_REGISTERS) / 4;
}

static void pay_all(struct search *s, enum maker maker, gp_ref *indices, uint32_t *paid)
{
    for (uint32_t m = 0; m < s->kernel->memory_count; m++) {
        bool unrolled =
            maker == LATER || (maker == LLVM_LATER &&
                               gp_index_is_known_unrolled(s->kernel, &s->kernel->memory[m], gp_amd_unrolls_private));
        indices[m] = varying_part(s->kernel, gp_memory_address(s->kernel, &s->kernel->memory[m]));
        paid[m] = unrolled ? 0 : (maker == PTXAS ? paid_for : paid_on_amd)(s, indices, m);
    }
}

/* What was unrolled pays for no choice. */
static void forgive_unrolled(const struct gp_kernel *kernel, uint32_t *paid)
{
    for (uint32_t array = 0; array < kernel->private_count; array++)
        if (was_unrolled(kernel, paid, array))
            for (uint32_t m = 0; m < kernel->memory_count; m++)
                if (kernel->memory[m].base == gp_ref_make(GP_REF_PRIVATE, array))
                    paid[m] = 0;
}

static void choose_arrays(const struct gp_kernel *kernel, uint32_t vector_words, enum maker maker, const uint32_t *paid,
                          bool *in_registers)
{
    for (uint32_t array = 0; array < kernel->private_count; array++)
        in_registers[array] =
            maker == PTXAS ? is_kept_by_ptxas(kernel, paid, array)
            : maker == LLVM
                ? is_kept_by_llvm(kernel, array)
                : is_unrolled(kernel, array, maker == LLVM_LATER ? gp_amd_unrolls_private : gp_nvidia_unrolls_private);
    if (maker == LLVM_LATER)
        choose_vectors(kernel, vector_words, paid, in_registers);
}

void gp_arrays_in_registers(const struct gp_profile *profile, const struct gp_kernel *kernel, uint32_t vector_words,
                            struct gp_kernel **changed)
{
    *changed = NULL;
    enum maker maker = maker_of(profile, vector_words);
    if (kernel->private_count == 0 || maker == NOBODY)
        return;
    struct gp_kernel *copy = malloc(sizeof *copy);
    struct gp_inst *insts = malloc(kernel->inst_count * sizeof *insts);
    gp_ref *indices = gp_some(kernel->memory_count, sizeof *indices);
    uint32_t *paid = gp_some(kernel->memory_count, sizeof *paid);
    bool *in_registers = gp_some(kernel->private_count, sizeof *in_registers);
    struct search s = {.kernel = kernel,
                       .phis = calloc(kernel->inst_count, sizeof *s.phis),
                       .open = calloc(kernel->inst_count, sizeof *s.open)};
    pay_all(&s, maker, indices, paid);
    if (maker == PTXAS)
        forgive_unrolled(kernel, paid);
    choose_arrays(kernel, vector_words, maker, paid, in_registers);
    memcpy(insts, kernel->insts, kernel->inst_count * sizeof *insts);
    *copy = *kernel;
    copy->insts = insts;
    if (change_all(kernel, paid, in_registers, insts)) {
        count_registers(copy, in_registers);
        *changed = copy;
    }
    free(s.phis);
    free(s.open);
    free(indices);
    free(paid);
    free(in_registers);
    if (*changed == NULL) {
        free(insts);
        free(copy);
    }
}

bool gp_arrays_tell_of_unrolling(const struct gp_profile *profile, const struct gp_kernel *kernel,
                                 const struct gp_kernel *changed)
{
    if (changed == NULL || !is_for(profile, "nvptx"))
        return false;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_inst *inst = &changed->insts[kernel->memory[m].inst];
        if (inst->op == GP_OP_WEIGHT && inst->cost == GP_CLASS_FREE &&
            gp_ref_kind(kernel->memory[m].base) == GP_REF_PRIVATE &&
            gp_index_needs_unrolling(kernel, &kernel->memory[m]))
            return true;
    }
    return false;
}

void gp_arrays_in_registers_free(struct gp_kernel *changed)
{
    if (changed == NULL)
        return;
    free(changed->insts);
    free(changed->resources);
    free(changed);
}
