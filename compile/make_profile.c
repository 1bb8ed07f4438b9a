/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "compile/job.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile/callers_arguments.h"
#include "compile/locate.h"
#include "compile/messages.h"
#include "compile/preludes.h"
#include "model/profile/profile_binary.h"
#include "support/prefix.h"

const char gp_preprocessed_name[] = "out.preprocessed";
const char gp_edits_name[] = "out.edits";

static bool add_driver_macros(struct gp_job *job, struct gp_arguments *arguments, struct gp_error *error)
{
    char *header = gp_workdir_file(&job->directory, "driver_macros.h");
    bool written = gp_write_driver_macros(header, job->request->macros, error);
    gp_arguments_include(arguments, header);
    free(header);
    return written;
}

static bool add_opencl_prelude(struct gp_job *job, const struct gp_target *target, struct gp_arguments *arguments,
                               struct gp_error *error)
{
    char *prelude = gp_workdir_file(&job->directory, "opencl_prelude.h");
    bool written = gp_write_opencl_prelude(prelude, target, false, error);
    gp_arguments_include(arguments, prelude);
    free(prelude);
    return written;
}

/* OpenCL's builtin functions stay calls, which the plugin knows by name: their code is the driver's, and libclc's is
 * not like it. */
static bool add_opencl(struct gp_job *job, const struct gp_target *target, struct gp_arguments *arguments,
                       struct gp_error *error)
{
    gp_arguments_add_opencl(arguments, job->opencl);
    gp_target_arguments(target, arguments);
    if (job->request->macros != NULL && !add_driver_macros(job, arguments, error))
        return false;
    return !gp_has_opencl_prelude(target) || add_opencl_prelude(job, target, arguments, error);
}

/*
 * What a CUDA source finds declared. Without a toolkit clang's own header knows the thread indices, the prelude adds
 * the rest. A source that declares for itself what the toolkit would (to be compiled with -nocudainc) gets less and
 * less of it.
 */
enum cuda_headers { CUDA_TOOLKIT, CUDA_PRELUDE, CUDA_TYPES, CUDA_KEYWORDS, CUDA_NOTHING };

static bool add_cuda_prelude(struct gp_job *job, enum cuda_headers headers, struct gp_arguments *arguments,
                             struct gp_error *error)
{
    static const enum gp_cuda_prelude extents[] = {[CUDA_TOOLKIT] = GP_CUDA_BESIDE_TOOLKIT,
                                                   [CUDA_PRELUDE] = GP_CUDA_FUNCTIONS,
                                                   [CUDA_TYPES] = GP_CUDA_TYPES,
                                                   [CUDA_KEYWORDS] = GP_CUDA_KEYWORDS};
    char *prelude = gp_workdir_file(&job->directory, "cuda_prelude.h");
    bool written = gp_write_cuda_prelude(prelude, extents[headers], error);
    gp_arguments_include(arguments, prelude);
    free(prelude);
    return written;
}

/* The headers of ROCm that a source in HIP includes. */
static bool add_hip_headers(struct gp_job *job, struct gp_arguments *arguments, struct gp_error *error)
{
    char *directory = gp_workdir_file(&job->directory, "rocm");
    bool written = gp_write_hip_headers(directory, error);
    gp_arguments_add(arguments, "-isystem");
    gp_arguments_add(arguments, "%s", directory);
    free(directory);
    return written;
}

static bool add_cuda(struct gp_job *job, const struct gp_target *target, enum cuda_headers headers,
                     struct gp_arguments *arguments, struct gp_error *error)
{
    const char *path = job->request->source_path;
    if (path != NULL && gp_ends_with(path, ".hip") && !add_hip_headers(job, arguments, error))
        return false; /* HIP that is CUDA, too */
    gp_arguments_add(arguments, "-x");
    gp_arguments_add(arguments, "cuda");
    gp_arguments_add(arguments, "--cuda-device-only");
    gp_arguments_add(arguments, "--cuda-gpu-arch=%s", target->cpu);
    gp_arguments_add(arguments, "-Wno-unknown-cuda-version");
    if (headers == CUDA_TOOLKIT) {
        gp_arguments_add(arguments, "--cuda-path=%s", job->cuda_root);
        gp_arguments_add(arguments, "-isystem");
        gp_arguments_add(arguments, "%s/include/cccl",
                         job->cuda_root); /* cuda/std, which cooperative_groups.h includes: of CUDA 13 it stands there
                                             (nvcc.profile) */
        char *libdevice = gp_locate_libdevice(job->request->environment);
        if (libdevice == NULL)
            gp_arguments_add(arguments, "-nocudalib");
        free(libdevice);
        return add_cuda_prelude(job, headers, arguments, error);
    }
    gp_arguments_add(arguments, "--cuda-feature=+ptx78"); /* as in gp_target_arguments() */
    gp_arguments_add(arguments, "-nocudainc");
    gp_arguments_add(arguments, "-nocudalib");
    if (headers == CUDA_NOTHING)
        return true;
    char *directory = gp_workdir_file(&job->directory, "cuda");
    bool made = gp_write_cuda_headers(directory, error);
    gp_arguments_add(arguments, "-isystem");
    gp_arguments_add(arguments, "%s", directory);
    free(directory);
    return add_cuda_prelude(job, headers, arguments, error) && made;
}

