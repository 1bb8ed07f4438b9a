/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/gpu/cases.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/gpu/agreement.h"
#include "bench/gpu/checks.h"
#include "bench/gpu/irregular.h"
#include "bench/gpu/everyday.h"
#include "bench/gpu/tuned.h"
#include "bench/gpu/twins.h"

static unsigned block_x(const struct table *table, size_t row) { return cell(table, row, "block_size_x"); }
static unsigned block_y(const struct table *table, size_t row) { return cell(table, row, "block_size_y"); }
static unsigned variant(const struct table *table, size_t row)
{
    return (unsigned)table_cell(table, row, "variant", 0);
}

/* ---- transpose ------------------------------------------------------------------------------------------------- */

static bool transpose_accepts(const struct subject *s, const struct table *t, size_t row)
{
    return block_x(t, row) >= block_y(t, row) && subject_size(s, "SIZE") % block_x(t, row) == 0 &&
           block_x(t, row) <= 64;
}

static bool square_make(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, n * n * sizeof(float), true);
    arrays_add_floats(a, n * n, -1, 1);
    return arrays_complete(a);
}

static double transpose_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    const float *out = a->items[0].data, *in = a->items[1].data;
    (void)t, (void)row;
    for (size_t i = 0; i < n * n; i += step_over(n * n))
        if (out[i] != in[i % n * n + i / n])
            return INFINITY;
    return 0;
}

/* ---- reduction, scan ------------------------------------------------------------------------------------------- */

static bool line_make(const struct subject *s, double stride, struct arrays *a)
{
    (void)stride;
    arrays_add(a, s->range[0] * sizeof(float), true);
    arrays_add_floats(a, s->range[0], -1, 1);
    return arrays_complete(a);
}

static double reduction_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const float *out = a->items[0].data, *in = a->items[1].data;
    size_t block = block_x(t, row), groups = s->range[0] / block;
    double worst = 0;
    for (size_t g = 0; g < groups; g += step_over(groups)) {
        double sum = 0;
        for (size_t i = 0; i < block; i++)
            sum += in[g * block + i];
        worst = fmax(worst, error_of_sum(out[g], sum, 1, (double)block));
    }
    return worst;
}

static double scan_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const float *out = a->items[0].data, *in = a->items[1].data;
    size_t block = block_x(t, row), groups = s->range[0] / block;
    double worst = 0;
    for (size_t g = 0; g < groups; g += step_over(groups)) {
        double sum = 0;
        for (size_t i = 0; i < block; i++) {
            sum += in[g * block + i];
            worst = fmax(worst, error_of_sum(out[g * block + i], sum, 1, (double)block));
        }
    }
    return worst;
}

/* ---- stride ---------------------------------------------------------------------------------------------------- */

static bool stride_make(const struct subject *s, double stride, struct arrays *a)
{
    arrays_add(a, s->range[0] * sizeof(float), true);
    arrays_add_floats(a, s->range[0] * (size_t)stride, -1, 1);
    return arrays_complete(a);
}

static double stride_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const float *out = a->items[0].data, *in = a->items[1].data;
    size_t stride = (size_t)table_cell(t, row, "stride", 1);
    for (size_t i = 0; i < s->range[0]; i += step_over(s->range[0]))
        if (out[i] != in[i * stride])
            return INFINITY;
    return 0;
}

/* ---- histogram ------------------------------------------------------------------------------------------------- */

static bool histogram_make(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    uint64_t state = 7;
    (void)stride;
    arrays_add(a, 256 * sizeof(uint32_t), true);
    unsigned char *data = arrays_add(a, n, false);
    uint32_t *counts = arrays_add_reference(a, 256 * sizeof *counts);
    for (size_t i = 0; data != NULL && counts != NULL && i < n; i++) {
        data[i] = (unsigned char)arrays_random(&state);
        counts[data[i]]++;
    }
    return counts != NULL && arrays_complete(a);
}

