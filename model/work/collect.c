/*
 * Gathers the work of a launch: runs sampled warps through the executor and watches.
 *
 *   - A scoreboard (schedule.h) follows the warp as if it were alone on an SM. The time that passes in a visit of a block, times
 *     the visit's weight, adds up to the chain (collect_blocks.c).
 *   - Requests are costed one by one; a set of lines (reuse.h) tells what the warp's group touched before (collect_access.c).
 *   - Where lanes part at a branch, what each side costs beyond its share of the lanes is that branch's excess.
 *
 * Sampled execution shows a loop's first two iterations and then single ones that stand for many; what lies between is looked at all the same (left_out.h).
 */
#include "model/work/collect_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/code/inst_facts.h"
#include "model/launch/guards.h"
#include "model/memory/range.h"
#include "model/work/fewer_samples.h"
#include "model/work/mended_misses.h"
#include "model/work/rows.h"
#include "model/work/varied_groups.h"
#include "support/memory.h"

/* Visits of blocks after which a warp is cut off. Quick: the warps of a prediction share them. */
enum { MOST_VISITS = 20000 };

static void find_buffers(struct gp_collector *c)
{
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        gp_ref base = c->kernel->memory[m].base;
        uint32_t b = 0;
        while (b < c->buffer_count && c->buffers[b].base != base)
            b++;
        if (b == c->buffer_count)
            c->buffers[c->buffer_count++].base = base;
        c->buffer_of[m] = b;
    }
}

struct gp_collector *gp_collector_new(const struct gp_kernel *kernel)
{
    struct gp_collector *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    uint32_t memory = kernel->memory_count;
    c->kernel = kernel;
    c->executor = gp_executor_new(kernel);
    c->blocks = gp_some(kernel->block_count, sizeof *c->blocks);
    c->entries = gp_some(kernel->inst_count, sizeof *c->entries);
    c->operands = gp_some(kernel->operand_count, sizeof *c->operands);
    c->in_bank = gp_some(memory, sizeof *c->in_bank);
    c->block_of = gp_some(memory, sizeof *c->block_of);
    c->loop_bytes = gp_some(kernel->loop_count + 1, sizeof *c->loop_bytes);
    c->branch_block = gp_some(kernel->branch_count, sizeof *c->branch_block);
    c->block_work = gp_some(kernel->block_count, sizeof *c->block_work);
    c->spent = gp_some(kernel->block_count, sizeof *c->spent);
    c->block_paths = gp_some(kernel->block_count, sizeof *c->block_paths);
    c->block_has_paths = gp_some(kernel->block_count, sizeof *c->block_has_paths);
    c->slots = gp_some(kernel->inst_count, sizeof *c->slots);
    c->has_slots = gp_some(kernel->block_count, sizeof *c->has_slots);
    c->block_calls = gp_some(kernel->block_count, sizeof *c->block_calls);
    c->code_factors = gp_some(kernel->block_count, sizeof *c->code_factors);
    c->schedule = gp_schedule_new(kernel->inst_count);
    c->line_at_hand.blocks = gp_some(kernel->block_count, sizeof *c->line_at_hand.blocks);
    c->line_at_hand.seen = gp_some(kernel->block_count, sizeof *c->line_at_hand.seen);
    c->pending_latency = gp_some(memory, sizeof *c->pending_latency);
    c->waited = gp_some((size_t)GP_MOST_ALONE * memory, sizeof *c->waited);
    c->parted = gp_some((size_t)GP_MOST_ALONE * kernel->branch_count, sizeof *c->parted);
    c->steps = gp_steps_new(kernel);
    c->courses = gp_courses_new(kernel, MOST_SURVEYED);
    c->left_out = malloc(sizeof *c->left_out); /* large, and set when first listed */
    c->left_out_within = malloc(sizeof *c->left_out_within);
    c->brought_at = gp_some(kernel->loop_count, sizeof *c->brought_at);
    c->heads = gp_some(kernel->block_count, sizeof *c->heads);
    c->visits = gp_some(memory, sizeof *c->visits);
    c->stretches = gp_some(memory, sizeof *c->stretches);
    c->requests = gp_request_memo_new(kernel);
    c->images = gp_image_memo_new(kernel);
    c->footprints = gp_footprints_new();
    c->buffer_of = gp_some(memory, sizeof *c->buffer_of);
    c->spots = gp_some(memory, sizeof *c->spots);
    c->bounds = gp_some(memory, sizeof *c->bounds);
    c->walks = gp_walks_new(kernel);
    c->walked = gp_some(memory, sizeof *c->walked);
    c->ahead = gp_some(memory, sizeof *c->ahead);
    c->drawn = gp_some(memory, sizeof *c->drawn);
    c->reaches = gp_some(memory, sizeof *c->reaches);
    c->hulls = gp_some(memory, sizeof *c->hulls);
    c->surveyed = gp_some(memory, sizeof *c->surveyed);
    c->visited = gp_some(kernel->block_count, sizeof *c->visited);
    c->memory = gp_some(memory, sizeof *c->memory);
    c->branches = gp_some(kernel->branch_count, sizeof *c->branches);
    c->buffers = gp_some(memory, sizeof *c->buffers);
    c->probes = gp_some(memory, sizeof *c->probes);
    c->kept = gp_some(memory, sizeof *c->kept);
    c->joined = gp_some(GP_FEW_JOINED, sizeof *c->joined);
    c->joined_count = GP_FEW_JOINED;
    if (!c->executor || !c->blocks || !c->entries || !c->operands || !c->in_bank || !c->block_of || !c->loop_bytes || !c->branch_block || !c->block_work || !c->spent || !c->block_paths || !c->block_has_paths ||
        !c->slots || !c->has_slots || !c->block_calls || !c->code_factors || !c->schedule || !c->line_at_hand.blocks || !c->line_at_hand.seen || !c->pending_latency || !c->waited || !c->parted || !c->steps || !c->courses || !c->left_out || !c->left_out_within || !c->brought_at || !c->heads || !c->visits || !c->stretches || !c->requests || !c->images || !c->footprints || !c->spots ||
        !c->bounds || !c->walks || !c->walked || !c->ahead || !c->drawn || !c->buffer_of || !c->reaches || !c->hulls || !c->surveyed || !c->visited || !c->memory || !c->branches || !c->buffers || !c->probes || !c->kept || !c->joined) {
        gp_collector_free(c);
        return NULL;
    }
    gp_line_set_init(&c->lines);
    gp_unit_set_init(&c->kept_lines);
    gp_unit_set_init(&c->words);
    gp_unit_set_init(&c->probed_lines);
    gp_unit_set_init(&c->probed_words);
    gp_collector_decode(c);
    find_buffers(c);
    c->groups_may_differ = gp_groups_may_differ(kernel);
    return c;
}

