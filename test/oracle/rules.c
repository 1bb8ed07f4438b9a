/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "test/oracle/rules.h"

#include <stdlib.h>
#include <string.h>

/* A set of numbers. The table is shared: a slot belongs to the set whose id it holds; at most two sets are in use. */
enum { SLOTS = 1 << 14 };

struct set {
    uint64_t id;
    size_t count;
    uint64_t number[ORACLE_LANES * 80];
};

static struct {
    uint64_t id, number;
} slots[SLOTS];

static void empty(struct set *set)
{
    static uint64_t ids = 2;
    set->id = ++ids;
    set->count = 0;
}

static void put(struct set *set, uint64_t number)
{
    size_t slot = (size_t)((number + set->id) * 0x9e3779b97f4a7c15u >> 50);
    while (slots[slot].id + 2 > set->id && (slots[slot].id != set->id || slots[slot].number != number))
        slot = (slot + 1) % SLOTS;
    if (slots[slot].id == set->id)
        return;
    if (set->count == sizeof set->number / sizeof *set->number)
        abort();
    slots[slot].id = set->id;
    slots[slot].number = number;
    set->number[set->count++] = number;
}

static bool in(uint64_t lanes, uint32_t lane) { return lanes >> lane & 1; }
static double least_one(double x) { return x < 1 ? 1 : x; }

/* Segments of `size` bytes that the lanes' `bytes` touch. */
static size_t segments(const uint64_t *address, uint64_t lanes, uint32_t bytes, uint64_t size)
{
    struct set touched;
    empty(&touched);
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++)
        for (uint64_t s = address[lane] / size; in(lanes, lane) && s <= (address[lane] + bytes - 1) / size; s++)
            put(&touched, s);
    return touched.count;
}

/* The fullest bank: distinct words of one bank that the lanes of a group need. */
static uint32_t fullest_bank(const uint64_t *address, uint64_t lanes, uint32_t bytes, uint32_t banks)
{
    struct set words;
    uint32_t in_bank[64] = {0}, most = 0;
    empty(&words);
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++)
        for (uint64_t w = address[lane] / 4; in(lanes, lane) && w <= (address[lane] + bytes - 1) / 4; w++)
            put(&words, w);
    for (size_t i = 0; i < words.count; i++) {
        uint32_t bank = (uint32_t)(words.number[i] % banks);
        if (++in_bank[bank] > most)
            most = in_bank[bank];
    }
    return most;
}

/* Bytes of one machine access: 1, 2, 4, 8 or 16, and no more than the alignment where that matters. */
static uint32_t machine_bytes(const struct gp_memory *memory, uint32_t width)
{
    uint32_t bytes = 1;
    while (bytes < width && bytes < 16)
        bytes *= 2;
    while (memory->alignment % bytes != 0)
        bytes /= 2;
    return bytes;
}

static uint64_t neighbours(uint64_t lanes, uint32_t first, uint32_t count)
{
    uint64_t mask = 0;
    for (uint32_t lane = first; lane < first + count; lane++)
        mask |= lanes & (uint64_t)1 << lane;
    return mask;
}

static void move(uint64_t to[ORACLE_LANES], const uint64_t *from, uint64_t by)
{
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++)
        to[lane] = from[lane] + by;
}

/* Groups of lanes one after the other; on NVIDIA a group joins the ones before while all together need one pass,
 * quarters only where addresses are taken in two turns. */
static void cost_local(struct oracle_request *r, const struct gp_device *device, const struct gp_memory *memory,
                       uint32_t width, const struct oracle_event *event)
{
    bool amd = gp_arch_is_amd(device->arch);
    uint32_t piece = machine_bytes(memory, width), banks = (uint32_t)device->smem_banks.value;
    uint32_t group = amd ? (piece <= 8 ? 32 : 8) : piece <= 4 ? 32 : piece <= 8 ? 16 : 8;
    bool joins = !amd && (piece < 16 || device->lsu_lanes.value < 32);
    for (uint32_t begin = 0; begin < width; begin += piece) {
        uint64_t address[ORACLE_LANES], joined = 0;
        move(address, event->address, begin);
        for (uint32_t first = 0; first < ORACLE_LANES; first += group) {
            uint64_t lanes = neighbours(event->lanes, first, group);
            if (!lanes)
                continue;
            uint32_t passes = fullest_bank(address, lanes, piece, banks);
            if (joins && joined && fullest_bank(address, joined | lanes, piece, banks) <= 1) {
                joined |= lanes;
                continue;
            }
            joined = lanes;
            r->passes += passes;
            double ideal = amd ? (double)((segments(address, lanes, piece, 1) + 4 * banks - 1) / (4 * banks)) : 1;
            if (passes / ideal > r->conflict_degree)
                r->conflict_degree = passes / ideal;
        }
    }
}

