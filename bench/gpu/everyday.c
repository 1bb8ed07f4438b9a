/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "bench/gpu/everyday.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "bench/gpu/checks.h"

/* ---- Checking: some outputs, spread evenly --------------------------------------------------------------------- */

/* A row that ran. */
struct ran {
    const struct subject *subject;
    const struct table *table;
    size_t row;
    const struct arrays *arrays;
};

typedef double expectation(const struct ran *ran, size_t i);

static size_t size(const struct ran *r, const char *macro) { return subject_size(r->subject, macro); }
static unsigned tunable(const struct ran *r, const char *column) { return cell(r->table, r->row, column); }
static const void *data_of(const struct ran *r, unsigned argument) { return r->arrays->items[argument].data; }
static float input(const struct ran *r, unsigned argument, size_t i)
{
    return ((const float *)data_of(r, argument))[i];
}

static size_t clamped(long at, size_t count) { return at < 0 ? 0 : at < (long)count ? (size_t)at : count - 1; }

/* Positive or negative, and no subnormal. */
static double half_value(unsigned bits)
{
    double magnitude = ldexp(1024 + bits % 1024, (int)(bits / 1024 % 32) - 25);
    return bits < 1 << 15 ? magnitude : -magnitude;
}

/* The first argument's. */
typedef double reader(const struct ran *ran, size_t i);
static double float_output(const struct ran *r, size_t i) { return input(r, 0, i); }
static double byte_output(const struct ran *r, size_t i) { return ((const unsigned char *)data_of(r, 0))[i]; }
static double half_output(const struct ran *r, size_t i) { return half_value(((const uint16_t *)data_of(r, 0))[i]); }

/* About `looks` of the first `count` outputs; each may be off by `allowed`. */
static double worst_of(const struct ran *r, reader *got, size_t count, size_t looks, expectation *expected,
                       double allowed)
{
    double worst = 0;
    for (size_t i = 0; i < count; i += (count / looks) | 1) {
        double value = got(r, i);
        worst = isfinite(value) ? fmax(worst, fabs(value - expected(r, i)) / allowed) : INFINITY;
    }
    return worst;
}

static double worst_float(const struct ran *r, size_t count, size_t looks, expectation *expected, double allowed)
{
    return worst_of(r, float_output, count, looks, expected, allowed);
}

enum { FEW = 200 };
static const double EXACT = 1e-30;

#define ERROR(name) \
    double everyday_error_##name(const struct subject *s, const struct table *t, size_t row, const struct arrays *a)
#define RAN \
    { \
        s, t, row, a \
    }

/* ---- conv2d ---------------------------------------------------------------------------------------------------- */

static void clear_borders(float *maps, size_t count, size_t n)
{
    const size_t pitch = n + 2;
    for (size_t i = 0; maps != NULL && i < count * pitch * pitch; i++)
        if (i % pitch == 0 || i % pitch == n + 1 || i / pitch % pitch == 0 || i / pitch % pitch == n + 1)
            maps[i] = 0;
}

bool everyday_make_conv2d(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE"), channels = subject_size(s, "CHANNELS"),
           maps = subject_size(s, "IMAGES") * channels;
    (void)stride;
    arrays_add(a, maps * n * n * sizeof(float), true);
    clear_borders(arrays_add_floats(a, maps * (n + 2) * (n + 2), -1, 1), maps, n);
    arrays_add_floats(a, channels * channels * 9, -1, 1);
    arrays_add_floats(a, channels, -1, 1);
    return arrays_complete(a);
}

static double expected_conv2d(const struct ran *r, size_t i)
{
    size_t n = size(r, "SIZE"), channels = size(r, "CHANNELS"), map = i / (n * n) % channels,
           image = i / (n * n) / channels;
    double sum = input(r, 3, map);
    for (size_t c = 0; c < channels; c++)
        for (size_t k = 0; k < 9; k++)
            sum += (double)input(r, 2, (map * channels + c) * 9 + k) *
                   input(r, 1, ((image * channels + c) * (n + 2) + i / n % n + k / 3) * (n + 2) + i % n + k % 3);
    return fmax(sum, 0);
}

