/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/check/config.h"
#include "model/launch/numbers.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

struct reader {
    const char *path;
    yaml_document_t document;
    struct gp_error *error;
};

/* ---- YAML's nodes -------------------------------------------------------------------------------------------------
 */

static unsigned line_of(const yaml_node_t *node) { return (unsigned)node->start_mark.line + 1; }

static bool wrong(const struct reader *r, const yaml_node_t *node, const char *what)
{
    return gp_fail(r->error, "%s:%u: %s", r->path, line_of(node), what);
}

static bool wrong_value(const struct reader *r, const yaml_node_t *node, const char *key, const char *what)
{
    const char *value = node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "...";
    return gp_fail(r->error, "%s:%u: %s: '%.60s' %s", r->path, line_of(node), key, value, what);
}

static const char *scalar(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.value[0] != '\0' ? (const char *)node->data.scalar.value
                                                                                : NULL;
}

/* One key of a mapping. */
typedef bool read_pair(struct reader *r, const char *key, const yaml_node_t *key_node, const yaml_node_t *value,
                       void *context);

static bool each_pair(struct reader *r, const yaml_node_t *node, const char *what, read_pair *read, void *context)
{
    if (node->type != YAML_MAPPING_NODE)
        return wrong_value(r, node, what, "is no mapping of keys to values");
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key_node = yaml_document_get_node(&r->document, pair->key);
        const yaml_node_t *value = yaml_document_get_node(&r->document, pair->value);
        const char *key = scalar(key_node);
        if (key == NULL)
            return wrong(r, key_node, "a key that is no word");
        if (!read(r, key, key_node, value, context))
            return false;
    }
    return true;
}

/* A word, or a list of words. */
static bool read_words(struct reader *r, const char *key, const yaml_node_t *node, struct gp_arguments *words)
{
    if (scalar(node) != NULL) {
        gp_arguments_add(words, "%s", scalar(node));
        return true;
    }
    if (node->type != YAML_SEQUENCE_NODE)
        return wrong_value(r, node, key, "is no list, as in [a100, rtx 4060]");
    for (const yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++) {
        const yaml_node_t *word = yaml_document_get_node(&r->document, *item);
        if (scalar(word) == NULL)
            return wrong_value(r, word, key, "is no word");
        gp_arguments_add(words, "%s", scalar(word));
    }
    return true;
}

/* ---- A kernel's rule ----------------------------------------------------------------------------------------------
 */

static bool read_sizes(struct reader *r, const char *key, const yaml_node_t *node, struct gp_sizes *sizes)
{
    struct gp_error why = {""};
    if (scalar(node) == NULL)
        return wrong_value(r, node, key, "is no size, such as 1920x1080");
    if (gp_parse_sizes(scalar(node), &sizes->dims, sizes->size, &why))
        return true;
    return gp_fail(r->error, "%s:%u: %s: %s", r->path, line_of(node), key, why.text);
}

static bool read_value(struct reader *r, const char *key, const yaml_node_t *key_node, const yaml_node_t *value,
                       void *context)
{
    struct gp_check_rule *rule = context;
    (void)key_node;
    if (scalar(value) == NULL)
        return wrong_value(r, value, key, "is no number");
    gp_arguments_add(&rule->values, "%s=%s", key, scalar(value));
    return true;
}

bool gp_parse_time(const char *text, double *ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    char *end;
    double number = strtod(text, &end);
    if (end == text || !isfinite(number) || number <= 0)
        return false;
    end += strspn(end, " ");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(end, units[i].unit) == 0) {
            *ns = number * units[i].ns;
            return true;
        }
    return false;
}

static bool read_budget(struct reader *r, const char *key, const yaml_node_t *key_node, const yaml_node_t *value,
                        void *context)
{
    struct gp_check_rule *rule = context;
    double ns;
    (void)key_node;
    if (scalar(value) == NULL || !gp_parse_time(scalar(value), &ns))
        return wrong_value(r, value, "budget", "is no time with a unit, such as 120 us (ns, us, ms, s)");
    struct gp_budget *budgets = realloc(rule->budgets, (rule->budget_count + 1) * sizeof *budgets);
    if (budgets == NULL)
        return gp_fail(r->error, "out of memory");
    rule->budgets = budgets;
    budgets[rule->budget_count] = (struct gp_budget){strdup(key), ns};
    return budgets[rule->budget_count++].device != NULL || gp_fail(r->error, "out of memory");
}

static bool read_confidence(struct reader *r, const yaml_node_t *node, struct gp_check_rule *rule)
{
    char *end;
    rule->min_confidence = scalar(node) != NULL ? strtod(scalar(node), &end) : -1;
    if (scalar(node) == NULL || end == scalar(node) || *end != '\0' ||
        !(rule->min_confidence >= 0 && rule->min_confidence <= 1))
        return wrong_value(r, node, "min_confidence", "is no number from 0 to 1");
    return true;
}

bool gp_is_cause(const char *name)
{
    for (int cause = 0; cause < GP_CAUSE_COUNT; cause++)
        if (strcmp(gp_cause_name((enum gp_cause)cause), name) == 0)
            return true;
    return false;
}

static bool read_ignore(struct reader *r, const yaml_node_t *node, struct gp_check_rule *rule)
{
    if (!read_words(r, "ignore", node, &rule->ignore))
        return false;
    for (size_t i = 0; i < rule->ignore.count; i++)
        if (!gp_is_cause(rule->ignore.items[i]))
            return gp_fail(r->error, "%s:%u: ignore: there is no cause '%.40s'; gpuperf help lists them", r->path,
                           line_of(node), rule->ignore.items[i]);
    return true;
}

