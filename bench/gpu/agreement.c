/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/gpu/agreement.h"

#include <math.h>
#include <string.h>

struct reference {
    unsigned block;
    bool known;
    unsigned char results[];
};

void *agreement_output(struct arrays *a, size_t bytes)
{
    arrays_add_reference(a, sizeof(struct reference) + bytes);
    return arrays_add(a, bytes, true);
}

bool agreement_complete(const struct arrays *a) { return a->reference != NULL && arrays_complete(a); }

static const struct array *output_of(const struct arrays *a) { return &a->items[0]; }

/* The reference; this row's results if there is none yet. */
static const void *reference_for(const struct arrays *a, unsigned block)
{
    struct reference *reference = a->reference;
    if (!reference->known || reference->block != block) {
        memcpy(reference->results, output_of(a)->data, output_of(a)->bytes);
        reference->known = true;
        reference->block = block;
    }
    return reference->results;
}

static double number(const void *numbers, size_t i, size_t size)
{
    return size == sizeof(float) ? (double)((const float *)numbers)[i] : ((const double *)numbers)[i];
}

/*
 * One part in 10^4 of what is expected, and of the mean magnitude: the hardware's own functions and another order of
 * sums differ by less. Of large outputs some, spread evenly.
 */
static double error_of(const struct arrays *a, const void *expected, size_t size)
{
    enum { LOOKS = 1 << 19 };
    const void *got = output_of(a)->data;
    size_t count = output_of(a)->bytes / size, step = count / LOOKS | 1, looks = 0;
    double worst = 0, sum = 0;
    for (size_t i = 0; i < count; i += step, looks++)
        sum += fabs(number(expected, i, size));
    for (size_t i = 0; i < count; i += step) {
        double allowed = 1e-4 * (fabs(number(expected, i, size)) + sum / (double)looks) + 1e-30;
        worst = isfinite(number(got, i, size))
                    ? fmax(worst, fabs(number(got, i, size) - number(expected, i, size)) / allowed)
                    : INFINITY;
    }
    return sum > 0 ? worst : INFINITY;
}

double agreement_floats(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    (void)s, (void)t, (void)row;
    return error_of(a, reference_for(a, 0), sizeof(float));
}

double agreement_doubles(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    (void)s, (void)t, (void)row;
    return error_of(a, reference_for(a, 0), sizeof(double));
}

double agreement_of_group(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    (void)s;
    return error_of(a, reference_for(a, (unsigned)table_cell(t, row, "block_size_x", 1)), sizeof(float));
}

double agreement_words(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    (void)s, (void)t, (void)row;
    return memcmp(output_of(a)->data, reference_for(a, 0), output_of(a)->bytes) == 0 ? 0 : INFINITY;
}
