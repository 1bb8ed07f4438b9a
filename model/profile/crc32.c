/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/profile/crc32.h"

/* The CRC of each half-byte: sixteen entries are enough for profiles of some kilobytes. */
static const uint32_t steps[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                   0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                   0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

static uint32_t add_byte(uint32_t crc, unsigned char byte)
{
    crc = crc >> 4 ^ steps[(crc ^ byte) & 15];
    return crc >> 4 ^ steps[(crc ^ byte >> 4) & 15];
}

uint32_t gp_crc32(const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++)
        crc = add_byte(crc, at[i]);
    return ~crc;
}

uint32_t gp_crc32_words(const uint32_t *words, size_t count)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < count; i++)
        for (int shift = 0; shift < 32; shift += 8)
            crc = add_byte(crc, (unsigned char)(words[i] >> shift));
    return ~crc;
}