static double histogram_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    (void)s, (void)t, (void)row;
    return memcmp(a->reference, a->items[0].data, a->items[0].bytes) == 0 ? 0 : INFINITY;
}

/* ---- stencil --------------------------------------------------------------------------------------------------- */

static double stencil_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    const float *out = a->items[0].data, *in = a->items[1].data;
    double worst = 0;
    (void)t, (void)row;
    for (size_t i = 0; i < n * n; i += step_over(n * n)) {
        size_t x = i % n, y = i / n;
        bool border = x == 0 || y == 0 || x == n - 1 || y == n - 1;
        double expected =
            border ? in[i] : 0.5 * in[i] + 0.125 * ((double)in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
        worst = fmax(worst, error_of_sum(out[i], expected, 1, 5));
    }
    return worst;
}

/* ---- matmul ---------------------------------------------------------------------------------------------------- */

static bool matmul_accepts(const struct subject *s, const struct table *t, size_t row)
{
    unsigned v = variant(t, row), tile = v == 2 ? 4 : 1, n = subject_size(s, "SIZE");
    unsigned x = (unsigned)table_cell(t, row, "tile_size_x", 1), y = (unsigned)table_cell(t, row, "tile_size_y", 1);
    return x == tile && y == tile && n % (block_x(t, row) * tile) == 0 && n % (block_y(t, row) * tile) == 0 &&
           !(v == 1 && block_x(t, row) > 64); /* tiles of BLOCK_X x BLOCK_X in local memory */
}

static bool matmul_make(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, n * n * sizeof(float), true);
    arrays_add_floats(a, n * n, -1, 1);
    arrays_add_floats(a, n * n, -1, 1);
    return arrays_complete(a);
}

static double matmul_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    const float *c = a->items[0].data, *left = a->items[1].data, *right = a->items[2].data;
    double worst = 0;
    (void)t, (void)row;
    for (size_t i = 0; i < n * n; i += step_over(n * n)) {
        double sum = 0;
        for (size_t k = 0; k < n; k++)
            sum += (double)left[i / n * n + k] * right[k * n + i % n];
        worst = fmax(worst, error_of_sum(c[i], sum, 1, (double)n));
    }
    return worst;
}

/* ---- spmv ------------------------------------------------------------------------------------------------------ */

static bool spmv_accepts(const struct subject *s, const struct table *t, size_t row)
{
    (void)s;
    return (variant(t, row) == 1) == (table_cell(t, row, "lanes", 1) == 32);
}

/* Rows of 0 to 31 entries, anywhere in the row. */
static bool spmv_make(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    uint64_t state = 5;
    (void)stride;
    arrays_add(a, n * sizeof(float), true);
    int *starts = arrays_add(a, (n + 1) * sizeof *starts, false);
    for (size_t i = 0; starts != NULL && i < n; i++)
        starts[i + 1] = starts[i] + (int)(arrays_random(&state) % 32);
    size_t entries = starts != NULL ? (size_t)starts[n] : 0;
    int *columns = arrays_add(a, (entries + 1) * sizeof *columns, false);
    for (size_t i = 0; columns != NULL && i < entries; i++)
        columns[i] = (int)(arrays_random(&state) % n);
    arrays_add_floats(a, entries + 1, -1, 1);
    arrays_add_floats(a, n, -1, 1);
    return arrays_complete(a);
}

static double spmv_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    const float *y = a->items[0].data, *values = a->items[3].data, *x = a->items[4].data;
    const int *starts = a->items[1].data, *columns = a->items[2].data;
    double worst = 0;
    (void)t, (void)row;
    for (size_t i = 0; i < n; i += step_over(n)) {
        double sum = 0;
        for (int k = starts[i]; k < starts[i + 1]; k++)
            sum += (double)values[k] * x[columns[k]];
        worst = fmax(worst, error_of_sum(y[i], sum, 1, starts[i + 1] - starts[i]));
    }
    return worst;
}

/* ---- nbody ----------------------------------------------------------------------------------------------------- */

