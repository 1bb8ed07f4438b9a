#include "compile/cuda_prelude.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char keywords[] =
    "#define __host__ __attribute__((host))\n"
    "#define __device__ __attribute__((device))\n"
    "#define __global__ __attribute__((global))\n"
    "#define __shared__ __attribute__((shared))\n"
    "#define __constant__ __attribute__((constant))\n"
    "#define __forceinline__ __inline__ __attribute__((always_inline))\n"
    "#define __noinline__ __attribute__((noinline))\n"
    "#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))\n"
    "#include <__clang_cuda_builtin_vars.h>\n";

static const char types_and_functions[] =
    "struct uint3 { unsigned x, y, z; };\n"
    "struct dim3 { unsigned x, y, z; };\n"
    "typedef __SIZE_TYPE__ size_t;\n"
    "struct __attribute__((aligned(8))) float2 { float x, y; };\n"
    "struct float3 { float x, y, z; };\n"
    "struct __attribute__((aligned(16))) float4 { float x, y, z, w; };\n"
    "struct __attribute__((aligned(8))) int2 { int x, y; };\n"
    "struct __attribute__((aligned(16))) int4 { int x, y, z, w; };\n"
    "#define GPUPERF_UNARY(name) static __device__ __forceinline__ float name(float x) { return __builtin_##name(x); }\n"
    "#define GPUPERF_BINARY(name) static __device__ __forceinline__ float name(float x, float y) { return __builtin_##name(x, y); }\n"
    "GPUPERF_UNARY(sqrtf) GPUPERF_UNARY(fabsf) GPUPERF_UNARY(floorf) GPUPERF_UNARY(ceilf) GPUPERF_UNARY(expf) GPUPERF_UNARY(logf)\n"
    "GPUPERF_UNARY(sinf) GPUPERF_UNARY(cosf) GPUPERF_BINARY(fminf) GPUPERF_BINARY(fmaxf) GPUPERF_BINARY(powf)\n"
    "#undef GPUPERF_UNARY\n"
    "#undef GPUPERF_BINARY\n"
    "template <class T> static __device__ __forceinline__ T min(T a, T b) { return b < a ? b : a; }\n"
    "template <class T> static __device__ __forceinline__ T max(T a, T b) { return a < b ? b : a; }\n";

bool gp_write_cuda_prelude(const char *path, bool with_types, struct gp_error *error)
{
    FILE *file = fopen(path, "w");
    bool written = file != NULL && fputs(keywords, file) >= 0 && (!with_types || fputs(types_and_functions, file) >= 0);
    if (file != NULL)
        written = fclose(file) == 0 && written;
    return written || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
