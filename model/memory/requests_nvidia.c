/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * NVIDIA's memory rules: CUDA C Programming Guide, the sections per compute capability (1.x to 3.x: versions 4.2 and 5
 * to 8; later ones: the current version), unless a function says otherwise.
 */
#include "model/memory/request_rules.h"

enum { SECTOR = 32, LINE = 128 };

/* ---- Lane groups --------------------------------------------------------------------------------------------- */

/* A warp's access is taken at once up to 32 bits per lane, by halves for 64 bits, by quarters for 128 bits. */
static uint32_t lanes_at_once(uint32_t piece) { return piece <= 4 ? 32 : piece <= 8 ? 16 : 8; }

/* What a piece of an access costs: passes of the data banks, lines looked up, the worst group's conflict. */
struct pass_count {
    double passes, lines, degree;
};

/* Adds groups of lanes that are served together. line 0: there are no tags to look up. */
static void add_group(struct pass_count *count, const struct gp_lanes *lanes, gp_mask group, double passes,
                      uint32_t line)
{
    count->lines += line > 0 ? gp_lanes_segments(lanes, group, line) : 0;
    count->passes += passes;
    count->degree = gp_max(count->degree, passes);
}

/*
 * Groups are taken together as long as no bank has to deliver two words: halves and quarters that read the same words
 * cost one pass (as reported for 64 and 128 bits by those who measured it; the guide tells only of 32 bits), quarters
 * only where joins_quarters.
 */
static void count_piece(struct pass_count *count, const struct gp_lanes *lanes, uint32_t banks, uint32_t line,
                        bool joins_quarters)
{
    uint32_t size = lanes_at_once(lanes->width);
    gp_mask together = 0;
    double passes = 0;
    for (uint32_t i = 0; i * size < lanes->warp; i++) {
        gp_mask group = gp_group(i, size) & lanes->active;
        if (group == 0)
            continue;
        if (together != 0 && (size > 8 || joins_quarters) && passes <= 1 &&
            gp_lanes_bank_passes(lanes, together | group, banks) <= 1) {
            together |= group;
            continue;
        }
        if (together != 0)
            add_group(count, lanes, together, passes, line);
        together = group;
        passes = gp_lanes_bank_passes(lanes, group, banks);
    }
    if (together != 0)
        add_group(count, lanes, together, passes, line);
}

/*
 * Whether quarters that read the same words of local memory are served together: not where the load/store units take a
 * whole warp's addresses in a cycle, as an A100's, which takes four passes for what all lanes read in 128 bits
 * (docs/benchmarks.md, "Tuned matrix multiplications").
 */
static bool joins_quarters(const struct gp_device *device) { return device->lsu_lanes.value < 32; }

/* Cycles in which the load/store units take a warp's addresses, so many lanes' per cycle, for all pieces of the access.
 */
static double cycles_at(const struct gp_request_context *c, double lanes)
{
    return c->pieces * c->lanes.warp / gp_or(lanes, c->lanes.warp);
}

static double address_cycles(const struct gp_request_context *c) { return cycles_at(c, c->device->lsu_lanes.value); }

/* ---- Local (shared) memory ----------------------------------------------------------------------------------- */

/*
 * Cycles for that many passes: a pass delivers a word of each bank. Fewer bytes per cycle than that: a pass takes
 * longer.
 */
static double shared_cycles(const struct gp_request_context *c, double passes, double pass_bytes)
{
    return gp_max(address_cycles(c), passes * pass_bytes / gp_or(c->device->smem_bytes_per_clk.value, pass_bytes));
}

/*
 * Cycles in which what a load found is written to registers: 128 bits of 8 lanes, 64 of 16 or 32 of 32 at a time, at
 * the rate of the wider of the two paths, also where all lanes read the same words. (A float4 that all lanes read costs
 * an RTX 2080 Ti 8 cycles and an RTX 500 Ada 4.4, four floats from four arrays 8 and 8.3: docs/benchmarks.md,
 * "Potentials".)
 */
static double write_back_cycles(const struct gp_request_context *c)
{
    double rate = gp_max(c->device->l1_bytes_per_clk.value, c->device->smem_bytes_per_clk.value);
    return c->load && rate > 0 ? c->pieces * gp_groups_active(&c->lanes, lanes_at_once(c->piece)) * LINE / rate : 0;
}

/*
 * Of 128 bits from Turing's shared memory, whose path is L1's: what lanes share is delivered in fewer passes, but
 * written all the same. (Not on GA10x: an RTX A6000's 8.5 TFLOP/s in tiles whose rows ptxas reads so,
 * siboehm.com/articles/22/CUDA-MMM, leave no more than 2 cycles for each.) Elsewhere passes say it all.
 */
