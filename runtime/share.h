/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One launch shared out over several devices (model/predict/share_out.h), each with the local size that is best there
 * for the whole range: what gpuperf_split() and `gpuperf split` have in common. */
#ifndef GPUPERF_RUNTIME_SHARE_H
#define GPUPERF_RUNTIME_SHARE_H

#include "model/predict/share_out.h"
#include "runtime/choose.h"

/* A device, and the launch there. */
struct gp_side {
    struct gp_choose_request request; /* the whole range; filled by the caller, its launch outlives the side */
    bool quick;                       /* so are predictions of parts; else as gpuperf_predict_time()'s */
    struct gp_predictor *predictor;   /* NULL: it does not run here */
    struct gp_launch launch;          /* the whole range in the chosen size */
    double whole_ns;                  /* of that, predicted */
    double times[GP_MOST_PARTS + 1][GP_MOST_PARTS + 1]; /* [first][parts] ns; 0: not predicted yet */
};

struct gp_sharing {
    struct gp_side *sides;
    size_t count;
    /* ns that a part of the range costs beside the kernel */
    double (*transfer)(const void *context, size_t device, const struct gp_launch *part);
    const void *context;
    struct gp_cut cut;
};

/* Whether parts of a launch give what it gives as a whole. False: a sentence. */
bool gp_can_be_shared(const struct gp_kernel *kernel, struct gp_error *error);

/* Chooses the size: `local` where it is not NULL; else the best one, or one of finer groups that is as fast. False: a
 * sentence, the kernel does not run there. gp_side_close() in both cases. */
bool gp_side_open(struct gp_side *side, const uint32_t local[3], struct gp_error *error);
void gp_side_close(struct gp_side *side);

/* Cuts the range into parts that are whole groups on each device, once all sides are open. */
void gp_sharing_cut(struct gp_sharing *sharing);

/* Some parts of the range on a device, and what they take there, transfer included: a gp_part_time. */
struct gp_launch gp_sharing_part(const struct gp_sharing *sharing, size_t device, uint32_t first, uint32_t parts);
double gp_sharing_time(void *sharing, size_t device, uint32_t first, uint32_t parts);

#endif
