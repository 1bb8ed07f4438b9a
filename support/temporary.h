/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Files and directories that must not outlive the process, for a program that a signal ends: what is made notes itself
 * here for as long as it is there. */
#ifndef GPUPERF_SUPPORT_TEMPORARY_H
#define GPUPERF_SUPPORT_TEMPORARY_H

/* The path must stay as it is until it is forgotten; nothing needs to be there yet. Beyond so many at once a path is
 * not noted. Any thread. */
void gp_temporary_note(const char *path);
void gp_temporary_forget(const char *path);

/* Removes all of them, directories with what they hold. Safe in a signal handler, behind which the process is to end.
 */
void gp_temporary_remove_all(void);

#endif
