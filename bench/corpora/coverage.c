/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * coverage [-n NAME] [-r LOOPS,ADDRESSES,CALLS] FILE.gpuperf...: what the analysis found out about the kernels of these
 * profiles, as one row of a table, and the calls that it does not know. -h prints the table's head instead. -r: exit
 * status 1 when less than LOOPS percent of the loops that do not depend on data are bounded, less than ADDRESSES percent
 * of the memory operations have an address that can be executed, or more than CALLS calls are unknown.
 *
 * Loops by how their bound was found; `data` depend on loaded values and have no bound, `open` have none although they do not.
 * Branches by kind, and how many have weights. Memory operations by their worst address in any lane when a few warps of
 * the default launch are executed:
 *
 *   known    a number, or a buffer or array with a known offset
 *   symbol   an offset from something loaded that is the same in all lanes
 *   loaded   computed per lane from what each lane loaded: an operation on values that only the run knows
 *   none     not computed by the skeleton
 *   unseen   not reached in these warps; the skeleton computes the address
 *
 * The last but one is what the analysis cannot handle: `exec%` is the share of the others. `calls` are those of functions that
 * are not known, `asm` instructions of inline assembly, by estimate.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/executor/executor.h"
#include "model/profile/profile_binary.h"
#include "model/assume/defaults.h"

enum address { UNSEEN, KNOWN, SYMBOL, LOADED, NONE, ADDRESS_COUNT };

struct calls {
    char **names;
    unsigned *counts;
    size_t count;
};

struct totals {
    unsigned kernels, truncated, failed;
    unsigned loops[GP_BOUND_COUNT], data_loops; /* `data_loops` of the assumed */
    unsigned branches[GP_BRANCH_KIND_COUNT], weighted;
    unsigned addresses[ADDRESS_COUNT];
    unsigned assembly; /* instructions of inline assembly, by estimate */
    struct calls calls;
};

static void *must(void *memory)
{
    if (memory == NULL) {
        fprintf(stderr, "coverage: out of memory\n");
        exit(2);
    }
    return memory;
}

static void count_call(struct calls *calls, const char *name)
{
    size_t i = 0;
    while (i < calls->count && strcmp(calls->names[i], name) != 0)
        i++;
    if (i == calls->count) {
        calls->names = must(realloc(calls->names, (i + 1) * sizeof *calls->names));
        calls->counts = must(realloc(calls->counts, (i + 1) * sizeof *calls->counts));
        calls->names[i] = must(strdup(name));
        calls->counts[i] = 0;
        calls->count++;
    }
    calls->counts[i]++;
}

/* ---- Addresses ------------------------------------------------------------------------------------------------ */

struct watch {
    const struct gp_kernel *kernel;
    uint8_t *worst; /* enum address per memory operation */
};

static enum address classify(const struct watch *watch, uint32_t symbol)
{
    const struct gp_kernel *kernel = watch->kernel;
    uint32_t fixed = kernel->param_count + kernel->local_count + kernel->global_count + kernel->private_count;
    if (symbol == GP_SYMBOL_UNKNOWN)
        return LOADED;
    return symbol <= fixed ? KNOWN : SYMBOL;
}

static void watch_access(void *context, const struct gp_access *access)
{
    struct watch *watch = context;
    uint8_t *worst = &watch->worst[access->memory];
    const uint32_t *const *symbols = access->coordinates ? access->coordinate_symbol : &access->symbol;
    uint32_t count = access->coordinates ? access->coordinates : 1;
    for (uint32_t n = 0; n < count; n++)
        for (unsigned lane = 0; lane < 32; lane++)
            if (access->active >> lane & 1) {
                enum address found = classify(watch, symbols[n][lane]);
                if (found > *worst)
                    *worst = (uint8_t)found;
            }
}

