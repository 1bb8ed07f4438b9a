/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tasks 0..count-1 in a few threads. */
#ifndef GPUPERF_BENCH_WORKERS_H
#define GPUPERF_BENCH_WORKERS_H

#include <stddef.h>

/* Calls task(context, i) once for every i; returns when all are done. Which thread takes which task is not said. */
void workers_run(int threads, size_t count, void (*task)(void *context, size_t i), void *context);

#endif
