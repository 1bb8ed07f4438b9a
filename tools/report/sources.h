/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of the sources that a report shows: of each kernel its whole text, and the neighbourhood of each line that
 * a row names elsewhere.
 *
 *   {"blur.cl": [{"first": 12, "lines": ["__kernel void blur(...", ...]}, ...], ...}
 *
 * A file that cannot be read is not there. Bytes that are no UTF-8 are "?", what is longer than a screen is cut off.
 */
#ifndef GPUPERF_TOOLS_REPORT_SOURCES_H
#define GPUPERF_TOOLS_REPORT_SOURCES_H

#include <jansson.h>
#include <stdbool.h>

/* Gives each row's `place` the `end` of its kernel where that is found. Of the rows' `place`, `bottlenecks` and
 * `lines`, as many of them as fit the bytes; *whole: all did. */
json_t *gp_source_parts(const json_t *rows, size_t most_bytes, bool *whole);

#endif
