#include "model/predict.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/code/array_registers.h"
#include "model/code/spilled.h"
#include "model/findings/bottlenecks.h"
#include "model/findings/hot_loop.h"
#include "model/findings/repair.h"
#include "model/launch/local_reach.h"
#include "model/launch/texels.h"
#include "model/timing/cpu_model.h"
#include "model/timing/cpu_walk.h"
#include "model/timing/mwp_cwp.h"
#include "model/timing/throughput.h"
#include "model/trace/trace_model.h"
#include "model/work/combined_atomics.h"
#include "model/work/work.h"
#include "support/memory.h"

static const char *const limiter_names[] = {
#define X(name, text) text,
    GP_LIMITERS(X)
#undef X
};

static const struct { const char *name; bool warns; } causes[] = {
#define X(name, text, warns) {text, warns},
    GP_CAUSES(X)
#undef X
};

const char *gp_limiter_name(enum gp_limiter limiter) { return limiter < GP_LIMITER_COUNT ? limiter_names[limiter] : "?"; }
const char *gp_cause_name(enum gp_cause cause) { return cause < GP_CAUSE_COUNT ? causes[cause].name : "?"; }
bool gp_cause_warns(enum gp_cause cause) { return cause < GP_CAUSE_COUNT && causes[cause].warns; }
bool gp_cause_is_a_limit(enum gp_cause cause) { return cause == GP_CAUSE_LATENCY || cause == GP_CAUSE_BANDWIDTH; }

bool gp_model_parse(const char *name, enum gp_model *model, struct gp_error *error)
{
    static const char *const names[] = {"auto", "throughput", "mwp-cwp", "trace"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            *model = (enum gp_model)i;
            return true;
        }
    return gp_fail(error, "unknown model '%s'; the models are auto, throughput, mwp-cwp, trace", name);
}

/* What collected work depends on: the same again need not be executed again. */
struct gp_predictor {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    struct gp_kernel *changed;    /* the kernel, where its private arrays are in registers; NULL: as it came */
    struct gp_kernel with_texels; /* that one, its texels as large as the last launch stated; its memory operations are our own */
    struct gp_memory *plain_memory; /* as they came */
    struct gp_collector *collector;
    struct gp_tracer *tracer;     /* made when first needed */
    struct gp_spills spills;      /* the last estimate, by its arguments */
    uint32_t spills_excess;       /* 0: none */
    bool spills_scalar_unit;
};

static struct gp_memory *copy_memory(const struct gp_kernel *kernel)
{
    struct gp_memory *copy = gp_some(kernel->memory_count, sizeof *copy);
    if (copy != NULL && kernel->memory_count > 0)
        memcpy(copy, kernel->memory, kernel->memory_count * sizeof *copy);
    return copy;
}

struct gp_predictor *gp_predictor_new(const struct gp_profile *profile, const struct gp_kernel *kernel)
{
    struct gp_predictor *predictor = calloc(1, sizeof *predictor);
    if (predictor == NULL)
        return NULL;
    predictor->profile = profile;
    bool ok = gp_arrays_in_registers(profile, kernel, &predictor->changed);
    predictor->with_texels = predictor->changed != NULL ? *predictor->changed : *kernel;
    predictor->with_texels.memory = ok ? copy_memory(kernel) : NULL;
    predictor->plain_memory = kernel->memory;
    predictor->kernel = &predictor->with_texels;
    predictor->collector = predictor->with_texels.memory != NULL ? gp_collector_new(predictor->kernel) : NULL;
    if (predictor->collector == NULL) {
        gp_predictor_free(predictor);
        return NULL;
    }
    return predictor;
}

void gp_predictor_free(struct gp_predictor *predictor)
{
    if (predictor == NULL)
        return;
    gp_collector_free(predictor->collector);
    gp_tracer_free(predictor->tracer);
    gp_spills_end(&predictor->spills);
    gp_arrays_in_registers_free(predictor->changed);
    free(predictor->with_texels.memory);
    free(predictor);
}

/* Texels as large as the launch states. What was found out about the kernel with others is forgotten. */
static bool take_texels(struct gp_predictor *predictor, const struct gp_launch *launch, struct gp_error *error)
{
    struct gp_kernel plain = predictor->with_texels;
    plain.memory = predictor->plain_memory;
    if (!gp_take_texels(&plain, launch, predictor->with_texels.memory))
        return true;
    gp_collector_free(predictor->collector);
    gp_tracer_free(predictor->tracer);
    predictor->tracer = NULL;
    predictor->collector = gp_collector_new(predictor->kernel);
    return predictor->collector != NULL || gp_fail(error, "out of memory");
}

/* ---- Is it a launch at all? ---------------------------------------------------------------------------------- */

