/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What makes `check` fail: --fail-on warning[=CAUSE,..], regression=PCT%, budget. */
#ifndef GPUPERF_TOOLS_CHECK_GATE_H
#define GPUPERF_TOOLS_CHECK_GATE_H

#include "config/config.h"
#include "tools/check/outcome.h"

struct gp_gate {
    bool warnings;              /* any finding that warns */
    struct gp_arguments causes; /* of these only; empty: all */
    double regression;          /* share, 0.1 for 10%; negative: not asked */
    bool budget;
};

/* Adds what one --fail-on says. False: a sentence. */
bool gp_gate_add(struct gp_gate *gate, const char *text, struct gp_error *error);
void gp_gate_free(struct gp_gate *gate);

/* Judges each row, makes findings of the rows' bottlenecks, counts failures. `baseline`: an array of rows, or NULL. */
void gp_gate_judge(const struct gp_gate *gate, struct gp_check_config *config, const json_t *baseline,
                   struct gp_outcome *outcome);

/* Whether a bottleneck warns, and costs GP_TOLD_FROM alone or beside others. */
bool gp_is_worth_telling(const json_t *bottleneck);

/* The array of rows of a baseline or of predictions as JSON: "gpuperf/1" or predict's array. NULL: a sentence. */
json_t *gp_rows_load(const char *path, struct gp_error *error);

/* The row for the same source, kernel and device; NULL: there is none. */
json_t *gp_row_like(const json_t *rows, const json_t *row);

/* Whether a loop of the row's kernel never ends in its launch. Then the time is of the part that was followed. */
bool gp_never_ends(const json_t *row);

/* Words of a row or finding; "" and 0 where there are none. */
const char *gp_json_word(const json_t *object, const char *key);
double gp_json_real(const json_t *object, const char *key);

#endif