void gp_collector_afford(struct gp_collector *c, double effort) { c->affordable = effort; }

struct gp_executor *gp_collector_executor(struct gp_collector *collector) { return collector->executor; }

void gp_collector_free(struct gp_collector *c)
{
    if (c == NULL)
        return;
    gp_executor_free(c->executor);
    gp_schedule_free(c->schedule);
    gp_predication_free(&c->straight);
    gp_block_times_free(c->times);
    gp_steps_free(c->steps);
    gp_walks_free(c->walks);
    gp_courses_free(c->courses);
    gp_request_memo_free(c->requests);
    gp_image_memo_free(c->images);
    gp_footprints_free(c->footprints);
    void *all[] = {c->blocks, c->entries, c->operands, c->in_bank, c->block_of, c->loop_bytes, c->branch_block, c->block_work, c->spent, c->block_paths, c->block_has_paths, c->slots, c->has_slots, c->block_calls, c->code_factors, c->line_at_hand.blocks, c->line_at_hand.seen,
                   c->pending_latency, c->waited, c->parted, c->left_out, c->left_out_within, c->brought_at, c->heads, c->visits, c->stretches, c->spots, c->bounds, c->walked, c->ahead, c->drawn, c->buffer_of, c->reaches, c->hulls, c->surveyed, c->visited, c->memory,
                   c->branches, c->buffers, c->probes, c->kept, c->joined};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    gp_line_set_free(&c->lines);
    gp_unit_set_free(&c->kept_lines);
    gp_unit_set_free(&c->words);
    gp_unit_set_free(&c->probed_lines);
    gp_unit_set_free(&c->probed_words);
    free(c);
}

/* ---- Running the sample --------------------------------------------------------------------------------------- */

/* The iterations that were left out bring to L1 what the one before them brought. */
static void on_skip(void *context, uint32_t loop, uint64_t left_out)
{
    struct gp_collector *c = context;
    gp_steps_skip(c->steps, loop);
    c->brought += (double)left_out * (c->brought - c->brought_at[loop]);
}

bool gp_collector_run_warp(struct gp_collector *c, const struct gp_launch *launch, const uint64_t group[3], uint32_t warp, uint32_t index,
                           struct gp_exec_result *result, struct gp_error *error)
{
    static const struct gp_observer watch = {.enter = gp_collector_enter, .access = gp_collector_access, .barrier = gp_collector_barrier,
                                             .leave = gp_collector_leave, .diverge = gp_collector_diverge, .skip = on_skip, .few_offsets = true};
    struct gp_observer observer = watch;
    observer.context = c;
    memcpy(c->group, group, sizeof c->group);
    bool coarse = c->quick || c->purpose == SURVEY || (c->purpose == PROBE && c->was_surveyed); /* group and neighbour alike */
    struct gp_exec_options options = {.warp_width = gp_device_lanes(c->device), .coarse = coarse, .exhaustive = c->every_iteration, .in_turn = c->device->arch == GP_ARCH_CPU,
                                      .max_block_visits = c->every_iteration ? 0 : c->most_visits};
    struct gp_exec_result ignored;
    c->behind_first = index > 0;
    if (c->behind_first && !gp_courses_keep(c->courses, GP_COMPANIONS_OWN, index - 1)) /* of the warp before, now that one is compared with it */
        return gp_fail(error, "out of memory");
    gp_collector_start_warp(c);
    memset(c->ahead, 0, c->kernel->memory_count * sizeof *c->ahead);
    gp_courses_start(c->courses, (uint32_t[]){[GP_COMPANIONS_OWN] = index, [GP_COMPANIONS_NEXT] = c->purpose == PROBE ? c->kept_warps : 0});
    bool ok = gp_execute_warp(c->executor, launch, group, warp, &options, &observer, result != NULL ? result : &ignored, error);
    gp_collector_end_line(c);
    bool next = c->keeping_words || c->purpose == SURVEY;
    return ok && (!next || gp_courses_keep(c->courses, GP_COMPANIONS_NEXT, index) || gp_fail(error, "out of memory"));
}

