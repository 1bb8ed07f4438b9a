/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/memory/lanes.h"

#include <string.h>

#include "support/divisor.h"

static uint32_t log2_of(uint32_t power) { return (uint32_t)__builtin_ctz(power); }

static bool is_power(uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }

static uint64_t position_of(const struct gp_lanes *lanes, uint32_t lane)
{
    return lanes->offset[lane] + lanes->shift + GP_LANES_ORIGIN;
}

/* ---- Preparation --------------------------------------------------------------------------------------------- */

/* One symbol, all known, constant stride: sets `first` and `stride`. */
static bool find_stride(struct gp_lanes *lanes)
{
    uint32_t first = (uint32_t)__builtin_ctzll(lanes->active), symbol = lanes->symbol[first];
    if (symbol == GP_SYMBOL_UNKNOWN)
        return false;
    lanes->first = position_of(lanes, first);
    lanes->stride = 0;
    uint64_t previous = lanes->first;
    bool second = true;
    for (gp_mask rest = lanes->active & (lanes->active - 1); rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        uint64_t position = position_of(lanes, lane);
        if (lanes->symbol[lane] != symbol)
            return false;
        if (second)
            lanes->stride = (int64_t)(position - previous);
        else if ((int64_t)(position - previous) != lanes->stride)
            return false;
        second = false;
        previous = position;
    }
    return true;
}

static bool comes_after(const struct gp_lanes *lanes, uint8_t a, uint8_t b)
{
    if (lanes->symbol[a] != lanes->symbol[b])
        return lanes->symbol[a] > lanes->symbol[b];
    return position_of(lanes, a) > position_of(lanes, b);
}

/* One symbol, all known, and not too far apart: a lane's position and number fit one word. */
static bool sort_words(struct gp_lanes *lanes)
{
    enum { LANE_BITS = 6, NUMBER_BITS = 64 - LANE_BITS };
    uint64_t words[GP_MAX_LANES], lowest = UINT64_MAX, highest = 0;
    uint32_t symbol = lanes->symbol[__builtin_ctzll(lanes->active)], count = 0;
    if (symbol == GP_SYMBOL_UNKNOWN)
        return false;
    for (gp_mask rest = lanes->active; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        uint64_t position = position_of(lanes, lane);
        if (lanes->symbol[lane] != symbol)
            return false;
        lowest = position < lowest ? position : lowest;
        highest = position > highest ? position : highest;
    }
    if ((highest - lowest) >> NUMBER_BITS != 0)
        return false;
    for (gp_mask rest = lanes->active; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest), place = count++;
        uint64_t word = (position_of(lanes, lane) - lowest) << LANE_BITS | lane;
        for (; place > 0 && words[place - 1] > word; place--)
            words[place] = words[place - 1];
        words[place] = word;
    }
    for (uint32_t i = 0; i < count; i++)
        lanes->order[i] = (uint8_t)(words[i] & (GP_MAX_LANES - 1));
    return true;
}

/* Insertion sort: lanes mostly come in runs that are in order. */
static void sort_known(struct gp_lanes *lanes)
{
    if (sort_words(lanes))
        return;
    lanes->known = 0;
    lanes->known_count = 0;
    for (gp_mask rest = lanes->active; rest != 0; rest &= rest - 1) {
        uint8_t lane = (uint8_t)__builtin_ctzll(rest);
        if (lanes->symbol[lane] == GP_SYMBOL_UNKNOWN)
            continue;
        uint32_t place = lanes->known_count++;
        for (; place > 0 && comes_after(lanes, lanes->order[place - 1], lane); place--)
            lanes->order[place] = lanes->order[place - 1];
        lanes->order[place] = lane;
        lanes->known |= (gp_mask)1 << lane;
    }
}

void gp_lanes_init(struct gp_lanes *lanes, const struct gp_access *access, uint32_t width, uint32_t warp)
{
    lanes->width = width > 0 ? width : 1;
    lanes->warp = warp;
    lanes->active = access->active & gp_lanes_below(GP_MAX_LANES);
    lanes->known = lanes->active;
    lanes->count = lanes->known_count = gp_lanes_in(lanes->active);
    lanes->symbol = access->symbol;
    lanes->offset = access->offset;
    lanes->shift = 0;
    lanes->regular = true;
    lanes->stride = 0;
    lanes->first = 0;
    if (lanes->active == 0)
        return;
    if (access->uniform) {
        uint32_t lane = (uint32_t)__builtin_ctzll(lanes->active);
        lanes->first = lanes->symbol[lane] == GP_SYMBOL_UNKNOWN ? GP_LANES_ORIGIN : position_of(lanes, lane);
        return;
    }
    lanes->regular = find_stride(lanes);
    if (!lanes->regular)
        sort_known(lanes);
}

