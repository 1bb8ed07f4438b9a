/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * An OpenCL that runs nothing: a device of 4 units whose launches take 1 us a turn (a kernel's third argument). DRIVER
 * says what is wrong with it: "vanishes" after 40 launches, "unprofiled" queues, "untold" times of single launches,
 * "still" clocks, which do not go on, "shared" with others, who take any time.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/opencl.h"

#pragma GCC visibility push(default)

static int32_t turns;
static unsigned launches;
static char object; /* what every handle points to */

static bool is(const char *fault)
{
    const char *driver = getenv("DRIVER");
    return driver != NULL && strcmp(driver, fault) == 0;
}

static int32_t answer(const void *bytes, size_t length, size_t room, void *value)
{
    if (value != NULL)
        memcpy(value, bytes, length < room ? length : room);
    return 0;
}

int32_t clGetPlatformIDs(uint32_t room, void **platforms, uint32_t *count)
{
    if (room > 0)
        platforms[0] = &object;
    *count = 1;
    return 0;
}

int32_t clGetPlatformInfo(void *platform, uint32_t what, size_t room, void *value, size_t *length)
{
    (void)platform, (void)what, (void)length;
    return answer("none", sizeof "none", room, value);
}

int32_t clGetDeviceIDs(void *platform, uint64_t type, uint32_t room, void **devices, uint32_t *count)
{
    (void)platform, (void)type;
    if (room > 0)
        devices[0] = &object;
    *count = 1;
    return 0;
}

int32_t clGetDeviceInfo(void *device, uint32_t what, size_t room, void *value, size_t *length)
{
    (void)device, (void)length;
    uint64_t number = 0;
    switch (what) {
    case GP_CL_DEVICE_NAME: return answer("NVIDIA A100", sizeof "NVIDIA A100", room, value);
    case GP_CL_DEVICE_EXTENSIONS: return answer("cl_khr_fp16", sizeof "cl_khr_fp16", room, value);
    case GP_CL_DEVICE_TYPE: number = 4; break;
    case GP_CL_DEVICE_MAX_COMPUTE_UNITS: number = 4; break;
    case GP_CL_DEVICE_MAX_WORK_GROUP_SIZE: number = 256; break;
    case GP_CL_DEVICE_MAX_CLOCK_FREQUENCY: number = 1000; break;
    case GP_CL_DEVICE_MAX_MEM_ALLOC_SIZE: number = 1 << 24; break;
    case GP_CL_DEVICE_QUEUE_PROPERTIES: number = is("unprofiled") ? 0 : GP_CL_QUEUE_PROFILING; break;
    default: break;
    }
    return answer(&number, sizeof number, room, value);
}

static void *made(int32_t *status)
{
    *status = 0;
    return &object;
}

void *clCreateContext(const intptr_t *a, uint32_t b, void *const *c, void *d, void *e, int32_t *status)
{
    (void)a, (void)b, (void)c, (void)d, (void)e;
    return made(status);
}

void *clCreateCommandQueue(void *a, void *b, uint64_t c, int32_t *status)
{
    (void)a, (void)b, (void)c;
    return made(status);
}

void *clCreateProgramWithSource(void *a, uint32_t b, const char **c, const size_t *d, int32_t *status)
{
    (void)a, (void)b, (void)c, (void)d;
    return made(status);
}

int32_t clBuildProgram(void *a, uint32_t b, void *const *c, const char *d, void *e, void *f)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
    return 0;
}

void *clCreateKernel(void *a, const char *b, int32_t *status)
{
    (void)a, (void)b;
    return made(status);
}

void *clCreateBuffer(void *a, uint64_t b, size_t c, void *d, int32_t *status)
{
    (void)a, (void)b, (void)c, (void)d;
    return made(status);
}

int32_t clSetKernelArg(void *kernel, uint32_t number, size_t length, const void *value)
{
    (void)kernel, (void)length;
    if (number == 2)
        memcpy(&turns, value, sizeof turns);
    return 0;
}

int32_t clEnqueueWriteBuffer(void *a, void *b, uint32_t c, size_t d, size_t e, const void *f, uint32_t g,
                             void *const *h, void **i)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h, (void)i;
    return 0;
}

int32_t clEnqueueNDRangeKernel(void *a, void *b, uint32_t c, const size_t *d, const size_t *e, const size_t *f,
                               uint32_t g, void *const *h, void **event)
{
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (event != NULL)
        *event = &object;
    return is("vanishes") && ++launches > 40 ? -2 : 0;
}

int32_t clFinish(void *queue)
{
    (void)queue;
    return 0;
}

int32_t clGetEventProfilingInfo(void *event, uint32_t what, size_t room, void *value, size_t *length)
{
    static uint64_t random = 1;
    (void)event, (void)length;
    uint64_t ns = what == GP_CL_PROFILING_START || is("still") ? 0 : (uint64_t)turns * 1000;
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    if (is("shared"))
        ns += ns * (random >> 33 & 255) / 64;
    return is("untold") ? -7 : answer(&ns, sizeof ns, room, value);
}

/* What is not called, and what gives nothing back. */
#define NOTHING(name) \
    int32_t name(void) { return 0; }
NOTHING(clGetProgramBuildInfo)
NOTHING(clCreateKernelsInProgram)
NOTHING(clGetKernelInfo)
NOTHING(clGetKernelArgInfo)
NOTHING(clCreateImage)
NOTHING(clCreateSampler)
NOTHING(clReleaseEvent)
NOTHING(clReleaseMemObject)
NOTHING(clReleaseKernel)
NOTHING(clReleaseProgram)
NOTHING(clReleaseCommandQueue)
NOTHING(clReleaseContext)