static bool nbody_make(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, 3 * n * sizeof(float), true);
    arrays_add_floats(a, 4 * n, 0.01f, 1);
    return arrays_complete(a);
}

static double nbody_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    const float *out = a->items[0].data, *bodies = a->items[1].data;
    double worst = 0;
    (void)t, (void)row;
    for (size_t i = 0; i < n; i += n / 50 + 1) {
        double sum[3] = {0}, size = 0;
        for (size_t k = 0; k < n; k++) {
            double d[3], square = 0.01;
            for (int c = 0; c < 3; c++) {
                d[c] = (double)bodies[4 * k + (size_t)c] - bodies[4 * i + (size_t)c];
                square += d[c] * d[c];
            }
            double pull = bodies[4 * k + 3] / (square * sqrt(square));
            size = fmax(size, pull);
            for (int c = 0; c < 3; c++)
                sum[c] += d[c] * pull;
        }
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, error_of_sum(out[3 * i + (size_t)c], sum[c], size, (double)n));
    }
    return worst;
}

/* ---- blackscholes ---------------------------------------------------------------------------------------------- */

static bool blackscholes_make(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, n * sizeof(float), true);
    arrays_add_floats(a, n, 5, 30);
    arrays_add_floats(a, n, 1, 100);
    arrays_add_floats(a, n, 0.25f, 10);
    return arrays_complete(a);
}

static double blackscholes_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    const float *price = a->items[0].data, *spot = a->items[1].data, *strike = a->items[2].data,
                *years = a->items[3].data;
    double worst = 0;
    (void)t, (void)row;
    for (size_t i = 0; i < n; i += step_over(n)) {
        double deviation = 0.3 * sqrt(years[i]),
               d1 = (log((double)spot[i] / strike[i]) + (0.02 + 0.5 * 0.3 * 0.3) * years[i]) / deviation;
        double expected = spot[i] * 0.5 * erfc(-sqrt(0.5) * d1) -
                          strike[i] * exp(-0.02 * years[i]) * 0.5 * erfc(-sqrt(0.5) * (d1 - deviation));
        worst = fmax(worst, error_of_sum(price[i], expected, (double)spot[i] + strike[i], 4));
    }
    return worst;
}

/* ---- convolution, dedispersion, pnpoly ------------------------------------------------------------------------- */

/* The tile within the 48 KB that CUDA gives without asking. */
static bool convolution_accepts(const struct subject *s, const struct table *t, size_t row)
{
    unsigned border = subject_size(s, "FILTER") / 2 * 2, x = (unsigned)table_cell(t, row, "tile_size_x", 1),
             y = (unsigned)table_cell(t, row, "tile_size_y", 1);
    return (block_x(t, row) * x + border) * (block_y(t, row) * y + border) * sizeof(float) <= 48 << 10;
}

static bool convolution_make(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE"), filter = subject_size(s, "FILTER"), pitch = n + filter / 2 * 2;
    (void)stride;
    arrays_add(a, n * n * sizeof(float), true);
    arrays_add_floats(a, pitch * pitch, -1, 1);
    return arrays_add_constant(a, "weights", filter * filter, 1) && arrays_complete(a);
}

static double convolution_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = subject_size(s, "SIZE"), filter = subject_size(s, "FILTER"), pitch = n + filter / 2 * 2;
    const float *out = a->items[0].data, *in = a->items[1].data;
    double worst = 0;
    (void)t, (void)row;
    for (size_t i = 0; i < n * n; i += step_over(n * n)) {
        double sum = 0;
        for (size_t y = 0; y < filter; y++)
            for (size_t x = 0; x < filter; x++)
                sum += (double)in[(i / n + y) * pitch + i % n + x] * a->constant_data[y * filter + x];
        worst = fmax(worst, error_of_sum(out[i], sum, 1, (double)(filter * filter)));
    }
    return worst;
}

enum { CHANNELS = 1536, INPUT_PITCH = 25650 }; /* dedispersion.cl's */

