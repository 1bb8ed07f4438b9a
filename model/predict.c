/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A prediction, step by step: registers and occupancy, work and time (gather.c), confidence, bottlenecks. */
#include "model/predict.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/compilers/array_registers.h"
#include "model/findings/bottlenecks.h"
#include "model/findings/cuda_words.h"
#include "model/findings/limiter_shares.h"
#include "model/assume/local_reach.h"
#include "model/assume/texels.h"
#include "model/predict/run.h"
#include "model/trace/trace_model.h"
#include "support/memory.h"

/* ---- The predictor ----------------------------------------------------------------------------------------------- */

static struct gp_memory *copy_memory(const struct gp_kernel *kernel)
{
    struct gp_memory *copy = gp_some(kernel->memory_count, sizeof *copy);
    if (kernel->memory_count > 0)
        memcpy(copy, kernel->memory, kernel->memory_count * sizeof *copy);
    return copy;
}

static struct gp_collector *make_collector(const struct gp_predictor *predictor)
{
    struct gp_collector *collector = gp_collector_new(predictor->kernel);
    if (predictor->profile->left_to_drivers)
        gp_collector_for_drivers(collector, GP_UNROLLED_BY_LLVM);
    else if (predictor->profile->triple != NULL && strncmp(predictor->profile->triple, "spir", 4) == 0)
        gp_collector_for_drivers(collector, GP_UNROLLED_BY_SOURCE);
    return collector;
}

struct gp_predictor *gp_predictor_new(const struct gp_profile *profile, const struct gp_kernel *kernel)
{
    struct gp_predictor *predictor = calloc(1, sizeof *predictor);
    predictor->profile = profile;
    predictor->as_it_came = kernel;
    gp_arrays_in_registers(profile, kernel, 0, &predictor->changed);
    predictor->with_texels = predictor->changed != NULL ? *predictor->changed : *kernel;
    predictor->with_texels.memory = copy_memory(kernel);
    predictor->plain_memory = kernel->memory;
    predictor->kernel = &predictor->with_texels;
    predictor->collector = make_collector(predictor);
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
    gp_narrower_free(predictor);
    free(predictor->with_texels.memory);
    free(predictor);
}

/* ---- Predicting -------------------------------------------------------------------------------------------------- */

/* The last step of taking another kernel: what was found out about the one before is forgotten. */
static void start_anew(struct gp_predictor *predictor)
{
    gp_collector_free(predictor->collector);
    gp_tracer_free(predictor->tracer);
    predictor->tracer = NULL;
    predictor->collector = make_collector(predictor);
}

/* Arrays where the device's compiler has them. */
static void take_device(struct gp_predictor *predictor, const struct gp_device *device)
{
    uint32_t words = gp_words_for_vectors(predictor->profile, predictor->as_it_came, device);
    struct gp_kernel *changed;
    if (words == predictor->vector_words || predictor->as_it_came->private_count == 0)
        return;
    gp_arrays_in_registers(predictor->profile, predictor->as_it_came, words, &changed);
    struct gp_memory *memory = predictor->with_texels.memory;
    predictor->with_texels = changed != NULL ? *changed : *predictor->as_it_came;
    predictor->with_texels.memory = memory;
    gp_arrays_in_registers_free(predictor->changed);
    predictor->changed = changed;
    predictor->vector_words = words;
    gp_spills_end(&predictor->spills);
    predictor->spills = (struct gp_spills){0};
    predictor->spills_excess = 0;
    start_anew(predictor);
}

/* Texels as large as the launch states. What was found out about the kernel with others is forgotten. */
static void take_texels(struct gp_predictor *predictor, const struct gp_launch *launch)
{
    struct gp_kernel plain = predictor->with_texels;
    plain.memory = predictor->plain_memory;
    if (gp_take_texels(&plain, launch, predictor->with_texels.memory))
        start_anew(predictor);
}

