/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/opencl_prelude.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "support/text.h"

/*
 * Ids and sizes have 64 bits in OpenCL and far fewer on every GPU. Vendors' compilers know that and compute in 32 bits;
 * so does LLVM where it sees the registers that hold them. nodebug: their place is that of the call.
 */
static const char by_dimension[] =
    "#define GPUPERF_ID(name) static inline __attribute__((always_inline, const, nodebug)) size_t gpuperf_##name(uint "
    "d)\n"
    "#define GPUPERF_PICK(x, y, z, other) (d == 0 ? x : d == 1 ? y : d == 2 ? z : other)\n";

static const char nvidia_ids[] =
    "#define GPUPERF_REGISTER(name, other) GPUPERF_PICK(__nvvm_read_ptx_sreg_##name##_x(), "
    "__nvvm_read_ptx_sreg_##name##_y(), __nvvm_read_ptx_sreg_##name##_z(), other)\n"
    "GPUPERF_ID(get_local_id) { return (uint)GPUPERF_REGISTER(tid, 0); }\n"
    "GPUPERF_ID(get_group_id) { return (uint)GPUPERF_REGISTER(ctaid, 0); }\n"
    "GPUPERF_ID(get_local_size) { return (uint)GPUPERF_REGISTER(ntid, 1); }\n"
    "GPUPERF_ID(get_num_groups) { return (uint)GPUPERF_REGISTER(nctaid, 1); }\n"
    "GPUPERF_ID(get_global_id) { return (uint)(gpuperf_get_group_id(d) * gpuperf_get_local_size(d) + "
    "gpuperf_get_local_id(d)); }\n"
    "GPUPERF_ID(get_global_size) { return (uint)(gpuperf_get_num_groups(d) * gpuperf_get_local_size(d)); }\n"
    "#define get_local_size gpuperf_get_local_size\n"
    "#define get_num_groups gpuperf_get_num_groups\n"
    "#define get_global_size gpuperf_get_global_size\n"
    "#undef GPUPERF_REGISTER\n";

/* Sizes are in memory there: calls that the plugin knows. */
static const char amd_ids[] = "#define GPUPERF_REGISTER(name) GPUPERF_PICK(__builtin_amdgcn_##name##_id_x(), "
                              "__builtin_amdgcn_##name##_id_y(), __builtin_amdgcn_##name##_id_z(), 0)\n"
                              "GPUPERF_ID(get_local_id) { return (uint)GPUPERF_REGISTER(workitem); }\n"
                              "GPUPERF_ID(get_group_id) { return (uint)GPUPERF_REGISTER(workgroup); }\n"
                              "GPUPERF_ID(get_global_id) { return (uint)(gpuperf_get_group_id(d) * get_local_size(d) + "
                              "gpuperf_get_local_id(d) + get_global_offset(d)); }\n"
                              "#undef GPUPERF_REGISTER\n";

/* The same from where AMD's library has it, for a compile whose code shall be whole: the dispatch packet (HSA), the
 * hidden arguments (LLVM's AMDGPUUsage). */
static const char amd_sizes[] =
    "#define GPUPERF_PACKET(type) ((__constant type *)__builtin_amdgcn_dispatch_ptr())\n"
    "GPUPERF_ID(get_local_size) { return GPUPERF_PICK(GPUPERF_PACKET(ushort)[2], GPUPERF_PACKET(ushort)[3], "
    "GPUPERF_PACKET(ushort)[4], 1); }\n"
    "GPUPERF_ID(get_global_size) { return GPUPERF_PICK(GPUPERF_PACKET(uint)[3], GPUPERF_PACKET(uint)[4], "
    "GPUPERF_PACKET(uint)[5], 1); }\n"
    "GPUPERF_ID(get_num_groups) { return (uint)(gpuperf_get_global_size(d) + gpuperf_get_local_size(d) - 1) / "
    "(uint)gpuperf_get_local_size(d); }\n"
    "GPUPERF_ID(get_global_offset) { return d < 3 ? ((__constant ulong *)__builtin_amdgcn_implicitarg_ptr())[d] : 0; "
    "}\n"
    "static inline __attribute__((always_inline)) void gpuperf_barrier(uint flags)\n"
    "{ __builtin_amdgcn_fence(__ATOMIC_RELEASE, \"workgroup\"); __builtin_amdgcn_s_barrier(); "
    "__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, \"workgroup\"); }\n"
    "#define get_local_size gpuperf_get_local_size\n"
    "#define get_global_size gpuperf_get_global_size\n"
    "#define get_num_groups gpuperf_get_num_groups\n"
    "#define get_global_offset gpuperf_get_global_offset\n"
    "#define barrier gpuperf_barrier\n"
    "#undef GPUPERF_PACKET\n";

