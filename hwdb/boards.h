/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The boards of hwdb/boards.tsv: what a card has that differs from its architecture's entry (docs/devices.md). */
#ifndef GPUPERF_HWDB_BOARDS_H
#define GPUPERF_HWDB_BOARDS_H

#include "hwdb/internal.h"

struct gp_text;

/* A row. 0 stands for `unknown`. Texts belong to the table. */
struct gp_board {
    const char *name;   /* as its maker calls it, without the maker: "GeForce RTX 4060" */
    const char *entry;  /* the device file whose other numbers it has */
    const char *target; /* compile target: "sm_89", "gfx1030"; "spir64" where no compiler here makes code for it */
    double units;       /* SMs, CUs or Xe-cores */
    double clock_mhz;   /* highest clock of the data sheet */
    double gbps, l2_kib, llc_kib, memory_gib, bus_bits, pin_gbps, fp32_gflops, power_w;
    const char *source;
};

struct gp_boards {
    struct gp_board *rows;
    size_t count;
    char *text; /* that the rows' texts lie in */
};

/* Reads boards.tsv of the installed database. False and "FILE:LINE: ...": it is not there, or wrong. */
bool gp_boards_load(struct gp_boards *boards, struct gp_error *error);
void gp_boards_free(struct gp_boards *boards);

/* What of a name counts: lower case, letters and digits, without vendors' and series' names; "laptop" is "mobile". Cut
 * at `size`. */
void gp_board_words(const char *name, char *words, size_t size);

/* The name that its device has: lower case, without vendors' and series' names: "rtx 4060". */
void gp_board_title(const struct gp_board *board, char *name, size_t size);

/* The board of a name, else the only one whose name begins with it. NULL: none, or several that differ (*ambiguous). */
const struct gp_board *gp_board_find(const struct gp_boards *boards, const char *name, bool *ambiguous);

/* Appends the boards that are named most alike: "'Tesla P100 SXM2', 'Tesla P100 PCIe 16 GB'". Nothing, where none is
 * near. */
void gp_board_suggest(const struct gp_boards *boards, const char *name, struct gp_text *list);

/* Gives an entry's device the board's own numbers; `source` lives as long as the device. */
void gp_board_apply(struct gp_device *device, const struct gp_board *board, const char *source);

/* Makes of an entry what a board of an unmeasured chip would be: numbers measured or fitted on the chip are derived by
 * rule, and it counts as a board. What has no rule stays, as assumed. */
void gp_device_forget_measured(struct gp_device *device);

#endif
