/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* clone, closefrom, getdents64 */
#include "compile/supervisor.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/environment.h"

/*
 * The supervisor has the memory of the process that starts it (CLONE_VM): a copy of a large process's page tables takes
 * long, and while there is one the process pays for each page that it writes. It runs beside the thread that started
 * it, on a stack of its own, and has that thread's errno: so it calls what is safe in signal handlers only, and that
 * thread does not go by errno meanwhile. AddressSanitizer would mark the stack, which is never left in order.
 */
#define BESIDE __attribute__((no_sanitize("address")))

enum { STACK_BYTES = 64 << 10, WATCH_MS = 50, PATIENCE_MS = 1000 };

/* In pages that are shared even where memory is not. */
struct gp_supervisor {
    struct gp_supervised program;
    pid_t caller, child; /* child: the supervisor, as the caller calls it */
    bool shares_memory;
    pid_t self; /* the supervisor, as it calls itself */
    int stop;   /* atomic, set by the caller: the program is to end */
    int ended;  /* atomic, set by the supervisor: the program has; how is below */
    int failed, state;
    _Alignas(64) char own_stack[STACK_BYTES], program_stack[STACK_BYTES]; /* the program's until it is one */
};

static BESIDE int start(int (*function)(void *), char *stack, int flags, struct gp_supervisor *s)
{
    return clone(function, stack + STACK_BYTES, flags | (s->shares_memory ? CLONE_VM : 0), s);
}

static BESIDE void note_failure(struct gp_supervisor *s) { s->failed = errno != 0 ? errno : ECHILD; }

/* ---- The program, until it is one ---- */

static BESIDE void set_limit(__rlimit_resource_t resource, rlim_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        return;
    limit.rlim_cur = most;
    setrlimit(resource, &limit);
}

/* In a group of its own, so that all of it can be killed. The kernel kills it when the supervisor is killed; one that
 * ended before it was watched is not the parent any more. */
static BESIDE int become_program(void *argument)
{
    struct gp_supervisor *s = argument;
    const struct gp_supervised *program = &s->program;
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != s->self)
        _exit(127);
    set_limit(RLIMIT_AS, program->limits.memory);
    set_limit(RLIMIT_CPU, program->limits.processor_seconds);
    set_limit(RLIMIT_FSIZE, program->limits.file_bytes);
    set_limit(RLIMIT_CORE, 0);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(program->path, program->arguments, program->environment);
    note_failure(s);
    _exit(127);
}

/* ---- The supervisor ---- */

/* Standard input empty, both outputs into the pipe, everything else closed. The pipe may have a number that is one of
 * these three, where the caller has closed them. */
static BESIDE bool set_up_files(int output)
{
    output = fcntl(output, F_DUPFD, 3);
    int empty = output >= 0 ? open("/dev/null", O_RDWR) : -1;
    if (empty < 0 || dup2(empty, 0) != 0 || dup2(output, 1) != 1 || dup2(output, 2) != 2)
        return false;
    closefrom(3);
    return true;
}

/* As in a fresh program, whatever the caller ignores. All signals stay blocked, as they were when this process was
 * made. */
static BESIDE void reset_signals(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &usual, NULL); /* some cannot be set, and are as they should be */
}

/* Whatever ends the caller, a signal that it cannot catch, too, the kernel tells. It watches the thread that made this
 * process. A parent of number 0 is in another namespace. */
static BESIDE bool set_up_end(pid_t caller)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    pid_t parent = getppid();
    return parent == caller || parent == 0;
}

/* The next signal that matters, or -1 when so many milliseconds have passed. */
static BESIDE int next_signal(long milliseconds)
{
    struct timespec most = {.tv_nsec = milliseconds * 1000000};
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    return sigtimedwait(&awaited, NULL, &most);
}

/* The program has ended, and is still there, so that nobody else has its group's number. */
static BESIDE bool is_over(pid_t program)
{
    siginfo_t info;
    info.si_pid = 0;
    return waitid(P_PID, (id_t)program, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == program;
}

/* SIGTERM: the caller has ended, or the machine is shut down. */
static BESIDE void watch(const struct gp_supervisor *s, pid_t program)
{
    while (!is_over(program) && !__atomic_load_n(&s->stop, __ATOMIC_ACQUIRE) && next_signal(WATCH_MS) != SIGTERM)
        ;
}

static BESIDE pid_t number_at(const char *text)
{
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        number = number * 10 + (*text - '0');
    return number;
}

/* From /proc/PID/stat: "123 (name) S 45 ..." is 45; the name may hold anything. -1: there is none. */
static BESIDE pid_t parent_of(int proc, const char *pid)
{
    char path[32], line[512];
    stpcpy(stpncpy(path, pid, 16), "/stat");
    int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, line, sizeof line - 1) : 0;
    if (file >= 0)
        close(file);
    if (length <= 0)
        return -1;
    line[length] = '\0';
    const char *end = strrchr(line, ')');
    return end != NULL && strlen(end) > 4 ? number_at(end + 4) : -1;
}

