/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What `check` found out, and how it is told.
 *
 * A row of `rows` is unit_rows.h's, with beside it what the gate made of it:
 *
 *   base_ns, ratio   of the baseline's row for the same file, kernel and device, where there is one
 *   base_launch      the baseline's launch, where it is another one
 *   new              true: there is a baseline, and it has no such row
 *   budget_ns        the device's, where the configuration has one
 *   verdict          "ok", "over budget", "regression", "not judged"
 *   why              a sentence for what is not ok
 *   fails            whether it makes the gate fail
 */
#ifndef GPUPERF_TOOLS_CHECK_OUTCOME_H
#define GPUPERF_TOOLS_CHECK_OUTCOME_H

#include <jansson.h>

#include "support/error.h"
#include "support/text.h"

struct gp_outcome {
    json_t *rows;     /* array, by file, kernel, device */
    json_t *findings; /* array of {rule, file, line, column, kernel, device, share, speedup, measure, advice, also,
                         fails} */
    json_t *failed;   /* array of {file, error}: sources that could not be looked at */
    json_t *notes;    /* array of sentences: what was left out */
    size_t failures;  /* rows and findings that make the gate fail */
};

/* {"schema": "gpuperf/1", "version", "devices", "launches", "predictions": rows, "findings", "failed", "notes", "gate":
 * {"failures"}}, and where a program's launches are known "program": [{device, total_ns, launches, kernels}]; NULL: out
 * of memory. */
json_t *gp_outcome_object(const struct gp_outcome *outcome);
/* The same as text. False: out of memory. */
bool gp_outcome_json(const struct gp_outcome *outcome, struct gp_text *out, struct gp_error *error);

/* What a finding is and, of a finding's kernel and device, gains: "uncoalesced global load: ... (and lines 6, 8)";
 * "...; 66% of turn on a100 (3.0x without it)". */
void gp_finding_sentence(const json_t *finding, struct gp_text *out);

/* SARIF 2.1.0: a rule for each cause, and for budget and regression; fingerprints that do not change when lines move.
 */
bool gp_outcome_sarif(const struct gp_outcome *outcome, struct gp_text *out, struct gp_error *error);

/* Parts of it: a cell's text, without bars and line ends; what was left out and what could not be looked at, behind. */
void gp_markdown_cell(const char *text, struct gp_text *out);
void gp_markdown_notes(const struct gp_outcome *outcome, struct gp_text *out);

/* The columns of a text table: as wide as the names need, within bounds. */
struct gp_widths {
    int kernel, device;
};
struct gp_widths gp_outcome_widths(const struct gp_outcome *outcome);

/* What --format names. */
enum gp_format {
    GP_FORMAT_TEXT,
    GP_FORMAT_JSON,
    GP_FORMAT_SARIF,
    GP_FORMAT_MARKDOWN,
    GP_FORMAT_GITHUB,
    GP_FORMAT_HTML,
    GP_FORMAT_COUNT
};
bool gp_format_parse(const char *name, enum gp_format *format, struct gp_error *error);
bool gp_outcome_print(const struct gp_outcome *outcome, enum gp_format format, struct gp_text *out,
                      struct gp_error *error);

/* Where `path` names a file, `out` goes into it and is empty then; "-" and NULL: it stays. False: a sentence, and the
 * file is as it was. */
bool gp_deliver(const char *path, struct gp_text *out, struct gp_error *error);

void gp_outcome_free(struct gp_outcome *outcome);

#endif