/* No operand that decides the address may be a weight. An image's own reference is its first operand. */
static bool computable(const struct gp_kernel *kernel, const struct gp_inst *inst)
{
    bool image = inst->op == GP_OP_IMAGE_LOAD || inst->op == GP_OP_IMAGE_STORE;
    uint32_t first = image ? 1 : 0, end = image ? inst->operand_count : 1;
    for (uint32_t i = first; i < end; i++) {
        gp_ref ref = i < inst->operand_count ? kernel->operands[inst->operand + i] : GP_REF_NONE;
        if (gp_ref_kind(ref) == GP_REF_NONE ||
            (gp_ref_kind(ref) == GP_REF_INST && kernel->insts[gp_ref_index(ref)].op == GP_OP_WEIGHT))
            return false;
    }
    return true;
}

static bool run(const struct gp_kernel *kernel, const struct gp_observer *observer)
{
    static struct gp_launch launch;
    struct gp_exec_options options = {.warp_width = 32, .coarse = true, .max_block_visits = 1 << 16};
    struct gp_sample *samples = NULL;
    gp_launch_default(kernel, &launch);
    struct gp_executor *executor = gp_executor_new(kernel);
    size_t count = executor ? gp_sample_launch(&launch, options.warp_width, 3, 2, &samples) : 0;
    bool good = count > 0;
    for (size_t i = 0; i < count && good; i++) {
        struct gp_exec_result result;
        struct gp_error error;
        good = gp_execute_warp(executor, &launch, samples[i].group, samples[i].warp, &options, observer, &result, &error);
        if (!good)
            fprintf(stderr, "coverage: %s: %s\n", kernel->name, error.text);
    }
    free(samples);
    gp_executor_free(executor);
    return good;
}

static void count_addresses(struct totals *totals, const struct gp_kernel *kernel)
{
    struct watch watch = {kernel, must(calloc((size_t)kernel->memory_count + 1, 1))};
    struct gp_observer observer = {.context = &watch, .access = watch_access};
    totals->failed += !run(kernel, &observer);
    for (uint32_t i = 0; i < kernel->memory_count; i++) {
        if (!computable(kernel, &kernel->insts[kernel->memory[i].inst]))
            watch.worst[i] = NONE;
        totals->addresses[watch.worst[i]]++;
    }
    free(watch.worst);
}

/* ---- The table ------------------------------------------------------------------------------------------------ */

/* printf as OpenCL, CUDA and clang's lowering for AMD call it: known, though without a price. */
static bool prints(const char *callee)
{
    return strcmp(callee, "printf") == 0 || strcmp(callee, "vprintf") == 0 || strcmp(callee, "__printf_alloc") == 0;
}

static void count_kernel(struct totals *totals, const struct gp_kernel *kernel)
{
    totals->kernels++;
    totals->truncated += kernel->truncated;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        totals->loops[kernel->loops[i].bound]++;
        totals->data_loops += kernel->loops[i].bound == GP_BOUND_ASSUMED && kernel->loops[i].data_dependent;
    }
    for (uint32_t i = 0; i < kernel->branch_count; i++) {
        totals->branches[kernel->branches[i].kind]++;
        totals->weighted += kernel->branches[i].has_probability;
    }
    for (uint32_t i = 0; i < kernel->inst_count; i++) {
        const struct gp_inst *inst = &kernel->insts[i];
        if (inst->op == GP_OP_CALL && inst->cost != GP_CLASS_CALL)
            totals->assembly += inst->repeat;
        else if (inst->op == GP_OP_CALL && !prints(kernel->callees[inst->record]))
            count_call(&totals->calls, kernel->callees[inst->record]);
    }
    count_addresses(totals, kernel);
}

static double percent(unsigned part, unsigned all) { return all ? 100.0 * part / all : 100.0; }

