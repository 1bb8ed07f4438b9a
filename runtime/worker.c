/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The layer's background thread: it looks up and makes profiles, decides, and keeps the cache. It calls no OpenCL
 * function, so that it does not matter what the driver is doing, or whether it is being unloaded.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "compile/compile.h"
#include "gpuperf/gpuperf.h"
#include "model/profile/profile_binary.h"
#include "model/profile/profile_find.h"
#include "runtime/includes.h"
#include "runtime/layer_state.h"
#include "support/environment.h"
#include "support/own_file.h"

enum { MOST_JOBS = 1024, MOST_ENTRIES = 65536, COMPILE_SECONDS = 60, STOP_SECONDS = 2, NICENESS = 10 };

/* PoCL builds for a new size in 0.1 to 1 s, depending on the kernel. */
static const double ASSUMED_BUILD_NS = 300e6;

/* From JOB_BUILT on: what is only to be noted. */
enum job_kind {
    JOB_LOOKUP,
    JOB_MAKE,
    JOB_DECIDE,
    JOB_BUILT,
    JOB_COST,
    JOB_LOST,
    JOB_BINARY,
    JOB_SAMPLED,
    JOB_FORGOTTEN
};

struct gp_job {
    struct gp_job *next;
    enum job_kind kind;
    struct gp_unit *unit; /* retained; NULL for what is only noted of a kernel */
    struct gp_slot *slot; /* of the unit */
    const struct gp_kernel *kernel;
    struct gp_hash kernel_key, key;
    double ns; /* JOB_COST, JOB_LOST */
    struct gp_entry *entry;
    struct gp_open_launch launch; /* owns its arguments */
    struct gp_decision decision;  /* JOB_SAMPLED */
};

static bool is_stopped(void) { return __atomic_load_n(&gp_layer.stop, __ATOMIC_RELAXED); }

/* ---- Queue: with the lock held ---- */

static void *work(void *unused);

