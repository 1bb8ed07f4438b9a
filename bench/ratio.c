/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * ratio [-n RUNS] [-c] A... -- B...: runs two commands in turn and prints how long B takes compared to A.
 *
 * Each run of A is compared with the run of B that follows it, on the same state of the machine, and the median of
 * these ratios says something even where the machine is noisy. -c: processor time (user and system, all threads)
 * instead of what a clock shows. Output of the commands is thrown away. Prints: RATIO SECONDS_A SECONDS_B, the seconds
 * of the fastest runs.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/order.h"

extern char **environ;

enum { MAX_RUNS = 1000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static double run(char **command, bool processor_time)
{
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    for (int fd = 0; fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
    double start = now();
    pid_t child;
    struct rusage usage;
    int status, failed = posix_spawnp(&child, command[0], &quiet, NULL, command, environ);
    posix_spawn_file_actions_destroy(&quiet);
    if (failed) {
        fprintf(stderr, "ratio: %s: %s\n", command[0], strerror(failed));
        exit(1);
    }
    if (wait4(child, &status, 0, &usage) < 0 || status != 0) {
        fprintf(stderr, "ratio: '%s' failed\n", command[0]);
        exit(1);
    }
    return processor_time ? seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime) : now() - start;
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, gp_by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

int main(int argc, char **argv)
{
    int runs = 5, at = 1;
    bool processor_time = false;
    for (; at < argc && argv[at][0] == '-' && argv[at][1] != '-'; at++) {
        if (strcmp(argv[at], "-c") == 0)
            processor_time = true;
        else if (strcmp(argv[at], "-n") == 0 && at + 1 < argc)
            runs = atoi(argv[++at]);
        else
            break;
    }
    char **a = &argv[at];
    while (at < argc && strcmp(argv[at], "--") != 0)
        at++;
    if (at >= argc - 1 || a == &argv[at] || runs < 1 || runs > MAX_RUNS) {
        fprintf(stderr, "usage: ratio [-n RUNS] [-c] COMMAND_A... -- COMMAND_B...\n");
        return 2;
    }
    argv[at] = NULL;
    char **b = &argv[at + 1];
    double best_a = 1e30, best_b = 1e30, ratios[MAX_RUNS];
    for (int i = 0; i < runs; i++) {
        double seconds_a = run(a, processor_time), seconds_b = run(b, processor_time);
        best_a = seconds_a < best_a ? seconds_a : best_a;
        best_b = seconds_b < best_b ? seconds_b : best_b;
        ratios[i] = seconds_b / seconds_a;
    }
    printf("%.4f %.4f %.4f\n", median(ratios, runs), best_a, best_b);
    return 0;
}
