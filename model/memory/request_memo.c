/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/memory/request_memo.h"

#include <stdlib.h>
#include <string.h>

#include "model/memory/lanes.h"
#include "model/memory/request_rules.h"
#include "support/memo.h"

/* What a request depends on beside the device. */
struct key {
    uint32_t kind; /* of memory operation */
    bool unknown, uniform;
    gp_mask active;
    uint64_t distances; /* between lanes, their id; 0: they do not matter */
    uint64_t place;     /* of the first active lane, modulo period_of() */
};

struct entry {
    uint64_t run; /* the memo's when it was made: one of another device is none */
    struct key key;
    struct gp_request request;
};

enum { FEW_ENTRIES = 32, MOST_ENTRIES = 1024 };

struct gp_request_memo {
    const struct gp_kernel *kernel;
    const struct gp_device *device;
    uint32_t *kind;          /* per memory operation: the first that the rules cannot tell from it */
    struct entry *entries;   /* by the keys' hashes */
    uint32_t count, clashes; /* of entries, a power of two; how often one made way for another since */
    uint64_t run;
    uint64_t line; /* bytes of the device's longest line, at least LEAST_LINE */
};

/* ---- Kinds of memory operations ------------------------------------------------------------------------------- */

static bool is_scalar(const struct gp_kernel *kernel, const struct gp_memory *m)
{
    return m->inst < kernel->inst_count && (kernel->insts[m->inst].flags & GP_INST_UNIFORM);
}

/* The object that a generic pointer is based on tells its space. */
static bool costs_alike(const struct gp_kernel *kernel, const struct gp_memory *a, const struct gp_memory *b)
{
    return a->space == b->space && a->flags == b->flags && a->element_bytes == b->element_bytes &&
           a->vector == b->vector && a->alignment == b->alignment &&
           (a->space != GP_SPACE_GENERIC || a->base == b->base) && is_scalar(kernel, a) == is_scalar(kernel, b);
}

/* A kernel has few kinds: only so many are looked through for an operation. */
static void find_kinds(struct gp_request_memo *memo)
{
    enum { MOST_KINDS = 32 };
    const struct gp_memory *memory = memo->kernel->memory;
    uint32_t kinds[MOST_KINDS], count = 0;
    for (uint32_t m = 0; m < memo->kernel->memory_count; m++) {
        uint32_t k = 0;
        while (k < count && !costs_alike(memo->kernel, &memory[kinds[k]], &memory[m]))
            k++;
        memo->kind[m] = k < count ? kinds[k] : m;
        if (k == count && count < MOST_KINDS)
            kinds[count++] = m;
    }
}

struct gp_request_memo *gp_request_memo_new(const struct gp_kernel *kernel)
{
    struct gp_request_memo *memo = calloc(1, sizeof *memo);
    memo->kernel = kernel;
    memo->kind = calloc((size_t)kernel->memory_count + 1, sizeof *memo->kind);
    memo->count = FEW_ENTRIES;
    memo->entries = calloc(memo->count, sizeof *memo->entries);
    find_kinds(memo);
    return memo;
}

void gp_request_memo_free(struct gp_request_memo *memo)
{
    if (memo == NULL)
        return;
    free(memo->kind);
    free(memo->entries);
    free(memo);
}

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

enum { LEAST_LINE = 128, WIDEST = 16 }; /* bytes: no rule of its own has longer lines; the widest machine access */

static uint64_t longest_line(const struct gp_device *d)
{
    uint64_t longest = LEAST_LINE, line = gp_power_or(d->l1_line.value, 1), sector = gp_power_or(d->l1_sector.value, 1);
    longest = line > longest ? line : longest;
    return sector > longest ? sector : longest;
}

/*
 * Bytes by which all lanes may move without changing the request. Rules look at alignment to lines; in local memory
 * only banks matter, and any multiple of the widest access takes turns with them alike, unless two words of a row come
 * together.
 */
static uint64_t period_of(const struct gp_request_memo *memo, const struct gp_memory *memory)
{
    const struct gp_device *d = memo->device;
    return memory->space != GP_SPACE_LOCAL || d->arch == GP_ARCH_CPU ? memo->line
           : d->smem_bank_bytes.value > 4 ? (uint64_t)(d->smem_banks.value * d->smem_bank_bytes.value)
                                          : WIDEST;
}

/* Divisions are slow; almost all periods are powers of two. */
static uint64_t modulo(uint64_t offset, uint64_t period)
{
    return (period & (period - 1)) == 0 ? offset & (period - 1) : offset % period;
}

static struct key key_of(const struct gp_request_memo *memo, const struct gp_access *access)
{
    unsigned first = (unsigned)__builtin_ctzll(access->active);
    bool unknown = access->symbol[first] == GP_SYMBOL_UNKNOWN;
    return (struct key){
        .kind = memo->kind[access->memory],
        .unknown = unknown,
        .uniform = access->uniform,
        .active = access->active,
        .distances = unknown || access->uniform ? 0 : access->distances->id,
        .place = unknown ? 0 : modulo(access->offset[first], period_of(memo, &memo->kernel->memory[access->memory]))};
}

static struct entry *entry_of(const struct gp_request_memo *memo, const struct key *key)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = (key->distances ^ key->active * factor) * factor + ((uint64_t)key->kind << 16 | key->place);
    return &memo->entries[(hash * factor >> 32) & (memo->count - 1)];
}

static bool is_equal(const struct key *a, const struct key *b)
{
    return a->kind == b->kind && a->unknown == b->unknown && a->uniform == b->uniform && a->active == b->active &&
           a->distances == b->distances && a->place == b->place;
}

/* ---- The whole ------------------------------------------------------------------------------------------------- */

void gp_request_memo_cost(struct gp_request_memo *memo, const struct gp_device *device, const struct gp_access *access,
                          struct gp_request *request)
{
    if (memo->device != device) {
        memo->device = device;
        memo->line = longest_line(device);
        memo->run++;
    }
    bool known_lanes = access->one_symbol && (access->distances != NULL || access->uniform ||
                                              access->symbol[__builtin_ctzll(access->active)] == GP_SYMBOL_UNKNOWN);
    if (!known_lanes || access->coordinates > 0) {
        gp_request_cost(device, memo->kernel, access, request);
        return;
    }
    struct key key = key_of(memo, access);
    struct entry *entry = entry_of(memo, &key);
    if (entry->run != memo->run || !is_equal(&entry->key, &key)) {
        uint64_t offsets[GP_MAX_LANES];
        struct gp_access whole = *access;
        whole.offset = gp_access_offsets(access, offsets);
        memo->clashes += entry->run == memo->run;
        entry->run = memo->run;
        entry->key = key;
        gp_request_cost(device, memo->kernel, &whole, &entry->request);
    }
    *request = entry->request;
    memo->entries = gp_memo_grown(memo->entries, &memo->count, MOST_ENTRIES, &memo->clashes, sizeof *memo->entries);
}
