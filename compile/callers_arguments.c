/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "compile/callers_arguments.h"

#include <stddef.h>

enum { MOST_WORDS = 4 };

struct wording {
    const char *callers, *clangs[MOST_WORDS];
};

/* nvcc's fast mathematics are approximations and flushed denormal numbers; sums keep their order. */
static const struct wording of_nvcc[] = {
    {"-use_fast_math",
     {"-fapprox-func", "-freciprocal-math", "-fgpu-approx-transcendentals", "-fgpu-flush-denormals-to-zero"}},
    {"-ftz=true", {"-fgpu-flush-denormals-to-zero"}},
    {"-fmad=false", {"-ffp-contract=off"}},
    {"-lineinfo", {NULL}},
};

static const struct wording of_opencl[] = {
    {"-cl-denorms-are-zero", {"-cl-denorms-are-zero", "-Xclang", "-fdenormal-fp-math-f32=preserve-sign,preserve-sign"}},
};

static const struct wording *wording_of(const char *argument, const struct wording *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (gp_is_option(argument, words[i].callers))
            return &words[i];
    return NULL;
}

void gp_add_callers_arguments(const struct gp_job *job, const struct gp_target *target, struct gp_arguments *arguments)
{
    const char *const *callers = job->request->arguments;
    const struct wording *words = job->cuda ? of_nvcc : of_opencl;
    size_t count = job->cuda                         ? sizeof of_nvcc / sizeof *of_nvcc
                   : target->kind == GP_TARGET_NVPTX ? sizeof of_opencl / sizeof *of_opencl
                                                     : 0;
    for (size_t i = 0; callers != NULL && callers[i] != NULL; i++) {
        const struct wording *wording = wording_of(callers[i], words, count);
        if (wording == NULL)
            gp_arguments_add(arguments, "%s", callers[i]);
        for (int w = 0; wording != NULL && w < MOST_WORDS && wording->clangs[w] != NULL; w++)
            gp_arguments_add(arguments, "%s", wording->clangs[w]);
    }
}
