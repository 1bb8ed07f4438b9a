/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* clEnqueueNDRangeKernel: where a local size is filled in. Whatever is not known yet is asked for, and the launch goes
 * on as it is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/assume/texels.h"
#include "runtime/layer_cl.h"
#include "runtime/rehearse.h"

/* An enqueue that takes longer than this has built the kernel. */
static const double BUILD_VISIBLE_NS = 20e6;

/* A launch on its way. */
struct passage {
    cl_kernel handle;
    cl_device_id device_id;
    struct gp_cl_device *device;
    struct gp_status_record *status; /* of the kernel on it; NULL: nothing is noted */
    struct gp_open_launch launch;
    struct timespec deadline; /* of GPUPERF_WAIT */
    bool has_deadline;
    bool may_be_cut; /* nobody waits for the launch's own event */
    cl_mem image;    /* ASK_DRIVER: whose texels are not known, and which argument it is */
    uint32_t image_argument;

    /* what came out */
    uint32_t local[3];        /* zeros: as the program said */
    double time_ns;           /* predicted; 0: not known */
    struct gp_family *family; /* of the decision, or NULL */
    struct gp_entry *entry;   /* the decision, or NULL */
    bool early;               /* nothing is decided yet */
    bool usual; /* `entry` is what others of the launch's family have come to, since nothing is decided yet */
    bool cut;   /* it is made in parts, as `sample` says */
    struct gp_parts sample;
    bool to_note; /* the size that it runs with is not noted as built */

    /* Of a rehearsal (rehearse.h): nothing is launched or counted, and this alone is told. NULL: it is a launch. */
    struct gp_status_record *rehearsal;
    enum gp_rehearsal rehearsed;
};

/* ---- Log lines ---- */

static void size_texts(const struct passage *p, char global[72], char local[48])
{
    const uint32_t *size = p->local[0] ? p->local : p->launch.baseline;
    gp_print_size(p->launch.global, p->launch.dims, global, 72);
    if (size[0])
        gp_print_local(size, p->launch.dims, local, 48);
    else
        strcpy(local, "auto");
}

/* The driver decides, or the program has. */
static const char *origin_of(const struct passage *p) { return p->launch.explicit_local ? "program" : "driver"; }

static void log_as_it_is(const struct passage *p, const struct gp_cl_kernel *kernel, int level, const char *reason)
{
    char global[72], local[48];
    gp_status_say(p->status, origin_of(p), reason);
    if (level > gp_layer.settings.log_level)
        return;
    size_texts(p, global, local);
    gp_log_later(level, "%s global=%s local=%s from=%s (%s)", kernel->name, global, local, origin_of(p), reason);
}

/* The same, said once, and on every launch at level 2. *said: by whom it was. */
static void log_once(const struct passage *p, const struct gp_cl_kernel *kernel, bool *said, const char *reason)
{
    log_as_it_is(p, kernel, *said ? GP_LOG_LAUNCHES : GP_LOG_DECISIONS, reason);
    *said = true;
}

/* Whether something with that hash is said for the first time. */
static bool is_news(struct gp_hash hash) { return gp_map_put(&gp_layer.said, hash, &gp_layer, NULL) == NULL; }

/* The same for all kernels of a name: some programs make theirs anew for each launch. */
static void log_reason(const struct passage *p, const struct gp_cl_kernel *kernel, const char *reason)
{
    struct gp_hasher hasher;
    if (gp_layer.settings.log_level < GP_LOG_DECISIONS) { /* each launch of such a kernel comes by here */
        gp_status_say(p->status, origin_of(p), reason);
        return;
    }
    gp_hash_start(&hasher);
    gp_hash_add_u64(&hasher, (uintptr_t)p->device);
    gp_hash_add_string(&hasher, kernel->name);
    gp_hash_add_string(&hasher, reason);
    bool said = !is_news(gp_hash_end(&hasher));
    log_once(p, kernel, &said, reason);
}

/* A line about a decision; launches with other scalars may have the same to say. */
static bool is_new_line(const char *line)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add_string(&hasher, line);
    return is_news(gp_hash_end(&hasher));
}

/* "1.40", whatever the program's locale */
static void print_ratio(double ratio, char text[24])
{
    long hundredths = ratio < 1e6 ? (long)(ratio * 100 + 0.5) : 100000000;
    snprintf(text, 24, "%ld.%02ld", hundredths / 100, hundredths % 100);
}