/* Without ROCm; clang's own header, which the prelude includes, is then told that it is alone (as within HIP's run-time
 * compiler). */
static bool add_hip(struct gp_job *job, const struct gp_target *target, struct gp_arguments *arguments,
                    struct gp_error *error)
{
    static const char *const fixed[] = {"-x",        "hip",        "--cuda-device-only", "-nogpulib",
                                        "-nogpuinc", "-fdeclspec", "-D__HIPCC_RTC__",    "-D__HIP_PLATFORM_AMD__",
                                        NULL};
    char *prelude = gp_workdir_file(&job->directory, "hip_prelude.h");
    bool written = add_hip_headers(job, arguments, error) && gp_write_hip_prelude(prelude, error);
    gp_arguments_add_all(arguments, fixed);
    gp_arguments_add(arguments, "--offload-arch=%s", target->cpu);
    gp_target_amd_modes(target, arguments);
    gp_arguments_include(arguments, prelude);
    free(prelude);
    return written;
}

/*
 * What the source wants unrolled whole nvcc 13.0 unrolls up to 5780 multiplications with a load each, and not 6300 (a
 * filter of 17 x 17 for tiles of 5 x 4, one of 15 x 15 for 4 x 7). In clang's measure, whose own limit is 16384, each
 * is 3.1 instructions in OpenCL C and 4 in CUDA.
 */
static void add_unrolling(const struct gp_job *job, struct gp_arguments *arguments)
{
    gp_arguments_add(arguments, "-mllvm");
    gp_arguments_add(arguments, "-pragma-unroll-threshold=%d", job->cuda ? 24000 : 18500);
    gp_arguments_add(arguments, "-fplugin-arg-gpuperf-unroll=nvidia");
}

static void add_plugin(const struct gp_job *job, const struct gp_target *target, const char *sidecar,
                       struct gp_arguments *arguments)
{
    gp_arguments_add(arguments, "-fplugin=%s", job->plugin);
    gp_arguments_add(arguments, "-fplugin-arg-gpuperf-profile=%s", sidecar);
    if (job->request->preprocessed)
        gp_arguments_add(arguments, "-fplugin-arg-gpuperf-preprocessed=%s/%s", job->directory.path,
                         gp_preprocessed_name);
    if (job->request->edits)
        gp_arguments_add(arguments, "-fplugin-arg-gpuperf-edits=%s/%s", job->directory.path, gp_edits_name);
    if (job->request->device != NULL)
        gp_arguments_add(arguments, "-fplugin-arg-gpuperf-device=%s", job->request->device->name);
    gp_arguments_add(arguments, "-fplugin-arg-gpuperf-warn=none");
    gp_arguments_add(arguments, "-fplugin-arg-gpuperf-annotate=off");
    gp_arguments_add(arguments, "-fplugin-arg-gpuperf-builtins=early");
    if (target->kind == GP_TARGET_NVPTX && !target->before_fermi &&
        !job->request->for_llvm_compile) /* the compiler of CUDA 1 and 2 unrolled little */
        add_unrolling(job, arguments);
}

static bool build_command(struct gp_job *job, const struct gp_target *target, enum cuda_headers headers,
                          const char *module, const char *sidecar, struct gp_arguments *arguments,
                          struct gp_error *error)
{
    gp_arguments_add(arguments, "%s", job->clang);
    bool added = job->hip    ? add_hip(job, target, arguments, error)
                 : job->cuda ? add_cuda(job, target, headers, arguments, error)
                             : add_opencl(job, target, arguments, error);
    if (!added)
        return false;
    gp_code_motion_arguments(target, job->request->for_llvm_compile, arguments);
    if (target->kind == GP_TARGET_NVPTX)
        gp_arguments_add(arguments, "-gline-directives-only"); /* machine code is told by lines (sass_code.h) */
    add_plugin(job, target, sidecar, arguments);
    gp_arguments_add(arguments, "-O2");
    if (target->kind == GP_TARGET_HOST) /* PoCL leaves loops as they are */
        gp_arguments_add(arguments, "-fno-unroll-loops");
    gp_arguments_add(arguments, "-fno-color-diagnostics");
    gp_arguments_add(arguments, "-fno-crash-diagnostics");
    gp_arguments_add_source(arguments, job->source);
    gp_add_callers_arguments(job, target, arguments);
    gp_arguments_add(arguments, "-S"); /* behind the caller's: where the output goes is not theirs to say */
    gp_arguments_add(arguments, "-emit-llvm");
    gp_arguments_add(arguments, "-o");
    gp_arguments_add(arguments, "%s", module);
    return true;
}

