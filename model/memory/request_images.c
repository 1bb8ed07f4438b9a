/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Images: which blocks of texels an access asks for, and where they lie. */
#include "model/memory/request_rules.h"

/*
 * The texels of an access. Lanes of one kind agree in everything but x and y: in layer and symbols, that is. Symbols of
 * unknown value count as zero.
 */
struct texels {
    uint64_t x[GP_MAX_LANES], y[GP_MAX_LANES];
    uint32_t kind[GP_MAX_LANES];
    gp_mask active;
};

struct block_size {
    uint32_t columns, rows;
};

static struct block_size block_size(uint32_t bytes, uint32_t rows, uint32_t texel_bytes, uint32_t dims)
{
    uint32_t texels = bytes / texel_bytes;
    if (texels < 1)
        texels = 1;
    if (dims < 2)
        rows = 1;
    if (rows == 0) /* Morton order: x and y bits take turns, x first */
        rows = 1u << (31 - __builtin_clz(texels)) / 2;
    if (rows > texels)
        rows = texels;
    uint32_t columns = texels / rows;
    return (struct block_size){1u << (31 - __builtin_clz(columns)), 1u << (31 - __builtin_clz(rows))};
}

/* Lines side by side are numbered up to here, beyond any image's width; so are rows of lines, layers above them. */
enum { LINE_BITS = 17, ROW_BITS = 17, BORDER = 1 << 16 };

/*
 * Coordinates beyond the borders are clamped by the sampler or return the border's colour: no memory of their own.
 * Those relative to something unknown may be negative without lying beyond a border.
 */