static double shared_write_back(const struct gp_request_context *c)
{
    return c->piece > 8 && c->device->smem_write_back.value > 0 ? write_back_cycles(c) : 0;
}

static void finish_shared(const struct gp_request_context *c, struct gp_request *r, double pass_bytes)
{
    double written = shared_write_back(c);
    r->wavefronts = gp_max(written, shared_cycles(c, r->passes, pass_bytes));
    r->ideal_wavefronts = gp_max(written, shared_cycles(c, r->ideal_passes, pass_bytes));
}

/* Compute capability 5.x and later: 32 banks of 32 bits, any number of lanes may share a word. */
static void shared_maxwell(const struct gp_request_context *c, struct gp_request *r)
{
    uint32_t banks = gp_banks(c->device, 32);
    struct pass_count count = {0};
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        count_piece(&count, &part, banks, 0, joins_quarters(c->device));
    }
    r->passes = count.passes;
    r->conflict_degree = count.degree;
    double apart = c->piece > 8 && !joins_quarters(c->device)
                       ? c->pieces * gp_groups_active(&c->lanes, lanes_at_once(c->piece))
                       : 1; /* passes, whatever the lanes ask for */
    r->ideal_passes = gp_max(apart, gp_round_up(r->useful_bytes, banks * 4.0));
    if (r->ideal_passes > r->passes)
        r->ideal_passes = r->passes;
    finish_shared(c, r, banks * 4.0);
}

/*
 * 3.x in its 32-bit bank mode, the default: 32 banks that are 64 bits wide. A whole warp's 64-bit access is one pass, a
 * 128-bit access is taken by halves.
 */
static void shared_kepler(const struct gp_request_context *c, struct gp_request *r)
{
    uint32_t banks = gp_banks(c->device, 32), size = c->piece <= 8 ? 32 : 16;
    r->passes = 0;
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        for (uint32_t g = 0; g * size < part.warp; g++) {
            double passes = gp_lanes_wide_bank_passes(&part, gp_group(g, size), banks);
            r->passes += passes;
            r->conflict_degree = gp_max(r->conflict_degree, passes);
        }
    }
    r->ideal_passes = gp_max(gp_groups_active(&c->lanes, size), gp_round_up(r->useful_bytes, banks * 8.0));
    if (r->ideal_passes > r->passes)
        r->ideal_passes = r->passes;
    finish_shared(c, r, banks * 8.0);
}

/*
 * 2.x: 32 banks of 32 bits. 64 bits by halves, 128 bits by quarters, and a quarter takes one pass more than its
 * conflicts say ("one must add 1 to the maximum number of threads in a quarter-warp that access different addresses
 * belonging to the same bank").
 */
static void shared_fermi(const struct gp_request_context *c, struct gp_request *r)
{
    uint32_t banks = gp_banks(c->device, 32), size = lanes_at_once(c->piece);
    double extra = c->piece > 8 ? 1 : 0;
    r->passes = r->ideal_passes = 0;
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        for (uint32_t g = 0; g * size < part.warp; g++) {
            double passes = gp_lanes_bank_passes(&part, gp_group(g, size), banks);
            if (passes <= 0)
                continue;
            r->passes += passes + extra;
            r->ideal_passes += 1 + extra;
            r->conflict_degree = gp_max(r->conflict_degree, passes);
        }
    }
    finish_shared(c, r, banks * 4.0);
}

/*
 * 1.x: 16 banks, a half-warp at a time, in steps. "Select one of the words pointed to by the remaining addresses as the
 * broadcast word; include in the subset: all addresses that are within the broadcast word, one address for each bank
 * (other than the broadcasting bank) pointed to by the remaining addresses." Which word is chosen is unspecified; here
 * the one with most readers left, the lowest lane's of several. A store has no broadcast: each address is its own.
 */
