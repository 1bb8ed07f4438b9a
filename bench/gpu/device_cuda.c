/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kit's kernels through CUDA's driver interface; nvcc makes their code. */
#include "bench/gpu/device.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile/process.h"
#include "support/cuda_driver.h"
#include "support/text.h"

struct state {
    const struct gp_cuda *cuda;
    void *module, *clock_module, *start, *end;
    char architecture[16];
    const struct arrays *arrays;
    gp_cuda_address addresses[MAX_ARRAYS];
    unsigned count;
};

static bool works(const struct state *s, int status, const char *what, struct gp_error *error)
{
    return gp_cuda_works(s->cuda, status, what, error);
}

/* ---- nvcc ------------------------------------------------------------------------------------------------------ */

static bool nvcc(char *const *arguments, struct gp_error *error)
{
    struct gp_deadline deadline = gp_deadline_in(600, NULL);
    struct gp_process process = {.arguments = arguments, .temporary = "/tmp", .deadline = &deadline};
    struct gp_text printed = {0};
    int status = 0;
    bool done = gp_process_run(&process, &status, &printed, error);
    if (done && status != 0)
        done = gp_fail(error, "nvcc: %.900s", printed.data ? printed.data : "failed");
    gp_text_free(&printed);
    return done;
}

/* nvcc keeps constant arrays to the module; the host sets them by name. */
static bool show_constants(const char *path, struct gp_error *error)
{
    char *text = gp_read_file(path, NULL);
    FILE *file = text != NULL ? fopen(path, "w") : NULL;
    for (char *line = text; file != NULL && *line != '\0';) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (strncmp(line, ".const ", 7) == 0)
            fputs(".visible ", file);
        fwrite(line, 1, length, file);
        line += length;
    }
    free(text);
    return (file != NULL && fclose(file) == 0) || gp_fail(error, "cannot rewrite %s", path);
}

bool cuda_compile(const char *source, const char *architecture, const char *path, struct gp_error *error)
{
    char text[512], prelude[512], arch[64], ptx[512], output[512];
    snprintf(text, sizeof text, "%s.cu", path);
    snprintf(ptx, sizeof ptx, "%s.ptx", path);
    snprintf(output, sizeof output, "%s.cubin", path);
    snprintf(prelude, sizeof prelude, "%s/gpu/opencl.cuh", BENCH_DIR);
    snprintf(arch, sizeof arch, "-arch=%s", architecture);
    FILE *file = fopen(text, "w");
    if (file == NULL || (fputs(source, file), fclose(file)) != 0)
        return gp_fail(error, "cannot write %s", text);
    char program[] = "nvcc", to_ptx[] = "-ptx", to_cubin[] = "-cubin", include[] = "-include", dash[] = "-o",
         quiet[] = "-w";
    char *front[] = {program, arch, to_ptx, quiet, include, prelude, dash, ptx, text, NULL};
    char *back[] = {program, arch, to_cubin, quiet, dash, output, ptx, NULL};
    bool done = nvcc(front, error) && show_constants(ptx, error) && nvcc(back, error);
    unlink(ptx);
    return done;
}

/* What nvcc made. */
static bool load_compiled(struct state *s, const char *cubin, void **module, struct gp_error *error)
{
    char *image = gp_read_file(cubin, NULL);
    bool done = image != NULL ? works(s, s->cuda->ModuleLoad(module, image, 0, NULL, NULL), cubin, error)
                              : gp_fail(error, "cannot read %s", cubin);
    free(image);
    return done;
}

static bool load(struct state *s, const char *source, void **module, struct gp_error *error)
{
    char path[64], cubin[80], text[80];
    snprintf(path, sizeof path, "/tmp/gpuperf-kit-%ld", (long)getpid());
    snprintf(cubin, sizeof cubin, "%s.cubin", path);
    snprintf(text, sizeof text, "%s.cu", path);
    bool done = cuda_compile(source, s->architecture, path, error) && load_compiled(s, cubin, module, error);
    unlink(cubin);
    unlink(text);
    return done;
}

