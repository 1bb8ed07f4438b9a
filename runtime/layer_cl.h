/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The OpenCL side of the layer: the functions that stand in its dispatch table, and the driver's behind them. */
#ifndef GPUPERF_RUNTIME_LAYER_CL_H
#define GPUPERF_RUNTIME_LAYER_CL_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>

#include "runtime/layer_state.h"

/* What the loader gave: entries that its table does not have are NULL. Written at initialisation only. */
extern struct _cl_icd_dispatch gp_target;

/* layer_device.c: the record of a device; NULL: the driver does not say what is needed. Without the lock. */
struct gp_cl_device *gp_device_record(cl_device_id id);

/* The same if it was asked for before, else NULL. With the lock held. */
struct gp_cl_device *gp_device_known(cl_device_id id);

/* layer_programs.c: replaces the entries of the table that follow programs and kernels; `fits` says whether an entry is
 * there. */
typedef bool gp_entry_fits(size_t offset);
void gp_follow_programs(struct _cl_icd_dispatch *table, gp_entry_fits *fits);

/* The record of a program, or NULL; a new one's; all that it holds. With the lock held. */
struct gp_program *gp_cl_program_find(cl_program handle);
void gp_cl_program_remember(cl_program handle, struct gp_program *program);
void gp_cl_program_free(struct gp_program *program);

/* The devices that a program is for; 0: not known. Without the lock. */
enum { GP_MOST_DEVICES = 64 };
cl_uint gp_program_devices(cl_program handle, cl_device_id devices[GP_MOST_DEVICES]);

/* layer_builds.c: likewise, builds */
void gp_follow_builds(struct _cl_icd_dispatch *table, gp_entry_fits *fits);

/* layer_launch.c */
void gp_follow_launches(struct _cl_icd_dispatch *table, gp_entry_fits *fits);

/*
 * layer_sample.c: a launch that is made in parts and timed, for what sampling.h makes of it. Planned with the
 * lock held (false: it is launched as a whole), launched without it: false, nothing was launched; true, all work-items
 * were, as far as *result says.
 */
struct gp_parts {
    struct gp_entry *entry;
    struct gp_hash kernel_key;
    int index; /* gp_sampling's of the size on trial */
    struct gp_turn turn;
    struct gp_cut cut;
    uint32_t sizes[GP_SAMPLE_PARTS][3]; /* zeros: as the program made the launch */
    char kernel[64];
};

struct gp_range_call {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dims;
    const size_t *offset, *global, *local;
    cl_uint wait_count;
    const cl_event *wait_list;
};

bool gp_plan_parts(struct gp_parts *sample, struct gp_entry *entry, const struct gp_kernel_device *on,
                   const struct gp_open_launch *launch, const char *name);
bool gp_launch_in_parts(const struct gp_parts *sample, const struct gp_range_call *call, cl_int *result);

/* layer_record.c: GPUPERF_RECORD. Begins, where it is set, and follows memory objects; without the lock. */
void gp_record_begin(struct _cl_icd_dispatch *table, gp_entry_fits *fits);
bool gp_record_is_on(void);
/* Notes a launch that went well. local: the program's or, of an open launch, that it ran with; zeros: not known.
 * Without the lock. */
void gp_record_launch(cl_command_queue queue, cl_kernel handle, cl_uint dims, const size_t *global,
                      const uint32_t local[3], bool open);
/* Writes what is not written yet, and ends. Without the lock. */
void gp_record_end(void);
/* In a forked child nothing more is noted. */
void gp_record_forked(void);

/* Puts a function into the table if the loader's table has that entry and the driver's function is there. */
#define GP_FOLLOW(table, fits, entry, function) \
    do { \
        if ((fits)(offsetof(struct _cl_icd_dispatch, entry)) && gp_target.entry != NULL) \
            (table)->entry = (function); \
    } while (0)

#endif
