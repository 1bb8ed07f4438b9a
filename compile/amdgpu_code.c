/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Loops, vector instructions, loads from local memory and spilled registers in LLVM's AMDGPU assembly. The metadata
 * counts the registers that have a place in memory; how often they are stored and loaded stands in the comments of the
 * code, as loops do:
 *
 *   .LBB0_97:                               ; =>This Inner Loop Header: Depth=1
 *   	buffer_store_dword v22, off, s[0:3], 0 offset:488 ; 4-byte Folded Spill
 *   ; %bb.98:                               ;   in Loop: Header=BB0_97 Depth=1
 *   	buffer_load_dword v22, off, s[0:3], 0 offset:488 ; 4-byte Folded Reload
 *   	s_clause 0x1
 *   	buffer_load_dword v22, off, s[0:3], 0 offset:488
 *   	buffer_load_dword v23, off, s[0:3], 0 offset:492
 *   	v_dual_fmac_f32 v5, v9, v20 :: v_dual_add_nc_u32 v8, 4, v8
 *   	v_pk_fma_f32 v[2:3], v[10:11], v[22:23], v[2:3]
 *   	ds_read2_b64 v[10:13], v1 offset0:2 offset1:3
 *
 * Reloads in a clause have no comment: they are loads from where a register was spilled to.
 */
#define _GNU_SOURCE /* memmem */
#include "compile/amdgpu_code.h"

#include <stdlib.h>
#include <string.h>

struct text {
    const char *data;
    size_t length;
};

static const char *find(struct text line, const char *what)
{
    return memmem(line.data, line.length, what, strlen(what));
}

static bool starts_with(struct text line, const char *what)
{
    return line.length >= strlen(what) && memcmp(line.data, what, strlen(what)) == 0;
}

/* The block at hand. */
struct reader {
    struct gp_backend_kernel *kernel;
    const char **headers; /* per loop: its header's label, "BB0_97" and what follows */
    const char *label;
    uint32_t loop;    /* GP_NONE: none */
    bool in_head;     /* of the comments behind the label */
    bool spills;      /* to memory: scalar registers go to lanes of vector registers, with the same comments */
    uint32_t *places; /* bytes into the frame: to where registers are spilled */
    size_t place_count;
};

static size_t label_length(const char *label) { return strcspn(label, ": \n"); }

static void add_loop(struct reader *r, uint32_t depth)
{
    struct gp_backend_kernel *k = r->kernel;
    struct gp_backend_loop *loops = realloc(k->loops, (k->loop_count + 1) * sizeof *loops);
    const char **headers = realloc(r->headers, (k->loop_count + 1) * sizeof *headers);
    k->loops = loops;
    r->headers = headers;
    loops[k->loop_count] = (struct gp_backend_loop){.depth = depth};
    headers[k->loop_count] = r->label;
    r->loop = k->loop_count++;
}

static uint32_t loop_of(const struct reader *r, const char *header)
{
    for (uint32_t i = 0; i < r->kernel->loop_count; i++)
        if (label_length(r->headers[i]) == label_length(header) &&
            strncmp(r->headers[i], header, label_length(header)) == 0)
            return i;
    return GP_NONE;
}

static void read_head(struct reader *r, struct text line)
{
    const char *heads = find(line, "=>"), *depth = find(line, "Depth="), *header = find(line, "in Loop: Header=");
    if (heads != NULL && depth != NULL)
        add_loop(r, (uint32_t)strtoul(depth + strlen("Depth="), NULL, 10));
    else if (header != NULL)
        r->loop = loop_of(r, header + strlen("in Loop: Header="));
}

static uint32_t bytes_of(struct text line, const char *what)
{
    const char *at = find(line, what);
    while (at != NULL && at > line.data && at[-1] != ' ')
        at--;
    return at != NULL ? (uint32_t)strtoul(at, NULL, 10) : 0;
}

