/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* An argument array that grows, for programs started without a shell. */
#ifndef GPUPERF_COMPILE_ARGUMENTS_H
#define GPUPERF_COMPILE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct gp_arguments {
    char **items; /* NULL-terminated once something was added */
    size_t count;
    size_t capacity;
};

/* Adds one argument; formats as printf does. */
void gp_arguments_add(struct gp_arguments *arguments, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds each argument of a NULL-terminated array as it is; NULL adds nothing. */
void gp_arguments_add_all(struct gp_arguments *arguments, const char *const *items);

enum gp_opencl { GP_OPENCL_1_2, GP_OPENCL_2_0, GP_OPENCL_CPP };

/*
 * OpenCL C, or C++ for OpenCL, as drivers take it. A function of C that is `inline` and no more has, by C99, its body
 * elsewhere, in a source that OpenCL does not have: drivers take the one that is there. They warn about implicit
 * conversions between pointers, and from integers, which are errors of clang's since 16 and 15.
 */
void gp_arguments_add_opencl(struct gp_arguments *arguments, enum gp_opencl language);

/* A header in front of the source. */
void gp_arguments_include(struct gp_arguments *arguments, const char *path);

/* The file to compile, also where its name looks like an option, or like a file of options. */
void gp_arguments_add_source(struct gp_arguments *arguments, const char *path);

/* Whether it is this option, which begins with one dash; nvcc takes two as well. */
bool gp_is_option(const char *argument, const char *option);

void gp_arguments_free(struct gp_arguments *arguments);

#endif
