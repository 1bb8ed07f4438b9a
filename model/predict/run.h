/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the steps of a prediction share: the run at hand. */
#ifndef GPUPERF_MODEL_PREDICT_RUN_H
#define GPUPERF_MODEL_PREDICT_RUN_H

#include "model/compilers/spilled.h"
#include "model/sampling/pilots.h"
#include "model/launch/occupancy.h"
#include "model/predict.h"
#include "model/timing/conditions.h"
#include "model/observe/work.h"

/* Times that far apart are told apart. */
static const double GP_TIED = 1.03;

/* The last look in haste, while its work is the collector's (last_look.c). */
struct gp_last_look {
    bool kept;
    const struct gp_device *device;
    uint32_t registers;
    double effort;
    struct gp_launch launch;
    struct gp_work work;
};

/* What collected work depends on: the same again need not be executed again. */
struct gp_predictor {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    const struct gp_kernel *as_it_came;
    uint32_t vector_words;     /* array_registers.h: of the last device */
    struct gp_kernel *changed; /* the kernel, where its private arrays are in registers; NULL: as it came */
    struct gp_kernel
        with_texels; /* that one, its texels as large as the last launch stated; its memory operations are our own */
    struct gp_memory *plain_memory; /* as they came */
    struct gp_collector *collector;
    struct gp_tracer *tracer; /* made when first needed */
    struct gp_spills spills;  /* the last estimate, by its arguments */
    uint32_t spills_excess;   /* 0: none */
    bool spills_scalar_unit;
    struct gp_last_look last;
    struct gp_narrower *narrower; /* devices with narrower sub-groups, so far */
};

struct run {
    struct gp_predictor *predictor;
    const struct gp_device *device;
    const struct gp_launch *launch;
    const struct gp_predict_options *options;
    const struct gp_resources *resources; /* may be NULL */
    uint32_t registers, local_bytes;
    double spill_store_bytes, spill_load_bytes, spill_slot_bytes; /* per work-item */
    uint32_t
        missing_registers; /* that the launch bound, or the device, does not leave: spills are inferred; 0: none are */
    struct gp_occupancy occupancy;
    struct gp_work work;
    bool overruns;           /* an array (array_overrun.h); work.overrun is then certain, and there is no time */
    struct gp_pilots pilots; /* at local memory and the ends of arrays */
    struct gp_conditions conditions;
    struct gp_timing timing;
};

/* ---- launch_check.c ---------------------------------------------------------------------------------------------- */

bool gp_check_launch(const struct gp_kernel *kernel, const struct gp_device *device, const struct gp_launch *launch,
                     struct gp_error *error);

/* ---- registers.c ------------------------------------------------------------------------------------------------- */

/* The device with sub-groups of which each work-item has the registers that are wanted: Intel's compiler makes them
 * half as wide where it has to. Else the device itself. */
const struct gp_device *gp_with_room_for(struct gp_predictor *predictor, const struct gp_device *device,
                                         const struct gp_resources *resources);
void gp_narrower_free(struct gp_predictor *predictor);

/* Before there is work: how many registers, and what the compiler spills. */
void gp_take_resources(struct run *run);
/* Afterwards: how often it does. */
void gp_take_spills(struct run *run);

/* ---- gather.c ---------------------------------------------------------------------------------------------------- */

/* Looks at the launch as closely as its time needs, and fills in the work, its conditions and its time; of one that
 * overruns an array, that it does. */
bool gp_gather_and_time(struct run *run, struct gp_error *error);

/* ---- last_look.c ------------------------------------------------------------------------------------------------- */

/* Whether the work before is that of this launch, too; else it has to be looked at. */
bool gp_take_last_look(struct run *run);
/* After a look. */
void gp_keep_look(struct run *run);

/* ---- model_choice.c ---------------------------------------------------------------------------------------------- */

bool gp_is_simulated(const struct run *run);
const char *gp_run_model_name(const struct run *run);
/* context: a run. */
void gp_time_work(const void *context, const struct gp_work *work, const struct gp_conditions *conditions,
                  struct gp_timing *timing);
/* By the same model, but never by simulation: a doubt is worth none. */
void gp_time_quickly(const struct run *run, const struct gp_work *work, const struct gp_conditions *conditions,
                     struct gp_timing *timing);

/* ---- known_share.c ----------------------------------------------------------------------------------------------- */

/* Share of the time that is not there with smaller texels where nobody has stated their size. */
double gp_doubt_of_texels(const struct run *run);
/* With these arguments no work-item gets to a memory operation. */
bool gp_does_nothing(const struct run *run);
/* The share of the time that rests on no guess. */
double gp_known_share(const struct run *run, double doubt_of_texels);

/* ---- how_sure.c -------------------------------------------------------------------------------------------------- */

/* Confidence and range of a time whose known share and headroom are known. */
void gp_say_how_sure(const struct run *run, struct gp_prediction *prediction);

/* ---- headroom.c -------------------------------------------------------------------------------------------------- */

/* Of a launch that has a time. */
void gp_take_headroom(const struct run *run, double time_ns, struct gp_headroom *headroom);

/* ---- assumed_arguments.c ----------------------------------------------------------------------------------------- */

/* Adds what accesses cost where a distance between neighbours is not 1, as assumed. Predicts anew: the run's work is
 * gone then. */
bool gp_find_assumed_strides(const struct run *run, struct gp_prediction *prediction, struct gp_error *error);

#endif