static void describe_choice(const struct passage *p, const struct gp_decision *decision, char *reason, size_t size)
{
    char other[48], gain[24];
    if (p->local[0] || decision->alternative_count == 0) {
        snprintf(reason, size, "%s",
                 decision->sampled           ? "measured"
                 : p->local[0]               ? "predicted best"
                 : p->launch.explicit_local  ? "agrees with the program"
                 : decision->baseline_ns > 0 ? "agrees with the driver"
                                             : "no size gains");
        return;
    }
    gp_print_local(decision->alternatives[0].local, p->launch.dims, other, sizeof other);
    print_ratio(decision->baseline_ns / decision->alternatives[0].time_ns, gain);
    snprintf(reason, size, "%s would gain %s, not worth building the kernel for it yet", other, gain);
}

static void log_choice(const struct passage *p, const struct gp_cl_kernel *kernel, double time_ns)
{
    struct gp_entry *entry = p->entry;
    const struct gp_decision *decision = &entry->decision;
    bool fresh = !entry->logged || memcmp(entry->logged_local, p->local, sizeof p->local) != 0,
         untold = p->status != NULL && (fresh || p->status->told != entry);
    int level = fresh ? GP_LOG_DECISIONS : GP_LOG_LAUNCHES;
    char global[72], local[48], gain[24], confidence[24], reason[128], line[1024];
    entry->logged = true;
    memcpy(entry->logged_local, p->local, sizeof p->local);
    const char *from = entry->from_cache && !entry->sampling.over ? "cache" : decision->sampled ? "sample" : "model";
    if (untold || level <= gp_layer.settings.log_level)
        describe_choice(p, decision, reason, sizeof reason);
    if (untold) {
        gp_status_say(p->status, from, reason);
        p->status->told = entry;
    }
    if (level > gp_layer.settings.log_level)
        return;
    size_texts(p, global, local);
    double reference = decision->baseline_ns > 0 ? decision->baseline_ns : decision->worst_ns;
    print_ratio(time_ns > 0 ? reference / time_ns : 1, gain);
    print_ratio(decision->confidence, confidence);
    snprintf(line, sizeof line, "%s global=%s local=%s from=%s gain=%s confidence=%s (%s)", kernel->name, global, local,
             from, gain, confidence, reason);
    if (gp_layer.settings.log_level >= GP_LOG_LAUNCHES || is_new_line(line))
        gp_log_later(level, "%s", line);
}

/* ---- Finding the decision: with the lock held ---- */

enum progress { GIVE_UP, NOT_YET, FOUND, ASK_DRIVER };

static struct gp_kernel_device *kernel_on(struct gp_cl_kernel *kernel, const struct gp_cl_device *device)
{
    struct gp_kernel_device *on = kernel->devices;
    while (on != NULL && on->device != device)
        on = on->next;
    return on;
}

/* What a build of the kernel takes, for this process and others. */
static void learn_cost(const struct gp_kernel_device *on)
{
    gp_rent_learn_cost(on->key, on->build_ns);
    gp_worker_note_cost(on->key, on->build_ns);
}

/* The profile of the kernel among its program's units. *reason: why there is none (GIVE_UP). */
static enum progress find_profile(const struct passage *p, struct gp_cl_kernel *kernel, struct gp_kernel_device *on,
                                  const char **reason)
{
    enum progress progress = GIVE_UP;
    *reason = "the program's source is not known";
    unsigned at = 0;
    for (struct gp_unit *unit; !on->found && (unit = gp_built_next(&kernel->built, p->device, &at)) != NULL;) {
        struct gp_slot *slot = gp_unit_slot(unit, p->device);
        const struct gp_kernel *found = NULL;
        if (slot == NULL)
            continue;
        if (slot->state == GP_SLOT_READY) {
            found = gp_profile_find(slot->profile, kernel->name);
            *reason = "the kernel is not in the profile";
        } else if (slot->state == GP_SLOT_FAILED) {
            *reason = slot->reason != NULL ? slot->reason : "no profile";
        } else {
            if (p->launch.dims > 0)
                gp_slot_wait(slot, kernel->name, &p->launch);
            gp_worker_make(slot);
            progress = NOT_YET;
        }
        if (found != NULL) {
            on->found = true;
            on->slot = slot;
            on->profile_kernel = found;
            on->key = slot->kernel_keys[found - slot->profile->kernels];
            if (on->build_ns > 0)
                learn_cost(on);
        }
    }
    return on->found ? FOUND : progress;
}

