/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pieces in LLVM bitcode, read without LLVM. The container is described in "LLVM Bitcode File Format" (Bitstream
 * Format: abbreviation ids, blocks, abbreviations, BLOCKINFO); of its content only the constants of a module matter: a
 * constant array of integers is a DATA record of a CONSTANTS block within a MODULE block. Functions are passed over.
 *
 * Any bytes are safe: each read is held against the end, each step of a loop consumes bits, and what an abbreviation
 * may hold is limited, since its literals cost no bits where it is used.
 */
#include <stdlib.h>
#include <string.h>

#include "model/profile/pieces.h"

enum { END_BLOCK = 0, ENTER_SUBBLOCK = 1, DEFINE_ABBREV = 2, UNABBREV_RECORD = 3, FIRST_ABBREV = 4 };
enum { BLOCKINFO = 0, MODULE_BLOCK = 8, CONSTANTS_BLOCK = 11 };
enum { SETBID = 1, CST_CODE_DATA = 22 };
enum { MAX_ABBREV_OPS = 32, MAX_DEPTH = 4, TOP_ABBREV_WIDTH = 2 };

enum encoding { LITERAL = 0, FIXED = 1, VBR = 2, ARRAY = 3, CHAR6 = 4, BLOB = 5 };

struct abbrev_op {
    enum encoding encoding;
    uint64_t value; /* of a LITERAL; width of FIXED and VBR */
};

struct abbrev {
    uint32_t count;
    struct abbrev_op ops[MAX_ABBREV_OPS];
};

struct abbrevs {
    struct abbrev *list;
    size_t count, capacity;
};

struct stream {
    const unsigned char *bytes; /* bit 0 is the lowest of the first */
    uint64_t at, end;           /* bits */
    bool broken;
    struct abbrevs module_info, constants_info; /* what BLOCKINFO says of these blocks */
    struct gp_pieces *pieces;
    /* the record being read: its code, then values; only of CST_CODE_DATA are the values kept */
    uint64_t values;
    uint64_t code;
    uint32_t words[GP_PIECE_WORDS];
};

/* ---- Bits ----------------------------------------------------------------------------------------------------- */

static uint64_t get_fixed(struct stream *s, unsigned width)
{
    uint64_t value = 0;
    if (width > 64 || width > s->end - s->at) {
        s->broken = true;
        s->at = s->end;
        return 0;
    }
    for (unsigned done = 0; done < width;) {
        unsigned shift = s->at & 7, take = 8 - shift < width - done ? 8 - shift : width - done;
        uint64_t bits = (unsigned)(s->bytes[s->at >> 3] >> shift) & ((1u << take) - 1);
        value |= bits << done;
        done += take;
        s->at += take;
    }
    return value;
}

/* Chunks of `width` bits, the highest of which says that another follows; 64 bits of value at most. */
static uint64_t get_vbr(struct stream *s, unsigned width)
{
    uint64_t value = 0, more = UINT64_C(1) << (width - 1);
    for (unsigned shift = 0; shift < 64; shift += width - 1) {
        uint64_t chunk = get_fixed(s, width);
        value |= (chunk & (more - 1)) << shift;
        if ((chunk & more) == 0)
            return value;
    }
    s->broken = true;
    return 0;
}

static void align32(struct stream *s)
{
    uint64_t aligned = (s->at + 31) & ~UINT64_C(31);
    s->at = aligned < s->end ? aligned : s->end;
}

/* ---- Abbreviations -------------------------------------------------------------------------------------------- */

static struct abbrev *add_abbrev(struct stream *s, struct abbrevs *abbrevs)
{
    if (abbrevs->count == abbrevs->capacity) {
        size_t capacity = abbrevs->capacity ? abbrevs->capacity * 2 : 8;
        struct abbrev *list = capacity <= 4096 ? realloc(abbrevs->list, capacity * sizeof *list) : NULL;
        if (list == NULL) {
            s->broken = true;
            return NULL;
        }
        abbrevs->list = list;
        abbrevs->capacity = capacity;
    }
    struct abbrev *abbrev = &abbrevs->list[abbrevs->count++];
    memset(abbrev, 0, sizeof *abbrev);
    return abbrev;
}

