/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Intel's memory rules, Xe-HPG and later: an access of a sub-group is one message to the Xe-core's load/store cache,
 * which makes of its lanes one request for each line of 64 bytes that they are in (VTune, "transaction coalescence":
 * bytes used over 64 for each request). No measurement of strides or of bank conflicts is behind these.
 */
#include "model/memory/request_rules.h"

enum { XE_LINE = 64, XE_BANKS = 16 };

/* A line at a time, each as long as what it gives takes on the way to the registers. */
static void global_xe(const struct gp_request_context *c, struct gp_request *r)
{
    uint32_t line = gp_power_or(c->device->l1_line.value, XE_LINE);
    double bytes = gp_or(c->device->l1_bytes_per_clk.value, line), lanes = gp_or(c->device->lsu_lanes.value, 16);
    double address = c->pieces * c->lanes.count / lanes;
    r->transactions = r->lines = gp_lanes_segments(&c->lanes, c->lanes.active, line);
    r->bytes = r->transactions * line;
    r->ideal_transactions = gp_round_up(r->useful_bytes, line);
    r->wavefronts = gp_max(address, r->lines * line / bytes);
    r->ideal_wavefronts = gp_max(address, r->ideal_transactions * line / bytes);
}

/* Shared local memory: banks of 32 bits, lanes that read the same word share it. */
static void local_xe(const struct gp_request_context *c, struct gp_request *r)
{
    uint32_t banks = gp_banks(c->device, XE_BANKS), lanes = c->piece <= 4   ? banks
                                                            : c->piece <= 8 ? banks / 2
                                                                            : banks / 4;
    double cycles_of_pass = banks * 4.0 / gp_or(c->device->smem_bytes_per_clk.value, banks * 4.0);
    r->passes = r->ideal_passes = 0;
    r->conflict_degree = 1;
    for (uint32_t i = 0; i < c->pieces; i++) {
        struct gp_lanes part = gp_lanes_part(&c->lanes, i * c->piece, c->piece);
        for (uint32_t g = 0; g * lanes < part.warp; g++) {
            gp_mask group = part.active & gp_group(g, lanes);
            if (group == 0)
                continue;
            double passes = gp_lanes_bank_passes(&part, group, banks),
                   ideal = gp_round_up(gp_lanes_bytes(&part, group), banks * 4.0);
            r->passes += passes;
            r->ideal_passes += ideal;
            r->conflict_degree = gp_max(r->conflict_degree, passes / ideal);
        }
    }
    r->wavefronts = r->passes * cycles_of_pass;
    r->ideal_wavefronts = r->ideal_passes * cycles_of_pass;
}

/* Images: tiles of 64 bytes, four rows high (Mesa's isl, "Tile4"); a sampler gives eight texels a cycle. */
const struct gp_request_rules gp_rules_xe = {
    global_xe,
    global_xe,
    local_xe,
    {.block_bytes = 64, .block_rows = 4, .line_bytes = 64, .line_rows = 4, .texels_per_clk = 8}};
