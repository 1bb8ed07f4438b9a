/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gpuperf: picks the local size of a kernel launch from its profile.
 *
 *     gpuperf_profile *profile = gpuperf_profile_load("kernels.gpuperf", &error);
 *     gpuperf_device *device = gpuperf_device_open("a100", &error);
 *     gpuperf_launch launch = { .dims = 2, .global = {4096, 4096, 1} };
 *     gpuperf_choice choice;
 *     if (gpuperf_choose(profile, "transpose", device, &launch, &choice, &error) == 0)
 *         use(choice.local);
 *
 * Every function that can fail returns 0 (or a pointer) on success and a negative GPUPERF_E... code (or NULL) on
 * failure, with one sentence in *error (error may be NULL). Objects are freed with the function of their own name. A
 * profile and a device may be used by several threads at once; nothing is global.
 *
 * Stable: everything in this file. The numbers behind the decisions (cycles, bottlenecks) may change with the models.
 */
#ifndef GPUPERF_GPUPERF_H
#define GPUPERF_GPUPERF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPUPERF_VERSION "0.1.0"
#define GPUPERF_API     __attribute__((visibility("default")))

enum {
    GPUPERF_OK = 0,
    GPUPERF_EINPUT = -1,    /* a file, profile or argument is wrong */
    GPUPERF_ENOTFOUND = -2, /* no such kernel, device, argument */
    GPUPERF_ELAUNCH = -3,   /* the launch is impossible on this device */
    GPUPERF_ESYSTEM = -4    /* out of memory */
};

typedef struct gpuperf_error {
    char text[1024];
} gpuperf_error;
typedef struct gpuperf_profile gpuperf_profile;
typedef struct gpuperf_device gpuperf_device;

/* A scalar argument, or a vector of integers of up to 8 bytes, by its index in the kernel's source; value: its bytes,
 * zero-extended (a float: its bit pattern). */
typedef struct gpuperf_argument {
    uint32_t index;
    uint64_t value;
} gpuperf_argument;

typedef struct gpuperf_launch {
    uint32_t dims;      /* 1..3 */
    uint64_t global[3]; /* work-items; CUDA: grid x block */
    uint64_t offset[3];
    const gpuperf_argument *arguments; /* scalars that are known; the others are symbols */
    size_t argument_count;
    uint32_t local_memory_bytes; /* dynamic work-group memory (local pointer arguments, CUDA's third parameter) */
    int uniform;                 /* not 0: only local sizes that divide the global size (OpenCL 1.x) */
    uint32_t max_local;          /* the runtime's limit for this kernel (CL_KERNEL_WORK_GROUP_SIZE); 0: the device's */
} gpuperf_launch;

typedef struct gpuperf_choice {
    uint32_t local[3]; /* 1 beyond dims */
    double time_ns;    /* predicted */
    double cycles;
    double confidence;   /* 0..1 */
    double gain;         /* predicted time of the worst candidate over the chosen one's: how much the choice matters */
    uint32_t candidates; /* how many were predicted */
} gpuperf_choice;

/* From a profile file, or found in bitcode, SPIR-V or an object file that the plugin annotated. */
GPUPERF_API gpuperf_profile *gpuperf_profile_load(const char *path, gpuperf_error *error);
/* The same from memory; the bytes are not kept. */
GPUPERF_API gpuperf_profile *gpuperf_profile_from_memory(const void *bytes, size_t size, gpuperf_error *error);
/* Compiles OpenCL C (the text itself) out of process with clang and the plugin for the device's own target; options as
 * for clang, separated by spaces. Takes a second or so. */
GPUPERF_API gpuperf_profile *gpuperf_profile_compile(const char *source, const char *options,
                                                     const gpuperf_device *device, gpuperf_error *error);
GPUPERF_API void gpuperf_profile_free(gpuperf_profile *profile);

/* Number of kernels and their names; NULL beyond the last. The name lives as long as the profile. */
GPUPERF_API size_t gpuperf_profile_kernels(const gpuperf_profile *profile);
GPUPERF_API const char *gpuperf_profile_kernel_name(const gpuperf_profile *profile, size_t index);

/* A device of the database ("a100"; $GPUPERF_HWDB directories first), or the nearest of them to a compile target
 * ("sm_87", "gfx1030"), at less confidence. */
GPUPERF_API gpuperf_device *gpuperf_device_open(const char *name, gpuperf_error *error);
GPUPERF_API void gpuperf_device_free(gpuperf_device *device);
/* What the machine at hand says of itself overrides the database: 0 leaves a number alone. */
GPUPERF_API void gpuperf_device_override(gpuperf_device *device, uint32_t compute_units, uint32_t clock_mhz);

/* The best local size for a launch, taken for one of many on the same data: what the one before has left in the last
 * cache need not come again (here and below). GPUPERF_ELAUNCH when none is possible. */
GPUPERF_API int gpuperf_choose(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                               const gpuperf_launch *launch, gpuperf_choice *choice, gpuperf_error *error);

/*
 * Predicted time of one local size, ns. GPUPERF_ELAUNCH when it is impossible or against the launch's own limits. It
 * looks at more work-groups than gpuperf_choose(), which a launch waits for: their times differ by some percent.
 */
GPUPERF_API int gpuperf_predict_time(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                                     const gpuperf_launch *launch, const uint32_t local[3], double *time_ns,
                                     gpuperf_error *error);

/* Why: a few lines of text (the candidates with their times, the limiter, what was guessed). Free with free(). */
GPUPERF_API char *gpuperf_explain(const gpuperf_profile *profile, const char *kernel, const gpuperf_device *device,
                                  const gpuperf_launch *launch, gpuperf_error *error);

#ifdef __cplusplus
}
#endif
#endif
