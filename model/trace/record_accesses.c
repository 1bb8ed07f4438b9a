/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An access, as a trace shows it: its way, its requests, its segments and how many of these are new to each iteration
 * that it stands for. */
#include <math.h>

#include "model/value/inst_facts.h"
#include "model/trace/recorder.h"
#include "model/observe/combined_atomics.h"

static bool is_unknown(const struct gp_access *access)
{
    return access->coordinates == 0 && access->symbol[__builtin_ctzll(access->active)] == GP_SYMBOL_UNKNOWN;
}

/* By how many bytes an address moves between two consecutive iterations; negative: not seen, or not known. */
static double step_seen(struct gp_recorder *r, const struct gp_access *access)
{
    const uint32_t walked =
        UINT32_C(1)
        << 31; /* not among the few symbols of parameters and arrays, which are what is known of other visits */
    unsigned lane = (unsigned)__builtin_ctzll(access->active);
    uint32_t symbol = access->coordinates > 0 ? access->coordinate_symbol[0][lane] : access->symbol[lane];
    uint64_t offset = access->coordinates > 0 ? access->coordinate[0][lane] * 4 : access->offset[lane];
    if (symbol == GP_SYMBOL_UNKNOWN && r->moves.walked.walk != GP_NONE)
        return gp_steps_see(r->moves.steps, access->memory, walked + (uint32_t)r->moves.walked.start,
                            (uint64_t)r->moves.walked.at);
    if (symbol == GP_SYMBOL_UNKNOWN)
        return -1;
    return gp_steps_see(r->moves.steps, access->memory, symbol, offset);
}

static uint32_t runs_of(const struct gp_recorder *r, const struct gp_trace_access *a)
{
    const uint64_t *segments = (const uint64_t *)r->segments.items + a->segment;
    uint32_t runs = 1;
    for (uint32_t i = 1; i < a->segment_count; i++)
        runs += segments[i] != segments[i - 1] + 1 && segments[i] + 1 != segments[i - 1];
    return runs;
}

/*
 * Of the iterations that this one stands for, the share of the segments that are new to each. What moves by d bytes an
 * iteration leaves d bytes at one end of each run of neighbouring segments and enters as many at the other.
 */
static double fresh_share(const struct gp_recorder *r, const struct gp_trace_access *a, double step, double weight)
{
    if (!(a->flags & GP_ACCESS_MOVED))
        return step == 0 ? 1 / weight : 1;
    return fmin(1, runs_of(r, a) * step / ((double)r->sm->segment * a->segment_count));
}

static enum gp_path path_of(const struct gp_recorder *r, const struct gp_memory *memory,
                            const struct gp_request *request)
{
    const struct gp_inst *inst = &r->kernel->insts[memory->inst];
    bool load = !gp_memory_writes(memory);
    bool amd = gp_arch_is_amd(r->device->arch);
    if (memory->space == GP_SPACE_LOCAL || request->passes > 0)
        return GP_PATH_LOCAL;
    if (load && amd && r->device->scalar_unit.value > 0 && (inst->flags & GP_INST_UNIFORM) && r->sm->constant.bytes > 0)
        return GP_PATH_CONSTANT;
    if (load && !amd && memory->space == GP_SPACE_CONSTANT && r->sm->constant.bytes > 0)
        return GP_PATH_CONSTANT;
    if (!gp_memory_reads_cached(r->device, memory))
        return GP_PATH_L2;
    if (gp_memory_reads_texture_cache(r->device, memory))
        return GP_PATH_TEXTURE;
    return r->sm->l1.bytes > 0 ? GP_PATH_L1 : GP_PATH_L2;
}

/* The first segment of an operation whose place is known, to see how far other groups' and warps' lie from it. */
static void note_first(struct gp_recorder *r, const struct gp_trace_access *a)
{
    uint64_t segment = a->segment_count > 0 ? ((const uint64_t *)r->segments.items)[a->segment] : GP_SEGMENT_ANY;
    if (!(segment & GP_SEGMENT_ANY) && r->first_segment[a->memory] == 0)
        r->first_segment[a->memory] = segment;
}