static bool dedispersion_make(const struct subject *s, double stride, struct arrays *a)
{
    uint64_t state = 3;
    (void)stride;
    unsigned char *in = arrays_add(a, (size_t)CHANNELS * INPUT_PITCH, false);
    for (size_t i = 0; in != NULL && i < (size_t)CHANNELS * INPUT_PITCH; i++)
        in[i] = (unsigned char)arrays_random(&state);
    arrays_add(a, (size_t)subject_size(s, "MEASURES") * subject_size(s, "SAMPLES") * sizeof(float), true);
    float *shifts = arrays_add(a, CHANNELS * sizeof *shifts, false);
    const double highest = 1425 + 0.1953125 * (CHANNELS - 1);
    for (int c = 0; shifts != NULL && c < CHANNELS; c++) {
        double f = 1425 + 0.1953125 * c;
        shifts[c] = (float)(4148.808 * (1 / (f * f) - 1 / (highest * highest)) / 4.096e-5);
    }
    return arrays_complete(a);
}

static double dedispersion_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    const unsigned char *in = a->items[0].data;
    const float *out = a->items[1].data, *shifts = a->items[2].data;
    size_t samples = subject_size(s, "SAMPLES"), all = subject_size(s, "MEASURES") * samples;
    (void)t, (void)row;
    for (size_t i = 0; i < all; i += step_over(all)) {
        const float dm = (float)(i / samples) * 0.02f;
        double sum = 0;
        for (size_t c = 0; c < CHANNELS; c++)
            sum += in[c * INPUT_PITCH + i % samples + (uint32_t)(dm * shifts[c])];
        if (out[i] != sum) /* whole numbers below 2^24: exact */
            return INFINITY;
    }
    return 0;
}

static bool pnpoly_make(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "POINTS");
    (void)stride;
    arrays_add(a, n * sizeof(int), true);
    arrays_add_floats(a, 2 * n, -1.2f, 1.2f);
    return arrays_add_constant(a, "vertices", subject_size(s, "VERTICES"), 2) && arrays_complete(a);
}

