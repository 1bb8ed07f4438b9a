/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "compile/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile/alike.h"
#include "compile/locate.h"
#include "compile/stand_ins.h"

enum { OPENCL_BOUND_AMD = 256 }; /* clang's default launch bound for OpenCL on amdgcn */

static bool write_file(const char *path, const struct gp_text *text)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    bool written = fwrite(text->data, 1, text->length, file) == text->length;
    return fclose(file) == 0 && written;
}

static bool run(struct gp_job *job, struct gp_arguments *arguments, struct gp_text *output)
{
    struct gp_process process = {.arguments = arguments->items,
                                 .environment = job->request->environment,
                                 .temporary = job->directory.path,
                                 .deadline = &job->deadline};
    int status = 0;
    return gp_process_run(&process, &status, output, NULL) && status == 0;
}

/* clang on a module that it made before. */
static void start_on_module(const struct gp_job *job, const struct gp_target *target, struct gp_arguments *arguments)
{
    gp_arguments_add(arguments, "%s", job->clang);
    gp_arguments_add(arguments, "-x");
    gp_arguments_add(arguments, "ir");
    gp_target_arguments(target, arguments);
}

static void link_bitcode(const char *path, struct gp_arguments *arguments)
{
    gp_arguments_add(arguments, "-Xclang");
    gp_arguments_add(arguments, "-mlink-builtin-bitcode");
    gp_arguments_add(arguments, "-Xclang");
    gp_arguments_add(arguments, "%s", path);
}

/*
 * The module is optimised already; where it is not whole, this second round inlines what was linked to it, the
 * stand-ins and, on NVIDIA, the body of each OpenCL kernel (gp_inline_kernel_bodies()). What it must not do is to
 * unroll or vectorise once more.
 */
static bool make_assembly(struct gp_job *job, const struct gp_target *target, const char *libdevice, const char *module,
                          const char *assembly)
{
    struct gp_arguments arguments = {0};
    struct gp_text output = {0};
    start_on_module(job, target, &arguments);
    gp_code_motion_arguments(target, job->request->for_llvm_compile, &arguments);
    if (target->kind == GP_TARGET_AMDGCN && strncmp(target->cpu, "gfx11", strlen("gfx11")) != 0) {
        gp_arguments_add(&arguments, "-mllvm"); /* behind the allocation of registers: costs a fifth of the time and
                                                   changes no count, but pairs RDNA3's instructions */
        gp_arguments_add(&arguments, "-enable-post-misched=0");
    }
    if (job->nothing_to_join) {
        gp_arguments_add(
            &arguments,
            "-mllvm"); /* of a large block it compares all accesses with each other: up to two thirds of the time */
        gp_arguments_add(&arguments, "-disable-nvptx-load-store-vectorizer");
    }
    if (job->whole) {
        gp_arguments_add(&arguments, "-Xclang");
        gp_arguments_add(&arguments, "-disable-llvm-passes");
    }
    static const char *const fixed[] = {
        "-O2", "-fno-unroll-loops", "-fno-vectorize", "-fno-slp-vectorize", "-fno-crash-diagnostics", "-w", "-S", "-o",
        NULL};
    if (libdevice != NULL)
        link_bitcode(libdevice, &arguments);
    gp_arguments_add_all(&arguments, fixed);
    gp_arguments_add(&arguments, "%s", assembly);
    gp_arguments_add(&arguments, "%s", module);
    bool made = run(job, &arguments, &output) && access(assembly, R_OK) == 0;
    gp_arguments_free(&arguments);
    gp_text_free(&output);
    return made;
}

/*
 * For the registers the calls of OpenCL's builtin functions need code: libclc's, linked as it is; make_assembly()
 * inlines it. What libclc lacks stays a call. NULL: there is no libclc for the target.
 */
static char *link_libclc(struct gp_job *job, const struct gp_target *target, const char *module)
{
    const char *name =
        job->cuda && !job->hip ? NULL : gp_target_libclc(target); /* HIP's indices are OpenCL's functions */
    char *libclc = name ? gp_locate_libclc(job->request->environment, name) : NULL, *text = NULL;
    if (libclc == NULL)
        return NULL;
    struct gp_arguments arguments = {0};
    struct gp_text output = {0};
    char *linked = gp_workdir_file(&job->directory, "linked.ll");
    start_on_module(job, target, &arguments);
    link_bitcode(libclc, &arguments);
    /* libclc's triple differs from the target's in the vendor: -w */
    static const char *const fixed[] = {"-Xclang", "-disable-llvm-passes",   "-emit-llvm", "-S",
                                        "-w",      "-fno-crash-diagnostics", "-o",         NULL};
    gp_arguments_add_all(&arguments, fixed);
    gp_arguments_add(&arguments, "%s", linked);
    gp_arguments_add(&arguments, "%s", module);
    if (run(job, &arguments, &output))
        text = gp_read_file(linked, NULL);
    gp_arguments_free(&arguments);
    gp_text_free(&output);
    free(linked);
    free(libclc);
    return text;
}

