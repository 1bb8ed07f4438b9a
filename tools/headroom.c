/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* How far from what the device could do, in the table's head. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/results.h"

bool gp_is_launched(const struct gp_result *result, size_t index)
{
    return memcmp(result->predictions[index].local, result->launched, sizeof result->launched) == 0;
}

static bool is_asked_for(const struct gp_result *result, const uint32_t local[3])
{
    for (size_t i = 0; i < result->explain_count; i++)
        if (result->explain[i].size[0] == local[0] && result->explain[i].size[1] == local[1] &&
            result->explain[i].size[2] == local[2])
            return true;
    return false;
}

bool gp_is_explained(const struct gp_result *result, size_t index)
{
    return index == 0 || gp_is_launched(result, index) || is_asked_for(result, result->predictions[index].local);
}

/* Whether one of the causes is that of a finding, at its place. */
static bool has_cause(const struct gp_prediction *p, const struct gp_bottleneck *wanted)
{
    for (uint32_t i = 0; i < p->bottleneck_count; i++)
        if (p->bottlenecks[i].cause == wanted->cause && p->bottlenecks[i].location == wanted->location)
            return true;
    return false;
}

/* A size that nobody can tell apart from the best, with no cause that this has not. */
bool gp_is_like_best(const struct gp_result *result, size_t index)
{
    const struct gp_prediction *best = &result->predictions[0], *p = &result->predictions[index];
    bool alike = index > 0 && gp_prediction_tied(best, p) && !is_asked_for(result, p->local);
    for (uint32_t i = 0; alike && i < p->bottleneck_count; i++)
        alike = has_cause(best, &p->bottlenecks[i]);
    return alike && p->bottleneck_count > 0;
}

const struct gp_prediction *gp_launched(const struct gp_result *result)
{
    size_t i = 0;
    while (i < result->count && !gp_is_launched(result, i))
        i++;
    return &result->predictions[i < result->count ? i : 0];
}

static void print_factor(const struct gp_result *result, const struct gp_prediction *p, struct gp_text *out)
{
    const struct gp_headroom *h = &p->headroom;
    char size[GP_SIZES_TEXT];
    gp_text_printf(out, "%.*fx with %s %s%s",
                   h->headroom < 1.995  ? 2
                   : h->headroom < 99.5 ? 1
                                        : 0,
                   h->headroom, gp_local_word(result), gp_sizes_text(p->dims, p->local, size),
                   h->at_roof ? ", at its roof" : "");
}

static void print_ideal(const struct gp_headroom *h, struct gp_text *out)
{
    bool moving = h->by == GP_LIMITER_DRAM || h->by == GP_LIMITER_L2 ||
                  (h->by == GP_LIMITER_LAUNCH && h->moving_ns >= h->computing_ns);
    char ideal[GP_TIME_TEXT], start[GP_TIME_TEXT];
    gp_time_text(h->ideal_ns, ideal);
    gp_time_text(h->launch_ns, start);
    gp_text_printf(out, "  ideal      %s", ideal);
    if (moving)
        gp_text_printf(out, ": each byte moved once at %.0f GB/s", h->gbps);
    else
        gp_text_printf(out, ": each operation at its pipe's rate");
    if (h->launch_ns > 0)
        gp_text_printf(out, ", %s of it to start", start);
    gp_text_printf(out, "\n");
}

/* Names as vendors write them. */
static const char *unit_word(enum gp_limiter unit)
{
    switch (unit) {
    case GP_LIMITER_FP32: return "FP32";
    case GP_LIMITER_FP64: return "FP64";
    case GP_LIMITER_SFU: return "SFU";
    case GP_LIMITER_INT: return "INT";
    case GP_LIMITER_LSU: return "LSU";
    case GP_LIMITER_L2: return "L2";
    case GP_LIMITER_DRAM: return "DRAM";
    default: return gp_limiter_name(unit);
    }
}

/* The busiest first, as many as a line of 80 columns holds; below half a percent none. */
static void print_units(const struct gp_headroom *h, struct gp_text *out)
{
    bool told[GP_LIMITER_COUNT] = {false};
    const char *gap = "";
    gp_text_printf(out, "  units      ");
    for (int shown = 0; shown < 5; shown++) {
        int next = -1;
        for (int i = 0; i < GP_LIMITER_COUNT; i++)
            if (!told[i] && h->share[i] >= 0.005 && (next < 0 || h->share[i] > h->share[next]))
                next = i;
        if (next < 0)
            break;
        told[next] = true;
        gp_text_printf(out, "%s%s %.0f%%", gap, unit_word((enum gp_limiter)next), 100 * h->share[next]);
        gap = "  ";
    }
    gp_text_printf(out, *gap ? "  (of peak)\n" : "all below 1%% of their peaks\n");
}

static void print_step(const struct gp_result *result, const struct gp_prediction *p, struct gp_text *out)
{
    const struct gp_occupancy_step *step = &p->occupancy_next;
    bool cuda = strcmp(result->profile->language, "cuda") == 0;
    const char *group = cuda ? "block" : "group";
    switch (step->of) {
    case GP_STEP_REGISTERS:
        gp_text_printf(out, "%u register%s fewer: %.4g %ss", step->by, step->by > 1 ? "s" : "", step->groups, group);
        break;
    case GP_STEP_LOCAL_MEMORY:
        gp_text_printf(out, "%u byte%s of %s memory fewer: %.4g %ss", step->by, step->by > 1 ? "s" : "",
                       cuda ? "shared" : "local", step->groups, group);
        break;
    case GP_STEP_GROUP_SIZE:
        gp_text_printf(out, "%ss of %u: %.0f%% of the warps", group, step->by, 100 * step->occupancy);
        break;
    default: gp_text_printf(out, "none");
    }
}

static void print_occupancy(const struct gp_result *result, const struct gp_prediction *p, struct gp_text *out)
{
    const struct gp_device *d = result->device;
    double most = d->max_warps_per_sm.value;
    if (d->arch == GP_ARCH_CPU)
        return;
    gp_text_printf(out, "  occupancy  %.4g %ss, %.0f of %.0f %ss; next step: ", p->resident_groups,
                   strcmp(result->profile->language, "cuda") == 0 ? "block" : "group", p->occupancy * most, most,
                   gp_arch_is_amd(d->arch) ? "wave" : "warp");
    print_step(result, p, out);
    gp_text_printf(out, "\n");
}

void gp_print_headroom(const struct gp_result *result, struct gp_text *out)
{
    const struct gp_prediction *own = gp_launched(result), *best = &result->predictions[0];
    if (own->headroom.ideal_ns <= 0)
        return;
    gp_text_printf(out, "  headroom   ");
    print_factor(result, own, out);
    if (own != best) {
        gp_text_printf(out, "; ");
        print_factor(result, best, out);
    }
    gp_text_printf(out, "\n");
    print_ideal(&own->headroom, out);
    print_units(&own->headroom, out);
    print_occupancy(result, own, out);
}
