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
    struct gp_turn turn;
    uint32_t dims;
    int on_trial;
    char kernel[64];
    struct mark marks[MARKS]; /* the first is not a part's; those of parts without work-items are not used */
    unsigned left;            /* marks that have not ended; with the lock held, like all below */
    bool spoiled;
    bool refused; /* the driver does not take one of the sizes */
};

/* ---- When all parts have ended: with the lock held ---- */

static bool part_times(const struct run *run, double ns[GP_SAMPLE_PARTS])
{
    bool known = !run->spoiled;
    double before = run->marks[0].ended_ns;
    for (int part = 0; part < GP_SAMPLE_PARTS; part++) {
        const struct mark *mark = &run->marks[part + 1];
        ns[part] = 0;
        if (run->cut.items[part] == 0)
            continue;
        ns[part] = mark->took_ns > 0 ? mark->took_ns : mark->ended_ns - before;
        before = mark->ended_ns;
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
    char size[48];
    double timed = run->turn.whole ? ns[GP_SAMPLE_PARTS - 1] : ns[GP_WINDOW] + ns[GP_WINDOW + 1];
    bool looks = !sampling->checking && sampling->looks < GP_SAMPLE_LOOKS;
    if (gp_layer.settings.log_level < GP_LOG_LAUNCHES || looks)
        return;
    size_text(run, &run->entry->decision, run->turn.side == GP_ON_TRIAL ? sampling->on_trial : sampling->at_hand, size);
    if (run->turn.whole)
        gp_log_later(GP_LOG_LAUNCHES, "%s sampled: %s takes %ld us", run->kernel, size, (long)(timed / 1e3));
    else
        gp_log_later(GP_LOG_LAUNCHES, "%s sampled: %s takes %ld us of window %u", run->kernel, size,
                     (long)(timed / 1e3), run->turn.window + 1);
}

/* What a trial has come to so far: shares of the time at hand in thousandths, since programs may set a locale. */
static void log_trial(const struct run *run, const struct gp_trial *trial)
{
    char on_trial[48], at_hand[48];
    size_text(run, &run->entry->decision, run->on_trial, on_trial);
    size_text(run, &run->entry->decision, run->entry->sampling.at_hand, at_hand);
    gp_log_later(GP_LOG_LAUNCHES, "%s sampled: %s takes %ld%% of the time of %s (by its line %ld us, %ld)", run->kernel,
                 on_trial, (long)(100 * gp_trial_ratio(trial) + 0.5), at_hand,
                 (long)(gp_trial_linear_ns(trial, GP_ON_TRIAL) / 1e3),
                 (long)(gp_trial_linear_ns(trial, GP_AT_HAND) / 1e3));
}

/* After each two windows behind those that only warm up. */
static void log_turn(const struct run *run, const double ns[GP_SAMPLE_PARTS])
{
    struct gp_trial after = run->entry->sampling.trial;
    gp_trial_add(&after, &run->cut, ns);
    if (after.turns % GP_WINDOWS == 2 && after.turns > 2)
        log_trial(run, &after);
}

static void log_unevenness(const struct gp_entry *entry, const char *kernel)
{
    const double uneven = 1.2;
    long tenths = (long)(entry->sampling.unevenness * 10 + 0.5);
    if (entry->sampling.unevenness > uneven)
        gp_log_later(GP_LOG_DECISIONS,
                     "%s: its work is uneven, one part of the range takes %ld.%ld times as long as another; sizes were "
                     "compared on the same parts",
                     kernel, tenths / 10, tenths % 10);
}

/* All trials are over: what came out is told of and kept, and picked from anew. */
static void conclude(struct gp_entry *entry, struct gp_hash kernel_key, const char *kernel)
{
    entry->weighed_at = 0;
    entry->logged = false;
    log_unevenness(entry, kernel);
    if (entry->decision.sampled)
        gp_worker_note_sampled(kernel_key, entry->key, &entry->decision);
}

/* The size on trial cannot be tried. */
static void skip(struct gp_entry *entry, struct gp_hash kernel_key, const char *kernel)
{
    if (entry->sampling.checking)
        gp_sampling_end_check(&entry->sampling);
    else if (gp_sampling_skip(&entry->sampling, &entry->decision))
        conclude(entry, kernel_key, kernel);
}

static void settle_check(struct run *run, const double ns[GP_SAMPLE_PARTS])
{
    struct gp_entry *entry = run->entry;
    char kept[48];
    size_text(run, &entry->decision, 0, kept);
    enum gp_check check = gp_sampling_add_check(&entry->sampling, &run->cut, ns, &entry->decision);
    if (check == GP_CHECK_HOLDS)
        gp_log_later(GP_LOG_LAUNCHES, "%s checked: %s still holds", run->kernel, kept);
    if (check != GP_CHECK_FORGOTTEN)
        return;
    gp_log_later(GP_LOG_DECISIONS, "%s: %s is no longer the faster size, and is forgotten", run->kernel, kept);
    gp_worker_note_forgotten(run->kernel_key, entry->key);
    entry->weighed_at = 0;
    entry->logged = entry->from_cache = false;
}

static void settle(struct run *run)
{
    struct gp_entry *entry = run->entry;
    double ns[GP_SAMPLE_PARTS];
    entry->sample_under_way = false;
    if (run->refused)
        skip(entry, run->kernel_key, run->kernel);
    if (!gp_layer.active || run->refused || !part_times(run, ns) || run->on_trial != entry->sampling.on_trial)
        return;
    log_run(run, ns);
    if (entry->sampling.checking) {
        settle_check(run, ns);
        return;
    }
    if (gp_layer.settings.log_level >= GP_LOG_LAUNCHES && !run->turn.whole)
        log_turn(run, ns);
    if (gp_sampling_add(&entry->sampling, &run->cut, ns, &entry->decision))
        conclude(entry, run->kernel_key, run->kernel);
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
        skip(sample->entry, sample->kernel_key, sample->kernel);
    gp_unlock_and_log();
}

static unsigned parts_of(const struct gp_cut *cut)
{
    unsigned parts = 0;
    for (int part = 0; part < GP_SAMPLE_PARTS; part++)
        parts += cut->items[part] > 0;
    return parts;
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
                        .turn = sample->turn,
                        .dims = call->dims,
                        .on_trial = sample->index,
                        .left = 1 + parts_of(&sample->cut)};
    memcpy(run->kernel, sample->kernel, sizeof run->kernel);
    follow(run, 0, event);
    return run;
}

