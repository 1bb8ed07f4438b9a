/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* OpenCL's `global` would be put for the attribute in CUDA's `__global__`. */
#undef __global__
#undef __shared__
#undef __constant__
#define __OPENCL_VERSION__ 120
#define __OPENCL_C_VERSION__ 120
#define CL_VERSION_1_0 100
#define CL_VERSION_1_1 110
#define CL_VERSION_1_2 120
#define __kernel extern "C" __attribute__((__global__))
#define kernel __kernel
#define __global
#define global
#define __private
#define __local __attribute__((__shared__))
#define local __local
#define __constant __attribute__((__constant__))
#define constant __constant
#define restrict __restrict__
#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z))
#define work_group_size_hint(x, y, z)
#define vec_type_hint(type)
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define GPUPERF_F static __device__ __forceinline__
