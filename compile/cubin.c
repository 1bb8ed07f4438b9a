/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE
#include "compile/cubin.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "compile/sass_operations.h"
#include "support/hash.h"

struct bytes {
    const uint8_t *data;
    size_t size;
};

uint64_t gp_source_place(const char *file, uint32_t line)
{
    const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file;
    return gp_fnv1a(gp_fnv1a(GP_FNV1A, name, strlen(name) + 1), &line, sizeof line);
}

/* ---- ELF --------------------------------------------------------------------------------------------------------- */

struct elf {
    struct bytes file;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
    struct bytes names;
};

static struct bytes part(struct bytes of, uint64_t offset, uint64_t size)
{
    return offset <= of.size && size <= of.size - offset ? (struct bytes){of.data + offset, size} : (struct bytes){0};
}

static struct bytes content(const struct elf *elf, const Elf64_Shdr *section)
{
    return section->sh_type == SHT_NOBITS ? (struct bytes){0} : part(elf->file, section->sh_offset, section->sh_size);
}

static const char *name_of(const struct elf *elf, const Elf64_Shdr *section)
{
    struct bytes rest = section->sh_name < elf->names.size
                            ? part(elf->names, section->sh_name, elf->names.size - section->sh_name)
                            : (struct bytes){0};
    return rest.size > 0 && memchr(rest.data, '\0', rest.size) != NULL ? (const char *)rest.data : "";
}

static bool open_elf(struct elf *elf, const void *data, size_t size)
{
    elf->file = (struct bytes){data, size};
    elf->header = data;
    if (size < sizeof *elf->header || memcmp(elf->header->e_ident, ELFMAG, SELFMAG) != 0 ||
        elf->header->e_ident[EI_CLASS] != ELFCLASS64 || (uintptr_t)data % _Alignof(Elf64_Ehdr) != 0)
        return false;
    struct bytes table = part(elf->file, elf->header->e_shoff, (uint64_t)elf->header->e_shnum * sizeof(Elf64_Shdr));
    if (table.size == 0 || elf->header->e_shoff % _Alignof(Elf64_Shdr) != 0 ||
        elf->header->e_shentsize != sizeof(Elf64_Shdr) || elf->header->e_shstrndx >= elf->header->e_shnum)
        return false;
    elf->sections = (const Elf64_Shdr *)(const void *)table.data;
    elf->names = content(elf, &elf->sections[elf->header->e_shstrndx]);
    return true;
}

/* Its number; 0: there is none of that name. */
static unsigned find_section(const struct elf *elf, const char *prefix, const char *name)
{
    for (unsigned i = 1; i < elf->header->e_shnum; i++) {
        const char *own = name_of(elf, &elf->sections[i]);
        if (strncmp(own, prefix, strlen(prefix)) == 0 && strcmp(own + strlen(prefix), name) == 0)
            return i;
    }
    return 0;
}

/* The section of code that an address in another section's content, so far from its start, is of; 0: not known. */
static unsigned relocated_to(const struct elf *elf, unsigned section, uint64_t offset)
{
    for (unsigned i = 1; i < elf->header->e_shnum; i++) {
        const Elf64_Shdr *s = &elf->sections[i];
        struct bytes relocations = content(elf, s), symbols = s->sh_link < elf->header->e_shnum
                                                                  ? content(elf, &elf->sections[s->sh_link])
                                                                  : (struct bytes){0};
        size_t size = s->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        for (size_t at = 0; (s->sh_type == SHT_RELA || s->sh_type == SHT_REL) && s->sh_info == section &&
                            at + size <= relocations.size;
             at += size) {
            Elf64_Rel relocation;
            Elf64_Sym symbol;
            memcpy(&relocation, relocations.data + at, sizeof relocation); /* RELA begins as REL does */
            struct bytes entry = part(symbols, ELF64_R_SYM(relocation.r_info) * sizeof symbol, sizeof symbol);
            if (relocation.r_offset != offset || entry.size == 0)
                continue;
            memcpy(&symbol, entry.data, sizeof symbol);
            return symbol.st_shndx;
        }
    }
    return 0;
}

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

enum { INSTRUCTION = 16 };

struct encoded {
    uint64_t low, high;
};

/* The bits `first` and on of 128. */
static uint64_t bits(struct encoded e, unsigned first, unsigned count)
{
    uint64_t value = first >= 64  ? e.high >> (first - 64)
                     : first == 0 ? e.low
                                  : e.low >> first | e.high << (64 - first);
    return value & (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1);
}

/* Hopper's and later ones' branches have eight more bits of the distance in front of the others. */
static int64_t distance_of(struct encoded e, unsigned architecture)
{
    int64_t value = (int64_t)(bits(e, 34, 48) << 16) >> 16;
    return (architecture >= 90 ? value * 256 + (int64_t)bits(e, 16, 8) : value) * 4;
}

