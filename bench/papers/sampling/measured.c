/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define CL_TARGET_OPENCL_VERSION 120
#include "bench/papers/sampling/measured.h"

#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/papers/subject.h"
#include "support/text.h"

/*
 * Psat of a CPU: threads times the groups that PoCL's scheduler hands out at a time (pthread_scheduler.c of 3.1:
 * POCL_PTHREAD_MIN_WGS = 32 for each thread, as long as no more than 256 for each thread and thread are left).
 */
enum { CHUNK_OF_THREAD = 32, REPEATS = 5, FLOATS = 1 << 20 };

struct bench {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem in, out;
    cl_uint units;
};

static bool ok(cl_int code, const char *what, struct gp_error *error)
{
    return code == CL_SUCCESS ? true : gp_fail(error, "%s failed with %d", what, code);
}

static bool build(struct bench *bench, struct gp_error *error)
{
    cl_int code;
    char *text = gp_read_file(PAPERS_DIR "/sampling/kernels.cl", NULL);
    const char *source = text;
    if (text == NULL)
        return gp_fail(error, "cannot read " PAPERS_DIR "/sampling/kernels.cl");
    bench->program = clCreateProgramWithSource(bench->context, 1, &source, NULL, &code);
    free(text);
    return ok(code, "clCreateProgramWithSource", error) &&
           ok(clBuildProgram(bench->program, 1, &bench->device, "", NULL, NULL), "clBuildProgram", error);
}

static bool open_bench(struct bench *bench, struct gp_error *error)
{
    cl_platform_id platform;
    cl_int code = 0;
    float *data = malloc(FLOATS * sizeof *data);
    for (int i = 0; data != NULL && i < FLOATS; i++)
        data[i] = (float)(i * 2654435761u % 1000) * 1e-3f;
    bool done = data != NULL && ok(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs", error) &&
                ok(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &bench->device, NULL), "clGetDeviceIDs", error);
    if (done) {
        clGetDeviceInfo(bench->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof bench->units, &bench->units, NULL);
        bench->context = clCreateContext(NULL, 1, &bench->device, NULL, NULL, &code);
        bench->queue = clCreateCommandQueue(bench->context, bench->device, 0, &code);
        bench->in =
            clCreateBuffer(bench->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, FLOATS * sizeof *data, data, &code);
        size_t most = (size_t)multiples[POINTS - 1] * bench->units * CHUNK_OF_THREAD * bench->units * 256;
        most = most > FLOATS ? most : FLOATS;
        bench->out = clCreateBuffer(bench->context, CL_MEM_READ_WRITE, most * sizeof *data, NULL, &code);
        done = ok(code, "making buffers", error) && build(bench, error);
    }
    free(data);
    return done;
}

static void close_bench(struct bench *bench)
{
    if (bench->program != NULL)
        clReleaseProgram(bench->program);
    if (bench->in != NULL)
        clReleaseMemObject(bench->in);
    if (bench->out != NULL)
        clReleaseMemObject(bench->out);
    if (bench->queue != NULL)
        clReleaseCommandQueue(bench->queue);
    if (bench->context != NULL)
        clReleaseContext(bench->context);
}

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Processor time over threads, in which other programs on the machine do not count, and wall-clock time: the shortest
 * of each. */
static bool run(struct bench *bench, cl_kernel kernel, size_t global, size_t local, struct instance *i,
                struct gp_error *error)
{
    double wall = now_ns(), processor = processor_seconds();
    if (!ok(clEnqueueNDRangeKernel(bench->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
            "clEnqueueNDRangeKernel", error) ||
        !ok(clFinish(bench->queue), "clFinish", error))
        return false;
    double ns = (processor_seconds() - processor) * 1e9 / bench->units;
    wall = now_ns() - wall;
    i->ns = i->ns > 0 ? fmin(i->ns, ns) : ns;
    i->wall_ns = i->wall_ns > 0 ? fmin(i->wall_ns, wall) : wall;
    return true;
}

static bool time_kernel(struct bench *bench, const struct named_kernel *named, cl_kernel kernel, uint32_t local,
                        struct gp_error *error)
{
    struct instance instances[POINTS] = {{.ns = 0}};
    uint32_t psat = bench->units * CHUNK_OF_THREAD * bench->units;
    int trips = named->trips * named->work, groups = (int)(multiples[POINTS - 1] * psat);
    clSetKernelArg(kernel, 0, sizeof bench->out, &bench->out);
    clSetKernelArg(kernel, 1, sizeof bench->in, &bench->in);
    clSetKernelArg(kernel, 2, sizeof trips, &trips);
    clSetKernelArg(kernel, 3, sizeof groups, &groups);
    struct instance warm = {.ns = 0}; /* the driver builds the kernel */
    bool done = run(bench, kernel, (size_t)multiples[0] * psat * local, local, &warm, error);
    for (int repeat = 0; done && repeat < REPEATS; repeat++)
        for (int p = 0; done && p < POINTS; p++)
            done = run(bench, kernel, (size_t)multiples[p] * psat * local, local, &instances[p], error);
    for (int p = 0; done && p < POINTS; p++) {
        struct instance *i = &instances[p];
        snprintf(i->device, sizeof i->device, "pocl");
        snprintf(i->kernel, sizeof i->kernel, "%s", named->name);
        i->kind = named->kind;
        i->local = local;
        i->psat = psat;
        i->multiple = multiples[p];
        i->groups = multiples[p] * psat;
        i->items = i->groups * local;
        print_instance(i);
    }
    return done;
}

static bool time_named(struct bench *bench, const struct named_kernel *named, struct gp_error *error)
{
    static const uint32_t locals[] = {64, 256};
    cl_int code;
    cl_kernel kernel = clCreateKernel(bench->program, named->name, &code);
    bool done = ok(code, named->name, error);
    if (done && named->kind == FEW)
        done = time_kernel(bench, named, kernel, 32, error);
    for (int l = 0; done && named->kind != FEW && l < 2; l++)
        done = time_kernel(bench, named, kernel, locals[l], error);
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return done;
}

bool measure_device(const char *only, struct gp_error *error)
{
    struct bench bench = {0};
    bool done = open_bench(&bench, error);
    for (int i = 0; done && i < named_kernel_count; i++)
        if (only == NULL || strcmp(only, named_kernels[i].name) == 0)
            done = time_named(&bench, &named_kernels[i], error);
    close_bench(&bench);
    return done;
}