double gp_collector_footprint_weight(const struct gp_collector *c, const struct gp_sample *samples, size_t index, size_t sampled)
{
    double warps = c->work->warps_per_group;
    if (index == 0 || sampled < 2)
        return sampled < 2 ? warps : 1;
    return (warps - 1) * samples[index].weight / gp_samples_weight(samples, 1, sampled - 1);
}

static void forget_group(struct gp_collector *c)
{
    gp_line_set_clear(&c->lines);
    c->constants = 0;
    memset(c->drawn, 0, c->buffer_count * sizeof *c->drawn);
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->hulls[m] = (struct hull){.low = INFINITY, .high = -INFINITY, .symbol = GP_SYMBOL_UNKNOWN};
}

/* Lines between the lowest and the highest address that an operation was seen to touch in the group at hand, or where all warps were looked at; 0: none was. */
static double lines_between_ends(const struct gp_collector *c, uint32_t m)
{
    const struct hull *hull = &c->hulls[m];
    const struct surveyed *s = &c->surveyed[m];
    double lines = hull->high > hull->low ? ceil(hull->high / c->line.bytes) - floor(hull->low / c->line.bytes) : 0;
    return s->high > s->low ? fmax(lines, floor(s->high / c->line.bytes) + 1 - floor(s->low / c->line.bytes)) : lines;
}

/*
 * In a group an operation touches no more than lies between its ends, however often sampled iterations were counted to enter lines that others had been in. Warps that were
 * not executed may touch more than those that were, or what none of these does. `share`: what the group stands for.
 */
static void settle_hull(const struct gp_collector *c, uint32_t m, double share)
{
    struct hull *hull = &c->hulls[m];
    const struct surveyed *s = &c->surveyed[m];
    double most = share * lines_between_ends(c, m) * c->line.bytes, more = fmax(1, s->fewer);
    double kept = !hull->open && !c->thinned && more * hull->group_bytes > most ? most / hull->group_bytes : more;
    double unseen_lines = s->few_lines > 0 ? 0 : share * s->all_lines * c->line.bytes, unseen_words = s->few_lines > 0 ? 0 : share * s->all_words * gp_word.bytes;
    hull->group_bytes = kept * hull->group_bytes + unseen_lines;
    hull->useful_bytes = kept * hull->useful_bytes + fmin(unseen_lines, unseen_words);
    hull->stored_bytes = kept * hull->stored_bytes + (gp_memory_writes(&c->kernel->memory[m]) ? unseen_lines : 0);
    hull->rewritten_bytes *= kept;
}

static void add_footprint(struct gp_collector *c, double share)
{
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct hull *hull = &c->hulls[m];
        struct gp_buffer_work *buffer = &c->buffers[c->buffer_of[m]];
        settle_hull(c, m, share);
        buffer->group_bytes += hull->group_bytes;
        buffer->useful_bytes += hull->useful_bytes;
        buffer->stored_bytes += hull->stored_bytes;
        buffer->rewritten_bytes += hull->rewritten_bytes;
    }
}

/* Of one group: the warps that were run, and how many each stands for. */
struct group_run {
    size_t count;
    double chain[GP_MOST_ALONE], chain_memory[GP_MOST_ALONE], weight[GP_MOST_ALONE];
    uint32_t block[GP_MOST_ALONE]; /* where each is most of the time */
};

/*
 * Which warp of a group asks first for a line that several need is chance, but here it is the first one executed, and it waits for all of
 * them. Spreads what the warps waited for an operation over the group's requests. Constants each warp waits for by itself.
 */
static void share_waiting(struct gp_collector *c, struct group_run *run)
{
    uint32_t memory = c->kernel->memory_count;
    for (uint32_t m = 0; m < memory; m++) {
        double cycles = 0, requests = 0;
        for (size_t i = 0; i < run->count; i++) {
            cycles += run->weight[i] * c->waited[i * memory + m].cycles;
            requests += run->weight[i] * c->waited[i * memory + m].requests;
        }
        bool shared = c->kernel->memory[m].space != GP_SPACE_CONSTANT && !gp_is_on_chip(&c->kernel->memory[m]) && cycles > 0 && requests > 0;
        for (size_t i = 0; shared && i < run->count; i++) {
            struct waited *own = &c->waited[i * memory + m];
            double more = own->requests * cycles / requests - own->cycles;
            own->cycles += more;
            run->chain[i] += more;
            run->chain_memory[i] += more;
        }
    }
}

static void note_extremes(struct gp_work *work, const uint64_t group[3], double instructions)
{
    struct gp_group_work this = {{group[0], group[1], group[2]}, instructions};
    if (work->least.instructions > instructions)
        work->least = this;
    if (work->most.instructions < instructions)
        work->most = this;
}

