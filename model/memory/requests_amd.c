/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * AMD's memory rules: the architecture whitepapers and ISA documents (GCN3, "Vega", CDNA, RDNA), the APP programming
 * guide for HD 6970.
 */
#include "model/memory/request_rules.h"

#include <math.h>

enum { PORT_LANES = 16 };

/* ---- Local memory (LDS): 32 banks of 32 bits ----------------------------------------------------------------- */

/*
 * Each pair of SIMDs has a port to local memory and one back: data that come back, or addresses and data that go out
 * (HIP documentation, "Hardware implementation"; ROCm Compute Profiler, "Local data share", whose example is a store of
 * 4 bytes by 64 lanes that takes 8 cycles, one of 16 bytes 20). GCN's CU has two pairs, which together send what the
 * banks deliver; RDNA's has one. Quarters of a wave that are switched off are not sent.
 */
static double port_cycles(const struct gp_request_context *c)
{
    double ports = c->device->smem_port_bytes.value;
    if (ports <= 0)
        return 0;
    double address = c->load ? 0 : 4, lanes = PORT_LANES * gp_groups_active(&c->lanes, PORT_LANES);
    return lanes * c->pieces * (address + 4 * gp_round_up(c->piece, 4)) / ports;
}

/*
 * A pass over the banks takes as long as what it can deliver takes on the way to its SIMDs: a row of words on RDNA two
 * cycles. A conflict, whose passes deliver less, goes on at that pace: a tile 16 wide without padding takes a W7800 1.7
 * times what the same takes with padding, where two passes of one cycle would hide behind the port.
 */
static double pass_cycles(const struct gp_request_context *c, gp_mask group, double row)
{
    double ports = c->device->smem_port_bytes.value, cycles = row / gp_or(c->device->smem_bytes_per_clk.value, row),
           quarters = 0;
    for (gp_mask rest = group; rest != 0; rest &= ~gp_group((uint32_t)__builtin_ctzll(rest) / PORT_LANES, PORT_LANES))
        quarters++;
    double bytes = fmin(row, quarters * PORT_LANES * 4 * gp_round_up(c->piece, 4));
    return ports <= 0 ? cycles : gp_max(cycles, bytes / ports);
}

/*
 * 32 lanes are taken per cycle up to 64 bits each (a 64-bit access then needs two words from each bank), 8 lanes for
 * 128 bits. Any number of lanes may share a word. Which 8 lanes belong together is not documented for all chips;
 * neighbours are assumed.
 */
static void local_amd(const struct gp_request_context *c, struct gp_request *r)
{
    uint32_t banks = gp_banks(c->device, 32), size = c->piece <= 8 ? 32 : 8;
    struct gp_bank_cycles cycles = gp_take_banks(c, banks, size, pass_cycles, r);
    r->wavefronts = gp_max(cycles.all, port_cycles(c));
    r->ideal_wavefronts = gp_max(cycles.ideal, port_cycles(c));
}

/* ---- Scalar loads -------------------------------------------------------------------------------------------- */

/* What is uniform at compile time goes through the scalar data cache, one access for the wave: none of the vector
 * unit's cycles. */
static void scalar_load(const struct gp_request_context *c, struct gp_request *r)
{
    struct gp_lanes lane = c->lanes;
    uint32_t line = gp_constant_line(c->device);
    r->transactions = r->lines = gp_lanes_segments(&lane, lane.active, line);
    r->bytes = r->transactions * line;
    r->ideal_transactions = gp_round_up(r->useful_bytes, line);
    r->wavefronts = r->ideal_wavefronts = 0;
}

static bool is_scalar(const struct gp_request_context *c)
{
    return c->load && c->scalar && gp_lanes_uniform(&c->lanes) && c->device->scalar_unit.value > 0 &&
           !(c->memory->flags & GP_MEMORY_VOLATILE);
}

/* ---- Global memory ------------------------------------------------------------------------------------------- */

/* Lines that move, and the lookups that each group of lanes makes for itself; the cycles of the lookups. */
static double look_up_lines(const struct gp_request_context *c, struct gp_request *r, uint32_t line,
                            double (*cycles_of)(const struct gp_request_context *c, const struct gp_lanes *part,
                                                gp_mask group, double lines),
                            uint32_t size)
{
    double cycles = 0;
    r->transactions = gp_lanes_segments(&c->lanes, c->lanes.active, line);
    r->bytes = r->transactions * line;
    r->ideal_transactions = gp_round_up(r->useful_bytes, line);
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        for (uint32_t g = 0; g * size < part.warp; g++) {
            gp_mask group = part.active & gp_group(g, size);
            if (group == 0)
                continue;
            double lines = gp_lanes_segments(&part, group, line);
            r->lines += lines;
            cycles += cycles_of(c, &part, group, lines);
        }
    }
    return cycles;
}

