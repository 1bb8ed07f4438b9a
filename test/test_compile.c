/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The compile part: what backends print, stand-ins, running programs, and gp_compile() with a script in clang's place.
 */
#define _GNU_SOURCE /* asprintf */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "compile/backend.h"
#include "compile/compile.h"
#include "compile/messages.h"
#include "compile/process.h"
#include "compile/stand_ins.h"
#include "compile/target.h"
#include "compile/workdir.h"
#include "model/profile/profile_binary.h"
#include "model/profile/profile_text.h"
#include "test/golden.h"

/* ---- ptxas ------------------------------------------------------------------------------------------------------- */

static void reads_ptxas(void **state)
{
    (void)state;
    struct gp_backend_list list = {0};
    gp_read_ptxas("ptxas info    : 0 bytes gmem\n"
                  "ptxas info    : Compiling entry function 'copy' for 'sm_80'\n"
                  "ptxas info    : Function properties for copy\n"
                  "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
                  "ptxas info    : Used 10 registers, used 0 barriers, 368 bytes cmem[0]\n"
                  "ptxas info    : Function properties for helper\n"
                  "    64 bytes stack frame, 32 bytes spill stores, 32 bytes spill loads\n"
                  "ptxas info    : Compiling entry function 'tiled' for 'sm_80'\n"
                  "ptxas info    : Function properties for tiled\n"
                  "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                  "ptxas info    : Used 255 registers, used 1 barriers, 4224 bytes smem, 376 bytes cmem[0]",
                  &list);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.kernels[0].symbol, "copy");
    assert_int_equal(list.kernels[0].resources.registers, 10);
    assert_int_equal(list.kernels[0].resources.stack_bytes, 16); /* not the helper's 64 */
    assert_int_equal(list.kernels[0].resources.spill_store_bytes, 8);
    assert_int_equal(list.kernels[0].resources.spill_load_bytes, 12);
    assert_int_equal(list.kernels[0].resources.local_bytes, 0);
    assert_string_equal(list.kernels[1].symbol, "tiled");
    assert_int_equal(list.kernels[1].resources.registers, 255);
    assert_int_equal(list.kernels[1].resources.local_bytes, 4224);
    assert_int_equal(list.kernels[1].resources.launch_bound, 0);
    assert_int_equal(list.kernels[1].resources.source, GP_SOURCE_PTXAS);
    gp_backend_free(&list);
}

static void reads_nothing_from_other_text(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "\n",
                                        "ptxas fatal   : Unresolved extern function 'f'\n",
                                        "Compiling entry function '",
                                        "Used registers",
                                        "    1 bytes stack frame\nUsed 5 registers\n",
                                        "amdhsa.kernels:",
                                        "\namdhsa.kernels:\n  - ",
                                        "\namdhsa.kernels:\n  - .name:"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct gp_backend_list list = {0};
        gp_read_ptxas(texts[i], &list);
        gp_read_amdgpu(texts[i], &list);
        assert_int_equal(list.count, 0);
        gp_backend_free(&list);
    }
}

/* ---- AMDGPU ------------------------------------------------------------------------------------------------------ */

static const char metadata[] = "\ts_endpgm\n\t.amdgpu_metadata\n---\namdhsa.kernels:\n"
                               "  - .agpr_count:     4\n"
                               "    .args:\n"
                               "      - .name:           width\n"
                               "        .offset:         0\n"
                               "    .group_segment_fixed_size: 4096\n"
                               "    .max_flat_workgroup_size: 256\n"
                               "    .name:           blur\n"
                               "    .private_segment_fixed_size: 12\n"
                               "    .sgpr_count:     22\n"
                               "    .sgpr_spill_count: 0\n"
                               "    .symbol:         blur.kd\n"
                               "    .vgpr_count:     132\n"
                               "    .vgpr_spill_count: 3\n"
                               "    .wavefront_size: 64\n"
                               "  - .agpr_count:     0\n"
                               "    .max_flat_workgroup_size: 64\n"
                               "    .name:           'on'\n"
                               "    .private_segment_fixed_size: 0\n"
                               "    .vgpr_count:     7\n"
                               "    .vgpr_spill_count: 9\n"
                               "amdhsa.target:   amdgcn-amd-amdhsa--gfx90a\n"
                               "    .vgpr_count:     99\n...\n";

static void reads_amdgpu(void **state)
{
    (void)state;
    struct gp_backend_list list = {0};
    gp_read_amdgpu(metadata, &list);
    assert_int_equal(list.count, 2);
    const struct gp_resources *blur = &list.kernels[0].resources;
    assert_string_equal(list.kernels[0].symbol, "blur");
    assert_int_equal(blur->registers, 132);
    assert_int_equal(blur->scalar_registers, 22);
    assert_int_equal(blur->launch_bound, 256);
    assert_int_equal(blur->local_bytes, 4096);
    assert_int_equal(blur->stack_bytes, 12);
    assert_int_equal(blur->spill_store_bytes, 12); /* 3 registers of 4 bytes */
    assert_int_equal(blur->spill_load_bytes, 12);
    assert_int_equal(blur->source, GP_SOURCE_LLVM);
    assert_string_equal(list.kernels[1].symbol, "on");
    assert_int_equal(list.kernels[1].resources.registers, 7);
    assert_int_equal(list.kernels[1].resources.launch_bound, 64);
    assert_int_equal(list.kernels[1].resources.spill_store_bytes,
                     0); /* no private memory: spilled into other registers */
    gp_backend_free(&list);
}

/* One register stored before the loops; in the inner loop it is loaded twice and another one stored and loaded. */
/* What LLVM prints of the kernel: its code, and behind it the metadata. */
static void read_code(const char *code, struct gp_backend_list *list)
{
    struct gp_text text = {0};
    gp_text_printf(&text, "%s%s", code, metadata);
    gp_read_amdgpu(text.data, list);
    gp_text_free(&text);
}