static bool start_thread(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's signals are for the program's threads */
    gp_layer.worker_runs = pthread_create(&gp_layer.worker, NULL, work, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return gp_layer.worker_runs;
}

static void append(struct gp_jobs *jobs, struct gp_job *job)
{
    job->next = NULL;
    if (jobs->first == NULL)
        jobs->first = job;
    else
        jobs->last->next = job;
    jobs->last = job;
}

static struct gp_job *first_of(struct gp_jobs *jobs)
{
    struct gp_job *job = jobs->first;
    if (job != NULL)
        jobs->first = job->next;
    return job;
}

static bool push(struct gp_job job, enum gp_urgency urgency)
{
    if (!gp_layer.active || gp_layer.job_count >= MOST_JOBS || (!gp_layer.worker_runs && !start_thread()))
        return false;
    struct gp_job *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return false;
    *copy = job;
    if (copy->slot != NULL)
        copy->unit = copy->slot->unit;
    if (copy->unit != NULL)
        gp_unit_retain(copy->unit);
    append(&gp_layer.jobs[urgency], copy);
    gp_layer.job_count++;
    pthread_cond_signal(&gp_layer.work);
    return true;
}

static struct gp_job *pop(void)
{
    struct gp_job *job;
    while ((job = first_of(&gp_layer.jobs[GP_QUICK])) != NULL && job->kind == JOB_DECIDE &&
           gp_family_usual(job->entry->family) != NULL)
        append(&gp_layer.jobs[GP_IDLE], job); /* its family has come to agree since it was asked for */
    for (int u = GP_SLOW; u < GP_URGENCIES && job == NULL; u++)
        job = first_of(&gp_layer.jobs[u]);
    gp_layer.job_count -= job != NULL;
    return job;
}

static void free_job(struct gp_job *job)
{
    if (job->unit != NULL)
        gp_unit_release(job->unit);
    free((void *)job->launch.arguments);
    free(job);
}

void gp_worker_lookup(struct gp_slot *slot)
{
    if (slot->state == GP_SLOT_EMPTY && push((struct gp_job){.kind = JOB_LOOKUP, .slot = slot}, GP_QUICK))
        slot->state = GP_SLOT_LOOKUP;
}

void gp_worker_make(struct gp_slot *slot)
{
    gp_worker_lookup(slot);
    if (slot->state == GP_SLOT_MISSING && push((struct gp_job){.kind = JOB_MAKE, .slot = slot}, GP_SLOW))
        slot->state = GP_SLOT_MAKING;
}

bool gp_worker_decide(struct gp_slot *slot, const struct gp_kernel *kernel, struct gp_hash kernel_key,
                      struct gp_hash key, const struct gp_open_launch *launch, struct gp_entry *entry)
{
    struct gp_job job = {.kind = JOB_DECIDE,
                         .slot = slot,
                         .kernel = kernel,
                         .kernel_key = kernel_key,
                         .key = key,
                         .entry = entry,
                         .launch = *launch};
    struct gp_raw_argument *arguments = calloc(launch->argument_count + 1, sizeof *arguments);
    if (arguments != NULL && launch->argument_count > 0)
        memcpy(arguments, launch->arguments, launch->argument_count * sizeof *arguments);
    job.launch.arguments = arguments;
    if (arguments != NULL && push(job, GP_QUICK))
        return true;
    free(arguments);
    return false;
}

void gp_worker_note_built(struct gp_hash kernel_key, struct gp_hash size)
{
    push((struct gp_job){.kind = JOB_BUILT, .kernel_key = kernel_key, .key = size}, GP_QUICK);
}

void gp_worker_note_cost(struct gp_hash kernel_key, double ns)
{
    push((struct gp_job){.kind = JOB_COST, .kernel_key = kernel_key, .ns = ns}, GP_QUICK);
}

bool gp_worker_note_lost(const struct gp_lost *lost)
{
    return push(
        (struct gp_job){.kind = JOB_LOST, .kernel_key = lost->kernel_key, .key = lost->size, .ns = lost->unsaved_ns},
        GP_QUICK);
}

void gp_worker_note_sampled(struct gp_hash kernel_key, struct gp_hash key, const struct gp_decision *decision)
{
    push((struct gp_job){.kind = JOB_SAMPLED, .kernel_key = kernel_key, .key = key, .decision = *decision}, GP_QUICK);
}

void gp_worker_note_forgotten(struct gp_hash kernel_key, struct gp_hash key)
{
    push((struct gp_job){.kind = JOB_FORGOTTEN, .kernel_key = kernel_key, .key = key}, GP_QUICK);
}

void gp_worker_note_binary(struct gp_slot *slot, struct gp_hash binary)
{
    push((struct gp_job){.kind = JOB_BINARY, .slot = slot, .key = binary}, GP_QUICK);
}

/* ---- Devices ---- */

static struct gp_device *match_device(const struct gp_cl_device *device, struct gp_error *error)
{
    const char *directories = gp_layer.settings.hwdb;
    if (gp_layer.settings.device != NULL)
        return gp_device_load(gp_layer.settings.device, directories, error);
    struct gp_device *match = gp_device_match(device->name, directories, error);
    if (match != NULL || error->text[0] != '\0')
        return match;
    if (device->is_cpu)
        return gp_device_load("pocl-cpu", directories, error);
    if (device->target[0] != '\0')
        return gp_device_load_nearest(device->target, directories, error);
    gp_fail(error, "device '%s' is not in the database (set GPUPERF_DEVICE to a name of `gpuperf devices`)",
            device->name);
    return NULL;
}

/*
 * The machine at hand knows its own cores and clock. Not where the user wants another kind of device, and not the units
 * of RDNA, which drivers count in pairs or singly.
 */
static void apply_machine(const struct gp_cl_device *device, struct gp_device *model)
{
    if (device->is_cpu != (model->arch == GP_ARCH_CPU))
        return;
    gp_device_at_hand(model, model->arch != GP_ARCH_RDNA ? (double)device->limits.compute_units : 0, device->clock_mhz,
                      (double)device->cache_bytes, "the OpenCL driver");
}

static struct gp_hash hash_device(const struct gp_device *model, const char *identity)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add_string(&hasher, identity);
    gp_hash_add_string(&hasher, model->name);
    gp_hash_add_string(&hasher, model->triple);
    gp_hash_add_string(&hasher, model->cpu);
#define X(field, unit, meaning) gp_hash_add(&hasher, &model->field.value, sizeof model->field.value);
    GP_DEVICE_NUMBERS(X)
#undef X
    return gp_hash_end(&hasher);
}

static void resolve(struct gp_cl_device *device)
{
    struct gp_error error = {0};
    if (device->resolved) /* written by this thread only */
        return;
    struct gp_device *model = match_device(device, &error);
    struct gp_hash hash = {{0, 0}};
    if (model != NULL) {
        apply_machine(device, model);
        hash = hash_device(model, device->identity);
    }
    pthread_mutex_lock(&gp_layer.lock);
    device->model = model;
    device->model_hash = hash;
    device->reason = model == NULL ? strdup(error.text) : NULL;
    if (gp_layer.settings.has_build_cost)
        device->build_ns = gp_layer.settings.build_milliseconds * 1e6;
    else
        device->build_ns = device->is_pocl ? ASSUMED_BUILD_NS : 0;
    device->resolved = true;
    pthread_mutex_unlock(&gp_layer.lock);
    if (model != NULL && model->nearest != NULL)
        gp_log(GP_LOG_DEBUG, "device '%s' (%s) is not in the database; %s is the nearest (%s)", device->name,
               model->name, model->nearest, model->path);
    else if (model != NULL)
        gp_log(GP_LOG_DEBUG, "device '%s' is %s of the database (%s)", device->name, model->name, model->path);
}