static bool same_as_last(const struct gp_open_launch *a, const struct gp_kernel_device *on, uint32_t changes)
{
    const struct gp_open_launch *b = &on->last_launch;
    return on->last_entry != NULL && changes == on->last_changes && a->dims == b->dims &&
           a->explicit_local == b->explicit_local && memcmp(a->global, b->global, sizeof a->global) == 0 &&
           memcmp(a->offset, b->offset, sizeof a->offset) == 0 &&
           memcmp(a->baseline, b->baseline, sizeof a->baseline) == 0;
}

static enum progress find_entry(struct passage *p, struct gp_kernel_device *on, const char **reason)
{
    struct gp_hash key = gp_decision_key(&on->key, on->profile_kernel, &p->launch);
    struct gp_entry *entry = gp_map_get(&gp_layer.entries, key);
    p->family =
        entry != NULL && entry->family != NULL ? entry->family : gp_family_of(&on->key, on->profile_kernel, &p->launch);
    if (entry == NULL) {
        entry = gp_entry_for(key);
        *reason = "too many different launches";
        if (entry == NULL)
            return GIVE_UP;
        if (!gp_worker_decide(on->slot, on->profile_kernel, on->key, key, &p->launch, entry)) {
            free(gp_map_remove(&gp_layer.entries, key)); /* a later launch asks again */
            return NOT_YET;
        }
    }
    gp_family_join(p->family, entry);
    p->entry = entry;
    *reason = entry->reason != NULL ? entry->reason : "no decision";
    return entry->state == GP_ENTRY_READY ? FOUND : entry->state == GP_ENTRY_FAILED ? GIVE_UP : NOT_YET;
}

/* What the code does not tell of images, their runtime does: the next of the kernel's whose texels it has not been
 * asked for. */
static bool find_image(struct passage *p, const struct gp_cl_kernel *kernel, const struct gp_kernel *profile)
{
    for (uint32_t i = 0; i < profile->param_count && i < kernel->argument_count && gp_target.clGetImageInfo != NULL;
         i++) {
        const struct gp_raw_argument *argument = &kernel->arguments[i];
        if (profile->params[i].kind != GP_PARAM_IMAGE || argument->size != sizeof p->image || argument->value == 0 ||
            argument->texel_asked)
            continue;
        p->image_argument = i;
        memcpy(&p->image, &argument->value, sizeof p->image);
        return true;
    }
    return false;
}

static enum progress advance(struct passage *p, struct gp_cl_kernel *kernel, struct gp_kernel_device *on)
{
    const char *reason = "";
    if (on->required) {
        log_as_it_is(p, kernel, GP_LOG_LAUNCHES, "the kernel requires its local size");
        return GIVE_UP;
    }
    if (same_as_last(&p->launch, on, kernel->changes)) {
        p->entry = on->last_entry;
        return FOUND;
    }
    enum progress progress = on->found ? FOUND : find_profile(p, kernel, on, &reason);
    if (progress == GIVE_UP) {
        if (p->device->resolved && p->device->model == NULL)
            log_once(p, kernel, &p->device->reason_logged, reason);
        else
            log_reason(p, kernel, reason);
        return GIVE_UP;
    }
    if (progress == NOT_YET)
        return NOT_YET;
    if (!on->profile_kernel->local_size_agnostic.holds) {
        char text[256];
        snprintf(text, sizeof text, "results may depend on the local size: %s",
                 on->profile_kernel->local_size_agnostic.reason);
        log_reason(p, kernel, text);
        return GIVE_UP;
    }
    if (p->launch.dims == 0) /* a rehearsal of a launch that nobody knows */
        return FOUND;
    if (find_image(p, kernel, on->profile_kernel))
        return ASK_DRIVER;
    progress = find_entry(p, on, &reason);
    if (progress == FOUND) {
        on->last_entry = p->entry;
        on->last_launch = p->launch;
        on->last_changes = kernel->changes;
    }
    if (progress == GIVE_UP && p->entry != NULL)
        log_once(p, kernel, &p->entry->logged, reason);
    else if (progress == GIVE_UP)
        log_reason(p, kernel, reason);
    return progress;
}

/* ---- Choosing: with the lock held ---- */

static bool has_offset(const struct gp_open_launch *launch)
{
    return launch->offset[0] || launch->offset[1] || launch->offset[2];
}

/* A decision may come from a file: what does not fit the launch is not taken. */
static bool fits_launch(const struct gp_open_launch *launch, const uint32_t local[3])
{
    struct gp_launch range = {.dims = launch->dims};
    memcpy(range.global, launch->global, sizeof range.global);
    struct gp_choose_request request = {.launch = &range, .uniform = launch->uniform, .max_group = launch->max_group};
    memcpy(request.max_sizes, launch->max_sizes, sizeof request.max_sizes);
    return gp_local_allowed(&request, local);
}