static const char spilling[] =
    "blur_2:\n\tbuffer_store_dword v9, off, s[0:3], 0 offset:4 ; 4-byte Folded Spill\n.Lfunc_end0:\n"
    "blur:                                   ; @blur\n; %bb.0:\n"
    "\tbuffer_store_dword v1, off, s[0:3], 0 offset:4 ; 4-byte Folded Spill\n"
    ".LBB1_1:                                ; =>This Loop Header: Depth=1\n"
    "                                        ;     Child Loop BB1_10 Depth 2\n"
    "\tv_mov_b32_e32 v1, 0\n"
    ".LBB1_10:                               ;   Parent Loop BB1_1 Depth=1\n"
    "                                        ; =>  This Inner Loop Header: Depth=2\n"
    "\tbuffer_load_dword v1, off, s[0:3], 0 offset:4 ; 4-byte Folded Reload\n"
    "; %bb.11:                               ;   in Loop: Header=BB1_10 Depth=2\n"
    "\tbuffer_load_dword v1, off, s[0:3], 0 offset:4 ; 4-byte Folded Reload\n"
    "\tscratch_store_dwordx2 off, v[2:3], s32 offset:8 ; 8-byte Folded Spill\n"
    "\tscratch_load_dwordx2 v[2:3], off, s32 offset:8 ; 8-byte Folded Reload\n"
    "; %bb.12:\n\ts_endpgm\n.Lfunc_end1:\n";

/* Registers that are loaded in a clause, beside a load from an array of the frame and one whose place is not fixed. */
static const char clauses[] = "blur:                                   ; @blur\n; %bb.0:\n"
                              "\tbuffer_store_dword v1, off, s[0:3], 0 ; 4-byte Folded Spill\n"
                              "\tbuffer_store_dword v2, off, s[0:3], 0 offset:4 ; 4-byte Folded Spill\n"
                              "\tbuffer_store_dword v6, off, s[0:3], 0 offset:8 ; 4-byte Folded Spill\n"
                              "\tbuffer_store_dword v3, off, s[0:3], 0 offset:64\n"
                              "\ts_clause 0x1\n"
                              "\tbuffer_load_dword v6, off, s[0:3], 0 offset:8\n"
                              "\tbuffer_load_dword v1, off, s[0:3], 0\n"
                              "\ts_clause 0x1\n"
                              "\tbuffer_load_dword v1, off, s[0:3], 0\n"
                              "\tbuffer_load_dword v2, off, s[0:3], 0 offset:4\n"
                              "\tbuffer_load_dword v3, off, s[0:3], 0 offset:64\n"
                              "\tbuffer_load_dword v4, v5, s[0:3], 0 offen offset:4\n"
                              "\tbuffer_load_dword v2, off, s[0:3], 0 offset:4 ; 4-byte Folded Reload\n"
                              ".Lfunc_end0:\n";

static void reads_reloads_in_clauses(void **state)
{
    (void)state;
    struct gp_backend_list list = {0};
    read_code(clauses, &list);
    assert_int_equal(list.kernels[0].resources.spill_store_bytes, 12);
    assert_int_equal(list.kernels[0].resources.spill_load_bytes, 20);
    gp_backend_free(&list);
}

static void reads_spills(void **state)
{
    (void)state;
    struct gp_backend_list list = {0};
    read_code(spilling, &list);
    const struct gp_backend_kernel *blur = &list.kernels[0];
    assert_int_equal(blur->resources.spill_store_bytes, 12);
    assert_int_equal(blur->resources.spill_load_bytes, 16);
    assert_int_equal(blur->loop_count, 2);
    assert_int_equal(blur->loops[0].spill_load_bytes, 0);
    assert_int_equal(blur->loops[1].depth, 2);
    uint64_t trips[] = {3, 5};
    struct gp_loop loops[] = {{.parent = GP_NONE, .depth = 1, .trip_count = gp_ref_make(GP_REF_CONST, 0)},
                              {.parent = 0, .depth = 2, .trip_count = gp_ref_make(GP_REF_CONST, 1)}};
    struct gp_kernel kernel = {.loops = loops, .loop_count = 2, .constants = trips, .constant_count = 2};
    struct gp_resources resources = blur->resources;
    gp_weigh_spills(blur, &kernel, &resources);
    assert_int_equal(resources.spill_store_bytes, 12 + 14 * 8);
    assert_int_equal(resources.spill_load_bytes, 16 + 14 * 16);
    assert_int_equal(resources.loop_load_bytes, 0);
    loops[0].trip_count =
        gp_ref_make(GP_REF_PARAM, 0); /* the outer loop's turns are the launch's: five of the inner loop's in each */
    resources = blur->resources;
    gp_weigh_spills(blur, &kernel, &resources);
    assert_int_equal(resources.spill_store_bytes, 12 + 4 * 8);
    assert_int_equal(resources.spill_load_bytes, 16 + 4 * 16);
    assert_int_equal(resources.spill_loop, 0);
    assert_int_equal(resources.loop_store_bytes, 5 * 8);
    assert_int_equal(resources.loop_load_bytes, 5 * 16);
    loops[1].trip_count = gp_ref_make(GP_REF_PARAM, 0); /* and the inner loop's: three times what the launch tells */
    loops[0].trip_count = gp_ref_make(GP_REF_CONST, 0);
    resources = blur->resources;
    gp_weigh_spills(blur, &kernel, &resources);
    assert_int_equal(resources.spill_loop, 1);
    assert_int_equal(resources.loop_load_bytes, 3 * 16);
    kernel.loop_count = 1; /* other loops than the backend's: once */
    resources = blur->resources;
    gp_weigh_spills(blur, &kernel, &resources);
    assert_int_equal(resources.spill_load_bytes, 16);
    gp_backend_free(&list);
}