ERROR(conv2d)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), LOOKS, expected_conv2d, 1e-3);
}

/* ---- layernorm ------------------------------------------------------------------------------------------------- */

bool everyday_make_layernorm(const struct subject *s, double stride, struct arrays *a)
{
    size_t columns = subject_size(s, "COLUMNS"), count = s->range[0] * columns;
    (void)stride;
    arrays_add(a, count * sizeof(float), true);
    arrays_add_floats(a, count, -1, 2);
    arrays_add_floats(a, columns, 0.5f, 1.5f);
    arrays_add_floats(a, columns, -1, 1);
    return arrays_complete(a);
}

static double expected_layernorm(const struct ran *r, size_t i)
{
    size_t columns = size(r, "COLUMNS"), first = i / columns * columns;
    double sum = 0, squares = 0;
    for (size_t k = 0; k < columns; k++) {
        double value = input(r, 1, first + k);
        sum += value;
        squares += value * value;
    }
    double mean = sum / (double)columns, variance = squares / (double)columns - mean * mean;
    return (input(r, 1, i) - mean) / sqrt(variance + 1e-5) * input(r, 2, i % columns) + input(r, 3, i % columns);
}

ERROR(layernorm)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), LOOKS, expected_layernorm, 1e-4);
}

/* ---- q4_gemv --------------------------------------------------------------------------------------------------- */

bool everyday_make_q4_gemv(const struct subject *s, double stride, struct arrays *a)
{
    enum { SEED = 31, FRACTION = 1 << 10, FIRST = 11 << 10 }; /* halves of 2^-4 to 2^-3 */
    size_t rows = subject_size(s, "ROWS"), columns = subject_size(s, "COLUMNS");
    uint64_t state = SEED;
    (void)stride;
    arrays_add(a, rows * sizeof(float), true);
    uint32_t *words = arrays_add(a, rows * columns / 2, false);
    for (size_t i = 0; words != NULL && i < rows * columns / 8; i++)
        words[i] = arrays_random(&state) << 16 ^ arrays_random(&state);
    uint16_t *scales = arrays_add(a, rows * columns / 32 * sizeof *scales, false);
    for (size_t i = 0; scales != NULL && i < rows * columns / 32; i++)
        scales[i] = (uint16_t)(FIRST + arrays_random(&state) % FRACTION);
    arrays_add_floats(a, columns, -1, 1);
    return arrays_complete(a);
}

static double expected_q4_gemv(const struct ran *r, size_t i)
{
    size_t columns = size(r, "COLUMNS");
    const unsigned char *bytes = (const unsigned char *)data_of(r, 1) + i * columns / 2;
    const uint16_t *scales = (const uint16_t *)data_of(r, 2) + i * columns / 32;
    double sum = 0;
    for (size_t k = 0; k < columns; k++) {
        unsigned byte = bytes[k / 32 * 16 + k % 16];
        int weight = (int)(k % 32 < 16 ? byte & 15 : byte >> 4) - 8;
        sum += half_value(scales[k / 32]) * weight * input(r, 3, k);
    }
    return sum;
}

ERROR(q4_gemv)
{
    const struct ran r = RAN;
    return worst_float(&r, size(&r, "ROWS"), FEW, expected_q4_gemv, 2e-3);
}

/* ---- blur ------------------------------------------------------------------------------------------------------ */

bool everyday_make_blur(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE"), taps = 2 * subject_size(s, "RADIUS") + 1;
    (void)stride;
    arrays_add(a, n * n * sizeof(float), true);
    arrays_add_floats(a, n * n, 0, 1);
    if (!arrays_add_constant(a, "gauss", taps, 1))
        return false;
    for (size_t k = 0; k < taps; k++) {
        double from_centre = (double)k - (double)(taps / 2), deviation = (double)taps / 6;
        a->constant_data[k] =
            (float)(exp(-from_centre * from_centre / (2 * deviation * deviation)) / (deviation * 2.5066283));
    }
    return arrays_complete(a);
}

