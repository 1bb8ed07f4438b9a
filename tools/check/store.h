/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Results kept by content, so that a second run over a tree that has not changed compiles nothing. A file for each
 * source as it is asked about (path, arguments, devices, kernels), in $GPUPERF_CACHE/check, else
 * $XDG_CACHE_HOME/gpuperf/check, else ~/.cache/gpuperf/check; it holds what the result was made from: source, each
 * header that was included or looked for, devices' numbers, the configuration, gpuperf, compiler and plugin.
 */
#ifndef GPUPERF_TOOLS_CHECK_STORE_H
#define GPUPERF_TOOLS_CHECK_STORE_H

#include "tools/check/unit_rows.h"

/* The kept result; free() it. NULL: there is none, or something has changed. */
char *gp_store_get(const struct gp_unit_question *question);

/* Keeps a result. What cannot be written is not kept. `read`: plugin/preprocessed.h's text of its compiles; NULL: it is
 * not known, nothing is kept. */
void gp_store_put(const struct gp_unit_question *question, const char *read, const char *result);

#endif
