/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Any OpenCL device: the same kernels and the same checks where there is no NVIDIA GPU. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/device.h"

struct state {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    const struct arrays *arrays;
    cl_mem memory[MAX_ARRAYS];
    unsigned count;
};

static bool works(cl_int status, const char *what, struct gp_error *error)
{
    return status == CL_SUCCESS || gp_fail(error, "%s: OpenCL error %d", what, status);
}

/* OpenCL's host cannot set a program's constant array: its values are compiled in. */
static char *with_constants(const struct arrays *arrays, const char *source)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    if (arrays->constant != NULL) {
        fprintf(out, "#define CONSTANTS {");
        for (size_t i = 0; i < arrays->constant_bytes / sizeof *arrays->constant_data; i++) {
            bool first = i % arrays->constant_width == 0, last = (i + 1) % arrays->constant_width == 0;
            fprintf(out, "%s%s%af%s", i > 0 ? "," : "", first ? "{" : "", (double)arrays->constant_data[i],
                    last ? "}" : "");
        }
        fprintf(out, "}\n");
    }
    fputs(source, out);
    fclose(out);
    return text;
}

static bool build(struct device *device, const char *source, const char *compiled, struct gp_error *error)
{
    (void)compiled;
    struct state *s = device->state;
    char *text = with_constants(s->arrays, source);
    const char *whole = text;
    cl_int status = CL_OUT_OF_HOST_MEMORY;
    if (s->program != NULL)
        clReleaseProgram(s->program);
    s->program = text != NULL ? clCreateProgramWithSource(s->context, 1, &whole, NULL, &status) : NULL;
    free(text);
    if (!works(status, "making the program", error))
        return false;
    status = clBuildProgram(s->program, 1, &s->id, "-cl-std=CL1.2 -w", NULL, NULL);
    if (status == CL_SUCCESS)
        return true;
    char log[800] = "";
    clGetProgramBuildInfo(s->program, s->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    return gp_fail(error, "the OpenCL compiler: error %d %s", status, log);
}

static void release(struct state *s)
{
    while (s->count > 0)
        clReleaseMemObject(s->memory[--s->count]);
}

static bool upload(struct device *device, const struct arrays *arrays, struct gp_error *error)
{
    struct state *s = device->state;
    release(s);
    s->arrays = arrays;
    for (unsigned i = 0; i < arrays->count; i++) {
        cl_int status;
        s->memory[i] = clCreateBuffer(s->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, arrays->items[i].bytes,
                                      arrays->items[i].data, &status);
        if (!works(status, "making a buffer", error))
            return false;
        s->count++;
    }
    return true;
}

static bool launch_kernel(struct state *s, const char *name, const struct gp_launch *launch, cl_event *event,
                          struct gp_error *error)
{
    size_t global[3], local[3];
    cl_int status;
    cl_kernel kernel = clCreateKernel(s->program, name, &status);
    bool done = works(status, name, error);
    for (int d = 0; d < 3; d++) {
        global[d] = launch->global[d];
        local[d] = launch->local[d];
    }
    for (unsigned i = 0; done && i < s->count; i++)
        done = works(clSetKernelArg(kernel, i, sizeof s->memory[i], &s->memory[i]), name, error);
    done = done &&
           works(clEnqueueNDRangeKernel(s->queue, kernel, 3, NULL, global, local, 0, NULL, event), name, error) &&
           works(clFinish(s->queue), name, error);
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return done;
}

static bool run(struct device *device, const char *kernel, const struct gp_launch *launch, struct arrays *arrays,
                struct gp_error *error)
{
    struct state *s = device->state;
    bool done = true;
    for (unsigned i = 0; done && i < s->count; i++)
        if (arrays->items[i].output) {
            memset(arrays->items[i].data, 0, arrays->items[i].bytes);
            done = works(clEnqueueWriteBuffer(s->queue, s->memory[i], CL_TRUE, 0, arrays->items[i].bytes,
                                              arrays->items[i].data, 0, NULL, NULL),
                         "clearing a buffer", error);
        }
    done = done && launch_kernel(s, kernel, launch, NULL, error);
    for (unsigned i = 0; done && i < s->count; i++)
        if (arrays->items[i].output)
            done = works(clEnqueueReadBuffer(s->queue, s->memory[i], CL_TRUE, 0, arrays->items[i].bytes,
                                             arrays->items[i].data, 0, NULL, NULL),
                         "reading a buffer", error);
    return done;
}

static bool time_kernel(struct device *device, const char *kernel, const struct gp_launch *launch, unsigned times,
                        double *ms, struct gp_error *error)
{
    struct state *s = device->state;
    *ms = 0;
    for (unsigned i = 0; i < times; i++) {
        cl_event event = NULL;
        cl_ulong start = 0, end = 0;
        if (!launch_kernel(s, kernel, launch, &event, error))
            return false;
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
        clReleaseEvent(event);
        *ms += (double)(end - start) * 1e-6 / times;
    }
    return true;
}

static bool facts(struct device *device, const char *kernel, struct kernel_facts *facts)
{
    (void)device, (void)kernel;
    *facts = (struct kernel_facts){-1, -1, -1};
    return true;
}

static double clock_mhz(struct device *device)
{
    (void)device;
    return 0;
}

static void close_opencl(struct device *device)
{
    struct state *s = device->state;
    release(s);
    if (s->program != NULL)
        clReleaseProgram(s->program);
    if (s->queue != NULL)
        clReleaseCommandQueue(s->queue);
    if (s->context != NULL)
        clReleaseContext(s->context);
    free(s);
}

bool device_open_opencl(struct device *device, struct gp_error *error)
{
    struct state *s = calloc(1, sizeof *s);
    cl_platform_id platform;
    cl_int status = CL_SUCCESS;
    if (s == NULL)
        return gp_fail(error, "out of memory");
    *device = (struct device){.state = s,
                              .build = build,
                              .upload = upload,
                              .run = run,
                              .time = time_kernel,
                              .facts = facts,
                              .clock_mhz = clock_mhz,
                              .close = close_opencl};
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &s->id, NULL) != CL_SUCCESS) {
        free(s);
        return gp_fail(error, "there is no OpenCL device here");
    }
    clGetDeviceInfo(s->id, CL_DEVICE_NAME, sizeof device->name - 1, device->name, NULL);
    s->context = clCreateContext(NULL, 1, &s->id, NULL, NULL, &status);
    if (status == CL_SUCCESS)
        s->queue = clCreateCommandQueue(s->context, s->id, CL_QUEUE_PROFILING_ENABLE, &status);
    if (works(status, "opening the OpenCL device", error))
        return true;
    close_opencl(device);
    return false;
}