static double expected_blur(const struct ran *r, size_t i)
{
    size_t n = size(r, "SIZE");
    long radius = (long)size(r, "RADIUS"), x = (long)(i % n), y = (long)(i / n);
    double sum = 0;
    for (long k = -radius; k <= radius; k++)
        sum += r->arrays->constant_data[k + radius] *
               input(r, 1, tunable(r, "vertical") ? clamped(y + k, n) * n + i % n : i / n * n + clamped(x + k, n));
    return sum;
}

ERROR(blur)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), LOOKS, expected_blur, 1e-5);
}

/* ---- median ---------------------------------------------------------------------------------------------------- */

bool everyday_make_median(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, n * n * sizeof(float), true);
    arrays_add_floats(a, n * n, 0, 1);
    return arrays_complete(a);
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

static double expected_median(const struct ran *r, size_t i)
{
    enum { LARGEST = 5 };
    size_t n = size(r, "SIZE"), window = tunable(r, "window");
    long left = (long)(i % n) - (long)(window / 2), top = (long)(i / n) - (long)(window / 2);
    float near[LARGEST * LARGEST];
    for (size_t k = 0; k < window * window; k++)
        near[k] = input(r, 1, clamped(top + (long)(k / window), n) * n + clamped(left + (long)(k % window), n));
    qsort(near, window * window, sizeof *near, ascending);
    return near[window * window / 2];
}

ERROR(median)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), LOOKS, expected_median, EXACT);
}

/* ---- resize ---------------------------------------------------------------------------------------------------- */

static unsigned char *add_bytes(struct arrays *a, size_t count)
{
    enum { SEED = 37 };
    unsigned char *bytes = arrays_add(a, count, false);
    uint64_t state = SEED;
    for (size_t i = 0; bytes != NULL && i < count; i++)
        bytes[i] = (unsigned char)(arrays_random(&state) >> 8);
    return bytes;
}

bool everyday_make_resize(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE"), from = subject_size(s, "FROM");
    (void)stride;
    arrays_add(a, 4 * n * n * sizeof(float), true);
    add_bytes(a, 4 * from * from);
    arrays_add_floats(a, 4 * from * from, 0, 255);
    return arrays_complete(a);
}

/* Of a neighbour `distance` away: a hat's, or Catmull and Rom's. */
static double share(double distance, bool cubic)
{
    double d = fabs(distance);
    if (!cubic)
        return fmax(1 - d, 0);
    return d < 1 ? (1.5 * d - 2.5) * d * d + 1 : d < 2 ? ((-0.5 * d + 2.5) * d - 4) * d + 2 : 0;
}

static double expected_resize(const struct ran *r, size_t i)
{
    size_t n = size(r, "SIZE"), from = size(r, "FROM");
    double step = (double)from / (double)n, x = ((double)(i / 4 % n) + 0.5) * step - 0.5,
           y = ((double)(i / 4 / n) + 0.5) * step - 0.5, sum = 0;
    for (long j = (long)floor(y) - 1; j <= (long)floor(y) + 2; j++)
        for (long k = (long)floor(x) - 1; k <= (long)floor(x) + 2; k++) {
            bool cubic = tunable(r, "variant") == 1;
            size_t at = (clamped(j, from) * from + clamped(k, from)) * 4 + i % 4;
            double value = tunable(r, "bytes") ? ((const unsigned char *)data_of(r, 1))[at] : input(r, 2, at);
            sum += share(x - (double)k, cubic) * share(y - (double)j, cubic) * value;
        }
    return tunable(r, "bytes") ? floor(fmin(fmax(sum, 0), 255) + 0.5) : sum;
}

ERROR(resize)
{
    const struct ran r = RAN;
    size_t count = 4 * size(&r, "SIZE") * size(&r, "SIZE");
    return tunable(&r, "bytes") ? worst_of(&r, byte_output, count, LOOKS, expected_resize, 1)
                                : worst_float(&r, count, LOOKS, expected_resize, 0.5);
}

/* ---- dct ------------------------------------------------------------------------------------------------------- */

static const double PI = 3.14159265358979323846;

static double cosine(size_t coefficient, size_t point)
{
    return (coefficient == 0 ? sqrt(0.125) : 0.5) * cos(((double)point + 0.5) * (double)coefficient * PI / 8);
}

