/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A machine that runs a kernel as a GPU would: work-items in warps, lanes of a warp together until they part at a
 * branch and again where they come to the same block, for which they wait at it, groups one after the other. The kernel
 * is real code (test/oracle/tool_oracle_steps.h); nothing here is shared with the executor in model/, which this
 * machine is there to check.
 *
 * What happened is kept per warp as a list of events: which memory operation, which lanes, which addresses.
 */
#ifndef GPUPERF_TEST_ORACLE_MACHINE_H
#define GPUPERF_TEST_ORACLE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ORACLE_ALIGNMENT = 1024,      /* of everything that a symbol of the profile stands for */
    ORACLE_ARGUMENT_BYTES = 256,  /* of an argument's slot */
    ORACLE_DYNAMIC_LOCAL = 49152, /* of local memory that is sized at launch */
    ORACLE_LANES = 64
};

/* How a piece ends. */
enum oracle_end {
    ORACLE_BRANCHES, /* as its block does */
    ORACLE_BARRIER,  /* all work-items of the group wait */
    ORACLE_EXCHANGE  /* the warp's lanes have handed in values */
};

/* A kernel cut into pieces. The first block_count pieces are the profile's blocks, or their beginnings. */
struct oracle_code {
    int32_t (*step)(void *frame, const void *arguments, int32_t piece);
    uint64_t frame_bytes;
    uint32_t block_count, piece_count;
    const uint8_t *ends;        /* [piece_count] enum oracle_end */
    const uint32_t *barriers;   /* [piece_count] the profile's instruction, of pieces that a barrier ends */
    const uint32_t *successors; /* block b's are successors[first_successor[b]] .. first_successor[b + 1] */
    const uint32_t *first_successor;
};

struct oracle_range {
    uint32_t dims;
    uint64_t global[3], offset[3];
    uint32_t local[3];
    uint32_t warp_width;
};

enum oracle_event_kind { ORACLE_ACCESS, ORACLE_IMAGE, ORACLE_BULK, ORACLE_AT_BARRIER };

/* One execution of one memory operation or barrier by the lanes of a warp that were together. */
struct oracle_event {
    uint8_t kind;    /* enum oracle_event_kind */
    uint32_t number; /* record of the profile; of a barrier its instruction */
    uint64_t lanes;
    uint64_t address[ORACLE_LANES]; /* ACCESS; of private memory: within the lane's frame */
    int64_t texel[3][ORACLE_LANES]; /* IMAGE */
    uint32_t dims;
};

/* What one warp did, in its order. */
struct oracle_trace {
    uint64_t group[3];
    uint32_t warp;
    size_t count, room;
    struct oracle_event *events;
};

/* Called for every warp of a group when the group has ended. False ends the run. */
typedef bool (*oracle_visit)(void *context, const struct oracle_trace *trace);

/* Memory that kernels may touch, beside their frames. */
struct oracle_region {
    uint64_t start, bytes;
    bool local; /* garbled before each group */
};

/* Runs the launch. False: the kernel left its memory, never ended or could not be run; `error` says where. */
bool oracle_run(const struct oracle_code *code, const struct oracle_range *range, const void *arguments,
                const struct oracle_region *regions, size_t region_count, oracle_visit visit, void *context,
                struct gp_error *error);

/* Functions that kernels call, by the names they have in LLVM IR. Ends with a null name. */
struct oracle_function {
    const char *name;
    void *address;
};
extern const struct oracle_function oracle_functions[];

/* ---- Between machine.c and builtins.c ---------------------------------------------------------------------------- */

struct oracle_item {
    uint32_t local_id[3], lane, warp;
    uint64_t given[4];
};

/* What runs at the moment. */
struct oracle_now {
    struct oracle_range range;
    uint64_t group[3], groups[3];
    uint32_t size[3]; /* of this group */
    uint32_t items;
    struct oracle_item *all; /* [items] */
    struct oracle_item *item;
    uint64_t together; /* lanes of the warp */
};
extern struct oracle_now oracle_now;

#ifdef __cplusplus
}
#endif
#endif
