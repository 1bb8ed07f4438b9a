/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What requests.c and the files of rules per vendor share. docs/memory.md tells the rules and their sources. */
#ifndef GPUPERF_MODEL_REQUEST_RULES_H
#define GPUPERF_MODEL_REQUEST_RULES_H

#include "model/memory/lanes.h"
#include "model/memory/requests.h"
#include "support/extremes.h"

/* An access on its way through the rules. */
struct gp_request_context {
    const struct gp_device *device;
    const struct gp_memory *memory;
    struct gp_lanes lanes;
    uint32_t piece; /* bytes per lane of one machine access; a wider one is made of several */
    uint32_t pieces;
    bool load;   /* neither store nor atomic */
    bool scalar; /* the address is proved uniform at compile time: a scalar unit may make the access */
};

/*
 * How an image lies in memory. Vendors do not publish their tilings as part of a programming model; these are the ones
 * of their open drivers, and an assumption for any particular image. A block is what one transaction moves.
 */
struct gp_texel_layout {
    uint32_t block_bytes; /* transaction */
    uint32_t block_rows;  /* 0: as square as can be, wider than high (Morton order) */
    uint32_t line_bytes;  /* cache line, of whole blocks */
    uint32_t line_rows;   /* likewise */
};

/*
 * The rules of one architecture. Each fills the request's fields of its kind; `uniform`, `guessed`, `stride`,
 * `useful_bytes` are set.
 */
struct gp_request_rules {
    void (*global)(const struct gp_request_context *context, struct gp_request *request);
    void (*constant)(const struct gp_request_context *context, struct gp_request *request);
    void (*local)(const struct gp_request_context *context, struct gp_request *request);
    const struct gp_texel_layout *texels;
};

const struct gp_request_rules *gp_request_rules_for(enum gp_arch arch);

/* What the banks of local memory take: cycles, and those without conflicts. */
struct gp_bank_cycles {
    double all, ideal;
};

/* How long a pass over the banks takes, whose rows are of so many bytes, for these lanes. */
typedef double gp_pass_cycles(const struct gp_request_context *context, gp_mask group, double row);

/* Takes groups of so many neighbours one after the other: any number of lanes may share a word of a bank, of 32 bits.
 * Fills the request's passes and how bad its conflicts are. */
struct gp_bank_cycles gp_take_banks(const struct gp_request_context *context, uint32_t banks, uint32_t lanes,
                                    gp_pass_cycles *cycles, struct gp_request *request);

/* Fills what a request to an image costs. */
void gp_cost_image(const struct gp_request_context *context, const struct gp_access *access,
                   const struct gp_texel_layout *layout, struct gp_request *request);

/* Tables, one per family. */
extern const struct gp_request_rules gp_rules_tesla1, gp_rules_tesla2, gp_rules_fermi, gp_rules_kepler,
    gp_rules_maxwell;
extern const struct gp_request_rules gp_rules_terascale, gp_rules_gcn, gp_rules_rdna, gp_rules_xe, gp_rules_cpu;

/* A device's number, or the architecture's own where the device has none (0: a cache that does not exist). */
static inline double gp_or(double value, double otherwise) { return value > 0 ? value : otherwise; }
static inline uint32_t gp_power_or(double value, uint32_t otherwise)
{
    uint32_t n = value >= 1 && value <= 4096 ? (uint32_t)value : 0;
    return n != 0 && (n & (n - 1)) == 0 ? n : otherwise;
}
static inline uint32_t gp_constant_line(const struct gp_device *device)
{
    return gp_power_or(device->const_line.value, 64);
}
static inline uint32_t gp_banks(const struct gp_device *device, uint32_t otherwise)
{
    uint32_t banks = gp_power_or(device->smem_banks.value, otherwise);
    return banks <= GP_MAX_LANES ? banks : GP_MAX_LANES;
}
static inline double gp_round_up(double value, double unit) { return (double)(uint64_t)((value + unit - 1) / unit); }

/* Groups of `size` neighbouring lanes of the warp. */
static inline gp_mask gp_group(uint32_t index, uint32_t size) { return gp_lanes_below(size) << (index * size); }
static inline uint32_t gp_groups_active(const struct gp_lanes *lanes, uint32_t size)
{
    uint32_t groups = 0;
    for (uint32_t i = 0; i * size < lanes->warp; i++)
        groups += (lanes->active & gp_group(i, size)) != 0;
    return groups;
}

#endif
