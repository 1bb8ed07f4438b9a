/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An NVIDIA GPU through CUDA's driver. The programs become PTX here, or were made so elsewhere, and the driver compiles
 * that for the GPU. Times are those between two events; the host's own are from the call to the end of the launch.
 * Buffers are kept between launches and grow; a chain is written, and made into addresses, once for each. Constant
 * memory is a variable of the program, which a chain is copied to before the launches that read it.
 */
#include "tools/calibrate/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compile/ptx.h"
#include "support/cuda_driver.h"
#include "support/text.h"

enum { MOST_PROGRAMS = 16, FLUSH = 76 << 20 /* Lashgar et al., 3.3 */, LOG = 4096, TICK = 1000 };

struct program {
    const char *name;
    void *module;
};

struct buffer {
    gp_cuda_address address;
    size_t bytes;
};

struct cuda {
    struct gp_target target;
    const struct gp_cuda *driver;
    const char *folder; /* of PTX; NULL: it is made here */
    unsigned capability;
    void *start, *end; /* events */
    struct program programs[MOST_PROGRAMS];
    size_t program_count;
    struct buffer in, out, flushing;
    void *copied;   /* what the host copies there, made when it is wanted */
    uint64_t chain; /* a number that tells the chain in `in`, or in constant memory, from others; 0: none */
};

static bool works(const struct cuda *c, int status, const char *what, struct gp_error *error)
{
    return gp_cuda_works(c->driver, status, what, error) || gp_fail_within(error, c->target.title);
}

/* ---- The device -------------------------------------------------------------------------------------------------- */

/* A number, or a part of the name. */
static bool means(const char *word, int number, const char *name)
{
    char *end;
    if (word == NULL)
        return true;
    long stated = strtol(word, &end, 10);
    return end != word && *end == '\0' ? stated == number : strcasestr(name, word) != NULL;
}

static bool find_device(struct cuda *c, const char *which, int *device, struct gp_error *error)
{
    char list[512] = "", *name = c->target.title;
    int count;
    if (!gp_cuda_begin(c->driver, &count, error))
        return false;
    for (int i = 0; i < count; i++) {
        if (!gp_cuda_works(c->driver, c->driver->DeviceGet(device, i), "a GPU", error) ||
            !gp_cuda_works(c->driver, c->driver->DeviceName(name, sizeof c->target.title - 1, *device), "a GPU's name",
                           error))
            return false;
        if (means(which, i, name))
            return true;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%d (%.60s)", used > 0 ? ", " : "", i, name);
    }
    return gp_fail(error, "CUDA has no device '%.60s' here; there are %s", which, list[0] != '\0' ? list : "none");
}

/* A number that the driver says; 0: it does not. */
static uint32_t ask(const struct cuda *c, int attribute, int device)
{
    int number = 0;
    return c->driver->DeviceAttribute(&number, attribute, device) == 0 && number > 0 ? (uint32_t)number : 0;
}

/* Streams go through many times what L2 holds. */
static bool describe(struct cuda *c, int device, struct gp_error *error)
{
    const uint64_t MOST = UINT64_C(4) << 30;
    struct gp_target *t = &c->target;
    size_t memory = 0;
    t->units = ask(c, GP_CUDA_SM_COUNT, device);
    t->clock_mhz = ask(c, GP_CUDA_CLOCK_KHZ, device) / 1e3;
    t->warp = ask(c, GP_CUDA_WARP_SIZE, device);
    t->most_local = ask(c, GP_CUDA_MAX_THREADS_PER_BLOCK, device);
    t->told_cache = ask(c, GP_CUDA_L2_BYTES, device);
    c->capability = 10 * ask(c, GP_CUDA_CAPABILITY_MAJOR, device) + ask(c, GP_CUDA_CAPABILITY_MINOR, device);
    if (!works(c, c->driver->DeviceMemory(&memory, device), "its memory", error))
        return false;
    t->most_bytes = memory / 8 < MOST ? memory / 8 : MOST;
    t->told_last = t->told_cache > 0;
    t->doubles = t->shuffles = true;
    t->halves = 1;
    return (t->units > 0 && t->clock_mhz > 0 && t->warp > 0 && t->most_local > 0 && memory > 0) ||
           gp_fail(error, "%s: the driver does not say how many SMs it has, or how fast they are", t->title);
}

