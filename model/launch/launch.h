/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A launch: all that is not known when a kernel is compiled. */
#ifndef GPUPERF_MODEL_LAUNCH_H
#define GPUPERF_MODEL_LAUNCH_H

#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(NAME, sentence): why an argument that nobody stated has its value; behind "n=1024, ". */
/* clang-format off */
#define GP_ASSUMED_USES(X) \
    X(NOTHING, "the usual number: nothing in the kernel tells") \
    X(DATA, "not known: it bounds nothing but data") \
    X(CHOICE, "the value that takes the path with most of the work") \
    X(STRIDED_END, "a usual share for each work-item that steps over it") \
    X(BYTE_STRIDE, "bytes from one row to the next, rows side by side") \
    X(UNIT_STRIDE, "elements between neighbours, which lie side by side") \
    X(STEP, "the step of a window") \
    X(LOOP_STEP, "the step of a loop that takes one element after the other") \
    X(FACTOR, "the least factor with which a loop ends") \
    X(LANES, "the number of work-items, by which loops step") \
    X(GROUP, "the work-items of a group, by which its loops step") \
    X(SHIFT, "bits to shift by") \
    X(WIDTH, "the width of a window") \
    X(PAD, "the border of a window") \
    X(SHARE, "a usual share for each work-item of what they share") \
    X(RADIUS, "the radius of a window") \
    X(FIRST, "where a loop or an index begins") \
    X(RANGE, "as large as the range that it bounds") \
    X(MODULUS, "a divisor or a mask whose remainders are used") \
    X(PITCH, "so large that rows do not overlap") \
    X(GUARD, "so large that conditions on ids hold") \
    X(ARRAY, "no more than the arrays hold that loops fill") \
    X(COUNTER, "no more than the loop's counter comes to") \
    X(EXTENT, "less than usual, so that indices fit an int") \
    X(TURNS, "less than usual, so that loops within each other end")
/* clang-format on */
enum gp_assumed_use {
#define X(name, sentence) GP_ASSUMED_##name,
    GP_ASSUMED_USES(X)
#undef X
        GP_ASSUMED_COUNT
};

/* What a buffer holds, where somebody states it: loads from it are executed with these values, unless the kernel writes
 * to it. */
struct gp_contents {
    const void *bytes;
    uint64_t size;
    bool addresses; /* its words of 64 bits are offsets in the buffer, and what is loaded is the address there: a chain
                       of pointers, wherever the buffer lies */
};

struct gp_argument {
    bool known;    /* false: a symbol (buffers, images, floats nobody set, what bounds data only: assume/rules.h) */
    bool stated;   /* set by the user or by the kernel's annotate attribute, not assumed */
    bool distance; /* where not stated: assumed to be 1, since it is a distance between neighbours (assume/rules.h) */
    uint8_t use;   /* enum gp_assumed_use, of an integer that is not stated */
    struct gp_group_size {
        uint8_t along; /* 1 + a dimension: it is as many as a group's work-items along it; 0: it is not */
        bool halved;   /* half as many */
    } group;           /* where not stated */
    uint16_t window;   /* of a window's pad, where the window's width is known: the width's parameter plus 1; else 0 */
    uint64_t value;    /* bit pattern of an integer or float argument, of as many bits as the parameter has */
    uint64_t bytes; /* size of a LOCAL parameter, where stated or of a real launch; of a BUFFER one, where stated; of an
                       IMAGE's texel likewise (texels.h); else 0 */
    const struct gp_contents *contents; /* of a BUFFER, the caller's; NULL: nobody knows */
};

enum { GP_DEFAULT_TRIP_COUNT = 16 };

/* Work-items of a launch: a double counts no more of them exactly, and no device runs so many. */
#define GP_MOST_WORK_ITEMS (UINT64_C(1) << 53)

struct gp_launch {
    uint32_t dims;      /* 1..3 */
    uint64_t global[3]; /* work-items per dimension (CUDA: grid x block); 1 beyond dims */
    uint32_t local[3];  /* work-items of a group per dimension */
    uint64_t offset[3];
    struct gp_argument arguments[GP_MAX_ARGUMENTS]; /* as kernel->params */
    uint32_t dynamic_local_bytes;                   /* CUDA's third launch parameter */
    bool local_stated, dynamic_stated;              /* by the user, not assumed */
    bool global_assumed;                            /* the range is nobody's statement */
    uint16_t range_from[3];                         /* where assumed: 1 + the stated argument that a dimension's range
                                                       is as large as; 0: none (stated_ranges.h) */
    bool assumed; /* no program's launch: local memory of unstated size is what execution uses (local_reach.h) */
    bool cold;    /* the last cache holds nothing of what the launch touches; else what the same launch before has left
                     there, as in a loop over launches */
    uint32_t assumed_trip_count; /* of loops that depend on data (divided by their unroll factor) */
};

/* Whether a range, of sizes that are not 0, has no more work-items than GP_MOST_WORK_ITEMS, so that their product is a
 * number. */
bool gp_range_is_countable(const uint64_t global[3]);

/* Work-items of a whole work-group. */
uint64_t gp_launch_group_items(const struct gp_launch *launch);

/* The arguments that are as many as a group's work-items have the number of the group that the launch has. */
void gp_launch_take_group(struct gp_launch *launch);

/* Half as many: of the largest dimension, of the last where several are as large. False: there is one work-item. */
bool gp_launch_halve_group(struct gp_launch *launch);

/* CUDA's grids are of whole blocks: the range is rounded up to them. */
void gp_launch_fill_groups(struct gp_launch *launch);

/* Whether a kernel asks for a number along a dimension; where it does not, all that lies along it does the same. */
bool gp_dimension_is_used(const struct gp_kernel *kernel, uint32_t dimension);

/* Whether a kernel looks along a dimension at the groups' numbers only, so that the work-items of a group all do the
 * same along it: a group for each row. */
bool gp_dimension_is_of_groups(const struct gp_kernel *kernel, uint32_t dimension);

/* Work-groups along each dimension (the last may be partial: OpenCL 2 non-uniform groups) and in all. */
uint64_t gp_launch_groups(const struct gp_launch *launch, uint64_t groups[3]);

#ifdef __cplusplus
}
#endif
#endif
