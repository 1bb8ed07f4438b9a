/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What kernels call: work-item functions of OpenCL, NVIDIA and AMD, exchange between lanes, a little mathematics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/oracle/machine.h"

/* ---- OpenCL
 * ---------------------------------------------------------------------------------------------------------- */

static uint64_t get_local_id(uint32_t d) { return d < 3 ? oracle_now.item->local_id[d] : 0; }
static uint64_t get_group_id(uint32_t d) { return d < 3 ? oracle_now.group[d] : 0; }
static uint64_t get_global_offset(uint32_t d) { return d < 3 ? oracle_now.range.offset[d] : 0; }
static uint64_t get_global_id(uint32_t d)
{
    return d < 3 ? oracle_now.range.offset[d] + oracle_now.group[d] * oracle_now.range.local[d] +
                       oracle_now.item->local_id[d]
                 : 0;
}
static uint64_t get_local_size(uint32_t d) { return d < 3 ? oracle_now.size[d] : 1; }
static uint64_t get_enqueued_local_size(uint32_t d) { return d < 3 ? oracle_now.range.local[d] : 1; }
static uint64_t get_global_size(uint32_t d) { return d < 3 ? oracle_now.range.global[d] : 1; }
static uint64_t get_num_groups(uint32_t d) { return d < 3 ? oracle_now.groups[d] : 1; }
static uint32_t get_work_dim(void) { return oracle_now.range.dims; }
static uint32_t linear_id(void) { return (uint32_t)(oracle_now.item - oracle_now.all); }
static uint64_t get_local_linear_id(void) { return linear_id(); }
static uint64_t get_global_linear_id(void)
{
    uint64_t id[3];
    for (uint32_t d = 0; d < 3; d++)
        id[d] = get_global_id(d) - oracle_now.range.offset[d];
    return (id[2] * oracle_now.range.global[1] + id[1]) * oracle_now.range.global[0] + id[0];
}
static uint32_t get_sub_group_local_id(void) { return oracle_now.item->lane; }
static uint32_t get_sub_group_id(void) { return oracle_now.item->warp; }
static uint32_t warps(void)
{
    return (oracle_now.items + oracle_now.range.warp_width - 1) / oracle_now.range.warp_width;
}
static uint32_t get_sub_group_size(void)
{
    uint32_t width = oracle_now.range.warp_width, left = oracle_now.items - oracle_now.item->warp * width;
    return left < width ? left : width;
}
static uint32_t get_max_sub_group_size(void) { return oracle_now.range.warp_width; }

/* ---- NVIDIA
 * ---------------------------------------------------------------------------------------------------------- */

#define SREG(register, value) \
    static uint32_t sreg_##register##_x(void) { return (uint32_t)(value)[0]; } \
    static uint32_t sreg_##register##_y(void) { return (uint32_t)(value)[1]; } \
    static uint32_t sreg_##register##_z(void) { return (uint32_t)(value)[2]; }
SREG(tid, oracle_now.item->local_id)
SREG(ctaid, oracle_now.group)
SREG(ntid, oracle_now.size)
SREG(nctaid, oracle_now.groups)
static uint32_t sreg_laneid(void) { return oracle_now.item->lane; }
/* clang-format off */
#define LANES(which, holds) \
    static uint32_t lanemask_##which(void) \
    { \
        uint32_t mask = 0; \
        for (uint32_t lane = 0; lane < 32; lane++) \
            mask |= (uint32_t)(lane holds oracle_now.item->lane) << lane; \
        return mask; \
    }
/* clang-format on */
LANES(eq, ==)
LANES(lt, <)
LANES(le, <=)
LANES(ge, >=)
LANES(gt, >)
static uint32_t sreg_warpsize(void) { return oracle_now.range.warp_width; }

/* ---- AMD
 * -------------------------------------------------------------------------------------------------------------- */

/* hsa_kernel_dispatch_packet_t as far as programs read it. */
static void *dispatch_packet(void)
{
    static struct {
        uint16_t header, setup, workgroup[3], reserved;
        uint32_t grid[3];
        uint32_t private_bytes, group_bytes;
        uint64_t object, arguments, reserved2, signal;
    } packet;
    packet.setup = (uint16_t)oracle_now.range.dims;
    for (int d = 0; d < 3; d++) {
        packet.workgroup[d] = (uint16_t)oracle_now.range.local[d];
        packet.grid[d] = (uint32_t)oracle_now.range.global[d];
    }
    return &packet;
}

/* The hidden kernel arguments as libclc has them: the dimensions, then the offsets. */
static void *implicit_arguments(void)
{
    static uint32_t arguments[64];
    arguments[0] = oracle_now.range.dims;
    for (int d = 0; d < 3; d++)
        arguments[1 + d] = (uint32_t)oracle_now.range.offset[d];
    return arguments;
}