/* lanes: addresses per cycle. */
static void finish_wavefronts(const struct gp_request_context *c, struct gp_request *r, double cycles, double ideal,
                              double bytes_per_cycle, double lanes)
{
    double scale = bytes_per_cycle / gp_or(c->device->l1_bytes_per_clk.value, bytes_per_cycle),
           address = c->pieces * c->lanes.warp / lanes;
    r->wavefronts = gp_max(address, cycles * scale);
    r->ideal_wavefronts = gp_max(address, (ideal < cycles ? ideal : cycles) * scale);
}

/*
 * GCN and CDNA: the texture addresser takes 16 lanes per cycle, as 4 quads of neighbours; L1 delivers a line of 64
 * bytes per cycle. Measured on MI210 (RRZE gpu-benches, gpu-strides; gpu-cache): 16 lanes take a cycle for 32 bits side
 * by side, 4 for 64 bits (32 bytes per cycle) and 4 for 128 bits (64 bytes per cycle). Where the lanes of a quad are
 * not side by side, each aligned 16 bytes that the quad needs take a cycle: stride 2 takes 8 cycles, stride 4 and
 * more 16. Quads themselves may lie anywhere. Of 128 bits a quad takes a cycle for each line: matrix multiplications
 * whose lanes read every other 16 bytes would else seem twice as slow beside others as they are (docs/benchmarks.md,
 * "Tuned matrix multiplications").
 */
static double quad_cycles(const struct gp_lanes *part, gp_mask quad)
{
    const uint32_t apart_by = part->width < 16 ? 16 : 64;
    uint32_t lanes = (uint32_t)__builtin_popcountll(quad), span = 4 * part->width;
    double together = part->width <= 4 ? 0.25 : 1;
    if (gp_lanes_uniform(part))
        return together;
    if (part->regular) {
        uint64_t step = (uint64_t)(part->stride < 0 ? -part->stride : part->stride);
        if (step * (lanes - 1) + part->width <= span)
            return together;
        return gp_lanes_segments(part, quad, apart_by);
    }
    uint64_t lowest = UINT64_MAX, highest = 0;
    bool apart = (quad & ~part->known) != 0;
    uint32_t symbol = gp_lanes_symbol(part, (uint32_t)__builtin_ctzll(quad));
    for (gp_mask rest = quad & part->known; rest != 0; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(rest);
        uint64_t position = gp_lanes_position(part, lane);
        lowest = position < lowest ? position : lowest;
        highest = position > highest ? position : highest;
        apart = apart || gp_lanes_symbol(part, lane) != symbol;
    }
    if (!apart && highest - lowest + part->width <= span)
        return together;
    return gp_lanes_segments(part, quad, apart_by);
}

static double gcn_group_cycles(const struct gp_request_context *c, const struct gp_lanes *part, gp_mask group,
                               double lines)
{
    (void)c;
    double cycles = 0;
    for (uint32_t q = 0; q * 4 < part->warp; q++) {
        gp_mask quad = group & gp_group(q, 4);
        if (quad != 0)
            cycles += quad_cycles(part, quad);
    }
    return gp_max(lines, cycles);
}

/*
 * L1 is behind the translation of addresses. A wave whose lanes are in more pages than the CU's translations are for
 * asks L2's for each again (ROCm Compute Profiler, "vL1D address translation"): no hit in L1 makes up for that.
 * Measured: hwdb/mi250x.yaml.
 */
static double translation_cycles(const struct gp_request_context *c)
{
    const uint32_t page = 65536;
    bool known = (c->lanes.active & ~c->lanes.known) == 0; /* what data decides may as well lie in one page */
    double most = c->device->tlb_pages.value,
           pages = most > 0 && known ? gp_lanes_segments(&c->lanes, c->lanes.active, page) : 0;
    return pages > most ? pages * c->device->tlb_clk.value : 0;
}

