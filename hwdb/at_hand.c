/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "hwdb/hwdb.h"

static void replace(struct gp_number *number, double value, const char *source)
{
    if (value > 0)
        *number = (struct gp_number){value, GP_FROM_MEASURED, source};
}

void gp_device_at_hand(struct gp_device *device, double units, double clock_mhz, double cache_bytes, const char *source)
{
    double cores = device->sm_count.value;
    if (device->arch == GP_ARCH_CPU && units > 0 && cores > 0) { /* each core has its own */
        device->l2_bytes_per_clk.value *= units / cores;
        device->l2_lines_per_clk.value *= units / cores;
        device->l2_write_bytes_per_clk.value *= units / cores;
    }
    if (device->arch == GP_ARCH_XE) /* Intel's drivers count vector engines */
        units /= device->schedulers_per_sm.value;
    replace(&device->sm_count, units, source);
    replace(&device->clock_mhz, clock_mhz, source);
    replace(&device->llc_size, cache_bytes, source);
}
