/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs a program and waits for it. It starts without a shell, with nothing inherited but an environment (less what
 * would load the OpenCL layer into it); standard input is empty; what it prints on standard output and standard error
 * is kept, up to a bound. When time is up or the caller gives up, the program and all that it started are killed; when
 * the caller's process ends, however it ends, they are, too. The caller's process sees nothing of it (supervisor.h).
 *
 * The program may take half of the machine's memory, at least 2 GiB, as much processor time as there is until the
 * deadline, which goes on where the caller is stopped, and write files of at most 1 GiB.
 */
#ifndef GPUPERF_COMPILE_PROCESS_H
#define GPUPERF_COMPILE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "support/error.h"
#include "support/text.h"

enum { GP_MAX_PROCESS_OUTPUT = 1 << 20 };

/* When a sequence of programs must be done. */
struct gp_deadline {
    int64_t end_ms;       /* of the monotonic clock */
    unsigned seconds;     /* for the message */
    const int *cancelled; /* may be NULL; not 0: give up */
};

struct gp_deadline gp_deadline_in(unsigned seconds, const int *cancelled);

/* When so many-th part of what is left is over. */
struct gp_deadline gp_deadline_part(const struct gp_deadline *whole, unsigned parts);

struct gp_process {
    char *const *arguments; /* the program (with its path, or to be found in PATH) first */
    const char *temporary;  /* directory for the program's own temporary files: its TMPDIR */
    const struct gp_deadline *deadline;
    char *const *environment; /* the variables that it gets; NULL: this process's */
};

/*
 * False: it could not be started, was killed, met a limit, or died of a signal; a sentence. True: it ended with
 * *status; `output` (empty before) holds what it printed.
 */
bool gp_process_run(const struct gp_process *process, int *status, struct gp_text *output, struct gp_error *error);

#endif