static bool check_launch(const struct gp_kernel *kernel, const struct gp_device *device, const struct gp_launch *launch, struct gp_error *error)
{
    uint64_t items = 1;
    if (launch->dims < 1 || launch->dims > GP_MAX_DIMS)
        return gp_fail(error, "kernel '%s': a launch has 1 to 3 dimensions, not %u", kernel->name, launch->dims);
    for (uint32_t d = 0; d < GP_MAX_DIMS; d++) {
        if (launch->global[d] == 0 || launch->local[d] == 0)
            return gp_fail(error, "kernel '%s': the %s size of dimension %u is zero", kernel->name, launch->global[d] == 0 ? "global" : "local", d);
        if (launch->global[d] > (uint64_t)1 << 40)
            return gp_fail(error, "kernel '%s': a global size of %llu in dimension %u is beyond what any device takes", kernel->name,
                           (unsigned long long)launch->global[d], d);
        if (d >= launch->dims && (launch->global[d] > 1 || launch->local[d] > 1))
            return gp_fail(error, "kernel '%s': the %s size has %llu work-items in dimension %u, and the launch has %u dimension%s; give the global and the local size as many dimensions", kernel->name,
                           launch->local[d] > 1 ? "local" : "global", launch->local[d] > 1 ? (unsigned long long)launch->local[d] : (unsigned long long)launch->global[d], d, launch->dims, launch->dims > 1 ? "s" : "");
        items *= launch->local[d];
        if (items > (uint64_t)device->max_threads_per_block.value)
            return gp_fail(error, "kernel '%s': a local size of %ux%ux%u is more than the %.0f work-items per group of %s", kernel->name,
                           launch->local[0], launch->local[1], launch->local[2], device->max_threads_per_block.value, device->name);
    }
    const uint32_t *required = kernel->required_local;
    if (required[0] > 0 && memcmp(required, launch->local, sizeof kernel->required_local) != 0)
        return gp_fail(error, "kernel '%s' requires the local size %ux%ux%u (reqd_work_group_size), not %ux%ux%u", kernel->name, required[0], required[1],
                       required[2], launch->local[0], launch->local[1], launch->local[2]);
    if (kernel->max_local > 0 && items > kernel->max_local)
        return gp_fail(error, "kernel '%s' was compiled for at most %u work-items per group (launch bound), not %llu", kernel->name, kernel->max_local,
                       (unsigned long long)items);
    return true;
}

