#define _GNU_SOURCE /* posix_spawn_file_actions_addclosefrom_np, pipe2 */
#include "compile/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compile/arguments.h"

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

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* A compiler that runs OpenCL itself must not load the layer that started it; its temporary files must go away with ours. */
static void child_environment(const char *temporary, struct gp_arguments *environment)
{
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
        if (!starts_with(*variable, "OPENCL_LAYERS=") && !starts_with(*variable, "TMPDIR="))
            gp_arguments_add(environment, "%s", *variable);
    }
    gp_arguments_add(environment, "TMPDIR=%s", temporary);
}

/* Standard input empty, both outputs into the pipe, everything else closed. */
static int child_files(posix_spawn_file_actions_t *files, int output)
{
    int failed = posix_spawn_file_actions_addopen(files, 0, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(files, output, 1);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(files, output, 2);
    return failed ? failed : posix_spawn_file_actions_addclosefrom_np(files, 3);
}

/* A group of its own, so that all of it can be killed; signals as in a fresh program, whatever the caller blocks. */
static int child_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failed = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    failed = failed ? failed : posix_spawnattr_setpgroup(attributes, 0);
    failed = failed ? failed : posix_spawnattr_setsigmask(attributes, &none);
    return failed ? failed : posix_spawnattr_setsigdefault(attributes, &all);
}

static int spawn(const struct gp_process *process, int output, pid_t *child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    struct gp_arguments environment = {0};
    if (posix_spawn_file_actions_init(&files) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return ENOMEM;
    }
    child_environment(process->temporary, &environment);
    int failed = child_files(&files, output);
    failed = failed ? failed : child_attributes(&attributes);
    failed = failed ? failed : posix_spawnp(child, process->arguments[0], &files, &attributes, process->arguments, environment.items);
    gp_arguments_free(&environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failed;
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

static bool reap(pid_t child, int *state)
{
    pid_t result;
    do
        result = waitpid(child, state, 0);
    while (result < 0 && errno == EINTR);
    return result == child;
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
