/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The FILE of a command: a source, a profile in either form, or a compiled module that carries one. */
#ifndef GPUPERF_TOOLS_INPUT_H
#define GPUPERF_TOOLS_INPUT_H

#include "hwdb/hwdb.h"
#include "model/profile/profile.h"

struct gp_input {
    const char *path;
    const char *language; /* "opencl", "clcpp", "cuda", "hip", "ir"; NULL: the path tells */
    char *bytes;          /* the whole file */
    size_t length;
    bool edits;                   /* asked for by the caller: compiles tell changes of the source */
    bool regular;                 /* a plain file that a compiler can open again */
    struct gp_profile **profiles; /* one for each target that it is for; NULL: it is a source */
    size_t profile_count;
};

/* False: a sentence (no such file, a directory, empty, a profile that is broken, a module without one). */
bool gp_input_open(const char *path, struct gp_input *input, struct gp_error *error);

/* The same of a file, or of standard input where the path is "-", in a language that somebody names, as for -x. NULL:
 * the file's name tells. */
bool gp_input_open_as(const char *path, const char *language, struct gp_input *input, struct gp_error *error);
void gp_input_close(struct gp_input *input);

/* A profile for one device. */
struct gp_device_profile {
    struct gp_profile *profile;
    bool owned;                  /* compiled for this device; else the input's */
    bool foreign;                /* the code is not what the device would run */
    struct gp_error foreign_why; /* what its compiler says of the source; "": it was not asked */
    char *preprocessed; /* what its compile read, as text (plugin/preprocessed.h); NULL: it was not compiled, or that is
                           not known */
    char *edits;        /* plugin/fixes.h; NULL: not asked for, or not known */
};

/* Whether it is a source in HIP, which AMD's devices run. */
bool gp_input_is_hip(const struct gp_input *input);

/* Whether the device runs what the input is written in. False: a sentence. */
bool gp_input_suits(const struct gp_input *input, const struct gp_device *device, struct gp_error *error);

/* Compiles a source for the device; of profiles takes the one whose code its driver would. */
bool gp_input_profile(const struct gp_input *input, const struct gp_device *device, const char *const *clang_arguments,
                      struct gp_device_profile *result, struct gp_error *error);
/* Whether local sizes must divide the global size: as in OpenCL 1, but not in later versions and in CUDA, which rounds
 * the grid up. */
bool gp_needs_uniform_groups(const struct gp_profile *profile, char *const *clang_arguments);

void gp_device_profile_free(struct gp_device_profile *profile);

#endif
