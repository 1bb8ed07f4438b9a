/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/gpu/tuned.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "bench/gpu/agreement.h"
#include "bench/gpu/checks.h"

enum { GIVEN = 48 << 10, SEED = 21 }; /* bytes of local memory that CUDA gives without asking; of words */

static size_t size_of(const struct subject *s) { return subject_size(s, "SIZE"); }

/* ---- Arguments ------------------------------------------------------------------------------------------------- */

/* `rows` x `columns` floats, and the same turned. */
static void add_both_ways(struct arrays *a, size_t rows, size_t columns)
{
    const float *cells = arrays_add_floats(a, rows * columns, 0.1f, 1);
    arrays_add_turned(a, cells, rows, columns);
}

bool tuned_make_gemm(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = size_of(s);
    (void)stride;
    agreement_output(a, n * n * sizeof(float));
    arrays_add_floats(a, n * n, -1, 1);
    arrays_add_floats(a, n * n, -1, 1);
    return agreement_complete(a);
}

bool tuned_make_coulomb(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, size_of(s) * size_of(s) * sizeof(float));
    add_both_ways(a, subject_size(s, "ATOMS"), 4);
    return agreement_complete(a);
}

bool tuned_make_hotspot(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = size_of(s), pitch = n + 2 * subject_size(s, "STEPS");
    (void)stride;
    agreement_output(a, n * n * sizeof(float));
    arrays_add_floats(a, pitch * pitch, 0, 1);
    arrays_add_floats(a, pitch * pitch, 0, 1);
    return agreement_complete(a);
}

bool tuned_make_sums(const struct subject *s, double stride, struct arrays *a)
{
    const size_t LEAST = 32 * 4; /* floats that a group adds up */
    (void)stride;
    arrays_add(a, s->range[0] / LEAST * sizeof(float), true);
    arrays_add_floats(a, s->range[0], -1, 1);
    return arrays_complete(a);
}

bool tuned_make_fir(const struct subject *s, double stride, struct arrays *a)
{
    size_t taps = subject_size(s, "TAPS");
    (void)stride;
    agreement_output(a, size_of(s) * sizeof(float));
    arrays_add_floats(a, size_of(s) + taps, -1, 1);
    return arrays_add_constant(a, "taps", taps, 1) && agreement_complete(a);
}

bool tuned_make_stencil3d(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = size_of(s), pitch = n + 2 * subject_size(s, "RADIUS"), count = pitch * pitch * pitch;
    (void)stride;
    if (subject_size(s, "DOUBLE") == 0) {
        agreement_output(a, n * n * n * sizeof(float));
        arrays_add_floats(a, count, 0, 1);
        return agreement_complete(a);
    }
    agreement_output(a, n * n * n * sizeof(double));
    double *points = arrays_add(a, count * sizeof *points, false);
    uint64_t state = 29;
    for (size_t i = 0; points != NULL && i < count; i++)
        points[i] = arrays_random(&state) * 0x1p-31;
    return agreement_complete(a);
}

bool tuned_make_bilateral(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = size_of(s);
    (void)stride;
    agreement_output(a, n * n * sizeof(float));
    arrays_add_floats(a, n * n, 0, 1);
    return agreement_complete(a);
}

bool tuned_make_expdist(const struct subject *s, double stride, struct arrays *a)
{
    const size_t LEAST = 32; /* pairs that a group compares */
    size_t n = size_of(s);
    (void)stride;
    arrays_add(a, n * n / LEAST * sizeof(float), true);
    arrays_add_floats(a, 3 * n, 0.1f, 1);
    arrays_add_floats(a, 3 * n, 0.1f, 1);
    return arrays_complete(a);
}

bool tuned_make_softmax(const struct subject *s, double stride, struct arrays *a)
{
    size_t count = (size_t)s->range[0] * subject_size(s, "COLUMNS");
    (void)stride;
    agreement_output(a, count * sizeof(float));
    arrays_add_floats(a, count, -4, 4);
    return agreement_complete(a);
}

bool tuned_make_gemv(const struct subject *s, double stride, struct arrays *a)
{
    size_t columns = subject_size(s, "COLUMNS");
    (void)stride;
    agreement_output(a, s->range[0] * sizeof(float));
    arrays_add_floats(a, s->range[0] * columns, -1, 1);
    arrays_add_floats(a, columns, -1, 1);
    return agreement_complete(a);
}