/* Vector instructions and operations on floats, of a loop and outside of it: two in one instruction on RDNA3 and CDNA2.
 */
static const char counted[] = "blur:                                   ; @blur\n; %bb.0:\n"
                              "\tv_mov_b32_e32 v1, 0\n\ts_mov_b32 s0, 1.0\n\tv_mul_u32_u24_e32 v2, 3, "
                              "v1\n\tv_mul_f16_e32 v3, v1, v2\n\tv_add_f64 v[4:5], v[6:7], v[8:9]\n"
                              ".LBB1_1:                                ; =>This Inner Loop Header: Depth=1\n"
                              "\tv_dual_fmac_f32 v1, v2, v3 :: v_dual_mul_f32 v4, v5, v6\n"
                              "\tv_dual_mov_b32 v1, 0 :: v_dual_subrev_f32 v4, v5, v6\n"
                              "\tv_dual_fmaak_f32 v1, v2, v3, 0x3f800000 :: v_dual_add_nc_u32 v4, 4, v4\n"
                              "\tv_pk_fma_f32 v[2:3], v[10:11], v[22:23], v[2:3]\n"
                              "\tv_pk_fma_f16 v2, v3, v4, v5\n"
                              "\tv_mad_u32_u24 v2, v3, v4, v5\n"
                              "\tv_mac_f32_e32 v2, v3, v4\n"
                              "\tds_read_b32 v2, v3\n\tds_read_u8 v2, v3\n\tds_read_b96 v[4:6], v3\n\tds_read2_b64 "
                              "v[4:7], v3 offset0:2 offset1:3\n"
                              "\tds_read2st64_b32 v[4:5], v3\n\tds_load_2addr_b64 v[4:7], v3\n\tds_write_b64 v2, "
                              "v[4:5]\n\tds_bpermute_b32 v2, v3, v4\n"
                              "; %bb.2:\n\ts_endpgm\n.Lfunc_end1:\n";

static void counts_vector_instructions(void **state)
{
    (void)state;
    struct gp_backend_list list = {0};
    read_code(counted, &list);
    const struct gp_backend_kernel *blur = &list.kernels[0];
    struct gp_loop loop = {.parent = GP_NONE, .depth = 1};
    struct gp_kernel kernel = {.loops = &loop, .loop_count = 1};
    struct gp_machine_code code[2];
    assert_int_equal(gp_machine_code_of(blur, &kernel, code), 2);
    assert_int_equal(code[0].loop, 0);
    assert_int_equal(code[0].vector, 7);
    assert_int_equal(code[0].floats, 2 + 1 + 1 + 2 + 1);
    assert_int_equal(code[1].loop, GP_NONE);
    assert_int_equal(code[1].vector, 4);
    assert_int_equal(code[1].floats, 1);
    assert_int_equal(code[0].local_words, 1 + 1 + 3 + 4 + 2 + 4);
    assert_int_equal(code[1].local_words, 0);
    loop.depth = 2;
    assert_int_equal(gp_machine_code_of(blur, &kernel, code), 0); /* another loop than the backend's */
    gp_backend_free(&list);
}

/* Where a backend has other loops in all, as when it unrolls one that the profile keeps, those are known that alone
 * have their operations on floats. */
static void finds_loops_by_their_floats(void **state)
{
    (void)state;
    struct gp_backend_loop own[] = {{.depth = 1, .vector = 9},
                                    {.depth = 1, .vector = 80, .floats = 63, .spill_load_bytes = 8, .local_words = 20},
                                    {.depth = 1, .vector = 5, .floats = 4},
                                    {.depth = 1, .vector = 6, .floats = 4}};
    struct gp_backend_kernel known = {.loops = own, .loop_count = 4, .vector = 3, .resources = {.spill_load_bytes = 8}};
    uint64_t trips[] = {5};
    struct gp_loop loops[] = {{.parent = GP_NONE, .depth = 1, .trip_count = gp_ref_make(GP_REF_CONST, 0)},
                              {.parent = GP_NONE, .depth = 1, .trip_count = gp_ref_make(GP_REF_CONST, 0)}};
    struct gp_inst insts[] = {{.cost = GP_CLASS_FLOAT_FMA, .repeat = 64, .record = GP_NONE},
                              {.cost = GP_CLASS_FLOAT_ADD, .repeat = 4, .record = GP_NONE}};
    struct gp_block blocks[] = {{.inst = 0, .inst_count = 1, .ipdom = GP_NONE, .loop = 0},
                                {.inst = 1, .inst_count = 1, .ipdom = GP_NONE, .loop = 1}};
    struct gp_kernel kernel = {.loops = loops,
                               .loop_count = 2,
                               .constants = trips,
                               .constant_count = 1,
                               .insts = insts,
                               .inst_count = 2,
                               .blocks = blocks,
                               .block_count = 2};
    struct gp_machine_code code[3];
    assert_int_equal(gp_machine_code_of(&known, &kernel, code), 1); /* two have four */
    assert_int_equal(code[0].loop, 0);
    assert_int_equal(code[0].vector, 80);
    assert_int_equal(code[0].local_words, 20);
    struct gp_resources resources = known.resources;
    gp_weigh_spills(&known, &kernel, &resources);
    assert_int_equal(resources.spill_load_bytes, 5 * 8);
    insts[0].repeat = 128; /* unrolled once more */
    assert_int_equal(gp_machine_code_of(&known, &kernel, code), 0);
    insts[0].repeat = 64;
    insts[1].repeat = 64; /* which of the two? */
    assert_int_equal(gp_machine_code_of(&known, &kernel, code), 0);
}

