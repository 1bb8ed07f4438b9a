/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a process sees of the programs that gp_process_run() runs for it: nothing. Each test is a process of its own, of
 * a kind that would see children. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "compile/process.h"

enum { RIGHT = 7, WRONG = 8, CANNOT = 9 }; /* exit statuses of these processes */

static bool run_for(const char *script, unsigned seconds, int *status, struct gp_text *output, struct gp_error *error)
{
    char *const arguments[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
    struct gp_deadline deadline = gp_deadline_in(seconds, NULL);
    struct gp_process process = {.arguments = arguments, .temporary = "/tmp", .deadline = &deadline};
    return gp_process_run(&process, status, output, error);
}

/* Whether the program ends with status 3, and says so. */
static bool runs(const char *script)
{
    struct gp_text output = {0};
    int status = 0;
    bool done = run_for(script, 600, &status, &output, NULL) && status == 3 && strcmp(output.data, "done\n") == 0;
    gp_text_free(&output);
    return done;
}

static int process_of(bool (*is_right)(void))
{
    int how = 0;
    pid_t child = fork();
    if (child == 0)
        _exit(is_right() ? RIGHT : WRONG);
    return waitpid(child, &how, 0) == child && WIFEXITED(how) ? WEXITSTATUS(how) : 0;
}

/* ---- Hosts that would see a child ---- */

static _Atomic int signals, foreign, stop;

static void count_signal(int number)
{
    (void)number;
    signals++;
}

/* Other threads of the host: one naps, one collects children. */
static void *nap(void *unused)
{
    while (!stop)
        foreign += usleep(1000) != 0;
    return unused;
}

static void *collect(void *flags)
{
    while (!stop)
        foreign += waitpid(-1, NULL, (int)(intptr_t)flags) > 0;
    return NULL;
}

static bool runs_beside(void *(*other)(void *), void *argument)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, argument);
    bool done = runs("sleep 0.3; echo done; exit 3") && runs("sleep 0.1 & echo done; exit 3");
    stop = 1;
    pthread_join(thread, NULL);
    return done;
}

static bool handler(void)
{
    struct sigaction action = {.sa_handler = count_signal};
    sigaction(SIGCHLD, &action, NULL);
    return runs_beside(nap, NULL) && signals == 0 && foreign == 0;
}

static bool collector(void) { return runs_beside(collect, NULL) && foreign == 0; }

/* Who asks for all children gets the supervisor. */
static bool collector_of_all(void) { return runs_beside(collect, (void *)(intptr_t)__WALL); }

static bool ignorant(void)
{
    signal(SIGCHLD, SIG_IGN);
    return runs("echo done; exit 3");
}

static bool has_no_child(void) { return waitpid(-1, NULL, __WALL | WNOHANG) == -1 && errno == ECHILD; }

static bool leaves_nothing_of(const char *left)
{
    struct gp_text output = {0};
    char script[128];
    int status;
    snprintf(script, sizeof script, "%s sleep 1000 & sleep 0.2; echo done; exit 3", left);
    bool done = runs(script) && has_no_child();
    snprintf(script, sizeof script, "%s sleep 1000 & sleep 1000", left);
    bool late = run_for(script, 1, &status, &output, NULL);
    gp_text_free(&output);
    return done && !late && has_no_child();
}

/* In the time, and when time is up; also a process in a session of its own. */
static bool leaves_nothing(void) { return leaves_nothing_of("") && leaves_nothing_of("setsid"); }

static bool subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 && leaves_nothing(); }

/* Whether /proc tells of the namespace or of the one outside. */
static bool in_namespace(void)
{
    bool without = leaves_nothing_of("");
    bool mounted =
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 && mount("proc", "/proc", "proc", 0, NULL) == 0;
    return without && mounted && leaves_nothing();
}

/* Its first child is PID 1 there. */
static bool first_of_namespace(void)
{
    if (unshare(CLONE_NEWPID | CLONE_NEWNS) != 0)
        _exit(CANNOT);
    return process_of(in_namespace) == RIGHT;
}

/* The supervisor is, and sees no parent. */
static bool outside_of_namespace(void)
{
    if (unshare(CLONE_NEWPID) != 0)
        _exit(CANNOT);
    return runs("echo done; exit 3");
}

static const struct {
    const char *name;
    bool (*is_right)(void);
} hosts[] = {
    {"a handler for SIGCHLD", handler},
    {"a thread in wait()", collector},
    {"a thread that waits for all kinds", collector_of_all},
    {"SIGCHLD ignored", ignorant},
    {"a subreaper", subreaper},
    {"PID 1", first_of_namespace},
    {"children in another namespace", outside_of_namespace},
};

static void is_not_seen(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        int result = process_of(hosts[i].is_right);
        if (result == CANNOT)
            print_message("skipped: %s: namespaces are not permitted\n", hosts[i].name);
        else if (result != RIGHT)
            fail_msg("a host with %s", hosts[i].name);
    }
}

/* ---- Limits ---- */

static void has_limits(void **state)
{
    (void)state;
    struct gp_text output = {0};
    int status;
    unsigned long seconds = 0, kilobytes = 0, blocks = 0;
    assert_true(run_for("ulimit -t; ulimit -v; ulimit -f; ulimit -c", 600, &status, &output, NULL));
    if (sscanf(output.data, "%lu\n%lu\n%lu\n0\n", &seconds, &kilobytes, &blocks) !=
        3) /* AddressSanitizer: no limit of memory */
        assert_int_equal(sscanf(output.data, "%lu\nunlimited\n%lu\n0\n", &seconds, &blocks), 2);
    assert_in_range(seconds, 590, 601);
    assert_true(kilobytes == 0 || kilobytes >= 2 << 20);
    assert_int_equal(blocks, 2 << 20); /* of 512 bytes */
    gp_text_free(&output);
}

static void says_which_limit_was_met(void **state)
{
    (void)state;
    static const struct {
        const char *script, *message;
    } met[] = {
        {"kill -XCPU $$", "sh was stopped after 601 seconds of processor time without an end"},
        {"f=$(mktemp); trap '' EXIT; truncate -s 2G $f; s=$?; rm $f; exit $s",
         "sh was stopped: it wrote a file of more than 1024 MiB"},
        {"echo 'LLVM ERROR: out of memory'; exit 1", "sh was refused more than "},
        {"kill -SEGV $$", "sh died of signal 11"},
    };
    for (size_t i = 0; i < sizeof met / sizeof met[0]; i++) {
        struct gp_text output = {0};
        struct gp_error error = {0};
        int status;
        assert_false(run_for(met[i].script, 600, &status, &output, &error));
        if (strncmp(error.text, met[i].message, strlen(met[i].message)) != 0 &&
            strstr(error.text, "600 seconds of") == NULL)
            fail_msg("%s: %s", met[i].script, error.text);
        gp_text_free(&output);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(is_not_seen), cmocka_unit_test(has_limits),
                                       cmocka_unit_test(says_which_limit_was_met)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