bool tuned_make_digest(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    agreement_output(a, s->range[0] * sizeof(uint32_t));
    arrays_add_words(a, s->range[0], SEED);
    return agreement_complete(a);
}

bool tuned_make_lattice(const struct subject *s, double stride, struct arrays *a)
{
    enum { POPULATIONS = 9 };
    size_t cells = size_of(s) * size_of(s);
    (void)stride;
    agreement_output(a, POPULATIONS * cells * sizeof(float));
    add_both_ways(a, cells, POPULATIONS);
    return agreement_complete(a);
}

bool tuned_make_bitonic(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    arrays_add(a, s->range[0] * sizeof(uint32_t), true);
    arrays_add_words(a, s->range[0], SEED);
    return arrays_complete(a);
}

/* ---- Rows that are possible ------------------------------------------------------------------------------------ */

bool tuned_accepts_gemm(const struct subject *s, const struct table *t, size_t row)
{
    unsigned x = cell(t, row, "block_size_x"), y = cell(t, row, "block_size_y");
    (void)s;
    return x <= 32 && y >= 4 && x * y >= 64 && x * y <= 512;
}

bool tuned_accepts_hotspot(const struct subject *s, const struct table *t, size_t row)
{
    unsigned border = 2 * subject_size(s, "STEPS"), arrays = 2 + (unsigned)table_cell(t, row, "staged", 0),
             x = cell(t, row, "block_size_x");
    unsigned wide = x * cell(t, row, "tile_size_x") + border,
             high = cell(t, row, "block_size_y") * cell(t, row, "tile_size_y") + border;
    return x >= 8 && arrays * wide * high * sizeof(float) <= GIVEN;
}

bool tuned_accepts_stencil3d(const struct subject *s, const struct table *t, size_t row)
{
    return size_of(s) % cell(t, row, "block_size_x") == 0 && size_of(s) % cell(t, row, "block_size_y") == 0;
}

bool tuned_accepts_expdist(const struct subject *s, const struct table *t, size_t row)
{
    unsigned x = cell(t, row, "block_size_x"), y = cell(t, row, "block_size_y");
    (void)s;
    return ((x * y) & (x * y - 1)) == 0;
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

double tuned_sums_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const float *out = a->items[0].data, *in = a->items[1].data;
    size_t each = cell(t, row, "block_size_x") * cell(t, row, "tile_size_x"), groups = s->range[0] / each;
    double worst = 0;
    for (size_t g = 0; g < groups; g += groups / 100 + 1) {
        double sum = 0;
        for (size_t i = 0; i < each; i++)
            sum += in[g * each + i];
        worst = fmax(worst, sum_error(out[g], sum, (double)each));
    }
    return worst;
}

double tuned_expdist_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const float *out = a->items[0].data, *left = a->items[1].data, *right = a->items[2].data;
    size_t n = size_of(s), width = cell(t, row, "block_size_x") * cell(t, row, "tile_size_x"),
           height = cell(t, row, "block_size_y") * cell(t, row, "tile_size_y");
    size_t across = n / width, groups = across * (n / height);
    double worst = 0;
    for (size_t g = 0; g < groups; g += groups / 20 + 1) {
        size_t x0 = g % across * width, y0 = g / across * height;
        double sum = 0;
        for (size_t i = 0; i < width * height; i++) {
            size_t x = x0 + i % width, y = y0 + i / width;
            double dx = (double)left[x] - right[y], dy = (double)left[n + x] - right[n + y];
            sum += exp(-(dx * dx + dy * dy) * ((double)left[2 * n + x] + right[2 * n + y]));
        }
        worst = fmax(worst, sum_error(out[g], sum, (double)(width * height)));
    }
    return worst;
}

/* Ascending within each group, and the same words in sum. */
double tuned_bitonic_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const uint32_t *out = a->items[0].data, *in = a->items[1].data;
    size_t each = 2 * (size_t)cell(t, row, "block_size_x"), groups = s->range[0] / each;
    for (size_t g = 0; g < groups; g += groups / 1000 + 1) {
        uint32_t rest = 0;
        for (size_t i = g * each; i < (g + 1) * each; i++) {
            rest += in[i] - out[i];
            if (i > g * each && out[i] < out[i - 1])
                return INFINITY;
        }
        if (rest != 0)
            return INFINITY;
    }
    return 0;
}