static uint32_t block_spent_in(const struct gp_collector *c)
{
    uint32_t most = 0;
    for (uint32_t b = 1; b < c->kernel->block_count; b++)
        if (c->spent[b] > c->spent[most])
            most = b;
    return most;
}

/* Runs the sampled warps of one group. */
static bool run_group(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, double warps, struct gp_error *error)
{
    double group_share = gp_samples_weight(samples, 0, in_group) / warps;
    forget_group(c);
    double fewest = INFINITY, most = 0, before = c->work->instructions;
    struct group_run run = {.count = in_group};
    memset(c->waited, 0, in_group * c->kernel->memory_count * sizeof *c->waited);
    memset(c->parted, 0, in_group * c->kernel->branch_count * sizeof *c->parted);
    for (size_t i = 0; i < in_group; i++) {
        const struct gp_sample *sample = &samples[i];
        struct gp_exec_result result = {0};
        c->sample_weight = sample->weight / warps;
        c->group_weight = group_share * gp_collector_footprint_weight(c, samples, i, in_group);
        c->waited_by_warp = &c->waited[i * c->kernel->memory_count];
        c->parted_by_warp = &c->parted[i * c->kernel->branch_count];
        if (!gp_collector_run_warp(c, launch, sample->group, sample->warp, (uint32_t)i, &result, error))
            return false;
        run.chain[i] = c->chain;
        run.chain_memory[i] = c->chain_memory;
        run.weight[i] = c->group_weight;
        run.block[i] = block_spent_in(c);
        c->work->instructions += c->sample_weight * result.instructions;
        c->work->guessed_instructions += c->sample_weight * result.guessed_instructions;
        c->work->cut_off |= result.cut_off;
        fewest = fmin(fewest, result.instructions);
        most = fmax(most, result.instructions);
    }
    note_extremes(c->work, samples[0].group, (c->work->instructions - before) / group_share);
    add_footprint(c, group_share);
    share_waiting(c, &run);
    size_t slowest = 0;
    for (size_t i = 1; i < in_group; i++)
        if (run.chain[i] > run.chain[slowest])
            slowest = i;
    c->work->uneven_warps |= group_share > 0.3 && most > 1.1 * fewest; /* edges do not matter */
    c->work->chain += group_share * run.chain[slowest];
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->memory[m].chain_stall += group_share * c->waited[slowest * c->kernel->memory_count + m].cycles;
    for (uint32_t b = 0; b < c->kernel->branch_count; b++)
        c->branches[b].stall += group_share * c->parted[slowest * c->kernel->branch_count + b];
    struct longest *longest = group_share < GP_LITTLE ? &c->longest_light : &c->longest;
    if (run.chain[slowest] > longest->chain)
        *longest = (struct longest){run.chain[slowest], run.block[slowest]};
    c->work->chain_memory += group_share * run.chain_memory[slowest];
    return true;
}

/* Of the lines that are kept, how much lies in each stretch. */
static void note_seen(struct gp_collector *c)
{
    const struct gp_units *units = c->kept_lines.units.entries;
    for (uint32_t i = 0; i < c->kept_lines.units.used; i++) {
        for (uint64_t rest = units[i].present; rest; rest &= rest - 1) {
            double offset = (double)(int64_t)((units[i].key.number * 64 + (uint64_t)__builtin_ctzll(rest)) * c->line.bytes);
            struct gp_stretch *stretch = gp_stretches_at(c->stretches, c->stretch_count, units[i].key.symbol, offset);
            if (stretch != NULL)
                stretch->seen += c->line.bytes;
        }
    }
}

/* `share`: what the group stands for. */
static void keep_stretches(struct gp_collector *c, double share)
{
    c->stretch_count = 0;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct hull *hull = &c->hulls[m];
        if (!hull->open && hull->high > hull->low)
            c->stretches[c->stretch_count++] = (struct gp_stretch){
                hull->symbol, floor(hull->low / c->line.bytes) * c->line.bytes, ceil(hull->high / c->line.bytes) * c->line.bytes, hull->group_bytes / share, 0};
    }
    c->stretch_count = gp_stretches_join(c->stretches, c->stretch_count);
    note_seen(c);
}

static void keep_lines(struct gp_collector *c)
{
    gp_unit_set_clear(&c->kept_lines);
    const struct gp_line *lines = c->lines.lines.entries;
    for (uint32_t i = 0; i < c->lines.lines.used; i++) {
        uint32_t added;
        uint64_t fresh;
        gp_unit_set_add(&c->kept_lines, lines[i].key.symbol, lines[i].key.number, 1, &added, &fresh);
    }
}

/* Of a buffer's lines that nobody knows, those within a bound are any of it, for the group as for its neighbours. */
static void keep_scattered(struct gp_collector *c)
{
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        const struct hull *hull = &c->hulls[m];
        struct kept *kept = &c->kept[c->buffer_of[m]];
        double found = hull->scattered_bytes > 0 ? gp_collector_share_drawn(c, m) : 0;
        kept->lines += hull->group_bytes;
        kept->words += hull->useful_bytes;
        kept->scattered_lines += hull->scattered_bytes;
        kept->scattered_words += hull->scattered_useful;
        kept->found_lines += hull->scattered_bytes * found;
        kept->found_words += hull->scattered_useful * found;
    }
}