static bool run_ptxas(struct gp_job *job, const char *ptxas, const char *arch, const char *assembly, const char *object,
                      struct gp_text *output)
{
    const struct gp_device *device = job->request->device;
    struct gp_arguments arguments = {0};
    gp_arguments_add(&arguments, "%s", ptxas);
    gp_arguments_add(&arguments, "-v");
    gp_arguments_add(&arguments, "-lineinfo");
    gp_arguments_add(&arguments, "-arch=%s", arch);
    if (device != NULL && device->max_registers_per_thread.value >= 16 && device->max_registers_per_thread.value < 255)
        gp_arguments_add(&arguments, "-maxrregcount=%d", (int)device->max_registers_per_thread.value);
    gp_arguments_add(&arguments, "%s", assembly);
    gp_arguments_add(&arguments, "-o");
    gp_arguments_add(&arguments, "%s", object);
    bool done = run(job, &arguments, output);
    gp_arguments_free(&arguments);
    return done;
}

/* An architecture that this ptxas no longer knows: a newer one's registers are a good guess. */
static bool run_newer_ptxas(struct gp_job *job, const char *ptxas, const char *assembly, const char *object,
                            struct gp_text *output)
{
    static const char *const newer[] = {"sm_50", "sm_75", "sm_90"};
    bool done = false;
    for (size_t i = 0; !done && i < sizeof newer / sizeof newer[0]; i++) {
        gp_text_free(output);
        done = run_ptxas(job, ptxas, newer[i], assembly, object, output);
    }
    return done;
}

static void mark_as_estimates(struct gp_backend_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        list->kernels[i].resources.source = GP_SOURCE_ESTIMATE;
}

static bool ask_ptxas_of_all(struct gp_job *job, const struct gp_target *target, const char *assembly,
                             struct gp_backend_list *list)
{
    char *ptxas = gp_locate_ptxas(job->request->environment);
    if (ptxas == NULL)
        return false;
    char *object = gp_workdir_file(&job->directory, "out.cubin");
    struct gp_text output = {0};
    bool done = run_ptxas(job, ptxas, target->chip, assembly, object, &output);
    bool other = !done && output.data != NULL && strstr(output.data, "is not defined for option 'gpu-name'") != NULL;
    if (other)
        done = run_newer_ptxas(job, ptxas, assembly, object, &output);
    if (done)
        gp_read_ptxas(output.data, list);
    if (done && !other)
        gp_read_cubin(object, list);
    if (other)
        mark_as_estimates(list);
    gp_text_free(&output);
    free(object);
    free(ptxas);
    return done;
}

/* What ptxas is asked of: an assembly file, where others may stand for some of its entries one without them. */
struct question {
    const char *assembly;
    char *fewer; /* NULL: nothing is left out */
    struct gp_alike_list left_out;
};

static struct question begin_question(const struct gp_job *job, const char *assembly)
{
    struct question question = {.assembly = assembly};
    char *text = job->request->alike ? gp_read_file(assembly, NULL) : NULL;
    struct gp_text fewer = {0};
    if (text != NULL)
        gp_leave_out_alike_entries(text, &fewer, &question.left_out);
    if (question.left_out.count > 0) {
        question.fewer = gp_workdir_file(&job->directory, "fewer.ptx");
        write_file(question.fewer, &fewer); /* else ptxas refuses it, and is asked of all */
    }
    gp_text_free(&fewer);
    free(text);
    return question;
}

static void end_question(struct question *question)
{
    if (question->fewer != NULL)
        unlink(question->fewer);
    free(question->fewer);
    gp_alike_free(&question->left_out);
}

static bool ask_ptxas_of(struct gp_job *job, const struct gp_target *target, const struct question *question,
                         struct gp_backend_list *list)
{
    bool done = question->fewer != NULL && ask_ptxas_of_all(job, target, question->fewer, list);
    if (done)
        gp_backend_add_alike(&question->left_out, list);
    return done || ask_ptxas_of_all(job, target, question->assembly, list);
}

static void ask_ptxas_of_sibling(struct gp_job *job, const struct question *question)
{
    const struct gp_device *sibling = job->request->sibling;
    struct gp_target target = gp_target_of(sibling);
    if (sibling != NULL)
        ask_ptxas_of(job, &target, question, &job->sibling);
}

void gp_ask_ptxas_of_sibling(struct gp_job *job, const char *assembly)
{
    struct question question = begin_question(job, assembly);
    ask_ptxas_of_sibling(job, &question);
    end_question(&question);
}