/* ---- Spills ------------------------------------------------------------------------------------------------------ */

/* Bytes into the frame, of an access to it with a fixed place: "off, s[0:3], 0 offset:488", "off, s32 offset:8";
 * GP_NONE: another one. */
static uint32_t frame_offset(struct text line)
{
    static const char mark[] = " offset:";
    const char *at = find(line, mark);
    if (find(line, " off, ") == NULL) /* "offen": a register has the place */
        return GP_NONE;
    return at != NULL ? (uint32_t)strtoul(at + sizeof mark - 1, NULL, 10) : 0;
}

static void note_place(struct reader *r, struct text line)
{
    enum { AT_ONCE = 256 };
    uint32_t place = frame_offset(line);
    if (bytes_of(line, "-byte Folded Spill") == 0 || place == GP_NONE)
        return;
    if (r->place_count % AT_ONCE == 0) {
        uint32_t *places = realloc(r->places, (r->place_count + AT_ONCE) * sizeof *places);
        r->places = places;
    }
    r->places[r->place_count++] = place;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Bytes of buffer_load_dword, buffer_load_dwordx4, scratch_load_b64 ...; 0: another instruction. */
static uint32_t frame_load_bytes(const char *first)
{
    static const char *const stems[] = {"buffer_load_", "scratch_load_"};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        const char *type = first + strlen(stems[i]);
        if (strncmp(first, stems[i], strlen(stems[i])) != 0)
            continue;
        if (strncmp(type, "dword", strlen("dword")) == 0)
            return type[strlen("dword")] == 'x' ? 4 * (uint32_t)strtoul(type + strlen("dwordx"), NULL, 10) : 4;
        return type[0] == 'b' ? (uint32_t)strtoul(type + 1, NULL, 10) / 8 : 0;
    }
    return 0;
}

static uint32_t reloaded_bytes(const struct reader *r, const char *first, struct text line)
{
    uint32_t told = bytes_of(line, "-byte Folded Reload"), place = told == 0 ? frame_offset(line) : GP_NONE;
    if (told > 0 || place == GP_NONE || r->place_count == 0)
        return told;
    uint32_t bytes = frame_load_bytes(first);
    return bytes > 0 && bsearch(&place, r->places, r->place_count, sizeof *r->places, ascending) != NULL ? bytes : 0;
}

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

/* Additions, products and both of floats of 32 and 64 bits: v_fmac_f32_e32, v_fmaak_f32, v_mac_f32, v_subrev_f32 ... */
static bool is_of_floats(const char *name)
{
    static const char *const stems[] = {"fma", "mac", "mad", "mul_f", "add_f", "sub_f", "subrev_f"};
    const char *end = name + strcspn(name, " \t\n"), *type = memmem(name, (size_t)(end - name), "_f", 2);
    bool found = false;
    for (size_t i = 0; !found && i < sizeof stems / sizeof *stems; i++)
        found = strncmp(name, stems[i], strlen(stems[i])) == 0;
    return found && type != NULL && (strncmp(type, "_f32", 4) == 0 || strncmp(type, "_f64", 4) == 0);
}

static uint32_t floats_of(const char *first, struct text line)
{
    static const char *const dual = "v_dual_", *const packed = "v_pk_";
    if (strncmp(first, packed, strlen(packed)) == 0)
        return 2 * is_of_floats(first + strlen(packed));
    if (strncmp(first, dual, strlen(dual)) != 0)
        return is_of_floats(first + strlen("v_"));
    const char *second = find(line, ":: v_dual_");
    return is_of_floats(first + strlen(dual)) + (second != NULL && is_of_floats(second + strlen(":: v_dual_")));
}

/* Words that ds_read_u8, ds_read2st64_b32, ds_read_b96, ds_load_2addr_b64 (RDNA3) ... bring a work-item; 0: another
 * instruction. */
