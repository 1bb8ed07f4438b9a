/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lines that work-groups write, and which of them groups far from each other write: cores that run such groups at the
 * same time take these lines from each other.
 */
#ifndef GPUPERF_MODEL_WRITTEN_LINES_H
#define GPUPERF_MODEL_WRITTEN_LINES_H

#include "model/cache/keyed_set.h"

struct gp_written_lines {
    struct gp_keyed_set set;
    uint32_t most;
    uint64_t apart;
    uint32_t shared; /* lines that groups far from each other have written */
};

/* For at most so many lines; further ones are not told. Groups are far from each other whose numbers are at least so
 * far apart (1 and more). */
void gp_written_lines_init(struct gp_written_lines *lines, uint32_t most, uint64_t apart);
void gp_written_lines_free(struct gp_written_lines *lines);

/* A group writes to the line. Whether one that is far from it has written to it, too. */
bool gp_write_line(struct gp_written_lines *lines, uint64_t line, uint64_t group);

#endif
