/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/papers/sampling/subjects.h"

#include <stdio.h>

const char *const kind_names[KINDS] = {"even", "memory", "uneven", "few"};

const uint32_t multiples[POINTS] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24};

/* clang-format off */
const struct named_kernel named_kernels[] = {
    {"blackscholes", EVEN, 8, 6}, {"convolutionRows", EVEN, 17, 16}, {"convolutionColumns", MEMORY, 17, 16},
    {"matmul", EVEN, 32, 8}, {"nbody", EVEN, 24, 10}, {"sgemmNT", EVEN, 32, 4}, {"cp", EVEN, 24, 10},
    {"VectorHypot", MEMORY, 8, 24}, {"DotProduct", EVEN, 16, 16}, {"ep", EVEN, 24, 10},
    {"trans_naive", MEMORY, 8, 16}, {"uncoal0", MEMORY, 16, 16}, {"coal0", MEMORY, 16, 16},
    {"BoxRowsLmem", MEMORY, 24, 16}, {"fft1D_512", EVEN, 8, 4}, {"StreamCollide", MEMORY, 3, 12},
    {"FiniteDifferences", MEMORY, 6, 10}, {"reorderDataKeys", MEMORY, 6, 16},
    {"binning", UNEVEN, 16, 12}, {"gridding", UNEVEN, 16, 12}, {"gen_hists", UNEVEN, 16, 12}, {"tpacf", UNEVEN, 16, 12},
    {"bfs", UNEVEN, 16, 12}, {"spmv_csr_vector", UNEVEN, 16, 12}, {"lattice", UNEVEN, 24, 10},
    {"lu_trailing", UNEVEN, 16, 12},
    {"collatz", UNEVEN, 16, 10}, {"julia", UNEVEN, 12, 10}, {"rprj3", UNEVEN, 16, 12}, {"integrate", UNEVEN, 16, 8},
    {"ViterbiOneStep", UNEVEN, 24, 12}, {"compress", UNEVEN, 24, 8}, {"triangular", UNEVEN, 24, 12},
    {"uncoal1", UNEVEN, 16, 12},
    {"setiv", FEW, 24, 24}};
/* clang-format on */
const int named_kernel_count = sizeof named_kernels / sizeof *named_kernels;

void print_header(void)
{
    printf("device\tkernel\tkind");
#define X(name) printf("\t" #name);
    COLUMNS(X)
#undef X
    printf("\n");
}

void print_instance(const struct instance *i)
{
    printf("%s\t%s\t%s", i->device, i->kernel, kind_names[i->kind]);
#define X(name) printf("\t%.6g", i->name);
    COLUMNS(X)
#undef X
    printf("\n");
    fflush(stdout);
}