static uint32_t launch_local_bytes(const struct gp_predictor *predictor, const struct gp_resources *resources, const struct gp_launch *launch, uint32_t lanes)
{
    const struct gp_kernel *kernel = predictor->kernel;
    uint64_t bytes = resources != NULL && resources->local_bytes > 0 ? resources->local_bytes : gp_kernel_local_bytes(kernel);
    bytes += gp_local_reach(gp_collector_executor(predictor->collector), kernel, launch, lanes);
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

/* ---- Predicting ---------------------------------------------------------------------------------------------- */

struct run {
    struct gp_predictor *predictor;
    const struct gp_device *device;
    const struct gp_launch *launch;
    const struct gp_predict_options *options;
    const struct gp_resources *resources; /* may be NULL */
    uint32_t registers, local_bytes;
    double spill_store_bytes, spill_load_bytes, spill_slot_bytes; /* per work-item */
    uint32_t missing_registers; /* that the launch bound does not leave: spills are inferred; 0: none are */
    struct gp_occupancy occupancy;
    struct gp_work work;
    struct gp_conditions conditions;
    struct gp_timing timing;
};

enum { REGISTERS_IF_UNKNOWN = 32 };

/* Where addresses go over the DRAM channels in turn, groups that run at once can all wait for one of them: only the simulation sees it, and a quick look has no time for it. */
static bool is_simulated(const struct run *run)
{
    const struct gp_predict_options *options = run->options;
    bool camps = run->device->channel_hash.value <= 0 && run->device->dram_channels.value > 1;
    bool wanted = options->model == GP_MODEL_TRACE || (options->model == GP_MODEL_AUTO && camps && !options->quick && !options->every_iteration);
    return wanted && run->device->arch != GP_ARCH_CPU;
}

/* Times that far apart are told apart. */
static const double TIED = 1.03;

/* A floor that every model has, but Hong & Kim's, which is theirs. */
static void wait_for_atomics(const struct gp_work *work, const struct gp_conditions *conditions, struct gp_timing *timing)
{
    const struct gp_device *d = conditions->device;
    double least = gp_atomic_cycles(work, d) + d->launch_ns.value * 1e-3 * conditions->clock_mhz;
    if (least <= timing->cycles)
        return;
    timing->cycles = least;
    timing->limiter = GP_LIMITER_L2;
}

static void time_work(const void *context, const struct gp_work *work, const struct gp_conditions *conditions, struct gp_timing *timing)
{
    const struct run *run = context;
    if (conditions->device->arch != GP_ARCH_CPU && run->options->model == GP_MODEL_MWP_CWP) {
        gp_mwp_cwp_time(run->predictor->kernel, work, conditions, timing);
        return;
    }
    if (conditions->device->arch == GP_ARCH_CPU)
        gp_cpu_time(run->predictor->kernel, run->launch->local, work, conditions, timing);
    else if (is_simulated(run))
        gp_trace_time(run->predictor->tracer, work, conditions, timing);
    else
        gp_throughput(work, conditions, timing);
    wait_for_atomics(work, conditions, timing);
}

/* Groups that an SM has at a time: as many as fit, and as the launch has for it. */
static double groups_at_once(const struct run *run)
{
    uint64_t grid[3];
    double groups = (double)gp_launch_groups(run->launch, grid);
    return fmin(run->occupancy.resident_groups, fmax(1, ceil(groups / run->device->sm_count.value)));
}

/* What the unified data cache leaves to L1 beside the resident groups' local memory; separate caches keep theirs. */
static double l1_for_data(const struct run *run)
{
    const struct gp_device *d = run->device;
    double size = d->l1_size.value;
    if (gp_arch_is_nvidia(d->arch) && d->arch >= GP_ARCH_VOLTA)
        size = fmax(size - (double)run->occupancy.groups * run->local_bytes, 0.1 * size);
    return size;
}

static bool begin_trace(struct run *run, struct gp_error *error)
{
    struct gp_predictor *predictor = run->predictor;
    if (predictor->tracer == NULL)
        predictor->tracer = gp_tracer_new(predictor->kernel);
    if (predictor->tracer == NULL)
        return gp_fail(error, "out of memory");
    return gp_trace_begin(predictor->tracer, run->launch, &run->work, &run->conditions, l1_for_data(run), false, error);
}

static bool gather(struct run *run, double resident, enum gp_sampling sampling, struct gp_error *error)
{
    if (!gp_collect(run->predictor->collector, run->device, run->launch, resident, l1_for_data(run), run->registers, sampling, &run->work, error))
        return false;
    gp_combine_atomics(run->device, run->predictor->kernel, &run->work);
    return true;
}

static bool gather_again(struct run *run, double resident, enum gp_sampling sampling, struct gp_error *error)
{
    uint64_t effort = run->work.effort;
    bool ok = gather(run, resident, sampling, error);
    run->work.effort += effort;
    return ok;
}

/* A CPU's caches are seen work-item by work-item, beside which more warps than a quick look has cost little. */
static bool is_walked(const struct run *run) { return run->device->arch == GP_ARCH_CPU && run->options->affordable <= 0; }

static enum gp_sampling first_look(const struct run *run)
{
    const struct gp_predict_options *options = run->options;
    if (options->quick)
        return is_walked(run) ? GP_SAMPLE_QUICK_WARPS : GP_SAMPLE_QUICK;
    if (is_simulated(run))
        return GP_SAMPLE_QUICK_NEIGHBOURS;
    return options->every_iteration ? GP_SAMPLE_EVERY_ITERATION : GP_SAMPLE_FULL;
}

/* A quick look does not see what warps and neighbouring groups share, such as halos and blocks of an image: it then counts more than there is. */
static bool may_share_lines(const struct run *run)
{
    const struct gp_work *work = &run->work;
    for (uint32_t b = 0; b < work->buffer_count; b++)
        if (work->buffers[b].group_bytes * work->groups > 1.1 * work->buffers[b].extent)
            return true;
    for (uint32_t m = 0; m < work->memory_count; m++)
        if (run->predictor->kernel->memory[m].space == GP_SPACE_IMAGE)
            return true;
    return false;
}

/*
 * All warps of a group and its neighbours cost about ten quick looks; of a large group, as many again. Where memory seems to limit and more to be moved than there is, times and
 * warnings are wrong by as much without them: it may cost three times what else a prediction may;
 * beside a simulation, whose few warps and neighbours were seen before, some ten milliseconds.
 */
static bool affords_neighbours(const struct run *run)
{
    double cost = 10 + (run->work.warps_per_group > 8 ? run->work.warps_per_group / 2 : 0), worth = 3, beside_simulation = 400000;
    if (is_simulated(run) && cost * (double)run->work.effort > beside_simulation)
        return false;
    return run->options->affordable <= 0 || cost * (double)run->work.effort <= worth * run->options->affordable;
}

/* Where memory seems to limit, what warps and neighbouring groups share decides. */
static bool counts_sharing(const struct run *run, enum gp_limiter limiter)
{
    return (limiter == GP_LIMITER_DRAM || limiter == GP_LIMITER_L2) && !run->work.cut_off && affords_neighbours(run) && may_share_lines(run);
}

/*
 * Beside a simulation few iterations and warps tell the work well enough where more would cost as much as the simulation itself; but not how often a line is read that all warps
 * of a group read.
 */
static bool gather_for_simulation(struct run *run, double resident, struct gp_error *error)
{
    enum { DEAR = 8000, DEAR_IF_UNEVEN = 20000, VERY_DEAR = 4 * DEAR };
    struct gp_timing timing;
    bool uneven = run->work.most.instructions > 2 * run->work.least.instructions; /* how many groups and warps there are of each kind decides */
    if (run->work.effort <= (uneven ? DEAR_IF_UNEVEN : DEAR))
        return gather(run, resident, GP_SAMPLE_FULL, error);
    gp_throughput(&run->work, &run->conditions, &timing);
    if (counts_sharing(run, timing.limiter))
        return gather(run, resident, GP_SAMPLE_QUICK_SHARING, error);
    return run->work.effort > VERY_DEAR || gather(run, resident, GP_SAMPLE_QUICK_GROUPS, error);
}

static bool gather_work(struct run *run, double resident, struct gp_error *error)
{
    struct gp_collector *collector = run->predictor->collector;
    enum gp_sampling sampling = first_look(run);
    gp_collector_afford(collector, run->options->affordable);
    if (!gather(run, resident, sampling, error))
        return false;
    /* Where the first warp of a group does more than the others (the end of a reduction, a halo) or the last less, these two stand for none. */
    if (run->options->quick && sampling != GP_SAMPLE_QUICK_WARPS && run->work.uneven_warps && run->work.warps_per_group > 2)
        return gather_again(run, resident, GP_SAMPLE_QUICK_WARPS, error);
    return sampling != GP_SAMPLE_QUICK_NEIGHBOURS || gather_for_simulation(run, resident, error);
}

static bool find_spills(struct gp_predictor *predictor, uint32_t excess, bool scalar_unit, struct gp_error *error)
{
    if (predictor->spills_excess == excess && predictor->spills_scalar_unit == scalar_unit)
        return true;
    gp_spills_end(&predictor->spills);
    predictor->spills_excess = 0;
    if (!gp_spills_find(predictor->kernel, scalar_unit, excess, &predictor->spills))
        return gp_fail(error, "out of memory");
    predictor->spills_excess = excess;
    predictor->spills_scalar_unit = scalar_unit;
    return true;
}

/* Words of a work-item that the estimate stores and loads: as often as blocks are visited, and each place in the code once. */
struct spill_words { double stores, loads, stores_once, loads_once; };

static struct spill_words spill_words_of(const struct gp_spills *spills, const struct gp_work *work)
{
    struct spill_words words = {0};
    for (uint32_t b = 0; b < work->block_count; b++) {
        words.stores += work->blocks[b].visits * spills->blocks[b].stores;
        words.loads += work->blocks[b].visits * spills->blocks[b].loads;
        words.stores_once += spills->blocks[b].stores;
        words.loads_once += spills->blocks[b].loads;
    }
    return words;
}

/* Of registers that the launch bound does not leave each is stored and loaded once at least; what lives in a loop, as often as its blocks are visited. */
static bool weigh_spills(struct run *run, struct gp_error *error)
{
    double least = 4.0 * run->missing_registers;
    if (!find_spills(run->predictor, run->missing_registers, gp_arch_is_amd(run->device->arch), error))
        return false;
    struct spill_words words = spill_words_of(&run->predictor->spills, &run->work);
    run->spill_store_bytes += fmax(least, 4 * words.stores);
    run->spill_load_bytes += fmax(least, 4 * words.loads);
    run->spill_slot_bytes += fmax(least, 4 * run->predictor->spills.slots);
    return true;
}

/* ptxas tells how many stores and loads its code has, each once. Loops repeat them: how often is taken from where the estimate has them. */
static bool repeat_spills(struct run *run, struct gp_error *error)
{
    const struct gp_resources *r = run->resources;
    uint32_t slots = r->spill_store_bytes / 4;
    if (!find_spills(run->predictor, slots > 0 ? slots : 1, false, error))
        return false;
    struct spill_words words = spill_words_of(&run->predictor->spills, &run->work);
    run->spill_store_bytes = r->spill_store_bytes * (words.stores_once > 0 ? fmax(1, words.stores / words.stores_once) : 1);
    run->spill_load_bytes = r->spill_load_bytes * (words.loads_once > 0 ? fmax(1, words.loads / words.loads_once) : 1);
    return true;
}

/* LLVM's assembly tells what a loop spills in a turn; how often it turns, the sampled warps. */
static void repeat_spill_loop(struct run *run)
{
    const struct gp_resources *r = run->resources;
    const struct gp_kernel *kernel = run->predictor->kernel;
    double turns = run->work.blocks[kernel->loops[r->spill_loop].latch].visits / gp_constant_iterations(kernel, r->spill_loop);
    run->spill_store_bytes += fmax(0, turns - 1) * r->loop_store_bytes;
    run->spill_load_bytes += fmax(0, turns - 1) * r->loop_load_bytes;
}

static bool take_spills(struct run *run, struct gp_error *error)
{
    const struct gp_resources *r = run->resources;
    if (r != NULL && (r->loop_store_bytes > 0 || r->loop_load_bytes > 0))
        repeat_spill_loop(run);
    if (run->missing_registers > 0)
        return weigh_spills(run, error);
    bool once = r != NULL && r->source == GP_SOURCE_PTXAS && r->spill_load_bytes > 0 && run->predictor->kernel->loop_count > 0;
    return !once || repeat_spills(run, error);
}

static bool collect(struct run *run, struct gp_error *error)
{
    double resident = fmax(1, fmin(groups_at_once(run) * run->occupancy.warps_per_group, run->device->max_warps_per_sm.value));
    struct gp_conditions *c = &run->conditions;
    *c = (struct gp_conditions){.device = run->device, .resident_groups = run->occupancy.resident_groups, .cold = run->launch->cold};
    c->clock_mhz = run->options->clock_mhz > 0 ? run->options->clock_mhz : run->device->clock_mhz.value;
    gp_launch_groups(run->launch, c->grid);
    if (!gather_work(run, resident, error) || !take_spills(run, error))
        return false;
    c->spill_store_bytes = run->spill_store_bytes;
    c->spill_load_bytes = run->spill_load_bytes;
    c->spill_slot_bytes = run->spill_slot_bytes;
    if (is_simulated(run) && !begin_trace(run, error))
        return false;
    if (is_walked(run) && !gp_cpu_walk(gp_collector_executor(run->predictor->collector), run->predictor->kernel, run->device, run->launch, &run->work, error))
        return false;
    time_work(run, &run->work, c, &run->timing);
    if (!run->options->quick || is_walked(run) || !counts_sharing(run, run->timing.limiter))
        return true;
    if (!gather_again(run, resident, GP_SAMPLE_QUICK_SHARING, error))
        return false;
    time_work(run, &run->work, c, &run->timing);
    return true;
}

/* A doubt is worth no simulation. */
static void time_quickly(const struct run *run, const struct gp_work *work, const struct gp_conditions *conditions, struct gp_timing *timing)
{
    if (is_simulated(run))
        gp_throughput(work, conditions, timing);
    else
        time_work(run, work, conditions, timing);
}

/* How much the time would change if the estimated registers were a fifth more or fewer. */
static double doubt_of_registers(const struct run *run)
{
    if (run->device->arch == GP_ARCH_CPU || (run->resources != NULL && run->resources->source != GP_SOURCE_ESTIMATE))
        return 0;
    double low = INFINITY, high = 0;
    for (int i = -1; i <= 1; i++) {
        struct gp_occupancy occupancy;
        struct gp_conditions conditions = run->conditions;
        struct gp_timing timing;
        uint32_t registers = (uint32_t)fmin(run->registers * (1 + 0.2 * i), run->device->max_registers_per_thread.value);
        if (!gp_occupancy(run->device, (uint32_t)gp_launch_group_items(run->launch), registers, 0, run->local_bytes, &occupancy, NULL) || occupancy.groups == 0)
            continue;
        conditions.resident_groups = occupancy.resident_groups;
        time_quickly(run, &run->work, &conditions, &timing);
        low = fmin(low, timing.cycles);
        high = fmax(high, timing.cycles);
    }
    return high > 0 ? 1 - low / high : 0;
}

/* The work with as much arithmetic reached by guesses as `times` what was found. */
static struct gp_work with_guesses(const struct gp_work *found, double guessed, double times)
{
    struct gp_work work = *found;
    double factor = 1 - guessed + times * guessed;
    work.pipes.issue *= factor;
    for (int p = 0; p < GP_PIPE_COUNT; p++)
        work.pipes.ops[p] *= factor;
    work.instructions *= factor;
    work.chain = work.chain_memory + factor * (work.chain - work.chain_memory);
    return work;
}

/* Whether a loop whose end nobody knows was gone round: it may go on for longer than was assumed, where of a branch's sides both are taken at most. */
static bool guesses_loops(const struct gp_kernel *kernel, const struct gp_work *work)
{
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        const struct gp_loop *loop = &kernel->loops[i];
        if ((loop->bound == GP_BOUND_ASSUMED || loop->bound == GP_BOUND_RETRY || loop->data_dependent) && work->blocks[loop->header].visits > 0)
            return true;
    }
    return false;
}

