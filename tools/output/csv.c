/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comma-separated values, by RFC 4180: a line for each local size of each launch, with a column for each argument that
 * was stated. */
#include <stdio.h>
#include <string.h>

#include "tools/output/printer.h"

static void print_field(const char *text, struct gp_text *out)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        gp_text_printf(out, "%s", text);
        return;
    }
    gp_text_printf(out, "\"");
    for (; *text != '\0'; text++)
        gp_text_printf(out, *text == '"' ? "\"\"" : "%c", *text);
    gp_text_printf(out, "\"");
}

void gp_csv_head(const struct gp_axes *axes, struct gp_text *out)
{
    gp_text_printf(out, "kernel,symbol,device,");
    for (size_t i = 0; i < axes->count; i++) {
        if (axes->list[i].kind == GP_AXIS_GLOBAL)
            continue; /* has its column anyway */
        print_field(axes->list[i].name, out);
        gp_text_printf(out, ",");
    }
    gp_text_printf(
        out,
        "global,local,caches,rank,cycles,time_ns,occupancy,resident_warps,limiter,model,confidence,waves,registers,"
        "spill_bytes,local_memory,time_ns_low,time_ns_high,known_share\n");
}

static void print_stated(const struct gp_result *result, struct gp_text *out)
{
    for (size_t i = 0; i < result->axes->count; i++) {
        if (result->axes->list[i].kind == GP_AXIS_GLOBAL)
            continue;
        print_field(gp_axes_value(result->axes, i, result->combination), out);
        gp_text_printf(out, ",");
    }
}

static void print_global(const struct gp_prediction *p, struct gp_text *out)
{
    for (uint32_t d = 0; d < p->dims; d++)
        gp_text_printf(out, "%s%llu", d > 0 ? "x" : "", (unsigned long long)p->global[d]);
}

void gp_csv_add(const struct gp_result *result, struct gp_text *out)
{
    char local[GP_SIZES_TEXT];
    for (size_t i = 0; i < result->shown; i++) {
        const struct gp_prediction *p = &result->predictions[i];
        print_field(result->kernel->name, out);
        gp_text_printf(out, ",");
        print_field(result->kernel->symbol, out);
        gp_text_printf(out, ",");
        print_field(result->device->name, out);
        gp_text_printf(out, ",");
        print_stated(result, out);
        print_global(p, out);
        char high[32] = ""; /* not of a loop that never ends */
        if (p->endless == 0)
            snprintf(high, sizeof high, "%.9g", p->time_ns_high);
        gp_text_printf(out, ",%s,%s,%u,%.9g,%.9g,%.9g,%.9g,%s,%s,%.9g,%.9g,%u,%u,%u,%.9g,%s,%.9g\n",
                       gp_sizes_text(p->dims, p->local, local), p->cold ? "cold" : "warm", p->rank, p->cycles,
                       p->time_ns, p->occupancy, p->resident_warps, gp_limit_told(p), p->model, p->confidence, p->waves,
                       p->registers, p->spill_bytes, p->local_memory, p->time_ns_low, high, p->known_share);
    }
}