/* The compile went well and yet there is no profile: the plugin's remark says why, where there was a kernel at all. */
static void fail_without_profile(const struct gp_job *job, const char *module, const char *output,
                                 struct gp_error *error)
{
    const char *name = job->request->source_path ? job->request->source_path : "the source";
    const char *remark = strstr(output, "gpuperf");
    if (access(module, R_OK) != 0)
        gp_fail(error, "%s does not compile: it reports success and writes nothing; set GPUPERF_CLANG to a clang 22",
                job->clang);
    else if (remark == NULL)
        gp_fail(error, "%s has no kernel", name);
    else
        gp_fail(error, "clang made no profile of %s: %.*s", name, (int)strcspn(remark, "\n"), remark);
}

static enum gp_outcome read_sidecar(const struct gp_job *job, const char *module, const char *sidecar,
                                    const char *output, struct gp_profile **profile, struct gp_error *error)
{
    if (access(sidecar, R_OK) != 0) {
        fail_without_profile(job, module, output, error);
        return GP_BROKEN;
    }
    *profile = gp_profile_read_file(sidecar, error);
    return *profile ? GP_DONE : GP_BROKEN;
}

/* A clang of another version cannot load the plugin, and says so in terms of symbols. */
static enum gp_outcome fail_with_output(const struct gp_job *job, const char *output, struct gp_error *error)
{
    if (strstr(output, "unable to load plugin") != NULL) {
        gp_fail(
            error,
            "%s cannot load %s, which is made for clang 22; set GPUPERF_CLANG and GPUPERF_PLUGIN to a pair that fits",
            job->clang, job->plugin);
        return GP_BROKEN;
    }
    gp_fail_with_output(error, "clang", output);
    return GP_REFUSED;
}

static enum gp_outcome make_with(struct gp_job *job, const struct gp_target *target, enum cuda_headers headers,
                                 const char *module, struct gp_profile **profile, struct gp_text *output,
                                 struct gp_error *error)
{
    struct gp_arguments arguments = {0};
    char *sidecar = gp_workdir_file(&job->directory, "out.gpuperf");
    unlink(sidecar);
    enum gp_outcome outcome = GP_BROKEN;
    int status = 0;
    struct gp_process process = {
        .environment = job->request->environment, .temporary = job->directory.path, .deadline = &job->deadline};
    if (build_command(job, target, headers, module, sidecar, &arguments, error)) {
        process.arguments = arguments.items;
        if (gp_process_run(&process, &status, output, error)) {
            outcome = status == 0 ? read_sidecar(job, module, sidecar, output->data, profile, error)
                                  : fail_with_output(job, output->data, error);
        }
    }
    gp_arguments_free(&arguments);
    free(sidecar);
    return outcome;
}

static bool declares_again(const char *output)
{
    return strstr(output, "redefinition") != NULL || strstr(output, "conflicting types") != NULL;
}

static bool lacks_sub_groups(const char *output)
{
    const char *unknown = strstr(output, "undeclared identifier");
    return unknown != NULL && strstr(unknown, "sub_group_") != NULL;
}

/* Another try after one that was refused, whose messages stand where this one is refused, too. */
static enum gp_outcome try_again(struct gp_job *job, const struct gp_target *target, enum cuda_headers headers,
                                 const char *module, struct gp_profile **profile, struct gp_text *said)
{
    struct gp_text output = {0};
    struct gp_error other = {0};
    enum gp_outcome outcome = make_with(job, target, headers, module, profile, &output, &other);
    if (outcome == GP_DONE) {
        gp_text_free(said);
        *said = output;
    } else {
        gp_text_free(&output);
    }
    return outcome;
}

/* Drivers have their sub-groups whatever version of OpenCL C is asked for, clang from 2.0 on, of some targets without
 * declarations: then what else is of 2.0 may be missing for the next target. */
static enum gp_outcome try_with_sub_groups(struct gp_job *job, const struct gp_target *target, const char *module,
                                           struct gp_profile **profile, struct gp_text *said)
{
    job->opencl = GP_OPENCL_2_0;
    enum gp_outcome outcome = try_again(job, target, CUDA_NOTHING, module, profile, said);
    job->opencl = outcome == GP_DONE ? GP_OPENCL_2_0 : GP_OPENCL_1_2;
    return outcome;
}

enum gp_outcome gp_make_profile(struct gp_job *job, const struct gp_target *target, const char *module,
                                struct gp_profile **profile, struct gp_text *messages, struct gp_error *error)
{
    enum cuda_headers headers = job->cuda_root != NULL ? CUDA_TOOLKIT : CUDA_PRELUDE;
    struct gp_text said = {0};
    enum gp_outcome outcome = make_with(job, target, headers, module, profile, &said, error);
    bool refused = outcome == GP_REFUSED && said.data != NULL;
    job->uses_sub_groups |= refused && !job->cuda && lacks_sub_groups(said.data);
    if (refused && job->uses_sub_groups && job->opencl == GP_OPENCL_1_2)
        outcome = try_with_sub_groups(job, target, module, profile, &said);
    bool again = refused && job->cuda && !job->hip && declares_again(said.data);
    for (headers = CUDA_TYPES; again && outcome != GP_DONE && headers <= CUDA_NOTHING; headers++)
        outcome = try_again(job, target, headers, module, profile, &said);
    if (said.length > 0)
        gp_text_append(messages, said.data, said.length);
    gp_text_free(&said);
    return outcome;
}
