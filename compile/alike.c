/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#define _GNU_SOURCE /* strchrnul, memmem */
#include "compile/alike.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compile/backend_list.h"
#include "compile/line.h"
#include "support/prefix.h"

/* A kernel's text in a file, and what of it two kernels are compared by. */
struct piece {
    const char *begin, *end;
    char *name;
    struct gp_text form;
    int64_t local_bytes;
    bool left_out;
};

struct pieces {
    struct piece *items;
    size_t count;
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$'; }

/* "@" in LLVM's text, ".entry " in PTX: what a kernel's name stands behind in the line that it begins with. NULL: none
 * begins there. */
static char *name_behind(const char *line, const char *end, const char *sign)
{
    const char *at = gp_find_in_line(line, end, sign);
    if (at == NULL)
        return NULL;
    at += strlen(sign);
    size_t length = 0;
    while (is_word(at[length]))
        length++;
    return length > 0 ? strndup(at, length) : NULL;
}

static void add_piece(struct pieces *pieces, const char *begin, char *name)
{
    struct piece *items = realloc(pieces->items, (pieces->count + 1) * sizeof *items);
    pieces->items = items;
    items[pieces->count++] = (struct piece){.begin = begin, .name = name};
}

/* Up to and with the line "}" of each kernel. */
static void find_pieces(const char *text, char *(*kernel_of)(const char *line, const char *end), struct pieces *pieces)
{
    bool inside = false;
    for (const char *line = text, *end; *line != '\0'; line = *end == '\n' ? end + 1 : end) {
        end = strchrnul(line, '\n');
        char *name = inside ? NULL : kernel_of(line, end);
        if (name != NULL) {
            add_piece(pieces, line, name);
            inside = true;
        }
        if (inside && end - line == 1 && *line == '}') {
            pieces->items[pieces->count - 1].end = *end == '\n' ? end + 1 : end;
            inside = false;
        }
    }
    if (inside) { /* cut off */
        free(pieces->items[--pieces->count].name);
    }
}

static void free_pieces(struct pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++) {
        free(pieces->items[i].name);
        gp_text_free(&pieces->items[i].form);
    }
    free(pieces->items);
}

/* ---- What kernels are compared by ------------------------------------------------------------------------------ */

static void append(struct gp_text *form, const char *begin, const char *end)
{
    gp_text_append(form, begin, (size_t)(end - begin));
}

/* Within its end: a name may go on behind what is taken for a word. */
static bool begins_with(const char *word, const char *end, const char *text)
{
    return strlen(text) <= (size_t)(end - word) && gp_starts_with(word, text);
}

/* The kernel's own name stands in the names of its parameters and arrays, too; how many kernels are before it in those
 * of its labels ("$L__BB12_3"). */
static void append_word(const char *word, const char *end, const char *name, bool numbers, struct gp_text *form)
{
    static const char digits[] = "0123456789", label[] = "$L__BB", cached[] = "ld.global.nc";
    if (begins_with(word, end, name)) {
        word += strlen(name);
    } else if (begins_with(word, end, label)) {
        word += strlen(label);
        word += strspn(word, digits);
    } else if (numbers && begins_with(word, end, cached)) {
        gp_text_append(form, cached, strlen("ld.global"));
        word += strlen(cached);
    } else if (numbers && strspn(word, digits) >= (size_t)(end - word)) {
        word = "N";
        end = word + 1;
    }
    append(form, word, end);
}

/* The line without what the kernel's name and place bring; where `numbers` is set all numbers are alike but those of
 * names, and so are loads through either cache. */
static void append_nameless(const char *line, const char *end, const char *name, bool numbers, struct gp_text *form)
{
    for (const char *at; line < end; line = at) {
        bool word = is_word(*line) || *line == '%';
        for (at = line + 1; word && at < end && is_word(*at);)
            at++;
        append_word(line, at, name, numbers, form);
    }
}

static void end_line(struct gp_text *form) { gp_text_append(form, "\n", 1); }

/* ---- LLVM's text ------------------------------------------------------------------------------------------------ */

/* Lines of the source by the numbers of the module's metadata. */
struct locations {
    struct {
        const char *begin, *end;
    } * items;
    size_t count;
};

static bool read_location(const char *line, const char *end, size_t *number, const char **begin)
{
    if (*line != '!' || !isdigit((unsigned char)line[1]))
        return false;
    char *behind;
    *number = strtoul(line + 1, &behind, 10);
    const char *at = gp_find_in_line(behind, end, "!DILocation(");
    *begin = at;
    return at != NULL;
}