struct gp_lanes gp_lanes_part(const struct gp_lanes *lanes, uint32_t begin, uint32_t width)
{
    struct gp_lanes part = *lanes;
    part.width = width;
    part.shift += begin;
    part.first += begin;
    return part;
}

/* ---- Distinct segments --------------------------------------------------------------------------------------- */

/* A group's part of a regular access: n lanes from the lowest position upwards, `step` apart. */
struct run {
    uint64_t lowest, step;
    uint32_t count;
};

static struct run run_of(const struct gp_lanes *lanes, gp_mask group)
{
    struct run run = {.count = gp_lanes_in(lanes->active & group)};
    if (run.count == 0)
        return run;
    uint32_t lane = (uint32_t)__builtin_ctzll(lanes->active & group);
    uint32_t rank = gp_lanes_in(lanes->active & gp_lanes_below(lane));
    run.lowest = lanes->first + (uint64_t)lanes->stride * rank;
    run.step = (uint64_t)lanes->stride;
    if (lanes->stride < 0) {
        run.lowest += (uint64_t)lanes->stride * (run.count - 1);
        run.step = -(uint64_t)lanes->stride;
    }
    return run;
}

/* Each lane's bytes lie within one aligned piece of that many bytes and start at a multiple of their width. */
static bool is_aligned(const struct run *run, uint32_t width, uint32_t size)
{
    return is_power(width) && width <= size && ((run->lowest | run->step) & (width - 1)) == 0;
}

static uint32_t segments_from(uint64_t position, uint32_t width, uint32_t shift, bool *fresh, uint64_t *next)
{
    uint64_t from = position >> shift, to = (position + width - 1) >> shift;
    if (!*fresh && from < *next)
        from = *next;
    *fresh = false;
    if (to < from)
        return 0;
    *next = to + 1;
    return (uint32_t)(to - from + 1);
}

static uint32_t segments_of_run(const struct run *run, uint32_t width, uint32_t size)
{
    uint32_t shift = log2_of(size);
    if (run->count == 0)
        return 0;
    uint64_t end = run->lowest + run->step * (run->count - 1) + width - 1;
    if (run->count == 1 || run->step <= size || run->step <= width) { /* no segment between is left out */
        uint64_t gapless = (end >> shift) - (run->lowest >> shift) + 1;
        if (size > 1 || run->step <= width)
            return (uint32_t)gapless;
    }
    if (size == 1)
        return run->count * width;
    if (is_aligned(run, width, size))
        return run->count;
    uint32_t segments = 0;
    uint64_t next = 0;
    bool fresh = true;
    for (uint32_t i = 0; i < run->count; i++)
        segments += segments_from(run->lowest + run->step * i, width, shift, &fresh, &next);
    return segments;
}

uint32_t gp_lanes_segments(const struct gp_lanes *lanes, gp_mask group, uint32_t size)
{
    if (lanes->regular) {
        struct run run = run_of(lanes, group);
        return segments_of_run(&run, lanes->width, size);
    }
    uint32_t shift = log2_of(size), symbol = 0;
    uint32_t own = lanes->width > size ? lanes->width / size : 1;
    uint32_t segments = gp_lanes_in(lanes->active & ~lanes->known & group) * (size == 1 ? lanes->width : own);
    uint64_t next = 0;
    bool fresh = true;
    for (uint32_t i = 0; i < lanes->known_count; i++) {
        uint8_t lane = lanes->order[i];
        if (!(group >> lane & 1))
            continue;
        fresh = fresh || lanes->symbol[lane] != symbol;
        symbol = lanes->symbol[lane];
        segments += segments_from(position_of(lanes, lane), lanes->width, shift, &fresh, &next);
    }
    return segments;
}

/* ---- Banks --------------------------------------------------------------------------------------------------- */