/* ---- Profiles ---- */

static void add_environment(struct gp_hasher *hasher, const char *name)
{
    gp_hash_add_string(hasher, gp_variable(gp_layer.settings.environment, name));
}

/* Which gpuperf, compiler and plugin make the profiles and predict: others make others. */
static void hash_generation(struct gp_hasher *hasher)
{
    char path[PATH_MAX];
    struct stat status;
    gp_hash_add_string(hasher, GPUPERF_VERSION);
    gp_hash_add_u64(hasher, GP_PROFILE_VERSION);
    if (gp_own_file(path) && stat(path, &status) == 0) {
        gp_hash_add_u64(hasher, (uint64_t)status.st_size);
        gp_hash_add_u64(hasher, (uint64_t)status.st_mtime);
    }
    add_environment(hasher, "GPUPERF_CLANG");
    add_environment(hasher, "GPUPERF_PLUGIN");
}

/* What the slot's profile is made of. */
static const struct gp_unit *made_of(const struct gp_slot *slot)
{
    return slot->origin != NULL ? slot->origin : slot->unit;
}

static struct gp_hash hash_with(struct gp_hash key, const char *text)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, &key, sizeof key);
    gp_hash_add_string(&hasher, text);
    return gp_hash_end(&hasher);
}

/* What the slot's profile depends on, but for headers. */
static struct gp_hash content_key(const struct gp_slot *slot)
{
    const struct gp_unit *unit = made_of(slot);
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    hash_generation(&hasher);
    gp_hash_add(&hasher, &unit->content_key, sizeof unit->content_key);
    gp_hash_add(&hasher, &slot->device->model_hash, sizeof slot->device->model_hash);
    gp_hash_driver_language(&hasher, &slot->device->language);
    gp_hash_add_u64(&hasher, gp_layer.settings.any_rounding);
    return gp_hash_end(&hasher);
}

static bool has_headers(const struct gp_slot *slot)
{
    return made_of(slot)->kind == GP_UNIT_SOURCE && made_of(slot)->options.built_ns != 0;
}

/*
 * The slot's key in the cache. Which headers a source includes was noted when it was compiled: with other ones, or as
 * long as there is no note, there is no key, and *keep is false.
 */
static struct gp_hash slot_key(struct gp_cache *cache, const struct gp_slot *slot, bool *keep)
{
    struct gp_hash key = content_key(slot);
    char *record = has_headers(slot) ? gp_cache_note(cache, hash_with(key, "headers")) : NULL;
    *keep = !has_headers(slot) || (record != NULL && gp_headers_are_same(record, made_of(slot)->options.built_ns));
    if (record != NULL)
        key = hash_with(key, record);
    free(record);
    return key;
}

/* The same after a compile, whose headers are noted now. False: they are not known, or not those that the driver has
 * read. */
static bool note_headers(struct gp_cache *cache, struct gp_slot *slot, const char *preprocessed)
{
    slot->keep = !has_headers(slot) && !gp_has_included(preprocessed);
    if (!has_headers(slot))
        return slot->keep;
    struct gp_hash key = content_key(slot);
    char *record = gp_headers_record(preprocessed, made_of(slot)->options.built_ns);
    slot->keep = record != NULL;
    if (record != NULL) {
        gp_cache_add_note(cache, hash_with(key, "headers"), record);
        slot->profile_key = hash_with(key, record);
    }
    free(record);
    return slot->keep;
}

/* Where it is kept that this compiler does not take the slot's source. False: nothing can be kept of it. */
static bool failure_key(const struct gp_slot *slot, struct gp_hash slot_key, bool keep, struct gp_hash *key)
{
    char *programs =
        keep && made_of(slot)->kind == GP_UNIT_SOURCE ? gp_compile_programs(gp_layer.settings.environment) : NULL;
    struct gp_hasher hasher;
    if (programs == NULL)
        return false;
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, &slot_key, sizeof slot_key);
    gp_hash_add_string(&hasher, programs);
    *key = gp_hash_end(&hasher);
    free(programs);
    return true;
}

/* ---- Binaries, whose programs may be seen without their source later ---- */

static struct gp_hash content_hash(const struct gp_unit *unit)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, unit->content, unit->size);
    return gp_hash_end(&hasher);
}

/* The key of a source, as it was built for a device. */
static struct gp_hash source_key(const struct gp_unit *unit, const struct gp_cl_device *device)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, &unit->key, sizeof unit->key);
    gp_hash_driver_language(&hasher, &device->language);
    return gp_hash_end(&hasher);
}