/* What the group touches is kept for probe_neighbours(). */
static bool run_and_keep(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, double warps, struct gp_error *error)
{
    double share = gp_samples_weight(samples, 0, in_group) / warps;
    if (!c->was_surveyed) {
        gp_unit_set_clear(&c->words);
        c->keeping_words = true;
        c->kept_warps = (uint32_t)in_group;
    }
    bool ok = run_group(c, launch, samples, in_group, warps, error);
    c->keeping_words = false;
    if (!c->was_surveyed)
        keep_lines(c);
    keep_stretches(c, share);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        c->kept[b] = (struct kept){.known_words = c->probes[b].words * (c->was_surveyed ? share : 1)};
    keep_scattered(c);
    return ok;
}

/*
 * After the first group. Where no warp is followed to its end, as in a large window whose loops must be gone through from end to end, the time is that of a part in any case: it is not worth a
 * minute for all local sizes.
 */
static bool takes_too_long(const struct gp_collector *c, size_t done, size_t count)
{
    if (!c->quick)
        return c->work->cut_off && !c->every_iteration && !c->at_points;
    return c->affordable > 0 && (double)c->work->effort * (double)count / (double)done > c->affordable;
}

static bool run_samples(struct gp_collector *c, const struct gp_launch *launch, struct gp_sample *samples, size_t count,
                        double warps, bool keep, struct gp_error *error)
{
    double squares = 0, shares = 0, products = 0;
    size_t heaviest = gp_heaviest_group(samples, count), in_group = gp_samples_of_group(samples, count, heaviest);
    if (keep && in_group > 2 && in_group < c->work->warps_per_group && c->work->warps_per_group <= MOST_SURVEYED &&
        !gp_collector_survey(c, launch, &samples[heaviest], in_group, error))
        return false;
    for (size_t first = 0; first < count; first += in_group) {
        in_group = gp_samples_of_group(samples, count, first);
        double before = c->work->instructions, share = gp_samples_weight(samples, first, in_group) / warps;
        bool kept = keep && first == heaviest;
        if (!(kept ? run_and_keep : run_group)(c, launch, &samples[first], in_group, warps, error))
            return false;
        double executed = c->work->instructions - before;
        squares += executed * executed;
        shares += share * share;
        products += share * executed;
        if (first == 0 && count > in_group + 1 && takes_too_long(c, in_group, count)) {
            count = in_group + gp_keep_middle_sample(&samples[in_group], count - in_group);
            heaviest = heaviest > 0 ? in_group : 0; /* the one that is kept stands for it */
            c->thinned = true;
        }
    }
    double all = c->work->instructions;
    if (c->at_points && all > 0) /* of a mean of groups with these shares (Cochran, "Sampling Techniques", ratio estimates) */
        c->work->uncertain = sqrt(fmax(0, squares - 2 * all * products + all * all * shares)) / all;
    return true;
}

/* Of all that the group touches: a probe sees what lies at known addresses. */
static double share_found(double touched, double shared, double all, double scattered, double found)
{
    double known = touched > 0 ? shared / touched : 0;
    return all > 0 ? ((all - scattered) * known + found) / all : known;
}

static void note_shared(struct gp_buffer_work *buffer, uint32_t dim, const struct probe *probe, const struct kept *kept)
{
    buffer->shared[dim] = share_found(probe->lines, probe->shared_lines, kept->lines, kept->scattered_lines, kept->found_lines);
    buffer->shared_words[dim] = share_found(probe->words, probe->shared_words, kept->words, kept->scattered_words, kept->found_words);
}

/* The sampled warps, or all where those of the group are known, of its neighbour behind or before it along a dimension, where there is one. */
static bool probe_neighbour(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, uint32_t dim, int side,
                            const uint64_t groups[3], struct gp_error *error)
{
    uint64_t neighbour[3];
    memcpy(neighbour, samples[0].group, sizeof neighbour);
    neighbour[dim] += (uint64_t)side;
    gp_unit_set_clear(&c->probed_lines);
    gp_unit_set_clear(&c->probed_words);
    bool ok = true;
    size_t count = c->was_surveyed ? (size_t)c->work->warps_per_group : in_group;
    for (size_t i = 0; ok && neighbour[dim] < groups[dim] && i < count; i++)
        ok = gp_collector_run_warp(c, launch, neighbour, c->was_surveyed ? (uint32_t)i : samples[i].warp, (uint32_t)i, NULL, error);
    return ok;
}

/* Buffers' lines and words that groups so far on share with the first, of both sides. */
static bool probe_far(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, double distance, uint32_t dim,
                      const uint64_t groups[3], struct gp_error *error)
{
    double below = floor(distance);
    int steps[2] = {(int)below, distance - below < 0.01 ? 0 : (int)below + 1}; /* a row that is no whole number of groups ends within one: two have parts of what is below it */
    for (uint32_t b = 0; b < c->buffer_count; b++)
        c->buffers[b].shared[dim] = c->buffers[b].shared_words[dim] = 0;
    for (int i = 0; i < 2 && steps[i] > 0; i++) {
        memset(c->probes, 0, c->buffer_count * sizeof *c->probes);
        for (int side = -1; side <= 1; side += 2)
            if (!probe_neighbour(c, launch, samples, in_group, 0, side * steps[i], groups, error))
                return false;
        for (uint32_t b = 0; b < c->buffer_count; b++) {
            struct gp_buffer_work *buffer = &c->buffers[b], before = *buffer;
            note_shared(buffer, dim, &c->probes[b], &c->kept[b]);
            buffer->shared[dim] = fmin(1, buffer->shared[dim] + before.shared[dim]);
            buffer->shared_words[dim] = fmin(1, buffer->shared_words[dim] + before.shared_words[dim]);
        }
    }
    return true;
}

