/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A device that OpenCL has here. Times are those of profiled events; the host's own are from the call to the end of the
 * launch. Where the device is this machine's CPU, others may have its cores for part of that time: a launch takes no
 * longer than the processor time that this process used, shared out over the cores that had groups. Buffers are kept
 * between launches and grow; a chain is written, and made into addresses, once for each.
 */
#include "tools/calibrate/target.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "tools/opencl.h"

enum { MOST_PROGRAMS = 16, MOST_DEVICES = 16, FLUSH = 76 << 20 /* Lashgar et al., 3.3 */, MOST_CONSTANT = 64 << 10 };

struct program {
    const char *name;
    void *program;
};

struct opencl {
    struct gp_target target;
    const struct gp_cl *cl;
    void *device, *context, *queue;
    struct program programs[MOST_PROGRAMS];
    size_t program_count;
    void *in, *out;
    size_t in_bytes, out_bytes;
    void *flushing, *copied; /* a buffer of FLUSH bytes and what the host copies, made when they are wanted */
    uint64_t chain;          /* a number that tells the chain in `in` from others; 0: none */
};

/* ---- Finding the device ------------------------------------------------------------------------------------------ */

static bool holds(const char *text, const char *part, size_t length)
{
    for (; *text != '\0'; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return length == 0;
}

/* Whether a word, a number or a part of the name, means this one; empty means any. */
static bool means(const char *word, size_t length, uint32_t number, const char *name)
{
    bool digits = length > 0;
    for (size_t i = 0; i < length; i++)
        digits = digits && isdigit((unsigned char)word[i]);
    return length == 0 || (digits ? (uint32_t)strtoul(word, NULL, 10) == number : holds(name, word, length));
}

static bool find_device(struct opencl *o, const char *which, struct gp_error *error)
{
    void *platforms[MOST_DEVICES], *devices[MOST_DEVICES];
    uint32_t platform_count = 0, device_count = 0;
    const char *wanted = which != NULL ? which : "", *colon = strchr(wanted, ':'),
               *device = colon != NULL ? colon + 1 : "";
    size_t length = colon != NULL ? (size_t)(colon - wanted) : strlen(wanted);
    char list[512] = "";
    if (o->cl->GetPlatformIDs(MOST_DEVICES, platforms, &platform_count) != 0 || platform_count == 0)
        return gp_fail(error, "OpenCL has no platform here: install a driver, such as pocl-opencl-icd for the CPU");
    for (uint32_t p = 0; p < platform_count && p < MOST_DEVICES; p++) {
        char platform[128] = "", version[128] = "", name[128];
        o->cl->GetPlatformInfo(platforms[p], GP_CL_PLATFORM_VERSION, sizeof version - 1, version, NULL);
        o->cl->GetPlatformInfo(platforms[p], GP_CL_PLATFORM_NAME, sizeof platform - 1, platform, NULL);
        if (o->cl->GetDeviceIDs(platforms[p], 0xFFFFFFFF, MOST_DEVICES, devices, &device_count) != 0)
            continue;
        for (uint32_t d = 0; d < device_count && d < MOST_DEVICES; d++) {
            memset(name, 0, sizeof name);
            o->cl->GetDeviceInfo(devices[d], GP_CL_DEVICE_NAME, sizeof name - 1, name, NULL);
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%u:%u (%.40s, %.60s)", used > 0 ? ", " : "", p, d, platform,
                     name);
            bool here = means(wanted, length, p, platform) || means(wanted, length, p, version); /* "... PoCL 3.1" */
            if (o->device == NULL && here && means(device, strlen(device), d, name))
                o->device = devices[d];
        }
    }
    return o->device != NULL ||
           gp_fail(error, "OpenCL has no device '%.60s' here; there are %s", wanted, list[0] != '\0' ? list : "none");
}

/* A number that the driver says; 0: it does not. */
static uint64_t ask(const struct opencl *o, uint32_t what)
{
    uint64_t number = 0;
    return o->cl->GetDeviceInfo(o->device, what, sizeof number, &number, NULL) == 0 ? number : 0;
}

static uint64_t ask32(const struct opencl *o, uint32_t what)
{
    uint32_t number = 0;
    return o->cl->GetDeviceInfo(o->device, what, sizeof number, &number, NULL) == 0 ? number : 0;
}

/* `name`: with the blank behind it, which others begin with as well. */
static bool has_extension(const struct opencl *o, const char *name)
{
    char list[16384] = "";
    return o->cl->GetDeviceInfo(o->device, GP_CL_DEVICE_EXTENSIONS, sizeof list - 2, list, NULL) == 0 &&
           strstr(strcat(list, " "), name) != NULL;
}