/* In single precision and the kernel's own order; a multiply-add rounds once, so a few points on an edge may differ. */
static double pnpoly_error(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
{
    size_t n = subject_size(s, "POINTS"), vertices = subject_size(s, "VERTICES"), wrong = 0, looks = 0;
    const int *out = a->items[0].data;
    const float *points = a->items[1].data, *v = a->constant_data;
    (void)t, (void)row;
    for (size_t i = 0; i < n; i += step_over(n), looks++) {
        const float x = points[2 * i], y = points[2 * i + 1];
        int crossings = 0;
        for (size_t k = 0, j = vertices - 1; k < vertices; j = k++) {
            const float slope = (v[2 * j] - v[2 * k]) / (v[2 * j + 1] - v[2 * k + 1]);
            crossings += (v[2 * k + 1] > y) != (v[2 * j + 1] > y) && x < slope * (y - v[2 * k + 1]) + v[2 * k];
        }
        wrong += out[i] != (crossings & 1);
    }
    return (double)wrong / (0.002 * (double)looks);
}

/* ---- Cases ----------------------------------------------------------------------------------------------------- */

static bool power_accepts(const struct subject *s, const struct table *t, size_t row)
{
    return s->range[0] % block_x(t, row) == 0;
}

/* Rows of 33 floats for each work-item within 48 KB of local memory. */
static bool short_accepts(const struct subject *s, const struct table *t, size_t row)
{
    (void)s;
    return block_x(t, row) <= 256;
}

#define EVERYDAY(name) everyday_make_##name, everyday_error_##name
#define TWIN(name, accepts, make, error) \
    { \
        name, LINES_OF_POWERS, {{"variant", 2, {0, 1}}}, accepts, make, error \
    }

const struct gpu_case gpu_cases[] = {
    {"transpose", PLANES, {{"variant", 3, {0, 1, 2}}}, transpose_accepts, square_make, transpose_error},
    {"reduction", LINES_OF_POWERS, {{"variant", 3, {0, 1, 2}}}, power_accepts, line_make, reduction_error},
    {"stride", LINES, {{"stride", 6, {1, 2, 4, 8, 16, 32}}}, NULL, stride_make, stride_error},
    {"histogram", LINES, {{"variant", 2, {0, 1}}, {"tile_size_x", 2, {4, 32}}}, NULL, histogram_make, histogram_error},
    {"stencil", PLANES, {{"variant", 2, {0, 1}}}, NULL, square_make, stencil_error},
    {"matmul",
     PLANES,
     {{"variant", 3, {0, 1, 2}}, {"tile_size_x", 2, {1, 4}}, {"tile_size_y", 2, {1, 4}}},
     matmul_accepts,
     matmul_make,
     matmul_error},
    {"spmv", LINES, {{"variant", 2, {0, 1}}, {"lanes", 2, {1, 32}}}, spmv_accepts, spmv_make, spmv_error},
    {"nbody", LINES_OF_POWERS, {{"variant", 1, {0}}}, power_accepts, nbody_make, nbody_error},
    {"scan", LINES_OF_POWERS, {{"variant", 2, {0, 1}}}, power_accepts, line_make, scan_error},
    {"blackscholes", LINES, {{"variant", 1, {0}}}, NULL, blackscholes_make, blackscholes_error},
    {"convolution",
     PLANES_OF_WARPS,
     {{"tile_size_x", 2, {1, 4}}, {"tile_size_y", 2, {1, 2}}, {"read_only", 1, {0}}, {"use_padding", 1, {0}}},
     convolution_accepts,
     convolution_make,
     convolution_error},
    {"dedispersion",
     PLANES,
     {{"tile_size_x", 2, {1, 2}}, {"tile_size_y", 2, {1, 4}}, {"tile_stride_x", 1, {1}}, {"tile_stride_y", 1, {0}}},
     NULL,
     dedispersion_make,
     dedispersion_error},
    {"pnpoly",
     LINES,
     {{"tile_size", 3, {1, 4, 8}}, {"between_method", 1, {0}}, {"use_method", 1, {0}}},
     NULL,
     pnpoly_make,
     pnpoly_error},
    /* spaces that tuners search */
    {"gemm",
     PLANES,
     {{"tile_size_x", 2, {4, 8}}, {"tile_size_y", 2, {4, 8}}, {"vector", 2, {1, 4}}, {"staged", 2, {0, 1}}},
     tuned_accepts_gemm,
     tuned_make_gemm,
     agreement_floats},
    {"coulomb",
     PLANES,
     {{"tile_size_y", 2, {1, 4}}, {"variant", 2, {0, 1}}},
     NULL,
     tuned_make_coulomb,
     agreement_floats},
    {"hotspot",
     PLANES,
     {{"tile_size_x", 2, {1, 2}}, {"tile_size_y", 2, {1, 4}}, {"staged", 2, {0, 1}}},
     tuned_accepts_hotspot,
     tuned_make_hotspot,
     agreement_floats},
    {"sums",
     LINES_OF_POWERS,
     {{"tile_size_x", 3, {4, 16, 64}}, {"vector", 2, {1, 4}}},
     NULL,
     tuned_make_sums,
     tuned_sums_error},
    {"fir",
     LINES_OF_POWERS,
     {{"tile_size_x", 3, {1, 4, 8}}, {"staged", 2, {0, 1}}},
     NULL,
     tuned_make_fir,
     agreement_floats},
    {"stencil3d", PLANES, {{"variant", 2, {0, 1}}}, tuned_accepts_stencil3d, tuned_make_stencil3d, agreement_floats},
    {"stencil3d_far",
     PLANES,
     {{"variant", 2, {0, 1}}},
     tuned_accepts_stencil3d,
     tuned_make_stencil3d,
     agreement_floats},
    {"stencil3d_doubles",
     PLANES,
     {{"variant", 2, {0, 1}}},
     tuned_accepts_stencil3d,
     tuned_make_stencil3d,
     agreement_doubles},
    {"bilateral", PLANES, {{"staged", 2, {0, 1}}}, NULL, tuned_make_bilateral, agreement_floats},
    {"expdist",
     PLANES_OF_WARPS,
     {{"tile_size_x", 2, {1, 4}}, {"tile_size_y", 2, {1, 4}}, {"staged", 2, {0, 1}}},
     tuned_accepts_expdist,
     tuned_make_expdist,
     tuned_expdist_error},
    {"softmax", LINES_OF_POWERS, {{"variant", 2, {0, 1}}}, NULL, tuned_make_softmax, agreement_floats},
    {"gemv", LINES_OF_POWERS, {{"vector", 2, {1, 4}}}, NULL, tuned_make_gemv, agreement_floats},
    {"digest", LINES_OF_POWERS, {{"tile_size_x", 3, {1, 2, 4}}}, NULL, tuned_make_digest, agreement_words},
    {"lattice", PLANES, {{"variant", 2, {0, 1}}}, NULL, tuned_make_lattice, agreement_floats},
    {"bitonic", LINES_OF_POWERS, {{"tile_size_x", 1, {2}}}, NULL, tuned_make_bitonic, tuned_bitonic_error},
    /* twins */
    TWIN("structs", NULL, twin_make_8, agreement_floats),
    TWIN("row_sums", NULL, twin_make_64, agreement_floats),
    TWIN("kept_sums", NULL, twin_make_64, agreement_floats),
    TWIN("chunks", NULL, twin_make_wide, agreement_floats),
    TWIN("parity", NULL, twin_make_floats, agreement_floats),
    TWIN("divisions", NULL, twin_make_floats, agreement_floats),
    TWIN("sines", NULL, twin_make_floats, agreement_floats),
    TWIN("doubles", NULL, twin_make_floats, agreement_floats),
    TWIN("private_table", NULL, twin_make_tall, agreement_floats),
    TWIN("hot_bins", NULL, twin_make_bins, agreement_words),
    TWIN("bin_copies", NULL, twin_make_bins, agreement_words),
    TWIN("barriers", NULL, twin_make_floats, agreement_floats),
    TWIN("chains", NULL, twin_make_floats, agreement_floats),
    TWIN("lone", NULL, twin_make_quads, agreement_of_group),
    TWIN("constants", NULL, twin_make_constant, agreement_floats),
    TWIN("bytes", NULL, twin_make_bytes, agreement_floats),
    TWIN("resident", NULL, twin_make_links, agreement_words),
    TWIN("powers", NULL, twin_make_floats, agreement_floats),
    TWIN("random_table", NULL, twin_make_walks, agreement_words),
    TWIN("smoothing", NULL, twin_make_floats, agreement_floats),
    TWIN("conversions", NULL, twin_make_counts, agreement_floats),
    TWIN("quotients", NULL, twin_make_numbers, agreement_words),
    TWIN("local_rows", short_accepts, twin_make_rows, agreement_floats),
    /* irregular ones */
    {"mandelbrot", PLANES, {{"tile_size_x", 2, {1, 4}}}, NULL, irregular_make_mandelbrot, irregular_mandelbrot_error},
    {"pagerank", LINES, {{"lanes", 3, {1, 8, 32}}}, NULL, irregular_make_pagerank, irregular_pagerank_error},
    {"bfs", LINES, {{"variant", 2, {0, 1}}}, NULL, irregular_make_bfs, irregular_exact_error},
    {"gather",
     LINES,
     {{"tile_size_x", 3, {1, 2, 4}}, {"table_shift", 3, {0, 3, 8}}},
     NULL,
     irregular_make_gather,
     irregular_gather_error},
    {"lennard_jones",
     LINES,
     {{"planar", 2, {0, 1}}, {"by_column", 2, {0, 1}}},
     NULL,
     irregular_make_lennard_jones,
     agreement_floats},
    {"probing",
     LINES,
     {{"tile_size_x", 2, {1, 4}}, {"paired", 2, {0, 1}}},
     NULL,
     irregular_make_probing,
     irregular_probing_error},
    {"bisection",
     LINES,
     {{"tile_size_x", 2, {1, 4}}, {"variant", 2, {0, 1}}},
     NULL,
     irregular_make_bisection,
     irregular_bisection_error},
    {"levenshtein",
     LINES,
     {{"variant", 2, {0, 1}}, {"by_column", 2, {0, 1}}},
     irregular_accepts_levenshtein,
     irregular_make_levenshtein,
     irregular_levenshtein_error},
    {"asian",
     LINES_OF_POWERS,
     {{"tile_size_x", 3, {1, 4, 16}}, {"generator", 2, {0, 1}}},
     NULL,
     irregular_make_asian,
     irregular_asian_error},
    {"aes",
     LINES,
     {{"tile_size_x", 2, {1, 4}}, {"place", 3, {0, 1, 2}}},
     NULL,
     irregular_make_aes,
     irregular_aes_error},
    {"deposit",
     LINES,
     {{"tile_size_x", 2, {4, 32}}, {"variant", 2, {0, 1}}},
     NULL,
     irregular_make_deposit,
     irregular_exact_error},
    {"compaction",
     LINES,
     {{"tile_size_x", 2, {1, 8}}, {"variant", 2, {0, 1}}},
     NULL,
     irregular_make_compaction,
     irregular_compaction_error},
    {"raymarch", PLANES, {{"tile_size_x", 2, {1, 2}}}, NULL, irregular_make_raymarch, irregular_raymarch_error},
    {"segments", LINES_OF_POWERS, {{"variant", 2, {0, 1}}}, NULL, irregular_make_segments, irregular_segments_error},
    /* everyday work */
    {"conv2d",
     PLANES,
     {{"tile_size_x", 2, {1, 4}}, {"tile_size_y", 3, {2, 4, 8}}},
     everyday_accepts_planes,
     EVERYDAY(conv2d)},
    {"layernorm", LINES, {{"vector", 2, {1, 4}}, {"variant", 2, {0, 1}}}, NULL, EVERYDAY(layernorm)},
    {"q4_gemv", LINES, {{"vector", 2, {1, 4}}, {"lanes", 3, {8, 32, 128}}}, everyday_accepts_lanes, EVERYDAY(q4_gemv)},
    {"blur", PLANES, {{"vertical", 2, {0, 1}}, {"staged", 2, {0, 1}}}, everyday_accepts_planes, EVERYDAY(blur)},
    {"median", PLANES, {{"window", 2, {3, 5}}, {"tile_size_y", 2, {1, 4}}}, everyday_accepts_planes, EVERYDAY(median)},
    {"resize",
     PLANES_OF_WARPS,
     {{"variant", 2, {0, 1}}, {"bytes", 2, {0, 1}}},
     everyday_accepts_planes,
     EVERYDAY(resize)},
    {"dct", LINES, {{"lanes", 3, {1, 8, 64}}, {"pitch", 2, {8, 9}}}, everyday_accepts_dct, EVERYDAY(dct)},
    {"fft",
     LINES_OF_POWERS,
     {{"tile_size_x", 3, {256, 1024, 4096}}, {"radix", 3, {2, 4, 8}}, {"table", 2, {0, 1}}},
     everyday_accepts_fft,
     EVERYDAY(fft)},
    {"attention", LINES_OF_POWERS, {{"head", 2, {64, 128}}, {"variant", 2, {0, 1}}}, NULL, EVERYDAY(attention)},
    {"tridiagonal", LINES, {{"interleaved", 2, {0, 1}}, {"unrolled", 2, {1, 4}}}, NULL, EVERYDAY(tridiagonal)},
    {"cholesky",
     LINES,
     {{"lanes", 3, {1, 8, 16}}, {"order", 2, {8, 16}}, {"interleaved", 2, {0, 1}}},
     everyday_accepts_cholesky,
     EVERYDAY(cholesky)},
    {"yuv", LINES, {{"tile_size_x", 3, {1, 4, 16}}, {"vector", 2, {1, 4}}}, everyday_accepts_vectors, EVERYDAY(yuv)},
    {"im2col", PLANES, {{"tile_size_y", 3, {1, 3, 9}}}, everyday_accepts_planes, EVERYDAY(im2col)},
    {"pooling",
     LINES,
     {{"window", 2, {2, 3}}, {"pointwise", 2, {0, 1}}, {"tile_size_x", 2, {1, 4}}},
     NULL,
     EVERYDAY(pooling)},
    {"geglu",
     LINES,
     {{"tile_size_x", 3, {1, 4, 16}}, {"vector", 2, {1, 4}}},
     everyday_accepts_vectors,
     EVERYDAY(geglu)},
    {"d3q19", PLANES, {{"variant", 2, {0, 1}}, {"volumes", 2, {0, 1}}}, everyday_accepts_planes, EVERYDAY(d3q19)},
};
const size_t gpu_case_count = sizeof gpu_cases / sizeof *gpu_cases;

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static const unsigned line_widths[] = {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
static const unsigned widths[] = {4, 8, 16, 32, 48, 64, 96, 128, 256}, heights[] = {1, 2, 4, 8, 16, 32};

static bool is_power(unsigned n) { return (n & (n - 1)) == 0; }

static bool has_shape(enum shapes shapes, unsigned x, unsigned y)
{
    switch (shapes) {
    case LINES: return y == 1;
    case LINES_OF_POWERS: return y == 1 && is_power(x);
    case PLANES: return is_power(x) && x * y >= 32 && x * y <= 1024;
    default: return x >= 16 && x * y >= 32 && x * y <= 1024;
    }
}

/* Appends one row per combination of tunables that the case accepts. */
static bool add_shape(const struct gpu_case *item, const struct subject *subject, struct table *table, unsigned x,
                      unsigned y)
{
    unsigned combinations = 1;
    for (size_t k = 2; k < table->columns; k++)
        combinations *= item->tunables[k - 2].count;
    for (unsigned c = 0; c < combinations; c++) {
        double *cells = realloc(table->cells, (table->rows + 1) * table->columns * sizeof *cells);
        if (cells == NULL)
            return false;
        table->cells = cells;
        double *row = &cells[table->rows * table->columns];
        unsigned rest = c;
        row[0] = x;
        row[1] = y;
        for (size_t k = 2; k < table->columns; k++) {
            row[k] = item->tunables[k - 2].values[rest % item->tunables[k - 2].count];
            rest /= item->tunables[k - 2].count;
        }
        if (item->accepts == NULL || item->accepts(subject, table, table->rows))
            table->rows++;
    }
    return true;
}

bool case_rows(const struct gpu_case *item, const struct subject *subject, struct table *table)
{
    bool line = item->shapes == LINES || item->shapes == LINES_OF_POWERS, done = true;
    *table = (struct table){0};
    table->names[table->columns++] = strdup("block_size_x");
    table->names[table->columns++] = strdup("block_size_y");
    for (int k = 0; k < MAX_TUNABLES && item->tunables[k].column != NULL; k++)
        table->names[table->columns++] = strdup(item->tunables[k].column);
    for (size_t i = 0; i < (line ? sizeof line_widths / sizeof *line_widths : sizeof widths / sizeof *widths); i++)
        for (size_t k = 0; k < sizeof heights / sizeof *heights; k++) {
            unsigned x = line ? line_widths[i] : widths[i];
            if (done && has_shape(item->shapes, x, heights[k]))
                done = add_shape(item, subject, table, x, heights[k]);
        }
    if (!done)
        table_free(table);
    return done;
}