double gp_expected_fullest(uint32_t balls, uint32_t bins)
{
    /* Exact: 1 + sum over k >= 1 of P(max > k), P(max <= k) = n!/m^n [x^n] (sum of x^i/i! for i <= k)^m. Rows: 4, 8,
     * 16, 32, 64 bins. */
    static const float expected[5][32] = {
        {1.0000f, 1.2500f, 1.6875f, 2.1250f, 2.4805f, 2.8184f, 3.1855f,  3.5381f,  3.8698f,  4.1975f, 4.5340f,
         4.8631f, 5.1831f, 5.5002f, 5.8217f, 6.1390f, 6.4509f, 6.7605f,  7.0728f,  7.3825f,  7.6884f, 7.9925f,
         8.2986f, 8.6027f, 8.9040f, 9.2039f, 9.5053f, 9.8053f, 10.1029f, 10.3994f, 10.6972f, 10.9937f},
        {1.0000f, 1.1250f, 1.3594f, 1.6484f, 1.9324f, 2.1791f, 2.3933f, 2.5972f, 2.8061f, 3.0198f, 3.2311f,
         3.4347f, 3.6306f, 3.8218f, 4.0115f, 4.2014f, 4.3910f, 4.5788f, 4.7637f, 4.9459f, 5.1261f, 5.3053f,
         5.4840f, 5.6620f, 5.8391f, 6.0148f, 6.1891f, 6.3622f, 6.5344f, 6.7061f, 6.8773f, 7.0478f},
        {1.0000f, 1.0625f, 1.1836f, 1.3486f, 1.5368f, 1.7273f, 1.9049f, 2.0629f, 2.2027f, 2.3303f, 2.4527f,
         2.5752f, 2.6998f, 2.8263f, 2.9530f, 3.0782f, 3.2005f, 3.3193f, 3.4346f, 3.5471f, 3.6576f, 3.7670f,
         3.8758f, 3.9844f, 4.0929f, 4.2010f, 4.3085f, 4.4151f, 4.5206f, 4.6250f, 4.7282f, 4.8304f},
        {1.0000f, 1.0313f, 1.0928f, 1.1808f, 1.2893f, 1.4110f, 1.5383f, 1.6646f, 1.7847f, 1.8955f, 1.9960f,
         2.0866f, 2.1693f, 2.2463f, 2.3200f, 2.3924f, 2.4649f, 2.5382f, 2.6127f, 2.6881f, 2.7641f, 2.8401f,
         2.9155f, 2.9900f, 3.0631f, 3.1347f, 3.2046f, 3.2729f, 3.3396f, 3.4051f, 3.4694f, 3.5329f},
        {1.0000f, 1.0156f, 1.0466f, 1.0921f, 1.1503f, 1.2192f, 1.2964f, 1.3791f, 1.4647f, 1.5509f, 1.6353f,
         1.7165f, 1.7931f, 1.8644f, 1.9303f, 1.9909f, 2.0466f, 2.0982f, 2.1464f, 2.1921f, 2.2361f, 2.2791f,
         2.3216f, 2.3642f, 2.4071f, 2.4505f, 2.4946f, 2.5392f, 2.5844f, 2.6300f, 2.6758f, 2.7218f},
    };
    if (balls == 0)
        return 0;
    uint32_t row = bins <= 4 ? 0 : bins <= 8 ? 1 : bins <= 16 ? 2 : bins <= 32 ? 3 : 4;
    return balls <= 32 ? (double)expected[row][balls - 1] : (double)expected[row][31] * balls / 32;
}

/* Distinct words per bank, or lines, counted in ascending order. */
struct bank_count {
    uint32_t shift; /* of a position: what is counted has 1 << shift bytes */
    uint32_t banks;
    bool wide;                    /* 64-bit banks: two words of one row come together */
    uint32_t words[GP_MAX_LANES]; /* per bank */
    uint64_t row[GP_MAX_LANES];   /* the row counted last */
    uint32_t fullest;
};

static void count_word(struct bank_count *count, uint64_t word)
{
    uint32_t bank = (uint32_t)(word & (count->banks - 1));
    uint64_t row = word / (count->banks * (count->wide ? 2u : 1u)) + 1;
    if (count->wide && count->row[bank] == row)
        return;
    count->row[bank] = row;
    if (++count->words[bank] > count->fullest)
        count->fullest = count->words[bank];
}

static void count_words(struct bank_count *count, uint64_t position, uint32_t width, bool *fresh, uint64_t *next)
{
    uint64_t from = position >> count->shift, to = (position + width - 1) >> count->shift;
    if (!*fresh && from < *next)
        from = *next;
    *fresh = false;
    for (uint64_t word = from; word <= to; word++)
        count_word(count, word);
    if (to >= from)
        *next = to + 1;
}

