/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "compile/ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile/compile.h"
#include "compile/job.h"
#include "compile/locate.h"
#include "model/profile/profile_binary.h"
#include "support/operation.h"
#include "support/prefix.h"

enum { SECONDS = 120 };

struct reading {
    const char *name, *bytes;
    size_t length;
    struct gp_job job;
    struct gp_profile *profile;
    struct gp_error *error;
};

/* Beside the plugin, where it is installed and where it is built. */
static char *locate_program(struct gp_error *error)
{
    char *plugin = gp_locate_plugin(NULL, NULL), *program = NULL;
    const char *slash = plugin != NULL ? strrchr(plugin, '/') : NULL;
    if (slash != NULL && asprintf(&program, "%.*s/gpuperf-ir", (int)(slash - plugin), plugin) < 0)
        program = NULL;
    free(plugin);
    if (program != NULL && access(program, X_OK) == 0)
        return program;
    free(program);
    gp_fail(error, "LLVM IR is read by gpuperf-ir, which is not beside the Clang plugin gpuperf.so; install it, or set "
                   "GPUPERF_PLUGIN to the plugin that has it");
    return NULL;
}

/* What it says is one line; else it was killed or has crashed. */
static bool fail_with(const char *name, const struct gp_text *output, struct gp_error *error)
{
    if (output->length == 0)
        return gp_fail(error, "%s cannot be read as LLVM IR", name);
    return gp_fail(error, "%.*s", (int)strcspn(output->data, "\n"), output->data);
}

static bool run_program(struct reading *r, const char *program, const char *sidecar, const char *module)
{
    struct gp_text output = {0};
    struct gp_arguments arguments = {0};
    char *ir = gp_workdir_file(&r->job.directory, "in.ll");
    int status = 0;
    gp_arguments_add(&arguments, "%s", program);
    gp_arguments_add(&arguments, "%s", r->name);
    gp_arguments_add(&arguments, "%s", ir);
    gp_arguments_add(&arguments, "%s", sidecar);
    gp_arguments_add(&arguments, "%s", module);
    struct gp_process process = {
        .arguments = arguments.items, .temporary = r->job.directory.path, .deadline = &r->job.deadline};
    bool done = (gp_write_file(ir, r->bytes, r->length) || gp_fail(r->error, "cannot write %s", ir)) &&
                gp_process_run(&process, &status, &output, r->error) &&
                (status == 0 || fail_with(r->name, &output, r->error));
    gp_arguments_free(&arguments);
    gp_text_free(&output);
    free(ir);
    return done;
}

/* The registers by the backend of the target that the module names; where there is none the estimates stay. */
static struct gp_profile *add_registers(struct reading *r, struct gp_profile *profile, const char *module)
{
    struct gp_backend_list list = {0};
    bool stand_ins = false;
    struct gp_target target = {.triple = profile->triple, .cpu = profile->cpu, .chip = profile->cpu};
    target.kind = gp_starts_with(profile->triple, "nvptx")    ? GP_TARGET_NVPTX
                  : gp_starts_with(profile->triple, "amdgcn") ? GP_TARGET_AMDGCN
                                                              : GP_TARGET_SPIR;
    if (target.kind == GP_TARGET_SPIR || profile->cpu[0] == '\0')
        return profile;
    r->job.cuda = strcmp(profile->language, "cuda") == 0;
    gp_ask_backend(&r->job, &target, module, profile, &list, &stand_ins);
    if (list.count > 0)
        profile = gp_backend_apply(profile, &list, stand_ins, NULL, r->error);
    gp_backend_free(&list);
    return profile;
}

static void read_ir(void *context)
{
    struct reading *r = context;
    char *program = locate_program(r->error);
    char *sidecar = gp_workdir_file(&r->job.directory, "out.gpuperf");
    char *module = gp_workdir_file(&r->job.directory, "out.ll");
    if (program != NULL && run_program(r, program, sidecar, module))
        r->profile = gp_profile_read_file(sidecar, r->error);
    if (r->profile != NULL)
        r->profile = add_registers(r, r->profile, module);
    free(module);
    free(sidecar);
    free(program);
}

struct gp_profile *gp_compile_ir(const char *name, const char *bytes, size_t length, struct gp_error *error)
{
    struct gp_compile_request request = {.source_path = name};
    struct reading r = {.name = name, .bytes = bytes, .length = length, .error = error};
    r.job = (struct gp_job){.request = &request, .made = true, .deadline = gp_deadline_in(SECONDS, NULL)};
    r.job.clang = gp_locate_clang(NULL, NULL);
    if (!gp_workdir_make(&r.job.directory, getenv("TMPDIR"), error)) {
        free(r.job.clang);
        return NULL;
    }
    if (!gp_operation(read_ir, &r)) {
        r.profile = NULL;
        gp_fail(error, GP_OUT_OF_MEMORY);
    }
    gp_workdir_remove(&r.job.directory);
    free(r.job.clang);
    return r.profile;
}