/*
 * How much the time would change if none of the instructions that were reached by a guess were executed, or, of loops, twice as many: nothing where memory limits, whose own doubt is
 * doubt_of_reaching(). It is no more than their share of all, which it is where arithmetic limits.
 */
static double doubt_of_instructions(const struct run *run)
{
    const struct gp_work *work = &run->work;
    double guessed = work->instructions > 0 ? fmin(1, work->guessed_instructions / work->instructions) : 0;
    struct gp_timing fewest, most;
    if (guessed <= 0)
        return 0;
    struct gp_work without = with_guesses(work, guessed, 0), with = with_guesses(work, guessed, guesses_loops(run->predictor->kernel, work) ? 2 : 1);
    time_quickly(run, &without, &run->conditions, &fewest);
    time_quickly(run, &with, &run->conditions, &most);
    return most.cycles > 0 ? fmin(guessed, 1 - fmin(1, fewest.cycles / most.cycles)) : guessed;
}

/* Share of the memory time of requests that were reached by a guess. */
static double doubt_of_reaching(const struct gp_work *work)
{
    double all = 0, guessed = 0;
    for (uint32_t m = 0; m < work->memory_count; m++) {
        const struct gp_memory_work *memory = &work->memory[m];
        double cost = memory->wavefronts + memory->l2_bytes / 32;
        all += cost;
        if (memory->requests > 0)
            guessed += cost * (memory->guessed - memory->scattered) / memory->requests;
    }
    return all > 0 ? guessed / all : 0;
}