static uint64_t coordinate(const struct gp_access *access, uint32_t dim, uint32_t lane)
{
    if (dim >= access->coordinates || dim >= 3)
        return 0;
    int64_t value = (int64_t)gp_access_coordinate(access, dim, lane);
    if (access->coordinate_symbol[dim][lane] != GP_SYMBOL_KNOWN)
        return (uint64_t)(value + BORDER);
    return value < 0 ? 0 : (uint64_t)value;
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
    t->active = access->active;
    for (gp_mask rest = access->active; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
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
 * Distinct blocks of a size that the lanes of a group touch. A block's sides are powers of two. Lanes mostly stay in
 * the block of the one before or go on to one that lies behind all seen so far; only others are searched for.
 */
static uint32_t count_blocks(const struct texels *t, gp_mask group, struct block_size size)
{
    struct {
        uint64_t x, y;
        uint32_t kind;
    } found[GP_MAX_LANES];
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

void gp_cost_image(const struct gp_request_context *c, const struct gp_access *access,
                   const struct gp_texel_layout *layout, struct gp_request *r)
{
    uint32_t texel = c->lanes.width;
    struct block_size block = block_size(layout->block_bytes, layout->block_rows, texel, access->coordinates);
    struct block_size line = block_size(layout->line_bytes, layout->line_rows, texel, access->coordinates);
    gp_mask all = access->active;
    struct texels texels;
    find_texels(access, &texels);
    r->useful_bytes = (double)count_blocks(&texels, all, (struct block_size){1, 1}) * texel;
    /* The other rows of a block are what neighbouring rows of the launch ask for: no better order of the lanes spares
     * them. */
    double whole_columns = (double)count_blocks(&texels, all, (struct block_size){1, block.rows}) * block.rows * texel;
    uint32_t blocks_of_texel = texel > layout->block_bytes ? texel / layout->block_bytes : 1;
    r->transactions = (double)count_blocks(&texels, all, block) * blocks_of_texel;
    r->bytes = r->transactions * layout->block_bytes;
    r->ideal_transactions = gp_round_up(whole_columns, layout->block_bytes);
    double texels_per_clk =
        gp_or(texel > 8 ? c->device->wide_texels_per_clk.value : c->device->texels_per_clk.value, 4);
    double rate = (double)__builtin_popcountll(all) / texels_per_clk, lookups = 0;
    for (uint32_t quad = 0; quad * 4 < c->lanes.warp; quad++)
        lookups += count_blocks(&texels, gp_group(quad, 4), line);
    r->lines = count_blocks(&texels, all, line);
    lookups *= 4 / texels_per_clk; /* a quad at a time, or as many as there are texels for */
    r->wavefronts = gp_max(rate, lookups);
    r->ideal_wavefronts = gp_max(1, rate);
    if (r->wavefronts < 1)
        r->wavefronts = 1;
    r->guessed = access->assumed != 0;
}

/* ---- Addresses --------------------------------------------------------------------------------------------------- */

/* The image's own symbol where the coordinates are numbers; else one for the symbols that they are relative to. */
static uint32_t symbol_of(uint32_t image, const uint32_t symbols[3])
{
    uint32_t symbol = image;
    if ((symbols[0] | symbols[1] | symbols[2]) == GP_SYMBOL_KNOWN)
        return image;
    for (uint32_t dim = 0; dim < 3; dim++)
        symbol = symbol * UINT32_C(0x9e3779b1) + symbols[dim];
    return (symbol | UINT32_C(0x80000000)) & ~UINT32_C(1); /* no number that the executor gives */
}

/* Sides of blocks and lines are powers of two: their logarithms. */
struct tiling {
    uint32_t texel, line_bytes;
    int line_columns, line_rows, block_columns, block_rows;
};

static struct tiling tiling_of(const struct gp_texel_layout *layout, uint32_t texel, uint32_t dims)
{
    struct block_size block = block_size(layout->block_bytes, layout->block_rows, texel, dims);
    struct block_size line = block_size(layout->line_bytes, layout->line_rows, texel, dims);
    return (struct tiling){texel,
                           line.columns * line.rows * texel,
                           __builtin_ctz(line.columns),
                           __builtin_ctz(line.rows),
                           __builtin_ctz(block.columns),
                           __builtin_ctz(block.rows)};
}

static uint64_t low_bits(uint64_t value, int bits) { return value & (((uint64_t)1 << bits) - 1); }

static uint64_t offset_of(const struct tiling *t, uint64_t x, uint64_t y, uint64_t z)
{
    uint64_t number = (((z << ROW_BITS) + (y >> t->line_rows)) << LINE_BITS) + (x >> t->line_columns);
    uint64_t block = (low_bits(y, t->line_rows) >> t->block_rows << (t->line_columns - t->block_columns)) +
                     (low_bits(x, t->line_columns) >> t->block_columns);
    uint64_t place = (low_bits(y, t->block_rows) << t->block_columns) + low_bits(x, t->block_columns);
    return number * t->line_bytes + ((block << (t->block_columns + t->block_rows)) + place) * t->texel;
}

static struct tiling tiling_for(const struct gp_device *device, const struct gp_kernel *kernel, uint32_t memory,
                                uint32_t dims)
{
    const struct gp_memory *m = &kernel->memory[memory];
    uint32_t width = (uint32_t)m->element_bytes * m->vector;
    return tiling_of(gp_request_rules_for(device->arch)->texels, width > 0 ? width : 4, dims < 3 ? dims : 3);
}

struct gp_block_sides gp_image_block(const struct gp_device *device, const struct gp_kernel *kernel, uint32_t memory,
                                     uint32_t dims)
{
    struct tiling tiling = tiling_for(device, kernel, memory, dims);
    return (struct gp_block_sides){1u << tiling.block_columns, 1u << tiling.block_rows};
}

/* No lane's coordinate is clamped, nor so large that it leaves its bits of an address. */
static bool stays_within(const struct gp_access *access, uint32_t dim, uint32_t first)
{
    const struct gp_distances *d = access->coordinate_distances[dim];
    const int64_t far = INT64_C(1) << 32;
    int64_t zero = (int64_t)access->coordinate[dim][0],
            border = access->coordinate_symbol[dim][first] != GP_SYMBOL_KNOWN ? BORDER : 0;
    return zero > -far && zero < far && d->low > -far && d->high < far && zero + d->low + border >= 0;
}

bool gp_image_place_of(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_access *access,
                       struct gp_image_place *place)
{
    uint32_t first = (uint32_t)__builtin_ctzll(access->active), symbols[3] = {0},
             dims = access->coordinates < 3 ? access->coordinates : 3;
    for (uint32_t dim = 0; dim < dims; dim++) {
        if (access->coordinate_distances[dim] == NULL || !stays_within(access, dim, first))
            return false;
        symbols[dim] = access->coordinate_symbol[dim][first];
    }
    struct tiling tiling = tiling_for(device, kernel, access->memory, access->coordinates);
    uint64_t x = coordinate(access, 0, first), y = coordinate(access, 1, first), z = coordinate(access, 2, first);
    *place = (struct gp_image_place){
        (uint32_t)low_bits(x, tiling.line_columns), (uint32_t)low_bits(y, tiling.line_rows), tiling.texel,
        symbol_of(gp_symbol_of(kernel, kernel->memory[access->memory].base), symbols), offset_of(&tiling, x, y, z)};
    return true;
}

void gp_image_addresses(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_access *access,
                        struct gp_image_addresses *a)
{
    uint32_t image = gp_symbol_of(kernel, kernel->memory[access->memory].base),
             dims = access->coordinates < 3 ? access->coordinates : 3;
    struct tiling tiling = tiling_for(device, kernel, access->memory, access->coordinates);
    gp_image_addresses_start(access, a);
    uint32_t first = (uint32_t)__builtin_ctzll(access->active);
    for (gp_mask rest = access->active; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest), symbols[3] = {0};
        uint64_t at[3] = {0};
        for (uint32_t dim = 0; dim < dims; dim++) {
            symbols[dim] = access->coordinate_symbol[dim][lane];
            at[dim] = coordinate(access, dim, lane);
        }
        a->symbol[lane] = symbol_of(image, symbols);
        a->offset[lane] = offset_of(&tiling, at[0], at[1], at[2]);
        a->access.one_symbol &= a->symbol[lane] == a->symbol[first];
    }
}
