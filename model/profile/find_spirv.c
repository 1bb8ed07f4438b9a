/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pieces in a SPIR-V module: an OpConstantComposite whose parts are 32-bit constants (SPIR-V specification,
 * sections 2.3 "Physical Layout" and 3.3.7 "Constant-Creation Instructions"). A composite comes after its parts, so one
 * pass does.
 */
#include <stdlib.h>

#include "model/profile/pieces.h"

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