/* ---- Resources into a profile ------------------------------------------------------------------------------------ */

static void applies_resources(void **state)
{
    (void)state;
    struct gp_backend_kernel kernels[] = {
        {.symbol = "other", .resources = {.registers = 9}},
        {.symbol = "transpose", .resources = {.registers = 40, .launch_bound = 256, .source = GP_SOURCE_LLVM}},
        {.symbol = "transpose", .resources = {.registers = 24, .launch_bound = 1024, .source = GP_SOURCE_LLVM}}};
    struct gp_backend_list list = {kernels, 3};
    struct gp_error error = {0};
    struct gp_profile *profile = gp_backend_apply(golden_profile("transpose_naive"), &list, true, "mine.cl", &error);
    assert_non_null(profile);
    assert_string_equal(profile->source, "mine.cl");
    const struct gp_kernel *kernel = gp_profile_find(profile, "transpose");
    assert_int_equal(kernel->resource_count, 2);
    assert_int_equal(gp_kernel_resources(kernel, 64)->registers, 40);
    assert_int_equal(gp_kernel_resources(kernel, 512)->registers, 24);
    assert_int_equal(gp_kernel_resources(kernel, 64)->source,
                     GP_SOURCE_LLVM); /* no call was left: the stand-ins are no guess */
    gp_profile_free(profile);
}

/* ---- Stand-ins --------------------------------------------------------------------------------------------------- */

static struct gp_text stand_in(const char *module, enum gp_target_kind target, unsigned expected)
{
    struct gp_text result = {0};
    struct gp_error error = {0};
    unsigned count = 99;
    struct gp_stand_in_options options = {.target = target, .libdevice = true};
    assert_true(gp_add_stand_ins(module, &options, &result, &count, &error));
    assert_int_equal(count, expected);
    return result;
}

static void assert_contains(const struct gp_text *text, const char *part)
{
    if (strstr(text->data, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, text->data);
}

static void gives_images_a_body(void **state)
{
    (void)state;
    struct gp_text text = stand_in("declare dso_local <4 x float> @read(ptr addrspace(1), ptr addrspace(4) noundef, <2 "
                                   "x i32> noundef) local_unnamed_addr #4\n"
                                   "declare void @write(ptr addrspace(1), <2 x i32>, <4 x float>)\n"
                                   "declare dso_local ptr addrspace(4) @sampler(i32)\n",
                                   GP_TARGET_NVPTX, 3);
    assert_contains(&text, "define internal <4 x float> @read(ptr addrspace(1) %p0, ptr addrspace(4) %p1, <2 x i32> "
                           "%p2) alwaysinline nounwind {");
    assert_contains(&text, "extractelement <2 x i32> %p2, i32 1");
    assert_contains(&text, "load <4 x float>, ptr addrspace(1)");
    assert_contains(&text, "store <4 x float> %p2, ptr addrspace(1)");
    assert_contains(&text, "inttoptr i32 %p0 to ptr addrspace(4)");
    assert_null(strstr(text.data, "declare"));
    gp_text_free(&text);
}

static void renames_intrinsics_without_lowering(void **state)
{
    (void)state;
    static const char module[] = "define dso_local void @helper(float noundef %x) {\n"
                                 "  %1 = call float @llvm.exp.f32(float %x)\n"
                                 "  %2 = call float @llvm.exp2.f32(float %1)\n"
                                 "}\n"
                                 "declare float @llvm.exp.f32(float) #1\n"
                                 "declare float @llvm.exp2.f32(float) #1\n"
                                 "declare noundef range(i32 0, 5) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #6\n"
                                 "declare void @llvm.lifetime.start.p0(ptr captures(none)) #1\n"
                                 "declare dso_local float @__nv_sqrtf(float noundef)\n";
    struct gp_text text = stand_in(module, GP_TARGET_NVPTX, 1);
    assert_contains(&text, "define internal void @helper(");
    assert_contains(&text, "call float @gpuperf.llvm.exp.f32(float %x)");
    assert_contains(&text, "define internal float @gpuperf.llvm.exp.f32(float %p0)");
    assert_contains(&text, "call float @llvm.exp2.f32(float %1)");
    assert_contains(&text, "declare noundef range(i32 0, 5) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #6\n");
    gp_text_free(&text);
    text = stand_in(module, GP_TARGET_AMDGCN, 0); /* which has code for both */
    assert_contains(&text, "declare dso_local float @__nv_sqrtf(float noundef)");
    assert_contains(&text, "declare float @llvm.exp.f32(float) #1");
    gp_text_free(&text);
}

static void leaves_kernels_visible(void **state)
{
    (void)state;
    struct gp_text text =
        stand_in("define dso_local ptx_kernel void @k(ptr %0) {\n}\ndefine hidden amdgpu_kernel void @l() {\n}\n",
                 GP_TARGET_NVPTX, 0);
    assert_string_equal(
        text.data, "define dso_local ptx_kernel void @k(ptr %0) {\n}\ndefine hidden amdgpu_kernel void @l() {\n}\n");
    gp_text_free(&text);
}

static void refuses_types_it_cannot_read(void **state)
{
    (void)state;
    struct gp_text result = {0};
    struct gp_error error = {0};
    struct gp_stand_in_options options = {.target = GP_TARGET_NVPTX};
    unsigned count;
    assert_false(gp_add_stand_ins("declare %struct.s @f(i32)\n", &options, &result, &count, &error));
    assert_string_equal(error.text, "no stand-in for 'declare %struct.s @f(i32)'");
    gp_text_free(&result);
}

static void raises_the_launch_bound(void **state)
{
    (void)state;
    struct gp_text result = {0};
    assert_true(gp_raise_launch_bound(
        "a \"amdgpu-flat-work-group-size\"=\"1,256\" b \"amdgpu-flat-work-group-size\"=\"1,256\" c", 1024, &result));
    assert_string_equal(result.data,
                        "a \"amdgpu-flat-work-group-size\"=\"1,1024\" b \"amdgpu-flat-work-group-size\"=\"1,1024\" c");
    gp_text_free(&result);
    assert_false(gp_raise_launch_bound("\"amdgpu-flat-work-group-size\"=\"1,64\"", 1024, &result));
}

static void forgets_processors(void **state)
{
    (void)state;
    struct gp_text result = {0};
    gp_forget_processor("#0 = { \"a\" \"target-cpu\"=\"gfx906\" \"target-features\"=\"+x,-y\" \"target-abi\"=\"z\" } "
                        "#1 = { \"target-cpu\"=\"gfx906\" }",
                        &result);
    assert_string_equal(result.data, "#0 = { \"a\"   \"target-abi\"=\"z\" } #1 = {  }");
    gp_text_free(&result);
    gp_forget_processor("\"target-cpu\"=\"cut", &result);
    assert_string_equal(result.data, "\"target-cpu\"=\"cut");
    gp_text_free(&result);
}

static void inlines_bodies_of_kernels(void **state)
{
    (void)state;
    struct gp_text result = {0};
    gp_inline_kernel_bodies("define ptx_kernel void @k() #0 {\n  call void @__clang_ocl_kern_imp_k() #1\n}\ndefine "
                            "dso_local void @__clang_ocl_kern_imp_k() local_unnamed_addr #1 !a !1 {\n}\n"
                            "attributes #1 = { nofree noinline \"x\" }",
                            &result);
    assert_string_equal(result.data, "define ptx_kernel void @k() #0 {\n  call void @__clang_ocl_kern_imp_k() #1\n}\n"
                                     "define internal void @__clang_ocl_kern_imp_k() local_unnamed_addr alwaysinline "
                                     "#1 !a !1 {\n}\nattributes #1 = { nofree \"x\" }");
    gp_text_free(&result);
}

/* ---- Messages, targets ------------------------------------------------------------------------------------------- */

static void finds_the_first_error(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"k.cl:1:1: warning: odd\nk.cl:7:3: error: no such thing\nk.cl:8:1: error: more\n", "k.cl:7:3: no such thing"},
        {"k.cl:2:10: fatal error: 'x.h' file not found\n", "k.cl:2:10: 'x.h' file not found"},
        {"error: no libcall available for fexp\n", "no libcall available for fexp"},
        {"\n  strange\nwords", "clang failed: strange"},
        {"", "clang failed without a message"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct gp_error error = {0};
        assert_false(gp_fail_with_output(&error, "clang", cases[i][0]));
        assert_string_equal(error.text, cases[i][1]);
    }
}

