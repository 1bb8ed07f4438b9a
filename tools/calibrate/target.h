/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the measurement programs run on: a device that OpenCL has here (opencl_target.c), an NVIDIA GPU through CUDA's
 * driver (cuda_target.c), or a known device that is simulated (simulated_target.c). The programs, and what is read from
 * their times, are the same.
 */
#ifndef GPUPERF_TOOLS_CALIBRATE_TARGET_H
#define GPUPERF_TOOLS_CALIBRATE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hwdb/hwdb.h"
#include "support/error.h"

/* What the host copied to the device last, which L2 has as much of as it holds. */
enum gp_copied { GP_COPIED_NOTHING, GP_COPIED_DATA /* `in` */, GP_COPIED_OTHER /* as much as flushes L2 */ };

/* A launch. Each kernel takes (buffer in, buffer out, int count, int other). */
struct gp_run {
    const char *program, *kernel; /* gp_program_text() has the program */
    uint64_t groups;
    uint32_t local;
    int32_t count, other;
    size_t in_bytes, out_bytes;
    double *start,
        *finish;           /* where has_group_times: of the groups of the first SM in order, cycles; NULL: not wanted */
    const uint64_t *chain; /* what `in` holds: offsets in it, made into addresses before; NULL: any */
    bool offsets;          /* which stay offsets */
    bool again;            /* the same as the launch before */
    enum gp_copied copied; /* by the host before each launch */
    bool resident_data;    /* `in` is read again and again: L2 has what fits from the start */
    bool goes_on;          /* a turn reads where none before did: `in` is for the turns that are stated, and no more */
    unsigned back_to_back; /* so many launches of a real device one behind the other, of whose times the mean is taken;
                              0: one */
};

/* ns of the device alone, and of the host from the call to the launch's end. */
struct gp_times {
    double device, host;
};

struct gp_target {
    char title[256];
    double clock_mhz;
    uint32_t units, warp; /* SMs or cores; work-items of a warp, 1 on a CPU */
    uint32_t most_local;  /* work-items of a group */
    uint64_t most_bytes;  /* of a buffer */
    /* Bytes of the last cache, as the driver says: how far it is worth looking; 0: it says nothing. */
    uint64_t told_cache;
    bool told_last; /* no cache is behind that one */
    double halves;  /* SMs that a group lies on, whose caches act as one: 2 where an RDNA work-group processor is
                       simulated */
    bool is_cpu, doubles, shuffles, has_group_times;
    const char *driver;            /* of a real device: "OpenCL", "CUDA" */
    double tick_ns;                /* of a real device: what its clock of launches may be off */
    const struct gp_device *known; /* the entry that is simulated; NULL: a real device */
    bool (*time)(struct gp_target *target, const struct gp_run *run, struct gp_times *times, struct gp_error *error);
    void (*close)(struct gp_target *target);
};

/* `which`: PLATFORM:DEVICE, numbers or parts of names; NULL: the first device. NULL and a sentence. */
struct gp_target *gp_opencl_target(const char *which, struct gp_error *error);

/* `which`: a number or a part of the name; NULL: the first GPU. `ptx`: the folder that has the programs as PTX,
 * NAME.ptx; NULL: they are made here. NULL and a sentence. */
struct gp_target *gp_cuda_target(const char *which, const char *ptx, struct gp_error *error);

/* noise: relative spread of the times, drawn from a fixed seed; 0: none. NULL and a sentence. */
struct gp_target *gp_simulated_target(const char *device, double noise, struct gp_error *error);

/* Of a launch with a chain on a real device (linking.c): whether it lies in constant memory; a number, not 0, that
 * tells it from others; the launch that makes addresses of its offsets, unless they stay such. */
bool gp_reads_constants(const struct gp_run *run);
uint64_t gp_chain_number(const struct gp_run *run);
struct gp_run gp_linking_run(const struct gp_run *run);

/* The source of a measurement program; NULL: there is none of that name. */
const char *gp_program_text(const char *name);

/* Their names, from 0 on; NULL: there are no more. */
const char *gp_program_name(size_t number);

/* The source with what it needs to become PTX that runs (gp_compile_ptx()). Free with free(). */
char *gp_program_for_cuda(const char *name);

#endif