static bool describe(struct opencl *o, struct gp_error *error)
{
    struct gp_target *t = &o->target;
    size_t group = 0;
    o->cl->GetDeviceInfo(o->device, GP_CL_DEVICE_NAME, sizeof t->title - 1, t->title, NULL);
    o->cl->GetDeviceInfo(o->device, GP_CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL);
    t->units = (uint32_t)ask32(o, GP_CL_DEVICE_MAX_COMPUTE_UNITS);
    t->clock_mhz = (double)ask32(o, GP_CL_DEVICE_MAX_CLOCK_FREQUENCY);
    t->most_local = (uint32_t)(group < 4096 ? group : 4096);
    t->most_bytes = ask(o, GP_CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    t->told_cache = ask(o, GP_CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    t->is_cpu = ask(o, GP_CL_DEVICE_TYPE) & GP_CL_TYPE_CPU;
    t->shuffles = has_extension(o, "cl_khr_subgroup_shuffle ");
    t->doubles = ask(o, GP_CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
    t->tick_ns = (double)ask(o, GP_CL_DEVICE_PROFILING_TIMER_RESOLUTION);
    t->halves = 1;
    if (t->most_bytes > UINT64_C(1) << 29)
        t->most_bytes = UINT64_C(1) << 29;
    if (t->units == 0 || t->clock_mhz <= 0 || group == 0)
        return gp_fail(error, "%s: the driver does not say how many units it has, or how fast they are", t->title);
    if (!(ask(o, GP_CL_DEVICE_QUEUE_PROPERTIES) & GP_CL_QUEUE_PROFILING))
        return gp_fail(error, "%s: the driver cannot time launches (CL_QUEUE_PROFILING_ENABLE)", t->title);
    return true;
}

/* ---- Launches ---------------------------------------------------------------------------------------------------- */

static bool failed(const struct opencl *o, const char *what, int32_t status, struct gp_error *error)
{
    return gp_fail(error, "%s: %s: %s", o->target.title, what, gp_cl_error(status));
}

static void *program_of(struct opencl *o, const char *name, struct gp_error *error)
{
    int32_t status = 0;
    const char *text = gp_program_text(name);
    for (size_t i = 0; i < o->program_count; i++)
        if (strcmp(o->programs[i].name, name) == 0)
            return o->programs[i].program;
    void *program = o->cl->CreateProgramWithSource(o->context, 1, &text, NULL, &status);
    if (status == 0)
        status = o->cl->BuildProgram(program, 1, &o->device, "-cl-std=CL1.2 -cl-denorms-are-zero", NULL, NULL);
    if (status != 0) {
        failed(o, name, status, error);
        return NULL;
    }
    o->programs[o->program_count++] = (struct program){name, program};
    return program;
}

/* A buffer of so many bytes at least, of zeros where it is new. */
static bool make_room(struct opencl *o, void **buffer, size_t *have, size_t want, struct gp_error *error)
{
    int32_t status = 0;
    want = want < 4096 ? 4096 : want;
    if (*have >= want)
        return true;
    if (*buffer != NULL)
        o->cl->ReleaseMemObject(*buffer);
    *have = 0;
    *buffer = o->cl->CreateBuffer(o->context, 1 /* read and written */, want, NULL, &status);
    void *zeros = calloc(1, want);
    if (status == 0)
        status = zeros != NULL ? o->cl->EnqueueWriteBuffer(o->queue, *buffer, 1, 0, want, zeros, 0, NULL, NULL)
                               : GP_CL_OUT_OF_HOST_MEMORY;
    free(zeros);
    *have = status == 0 ? want : 0;
    return status == 0 || failed(o, "a buffer", status, error);
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Of launches one behind the other the last one's event tells. */
static int32_t launch(struct opencl *o, void *kernel, const struct gp_run *run, struct gp_times *times)
{
    size_t global = (size_t)run->groups * run->local, local = run->local;
    const int32_t numbers[2] = {run->count, run->other};
    unsigned each = run->back_to_back > 0 ? run->back_to_back : 1;
    void *event = NULL;
    uint64_t begin = 0, end = 0;
    int32_t status = o->cl->SetKernelArg(kernel, 0, sizeof o->in, &o->in);
    void *second = strcmp(run->kernel, "link_constant") == 0 ? o->in : o->out;
    status = status != 0 ? status : o->cl->SetKernelArg(kernel, 1, sizeof second, &second);
    for (uint32_t i = 0; i < 2 && status == 0; i++)
        status = o->cl->SetKernelArg(kernel, 2 + i, sizeof numbers[i], &numbers[i]);
    double before = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
    for (unsigned i = 0; i < each && status == 0; i++)
        status = o->cl->EnqueueNDRangeKernel(o->queue, kernel, 1, NULL, &global, &local, 0, NULL,
                                             i + 1 < each ? NULL : &event);
    if (status == 0)
        status = o->cl->Finish(o->queue);
    times->host = (now(CLOCK_MONOTONIC) - before) / each;
    used = now(CLOCK_PROCESS_CPUTIME_ID) - used;
    if (status == 0)
        status = o->cl->GetEventProfilingInfo(event, GP_CL_PROFILING_START, sizeof begin, &begin, NULL);
    if (status == 0)
        status = o->cl->GetEventProfilingInfo(event, GP_CL_PROFILING_END, sizeof end, &end, NULL);
    if (event != NULL)
        o->cl->ReleaseEvent(event);
    times->device = (double)(end - begin);
    if (o->target.is_cpu) {
        double busy = run->groups < o->target.units ? (double)run->groups : o->target.units;
        times->device = fmin(times->device, used / busy / each);
    }
    return status;
}

static bool launch_kernel(struct opencl *o, const struct gp_run *run, struct gp_times *times, struct gp_error *error)
{
    int32_t status = 0;
    void *program = program_of(o, run->program, error);
    void *kernel = program != NULL ? o->cl->CreateKernel(program, run->kernel, &status) : NULL;
    if (program == NULL)
        return false;
    if (status == 0)
        status = launch(o, kernel, run, times);
    if (kernel != NULL)
        o->cl->ReleaseKernel(kernel);
    return status == 0 || failed(o, run->kernel, status, error);
}

/* Words that are no places become addresses, too, which nobody goes to. */
static bool write_chain(struct opencl *o, const struct gp_run *run, struct gp_error *error)
{
    uint64_t number = gp_chain_number(run);
    if (o->chain == number)
        return true;
    int32_t status = o->cl->EnqueueWriteBuffer(o->queue, o->in, 1, 0, run->in_bytes, run->chain, 0, NULL, NULL);
    if (status != 0)
        return failed(o, "a chain", status, error);
    struct gp_times ignored;
    struct gp_run link = gp_linking_run(run);
    if (link.local > o->target.most_local)
        link.local = o->target.most_local;
    if (!run->offsets && !launch_kernel(o, &link, &ignored, error))
        return false;
    o->chain = number;
    return true;
}

/* What the host copies before a launch. */
static bool copy_before(struct opencl *o, const struct gp_run *run, struct gp_error *error)
{
    size_t unused = 0;
    if (run->copied == GP_COPIED_NOTHING)
        return true;
    if (o->copied == NULL && (o->copied = calloc(1, FLUSH)) == NULL)
        return gp_fail(error, "out of memory");
    if (o->flushing == NULL && !make_room(o, &o->flushing, &unused, FLUSH, error))
        return false;
    bool data = run->copied == GP_COPIED_DATA;
    size_t bytes = data && run->in_bytes < FLUSH ? run->in_bytes : FLUSH;
    int32_t status =
        o->cl->EnqueueWriteBuffer(o->queue, data ? o->in : o->flushing, 1, 0, bytes, o->copied, 0, NULL, NULL);
    if (data)
        o->chain = 0;
    return status == 0 || failed(o, "a copy", status, error);
}

static bool time_run(struct gp_target *target, const struct gp_run *run, struct gp_times *times, struct gp_error *error)
{
    struct opencl *o = (struct opencl *)target;
    size_t had = o->in_bytes;
    if (gp_reads_constants(run) && o->in_bytes > MOST_CONSTANT) { /* a driver may take no larger buffer there */
        o->cl->ReleaseMemObject(o->in);
        o->in = NULL;
        o->in_bytes = 0;
    }
    if (!make_room(o, &o->in, &o->in_bytes, run->in_bytes, error) ||
        !make_room(o, &o->out, &o->out_bytes, run->out_bytes, error))
        return false;
    if (o->in_bytes != had)
        o->chain = 0;
    if (run->chain != NULL && !(run->again && o->chain != 0) && !write_chain(o, run, error))
        return false;
    return copy_before(o, run, error) && launch_kernel(o, run, times, error);
}

static void close_target(struct gp_target *target)
{
    struct opencl *o = (struct opencl *)target;
    for (size_t i = 0; i < o->program_count; i++)
        o->cl->ReleaseProgram(o->programs[i].program);
    if (o->in != NULL)
        o->cl->ReleaseMemObject(o->in);
    if (o->out != NULL)
        o->cl->ReleaseMemObject(o->out);
    if (o->flushing != NULL)
        o->cl->ReleaseMemObject(o->flushing);
    free(o->copied);
    if (o->queue != NULL)
        o->cl->ReleaseCommandQueue(o->queue);
    if (o->context != NULL)
        o->cl->ReleaseContext(o->context);
    free(o);
}

static bool open(struct opencl *o, const char *which, struct gp_error *error)
{
    int32_t status = 0;
    unsetenv("OPENCL_LAYERS"); /* a layer would choose local sizes of its own, and watch what is measured */
    if ((o->cl = gp_cl_load(error)) == NULL || !find_device(o, which, error) || !describe(o, error))
        return false;
    o->context = o->cl->CreateContext(NULL, 1, &o->device, NULL, NULL, &status);
    if (status == 0)
        o->queue = o->cl->CreateCommandQueue(o->context, o->device, GP_CL_QUEUE_PROFILING, &status);
    return status == 0 || failed(o, "a queue that times launches", status, error);
}

struct gp_target *gp_opencl_target(const char *which, struct gp_error *error)
{
    struct opencl *o = calloc(1, sizeof *o);
    if (o == NULL) {
        gp_fail(error, "out of memory");
        return NULL;
    }
    o->target.driver = "OpenCL";
    o->target.time = time_run;
    o->target.close = close_target;
    if (open(o, which, error)) {
        o->target.warp = o->target.is_cpu ? 1 : 32;
        return &o->target;
    }
    close_target(&o->target);
    return NULL;
}