static void knows_targets(void **state)
{
    (void)state;
    struct gp_device device = {.triple = "amdgcn-amd-amdhsa", .cpu = "gfx1032", .warp_width = {.value = 64}};
    struct gp_target target = gp_target_of(&device);
    struct gp_arguments arguments = {0};
    gp_target_arguments(&target, &arguments);
    assert_int_equal(arguments.count, 5);
    assert_string_equal(arguments.items[2], "-mcpu=gfx1032");
    assert_string_equal(arguments.items[3], "-mwavefrontsize64");
    gp_arguments_free(&arguments);
    device = (struct gp_device){.triple = "nvptx64-nvidia-cuda", .cpu = "sm_80", .arch = GP_ARCH_AMPERE};
    target = gp_target_of(&device);
    gp_code_motion_arguments(&target, true, &arguments);
    assert_int_equal(arguments.count, 0);
    gp_code_motion_arguments(&target, false, &arguments);
    assert_int_equal(arguments.count, 12);
    assert_string_equal(arguments.items[7], "-unroll-threshold=600");
    assert_string_equal(arguments.items[11], "-unroll-max-upperbound=0");
    gp_arguments_free(&arguments);
    device.arch = GP_ARCH_TESLA2; /* its compiler unrolled only what it could unroll whole */
    target = gp_target_of(&device);
    gp_code_motion_arguments(&target, false, &arguments);
    assert_string_equal(arguments.items[7], "-unroll-runtime=false");
    gp_arguments_free(&arguments);
    /* Where another device's target stands in, the chip that is asked for registers is the one whose SM holds as many
     * work-items. */
    device = (struct gp_device){
        .triple = "nvptx64-nvidia-cuda", .cpu = "sm_75", .proxy_target = true, .max_threads_per_sm = {.value = 2048}};
    assert_string_equal(gp_target_of(&device).cpu, "sm_75");
    assert_string_equal(gp_target_of(&device).chip, "sm_80");
    device.max_threads_per_sm.value = 1536;
    assert_string_equal(gp_target_of(&device).chip, "sm_86");
    device.max_threads_per_sm.value = 1024;
    assert_string_equal(gp_target_of(&device).chip, "sm_75");
    device.proxy_target = false;
    device.max_threads_per_sm.value = 2048;
    assert_string_equal(gp_target_of(&device).chip, "sm_75");
    assert_int_equal(gp_target_of(NULL).kind, GP_TARGET_SPIR);
    device = (struct gp_device){.triple = "", .cpu = ""};
    assert_int_equal(gp_target_of(&device).kind, GP_TARGET_HOST);
}

/* ---- Running programs
 * ------------------------------------------------------------------------------------------------ */

static bool run(const char *script, const int *cancelled, int *status, struct gp_text *output, struct gp_error *error)
{
    char *const arguments[] = {"/bin/sh", "-c", (char *)(uintptr_t)script, NULL};
    struct gp_deadline deadline = gp_deadline_in(600, cancelled);
    struct gp_process process = {.arguments = arguments, .temporary = "/tmp", .deadline = &deadline};
    return gp_process_run(&process, status, output, error);
}