/* Share of the time that is not there with the repaired work. Ends the repair. */
static double share_repaired(const struct run *run, struct gp_repair *repair)
{
    struct gp_timing timing, repaired;
    time_quickly(run, &run->work, &run->conditions, &timing);
    time_quickly(run, &repair->work, &repair->conditions, &repaired);
    gp_repair_end(repair);
    return timing.cycles > 0 ? 1 - fmin(1, repaired.cycles / timing.cycles) : 0;
}

/*
 * Share of the time that is not there when the addresses that nobody knows fall as well as they can: side by side, in different
 * banks, atomics evenly on the addresses that there are.
 */
static double doubt_of_addresses(const struct run *run)
{
    const struct gp_work *work = &run->work;
    struct gp_repair best;
    bool any = false;
    for (uint32_t m = 0; m < work->memory_count; m++)
        any |= work->memory[m].scattered > 0;
    if (!any)
        return 0;
    if (!gp_repair_begin(&best, work, &run->conditions)) {
        gp_repair_end(&best);
        return 1;
    }
    for (uint32_t m = 0; m < work->memory_count; m++) {
        if (work->memory[m].scattered <= 0)
            continue;
        if (run->predictor->kernel->memory[m].space == GP_SPACE_LOCAL)
            gp_free_of_conflicts(&best, m);
        else
            gp_coalesce(&best, m);
        best.work.memory[m].contention = fmin(work->memory[m].contention, work->memory[m].least_contention);
    }
    return share_repaired(run, &best);
}

