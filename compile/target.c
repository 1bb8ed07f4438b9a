/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/target.h"

#include <string.h>

#include "support/prefix.h"

static enum gp_target_kind kind_of(const char *triple)
{
    if (triple[0] == '\0')
        return GP_TARGET_HOST;
    if (gp_starts_with(triple, "nvptx"))
        return GP_TARGET_NVPTX;
    if (gp_starts_with(triple, "amdgcn"))
        return GP_TARGET_AMDGCN;
    return gp_starts_with(triple, "spir") ? GP_TARGET_SPIR : GP_TARGET_OTHER;
}

/*
 * Where no compiler makes code for the device, the chip that ptxas is asked for is the one whose SM holds as many
 * work-items: that many share as many registers, which is what ptxas schedules for, and what it takes a launch bound's
 * groups for. (ptxas 13.0, 32 independent loads: 64 registers for sm_75, whose SM holds 1024, and 32 for sm_80; groups
 * of 256, eight of them at least, it says are beyond sm_75 and ignores.)
 */
static const char *chip_like(const struct gp_device *device)
{
    static const struct {
        const char *name;
        double threads;
    } chips[] = {{"sm_75", 1024}, {"sm_80", 2048}, {"sm_86", 1536}};
    for (size_t i = 0; device->proxy_target && i < sizeof chips / sizeof chips[0]; i++)
        if (chips[i].threads == device->max_threads_per_sm.value && strcmp(chips[i].name, device->cpu) >= 0)
            return chips[i].name;
    return device->cpu;
}

struct gp_target gp_target_of(const struct gp_device *device)
{
    if (device == NULL)
        return (struct gp_target){.kind = GP_TARGET_SPIR, .triple = "spir64", .cpu = "", .chip = ""};
    struct gp_target target = {.kind = kind_of(device->triple), .triple = device->triple, .cpu = device->cpu};
    target.chip = target.kind == GP_TARGET_NVPTX ? chip_like(device) : device->cpu;
    /* Only RDNA (gfx10 and later) has both widths; elsewhere the arguments are an error. */
    bool choice = target.kind == GP_TARGET_AMDGCN && gp_starts_with(device->cpu, "gfx1");
    target.wave64 = choice && device->warp_width.value == 64;
    target.wave32 = choice && device->warp_width.value == 32;
    target.cu_mode = choice && device->cu_mode;
    target.before_fermi = target.kind == GP_TARGET_NVPTX && device->arch < GP_ARCH_FERMI;
    return target;
}

void gp_target_amd_modes(const struct gp_target *target, struct gp_arguments *arguments)
{
    if (target->wave64 || target->wave32)
        gp_arguments_add(arguments, target->wave64 ? "-mwavefrontsize64" : "-mno-wavefrontsize64");
    if (target->cu_mode)
        gp_arguments_add(arguments, "-mcumode");
}

void gp_target_arguments(const struct gp_target *target, struct gp_arguments *arguments)
{
    if (target->kind == GP_TARGET_HOST)
        return;
    gp_arguments_add(arguments, "-target");
    gp_arguments_add(arguments, "%s", target->triple);
    if (target->cpu[0] != '\0')
        gp_arguments_add(arguments, target->kind == GP_TARGET_NVPTX ? "-march=%s" : "-mcpu=%s", target->cpu);
    gp_target_amd_modes(target, arguments);
    if (target->kind != GP_TARGET_SPIR && !target->library)
        gp_arguments_add(arguments, "-nogpulib");
    if (target->kind == GP_TARGET_NVPTX) {
        /* Without a CUDA toolkit clang falls back to PTX 4.2, which knows none of today's architectures; 7.8
         * (CUDA 11.8) knows those up to sm_90. */
        gp_arguments_add(arguments, "-Xclang");
        gp_arguments_add(arguments, "-target-feature");
        gp_arguments_add(arguments, "-Xclang");
        gp_arguments_add(arguments, "+ptx78");
    }
}

/*
 * clang moves computations down into the guarded block that stores their results and then holds many operands at once,
 * and merges partly redundant ones behind a loop into phis, which hides that addresses are constants apart; NVIDIA's
 * compiler does neither. With both switched off register counts follow NVIDIA's compiler. That of CUDA 1 and 2, which
 * was not made of LLVM, left loops alone whose trip count it did not know. Today's unrolls twice as much as clang does
 * at -O3 and four times as much as at -O2 (nvcc 13.0: 64 iterations with a load and a multiplication, 24 with two
 * loads, a square root and a division; where there are more, 16 at a time). That a loop makes at most a few iterations
 * is nothing to it unless their number is known: up to 2 or 20, all are unrolled by four (nvcc 13.0, sm_86).
 */
void gp_code_motion_arguments(const struct gp_target *target, bool for_llvm_compile, struct gp_arguments *arguments)
{
    static const char *const off[] = {"-mllvm", "-disable-machine-sink", "-mllvm", "-instcombine-code-sinking=false",
                                      "-mllvm", "-enable-pre=false",     NULL};
    static const char *const unrolling[] = {
        "-mllvm", "-unroll-threshold=600",    "-mllvm", "-unroll-partial-threshold=150",
        "-mllvm", "-unroll-max-upperbound=0", NULL};
    static const char *const full_unrolling[] = {"-mllvm", "-unroll-runtime=false", "-mllvm",
                                                 "-unroll-allow-partial=false", NULL};
    if (target->kind != GP_TARGET_NVPTX || for_llvm_compile)
        return;
    gp_arguments_add_all(arguments, off);
    gp_arguments_add_all(arguments, target->before_fermi ? full_unrolling : unrolling);
}

const char *gp_target_libclc(const struct gp_target *target)
{
    if (target->kind == GP_TARGET_NVPTX)
        return "nvptx64--nvidiacl.bc";
    return target->kind == GP_TARGET_AMDGCN ? "amdgcn-amd-amdhsa.bc" : NULL;
}