static uint32_t steps_tesla(const uint64_t *words, uint32_t count, uint32_t banks, bool broadcast)
{
    uint8_t first[16], readers[16] = {0}; /* the first lane with the same word, and how many have it */
    gp_mask banks_used = 0, left = gp_lanes_below(count);
    for (uint32_t i = 0; i < count; i++) {
        banks_used |= (gp_mask)1 << (words[i] & (banks - 1));
        for (first[i] = 0; words[first[i]] != words[i];)
            first[i]++;
        readers[first[i]]++;
    }
    if ((uint32_t)__builtin_popcountll(banks_used) == count || (broadcast && readers[0] == count))
        return count > 0;
    uint32_t steps = 0;
    for (; left != 0; steps++) {
        uint32_t best = (uint32_t)__builtin_ctzll(left), most = 0;
        for (gp_mask i = left; i != 0 && broadcast; i &= i - 1) {
            uint32_t lane = (uint32_t)__builtin_ctzll(i);
            if (readers[first[lane]] > most) {
                most = readers[first[lane]];
                best = lane;
            }
        }
        gp_mask used = (gp_mask)1 << (words[best] & (banks - 1));
        for (gp_mask i = left; i != 0; i &= i - 1) {
            uint32_t lane = (uint32_t)__builtin_ctzll(i);
            gp_mask bank = (gp_mask)1 << (words[lane] & (banks - 1));
            if (lane != best && !(broadcast && words[lane] == words[best])) {
                if (used & bank)
                    continue;
                used |= bank;
            }
            readers[first[lane]]--;
            left &= ~((gp_mask)1 << lane);
        }
    }
    return steps;
}

/*
 * "A 64-bit access is compiled into two separate 32-bit requests", a 128-bit one into four: each lane's first words,
 * its second ...
 */
static void shared_tesla(const struct gp_request_context *c, struct gp_request *r)
{
    const struct gp_lanes *lanes = &c->lanes;
    uint32_t banks = gp_banks(c->device, 16), requests = (lanes->width + 3) / 4;
    r->passes = r->ideal_passes = 0;
    for (uint32_t g = 0; g * 16 < lanes->warp; g++) {
        gp_mask group = lanes->active & gp_group(g, 16);
        if (group == 0)
            continue;
        uint64_t words[16];
        uint32_t count = 0;
        bool unknown = (group & ~lanes->known) != 0;
        for (gp_mask rest = group; rest != 0; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctzll(rest);
            words[count++] = (gp_lanes_position(lanes, lane) >> 2) + ((uint64_t)gp_lanes_symbol(lanes, lane) << 40);
        }
        double steps = unknown ? gp_expected_fullest(count, banks) : steps_tesla(words, count, banks, c->load);
        r->passes += steps * requests;
        r->ideal_passes += requests;
        r->conflict_degree = gp_max(r->conflict_degree, steps);
    }
    finish_shared(c, r, banks * 4.0);
}

/* ---- Constant memory ----------------------------------------------------------------------------------------- */

/* "A request is split into as many separate requests as there are different memory addresses in the initial request."
 */
static void constant_nvidia(const struct gp_request_context *c, struct gp_request *r)
{
    gp_mask all = c->lanes.active;
    uint32_t addresses = gp_lanes_segments(&c->lanes, all, 4);
    uint32_t words = c->lanes.width < 4 ? 1 : c->lanes.width / 4, line = gp_constant_line(c->device);
    r->transactions = gp_lanes_uniform(&c->lanes) ? 1 : gp_max(1, gp_round_up(addresses, words));
    r->lines = gp_lanes_segments(&c->lanes, all, line);
    r->bytes = r->lines * line;
    r->cell = 4.0 * words;
    r->ideal_transactions = 1;
    r->ideal_wavefronts = gp_or(c->device->const_clk.value, 1);
    r->wavefronts = r->transactions * r->ideal_wavefronts;
}

/* ---- Global memory ------------------------------------------------------------------------------------------- */

/*
 * L1's tag stage looks up some lines a cycle, four on those that were measured, and takes a cycle more where there are
 * several. Two, of a row that begins within a line, take less than such a cycle: 1.11 on an H100 where nothing else is
 * waited for (bench/gpu/results/h100), 1.24 to 1.47 in gpu-benches' gpu-strides.
 */
static double tag_cycles(const struct gp_device *device, double lines)
{
    double at_once = gp_or(device->l1_lines_per_clk.value, 4);
    return lines > 2 ? 1 + lines / at_once : lines > 1 ? 1 + 1 / at_once : 1;
}

/* Its data stage: as shared memory's banks (the two are one memory since 7.0; measured by the same from 7.0 on). */
static double l1_cycles(const struct gp_request_context *c, double passes, double pass_bytes)
{
    return gp_max(c->load ? cycles_at(c, c->device->load_lanes.value) : address_cycles(c),
                  passes * pass_bytes / gp_or(c->device->l1_bytes_per_clk.value, pass_bytes));
}

/*
 * What L1 delivers in a cycle are words of so many banks: where that is half a line, a line takes two, but 32 words of
 * 32 lines 32, not 64. (Naive matrix multiplication on an A6000, 4096 cubed, a row per lane: 309 GFLOP/s,
 * siboehm.com/articles/22/CUDA-MMM: 31 cycles for each such load.)
 */
