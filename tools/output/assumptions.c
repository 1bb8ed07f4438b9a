/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/output/assumptions.h"

#include <string.h>

#include "model/assume/describe.h"
#include "report/json_string.h"

/* CUDA has no global size: the threads of all blocks; the start of a text, and "local" within it. */
static void replace_word(char *at, const char *from, const char *to, char *text, size_t size)
{
    size_t more = strlen(to) - strlen(from), length = strlen(text);
    if (at == NULL || strncmp(at, from, strlen(from)) != 0 || length + more >= size)
        return;
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
}

void gp_launch_words(const struct gp_profile *profile, const struct gp_kernel *kernel, const struct gp_launch *launch,
                     char *text, size_t size)
{
    gp_launch_describe(kernel, launch, text, size);
    if (strcmp(profile->language, "cuda") != 0)
        return;
    replace_word(strstr(text, ", local "), ", local ", ", block ", text, size);
    replace_word(text, "global ", "grid times block ", text, size);
}

json_t *gp_assumptions(const struct gp_kernel *kernel, const struct gp_launch *launch)
{
    struct gp_assumption list[GP_MOST_ASSUMPTIONS];
    size_t count = gp_launch_assumptions(kernel, launch, list);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *item = json_pack("{s:o,s:o,s:b}", "name", gp_json_string(list[i].name), "value",
                                 gp_json_string(list[i].value), "stated", list[i].stated);
        if (list[i].why != NULL)
            json_object_set_new(item, "why", gp_json_string(list[i].why));
        json_array_append_new(array, item);
    }
    return array;
}
