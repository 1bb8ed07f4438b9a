/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * SARIF 2.1.0 (OASIS standard). A finding is a result with `ruleId` gpuperf/CAUSE; a row that is over its budget or
 * slower than the baseline is one of gpuperf/budget and gpuperf/regression, one whose kernel never ends else of
 * gpuperf/never-ends. A fingerprint is made of what stays when
 * lines move: rule, file, kernel, device, the text of the line.
 */
#include <stdlib.h>
#include <string.h>

#include "report/json_string.h"
#include "support/hash.h"
#include "tools/check/gate.h"
#include "tools/check/outcome.h"
#include "tools/json_out.h"
#include "model/predict.h"

#define HELP "https://github.com/gpuperf/gpuperf/blob/main/docs/causes/"

/* ---- Lines of sources
 * --------------------------------------------------------------------------------------------------- */

/* Where a text's line begins; NULL: it has fewer, or there is no text. */
static char *start_of(char *text, unsigned line)
{
    for (unsigned i = 1; text != NULL && i < line; i++) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text;
}

/* The line without its blanks at both ends; free() it. "" where it cannot be read. */
static char *line_text(const char *file, unsigned line)
{
    size_t length;
    char *text = file[0] != '\0' ? gp_read_file(file, &length) : NULL, *at = start_of(text, line);
    if (at == NULL || line == 0) {
        free(text);
        return strdup("");
    }
    at += strspn(at, " \t");
    size_t end = strcspn(at, "\r\n");
    while (end > 0 && (at[end - 1] == ' ' || at[end - 1] == '\t'))
        end--;
    char *copy = strndup(at, end);
    free(text);
    return copy;
}

static json_t *fingerprint(const char *rule, const json_t *object, const char *file, unsigned line)
{
    char text[17];
    char *code = line_text(file, line);
    uint64_t hash = GP_FNV1A;
    const char *const parts[] = {rule, file, gp_json_word(object, "kernel"), gp_json_word(object, "device"),
                                 code != NULL ? code : ""};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        hash = gp_fnv1a(hash, parts[i], strlen(parts[i]) + 1);
    free(code);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return json_pack("{s:s}", "gpuperf/v1", text);
}

/* A word has a width: from the column to the end of the name or number that stands there. */
static unsigned end_column(const char *file, unsigned line, unsigned column)
{
    size_t length;
    char *text = file[0] != '\0' ? gp_read_file(file, &length) : NULL, *at = start_of(text, line);
    unsigned width = 1;
    if (at != NULL && column > 0 && strcspn(at, "\n") >= column)
        width = (unsigned)strspn(at + column - 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    free(text);
    return column + (width > 0 ? width : 1);
}

/* ---- Results
 * ------------------------------------------------------------------------------------------------------------ */

/* A path as a URI reference (RFC 3986): what may not stand there as %XX. */
static json_t *uri_of(const char *file)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/+@,=()";
    struct gp_text text = {0};
    gp_text_printf(&text, "%s", file[0] == '/' ? "file://" : "");
    for (; *file != '\0'; file++)
        gp_text_printf(&text, strchr(plain, *file) != NULL ? "%c" : "%%%02X", (unsigned char)*file);
    json_t *uri = gp_json_string(text.data);
    gp_text_free(&text);
    return uri;
}

static json_t *location(const char *file, unsigned line, unsigned column)
{
    json_t *physical = json_pack("{s:{s:o}}", "artifactLocation", "uri", uri_of(file));
    if (line > 0 && physical != NULL)
        json_object_set_new(physical, "region",
                            json_pack("{s:i,s:i,s:i}", "startLine", (int)line, "startColumn",
                                      column > 0 ? (int)column : 1, "endColumn",
                                      (int)end_column(file, line, column > 0 ? column : 1)));
    return json_pack("{s:o}", "physicalLocation", physical);
}

static json_t *related(const json_t *finding)
{
    json_t *array = json_array(), *also;
    size_t index;
    json_array_foreach(json_object_get(finding, "also"), index, also)
    {
        json_t *place = location(gp_json_word(also, "file"), (unsigned)gp_json_real(also, "line"),
                                 (unsigned)gp_json_real(also, "column"));
        json_object_set_new(place, "message", json_pack("{s:s}", "text", "the same change fixes this line, too"));
        json_array_append_new(array, place);
    }
    return array;
}

static json_t *result(const char *rule, const json_t *object, const json_t *place, const char *message)
{
    const char *file = gp_json_word(place, "file");
    unsigned line = (unsigned)gp_json_real(place, "line");
    if (file[0] == '\0')
        file = gp_json_word(object, "file");
    return json_pack("{s:s,s:s,s:{s:o},s:[o],s:o}", "ruleId", rule, "level",
                     json_is_true(json_object_get(object, "fails")) ? "error" : "warning", "message", "text",
                     gp_json_string(message), "locations",
                     location(file, line, (unsigned)gp_json_real(place, "column")), "partialFingerprints",
                     fingerprint(rule, object, file, line));
}

