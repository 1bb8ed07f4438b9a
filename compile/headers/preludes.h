/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The texts of the files in this folder, which the build embeds: what is put before a source that is compiled. */
#ifndef GPUPERF_COMPILE_PRELUDES_H
#define GPUPERF_COMPILE_PRELUDES_H

extern const char gp_prelude_opencl_by_dimension[];
extern const char gp_prelude_opencl_nvidia_ids[];
extern const char gp_prelude_opencl_amd_ids[];
extern const char gp_prelude_opencl_amd_sizes[];
extern const char gp_prelude_opencl_names[];
extern const char gp_prelude_opencl_native_sqrt[];
extern const char gp_prelude_cuda_keywords[];
extern const char gp_prelude_cuda_types[];
extern const char gp_prelude_cuda_functions[];
extern const char gp_prelude_cuda_powers_as_nvcc[];
extern const char gp_prelude_cuda_cache_operators[];
extern const char gp_prelude_nvcc_language[];
extern const char gp_prelude_nvcc_work_items[];
extern const char gp_prelude_nvcc_arithmetic[];
extern const char gp_prelude_nvcc_vectors[];
extern const char gp_prelude_hip_language[];

#endif
