/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/profile/profile_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/profile/pieces.h"
#include "model/profile/profile_binary.h"

/* ---- Cutting -------------------------------------------------------------------------------------------------- */

uint32_t gp_profile_piece_count(size_t word_count)
{
    return (uint32_t)((word_count + GP_PIECE_PAYLOAD - 1) / GP_PIECE_PAYLOAD);
}

size_t gp_profile_piece(const uint32_t *words, size_t word_count, uint32_t index, uint32_t piece[GP_PIECE_WORDS])
{
    size_t first = (size_t)index * GP_PIECE_PAYLOAD;
    size_t left = first < word_count ? word_count - first : 0,
           length = left < GP_PIECE_PAYLOAD ? left : GP_PIECE_PAYLOAD;
    piece[0] = GP_PIECE_MAGIC;
    piece[1] = word_count > 3 ? words[3] : 0;
    piece[2] = index;
    piece[3] = gp_profile_piece_count(word_count);
    piece[4] = (uint32_t)length;
    if (length != 0)
        memcpy(piece + GP_PIECE_HEADER, words + first, length * sizeof *words);
    return GP_PIECE_HEADER + length;
}

const char gp_piece_digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void gp_profile_piece_name(const uint32_t *piece, size_t length, char name[GP_PIECE_NAME_SIZE])
{
    char *at = name + snprintf(name, GP_PIECE_NAME_SIZE, "%s%u.", GP_PIECE_NAME, piece[2]);
    uint32_t bits = 0;
    int held = 0;
    for (size_t byte = 0; byte < length * 4; byte++) {
        bits = bits << 8 | (piece[byte / 4] >> byte % 4 * 8 & 0xff);
        for (held += 8; held >= 6; held -= 6)
            *at++ = gp_piece_digits[bits >> (held - 6) & 63];
    }
    if (held != 0)
        *at++ = gp_piece_digits[bits << (6 - held) & 63];
    *at = '\0';
}

/* ---- Collecting ----------------------------------------------------------------------------------------------- */

bool gp_piece_header_valid(const uint32_t header[GP_PIECE_HEADER])
{
    uint32_t index = header[2], count = header[3], length = header[4];
    bool last = index + 1 == count;
    return header[0] == GP_PIECE_MAGIC && index < count && length >= 1 && length <= GP_PIECE_PAYLOAD &&
           (last || length == GP_PIECE_PAYLOAD);
}

static bool reserve(struct gp_pieces *pieces)
{
    if (pieces->count < pieces->capacity)
        return true;
    size_t capacity = pieces->capacity ? pieces->capacity * 2 : 16;
    struct gp_piece *list = realloc(pieces->list, capacity * sizeof *list);
    if (list == NULL)
        return false;
    pieces->list = list;
    pieces->capacity = capacity;
    return true;
}

void gp_pieces_add(struct gp_pieces *pieces, const uint32_t *words, size_t count)
{
    if (count < GP_PIECE_HEADER || !gp_piece_header_valid(words) || count - GP_PIECE_HEADER < words[4] ||
        pieces->out_of_memory)
        return;
    uint32_t *copy = malloc(words[4] * sizeof *copy);
    if (copy == NULL || !reserve(pieces)) {
        free(copy);
        pieces->out_of_memory = true;
        return;
    }
    memcpy(copy, words + GP_PIECE_HEADER, words[4] * sizeof *copy);
    pieces->list[pieces->count] = (struct gp_piece){.checksum = words[1],
                                                    .index = words[2],
                                                    .count = words[3],
                                                    .order = (uint32_t)pieces->count,
                                                    .length = words[4],
                                                    .words = copy};
    pieces->count++;
}

static void pieces_free(struct gp_pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++)
        free(pieces->list[i].words);
    free(pieces->list);
    *pieces = (struct gp_pieces){0};
}

/* ---- Joining -------------------------------------------------------------------------------------------------- */