/* Of all that a group touches, the share that a neighbour in a direction does as well. */
static double share_of_all(const struct gp_collector *c, uint32_t dim)
{
    double all = 0, shared = 0;
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        all += c->buffers[b].group_bytes;
        shared += c->buffers[b].group_bytes * c->buffers[b].shared[dim];
    }
    return all > 0 ? shared / all : 0;
}

/*
 * Whether planes are worth a direction beside rows: with them a further group adds less of what no other has. Two rows further on is no plane: what is shared there is
 * shared with the row between, too.
 */
static bool adds_less(const struct gp_collector *c, double row, double plane)
{
    double rows = plane / row, of_row = 1 - share_of_all(c, 1);
    return (1 + (rows - 1) * of_row) * (1 - share_of_all(c, 2)) < rows * of_row;
}

/* Rows in a launch along one dimension become a second one and a third: those distances at which groups share something, the nearest first. */
static bool probe_rows(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t in_group, const uint64_t groups[3], struct gp_error *error)
{
    const double worth_it = 0.02;
    double distances[GP_MOST_ROWS];
    uint32_t found = 0, count = launch->dims == 1 || (groups[1] == 1 && groups[2] == 1) ? gp_row_distances(c->kernel, launch, distances) : 0;
    for (uint32_t i = 0; i < count && found < 2; i++) {
        if (!probe_far(c, launch, samples, in_group, distances[i], found + 1, groups, error))
            return false;
        if (share_of_all(c, found + 1) >= worth_it && (found == 0 || adds_less(c, c->work->rows[0], distances[i])))
            c->work->rows[found++] = distances[i];
    }
    for (uint32_t b = 0; found < 2 && count > 0 && b < c->buffer_count; b++)
        c->buffers[b].shared[found + 1] = c->buffers[b].shared_words[found + 1] = 0;
    return true;
}

/* What the neighbours of the heaviest group along each dimension touch of the lines that it touches itself. */
static bool probe_neighbours(struct gp_collector *c, const struct gp_launch *launch, const struct gp_sample *samples, size_t count,
                             struct gp_error *error)
{
    uint64_t groups[3];
    gp_launch_groups(launch, groups);
    size_t first = gp_heaviest_group(samples, count), in_group = gp_samples_of_group(samples, count, first);
    for (uint32_t b = 0; b < c->buffer_count; b++)
        if (c->kept[b].lines > 0)
            c->buffers[b].useful_bytes = c->buffers[b].group_bytes * fmin(1, (c->kept[b].known_words + c->kept[b].scattered_words) / c->kept[b].lines);
    bool ok = true;
    c->purpose = PROBE;
    for (uint32_t d = 0; ok && d < launch->dims; d++) {
        memset(c->probes, 0, c->buffer_count * sizeof *c->probes);
        for (int side = -1; ok && side <= 1; side += 2) /* both: a line may end at one of them */
            ok = probe_neighbour(c, launch, &samples[first], in_group, d, side, groups, error);
        for (uint32_t b = 0; b < c->buffer_count; b++)
            note_shared(&c->buffers[b], d, &c->probes[b], &c->kept[b]);
    }
    ok = ok && probe_rows(c, launch, &samples[first], in_group, groups, error);
    c->purpose = COUNT;
    return ok;
}

/* Bytes that the buffer's accesses can reach whatever the data is; infinite where one of them has no bound. */
static double reach_of(const struct gp_collector *c, uint32_t buffer)
{
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++) {
        if (c->buffer_of[m] != buffer)
            continue;
        const struct gp_scatter *bound = gp_scatter_of(c->bounds, c->kernel, m);
        if (!bound->known)
            return INFINITY;
        int64_t high = bound->low + (int64_t)bound->bytes;
        lowest = bound->low < lowest ? bound->low : lowest;
        highest = high > highest ? high : highest;
    }
    return lowest < highest ? (double)(highest - lowest) : INFINITY;
}

/* Words that all groups ask for together, neighbours sharing what they do. */
static double words_of_all(const struct gp_buffer_work *buffer, const double lattice[3])
{
    double bytes = buffer->useful_bytes;
    for (int d = 0; d < 3; d++)
        bytes *= 1 + fmax(0, lattice[d] - 1) * (1 - buffer->shared_words[d]);
    return bytes;
}

/*
 * What a buffer's groups touch together is within what was seen of its addresses, or where unseen ones can be. Groups at the edges may
 * touch nothing (guards): then those seen stand for part of the range, and the whole reaches as many times as far; where few are seen they may lie askew,
 * and it reaches as far as what all ask for, where that is known.
 */
