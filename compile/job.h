/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One compile on its way: what gp_compile()'s steps share. */
#ifndef GPUPERF_COMPILE_JOB_H
#define GPUPERF_COMPILE_JOB_H

#include "compile/arguments.h"
#include "compile/backend.h"
#include "compile/compile.h"
#include "compile/process.h"
#include "compile/target.h"
#include "compile/workdir.h"

struct gp_job {
    const struct gp_compile_request *request;
    bool cuda; /* or HIP */
    bool hip;
    char *clang, *plugin;
    char *source;    /* file that clang reads */
    char *cuda_root; /* the toolkit, or NULL */
    struct gp_workdir directory;
    struct gp_deadline deadline;
    bool made;                      /* there is no source: the module is somebody else's (ir.h) */
    bool refused;                   /* the source, by clang */
    bool uses_sub_groups;           /* which clang has from OpenCL C 2.0 on */
    enum gp_opencl opencl;          /* what the source is taken for */
    bool whole;                     /* the module that clang makes code of is optimised and linked already */
    struct gp_backend_list sibling; /* what the request's sibling's assembler says of the same code */
    bool nothing_to_join;           /* no accesses side by side that NVIDIA's backend could make a wider one of */
};

enum gp_outcome {
    GP_DONE,
    GP_REFUSED, /* the program ran and said no: another target may do */
    GP_BROKEN   /* no program, killed, out of time: nothing else will do either */
};

/* What the preprocessor read, in the job's directory, where the request wants to know. */
extern const char gp_preprocessed_name[];
/* Likewise changes of the source. */
extern const char gp_edits_name[];

/* Runs clang with the plugin: the profile, and the optimised module as text in `module` (a file name). */
enum gp_outcome gp_make_profile(struct gp_job *job, const struct gp_target *target, const char *module,
                                struct gp_profile **profile, struct gp_text *messages, struct gp_error *error);

/*
 * Registers of the kernels in the source from nvcc, or NVRTC, whose optimiser orders instructions otherwise than
 * clang's, so that as much as every third kernel with many values spills with one of them only. OpenCL C goes through
 * it in terms of CUDA (nvcc_prelude.h). False, and an empty list: there is neither beside ptxas, or it does not take
 * the source or not all of its kernels. profile NULL: of whatever kernels it has.
 */
bool gp_ask_nvcc(struct gp_job *job, const struct gp_target *target, const struct gp_profile *profile,
                 struct gp_backend_list *list);

/* What ptxas says of the assembly for the request's sibling, where it has one (job->sibling). */
void gp_ask_ptxas_of_sibling(struct gp_job *job, const char *assembly);

/*
 * The source's optimised module as text from job->clang, another clang than ours: AMD's own, with which the program's
 * driver makes code. LLVM's versions order instructions otherwise and spill otherwise. False: it does not take the
 * source, or calls are left that nothing defines.
 */
bool gp_compile_with_amd_clang(struct gp_job *job, const struct gp_target *target, struct gp_text *module);

/*
 * Registers of the kernels in that module from the target's backend: what it could find out is added to the list.
 * *stand_ins: some functions had no definition. False: nothing (no such backend here or for that device, code that it
 * does not take, time is up); the estimates stay.
 */
bool gp_ask_backend(struct gp_job *job, const struct gp_target *target, const char *module,
                    const struct gp_profile *profile, struct gp_backend_list *list, bool *stand_ins);

#endif