/* ---- Programs ---------------------------------------------------------------------------------------------------- */

static char *ptx_of(const struct cuda *c, const char *name, struct gp_error *error)
{
    char path[4096], *ptx;
    if (c->folder == NULL) {
        char *source = gp_program_for_cuda(name);
        ptx = gp_compile_ptx(source, c->capability, error);
        free(source);
        return ptx;
    }
    snprintf(path, sizeof path, "%s/%s.ptx", c->folder, name);
    ptx = gp_read_file(path, NULL);
    if (ptx == NULL)
        gp_fail(error, "cannot read %s: make it with --compile-only sm_%u --ptx %s", path, c->capability, c->folder);
    return ptx;
}

/* The driver's compiler says why in many lines; the first that has words is the reason. */
static bool load(const struct cuda *c, const char *name, const char *ptx, void **module, struct gp_error *error)
{
    char log[LOG] = "";
    int options[] = {GP_CUDA_JIT_ERROR_LOG, GP_CUDA_JIT_ERROR_LOG_BYTES};
    void *values[] = {log, (void *)(uintptr_t)(sizeof log - 1)};
    int status = c->driver->ModuleLoad(module, ptx, 2, options, values);
    if (works(c, status, "the driver refuses the program's code", error))
        return true;
    const char *reason = log + strspn(log, " \n");
    if (*reason != '\0')
        gp_fail(error, "%s: the driver refuses the code of %s.cl: %.*s", c->target.title, name,
                (int)strcspn(reason, "\n"), reason);
    return false;
}

static void *program_of(struct cuda *c, const char *name, struct gp_error *error)
{
    for (size_t i = 0; i < c->program_count; i++)
        if (strcmp(c->programs[i].name, name) == 0)
            return c->programs[i].module;
    void *module = NULL;
    char *ptx = ptx_of(c, name, error);
    if (ptx != NULL && load(c, name, ptx, &module, error))
        c->programs[c->program_count++] = (struct program){name, module};
    free(ptx);
    return module;
}

/* ---- Buffers ----------------------------------------------------------------------------------------------------- */

/* Of so many bytes at least, zeros where it is new. */
static bool make_room(struct cuda *c, struct buffer *b, size_t want, struct gp_error *error)
{
    want = want < 4096 ? 4096 : want;
    if (b->bytes >= want)
        return true;
    if (b->bytes > 0)
        c->driver->Free(b->address);
    *b = (struct buffer){0};
    if (!works(c, c->driver->Alloc(&b->address, want), "a buffer", error))
        return false;
    b->bytes = want;
    return works(c, c->driver->Clear(b->address, 0, want), "a buffer", error);
}

/* Where a launch's chain lies. */
static bool place_of(struct cuda *c, const struct gp_run *run, struct buffer *place, struct gp_error *error)
{
    *place = c->in;
    if (!gp_reads_constants(run))
        return true;
    void *module = program_of(c, run->program, error);
    return module != NULL &&
           works(c, c->driver->ModuleGlobal(&place->address, &place->bytes, module, "constants"), "constant memory",
                 error) &&
           (place->bytes >= run->in_bytes || gp_fail(error, "%s: constant memory is too small", c->target.title));
}

/* ---- Launches ---------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Launches one behind the other, and the mean of their times. */
static bool launch(struct cuda *c, const struct gp_run *run, const gp_cuda_address buffers[2], struct gp_times *times,
                   struct gp_error *error)
{
    const struct gp_cuda *d = c->driver;
    gp_cuda_address in = buffers[0], out = buffers[1];
    int32_t count = run->count, other = run->other;
    void *arguments[] = {&in, &out, &count, &other}, *function, *module = program_of(c, run->program, error);
    unsigned each = run->back_to_back > 0 ? run->back_to_back : 1;
    float ms = 0;
    if (module == NULL || !works(c, d->ModuleFunction(&function, module, run->kernel), run->kernel, error))
        return false;
    double before = now();
    int status = d->EventRecord(c->start, NULL);
    for (unsigned i = 0; i < each && status == 0; i++)
        status = d->Launch(function, (unsigned)run->groups, 1, 1, run->local, 1, 1, 0, NULL, arguments, NULL);
    if (status == 0)
        status = d->EventRecord(c->end, NULL);
    if (status == 0)
        status = d->EventWait(c->end);
    times->host = (now() - before) / each;
    if (status == 0)
        status = d->EventElapsed(&ms, c->start, c->end);
    times->device = (double)ms * 1e6 / each;
    return works(c, status, run->kernel, error);
}

