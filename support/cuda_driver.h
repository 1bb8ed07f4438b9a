/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * CUDA's driver interface, opened where it is asked for: programs are built without a toolkit and say what is missing.
 * Names and numbers are those of the CUDA Driver API's reference (cuda.h).
 */
#ifndef GPUPERF_SUPPORT_CUDA_DRIVER_H
#define GPUPERF_SUPPORT_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/error.h"

typedef uint64_t gp_cuda_address;

/* X(MEMBER, symbol, parameters ...): the functions that are used. */
/* clang-format off */
#define GP_CUDA_FUNCTIONS(X) \
    X(Init, "cuInit", unsigned flags) X(DeviceCount, "cuDeviceGetCount", int *count) \
    X(DeviceGet, "cuDeviceGet", int *device, int number) \
    X(DeviceName, "cuDeviceGetName", char *name, int length, int device) \
    X(DeviceAttribute, "cuDeviceGetAttribute", int *value, int attribute, int device) \
    X(DeviceMemory, "cuDeviceTotalMem_v2", size_t *bytes, int device) \
    X(ContextRetain, "cuDevicePrimaryCtxRetain", void **context, int device) \
    X(ContextSet, "cuCtxSetCurrent", void *context) X(ContextWait, "cuCtxSynchronize", void) \
    X(ModuleLoad, "cuModuleLoadDataEx", void **module, const void *image, unsigned count, int *options, void **values) \
    X(ModuleUnload, "cuModuleUnload", void *module) \
    X(ModuleFunction, "cuModuleGetFunction", void **function, void *module, const char *name) \
    X(ModuleGlobal, "cuModuleGetGlobal_v2", gp_cuda_address *address, size_t *bytes, void *module, const char *name) \
    X(Alloc, "cuMemAlloc_v2", gp_cuda_address *address, size_t bytes) X(Free, "cuMemFree_v2", gp_cuda_address address) \
    X(ToDevice, "cuMemcpyHtoD_v2", gp_cuda_address to, const void *from, size_t bytes) \
    X(ToHost, "cuMemcpyDtoH_v2", void *to, gp_cuda_address from, size_t bytes) \
    X(Clear, "cuMemsetD8_v2", gp_cuda_address address, unsigned char value, size_t bytes) \
    X(Launch, "cuLaunchKernel", void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, \
      unsigned bz, unsigned shared, void *stream, void **arguments, void **extra) \
    X(FunctionAttribute, "cuFuncGetAttribute", int *value, int attribute, void *function) \
    X(EventCreate, "cuEventCreate", void **event, unsigned flags) \
    X(EventRecord, "cuEventRecord", void *event, void *stream) X(EventWait, "cuEventSynchronize", void *event) \
    X(EventElapsed, "cuEventElapsedTime", float *ms, void *start, void *end) \
    X(ErrorString, "cuGetErrorString", int error, const char **text)
/* clang-format on */
struct gp_cuda {
#define X(member, symbol, ...) int (*member)(__VA_ARGS__);
    GP_CUDA_FUNCTIONS(X)
#undef X
};

enum {
    GP_CUDA_MAX_THREADS_PER_BLOCK = 1, /* of DeviceAttribute */
    GP_CUDA_WARP_SIZE = 10,
    GP_CUDA_CLOCK_KHZ = 13,
    GP_CUDA_SM_COUNT = 16,
    GP_CUDA_L2_BYTES = 38,
    GP_CUDA_CAPABILITY_MAJOR = 75,
    GP_CUDA_CAPABILITY_MINOR = 76,
    GP_CUDA_FUNCTION_SHARED = 1, /* of FunctionAttribute */
    GP_CUDA_FUNCTION_LOCAL = 3,
    GP_CUDA_FUNCTION_REGISTERS = 4,
    GP_CUDA_JIT_ERROR_LOG = 5, /* of ModuleLoad */
    GP_CUDA_JIT_ERROR_LOG_BYTES = 6
};

/* Opens libcuda.so.1. NULL and a sentence; never closed. */
const struct gp_cuda *gp_cuda_load(struct gp_error *error);

/* Initialises the driver. False: it has no GPU, or says why not; a sentence. */
bool gp_cuda_begin(const struct gp_cuda *cuda, int *count, struct gp_error *error);

/* Whether a status says that it worked. False: "WHAT: the driver's words". */
bool gp_cuda_works(const struct gp_cuda *cuda, int status, const char *what, struct gp_error *error);

#endif
