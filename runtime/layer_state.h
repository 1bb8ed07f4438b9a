/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The OpenCL layer's state. Everything here is guarded by gp_layer.lock unless a comment says otherwise; the lock is
 * never held while the driver is called, a kernel is compiled or predicted, or the cache is read. The driver is called
 * in the program's threads only, the cache is used by the worker only.
 *
 *   units (a source with its options, or a binary) --> a slot per device: the profile, or why there is none
 *   program --> per device its units, once the driver has built it
 *   kernel  --> its program's units, its arguments, per device what was found
 *   decisions: by key, for all kernels
 */
#ifndef GPUPERF_RUNTIME_LAYER_STATE_H
#define GPUPERF_RUNTIME_LAYER_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "hwdb/hwdb.h"
#include "runtime/cache.h"
#include "runtime/decision.h"
#include "runtime/driver_macros.h"
#include "runtime/driver_rule.h"
#include "runtime/map.h"
#include "runtime/options.h"
#include "runtime/record.h"
#include "runtime/sampling.h"
#include "runtime/settings.h"
#include "runtime/status.h"
#include "support/text.h"

/* An OpenCL device. What the driver says of it is written once, before others can see the record. Never freed. */
struct gp_cl_device {
    struct gp_cl_device *next;
    void *id;        /* cl_device_id */
    void *parent;    /* of a sub-device, the whole of it, whose programs it runs; else NULL */
    char *name;      /* CL_DEVICE_NAME */
    char target[16]; /* "sm_86", "gfx1030": what the driver tells of the architecture; "": nothing */
    char *identity;  /* platform, driver version, device version, name: who builds kernels, and for what */
    bool is_cpu;
    bool is_pocl;       /* builds a kernel anew for each local size */
    bool is_nvidia;     /* NVIDIA's own driver */
    bool suggests;      /* answers cl_khr_suggested_local_work_size */
    void *suggest;      /* its function */
    bool non_uniform;   /* can run groups that do not divide the range */
    unsigned c_version; /* OpenCL C of a build without -cl-std=: 120 */
    struct gp_driver_language language;
    uint32_t clock_mhz;
    uint64_t cache_bytes; /* of a CPU: its last cache */
    struct gp_driver_limits limits;

    /* By the worker. */
    bool resolved;
    struct gp_device *model; /* NULL: no such device in the database */
    struct gp_hash model_hash;
    char *reason; /* why model is NULL */
    bool reason_logged;
    double build_ns; /* what a build for a new size costs: assumed, then measured; 0: nothing */
};

enum gp_unit_kind { GP_UNIT_SOURCE, GP_UNIT_BINARY, GP_UNIT_IL, GP_UNIT_UNUSABLE };

/* What a program was made from. Written once; shared by programs of the same content. */
struct gp_unit {
    struct gp_hash key;         /* content, options, and when it was built where that counts */
    struct gp_hash content_key; /* content and options */
    enum gp_unit_kind kind;
    char *content; /* NUL-terminated */
    size_t size;
    struct gp_options options;
    const char *reason; /* UNUSABLE: why */
    unsigned references;
    struct gp_slot *slots;
};

enum gp_slot_state {
    GP_SLOT_EMPTY,   /* nobody has asked */
    GP_SLOT_LOOKUP,  /* the worker looks into the cache */
    GP_SLOT_MISSING, /* it is not there */
    GP_SLOT_MAKING,  /* the worker makes it */
    GP_SLOT_READY,
    GP_SLOT_FAILED
};

enum { GP_MAX_WAITING = 32 };

/* A unit's profile for a device. */
struct gp_slot {
    struct gp_slot *next;
    struct gp_unit *unit;
    struct gp_unit *origin; /* by the worker: the source that the unit, a binary, was built from; NULL: not known */
    struct gp_cl_device *device;
    enum gp_slot_state state;
    struct gp_profile *profile;  /* READY; does not change any more */
    struct gp_hash *kernel_keys; /* per kernel of the profile: content and device */
    struct gp_hash profile_key;  /* in the cache; known once looked up */
    bool foreign_target;
    bool keep;                  /* may go into the cache */
    char *reason;               /* FAILED */
    struct gp_waiting *waiting; /* launches that were made before the profile was there */
    unsigned waiting_count;
};

