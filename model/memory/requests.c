/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What every architecture shares: picking its rules, the private space, what is said of every request. */
#include "model/memory/requests.h"

#include <math.h>
#include <string.h>

#include "model/value/inst_facts.h"
#include "model/memory/request_rules.h"

const struct gp_request_rules *gp_request_rules_for(enum gp_arch arch)
{
    switch (arch) {
    case GP_ARCH_TESLA1: return &gp_rules_tesla1;
    case GP_ARCH_TESLA2: return &gp_rules_tesla2;
    case GP_ARCH_FERMI: return &gp_rules_fermi;
    case GP_ARCH_KEPLER: return &gp_rules_kepler;
    case GP_ARCH_TERASCALE: return &gp_rules_terascale;
    case GP_ARCH_GCN:
    case GP_ARCH_CDNA: return &gp_rules_gcn;
    case GP_ARCH_RDNA: return &gp_rules_rdna;
    case GP_ARCH_XE: return &gp_rules_xe;
    case GP_ARCH_CPU: return &gp_rules_cpu;
    default: return &gp_rules_maxwell;
    }
}

/* ---- Pieces -------------------------------------------------------------------------------------------------- */

static uint32_t power_at_least(uint32_t n)
{
    uint32_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

/*
 * Machine accesses move 1, 2, 4, 8 or 16 bytes per lane (three elements are moved as four where they are aligned as
 * four). Code generators split what is less aligned into its aligned parts; AMD's global memory needs no alignment.
 */
static void split_into_pieces(struct gp_request_context *c, bool on_chip)
{
    uint32_t width = c->lanes.width, piece = power_at_least(width);
    uint32_t alignment = c->memory->alignment & -(uint32_t)c->memory->alignment;
    bool unaligned_access = gp_arch_is_amd(c->device->arch) && !on_chip;
    if (piece > 16)
        piece = 16;
    if (alignment != 0 && alignment < piece && !unaligned_access)
        piece = alignment;
    c->piece = piece;
    c->pieces = (width + piece - 1) / piece;
}

/* ---- Banks of local memory ----------------------------------------------------------------------------------- */

struct gp_bank_cycles gp_take_banks(const struct gp_request_context *c, uint32_t banks, uint32_t lanes,
                                    gp_pass_cycles *cycles_of, struct gp_request *r)
{
    double row = banks * 4.0;
    struct gp_bank_cycles cycles = {0, 0};
    lanes = lanes < 1 ? 1 : lanes;
    r->passes = r->ideal_passes = 0;
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        for (uint32_t g = 0; g * lanes < part.warp; g++) {
            gp_mask group = part.active & gp_group(g, lanes);
            if (group == 0)
                continue;
            double passes = gp_lanes_bank_passes(&part, group, banks),
                   ideal = gp_round_up(gp_lanes_bytes(&part, group), row);
            r->passes += passes;
            r->ideal_passes += ideal;
            cycles.all += passes * cycles_of(c, group, row);
            cycles.ideal += ideal * cycles_of(c, group, row);
            r->conflict_degree = gp_max(r->conflict_degree, passes / ideal);
        }
    }
    return cycles;
}

/* ---- Private memory ------------------------------------------------------------------------------------------ */

/*
 * Private memory is interleaved so that the same 32-bit word of all lanes lies side by side (CUDA C Programming Guide,
 * "Local Memory": "consecutive 32-bit words are accessed by consecutive thread IDs"; AMD's scratch buffers are swizzled
 * by 4 bytes): word w of lane l is number w x lanes + l. A wide access is one row of words after the other, all alike.
 */
static void cost_private(struct gp_request_context *c, const struct gp_access *access,
                         const struct gp_request_rules *rules, struct gp_request *r)
{
    uint64_t offset[GP_MAX_LANES];
    uint32_t warp = c->lanes.warp, width = c->lanes.width, rows = width > 4 ? (width + 3) / 4 : 1;
    uint32_t sample = (uint32_t)__builtin_ctzll(c->lanes.active);
    struct gp_access interleaved = *access;
    for (gp_mask rest = c->lanes.active; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        uint64_t own = access->offset[access->uniform ? sample : lane];
        offset[lane] = own / 4 * 4 * warp + lane * 4 + own % 4;
    }
    uint32_t symbols[GP_MAX_LANES];
    for (uint32_t lane = 0; lane < warp && access->uniform; lane++)
        symbols[lane] = GP_SYMBOL_KNOWN;
    interleaved.symbol = access->uniform ? symbols : access->symbol;
    interleaved.offset = offset;
    interleaved.uniform = false;
    gp_lanes_init(&c->lanes, &interleaved, width < 4 ? width : 4, warp);
    c->piece = c->lanes.width;
    c->pieces = 1;
    c->scalar = false;
    r->useful_bytes = gp_lanes_bytes(&c->lanes, c->lanes.active);
    rules->global(c, r);
    double *sums[] = {&r->transactions, &r->ideal_transactions, &r->lines,           &r->bytes,
                      &r->useful_bytes, &r->wavefronts,         &r->ideal_wavefronts};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        *sums[i] *= rows;
}

