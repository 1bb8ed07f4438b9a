/*
 * ratio [-n RUNS] [-v] A... -- B...: runs two commands in turn and prints how long B takes compared to A.
 *
 * Both run in one process after the other on the same machine state, so the ratio of the fastest runs says something even where
 * the machine is noisy. Output of the commands is thrown away. Prints: RATIO SECONDS_A SECONDS_B
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run(char **command)
{
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (int fd = 0; fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
    double start = now();
    pid_t child;
    int status, failed = posix_spawnp(&child, command[0], &quiet, NULL, command, environ);
    posix_spawn_file_actions_destroy(&quiet);
    if (failed) {
        fprintf(stderr, "ratio: %s: %s\n", command[0], strerror(failed));
        exit(1);
    }
    if (waitpid(child, &status, 0) < 0 || status != 0) {
        fprintf(stderr, "ratio: '%s' failed\n", command[0]);
        exit(1);
    }
    return now() - start;
}

int main(int argc, char **argv)
{
    int runs = 5, at = 1;
    if (at + 1 < argc && strcmp(argv[at], "-n") == 0) {
        runs = atoi(argv[at + 1]);
        at += 2;
    }
    char **a = &argv[at];
    while (at < argc && strcmp(argv[at], "--") != 0)
        at++;
    if (at >= argc - 1 || a == &argv[at] || runs < 1) {
        fprintf(stderr, "usage: ratio [-n RUNS] COMMAND_A... -- COMMAND_B...\n");
        return 2;
    }
    argv[at] = NULL;
    char **b = &argv[at + 1];
    double best_a = 1e30, best_b = 1e30;
    for (int i = 0; i < runs; i++) {
        double seconds_a = run(a), seconds_b = run(b);
        best_a = seconds_a < best_a ? seconds_a : best_a;
        best_b = seconds_b < best_b ? seconds_b : best_b;
    }
    printf("%.4f %.4f %.4f\n", best_b / best_a, best_a, best_b);
    return 0;
}