/* Word w of lane l lies at number w x lanes + l. */
static void cost_private(struct oracle_request *r, const struct gp_device *device, uint32_t width,
                         const struct oracle_event *event)
{
    uint32_t warp = (uint32_t)device->warp_width.value,
             unit = gp_arch_is_amd(device->arch) ? (uint32_t)device->l1_line.value : 32;
    uint32_t bytes = width < 4 ? width : 4;
    for (uint32_t word = 0; word * 4 < width; word++) {
        uint64_t address[ORACLE_LANES];
        for (uint32_t lane = 0; lane < ORACLE_LANES; lane++) {
            uint64_t own = event->address[lane] + 4 * word;
            address[lane] = (own / 4 * warp + lane) * 4 + own % 4;
        }
        r->transactions += (double)segments(address, event->lanes, bytes, unit);
        r->useful_bytes += (double)segments(address, event->lanes, bytes, 1);
    }
}

static void cost_constant_nvidia(struct oracle_request *r, uint32_t width, const struct oracle_event *event)
{
    struct set addresses;
    empty(&addresses);
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++)
        if (in(event->lanes, lane))
            put(&addresses, event->address[lane]);
    size_t words = segments(event->address, event->lanes, width, 4), per = width < 4 ? 1 : width / 4;
    r->transactions = addresses.count == 1 ? 1 : least_one((double)((words + per - 1) / per));
}

static bool one_address(const struct oracle_event *event)
{
    struct set addresses;
    empty(&addresses);
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++)
        if (in(event->lanes, lane))
            put(&addresses, event->address[lane]);
    return addresses.count == 1;
}

static void cost_global(struct oracle_request *r, const struct gp_device *device, const struct gp_memory *memory,
                        uint32_t width, bool uniform, const struct oracle_event *event)
{
    uint32_t unit = gp_arch_is_amd(device->arch) ? (uint32_t)device->l1_line.value : (uint32_t)device->l1_sector.value;
    bool load = !(memory->flags & (GP_MEMORY_STORE | GP_MEMORY_ATOMIC));
    bool scalar = gp_arch_is_amd(device->arch) && load && uniform && !(memory->flags & GP_MEMORY_VOLATILE) &&
                  device->scalar_unit.value > 0 && one_address(event);
    r->transactions = (double)segments(event->address, event->lanes, width, scalar ? 64 : unit);
}

/* Blocks of an image: 16 bytes x 2 rows on NVIDIA; on AMD a line, x and y bits in turn. */
static void cost_image(struct oracle_request *r, const struct gp_device *device, uint32_t texel,
                       const struct oracle_event *event)
{
    bool amd = gp_arch_is_amd(device->arch);
    uint32_t bytes = amd ? (device->arch == GP_ARCH_RDNA ? 128 : 64) : 32, columns = 1, rows = 1;
    if (event->dims < 2) {
        columns = bytes / texel;
    } else if (amd) {
        while (columns * rows * texel < bytes) {
            if (columns <= rows)
                columns *= 2;
            else
                rows *= 2;
        }
    } else {
        rows = 2;
        columns = 16 / texel ? 16 / texel : 1;
    }
    struct set blocks, texels;
    empty(&blocks);
    empty(&texels);
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++) {
        int64_t at[3];
        for (uint32_t d = 0; d < 3; d++)
            at[d] = d < event->dims && event->texel[d][lane] > 0 ? event->texel[d][lane] : 0;
        if (!in(event->lanes, lane))
            continue;
        put(&blocks, (uint64_t)(at[0] / columns) | (uint64_t)(at[1] / rows) << 20 | (uint64_t)at[2] << 40);
        put(&texels, (uint64_t)at[0] | (uint64_t)at[1] << 20 | (uint64_t)at[2] << 40);
    }
    r->transactions = (double)blocks.count;
    r->useful_bytes = (double)texels.count * texel;
}

struct oracle_request oracle_cost(const struct gp_device *device, const struct gp_memory *memory, enum gp_space space,
                                  bool uniform, const struct oracle_event *event)
{
    struct oracle_request r = {.same_address = 1};
    uint32_t width = (uint32_t)memory->element_bytes * memory->vector;
    if (event->kind == ORACLE_IMAGE) {
        cost_image(&r, device, width, event);
        return r;
    }
    if (space == GP_SPACE_PRIVATE) {
        cost_private(&r, device, width, event);
        return r;
    }
    r.useful_bytes = (double)segments(event->address, event->lanes, width, 1);
    for (uint32_t lane = 0; (memory->flags & GP_MEMORY_ATOMIC) && lane < ORACLE_LANES; lane++) {
        double same = 0;
        for (uint32_t other = 0; other < ORACLE_LANES; other++)
            same += in(event->lanes, lane) && in(event->lanes, other) && event->address[lane] == event->address[other];
        r.same_address = same > r.same_address ? same : r.same_address;
    }
    if (space == GP_SPACE_LOCAL)
        cost_local(&r, device, memory, width, event);
    else if (space == GP_SPACE_CONSTANT && !gp_arch_is_amd(device->arch))
        cost_constant_nvidia(&r, width, event);
    else
        cost_global(&r, device, memory, width, uniform, event);
    return r;
}
