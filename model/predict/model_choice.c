/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which model times a prediction: the one asked for; else the analytical one, or the simulation where groups that run
 * at once can all wait for one DRAM channel. */
#include <math.h>
#include <string.h>

#include "model/predict/run.h"
#include "model/timing/atomics.h"
#include "model/timing/cpu_model.h"
#include "model/timing/mwp_cwp.h"
#include "model/timing/throughput.h"
#include "model/trace/trace_model.h"

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

/* Where addresses go over the DRAM channels in turn, groups that run at once can all wait for one of them: only the
 * simulation sees it, and a quick look has no time for it. */
bool gp_is_simulated(const struct run *run)
{
    const struct gp_predict_options *options = run->options;
    bool camps = run->device->channel_hash.value <= 0 && run->device->dram_channels.value > 1;
    bool wanted = options->model == GP_MODEL_TRACE ||
                  (options->model == GP_MODEL_AUTO && camps && !options->quick && !options->every_iteration);
    return wanted && run->device->arch != GP_ARCH_CPU;
}

const char *gp_run_model_name(const struct run *run)
{
    return run->device->arch == GP_ARCH_CPU          ? "cpu"
           : run->options->model == GP_MODEL_MWP_CWP ? "mwp-cwp"
           : gp_is_simulated(run)                    ? "trace"
                                                     : "throughput";
}

/* A floor that every model has, above what it adds for the launch itself. */
static void wait_for_atomics(const struct gp_work *work, const struct gp_conditions *conditions, double launch,
                             struct gp_timing *timing)
{
    timing->terms.atomics_cycles =
        fmax(gp_atomic_cycles(work, conditions->device), gp_retry_cycles(work, conditions, timing->cycles));
    double least = timing->terms.atomics_cycles + launch;
    if (least <= timing->cycles)
        return;
    timing->cycles = least;
    timing->limiter = GP_LIMITER_L2;
}

/* What all models' times are made of. */
static void note_launch(const struct gp_work *work, const struct gp_conditions *c, struct gp_timing *timing)
{
    struct gp_terms *t = &timing->terms;
    const double *of = timing->pipe_cycles;
    t->clock_mhz = c->clock_mhz;
    t->groups = work->groups;
    t->warps_per_group = work->warps_per_group;
    t->resident_groups = c->resident_groups;
    t->cycles = timing->cycles;
    t->unit_issue = of[GP_LIMITER_ISSUE];
    t->unit_fp32 = of[GP_LIMITER_FP32];
    t->unit_fp64 = of[GP_LIMITER_FP64];
    t->unit_sfu = of[GP_LIMITER_SFU];
    t->unit_int = of[GP_LIMITER_INT];
    t->unit_lsu = of[GP_LIMITER_LSU];
    t->unit_l2 = of[GP_LIMITER_L2];
    t->unit_dram = of[GP_LIMITER_DRAM];
    t->unit_barrier = of[GP_LIMITER_BARRIER];
}

/* By the model of the run, atomics included. */
static void time_by_model(const struct run *run, const struct gp_work *work, const struct gp_conditions *conditions,
                          struct gp_timing *timing)
{
    if (conditions->device->arch != GP_ARCH_CPU && run->options->model == GP_MODEL_MWP_CWP) {
        gp_mwp_cwp_time(run->predictor->kernel, work, conditions, timing);
        wait_for_atomics(work, conditions, 0, timing);
        return;
    }
    if (conditions->device->arch == GP_ARCH_CPU)
        gp_cpu_time(run->predictor->kernel, run->launch->local, work, conditions, timing);
    else if (gp_is_simulated(run))
        gp_trace_time(run->predictor->tracer, work, conditions, timing);
    else
        gp_throughput(work, conditions, timing);
    wait_for_atomics(work, conditions, conditions->device->launch_ns.value * 1e-3 * conditions->clock_mhz, timing);
}

void gp_time_work(const void *context, const struct gp_work *work, const struct gp_conditions *conditions,
                  struct gp_timing *timing)
{
    time_by_model(context, work, conditions, timing);
    note_launch(work, conditions, timing);
}

/* A doubt is worth no simulation. */
void gp_time_quickly(const struct run *run, const struct gp_work *work, const struct gp_conditions *conditions,
                     struct gp_timing *timing)
{
    if (gp_is_simulated(run))
        gp_throughput(work, conditions, timing);
    else
        gp_time_work(run, work, conditions, timing);
}
