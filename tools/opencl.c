/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/opencl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const struct gp_cl *gp_cl_load(struct gp_error *error)
{
    static struct gp_cl functions;
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (library == NULL) {
        gp_fail(error, "there is no OpenCL loader (libOpenCL.so.1): install ocl-icd-libopencl1 and a driver");
        return NULL;
    }
#define X(name, result, parameters) \
    void *name##_symbol = dlsym(library, "cl" #name); \
    memcpy(&functions.name, &name##_symbol, sizeof name##_symbol); \
    if (functions.name == NULL) { \
        gp_fail(error, "libOpenCL.so.1 has no cl" #name); \
        return NULL; \
    }
    GP_CL_FUNCTIONS(X)
#undef X
    return &functions;
}

const char *gp_cl_error(int32_t status)
{
    static char other[32];
    switch (status) {
    case -2: return "the device is not available";
    case -4: return "the device has no memory left";
    case -5: return "the device is out of resources";
    case GP_CL_OUT_OF_HOST_MEMORY: return "the host is out of memory";
    case -7: return "profiling information is not available";
    case -11: return "the driver cannot build the program";
    case -14: return "a launch before failed";
    case -33: return "the device is no longer valid";
    case -36: return "the queue is no longer valid";
    default: snprintf(other, sizeof other, "OpenCL error %d", status); return other;
    }
}
