/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Boards: hwdb/boards.tsv has a row for each, with what differs from its architecture's entry.
 *
 *   "GeForce RTX 4060"  ->  entry rtx4090 with 24 SMs, 2460 MHz, 272 GB/s and 24 MB of L2
 *
 * Names are compared by their words: case, spaces, vendors' and series' names do not count, and a laptop's board is
 * "mobile".
 */
#define _GNU_SOURCE /* strcasestr */
#include "hwdb/boards.h"
#include "support/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 14, LONGEST_FILE = 1 << 20 };
enum { BOARD, ENTRY, TARGET, UNITS, CLOCK, GBPS, L2, LLC, MEMORY, BUS, PIN, FP32, POWER, SOURCE };

/* ---- Reading ---- */

static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strcmp(text, "unknown") == 0 ? 0 : strtod(text, &end);
    return strcmp(text, "unknown") == 0 || (end != text && *end == '\0' && *value >= 0 && isfinite(*value));
}

static bool read_row(char *line, const char *path, unsigned number, struct gp_board *board, struct gp_error *error)
{
    char *cells[COLUMNS];
    unsigned count = 0;
    for (char *at = line; at != NULL && count < COLUMNS; count++)
        cells[count] = strsep(&at, "\t");
    if (count < COLUMNS)
        return gp_fail(error, "%s:%u: %u columns, not %d (board, entry, target, units ...)", path, number, count,
                       COLUMNS);
    *board = (struct gp_board){
        .name = cells[BOARD], .entry = cells[ENTRY], .target = cells[TARGET], .source = cells[SOURCE]};
    double *const values[] = {&board->units,       &board->clock_mhz,  &board->gbps,     &board->l2_kib,
                              &board->llc_kib,     &board->memory_gib, &board->bus_bits, &board->pin_gbps,
                              &board->fp32_gflops, &board->power_w};
    for (unsigned c = UNITS; c <= POWER; c++)
        if (!read_number(cells[c], values[c - UNITS]))
            return gp_fail(error, "%s:%u: '%.40s' is no number", path, number, cells[c]);
    if (board->units < 1 || board->clock_mhz < 1 || board->gbps <= 0)
        return gp_fail(error, "%s:%u: a board has SMs, a clock and a bandwidth", path, number);
    return true;
}

static bool is_row(const char *line) { return line[0] != '\0' && line[0] != '#' && strncmp(line, "board\t", 6) != 0; }

static bool read_rows(struct gp_boards *boards, const char *path, struct gp_error *error)
{
    unsigned number = 0;
    for (char *at = boards->text; at != NULL;) {
        char *line = strsep(&at, "\n");
        number++;
        if (!is_row(line))
            continue;
        struct gp_board *rows = realloc(boards->rows, (boards->count + 1) * sizeof *rows);
        if (rows == NULL)
            return gp_fail(error, "out of memory");
        boards->rows = rows;
        if (!read_row(line, path, number, &rows[boards->count], error))
            return false;
        boards->count++;
    }
    return true;
}

bool gp_boards_load(struct gp_boards *boards, struct gp_error *error)
{
    char path[PATH_MAX];
    size_t length;
    *boards = (struct gp_boards){0};
    if (snprintf(path, sizeof path, "%s/boards.tsv", gp_device_directory()) >= (int)sizeof path)
        return gp_fail(error, "the path of boards.tsv is too long");
    boards->text = gp_read_file(path, &length);
    if (boards->text == NULL)
        return gp_fail(error, "%s: %s", path, strerror(errno));
    if (length <= LONGEST_FILE ? read_rows(boards, path, error) : gp_fail(error, "%s: larger than 1 MB", path))
        return true;
    gp_boards_free(boards);
    return false;
}

void gp_boards_free(struct gp_boards *boards)
{
    free(boards->rows);
    free(boards->text);
    *boards = (struct gp_boards){0};
}

/* ---- Names ---- */

