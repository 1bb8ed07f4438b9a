/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the tables of this experiment share: kernels with the paper's resources, measured by both models; statements. */
#ifndef GPUPERF_BENCH_PAPERS_HONG_KIM_MEASURE_H
#define GPUPERF_BENCH_PAPERS_HONG_KIM_MEASURE_H

#include "bench/papers/subject.h"
#include "model/timing/mwp_cwp.h"

/* The GPUs of the paper's Table 3. */
enum { GPUS = 4 };
extern const char *const gpu_names[GPUS];
bool open_gpus(struct gp_device *gpus[GPUS], struct gp_error *error);
void close_gpus(struct gp_device *gpus[GPUS]);

/* Registers and local memory of the paper's Table 5 for all kernels of the subject instead of the stand-in's. shared:
 * with parameters and 16 bytes for the system. */
void use_resources(struct subject *subject, uint32_t registers, uint32_t shared_bytes);

/* One launch on one device, by Hong & Kim's equations. */
struct measure {
    struct gp_mwp_inputs in;
    struct gp_mwp_result r;
    double occupancy, time_ns;
};
/* False and a sentence; `m->occupancy` is 0 where no group fits on an SM, and nothing else is set. */
bool measure(const struct subject *subject, const struct gp_device *device, const struct gp_launch *launch,
             struct measure *m, struct gp_error *error);

/* The same launch through gp_predict(): false where the model says nothing (trace, where it is not there). */
bool predict(const struct subject *subject, const struct gp_device *device, const struct gp_launch *launch,
             enum gp_model model, struct gp_prediction *prediction);

/* Memory instructions of one whole interior warp, every iteration executed: global memory only, as the paper counts. */
bool count_memory(const struct subject *subject, const struct gp_device *device, const struct gp_launch *launch,
                  double *insts, struct gp_error *error);

/* One dimension or two: sizes and arguments ("n=2000"). */
bool set_launch(const struct gp_kernel *kernel, struct gp_launch *launch, const char *items, struct gp_error *error);

/* Prints "  holds  ..." or "  FAILS  ..." and counts the failures. */
void state(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A statement that is known not to follow from our kernels or rules: prints it with the reason, and counts a failure if
 * it does hold after all. */
void differs(bool holds, const char *reason, const char *format, ...) __attribute__((format(printf, 3, 4)));
unsigned failed_statements(void);

bool report_table_2(struct gp_error *error);
bool report_micro(struct gp_error *error);
bool report_merge(struct gp_error *error);
bool report_svm(struct gp_error *error);

#endif
