/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A CPU core that runs neighbouring work-items in the elements of a SIMD register: side by side they are one vector
 * access per register, one address is one scalar access, and all else is one access per work-item (gathers are executed
 * so on x86). All kinds of memory are the same memory.
 */
#include "model/memory/request_rules.h"

static void any_cpu(const struct gp_request_context *c, struct gp_request *r)
{
    const struct gp_lanes *lanes = &c->lanes;
    uint32_t line = gp_power_or(c->device->l1_line.value, 64);
    double vector = gp_or(c->device->vector_bytes.value, lanes->width);
    r->transactions = r->lines = gp_lanes_segments(lanes, lanes->active, line);
    r->bytes = r->transactions * line;
    r->ideal_transactions = gp_round_up(r->useful_bytes, line);
    double whole = gp_max(1, gp_round_up((double)lanes->count * lanes->width, vector));
    bool side_by_side = lanes->regular && (lanes->stride == lanes->width || lanes->stride == -(int64_t)lanes->width);
    if (gp_lanes_uniform(lanes))
        r->wavefronts = gp_max(1, gp_round_up(lanes->width, vector));
    else
        r->wavefronts = side_by_side ? whole : lanes->count * gp_max(1, gp_round_up(lanes->width, vector));
    r->ideal_wavefronts = gp_max(1, gp_round_up(r->useful_bytes, vector));
    r->passes = r->wavefronts;
    r->ideal_passes = r->ideal_wavefronts;
}

/* Images are rows of texels. */
static const struct gp_texel_layout rows = {.block_bytes = 64, .block_rows = 1, .line_bytes = 64, .line_rows = 1};

const struct gp_request_rules gp_rules_cpu = {any_cpu, any_cpu, any_cpu, &rows};
