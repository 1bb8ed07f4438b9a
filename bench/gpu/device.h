/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A device that runs the kit's kernels: an NVIDIA GPU through CUDA's driver interface, or any OpenCL device, for trying
 * the kit out. */
#ifndef GPUPERF_BENCH_DEVICE_H
#define GPUPERF_BENCH_DEVICE_H

#include "bench/gpu/cases.h"
#include "model/launch/launch.h"
#include "support/error.h"

struct kernel_facts {
    int registers, local_bytes, shared_bytes;
}; /* -1: the device does not say */

struct device {
    char name[128];
    void *state;
    /* Arrays to the device; those before are gone. The arrays stay the caller's and must stay. */
    bool (*upload)(struct device *device, const struct arrays *arrays, struct gp_error *error);
    /* Compiles a batch (subject_batch()) for the arrays uploaded, or takes what cuda_compile() made of it (compiled;
     * NULL: nothing); the batch before is gone. */
    bool (*build)(struct device *device, const char *source, const char *compiled, struct gp_error *error);
    /* Clears the outputs, launches once, copies the outputs back. */
    bool (*run)(struct device *device, const char *kernel, const struct gp_launch *launch, struct arrays *arrays,
                struct gp_error *error);
    /* Launches so many times, one right after the other; *ms for one of them, by the device's own clock. */
    bool (*time)(struct device *device, const char *kernel, const struct gp_launch *launch, unsigned times, double *ms,
                 struct gp_error *error);
    bool (*facts)(struct device *device, const char *kernel, struct kernel_facts *facts);
    double (*clock_mhz)(struct device *device); /* of the SMs, now; 0: not known */
    void (*close)(struct device *device);
};

/* False: no driver, no GPU; a sentence. */
bool device_open_cuda(struct device *device, struct gp_error *error);

/* The first OpenCL device. */
bool device_open_opencl(struct device *device, struct gp_error *error);

/* Compiles a batch with nvcc to PATH.cubin and no more: needs no GPU. */
bool cuda_compile(const char *source, const char *architecture, const char *path, struct gp_error *error);

#endif