/* A launch that is to be decided later; owns its arguments. */
struct gp_waiting {
    struct gp_waiting *next;
    char *kernel;
    struct gp_open_launch launch;
    unsigned launches; /* like it, made without a decision */
};

/* What a device's program is made from. A program that is linked of others has several for each. */
struct gp_built {
    void *device;         /* cl_device_id; NULL: any */
    struct gp_unit *unit; /* NULL: not known */
};

struct gp_built_list {
    struct gp_built *items;
    unsigned count;
};

struct gp_program {
    unsigned references;
    char *source;                   /* NULL: made from something else */
    struct gp_built_list made_from; /* binaries or IL, to be built */
    struct gp_built_list built;     /* as the driver has built it, or compiled it to be linked */
    bool specialized;               /* constants of the IL were set */
};

/* A kernel on a device. */
struct gp_kernel_device {
    struct gp_kernel_device *next;
    struct gp_cl_device *device;
    uint32_t max_group;              /* CL_KERNEL_WORK_GROUP_SIZE */
    bool required;                   /* the source requires a size: nothing to choose */
    unsigned version;                /* OpenCL C version of the build, 0: the device's default */
    bool uniform_groups;             /* built with -cl-uniform-work-group-size */
    double build_ns;                 /* what the driver took to build it; 0: not known */
    struct gp_status_record *status; /* lives as long as the layer; NULL: too many, or out of memory */
    bool found;                      /* slot and profile_kernel are set */
    struct gp_slot *slot;
    const struct gp_kernel *profile_kernel;
    struct gp_hash key;
    struct gp_entry
        *last_entry; /* the decision of the last launch, which was the one below with so many changes of arguments */
    struct gp_open_launch last_launch;
    uint32_t last_changes;
    uint64_t rule_global[3]; /* the driver's rule for the range it was last applied to */
    uint32_t rule_local[3];
};

struct gp_cl_kernel {
    unsigned references;
    struct gp_parameter_info *infos; /* what the driver says of its parameters; NULL: it was not asked */
    uint32_t info_count;
    char *name;
    void *program;              /* cl_program, which lives as long as the kernel; compared only */
    struct gp_built_list built; /* the program's when the kernel was created */
    struct gp_raw_argument *arguments;
    uint32_t argument_count;
    uint32_t changes; /* of argument values */
    struct gp_kernel_device *devices;
};

enum gp_entry_state { GP_ENTRY_PENDING, GP_ENTRY_READY, GP_ENTRY_FAILED };

struct gp_entry {
    struct gp_hash key;
    enum gp_entry_state state;
    bool from_cache;
    bool refused; /* the driver did not take the choice: never again */
    bool logged;
    struct gp_family *family; /* NULL: no launch has asked yet */
    bool told;                /* the family knows the decision */
    uint64_t weighed_at;      /* gp_layer.build_count + 1 when what follows was found; 0: it was not */
    const struct gp_alternative *picked, *wanted; /* as in struct gp_pick */
    double lost_ns, build_ns;                     /* by each launch without `wanted`; and what its build costs */
    struct gp_lost *lost;                         /* what has been lost for want of it; NULL: nothing is wanted */
    unsigned early;                               /* launches before there was a decision */
    uint32_t noted_local[3];                      /* size that is noted as built */
    uint32_t logged_local[3];
    struct gp_decision decision;
    struct gp_sampling sampling;
    bool sample_under_way; /* a launch that is cut has not been timed yet */
    char *reason;          /* FAILED */
};

/* What launches have lost for want of a size that the driver has not built the kernel for (rent.c). */
struct gp_lost {
    struct gp_hash kernel_key, size; /* size: gp_built_key() */
    double ns;                       /* in all processes */
    double unsaved_ns;               /* of these, what the cache does not know */
};

/*
 * Decisions for launches that differ in their scalars only. A program may pass others at each launch (ffmpeg's
 * nlmeans_opencl does): one whose own decision is not made yet gets what several in a row have agreed on.
 */
struct gp_family {
    unsigned agreeing; /* the newest decisions that agree on the best size, `last` among them */
    struct gp_entry *last;
};

