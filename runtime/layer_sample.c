/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Launches in parts that are timed: sampling.h says how they are cut and what follows. The parts of an in-order queue
 * run one after the other as the whole would, and nobody waits for them: the driver tells when each has ended.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/layer_cl.h"

enum { MARKS = GP_SAMPLE_PARTS + 1 }; /* what was before the parts, and each of them */

struct run;

struct mark {
    struct run *run;
    double ended_ns; /* of the monotonic clock */
    double took_ns;  /* as the driver's profiling says; 0: the queue has none */
};

struct run {
    struct gp_entry *entry; /* entries live as long as the layer */
    struct gp_hash kernel_key;
    struct gp_cut cut;
    uint32_t dims;
    int on_trial;
    char kernel[64];
    struct mark marks[MARKS];
    unsigned left; /* marks that have not ended; with the lock held, like all below */
    bool spoiled;
    bool refused; /* the driver does not take one of the sizes */
};

/* ---- When all parts have ended: with the lock held ---- */

static bool part_times(const struct run *run, double ns[GP_SAMPLE_PARTS])
{
    bool known = !run->spoiled;
    for (int part = 0; part < GP_SAMPLE_PARTS; part++) {
        const struct mark *mark = &run->marks[part + 1];
        ns[part] = mark->took_ns > 0 ? mark->took_ns : mark->ended_ns - mark[-1].ended_ns;
        known = known && ns[part] > 0;
    }
    return known;
}

static void size_text(const struct run *run, const struct gp_decision *decision, int index, char text[48])
{
    const uint32_t *size = gp_sampling_size(decision, index);
    if (size[0] != 0)
        gp_print_local(size, run->dims, text, 48);
    else
        strcpy(text, "the driver's size");
}

/* Before the trial is judged, whose times are then gone. */
static void log_run(const struct run *run, const double ns[GP_SAMPLE_PARTS])
{
    const struct gp_sampling *sampling = &run->entry->sampling;
    struct gp_trial once = {0};
    char on_trial[48], at_hand[48];
    if (gp_layer.settings.log_level < GP_LOG_LAUNCHES)
        return;
    gp_trial_add(&once, &run->cut, ns);
    size_text(run, &run->entry->decision, sampling->on_trial, on_trial);
    size_text(run, &run->entry->decision, sampling->at_hand, at_hand);
    gp_log_later(GP_LOG_LAUNCHES, "%s sampled: %s would take %ld us (by its rate %ld), %s takes %ld", run->kernel,
                 on_trial, (long)(gp_trial_linear_ns(&once) / 1e3), (long)(gp_trial_rate_ns(&once) / 1e3), at_hand,
                 (long)(gp_trial_at_hand_ns(&once) / 1e3));
}

/* All trials are over: what came out is told of and kept, and picked from anew. */
static void conclude(struct gp_entry *entry, struct gp_hash kernel_key)
{
    entry->weighed_at = 0;
    entry->logged = false;
    if (entry->decision.sampled)
        gp_worker_note_sampled(kernel_key, entry->key, &entry->decision);
}

/* The size on trial cannot be tried. */
static void skip(struct gp_entry *entry, struct gp_hash kernel_key)
{
    if (gp_sampling_skip(&entry->sampling, &entry->decision))
        conclude(entry, kernel_key);
}

static void settle(struct run *run)
{
    struct gp_entry *entry = run->entry;
    double ns[GP_SAMPLE_PARTS];
    entry->sample_under_way = false;
    if (run->refused)
        skip(entry, run->kernel_key);
    if (!gp_layer.active || !part_times(run, ns) || run->on_trial != entry->sampling.on_trial)
        return;
    log_run(run, ns);
    if (gp_sampling_add(&entry->sampling, &run->cut, ns, &entry->decision))
        conclude(entry, run->kernel_key);
}

static void count_down(struct run *run, unsigned marks, bool spoiled)
{
    pthread_mutex_lock(&gp_layer.lock);
    run->left -= marks;
    run->spoiled |= spoiled;
    bool last = run->left == 0;
    if (last)
        settle(run);
    gp_unlock_and_log();
    if (last)
        free(run);
}

static double profiled_ns(cl_event event)
{
    cl_ulong start = 0, end = 0;
    if (gp_target.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) !=
            CL_SUCCESS ||
        gp_target.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS)
        return 0;
    return end > start ? (double)(end - start) : 0;
}

/* In one of the driver's threads, or at once. */
static void CL_CALLBACK ended(cl_event event, cl_int status, void *data)
{
    struct mark *mark = data;
    mark->ended_ns = gp_now_ns();
    mark->took_ns = profiled_ns(event);
    count_down(mark->run, 1, status != CL_COMPLETE);
}

/* ---- Launching ---- */

/* The mark is counted down by the driver or, where it cannot tell, here. */
static void follow(struct run *run, int mark, cl_event event)
{
    run->marks[mark].run = run;
    bool told =
        event != NULL && gp_target.clSetEventCallback(event, CL_COMPLETE, ended, &run->marks[mark]) == CL_SUCCESS;
    if (event != NULL)
        gp_target.clReleaseEvent(event);
    if (!told)
        count_down(run, 1, true);
}

static bool is_in_order(cl_command_queue queue)
{
    cl_command_queue_properties properties = 0;
    return gp_target.clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL) ==
               CL_SUCCESS &&
           !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

