#define _GNU_SOURCE /* vfork, execvpe, closefrom, pipe2 */
#include "compile/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compile/arguments.h"
#include "support/prefix.h"

extern char **environ;

enum { POLL_MS = 50 }; /* how late a cancellation or an exit with the pipe still open is noticed */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct gp_deadline gp_deadline_in(unsigned seconds, const int *cancelled)
{
    return (struct gp_deadline){.end_ms = now_ms() + (int64_t)seconds * 1000, .seconds = seconds, .cancelled = cancelled};
}

struct gp_deadline gp_deadline_part(const struct gp_deadline *whole, unsigned parts)
{
    int64_t now = now_ms(), left = whole->end_ms - now;
    return (struct gp_deadline){.end_ms = now + (left > 0 ? left / parts : 0), .seconds = whole->seconds / parts, .cancelled = whole->cancelled};
}

static bool is_cancelled(const struct gp_deadline *deadline)
{
    return deadline->cancelled != NULL && __atomic_load_n(deadline->cancelled, __ATOMIC_RELAXED) != 0;
}

/* A compiler that runs OpenCL itself must not load the layer that started it; its temporary files must go away with ours. */
static void child_environment(const struct gp_process *process, struct gp_arguments *environment)
{
    for (char *const *variable = process->environment != NULL ? process->environment : environ; variable != NULL && *variable != NULL; variable++) {
        if (!gp_starts_with(*variable, "OPENCL_LAYERS=") && !gp_starts_with(*variable, "TMPDIR="))
            gp_arguments_add(environment, "%s", *variable);
    }
    gp_arguments_add(environment, "TMPDIR=%s", process->temporary);
}

/* What the child needs, made before there is one: it may allocate nothing. */
struct start {
    char *const *arguments, *const *environment;
    int output;
    pid_t parent;
    volatile int failed; /* why it could not become the program; the child writes into our memory */
};

/* Standard input empty, both outputs into the pipe, everything else closed. The pipe may have a number that is one of these three, where the caller has closed them. */
static bool set_up_files(int output)
{
    output = fcntl(output, F_DUPFD, 3);
    int empty = output >= 0 ? open("/dev/null", O_RDONLY) : -1;
    if (empty < 0 || dup2(empty, 0) != 0 || dup2(output, 1) != 1 || dup2(output, 2) != 2)
        return false;
    closefrom(3);
    return true;
}

/* A group of its own, so that all of it can be killed; signals as in a fresh program, whatever the caller blocks and ignores. */
static bool set_up_signals(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &usual, NULL); /* some cannot be set, and are as they should be */
    return setpgid(0, 0) == 0 && pthread_sigmask(SIG_SETMASK, &none, NULL) == 0;
}

/*
 * Whatever ends the caller, a signal that it cannot catch, too, ends the program. The kernel watches the thread that started it, which is the one that waits for it. A caller that ended before it was watched
 * is not the parent any more. Where a sandbox does not allow to ask for this, the program runs without.
 */
static bool set_up_end(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return getppid() == parent;
}

static _Noreturn void become_program(struct start *start)
{
    if (set_up_files(start->output) && set_up_signals() && set_up_end(start->parent))
        execvpe(start->arguments[0], start->arguments, start->environment);
    start->failed = errno != 0 ? errno : ECHILD;
    _exit(127);
}

/*
 * posix_spawn() cannot ask for the signal at the parent's end, fork() would copy the tables of a program's whole memory and run what it registered with pthread_atfork(). So this is what posix_spawn() does: the
 * child borrows our memory and this thread until it has become the program, and no handler of the caller's may run in it.
 */
static pid_t start_child(struct start *start)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = vfork();
    if (child == 0)
        become_program(start);
    if (child < 0)
        start->failed = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return child;
}

static bool reap(pid_t child, int *state)
{
    pid_t result;
    do
        result = waitpid(child, state, 0);
    while (result < 0 && errno == EINTR);
    return result == child;
}

/* 0, or why there is no child. */
static int spawn(const struct gp_process *process, int output, pid_t *child)
{
    struct gp_arguments environment = {0};
    int state;
    child_environment(process, &environment);
    struct start start = {.arguments = process->arguments, .environment = environment.items, .output = output, .parent = getpid()};
    *child = start_child(&start);
    gp_arguments_free(&environment);
    if (start.failed != 0 && *child > 0)
        reap(*child, &state);
    return start.failed;
}

/* Takes what is there now; beyond the bound it is thrown away. False: nobody can write any more. */
static bool drain(int input, struct gp_text *output)
{
    char chunk[16384];
    for (;;) {
        ssize_t count = read(input, chunk, sizeof chunk);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 && errno == EAGAIN;
        size_t room = output->length < GP_MAX_PROCESS_OUTPUT ? GP_MAX_PROCESS_OUTPUT - output->length : 0;
        gp_text_append(output, chunk, (size_t)count < room ? (size_t)count : room);
    }
}

/* Whether the child has ended; it stays a zombie, so that its group's number cannot be taken by somebody else. */
static bool has_ended(pid_t child)
{
    siginfo_t info = {0};
    int result = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
    return result == 0 && info.si_pid == child;
}

/* Until the child has ended, or all its output is closed. False: time is up, or the caller gives up. */
static bool follow(pid_t child, int input, const struct gp_deadline *deadline, struct gp_text *output)
{
    bool open = true;
    while (open) {
        int64_t left = deadline->end_ms - now_ms();
        if (left <= 0 || is_cancelled(deadline))
            return false;
        struct pollfd wait = {.fd = input, .events = POLLIN};
        poll(&wait, 1, left < POLL_MS ? (int)left : POLL_MS);
        bool ended = has_ended(child);
        open = drain(input, output) && !ended;
    }
    return true;
}

/* A child may close its outputs and live on. False: it did not end in time. */
static bool outlives(pid_t child, const struct gp_deadline *deadline)
{
    siginfo_t info = {0};
    while (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != child) {
        if (deadline->end_ms <= now_ms() || is_cancelled(deadline))
            return true;
        struct timespec pause = {.tv_nsec = 1000000};
        nanosleep(&pause, NULL);
    }
    return false;
}

static bool judge(const struct gp_process *process, bool in_time, bool reaped, int state, int *status, struct gp_error *error)
{
    const char *program = process->arguments[0];
    if (!in_time && is_cancelled(process->deadline))
        return gp_fail(error, "%s was stopped because its result is no longer wanted", program);
    if (!in_time)
        return gp_fail(error, "%s was stopped after %u seconds without an end", program, process->deadline->seconds);
    if (reaped && WIFSIGNALED(state))
        return gp_fail(error, "%s died of signal %d (%s)", program, WTERMSIG(state), strsignal(WTERMSIG(state)));
    *status = reaped ? WEXITSTATUS(state) : 0;
    return true;
}

bool gp_process_run(const struct gp_process *process, int *status, struct gp_text *output, struct gp_error *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return gp_fail(error, "cannot make a pipe: %s", strerror(errno));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    pid_t child;
    int failed = spawn(process, ends[1], &child);
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        return gp_fail(error, "cannot run %s: %s", process->arguments[0], strerror(failed));
    }
    bool in_time = follow(child, ends[0], process->deadline, output) && !outlives(child, process->deadline);
    kill(-child, SIGKILL); /* the child where it still runs, and whatever it left behind */
    drain(ends[0], output);
    close(ends[0]);
    int state = 0;
    bool reaped = reap(child, &state);
    if (output->data == NULL)
        gp_text_append(output, "", 0);
    return judge(process, in_time, reaped, state, status, error);
}
