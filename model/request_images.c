/* Images: which blocks of texels an access asks for, and where they lie. */
#include "model/request_rules.h"

/*
 * The texels of an access. Lanes of one kind agree in everything but x and y: in layer and symbols, that is. Symbols of unknown
 * value count as zero.
 */
struct texels {
    uint64_t x[GP_MAX_LANES], y[GP_MAX_LANES];
    uint32_t kind[GP_MAX_LANES];
    gp_mask active;
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
    t->active = 0;
    for (gp_mask rest = access->active; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        t->active |= rest & -rest;
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
    for (gp_mask rest = t->active & group; rest != 0; rest &= rest - 1) {
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
    return count;
}

void gp_cost_image(const struct gp_request_context *c, const struct gp_access *access, const struct gp_texel_layout *layout,
                   struct gp_request *r)
{
    uint32_t texel = c->lanes.width;
    struct block_size block = block_size(layout->block_bytes, layout->block_rows, texel, access->coordinates);
    struct block_size line = block_size(layout->line_bytes, layout->line_rows, texel, access->coordinates);
    gp_mask all = access->active;
    struct texels texels;
    find_texels(access, &texels);
    /* The other rows of a block are what neighbouring rows of the group ask for: no waste. */
    r->useful_bytes = (double)count_blocks(&texels, all, (struct block_size){1, block.rows}) * block.rows * texel;
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
    r->guessed = access->assumed != 0;
}

/* ---- Addresses --------------------------------------------------------------------------------------------------- */

/* Lines side by side are numbered up to here, beyond any image's width; so are rows of lines, layers above them. */
enum { LINE_BITS = 17, ROW_BITS = 17, BORDER = 1 << 16 };

/* Texels left of the border that are no matter of clamping: of coordinates relative to something unknown. */
static uint64_t relative(const struct gp_access *access, uint32_t dim, uint32_t lane)
{
    if (dim >= access->coordinates || dim >= 3)
        return 0;
    int64_t value = (int64_t)access->coordinate[dim][lane];
    if (access->coordinate_symbol[dim][lane] == GP_SYMBOL_KNOWN)
        return value < 0 ? 0 : (uint64_t)value;
    return (uint64_t)(value + BORDER);
}

/* The image's own symbol where the coordinates are numbers; else one for the symbols that they are relative to. */
static uint32_t symbol_of(const struct gp_access *access, uint32_t image, uint32_t lane)
{
    uint32_t symbol = image, others = 0;
    for (uint32_t dim = 0; dim < access->coordinates && dim < 3; dim++) {
        uint32_t part = access->coordinate_symbol[dim][lane];
        others |= part;
        symbol = symbol * UINT32_C(0x9e3779b1) + part;
    }
    return others == GP_SYMBOL_KNOWN ? image : (symbol | UINT32_C(0x80000000)) & ~UINT32_C(1); /* no number that the executor gives */
}

static uint64_t offset_of(const struct gp_access *access, uint32_t lane, uint32_t texel, struct block_size block, struct block_size line, uint32_t line_bytes)
{
    uint64_t x = relative(access, 0, lane), y = relative(access, 1, lane), z = relative(access, 2, lane);
    uint64_t number = (((z << ROW_BITS) + y / line.rows) << LINE_BITS) + x / line.columns;
    uint64_t across = line.columns / block.columns;
    uint64_t block_in_line = y % line.rows / block.rows * across + x % line.columns / block.columns;
    uint64_t texel_in_block = y % block.rows * block.columns + x % block.columns;
    return number * line_bytes + (block_in_line * block.columns * block.rows + texel_in_block) * texel;
}

void gp_image_addresses(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_access *access, struct gp_image_addresses *a)
{
    const struct gp_texel_layout *layout = &gp_request_rules_for(device->arch)->texels;
    const struct gp_memory *memory = &kernel->memory[access->memory];
    uint32_t texel = (uint32_t)memory->element_bytes * memory->vector, image = gp_symbol_of(kernel, memory->base);
    texel = texel > 0 ? texel : 4;
    struct block_size block = block_size(layout->block_bytes, layout->block_rows, texel, access->coordinates);
    struct block_size line = block_size(layout->line_bytes, layout->line_rows, texel, access->coordinates);
    uint32_t line_bytes = line.columns * line.rows * texel;
    a->access = *access;
    a->access.coordinates = 0;
    a->access.symbol = a->symbol;
    a->access.offset = a->offset;
    a->access.uniform = false;
    a->access.one_symbol = true;
    uint32_t first = (uint32_t)__builtin_ctzll(access->active);
    for (gp_mask rest = access->active; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        a->symbol[lane] = symbol_of(access, image, lane);
        a->offset[lane] = offset_of(access, lane, texel, block, line, line_bytes);
        a->access.one_symbol &= a->symbol[lane] == a->symbol[first];
    }
}