/* The work if texels whose size is assumed had so few bytes that most formats of four channels have: 8 bits each. */
static void shrink_texels(const struct run *run, struct gp_repair *small)
{
    const struct gp_kernel *kernel = run->predictor->kernel;
    const double usual = 4;
    for (uint32_t m = 0; m < run->work.memory_count; m++) {
        struct gp_memory_work *memory = &small->work.memory[m];
        struct gp_buffer_work *buffer = &small->work.buffers[memory->buffer];
        const struct gp_buffer_work *before = &run->work.buffers[memory->buffer];
        double part = fmin(1, usual / (kernel->memory[m].element_bytes * kernel->memory[m].vector));
        if (!gp_texel_is_assumed(kernel, run->launch, m))
            continue;
        memory->l2_bytes *= part;
        memory->stayed_bytes *= part;
        memory->iteration_bytes *= part;
        memory->core.l1 *= part;
        memory->core.l2 *= part;
        memory->core.unforeseen *= part;
        memory->core.streamed *= part;
        buffer->group_bytes = before->group_bytes * part;
        buffer->useful_bytes = before->useful_bytes * part;
        buffer->stored_bytes = before->stored_bytes * part;
        buffer->rewritten_bytes = before->rewritten_bytes * part;
        buffer->extent = before->extent * part;
    }
}

/* Share of the time that is not there with smaller texels where nobody has stated their size. */
static double doubt_of_texels(const struct run *run)
{
    struct gp_repair small;
    bool any = false;
    for (uint32_t m = 0; m < run->work.memory_count; m++)
        any |= run->work.memory[m].requests > 0 && gp_texel_is_assumed(run->predictor->kernel, run->launch, m);
    if (!any)
        return 0;
    if (!gp_repair_begin(&small, &run->work, &run->conditions)) {
        gp_repair_end(&small);
        return 0;
    }
    shrink_texels(run, &small);
    return share_repaired(run, &small);
}

/* Hong & Kim's departure delays are fitted for few devices. Where they are not: how much twice the delay would change the time. */
static double doubt_of_departures(const struct run *run)
{
    const struct gp_device *d = run->device;
    if (run->options->model != GP_MODEL_MWP_CWP || (d->departure_delay_coalesced.origin < GP_FROM_DERIVED && d->departure_delay_uncoalesced.origin < GP_FROM_DERIVED))
        return 0;
    struct gp_device slower = *d;
    struct gp_conditions conditions = run->conditions;
    struct gp_timing timing;
    slower.departure_delay_coalesced.value *= 2;
    slower.departure_delay_uncoalesced.value *= 2;
    conditions.device = &slower;
    time_work(run, &run->work, &conditions, &timing);
    return 1 - fmin(1, run->timing.cycles / timing.cycles);
}

static bool limits_memory(enum gp_limiter limiter)
{
    return limiter == GP_LIMITER_LSU || limiter == GP_LIMITER_L1 || limiter == GP_LIMITER_L2 || limiter == GP_LIMITER_DRAM || limiter == GP_LIMITER_LATENCY;
}

/* The hardware number that the limiter stands on. */
static const struct gp_number *number_behind(const struct gp_device *d, enum gp_limiter limiter)
{
    switch (limiter) {
    case GP_LIMITER_ISSUE: return &d->issue_per_scheduler;
    case GP_LIMITER_FP32: return &d->fp32_lanes;
    case GP_LIMITER_FP64: return &d->fp64_lanes;
    case GP_LIMITER_SFU: return &d->sfu_lanes;
    case GP_LIMITER_INT: return &d->int_lanes;
    case GP_LIMITER_LSU: return &d->lsu_lanes;
    case GP_LIMITER_L1: return &d->l1_bytes_per_clk;
    case GP_LIMITER_L2: return &d->l2_bytes_per_clk;
    case GP_LIMITER_DRAM: return &d->dram_gbps;
    case GP_LIMITER_LATENCY: return &d->dram_latency;
    case GP_LIMITER_BARRIER: return gp_arch_is_nvidia(d->arch) ? &d->barrier_lanes : &d->barrier_latency;
    default: return &d->launch_ns;
    }
}

/* Atomics that decide the time and whose addresses data decides: taken to be spread evenly over all that there are. Half of it. */
static double doubt_of_spread(const struct run *run)
{
    const struct gp_work *work = &run->work;
    bool spread = false;
    for (uint32_t m = 0; m < work->memory_count; m++)
        spread |= work->memory[m].operations > 0 && work->memory[m].scattered > 0;
    return spread && gp_atomic_cycles(work, run->device) > 0.9 * run->timing.cycles ? 0.5 : 0;
}

/*
 * Nothing that was looked at got to a memory operation, though the kernel has some, and a lone warp is over sooner than the next group is started: with these arguments it does nothing, which
 * nobody meant. What computes for longer and stores seldom is a search.
 */
