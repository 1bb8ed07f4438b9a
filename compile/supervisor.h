/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A program that the process which starts it does not see. A library may not leave a process that is not its own with a
 * child: the process would get SIGCHLD, calls of its would return EINTR, its wait() would find a stranger. The kernel
 * sends nothing for a child that was cloned without a signal, and wait() passes it over; but execve() makes it one like
 * others again. So the program is the child of a supervisor, such a clone, which never becomes a program itself. It
 * takes in what the program leaves behind (PR_SET_CHILD_SUBREAPER), ends it, and ends when all are gone. When the
 * process that started it ends, it does so at once.
 *
 * Who waits with __WALL or __WCLONE asks for such children, too, and may meet the supervisor.
 */
#ifndef GPUPERF_COMPILE_SUPERVISOR_H
#define GPUPERF_COMPILE_SUPERVISOR_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

/* What the program may take, not more than the process that starts it. */
struct gp_limits {
    rlim_t memory; /* bytes of address space */
    rlim_t processor_seconds;
    rlim_t file_bytes; /* of each file that it writes */
};

struct gp_supervised {
    const char *path; /* of the program */
    char *const *arguments, *const *environment;
    int output; /* where both its outputs go */
    struct gp_limits limits;
};

struct gp_supervisor;

/* 0, or why there is none (errno). What `program` points to must stay until gp_supervisor_end(). The calling thread
 * must live as long. */
int gp_supervisor_start(struct gp_supervisor **made, const struct gp_supervised *program);

/* Whether the program has ended. */
bool gp_supervisor_has_ended(const struct gp_supervisor *supervisor);

/* Ends the program where it still runs, and whatever it left; frees. *failed: why it never became one (errno), or 0.
 * False: the supervisor was killed, so that nobody knows *state (as of wait()). */
bool gp_supervisor_end(struct gp_supervisor *supervisor, int *state, int *failed);

#endif