/* The source goes with it: this process may end before there is a profile, or never need one. */
static void note_binary(struct gp_cache *cache, const struct gp_slot *slot, struct gp_hash binary)
{
    const struct gp_unit *unit = slot->unit;
    struct gp_hash key;
    if (unit->kind == GP_UNIT_SOURCE) {
        key = source_key(unit, slot->device);
        gp_cache_add_source(cache, key, unit->content, &unit->options);
    } else if (!gp_cache_binary(cache, content_hash(unit), &key)) {
        return;
    }
    gp_cache_add_binary(cache, binary, key);
}

static void release(struct gp_unit *unit)
{
    pthread_mutex_lock(&gp_layer.lock);
    gp_unit_release(unit);
    pthread_mutex_unlock(&gp_layer.lock);
}

/* The source of the slot's binary, where it was noted. */
static void find_origin(struct gp_cache *cache, struct gp_slot *slot)
{
    struct gp_hash key;
    struct gp_options options;
    char *source =
        gp_cache_binary(cache, content_hash(slot->unit), &key) ? gp_cache_source(cache, key, &options) : NULL;
    if (source == NULL)
        return;
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_unit *unit = gp_unit_kept_source(source, options);
    pthread_mutex_unlock(&gp_layer.lock);
    if (unit != NULL && gp_hash_equal(source_key(unit, slot->device), key))
        slot->origin = unit;
    else if (unit != NULL)
        release(unit);
}

static struct gp_hash kernel_key(struct gp_hash profile, const char *kernel, const struct gp_cl_device *device)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    gp_hash_add(&hasher, &profile, sizeof profile);
    gp_hash_add_string(&hasher, kernel);
    gp_hash_add(&hasher, &device->model_hash, sizeof device->model_hash);
    return gp_hash_end(&hasher);
}

/* What predicted decisions of a kernel are kept under: another gpuperf may predict others. What was measured and built
 * does not depend on it. */
static struct gp_hash predicted_key(struct gp_hash kernel_key)
{
    struct gp_hasher hasher;
    gp_hash_start(&hasher);
    hash_generation(&hasher);
    gp_hash_add(&hasher, &kernel_key, sizeof kernel_key);
    return gp_hash_end(&hasher);
}

static void set_failed(struct gp_slot *slot, const char *reason)
{
    pthread_mutex_lock(&gp_layer.lock);
    slot->state = GP_SLOT_FAILED;
    slot->reason = strdup(reason);
    pthread_cond_broadcast(&gp_layer.changed);
    pthread_mutex_unlock(&gp_layer.lock);
    gp_log(GP_LOG_DEBUG, "no profile: %s", reason);
}

struct gp_entry *gp_entry_for(struct gp_hash key)
{
    if (gp_layer.entries.count >= MOST_ENTRIES)
        return gp_map_get(&gp_layer.entries, key);
    struct gp_entry *entry = gp_map_made(&gp_layer.entries, key, sizeof *entry);
    if (entry != NULL)
        entry->key = key;
    return entry;
}

static void take_cached_decision(void *context, struct gp_hash key, const struct gp_decision *decision)
{
    (void)context;
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_entry *entry = gp_map_get(&gp_layer.entries, key) == NULL ? gp_entry_for(key) : NULL;
    if (entry != NULL) {
        entry->state = GP_ENTRY_READY;
        entry->from_cache = true;
        entry->decision = *decision;
    }
    pthread_mutex_unlock(&gp_layer.lock);
}

static void take_cached_build(void *context, struct gp_hash size)
{
    (void)context;
    pthread_mutex_lock(&gp_layer.lock);
    gp_rent_add_built(size);
    pthread_mutex_unlock(&gp_layer.lock);
}

/* Of other processes. */
static void take_cached_loss(void *context, struct gp_hash size, double ns)
{
    const struct gp_hash *kernel_key = context;
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_lost *lost = gp_rent_lost(*kernel_key, size);
    if (lost != NULL && ns > lost->ns)
        lost->ns = ns;
    pthread_mutex_unlock(&gp_layer.lock);
}

static void take_cached_cost(struct gp_cache *cache, struct gp_hash kernel_key)
{
    double ns = gp_cache_cost(cache, kernel_key);
    pthread_mutex_lock(&gp_layer.lock);
    if (ns > 0 && gp_map_get(&gp_layer.costs, kernel_key) == NULL)
        gp_rent_learn_cost(kernel_key, ns);
    pthread_mutex_unlock(&gp_layer.lock);
}

static bool has_offset(const struct gp_open_launch *launch)
{
    return launch->offset[0] || launch->offset[1] || launch->offset[2];
}

/* What launches have lost before their decision was there. With the lock held. */
static void count_early(const struct gp_cl_device *device, const struct gp_hash *kernel_key,
                        const struct gp_open_launch *launch, struct gp_entry *entry)
{
    if (entry->state == GP_ENTRY_READY && entry->early > 0)
        gp_rent_pick(entry, device, kernel_key, has_offset(launch), entry->early);
    entry->early = 0;
}