/* So many of the launch's work-items, along the cut, behind those before. Size: zeros for the program's. */
static cl_int enqueue_slice(const struct gp_parts *sample, const struct gp_range_call *call, uint64_t items,
                            uint64_t from, const uint32_t size[3], cl_event *event)
{
    size_t offset[3] = {0}, global[3] = {1, 1, 1}, local[3] = {size[0], size[1], size[2]};
    for (cl_uint d = 0; d < call->dims; d++) {
        offset[d] = call->offset != NULL ? call->offset[d] : 0;
        global[d] = call->global[d];
    }
    offset[sample->cut.dimension] += from;
    global[sample->cut.dimension] = items;
    return gp_target.clEnqueueNDRangeKernel(call->queue, call->kernel, call->dims, offset, global,
                                            size[0] != 0 ? local : call->local, call->wait_count, call->wait_list,
                                            event);
}

/* Not even the marker. refused: the driver cannot do it. */
static void give_up(const struct gp_parts *sample, bool refused)
{
    pthread_mutex_lock(&gp_layer.lock);
    sample->entry->sample_under_way = false;
    if (refused)
        skip(sample->entry, sample->kernel_key);
    pthread_mutex_unlock(&gp_layer.lock);
}

static struct run *begin(const struct gp_parts *sample, const struct gp_range_call *call)
{
    cl_event event = NULL;
    bool in_order = is_in_order(call->queue);
    struct run *run = in_order ? calloc(1, sizeof *run) : NULL;
    if (run == NULL ||
        gp_target.clEnqueueMarkerWithWaitList(call->queue, call->wait_count, call->wait_list, &event) != CL_SUCCESS) {
        free(run);
        give_up(sample, in_order);
        return NULL;
    }
    *run = (struct run){.entry = sample->entry,
                        .kernel_key = sample->kernel_key,
                        .cut = sample->cut,
                        .dims = call->dims,
                        .on_trial = sample->index,
                        .left = MARKS};
    memcpy(run->kernel, sample->kernel, sizeof run->kernel);
    follow(run, 0, event);
    return run;
}

bool gp_launch_in_parts(const struct gp_parts *sample, const struct gp_range_call *call, cl_int *result)
{
    static const uint32_t as_it_is[3];
    const uint64_t *items = sample->cut.items;
    uint64_t launched = 0;
    struct run *run = begin(sample, call);
    if (run == NULL)
        return false;
    for (int part = 0; part < GP_SAMPLE_PARTS; part++) {
        cl_event event = NULL;
        bool last = part == GP_SAMPLE_PARTS - 1;
        *result = enqueue_slice(sample, call, items[part], launched, last ? sample->at_hand : sample->on_trial, &event);
        if (*result != CL_SUCCESS) {
            run->refused = true;
            count_down(run, GP_SAMPLE_PARTS - (unsigned)part, true);
            if (launched == 0)
                return false;
            *result = enqueue_slice(sample, call, items[0] + items[1] + items[2] - launched, launched, as_it_is, NULL);
            return true;
        }
        launched += items[part];
        follow(run, part + 1, event); /* the last one may end the run */
    }
    return true;
}

/* ---- Whether ---- */

static bool driver_can(void)
{
    return gp_target.clEnqueueMarkerWithWaitList != NULL && gp_target.clSetEventCallback != NULL &&
           gp_target.clReleaseEvent != NULL && gp_target.clGetEventProfilingInfo != NULL;
}

/* The sizes of the next trial, and how the launch is cut for it. */
static bool plan(struct gp_parts *sample, const struct gp_open_launch *launch)
{
    const struct gp_entry *entry = sample->entry;
    const struct gp_decision *decision = &entry->decision;
    sample->index = entry->sampling.on_trial;
    /* what the driver would take is the driver's to say: its choice for a part is its choice for the whole */
    if (sample->index != GP_SAMPLE_AS_IT_IS)
        memcpy(sample->on_trial, gp_sampling_size(decision, sample->index), sizeof sample->on_trial);
    if (entry->sampling.at_hand != GP_SAMPLE_AS_IT_IS)
        memcpy(sample->at_hand, gp_sampling_size(decision, entry->sampling.at_hand), sizeof sample->at_hand);
    return gp_cut_launch(
        launch, gp_sampling_size(decision, sample->index), gp_sampling_size(decision, entry->sampling.at_hand),
        gp_sampling_at_once(decision, sample->index), gp_sampling_time_ns(&entry->sampling, decision), &sample->cut);
}

bool gp_plan_parts(struct gp_parts *sample, struct gp_entry *entry, const struct gp_kernel_device *on,
                   const struct gp_open_launch *launch, const char *name)
{
    if (!gp_layer.settings.sample || entry->decision.sampled || entry->sampling.over || entry->sample_under_way ||
        entry->refused || entry->decision.alternative_count == 0 || on->device->build_ns > 0 ||
        !on->profile_kernel->split_safe.holds || !driver_can())
        return false;
    if (!entry->sampling.begun)
        gp_sampling_begin(&entry->sampling);
    *sample = (struct gp_parts){.entry = entry, .kernel_key = on->key};
    if (!plan(sample, launch)) {
        skip(entry, on->key);
        return false;
    }
    strncpy(sample->kernel, name, sizeof sample->kernel - 1);
    entry->sample_under_way = true;
    return true;
}
