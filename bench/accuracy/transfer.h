/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The baseline that needs other GPUs: in each slice the shape that was best where the same kernel was measured
 * elsewhere (least geometric mean of its regrets there; a shape that a GPU lacks counts as its slowest).
 */
#ifndef GPUPERF_BENCH_TRANSFER_H
#define GPUPERF_BENCH_TRANSFER_H

#include "bench/accuracy/measured.h"
#include "bench/accuracy/score.h"

/*
 * The regret of that choice, as a geometric mean over the slices that another file KERNEL__*.csv of the directory has
 * too; NAN: none. configs: sorted by slice. A file that cannot be read is passed over.
 */
double transfer_regret(const char *directory, const struct measured *measured, const struct config *configs,
                       size_t count);

#endif
