/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Prints what `predict` found out, a result after the other, in the format that was asked for. Nothing that is printed
 * is kept: of many combinations what there is goes to standard output from time to time.
 */
#ifndef GPUPERF_TOOLS_OUTPUT_PRINTER_H
#define GPUPERF_TOOLS_OUTPUT_PRINTER_H

#include <jansson.h>

#include "tools/results.h"
#include "tools/settings.h"

struct gp_printer {
    const struct gp_settings *settings;
    size_t combinations;
    int name_width;                 /* of the longest kernel's name */
    size_t count;                   /* of results so far */
    const struct gp_kernel *kernel; /* of the last result */
    const struct gp_device *device;
    json_t *devices, *launches, *findings; /* of a document: what stands behind the predictions */
};

void gp_printer_begin(struct gp_printer *printer, const struct gp_settings *settings, size_t combinations,
                      int name_width);

/* False: out of memory, or standard output cannot be written to. */
bool gp_printer_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out,
                    struct gp_error *error);

/* What stands behind the last result. False: out of memory. */
bool gp_printer_end(struct gp_printer *printer, struct gp_text *out, struct gp_error *error);

void gp_printer_free(struct gp_printer *printer);

/* ---- The formats: what each makes of a result -------------------------------------------------------------------- */

/*
 * Of many combinations a row each (sweep.c), with the best local sizes:
 *
 *   saxpy on a100 (NVIDIA A100 40 GB, 1410 MHz), caches cold
 *     launch     global 1048576, n=64 first; the best local size of each combination
 *
 *        n  local             time  occupancy  limiter   confidence
 *       64  256            2.31 us       100%  launch          100%
 */
void gp_sweep_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out);

/*
 *   kernel          device       local             time  limiter   confidence
 *   transpose_naive a100         8x64           9.31 us  dram            100%
 */
void gp_overview_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out);

void gp_csv_head(const struct gp_axes *axes, struct gp_text *out);
void gp_csv_add(const struct gp_result *result, struct gp_text *out);

void gp_markdown_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out);

/* An array, as of old. False: out of memory. */
bool gp_array_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out);
void gp_array_end(struct gp_text *out);

/* {"schema": "gpuperf/1", ...}: tools/output/gpuperf-1.schema.json. False: out of memory. */
bool gp_document_add(struct gp_printer *printer, const struct gp_result *result, struct gp_text *out);
bool gp_document_end(struct gp_printer *printer, struct gp_text *out);

#endif
