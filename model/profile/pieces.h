/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the finders of embedded profiles share: each looks for pieces in its own kind of file and adds them here. */
#ifndef GPUPERF_MODEL_PIECES_H
#define GPUPERF_MODEL_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile/profile_find.h"

struct gp_piece {
    uint32_t checksum, index, count;
    uint32_t order;  /* in which it was found */
    uint32_t length; /* words */
    uint32_t *words;
};

struct gp_pieces {
    struct gp_piece *list;
    size_t count, capacity;
    bool out_of_memory;
};

extern const char gp_piece_digits[65]; /* of RFC 4648's "base64url", by value */

/* Whether these are the first words of a piece. */
bool gp_piece_header_valid(const uint32_t header[GP_PIECE_HEADER]);

/* Adds what is a whole piece, header included, and ignores anything else. More words than the piece has are allowed. */
void gp_pieces_add(struct gp_pieces *pieces, const uint32_t *words, size_t count);

/* In the order of the file. */
void gp_find_in_bytes(const unsigned char *bytes, size_t count, struct gp_pieces *pieces);
void gp_find_in_text(const unsigned char *bytes, size_t count, struct gp_pieces *pieces);
void gp_find_in_spirv(const unsigned char *bytes, size_t count, struct gp_pieces *pieces);
void gp_find_in_bitcode(const unsigned char *bytes, size_t count, struct gp_pieces *pieces);

static inline uint32_t gp_read_u32(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

#endif
