/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* CRC-32 with the polynomial of zlib, PNG and Ethernet (0x04c11db7, reflected), start and end inverted. */
#ifndef GPUPERF_MODEL_CRC32_H
#define GPUPERF_MODEL_CRC32_H

#include <stddef.h>
#include <stdint.h>

uint32_t gp_crc32(const void *bytes, size_t count);

/* Of words as they stand in a little-endian file. */
uint32_t gp_crc32_words(const uint32_t *words, size_t count);

#endif
