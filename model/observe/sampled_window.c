/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/observe/sampled_window.h"

#include <math.h>
#include <stdbool.h>

static bool is_alone(const struct gp_window_move *move) { return move->moved < 0 || move->step < 0; }

/*
 * A stretch that moved by less than its length finds each line entered since then new; one that moved further finds its
 * own length of them. What lies between two iterations' windows is not touched.
 */
double gp_window_fresh(const struct gp_window_move *move, const struct gp_window *window)
{
    if (is_alone(move))
        return window->fresh * move->weight;
    if (move->step == 0)
        return window->fresh * move->runs;
    double length = window->all / window->runs, iterations = fmin(move->moved / move->step, move->between);
    double entered = fmin(window->moved, iterations * length);
    return window->fresh * move->runs * fmax(1, entered / length);
}

double gp_window_lacks(const struct gp_window_move *move, const struct gp_window *window, double units)
{
    if (is_alone(move))
        return units;
    if (move->step == 0)
        return units / fmax(1, move->weight / move->runs);
    return fmin(units, window->runs * move->step / window->unit);
}
