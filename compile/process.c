/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* pipe2 */
#include "compile/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "compile/arguments.h"
#include "compile/locate.h"
#include "compile/supervisor.h"
#include "support/operation.h"
#include "support/prefix.h"

extern char **environ;

/* How much a program may take; its time is the caller's to say. An LLVM with its libraries takes a fifth of the least
 * memory; the largest modules of real kernels are of 100 MB. */
static const rlim_t LEAST_MEMORY = (rlim_t)2 << 30, MOST_FILE_BYTES = (rlim_t)1 << 30;

enum { POLL_MS = 50 }; /* how late a cancellation or an exit with the pipe still open is noticed */

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct gp_deadline gp_deadline_in(unsigned seconds, const int *cancelled)
{
    return (struct gp_deadline){
        .end_ms = now_ms() + (int64_t)seconds * 1000, .seconds = seconds, .cancelled = cancelled};
}

struct gp_deadline gp_deadline_part(const struct gp_deadline *whole, unsigned parts)
{
    int64_t now = now_ms(), left = whole->end_ms - now;
    return (struct gp_deadline){.end_ms = now + (left > 0 ? left / parts : 0),
                                .seconds = whole->seconds / parts,
                                .cancelled = whole->cancelled};
}

static bool is_cancelled(const struct gp_deadline *deadline)
{
    return deadline->cancelled != NULL && __atomic_load_n(deadline->cancelled, __ATOMIC_RELAXED) != 0;
}

/* A compiler that runs OpenCL itself must not load the layer that started it; its temporary files must go away with
 * ours. */
static void child_environment(const struct gp_process *process, struct gp_arguments *environment)
{
    for (char *const *variable = process->environment != NULL ? process->environment : environ;
         variable != NULL && *variable != NULL; variable++) {
        if (!gp_starts_with(*variable, "OPENCL_LAYERS=") && !gp_starts_with(*variable, "TMPDIR="))
            gp_arguments_add(environment, "%s", *variable);
    }
    gp_arguments_add(environment, "TMPDIR=%s", process->temporary);
}

/* The program's path, where it is given by its name alone; NULL: it is not in PATH. Free with free(). */
static char *path_of(const char *program, char *const *environment)
{
    return strchr(program, '/') != NULL ? strdup(program) : gp_program_in_path(environment, program);
}

/* Half of the machine's memory, in which other programs want to live, too. AddressSanitizer, which a clang of tests
 * has, takes terabytes of address space. */
static rlim_t most_memory(void)
{
#ifdef __SANITIZE_ADDRESS__
    return RLIM_INFINITY;
#else
    long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    rlim_t half = pages > 0 && bytes > 0 ? (rlim_t)pages / 2 * (rlim_t)bytes : 0;
    return half > LEAST_MEMORY ? half : LEAST_MEMORY;
#endif
}

/* What this process may have itself, where that is less. */
static rlim_t at_most(__rlimit_resource_t resource, rlim_t most)
{
    struct rlimit own;
    return getrlimit(resource, &own) == 0 && own.rlim_cur < most ? own.rlim_cur
                                                                 : most; /* no limit is the largest number */
}

static struct gp_limits limits_of(const struct gp_process *process)
{
    int64_t left = process->deadline->end_ms - now_ms();
    return (struct gp_limits){.memory = at_most(RLIMIT_AS, most_memory()),
                              .processor_seconds = at_most(RLIMIT_CPU, (rlim_t)(left > 0 ? left / 1000 : 0) + 1),
                              .file_bytes = at_most(RLIMIT_FSIZE, MOST_FILE_BYTES)};
}

/* Takes what is there now; beyond the bound it is thrown away. False: nobody can write any more. */
static bool drain(int input, struct gp_text *output)
{
    char chunk[16384];
    for (;;) {
        ssize_t count = read(input, chunk, sizeof chunk);
        if (count <= 0)
            return count < 0; /* for now: the supervisor has the same errno, so that it does not tell why */
        size_t room = output->length < GP_MAX_PROCESS_OUTPUT ? GP_MAX_PROCESS_OUTPUT - output->length : 0;
        gp_text_append(output, chunk, (size_t)count < room ? (size_t)count : room);
    }
}

/* Until the program has ended, or all its output is closed. False: time is up, or the caller gives up. */
static bool follow(const struct gp_supervisor *program, int input, const struct gp_deadline *deadline,
                   struct gp_text *output)
{
    bool open = true;
    while (open) {
        int64_t left = deadline->end_ms - now_ms();
        if (left <= 0 || is_cancelled(deadline))
            return false;
        struct pollfd wait = {.fd = input, .events = POLLIN};
        poll(&wait, 1, left < POLL_MS ? (int)left : POLL_MS);
        bool ended = gp_supervisor_has_ended(program);
        open = drain(input, output) && !ended;
    }
    return true;
}

/* A program may close its outputs and live on. False: it did not end in time. */
static bool outlives(const struct gp_supervisor *program, const struct gp_deadline *deadline)
{
    while (!gp_supervisor_has_ended(program)) {
        if (deadline->end_ms <= now_ms() || is_cancelled(deadline))
            return true;
        struct timespec pause = {.tv_nsec = 1000000};
        nanosleep(&pause, NULL);
    }
    return false;
}

