/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The kernels of the sampling paper's experiment, and at how many groups each is timed. */
#ifndef GPUPERF_BENCH_PAPERS_SAMPLING_SUBJECTS_H
#define GPUPERF_BENCH_PAPERS_SAMPLING_SUBJECTS_H

#include <stdint.h>

enum kind { EVEN, MEMORY, UNEVEN, FEW, KINDS };
extern const char *const kind_names[KINDS];

struct named_kernel {
    const char *name;
    enum kind kind;
    int trips; /* n on a GPU */
    int work;  /* n on a CPU is `trips` times this, so that a launch takes a tenth of a second and more */
};
extern const struct named_kernel named_kernels[];
extern const int named_kernel_count;

/* Multiples of Psat; the last is the whole launch. */
enum { POINTS = 10, FIRST_POINT = 1, SECOND_POINT = 2 }; /* 2 and 3 Psat */
extern const uint32_t multiples[POINTS];

/* What is known of one run. Columns of the table behind the names. */
/* clang-format off */
#define COLUMNS(X) \
    X(local) X(psat) X(multiple) X(groups) X(ns) X(wall_ns) X(active) X(registers) X(items) X(executed) X(issued) X(branches) \
    X(divergent) \
    X(l1_requests) X(l1_misses) X(l2_misses) X(conflicts) X(shared) X(transactions) X(serialised)
/* clang-format on */
struct instance {
    char device[24], kernel[32];
    enum kind kind;
#define X(name) double name;
    COLUMNS(X)
#undef X
};

void print_header(void);
void print_instance(const struct instance *instance);

#endif
