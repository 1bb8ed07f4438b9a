/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Changes of a source: what the plugin proposes (plugin/fixes.h), what becomes of the source with one of them, and the
 * patch that shows it.
 */
#ifndef GPUPERF_TOOLS_FIXIT_FIXES_H
#define GPUPERF_TOOLS_FIXIT_FIXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/predict.h"
#include "support/error.h"
#include "support/text.h"

enum gp_fix_kind {
    GP_FIX_PADDING,
    GP_FIX_MASK,
    GP_FIX_SHIFT,
    GP_FIX_BOUNDS,
    GP_FIX_SUFFIX,
    GP_FIX_SQUARE,
    GP_FIX_KIND_COUNT
};

/* "padding" ..., as the plugin and JSON have it. */
const char *gp_fix_kind_name(enum gp_fix_kind kind);

/* Whether the changed source may compute other bits. */
bool gp_fix_rounds(enum gp_fix_kind kind);

struct gp_replacement {
    size_t offset; /* in the source, bytes */
    char *old, *text;
};

struct gp_fix {
    enum gp_fix_kind kind;
    char *name, *function;
    uint32_t line, column;
    uint32_t *lines; /* of the findings that it would repair */
    size_t line_count;
    struct gp_replacement *replacements; /* ascending */
    size_t count;
};

struct gp_fixes {
    struct gp_fix *list;
    size_t count;
};

/* What the plugin wrote. False: a sentence, nothing is kept. */
bool gp_fixes_parse(const char *text, struct gp_fixes *fixes, struct gp_error *error);
void gp_fixes_free(struct gp_fixes *fixes);

/* The source with the change; free with free(). NULL: a sentence; it is not the source that the fix was found in. */
char *gp_fix_apply(const struct gp_fix *fix, const char *source, size_t length, struct gp_error *error);

/* What it does, as one sentence without a full stop: "pad the rows of 'tile'". */
void gp_fix_title(const struct gp_fix *fix, struct gp_text *text);

/* The speedup that a prediction's findings promise for what it repairs; 0: none of them names it. */
double gp_fix_promise(const struct gp_fix *fix, const struct gp_profile *profile,
                      const struct gp_prediction *prediction);

/*
 * A unified patch between two texts whose lines correspond one to one, as they do here: with three lines around each
 * change, names with "a/" and "b/" in front.
 */
void gp_print_patch(const char *name, const char *before, const char *after, struct gp_text *out);

#endif
