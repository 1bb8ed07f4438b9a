/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Recurrences: what an iteration of a loop needs of the one before. A sum waits for itself, however many operations a
 * core has under way beside it; llvm-mca and IACA call it the loop-carried dependency.
 */
#ifndef GPUPERF_MODEL_RECURRENCES_H
#define GPUPERF_MODEL_RECURRENCES_H

#include "model/observe/work.h"

/* Cycles that a work-item's innermost loops wait for their own results, by the latencies of their longest recurrences;
 * loads come from L1. Runs through a loop, of one work-item or of several, wait side by side: as many as the core's
 * reorder buffer holds instructions of. 0: there is none. */
double gp_recurrence_cycles(const struct gp_kernel *kernel, const struct gp_work *work, const struct gp_device *device);

#endif
