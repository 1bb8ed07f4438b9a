/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/memory/scatter.h"

#include <math.h>
#include <string.h>

#include "model/launch/range.h"
#include "support/saturate.h"

double gp_expected_distinct(double cells, double draws)
{
    if (cells <= 1)
        return fmin(1, draws);
    return cells * -expm1(draws * log1p(-1 / cells));
}

enum { MOST_DRAWS = 64 };

/* Product of two power series up to x^draws; `product` may be one of them. */
static void multiply(const double *a, const double *b, unsigned draws, double *product)
{
    double sum[MOST_DRAWS + 1] = {0};
    for (unsigned i = 0; i <= draws; i++)
        for (unsigned j = 0; i + j <= draws; j++)
            sum[i + j] += a[i] * b[j];
    memcpy(product, sum, (draws + 1) * sizeof *sum);
}

/* P(fullest <= k): the power series in x/m, to the power of m by squaring. */
static double no_cell_has_more(unsigned k, uint64_t cells, unsigned draws)
{
    double part[MOST_DRAWS + 1] = {1}, power[MOST_DRAWS + 1] = {1};
    for (unsigned i = 1; i <= k; i++)
        part[i] = part[i - 1] / (i * (double)cells);
    for (uint64_t left = cells; left > 0; left /= 2) {
        if (left % 2 != 0)
            multiply(power, part, draws, power);
        multiply(part, part, draws, part);
    }
    double probability = power[draws];
    for (unsigned i = 2; i <= draws; i++)
        probability *= i;
    return fmin(1, probability);
}

double gp_expected_in_fullest(uint64_t cells, unsigned draws)
{
    double expected = draws > 0 ? 1 : 0, fuller = 1;
    if (draws > MOST_DRAWS)
        draws = MOST_DRAWS;
    if (cells <= 1)
        return draws;
    for (unsigned k = 1; k < draws && fuller > 1e-6; k++) {
        fuller = 1 - no_cell_has_more(k, cells, draws);
        expected += fuller;
    }
    return expected;
}

/* What programs for any device put into one buffer of constant memory: CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE is 64 KB at
 * least, and no more on NVIDIA's devices. */
enum { MOST_CONSTANTS = 65536 };

static uint64_t buffer_bytes(const struct gp_kernel *kernel, const struct gp_launch *launch, gp_ref base)
{
    uint32_t index = gp_ref_index(base);
    if (gp_ref_kind(base) != GP_REF_PARAM || index >= GP_MAX_ARGUMENTS || kernel->params[index].kind != GP_PARAM_BUFFER)
        return 0;
    uint64_t stated = launch->arguments[index].bytes;
    return stated == 0 && kernel->params[index].space == GP_SPACE_CONSTANT ? MOST_CONSTANTS : stated;
}

void gp_scatter_take_sizes(struct gp_scatter *bounds, const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    uint64_t arguments = gp_range_arguments(kernel, launch);
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        uint64_t bytes = buffer_bytes(kernel, launch, kernel->memory[m].base);
        bounds[m].looked &= bounds[m].buffer_bytes == bytes && bounds[m].arguments == arguments;
        bounds[m].buffer_bytes = bytes;
        bounds[m].arguments = arguments;
        bounds[m].launch = launch;
    }
}

/* An access of a buffer whose size is known ends within it, wherever it is. */
static void end_within(struct gp_scatter *bound, const struct gp_memory *m, int64_t *low, int64_t *high)
{
    int64_t last = gp_subtract((int64_t)bound->buffer_bytes, (int64_t)m->element_bytes * m->vector);
    if (last < 0 || m->element_bytes == 0 || (bound->known && (*low > last || *high < 0)))
        return;
    *low = bound->known && *low > 0 ? *low : 0;
    *high = bound->known && *high < last ? *high : last;
    uint64_t most = (uint64_t)(*high - *low) / m->element_bytes + 1;
    bound->addresses = bound->known && bound->addresses < most ? bound->addresses : most;
    bound->known = true;
}

const struct gp_scatter *gp_scatter_of(struct gp_scatter *bounds, const struct gp_kernel *kernel, uint32_t memory)
{
    struct gp_scatter *bound = &bounds[memory];
    int64_t low, high;
    if (bound->looked)
        return bound;
    bound->looked = true;
    bound->lanes = 0; /* in_fullest is of other addresses */
    const struct gp_memory *m = &kernel->memory[memory];
    bound->known = gp_range_bytes(kernel, bound->launch, memory, &low, &high);
    bound->addresses = bound->known ? gp_range_addresses(kernel, bound->launch, memory) : 0;
    end_within(bound, m, &low, &high);
    if (bound->known) {
        bound->low = low;
        bound->bytes = (double)(high - low) + (double)m->element_bytes * m->vector;
    }
    return bound;
}

double gp_scatter_warp_bytes(const struct gp_scatter *bound, const struct gp_memory *memory, uint32_t lanes)
{
    return memory->space == GP_SPACE_PRIVATE ? ceil(bound->bytes / 4) * 4 * lanes : bound->bytes;
}

/* Part of the draws that remain where some meet. */
static double kept(struct gp_distinct *known, double cells, double draws)
{
    if (known->cells != cells || known->draws != draws)
        *known = (struct gp_distinct){cells, draws, gp_expected_distinct(cells, draws)};
    return fmin(1, known->expected / draws);
}

bool gp_meet_within_bound(struct gp_scatter *bounds, const struct gp_kernel *kernel, const struct gp_access *access,
                          uint32_t warp_lanes, struct gp_request *r)
{
    const struct gp_memory *memory = &kernel->memory[access->memory];
    unsigned lanes = (unsigned)__builtin_popcountll(access->active);
    bool all_unknown = access->one_symbol && access->symbol[__builtin_ctzll(access->active)] == GP_SYMBOL_UNKNOWN;
    if (!all_unknown || access->uniform || access->coordinates > 0 ||
        !gp_scatter_of(bounds, kernel, access->memory)->known)
        return false;
    struct gp_scatter *bound = &bounds[access->memory];
    if ((memory->flags & GP_MEMORY_ATOMIC) && bound->lanes != lanes) {
        bound->lanes = lanes;
        bound->in_fullest = gp_expected_in_fullest(bound->addresses, lanes);
    }
    bool local =
        memory->space ==
        GP_SPACE_LOCAL; /* lanes on one address are in one bank: the passes of the fullest bank have taken them in */
    if (memory->flags & GP_MEMORY_ATOMIC)
        r->same_address = local ? fmax(1, 1 + bound->in_fullest - r->passes) : bound->in_fullest;
    if (local || r->transactions <= 0)
        return true;
    double bytes = gp_scatter_warp_bytes(bound, memory, warp_lanes);
    if (r->cell > 0)
        r->bytes *= kept(&bound->lines, ceil(bytes / (r->bytes / r->lines)), r->lines);
    double part =
        kept(&bound->sectors, ceil(bytes / (r->cell > 0 ? r->cell : r->bytes / r->transactions)), r->transactions);
    r->transactions *= part;
    if (r->cell <= 0)
        r->bytes *= part;
    r->wavefronts = fmax(r->ideal_wavefronts, r->wavefronts * part);
    r->ideal_transactions = fmin(r->ideal_transactions, r->transactions);
    return true;
}