struct gp_job;

/* Launches that went well, by whose local size they ran with. Atomic. */
struct gp_counts {
    unsigned long chosen;  /* ours */
    unsigned long driver;  /* the driver's, for a reason */
    unsigned long program; /* the program's own */
    unsigned long early;   /* the driver's, because nothing was decided yet */
};

/* What the worker does first. Decisions and the cache take milliseconds, compiles a second; nobody waits for a decision
 * that others of its family stand in for. */
enum gp_urgency { GP_QUICK, GP_SLOW, GP_IDLE, GP_URGENCIES };
struct gp_jobs {
    struct gp_job *first, *last;
};

struct gp_layer {
    pthread_mutex_t lock;
    pthread_cond_t work;    /* there are jobs, or stop */
    pthread_cond_t changed; /* a slot or a decision has got ready */
    struct gp_settings settings;
    bool active; /* between initialisation and the end; false after fork() */
    struct gp_cl_device *devices;
    bool some_suggest; /* one of them answers cl_khr_suggested_local_work_size */
    bool loose_seen;   /* PoCL has been asked to build some program with options that let it round as it likes: with 3.1
                          what else the process builds may round so from then on */
    struct gp_map programs, kernels; /* by handle */
    struct gp_map units;             /* by content */
    struct gp_map entries;           /* decisions by key */
    struct gp_map families;          /* of decisions, by gp_family_key() */
    struct gp_map built;             /* sizes that the driver has built for; values are not NULL */
    uint64_t build_count;            /* their number, or more */
    struct gp_map lost;              /* struct gp_lost by size */
    struct gp_map costs;             /* of a build, in ns, by kernel_key: double */
    struct gp_map statuses;          /* struct gp_status_record by gp_status_key() */
    struct gp_map said;              /* why the driver decides for a kernel on a device; likewise */

    struct gp_jobs jobs[GP_URGENCIES];
    unsigned job_count;
    struct gp_counts counts;
    struct gp_text lines; /* of the log, to be written once the lock is given up */
    bool worker_runs;
    pthread_t worker;
    int stop; /* atomic: the worker and its children are to end */
};

extern struct gp_layer gp_layer;

/* units.c: with the lock held */
/* pocl: with the options that PoCL adds. built_ns: gp_options' */
struct gp_unit *gp_unit_source(const char *source, const char *options, bool pocl, long long built_ns);
struct gp_unit *gp_unit_kept_source(char *source, struct gp_options options);           /* takes both over */
struct gp_unit *gp_unit_binary(enum gp_unit_kind kind, const void *bytes, size_t size); /* BINARY or IL */
struct gp_unit *gp_unit_unusable(const char *reason);
void gp_unit_retain(struct gp_unit *unit);
void gp_unit_release(struct gp_unit *unit);
struct gp_slot *gp_unit_slot(struct gp_unit *unit,
                             struct gp_cl_device *device); /* made when missing; NULL: out of memory */
void gp_slot_wait(struct gp_slot *slot, const char *kernel, const struct gp_open_launch *launch);
void gp_slot_count(struct gp_slot *slot, const char *kernel,
                   const struct gp_open_launch *launch); /* it did not wait any longer */
void gp_waiting_free(struct gp_waiting *waiting);

/* built.c: with the lock held. An item retains its unit. False: out of memory. */
bool gp_built_add(struct gp_built_list *list, void *device, struct gp_unit *unit);
bool gp_built_copy(struct gp_built_list *list, const struct gp_built_list *from);
void gp_built_drop(struct gp_built_list *list, void *device);
void gp_built_free(struct gp_built_list *list);
/* The next unit for the device from *at on, which goes behind it; NULL: there is none. */
struct gp_unit *gp_built_next(const struct gp_built_list *list, const struct gp_cl_device *device, unsigned *at);

/* The hash under which a built size is noted. PoCL builds apart for launches with and without an offset. */
struct gp_hash gp_built_key(const struct gp_hash *kernel_key, const uint32_t local[3], bool offset);