static void decide(struct gp_cache *cache, struct gp_slot *slot, const struct gp_kernel *kernel,
                   struct gp_hash kernel_key, struct gp_hash key, const struct gp_open_launch *launch,
                   struct gp_entry *entry)
{
    struct gp_decision decision;
    struct gp_error error = {0};
    bool done = gp_decide(slot->profile, kernel, slot->device->model, slot->foreign_target, launch, &gp_layer.stop,
                          &decision, &error);
    if (!done && is_stopped())
        return;
    pthread_mutex_lock(&gp_layer.lock);
    if (done)
        entry->decision = decision;
    else
        entry->reason = strdup(error.text);
    entry->state = done ? GP_ENTRY_READY : GP_ENTRY_FAILED;
    gp_family_join(gp_family_of(&kernel_key, kernel, launch), entry);
    count_early(slot->device, &kernel_key, launch, entry);
    pthread_cond_broadcast(&gp_layer.changed);
    pthread_mutex_unlock(&gp_layer.lock);
    if (done)
        gp_cache_add_decision(cache, predicted_key(kernel_key), key, &decision);
}

/* The launch was made as it was: the driver has built the kernel for its own size. */
static void note_driver_build(struct gp_cache *cache, const struct gp_cl_device *device,
                              const struct gp_hash *kernel_key, const struct gp_open_launch *launch)
{
    if (launch->baseline[0] == 0 || !device->is_pocl)
        return;
    struct gp_hash size = gp_built_key(kernel_key, launch->baseline, has_offset(launch));
    take_cached_build(NULL, size);
    gp_cache_add_built(cache, *kernel_key, size);
}

/* Decides the launches that were made before the profile was there: the next ones will be like them. */
static void decide_waiting(struct gp_cache *cache, struct gp_slot *slot, struct gp_waiting *waiting)
{
    for (struct gp_waiting *next; waiting != NULL; waiting = next) {
        next = waiting->next;
        const struct gp_kernel *kernel = gp_profile_find(slot->profile, waiting->kernel);
        if (kernel != NULL && kernel->local_size_agnostic.holds && !is_stopped()) {
            struct gp_hash own = slot->kernel_keys[kernel - slot->profile->kernels];
            struct gp_hash key = gp_decision_key(&own, kernel, &waiting->launch);
            if (waiting->launches > 0)
                note_driver_build(cache, slot->device, &own, &waiting->launch);
            pthread_mutex_lock(&gp_layer.lock);
            bool known = gp_map_get(&gp_layer.entries, key) != NULL;
            struct gp_entry *entry = gp_entry_for(key);
            if (entry != NULL)
                entry->early += waiting->launches;
            if (known && entry != NULL)
                count_early(slot->device, &own, &waiting->launch, entry);
            pthread_mutex_unlock(&gp_layer.lock);
            if (!known && entry != NULL)
                decide(cache, slot, kernel, own, key, &waiting->launch, entry);
        }
        gp_waiting_free(waiting);
    }
}

static void set_ready(struct gp_cache *cache, struct gp_slot *slot, struct gp_profile *profile, struct gp_hash hash,
                      bool foreign)
{
    struct gp_hash *keys = calloc(profile->kernel_count + 1, sizeof *keys);
    if (keys == NULL) {
        gp_profile_free(profile);
        set_failed(slot, "out of memory");
        return;
    }
    for (uint32_t i = 0; i < profile->kernel_count; i++) {
        keys[i] = kernel_key(hash, profile->kernels[i].name, slot->device);
        gp_cache_decisions(cache, keys[i], take_cached_decision, NULL); /* measured: these go first */
        gp_cache_decisions(cache, predicted_key(keys[i]), take_cached_decision, NULL);
        gp_cache_built(cache, keys[i], take_cached_build, NULL);
        gp_cache_lost(cache, keys[i], take_cached_loss, &keys[i]);
        take_cached_cost(cache, keys[i]);
    }
    pthread_mutex_lock(&gp_layer.lock);
    slot->profile = profile;
    slot->kernel_keys = keys;
    slot->foreign_target = foreign;
    slot->state = GP_SLOT_READY;
    struct gp_waiting *waiting = slot->waiting;
    slot->waiting = NULL;
    slot->waiting_count = 0;
    pthread_cond_broadcast(&gp_layer.changed);
    pthread_mutex_unlock(&gp_layer.lock);
    decide_waiting(cache, slot, waiting);
}

