/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Compiles a kernel source for a device's own target, out of process: clang with the gpuperf plugin makes the profile,
 * ptxas or LLVM's AMDGPU backend the registers. Nothing of it runs in the caller's process but the waiting.
 */
#ifndef GPUPERF_COMPILE_COMPILE_H
#define GPUPERF_COMPILE_COMPILE_H

#include <stdbool.h>
#include <stddef.h>

#include "compile/backend.h"
#include "hwdb/hwdb.h"
#include "model/profile/profile.h"
#include "support/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct gp_compile_request {
    const char *source_path;      /* .cl, .cu (or source in memory, below) */
    const char *source_text;      /* not NULL: the source itself; source_path then only names it in messages */
    const char *language;         /* "opencl", "clcpp" (C++ for OpenCL), "cuda", "hip"; NULL: from the file's name */
    const char *const *arguments; /* of clang: -I, -D, -cl-std= ...; NULL-terminated; NULL: none */
    char *const *macros; /* of the program's driver, for OpenCL C: "NAME=VALUE" defined, "NAME" not defined, whatever
                            clang says; NULL-terminated; NULL: clang's own */
    bool preprocessed;   /* the result tells what the preprocessor read */
    bool edits;          /* the result tells changes of the source that may make it faster (plugin/fixes.h) */
    const struct gp_device *device; /* whose target; NULL: spir64 */
    const struct gp_device
        *sibling;          /* NULL, or another one that the same code is assembled for, too (gp_compile_siblings()) */
    bool for_llvm_compile; /* the program's driver compiles with LLVM, too: do not switch off the code motion that only
                              clang does */
    bool alike; /* NVIDIA's: of kernels that differ in numbers only, and in how they read, the backend is asked of one
                   (alike.h) */
    unsigned timeout_seconds; /* 0: 120 */
    const char *compiler;     /* NULL: $GPUPERF_CLANG, else clang-22, else clang from PATH */
    const int *cancelled; /* not NULL: read with __atomic_load_n() while a child runs; once not 0 the child is killed
                             and the compile fails */
    const char *plugin;   /* NULL: $GPUPERF_PLUGIN, else beside the installation or in the build tree */
    char *const
        *environment; /* variables, as of gp_environment_copy(), that stand for the process's own; NULL: these */
};

struct gp_compile_result {
    struct gp_profile *profile;  /* with resources from the backend where the code links; free with gp_profile_free() */
    struct gp_profile *sibling;  /* the request's sibling's, likewise; NULL: none was asked for, the source is CUDA or
                                    not for the device's target, or only the device's registers could be found out */
    bool foreign_target;         /* the code did not compile for the device; the profile is spir64's */
    struct gp_error foreign_why; /* the first error of that compile */
    char *preprocessed; /* as asked for: plugin/preprocessed.h, also of a source that was refused; NULL: it is not
                           known. Free with free() */
    char *edits;        /* as asked for: plugin/fixes.h; NULL: none are known. Free with free() */
    char *messages;     /* what clang printed; free with free() */
    bool refused; /* of a compile that failed: the compiler ran and does not take the source; it would not take it again
                   */
};

/* Whether the device runs the source's language, whatever else is wrong with the source. False: a sentence. */
bool gp_compile_suits(const struct gp_compile_request *request, struct gp_error *error);

/*
 * Whether what the compilers make of an OpenCL source for `device` before the code itself is what they make for
 * `sibling`, too, but for the name of the target: NVIDIA's devices of one architecture and as many registers, the
 * sibling's processor not the older one (sm_80 and sm_86), and AMD's. Such a sibling costs a compile ptxas' time alone,
 * AMD's code generator's. Of sources that ask which processor they are compiled for (__gfx906__), or how wide its
 * wavefronts are, it is not true.
 */
bool gp_compile_siblings(const struct gp_device *device, const struct gp_device *sibling);

/*
 * False: a sentence (the compile's first error, a missing compiler, a time-out: the child is killed).
 * Children run with OPENCL_LAYERS removed from their environment. Temporary files go to a private directory that is
 * removed.
 */
bool gp_compile(const struct gp_compile_request *request, struct gp_compile_result *result, struct gp_error *error);
/*
 * What NVIDIA's own compiler (nvcc, NVRTC) says of the kernels in the request's source, which gp_compile() asks, too:
 * for profiles that were made without it (gp_backend_apply()). The device is one of NVIDIA's. False: there is no such
 * compiler, or it does not take the source; the list is empty then. Free with gp_backend_free(). sibling: of the
 * request's sibling, likewise; NULL where it has none.
 */
bool gp_compile_registers(const struct gp_compile_request *request, struct gp_backend_list *list,
                          struct gp_backend_list *sibling, struct gp_error *error);

/*
 * Names the compiler and the plugin that a request of that environment without `compiler` and `plugin` is made with,
 * with their sizes and dates: another text, another outcome. Free with free(); NULL: there are none.
 */
char *gp_compile_programs(char *const *environment);
void gp_compile_result_free(struct gp_compile_result *result);

#ifdef __cplusplus
}
#endif
#endif
