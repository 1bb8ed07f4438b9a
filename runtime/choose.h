/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Predicts the candidate local sizes of one launch and ranks them: what the C API and the OpenCL layer have in common.
 */
#ifndef GPUPERF_RUNTIME_CHOOSE_H
#define GPUPERF_RUNTIME_CHOOSE_H

#include "hwdb/hwdb.h"
#include "model/launch/launch.h"
#include "model/predict.h"
#include "model/profile/profile.h"

struct gp_choose_request {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    const struct gp_device *device;
    const struct gp_launch *launch; /* its local size does not matter */
    bool uniform;                   /* local sizes must divide the global size */
    uint32_t max_group;             /* work-items of a group; 0: the device's limit */
    uint64_t max_sizes[3];          /* per dimension; 0: no further limit */
    uint32_t also[3]; /* a size to predict besides the candidates, which is what the launch would take anyway and so may
                         be larger than max_group; zeros: none */
    bool foreign_target;
    bool bottlenecks;
    const int *cancelled; /* not NULL: read between predictions; once not 0 the choice fails */
};

struct gp_ranking {
    struct gp_prediction *predictions; /* feasible ones, best first */
    size_t count;
    bool no_memory; /* the choice failed for want of it */
};

/* False: a sentence (no size is possible, out of memory, cancelled). Free with gp_ranking_free(). */
bool gp_choose(const struct gp_choose_request *request, struct gp_ranking *ranking, struct gp_error *error);
void gp_ranking_free(struct gp_ranking *ranking);

/* The prediction of one size; NULL when it is not among them. */
const struct gp_prediction *gp_ranking_find(const struct gp_ranking *ranking, const uint32_t local[3]);

/* A profile file's contents, or whatever a compiled module holds. NULL and a sentence. Free with gp_profile_free(). */
struct gp_profile *gp_profile_from_bytes(const void *bytes, size_t size, struct gp_error *error);

/* Whether a profile was compiled for another target than the device's own (a host target counts as a CPU's own). */
bool gp_profile_is_foreign(const struct gp_profile *profile, const struct gp_device *device);

/* Whether a size keeps what the launch asks for: dividing the global size, if that must be, and its largest group.
 * False: a sentence, unless `error` is NULL. */
bool gp_local_within_limits(const struct gp_choose_request *request, const uint32_t local[3], struct gp_error *error);

/* Whether the launch rules allow a size: within all limits and the range. */
bool gp_local_allowed(const struct gp_choose_request *request, const uint32_t local[3]);

#endif