static uint8_t words_of(struct encoded e, unsigned operation)
{
    static const uint8_t words[8] = {1, 1, 1, 1, 1, 2, 4, 4};
    return operation >= LD && operation <= RED ? words[bits(e, 73, 3)] : 0;
}

static bool read_code(struct bytes text, unsigned architecture, struct gp_cubin_code *code)
{
    code->count = text.size / INSTRUCTION;
    code->code = calloc(code->count + 1, sizeof *code->code);
    for (size_t i = 0; code->code != NULL && i < code->count; i++) {
        enum { ALWAYS = 7 };
        struct encoded e;
        memcpy(&e, text.data + i * INSTRUCTION, sizeof e);
        struct gp_sass *inst = &code->code[i];
        *inst = (struct gp_sass){.operation = bits(e, 0, 9), .target = GP_SASS_NOWHERE, .row = GP_SASS_NOWHERE};
        inst->words = words_of(e, inst->operation);
        inst->always = bits(e, 12, 4) == ALWAYS && bits(e, 87, 4) == ALWAYS &&
                       bits(e, 10, 1) == 0; /* bit 10: by a uniform predicate */
        if (inst->operation == BRX || inst->operation == JMX)
            return false;
        int64_t to = inst->operation == BRA ? (int64_t)(i + 1) + distance_of(e, architecture) / INSTRUCTION : -1;
        if (to >= 0 && to < (int64_t)code->count)
            inst->target = (uint32_t)to;
    }
    return code->code != NULL && code->count > 0;
}

/* ---- Lines ------------------------------------------------------------------------------------------------------- */

/* Reads forward; beyond the end everything is 0 and `failed` set. */
struct cursor {
    struct bytes in;
    size_t at;
    bool failed;
};

static uint64_t take(struct cursor *c, unsigned count)
{
    uint64_t value = 0;
    if (count > c->in.size - c->at) {
        c->failed = true;
        c->at = c->in.size;
        return 0;
    }
    memcpy(&value, c->in.data + c->at, count);
    c->at += count;
    return value;
}

static uint64_t take_leb(struct cursor *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0, byte = 0x80; (byte & 0x80) && !c->failed; shift += 7) {
        byte = (unsigned)take(c, 1);
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
    }
    return value;
}

static int64_t take_signed_leb(struct cursor *c)
{
    size_t begin = c->at;
    uint64_t value = take_leb(c);
    unsigned count = (unsigned)(c->at - begin) * 7;
    return count > 0 && count < 64 && value >> (count - 1) ? (int64_t)(value | UINT64_MAX << count) : (int64_t)value;
}

static const char *take_text(struct cursor *c)
{
    const uint8_t *begin = c->in.data + c->at,
                  *end = c->at < c->in.size ? memchr(begin, '\0', c->in.size - c->at) : NULL;
    c->failed |= end == NULL;
    c->at = end != NULL ? (size_t)(end - c->in.data) + 1 : c->in.size;
    return end != NULL ? (const char *)begin : "";
}

enum { MOST_FILES = 256 };

struct lines {
    const struct elf *elf;
    unsigned section, wanted; /* of the table; of the kernel's code */
    struct gp_cubin_code *code;
    const char *files[MOST_FILES];
    size_t file_count, row_room;
    int8_t line_base;
    uint8_t line_range, first_special, lengths[256];
    /* the state machine */
    uint64_t address, file, context;
    uint32_t line, last_row; /* last_row: of the kernel's code, from last_address on */
    uint64_t last_address;
    unsigned in; /* section of code */
};

static void cover(struct lines *l, uint64_t end)
{
    for (uint64_t i = l->last_address / INSTRUCTION;
         l->last_row != GP_SASS_NOWHERE && i < end / INSTRUCTION && i < l->code->count; i++)
        l->code->code[i].row = l->last_row;
}

static void add_row(struct lines *l)
{
    if (l->code->row_count == l->row_room) {
        size_t room = 2 * l->row_room + 64;
        struct gp_source_row *rows = realloc(l->code->rows, room * sizeof *rows);
        if (rows == NULL)
            return;
        l->code->rows = rows;
        l->row_room = room;
    }
    bool called = l->context > 0 && l->context <= l->code->row_count;
    const char *file = l->file > 0 && l->file <= l->file_count ? l->files[l->file - 1] : "";
    l->code->rows[l->code->row_count++] =
        (struct gp_source_row){gp_source_place(file, l->line), called ? (uint32_t)l->context - 1 : GP_SASS_NOWHERE};
    if (l->in != l->wanted)
        return;
    cover(l, l->address);
    l->last_address = l->address;
    l->last_row = (uint32_t)l->code->row_count - 1;
}

static void begin_sequence(struct lines *l)
{
    l->address = l->context = 0;
    l->file = l->line = 1;
    l->last_row = GP_SASS_NOWHERE;
    l->in = 0;
}

