/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/changes.h"

#include <string.h>

#include "model/predict.h"
#include "report/json_string.h"
#include "tools/check/gate.h"

static bool has_cause(const json_t *row, const char *cause, double threshold)
{
    size_t index;
    const json_t *bottleneck;
    json_array_foreach(json_object_get(row, "bottlenecks"), index, bottleneck)
    {
        if (strcmp(gp_json_word(bottleneck, "cause"), cause) == 0 && gp_json_real(bottleneck, "share") >= threshold)
            return true;
    }
    return false;
}

/* Causes above GP_TOLD_FROM of one row that are not above half of it in the other. */
static json_t *causes_beyond(const json_t *row, const json_t *other)
{
    json_t *array = json_array();
    for (int cause = 0; cause < GP_CAUSE_COUNT; cause++) {
        const char *name = gp_cause_name((enum gp_cause)cause);
        if (has_cause(row, name, GP_TOLD_FROM) && !has_cause(other, name, GP_TOLD_FROM / 2))
            json_array_append_new(array, json_string(name));
    }
    return array;
}

static void add_causes(json_t *rows, const json_t *before)
{
    size_t index;
    json_t *row;
    json_array_foreach(rows, index, row)
    {
        const json_t *base = gp_row_like(before, row);
        if (base == NULL)
            continue;
        json_object_set_new(row, "causes_came", causes_beyond(row, base));
        json_object_set_new(row, "causes_went", causes_beyond(base, row));
        json_object_set_new(row, "base_confidence", json_real(gp_json_real(base, "confidence")));
    }
}

static void note_gone(const struct gp_outcome *outcome, const json_t *before)
{
    size_t index;
    json_t *row;
    json_array_foreach(before, index, row)
    {
        struct gp_text text = {0};
        if (gp_row_like(outcome->rows, row) != NULL)
            continue;
        gp_text_printf(&text, "%s on %s is only in the first", gp_json_word(row, "kernel"),
                       gp_json_word(row, "device"));
        json_array_append_new(outcome->notes, gp_json_string(text.data));
        gp_text_free(&text);
    }
}

void gp_add_changes(struct gp_outcome *outcome, const json_t *before)
{
    add_causes(outcome->rows, before);
    note_gone(outcome, before);
}