/* rent.c: with the lock held */
/* The alternative to take, or NULL: as it is. So many launches are made with it now. */
const struct gp_alternative *gp_rent_pick(struct gp_entry *entry, const struct gp_cl_device *device,
                                          const struct gp_hash *kernel_key, bool offset, unsigned launches);
/* The driver has built for that size. False: that is no news. */
bool gp_rent_add_built(struct gp_hash size);
/* What a build of the kernel takes. */
void gp_rent_learn_cost(struct gp_hash kernel_key, double ns);
/* The record of a size, made when missing; NULL: out of memory. */
struct gp_lost *gp_rent_lost(struct gp_hash kernel_key, struct gp_hash size);

/* The entry of a key, made (pending) when missing; NULL: out of memory, or there are too many. With the lock held. */
struct gp_entry *gp_entry_for(struct gp_hash key);

/* family.c: with the lock held. The family of a launch, made when missing; NULL: out of memory. */
struct gp_family *gp_family_of(const struct gp_hash *kernel_key, const struct gp_kernel *kernel,
                               const struct gp_open_launch *launch);
/* The entry belongs to the family (NULL: to none), which learns its decision once there is one. */
void gp_family_join(struct gp_family *family, struct gp_entry *entry);
/* The decision that the family's newest agree with; NULL: they do not agree, or are too few. */
struct gp_entry *gp_family_usual(const struct gp_family *family);

/* worker.c: with the lock held. Jobs that cannot be queued are dropped: another launch asks again. */
void gp_worker_lookup(struct gp_slot *slot);
void gp_worker_make(struct gp_slot *slot);
bool gp_worker_decide(struct gp_slot *slot, const struct gp_kernel *kernel, struct gp_hash kernel_key,
                      struct gp_hash key, const struct gp_open_launch *launch, struct gp_entry *entry);
void gp_worker_note_built(struct gp_hash kernel_key, struct gp_hash size);
void gp_worker_note_cost(struct gp_hash kernel_key, double ns);
bool gp_worker_note_lost(const struct gp_lost *lost);
void gp_worker_note_sampled(struct gp_hash kernel_key, struct gp_hash key, const struct gp_decision *decision);
void gp_worker_note_forgotten(struct gp_hash kernel_key, struct gp_hash key);
void gp_worker_note_binary(struct gp_slot *slot, struct gp_hash binary);

/* Before the layer is active, with the lock held: where no worker runs, what one has left undone is as if nobody had
 * asked. */
void gp_worker_begin(void);

/* Without the lock. Ends the worker and whatever it runs, within a fraction of a second. */
void gp_worker_stop(void);

/* layer_status.c: with the lock held. A row on its way to the cache, and the last launch in numbers. */
struct gp_status_record {
    struct gp_kernel_status row;
    uint32_t dims;
    uint64_t global[3];
    uint32_t local[3];           /* zeros: the driver's, which is not known */
    const struct gp_entry *told; /* whose choice the row's reason is; NULL: none's. Only to be compared */
};
/* The record of a kernel on a device, made when missing; NULL: too many, or out of memory. */
struct gp_status_record *gp_status_for(const char *kernel, const char *device);
/* Why its launches are as they are; `from`: model, cache, sample, driver, program. */
void gp_status_say(struct gp_status_record *record, const char *from, const char *reason);
/* A launch of it, with the size that it runs with; chosen: gpuperf's. Times in ns, 0: not known. */
void gp_status_count(struct gp_status_record *record, const struct gp_open_launch *launch, const uint32_t local[3],
                     bool chosen, double ns, double driver_ns);
/* The row since it was taken last, whose counts begin anew. False: no launch. */
bool gp_status_take(struct gp_status_record *record, struct gp_kernel_status *row);

/* layer_log.c: at the end, that gpuperf was there and what it did. Without the lock, before the worker is stopped. */
void gp_log_end(void);

/* Of the monotonic clock. */
double gp_now_ns(void);

/* A line on stderr if the level is asked for; "gpuperf: " stands before it. Without the lock: who reads the lines may
 * be slow. */
void gp_log(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with the lock held: gp_unlock_and_log() gives up the lock and then writes the lines that were noted
 * meanwhile. */
void gp_log_later(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gp_unlock_and_log(void);

#endif
