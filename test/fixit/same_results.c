/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Whether a kernel computes the same bytes with each change of its source that is said to keep the results: both
 * sources are built and launched on the first CPU of OpenCL.
 *
 *   same_results EDITS SOURCE KERNEL GLOBAL LOCAL OPTIONS NUMBER...
 *
 * EDITS: what the plugin told of the source (plugin/fixes.h). NUMBER: of the scalar arguments, in their order. Buffers
 * hold 4 MB of the same small numbers each, and are compared whole; local arguments have 32 KB. It prints how many
 * changes there were; exit status 1 where bytes differ, 2 where something does not work, 77 without such a device.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/text.h"
#include "tools/fixit/fixes.h"

enum { MOST_ARGUMENTS = 24, BUFFER = 4 << 20, LOCAL = 32 << 10 };

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

static void die(const char *what, cl_int status)
{
    fprintf(stderr, "%s: OpenCL says %d\n", what, status);
    exit(2);
}

static void check(const char *what, cl_int status)
{
    if (status != CL_SUCCESS)
        die(what, status);
}

static void open_device(void)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;
    cl_int status;
    if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS)
        count = 0;
    for (cl_uint i = 0; i < count && device == NULL; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) != CL_SUCCESS)
            device = NULL;
    if (device == NULL)
        exit(77);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check("context", status);
    queue = clCreateCommandQueue(context, device, 0, &status);
    check("queue", status);
}

static cl_kernel build(const char *source, const char *name, const char *options)
{
    char log[4096] = "", all[1024];
    cl_int status;
    snprintf(all, sizeof all, "%s -cl-kernel-arg-info", options);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check("program", status);
    status = clBuildProgram(program, 1, &device, all, NULL, NULL);
    if (status != CL_SUCCESS) {
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        die("build", status);
    }
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(name, status);
    clReleaseProgram(program);
    return kernel;
}

/* The same for every run: floats from 0.5 to 1, or integers up to 1023. */
static void fill(void *bytes, bool floats)
{
    uint32_t state = 12345, *words = bytes;
    for (size_t i = 0; i < BUFFER / sizeof *words; i++) {
        state = state * 1664525 + 1013904223;
        words[i] = floats ? 0x3f000000u | state >> 9 : state >> 22;
    }
}

struct launch {
    size_t global[3], local[3];
    cl_uint dimensions;
    const char *numbers[MOST_ARGUMENTS];
    int count;
};

static void set_scalar(cl_kernel kernel, cl_uint index, const char *type, const char *number)
{
    cl_float f = strtof(number, NULL);
    cl_int i = (cl_int)strtol(number, NULL, 0);
    cl_long l = strtol(number, NULL, 0);
    if (strcmp(type, "float") == 0)
        check("float", clSetKernelArg(kernel, index, sizeof f, &f));
    else if (strstr(type, "long") != NULL)
        check("long", clSetKernelArg(kernel, index, sizeof l, &l));
    else
        check("int", clSetKernelArg(kernel, index, sizeof i, &i));
}

/* Launches it and returns all buffers, one behind the other. */
static char *run(cl_kernel kernel, const struct launch *launch, size_t *length)
{
    cl_mem buffers[MOST_ARGUMENTS];
    cl_uint arguments, held = 0;
    cl_int status;
    int number = 0;
    char *bytes = malloc(BUFFER);
    check("arguments", clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL));
    for (cl_uint i = 0; i < arguments && i < MOST_ARGUMENTS; i++) {
        cl_kernel_arg_address_qualifier space;
        char type[64];
        check("space", clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
        check("type", clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
        if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
            check("local", clSetKernelArg(kernel, i, LOCAL, NULL));
        } else if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
            set_scalar(kernel, i, type, number < launch->count ? launch->numbers[number] : "64");
            number++;
        } else {
            fill(bytes, strstr(type, "float") != NULL);
            buffers[held] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BUFFER, bytes, &status);
            check("buffer", status);
            check("buffer", clSetKernelArg(kernel, i, sizeof buffers[held], &buffers[held]));
            held++;
        }
    }
    check("launch", clEnqueueNDRangeKernel(queue, kernel, launch->dimensions, NULL, launch->global, launch->local, 0,
                                           NULL, NULL));
    char *all = malloc((size_t)held * BUFFER + 1);
    for (cl_uint i = 0; i < held; i++) {
        check("read",
              clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, BUFFER, all + (size_t)i * BUFFER, 0, NULL, NULL));
        clReleaseMemObject(buffers[i]);
    }
    *length = (size_t)held * BUFFER;
    free(bytes);
    clReleaseKernel(kernel);
    return all;
}

static cl_uint read_size(const char *text, size_t size[3])
{
    return (cl_uint)sscanf(text, "%zux%zux%zu", &size[0], &size[1], &size[2]);
}

int main(int argc, char **argv)
{
    struct launch launch = {.dimensions = 0};
    struct gp_fixes fixes;
    struct gp_error error;
    size_t length, source_length, bytes, changed_bytes;
    int failed = 0, tried = 0;
    if (argc < 7)
        return 2;
    char *edits = gp_read_file(argv[1], &length), *source = gp_read_file(argv[2], &source_length);
    if (edits == NULL || source == NULL || !gp_fixes_parse(edits, &fixes, &error))
        return 2;
    launch.dimensions = read_size(argv[4], launch.global);
    read_size(argv[5], launch.local);
    for (int i = 7; i < argc && launch.count < MOST_ARGUMENTS; i++)
        launch.numbers[launch.count++] = argv[i];
    open_device();
    char *before = run(build(source, argv[3], argv[6]), &launch, &bytes);
    for (size_t i = 0; i < fixes.count; i++) {
        const struct gp_fix *fix = &fixes.list[i];
        if (gp_fix_rounds(fix->kind) || fix->kind == GP_FIX_BOUNDS || strcmp(fix->function, argv[3]) != 0)
            continue;
        char *changed = gp_fix_apply(fix, source, source_length, &error);
        char *after = changed != NULL ? run(build(changed, argv[3], argv[6]), &launch, &changed_bytes) : NULL;
        if (after == NULL || changed_bytes != bytes || memcmp(before, after, bytes) != 0) {
            printf("%s:%u: %s of %s changes the results\n", argv[2], fix->line, gp_fix_kind_name(fix->kind), fix->name);
            failed = 1;
        }
        tried++;
        free(after);
        free(changed);
    }
    printf("%s: %d changes keep the results\n", argv[3], tried);
    free(before);
    free(edits);
    free(source);
    gp_fixes_free(&fixes);
    return failed;
}