static void global_gcn(const struct gp_request_context *c, struct gp_request *r)
{
    if (is_scalar(c)) {
        scalar_load(c, r);
        return;
    }
    double cycles = look_up_lines(c, r, gp_power_or(c->device->l1_line.value, 64), gcn_group_cycles, 16);
    cycles = gp_max(cycles, translation_cycles(c));
    double ideal = c->piece < 8 ? r->useful_bytes / 64 : c->pieces * gp_groups_active(&c->lanes, 4); /* shared or not */
    finish_wavefronts(c, r, cycles, gp_max(gp_groups_active(&c->lanes, 16), ideal), 64,
                      gp_or(c->device->lsu_lanes.value, 16));
}

static double cycle_per_line(const struct gp_request_context *c, const struct gp_lanes *part, gp_mask group,
                             double lines)
{
    (void)c, (void)part, (void)group;
    return lines;
}

static double wide_bytes(const struct gp_device *device) { return gp_or(device->l1_wide_bytes_per_clk.value, 64); }

/*
 * RDNA, loads: 32 lanes are looked up together up to 64 bits, 8 for 128 bits. L0 finds a line of 128 bytes in each bank
 * of its tags in a cycle, and its data lie in 32 banks of 32 bits. Measured on RDNA2 (RRZE gpu-benches, gpu-strides): a
 * stride of 5 words takes 2 cycles, 9: 3, 13: 4, 33: 8, as 5, 9, 13 and 32 lines do in four banks; of 2, 4, 8, 16, 32
 * words as many as lanes share a bank; 16 rows that are a multiple of four lines apart 12, 32 rows 16. A stride of 3
 * takes 2, here 1. What is wider than 32 bits goes to the registers at a rate of its own, whatever lanes share.
 */
static double rdna_cycles(const struct gp_request_context *c, const struct gp_lanes *part, gp_mask group, double lines)
{
    const uint32_t tag_banks = gp_power_or(c->device->l1_lines_per_clk.value, 4), data_banks = 32, line = 128;
    (void)lines;
    double wide = gp_lanes_in(part->active & group) * (double)part->width,
           least = part->width < 8 ? 1 : gp_round_up(wide, wide_bytes(c->device));
    double tags = gp_lanes_tag_passes(part, group, line, tag_banks),
           data = gp_lanes_bank_passes(part, group, data_banks);
    return gp_max(least, gp_max(tags, data));
}

/* What is written goes out a line of 128 bytes at a time; no measurement says otherwise. */
static void global_rdna(const struct gp_request_context *c, struct gp_request *r)
{
    if (is_scalar(c)) {
        scalar_load(c, r);
        return;
    }
    uint32_t size = c->piece <= 4 || (c->load && c->piece <= 8) ? 32 : c->piece <= 8 ? 16 : 8;
    double cycles =
        look_up_lines(c, r, gp_power_or(c->device->l1_line.value, 128), c->load ? rdna_cycles : cycle_per_line, size);
    double ideal = c->load && c->piece >= 8
                       ? gp_round_up(c->pieces * c->piece * c->lanes.count, wide_bytes(c->device)) /* shared or not */
                       : gp_round_up(r->useful_bytes, 128);
    finish_wavefronts(c, r, cycles, gp_max(gp_groups_active(&c->lanes, 32), ideal), 128,
                      gp_or(c->device->lsu_lanes.value, 32));
}

/*
 * HD 6970: half a wavefront is fetched at a time through four fetch units, each taking one lane of up to 128 bits per
 * cycle (so vectors of four are the fast way); the cache has lines of 64 bytes.
 */
static void global_terascale(const struct gp_request_context *c, struct gp_request *r)
{
    double cycles = look_up_lines(c, r, gp_power_or(c->device->l1_line.value, 64), cycle_per_line, 32);
    finish_wavefronts(c, r, cycles, gp_max(gp_groups_active(&c->lanes, 32), gp_round_up(r->useful_bytes, 64)), 64,
                      gp_or(c->device->texels_per_clk.value, 4));
}

/* ---- Tables -------------------------------------------------------------------------------------------------- */

/* Texels of a line in Morton order (addrlib's thin micro tiles of 8x8). */
static const struct gp_texel_layout morton_64 = {.block_bytes = 64, .line_bytes = 64},
                                    morton_128 = {.block_bytes = 128, .line_bytes = 128};

const struct gp_request_rules gp_rules_terascale = {global_terascale, global_terascale, local_amd, &morton_64};
const struct gp_request_rules gp_rules_gcn = {global_gcn, global_gcn, local_amd, &morton_64};
const struct gp_request_rules gp_rules_rdna = {global_rdna, global_rdna, local_amd, &morton_128};
