/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pieces of a profile in bytes, in text and in SPIR-V. */
#include <stdlib.h>
#include <string.h>

#include "model/profile/pieces.h"

/* ---- Bytes and text ---------------------------------------------------------------------------------------------- */

/*
 * Pieces as they stand in memory (ELF and whatever holds one), as a list of numbers in PTX or LLVM IR text, and as
 * names of variables (SPIR-V, and LLVM IR for it).
 */

/* The next place from `at` on where the little-endian word stands; NULL: none. */
static const unsigned char *find_word(const unsigned char *at, const unsigned char *end, uint32_t word)
{
    while (end - at >= 4) {
        at = memchr(at, (int)(word & 0xff), (size_t)(end - at) - 3);
        if (at == NULL)
            return NULL;
        if (gp_read_u32(at) == word)
            return at;
        at++;
    }
    return NULL;
}

static size_t copy_words(const unsigned char *at, const unsigned char *end, uint32_t *words, size_t most)
{
    size_t count = 0;
    for (; count < most && end - at >= 4; at += 4)
        words[count++] = gp_read_u32(at);
    return count;
}

void gp_find_in_bytes(const unsigned char *bytes, size_t count, struct gp_pieces *pieces)
{
    const unsigned char *at = bytes, *end = bytes + count;
    uint32_t words[GP_PIECE_WORDS];
    while (count != 0 && (at = find_word(at, end, GP_PIECE_MAGIC)) != NULL) {
        size_t found = copy_words(at, end, words, GP_PIECE_HEADER);
        if (found == GP_PIECE_HEADER && gp_piece_header_valid(words)) {
            size_t length = GP_PIECE_HEADER + words[4];
            found = copy_words(at, end, words, length);
            gp_pieces_add(pieces, words, found);
            at += found == length ? length * 4 : 4;
        } else {
            at += 4;
        }
    }
}

/* ---- Text ----------------------------------------------------------------------------------------------------- */

static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

/* ", 5", ", -5" or ", i32 5": the next number of a list. */
static bool next_number(const unsigned char **text, const unsigned char *end, uint32_t *value)
{
    const unsigned char *at = *text;
    if (at == end || *at++ != ',')
        return false;
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'))
        at++;
    if (end - at > 4 && memcmp(at, "i32 ", 4) == 0)
        at += 4;
    bool negative = at < end && *at == '-';
    at += negative;
    uint64_t number = 0;
    int digits = 0;
    for (; at < end && is_digit(*at) && digits < 10; at++, digits++)
        number = number * 10 + (uint64_t)(*at - '0');
    if (digits == 0 || number > UINT32_MAX || (at < end && is_digit(*at)))
        return false;
    *value = negative ? 0 - (uint32_t)number : (uint32_t)number;
    *text = at;
    return true;
}

/* The numbers behind a piece's magic number. */
static void read_words(const unsigned char **at, const unsigned char *end, struct gp_pieces *pieces)
{
    uint32_t words[GP_PIECE_WORDS] = {GP_PIECE_MAGIC};
    size_t found = 1;
    while (found < GP_PIECE_WORDS && next_number(at, end, &words[found]))
        found++;
    gp_pieces_add(pieces, words, found);
}

/* LLVM prints arrays for PTX as bytes, and leaves out zeros at the end. */
static void read_bytes(const unsigned char **at, const unsigned char *end, struct gp_pieces *pieces)
{
    uint32_t words[GP_PIECE_WORDS] = {GP_PIECE_MAGIC}, byte;
    for (size_t found = 4; found < sizeof words && next_number(at, end, &byte) && byte < 256; found++)
        words[found / 4] |= byte << found % 4 * 8;
    gp_pieces_add(pieces, words, GP_PIECE_WORDS);
}

/* The value of a digit of RFC 4648's "base64url"; -1: no digit. */
static int digit_value(unsigned char c)
{
    const char *at = c == '\0' ? NULL : strchr(gp_piece_digits, c);
    return at == NULL ? -1 : (int)(at - gp_piece_digits);
}

/* "0.R1BQUA...", the rest of a name: a piece's number and its bytes. Names may follow each other without a space. */
static void read_name(const unsigned char **at, const unsigned char *end, struct gp_pieces *pieces)
{
    const unsigned char *digit = *at;
    uint32_t words[GP_PIECE_WORDS] = {0}, bits = 0;
    size_t bytes = 0;
    while (digit < end && is_digit(*digit))
        digit++;
    if (digit == end || *digit++ != '.')
        return;
    for (int held = 0; digit < end && bytes < sizeof words && digit_value(*digit) >= 0; digit++) {
        bits = bits << 6 | (uint32_t)digit_value(*digit);
        held += 6;
        if (held >= 8) {
            held -= 8;
            words[bytes / 4] |= (bits >> held & 0xff) << bytes % 4 * 8;
            bytes++;
        }
    }
    gp_pieces_add(pieces, words, bytes / 4);
}

