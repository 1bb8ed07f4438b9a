/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What to do without memory, in one place. An operation is work that either is done or leaves nothing behind: the first
 * allocation in it that fails ends it, and all blocks that it allocated and has not freed are freed.
 *
 *     static void predict(void *context) { struct question *q = context; ...; q->answer = ...; }
 *     if (!gp_operation(predict, &question))
 *         return gp_fail(error, GP_OUT_OF_MEMORY);
 *
 * So nobody between there and the allocation has to look (support/allocation.h). The price: the work holds nothing but
 * memory, no file, lock or process, while it allocates; what holds such things is an operation's caller, and checks its
 * own few allocations, or puts what may fail into an operation of its own and cleans up behind it. And where an
 * operation has failed, pointers that it stored outside are dangling: the caller clears them.
 *
 * Operations nest: what an inner one allocated belongs to the outer one when it is done. They do not cross threads.
 * Code of other libraries (libcyaml, SQLite, the C library's streams) allocates for itself, and says so.
 */
#ifndef GPUPERF_SUPPORT_OPERATION_H
#define GPUPERF_SUPPORT_OPERATION_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GP_OUT_OF_MEMORY "out of memory" /* the sentence about it */

/* Does the work. False: there was not enough memory, and it ended before its end. */
bool gp_operation(void (*work)(void *context), void *context);

/* Ends the operation that is under way as if an allocation had failed. Where there is none, does what was agreed for
 * that, or returns. */
void gp_operation_fail(void);

/* Outside of operations, too, no allocation gives NULL from now on: without memory `end` is called, which ends the
 * process. For processes that end so anyway, as LLVM's do. */
void gp_operation_or_end(void (*end)(void));

#ifdef __cplusplus
}
#endif

#endif
