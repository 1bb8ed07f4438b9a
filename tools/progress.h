/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How far a command is, on standard error, where that is a terminal and the command takes longer than two seconds: one
 * line, written over time and again, and gone at the end.
 *
 *     gpuperf: basic_rotate on a100, kernel 12 of 59: local size 3 of 64
 */
#ifndef GPUPERF_TOOLS_PROGRESS_H
#define GPUPERF_TOOLS_PROGRESS_H

void gp_progress_begin(void);
/* What is being done now; formats as printf does. */
void gp_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Takes the line away, until the next second, for what is printed meanwhile. */
void gp_progress_hide(void);
/* Nothing is shown from then on. Also where none was begun. */
void gp_progress_end(void);

#endif
