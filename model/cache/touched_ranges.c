/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/cache/touched_ranges.h"

#include <math.h>
#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const struct gp_stretch *x = a, *y = b;
    if (x->symbol != y->symbol)
        return x->symbol < y->symbol ? -1 : 1;
    return x->low != y->low ? (x->low > y->low) - (x->low < y->low) : (x->high > y->high) - (x->high < y->high);
}

size_t gp_stretches_join(struct gp_stretch *stretches, size_t count)
{
    size_t joined = 0;
    if (count > 1)
        qsort(stretches, count, sizeof *stretches, by_place);
    for (size_t i = 0; i < count; i++) {
        struct gp_stretch next = stretches[i], *last = joined > 0 ? &stretches[joined - 1] : NULL;
        if (last == NULL || last->symbol != next.symbol || next.low > last->high) {
            stretches[joined++] = next;
            continue;
        }
        last->high = fmax(last->high, next.high);
        last->touched += next.touched;
        last->seen += next.seen;
    }
    return joined;
}

/* The first that begins behind the offset. */
static size_t first_behind(const struct gp_stretch *stretches, size_t count, uint32_t symbol, double offset)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (stretches[middle].symbol < symbol ||
            (stretches[middle].symbol == symbol && stretches[middle].low <= offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool holds(const struct gp_stretch *s, uint32_t symbol, double offset)
{
    return s->symbol == symbol && offset < s->high;
}

size_t gp_stretches_from(const struct gp_stretch *stretches, size_t count, uint32_t symbol, double offset)
{
    size_t behind = first_behind(stretches, count, symbol, offset);
    return behind > 0 && holds(&stretches[behind - 1], symbol, offset) ? behind - 1 : behind;
}

struct gp_stretch *gp_stretches_at(struct gp_stretch *stretches, size_t count, uint32_t symbol, double offset)
{
    size_t behind = first_behind(stretches, count, symbol, offset);
    return behind > 0 && holds(&stretches[behind - 1], symbol, offset) ? &stretches[behind - 1] : NULL;
}

double gp_stretch_fill(const struct gp_stretch *s)
{
    double length = s->high - s->low, touched = fmin(s->touched, length), nearly = 0.9;
    return touched < nearly * length || s->seen >= length ? 0 : fmax(0, touched - s->seen) / (length - s->seen);
}