static void find_locations(const char *module, struct locations *locations)
{
    for (const char *line = module, *end; *line != '\0'; line = *end == '\n' ? end + 1 : end) {
        end = strchrnul(line, '\n');
        const char *begin, *scope;
        size_t number;
        if (!read_location(line, end, &number, &begin))
            continue;
        if (number >= locations->count) {
            size_t count = 2 * number + 64;
            locations->items = realloc(locations->items, count * sizeof *locations->items);
            memset(locations->items + locations->count, 0, (count - locations->count) * sizeof *locations->items);
            locations->count = count;
        }
        scope = gp_find_in_line(begin, end, ", scope");
        locations->items[number].begin = begin;
        locations->items[number].end = scope != NULL ? scope : end;
    }
}

static void append_location(const char *attached, const char *end, const struct locations *locations,
                            struct gp_text *form)
{
    const char *at = gp_find_in_line(attached, end, "!dbg !");
    size_t number = at != NULL ? strtoul(at + strlen("!dbg !"), NULL, 10) : locations->count;
    if (number < locations->count && locations->items[number].begin != NULL)
        append(form, locations->items[number].begin, locations->items[number].end);
}

static bool says_aliasing(const char *line, const char *end)
{
    static const char scope[] = "@llvm.experimental.noalias.scope.decl(", record[] = "    #dbg_";
    return gp_find_in_line(line, end, scope) != NULL || gp_starts_with(line, record);
}

/* What is attached to an instruction says lines, loops, types and aliasing; of these only lines are compared. */
static void append_instruction(const char *line, const char *end, const char *name, const struct locations *locations,
                               struct gp_text *form)
{
    const char *attached = gp_find_in_line(line, end, ", !");
    append_nameless(line, attached != NULL ? attached : end, name, false, form);
    if (attached != NULL)
        append_location(attached, end, locations, form);
    end_line(form);
}

/* "define ... @NAME(ptr noalias %0, ...) #0 !dbg !12 {" */
static void append_head(const char *line, const char *end, const char *name, struct gp_text *form)
{
    static const char noalias[] = "noalias ";
    const char *attached = gp_find_in_line(line, end, " !");
    end = attached != NULL ? attached : end;
    for (const char *at; line < end; line = at) {
        const char *found = gp_find_in_line(line, end, noalias);
        append_nameless(line, found != NULL ? found : end, name, false, form);
        at = found != NULL ? found + strlen(noalias) : end;
    }
    end_line(form);
}

static char *kernel_of_module(const char *line, const char *end)
{
    bool kernel = gp_starts_with(line, "define ") && gp_find_in_line(line, end, " ptx_kernel ") != NULL;
    return kernel ? name_behind(line, end, "@") : NULL;
}

static void form_function(struct piece *piece, const struct locations *locations)
{
    for (const char *line = piece->begin, *end; line < piece->end; line = end + 1) {
        end = strchrnul(line, '\n');
        if (line == piece->begin)
            append_head(line, end, piece->name, &piece->form);
        else if (!says_aliasing(line, end))
            append_instruction(line, end, piece->name, locations, &piece->form);
    }
}

/* ---- PTX --------------------------------------------------------------------------------------------------------- */

static char *kernel_of_ptx(const char *line, const char *end)
{
    static const char declared[] = ".entry ";
    return *line == '.' && end[-1] != ';' ? name_behind(line, end, declared) : NULL;
}

/* Numbers of directives say registers, bounds and lines: only the sizes of arrays may differ. */
static void append_statement(const char *line, const char *end, const char *name, struct gp_text *form)
{
    const char *first = line + strspn(line, " \t");
    bool directive = *first == '.' && !gp_starts_with(first, ".shared");
    append_nameless(first, end, name, !directive, form);
    end_line(form);
}

/* ".shared .align 4 .b8 NAME[16640];" */
static int64_t bytes_of(const char *line, const char *end)
{
    const char *first = line + strspn(line, " \t"), *bracket = memchr(first, '[', (size_t)(end - first));
    return gp_starts_with(first, ".shared") && bracket != NULL ? strtol(bracket + 1, NULL, 10) : 0;
}

static bool says_nothing(const char *line, const char *end)
{
    bool label = gp_starts_with(line, "$L__tmp") || gp_starts_with(line, "$L__func");
    return label || line == end;
}