/* ---- What came of it ---- */

/* What LLVM, the C++ library and NVIDIA's programs say last where the memory ends. */
static bool ran_out_of_memory(const char *output)
{
    static const char *const words[] = {"LLVM ERROR: out of memory", "std::bad_alloc", "Memory allocation failure"};
    bool said = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        said |= strstr(output, words[i]) != NULL;
    return said;
}

/* True: no limit was met. */
static bool judge_limits(const char *program, const struct gp_limits *limits, int state, const char *output,
                         struct gp_error *error)
{
    int signal = WIFSIGNALED(state)         ? WTERMSIG(state)
                 : WEXITSTATUS(state) > 128 ? WEXITSTATUS(state) - 128
                                            : 0; /* of a program that it waited for, as shells say it */
    if (signal == SIGXCPU)
        return gp_fail(error, "%s was stopped after %llu seconds of processor time without an end", program,
                       (unsigned long long)limits->processor_seconds);
    if (signal == SIGXFSZ)
        return gp_fail(error, "%s was stopped: it wrote a file of more than %llu MiB", program,
                       (unsigned long long)limits->file_bytes >> 20);
    if (state != 0 && ran_out_of_memory(output))
        return gp_fail(error, "%s was refused more than %llu MiB of memory", program,
                       (unsigned long long)limits->memory >> 20);
    return true;
}

static bool judge(const struct gp_process *process, const struct gp_limits *limits, bool in_time, int state,
                  const char *output, struct gp_error *error)
{
    const char *program = process->arguments[0];
    if (!in_time && is_cancelled(process->deadline))
        return gp_fail(error, "%s was stopped because its result is no longer wanted", program);
    if (!in_time)
        return gp_fail(error, "%s was stopped after %u seconds without an end", program, process->deadline->seconds);
    if (!judge_limits(program, limits, state, output, error))
        return false;
    return !WIFSIGNALED(state) ||
           gp_fail(error, "%s died of signal %d (%s)", program, WTERMSIG(state), strsignal(WTERMSIG(state)));
}

/* What the program says: operations of their own, since there is a program to end. */
struct hearing {
    const struct gp_supervisor *supervisor;
    const struct gp_deadline *deadline;
    int input;
    struct gp_text output;
    bool in_time;
};

static void hear(void *context)
{
    struct hearing *h = context;
    h->in_time = follow(h->supervisor, h->input, h->deadline, &h->output) && !outlives(h->supervisor, h->deadline);
}

static void hear_the_rest(void *context)
{
    struct hearing *h = context;
    drain(h->input, &h->output);
    gp_text_append(&h->output, "", 0);
}

/* The program runs, and writes into the pipe that `input` is the other end of. *enough: there was memory for what it
 * says. */
static bool run_program(const struct gp_process *process, const struct gp_supervised *program,
                        struct gp_supervisor *supervisor, int input, int *status, struct gp_text *output, bool *enough,
                        struct gp_error *error)
{
    int state = 0, failed = 0;
    struct hearing h = {.supervisor = supervisor, .deadline = process->deadline, .input = input};
    *enough = gp_operation(hear, &h);
    bool known = gp_supervisor_end(supervisor, &state, &failed);
    *enough = *enough && gp_operation(hear_the_rest, &h);
    if (!*enough)
        return gp_fail(error, GP_OUT_OF_MEMORY);
    gp_text_free(output);
    *output = h.output;
    if (failed != 0)
        return gp_fail(error, "cannot run %s: %s", process->arguments[0], strerror(failed));
    if (!known)
        return gp_fail(error, "%s was killed", process->arguments[0]);
    *status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    return judge(process, &program->limits, h.in_time, state, output->data, error);
}

bool gp_process_run(const struct gp_process *process, int *status, struct gp_text *output, struct gp_error *error)
{
    int ends[2];
    bool enough = true;
    struct gp_supervisor *supervisor = NULL;
    struct gp_arguments environment = {0};
    char *path = path_of(process->arguments[0], process->environment);
    if (path == NULL)
        return gp_fail(error, "cannot run %s: it is not in PATH", process->arguments[0]);
    child_environment(process, &environment);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        gp_arguments_free(&environment);
        free(path);
        return gp_fail(error, "cannot make a pipe: %s", strerror(errno));
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    struct gp_supervised program = {.path = path,
                                    .arguments = process->arguments,
                                    .environment = environment.items,
                                    .output = ends[1],
                                    .limits = limits_of(process)};
    int failed = gp_supervisor_start(&supervisor, &program);
    close(ends[1]);
    bool done = failed == 0 ? run_program(process, &program, supervisor, ends[0], status, output, &enough, error)
                            : gp_fail(error, "cannot run %s: %s", process->arguments[0], strerror(failed));
    close(ends[0]);
    gp_arguments_free(&environment);
    free(path);
    if (!enough)
        gp_operation_fail();
    return done;
}