static uint32_t count_banks(const struct gp_lanes *lanes, gp_mask group, uint32_t banks, bool wide, uint32_t shift)
{
    struct bank_count count = {.shift = shift, .banks = banks, .wide = wide};
    uint64_t next = 0;
    bool fresh = true;
    if (lanes->regular) {
        struct run run = run_of(lanes, group);
        for (uint32_t i = 0; i < run.count; i++)
            count_words(&count, run.lowest + run.step * i, lanes->width, &fresh, &next);
        return count.fullest;
    }
    uint32_t symbol = 0;
    for (uint32_t i = 0; i < lanes->known_count; i++) {
        uint8_t lane = lanes->order[i];
        if (!(group >> lane & 1))
            continue;
        if (!fresh && lanes->symbol[lane] != symbol) { /* another array: other words */
            fresh = true;
            memset(count.row, 0, sizeof count.row);
        }
        symbol = lanes->symbol[lane];
        count_words(&count, position_of(lanes, lane), lanes->width, &fresh, &next);
    }
    return count.fullest;
}

/*
 * Arithmetic for the usual regular accesses; 0 where it does not apply. Lanes of v words that start at multiples of v
 * words see banks/v banks of v words; a stride of t such units visits banks/v / gcd(t, banks/v) of them.
 */
static uint32_t banks_of_run(const struct run *run, uint32_t width, uint32_t banks)
{
    if (run->step <= 4 || run->step <= width) { /* a range of words without gaps */
        uint64_t words = ((run->lowest + run->step * (run->count - 1) + width - 1) >> 2) - (run->lowest >> 2) + 1;
        return (uint32_t)((words + banks - 1) / banks);
    }
    uint32_t unit = width < 4 ? 4 : width;
    if (unit / 4 > banks || !is_power(unit) || run->step % unit != 0 || !is_aligned(run, width, unit))
        return 0;
    uint32_t units = banks / (unit / 4);
    uint32_t visited = units / (uint32_t)gp_greatest_common_divisor((uint32_t)(run->step / unit & (units - 1)), units);
    return (run->count + visited - 1) / visited;
}

static double random_passes(const struct gp_lanes *lanes, gp_mask group, uint32_t banks)
{
    uint32_t words = lanes->width <= 4 ? 1 : lanes->width / 4;
    uint32_t bins = words < banks ? banks / words : 1;
    return gp_expected_fullest(gp_lanes_in(lanes->active & group), bins);
}

double gp_lanes_bank_passes(const struct gp_lanes *lanes, gp_mask group, uint32_t banks)
{
    if (lanes->active & ~lanes->known & group)
        return random_passes(lanes, group, banks);
    if (lanes->regular) {
        struct run run = run_of(lanes, group);
        if (run.count == 0)
            return 0;
        uint32_t passes = banks_of_run(&run, lanes->width, banks);
        if (passes != 0)
            return passes;
    }
    return count_banks(lanes, group, banks, false, 2);
}

double gp_lanes_wide_bank_passes(const struct gp_lanes *lanes, gp_mask group, uint32_t banks)
{
    if (lanes->active & ~lanes->known & group)
        return random_passes(lanes, group, banks);
    return count_banks(lanes, group, banks, true, 2);
}

double gp_lanes_tag_passes(const struct gp_lanes *lanes, gp_mask group, uint32_t line, uint32_t banks)
{
    if (lanes->active & ~lanes->known & group)
        return gp_expected_fullest(gp_lanes_in(lanes->active & group), banks);
    if (lanes->regular &&
        (uint64_t)(lanes->stride < 0 ? -lanes->stride : lanes->stride) <= line) /* one line after the other */
        return (gp_lanes_segments(lanes, group, line) + banks - 1) / banks;
    return count_banks(lanes, group, banks, false, log2_of(line));
}

uint32_t gp_lanes_same_address(const struct gp_lanes *lanes)
{
    if (lanes->regular)
        return lanes->stride == 0 ? lanes->count : 1;
    uint32_t most = 1, same = 0;
    for (uint32_t i = 0; i < lanes->known_count; i++) {
        bool again = i > 0 && !comes_after(lanes, lanes->order[i], lanes->order[i - 1]);
        same = again ? same + 1 : 1;
        if (same > most)
            most = same;
    }
    return most;
}