/* And what it says of the same for the request's sibling. */
static bool ask_ptxas(struct gp_job *job, const struct gp_target *target, const char *assembly,
                      struct gp_backend_list *list)
{
    struct question question = begin_question(job, assembly);
    bool done = ask_ptxas_of(job, target, &question, list);
    if (done)
        ask_ptxas_of_sibling(job, &question);
    end_question(&question);
    return done;
}

static bool has_ptxas(const struct gp_job *job)
{
    char *ptxas = gp_locate_ptxas(job->request->environment);
    free(ptxas);
    return ptxas != NULL;
}

static bool read_assembly(const char *path, struct gp_backend_list *list)
{
    char *text = gp_read_file(path, NULL);
    if (text == NULL)
        return false;
    gp_read_amdgpu(text, list);
    free(text);
    return true;
}

static bool assemble(struct gp_job *job, const struct gp_target *target, const char *libdevice,
                     const struct gp_text *module, struct gp_backend_list *list)
{
    char *input = gp_workdir_file(&job->directory, "backend.ll");
    char *assembly = gp_workdir_file(&job->directory, "backend.s");
    bool done = write_file(input, module) && make_assembly(job, target, libdevice, input, assembly);
    if (done)
        done = target->kind == GP_TARGET_NVPTX ? ask_ptxas(job, target, assembly, list) : read_assembly(assembly, list);
    unlink(assembly);
    free(input);
    free(assembly);
    return done;
}

/* Of kernels that are alike code is made of one. */
static bool assemble_alike(struct gp_job *job, const struct gp_target *target, const char *libdevice,
                           const struct gp_text *module, struct gp_backend_list *list)
{
    struct gp_alike_list alike = {0};
    struct gp_text fewer = {0};
    if (job->request->alike && job->whole && target->kind == GP_TARGET_NVPTX)
        gp_leave_out_alike_functions(module->data, &fewer, &alike);
    bool done = alike.count > 0 && assemble(job, target, libdevice, &fewer, list);
    if (done) {
        gp_backend_add_alike(&alike, list);
        gp_backend_add_alike(&alike, &job->sibling);
    } else {
        done = assemble(job, target, libdevice, module, list);
    }
    gp_text_free(&fewer);
    gp_alike_free(&alike);
    return done;
}

/*
 * On AMD the number of registers follows from the largest group the code must run with. A second compile serves larger
 * groups than the default bound, where the device has them and some kernel does not state a bound of its own.
 */
static void ask_for_large_groups(struct gp_job *job, const struct gp_target *target, const struct gp_profile *profile,
                                 const struct gp_text *module, struct gp_backend_list *list)
{
    const struct gp_device *device = job->request->device;
    unsigned bound = device ? (unsigned)device->max_threads_per_block.value : 0;
    bool unbounded = false;
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        unbounded |= gp_stated_items(&profile->kernels[i].stated) == 0;
    struct gp_text raised = {0};
    if (target->kind == GP_TARGET_AMDGCN && unbounded && bound > OPENCL_BOUND_AMD &&
        gp_raise_launch_bound(module->data, bound, &raised)) {
        size_t before = list->count;
        assemble(job, target, NULL, &raised, list);
        for (size_t i = before; i < list->count;) { /* kernels with a bound of their own are in the list already */
            if (list->kernels[i].resources.launch_bound == bound) {
                i++;
                continue;
            }
            free(list->kernels[i].symbol);
            list->kernels[i] = list->kernels[--list->count];
        }
    }
    gp_text_free(&raised);
}

/*
 * NVIDIA's devices take aligned accesses only: where none is aligned for twice its width, none is the first part of a
 * wider one. Variables on the stack the backend would align itself.
 */
static bool may_join(const struct gp_kernel *kernel)
{
    for (uint32_t i = 0; i < kernel->param_count; i++)
        if (kernel->params[i].kind == GP_PARAM_OTHER) /* a struct, which the backend reads itself */
            return true;
    for (uint32_t m = 0; m < kernel->memory_count; m++) {
        const struct gp_memory *memory = &kernel->memory[m];
        unsigned width = memory->element_bytes * memory->vector;
        if (memory->space == GP_SPACE_PRIVATE || memory->space == GP_SPACE_GENERIC ||
            (width <= 8 && memory->alignment >= 2 * width))
            return true;
    }
    return kernel->truncated;
}

static unsigned loads_in(const char *module)
{
    unsigned count = 0;
    for (const char *at = module; (at = strstr(at, " = load ")) != NULL; at++)
        count++;
    return count;
}

/* Of the kernels, and of the code that was linked to them. */
static bool has_nothing_to_join(const struct gp_profile *profile, const char *module, const char *linked,
                                const char *libdevice)
{
    for (uint32_t i = 0; i < profile->kernel_count; i++)
        if (may_join(&profile->kernels[i]))
            return false;
    return libdevice == NULL && loads_in(module) == loads_in(linked);
}

