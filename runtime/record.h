/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a program launches, as a gpuperf.yaml (GPUPERF_RECORD=FILE): text and files. No OpenCL.
 *
 *     kernels:
 *       "blur":
 *         launches:
 *           - source: "FILE.d/0123456789abcdef.cl"
 *             options: ["-cl-std=CL1.2"]
 *             global: 1920x1080
 *             local: 32x8           # driver_local: where the program left it open, what it ran with here
 *             args: {width: 1920, in: 8294400}
 *             count: 300
 */
#ifndef GPUPERF_RUNTIME_RECORD_H
#define GPUPERF_RUNTIME_RECORD_H

#include "runtime/decision.h"
#include "runtime/options.h"
#include "support/error.h"
#include "support/text.h"

/* What the driver says of a kernel's parameter; "" and 0: nothing. */
struct gp_parameter_info {
    char name[64], type[32]; /* "n", "float4" */
    bool local, buffer;      /* in local memory; in global or constant memory */
};

/*
 * Adds "NAME: NUMBER" to a list of arguments: a scalar's value in the parameter's own type, bytes of a buffer or of
 * local memory (`bytes`: of the object that is set; 0: it is none, or not known). Without a name the parameter's number
 * stands for it, without a type "0x..." for the bytes as they were set. What cannot be said so is left out. In the C
 * locale.
 */
void gp_record_argument(uint32_t index, const struct gp_raw_argument *argument, const struct gp_parameter_info *info,
                        uint64_t bytes, struct gp_text *list);

struct gp_recorded_launch {
    const char *kernel;
    const char *source; /* NULL: not known */
    struct gp_hash source_hash;
    const struct gp_options *options;
    uint32_t dims;
    uint64_t global[3];
    uint32_t local[3];     /* 0: not known */
    bool open;             /* the program did not state it */
    const char *arguments; /* gp_record_argument()'s list */
    uint64_t count;
    uint64_t others; /* of these with other scalars */
    uint64_t order;  /* of the first launch */
};

/* The whole file for these launches, which it sorts: by kernel, then in the order of their first launches. `path`:
 * where it goes. */
void gp_record_print(struct gp_recorded_launch *launches, size_t count, const char *path, struct gp_text *out);

/*
 * Writes it, and the sources into PATH.d (mode 0600 in a folder of mode 0700). Only an own earlier recording is
 * replaced: a link, another user's file, a file with other names, and one that does not begin as recordings do stay as
 * they are. Nobody sees half of a file. False: a sentence.
 */
bool gp_record_write(const char *path, const struct gp_text *text, const struct gp_recorded_launch *launches,
                     size_t count, struct gp_error *error);

#endif
