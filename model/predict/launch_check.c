/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Is it a launch at all? */
#include <string.h>

#include "model/predict/run.h"

bool gp_check_launch(const struct gp_kernel *kernel, const struct gp_device *device, const struct gp_launch *launch,
                     struct gp_error *error)
{
    uint64_t items = 1;
    if (launch->dims < 1 || launch->dims > GP_MAX_DIMS)
        return gp_fail(error, "kernel '%s': a launch has 1 to 3 dimensions, not %u", kernel->name, launch->dims);
    for (uint32_t d = 0; d < GP_MAX_DIMS; d++) {
        if (launch->global[d] == 0 || launch->local[d] == 0)
            return gp_fail(error, "kernel '%s': the %s size of dimension %u is zero", kernel->name,
                           launch->global[d] == 0 ? "global" : "local", d);
        if (launch->global[d] > (uint64_t)1 << 40)
            return gp_fail(error, "kernel '%s': a global size of %llu in dimension %u is beyond what any device takes",
                           kernel->name, (unsigned long long)launch->global[d], d);
        if (d >= launch->dims && (launch->global[d] > 1 || launch->local[d] > 1))
            return gp_fail(error,
                           "kernel '%s': the %s size has %llu work-items in dimension %u, and the launch has %u "
                           "dimension%s; give the global and the local size as many dimensions",
                           kernel->name, launch->local[d] > 1 ? "local" : "global",
                           launch->local[d] > 1 ? (unsigned long long)launch->local[d]
                                                : (unsigned long long)launch->global[d],
                           d, launch->dims, launch->dims > 1 ? "s" : "");
        items *= launch->local[d];
        if (items > (uint64_t)device->max_threads_per_block.value)
            return gp_fail(error,
                           "kernel '%s': a local size of %ux%ux%u is more than the %.0f work-items per group of %s",
                           kernel->name, launch->local[0], launch->local[1], launch->local[2],
                           device->max_threads_per_block.value, device->name);
    }
    if (!gp_range_is_countable(launch->global))
        return gp_fail(error, "kernel '%s': a launch of more than 2^53 work-items is beyond what any device takes",
                       kernel->name);
    const uint32_t *required = kernel->stated.required_local;
    if (required[0] > 0 && memcmp(required, launch->local, sizeof kernel->stated.required_local) != 0)
        return gp_fail(error, "kernel '%s' requires the local size %ux%ux%u (reqd_work_group_size), not %ux%ux%u",
                       kernel->name, required[0], required[1], required[2], launch->local[0], launch->local[1],
                       launch->local[2]);
    if (kernel->stated.max_local > 0 && items > kernel->stated.max_local)
        return gp_fail(error, "kernel '%s' was compiled for at most %u work-items per group (launch bound), not %llu",
                       kernel->name, kernel->stated.max_local, (unsigned long long)items);
    return true;
}
