#include "compile/opencl_prelude.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* AMD's native_sqrt is one v_sqrt_f32; LLVM's simplification of AMD's library calls makes a correctly rounded root of it, 16 instructions. */
static const char native_sqrt[] =
    "#define GPUPERF_ROOT static inline __attribute__((overloadable, always_inline, const))\n"
    "GPUPERF_ROOT float gpuperf_native_sqrt(float x) { return __builtin_amdgcn_sqrtf(x); }\n"
    "GPUPERF_ROOT float2 gpuperf_native_sqrt(float2 x) { return (float2)(gpuperf_native_sqrt(x.x), gpuperf_native_sqrt(x.y)); }\n"
    "GPUPERF_ROOT float3 gpuperf_native_sqrt(float3 x) { return (float3)(gpuperf_native_sqrt(x.xy), gpuperf_native_sqrt(x.z)); }\n"
    "GPUPERF_ROOT float4 gpuperf_native_sqrt(float4 x) { return (float4)(gpuperf_native_sqrt(x.xy), gpuperf_native_sqrt(x.zw)); }\n"
    "GPUPERF_ROOT float8 gpuperf_native_sqrt(float8 x) { return (float8)(gpuperf_native_sqrt(x.lo), gpuperf_native_sqrt(x.hi)); }\n"
    "GPUPERF_ROOT float16 gpuperf_native_sqrt(float16 x) { return (float16)(gpuperf_native_sqrt(x.lo), gpuperf_native_sqrt(x.hi)); }\n"
    "#undef GPUPERF_ROOT\n"
    "#define native_sqrt gpuperf_native_sqrt\n";

bool gp_has_opencl_prelude(const struct gp_target *target)
{
    return target->kind == GP_TARGET_AMDGCN;
}

bool gp_write_opencl_prelude(const char *path, struct gp_error *error)
{
    FILE *file = fopen(path, "w");
    bool written = file != NULL && fputs(native_sqrt, file) >= 0;
    if (file != NULL)
        written = fclose(file) == 0 && written;
    return written || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