static uint32_t launch_local_bytes(struct run *run, struct gp_local_excess *excess)
{
    const struct gp_kernel *kernel = run->predictor->kernel;
    const struct gp_resources *resources = run->resources;
    uint64_t bytes =
        resources != NULL && resources->local_bytes > 0 ? resources->local_bytes : gp_kernel_local_bytes(kernel);
    bytes += gp_local_reach(&run->pilots, gp_collector_executor(run->predictor->collector), kernel, run->launch,
                            gp_device_lanes(run->device), excess);
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

static void start_prediction(const struct run *run, struct gp_prediction *p)
{
    memset(
        p, 0,
        offsetof(struct gp_prediction, bottlenecks)); /* most of it is room for those, which few predictions ask for */
    p->dims = run->launch->dims;
    p->cold = run->launch->cold;
    p->feasible = true;
    p->registers = run->registers;
    p->local_memory = run->local_bytes;
    p->hot_loop = GP_NONE;
    p->overruns_range = GP_NONE;
    p->model = gp_run_model_name(run);
    memcpy(p->global, run->launch->global, sizeof p->global);
    memcpy(p->local, run->launch->local, sizeof p->local);
}

/* In units of what looking at an instruction or an access costs: executing an operation, for all lanes, takes several
 * times as long. */
static uint64_t effort_of(const struct run *run)
{
    const uint64_t executing = 8;
    return run->work.effort + run->work.piloted + run->pilots.spent + executing * run->work.executed;
}

static void fill(const struct run *run, struct gp_prediction *p)
{
    p->cycles = run->timing.cycles;
    p->time_ns = run->timing.cycles / run->conditions.clock_mhz * 1e3;
    p->occupancy = run->occupancy.occupancy;
    p->resident_warps = run->occupancy.resident_groups * run->occupancy.warps_per_group;
    p->full_group = run->device->max_threads_per_sm.value / 4;
    p->limiter = run->timing.limiter;
    p->waves = run->timing.waves;
    p->terms = run->timing.terms;
    p->effort = effort_of(run) + (gp_is_simulated(run) ? gp_trace_effort(run->predictor->tracer) : 0);
    p->cut_off = run->work.cut_off;
    p->endless = run->work.endless;
    p->does_nothing = gp_does_nothing(run);
    p->spill_bytes = (uint32_t)fmin(UINT32_MAX, run->spill_store_bytes + run->spill_load_bytes);
    double texels = gp_doubt_of_texels(run);
    p->basis.assumes_texels = texels > 1 - 1 / GP_TIED;
    p->known_share = gp_known_share(run, texels);
    p->resident_groups = run->occupancy.resident_groups;
    p->occupancy_next = gp_next_occupancy(run->device, (uint32_t)gp_launch_group_items(run->launch), run->registers,
                                          run->resources != NULL ? run->resources->scalar_registers : 0,
                                          run->local_bytes, &run->occupancy);
    if (p->endless == 0)
        gp_take_headroom(run, p->time_ns, &p->headroom);
    gp_say_how_sure(run, p);
}

static struct gp_bottleneck_inputs bottleneck_inputs(const struct run *run)
{
    return (struct gp_bottleneck_inputs){.profile = run->predictor->profile,
                                         .kernel = run->predictor->kernel,
                                         .launch = run->launch,
                                         .occupancy = &run->occupancy,
                                         .work = &run->work,
                                         .conditions = &run->conditions,
                                         .registers = run->registers,
                                         .registers_wanted = run->missing_registers > 0 ? run->resources->registers : 0,
                                         .filled_cycles = run->options->filled_cycles,
                                         .timer = gp_time_work,
                                         .timer_context = run,
                                         .timing = &run->timing};
}

static bool find_bottlenecks(const struct run *run, struct gp_prediction *p, struct gp_error *error)
{
    struct gp_bottleneck_inputs inputs = bottleneck_inputs(run);
    p->hot_loop = gp_hot_loop(run->predictor->kernel, &run->work, p->limiter, &p->hot_share);
    gp_line_shares(run->predictor->profile, run->predictor->kernel, run->device, &run->work, p);
    gp_find_bottlenecks(&inputs, p);
    return gp_find_assumed_strides(run, p, error);
}

/* Why a launch cannot be is told in the words of its language. */
static bool refuse(const struct run *run, struct gp_prediction *p)
{
    p->feasible = false;
    if (strcmp(run->predictor->profile->language, "cuda") == 0)
        gp_say_in_cuda(p->why, sizeof p->why);
    return true;
}

/* Local memory that global ids index bounds the range, as an array of the kernel's own does. */
static bool refuse_range(const struct run *run, const struct gp_local_excess *excess, struct gp_prediction *p)
{
    p->overruns = true;
    p->overruns_range = excess->dimension;
    p->effort = run->pilots.spent;
    gp_describe_local_excess(excess, p->why, sizeof p->why);
    return refuse(run, p);
}

bool gp_predict(struct gp_predictor *predictor, const struct gp_device *device, const struct gp_launch *launch,
                const struct gp_predict_options *options, struct gp_prediction *prediction, struct gp_error *error)
{
    if ((options->model == GP_MODEL_MWP_CWP || options->model == GP_MODEL_TRACE) && device->arch == GP_ARCH_CPU)
        return gp_fail(error, "the model '%s' is one of GPUs; %s takes auto or throughput",
                       options->model == GP_MODEL_TRACE ? "trace" : "mwp-cwp", device->name);
    if (options->resident_warps > 0 && device->arch == GP_ARCH_CPU)
        return gp_fail(error, "how many warps are resident is a question about GPUs; %s is a CPU", device->name);
    if (!gp_check_launch(predictor->kernel, device, launch, error))
        return false;
    take_device(predictor, device);
    take_texels(predictor, launch);
    enum { MOST_VISITS = 1 << 12 };
    struct gp_launch own = *launch;
    gp_launch_take_group(&own);
    if (strcmp(predictor->profile->language, "cuda") == 0)
        gp_launch_fill_groups(&own);
    launch = &own;
    const struct gp_resources *resources =
        gp_kernel_resources(predictor->kernel, (uint32_t)gp_launch_group_items(launch));
    device = gp_with_room_for(predictor, device, resources);
    struct run run = {.predictor = predictor,
                      .device = device,
                      .launch = launch,
                      .options = options,
                      .resources = resources,
                      .pilots = gp_pilots_of(options->quick ? options->affordable : 0, MOST_VISITS)};
    gp_take_resources(&run);
    struct gp_local_excess excess;
    run.local_bytes = launch_local_bytes(&run, &excess);
    start_prediction(&run, prediction);
    struct gp_error why = {{0}};
    uint32_t scalar = run.resources != NULL ? run.resources->scalar_registers : 0;
    bool fits = gp_occupancy(device, (uint32_t)gp_launch_group_items(launch), run.registers, scalar, run.local_bytes,
                             &run.occupancy, &why) &&
                run.occupancy.groups > 0;
    if (excess.dimension != GP_NONE && (!fits || launch->global_assumed))
        return refuse_range(&run, &excess, prediction);
    if (fits && options->resident_warps > 0)
        gp_occupancy_hold(device, options->resident_warps, &run.occupancy);
    if (!fits) {
        snprintf(prediction->why, sizeof prediction->why, "%.159s",
                 why.text[0] ? why.text : "no work-group fits on an SM");
        return refuse(&run, prediction);
    }
    if (!gp_gather_and_time(&run, error))
        return false;
    if (run.overruns) {
        prediction->overruns = true;
        prediction->overruns_range = run.work.overrun.of_range;
        prediction->effort = effort_of(&run);
        gp_describe_overrun(predictor->kernel, launch, &run.work.overrun, prediction->why, sizeof prediction->why);
        return refuse(&run, prediction);
    }
    struct gp_bottleneck_inputs inputs = bottleneck_inputs(&run);
    if (options->without != 0)
        gp_time_without(&inputs, options->without, &run.timing);
    fill(&run, prediction);
    bool explains = options->bottlenecks && !prediction->does_nothing && prediction->endless == 0;
    return !explains || find_bottlenecks(&run, prediction, error);
}
