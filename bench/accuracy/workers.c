/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/accuracy/workers.h"

#include <pthread.h>

enum { MAX_THREADS = 64 };

struct work {
    size_t next, count; /* next: taken atomically */
    void (*task)(void *context, size_t i);
    void *context;
};

static void *run(void *argument)
{
    struct work *work = argument;
    for (size_t i; (i = __atomic_fetch_add(&work->next, 1, __ATOMIC_RELAXED)) < work->count;)
        work->task(work->context, i);
    return NULL;
}

void workers_run(int threads, size_t count, void (*task)(void *context, size_t i), void *context)
{
    struct work work = {.count = count, .task = task, .context = context};
    pthread_t ids[MAX_THREADS];
    int started = 0;
    while (started < threads - 1 && started < MAX_THREADS && pthread_create(&ids[started], NULL, run, &work) == 0)
        started++;
    run(&work);
    while (started > 0)
        pthread_join(ids[--started], NULL);
}