static bool read_rule_key(struct reader *r, const char *key, const yaml_node_t *key_node, const yaml_node_t *value,
                          void *context)
{
    struct gp_check_rule *rule = context;
    if (strcmp(key, "global") == 0)
        return read_sizes(r, key, value, &rule->global);
    if (strcmp(key, "groups") == 0)
        return read_sizes(r, key, value, &rule->groups);
    if (strcmp(key, "local") == 0)
        return read_sizes(r, key, value, &rule->local);
    if (strcmp(key, "args") == 0)
        return each_pair(r, value, key, read_value, rule);
    if (strcmp(key, "budget") == 0)
        return each_pair(r, value, key, read_budget, rule);
    if (strcmp(key, "min_confidence") == 0)
        return read_confidence(r, value, rule);
    if (strcmp(key, "ignore") == 0)
        return read_ignore(r, value, rule);
    return gp_fail(
        r->error,
        "%s:%u: unknown key '%.40s'; a kernel has global, groups, local, args, budget, min_confidence, ignore", r->path,
        line_of(key_node), key);
}

static bool read_kernel(struct reader *r, const char *key, const yaml_node_t *key_node, const yaml_node_t *value,
                        void *context)
{
    struct gp_check_config *config = context;
    struct gp_check_rule *rules = realloc(config->rules, (config->count + 1) * sizeof *rules);
    if (rules == NULL)
        return gp_fail(r->error, "out of memory");
    config->rules = rules;
    struct gp_check_rule *rule = &rules[config->count++];
    *rule = (struct gp_check_rule){.pattern = strdup(key), .line = line_of(key_node)};
    if (rule->pattern == NULL)
        return gp_fail(r->error, "out of memory");
    if (!each_pair(r, value, key, read_rule_key, rule))
        return false;
    if (rule->global.dims > 0 && rule->groups.dims > 0)
        return wrong(r, key_node, "'global' and 'groups' both say how large the launch is; leave one of them out");
    return true;
}

static bool read_top(struct reader *r, const char *key, const yaml_node_t *key_node, const yaml_node_t *value,
                     void *context)
{
    struct gp_check_config *config = context;
    if (strcmp(key, "devices") == 0)
        return read_words(r, key, value, &config->devices);
    if (strcmp(key, "kernels") == 0)
        return each_pair(r, value, key, read_kernel, config);
    return gp_fail(r->error, "%s:%u: unknown key '%.40s'; there are devices and kernels", r->path, line_of(key_node),
                   key);
}

/* ---- The file -------------------------------------------------------------------------------------------------------
 */

static bool parse(struct reader *r, const char *text, size_t length, struct gp_check_config *config)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return gp_fail(r->error, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    bool done = yaml_parser_load(&parser, &r->document);
    if (!done)
        gp_fail(r->error, "%s:%zu: no YAML: %s", r->path, parser.problem_mark.line + 1,
                parser.problem ? parser.problem : "out of memory");
    yaml_parser_delete(&parser);
    if (!done)
        return false;
    const yaml_node_t *root = yaml_document_get_root_node(&r->document);
    done = root != NULL ? each_pair(r, root, "the file", read_top, config)
                        : gp_fail(r->error, "%s is empty; gpuperf init writes a first one", r->path);
    yaml_document_delete(&r->document);
    return done;
}

bool gp_check_config_load(const char *path, struct gp_check_config *config, struct gp_error *error)
{
    size_t length;
    *config = (struct gp_check_config){.path = path};
    char *text = gp_read_file(path, &length);
    if (text == NULL)
        return gp_fail(error, "cannot read %s: %s", path, strerror(errno));
    struct reader reader = {.path = path, .error = error};
    bool done = parse(&reader, text, length, config);
    free(text);
    if (!done)
        gp_check_config_free(config);
    return done;
}

bool gp_check_config_find(const char *path, struct gp_check_config *config, struct gp_error *error)
{
    if (path == NULL && access("gpuperf.yaml", F_OK) == 0)
        path = "gpuperf.yaml";
    return path == NULL || gp_check_config_load(path, config, error);
}

void gp_check_default_devices(const struct gp_check_config *config, struct gp_arguments *devices)
{
    const char *set = getenv("GPUPERF_DEVICE");
    if (devices->count == 0)
        gp_arguments_add_all(devices, (const char *const *)config->devices.items);
    if (devices->count == 0)
        gp_arguments_add(devices, "%s", set != NULL && set[0] != '\0' ? set : "a100");
}

void gp_check_config_free(struct gp_check_config *config)
{
    for (size_t i = 0; i < config->count; i++) {
        struct gp_check_rule *rule = &config->rules[i];
        for (size_t b = 0; b < rule->budget_count; b++)
            free(rule->budgets[b].device);
        free(rule->budgets);
        free(rule->pattern);
        gp_arguments_free(&rule->values);
        gp_arguments_free(&rule->ignore);
    }
    free(config->rules);
    gp_arguments_free(&config->devices);
    *config = (struct gp_check_config){0};
}

struct gp_check_rule *gp_check_rule_for(const struct gp_check_config *config, const char *kernel)
{
    for (size_t i = 0; i < config->count; i++)
        if (fnmatch(config->rules[i].pattern, kernel, 0) == 0)
            return &config->rules[i];
    return NULL;
}
