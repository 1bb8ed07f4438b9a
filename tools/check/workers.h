/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One process for each source, several at a time: a source that ends its compiler, or takes all memory, is one line of
 * the result. */
#ifndef GPUPERF_TOOLS_CHECK_WORKERS_H
#define GPUPERF_TOOLS_CHECK_WORKERS_H

#include "support/error.h"
#include "support/text.h"

struct gp_worker_result {
    char *text;            /* what the work gave; NULL: it failed. free() */
    struct gp_error error; /* why */
};

/* The work for item `index`: a text to be freed, or NULL and a sentence. Runs in a process of its own. */
typedef char *gp_work(void *context, size_t index, struct gp_error *error);

/*
 * Does the work for items 0 to count - 1 in `jobs` processes at a time; results[i] is item i's. Shows on standard
 * error, if that is a terminal, how far it is. False: no process could be started.
 */
bool gp_run_workers(gp_work *work, void *context, size_t count, unsigned jobs, struct gp_worker_result *results,
                    struct gp_error *error);

#endif
