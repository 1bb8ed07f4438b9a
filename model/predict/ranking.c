/* Predictions in the order of their times. */
#include <math.h>
#include <stdlib.h>

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
    if (a->cycles != b->cycles)
        return a->cycles < b->cycles ? -1 : 1;
    if (a->occupancy != b->occupancy)
        return a->occupancy > b->occupancy ? -1 : 1;
    return (int)a->rank - (int)b->rank; /* the order given */
}

static int each_by_time(const void *x, const void *y) { return by_time(*(const struct gp_prediction *const *)x, *(const struct gp_prediction *const *)y); }

void gp_predictions_rank_each(struct gp_prediction **predictions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        predictions[i]->rank = (uint32_t)i;
    qsort(predictions, count, sizeof *predictions, each_by_time);
    for (size_t i = 0; i < count; i++)
        predictions[i]->rank = (uint32_t)i + 1;
}

void gp_predictions_rank(struct gp_prediction *predictions, size_t count)
{
    for (size_t i = 0; i < count; i++)
        predictions[i].rank = (uint32_t)i;
    qsort(predictions, count, sizeof *predictions, by_time);
    for (size_t i = 0; i < count; i++)
        predictions[i].rank = (uint32_t)i + 1;
}
