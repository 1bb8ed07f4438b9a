/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Predictions in the order of their times. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/predict/run.h"

bool gp_prediction_tied(const struct gp_prediction *a, const struct gp_prediction *b)
{
    if (!a->feasible || !b->feasible)
        return false;
    double low = fmin(a->cycles, b->cycles), high = fmax(a->cycles, b->cycles);
    return high <= GP_TIED * low;
}

static int by_time(const void *x, const void *y)
{
    const struct gp_prediction *a = x, *b = y;
    if (a->feasible != b->feasible)
        return a->feasible ? -1 : 1;
    if ((a->endless > 0) != (b->endless > 0))
        return a->endless > 0 ? 1 : -1;
    if (a->cycles != b->cycles)
        return a->cycles < b->cycles ? -1 : 1;
    if (a->occupancy != b->occupancy)
        return a->occupancy > b->occupancy ? -1 : 1;
    return (int)a->rank - (int)b->rank; /* the order given */
}

bool gp_prefers_group(double items, double other, double full)
{
    bool is_full = items >= full, other_is_full = other >= full;
    return is_full != other_is_full ? is_full : is_full ? items < other : items > other;
}

static double items_of(const struct gp_prediction *p)
{
    return (double)p->local[0] * fmax(1, p->local[1]) * fmax(1, p->local[2]);
}

/* Whether a prediction, behind the fastest, takes as long as nobody can tell from it. On CPUs groups are loops. */
static bool takes_as_long(const struct gp_prediction *p, const struct gp_prediction *fastest)
{
    return p->feasible && fastest->feasible && (p->endless > 0) == (fastest->endless > 0) &&
           p->cycles <= GP_EQUAL_TIMES * fastest->cycles && !(p->model != NULL && strcmp(p->model, "cpu") == 0);
}

static const struct gp_prediction *at(const struct gp_prediction *predictions, struct gp_prediction *const *each,
                                      size_t i)
{
    return each != NULL ? each[i] : &predictions[i];
}

/* Of predictions in the order of their times, an array or pointers to each, the first to be. */
static size_t preferred(const struct gp_prediction *predictions, struct gp_prediction *const *each, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count && takes_as_long(at(predictions, each, i), at(predictions, each, 0)); i++)
        best = gp_prefers_group(items_of(at(predictions, each, i)), items_of(at(predictions, each, best)),
                                at(predictions, each, i)->full_group)
                   ? i
                   : best;
    return best;
}

/* As far apart as sums of the same terms in another order are, and less than anybody prints. */
#define SAME 1e-9

const char *gp_why_preferred(const struct gp_prediction *first, const struct gp_prediction *other)
{
    bool full = items_of(first) >= first->full_group, other_full = items_of(other) >= first->full_group;
    if (!other->feasible || other->cycles >= (1 - SAME) * first->cycles)
        return NULL;
    if (full != other_full)
        return "its groups are a quarter of what an SM holds, or more";
    return full ? "its groups are smaller, and still a quarter of what an SM holds, or more" : "its groups are larger";
}

const char *gp_limit_told(const struct gp_prediction *prediction)
{
    return prediction->endless > 0 ? "endless" : gp_limiter_name(prediction->limiter);
}

static int each_by_time(const void *x, const void *y)
{
    return by_time(*(const struct gp_prediction *const *)x, *(const struct gp_prediction *const *)y);
}

void gp_predictions_rank_each(struct gp_prediction **predictions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        predictions[i]->rank = (uint32_t)i;
    qsort(predictions, count, sizeof *predictions, each_by_time);
    size_t best = preferred(NULL, predictions, count);
    if (best > 0) {
        struct gp_prediction *first = predictions[best];
        memmove(predictions + 1, predictions, best * sizeof *predictions);
        predictions[0] = first;
    }
    for (size_t i = 0; i < count; i++)
        predictions[i]->rank = (uint32_t)i + 1;
}

void gp_predictions_rank(struct gp_prediction *predictions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        predictions[i].rank = (uint32_t)i;
    qsort(predictions, count, sizeof *predictions, by_time);
    size_t best = preferred(predictions, NULL, count);
    if (best > 0) {
        struct gp_prediction first = predictions[best];
        memmove(predictions + 1, predictions, best * sizeof *predictions);
        predictions[0] = first;
    }
    for (size_t i = 0; i < count; i++)
        predictions[i].rank = (uint32_t)i + 1;
}
