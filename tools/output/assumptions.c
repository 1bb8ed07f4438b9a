/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/output/assumptions.h"

#include "model/assume/describe.h"
#include "report/json_string.h"

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