static void extended(struct lines *l, struct cursor *c)
{
    enum { END = 1, SET_ADDRESS = 2, INLINED_CALL = 144 };
    uint64_t length = take_leb(c);
    size_t end = length <= c->in.size - c->at ? c->at + length : c->in.size;
    unsigned what = length > 0 ? (unsigned)take(c, 1) : 0;
    if (what == END) {
        cover(l, l->in == l->wanted ? l->address : 0);
        begin_sequence(l);
    } else if (what == SET_ADDRESS && length == 9) {
        l->in = relocated_to(l->elf, l->section,
                             (uint64_t)(c->in.data - content(l->elf, &l->elf->sections[l->section]).data) + c->at);
        l->address = take(c, 8);
    } else if (what == INLINED_CALL) {
        l->context = take_leb(c);
    }
    c->at = end;
}

static void standard(struct lines *l, struct cursor *c, unsigned what)
{
    enum { COPY = 1, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
    switch (what) {
    case COPY: add_row(l); break;
    case ADVANCE_PC: l->address += take_leb(c); break;
    case ADVANCE_LINE: l->line = (uint32_t)((int64_t)l->line + take_signed_leb(c)); break;
    case SET_FILE: l->file = take_leb(c); break;
    case CONST_ADD_PC: l->address += (255u - l->first_special) / l->line_range; break;
    case FIXED_ADVANCE_PC: l->address += take(c, 2); break;
    default:
        for (unsigned i = 0; i < l->lengths[what]; i++)
            take_leb(c);
    }
}

static void read_unit(struct lines *l, struct cursor unit)
{
    enum { OLDEST = 2, NEWEST = 4 };
    unsigned version = (unsigned)take(&unit, 2);
    uint64_t header = take(&unit, 4);
    size_t program = header <= unit.in.size - unit.at ? unit.at + header : unit.in.size;
    take(&unit, version >= 4 ? 3 : 2);
    l->line_base = (int8_t)take(&unit, 1);
    l->line_range = (uint8_t)take(&unit, 1);
    l->first_special = (uint8_t)take(&unit, 1);
    for (unsigned i = 1; i < l->first_special; i++)
        l->lengths[i] = (uint8_t)take(&unit, 1);
    if (version < OLDEST || version > NEWEST || l->line_range == 0 || unit.failed)
        return;
    while (*take_text(&unit) != '\0') /* directories */
        continue;
    l->file_count = 0;
    for (const char *file; *(file = take_text(&unit)) != '\0';) {
        for (int i = 0; i < 3; i++) /* directory, time, length */
            take_leb(&unit);
        if (l->file_count < MOST_FILES)
            l->files[l->file_count++] = file;
    }
    unit.at = program;
    begin_sequence(l);
    while (unit.at < unit.in.size && !unit.failed) {
        unsigned what = (unsigned)take(&unit, 1);
        if (what == 0) {
            extended(l, &unit);
        } else if (what < l->first_special) {
            standard(l, &unit, what);
        } else {
            l->address += (what - l->first_special) / l->line_range;
            l->line = (uint32_t)((int64_t)l->line + l->line_base + (what - l->first_special) % l->line_range);
            add_row(l);
        }
    }
}

static void read_lines(const struct elf *elf, unsigned text, struct gp_cubin_code *code)
{
    struct lines lines = {.elf = elf, .section = find_section(elf, ".debug_line", ""), .wanted = text, .code = code};
    struct cursor table = {.in = lines.section != 0 ? content(elf, &elf->sections[lines.section]) : (struct bytes){0}};
    while (table.at + 4 < table.in.size && !table.failed) {
        uint64_t length = take(&table, 4);
        struct bytes unit = part(table.in, table.at, length);
        if (unit.size == 0)
            return;
        read_unit(&lines, (struct cursor){.in = unit});
        table.at += length;
    }
}

/* ---- All of it --------------------------------------------------------------------------------------------------- */

/* sm_90 as 90: in the lowest byte of the flags, from CUDA 13 on for Blackwell in the next one. */
static unsigned architecture_of(const Elf64_Ehdr *header)
{
    unsigned low = header->e_flags & 0xff, next = header->e_flags >> 8 & 0xff;
    return low >= 50 ? low : next;
}

bool gp_cubin_read(const void *cubin, size_t size, const char *kernel, struct gp_cubin_code *code)
{
    enum { VOLTA = 70 };
    struct elf elf;
    *code = (struct gp_cubin_code){0};
    if (!open_elf(&elf, cubin, size) || architecture_of(elf.header) < VOLTA)
        return false;
    unsigned text = find_section(&elf, ".text.", kernel);
    if (text == 0 || !read_code(content(&elf, &elf.sections[text]), architecture_of(elf.header), code)) {
        gp_cubin_code_free(code);
        return false;
    }
    read_lines(&elf, text, code);
    return true;
}

void gp_cubin_code_free(struct gp_cubin_code *code)
{
    free(code->code);
    free(code->rows);
    *code = (struct gp_cubin_code){0};
}
