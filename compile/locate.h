/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where the programs and libraries are that a compile needs. Results are the caller's (free()); NULL: not found.
 * Variables are those of `environment`, as gp_variable() takes it.
 */
#ifndef GPUPERF_COMPILE_LOCATE_H
#define GPUPERF_COMPILE_LOCATE_H

#include <stdbool.h>

/* A program by its name, from PATH. */
char *gp_program_in_path(char *const *environment, const char *name);

/* `given` if not NULL, else $GPUPERF_CLANG, else clang-22, else clang, both from PATH. */
char *gp_locate_clang(char *const *environment, const char *given);

/* `given` if not NULL, else $GPUPERF_PLUGIN, else what was installed with this library or program. */
char *gp_locate_plugin(char *const *environment, const char *given);

/* OpenCL's builtin functions for a target: "nvptx64--nvidiacl.bc" in $GPUPERF_CLC, /usr/lib/clc ... */
char *gp_locate_libclc(char *const *environment, const char *name);

/* The CUDA toolkit's directory: $CUDA_PATH (none where that is empty), $CUDA_HOME, that of the ptxas in PATH,
 * /usr/local/cuda, /usr/lib/cuda. */
char *gp_locate_cuda(char *const *environment);

/* The toolkit's library of mathematical functions, nvvm/libdevice/libdevice.10.bc. */
char *gp_locate_libdevice(char *const *environment);

/* $GPUPERF_PTXAS, $CUDA_PATH/bin, PATH, /usr/local/cuda/bin. */
char *gp_locate_ptxas(char *const *environment);

/* $GPUPERF_NVCC (none where that is empty), else the nvcc beside ptxas. */
char *gp_locate_nvcc(char *const *environment);

/* NVIDIA's compiler as a library: $GPUPERF_NVRTC (none where that is empty), else the libnvrtc.so of nvcc's toolkit. */
char *gp_locate_nvrtc(char *const *environment);

/* Our program that runs it (compile/nvrtc/main.c). */
char *gp_locate_nvrtc_program(void);

/* The clang that AMD's drivers compile with: $GPUPERF_AMD_CLANG (none where that is empty), else that of $ROCM_PATH or
 * /opt/rocm. */
char *gp_locate_amd_clang(char *const *environment);

/* Whether OpenCL's functions are beside that clang, where it finds them by itself: amdgcn/bitcode in the directory of
 * ROCm that it is part of. */
bool gp_has_amd_library(const char *clang);

#endif
