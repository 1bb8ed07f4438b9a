/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* gpuperf report: what `check` finds out, with the times over local sizes and the sources, as one page for a browser.
 */
#include "tools/check/changes.h"
#include "tools/check/gate.h"
#include "tools/check/look.h"
#include "tools/report/before.h"

struct report {
    struct gp_look look;
    const char *out_path, *before_path;
    json_t *before; /* rows; NULL: nobody asked for them */
};

enum { OPTION_BEFORE = GP_LOOK_OPTION_COUNT };
static const struct option options[] = {
    GP_LOOK_OPTIONS, {"before", required_argument, NULL, OPTION_BEFORE}, {NULL, 0, NULL, 0}};

static bool take_option(void *context, int option, const char *value, struct gp_error *error)
{
    struct report *r = context;
    switch (option) {
    case OPTION_BEFORE: r->before_path = value; return true;
    case 'o': r->out_path = value; return true;
    default: return gp_look_option(&r->look, option, value, error);
    }
}

static bool parse(struct report *r, const struct gp_command_line *line, struct gp_error *error)
{
    r->look.sizes = true;
    if (!gp_look_parse(&r->look, line, options, take_option, r, error))
        return false;
    return r->out_path != NULL || gp_fail(error, "'report' needs -o OUT.html; '-o -' is standard output");
}

static bool look(struct report *r, const struct gp_command_line *line, struct gp_error *error)
{
    struct gp_gate gate = {.regression = -1};
    if (!gp_look_prepare(&r->look, line->rest, error) || !gp_look(&r->look, error))
        return false;
    if (r->before_path != NULL && (r->before = gp_rows_before(r->before_path, &r->look, line->rest, error)) == NULL)
        return gp_fail_within(error, r->before_path);
    gp_gate_judge(&gate, &r->look.config, r->before, &r->look.outcome);
    if (r->before != NULL)
        gp_add_changes(&r->look.outcome, r->before);
    gp_look_note_unused_rules(&r->look);
    return true;
}

/* 0: the page is written. 2: it cannot be, or some source could not be looked at, which the page names. */
enum gp_status gp_report_command(const struct gp_command_line *line, struct gp_text *out, struct gp_error *error)
{
    struct report r = {0};
    enum gp_status status = GP_STATUS_USAGE;
    if (parse(&r, line, error) && look(&r, line, error) &&
        gp_outcome_print(&r.look.outcome, GP_FORMAT_HTML, out, error) && gp_deliver(r.out_path, out, error))
        status = json_array_size(r.look.outcome.failed) > 0 ? GP_STATUS_TOLD_USAGE : GP_STATUS_OK;
    json_decref(r.before);
    gp_look_free(&r.look);
    return status;
}