static json_t *finding_result(const json_t *finding)
{
    char rule[64];
    struct gp_text message = {0};
    snprintf(rule, sizeof rule, "gpuperf/%s", gp_json_word(finding, "cause"));
    gp_finding_sentence(finding, &message);
    if (gp_json_word(finding, "advice")[0] != '\0')
        gp_text_printf(&message, ". %s", gp_json_word(finding, "advice"));
    json_t *object = result(rule, finding, finding, message.data);
    if (json_array_size(json_object_get(finding, "also")) > 0)
        json_object_set_new(object, "relatedLocations", related(finding));
    gp_text_free(&message);
    return object;
}

/* The rule of a row that is told; NULL: it is not. */
static const char *rule_of(const json_t *row)
{
    static const char *const rules[][2] = {
        {"over budget", "gpuperf/budget"}, {"regression", "gpuperf/regression"}, {"never ends", "gpuperf/never-ends"}};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (strcmp(gp_json_word(row, "verdict"), rules[i][0]) == 0)
            return rules[i][1];
    return NULL;
}

static json_t *row_result(const json_t *row)
{
    struct gp_text message = {0};
    gp_text_printf(&message, "%s on %s: %s (%s)", gp_json_word(row, "kernel"), gp_json_word(row, "device"),
                   gp_json_word(row, "why"), gp_json_word(row, "launch"));
    json_t *object =
        result(rule_of(row), row, json_object_get(row, gp_never_ends(row) ? "endless_loop" : "place"), message.data);
    gp_text_free(&message);
    return object;
}

static json_t *results(const struct gp_outcome *outcome)
{
    json_t *array = json_array(), *item;
    size_t index;
    json_array_foreach(outcome->findings, index, item) { json_array_append_new(array, finding_result(item)); }
    json_array_foreach(outcome->rows, index, item)
    {
        if (rule_of(item) != NULL)
            json_array_append_new(array, row_result(item));
    }
    return array;
}

static json_t *rule_object(const char *name, const char *page)
{
    char id[64], uri[160];
    snprintf(id, sizeof id, "gpuperf/%s", name);
    snprintf(uri, sizeof uri, HELP "%s.md", page);
    return json_pack("{s:s,s:s,s:{s:s},s:s}", "id", id, "name", name, "shortDescription", "text", name, "helpUri", uri);
}

static json_t *rules(void)
{
    json_t *array = json_array();
    for (int cause = 0; cause < GP_CAUSE_COUNT; cause++)
        json_array_append_new(array,
                              rule_object(gp_cause_name((enum gp_cause)cause), gp_cause_name((enum gp_cause)cause)));
    json_array_append_new(array, rule_object("budget", "README"));
    json_array_append_new(array, rule_object("regression", "README"));
    json_array_append_new(array, rule_object("never-ends", "README"));
    return array;
}

/* ---- What could not be looked at
 * -------------------------------------------------------------------------------------------------- */

static json_t *notification(const char *level, const char *file, const char *text)
{
    json_t *object = json_pack("{s:s,s:{s:o}}", "level", level, "message", "text", gp_json_string(text));
    if (file[0] != '\0')
        json_object_set_new(object, "locations", json_pack("[o]", location(file, 0, 0)));
    return object;
}

/* The run itself: without these a source that does not compile would look as if nothing were wrong with it. */
static json_t *invocation(const struct gp_outcome *outcome)
{
    json_t *array = json_array(), *item;
    size_t index;
    json_array_foreach(outcome->failed, index, item)
    {
        json_array_append_new(array, notification("error", gp_json_word(item, "file"), gp_json_word(item, "error")));
    }
    json_array_foreach(outcome->notes, index, item)
    {
        json_array_append_new(array, notification("note", "", json_string_value(item)));
    }
    return json_pack("{s:b,s:o}", "executionSuccessful", json_array_size(outcome->failed) == 0,
                     "toolExecutionNotifications", array);
}

bool gp_outcome_sarif(const struct gp_outcome *outcome, struct gp_text *out, struct gp_error *error)
{
    json_t *whole = json_pack(
        "{s:s,s:s,s:[{s:{s:{s:s,s:s,s:o}},s:o,s:[o],s:s}]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
        "version", "2.1.0", "runs", "tool", "driver", "name", "gpuperf", "version", GPUPERF_COMMAND_VERSION, "rules",
        rules(), "results", results(outcome), "invocations", invocation(outcome), "columnKind", "utf16CodeUnits");
    return gp_print_json(whole, out, error);
}