/* The alternative to take, or NULL. */
static const struct gp_alternative *pick(const struct passage *p, const struct gp_kernel_device *on)
{
    struct gp_entry *entry = p->entry;
    if (entry->sampling.begun && !entry->sampling.over)
        return gp_sampling_of(&entry->decision, entry->sampling.at_hand);
    return gp_rent_pick(entry, p->device, &on->key, has_offset(&p->launch), 1);
}

static void choose(struct passage *p, const struct gp_cl_kernel *kernel, const struct gp_kernel_device *on)
{
    struct gp_entry *entry = p->entry;
    double time_ns = entry->decision.baseline_ns;
    if (entry->refused) {
        log_as_it_is(p, kernel, GP_LOG_LAUNCHES, "the driver refused the choice before");
        return;
    }
    const struct gp_alternative *picked = pick(p, on);
    if (picked != NULL && fits_launch(&p->launch, picked->local)) {
        memcpy(p->local, picked->local, sizeof p->local);
        time_ns = picked->time_ns;
    }
    p->to_note = p->device->is_pocl &&
                 memcmp(entry->noted_local, p->local[0] ? p->local : p->launch.baseline, sizeof p->local) != 0;
    p->time_ns = time_ns;
    log_choice(p, kernel, time_ns);
    p->cut = p->may_be_cut && !p->usual && gp_plan_parts(&p->sample, entry, on, &p->launch, kernel->name);
}

static bool wait_for_change(struct passage *p)
{
    unsigned milliseconds = gp_layer.settings.wait_milliseconds;
    if (milliseconds == 0 || !gp_layer.active)
        return false;
    if (!p->has_deadline) {
        clock_gettime(CLOCK_REALTIME, &p->deadline);
        p->deadline.tv_sec += milliseconds / 1000;
        p->deadline.tv_nsec += milliseconds % 1000 * 1000000L;
        if (p->deadline.tv_nsec >= 1000000000L) {
            p->deadline.tv_sec++;
            p->deadline.tv_nsec -= 1000000000L;
        }
        p->has_deadline = true;
    }
    return pthread_cond_timedwait(&gp_layer.changed, &gp_layer.lock, &p->deadline) != ETIMEDOUT;
}

static bool has_rule(const struct gp_cl_device *device) { return device->is_pocl || device->is_nvidia; }

/* NVIDIA's driver does not tell how large a group the kernel's registers allow. Where it is smaller than what comes out
 * here, the model has no time for that, and the launch is left alone. */
static void apply_rule(const struct gp_cl_device *device, const uint64_t global[3], uint32_t local[3])
{
    if (device->is_nvidia)
        gp_nvidia_local_size(device->limits.max_group, global, local);
    else
        gp_pocl_local_size(&device->limits, global, local);
}

static void fill_launch(struct passage *p, const struct gp_cl_kernel *kernel, struct gp_kernel_device *on)
{
    struct gp_open_launch *launch = &p->launch;
    unsigned version = on->version ? on->version : p->device->c_version;
    memcpy(launch->max_sizes, p->device->limits.max_sizes, sizeof launch->max_sizes);
    launch->uniform = version < 200 || on->uniform_groups || !p->device->non_uniform;
    launch->max_group = on->max_group;
    launch->arguments = kernel->arguments;
    launch->argument_count = kernel->argument_count;
    if (launch->baseline[0] || !has_rule(p->device) || !gp_range_is_countable(launch->global))
        return;
    if (memcmp(on->rule_global, launch->global, sizeof launch->global) != 0) {
        apply_rule(p->device, launch->global, on->rule_local);
        memcpy(on->rule_global, launch->global, sizeof launch->global);
    }
    memcpy(launch->baseline, on->rule_local, sizeof launch->baseline);
}

/* ---- The driver's side ---- */

/* The oldest version of the kernel's sources on the device. With the lock held. */
static void read_options(struct gp_kernel_device *on, const struct gp_cl_kernel *kernel)
{
    unsigned at = 0;
    bool first = true;
    for (const struct gp_unit *unit; (unit = gp_built_next(&kernel->built, on->device, &at)) != NULL; first = false) {
        on->version = first || unit->options.version < on->version ? unit->options.version : on->version;
        on->uniform_groups |= unit->options.uniform_groups;
    }
}