bool everyday_make_dct(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, n * n * sizeof(float), true);
    arrays_add_floats(a, n * n, -1, 1);
    if (!arrays_add_constant(a, "cosines", 64, 1))
        return false;
    for (size_t i = 0; i < 64; i++)
        a->constant_data[i] = (float)cosine(i / 8, i % 8);
    return arrays_complete(a);
}

static double expected_dct(const struct ran *r, size_t i)
{
    size_t n = size(r, "SIZE"), x = i % n, y = i / n;
    double sum = 0;
    for (size_t k = 0; k < 64; k++)
        sum += cosine(y % 8, k / 8) * cosine(x % 8, k % 8) * input(r, 1, (y / 8 * 8 + k / 8) * n + x / 8 * 8 + k % 8);
    return sum;
}

ERROR(dct)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), LOOKS, expected_dct, 1e-5);
}

/* ---- fft ------------------------------------------------------------------------------------------------------- */

bool everyday_make_fft(const struct subject *s, double stride, struct arrays *a)
{
    size_t count = 2 * (size_t)s->range[0], roots = subject_size(s, "ROOTS");
    (void)stride;
    arrays_add(a, count * sizeof(float), true);
    arrays_add_floats(a, count, -1, 1);
    float *table = arrays_add(a, 2 * roots * sizeof *table, false);
    for (size_t i = 0; table != NULL && i < roots; i++) {
        table[2 * i] = (float)cos(2 * PI * (double)i / (double)roots);
        table[2 * i + 1] = (float)-sin(2 * PI * (double)i / (double)roots);
    }
    return arrays_complete(a);
}

static double expected_fft(const struct ran *r, size_t i)
{
    size_t points = tunable(r, "tile_size_x"), first = i / 2 / points * points, bin = i / 2 % points;
    double sum = 0;
    for (size_t k = 0; k < points; k++) {
        double angle = 2 * PI * (double)(k * bin % points) / (double)points, re = input(r, 1, 2 * (first + k)),
               im = input(r, 1, 2 * (first + k) + 1);
        sum += i % 2 == 0 ? re * cos(angle) + im * sin(angle) : im * cos(angle) - re * sin(angle);
    }
    return sum;
}

ERROR(fft)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), FEW, expected_fft,
                       1e-4 * sqrt(tunable(&r, "tile_size_x")));
}

/* ---- attention ------------------------------------------------------------------------------------------------- */

enum { LARGEST_HEAD = 128 };

bool everyday_make_attention(const struct subject *s, double stride, struct arrays *a)
{
    size_t shared = s->range[0] / subject_size(s, "QUERIES") * subject_size(s, "KEYS") * LARGEST_HEAD;
    (void)stride;
    arrays_add(a, s->range[0] * LARGEST_HEAD * sizeof(float), true);
    arrays_add_floats(a, s->range[0] * LARGEST_HEAD, -2, 2);
    arrays_add_floats(a, shared, -1, 1);
    arrays_add_floats(a, shared, -1, 1);
    return arrays_complete(a);
}

static double expected_attention(const struct ran *r, size_t i)
{
    size_t head = tunable(r, "head"), keys = size(r, "KEYS"), group = i / head,
           first = group / size(r, "QUERIES") * keys * head;
    double sum = 0, weights = 0;
    for (size_t k = 0; k < keys; k++) {
        double score = 0;
        for (size_t d = 0; d < head; d++)
            score += (double)input(r, 1, group * head + d) *
                     input(r, 2, first + (tunable(r, "variant") == 0 ? k * head + d : d * keys + k));
        double weight = exp(score / sqrt((double)head));
        weights += weight;
        sum += weight * input(r, 3, first + k * head + i % head);
    }
    return sum / weights;
}

ERROR(attention)
{
    const struct ran r = RAN;
    return worst_float(&r, s->range[0] * tunable(&r, "head"), FEW / 4, expected_attention, 1e-4);
}

/* ---- tridiagonal ----------------------------------------------------------------------------------------------- */

