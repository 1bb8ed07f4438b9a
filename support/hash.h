/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* FNV-1a, 64 bits: start with GP_FNV1A; what one call returns the next goes on from. */
#ifndef GPUPERF_SUPPORT_HASH_H
#define GPUPERF_SUPPORT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define GP_FNV1A UINT64_C(0xcbf29ce484222325)

static inline uint64_t gp_fnv1a(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
