/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a profiler of an NVIDIA GPU counts, from sampled executions. */
#ifndef GPUPERF_BENCH_TALLY_H
#define GPUPERF_BENCH_TALLY_H

#include "hwdb/hwdb.h"
#include "model/launch/launch.h"

/* Of the whole launch. The metrics' names as Nsight Compute has them stand beside. */
struct tally {
    double shared_load_wavefronts;  /* l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld */
    double shared_store_wavefronts; /* l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st */
    double global_load_requests;    /* l1tex__t_requests_pipe_lsu_mem_global_op_ld */
    double fp32;                    /* smsp__sass_thread_inst_executed_op_fp32_pred_on */
    double integer;                 /* smsp__sass_thread_inst_executed_op_integer_pred_on */
};

/* zero_over_zero: all divisions of floats are 0/0, which take the machine code's slow path. */
bool tally_launch(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_launch *launch,
                  bool zero_over_zero, struct tally *tally, struct gp_error *error);

#endif
