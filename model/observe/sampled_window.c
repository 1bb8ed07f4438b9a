/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/sampled_window.h"

#include <math.h>
#include <stdbool.h>

static bool is_alone(const struct gp_slide *slide) { return slide->moved < 0 || slide->step < 0; }

/*
 * A stretch that moved by less than its length finds each line entered since then new; one that moved further finds its
 * own length of them. What lies between two iterations' windows is not touched.
 */
double gp_slide_fresh(const struct gp_slide *slide, const struct gp_window *window)
{
    if (is_alone(slide))
        return window->fresh * slide->weight;
    if (slide->step == 0)
        return window->fresh * slide->runs;
    double length = window->all / window->runs, iterations = fmin(slide->moved / slide->step, slide->between);
    double entered = fmin(window->moved, iterations * length);
    return window->fresh * slide->runs * fmax(1, entered / length);
}

double gp_slide_lacks(const struct gp_slide *slide, const struct gp_window *window, double units)
{
    if (is_alone(slide))
        return units;
    if (slide->step == 0)
        return units / fmax(1, slide->weight / slide->runs);
    return fmin(units, window->runs * slide->step / window->unit);
}