bool everyday_make_tridiagonal(const struct subject *s, double stride, struct arrays *a)
{
    size_t count = (size_t)subject_size(s, "COUNT") * subject_size(s, "LENGTH");
    (void)stride;
    arrays_add(a, count * sizeof(float), true);
    arrays_add(a, count * sizeof(float), false);
    for (int k = 0; k < 3; k++)
        arrays_add_floats(a, count, 0.1f, 1);
    return arrays_complete(a);
}

static double expected_tridiagonal(const struct ran *r, size_t output)
{
    enum { LONGEST = 256 };
    size_t count = size(r, "COUNT"), length = size(r, "LENGTH"), step = tunable(r, "interleaved") ? count : 1;
    size_t first = step == 1 ? output / length * length : output % count, wanted = (output - first) / step;
    double factors[LONGEST], x[LONGEST], factor = 0, last = 0;
    for (size_t i = 0; i < length; i++) {
        double below = input(r, 2, first + i * step), above = input(r, 3, first + i * step),
               pivot = 1 + below + above - below * factor;
        factors[i] = factor = above / pivot;
        x[i] = last = (input(r, 4, first + i * step) + below * last) / pivot;
    }
    for (size_t i = length - 1; i-- > wanted;)
        x[i] += factors[i] * x[i + 1];
    return x[wanted];
}

ERROR(tridiagonal)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), LOOKS, expected_tridiagonal, 1e-5);
}

/* ---- cholesky -------------------------------------------------------------------------------------------------- */

enum { LARGEST_ORDER = 16 };

bool everyday_make_cholesky(const struct subject *s, double stride, struct arrays *a)
{
    size_t count = (size_t)subject_size(s, "COUNT") * LARGEST_ORDER * LARGEST_ORDER;
    (void)stride;
    arrays_add(a, count * sizeof(float), true);
    arrays_add_floats(a, count, -1, 1);
    return arrays_complete(a);
}

static double expected_cholesky(const struct ran *r, size_t output)
{
    size_t count = size(r, "COUNT"), order = tunable(r, "order"), each = order * order,
           step = tunable(r, "interleaved") ? count : 1;
    size_t first = step == 1 ? output / each * each : output % count, wanted = (output - first) / step;
    double a[LARGEST_ORDER * LARGEST_ORDER];
    for (size_t j = 0; j < order; j++)
        for (size_t i = j; i < order; i++) {
            double sum = input(r, 1, first + (i * order + j) * step) + (i == j ? (double)order : 0);
            for (size_t k = 0; k < j; k++)
                sum -= a[i * order + k] * a[j * order + k];
            a[i * order + j] = i == j ? sqrt(sum) : sum / a[j * order + j];
        }
    return wanted % order <= wanted / order ? a[wanted] : 0;
}

ERROR(cholesky)
{
    const struct ran r = RAN;
    size_t order = tunable(&r, "order");
    return worst_float(&r, size(&r, "COUNT") * order * order, LOOKS, expected_cholesky, 1e-5);
}

/* ---- yuv ------------------------------------------------------------------------------------------------------- */

bool everyday_make_yuv(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, 3 * n, true);
    add_bytes(a, 3 * n);
    return arrays_complete(a);
}

static double expected_yuv(const struct ran *r, size_t i)
{
    static const double shares[3][4] = {{16, 66, 129, 25}, {128, -38, -74, 112}, {128, 112, -94, -18}};
    size_t n = size(r, "SIZE");
    const unsigned char *pixel = (const unsigned char *)data_of(r, 1) + 3 * (i % n);
    const double *share = shares[i / n];
    return floor((share[1] * pixel[0] + share[2] * pixel[1] + share[3] * pixel[2] + 128) / 256) + share[0];
}

ERROR(yuv)
{
    const struct ran r = RAN;
    return worst_of(&r, byte_output, 3 * size(&r, "SIZE"), LOOKS, expected_yuv, EXACT);
}

/* ---- im2col ---------------------------------------------------------------------------------------------------- */