void gp_recorder_access(void *context, const struct gp_access *access)
{
    const double hardly_met = 0.9;
    struct gp_recorder *r = context;
    const struct gp_memory *memory = &r->kernel->memory[access->memory];
    if (access->active == 0 || (gp_arch_is_nvidia(r->device->arch) &&
                                gp_inst_has_constant_address(r->kernel, &r->kernel->insts[memory->inst])))
        return;
    struct gp_request q;
    gp_request_memo_cost(r->requests, r->device, access, &q);
    double apart = q.transactions;
    bool bounded = q.guessed && gp_meet_within_bound(r->bounds, r->kernel, access, gp_device_lanes(r->device), &q);
    struct gp_trace_access *a = gp_recorder_grow(&r->accesses, 1);
    r->effort += access->coordinates > 0 ? 64 : 16;
    double words = gp_local_words_factor(memory, &r->code.factors[r->code.memory_block[access->memory]]);
    *a = (struct gp_trace_access){.memory = access->memory,
                                  .path = (uint8_t)path_of(r, memory, &q),
                                  .lanes = (uint16_t)__builtin_popcountll(access->active),
                                  .wavefronts = (float)(words * fmax(1, q.wavefronts)),
                                  .ideal_wavefronts = (float)(words * fmax(1, q.ideal_wavefronts)),
                                  .replays = (float)(words * fmax(0, q.passes - q.ideal_passes)),
                                  .share = 1,
                                  .segment = (uint32_t)r->segments.count};
    r->moves.walked = is_unknown(access) ? gp_walks_see(r->moves.walks, r->executor, access->memory)
                                         : (struct gp_walk_step){.walk = GP_NONE};
    double step = step_seen(r, access);
    a->step = (float)fmax(0, step);
    a->flags |=
        step > 0 && (gp_steps_jumped(r->moves.steps, access->memory) || access->weight > 1.5) ? GP_ACCESS_MOVED : 0;
    a->flags |= memory->flags & GP_MEMORY_STORE ? GP_ACCESS_STORE : 0;
    a->flags |= memory->flags & GP_MEMORY_ATOMIC ? GP_ACCESS_ATOMIC : 0;
    a->flags |= memory->flags & GP_MEMORY_RETURNS ? GP_ACCESS_RETURNS : 0;
    a->flags |= memory->space == GP_SPACE_PRIVATE ? GP_ACCESS_OWN : 0;
    if (memory->flags & GP_MEMORY_ATOMIC)
        a->contention = gp_atomic_is_combined(r->device, r->kernel, memory) ? 0 : (float)fmax(0, q.same_address - 1);
    if (a->path == GP_PATH_LOCAL)
        return;
    a->bytes = (float)gp_request_l2_bytes(r->device, memory, &q);
    a->ideal_bytes = (float)(q.transactions > 0 ? q.bytes * fmin(1, q.ideal_transactions / q.transactions) : q.bytes);
    if (bounded &&
        (r->moves.walked.walk == GP_NONE || q.transactions < hardly_met * apart)) /* some of the lanes meet */
        gp_recorder_add_scattered(r, q.transactions, a);
    else if (access->coordinates > 0)
        gp_recorder_add_texels(r, access, a);
    else if (memory->space == GP_SPACE_PRIVATE)
        gp_recorder_add_private(r, access, &q, a);
    else
        gp_recorder_add_addresses(r, access, a);
    if (a->segment_count > 0)
        a->share = (float)fresh_share(r, a, step, access->weight);
    a->ideal_segments = (uint32_t)fmax(1, ceil(a->segment_count * (q.bytes > 0 ? a->ideal_bytes / q.bytes : 1)));
    r->done.whole += access->weight * a->segment_count;
    r->done.touched += access->weight * a->segment_count;
    note_first(r, a);
}
