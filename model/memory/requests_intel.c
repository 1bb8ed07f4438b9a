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

static double pass_cycles(const struct gp_request_context *c, gp_mask group, double row)
{
    (void)group;
    return row / gp_or(c->device->smem_bytes_per_clk.value, row);
}

/* Shared local memory: banks of 32 bits, lanes that read the same word share it. */
static void local_xe(const struct gp_request_context *c, struct gp_request *r)
{
    uint32_t banks = gp_banks(c->device, XE_BANKS), lanes = c->piece <= 4   ? banks
                                                            : c->piece <= 8 ? banks / 2
                                                                            : banks / 4;
    r->conflict_degree = 1;
    struct gp_bank_cycles cycles = gp_take_banks(c, banks, lanes, pass_cycles, r);
    r->wavefronts = cycles.all;
    r->ideal_wavefronts = cycles.ideal;
}

/* Images: tiles of 64 bytes, four rows high (Mesa's isl, "Tile4"). */
static const struct gp_texel_layout tiles = {.block_bytes = 64, .block_rows = 4, .line_bytes = 64, .line_rows = 4};

const struct gp_request_rules gp_rules_xe = {global_xe, global_xe, local_xe, &tiles};
