/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the writer and the reader of the binary form agree on beyond profile_binary.h. docs/profile.md has the layout.
 */
#ifndef GPUPERF_MODEL_PROFILE_LAYOUT_H
#define GPUPERF_MODEL_PROFILE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "model/profile/profile.h"

enum {
    GP_HEADER_WORDS = 4,
    GP_LEFT_TO_DRIVERS = 4, /* bit of the optimisation level */
    GP_OP_REPEATED = 0x80,  /* bit of the operation's byte: its repetition follows */
    GP_CLASS_REPAIRABLE =
        0x80, /* bit of the class's byte: the class that the source could make of it follows, and its repetition */
    GP_KERNEL_TRUNCATED = 1,
    GP_KERNEL_AGNOSTIC = 2,
    GP_KERNEL_SPLIT_SAFE = 4,     /* bits of a kernel's byte of flags */
    GP_KERNEL_MIN_GROUPS = 8,     /* another: the number follows max_local */
    GP_KERNEL_CODE = 16,          /* another: what the backend's code has follows the callees */
    GP_KERNEL_CODE_WORDS = 32,    /* of that, the words loaded from local memory, too */
    GP_KERNEL_CODE_INTEGERS = 64, /* of that, the integer instructions, too */
    GP_RESOURCES_SPILL_LOOP =
        0x80 /* bit of the byte of resources' source: the loop that spills most follows, and its bytes */
};

_Static_assert((int)GP_CLASS_COUNT <= (int)GP_CLASS_REPAIRABLE,
               "a class and the bit for a repairable one share a byte");
_Static_assert((int)GP_OP_COUNT <= (int)GP_OP_REPEATED, "an operation and the bit for its repetition share a byte");

/* 0, 1, 8, 16, 32, 64 as three bits. 6 and 7 are not used. */
static const uint8_t gp_bits_of_code[8] = {0, 1, 8, 16, 32, 64, 255, 255};

/* Signed differences as small unsigned numbers: 0, -1, 1, -2 ... */
static inline uint64_t gp_zigzag(int64_t value) { return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0); }

static inline int64_t gp_unzigzag(uint64_t value) { return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0)); }

/* CRC-32 with the polynomial of zlib, PNG and Ethernet (0x04c11db7, reflected), start and end inverted. */
uint32_t gp_crc32(const void *bytes, size_t count);

/* Of words as they stand in a little-endian file. */
uint32_t gp_crc32_words(const uint32_t *words, size_t count);

#endif