/* The module is whole; all of its kernels or none. */
static bool ask_amd_backend(struct gp_job *job, const struct gp_target *target, const struct gp_profile *profile,
                            const struct gp_text *module, struct gp_backend_list *list)
{
    bool done = assemble(job, target, NULL, module, list) && gp_backend_knows_all(list, profile);
    if (done)
        ask_for_large_groups(job, target, profile, module, list);
    else
        gp_backend_free(list);
    return done;
}

static void ask_amd_backend_of_sibling(const struct gp_job *job, const struct gp_profile *profile,
                                       const struct gp_text *module, struct gp_backend_list *list)
{
    struct gp_compile_request request = *job->request;
    struct gp_job other = *job;
    request.device = request.sibling;
    other.request = &request;
    struct gp_target target = gp_target_of(request.sibling);
    struct gp_text own = {0};
    gp_forget_processor(module->data, &own);
    ask_amd_backend(&other, &target, profile, &own, list);
    gp_text_free(&own);
}

/* The code that runs is that of AMD's own clang, where there is one. */
static bool ask_amd_clang(struct gp_job *job, const struct gp_target *target, const struct gp_profile *profile,
                          struct gp_backend_list *list)
{
    struct gp_job other = *job;
    other.clang = gp_locate_amd_clang(job->request->environment);
    other.whole = true;
    struct gp_text module = {0};
    bool done = other.clang != NULL && gp_compile_with_amd_clang(&other, target, &module) &&
                ask_amd_backend(&other, target, profile, &module, list);
    for (size_t i = 0; i < list->count && done; i++)
        list->kernels[i].resources.source = GP_SOURCE_AMD_CLANG;
    if (done && job->request->sibling != NULL)
        ask_amd_backend_of_sibling(&other, profile, &module, &job->sibling);
    gp_text_free(&module);
    free(other.clang);
    return done;
}

/* NVIDIA's ids and barriers the plugin has spelled out, and the bodies of kernels are where they are called
 * (passes/tidy/spell_work_items.h), unless it could not. */
static bool needs_no_round(const struct gp_job *job, const struct gp_target *target, const char *module)
{
    return target->kind == GP_TARGET_NVPTX && !job->cuda && gp_is_whole(module) &&
           strstr(module, "@__clang_ocl_kern_imp_") == NULL;
}

bool gp_ask_backend(struct gp_job *job, const struct gp_target *target, const char *module,
                    const struct gp_profile *profile, struct gp_backend_list *list, bool *stand_ins)
{
    if ((target->kind != GP_TARGET_NVPTX && target->kind != GP_TARGET_AMDGCN) || profile->kernel_count == 0)
        return false;
    if (target->before_fermi) /* addresses of 32 bits, shared memory as an operand: what a later chip's code needs is no
                                 guess for these */
        return false;
    if (!job->made && !job->hip &&
        (target->kind == GP_TARGET_NVPTX ? gp_ask_nvcc(job, target, profile, list)
                                         : ask_amd_clang(job, target, profile, list)))
        return true;
    if (target->kind == GP_TARGET_NVPTX && !has_ptxas(job)) /* nobody would read the assembly */
        return false;
    char *own = gp_read_file(module, NULL);
    if (own == NULL)
        return false;
    bool whole = needs_no_round(job, target, own);
    char *with_libclc = whole ? NULL : link_libclc(job, target, module);
    const char *text = with_libclc != NULL ? with_libclc : own;
    struct gp_text linked = {0};
    unsigned count = 0;
    char *libdevice = target->kind == GP_TARGET_NVPTX && strstr(text, "@__nv_") != NULL
                          ? gp_locate_libdevice(job->request->environment)
                          : NULL;
    job->nothing_to_join = target->kind == GP_TARGET_NVPTX && has_nothing_to_join(profile, own, text, libdevice);
    struct gp_stand_in_options options = {.target = target->kind, .libdevice = libdevice != NULL};
    bool done = gp_add_stand_ins(text, &options, &linked, &count, NULL) && linked.data != NULL;
    job->whole = whole && count == 0;
    if (done && target->kind == GP_TARGET_NVPTX && !job->cuda) {
        struct gp_text sized = {0}, inlined = {0};
        gp_state_required_sizes(linked.data, profile, &sized);
        gp_inline_kernel_bodies(sized.data, &inlined);
        gp_text_free(&sized);
        gp_text_free(&linked);
        linked = inlined;
    }
    done = done && assemble_alike(job, target, libdevice, &linked, list);
    if (done)
        ask_for_large_groups(job, target, profile, &linked, list);
    *stand_ins = count > 0;
    free(libdevice);
    gp_text_free(&linked);
    free(with_libclc);
    free(own);
    return done;
}