static uint32_t l1_banks(const struct gp_device *device)
{
    uint32_t words = (uint32_t)device->l1_bytes_per_clk.value / 4;
    return words > 0 && words < LINE / 4 && (words & (words - 1)) == 0 ? words : LINE / 4;
}

/* Compute capability 5.x and later: sectors of 32 bytes move, lines of 128 bytes are looked up. */
static void global_maxwell(const struct gp_request_context *c, struct gp_request *r)
{
    uint32_t sector = gp_power_or(c->device->l1_sector.value, SECTOR),
             line = gp_power_or(c->device->l1_line.value, LINE);
    uint32_t banks = l1_banks(c->device);
    double pass_bytes = 4.0 * banks;
    struct pass_count count = {0};
    r->transactions = gp_lanes_segments(&c->lanes, c->lanes.active, sector);
    r->bytes = r->transactions * sector;
    r->ideal_transactions = gp_round_up(r->useful_bytes, sector);
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        count_piece(&count, &part, banks, line, true);
    }
    r->lines = count.lines;
    double ideal = gp_max(1, gp_round_up(r->useful_bytes, pass_bytes)), written = write_back_cycles(c);
    double tags = tag_cycles(c->device, gp_lanes_segments(&c->lanes, c->lanes.active, line));
    r->wavefronts = gp_max(gp_max(written, tags), l1_cycles(c, count.passes, pass_bytes));
    r->ideal_wavefronts = gp_max(written, l1_cycles(c, ideal < count.passes ? ideal : count.passes, pass_bytes));
    if (r->transactions <= r->ideal_transactions + 1 &&
        count.passes <= ideal) /* begins within a line: no order of the lanes spares the other one */
        r->ideal_wavefronts = r->wavefronts;
}

/* 2.x and 3.x: the access is replayed for each line of 128 bytes; what moves differs. */
static void replay_lines(const struct gp_request_context *c, struct gp_request *r, uint32_t segment)
{
    uint32_t size = lanes_at_once(c->piece);
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        for (uint32_t g = 0; g * size < part.warp; g++) {
            r->transactions += gp_lanes_segments(&part, gp_group(g, size), segment);
            r->lines += gp_lanes_segments(&part, gp_group(g, size), LINE);
        }
    }
    r->bytes = r->transactions * segment;
    r->ideal_transactions = gp_round_up(r->useful_bytes, segment);
    r->wavefronts = l1_cycles(c, r->lines, LINE);
    double ideal = gp_round_up(r->useful_bytes, LINE);
    r->ideal_wavefronts = l1_cycles(c, ideal < r->lines ? ideal : r->lines, LINE);
}

/* 2.x: loads move whole lines into L1; stores and atomics go to L2 in segments of 32 bytes. */
static void global_fermi(const struct gp_request_context *c, struct gp_request *r)
{
    replay_lines(c, r, c->load && c->device->l1_size.value > 0 ? LINE : SECTOR);
}

/* 3.x: global memory is cached in L2 only: segments of 32 bytes. */
static void global_kepler(const struct gp_request_context *c, struct gp_request *r) { replay_lines(c, r, SECTOR); }

/* Half-warps with active lanes: none of them can be served together before 2.0. */
static void finish_tesla(const struct gp_request_context *c, struct gp_request *r, double largest)
{
    r->lines = r->transactions;
    r->ideal_transactions = gp_max(gp_groups_active(&c->lanes, 16), gp_round_up(r->useful_bytes, largest));
    if (r->ideal_transactions > r->transactions)
        r->ideal_transactions = r->transactions;
    r->wavefronts = gp_max(address_cycles(c), r->transactions);
    r->ideal_wavefronts = gp_max(address_cycles(c), r->ideal_transactions);
}

/*
 * 1.0 and 1.1: lane k of the half-warp must access the k-th word, of 4, 8 or 16 bytes, of a segment that is aligned to
 * 16 words (128 bytes for words of 16); then it is one transaction of 64 or 128 bytes, or two of 128. Otherwise each
 * lane has its own, of at least 32.
 */
static bool is_in_step(const struct gp_lanes *lanes, gp_mask group, uint32_t first_lane)
{
    uint32_t width = lanes->width;
    if ((width != 4 && width != 8 && width != 16) || (group & ~lanes->known) ||
        (gp_lanes_uniform(lanes) && (group & (group - 1))))
        return false;
    uint32_t first = (uint32_t)__builtin_ctzll(group);
    uint64_t base = gp_lanes_position(lanes, first) - (uint64_t)(first - first_lane) * width;
    if (base % (width == 4 ? 64 : 128) != 0)
        return false;
    for (gp_mask rest = group; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        if (gp_lanes_position(lanes, lane) != base + (uint64_t)(lane - first_lane) * width ||
            gp_lanes_symbol(lanes, lane) != gp_lanes_symbol(lanes, first))
            return false;
    }
    return true;
}

