/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Build options of an OpenCL program, as far as clang knows them. */
#ifndef GPUPERF_RUNTIME_OPTIONS_H
#define GPUPERF_RUNTIME_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "support/text.h"

struct gp_options {
    char **arguments; /* for clang, NULL-terminated; directories absolute */
    size_t count;
    unsigned version;    /* of -cl-std=: 120, 200, 300 ...; 0: not given */
    bool uniform_groups; /* -cl-uniform-work-group-size */
    bool loose;          /* one of them lets the compiler round as it likes: -cl-fast-relaxed-math ... */
    bool unknown;        /* there are others that may change what is compiled (-include) */
    long long built_ns;  /* when the driver was asked to build a source that includes headers: the real-time clock; 0:
                            not noted */
};

/*
 * Splits as clBuildProgram's text is split (blanks; quotes and backslash as in a shell) and keeps -D, -U, -I, -w and
 * the -cl- options that change code; drivers' own options are left out. NULL text counts as "". False: out of memory.
 */
bool gp_options_parse(const char *text, struct gp_options *options);
void gp_options_free(struct gp_options *options);

/* As bytes, to be kept: the arguments, each with its terminator. Reading them gives the same options; false: out of
 * memory, or the last one has no terminator. */
void gp_options_pack(const struct gp_options *options, struct gp_text *packed);
bool gp_options_unpack(const char *packed, size_t length, struct gp_options *options);

#endif
