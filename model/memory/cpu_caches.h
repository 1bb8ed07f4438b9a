/*
 * What a core's caches have of a sequence of accesses: two levels and the translations of 4 KB pages, least recently used leaves first. Lines that come one after the
 * other, or at a distance that an instruction keeps, are brought before they are asked for.
 */
#ifndef GPUPERF_MODEL_CPU_CACHES_H
#define GPUPERF_MODEL_CPU_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "hwdb/hwdb.h"

struct gp_cpu_caches;

/* NULL: out of memory. */
struct gp_cpu_caches *gp_cpu_caches_new(const struct gp_device *device);
void gp_cpu_caches_free(struct gp_cpu_caches *caches);

/* Accesses of one instruction, and of those what was missing. */
struct gp_cpu_touches {
    double accesses;
    double l1;       /* lines that L1 lacked */
    double unforeseen; /* of these, lines that nothing foretold */
    double l2;       /* of the unforeseen, lines that L2 lacked, too */
    double streamed; /* of the others, lines that L2 lacked */
    double pages;    /* translations that had to be looked up in the page table */
    uint64_t last;   /* the instruction's last address, and its distance to the one before */
    int64_t distance;
};

/* An access of an instruction to some bytes at an address (of any address space that begins at a page). */
void gp_cpu_touch(struct gp_cpu_caches *caches, uint64_t address, uint32_t bytes, struct gp_cpu_touches *touches);

#endif