static uint32_t words_of(const char *first)
{
    static const char *const stems[] = {"ds_read", "ds_load"};
    if (strncmp(first, stems[0], strlen(stems[0])) != 0 && strncmp(first, stems[1], strlen(stems[1])) != 0)
        return 0;
    const char *rest = first + strlen(stems[0]), *end = rest + strcspn(rest, " \t\n"),
               *bits = memmem(rest, (size_t)(end - rest), "_b", 2);
    uint32_t words = bits != NULL ? (uint32_t)strtoul(bits + 2, NULL, 10) / 32 : 1;
    return *rest == '2' || strncmp(rest, "_2addr", strlen("_2addr")) == 0 ? 2 * words : words;
}

static void read_instruction(struct reader *r, const char *first, struct text line)
{
    *(r->loop != GP_NONE ? &r->kernel->loops[r->loop].local_words : &r->kernel->local_words) += words_of(first);
    if (strncmp(first, "v_", 2) != 0)
        return;
    struct gp_backend_kernel *k = r->kernel;
    *(r->loop != GP_NONE ? &k->loops[r->loop].vector : &k->vector) += 1;
    *(r->loop != GP_NONE ? &k->loops[r->loop].floats : &k->floats) += floats_of(first, line);
}

static void read_line(struct reader *r, struct text line, uint32_t *stored, uint32_t *loaded)
{
    bool labelled = starts_with(line, ".LBB"), block = labelled || starts_with(line, "; %bb.");
    const char *first = line.data + strspn(line.data, " \t");
    if (block) {
        r->label = line.data + (labelled ? strlen(".L") : 0);
        r->loop = GP_NONE;
    }
    r->in_head = block || (r->in_head && *first == ';');
    if (r->in_head)
        read_head(r, line);
    read_instruction(r, first, line);
    uint32_t store = r->spills ? bytes_of(line, "-byte Folded Spill") : 0,
             load = r->spills ? reloaded_bytes(r, first, line) : 0;
    *stored += store;
    *loaded += load;
    if (r->loop != GP_NONE) {
        r->kernel->loops[r->loop].spill_store_bytes += store;
        r->kernel->loops[r->loop].spill_load_bytes += load;
    }
}

static const char *find_code(const char *assembly, const char *symbol)
{
    size_t length = strlen(symbol);
    for (const char *at = assembly; (at = strstr(at, symbol)) != NULL; at += length)
        if ((at == assembly || at[-1] == '\n') && at[length] == ':')
            return at;
    return NULL;
}

/* The next line of a function; false: it ends. */
static bool next_line(const char **code, struct text *line)
{
    if (*code == NULL || **code == '\0' || strncmp(*code, ".Lfunc_end", strlen(".Lfunc_end")) == 0)
        return false;
    *line = (struct text){*code, strcspn(*code, "\n")};
    *code += line->length + ((*code)[line->length] == '\n');
    return true;
}

static void find_places(struct reader *r, const char *code)
{
    for (struct text line; next_line(&code, &line);)
        note_place(r, line);
    if (r->place_count > 0)
        qsort(r->places, r->place_count, sizeof *r->places, ascending);
}

void gp_read_amdgpu_code(const char *assembly, struct gp_backend_kernel *kernel)
{
    const char *code = find_code(assembly, kernel->symbol);
    struct reader reader = {.kernel = kernel, .loop = GP_NONE, .spills = kernel->resources.spill_store_bytes > 0};
    uint32_t stored = 0, loaded = 0;
    if (reader.spills)
        find_places(&reader, code);
    for (struct text line; next_line(&code, &line);)
        read_line(&reader, line, &stored, &loaded);
    free(reader.headers);
    free(reader.places);
    struct gp_resources *resources = &kernel->resources;
    resources->spill_store_bytes = stored > resources->spill_store_bytes ? stored : resources->spill_store_bytes;
    resources->spill_load_bytes = loaded > resources->spill_load_bytes ? loaded : resources->spill_load_bytes;
}