static void captures_output_and_status(void **state)
{
    (void)state;
    struct gp_text output = {0};
    struct gp_error error = {0};
    int status = -1;
    setenv("OPENCL_LAYERS", "/nowhere/libgpuperf-opencl.so", 1);
    assert_true(run("cat; echo \"${OPENCL_LAYERS-none}\"; echo oops >&2; exit 7", NULL, &status, &output, &error));
    unsetenv("OPENCL_LAYERS");
    assert_int_equal(status, 7);
    assert_string_equal(output.data, "none\noops\n");
    gp_text_free(&output);
}

/* Variables may be those of a list instead of the process's. */
static void passes_an_environment_on(void **state)
{
    (void)state;
    char *const arguments[] = {"/bin/sh", "-c", "echo $FIRST ${OPENCL_LAYERS-none} $TMPDIR ${NOT_LISTED-none}", NULL};
    char *const environment[] = {"FIRST=1", "OPENCL_LAYERS=/nowhere/libgpuperf-opencl.so", "TMPDIR=/nowhere",
                                 "PATH=/nowhere", NULL};
    struct gp_deadline deadline = gp_deadline_in(600, NULL);
    struct gp_process process = {
        .arguments = arguments, .environment = environment, .temporary = "/tmp", .deadline = &deadline};
    struct gp_text output = {0};
    struct gp_error error = {0};
    struct gp_compile_result result;
    int status;
    setenv("NOT_LISTED", "1", 1);
    assert_true(gp_process_run(&process, &status, &output, NULL));
    unsetenv("NOT_LISTED");
    assert_string_equal(output.data, "1 none /tmp none\n");
    gp_text_free(&output);
    assert_false(gp_compile(&(struct gp_compile_request){.source_path = "k.cl",
                                                         .source_text = "kernel void k() {}",
                                                         .environment = environment},
                            &result, &error));
    assert_non_null(strstr(error.text, "there is no clang-22 or clang in PATH"));
}

static void bounds_output(void **state)
{
    (void)state;
    struct gp_text output = {0};
    int status = -1;
    assert_true(run("head -c 3000000 /dev/zero", NULL, &status, &output, NULL));
    assert_int_equal(output.length, GP_MAX_PROCESS_OUTPUT);
    gp_text_free(&output);
}

static void reports_signals_and_missing_programs(void **state)
{
    (void)state;
    struct gp_text output = {0};
    struct gp_error error = {0};
    int status;
    assert_false(run("kill -9 $$", NULL, &status, &output, &error));
    assert_string_equal(error.text, "/bin/sh died of signal 9 (Killed)");
    char *const arguments[] = {"/nowhere/program", NULL};
    struct gp_deadline deadline = gp_deadline_in(600, NULL);
    struct gp_process process = {.arguments = arguments, .temporary = "/tmp", .deadline = &deadline};
    assert_false(gp_process_run(&process, &status, &output, &error));
    assert_string_equal(error.text, "cannot run /nowhere/program: No such file or directory");
    gp_text_free(&output);
}

/* A child that leaves a grandchild with the pipe open behind: its own end counts, and the grandchild goes too. */
static void does_not_wait_for_grandchildren(void **state)
{
    (void)state;
    struct gp_text output = {0};
    struct gp_error error = {0};
    int status = -1;
    assert_true(run("sleep 1000 & echo $!", NULL, &status, &output, &error));
    assert_int_equal(status, 0);
    assert_true(atoi(output.data) > 1);
    gp_text_free(&output);
}

static void stops_when_cancelled_or_out_of_time(void **state)
{
    (void)state;
    struct gp_text output = {0};
    struct gp_error error = {0};
    int status, cancelled = 1;
    assert_false(run("sleep 1000", &cancelled, &status, &output, &error));
    assert_string_equal(error.text, "/bin/sh was stopped because its result is no longer wanted");
    char *const arguments[] = {"/bin/sleep", "1000", NULL};
    struct gp_deadline deadline = gp_deadline_in(0, NULL);
    struct gp_process process = {.arguments = arguments, .temporary = "/tmp", .deadline = &deadline};
    assert_false(gp_process_run(&process, &status, &output, &error));
    assert_string_equal(error.text, "/bin/sleep was stopped after 0 seconds without an end");
    gp_text_free(&output);
}

/* Runs the part in a process of its own; its number. */
static pid_t in_process(void (*part)(int output), int output)
{
    pid_t child = fork();
    if (child == 0) {
        part(output);
        _exit(0);
    }
    return child;
}

static void run_for_long(int output)
{
    char script[128];
    struct gp_text printed = {0};
    int status;
    snprintf(script, sizeof script, "echo $$ > /proc/%d/fd/%d; sleep 60; echo late > /proc/%d/fd/%d", (int)getpid(),
             output, (int)getpid(), output);
    run(script, NULL, &status, &printed, NULL);
}

/* Who cannot end what it started, since it is killed itself. */
static void ends_with_its_caller(void **state)
{
    (void)state;
    char number[32] = "";
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0); /* what the caller leaves is our child then */
    pid_t caller = in_process(run_for_long, ends[1]);
    assert_true(read(ends[0], number, sizeof number - 1) > 0);
    pid_t program = atoi(number);
    assert_int_equal(kill(program, 0), 0);
    kill(caller, SIGKILL);
    while (wait(NULL) > 0)
        ;
    assert_int_equal(kill(program, 0), -1);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    close(ends[1]);
    assert_int_equal(read(ends[0], number, sizeof number), 0); /* it was killed, and did not end by itself */
    close(ends[0]);
}