/* The directory of processes; -1: there is none, or one of another namespace, where numbers mean others. */
static BESIDE int open_processes(pid_t self)
{
    char link[16];
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ssize_t length = proc >= 0 ? readlinkat(proc, "self", link, sizeof link - 1) : 0;
    link[length > 0 ? length : 0] = '\0';
    if (proc < 0 || number_at(link) == self)
        return proc;
    close(proc);
    return -1;
}

static BESIDE void kill_children(pid_t self)
{
    _Alignas(8) char entries[4096];
    int proc = open_processes(self);
    for (ssize_t count; proc >= 0 && (count = getdents64(proc, entries, sizeof entries)) > 0;)
        for (const struct dirent64 *entry = (void *)entries; (const char *)entry < entries + count;
             entry = (const void *)((const char *)entry + entry->d_reclen))
            if (number_at(entry->d_name) > 0 && strlen(entry->d_name) < 16 && parent_of(proc, entry->d_name) == self)
                kill(number_at(entry->d_name), SIGKILL);
    if (proc >= 0)
        close(proc);
}

/* The program with its group, then whatever has left that. What does not die within a second (a file system that hangs)
 * is left to the kernel. */
static BESIDE void end_all(struct gp_supervisor *s, pid_t program)
{
    pid_t pid;
    kill(program, SIGKILL);
    kill(-program, SIGKILL);
    waitpid(program, &s->state, __WALL);
    for (int tries = 0; tries < PATIENCE_MS && (pid = waitpid(-1, NULL, __WALL | WNOHANG)) >= 0; tries++)
        if (pid == 0) {
            kill_children(s->self);
            next_signal(1);
        }
}

static BESIDE int supervise(void *argument)
{
    struct gp_supervisor *s = argument;
    s->self = getpid();
    reset_signals();
    setpgid(0, 0);
    prctl(PR_SET_NAME, "gpuperf");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    bool ready = set_up_end(s->caller) && set_up_files(s->program.output);
    pid_t program = ready ? start(become_program, s->program_stack, CLONE_VFORK | SIGCHLD, s) : -1;
    if (program < 0)
        note_failure(s);
    dup2(0, 1); /* who reads the pipe waits for the program only */
    dup2(0, 2);
    if (program > 0) {
        watch(s, program);
        end_all(s, program);
    }
    __atomic_store_n(&s->ended, 1, __ATOMIC_RELEASE);
    _exit(0);
}

/* ---- The caller ---- */

/* Valgrind and ThreadSanitizer know no second process in the same memory. */
static bool may_share_memory(char *const *environment)
{
#ifdef __SANITIZE_THREAD__
    (void)environment;
    return false;
#else
    const char *preloaded = gp_variable(environment, "LD_PRELOAD");
    return preloaded == NULL || strstr(preloaded, "vgpreload_") == NULL;
#endif
}

int gp_supervisor_start(struct gp_supervisor **made, const struct gp_supervised *program)
{
    sigset_t all, before;
    struct gp_supervisor *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        return errno;
    s->program = *program;
    s->caller = getpid();
    s->shares_memory = may_share_memory(program->environment);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* no handler of the caller's may run in it */
    s->child = start(supervise, s->own_stack, 0, s);
    int failed = s->child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed != 0)
        munmap(s, sizeof *s);
    *made = failed == 0 ? s : NULL;
    return failed;
}

/* Whether nobody has waited for it yet, not somebody else either. */
static bool is_there(const struct gp_supervisor *s, siginfo_t *info)
{
    info->si_pid = 0;
    return waitid(P_PID, (id_t)s->child, info, WEXITED | WNOHANG | WNOWAIT | __WCLONE) == 0;
}

bool gp_supervisor_has_ended(const struct gp_supervisor *s)
{
    siginfo_t info;
    return __atomic_load_n(&s->ended, __ATOMIC_ACQUIRE) || !is_there(s, &info) || info.si_pid == s->child;
}

bool gp_supervisor_end(struct gp_supervisor *s, int *state, int *failed)
{
    siginfo_t info;
    __atomic_store_n(&s->stop, 1, __ATOMIC_RELEASE);
    while (is_there(s, &info))
        waitpid(s->child, NULL, __WCLONE);
    bool known = __atomic_load_n(&s->ended, __ATOMIC_ACQUIRE) != 0;
    *state = s->state;
    *failed = s->failed;
    munmap(s, sizeof *s);
    return known;
}