static bool does_nothing(const struct run *run)
{
    const struct gp_work *work = &run->work;
    for (uint32_t m = 0; m < work->memory_count; m++)
        if (work->memory[m].requests > 0)
            return false;
    return work->memory_count > 0 && work->chain < run->device->group_dispatch_clk.value;
}

/*
 * The share of the time that rests on no guess. Doubts: requests reached by guesses; calls and inline assembly whose
 * instructions are an estimate; instructions reached by guesses, guessed addresses, assumed texels,
 * estimated registers and derived departure delays, by what they change; an assumed number behind the limiter and a foreign
 * target: a tenth each; a device that is not in the database: a tenth, three where the nearest is of another architecture. Groups that
 * do different work, of which some are looked at: the standard error. Arguments with which it does nothing: nine tenths.
 */
static double confidence_of(const struct run *run, double doubt_of_texels)
{
    const struct gp_work *work = &run->work;
    double sure = 1;
    sure *= 1 - doubt_of_instructions(run);
    if (work->pipes.issue > 0)
        sure *= 1 - fmin(1, work->unknown_calls / work->pipes.issue);
    sure *= 1 - doubt_of_reaching(work) * (limits_memory(run->timing.limiter) ? 1 : 0.3);
    sure *= 1 - doubt_of_addresses(run);
    sure *= 1 - doubt_of_texels;
    sure *= 1 - doubt_of_spread(run);
    sure *= 1 - doubt_of_registers(run);
    sure *= 1 - doubt_of_departures(run);
    if (number_behind(run->device, run->timing.limiter)->origin == GP_FROM_ASSUMED)
        sure *= 0.9;
    if (run->options->foreign_target || run->device->proxy_target)
        sure *= 0.9;
    if (run->device->nearest != NULL)
        sure *= run->device->same_target ? 0.9 : 0.7;
    if (run->missing_registers > 0)
        sure *= 0.7;
    sure *= 1 - fmin(1, work->uncertain);
    if (work->cut_off || run->predictor->kernel->truncated)
        sure *= 0.5;
    if (does_nothing(run))
        sure *= 0.1;
    return fmax(0, fmin(1, sure));
}

static void fill(const struct run *run, struct gp_prediction *p)
{
    p->cycles = run->timing.cycles;
    p->time_ns = run->timing.cycles / run->conditions.clock_mhz * 1e3;
    p->occupancy = run->occupancy.occupancy;
    p->occupancy_limit = run->occupancy.limit;
    p->limiter = run->timing.limiter;
    p->waves = run->timing.waves;
    p->mwp = run->timing.mwp;
    p->cwp = run->timing.cwp;
    p->cpi = run->timing.cpi;
    p->effort = run->work.effort + (is_simulated(run) ? gp_trace_effort(run->predictor->tracer) : 0);
    p->cut_off = run->work.cut_off;
    p->does_nothing = does_nothing(run);
    p->spill_bytes = (uint32_t)fmin(UINT32_MAX, run->spill_store_bytes + run->spill_load_bytes);
    double texels = doubt_of_texels(run);
    p->assumes_texels = texels > 1 - 1 / TIED;
    p->confidence = confidence_of(run, texels);
}

static struct gp_bottleneck_inputs bottleneck_inputs(const struct run *run)
{
    return (struct gp_bottleneck_inputs){
        .profile = run->predictor->profile, .kernel = run->predictor->kernel, .launch = run->launch, .occupancy = &run->occupancy, .work = &run->work,
        .conditions = &run->conditions, .registers = run->registers, .registers_wanted = run->missing_registers > 0 ? run->resources->registers : 0, .filled_cycles = run->options->filled_cycles, .timer = time_work, .timer_context = run, .timing = &run->timing};
}

static bool find_bottlenecks(const struct run *run, struct gp_prediction *p, struct gp_error *error)
{
    struct gp_bottleneck_inputs inputs = bottleneck_inputs(run);
    p->hot_loop = gp_hot_loop(run->predictor->kernel, &run->work, p->limiter, &p->hot_share);
    return gp_find_bottlenecks(&inputs, p, error);
}

/*
 * Registers that a compiler may give each work-item so that a group of `bound` of them fits: on NVIDIA as many such groups as the kernel
 * says an SM must hold, on AMD one on the CUs that it may lie on (LLVM's AMDGPU backend, occupancy).
 */
static uint32_t registers_within(const struct gp_device *d, const struct gp_kernel *kernel, uint64_t bound)
{
    bool nvidia = gp_arch_is_nvidia(d->arch);
    double items = ceil((double)bound / d->warp_width.value) * d->warp_width.value;
    double groups = nvidia ? fmax(1, fmin(kernel->min_groups, floor(d->max_threads_per_sm.value / items))) : 1;
    double cus = gp_device_group_sms(d), unit = nvidia ? 8 : fmax(1, d->register_unit.value);
    return (uint32_t)(floor(cus * d->registers_per_sm.value / (items * groups) / unit) * unit);
}

/*
 * Registers and spills. A kernel that states its work-group size or a bound is compiled to fit: where the count at hand was made without
 * that bound, what exceeds it is taken to be spilled (weigh_spills()).
 */