static uint32_t mbcnt_lo(uint32_t mask, uint32_t sum)
{
    uint32_t lane = oracle_now.item->lane;
    uint32_t below = lane >= 32 ? UINT32_MAX : (1u << lane) - 1;
    return sum + (uint32_t)__builtin_popcount(mask & below);
}

static uint32_t mbcnt_hi(uint32_t mask, uint32_t sum)
{
    uint32_t lane = oracle_now.item->lane;
    uint32_t below = lane <= 32 ? 0 : (1u << (lane - 32)) - 1;
    return sum + (uint32_t)__builtin_popcount(mask & below);
}

/* ---- Exchange between the lanes of a warp
 * -------------------------------------------------------------------------------- */

static void give(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t given[4] = {a, b, c, d};
    memcpy(oracle_now.item->given, given, sizeof given);
}

static uint64_t given_by(uint32_t lane, int which)
{
    const struct oracle_item *own = oracle_now.item;
    bool there = lane < ORACLE_LANES && (oracle_now.together >> lane & 1);
    return there ? own[(int)lane - (int)own->lane].given[which] : own->given[which];
}

static uint64_t combine(int which, bool all)
{
    uint64_t sum = 0, ballot = 0;
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++)
        if (oracle_now.together >> lane & 1) {
            sum += given_by(lane, which);
            ballot |= (uint64_t)(given_by(lane, which) & 1) << lane;
        }
    return all ? ballot : sum;
}

/* Of lanes that are not there 0. */
static uint64_t given_or_nothing(uint32_t lane, int which)
{
    bool there = lane < ORACLE_LANES && (oracle_now.together >> lane & 1);
    return there ? given_by(lane, which) : 0;
}

/* Which lane a DPP control reads from in a row of 16, or in the wavefront; ORACLE_LANES: none (GCN3 and Vega ISA,
 * "DPP"). */
static uint32_t dpp_source(uint32_t control, uint32_t lane)
{
    uint32_t row = lane & ~15u, in_row = lane & 15, count = control & 15;
    if (control < 0x100) /* quad_perm */
        return (lane & ~3u) + (control >> (2 * (lane & 3)) & 3);
    switch (control >> 4) {
    case 0x10: return in_row + count < 16 ? lane + count : ORACLE_LANES; /* row_shl */
    case 0x11: return in_row >= count ? lane - count : ORACLE_LANES;     /* row_shr */
    case 0x12: return row + ((in_row - count) & 15);                     /* row_ror */
    case 0x15: return row + count;                                       /* row_newbcast */
    default: break;
    }
    switch (control) {
    case 0x130: return lane + 1 < ORACLE_LANES ? lane + 1 : ORACLE_LANES; /* wave_shl */
    case 0x134: return (lane + 1) % ORACLE_LANES;                         /* wave_rol */
    case 0x138: return lane > 0 ? lane - 1 : ORACLE_LANES;                /* wave_shr */
    case 0x13c: return (lane - 1) % ORACLE_LANES;                         /* wave_ror */
    case 0x140: return row + 15 - in_row;                                 /* row_mirror */
    case 0x141: return (lane & ~7u) + 7 - (lane & 7);                     /* row_half_mirror */
    case 0x142: return row > 0 ? row - 1 : ORACLE_LANES;                  /* row_bcast:15 */
    case 0x143: return row >= 32 ? 31 : ORACLE_LANES;                     /* row_bcast:31 */
    default: abort();
    }
}

/* "llvm.amdgcn.update.dpp.i32 CONTROL ROWS BANKS BOUND": old and source are given. */
static uint64_t update_dpp(const char *name)
{
    const struct oracle_item *own = oracle_now.item;
    unsigned control, rows, banks, bound;
    if (sscanf(strchr(name, ' '), "%u %u %u %u", &control, &rows, &banks, &bound) != 4)
        abort();
    uint32_t lane = own->lane, from = dpp_source(control, lane);
    bool written = rows >> (lane / 16) & 1 && banks >> (lane / 4 % 4) & 1;
    bool there = from < ORACLE_LANES && (oracle_now.together >> from & 1);
    return !written || (!there && !bound) ? own->given[0] : there ? given_by(from, 1) : 0;
}