/* The caller may have closed its own input and outputs, so that a pipe's end is one of these numbers. */
static void run_without_files(int output)
{
    struct gp_text printed = {0};
    int status = -1;
    for (int file = 0; file < 3; file++)
        close(file);
    bool done = run("echo out; echo error >&2; read line || exit 7", NULL, &status, &printed, NULL);
    char answer = done && status == 7 && strcmp(printed.data, "out\nerror\n") == 0 ? 'y' : 'n';
    (void)!write(output, &answer, 1);
}

static void runs_without_standard_files(void **state)
{
    (void)state;
    int ends[2];
    char answer = '-';
    assert_int_equal(pipe(ends), 0);
    pid_t caller = in_process(run_without_files, ends[1]);
    assert_int_equal(read(ends[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    waitpid(caller, NULL, 0);
    close(ends[0]);
    close(ends[1]);
}

/* ---- Directories for temporary files
 * ---------------------------------------------------------------------------------- */

static void leave_directory(int output)
{
    struct gp_workdir directory;
    if (!gp_workdir_make(&directory, getenv("TMPDIR"), NULL))
        return;
    char *file = gp_workdir_file(&directory, "source.cl");
    gp_write_file(file, "secret", 6);
    (void)!write(output, directory.path, strlen(directory.path) + 1);
}

/* What a process leaves that is killed goes when another one makes a directory; nobody else's does, and none that is in
 * use. */
static void sweeps_what_the_dead_left(void **state)
{
    (void)state;
    struct gp_workdir home, mine, next;
    char left[512] = "", *foreign = NULL;
    int ends[2];
    unsetenv("TMPDIR");
    assert_true(gp_workdir_make(&home, getenv("TMPDIR"), NULL));
    setenv("TMPDIR", home.path, 1);
    assert_int_equal(pipe(ends), 0);
    pid_t owner = in_process(leave_directory, ends[1]);
    assert_true(read(ends[0], left, sizeof left - 1) > 0);
    waitpid(owner, NULL, 0);
    assert_int_equal(access(left, F_OK), 0);
    assert_true(asprintf(&foreign, "%.*s%s", (int)(strlen(left) - 6), left, "abcdef") > 0);
    assert_int_equal(mkdir(foreign, 0700), 0);
    bool is_foreign = chown(foreign, 12345, 12345) == 0; /* root can have it so */
    assert_true(gp_workdir_make(&mine, getenv("TMPDIR"), NULL));
    assert_int_equal(access(left, F_OK), -1);
    assert_int_equal(access(foreign, F_OK), is_foreign ? 0 : -1);
    assert_true(gp_workdir_make(&next, getenv("TMPDIR"), NULL));
    assert_int_equal(access(mine.path, F_OK), 0);
    gp_workdir_remove(&mine);
    gp_workdir_remove(&next);
    gp_workdir_remove(&home);
    unsetenv("TMPDIR");
    free(foreign);
    close(ends[0]);
    close(ends[1]);
}

/* ---- Siblings ---------------------------------------------------------------------------------------------------- */

static struct gp_device *device_named(const char *name)
{
    struct gp_error error;
    struct gp_device *device = gp_device_load(name, NULL, &error);
    assert_non_null(device);
    return device;
}

static void siblings_take_the_same_code(void **state)
{
    (void)state;
    static const struct {
        const char *device, *sibling;
        bool alike;
    } pairs[] = {
        {"a100", "a4000", true}, {"a4000", "a100", false}, {"a100", "rtx2080ti", false}, {"a100", "h200", false},
        {"mi50", "w6600", true}, {"mi50", "a100", false},  {"a100", "mi50", false},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct gp_device *device = device_named(pairs[i].device), *sibling = device_named(pairs[i].sibling);
        assert_int_equal(gp_compile_siblings(device, sibling), pairs[i].alike);
        gp_device_free(device);
        gp_device_free(sibling);
    }
}

/* ---- gp_compile() with a script in clang's place
 * ---------------------------------------------------------------------- */

static struct gp_compile_request fake_request(const char *source)
{
    return (struct gp_compile_request){
        .source_path = "k.cl", .source_text = source, .compiler = TEST_DATA "/compile/clang", .plugin = "gpuperf.so"};
}

/* Everything happens in a TMPDIR of our own, which must be empty again afterwards. */
static int set_up(void **state)
{
    struct gp_workdir *directory = calloc(1, sizeof *directory);
    assert_true(gp_workdir_make(directory, getenv("TMPDIR"), NULL));
    struct gp_profile *profile = golden_profile("transpose_naive");
    char *file = NULL;
    struct gp_error error = {0};
    unsetenv("GPUPERF_TEST_PROFILE");
    struct gp_workdir data = {0};
    assert_true(gp_workdir_make(&data, getenv("TMPDIR"), NULL));
    file = gp_workdir_file(&data, "profile");
    assert_true(gp_profile_write_file(profile, file, &error));
    setenv("GPUPERF_TEST_PROFILE", file, 1);
    free(file);
    file = gp_workdir_file(&data, "note");
    setenv("GPUPERF_TEST_NOTE", file, 1);
    free(file);
    gp_profile_free(profile);
    free(data.path);
    setenv("TMPDIR", directory->path, 1);
    *state = directory;
    return 0;
}

static int tear_down(void **state)
{
    struct gp_workdir *directory = *state;
    unsetenv("TMPDIR");
    int empty = rmdir(directory->path); /* fails when a compile left something */
    char *slash = strrchr(getenv("GPUPERF_TEST_PROFILE"), '/');
    struct gp_workdir data = {
        .path = strndup(getenv("GPUPERF_TEST_PROFILE"), (size_t)(slash - getenv("GPUPERF_TEST_PROFILE"))),
    };
    gp_workdir_remove(&data);
    free(directory->path);
    free(directory);
    return empty;
}

static void compiles(void **state)
{
    (void)state;
    struct gp_compile_request request = fake_request("works\n");
    struct gp_compile_result result;
    struct gp_error error = {0};
    setenv("OPENCL_LAYERS", "x.so", 1);
    bool done = gp_compile(&request, &result, &error);
    unsetenv("OPENCL_LAYERS");
    assert_string_equal(error.text, "");
    assert_true(done);
    assert_false(result.foreign_target);
    assert_string_equal(result.messages, "a warning\n");
    assert_string_equal(result.profile->source, "k.cl"); /* not the temporary file's name */
    gp_compile_result_free(&result);
}

static void falls_back_to_spir(void **state)
{
    (void)state;
    struct gp_device device = {.name = "x", .title = "X", .triple = "nvptx64-nvidia-cuda", .cpu = "sm_80"};
    struct gp_compile_request request = fake_request("foreign\n");
    request.device = &device;
    struct gp_compile_result result;
    struct gp_error error = {0};
    assert_true(gp_compile(&request, &result, &error));
    assert_true(result.foreign_target);
    gp_compile_result_free(&result);
}

static void fails_in_one_sentence(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"wrong\n", "k.cl:7:3: use of undeclared identifier 'q'"},
        {"nothing\n", "clang made no profile of k.cl: gpuperf: no prediction at -O0"},
        {"empty\n", "k.cl has no kernel"},
        {"silent\n", "does not compile: it reports success and writes nothing"},
        {"killed\n", "died of signal 9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct gp_compile_request request = fake_request(cases[i][0]);
        struct gp_compile_result result;
        struct gp_error error = {0};
        assert_false(gp_compile(&request, &result, &error));
        assert_null(result.profile);
        assert_non_null(strstr(error.text, cases[i][1]));
        assert_null(strchr(error.text, '\n'));
    }
}

static void refuses_broken_profiles_and_endless_output(void **state)
{
    (void)state;
    static const char *const sources[] = {"broken\n", "talks\n"};
    for (size_t i = 0; i < 2; i++) {
        struct gp_compile_request request = fake_request(sources[i]);
        struct gp_compile_result result;
        struct gp_error error = {0};
        assert_false(gp_compile(&request, &result, &error));
        assert_true(strlen(error.text) > 10);
    }
}

static void kills_the_whole_group(void **state)
{
    (void)state;
    int cancelled = 1;
    struct gp_compile_request request = fake_request("sleeps\n");
    request.cancelled = &cancelled;
    struct gp_compile_result result;
    struct gp_error error = {0};
    assert_false(gp_compile(&request, &result, &error));
    assert_non_null(strstr(error.text, "no longer wanted"));
}

static void needs_an_nvidia_device_for_cuda(void **state)
{
    (void)state;
    struct gp_device device = {
        .name = "mi250x", .title = "AMD Instinct MI250X", .triple = "amdgcn-amd-amdhsa", .cpu = "gfx90a"};
    struct gp_compile_request request = {.source_path = "a.cu", .source_text = "works\n", .device = &device};
    struct gp_compile_result result;
    struct gp_error error = {0};
    assert_false(gp_compile(&request, &result, &error));
    assert_string_equal(error.text, "a.cu is CUDA, which AMD Instinct MI250X does not run; choose an NVIDIA device");
    request.language = "fortran";
    assert_false(gp_compile(&request, &result, &error));
    assert_string_equal(error.text, "unknown language 'fortran'; there are opencl, clcpp, cuda and hip");
    request = fake_request("works\n");
    request.compiler = "no-such-clang-anywhere";
    assert_false(gp_compile(&request, &result, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_ptxas),
        cmocka_unit_test(reads_nothing_from_other_text),
        cmocka_unit_test(reads_amdgpu),
        cmocka_unit_test(reads_spills),
        cmocka_unit_test(reads_reloads_in_clauses),
        cmocka_unit_test(counts_vector_instructions),
        cmocka_unit_test(finds_loops_by_their_floats),
        cmocka_unit_test(applies_resources),
        cmocka_unit_test(gives_images_a_body),
        cmocka_unit_test(renames_intrinsics_without_lowering),
        cmocka_unit_test(leaves_kernels_visible),
        cmocka_unit_test(refuses_types_it_cannot_read),
        cmocka_unit_test(raises_the_launch_bound),
        cmocka_unit_test(forgets_processors),
        cmocka_unit_test(inlines_bodies_of_kernels),
        cmocka_unit_test(finds_the_first_error),
        cmocka_unit_test(knows_targets),
        cmocka_unit_test(captures_output_and_status),
        cmocka_unit_test(passes_an_environment_on),
        cmocka_unit_test(bounds_output),
        cmocka_unit_test(reports_signals_and_missing_programs),
        cmocka_unit_test(does_not_wait_for_grandchildren),
        cmocka_unit_test(stops_when_cancelled_or_out_of_time),
        cmocka_unit_test(ends_with_its_caller),
        cmocka_unit_test(runs_without_standard_files),
        cmocka_unit_test(sweeps_what_the_dead_left),
    };
    const struct CMUnitTest compiling[] = {
        cmocka_unit_test(compiles),
        cmocka_unit_test(falls_back_to_spir),
        cmocka_unit_test(fails_in_one_sentence),
        cmocka_unit_test(refuses_broken_profiles_and_endless_output),
        cmocka_unit_test(kills_the_whole_group),
        cmocka_unit_test(needs_an_nvidia_device_for_cuda),
        cmocka_unit_test(siblings_take_the_same_code),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return cmocka_run_group_tests(compiling, set_up, tear_down) + failed;
}