/* Calls read() behind each place where the text stands. */
static void for_each_text(const unsigned char *at, const unsigned char *end, const char *text, struct gp_pieces *pieces,
                          void (*read)(const unsigned char **, const unsigned char *, struct gp_pieces *))
{
    size_t length = strlen(text);
    while ((size_t)(end - at) > length) {
        at = memchr(at, text[0], (size_t)(end - at) - length);
        if (at == NULL)
            return;
        if (memcmp(at, text, length) == 0) {
            at += length;
            read(&at, end, pieces);
        } else {
            at++;
        }
    }
}

void gp_find_in_text(const unsigned char *bytes, size_t count, struct gp_pieces *pieces)
{
    for_each_text(bytes, bytes + count, "1347440711", pieces, read_words); /* GP_PIECE_MAGIC */
    for_each_text(bytes, bytes + count, "71, 80, 80, 80", pieces, read_bytes);
    for_each_text(bytes, bytes + count, GP_PIECE_NAME, pieces, read_name);
}

/* ---- SPIR-V ------------------------------------------------------------------------------------------------------ */

/*
 * Pieces in a SPIR-V module: an OpConstantComposite whose parts are 32-bit constants (SPIR-V specification,
 * sections 2.3 "Physical Layout" and 3.3.7 "Constant-Creation Instructions"). A composite comes after its parts, so one
 * pass does.
 */

enum {
    SPIRV_MAGIC = 0x07230203,
    HEADER_WORDS = 5,
    BOUND_WORD = 3,
    MAX_MODULES = 64, /* in one file: each takes memory for its ids */
    OP_TYPE_INT = 21,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_CONSTANT_NULL = 46
};

enum id_kind { OTHER_ID, INT32_TYPE, INT32_CONSTANT };

struct ids {
    uint8_t *kind; /* enum id_kind */
    uint32_t *value;
    uint32_t bound; /* ids are below it */
};

static bool is_int32_type(const struct ids *ids, uint32_t id) { return id < ids->bound && ids->kind[id] == INT32_TYPE; }

static void define(struct ids *ids, uint32_t id, enum id_kind kind, uint32_t value)
{
    if (id < ids->bound) {
        ids->kind[id] = (uint8_t)kind;
        ids->value[id] = value;
    }
}

/* Words of the composite up to the first part that is no 32-bit constant. */
static void add_composite(const struct ids *ids, const unsigned char *parts, uint32_t count, struct gp_pieces *pieces)
{
    uint32_t words[GP_PIECE_WORDS], found = 0;
    for (; found < count && found < GP_PIECE_WORDS; found++) {
        uint32_t id = gp_read_u32(parts + found * 4);
        if (id >= ids->bound || ids->kind[id] != INT32_CONSTANT)
            break;
        words[found] = ids->value[id];
        if (words[0] != GP_PIECE_MAGIC)
            return;
    }
    gp_pieces_add(pieces, words, found);
}

static void read_instruction(struct ids *ids, const unsigned char *at, uint32_t opcode, uint32_t length,
                             struct gp_pieces *pieces)
{
    uint32_t first = length > 1 ? gp_read_u32(at + 4) : 0, second = length > 2 ? gp_read_u32(at + 8) : 0;
    if (opcode == OP_TYPE_INT && length == 4 && second == 32)
        define(ids, first, INT32_TYPE, 0);
    else if (opcode == OP_CONSTANT && length == 4 && is_int32_type(ids, first))
        define(ids, second, INT32_CONSTANT, gp_read_u32(at + 12));
    else if (opcode == OP_CONSTANT_NULL && length == 3 && is_int32_type(ids, first))
        define(ids, second, INT32_CONSTANT, 0);
    else if (opcode == OP_CONSTANT_COMPOSITE && length >= 3 + GP_PIECE_HEADER)
        add_composite(ids, at + 12, length - 3, pieces);
}

/* Reads the module that starts here; returns where it, or what looked like it, ends. */
static const unsigned char *read_module(const unsigned char *at, const unsigned char *end, struct gp_pieces *pieces)
{
    size_t words = (size_t)(end - at) / 4;
    uint32_t bound = words > HEADER_WORDS ? gp_read_u32(at + BOUND_WORD * 4) : 0;
    if (bound == 0 || bound > words) /* each id takes an instruction of two words at least */
        return at + 4;
    struct ids ids = {calloc(bound, sizeof *ids.kind), calloc(bound, sizeof *ids.value), bound};
    if (ids.kind == NULL || ids.value == NULL)
        pieces->out_of_memory = true;
    at += HEADER_WORDS * 4;
    while (!pieces->out_of_memory && end - at >= 4) {
        uint32_t word = gp_read_u32(at), opcode = word & 0xffff, length = word >> 16;
        if (length == 0 || length > (size_t)(end - at) / 4)
            break;
        read_instruction(&ids, at, opcode, length, pieces);
        at += length * 4;
    }
    free(ids.kind);
    free(ids.value);
    return at;
}

void gp_find_in_spirv(const unsigned char *bytes, size_t count, struct gp_pieces *pieces)
{
    const unsigned char *at = bytes, *end = bytes + count;
    int modules = 0;
    while (end - at >= HEADER_WORDS * 4 && modules < MAX_MODULES && !pieces->out_of_memory) {
        if (gp_read_u32(at) == SPIRV_MAGIC) {
            at = read_module(at, end, pieces);
            modules++;
        } else {
            at++;
        }
    }
}
