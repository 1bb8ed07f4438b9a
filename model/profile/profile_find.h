/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How a compiled module carries a profile, and how it is found again.
 *
 * The words of the binary form are cut into pieces; each piece is one array of 32-bit words:
 *
 *   word 0  GP_PIECE_MAGIC
 *   word 1  the profile's checksum: pieces of one profile have the same
 *   word 2  number of this piece, from 0
 *   word 3  pieces in all
 *   word 4  words that follow: GP_PIECE_PAYLOAD, fewer in the last piece
 *   word 5  ... these words
 *
 * It is the initial value of a constant, or the name of one: LLVM's SPIR-V backend writes out each element of each
 * constant anew for each function, which took nine times the compile's own time for a file of 36 kernels.
 *
 * A reader finds them in ELF objects (as bytes, aligned or not), in LLVM bitcode (constant data records), in SPIR-V
 * (names, or OpConstantComposite of 32-bit constants), in the text of PTX and LLVM IR, and in files that hold such
 * things, like a PoCL binary. It needs no LLVM and takes any bytes.
 */
#ifndef GPUPERF_MODEL_PROFILE_FIND_H
#define GPUPERF_MODEL_PROFILE_FIND_H

#include "model/profile/profile.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GP_PIECE_MAGIC 0x50505047u          /* "GPPP" in a file */
#define GP_PIECE_NAME  "__gpuperf_profile_" /* what a constant's name starts with */
enum {
    GP_PIECE_HEADER = 5,
    GP_PIECE_PAYLOAD = 1024,
    GP_PIECE_WORDS = GP_PIECE_HEADER + GP_PIECE_PAYLOAD,       /* of the largest piece */
    GP_PIECE_NAME_SIZE = 32 + (GP_PIECE_WORDS * 4 * 8 + 5) / 6 /* of its name with the final 0 */
};

/* Pieces that a profile of so many words is cut into. */
uint32_t gp_profile_piece_count(size_t word_count);

/* Fills piece number `index` of the words that gp_profile_encode() gave; returns how many of its words are used. */
size_t gp_profile_piece(const uint32_t *words, size_t word_count, uint32_t index, uint32_t piece[GP_PIECE_WORDS]);

/*
 * The name of a constant that stands for this piece of `length` words: GP_PIECE_NAME, the piece's number, a dot, and
 * its bytes, the first word's lowest first, as RFC 4648's "base64url" without padding, digits that LLVM IR leaves
 * without quotes.
 */
void gp_profile_piece_name(const uint32_t *piece, size_t length, char name[GP_PIECE_NAME_SIZE]);

/*
 * The profiles that the file holds, one for each target (triple, CPU, language) that it has code for, in the order of
 * the file: a CUDA object can be for several architectures, an archive for several devices. Where it holds several of
 * one target (modules that were linked), they are one, with the kernels of all and the header of the first. Returns how
 * many; *profiles: gp_profile_free() each and free() the array. 0 and a sentence when there is none, or none that is
 * whole.
 */
size_t gp_profile_find_each(const void *bytes, size_t byte_count, struct gp_profile ***profiles,
                            struct gp_error *error);

/* That sentence where there is no trace of a profile. */
extern const char gp_no_profile_found[];

/* The first of them; NULL and a sentence when there is none. Free with gp_profile_free(). */
struct gp_profile *gp_profile_find_embedded(const void *bytes, size_t byte_count, struct gp_error *error);

/*
 * One profile of several, at least one, each of which a reader returned. Takes them over, also when it fails (NULL: out
 * of memory). Header: the first's.
 */
struct gp_profile *gp_profile_merge(struct gp_profile **profiles, size_t count, struct gp_error *error);

#ifdef __cplusplus
}
#endif
#endif