static void bound_by_extent(struct gp_collector *c, const uint64_t groups[3], bool probed, struct gp_work *work)
{
    double lattice[3];
    gp_work_lattice(work, groups, lattice);
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        const struct reach *reach = &c->reaches[b];
        double extent = reach->high - reach->low, times = 1;
        for (int d = 0; extent > 0 && d < 3; d++)
            times *= (double)groups[d] / (double)(reach->last[d] - reach->first[d] + 1);
        double least = times > 1 && probed ? words_of_all(&work->buffers[b], lattice) : 0;
        work->buffers[b].extent = extent > 0 && !reach->open ? fmax(times * extent, least) : reach_of(c, b);
    }
}

static void start_run(struct gp_collector *c)
{
    const struct gp_kernel *kernel = c->kernel;
    memset(c->memory, 0, kernel->memory_count * sizeof *c->memory);
    memset(c->branches, 0, kernel->branch_count * sizeof *c->branches);
    for (uint32_t b = 0; b < kernel->block_count; b++)
        c->block_work[b].visits = c->block_work[b].chain = 0;
    for (uint32_t b = 0; b < c->buffer_count; b++) {
        c->buffers[b] = (struct gp_buffer_work){.base = c->buffers[b].base};
        c->reaches[b] = (struct reach){GP_SYMBOL_UNKNOWN, false, INFINITY, -INFINITY, {UINT64_MAX, UINT64_MAX, UINT64_MAX}, {0}};
    }
    for (uint32_t m = 0; m < kernel->memory_count; m++)
        c->surveyed[m] = (struct surveyed){.fewer = 1, .low = INFINITY, .high = -INFINITY};
    memset(c->probes, 0, c->buffer_count * sizeof *c->probes);
    c->purpose = COUNT;
    c->private_bytes_known = false;
    c->keeping_words = c->was_surveyed = c->thinned = false;
    c->longest = c->longest_light = (struct longest){0};
}

/* Where groups do different work, those at many places; else few stand for all, and fewer for a quick look. */
static size_t choose_samples(struct gp_collector *c, const struct gp_launch *launch, enum gp_sampling sampling, uint32_t most_warps, const uint64_t groups[3],
                             struct gp_sample **samples)
{
    enum { POINTS = 48, QUICK_POINTS = 12 };
    uint32_t lanes = gp_device_lanes(c->device), few = 3, most_groups = c->quick && sampling != GP_SAMPLE_QUICK_GROUPS ? few : gp_sample_groups(launch, lanes);
    struct gp_cuts cuts[3];
    gp_guard_cuts(c->kernel, launch, cuts);
    size_t count = gp_sample_between(launch, cuts, lanes, most_groups, most_warps, samples);
    uint32_t points = c->quick ? QUICK_POINTS : POINTS;
    size_t heaviest = count > 0 ? gp_heaviest_group(*samples, count) : 0, in_group = count > 0 ? gp_samples_of_group(*samples, count, heaviest) : 0;
    c->at_points = in_group > 0 && c->groups_may_differ && c->work->groups > 2 * points &&
                   gp_groups_differ(c->executor, launch, lanes, *samples + heaviest, in_group, c->quick);
    if (c->at_points) {
        free(*samples);
        return gp_sample_points(launch, lanes, points, most_warps, samples);
    }
    return c->quick ? gp_thin_out_samples(*samples, count, groups) : gp_thin_out_edges(*samples, count);
}

static double *bytes_of_loop(struct gp_collector *c, uint32_t memory)
{
    uint32_t loop = c->kernel->blocks[c->block_of[memory]].loop;
    return &c->loop_bytes[loop == GP_NONE ? c->kernel->loop_count : loop];
}

static void sum_iterations(struct gp_collector *c)
{
    memset(c->loop_bytes, 0, (c->kernel->loop_count + 1) * sizeof *c->loop_bytes);
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        *bytes_of_loop(c, m) += c->memory[m].l2_bytes;
    for (uint32_t m = 0; m < c->kernel->memory_count; m++)
        c->memory[m].iteration_bytes = c->memory[m].requests > 0 ? *bytes_of_loop(c, m) / c->memory[m].requests : 0;
}

/* Latency of the cache that serves loads of buffers; 0: what is stored is not found there in any case, images lie in blocks, and constants that are asked for one after another belong elsewhere. */
static double hit_latency(const struct gp_collector *c, const struct gp_memory *memory)
{
    bool other = memory->space == GP_SPACE_IMAGE || memory->space == GP_SPACE_CONSTANT || gp_is_on_chip(memory);
    if (other || gp_memory_writes(memory) || !gp_memory_reads_cached(c->device, memory))
        return 0;
    return gp_memory_reads_texture_cache(c->device, memory) ? c->device->tex_latency.value : c->device->l1_latency.value;
}