bool gp_launch_in_parts(const struct gp_parts *sample, const struct gp_range_call *call, cl_int *result)
{
    static const uint32_t as_it_is[3];
    const uint64_t *items = sample->cut.items;
    uint64_t launched = 0, all = items[0] + items[1] + items[2] + items[3];
    unsigned left = parts_of(&sample->cut);
    struct run *run = begin(sample, call);
    if (run == NULL)
        return false;
    for (int part = 0; part < GP_SAMPLE_PARTS; part++) {
        cl_event event = NULL;
        if (items[part] == 0)
            continue;
        *result = enqueue_slice(sample, call, items[part], launched, sample->sizes[part], &event);
        if (*result != CL_SUCCESS) {
            run->refused = true;
            count_down(run, left, true);
            if (launched == 0)
                return false;
            *result = enqueue_slice(sample, call, all - launched, launched, as_it_is, NULL);
            return true;
        }
        launched += items[part];
        left--;
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

/* Zeros for the driver's: its choice for a part is its choice for the whole. */
static void size_of(const struct gp_decision *decision, int index, uint32_t size[3])
{
    if (index != GP_SAMPLE_AS_IT_IS)
        memcpy(size, gp_sampling_size(decision, index), 3 * sizeof *size);
}

enum plan { PLANNED, NOT_NOW, CANNOT };

/* The next turn of the trial, and how the launch is cut for it. */
static enum plan plan(struct gp_parts *sample, const struct gp_open_launch *launch)
{
    struct gp_entry *entry = sample->entry;
    struct gp_sampling *sampling = &entry->sampling;
    const struct gp_decision *decision = &entry->decision;
    sample->index = sampling->on_trial;
    sample->turn = gp_sampling_next(sampling);
    sample->cut = gp_cut_nothing(launch);
    if (!sample->turn.whole &&
        !gp_cut_launch(launch, gp_sampling_size(decision, sampling->on_trial),
                       gp_sampling_size(decision, sampling->at_hand), gp_sampling_at_once(decision, sampling->on_trial),
                       gp_sampling_time_ns(sampling, decision), sample->turn.window, &sample->cut)) {
        if (gp_layer.settings.sample != GP_SAMPLE_ON || !gp_sampling_may_take_wholes(sampling))
            return CANNOT;
        if (!gp_sampling_take_wholes(sampling))
            return NOT_NOW;
        sample->turn = gp_sampling_next(sampling);
    }
    bool tries = sample->turn.side == GP_ON_TRIAL;
    for (int part = 0; part < GP_SAMPLE_PARTS; part++) {
        bool timed = sample->turn.whole || (part >= GP_WINDOW && part < GP_WINDOW + GP_WINDOW_PARTS);
        size_of(decision, timed && tries ? sampling->on_trial : sampling->at_hand, sample->sizes[part]);
    }
    return PLANNED;
}

/* Whether the launch is to be timed: there is something to try, or what was kept is to be checked. */
static bool is_due(struct gp_entry *entry)
{
    struct gp_sampling *sampling = &entry->sampling;
    if (entry->sample_under_way || entry->refused)
        return false;
    if (entry->decision.sampled)
        return gp_sampling_check_is_due(sampling, &entry->decision, entry->from_cache && !sampling->begun);
    if (sampling->over || !gp_sampling_has_trials(&entry->decision))
        return false;
    if (!sampling->begun)
        gp_sampling_begin(sampling, &entry->decision);
    return gp_layer.settings.sample == GP_SAMPLE_ON || gp_sampling_affords(sampling);
}

bool gp_plan_parts(struct gp_parts *sample, struct gp_entry *entry, const struct gp_kernel_device *on,
                   const struct gp_open_launch *launch, const char *name)
{
    if (gp_layer.settings.sample == GP_SAMPLE_OFF || on->device->build_ns > 0 ||
        !on->profile_kernel->split_safe.holds || !driver_can() || !is_due(entry))
        return false;
    *sample = (struct gp_parts){.entry = entry, .kernel_key = on->key};
    strncpy(sample->kernel, name, sizeof sample->kernel - 1);
    enum plan planned = plan(sample, launch);
    if (planned == CANNOT)
        skip(entry, on->key, sample->kernel);
    entry->sample_under_way = planned == PLANNED;
    return planned == PLANNED;
}
