/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The page without its data, which stands in it as "@DATA@": page.cmake writes it at build time. NUL-terminated. */
#ifndef GPUPERF_TOOLS_REPORT_PAGE_TEXT_H
#define GPUPERF_TOOLS_REPORT_PAGE_TEXT_H

extern const unsigned char gp_page_text[];

#endif
