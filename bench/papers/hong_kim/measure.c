/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/papers/hong_kim/measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/executor/executor.h"
#include "model/assume/defaults.h"
#include "model/assume/stated.h"

const char *const gpu_names[GPUS] = {"8800gt", "fx5600", "8800gtx", "gtx280"};

bool open_gpus(struct gp_device *gpus[GPUS], struct gp_error *error)
{
    for (int i = 0; i < GPUS; i++)
        gpus[i] = NULL;
    for (int i = 0; i < GPUS; i++)
        if ((gpus[i] = gp_device_load(gpu_names[i], getenv("GPUPERF_HWDB"), error)) == NULL)
            return false;
    return true;
}

void close_gpus(struct gp_device *gpus[GPUS])
{
    for (int i = 0; i < GPUS; i++)
        gp_device_free(gpus[i]);
}

void use_resources(struct subject *subject, uint32_t registers, uint32_t shared_bytes)
{
    struct gp_kernel *kernel = (struct gp_kernel *)subject->kernel; /* of a profile that this program owns */
    for (uint32_t i = 0; i < kernel->resource_count; i++)
        kernel->resources[i] = (struct gp_resources){.launch_bound = kernel->resources[i].launch_bound,
                                                     .registers = registers,
                                                     .local_bytes = shared_bytes - 16,
                                                     .source = GP_SOURCE_RUNTIME};
}

bool set_launch(const struct gp_kernel *kernel, struct gp_launch *launch, const char *items, struct gp_error *error)
{
    gp_launch_default(kernel, launch);
    return gp_launch_assume(kernel, launch, items, error);
}

bool measure(const struct subject *subject, const struct gp_device *device, const struct gp_launch *launch,
             struct measure *m, struct gp_error *error)
{
    const struct gp_resources *resources = gp_kernel_resources(subject->kernel, 0);
    struct gp_occupancy occupancy;
    struct gp_work work;
    struct gp_error full;
    *m = (struct measure){0};
    if (resources == NULL)
        return gp_fail(error, "%s: no resources recorded", subject->kernel->name);
    if (!gp_occupancy(device, launch->local[0] * launch->local[1], resources->registers, 0, resources->local_bytes,
                      &occupancy, &full))
        return true;
    struct gp_collector *collector = gp_collector_new(subject->kernel);
    bool done = collector != NULL &&
                gp_collect(collector, device, launch, occupancy.resident_groups * occupancy.warps_per_group,
                           device->l1_size.value, resources->registers, false, &work, error);
    if (done) {
        struct gp_conditions conditions = {
            .device = device, .clock_mhz = device->clock_mhz.value, .resident_groups = occupancy.resident_groups};
        gp_mwp_cwp_inputs(subject->kernel, &work, &conditions, &m->in);
        gp_mwp_cwp(&m->in, &m->r);
        m->occupancy = occupancy.occupancy;
        m->time_ns = m->r.cycles / device->clock_mhz.value * 1e3;
    }
    gp_collector_free(collector);
    return done;
}

bool predict(const struct subject *subject, const struct gp_device *device, const struct gp_launch *launch,
             enum gp_model model, struct gp_prediction *prediction)
{
    struct gp_predictor *predictor = gp_predictor_new(subject->profile, subject->kernel);
    struct gp_predict_options options = {.model = model};
    struct gp_error error;
    bool done = predictor != NULL && gp_predict(predictor, device, launch, &options, prediction, &error) &&
                prediction->feasible;
    gp_predictor_free(predictor);
    return done;
}

struct counting {
    const struct gp_kernel *kernel;
    double insts;
};

static void count_access(void *context, const struct gp_access *access)
{
    struct counting *counting = context;
    if (access->active != 0 && counting->kernel->memory[access->memory].space == GP_SPACE_GLOBAL)
        counting->insts += access->weight;
}

bool count_memory(const struct subject *subject, const struct gp_device *device, const struct gp_launch *launch,
                  double *insts, struct gp_error *error)
{
    struct gp_executor *executor = gp_executor_new(subject->kernel);
    struct counting counting = {.kernel = subject->kernel};
    struct gp_observer observer = {.context = &counting, .access = count_access};
    struct gp_exec_options options = {.warp_width = (uint32_t)device->warp_width.value, .exhaustive = true};
    struct gp_exec_result result;
    uint64_t groups[3];
    gp_launch_groups(launch, groups);
    uint64_t middle[3] = {groups[0] / 2, groups[1] / 2, groups[2] / 2};
    bool done = executor != NULL && gp_execute_warp(executor, launch, middle, 0, &options, &observer, &result, error);
    gp_executor_free(executor);
    *insts = counting.insts;
    return done;
}

/* ---- Statements -------------------------------------------------------------------------------------------------- */

static unsigned failures;

void state(bool holds, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf(holds ? "  holds  " : "  FAILS  ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    failures += !holds;
}

void differs(bool holds, const char *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf(holds ? "  FAILS  (holds unexpectedly) " : "  differs ");
    vprintf(format, arguments);
    printf(": %s\n", reason);
    va_end(arguments);
    failures += holds;
}

unsigned failed_statements(void) { return failures; }