/* ---- The whole ------------------------------------------------------------------------------------------------ */

/* Generic pointers are resolved by the object that they are based on; of others nothing is known: global memory. */
static enum gp_space space_of(const struct gp_kernel *kernel, const struct gp_memory *memory)
{
    if (memory->space != GP_SPACE_GENERIC)
        return memory->space;
    switch (gp_ref_kind(memory->base)) {
    case GP_REF_LOCAL: return GP_SPACE_LOCAL;
    case GP_REF_PRIVATE: return GP_SPACE_PRIVATE;
    case GP_REF_PARAM:
        return kernel->params[gp_ref_index(memory->base)].kind == GP_PARAM_LOCAL ? GP_SPACE_LOCAL : GP_SPACE_GLOBAL;
    default: return GP_SPACE_GLOBAL;
    }
}

static uint32_t warp_of(const struct gp_device *device, gp_mask active)
{
    uint32_t warp = device->warp_width.value >= 1 && device->warp_width.value <= GP_MAX_LANES
                        ? (uint32_t)device->warp_width.value
                        : 32;
    uint32_t highest = active != 0 ? 64u - (uint32_t)__builtin_clzll(active) : 1;
    return highest > warp ? highest : warp; /* a CPU's work-items in SIMD elements */
}

void gp_request_cost(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_access *access,
                     struct gp_request *request)
{
    *request = (struct gp_request){0};
    if (access->active == 0)
        return;
    const struct gp_memory *memory = &kernel->memory[access->memory];
    const struct gp_request_rules *rules = gp_request_rules_for(device->arch);
    enum gp_space space = space_of(kernel, memory);
    uint32_t width = (uint32_t)memory->element_bytes * memory->vector, warp = warp_of(device, access->active);
    struct gp_request_context context = {.device = device, .memory = memory, .load = !gp_memory_writes(memory)};
    request->same_address = 1;
    if (space == GP_SPACE_IMAGE || access->coordinates > 0) {
        context.lanes.width = width > 0 ? width : 4;
        context.lanes.warp = warp;
        if (access->coordinates > 0)
            gp_cost_image(&context, access, rules->texels, request);
        return;
    }
    context.scalar = memory->inst < kernel->inst_count && (kernel->insts[memory->inst].flags & GP_INST_UNIFORM);
    gp_lanes_init(&context.lanes, access, width, warp);
    split_into_pieces(&context, space == GP_SPACE_LOCAL);
    request->useful_bytes = gp_lanes_bytes(&context.lanes, context.lanes.active);
    request->uniform = gp_lanes_uniform(&context.lanes);
    request->guessed = context.lanes.known != context.lanes.active;
    request->stride = context.lanes.regular ? context.lanes.stride : 0;
    if (memory->flags & GP_MEMORY_ATOMIC)
        request->same_address = gp_lanes_same_address(&context.lanes);
    if (space == GP_SPACE_LOCAL)
        rules->local(&context, request);
    else if (space == GP_SPACE_PRIVATE)
        cost_private(&context, access, rules, request);
    else if (space == GP_SPACE_CONSTANT && context.load)
        rules->constant(&context, request);
    else
        rules->global(&context, request);
}

/*
 * What a request puts on L2. A store that writes only a part of a sector costs NVIDIA's L2 a read besides
 * (read-modify-write under ECC); AMD's caches write through with byte masks, an L2 sector at a time where L1's lines
 * are longer.
 */
double gp_request_l2_bytes(const struct gp_device *device, const struct gp_memory *memory, const struct gp_request *r)
{
    if (!(memory->flags & GP_MEMORY_STORE))
        return r->bytes;
    if (device->l2_size.value <= 0)
        return r->bytes; /* GT200 and before: to the DRAM, which takes byte masks */
    if (gp_arch_is_nvidia(device->arch))
        return r->bytes + fmax(0, r->bytes - r->useful_bytes);
    return fmin(r->bytes, fmax(r->useful_bytes, r->transactions * device->l2_sector.value));
}