static int compare(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

/* Pieces of one profile together, in their order; of the same piece (the file has it twice) the first found first. */
static int compare_pieces(const void *left, const void *right)
{
    const struct gp_piece *a = left, *b = right;
    int checksum = compare(a->checksum, b->checksum), count = compare(a->count, b->count),
        index = compare(a->index, b->index);
    return checksum ? checksum : count ? count : index ? index : compare(a->order, b->order);
}

/* A profile that was found, and where. */
struct found {
    struct gp_profile *profile;
    uint32_t order;
};

static int compare_found(const void *left, const void *right)
{
    return compare(((const struct found *)left)->order, ((const struct found *)right)->order);
}

/* Joins the pieces [0, length) of one profile. NULL: one is missing, or they do not make a profile. */
static struct gp_profile *join(const struct gp_piece *pieces, size_t length, uint32_t *order, struct gp_error *error)
{
    size_t words = 0;
    uint32_t next = 0;
    unsigned char *bytes = malloc(length * GP_PIECE_PAYLOAD * 4);
    if (bytes == NULL) {
        gp_fail(error, "out of memory");
        return NULL;
    }
    *order = UINT32_MAX;
    for (size_t i = 0; i < length; i++) {
        const struct gp_piece *piece = &pieces[i];
        if (piece->index != next) /* found before, or behind a gap */
            continue;
        next++;
        *order = piece->order < *order ? piece->order : *order;
        for (uint32_t w = 0; w < piece->length; w++, words++)
            for (int b = 0; b < 4; b++)
                bytes[words * 4 + (size_t)b] = (unsigned char)(piece->words[w] >> b * 8);
    }
    struct gp_profile *profile = NULL;
    if (next == pieces->count)
        profile = gp_profile_decode(bytes, words * 4, error);
    else
        gp_fail(error, "an embedded profile is not whole: %u of its %u pieces are there", next, pieces->count);
    free(bytes);
    return profile;
}

/* Joins what is whole; returns how many, in the order of the file. The error is the first profile's that is not. */
static size_t join_all(struct gp_pieces *pieces, struct found *found, struct gp_error *error)
{
    size_t count = 0;
    struct gp_error first = {""};
    qsort(pieces->list, pieces->count, sizeof *pieces->list, compare_pieces);
    for (size_t i = 0, end; i < pieces->count; i = end) {
        const struct gp_piece *piece = &pieces->list[i];
        struct gp_error one = {""};
        for (end = i; end < pieces->count && pieces->list[end].checksum == piece->checksum &&
                      pieces->list[end].count == piece->count;)
            end++;
        found[count].profile = join(piece, end - i, &found[count].order, &one);
        if (found[count].profile != NULL)
            count++;
        else if (first.text[0] == '\0')
            first = one;
    }
    qsort(found, count, sizeof *found, compare_found);
    if (count == 0)
        gp_fail(error, "%s", first.text);
    return count;
}

static bool same_target(const struct gp_profile *a, const struct gp_profile *b)
{
    return strcmp(a->triple, b->triple) == 0 && strcmp(a->cpu, b->cpu) == 0 && strcmp(a->language, b->language) == 0;
}

/* Takes the profiles of the first one's target out of the list: moves them to `taken`, closes the gaps, and returns how
 * many. */
static size_t take_target(struct found *found, size_t *count, struct gp_profile **taken)
{
    const struct gp_profile *first = found[0].profile;
    size_t of_target = 0, left = 0;
    for (size_t i = 0; i < *count; i++) {
        if (same_target(found[i].profile, first))
            taken[of_target++] = found[i].profile;
        else
            found[left++] = found[i];
    }
    *count = left;
    return of_target;
}

/* Joins the pieces and merges what is of one target. Returns how many profiles; 0: none is whole, or no memory. */
static size_t join_by_target(struct gp_pieces *pieces, struct found *found, struct gp_profile **taken,
                             struct gp_profile **profiles, struct gp_error *error)
{
    size_t count = join_all(pieces, found, error), targets = 0;
    bool merged = true;
    while (merged && count > 0) {
        size_t of_target = take_target(found, &count, taken);
        merged = (profiles[targets] = gp_profile_merge(taken, of_target, error)) != NULL;
        targets += merged;
    }
    for (size_t i = 0; !merged && i < count; i++)
        gp_profile_free(found[i].profile);
    while (!merged && targets > 0)
        gp_profile_free(profiles[--targets]);
    return targets;
}

static size_t join_and_merge(struct gp_pieces *pieces, struct gp_profile ***profiles, struct gp_error *error)
{
    struct found *found = calloc(pieces->count, sizeof *found);
    struct gp_profile **taken = calloc(pieces->count, sizeof(struct gp_profile *));
    size_t count = 0;
    *profiles = calloc(pieces->count, sizeof(struct gp_profile *));
    if (found == NULL || taken == NULL || *profiles == NULL)
        gp_fail(error, "out of memory");
    else
        count = join_by_target(pieces, found, taken, *profiles, error);
    free(found);
    free(taken);
    if (count == 0) {
        free(*profiles);
        *profiles = NULL;
    }
    return count;
}

/* ---- Finding -------------------------------------------------------------------------------------------------- */

const char gp_no_profile_found[] = "this is no gpuperf profile, and none is embedded in it; compile the kernel again, "
                                   "with the gpuperf plugin (annotate=on)";

size_t gp_profile_find_each(const void *bytes, size_t byte_count, struct gp_profile ***profiles, struct gp_error *error)
{
    static void (*const finders[])(const unsigned char *, size_t, struct gp_pieces *) = {
        gp_find_in_bytes, gp_find_in_bitcode, gp_find_in_spirv, gp_find_in_text};
    struct gp_pieces pieces = {0};
    size_t count = 0;
    *profiles = NULL;
    for (size_t i = 0; i < sizeof finders / sizeof *finders && byte_count != 0; i++)
        finders[i](bytes, byte_count, &pieces);
    if (pieces.out_of_memory)
        gp_fail(error, "out of memory while looking for a profile in %zu bytes", byte_count);
    else if (pieces.count == 0)
        gp_fail(error, "%s", gp_no_profile_found);
    else
        count = join_and_merge(&pieces, profiles, error);
    pieces_free(&pieces);
    return count;
}

struct gp_profile *gp_profile_find_embedded(const void *bytes, size_t byte_count, struct gp_error *error)
{
    struct gp_profile **profiles;
    size_t count = gp_profile_find_each(bytes, byte_count, &profiles, error);
    struct gp_profile *first = count > 0 ? profiles[0] : NULL;
    for (size_t i = 1; i < count; i++)
        gp_profile_free(profiles[i]);
    free(profiles);
    return first;
}