/* What the driver says of the kernel on the device, asked once. */
static bool know_kernel(cl_kernel handle, struct gp_cl_device *device)
{
    size_t group = 0, required[3] = {0};
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_cl_kernel *kernel = gp_map_get(&gp_layer.kernels, gp_handle_key(handle));
    bool followed = kernel != NULL, known = followed && kernel_on(kernel, device) != NULL;
    pthread_mutex_unlock(&gp_layer.lock);
    if (known || !followed)
        return known;
    if (gp_target.clGetKernelWorkGroupInfo(handle, device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL) !=
        CL_SUCCESS)
        return false;
    gp_target.clGetKernelWorkGroupInfo(handle, device->id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required,
                                       NULL);
    struct gp_kernel_device *on = calloc(1, sizeof *on);
    if (on == NULL)
        return false;
    *on = (struct gp_kernel_device){.device = device,
                                    .max_group = group < UINT32_MAX ? (uint32_t)group : UINT32_MAX,
                                    .required = required[0] || required[1] || required[2]};
    pthread_mutex_lock(&gp_layer.lock);
    kernel = gp_map_get(&gp_layer.kernels, gp_handle_key(handle));
    if (kernel != NULL && kernel_on(kernel, device) == NULL) {
        read_options(on, kernel);
        on->next = kernel->devices;
        kernel->devices = on;
        on = NULL;
    }
    pthread_mutex_unlock(&gp_layer.lock);
    free(on);
    return kernel != NULL;
}

/* What is known of the kernel on the queue's device; asks the driver for it at the first launch. With the lock held,
 * which it gives up then. */
static struct gp_kernel_device *find_kernel(struct passage *p, struct gp_cl_kernel **kernel)
{
    for (int attempt = 0; attempt < 2; attempt++) {
        p->device = gp_device_known(p->device_id);
        *kernel = gp_map_get(&gp_layer.kernels, gp_handle_key(p->handle));
        struct gp_kernel_device *on = *kernel != NULL && p->device != NULL ? kernel_on(*kernel, p->device) : NULL;
        if (on != NULL || *kernel == NULL || attempt > 0)
            return on;
        pthread_mutex_unlock(&gp_layer.lock);
        struct gp_cl_device *device = gp_device_record(p->device_id);
        bool known = device != NULL && know_kernel(p->handle, device);
        pthread_mutex_lock(&gp_layer.lock);
        if (!known)
            return NULL;
    }
    return NULL;
}

/* An image that is set lives, since the launch at hand uses it. With the lock held, which it gives up while it asks. */
static void ask_for_texel(const struct passage *p)
{
    size_t bytes = 0;
    pthread_mutex_unlock(&gp_layer.lock);
    bool known = gp_target.clGetImageInfo(p->image, CL_IMAGE_ELEMENT_SIZE, sizeof bytes, &bytes, NULL) == CL_SUCCESS &&
                 bytes <= GP_MOST_TEXEL_BYTES;
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_cl_kernel *kernel = gp_map_get(&gp_layer.kernels, gp_handle_key(p->handle));
    struct gp_raw_argument *argument =
        kernel != NULL && p->image_argument < kernel->argument_count ? &kernel->arguments[p->image_argument] : NULL;
    if (argument == NULL || memcmp(&argument->value, &p->image, sizeof p->image) != 0)
        return; /* the kernel is another one now */
    argument->texel_bytes = known ? (uint16_t)bytes : 0;
    argument->texel_asked = true;
}

/* What it loses is counted once that is known. */
static void count_early(const struct passage *p, const struct gp_cl_kernel *kernel)
{
    if (gp_family_usual(p->family) != NULL)
        return; /* counted with what it gets */
    if (p->entry != NULL)
        p->entry->early++;
    unsigned at = 0;
    for (struct gp_unit *unit; p->entry == NULL && (unit = gp_built_next(&kernel->built, p->device, &at)) != NULL;) {
        struct gp_slot *slot = gp_unit_slot(unit, p->device);
        if (slot != NULL)
            gp_slot_count(slot, kernel->name, &p->launch);
    }
}

/* Nothing is decided yet: as others of the family have it, else as it is. */
static void do_without(struct passage *p, const struct gp_cl_kernel *kernel, const struct gp_kernel_device *on)
{
    count_early(p, kernel);
    p->entry = gp_family_usual(p->family);
    p->usual = p->entry != NULL;
    p->early = !p->usual;
    p->to_note = p->early && p->device->is_pocl;
    if (p->usual)
        choose(p, kernel, on);
    else
        log_as_it_is(p, kernel, GP_LOG_LAUNCHES, "no decision yet");
}

/* The kernel's record on the device: of a rehearsal that alone. */
static void find_status(struct passage *p, const struct gp_cl_kernel *kernel, struct gp_kernel_device *on)
{
    if (p->rehearsal == NULL && on->status == NULL)
        on->status = gp_status_for(kernel->name, on->device->name);
    p->status = p->rehearsal != NULL ? p->rehearsal : on->status;
}

