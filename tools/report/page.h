/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The report: one page that needs nothing but a browser. tools/report/page/ is what it looks like; the build makes one
 * text of it, with D3 in it (page.cmake). What is told is `check`'s JSON with the sources beside it, packed
 * in the element `data`:
 *
 *   {"schema": "gpuperf/1", ..., "sources": {sources.h}, "sources_whole": true}
 *
 * The same outcome and sources give the same bytes.
 */
#ifndef GPUPERF_TOOLS_REPORT_PAGE_H
#define GPUPERF_TOOLS_REPORT_PAGE_H

#include "tools/check/outcome.h"

/* The page without its data, which stands in it as "@DATA@": page.cmake writes it at build time. NUL-terminated. */
extern const unsigned char gp_page_text[];

/* False: out of memory. */
bool gp_print_page(const struct gp_outcome *outcome, struct gp_text *out, struct gp_error *error);

#endif