bool everyday_make_im2col(const struct subject *s, double stride, struct arrays *a)
{
    size_t count = (size_t)subject_size(s, "CHANNELS") * subject_size(s, "SIZE") * subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, 9 * count * sizeof(float), true);
    arrays_add_floats(a, count, -1, 1);
    return arrays_complete(a);
}

static double expected_im2col(const struct ran *r, size_t i)
{
    size_t n = size(r, "SIZE"), line = i / (n * n), k = line % 9;
    size_t x = i % n + k % 3, y = i / n % n + k / 3; /* one to the right of the neighbour, and below it */
    return x == 0 || x > n || y == 0 || y > n ? 0 : input(r, 1, (line / 9 * n + y - 1) * n + x - 1);
}

ERROR(im2col)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), LOOKS, expected_im2col, EXACT);
}

/* ---- pooling --------------------------------------------------------------------------------------------------- */

bool everyday_make_pooling(const struct subject *s, double stride, struct arrays *a)
{
    size_t count = (size_t)subject_size(s, "IMAGES") * subject_size(s, "CHANNELS") * subject_size(s, "SIZE") *
                   subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, count / 4 * sizeof(float), true);
    arrays_add_floats(a, count, -1, 1);
    return arrays_complete(a);
}

static double expected_pooling(const struct ran *r, size_t i)
{
    size_t n = size(r, "SIZE"), half = n / 2, channels = size(r, "CHANNELS"), window = tunable(r, "window"), maps = 1,
           map = 0, place = i;
    if (tunable(r, "pointwise")) { /* a point of all maps lies together */
        maps = channels;
        map = i % channels;
        place = i / channels;
    }
    double largest = -INFINITY;
    for (size_t k = 0; k < window * window; k++) {
        size_t x = 2 * (place % half) + 2 + k % window,
               y = 2 * (place / half % half) + 2 + k / window; /* the neighbour's and WINDOW */
        if (x >= window && y >= window)
            largest =
                fmax(largest, input(r, 1, ((place / half / half * n + y - window) * n + x - window) * maps + map));
    }
    return largest;
}

ERROR(pooling)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), LOOKS, expected_pooling, EXACT);
}

/* ---- geglu ----------------------------------------------------------------------------------------------------- */

/* Of 2^-4 to 2, of both signs. */
static void add_halves(struct arrays *a, size_t count)
{
    enum { FRACTION = 1 << 10, FIRST = 11, EXPONENTS = 5 };
    uint64_t state = 41 + a->count;
    uint16_t *halves = arrays_add(a, count * sizeof *halves, false);
    for (size_t i = 0; halves != NULL && i < count; i++)
        halves[i] = (uint16_t)(FIRST * FRACTION + arrays_random(&state) % (EXPONENTS * FRACTION) +
                               (arrays_random(&state) % 2 << 15));
}

bool everyday_make_geglu(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE");
    (void)stride;
    arrays_add(a, n * sizeof(uint16_t), true);
    for (int k = 0; k < 3; k++)
        add_halves(a, n);
    arrays_add_floats(a, subject_size(s, "COLUMNS"), 0.5f, 1.5f);
    return arrays_complete(a);
}

static double half_input(const struct ran *r, unsigned argument, size_t i)
{
    return half_value(((const uint16_t *)data_of(r, argument))[i]);
}

static double expected_geglu(const struct ran *r, size_t i)
{
    double gate = half_input(r, 1, i),
           gelu = 0.5 * gate * (1 + tanh(0.79788456 * (gate + 0.044715 * gate * gate * gate)));
    return half_input(r, 3, i) + gelu * half_input(r, 2, i) * input(r, 4, i % size(r, "COLUMNS"));
}

ERROR(geglu)
{
    const struct ran r = RAN;
    return worst_of(&r, half_output, size(&r, "SIZE"), LOOKS, expected_geglu, 5e-3);
}

/* ---- d3q19 ----------------------------------------------------------------------------------------------------- */

enum { POPULATIONS = 19 };

bool everyday_make_d3q19(const struct subject *s, double stride, struct arrays *a)
{
    size_t n = subject_size(s, "SIZE"), count = POPULATIONS * n * n * n;
    (void)stride;
    arrays_add(a, count * sizeof(float), true);
    arrays_add_floats(a, count, 0.1f, 1);
    return arrays_complete(a);
}

