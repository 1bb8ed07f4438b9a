/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* AMD's native_sqrt is one v_sqrt_f32; LLVM's simplification of AMD's library calls makes a correctly rounded root of
 * it, 16 instructions. */
#define GPUPERF_ROOT static inline __attribute__((overloadable, always_inline, const))
GPUPERF_ROOT float gpuperf_native_sqrt(float x) { return __builtin_amdgcn_sqrtf(x); }
GPUPERF_ROOT float2 gpuperf_native_sqrt(float2 x) { return (float2)(gpuperf_native_sqrt(x.x),
    gpuperf_native_sqrt(x.y)); }
GPUPERF_ROOT float3 gpuperf_native_sqrt(float3 x) { return (float3)(gpuperf_native_sqrt(x.xy),
    gpuperf_native_sqrt(x.z)); }
GPUPERF_ROOT float4 gpuperf_native_sqrt(float4 x) { return (float4)(gpuperf_native_sqrt(x.xy),
    gpuperf_native_sqrt(x.zw)); }
GPUPERF_ROOT float8 gpuperf_native_sqrt(float8 x) { return (float8)(gpuperf_native_sqrt(x.lo),
    gpuperf_native_sqrt(x.hi)); }
GPUPERF_ROOT float16 gpuperf_native_sqrt(float16 x) { return (float16)(gpuperf_native_sqrt(x.lo),
    gpuperf_native_sqrt(x.hi)); }
#undef GPUPERF_ROOT
#define native_sqrt gpuperf_native_sqrt