/* What a launch like it would get. */
static void tell_decision(struct passage *p)
{
    char text[160], best[48], baseline[48], gain[24];
    p->rehearsed = p->launch.dims > 0 ? GP_REHEARSED_DECIDED : GP_REHEARSED_ANALYSED;
    if (p->launch.dims == 0) {
        gp_status_say(p->rehearsal, "", "any local size computes the same");
        return;
    }
    const struct gp_decision *decision = &p->entry->decision;
    if (decision->baseline[0] != 0)
        gp_print_local(decision->baseline, p->launch.dims, baseline, sizeof baseline);
    if (decision->alternative_count == 0) {
        snprintf(text, sizeof text, "%s%s", decision->baseline[0] != 0 ? baseline : "no size gains",
                 decision->baseline[0] != 0 ? ", as the driver takes" : "");
    } else {
        gp_print_local(decision->alternatives[0].local, p->launch.dims, best, sizeof best);
        print_ratio(decision->baseline_ns / decision->alternatives[0].time_ns, gain);
        if (decision->baseline_ns > 0)
            snprintf(text, sizeof text, "%s, %s %sx as fast as the driver's %s", best,
                     decision->sampled ? "measured" : "predicted", gain, baseline);
        else
            snprintf(text, sizeof text, "%s, the predicted best", best);
    }
    gp_status_say(p->rehearsal, "", text);
}

static void tell_unfinished(struct passage *p)
{
    p->rehearsed = GP_REHEARSED_UNFINISHED;
    gp_status_say(p->rehearsal, "", "the analysis was not ready in time");
}

/* Fills p->local where the model knows better. */
static void consider(struct passage *p)
{
    enum progress progress = GIVE_UP;
    pthread_mutex_lock(&gp_layer.lock);
    do {
        /* Looked up again after each wait and question: another thread may have released the kernel. */
        struct gp_cl_kernel *kernel;
        struct gp_kernel_device *on = find_kernel(p, &kernel);
        if (on == NULL || !gp_layer.active)
            break;
        find_status(p, kernel, on);
        if (gp_layer.loose_seen && p->device->is_pocl && !gp_layer.settings.any_rounding) {
            log_as_it_is(p, kernel, GP_LOG_LAUNCHES,
                         "a program of this process lets the driver round as it likes, which it may go on doing; "
                         "GPUPERF_ROUNDING=any allows that");
            break;
        }
        fill_launch(p, kernel, on);
        p->entry = NULL;
        p->family = NULL;
        progress = advance(p, kernel, on);
        bool unfinished = progress == NOT_YET && !wait_for_change(p);
        if (progress == FOUND && p->rehearsal != NULL)
            tell_decision(p);
        else if (progress == FOUND)
            choose(p, kernel, on);
        else if (progress == ASK_DRIVER)
            ask_for_texel(p);
        else if (unfinished && p->rehearsal != NULL)
            tell_unfinished(p);
        else if (unfinished)
            do_without(p, kernel, on);
        if (unfinished)
            break;
    } while (progress == NOT_YET || progress == ASK_DRIVER);
    if (p->status != NULL && p->rehearsal == NULL)
        gp_status_count(p->status, &p->launch, p->local[0] ? p->local : p->launch.baseline, p->local[0] != 0,
                        p->time_ns, p->time_ns > 0 ? p->entry->decision.baseline_ns : 0);
    gp_unlock_and_log();
}

typedef cl_int(CL_API_CALL *suggest_function)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                              size_t *);

static void ask_driver(struct passage *p, cl_command_queue queue, const size_t *offset, const size_t *global)
{
    size_t suggested[3] = {1, 1, 1};
    const struct gp_cl_device *device = gp_device_record(p->device_id);
    suggest_function suggest = device != NULL ? (suggest_function)device->suggest : NULL;
    if (suggest == NULL || suggest(queue, p->handle, p->launch.dims, offset, global, suggested) != CL_SUCCESS)
        return;
    for (int d = 0; d < 3; d++)
        p->launch.baseline[d] = (uint32_t)suggested[d];
}

