/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "support/cuda_driver.h"

#include <dlfcn.h>
#include <string.h>

enum { NO_DEVICE = 100 };

const struct gp_cuda *gp_cuda_load(struct gp_error *error)
{
    static struct gp_cuda functions;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == NULL) {
        gp_fail(error, "there is no NVIDIA driver here (libcuda.so.1): use a machine with an NVIDIA GPU, or OpenCL "
                       "(--opencl)");
        return NULL;
    }
#define X(member, symbol, ...) \
    void *member##_symbol = dlsym(library, symbol); \
    memcpy(&functions.member, &member##_symbol, sizeof member##_symbol); \
    if (functions.member == NULL) { \
        gp_fail(error, "the NVIDIA driver is too old: it has no %s", symbol); \
        return NULL; \
    }
    GP_CUDA_FUNCTIONS(X)
#undef X
    return &functions;
}

bool gp_cuda_begin(const struct gp_cuda *cuda, int *count, struct gp_error *error)
{
    int status = cuda->Init(0);
    *count = 0;
    if (status == 0)
        status = cuda->DeviceCount(count);
    if (status == NO_DEVICE || (status == 0 && *count == 0))
        return gp_fail(error, "the NVIDIA driver finds no GPU here: use a machine that has one, or OpenCL (--opencl)");
    return gp_cuda_works(cuda, status, "the NVIDIA driver does not start", error);
}

bool gp_cuda_works(const struct gp_cuda *cuda, int status, const char *what, struct gp_error *error)
{
    const char *text = NULL;
    if (status == 0)
        return true;
    if (cuda->ErrorString(status, &text) != 0 || text == NULL)
        return gp_fail(error, "%s: CUDA error %d", what, status);
    return gp_fail(error, "%s: %s", what, text);
}
