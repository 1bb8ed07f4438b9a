/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The C library's allocator with failures: of everything in the process, also what its libraries allocate. Once it is
 * linked in, malloc() and its kin are those of failing_memory.c. */
#ifndef GPUPERF_TEST_FAILING_MEMORY_H
#define GPUPERF_TEST_FAILING_MEMORY_H

#include <stdbool.h>

/* From now on allocations are counted, and the one behind `good` of them fails (negative: none); `sticky`: all that
 * follow, too. */
void failing_memory_begin(long good, bool sticky);

/* No more. How many allocations were asked for; *live: how many blocks more there are than at the beginning. */
long failing_memory_end(long *live);

#endif
