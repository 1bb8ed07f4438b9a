/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/workers.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/operation.h"
#include "support/text.h"

enum { MOST_JOBS = 256, CHUNK = 65536 };

struct worker {
    pid_t pid; /* 0: none runs in this place */
    int pipe;  /* what it prints */
    size_t index;
    struct gp_text text;
};

/* ---- In the worker
 * ---------------------------------------------------------------------------------------------------- */

struct task {
    gp_work *work;
    void *context;
    size_t index;
    char *text;
    struct gp_error error;
};

static void do_task(void *context)
{
    struct task *task = context;
    task->text = task->work(task->context, task->index, &task->error);
}

/* '+' and the text, or '-' and the sentence. */
static _Noreturn void work_in_child(struct task *task, int file)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (!gp_operation(do_task, task)) {
        task->text = NULL;
        gp_fail(&task->error, GP_OUT_OF_MEMORY);
    }
    const char *text = task->text != NULL ? task->text : task->error.text;
    bool done = gp_write_all(file, task->text != NULL ? "+" : "-", 1) && gp_write_all(file, text, strlen(text));
    _exit(done ? 0 : 1);
}

/* ---- In the command
 * --------------------------------------------------------------------------------------------------- */

static bool start(struct worker *worker, gp_work *work, void *context, size_t index, struct gp_error *error)
{
    int ends[2];
    if (pipe(ends) != 0)
        return gp_fail(error, "cannot start a process: %s", strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct task task = {.work = work, .context = context, .index = index};
        close(ends[0]);
        work_in_child(&task, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return gp_fail(error, "cannot start a process: %s", strerror(errno));
    }
    *worker = (struct worker){.pid = pid, .pipe = ends[0], .index = index};
    return true;
}

static void take_result(struct worker *worker, int status, struct gp_worker_result *result)
{
    const char *text = worker->text.length > 0 ? worker->text.data : "";
    if (text[0] == '+')
        result->text = strdup(text + 1);
    else if (text[0] == '-')
        gp_fail(&result->error, "%s", text + 1);
    else if (WIFSIGNALED(status))
        gp_fail(&result->error, "its process was ended by signal %d", WTERMSIG(status));
    else
        gp_fail(&result->error, "its process ended without a result");
    gp_text_free(&worker->text);
    close(worker->pipe);
    worker->pid = 0;
}

/* False: the worker is done. */
static bool read_some(struct worker *worker)
{
    char chunk[CHUNK];
    ssize_t count = read(worker->pipe, chunk, sizeof chunk);
    if (count > 0)
        gp_text_append(&worker->text, chunk, (size_t)count);
    return count > 0 || (count < 0 && errno == EINTR);
}

static void show_progress(size_t done, size_t count)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, done < count ? "\r%zu of %zu sources" : "\r\033[K", done, count);
}

/* Waits until some worker has printed; returns how many are done by then. */
static size_t serve(struct worker *workers, unsigned jobs, struct gp_worker_result *results)
{
    struct pollfd files[MOST_JOBS];
    size_t done = 0;
    for (unsigned i = 0; i < jobs; i++)
        files[i] = (struct pollfd){.fd = workers[i].pid > 0 ? workers[i].pipe : -1, .events = POLLIN};
    if (poll(files, jobs, -1) < 0)
        return 0;
    for (unsigned i = 0; i < jobs; i++) {
        int status = 0;
        if (files[i].fd < 0 || files[i].revents == 0 || read_some(&workers[i]))
            continue;
        while (waitpid(workers[i].pid, &status, 0) < 0 && errno == EINTR)
            ;
        take_result(&workers[i], status, &results[workers[i].index]);
        done++;
    }
    return done;
}

static void end_all(struct worker *workers, unsigned jobs)
{
    for (unsigned i = 0; i < jobs; i++) {
        if (workers[i].pid <= 0)
            continue;
        kill(workers[i].pid, SIGTERM);
        waitpid(workers[i].pid, NULL, 0);
        close(workers[i].pipe);
        gp_text_free(&workers[i].text);
    }
}

bool gp_run_workers(gp_work *work, void *context, size_t count, unsigned jobs, struct gp_worker_result *results,
                    struct gp_error *error)
{
    struct worker workers[MOST_JOBS] = {{0}};
    size_t started = 0, done = 0;
    jobs = jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs;
    while (done < count) {
        for (unsigned i = 0; i < jobs && started < count; i++) {
            if (workers[i].pid > 0)
                continue;
            if (!start(&workers[i], work, context, started, error)) {
                end_all(workers, jobs);
                return false;
            }
            started++;
        }
        show_progress(done, count);
        done += serve(workers, jobs, results);
    }
    show_progress(done, count);
    return true;
}
