/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which iterations of a loop are executed when they are alike, and how many each stands for.
 *
 * Where all lanes run the loop equally often: the first two iterations (consecutive, so that an observer sees how
 * addresses move), the last two (of a loop tested at its top the very last is the header alone) and, between them, one
 * of each of a few equal strata (coarse: of one, fine: of more), near its middle, standing for the stratum. Costs that
 * grow linearly, as in triangular loops, come out right that way; the samples differ in their remainders modulo small
 * powers of two, so that what depends on alignment averages out. Where lanes leave at different iterations, the
 * iteration of each departure is executed and the stretches between them are sampled. Sparse, without strata: the
 * iteration before a stretch stands for it, and of the first two and last two one each is executed.
 *
 * Weights are whole numbers and add up to the largest trip count exactly.
 */
#include <stdlib.h>

#include "model/executor/executor_internal.h"

static void append(struct plan *plan, uint64_t position, uint64_t weight)
{
    if (plan->count == MAX_POSITIONS)
        return;
    plan->position[plan->count] = position;
    plan->weight[plan->count] = (double)weight;
    plan->count++;
}

/* n * i / k without overflow, for i <= k. */
static uint64_t part(uint64_t n, unsigned i, unsigned k) { return n / k * i + n % k * i / k; }

/*
 * The number nearest to the middle of a stratum with the wanted remainder; the modulus is small against the stratum.
 * The middles of a short loop's few strata, evenly spaced, would be all even, or all odd: their modulus is 2 whatever
 * the length.
 */
static uint64_t near_middle(uint64_t low, uint64_t length, unsigned stratum, unsigned strata)
{
    static const uint8_t few[FEW_SAMPLES] = {1, 14, 19, 28};
    uint64_t modulus = strata > 1 && strata <= FEW_SAMPLES ? 2 : 1, middle = low + (length - 1) / 2;
    while (modulus < 32 && modulus * 16 <= length)
        modulus *= 2;
    uint64_t wanted = strata <= FEW_SAMPLES ? few[stratum] : stratum * 5 + 1;
    uint64_t up = (wanted - middle) % modulus; /* modulus is a power of two: wrapping is harmless */
    uint64_t position = up <= modulus / 2 ? middle + up : middle + up - modulus;
    return position < low + length ? position : position - modulus;
}

static void append_interior(struct plan *plan, uint64_t from, uint64_t to, unsigned strata)
{
    if (to <= from)
        return;
    uint64_t length = to - from;
    if (strata == 0) {
        plan->weight[plan->count - 1] += (double)length;
        return;
    }
    if (length <= 2 * strata) {
        for (uint64_t position = from; position < to; position++)
            append(plan, position, 1);
        return;
    }
    for (unsigned i = 0; i < strata; i++) {
        uint64_t low = part(length, i, strata), high = part(length, i + 1, strata);
        append(plan, near_middle(from + low, high - low, i, strata), high - low);
    }
}

static int compare_counts(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

bool gp_plan_loop(struct plan *plan, const uint64_t *trip_counts, uint32_t count, unsigned strata)
{
    uint64_t sorted[GP_MAX_LANES], from = 0;
    unsigned ends = strata > 0 ? 2 : 1; /* executed of the first iterations, and of the last */
    if (count == 0 || count > GP_MAX_LANES)
        return false;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = trip_counts[i];
    qsort(sorted, count, sizeof *sorted, compare_counts);
    plan->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t to = sorted[i];
        unsigned singles = i + 1 == count ? ends : 1;
        if (to == 0)
            return false;
        if (from == 0) {
            append(plan, 0, 1);
            from = 1;
            if (to > 3 && ends > 1) {
                append(plan, 1, 1);
                from = 2;
            }
            singles = ends;
        }
        if (to <= from)
            continue;
        uint64_t tail = to - from < singles ? from : to - singles;
        append_interior(plan, from, tail, i > 0 && sorted[0] != to && strata > PART_SAMPLES ? PART_SAMPLES : strata);
        for (uint64_t position = tail; position < to; position++)
            append(plan, position, 1);
        from = to;
    }
    return plan->count < MAX_POSITIONS && (uint64_t)plan->count * 2 <= sorted[count - 1];
}
