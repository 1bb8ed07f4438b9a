/* What every architecture shares: picking its rules, the private and image spaces, what is said of every request. */
#include "model/requests.h"

#include <math.h>
#include <string.h>

#include "model/request_rules.h"

static const struct gp_request_rules *rules_for(enum gp_arch arch)
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

/* ---- Images -------------------------------------------------------------------------------------------------- */

/*
 * The texels of an access. Lanes of one kind agree in everything but x and y: in layer and symbols, that is. Symbols of unknown
 * value count as zero.
 */
struct texels {
    uint64_t x[GP_MAX_LANES], y[GP_MAX_LANES];
    uint32_t kind[GP_MAX_LANES];
    gp_mask known, unknown;
};

struct block_size { uint32_t columns, rows; };

static struct block_size block_size(uint32_t bytes, uint32_t rows, uint32_t texel_bytes, uint32_t dims)
{
    uint32_t texels = bytes / texel_bytes;
    if (texels < 1)
        texels = 1;
    if (dims < 2)
        rows = 1;
    if (rows == 0) /* Morton order: x and y bits take turns, x first */
        for (rows = 1; rows * 2 * rows * 2 <= texels; rows *= 2)
            ;
    if (rows > texels)
        rows = texels;
    uint32_t columns = texels / rows;
    return (struct block_size){1u << (31 - __builtin_clz(columns)), 1u << (31 - __builtin_clz(rows))};
}

/* Coordinates beyond the borders are clamped by the sampler or return the border's colour: no memory of their own. */
static uint64_t coordinate(const struct gp_access *access, uint32_t dim, uint32_t lane)
{
    if (dim >= access->coordinates || dim >= 3)
        return 0;
    int64_t value = (int64_t)access->coordinate[dim][lane];
    return value < 0 && access->coordinate_symbol[dim][lane] == GP_SYMBOL_KNOWN ? 0 : (uint64_t)value + GP_LANES_ORIGIN;
}

static bool has_unknown(const struct gp_access *access, uint32_t lane)
{
    for (uint32_t dim = 0; dim < access->coordinates && dim < 3; dim++)
        if (access->coordinate_symbol[dim][lane] == GP_SYMBOL_UNKNOWN)
            return true;
    return false;
}

static bool same_kind(const struct gp_access *access, uint32_t a, uint32_t b)
{
    for (uint32_t dim = 0; dim < access->coordinates && dim < 3; dim++)
        if (access->coordinate_symbol[dim][a] != access->coordinate_symbol[dim][b])
            return false;
    return coordinate(access, 2, a) == coordinate(access, 2, b);
}

/* Neighbours are mostly of one kind. */
static void find_texels(const struct gp_access *access, struct texels *t)
{
    uint8_t first_of[GP_MAX_LANES]; /* a lane of each kind */
    uint32_t kinds = 0, kind = 0;
    t->known = t->unknown = 0;
    for (gp_mask rest = access->active; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        if (has_unknown(access, lane)) {
            t->unknown |= rest & -rest;
            continue;
        }
        t->known |= rest & -rest;
        t->x[lane] = coordinate(access, 0, lane);
        t->y[lane] = coordinate(access, 1, lane);
        if (kinds == 0 || !same_kind(access, first_of[kind], lane))
            for (kind = 0; kind < kinds && !same_kind(access, first_of[kind], lane); kind++)
                ;
        if (kind == kinds)
            first_of[kinds++] = (uint8_t)lane;
        t->kind[lane] = kind;
    }
}

/*
 * Distinct blocks of a size that the lanes of a group touch. A block's sides are powers of two. Lanes mostly stay in the block of
 * the one before or go on to one that lies behind all seen so far; only others are searched for.
 */
static uint32_t count_blocks(const struct texels *t, gp_mask group, struct block_size size)
{
    struct { uint64_t x, y; uint32_t kind; } found[GP_MAX_LANES];
    uint32_t count = 0, last = 0;
    int column_bits = __builtin_ctz(size.columns), row_bits = __builtin_ctz(size.rows);
    for (gp_mask rest = t->known & group; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest), kind = t->kind[lane], at = count;
        uint64_t x = t->x[lane] >> column_bits, y = t->y[lane] >> row_bits;
        bool behind = count == 0 || kind > found[last].kind ||
                      (kind == found[last].kind && (y > found[last].y || (y == found[last].y && x > found[last].x)));
        while (!behind && at > 0 && (found[at - 1].x != x || found[at - 1].y != y || found[at - 1].kind != kind))
            at--;
        if (!behind && at > 0)
            continue;
        if (behind)
            last = count;
        found[count].x = x;
        found[count].y = y;
        found[count++].kind = kind;
    }
    return count + (uint32_t)__builtin_popcountll(t->unknown & group);
}

static void cost_image(const struct gp_request_context *c, const struct gp_access *access,
                       const struct gp_request_rules *rules, struct gp_request *r)
{
    const struct gp_texel_layout *layout = &rules->texels;
    uint32_t texel = c->lanes.width;
    struct block_size block = block_size(layout->block_bytes, layout->block_rows, texel, access->coordinates);
    struct block_size line = block_size(layout->line_bytes, layout->line_rows, texel, access->coordinates);
    gp_mask all = access->active;
    struct texels texels;
    find_texels(access, &texels);
    r->useful_bytes = (double)count_blocks(&texels, all, (struct block_size){1, 1}) * texel;
    uint32_t blocks_of_texel = texel > layout->block_bytes ? texel / layout->block_bytes : 1;
    r->transactions = (double)count_blocks(&texels, all, block) * blocks_of_texel;
    r->bytes = r->transactions * layout->block_bytes;
    r->ideal_transactions = gp_round_up(r->useful_bytes, layout->block_bytes);
    double rate = (double)__builtin_popcountll(all) / layout->texels_per_clk, lookups = 0;
    for (uint32_t quad = 0; quad * 4 < c->lanes.warp; quad++)
        lookups += count_blocks(&texels, gp_group(quad, 4), line);
    r->lines = count_blocks(&texels, all, line);
    r->wavefronts = gp_max(rate, lookups);
    r->ideal_wavefronts = gp_max(1, rate);
    if (r->wavefronts < 1)
        r->wavefronts = 1;
    r->guessed = texels.unknown != 0;
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
    const struct gp_request_rules *rules = rules_for(device->arch);
    enum gp_space space = space_of(kernel, memory);
    uint32_t width = (uint32_t)memory->element_bytes * memory->vector, warp = warp_of(device, access->active);
    struct gp_request_context context = {
        .device = device, .memory = memory, .load = !(memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC))};
    request->same_address = 1;
    if (space == GP_SPACE_IMAGE || access->coordinates > 0) {
        context.lanes.width = width > 0 ? width : 4;
        context.lanes.warp = warp;
        if (access->coordinates > 0)
            cost_image(&context, access, rules, request);
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
 * What a request puts on L2. A store that writes only a part of a sector costs NVIDIA's L2 a read besides (read-modify-write under
 * ECC); AMD's caches write through with byte masks, an L2 sector at a time where L1's lines are longer.
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
