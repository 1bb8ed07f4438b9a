/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CLBlast: vectors, a matrix by a vector, a matrix by a matrix. Prints what came out. */
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 512, ROUNDS = 10 };

static cl_mem buffer(cl_context context, unsigned seed)
{
    float *values = malloc(N * N * sizeof *values);
    for (size_t i = 0; i < N * N; i++)
        values[i] = (float)((i * 2654435761u + seed) >> 20 & 255) / 256.0f;
    cl_mem made = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, N * N * sizeof *values, values, NULL);
    free(values);
    return made;
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem a = buffer(context, 1), b = buffer(context, 2), c = buffer(context, 3);
    int failed = 0;
    for (int i = 0; i < ROUNDS; i++) {
        failed |= CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeYes, N, N, N, 0.5f, a, 0, N,
                               b, 0, N, 0.25f, c, 0, N, &queue, NULL);
        failed |= CLBlastSaxpy(N * N, 0.125f, a, 0, 1, c, 0, 1, &queue, NULL);
        failed |= CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, N, N, 0.5f, a, 0, N, b, 0, 1, 0.25f, c, 0, 1,
                               &queue, NULL);
    }
    float *result = malloc(N * N * sizeof *result);
    unsigned hash = 0, bits;
    failed |= clEnqueueReadBuffer(queue, c, CL_TRUE, 0, N * N * sizeof *result, result, 0, NULL, NULL);
    for (size_t i = 0; i < N * N; i++) {
        memcpy(&bits, &result[i], sizeof bits);
        hash = hash * 16777619u ^ bits;
    }
    printf("%d %u\n", failed, hash);
    return failed != 0;
}
