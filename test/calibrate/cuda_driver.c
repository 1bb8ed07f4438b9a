/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A CUDA driver that runs nothing: a device of 4 SMs whose launches take 1 us a turn (a kernel's third argument). Of a
 * module it knows the entries. DRIVER says what is wrong with it: "absent" devices, "refuses" code, "vanishes" after 40
 * launches, "still" clocks, which do not go on, "shared" with others, who take any time.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cuda_driver.h"

#pragma GCC visibility push(default)

enum { NO_DEVICE = 100, NO_IMAGE = 218, NOT_FOUND = 500, LAUNCH_FAILED = 719, MOST_MODULES = 16 };

static double now; /* ms */
static double events[2];
static unsigned event_count, launches, module_count;
static char *modules[MOST_MODULES]; /* their text, so that a function is known to be in one */

static bool is(const char *fault)
{
    const char *driver = getenv("DRIVER");
    return driver != NULL && strcmp(driver, fault) == 0;
}

int cuInit(unsigned flags)
{
    (void)flags;
    return is("absent") ? NO_DEVICE : 0;
}

int cuDeviceGetCount(int *count)
{
    *count = 2;
    return 0;
}

int cuDeviceGet(int *device, int number)
{
    *device = number;
    return 0;
}

int cuDeviceGetName(char *name, int length, int device)
{
    snprintf(name, (size_t)length, "%s", device == 0 ? "NVIDIA A100" : "Tesla T4");
    return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    switch (attribute) {
    case GP_CUDA_MAX_THREADS_PER_BLOCK: *value = 256; break;
    case GP_CUDA_WARP_SIZE: *value = 32; break;
    case GP_CUDA_CLOCK_KHZ: *value = 1000000; break;
    case GP_CUDA_SM_COUNT: *value = 4; break;
    case GP_CUDA_CAPABILITY_MAJOR: *value = device == 0 ? 8 : 7; break;
    case GP_CUDA_CAPABILITY_MINOR: *value = device == 0 ? 0 : 5; break;
    default: *value = 0;
    }
    return 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = 1 << 24;
    return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    *context = &now;
    return 0;
}

/* What the driver's compiler says of code that it does not take. */
static int refuse(unsigned count, const int *options, void **values)
{
    for (unsigned i = 0; i < count; i++)
        if (options[i] == GP_CUDA_JIT_ERROR_LOG)
            strcpy(values[i], "ptxas application ptx input, line 5; fatal   : Unsupported .version 9.9\nptxas fatal\n");
    return NO_IMAGE;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values)
{
    if (is("refuses") || strncmp(strstr(image, ".version "), ".version 7.0\n.target sm_80\n", 27) != 0)
        return refuse(count, options, values);
    *module = modules[module_count++] = strdup(image);
    return 0;
}

int cuModuleUnload(void *module)
{
    free(module);
    return 0;
}

/* A function is the text of its entry. */
int cuModuleGetFunction(void **function, void *module, const char *name)
{
    char entry[128];
    snprintf(entry, sizeof entry, ".visible .entry %s(", name);
    *function = strstr(module, entry);
    return *function != NULL ? 0 : NOT_FOUND;
}

int cuModuleGetGlobal_v2(gp_cuda_address *address, size_t *bytes, void *module, const char *name)
{
    char variable[128];
    snprintf(variable, sizeof variable, " %s[65536];", name);
    *address = 1 << 20;
    *bytes = 65536;
    return strstr(module, variable) != NULL ? 0 : NOT_FOUND;
}

int cuMemAlloc_v2(gp_cuda_address *address, size_t bytes)
{
    (void)bytes;
    *address = 1 << 24;
    return 0;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **arguments, void **extra)
{
    static uint64_t random = 1;
    int32_t turns;
    (void)gy, (void)gz, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    if (function == NULL || gx == 0 || bx == 0 || bx > 256 || (is("vanishes") && ++launches > 40))
        return LAUNCH_FAILED;
    memcpy(&turns, arguments[2], sizeof turns);
    random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    double others = is("shared") ? (double)(random >> 33 & 255) / 64 : 0;
    now += is("still") ? 0 : 1e-3 * turns * (1 + others);
    return 0;
}

int cuEventCreate(void **event, unsigned flags)
{
    (void)flags;
    *event = &events[event_count++ % 2];
    return 0;
}

int cuEventRecord(void *event, void *stream)
{
    (void)stream;
    *(double *)event = now;
    return 0;
}

int cuEventElapsedTime(float *ms, void *start, void *end)
{
    *ms = (float)(*(double *)end - *(double *)start);
    return 0;
}

int cuGetErrorString(int error, const char **text)
{
    *text = error == NO_IMAGE        ? "a PTX JIT compilation failed"
            : error == LAUNCH_FAILED ? "unspecified launch failure"
            : error == NOT_FOUND     ? "named symbol not found"
                                     : NULL;
    return *text == NULL;
}

/* What does nothing. */
#define NOTHING(name) \
    int name(void) { return 0; }
NOTHING(cuCtxSetCurrent)
NOTHING(cuCtxSynchronize)
NOTHING(cuMemFree_v2)
NOTHING(cuMemcpyHtoD_v2)
NOTHING(cuMemcpyDtoH_v2)
NOTHING(cuMemsetD8_v2)
NOTHING(cuFuncGetAttribute)
NOTHING(cuEventSynchronize)