static void read_abbrev_op(struct stream *s, struct abbrev_op *op)
{
    if (get_fixed(s, 1)) {
        op->encoding = LITERAL;
        op->value = get_vbr(s, 8);
        return;
    }
    op->encoding = (enum encoding)get_fixed(s, 3);
    if (op->encoding == FIXED || op->encoding == VBR)
        op->value = get_vbr(s, 5);
    bool nothing = (op->encoding == FIXED || op->encoding == VBR) && op->value == 0;
    if (nothing)
        *op = (struct abbrev_op){LITERAL, 0}; /* LLVM reads a width of 0 as the number 0 */
    if (op->encoding > BLOB || (op->encoding == FIXED && op->value > 64) ||
        (op->encoding == VBR && (op->value < 2 || op->value > 32)) || (op->encoding == LITERAL && !nothing))
        s->broken = true;
}

/* Arrays and blobs end an abbreviation; an array's element, which takes bits, stands behind it. */
static bool valid_abbrev(const struct abbrev *abbrev)
{
    if (abbrev->count == 0)
        return false;
    for (uint32_t i = 0; i < abbrev->count; i++) {
        enum encoding encoding = abbrev->ops[i].encoding;
        bool element = i > 0 && abbrev->ops[i - 1].encoding == ARRAY;
        if (encoding == ARRAY && i + 2 != abbrev->count)
            return false;
        if (encoding == BLOB && i + 1 != abbrev->count)
            return false;
        if (element && encoding != FIXED && encoding != VBR && encoding != CHAR6)
            return false;
    }
    return true;
}

static void define_abbrev(struct stream *s, struct abbrevs *abbrevs)
{
    uint64_t count = get_vbr(s, 5);
    struct abbrev ignored = {0}, *abbrev = abbrevs ? add_abbrev(s, abbrevs) : &ignored;
    if (abbrev == NULL || count > MAX_ABBREV_OPS) {
        s->broken = true;
        return;
    }
    for (abbrev->count = 0; abbrev->count < count && !s->broken; abbrev->count++)
        read_abbrev_op(s, &abbrev->ops[abbrev->count]);
    if (s->broken || !valid_abbrev(abbrev)) {
        s->broken = true;
        abbrev->count = 0; /* BLOCKINFO keeps it: nobody may read by it */
    }
}

/* ---- Records -------------------------------------------------------------------------------------------------- */

static void begin_record(struct stream *s)
{
    s->values = 0;
    s->code = UINT64_MAX;
}

static void add_value(struct stream *s, uint64_t value)
{
    if (s->values == 0)
        s->code = value;
    else if (s->values <= GP_PIECE_WORDS)
        s->words[s->values - 1] = (uint32_t)value;
    s->values++;
}

static void read_unabbreviated(struct stream *s)
{
    add_value(s, get_vbr(s, 6));
    for (uint64_t count = get_vbr(s, 6); count > 0 && !s->broken; count--)
        add_value(s, get_vbr(s, 6));
}

static uint64_t get_scalar(struct stream *s, const struct abbrev_op *op)
{
    switch (op->encoding) {
    case LITERAL: return op->value;
    case FIXED: return get_fixed(s, (unsigned)op->value);
    case VBR: return get_vbr(s, (unsigned)op->value);
    default: return get_fixed(s, 6);
    }
}

static void skip_blob(struct stream *s)
{
    uint64_t length = get_vbr(s, 6);
    align32(s);
    if (length > (s->end - s->at) / 8)
        s->broken = true;
    else
        s->at += length * 8;
    align32(s);
}

static void read_abbreviated(struct stream *s, const struct abbrev *abbrev)
{
    for (uint32_t i = 0; i < abbrev->count && !s->broken; i++) {
        const struct abbrev_op *op = &abbrev->ops[i];
        if (op->encoding == BLOB) {
            skip_blob(s);
        } else if (op->encoding == ARRAY) {
            for (uint64_t count = get_vbr(s, 6); count > 0 && !s->broken; count--)
                add_value(s, get_scalar(s, op + 1));
            return;
        } else {
            add_value(s, get_scalar(s, op));
        }
    }
}

/* What the block knows: first those of BLOCKINFO when it began, then its own. */
struct known {
    const struct abbrevs *info;
    size_t info_count;
    struct abbrevs own;
};