static bool build(struct device *device, const char *source, const char *compiled, struct gp_error *error)
{
    struct state *s = device->state;
    if (s->module != NULL)
        s->cuda->ModuleUnload(s->module);
    s->module = NULL;
    return compiled != NULL ? load_compiled(s, compiled, &s->module, error) : load(s, source, &s->module, error);
}

/* ---- Memory ---------------------------------------------------------------------------------------------------- */

static void release(struct state *s)
{
    while (s->count > 0)
        s->cuda->Free(s->addresses[--s->count]);
}

static bool upload(struct device *device, const struct arrays *arrays, struct gp_error *error)
{
    struct state *s = device->state;
    release(s);
    s->arrays = arrays;
    for (unsigned i = 0; i < arrays->count; i++) {
        if (!works(s, s->cuda->Alloc(&s->addresses[i], arrays->items[i].bytes), "allocating an array", error))
            return false;
        s->count++;
        if (!works(s, s->cuda->ToDevice(s->addresses[i], arrays->items[i].data, arrays->items[i].bytes),
                   "copying an array", error))
            return false;
    }
    return true;
}

/* The constant belongs to the module: set once the kernel is known to be there. */
static bool set_constant(struct state *s, struct gp_error *error)
{
    gp_cuda_address address;
    size_t bytes;
    if (s->arrays->constant == NULL)
        return true;
    return works(s, s->cuda->ModuleGlobal(&address, &bytes, s->module, s->arrays->constant),
                 "finding the constant array", error) &&
           works(s, s->cuda->ToDevice(address, s->arrays->constant_data, s->arrays->constant_bytes),
                 "setting the constant array", error);
}

/* ---- Launching ------------------------------------------------------------------------------------------------- */

static bool launch_kernel(struct state *s, const char *kernel, const struct gp_launch *launch, struct gp_error *error)
{
    void *function, *arguments[MAX_ARRAYS];
    unsigned grid[3];
    for (int d = 0; d < 3; d++)
        grid[d] = (unsigned)(launch->global[d] / launch->local[d]);
    for (unsigned i = 0; i < s->count; i++)
        arguments[i] = &s->addresses[i];
    return works(s, s->cuda->ModuleFunction(&function, s->module, kernel), kernel, error) &&
           works(s,
                 s->cuda->Launch(function, grid[0], grid[1], grid[2], launch->local[0], launch->local[1],
                                 launch->local[2], 0, NULL, arguments, NULL),
                 kernel, error);
}

static bool run(struct device *device, const char *kernel, const struct gp_launch *launch, struct arrays *arrays,
                struct gp_error *error)
{
    struct state *s = device->state;
    bool done = set_constant(s, error);
    for (unsigned i = 0; done && i < s->count; i++)
        if (arrays->items[i].output)
            done = works(s, s->cuda->Clear(s->addresses[i], 0, arrays->items[i].bytes), "clearing an array", error);
    done = done && launch_kernel(s, kernel, launch, error) && works(s, s->cuda->ContextWait(), kernel, error);
    for (unsigned i = 0; done && i < s->count; i++)
        if (arrays->items[i].output)
            done = works(s, s->cuda->ToHost(arrays->items[i].data, s->addresses[i], arrays->items[i].bytes),
                         "copying a result", error);
    return done;
}

static bool time_kernel(struct device *device, const char *kernel, const struct gp_launch *launch, unsigned times,
                        double *ms, struct gp_error *error)
{
    struct state *s = device->state;
    float elapsed = 0;
    bool done = works(s, s->cuda->EventRecord(s->start, NULL), "timing", error);
    for (unsigned i = 0; done && i < times; i++)
        done = launch_kernel(s, kernel, launch, error);
    done = done && works(s, s->cuda->EventRecord(s->end, NULL), "timing", error) &&
           works(s, s->cuda->EventWait(s->end), kernel, error) &&
           works(s, s->cuda->EventElapsed(&elapsed, s->start, s->end), "timing", error);
    *ms = elapsed / times;
    return done;
}

