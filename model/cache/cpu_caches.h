/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a core's caches have of a sequence of accesses: two levels and the translations of 4 KB pages, any of a set
 * leaves for the next. Lines that come one after the other, or at a distance that an instruction keeps, are brought
 * before they are asked for.
 */
#ifndef GPUPERF_MODEL_CPU_CACHES_H
#define GPUPERF_MODEL_CPU_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "hwdb/hwdb.h"
#include "model/cache/keyed_set.h"

struct gp_cpu_caches;

struct gp_cpu_caches *gp_cpu_caches_new(const struct gp_device *device);
void gp_cpu_caches_free(struct gp_cpu_caches *caches);

enum { GP_CPU_MOST_WAITING = 64 }; /* lines, and stores for theirs, at once */

/* Accesses of one instruction, and of those what was missing. */
struct gp_cpu_touches {
    double accesses;
    double l1;      /* lines that L1 lacked */
    double crowded; /* of these, lines that nothing foretold and that are lost while a store waits for its turn: as many
                       of the next ones fall into their set as it has ways */
    double l2;      /* of what nothing foretold, lines that L2 lacked, too */
    double streamed;  /* of the others, lines that L2 lacked */
    double queued;    /* sums of shares, where L2 has the line: of the last accesses, as many as lines are waited for */
    double queued_l2; /* at once, those that lacked a line of the same set of L1; and where L2 lacks it, too */
    double pages;     /* translations that had to be looked up in the page table */
    double contended; /* the caller's: accesses to lines that other groups write */
    double turns;     /* of these, to another line than the access before */
    double anywhere;  /* bytes that the caller has drawn addresses from; 0: none is drawn */
    uint64_t last;    /* the instruction's last address, and its distance to the one before */
    int64_t distance;
    uint64_t waiting[GP_CPU_MOST_WAITING]; /* lines, plus 1, that stores wait for */
    uint32_t next;
};

/* An access of an instruction to some bytes at an address (of any address space that begins at a page). */
void gp_cpu_touch(struct gp_cpu_caches *caches, uint64_t address, uint32_t bytes, struct gp_cpu_touches *touches);

/* ---- Lines that several cores write ------------------------------------------------------------------------------ */

/*
 * Lines that work-groups write, and which of them groups far from each other write: cores that run such groups at the
 * same time take these lines from each other.
 */

struct gp_written_lines {
    struct gp_keyed_set set;
    uint32_t most;
    uint64_t apart;
    uint32_t shared; /* lines that groups far from each other have written */
};

/* For at most so many lines; further ones are not told. Groups are far from each other whose numbers are at least so
 * far apart (1 and more). */
void gp_written_lines_init(struct gp_written_lines *lines, uint32_t most, uint64_t apart);
void gp_written_lines_free(struct gp_written_lines *lines);

/* A group writes to the line. Whether one that is far from it has written to it, too. */
bool gp_write_line(struct gp_written_lines *lines, uint64_t line, uint64_t group);

#endif
