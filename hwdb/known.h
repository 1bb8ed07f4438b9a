/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The database's own files, loaded when gpuperf was built. To parse one takes as long as to compile a small kernel; a
 * file whose text is still the one that was loaded then gives the same device without being parsed.
 *
 *   NAME.yaml ... -> tool_known.c -> known_files.c: gp_known_files[] -> gp_known_device()
 *
 * No pointers: nothing is to be relocated when a plugin that holds the table is loaded.
 */
#ifndef GPUPERF_HWDB_KNOWN_H
#define GPUPERF_HWDB_KNOWN_H

#include "hwdb/internal.h"

struct gp_known_number {
    double value;
    uint32_t source; /* in gp_known_text */
    uint8_t origin;  /* enum gp_origin */
};

struct gp_known_file {
    uint64_t hash, length;             /* of the file's text; hash: gp_fnv1a() */
    uint32_t name, title, triple, cpu; /* in gp_known_text */
    uint32_t matches[GP_MAX_DEVICE_MATCHES], match_count;
    uint8_t arch; /* enum gp_arch */
    bool proxy_target;
    unsigned compute_capability;
    struct gp_known_number numbers[GP_NUMBER_COUNT]; /* derive.c's among them */
};

/* Generated, but for the program that generates them: there they are empty. */
extern const struct gp_known_file gp_known_files[];
extern const size_t gp_known_file_count;
extern const char gp_known_text[];

/* Fills a device that is all zero but for its path from the known file with this text and name; texts are those of the
 * table. False: it is not known. */
bool gp_known_device(const char *text, size_t length, struct gp_device *device);

/* The known file of that name whose text is so long; NULL: there is none. */
const struct gp_known_file *gp_known_named(const char *name, uint64_t length);

#endif