static bool facts(struct device *device, const char *kernel, struct kernel_facts *facts)
{
    struct state *s = device->state;
    void *function;
    return s->cuda->ModuleFunction(&function, s->module, kernel) == 0 &&
           s->cuda->FunctionAttribute(&facts->registers, GP_CUDA_FUNCTION_REGISTERS, function) == 0 &&
           s->cuda->FunctionAttribute(&facts->local_bytes, GP_CUDA_FUNCTION_LOCAL, function) == 0 &&
           s->cuda->FunctionAttribute(&facts->shared_bytes, GP_CUDA_FUNCTION_SHARED, function) == 0;
}

/* ---- The clock: cycles over nanoseconds of a short spin ---------------------------------------------------------- */

static const char clock_source[] = "extern \"C\" __global__ void spin(long long *result)\n"
                                   "{\n"
                                   "    long long begin, end, cycles = clock64();\n"
                                   "    asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(begin));\n"
                                   "    while (clock64() - cycles < 100000) {}\n"
                                   "    result[0] = clock64() - cycles;\n"
                                   "    asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(end));\n"
                                   "    result[1] = end - begin;\n"
                                   "}\n";

static double clock_mhz(struct device *device)
{
    struct state *s = device->state;
    void *function;
    gp_cuda_address address;
    long long result[2] = {0};
    void *arguments[] = {&address};
    if (s->cuda->Alloc(&address, sizeof result) != 0)
        return 0;
    bool done = s->cuda->ModuleFunction(&function, s->clock_module, "spin") == 0 &&
                s->cuda->Launch(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL) == 0 &&
                s->cuda->ContextWait() == 0 && s->cuda->ToHost(result, address, sizeof result) == 0;
    s->cuda->Free(address);
    return done && result[1] > 0 ? 1000.0 * (double)result[0] / (double)result[1] : 0;
}

/* ---- Opening --------------------------------------------------------------------------------------------------- */

static void close_cuda(struct device *device)
{
    struct state *s = device->state;
    release(s);
    if (s->module != NULL)
        s->cuda->ModuleUnload(s->module);
    free(s);
}

static bool take_gpu(struct device *device, struct state *s, struct gp_error *error)
{
    int gpu, count, major = 0, minor = 0;
    void *context;
    if (!gp_cuda_begin(s->cuda, &count, error) || !works(s, s->cuda->DeviceGet(&gpu, 0), "the first GPU", error))
        return false;
    s->cuda->DeviceName(device->name, sizeof device->name, gpu);
    s->cuda->DeviceAttribute(&major, GP_CUDA_CAPABILITY_MAJOR, gpu);
    s->cuda->DeviceAttribute(&minor, GP_CUDA_CAPABILITY_MINOR, gpu);
    snprintf(s->architecture, sizeof s->architecture, "sm_%d%d", major, minor);
    return works(s, s->cuda->ContextRetain(&context, gpu), "opening the GPU", error) &&
           works(s, s->cuda->ContextSet(context), "opening the GPU", error) &&
           works(s, s->cuda->EventCreate(&s->start, 0), "making an event", error) &&
           works(s, s->cuda->EventCreate(&s->end, 0), "making an event", error) &&
           load(s, clock_source, &s->clock_module, error);
}

bool device_open_cuda(struct device *device, struct gp_error *error)
{
    struct state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return gp_fail(error, "out of memory");
    *device = (struct device){.state = s,
                              .build = build,
                              .upload = upload,
                              .run = run,
                              .time = time_kernel,
                              .facts = facts,
                              .clock_mhz = clock_mhz,
                              .close = close_cuda};
    if ((s->cuda = gp_cuda_load(error)) != NULL && take_gpu(device, s, error))
        return true;
    close_cuda(device);
    return false;
}
