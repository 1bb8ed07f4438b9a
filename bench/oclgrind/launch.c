/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * launch FILE KERNEL GLOBAL LOCAL [ARGUMENT...]: builds an OpenCL program and launches one kernel once. GLOBAL and
 * LOCAL as 64x64; an argument is "buffer" (1 MiB of zeros), "local:BYTES", an integer, or a number with a point
 * (float).
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20 };

static void must(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "launch: %s failed with %d\n", what, status);
        exit(1);
    }
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (file == NULL || text == NULL || fread(text, 1, (1 << 16) - 1, file) == 0) {
        fprintf(stderr, "launch: cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

static cl_uint sizes(const char *text, size_t size[3])
{
    return (cl_uint)sscanf(text, "%zux%zux%zu", &size[0], &size[1], &size[2]);
}

static void set_argument(cl_context context, cl_kernel kernel, cl_uint index, const char *text)
{
    cl_int status;
    if (strcmp(text, "buffer") == 0) {
        void *zeros = calloc(1, BUFFER_BYTES);
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BUFFER_BYTES, zeros, &status);
        must(status, "clCreateBuffer");
        status = clSetKernelArg(kernel, index, sizeof buffer, &buffer);
        free(zeros);
    } else if (strncmp(text, "local:", 6) == 0) {
        status = clSetKernelArg(kernel, index, (size_t)atol(text + 6), NULL);
    } else if (strchr(text, '.')) {
        cl_float value = (cl_float)atof(text);
        status = clSetKernelArg(kernel, index, sizeof value, &value);
    } else {
        cl_int value = atoi(text);
        status = clSetKernelArg(kernel, index, sizeof value, &value);
    }
    must(status, "clSetKernelArg");
}

static void show_log(cl_program program, cl_device_id device)
{
    static char log[1 << 14];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "launch: the program does not build:\n%s\n", log);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: launch FILE KERNEL GLOBAL LOCAL [ARGUMENT...]\n");
        return 2;
    }
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "clCreateCommandQueue");
    const char *source = read_file(argv[1]);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    must(status, "clCreateProgramWithSource");
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
        show_log(program, device);
    cl_kernel kernel = clCreateKernel(program, argv[2], &status);
    must(status, "clCreateKernel");
    for (int i = 5; i < argc; i++)
        set_argument(context, kernel, (cl_uint)(i - 5), argv[i]);
    size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
    cl_uint dims = sizes(argv[3], global);
    sizes(argv[4], local);
    must(clEnqueueNDRangeKernel(queue, kernel, dims, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    must(clFinish(queue), "clFinish");
    return 0;
}
