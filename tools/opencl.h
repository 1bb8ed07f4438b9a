/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What is needed of <CL/cl.h>, which the command is built without: the loader is opened where it is asked for. */
#ifndef GPUPERF_TOOLS_OPENCL_H
#define GPUPERF_TOOLS_OPENCL_H

#include <stddef.h>
#include <stdint.h>

#include "support/error.h"

/* X(NAME, result, parameters): the functions that are used. */
/* clang-format off */
#define GP_CL_FUNCTIONS(X) \
    X(GetPlatformIDs, int32_t, (uint32_t, void **, uint32_t *)) \
    X(GetPlatformInfo, int32_t, (void *, uint32_t, size_t, void *, size_t *)) \
    X(GetDeviceIDs, int32_t, (void *, uint64_t, uint32_t, void **, uint32_t *)) \
    X(GetDeviceInfo, int32_t, (void *, uint32_t, size_t, void *, size_t *)) \
    X(CreateContext, void *, (const intptr_t *, uint32_t, void *const *, void *, void *, int32_t *)) \
    X(CreateCommandQueue, void *, (void *, void *, uint64_t, int32_t *)) \
    X(CreateProgramWithSource, void *, (void *, uint32_t, const char **, const size_t *, int32_t *)) \
    X(BuildProgram, int32_t, (void *, uint32_t, void *const *, const char *, void *, void *)) \
    X(GetProgramBuildInfo, int32_t, (void *, void *, uint32_t, size_t, void *, size_t *)) \
    X(CreateKernel, void *, (void *, const char *, int32_t *)) \
    X(CreateKernelsInProgram, int32_t, (void *, uint32_t, void **, uint32_t *)) \
    X(GetKernelInfo, int32_t, (void *, uint32_t, size_t, void *, size_t *)) \
    X(GetKernelArgInfo, int32_t, (void *, uint32_t, uint32_t, size_t, void *, size_t *)) \
    X(SetKernelArg, int32_t, (void *, uint32_t, size_t, const void *)) \
    X(CreateBuffer, void *, (void *, uint64_t, size_t, void *, int32_t *)) \
    X(CreateImage, void *, (void *, uint64_t, const void *, const void *, void *, int32_t *)) \
    X(CreateSampler, void *, (void *, uint32_t, uint32_t, uint32_t, int32_t *)) \
    X(EnqueueWriteBuffer, int32_t, \
      (void *, void *, uint32_t, size_t, size_t, const void *, uint32_t, void *const *, void **)) \
    X(EnqueueNDRangeKernel, int32_t, \
      (void *, void *, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, void *const *, void **)) \
    X(Finish, int32_t, (void *)) \
    X(GetEventProfilingInfo, int32_t, (void *, uint32_t, size_t, void *, size_t *)) \
    X(ReleaseEvent, int32_t, (void *)) X(ReleaseMemObject, int32_t, (void *)) X(ReleaseKernel, int32_t, (void *)) \
    X(ReleaseProgram, int32_t, (void *)) X(ReleaseCommandQueue, int32_t, (void *)) X(ReleaseContext, int32_t, (void *))
/* clang-format on */
struct gp_cl {
#define X(name, result, parameters) result(*name) parameters;
    GP_CL_FUNCTIONS(X)
#undef X
};

enum {
    GP_CL_DEVICE_TYPE = 0x1000,
    GP_CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    GP_CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    GP_CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100C,
    GP_CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    GP_CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101E,
    GP_CL_DEVICE_PROFILING_TIMER_RESOLUTION = 0x1025,
    GP_CL_DEVICE_QUEUE_PROPERTIES = 0x102A,
    GP_CL_DEVICE_NAME = 0x102B,
    GP_CL_DEVICE_EXTENSIONS = 0x1030,
    GP_CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    GP_CL_PLATFORM_VERSION = 0x0901,
    GP_CL_PLATFORM_NAME = 0x0902,
    GP_CL_PROGRAM_BUILD_LOG = 0x1183,
    GP_CL_KERNEL_FUNCTION_NAME = 0x1190,
    GP_CL_KERNEL_NUM_ARGS = 0x1191,
    GP_CL_KERNEL_ARG_ADDRESS_QUALIFIER = 0x1196,
    GP_CL_KERNEL_ARG_TYPE_NAME = 0x1198,
    GP_CL_KERNEL_ARG_NAME = 0x119A,
    GP_CL_QUEUE_PROFILING = 2,
    GP_CL_PROFILING_START = 0x1282,
    GP_CL_PROFILING_END = 0x1283,
    GP_CL_TYPE_CPU = 2,
    GP_CL_OUT_OF_HOST_MEMORY = -6
};

/* Opens the loader. NULL and a sentence; never closed. */
const struct gp_cl *gp_cl_load(struct gp_error *error);

/* What a status means, in words; "OpenCL error -N" where that is not known. */
const char *gp_cl_error(int32_t status);

#endif