static void read_record(struct stream *s, uint64_t id, const struct known *known)
{
    uint64_t number = id - FIRST_ABBREV;
    begin_record(s);
    if (id == UNABBREV_RECORD)
        read_unabbreviated(s);
    else if (number < known->info_count)
        read_abbreviated(s, &known->info->list[number]);
    else if (number - known->info_count < known->own.count)
        read_abbreviated(s, &known->own.list[number - known->info_count]);
    else
        s->broken = true;
}

/* ---- Blocks --------------------------------------------------------------------------------------------------- */

/* BLOCKINFO: SETBID says which block the following abbreviations are for. */
static void read_blockinfo(struct stream *s, unsigned width)
{
    const struct known none = {0};
    uint64_t block = UINT64_MAX;
    while (!s->broken && s->at < s->end) {
        uint64_t id = get_fixed(s, width);
        if (id == END_BLOCK || id == ENTER_SUBBLOCK)
            return;
        if (id == DEFINE_ABBREV) {
            define_abbrev(s, block == MODULE_BLOCK      ? &s->module_info
                             : block == CONSTANTS_BLOCK ? &s->constants_info
                                                        : NULL);
            continue;
        }
        read_record(s, id, &none);
        if (s->code == SETBID && s->values >= 2)
            block = s->words[0];
    }
}

static void read_block(struct stream *s, unsigned depth);

/* A MODULE or CONSTANTS block, up to its end. */
static void read_content(struct stream *s, uint64_t block, unsigned width, unsigned depth)
{
    struct known known = {.info = block == MODULE_BLOCK ? &s->module_info : &s->constants_info};
    known.info_count = known.info->count;
    while (!s->broken && s->at < s->end) {
        uint64_t id = get_fixed(s, width);
        if (id == END_BLOCK)
            break;
        if (id == ENTER_SUBBLOCK) {
            read_block(s, depth + 1);
        } else if (id == DEFINE_ABBREV) {
            define_abbrev(s, &known.own);
        } else {
            read_record(s, id, &known);
            if (!s->broken && block == CONSTANTS_BLOCK && s->code == CST_CODE_DATA)
                gp_pieces_add(s->pieces, s->words,
                              s->values - 1 < GP_PIECE_WORDS ? (size_t)s->values - 1 : GP_PIECE_WORDS);
        }
    }
    free(known.own.list);
}

/*
 * What follows ENTER_SUBBLOCK. Blocks say how long they are, so that others can be passed over, and broken ones left.
 */
static void read_block(struct stream *s, unsigned depth)
{
    uint64_t block = get_vbr(s, 8), width = get_vbr(s, 4);
    align32(s);
    uint64_t length = get_fixed(s, 32) * 32, outer_end = s->end;
    if (s->broken || width < 2 || width > 32 || length > s->end - s->at) {
        s->broken = true;
        return;
    }
    uint64_t block_end = s->at + length;
    s->end = block_end;
    if (block == BLOCKINFO)
        read_blockinfo(s, (unsigned)width);
    else if ((block == MODULE_BLOCK || block == CONSTANTS_BLOCK) && depth < MAX_DEPTH)
        read_content(s, block, (unsigned)width, depth);
    s->end = outer_end;
    s->at = block_end;
    s->broken = false;
}

/* Reads the blocks from here on; returns where something else begins. */
static const unsigned char *read_stream(const unsigned char *at, const unsigned char *end, struct gp_pieces *pieces)
{
    struct stream s = {.bytes = at, .at = 32, .end = (uint64_t)(end - at) * 8, .pieces = pieces};
    while (!s.broken && s.end - s.at >= 64) {
        uint64_t before = s.at;
        if (get_fixed(&s, TOP_ABBREV_WIDTH) != ENTER_SUBBLOCK) {
            s.at = before;
            break;
        }
        read_block(&s, 0);
    }
    free(s.module_info.list);
    free(s.constants_info.list);
    const unsigned char *reached = at + s.at / 8;
    return reached - at < 4 ? at + 4 : reached;
}

void gp_find_in_bitcode(const unsigned char *bytes, size_t count, struct gp_pieces *pieces)
{
    static const unsigned char magic[4] = {'B', 'C', 0xc0, 0xde};
    const unsigned char *at = bytes, *end = bytes + count;
    while (end - at > 4 && !pieces->out_of_memory) {
        at = memchr(at, magic[0], (size_t)(end - at) - 3);
        if (at == NULL)
            return;
        at = memcmp(at, magic, sizeof magic) == 0 ? read_stream(at, end, pieces) : at + 1;
    }
}
