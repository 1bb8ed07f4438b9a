/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * launches [COUNT]: mean nanoseconds of a launch that leaves the local size open (an empty kernel, enqueued and
 * finished), after a warm-up. Run with and without OPENCL_LAYERS; bench/layer.sh prints the ratio.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "launches: %s: OpenCL error %d\n", what, status);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 5000;
    const char *source =
        "__kernel void touch(__global int *a, int n) { if ((int)get_global_id(0) < n) a[get_global_id(0)] = n; }";
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "queue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "program");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    cl_kernel kernel = clCreateKernel(program, "touch", &status);
    check(status, "kernel");
    size_t global = 1024;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, global * sizeof(cl_int), NULL, &status);
    check(status, "buffer");
    cl_int n = (cl_int)global;
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument");
    check(clSetKernelArg(kernel, 1, sizeof n, &n), "argument");

    for (int i = 0; i < 20; i++) { /* compiles the kernel; gives the layer time to decide */
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), "launch");
        check(clFinish(queue), "finish");
        usleep(100000);
    }
    double start = now();
    for (int i = 0; i < count; i++) {
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL), "launch");
        check(clFinish(queue), "finish");
    }
    printf("%.0f\n", (now() - start) / count * 1e9);
    clReleaseMemObject(buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