static void take_resources(struct run *run)
{
    const struct gp_kernel *kernel = run->predictor->kernel;
    const struct gp_resources *r = run->resources;
    run->registers = r != NULL ? r->registers : REGISTERS_IF_UNKNOWN;
    if (r == NULL || run->device->arch == GP_ARCH_CPU)
        return;
    run->spill_store_bytes = run->spill_slot_bytes = r->spill_store_bytes;
    run->spill_load_bytes = r->spill_load_bytes;
    if (r->stack_bytes > 0) /* several stores, and those of a loop's turns, go to one place of the frame */
        run->spill_slot_bytes = fmin(run->spill_slot_bytes, r->stack_bytes);
    uint64_t bound = kernel->required_local[0] > 0 ? (uint64_t)kernel->required_local[0] * kernel->required_local[1] * kernel->required_local[2] : kernel->max_local;
    if (bound == 0 || r->launch_bound != 0)
        return;
    uint32_t most = registers_within(run->device, kernel, bound);
    if (most >= run->registers || most == 0)
        return;
    run->missing_registers = run->registers - most;
    run->registers = most;
}

static const char *model_name(const struct run *run)
{
    return run->device->arch == GP_ARCH_CPU ? "cpu" : run->options->model == GP_MODEL_MWP_CWP ? "mwp-cwp" : is_simulated(run) ? "trace" : "throughput";
}

static void start_prediction(const struct run *run, struct gp_prediction *p)
{
    memset(p, 0, offsetof(struct gp_prediction, bottlenecks)); /* most of it is room for those, which few predictions ask for */
    p->dims = run->launch->dims;
    p->feasible = true;
    p->registers = run->registers;
    p->local_memory = run->local_bytes;
    p->hot_loop = GP_NONE;
    p->model = model_name(run);
    memcpy(p->global, run->launch->global, sizeof p->global);
    memcpy(p->local, run->launch->local, sizeof p->local);
}

bool gp_predict(struct gp_predictor *predictor, const struct gp_device *device, const struct gp_launch *launch,
                const struct gp_predict_options *options, struct gp_prediction *prediction, struct gp_error *error)
{
    if ((options->model == GP_MODEL_MWP_CWP || options->model == GP_MODEL_TRACE) && device->arch == GP_ARCH_CPU)
        return gp_fail(error, "the model '%s' is one of GPUs; %s takes auto or throughput", options->model == GP_MODEL_TRACE ? "trace" : "mwp-cwp", device->name);
    if (!check_launch(predictor->kernel, device, launch, error) || !take_texels(predictor, launch, error))
        return false;
    struct run run = {.predictor = predictor, .device = device, .launch = launch, .options = options};
    run.resources = gp_kernel_resources(predictor->kernel, (uint32_t)gp_launch_group_items(launch));
    take_resources(&run);
    run.local_bytes = launch_local_bytes(predictor, run.resources, launch, gp_device_lanes(device));
    start_prediction(&run, prediction);
    struct gp_error why = {{0}};
    uint32_t scalar = run.resources != NULL ? run.resources->scalar_registers : 0;
    if (!gp_occupancy(device, (uint32_t)gp_launch_group_items(launch), run.registers, scalar, run.local_bytes, &run.occupancy, &why) || run.occupancy.groups == 0) {
        prediction->feasible = false;
        snprintf(prediction->why, sizeof prediction->why, "%.159s", why.text[0] ? why.text : "no work-group fits on an SM");
        return true;
    }
    if (!collect(&run, error))
        return false;
    struct gp_bottleneck_inputs inputs = bottleneck_inputs(&run);
    if (options->without != 0 && !gp_time_without(&inputs, options->without, &run.timing, error))
        return false;
    if (is_simulated(&run) && run.timing.cycles <= 0)
        return gp_fail(error, "out of memory");
    fill(&run, prediction);
    return !options->bottlenecks || prediction->does_nothing || find_bottlenecks(&run, prediction, error);
}

/* ---- Ranking ------------------------------------------------------------------------------------------------- */

bool gp_prediction_tied(const struct gp_prediction *a, const struct gp_prediction *b)
{
    if (!a->feasible || !b->feasible)
        return false;
    double low = fmin(a->cycles, b->cycles), high = fmax(a->cycles, b->cycles);
    return high <= TIED * low;
}

static int by_time(const void *x, const void *y)
{
    const struct gp_prediction *a = x, *b = y;
    if (a->feasible != b->feasible)
        return a->feasible ? -1 : 1;
    if (a->cycles != b->cycles)
        return a->cycles < b->cycles ? -1 : 1;
    if (a->occupancy != b->occupancy)
        return a->occupancy > b->occupancy ? -1 : 1;
    return (int)a->rank - (int)b->rank; /* the order given */
}

static int each_by_time(const void *x, const void *y) { return by_time(*(const struct gp_prediction *const *)x, *(const struct gp_prediction *const *)y); }

void gp_predictions_rank_each(struct gp_prediction **predictions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        predictions[i]->rank = (uint32_t)i;
    qsort(predictions, count, sizeof *predictions, each_by_time);
    for (size_t i = 0; i < count; i++)
        predictions[i]->rank = (uint32_t)i + 1;
}

void gp_predictions_rank(struct gp_prediction *predictions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        predictions[i].rank = (uint32_t)i;
    qsort(predictions, count, sizeof *predictions, by_time);
    for (size_t i = 0; i < count; i++)
        predictions[i].rank = (uint32_t)i + 1;
}