/* In groups of 32 lanes by masks, or of four by a permutation (Vega ISA, DS_SWIZZLE_B32). */
static uint64_t swizzle(const char *name)
{
    uint32_t lane = oracle_now.item->lane;
    unsigned pattern;
    if (sscanf(strchr(name, ' '), "%u", &pattern) != 1)
        abort();
    uint32_t inside = ((lane & 31 & pattern) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31);
    return given_or_nothing(pattern & 0x8000 ? dpp_source(pattern & 255, lane) : (lane & ~31u) + inside, 0);
}

/* Lanes say to whom their value goes; of several the last one wins. */
static uint64_t pushed(void)
{
    const struct oracle_item *own = oracle_now.item;
    uint64_t value = 0;
    for (uint32_t lane = 0; lane < ORACLE_LANES; lane++)
        if ((oracle_now.together >> lane & 1) && (given_by(lane, 0) / 4 & (ORACLE_LANES - 1)) == own->lane)
            value = given_by(lane, 1);
    return value;
}

static uint64_t take(const char *name)
{
    const struct oracle_item *own = oracle_now.item;
    uint32_t lane = own->lane, by = (uint32_t)own->given[2];
    if (strstr(name, "shfl.sync.idx"))
        return given_by(by, 1);
    if (strstr(name, "shfl.sync.up"))
        return given_by(by <= lane ? lane - by : lane, 1);
    if (strstr(name, "shfl.sync.down"))
        return given_by(lane + by, 1);
    if (strstr(name, "shfl.sync.bfly"))
        return given_by(lane ^ by, 1);
    if (strstr(name, "vote.ballot"))
        return combine(1, true);
    if (strstr(name, "vote.any"))
        return combine(1, true) != 0;
    if (strstr(name, "vote.all"))
        return combine(1, true) == oracle_now.together;
    if (strstr(name, "ds.bpermute")) /* the address in bytes, the value */
        return given_by((uint32_t)own->given[0] / 4, 1);
    if (strstr(name, "ds.permute"))
        return pushed();
    if (strstr(name, "update.dpp"))
        return update_dpp(name);
    if (strstr(name, "ds.swizzle"))
        return swizzle(name);
    if (strstr(name, "readfirstlane"))
        return given_by((uint32_t)__builtin_ctzll(oracle_now.together), 0);
    if (strstr(name, "readlane"))
        return given_by((uint32_t)own->given[1], 0);
    if (strstr(name, "ballot"))
        return combine(0, true);
    if (strstr(name, "sub_group_shuffle_xor"))
        return given_by(lane ^ (uint32_t)own->given[1], 0);
    if (strstr(name, "sub_group_shuffle") || strstr(name, "sub_group_broadcast"))
        return given_by((uint32_t)own->given[1], 0);
    if (strstr(name, "sub_group_reduce_add"))
        return combine(0, false);
    if (strstr(name, "sub_group_any"))
        return combine(0, true) != 0;
    if (strstr(name, "sub_group_all"))
        return combine(0, true) == oracle_now.together;
    abort();
}

/* ---- Images, mathematics
 * --------------------------------------------------------------------------------------------------- */

static int64_t floor_of(double x) { return (int64_t)floor(x); }
static uint32_t texel(uint32_t channel) { return linear_id() * 7 % 16 + channel; }
static float native_rsqrt(float x) { return 1 / sqrtf(x); }
static double rsqrt(double x) { return 1 / sqrt(x); }
static float sinpi_f(float x) { return sinf((float)M_PI * x); }
static double sinpi_d(double x) { return sin(M_PI * x); }
static int32_t isinf_f(float x) { return isinf(x) != 0; }
static int32_t isinf_d(double x) { return isinf(x) != 0; }
static void passed_assertion(void) {}

void oracle_access(uint32_t record, uint64_t address);
void oracle_image(uint32_t record, uint32_t dims, int64_t x, int64_t y, int64_t z);
void oracle_bulk_copy(uint32_t record, uint64_t to, uint64_t from, uint64_t elements, uint64_t stride, uint32_t bytes,
                      uint32_t to_local);

#define BUILTIN(name, function) \
    { \
        "fn." name, (void *)(function) \
    }