static bool mend_misses(struct gp_collector *c)
{
    const struct gp_device *d = c->device;
    const struct gp_l1_fill fill = {d->l2_latency.value, fmax(d->l2_latency.value, d->dram_latency.value), c->line.bytes, c->lsu_port, c->l1_bytes / fmax(1, c->resident_warps)};
    struct gp_l1_access *access = malloc((c->kernel->memory_count + 1) * sizeof *access);
    for (uint32_t m = 0; access != NULL && m < c->kernel->memory_count; m++) {
        access[m] = (struct gp_l1_access){hit_latency(c, &c->kernel->memory[m]), c->kernel->blocks[c->block_of[m]].loop};
        c->memory[m].buffer = c->buffer_of[m];
        c->memory[m].ideal_misses = c->memory[m].misses;
        c->memory[m].ideal_dram_latency = c->memory[m].dram_latency;
        c->memory[m].ideal_again = c->memory[m].again;
        c->memory[m].ideal_lost = c->memory[m].lost;
        c->memory[m].ideal_since = c->memory[m].since;
    }
    bool done = access != NULL && gp_mend_misses(&fill, access, c->memory, c->kernel->memory_count, c->buffer_count);
    free(access);
    return done;
}

/* Of groups that stand for few only some warps are executed, which seem to wait for all that they share with the others: little more than others' says nothing. */
static struct longest longest_group(const struct gp_collector *c) { return c->longest_light.chain > 2 * c->longest.chain ? c->longest_light : c->longest; }

bool gp_collect(struct gp_collector *c, const struct gp_device *device, const struct gp_launch *launch, double resident_warps,
                double l1_bytes, double registers, enum gp_sampling sampling, struct gp_work *work, struct gp_error *error)
{
    bool quick = sampling != GP_SAMPLE_FULL && sampling != GP_SAMPLE_EVERY_ITERATION, all_warps = !quick || sampling == GP_SAMPLE_QUICK_WARPS || sampling == GP_SAMPLE_QUICK_SHARING;
    bool probed = !quick || sampling == GP_SAMPLE_QUICK_SHARING || sampling == GP_SAMPLE_QUICK_NEIGHBOURS || sampling == GP_SAMPLE_QUICK_GROUPS;
    uint64_t groups[3];
    uint32_t lanes = gp_device_lanes(device);
    double items = (double)gp_launch_group_items(launch);
    double warps = ceil(items / lanes);
    *work = (struct gp_work){.registers = registers, .least = {.instructions = INFINITY}, .most = {.instructions = -1}, .groups = (double)gp_launch_groups(launch, groups), .warps_per_group = warps,
                             .lanes_used = items / (warps * lanes), .blocks = c->block_work, .block_count = c->kernel->block_count, .memory = c->memory, .memory_count = c->kernel->memory_count,
                             .branches = c->branches, .branch_count = c->kernel->branch_count, .buffers = c->buffers,
                             .buffer_count = c->buffer_count};
    if (c->times != NULL && (device != c->device || registers != c->registers))
        gp_block_times_forget(c->times);
    if (device != c->device)
        memset(c->has_slots, 0, c->kernel->block_count * sizeof *c->has_slots);
    c->device = device;
    c->work = work;
    c->quick = quick;
    c->every_iteration = sampling == GP_SAMPLE_EVERY_ITERATION;
    c->row = launch->local[0] < lanes ? launch->local[0] : lanes;
    c->resident_warps = resident_warps;
    c->l1_bytes = l1_bytes;
    c->registers = registers;
    uint32_t unit = (uint32_t)(device->l1_sector.value > 0 ? device->l1_sector.value : device->l1_line.value > 0 ? device->l1_line.value : 64);
    c->line = (struct gp_unit){unit, (unit & (unit - 1)) == 0 ? __builtin_ctz(unit) : -1};
    c->lsu_port = fmax(16, device->l2_bytes_per_clk.value / device->sm_count.value);
    if (!gp_collector_take_costs(c))
        return gp_fail(error, "out of memory");
    start_run(c);
    gp_scatter_take_sizes(c->bounds, c->kernel, launch);
    memset(c->spots, 0, c->kernel->memory_count * sizeof *c->spots);

    struct gp_sample *samples = NULL;
    size_t count = choose_samples(c, launch, sampling, all_warps ? MOST_WARPS : 2, groups, &samples);
    if (count == 0)
        return gp_fail(error, "nothing to execute: the launch has no work-items");
    c->most_visits = quick && !probed ? MOST_VISITS / (uint32_t)count : MOST_VISITS;
    bool ok = run_samples(c, launch, samples, count, work->groups * warps, probed, error);
    if (ok && probed)
        ok = probe_neighbours(c, launch, samples, count, error);
    free(samples);
    if (ok && c->was_surveyed)
        gp_collector_count_all_warps(c);
    work->longest = work->chain > 0 ? longest_group(c).chain / work->chain : 1;
    work->longest_block = longest_group(c).block;
    bound_by_extent(c, groups, probed, work);
    sum_iterations(c);
    if (ok && !mend_misses(c))
        ok = gp_fail(error, "out of memory");
    for (uint32_t m = 0; m < work->memory_count; m++) {
        work->memory[m].buffer = c->buffer_of[m];
        work->memory[m].writes = gp_memory_writes(&c->kernel->memory[m]);
        work->memory[m].addresses = work->memory[m].lines = INFINITY;
        if (work->memory[m].operations > 0)
            gp_collector_addresses(c, m, &work->memory[m].addresses, &work->memory[m].lines);
        work->buffers[c->buffer_of[m]].read_again |= work->memory[m].again > 0;
    }
    return ok;
}