static void look_up(struct gp_cache *cache, struct gp_slot *slot)
{
    bool foreign = false, keep;
    struct gp_hash hash;
    resolve(slot->device);
    if (slot->device->model == NULL) {
        set_failed(slot, slot->device->reason != NULL ? slot->device->reason : "unknown device");
        return;
    }
    if (slot->unit->kind == GP_UNIT_BINARY)
        find_origin(cache, slot);
    struct gp_hash key = slot_key(cache, slot, &keep);
    struct gp_profile *profile = keep ? gp_cache_profile(cache, key, &foreign, &hash) : NULL;
    struct gp_hash failure;
    char *refused = profile == NULL && failure_key(slot, key, keep, &failure) ? gp_cache_note(cache, failure) : NULL;
    if (refused != NULL) {
        set_failed(slot, refused);
        free(refused);
        return;
    }
    pthread_mutex_lock(&gp_layer.lock);
    slot->profile_key = key;
    slot->keep = keep;
    if (profile == NULL) {
        slot->state = GP_SLOT_MISSING;
        if (slot->waiting != NULL)
            gp_worker_make(slot);
    }
    pthread_cond_broadcast(&gp_layer.changed);
    pthread_mutex_unlock(&gp_layer.lock);
    if (profile != NULL) {
        gp_log(GP_LOG_DEBUG, "profile of %u kernels found in the cache", profile->kernel_count);
        set_ready(cache, slot, profile, hash, foreign);
    }
}

/* The same profile, whose kernels' results may depend on the local size. NULL: out of memory. */
static struct gp_profile *without_proof(struct gp_profile *profile, const char *reason)
{
    struct gp_profile *copy = NULL;
    uint32_t *words;
    size_t count;
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        profile->kernels[i].local_size_agnostic = profile->kernels[i].split_safe = (struct gp_fact){false, reason};
    if (gp_profile_encode(profile, &words, &count, NULL)) {
        copy = gp_profile_decode_encoded(words, count, NULL);
        free(words);
    }
    gp_profile_free(profile);
    return copy;
}

/* PoCL compiles a kernel anew for each size, and rounds otherwise then where it may. */
static bool may_round_otherwise(const struct gp_slot *slot, bool open)
{
    return open && slot->device->is_pocl && !gp_layer.settings.any_rounding;
}

static const char rounding_reason[] =
    "the driver may round otherwise for another size; GPUPERF_ROUNDING=any allows that";

/* Whether what was compiled is what the driver has built, and the driver's code rounds the same for each size. False: a
 * sentence. */
static bool is_drivers(struct gp_cache *cache, struct gp_slot *slot, char *const *macros, const char *preprocessed,
                       struct gp_error *why)
{
    const struct gp_options *options = &made_of(slot)->options;
    if (!note_headers(cache, slot, preprocessed))
        return gp_fail(why, "a header has changed since the program was built, or is no regular file");
    if (!gp_compiled_as_driver(preprocessed, &slot->device->language, options, macros, why))
        return false;
    return !may_round_otherwise(slot, options->loose || gp_leaves_rounding_open(preprocessed)) ||
           gp_fail(why, "%s", rounding_reason);
}

static bool run_compiler(struct gp_slot *slot, char *const *macros, struct gp_compile_result *result,
                         struct gp_error *error)
{
    const struct gp_unit *unit = made_of(slot);
    struct gp_compile_request request = {.source_path = "program.cl",
                                         .source_text = unit->content,
                                         .language = "opencl",
                                         .macros = macros,
                                         .preprocessed = true,
                                         .arguments = (const char *const *)unit->options.arguments,
                                         .device = slot->device->model,
                                         .environment = gp_layer.settings.environment,
                                         .for_llvm_compile = slot->device->is_pocl,
                                         .timeout_seconds = COMPILE_SECONDS,
                                         .cancelled = &gp_layer.stop};
    return gp_compile(&request, result, error);
}

static struct gp_profile *compile(struct gp_cache *cache, struct gp_slot *slot, bool *foreign, struct gp_error *error)
{
    struct gp_hash failure;
    struct gp_error why = {0};
    struct gp_compile_result result = {0};
    char **macros = gp_driver_macros(&slot->device->language, &made_of(slot)->options);
    bool compiled = macros != NULL && run_compiler(slot, macros, &result, error),
         same = compiled && is_drivers(cache, slot, macros, result.preprocessed, &why);
    if (!compiled && result.refused) {
        note_headers(cache, slot, result.preprocessed);
        if (failure_key(slot, slot->profile_key, slot->keep, &failure))
            gp_cache_add_note(cache, failure, error->text);
    }
    struct gp_profile *profile = result.profile;
    *foreign = result.foreign_target;
    result.profile = NULL;
    gp_compile_result_free(&result);
    gp_driver_macros_free(macros);
    return profile == NULL || same ? profile : without_proof(profile, why.text);
}

/* The profile that a binary or IL holds. Who has only the binary of a driver cannot compile it again with the plugin.
 */
static struct gp_profile *take(struct gp_slot *slot, bool *foreign, struct gp_error *error)
{
    struct gp_profile *profile = gp_profile_from_bytes(slot->unit->content, slot->unit->size, error);
    *foreign = profile != NULL && gp_profile_is_foreign(profile, slot->device->model);
    if (profile == NULL && slot->unit->kind == GP_UNIT_BINARY && strcmp(error->text, gp_no_profile_found) == 0)
        gp_fail(error, "the program loaded a driver's binary that holds no profile, and its source is not known; clear "
                       "the program's own cache of binaries once"
                       " (for instance ~/.cache/pyopencl), so that it builds from source");
    return profile != NULL && may_round_otherwise(slot, true) ? without_proof(profile, rounding_reason) : profile;
}