static void global_tesla1(const struct gp_request_context *c, struct gp_request *r)
{
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        for (uint32_t g = 0; g * 16 < part.warp; g++) {
            gp_mask group = part.active & gp_group(g, 16);
            if (group == 0)
                continue;
            bool together = is_in_step(&part, group, g * 16);
            double transactions = together ? (c->piece == 16 ? 2 : 1) : __builtin_popcountll(group);
            r->transactions += transactions;
            r->bytes += transactions * (together ? (c->piece == 4 ? 64 : 128) : SECTOR);
        }
    }
    finish_tesla(c, r, c->piece <= 4 ? 64 : 128);
}

/*
 * 1.2 and 1.3: the half-warp's addresses are gathered by segments (32 bytes for words of 1 byte, 64 for 2, else 128),
 * whatever their order; a segment of which only one half is used is halved, down to 32 bytes. Counting touched chunks
 * of 32 bytes by segment is the same.
 */
struct chunk_count {
    double transactions, bytes;
};

static void count_segment(struct chunk_count *count, uint32_t chunks, uint32_t segment)
{
    if (chunks == 0)
        return;
    bool low = chunks & 0x3, high = chunks & 0xc;
    uint32_t half = low ? chunks & 0x3 : chunks >> 2;
    count->transactions += 1;
    count->bytes += segment == 32 ? 32 : low && high ? 128 : half == 3 ? 64 : 32;
}

static struct chunk_count count_chunks(const struct gp_lanes *lanes, gp_mask group)
{
    uint32_t segment = lanes->width == 1 ? 32 : lanes->width == 2 ? 64 : 128;
    struct chunk_count count = {0};
    gp_mask left = group & lanes->known;
    uint32_t unknown = (uint32_t)__builtin_popcountll(group & ~lanes->known),
             own = lanes->width > 32 ? lanes->width / 32 : 1;
    count.transactions = unknown;
    count.bytes = (double)unknown * own * 32;
    while (left != 0) {
        uint32_t first = (uint32_t)__builtin_ctzll(left), chunks = 0;
        uint64_t base = gp_lanes_position(lanes, first) / segment;
        for (gp_mask rest = left; rest != 0; rest &= rest - 1) {
            uint32_t lane = (uint32_t)__builtin_ctzll(rest);
            uint64_t position = gp_lanes_position(lanes, lane);
            if (gp_lanes_symbol(lanes, lane) != gp_lanes_symbol(lanes, first) || position / segment != base)
                continue;
            uint32_t from = (uint32_t)(position % segment / 32),
                     to = (uint32_t)((position % segment + lanes->width - 1) / 32);
            for (uint32_t chunk = from; chunk <= to && chunk < 4; chunk++)
                chunks |= 1u << chunk;
            left &= ~(rest & -rest);
        }
        count_segment(&count, chunks, segment);
    }
    return count;
}

static void global_tesla2(const struct gp_request_context *c, struct gp_request *r)
{
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        for (uint32_t g = 0; g * 16 < part.warp; g++) {
            struct chunk_count count = count_chunks(&part, part.active & gp_group(g, 16));
            r->transactions += count.transactions;
            r->bytes += count.bytes;
        }
    }
    finish_tesla(c, r, LINE);
}

/* ---- Tables -------------------------------------------------------------------------------------------------- */

/*
 * Block-linear surfaces: 512-byte tiles of 64 bytes x 8 rows, in which a sector of 32 bytes is 16 bytes x 2 rows and a
 * line of 128 bytes 32 bytes x 4 rows (Tegra X1 technical reference manual, "Block Linear").
 */
static const struct gp_texel_layout block_linear = {
    .block_bytes = 32, .block_rows = 2, .line_bytes = 128, .line_rows = 4};

const struct gp_request_rules gp_rules_tesla1 = {global_tesla1, constant_nvidia, shared_tesla, &block_linear};
const struct gp_request_rules gp_rules_tesla2 = {global_tesla2, constant_nvidia, shared_tesla, &block_linear};
const struct gp_request_rules gp_rules_fermi = {global_fermi, constant_nvidia, shared_fermi, &block_linear};
const struct gp_request_rules gp_rules_kepler = {global_kepler, constant_nvidia, shared_kepler, &block_linear};
const struct gp_request_rules gp_rules_maxwell = {global_maxwell, constant_nvidia, shared_maxwell, &block_linear};