static const int ways[POPULATIONS][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1},
};

/* The cell that the population comes from. */
static size_t upstream(size_t cell, const int *way, size_t n)
{
    size_t x = (cell + n - (size_t)way[0]) % n, y = (cell / n + n - (size_t)way[1]) % n,
           z = (cell / n / n + n - (size_t)way[2]) % n;
    return (z * n + y) * n + x;
}

static double expected_d3q19(const struct ran *r, size_t i)
{
    size_t n = size(r, "SIZE"), cells = n * n * n, volumes = tunable(r, "volumes"),
           cell = volumes ? i % cells : i / POPULATIONS;
    size_t wanted = volumes ? i / cells : i % POPULATIONS;
    bool gathers = tunable(r, "variant") == 0;
    double f[POPULATIONS], sum = 0, speed[3] = {0}, along = 0, square = 0;
    if (!gathers)
        cell = upstream(cell, ways[wanted], n);
    for (size_t q = 0; q < POPULATIONS; q++) {
        size_t from = gathers ? upstream(cell, ways[q], n) : cell;
        f[q] = input(r, 1, volumes ? q * cells + from : from * POPULATIONS + q);
        sum += f[q];
        for (int d = 0; d < 3; d++)
            speed[d] += ways[q][d] * f[q];
    }
    for (int d = 0; d < 3; d++) {
        along += ways[wanted][d] * speed[d] / sum;
        square += speed[d] * speed[d] / (sum * sum);
    }
    double weight = wanted == 0 ? 1.0 / 3 : wanted < 7 ? 1.0 / 18 : 1.0 / 36;
    return f[wanted] + 0.8 * (weight * sum * (1 + 3 * along + 4.5 * along * along - 1.5 * square) - f[wanted]);
}

ERROR(d3q19)
{
    const struct ran r = RAN;
    return worst_float(&r, a->items[0].bytes / sizeof(float), LOOKS, expected_d3q19, 1e-5);
}

/* ---- Rows that are possible ------------------------------------------------------------------------------------ */

bool everyday_accepts_planes(const struct subject *s, const struct table *t, size_t row)
{
    unsigned x = cell(t, row, "block_size_x"), items = x * cell(t, row, "block_size_y");
    return x >= 16 && items >= 64 && items <= 512 && subject_size(s, "SIZE") % (x * cell(t, row, "tile_size_x")) == 0;
}

bool everyday_accepts_lanes(const struct subject *s, const struct table *t, size_t row)
{
    (void)s;
    return cell(t, row, "block_size_x") % cell(t, row, "lanes") == 0;
}

/* 72 registers for a block of points. */
bool everyday_accepts_dct(const struct subject *s, const struct table *t, size_t row)
{
    return everyday_accepts_lanes(s, t, row) &&
           (cell(t, row, "lanes") > 1 || (cell(t, row, "pitch") == 8 && cell(t, row, "block_size_x") <= 768));
}

/* At most 32 numbers per work-item, a whole number of steps, butterflies for all. */
bool everyday_accepts_fft(const struct subject *s, const struct table *t, size_t row)
{
    unsigned points = cell(t, row, "tile_size_x"), radix = cell(t, row, "radix"), items = cell(t, row, "block_size_x");
    (void)s;
    return items * radix <= points && items * 32 >= points && (radix < 8 || points == 4096);
}

/* Local memory of 48 KB, and registers for the matrices. */
bool everyday_accepts_cholesky(const struct subject *s, const struct table *t, size_t row)
{
    unsigned items = cell(t, row, "block_size_x"), lanes = cell(t, row, "lanes"), order = cell(t, row, "order");
    (void)s;
    if (lanes == 1)
        return items * order * order <= 1 << 16;
    return lanes == order && cell(t, row, "interleaved") == 0 && items * (order + 1) * sizeof(float) <= 48 << 10;
}

bool everyday_accepts_vectors(const struct subject *s, const struct table *t, size_t row)
{
    (void)s;
    return cell(t, row, "tile_size_x") % cell(t, row, "vector") == 0;
}