/* Made or taken, and kept; it may be there by now, since another process, or this one for a binary of the same source,
 * has made it. */
static struct gp_profile *make_or_find(struct gp_cache *cache, struct gp_slot *slot, bool *foreign,
                                       struct gp_hash *hash, struct gp_error *error)
{
    slot->profile_key = slot_key(cache, slot, &slot->keep);
    struct gp_profile *profile = slot->keep ? gp_cache_profile(cache, slot->profile_key, foreign, hash) : NULL;
    if (profile != NULL)
        return profile;
    profile = made_of(slot)->kind == GP_UNIT_SOURCE ? compile(cache, slot, foreign, error) : take(slot, foreign, error);
    if (profile != NULL)
        *hash = gp_profile_hash(profile);
    if (profile != NULL && slot->keep)
        gp_cache_add_profile(cache, slot->profile_key, profile, *foreign);
    return profile;
}

static void make(struct gp_cache *cache, struct gp_slot *slot)
{
    struct gp_error error = {0};
    struct gp_hash hash;
    bool foreign = false;
    double begin = gp_now_ns();
    struct gp_profile *profile = make_or_find(cache, slot, &foreign, &hash, &error);
    if (profile == NULL && is_stopped()) /* a compile that was ended says nothing of the source: gp_worker_begin() */
        return;
    if (profile == NULL) {
        set_failed(slot, error.text);
        return;
    }
    gp_log(GP_LOG_DEBUG, "profile of %u kernels made in %ld ms", profile->kernel_count,
           (long)((gp_now_ns() - begin) / 1e6));
    set_ready(cache, slot, profile, hash, foreign);
}

/* ---- The thread ---- */

static struct gp_cache *open_cache(void)
{
    struct gp_error error = {0};
    struct gp_cache *cache = NULL;
    if (gp_layer.settings.cache_directory != NULL) {
        cache = gp_cache_open(gp_layer.settings.cache_directory, &error);
        if (error.text[0] != '\0')
            gp_log(GP_LOG_DECISIONS, "%s", error.text);
    }
    return cache;
}

static void run(struct gp_cache *cache, struct gp_job *job)
{
    switch (job->kind) {
    case JOB_LOOKUP: look_up(cache, job->slot); break;
    case JOB_MAKE: make(cache, job->slot); break;
    case JOB_DECIDE: decide(cache, job->slot, job->kernel, job->kernel_key, job->key, &job->launch, job->entry); break;
    case JOB_BUILT: gp_cache_add_built(cache, job->kernel_key, job->key); break;
    case JOB_COST: gp_cache_add_cost(cache, job->kernel_key, job->ns); break;
    case JOB_LOST: gp_cache_add_lost(cache, job->kernel_key, job->key, job->ns); break;
    case JOB_SAMPLED: gp_cache_add_decision(cache, job->kernel_key, job->key, &job->decision); break;
    case JOB_FORGOTTEN: gp_cache_forget_decision(cache, job->kernel_key, job->key); break;
    case JOB_BINARY: note_binary(cache, job->slot, job->key); break;
    }
}

static struct gp_job *pop_at_end(void)
{
    pthread_mutex_lock(&gp_layer.lock);
    struct gp_job *job = pop();
    pthread_mutex_unlock(&gp_layer.lock);
    return job;
}

struct losses {
    struct gp_lost *list;
    size_t count;
};

static void collect_lost(void *context, void *value)
{
    struct losses *losses = context;
    struct gp_lost *lost = value;
    if (lost->unsaved_ns <= 0)
        return;
    losses->list[losses->count++] = *lost;
    lost->unsaved_ns = 0;
}

/* What launches have lost since it was noted last. */
static void note_lost(struct gp_cache *cache)
{
    struct losses losses = {0};
    pthread_mutex_lock(&gp_layer.lock);
    losses.list = calloc(gp_layer.lost.count + 1, sizeof *losses.list);
    if (losses.list != NULL)
        gp_map_each(&gp_layer.lost, collect_lost, &losses);
    pthread_mutex_unlock(&gp_layer.lock);
    for (size_t i = 0; i < losses.count; i++)
        gp_cache_add_lost(cache, losses.list[i].kernel_key, losses.list[i].size, losses.list[i].unsaved_ns);
    free(losses.list);
}

struct statuses {
    struct gp_kernel_status *list;
    size_t count;
};

static void collect_status(void *context, void *value)
{
    struct statuses *statuses = context;
    statuses->count += gp_status_take(value, &statuses->list[statuses->count]);
}

