/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The boards of hwdb/boards.tsv: what a card has that differs from its architecture's entry (docs/devices.md). */
#ifndef GPUPERF_HWDB_BOARDS_H
#define GPUPERF_HWDB_BOARDS_H

#include "hwdb/internal.h"

struct gp_text;

/* Columns whose number decides time and may be recalled: written 4096?, no document was read for it. */
enum { GP_BOARD_UNITS = 1, GP_BOARD_CLOCK = 2, GP_BOARD_GBPS = 4, GP_BOARD_L2 = 8, GP_BOARD_LLC = 16 };

/* A row. 0 stands for `unknown`. Texts belong to the table. */
struct gp_board {
    const char *name;   /* as its maker calls it, without the maker: "GeForce RTX 4060" */
    const char *entry;  /* the device file whose other numbers it has */
    const char *target; /* compile target: "sm_89", "gfx1030"; "spir64" where no compiler here makes code for it */
    double units;       /* SMs, CUs or Xe-cores */
    double clock_mhz;   /* highest clock of the data sheet */
    double gbps, l2_kib, llc_kib, memory_gib, bus_bits, pin_gbps, fp32_gflops, power_w;
    const char *source;
    const char *also;  /* further names, parted by commas: "" for none */
    unsigned recalled; /* GP_BOARD_...: of which columns the number is recalled */
    unsigned unknown;  /* of which it is `unknown` */
};

struct gp_boards {
    struct gp_board *rows;
    size_t count;
    char *text; /* that the rows' texts lie in */
};

/* Reads boards.tsv of the installed database. False and "FILE:LINE: ...": it is not there, or wrong. */
bool gp_boards_load(struct gp_boards *boards, struct gp_error *error);
void gp_boards_free(struct gp_boards *boards);

/* What of a name counts: its words in lower case, without vendors' names; "laptop" is "mobile". Cut at `size`. */
void gp_board_words(const char *name, char *words, size_t size);

/* Whether two names have the same words, however they are parted. */
bool gp_board_is_called(const char *name, const char *other);

/* Whether a board's name, or one of its further names, has all of these words, or parts of words. */
bool gp_board_has_words(const struct gp_board *board, const char *words);

/* The name that its device has: lower case, without vendors' names: "rtx 4060". */
void gp_board_title(const struct gp_board *board, char *name, size_t size);

/* The board of a name (board_names.c has the rules). NULL: none, or several that differ, which are listed then. */
const struct gp_board *gp_board_find(const struct gp_boards *boards, const char *name, struct gp_text *several);

/* Appends the entries and boards that are spelt most alike: "'gtx280', 'GeForce GTX 1080'". Nothing, where none is
 * near. */
void gp_board_suggest(const struct gp_boards *boards, char *const *entries, size_t entry_count, const char *name,
                      struct gp_text *list);

/* Whether all numbers that a row has are the entry's, to 1.5%: then what was measured for the entry is the board's,
 * too.
 */
bool gp_board_is_entry(const struct gp_device *entry, const struct gp_board *board);

/* Gives an entry's device the board's own numbers; `source` lives as long as the device. */
void gp_board_apply(struct gp_device *device, const struct gp_board *board, const char *source);

/* Whether a number of a board's row is recalled or unknown, so that nothing says how right it is. */
bool gp_board_is_doubtful(const struct gp_device *device);

/* "sm_90" of sm_90a, "gfx90a" of "gfx90a:xnack-": what rows have. */
void gp_plain_target(const char *target, char plain[32]);

/*
 * How many times faster and slower than a device the boards of a compile target can be, by their bandwidth and their
 * peak; both at least 1. Of boards with as many SMs as the device, where it is known to have so many of its own and
 * there are such boards. False: the table has none of that target.
 */
bool gp_boards_apart(const char *target, const struct gp_device *device, bool own_units, double *faster,
                     double *slower);

/* Whether more was measured on the chip, or fitted to measurements, than two numbers: else an entry says no more than
 * documents do. */
bool gp_device_is_measured(const struct gp_device *device);

/* Makes of an entry what a board of an unmeasured chip would be: numbers measured or fitted on the chip are derived by
 * rule, and it counts as a board. What has no rule stays, as assumed. */
void gp_device_forget_measured(struct gp_device *device);

#endif
