/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What `predict` found out, per kernel and device, and how it is printed. */
#ifndef GPUPERF_TOOLS_RESULTS_H
#define GPUPERF_TOOLS_RESULTS_H

#include "hwdb/hwdb.h"
#include "model/predict.h"
#include "model/predict/assumed_arguments.h"
#include "support/text.h"
#include "tools/board_range.h"
#include "tools/settings.h"

struct gp_result {
    const struct gp_profile *profile;
    const struct gp_kernel *kernel;
    const struct gp_device *device;
    struct gp_launch *launch;          /* without a local size of its own */
    struct gp_prediction *predictions; /* ranked, best first */
    size_t count;
    size_t shown;          /* of the predictions: the first so many are printed */
    size_t passed_over;    /* of the candidates: those that would have taken too long beside the others */
    uint32_t overrun[3];   /* the first candidate that is left out because it overruns an array */
    char overrun_why[160]; /* "": none is */
    double clock_mhz;
    uint32_t launched[3]; /* the size that the launch would have; zeros: none of those asked for */
    const struct gp_sizes *explain;
    size_t explain_count;
    bool terms;                   /* those of the best size are asked for */
    const struct gp_axes *axes;   /* what was stated, and varied */
    size_t combination;           /* of these */
    uint32_t resident;            /* no more warps per SM than so many; 0: as many as the device holds */
    struct gp_sizes groups;       /* asked for instead of a global size */
    bool foreign;                 /* the code is not what the device would run */
    const char *foreign_why;      /* what the device's compiler says of the source; "": it was not asked */
    struct gp_board_range boards; /* of a compile target: what its boards take with the best local size */
    uint32_t told_group[3];       /* what the kernel's constants are made for; 0: nothing (group_sizes.h) */
    bool whole_groups;            /* the launch that was asked for needs local sizes that divide the global size */
    struct gp_argument_effects effects; /* of what the launch assumes, on the best local size */
};

/*
 *   blur on a100 (NVIDIA A100 40 GB, 1410 MHz), caches cold
 *     launch     global 1024x1024, n=1024; all of it assumed
 *     time       56.8 us with local 32x8, 41 to 83
 *     confidence 83%; known 100%
 *     registers  22 (ptxas); local memory 0 B; no spills
 *
 *     local          cycles       time  range        occupancy  limiter
 *     32x8            80112    56.8 us  41 to 83          100%  dram     best, yours
 *     64x4            80400    57.0 us  41 to 83          100%  dram     tied
 *
 *     Bottlenecks with local 32x8 (share of the time, speedup without it):
 *        61%   2.56x  blur.cl:14:20: uncoalesced global load: 32 transactions per warp ...
 */
/* Whether it is the size that the launch would have. */
bool gp_is_launched(const struct gp_result *result, size_t index);

/* Its prediction; where it was not predicted, that of the best. */
const struct gp_prediction *gp_launched(const struct gp_result *result);

/* Whether a size's bottlenecks are shown: of the best, of what the launch would have, of those asked for. */
bool gp_is_explained(const struct gp_result *result, size_t index);

/* Whether a size's bottlenecks need no list of their own: it is tied with the best, and has no other causes. */
bool gp_is_like_best(const struct gp_result *result, size_t index);

void gp_print_result(const struct gp_result *result, struct gp_text *out);

/*
 *   Terms of the time with local 32x8 (throughput; docs/models.md):
 *     S_issue                     46 cycles    schedulers, for one group
 *     b                            8 groups    that an SM runs at a time
 */
void gp_print_terms(const struct gp_result *result, struct gp_text *out);

/* Why the first size stands before one that takes less time; NULL: none does. */
const char *gp_preference_of_result(const struct gp_result *result);

/* "local", in CUDA "block". */
const char *gp_local_word(const struct gp_result *result);

/* A launch that an OpenCL program cannot make: "the global size is no multiple of local 7: OpenCL before ...". */
void gp_print_uneven(const char *locals, struct gp_text *out);

/* "n=64, global 1024x1024": what is varied; "" where nothing is. */
void gp_print_combination(const struct gp_axes *axes, size_t combination, struct gp_text *out);

/* ---- Parts of these ---------------------------------------------------------------------------------------------- */

enum { GP_SIZES_TEXT = 48 };
const char *gp_sizes_text(uint32_t dims, const uint32_t size[3], char text[GP_SIZES_TEXT]);

enum { GP_TIME_TEXT = 24 };
/* "56.8 us" */
const char *gp_time_text(double ns, char text[GP_TIME_TEXT]);
/* The same in eleven columns. */
void gp_print_time(struct gp_text *out, double ns);

/* "blur on a100 (NVIDIA A100 40 GB, 1410 MHz), caches cold" */
void gp_print_title(const struct gp_result *result, struct gp_text *out);

/* "global 1024x1024, n=1024": the launch less its local size. */
void gp_print_launch(const struct gp_result *result, char *text, size_t size);

/*
 *     headroom   2.9x with local 32x8; 1.07x with local 8x64, at its roof
 *     ideal      8.67 us: each byte moved once at 1382 GB/s, 2.60 us of it to start
 *     units      L2 88%  LSU 29%  DRAM 24%  FP32 5%  issue 4%  INT 3%  (of peak)
 *     occupancy  8 groups, 64 of 64 warps; next step: none
 */
void gp_print_headroom(const struct gp_result *result, struct gp_text *out);

#endif
