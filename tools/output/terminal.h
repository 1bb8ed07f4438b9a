/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Text for a terminal: colours, and lines no longer than it is wide. Both are put on finished text, so that the words
 * are the same wherever they go: without the colours, and with the lines joined, it is what a file gets.
 */
#ifndef GPUPERF_TOOLS_OUTPUT_TERMINAL_H
#define GPUPERF_TOOLS_OUTPUT_TERMINAL_H

#include <stdbool.h>

#include "support/error.h"
#include "support/text.h"

enum gp_colour { GP_COLOUR_AUTO, GP_COLOUR_ALWAYS, GP_COLOUR_NEVER };

/* "auto", "always", "never". False: a sentence. */
bool gp_colour_parse(const char *name, enum gp_colour *colour, struct gp_error *error);

/* What standard output is to get: AUTO colours a terminal, but not a dumb one ($TERM), nor where $NO_COLOR is set. */
bool gp_colours(enum gp_colour colour);

/* Columns of the terminal that standard output is; of a pipe or a file $COLUMNS, where that is exported. 80 where
 * neither says. */
unsigned gp_terminal_width(void);

/* Dresses the lines of `out` from `from` on. `width` 0: lines stay as long as they are. */
void gp_dress(struct gp_text *out, size_t from, bool colours, unsigned width);

#endif
