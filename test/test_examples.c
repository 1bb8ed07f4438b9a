/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The examples' files for other programs are what those read: GitHub's workflow, pre-commit's hook. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <yaml.h>

#include "support/text.h"

static yaml_document_t document;

static yaml_node_t *load(const char *path)
{
    yaml_parser_t parser;
    size_t length;
    char *text = gp_read_file(path, &length);
    assert_non_null(text);
    assert_true(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    if (!yaml_parser_load(&parser, &document))
        fail_msg("%s:%zu: %s", path, parser.problem_mark.line + 1, parser.problem);
    yaml_parser_delete(&parser);
    free(text);
    return yaml_document_get_root_node(&document);
}

/* NULL: it has no such key. */
static yaml_node_t *value_of(const yaml_node_t *mapping, const char *key)
{
    assert_non_null(mapping);
    assert_int_equal(mapping->type, YAML_MAPPING_NODE);
    for (yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top; pair++)
        if (strcmp((const char *)yaml_document_get_node(&document, pair->key)->data.scalar.value, key) == 0)
            return yaml_document_get_node(&document, pair->value);
    return NULL;
}

static size_t count_of(const yaml_node_t *list)
{
    assert_non_null(list);
    assert_int_equal(list->type, YAML_SEQUENCE_NODE);
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

static yaml_node_t *item_of(const yaml_node_t *list, size_t index)
{
    return yaml_document_get_node(&document, list->data.sequence.items.start[index]);
}

static void assert_words(const yaml_node_t *mapping, const char *const *keys)
{
    for (; *keys != NULL; keys++) {
        const yaml_node_t *value = value_of(mapping, *keys);
        if (value == NULL || value->type != YAML_SCALAR_NODE || value->data.scalar.value[0] == '\0')
            fail_msg("no word for '%s'", *keys);
    }
}

static void workflow_has_steps(void **state)
{
    (void)state;
    const yaml_node_t *root = load(SOURCE_EXAMPLES "/ci/gpuperf.yml");
    assert_non_null(value_of(root, "on"));
    const yaml_node_t *job = value_of(value_of(root, "jobs"), "kernels");
    assert_words(job, (const char *const[]){"runs-on", NULL});
    const yaml_node_t *steps = value_of(job, "steps");
    assert_true(count_of(steps) > 0);
    for (size_t i = 0; i < count_of(steps); i++)
        assert_true((value_of(item_of(steps, i), "uses") != NULL) != (value_of(item_of(steps, i), "run") != NULL));
    yaml_document_delete(&document);
}

static void hook_is_complete(void **state)
{
    (void)state;
    const yaml_node_t *repos = value_of(load(SOURCE_EXAMPLES "/ci/pre-commit-config.yaml"), "repos");
    assert_int_equal(count_of(repos), 1);
    assert_words(item_of(repos, 0), (const char *const[]){"repo", NULL});
    const yaml_node_t *hooks = value_of(item_of(repos, 0), "hooks");
    for (size_t i = 0; i < count_of(hooks); i++)
        assert_words(item_of(hooks, i), (const char *const[]){"id", "name", "entry", "language", "files", NULL});
    yaml_document_delete(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workflow_has_steps),
        cmocka_unit_test(hook_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
