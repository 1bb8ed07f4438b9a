/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A decision: which local sizes a launch could take, with their predicted times. It is made once for each key (what
 * decides time), off the launch's path; gp_decision_pick() then goes by which sizes the driver has built the kernel
 * for.
 */
#ifndef GPUPERF_RUNTIME_DECISION_H
#define GPUPERF_RUNTIME_DECISION_H

#include "runtime/choose.h"
#include "runtime/hash.h"

/* An argument as clSetKernelArg took it. */
struct gp_raw_argument {
    uint64_t value;     /* the bytes, zero-extended; 0 where there are more than 8 */
    uint8_t bytes[128]; /* the same; zeros where there are more */
    uint32_t size;
    bool set;
    bool no_value;        /* a null pointer: local memory of `size` bytes, or an empty buffer */
    bool texel_asked;     /* since the argument was set */
    uint16_t texel_bytes; /* of an image, where its runtime has been asked; else 0 */
};

/* A launch as the program made it, and what the runtime said about it. */
struct gp_open_launch {
    uint32_t dims;
    uint64_t global[3], offset[3]; /* 1 and 0 beyond dims */
    bool explicit_local;           /* the program gave a local size and override is asked for */
    uint32_t baseline[3];          /* that size, or what the driver would take; zeros: not known */
    bool uniform;
    uint32_t max_group; /* for this kernel on this device */
    uint64_t max_sizes[3];
    const struct gp_raw_argument *arguments;
    uint32_t argument_count;
};

/*
 * What decides time, hashed: kernel and device (kernel_key), the range, whether there is an offset, the launch rules,
 * sizes of local memory and of images' texels, scalars of the skeleton in buckets of about 12 percent.
 */
struct gp_hash gp_decision_key(const struct gp_hash *kernel_key, const struct gp_kernel *kernel,
                               const struct gp_open_launch *launch);

/* The same without the scalars: what launches have in common whose decisions are likely to be one. */
struct gp_hash gp_family_key(const struct gp_hash *kernel_key, const struct gp_kernel *kernel,
                             const struct gp_open_launch *launch);

/* The bucket of an integer argument: itself up to 256; beyond, steps of 1/8 of a power of two, and the alignment (up to
 * 128). */
uint64_t gp_integer_bucket(int64_t value);

enum { GP_MAX_ALTERNATIVES = 8, GP_MAX_TRIALS = 2 };

struct gp_alternative {
    uint32_t local[3];
    double time_ns;
    double at_once; /* work-items that the device holds at a time */
};

struct gp_decision {
    uint32_t baseline[3]; /* as in the launch */
    double baseline_ns;   /* 0: not known */
    double baseline_at_once;
    bool sampled;                                            /* measured on real launches (sampling.h), not predicted */
    struct gp_alternative alternatives[GP_MAX_ALTERNATIVES]; /* worth taking instead of the baseline, best first */
    uint32_t alternative_count;
    struct gp_alternative trials[GP_MAX_TRIALS]; /* not worth taking on the model's word, but worth trying (sampling.h):
                                                    it knows little of what they take */
    uint32_t trial_count;
    double worst_ns;                /* of all candidates */
    double confidence, known_share; /* of the best candidate's prediction; measured: 1 */
};

/* Whether a size is enough faster than the one that the program would get anyway: by more on CPUs; the more, the less
 * of its time is known: sizes of one kernel are off by the same factor, mostly, which confidence tells of. */
bool gp_is_worth_leaving(const struct gp_device *device, double baseline_ns, double time_ns, double known_share);

/* Predicts and fills the decision. False: a sentence. */
bool gp_decide(const struct gp_profile *profile, const struct gp_kernel *kernel, const struct gp_device *device,
               bool foreign_target, const struct gp_open_launch *launch, const int *cancelled,
               struct gp_decision *decision, struct gp_error *error);

/* What gp_decision_pick() asks: whether the driver has built the kernel for that size before. */
typedef bool gp_is_built(const void *context, const uint32_t local[3]);

/* What a launch gets, and what it loses for want of a build. */
struct gp_pick {
    const struct gp_alternative *taken;  /* NULL: as it is */
    const struct gp_alternative *wanted; /* the fastest, where that is not built and enough faster; else NULL */
    double lost_ns;                      /* by each launch that does without it */
};

/* builds: the driver builds the kernel for each size. The device is the model's. What the launch would take anyway is
 * the best one, too, where neither is built. */
struct gp_pick gp_decision_pick(const struct gp_decision *decision, const struct gp_device *device, bool builds,
                                gp_is_built *is_built, const void *context);

/* The decision as text for the cache, and back; false when the text is not a decision. Free the text with free(). */
char *gp_decision_print(const struct gp_decision *decision);
bool gp_decision_parse(const char *text, struct gp_decision *decision);

/* "32x8" or "64" or "16x4x4": trailing ones beyond dims left out. */
void gp_print_size(const uint64_t size[3], uint32_t dims, char *text, size_t capacity);
void gp_print_local(const uint32_t local[3], uint32_t dims, char *text, size_t capacity);

#endif
