/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "config/config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "model/launch/numbers.h"
#include "support/text.h"

struct reader {
    const char *path;
    yaml_document_t document;
    struct gp_error *error;
};

/* ---- YAML's nodes ------------------------------------------------------------------------------------------------ */

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

/* ---- A kernel's rule --------------------------------------------------------------------------------------------- */

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
    (void)key_node;
    if (scalar(value) == NULL)
        return wrong_value(r, value, key, "is no number");
    gp_arguments_add(context, "%s=%s", key, scalar(value));
    return true;
}

/* ---- The launches of a program ----------------------------------------------------------------------------------- */

/* A path is relative to the file that states it. */
static bool read_source(struct reader *r, const yaml_node_t *node, struct gp_check_launch *launch)
{
    const char *path = scalar(node), *slash = strrchr(r->path, '/');
    int folder = slash != NULL && path != NULL && path[0] != '/' ? (int)(slash - r->path) + 1 : 0;
    if (path == NULL)
        return wrong_value(r, node, "source", "is no path");
    free(launch->source);
    return asprintf(&launch->source, "%.*s%s", folder, r->path, path) >= 0 || gp_fail(r->error, "out of memory");
}

static bool read_count(struct reader *r, const yaml_node_t *node, struct gp_check_launch *launch)
{
    char *end;
    launch->count = scalar(node) != NULL ? strtod(scalar(node), &end) : 0;
    if (scalar(node) == NULL || *end != '\0' || !(launch->count >= 1 && launch->count < 1e15))
        return wrong_value(r, node, "count", "is no number of launches");
    return true;
}

static bool read_launch_key(struct reader *r, const char *key, const yaml_node_t *key_node, const yaml_node_t *value,
                            void *context)
{
    struct gp_check_launch *launch = context;
    if (strcmp(key, "source") == 0)
        return read_source(r, value, launch);
    if (strcmp(key, "options") == 0)
        return read_words(r, key, value, &launch->options);
    if (strcmp(key, "global") == 0)
        return read_sizes(r, key, value, &launch->global);
    if (strcmp(key, "local") == 0)
        return read_sizes(r, key, value, &launch->local);
    if (strcmp(key, "driver_local") == 0)
        return read_sizes(r, key, value, &launch->driver_local);
    if (strcmp(key, "args") == 0)
        return each_pair(r, value, key, read_value, &launch->values);
    if (strcmp(key, "count") == 0)
        return read_count(r, value, launch);
    return gp_fail(r->error,
                   "%s:%u: unknown key '%.40s'; a launch has source, options, global, local, "
                   "driver_local, args, count",
                   r->path, line_of(key_node), key);
}

static bool read_launch(struct reader *r, const yaml_node_t *node, struct gp_check_rule *rule)
{
    struct gp_check_launch *launches = realloc(rule->launches, (rule->launch_count + 1) * sizeof *launches);
    if (launches == NULL)
        return gp_fail(r->error, "out of memory");
    rule->launches = launches;
    struct gp_check_launch *launch = &launches[rule->launch_count++];
    *launch = (struct gp_check_launch){.line = line_of(node), .count = 1};
    return each_pair(r, node, "a launch", read_launch_key, launch) &&
           (launch->global.dims > 0 || wrong(r, node, "a launch needs 'global'"));
}

static bool read_launches(struct reader *r, const yaml_node_t *node, struct gp_check_rule *rule)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return wrong_value(r, node, "launches", "is no list of launches");
    for (const yaml_node_item_t *item = node->data.sequence.items.start; item < node->data.sequence.items.top; item++)
        if (!read_launch(r, yaml_document_get_node(&r->document, *item), rule))
            return false;
    return true;
}

/* ---- A kernel's rule, all of it ---------------------------------------------------------------------------------- */

/* "120 us", "1.5 ms", "800 ns", "2 s". False: no number above 0, or no unit. */
static bool parse_time(const char *text, double *ns)
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
    if (scalar(value) == NULL || !parse_time(scalar(value), &ns))
        return wrong_value(r, value, "budget", "is no time with a unit, such as 120 us (ns, us, ms, s)");
    struct gp_budget *budgets = realloc(rule->budgets, (rule->budget_count + 1) * sizeof *budgets);
    if (budgets == NULL)
        return gp_fail(r->error, "out of memory");
    rule->budgets = budgets;
    budgets[rule->budget_count] = (struct gp_budget){.device = strdup(key), .line = line_of(key_node), .ns = ns};
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
    if (strcmp(key, "args") == 0) {
        rule->args_line = line_of(key_node);
        return each_pair(r, value, key, read_value, &rule->values);
    }
    if (strcmp(key, "budget") == 0)
        return each_pair(r, value, key, read_budget, rule);
    if (strcmp(key, "min_confidence") == 0)
        return read_confidence(r, value, rule);
    if (strcmp(key, "ignore") == 0)
        return read_ignore(r, value, rule);
    if (strcmp(key, "launches") == 0)
        return read_launches(r, value, rule);
    return gp_fail(r->error,
                   "%s:%u: unknown key '%.40s'; a kernel has global, groups, local, args, budget, min_confidence, "
                   "ignore, launches",
                   r->path, line_of(key_node), key);
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
    if (rule->launch_count > 0 && rule->global.dims + rule->groups.dims + rule->local.dims + rule->values.count > 0)
        return wrong(r, key_node, "'launches' state all of the launches: no global, groups, local or args beside them");
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

/* ---- The file ---------------------------------------------------------------------------------------------------- */

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

static void free_launch(struct gp_check_launch *launch)
{
    free(launch->source);
    gp_arguments_free(&launch->options);
    gp_arguments_free(&launch->values);
}

void gp_check_config_free(struct gp_check_config *config)
{
    for (size_t i = 0; i < config->count; i++) {
        struct gp_check_rule *rule = &config->rules[i];
        for (size_t b = 0; b < rule->budget_count; b++)
            free(rule->budgets[b].device);
        free(rule->budgets);
        for (size_t l = 0; l < rule->launch_count; l++)
            free_launch(&rule->launches[l]);
        free(rule->launches);
        free(rule->pattern);
        gp_arguments_free(&rule->values);
        gp_arguments_free(&rule->ignore);
    }
    free(config->rules);
    gp_arguments_free(&config->devices);
    *config = (struct gp_check_config){0};
}
