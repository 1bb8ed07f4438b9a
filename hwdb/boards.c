/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Boards: hwdb/boards.tsv has a row for each, with what differs from its architecture's entry.
 *
 *   "GeForce RTX 4060"  ->  entry rtx4090 with 24 SMs, 2460 MHz, 272 GB/s and 24 MB of L2
 */
#include "hwdb/boards.h"
#include "support/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOARD, ENTRY, TARGET, UNITS, CLOCK, GBPS, L2, LLC, MEMORY, BUS, PIN, FP32, POWER, SOURCE, ALSO, COLUMNS };
enum { LEAST_COLUMNS = ALSO, LONGEST_FILE = 1 << 20 };

/* ---- Reading ---- */

/* 4096, 4096? (recalled), unknown. */
static bool read_number(const char *text, unsigned column, struct gp_board *board, double *value)
{
    char *end;
    unsigned bit = column <= LLC ? 1u << (column - UNITS) : 0; /* in the order of GP_BOARD_UNITS ... */
    if (strcmp(text, "unknown") == 0) {
        board->unknown |= bit;
        *value = 0;
        return true;
    }
    *value = strtod(text, &end);
    if (end != text && *end == '?') {
        board->recalled |= bit;
        end++;
    }
    return end != text && *end == '\0' && *value >= 0 && isfinite(*value);
}

static bool read_row(char *line, const char *path, unsigned number, struct gp_board *board, struct gp_error *error)
{
    char *cells[COLUMNS] = {[ALSO] = ""};
    unsigned count = 0;
    for (char *at = line; at != NULL && count < COLUMNS; count++)
        cells[count] = strsep(&at, "\t");
    if (count < LEAST_COLUMNS)
        return gp_fail(error, "%s:%u: %u columns, not %d (board, entry, target, units ...)", path, number, count,
                       LEAST_COLUMNS);
    *board = (struct gp_board){.name = cells[BOARD],
                               .entry = cells[ENTRY],
                               .target = cells[TARGET],
                               .source = cells[SOURCE],
                               .also = cells[ALSO]};
    double *const values[] = {&board->units,       &board->clock_mhz,  &board->gbps,     &board->l2_kib,
                              &board->llc_kib,     &board->memory_gib, &board->bus_bits, &board->pin_gbps,
                              &board->fp32_gflops, &board->power_w};
    for (unsigned c = UNITS; c <= POWER; c++)
        if (!read_number(cells[c], c, board, values[c - UNITS]))
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

/* ---- A device of one ---- */

static void put(struct gp_number *number, double value, const struct gp_board *board, unsigned column,
                const char *source)
{
    enum gp_origin origin = board->recalled & column ? GP_FROM_ASSUMED : GP_FROM_VENDOR;
    if (board->unknown & column)
        *number = (struct gp_number){number->value, GP_FROM_ASSUMED, "boards.tsv: unknown; the entry's"};
    else
        *number = (struct gp_number){value, origin, source};
}

void gp_board_apply(struct gp_device *device, const struct gp_board *board, const char *source)
{
    gp_scale_units(device, board->units);
    put(&device->sm_count, board->units, board, GP_BOARD_UNITS, source);
    put(&device->clock_mhz, board->clock_mhz, board, GP_BOARD_CLOCK, source);
    put(&device->dram_gbps, board->gbps, board, GP_BOARD_GBPS, source);
    put(&device->l2_size, 1024 * board->l2_kib, board, GP_BOARD_L2, source);
    put(&device->llc_size, 1024 * board->llc_kib, board, GP_BOARD_LLC, source);
    gp_derive_again(device);
}

bool gp_board_is_entry(const struct gp_device *entry, const struct gp_board *board)
{
    const struct {
        double of_board, of_entry;
    } numbers[] = {{board->units, entry->sm_count.value},
                   {board->clock_mhz, entry->clock_mhz.value},
                   {board->gbps, entry->dram_gbps.value},
                   {1024 * board->l2_kib, entry->l2_size.value},
                   {1024 * board->llc_kib, entry->llc_size.value}};
    bool same = strcmp(board->target, entry->cpu) == 0 || entry->proxy_target;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        same &= fabs(numbers[i].of_board - numbers[i].of_entry) <= 0.015 * numbers[i].of_entry;
    return same && board->recalled == 0;
}

bool gp_board_is_doubtful(const struct gp_device *device)
{
    const struct gp_number *const numbers[] = {&device->sm_count, &device->clock_mhz, &device->dram_gbps,
                                               &device->l2_size, &device->llc_size};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (numbers[i]->origin == GP_FROM_ASSUMED && numbers[i]->source != NULL &&
            strncmp(numbers[i]->source, "boards.tsv", 10) == 0)
            return true;
    return false;
}

bool gp_device_is_measured(const struct gp_device *device)
{
    enum { FEW = 2 };
    size_t count = 0;
    for (size_t i = 0; i < GP_NUMBER_COUNT; i++) {
        const struct gp_number *number = gp_field_of((struct gp_device *)device, i);
        count += number->origin == GP_FROM_MEASURED || number->origin == GP_FROM_FITTED;
    }
    return count > FEW;
}

/* ---- Boards of a target ---- */

void gp_plain_target(const char *target, char plain[32])
{
    size_t length = strcspn(target, ":");
    bool own_features = strncmp(target, "sm_", 3) == 0 && length > 3 && strchr("af", target[length - 1]) != NULL;
    snprintf(plain, 32, "%.*s", (int)(length - own_features), target);
}

/* What decides how far boards are apart, read once per process: predictions ask often, and what they allocate is
 * theirs. */
enum { MOST_KEPT = 1024 };
static struct kept {
    char target[16];
    double units, gbps, peak;
} kept[MOST_KEPT];
static size_t kept_count;
static pthread_once_t kept_once = PTHREAD_ONCE_INIT;

static void keep_boards(void)
{
    struct gp_boards boards;
    if (!gp_boards_load(&boards, NULL))
        return;
    for (size_t i = 0; i < boards.count && kept_count < MOST_KEPT; i++) {
        const struct gp_board *board = &boards.rows[i];
        struct kept *row = &kept[kept_count++];
        snprintf(row->target, sizeof row->target, "%.15s", board->target);
        row->units = board->units;
        row->gbps = board->gbps;
        row->peak = board->units * board->clock_mhz;
    }
    gp_boards_free(&boards);
}

bool gp_boards_apart(const char *target, const struct gp_device *device, bool own_units, double *faster, double *slower)
{
    char plain[32];
    double peak = device->sm_count.value * device->clock_mhz.value, gbps = device->dram_gbps.value;
    size_t count = 0;
    pthread_once(&kept_once, keep_boards);
    gp_plain_target(target, plain);
    *faster = *slower = 1;
    for (const struct kept *row = kept; row < kept + kept_count; row++) {
        if (strcmp(row->target, plain) != 0 || (own_units && row->units != device->sm_count.value))
            continue;
        count++;
        *faster = fmax(*faster, fmax(row->gbps / gbps, row->peak / peak));
        *slower = fmax(*slower, fmax(gbps / row->gbps, peak / row->peak));
    }
    return count > 0 || (own_units && gp_boards_apart(target, device, false, faster, slower));
}