static const char names[] = "#undef GPUPERF_PICK\n"
                            "#undef GPUPERF_ID\n"
                            "#define get_local_id gpuperf_get_local_id\n"
                            "#define get_group_id gpuperf_get_group_id\n"
                            "#define get_global_id gpuperf_get_global_id\n";

/* AMD's native_sqrt is one v_sqrt_f32; LLVM's simplification of AMD's library calls makes a correctly rounded root of
 * it, 16 instructions. */
static const char native_sqrt[] =
    "#define GPUPERF_ROOT static inline __attribute__((overloadable, always_inline, const))\n"
    "GPUPERF_ROOT float gpuperf_native_sqrt(float x) { return __builtin_amdgcn_sqrtf(x); }\n"
    "GPUPERF_ROOT float2 gpuperf_native_sqrt(float2 x) { return (float2)(gpuperf_native_sqrt(x.x), "
    "gpuperf_native_sqrt(x.y)); }\n"
    "GPUPERF_ROOT float3 gpuperf_native_sqrt(float3 x) { return (float3)(gpuperf_native_sqrt(x.xy), "
    "gpuperf_native_sqrt(x.z)); }\n"
    "GPUPERF_ROOT float4 gpuperf_native_sqrt(float4 x) { return (float4)(gpuperf_native_sqrt(x.xy), "
    "gpuperf_native_sqrt(x.zw)); }\n"
    "GPUPERF_ROOT float8 gpuperf_native_sqrt(float8 x) { return (float8)(gpuperf_native_sqrt(x.lo), "
    "gpuperf_native_sqrt(x.hi)); }\n"
    "GPUPERF_ROOT float16 gpuperf_native_sqrt(float16 x) { return (float16)(gpuperf_native_sqrt(x.lo), "
    "gpuperf_native_sqrt(x.hi)); }\n"
    "#undef GPUPERF_ROOT\n"
    "#define native_sqrt gpuperf_native_sqrt\n";

bool gp_has_opencl_prelude(const struct gp_target *target)
{
    return target->kind == GP_TARGET_AMDGCN || target->kind == GP_TARGET_NVPTX;
}

bool gp_write_opencl_prelude(const char *path, const struct gp_target *target, bool whole, struct gp_error *error)
{
    bool amd = target->kind == GP_TARGET_AMDGCN;
    const char *const parts[] = {by_dimension, amd && whole ? amd_sizes : "", amd ? amd_ids : nvidia_ids, names,
                                 amd ? native_sqrt : ""};
    FILE *file = fopen(path, "w");
    bool written = file != NULL;
    for (size_t i = 0; written && i < sizeof parts / sizeof *parts; i++)
        written = fputs(parts[i], file) >= 0;
    if (file != NULL)
        written = fclose(file) == 0 && written;
    return written || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}

bool gp_write_driver_macros(const char *path, char *const *macros, struct gp_error *error)
{
    struct gp_text text = {0};
    gp_text_printf(&text, "#pragma clang system_header\n"); /* no warning that a macro is another one now */
    for (; *macros != NULL; macros++) {
        int length = (int)strcspn(*macros, "=");
        gp_text_printf(&text, "#undef %.*s\n", length, *macros);
        if ((*macros)[length] == '=')
            gp_text_printf(&text, "#define %.*s %s\n", length, *macros, *macros + length + 1);
    }
    bool written = gp_write_file(path, text.data, text.length);
    gp_text_free(&text);
    return written || gp_fail(error, "cannot write %s: %s", path, strerror(errno));
}