/* Words that say who made or sold it, not which board it is. */
static bool is_idle(const char *word)
{
    static const char *const words[] = {"nvidia", "amd",      "ati", "intel", "geforce",    "radeon",
                                        "tesla",  "instinct", "arc", "gpu",   "generation", "tm",
                                        "r",      "graphics", "one", "gcd",   "data",       "center"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

void gp_board_words(const char *name, char *words, size_t size)
{
    size_t length = 0;
    while (*name != '\0') {
        char word[32];
        size_t n = 0;
        for (; isalnum((unsigned char)*name); name++)
            if (n + 1 < sizeof word)
                word[n++] = (char)tolower((unsigned char)*name);
        word[n] = '\0';
        while (*name != '\0' && !isalnum((unsigned char)*name))
            name++;
        const char *kept = strcmp(word, "laptop") == 0 || strcmp(word, "notebook") == 0 ? "mobile" : word;
        if (!is_idle(kept) && length + strlen(kept) < size)
            length += (size_t)snprintf(words + length, size - length, "%s", kept);
    }
    words[length < size ? length : 0] = '\0';
}

void gp_board_title(const struct gp_board *board, char *name, size_t size)
{
    size_t length = 0;
    for (const char *at = board->name; *at != '\0';) {
        char word[32], bare[32];
        size_t n = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        gp_board_words(word, bare, sizeof bare);
        if (bare[0] != '\0' && length < size)
            length += (size_t)snprintf(name + length, size - length, "%s%s", length > 0 ? " " : "", word);
        at += n + strspn(at + n, " ");
    }
    for (char *c = name; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
}

/* The same in all that decides time: 8 and 16 GB of one card. */
static bool is_same(const struct gp_board *a, const struct gp_board *b)
{
    return strcmp(a->entry, b->entry) == 0 && strcmp(a->target, b->target) == 0 && a->units == b->units &&
           a->clock_mhz == b->clock_mhz && a->gbps == b->gbps && a->l2_kib == b->l2_kib && a->llc_kib == b->llc_kib;
}

/* Boards whose words begin with those asked for differ in what follows: memory, form factor. */
const struct gp_board *gp_board_find(const struct gp_boards *boards, const char *name, bool *ambiguous)
{
    char wanted[96], words[96];
    const struct gp_board *found = NULL;
    *ambiguous = false;
    gp_board_words(name, wanted, sizeof wanted);
    if (strlen(wanted) < 2)
        return NULL;
    for (size_t i = 0; i < boards->count; i++) {
        const struct gp_board *board = &boards->rows[i];
        gp_board_words(board->name, words, sizeof words);
        if (strcmp(words, wanted) == 0) {
            *ambiguous = false;
            return board;
        }
        if (strncmp(words, wanted, strlen(wanted)) != 0 ||
            isdigit((unsigned char)words[strlen(wanted)]) == isdigit((unsigned char)wanted[strlen(wanted) - 1]))
            continue;
        *ambiguous |= found != NULL && !is_same(found, board);
        found = found != NULL ? found : board;
    }
    return *ambiguous ? NULL : found;
}

/* ---- Suggestions ---- */

/* Levenshtein's distance; names longer than this are no misspelt boards. */
enum { LONGEST_WORDS = 64 };

static unsigned least(unsigned a, unsigned b, unsigned c) { return a < b ? (a < c ? a : c) : b < c ? b : c; }

static unsigned edits(const char *a, const char *b)
{
    unsigned row[LONGEST_WORDS + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST_WORDS || m > LONGEST_WORDS)
        return LONGEST_WORDS;
    for (size_t i = 0; i <= n; i++)
        row[i] = (unsigned)i;
    for (size_t j = 1; j <= m; j++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)j;
        for (size_t i = 1; i <= n; i++) {
            unsigned above = row[i];
            row[i] = least(row[i - 1] + 1, above + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[n];
}

/* What follows the words asked for counts little: "p100" is nearer to "p100 pcie 16 gb" than to "m100". */
static unsigned distance(const char *wanted, const char *words)
{
    size_t length = strlen(wanted);
    if (strncmp(words, wanted, length) == 0)
        return (unsigned)(strlen(words) - length) / 4;
    if (length >= 3 && strstr(words, wanted) != NULL) /* "4060": of several series */
        return 1 + (unsigned)(strlen(words) - length) / 4;
    return 4 * edits(wanted, words);
}

/* Of a name that has none but idle words ("arc") the boards in whose own name it stands. */
static bool has_name(const struct gp_board *board, const char *name)
{
    return *name != '\0' && strcasestr(board->name, name) != NULL;
}

static bool is_far(const struct gp_board *board, const char *name, const char *wanted, const char *words, unsigned far)
{
    if (*wanted == '\0')
        return !has_name(board, name);
    return far > 2 * strlen(wanted) && strncmp(words, wanted, strlen(wanted)) != 0;
}

void gp_board_suggest(const struct gp_boards *boards, const char *name, struct gp_text *list)
{
    enum { MOST = 6 };
    struct {
        unsigned far;
        size_t row;
    } best[MOST];
    size_t count = 0;
    char wanted[96], words[96];
    gp_board_words(name, wanted, sizeof wanted);
    for (size_t i = 0; i < boards->count; i++) {
        gp_board_words(boards->rows[i].name, words, sizeof words);
        unsigned far = distance(wanted, words);
        if (is_far(&boards->rows[i], name, wanted, words, far))
            continue;
        size_t at = count < MOST ? count++ : MOST;
        for (; at > 0 && best[at - 1].far > far; at--)
            if (at < MOST)
                best[at] = best[at - 1];
        if (at < MOST) {
            best[at].far = far;
            best[at].row = i;
        }
    }
    for (size_t i = 0; i < count; i++)
        gp_text_printf(list, "%s'%s'", i > 0 ? ", " : "", boards->rows[best[i].row].name);
}

/* ---- A device of one ---- */

static void put(struct gp_number *number, double value, const char *source)
{
    *number = (struct gp_number){value, GP_FROM_VENDOR, source};
}

void gp_board_apply(struct gp_device *device, const struct gp_board *board, const char *source)
{
    gp_scale_units(device, board->units);
    put(&device->sm_count, board->units, source);
    put(&device->clock_mhz, board->clock_mhz, source);
    put(&device->dram_gbps, board->gbps, source);
    if (board->l2_kib > 0)
        put(&device->l2_size, 1024 * board->l2_kib, source);
    put(&device->llc_size, 1024 * board->llc_kib, source);
    gp_derive_again(device);
}
