/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/progress.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* A thread of its own tells it, since a single prediction may take as long as that. */
enum { FIRST_SECONDS = 2, WIDTH = 100 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    pthread_t thread;
    bool runs, ends, shown;
    char line[WIDTH];
} progress = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void show(void)
{
    fprintf(stderr, "\r\033[Kgpuperf: %s", progress.line);
    fflush(stderr);
    progress.shown = true;
}

/* Once a second from the second one on, whatever is the line then. */
static void *tell(void *unused)
{
    struct timespec next;
    (void)unused;
    clock_gettime(CLOCK_REALTIME, &next);
    next.tv_sec += FIRST_SECONDS;
    pthread_mutex_lock(&progress.lock);
    while (!progress.ends) {
        if (pthread_cond_timedwait(&progress.ended, &progress.lock, &next) == 0)
            continue;
        show();
        next.tv_sec++;
    }
    pthread_mutex_unlock(&progress.lock);
    return NULL;
}

void gp_progress_begin(void)
{
    progress.runs = isatty(STDERR_FILENO) && pthread_create(&progress.thread, NULL, tell, NULL) == 0;
}

void gp_progress(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&progress.lock);
    vsnprintf(progress.line, sizeof progress.line, format, arguments);
    pthread_mutex_unlock(&progress.lock);
    va_end(arguments);
}

void gp_progress_hide(void)
{
    pthread_mutex_lock(&progress.lock);
    if (progress.runs && progress.shown)
        fputs("\r\033[K", stderr);
    progress.shown = false;
    pthread_mutex_unlock(&progress.lock);
}

void gp_progress_end(void)
{
    if (!progress.runs)
        return;
    pthread_mutex_lock(&progress.lock);
    progress.ends = true;
    pthread_cond_signal(&progress.ended);
    pthread_mutex_unlock(&progress.lock);
    pthread_join(progress.thread, NULL);
    if (progress.shown)
        fputs("\r\033[K", stderr);
    progress.runs = false;
}