/* What became of launches since it was noted last. */
static void note_statuses(struct gp_cache *cache)
{
    struct statuses statuses = {0};
    if (cache == NULL)
        return;
    pthread_mutex_lock(&gp_layer.lock);
    statuses.list = calloc(gp_layer.statuses.count + 1, sizeof *statuses.list);
    if (statuses.list != NULL)
        gp_map_each(&gp_layer.statuses, collect_status, &statuses);
    pthread_mutex_unlock(&gp_layer.lock);
    for (size_t i = 0; i < statuses.count; i++)
        gp_cache_add_status(cache, &statuses.list[i]);
    free(statuses.list);
}

/* Of a program that runs on for hours, and may be killed: once in a while, when the worker has been at work anyway. */
static void note_statuses_sometimes(struct gp_cache *cache, double *noted_ns)
{
    const double interval_ns = 10e9;
    if (gp_now_ns() - *noted_ns < interval_ns)
        return;
    *noted_ns = gp_now_ns();
    gp_cache_begin(cache);
    note_statuses(cache);
    gp_cache_commit(cache);
}

/* What is only to be noted is noted before the end: if a program keeps its binary, no later process tells what it was
 * built from. */
static void note_the_rest(struct gp_cache *cache)
{
    gp_cache_begin(cache);
    for (struct gp_job *job; (job = pop_at_end()) != NULL;) {
        if (job->kind >= JOB_BUILT)
            run(cache, job);
        pthread_mutex_lock(&gp_layer.lock);
        free_job(job);
        pthread_mutex_unlock(&gp_layer.lock);
    }
    note_lost(cache);
    note_statuses(cache);
    gp_cache_commit(cache);
}

static void *work(void *unused)
{
    (void)unused;
    /* Numbers are read and written as in C whatever the program's locale; the program goes first (on Linux niceness is
     * a thread's). */
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", NULL);
    if (c_locale != NULL)
        uselocale(c_locale);
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICENESS);
    struct gp_cache *cache = open_cache();
    double noted_ns = gp_now_ns();
    pthread_mutex_lock(&gp_layer.lock);
    while (!is_stopped()) {
        struct gp_job *job = pop();
        if (job == NULL) {
            pthread_cond_wait(&gp_layer.work, &gp_layer.lock);
            continue;
        }
        pthread_mutex_unlock(&gp_layer.lock);
        run(cache, job);
        note_statuses_sometimes(cache, &noted_ns);
        pthread_mutex_lock(&gp_layer.lock);
        free_job(job);
    }
    pthread_mutex_unlock(&gp_layer.lock);
    note_the_rest(cache);
    gp_cache_close(cache);
    if (c_locale != NULL) {
        uselocale(LC_GLOBAL_LOCALE);
        freelocale(c_locale);
    }
    return NULL;
}

static void forget_what_was_under_way(void *unused, void *value)
{
    (void)unused;
    const struct gp_unit *unit = value;
    for (struct gp_slot *slot = unit->slots; slot != NULL; slot = slot->next)
        slot->state = slot->state == GP_SLOT_LOOKUP   ? GP_SLOT_EMPTY
                      : slot->state == GP_SLOT_MAKING ? GP_SLOT_MISSING
                                                      : slot->state;
}

/* Of these no family and no kernel knows. */
static bool is_pending(const void *value) { return ((const struct gp_entry *)value)->state == GP_ENTRY_PENDING; }

static void drop_jobs(void)
{
    for (struct gp_job *job; (job = pop()) != NULL;)
        free_job(job);
}

void gp_worker_begin(void)
{
    if (gp_layer.worker_runs)
        return;
    drop_jobs(); /* a forked process has its parent's */
    gp_map_each(&gp_layer.units, forget_what_was_under_way, NULL);
    gp_map_sift(&gp_layer.entries, is_pending, free);
}

/*
 * A compile is killed and a prediction takes milliseconds, so that the thread ends soon. If it does not (a file system
 * that hangs) the process goes on without waiting for it; the library is linked to stay in memory for that.
 */
void gp_worker_stop(void)
{
    struct timespec until;
    pthread_mutex_lock(&gp_layer.lock);
    bool runs = gp_layer.worker_runs;
    __atomic_store_n(&gp_layer.stop, 1, __ATOMIC_RELAXED);
    gp_layer.active = false;
    pthread_cond_broadcast(&gp_layer.work);
    pthread_cond_broadcast(&gp_layer.changed);
    pthread_mutex_unlock(&gp_layer.lock);
    if (!runs)
        return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += STOP_SECONDS;
    if (pthread_timedjoin_np(gp_layer.worker, NULL, &until) != 0)
        return;
    pthread_mutex_lock(&gp_layer.lock);
    gp_layer.worker_runs = false;
    drop_jobs();
    pthread_mutex_unlock(&gp_layer.lock);
}