static bool begin(struct passage *p, cl_command_queue queue, cl_kernel handle, cl_uint dims, const size_t *offset,
                  const size_t *global, const size_t *local)
{
    *p = (struct passage){.handle = handle,
                          .launch = {.dims = dims, .global = {1, 1, 1}, .explicit_local = local != NULL}};
    if (dims < 1 || dims > 3 || global == NULL)
        return false;
    for (cl_uint d = 0; d < dims; d++) {
        p->launch.global[d] = global[d];
        p->launch.offset[d] = offset != NULL ? offset[d] : 0;
        if (global[d] == 0 || (local != NULL && (local[d] == 0 || local[d] > UINT32_MAX)))
            return false;
    }
    if (gp_target.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof p->device_id, &p->device_id, NULL) != CL_SUCCESS)
        return false;
    for (cl_uint d = 0; d < 3 && local != NULL; d++)
        p->launch.baseline[d] = d < dims ? (uint32_t)local[d] : 1;
    if (local == NULL && __atomic_load_n(&gp_layer.some_suggest, __ATOMIC_RELAXED))
        ask_driver(p, queue, offset, global);
    return true;
}

/* The driver built the kernel while it took the launch, as long as that was: what the next build will take. With the
 * lock held. */
static void note_cost(const struct passage *p, struct gp_kernel_device *on, double took_ns)
{
    if (took_ns <= BUILD_VISIBLE_NS || gp_layer.settings.has_build_cost)
        return;
    gp_log_later(GP_LOG_DEBUG, "the driver built a kernel for a new local size in %ld ms", (long)(took_ns / 1e6));
    p->device->build_ns = p->device->build_ns > 0 ? (p->device->build_ns + took_ns) / 2 : 0;
    on->build_ns = took_ns;
    if (on->found)
        learn_cost(on);
}

/* After a launch went well: its size is built now. Of one that was early that is noted with its decision, where the
 * kernel is not known yet. */
static void note_launched(const struct passage *p, const uint32_t local[3], double took_ns)
{
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_cl_kernel *kernel = gp_map_get(&gp_layer.kernels, gp_handle_key(p->handle));
    struct gp_kernel_device *on = kernel != NULL ? kernel_on(kernel, p->device) : NULL;
    struct gp_hash size = on != NULL ? gp_built_key(&on->key, local, has_offset(&p->launch)) : (struct gp_hash){{0, 0}};
    bool news = on != NULL && local[0] != 0 && (on->found ? gp_rent_add_built(size) : p->early);
    if (!p->early)
        memcpy(p->entry->noted_local, local, sizeof p->entry->noted_local);
    if (news && on->found)
        gp_worker_note_built(on->key, size);
    if (news)
        note_cost(p, on, took_ns);
    gp_unlock_and_log();
}

static void note_refused(struct passage *p)
{
    char local[48], reason[96];
    gp_print_local(p->local, p->launch.dims, local, sizeof local);
    snprintf(reason, sizeof reason, "the driver refused %s", local);
    memset(p->local, 0, sizeof p->local);
    pthread_mutex_lock(&gp_layer.lock);
    p->entry->refused = true; /* entries live as long as the layer */
    const struct gp_cl_kernel *kernel = gp_map_get(&gp_layer.kernels, gp_handle_key(p->handle));
    if (kernel != NULL)
        log_as_it_is(p, kernel, GP_LOG_DECISIONS, reason);
    gp_unlock_and_log();
}

static cl_int count(unsigned long *counter, cl_int result)
{
    if (result == CL_SUCCESS)
        __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
    return result;
}

/* What is known of it afterwards stands in *p. */
static cl_int pass_on(struct passage *p, cl_command_queue queue, cl_kernel handle, cl_uint dims, const size_t *offset,
                      const size_t *global, const size_t *local, cl_uint wait_count, const cl_event *wait_list,
                      cl_event *event)
{
    struct gp_counts *counts = &gp_layer.counts;
    unsigned long *as_it_is = local != NULL ? &counts->program : &counts->driver;
    bool chooses = gp_layer.settings.mode != GP_MODE_OFF;
    bool open = chooses && (local == NULL || gp_layer.settings.mode == GP_MODE_OVERRIDE);
    if (!open || !begin(p, queue, handle, dims, offset, global, local))
        return count(as_it_is, gp_target.clEnqueueNDRangeKernel(queue, handle, dims, offset, global, local, wait_count,
                                                                wait_list, event));
    p->may_be_cut = event == NULL;
    consider(p);
    struct gp_range_call call = {queue, handle, dims, offset, global, local, wait_count, wait_list};
    cl_int sampled;
    if (p->cut && gp_launch_in_parts(&p->sample, &call, &sampled))
        return count(p->local[0] ? &counts->chosen : as_it_is, sampled);
    double before = p->to_note ? gp_now_ns() : 0;
    if (p->local[0]) {
        size_t chosen[3] = {p->local[0], p->local[1], p->local[2]};
        cl_int result =
            gp_target.clEnqueueNDRangeKernel(queue, handle, dims, offset, global, chosen, wait_count, wait_list, event);
        if (result == CL_SUCCESS) {
            if (p->to_note)
                note_launched(p, p->local, gp_now_ns() - before);
            return count(&counts->chosen, result);
        }
    }
    cl_int result =
        gp_target.clEnqueueNDRangeKernel(queue, handle, dims, offset, global, local, wait_count, wait_list, event);
    if (result == CL_SUCCESS && p->local[0])
        note_refused(p);
    else if (result == CL_SUCCESS && p->to_note)
        note_launched(p, p->launch.baseline, gp_now_ns() - before);
    return count(p->early && local == NULL ? &counts->early : as_it_is, result);
}