/* Words that are no places become addresses, too, which nobody goes to. */
static bool write_chain(struct cuda *c, const struct gp_run *run, struct gp_error *error)
{
    uint64_t number = gp_chain_number(run);
    struct buffer place;
    if (c->chain == number)
        return true;
    c->chain = 0;
    if (!place_of(c, run, &place, error) ||
        !works(c, c->driver->ToDevice(place.address, run->chain, run->in_bytes), "a chain", error))
        return false;
    struct gp_times ignored;
    struct gp_run link = gp_linking_run(run);
    if (!run->offsets && !launch(c, &link, (gp_cuda_address[2]){place.address, place.address}, &ignored, error))
        return false;
    c->chain = number;
    return true;
}

/* What the host copies before a launch. */
static bool copy_before(struct cuda *c, const struct gp_run *run, struct gp_error *error)
{
    if (run->copied == GP_COPIED_NOTHING)
        return true;
    if (c->copied == NULL && (c->copied = calloc(1, FLUSH)) == NULL)
        return gp_fail(error, "out of memory");
    bool data = run->copied == GP_COPIED_DATA;
    size_t bytes = data && run->in_bytes < FLUSH ? run->in_bytes : FLUSH;
    if (data)
        c->chain = 0;
    return (data || make_room(c, &c->flushing, FLUSH, error)) &&
           works(c, c->driver->ToDevice(data ? c->in.address : c->flushing.address, c->copied, bytes), "a copy", error);
}

static bool time_run(struct gp_target *target, const struct gp_run *run, struct gp_times *times, struct gp_error *error)
{
    struct cuda *c = (struct cuda *)target;
    size_t had = c->in.bytes;
    if (!make_room(c, &c->in, run->in_bytes, error) || !make_room(c, &c->out, run->out_bytes, error))
        return false;
    if (c->in.bytes != had)
        c->chain = 0;
    if (run->chain != NULL && !(run->again && c->chain != 0) && !write_chain(c, run, error))
        return false;
    return copy_before(c, run, error) &&
           launch(c, run, (gp_cuda_address[2]){c->in.address, c->out.address}, times, error);
}

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

static void close_target(struct gp_target *target)
{
    struct cuda *c = (struct cuda *)target;
    const gp_cuda_address buffers[] = {c->in.address, c->out.address, c->flushing.address};
    for (size_t i = 0; i < c->program_count; i++)
        c->driver->ModuleUnload(c->programs[i].module);
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        if (buffers[i] != 0)
            c->driver->Free(buffers[i]);
    free(c->copied);
    free(c);
}

static bool open(struct cuda *c, const char *which, struct gp_error *error)
{
    void *context;
    int device;
    return (c->driver = gp_cuda_load(error)) != NULL && find_device(c, which, &device, error) &&
           describe(c, device, error) &&
           works(c, c->driver->ContextRetain(&context, device), "opening the GPU", error) &&
           works(c, c->driver->ContextSet(context), "opening the GPU", error) &&
           works(c, c->driver->EventCreate(&c->start, 0), "an event", error) &&
           works(c, c->driver->EventCreate(&c->end, 0), "an event", error);
}

struct gp_target *gp_cuda_target(const char *which, const char *ptx, struct gp_error *error)
{
    struct cuda *c = calloc(1, sizeof *c);
    if (c == NULL) {
        gp_fail(error, "out of memory");
        return NULL;
    }
    c->folder = ptx;
    c->target.driver = "CUDA";
    c->target.tick_ns = TICK;
    c->target.time = time_run;
    c->target.close = close_target;
    if (open(c, which, error))
        return &c->target;
    close_target(&c->target);
    return NULL;
}
