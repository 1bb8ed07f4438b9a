/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * kept DIRECTORY
 *
 * Under the layer with GPUPERF_SAMPLE=on: launches kernels that leave the local size open until sampling has come to an
 * end, then times what the layer has kept against the driver's own size, in turns, ten times each, by processor time.
 * The driver's is what a kernel gets that the layer leaves alone. Which size was kept the layer's log says.
 * DIRECTORY: gpuperf's sources. bench/kept.sh runs it and judges.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/text.h"

enum { ITEMS = 1 << 17, LAUNCHES = 120, TURNS = 10 };

/* The first file's kernels take (out, in), the second's (in, out). */
static const struct subject {
    const char *name;
    int trips;
    bool is_split; /* of examples/split */
} subjects[] = {{"blackscholes", 48, false},
                {"convolutionRows", 200, false},
                {"convolutionColumns", 200, false},
                {"matmul", 200, false},
                {"nbody", 200, false},
                {"cp", 200, false},
                {"ep", 200, false},
                {"uncoal0", 200, false},
                {"coal0", 200, false},
                {"StreamCollide", 30, false},
                {"FiniteDifferences", 50, false},
                {"reorderDataKeys", 50, false},
                {"bfs", 200, false},
                {"spmv_csr_vector", 100, false},
                {"collatz", 100, false},
                {"setiv", 200, false},
                {"blur", 200, true},
                {"columns", 200, true},
                {"hash", 200, true},
                {"distances", 200, true},
                {"mandelbrot", 200, true},
                {"triangular", 400, true}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

static const char where_source[] = "__kernel void where(__global uint *size) {\n"
                                   "    if (get_local_id(0) == 0) size[0] = (uint)get_local_size(0);\n"
                                   "}\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_mem in, out;

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "kept: %s failed with %d\n", what, code);
    exit(1);
}

static cl_program build(const char *text)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    return program;
}

static cl_program build_file(const char *directory, const char *file)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, file);
    char *text = gp_read_file(path, NULL);
    if (text == NULL) {
        fprintf(stderr, "kept: cannot read %s\n", path);
        exit(1);
    }
    cl_program program = build(text);
    free(text);
    return program;
}

static double processor_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* local 0: open. */
static double launch(cl_kernel kernel, size_t local)
{
    size_t global = ITEMS;
    double before = processor_ms();
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local != 0 ? &local : NULL, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    return processor_ms() - before;
}

static size_t drivers_size(void)
{
    cl_int code;
    cl_uint size = 0;
    cl_kernel kernel = clCreateKernel(build(where_source), "where", &code);
    check(code, "clCreateKernel");
    check(clSetKernelArg(kernel, 0, sizeof out, &out), "argument 0");
    launch(kernel, 0);
    check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof size, &size, 0, NULL, NULL), "clEnqueueReadBuffer");
    return size;
}

static void open_device(void)
{
    cl_platform_id platform;
    cl_int code;
    float *data = malloc((size_t)(1 << 20) * sizeof *data);
    if (data == NULL)
        exit(1);
    for (int i = 0; i < 1 << 20; i++)
        data[i] = (float)((unsigned)i * 2654435761u % 1000u) * 1e-3f;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    in =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, (size_t)(1 << 20) * sizeof *data, data, &code);
    check(code, "clCreateBuffer");
    out = clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)(1 << 20) * sizeof *data, NULL, &code);
    check(code, "clCreateBuffer");
    free(data);
}

static void compare(cl_program program, const struct subject *subject, size_t drivers)
{
    cl_int code, items = ITEMS, last = subject->is_split ? ITEMS : ITEMS / 256;
    cl_kernel kernel = clCreateKernel(program, subject->name, &code);
    check(code, subject->name);
    check(clSetKernelArg(kernel, 0, sizeof in, subject->is_split ? &in : &out), "argument 0");
    check(clSetKernelArg(kernel, 1, sizeof out, subject->is_split ? &out : &in), "argument 1");
    check(clSetKernelArg(kernel, 2, sizeof subject->trips, &subject->trips), "argument 2");
    check(clSetKernelArg(kernel, 3, sizeof items, &last), "argument 3");
    for (int i = 0; i < LAUNCHES; i++)
        launch(kernel, 0);
    double kept = INFINITY, own = INFINITY;
    launch(kernel, drivers); /* may be built */
    for (int turn = 0; turn < TURNS; turn++) {
        kept = fmin(kept, launch(kernel, 0));
        own = fmin(own, launch(kernel, drivers));
    }
    printf("%s %zu %.2f %.2f\n", subject->name, drivers, kept, own);
    fflush(stdout);
    clReleaseKernel(kernel);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: kept DIRECTORY\n");
        return 2;
    }
    open_device();
    size_t drivers = drivers_size();
    cl_program programs[2] = {build_file(arguments[1], "bench/papers/sampling/kernels.cl"),
                              build_file(arguments[1], "examples/split/kernels.cl")};
    for (int s = 0; s < SUBJECTS; s++)
        compare(programs[subjects[s].is_split], &subjects[s], drivers);
    return 0;
}