/* The size that the driver took by itself, where its rule is known. */
static void find_drivers_size(struct passage *p, cl_command_queue queue, cl_kernel handle, cl_uint dims,
                              const size_t *offset, const size_t *global)
{
    struct gp_cl_kernel *kernel;
    if (!begin(p, queue, handle, dims, offset, global, NULL))
        return;
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_kernel_device *on = find_kernel(p, &kernel);
    if (on != NULL)
        fill_launch(p, kernel, on);
    pthread_mutex_unlock(&gp_layer.lock);
}

/* With the size that the program states, else with that it ran with. */
static void record(struct passage *p, cl_command_queue queue, cl_kernel handle, cl_uint dims, const size_t *offset,
                   const size_t *global, const size_t *local)
{
    uint32_t size[3] = {1, 1, 1};
    if (dims < 1 || dims > 3 || global == NULL)
        return;
    if (p->local[0] == 0 && local == NULL && p->launch.baseline[0] == 0)
        find_drivers_size(p, queue, handle, dims, offset, global);
    if (local == NULL)
        memcpy(size, p->local[0] != 0 ? p->local : p->launch.baseline, sizeof size);
    for (cl_uint d = 0; d < dims && local != NULL; d++)
        size[d] = (uint32_t)local[d];
    gp_record_launch(queue, handle, dims, global, size, local == NULL);
}

static cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel handle, cl_uint dims, const size_t *offset,
                                  const size_t *global, const size_t *local, cl_uint wait_count,
                                  const cl_event *wait_list, cl_event *event)
{
    struct passage p = {0};
    cl_int result = pass_on(&p, queue, handle, dims, offset, global, local, wait_count, wait_list, event);
    if (result == CL_SUCCESS && gp_record_is_on())
        record(&p, queue, handle, dims, offset, global, local);
    return result;
}

/* ---- Rehearsals ---- */

/* False: the launch is none that the layer looks at. */
static bool begin_rehearsal(struct passage *p, cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                            const size_t *offset, const size_t *global, const size_t *local)
{
    if (dims > 0)
        return begin(p, queue, kernel, dims, offset, global, local);
    *p = (struct passage){.handle = kernel, .launch = {.global = {1, 1, 1}}};
    return gp_target.clGetCommandQueueInfo != NULL &&
           gp_target.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof p->device_id, &p->device_id, NULL) ==
               CL_SUCCESS;
}

__attribute__((visibility("default"))) gp_rehearse gpuperf_layer_rehearse;

int gpuperf_layer_rehearse(void *queue, void *kernel, uint32_t dims, const size_t *offset, const size_t *global,
                           const size_t *local, char *text, size_t size)
{
    struct gp_status_record record = {.dims = 0};
    struct passage p;
    if (gp_layer.settings.mode == GP_MODE_OFF) {
        snprintf(text, size, "GPUPERF=off");
        return GP_REHEARSED_LEFT_ALONE;
    }
    if (local != NULL && gp_layer.settings.mode != GP_MODE_OVERRIDE) {
        snprintf(text, size, "the program states its local size, which GPUPERF=override alone replaces");
        return GP_REHEARSED_LEFT_ALONE;
    }
    if (!begin_rehearsal(&p, queue, kernel, dims, offset, global, local)) {
        snprintf(text, size, "a range that the layer passes on");
        return GP_REHEARSED_LEFT_ALONE;
    }
    p.rehearsal = &record;
    gp_status_say(&record, "", "the layer does not follow the kernel");
    consider(&p);
    snprintf(text, size, "%s", record.row.reason);
    return (int)p.rehearsed;
}

void gp_follow_launches(struct _cl_icd_dispatch *table, gp_entry_fits *fits)
{
    GP_FOLLOW(table, fits, clEnqueueNDRangeKernel, enqueue);
}