static void print_head(void)
{
    printf("%-20s %7s %5s | %-53s | %-35s | %-54s\n", "", "", "", "loops", "branches", "memory operations, addresses");
    printf("%-20s %7s %5s | %6s %6s %6s %6s %5s %5s %4s %7s | %6s %6s %6s %6s %7s | %7s %6s %6s %6s %6s %6s | %5s %s\n", "corpus", "kernels", "trunc",
           "const", "scev", "induct", "exec", "retry", "data", "open", "bound%", "arg", "thread", "induct", "data", "weights", "known",
           "symbol", "loaded", "none", "unseen", "exec%", "calls", "asm");
}

static void print_row(const char *name, const struct totals *t, double bounded, double executable, unsigned calls)
{
    printf("%-20s %7u %5u | %6u %6u %6u %6u %5u %5u %4u %7.1f | %6u %6u %6u %6u %7u | %7u %6u %6u %6u %6u %6.1f | %5u %u\n", name, t->kernels,
           t->truncated, t->loops[GP_BOUND_CONSTANT], t->loops[GP_BOUND_SCEV], t->loops[GP_BOUND_INDUCTION],
           t->loops[GP_BOUND_EXECUTED], t->loops[GP_BOUND_RETRY], t->data_loops, t->loops[GP_BOUND_ASSUMED] - t->data_loops, bounded,
           t->branches[GP_BRANCH_ARGUMENT], t->branches[GP_BRANCH_THREAD], t->branches[GP_BRANCH_INDUCTION],
           t->branches[GP_BRANCH_DATA], t->weighted, t->addresses[KNOWN], t->addresses[SYMBOL], t->addresses[LOADED],
           t->addresses[NONE], t->addresses[UNSEEN], executable, calls, t->assembly);
    for (size_t i = 0; i < t->calls.count; i++)
        printf("%-20s   unknown call: %s (%u)\n", name, t->calls.names[i], t->calls.counts[i]);
}

int main(int argc, char **argv)
{
    const char *name = "";
    double loops = 0, addresses = 0;
    unsigned most_calls = ~0u, calls = 0, bounded = 0, free_loops = 0, memory = 0;
    struct totals totals = {0};
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "-h") == 0) {
            print_head();
            return 0;
        }
        if (strcmp(argv[at], "-n") == 0 && at + 1 < argc) {
            name = argv[++at];
        } else if (strcmp(argv[at], "-r") == 0 && at + 1 < argc &&
                   sscanf(argv[at + 1], "%lf,%lf,%u", &loops, &addresses, &most_calls) == 3) {
            at++;
        } else {
            fprintf(stderr, "usage: coverage [-h] [-n NAME] [-r LOOPS,ADDRESSES,CALLS] FILE.gpuperf...\n");
            return 2;
        }
    }
    for (; at < argc; at++) {
        struct gp_error error;
        struct gp_profile *profile = gp_profile_read_file(argv[at], &error);
        if (profile == NULL) {
            fprintf(stderr, "coverage: %s\n", error.text);
            return 2;
        }
        for (uint32_t k = 0; k < profile->kernel_count; k++)
            count_kernel(&totals, &profile->kernels[k]);
        gp_profile_free(profile);
    }
    for (unsigned b = 0; b < GP_BOUND_COUNT; b++)
        free_loops += totals.loops[b];
    bounded = free_loops - totals.loops[GP_BOUND_ASSUMED];
    free_loops -= totals.data_loops;
    for (unsigned a = 0; a < ADDRESS_COUNT; a++)
        memory += totals.addresses[a];
    for (size_t i = 0; i < totals.calls.count; i++)
        calls += totals.calls.counts[i];
    double bound_share = percent(bounded, free_loops), address_share = percent(memory - totals.addresses[NONE], memory);
    print_row(name, &totals, bound_share, address_share, calls);
    if (totals.kernels == 0 || totals.failed || bound_share < loops || address_share < addresses || calls > most_calls) {
        printf("%-20s   %s\n", name, totals.kernels == 0 ? "no kernels" : totals.failed ? "the executor failed"
               : "less than is required: see -r");
        return 1;
    }
    return 0;
}