static void form_entry(struct piece *piece)
{
    for (const char *line = piece->begin, *end; line < piece->end; line = end + 1) {
        end = strchrnul(line, '\n');
        const char *comment = gp_find_in_line(line, end, "//"), *last = comment != NULL ? comment : end;
        while (last > line && isspace((unsigned char)last[-1]))
            last--;
        if (says_nothing(line, last))
            continue;
        append_statement(line, last, piece->name, &piece->form);
        piece->local_bytes += bytes_of(line, last);
    }
}

/* ---- Leaving out ------------------------------------------------------------------------------------------------- */

static void note(struct gp_alike_list *list, const struct piece *piece, const struct piece *of)
{
    struct gp_alike *items = realloc(list->items, (list->count + 1) * sizeof *items);
    char *symbol = strdup(piece->name), *other = strdup(of->name);
    list->items = items;
    items[list->count++] = (struct gp_alike){symbol, other, piece->local_bytes - of->local_bytes};
}

static void find_alike(struct pieces *pieces, struct gp_alike_list *left_out)
{
    for (size_t i = 0; i < pieces->count; i++)
        for (size_t j = 0; j < i && !pieces->items[i].left_out; j++) {
            struct piece *later = &pieces->items[i], *first = &pieces->items[j];
            if (first->left_out || first->form.length != later->form.length || first->form.data == NULL ||
                memcmp(first->form.data, later->form.data, later->form.length) != 0)
                continue;
            later->left_out = true;
            note(left_out, later, first);
        }
}

static void append_rest(const char *text, const struct pieces *pieces, struct gp_text *result)
{
    for (size_t i = 0; i < pieces->count; i++)
        if (pieces->items[i].left_out) {
            append(result, text, pieces->items[i].begin);
            text = pieces->items[i].end;
        }
    append(result, text, text + strlen(text));
}

void gp_leave_out_alike_functions(const char *module, struct gp_text *result, struct gp_alike_list *left_out)
{
    struct pieces pieces = {0};
    struct locations locations = {0};
    find_locations(module, &locations);
    find_pieces(module, kernel_of_module, &pieces);
    for (size_t i = 0; i < pieces.count; i++)
        form_function(&pieces.items[i], &locations);
    find_alike(&pieces, left_out);
    append_rest(module, &pieces, result);
    free_pieces(&pieces);
    free(locations.items);
}

void gp_leave_out_alike_entries(const char *ptx, struct gp_text *result, struct gp_alike_list *left_out)
{
    struct pieces pieces = {0};
    find_pieces(ptx, kernel_of_ptx, &pieces);
    for (size_t i = 0; i < pieces.count; i++)
        form_entry(&pieces.items[i]);
    find_alike(&pieces, left_out);
    append_rest(ptx, &pieces, result);
    free_pieces(&pieces);
}

/* ---- What a backend would say ------------------------------------------------------------------------------------ */

static void *copy_of(const void *items, size_t count, size_t size)
{
    void *copy = count > 0 ? malloc(count * size) : NULL;
    return count > 0 ? memcpy(copy, items, count * size) : NULL;
}

static void add_copy(const struct gp_alike *alike, size_t of, struct gp_backend_list *list)
{
    gp_backend_add(list, alike->symbol, strlen(alike->symbol));
    const struct gp_backend_kernel *known = &list->kernels[of];
    struct gp_backend_kernel *added = &list->kernels[list->count - 1];
    char *symbol = added->symbol;
    *added = *known;
    added->symbol = symbol;
    added->resources.local_bytes = (uint32_t)(known->resources.local_bytes + alike->local_bytes);
    added->loops = copy_of(known->loops, known->loop_count, sizeof *known->loops);
    added->cubin.code = copy_of(known->cubin.code, known->cubin.count, sizeof *known->cubin.code);
    added->cubin.rows = copy_of(known->cubin.rows, known->cubin.row_count, sizeof *known->cubin.rows);
}

void gp_backend_add_alike(const struct gp_alike_list *left_out, struct gp_backend_list *list)
{
    for (size_t i = 0; i < left_out->count; i++)
        for (size_t k = 0, count = list->count; k < count; k++)
            if (strcmp(list->kernels[k].symbol, left_out->items[i].of) == 0)
                add_copy(&left_out->items[i], k, list);
}

void gp_alike_free(struct gp_alike_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].symbol);
        free(list->items[i].of);
    }
    free(list->items);
    *list = (struct gp_alike_list){0};
}