#define SREGS(register) \
    {"llvm_nvvm_read_ptx_sreg_" #register "_x", (void *)sreg_##register##_x}, \
        {"llvm_nvvm_read_ptx_sreg_" #register "_y", (void *)sreg_##register##_y}, \
    { \
        "llvm_nvvm_read_ptx_sreg_" #register "_z", (void *)sreg_##register##_z \
    }

const struct oracle_function oracle_functions[] = {
    {"oracle_access", (void *)oracle_access},
    BUILTIN("gpuperf.passed_assertion", passed_assertion),
    {"oracle_image", (void *)oracle_image},
    {"oracle_bulk_copy", (void *)oracle_bulk_copy},
    {"oracle_give", (void *)give},
    {"oracle_take", (void *)take},
    {"oracle_floor", (void *)floor_of},
    {"oracle_texel", (void *)texel},
    BUILTIN("_Z12get_local_idj", get_local_id),
    BUILTIN("_Z12get_group_idj", get_group_id),
    BUILTIN("_Z13get_global_idj", get_global_id),
    BUILTIN("_Z14get_local_sizej", get_local_size),
    BUILTIN("_Z23get_enqueued_local_sizej", get_enqueued_local_size),
    BUILTIN("_Z15get_global_sizej", get_global_size),
    BUILTIN("_Z14get_num_groupsj", get_num_groups),
    BUILTIN("_Z17get_global_offsetj", get_global_offset),
    BUILTIN("_Z12get_work_dimv", get_work_dim),
    BUILTIN("_Z19get_local_linear_idv", get_local_linear_id),
    BUILTIN("_Z20get_global_linear_idv", get_global_linear_id),
    BUILTIN("_Z22get_sub_group_local_idv", get_sub_group_local_id),
    BUILTIN("_Z16get_sub_group_idv", get_sub_group_id),
    BUILTIN("_Z18get_num_sub_groupsv", warps),
    BUILTIN("_Z18get_sub_group_sizev", get_sub_group_size),
    BUILTIN("_Z22get_max_sub_group_sizev", get_max_sub_group_size),
    /* what libclc's library for NVIDIA leaves to libdevice */
    BUILTIN("__nv_isinff", isinf_f),
    BUILTIN("__nv_isinfd", isinf_d),
    BUILTIN("__nv_logf", logf),
    BUILTIN("__nv_log", log),
    BUILTIN("__nv_rsqrtf", native_rsqrt),
    BUILTIN("__nv_rsqrt", rsqrt),
    BUILTIN("__nv_sinpif", sinpi_f),
    BUILTIN("__nv_sinpi", sinpi_d),
    BUILTIN("__nv_sqrtf", sqrtf),
    BUILTIN("__nv_sqrt", sqrt),
    BUILTIN("_Z3sinf", sinf),
    BUILTIN("_Z3cosf", cosf),
    BUILTIN("_Z3expf", expf),
    BUILTIN("_Z3logf", logf),
    BUILTIN("_Z4exp2f", exp2f),
    BUILTIN("_Z4log2f", log2f),
    BUILTIN("_Z3powff", powf),
    BUILTIN("_Z5atan2ff", atan2f),
    BUILTIN("_Z5hypotff", hypotf),
    BUILTIN("_Z4fmodff", fmodf),
    BUILTIN("_Z5rsqrtf", native_rsqrt),
    BUILTIN("_Z12native_rsqrtf", native_rsqrt),
    BUILTIN("_Z10native_sinf", sinf),
    BUILTIN("_Z10native_cosf", cosf),
    BUILTIN("_Z10native_expf", expf),
    SREGS(tid),
    SREGS(ctaid),
    SREGS(ntid),
    SREGS(nctaid),
    {"llvm_nvvm_read_ptx_sreg_laneid", (void *)sreg_laneid},
    {"llvm_nvvm_read_ptx_sreg_lanemask_eq", (void *)lanemask_eq},
    {"llvm_nvvm_read_ptx_sreg_lanemask_lt", (void *)lanemask_lt},
    {"llvm_nvvm_read_ptx_sreg_lanemask_le", (void *)lanemask_le},
    {"llvm_nvvm_read_ptx_sreg_lanemask_ge", (void *)lanemask_ge},
    {"llvm_nvvm_read_ptx_sreg_lanemask_gt", (void *)lanemask_gt},
    {"llvm_nvvm_read_ptx_sreg_warpsize", (void *)sreg_warpsize},
    {"llvm_amdgcn_workitem_id_x", (void *)sreg_tid_x},
    {"llvm_amdgcn_workitem_id_y", (void *)sreg_tid_y},
    {"llvm_amdgcn_workitem_id_z", (void *)sreg_tid_z},
    {"llvm_amdgcn_workgroup_id_x", (void *)sreg_ctaid_x},
    {"llvm_amdgcn_workgroup_id_y", (void *)sreg_ctaid_y},
    {"llvm_amdgcn_workgroup_id_z", (void *)sreg_ctaid_z},
    {"llvm_amdgcn_dispatch_ptr", (void *)dispatch_packet},
    {"llvm_amdgcn_implicitarg_ptr", (void *)implicit_arguments},
    {"llvm_amdgcn_mbcnt_lo", (void *)mbcnt_lo},
    {"llvm_amdgcn_mbcnt_hi", (void *)mbcnt_hi},
    {NULL, NULL},
};
