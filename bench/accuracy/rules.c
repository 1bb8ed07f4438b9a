/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rules that people and drivers choose a group by, on the shapes that were measured. */
#include "bench/accuracy/rules.h"

#include <math.h>

#include "support/divisor.h"

static unsigned threads(const struct config *c) { return c->block[0] * c->block[1]; }

/* The configuration nearest to a shape, in octaves; equally near: the wider. */
static size_t nearest(const struct config *c, size_t n, double x, double y)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double distance = fabs(log2(c[i].block[0] / x)) + fabs(log2(c[i].block[1] / y));
        if (distance < least - 1e-9 || (distance < least + 1e-9 && c[i].block[0] > c[best].block[0])) {
            least = distance;
            best = i;
        }
    }
    return best;
}

static size_t wide(const struct config *c, size_t n, unsigned total)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++) {
        double a = fabs(log2((double)threads(&c[i]) / total)), b = fabs(log2((double)threads(&c[best]) / total));
        if (a < b - 1e-9 || (a < b + 1e-9 && c[i].block[0] > c[best].block[0]))
            best = i;
    }
    return best;
}

static size_t wide_256(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    return wide(c, n, 256);
}
static size_t wide_128(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    return wide(c, n, 128);
}
static size_t wide_1024(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    return wide(c, n, 1024);
}
static size_t square_16(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    return nearest(c, n, 16, 16);
}

/* cudaOccupancyMaxPotentialBlockSize: the largest group among those of the highest occupancy, laid out wide. */
static size_t max_occupancy(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (c[i].occupancy > c[best].occupancy + 1e-9 ||
            (c[i].occupancy > c[best].occupancy - 1e-9 &&
             (threads(&c[i]) > threads(&c[best]) ||
              (threads(&c[i]) == threads(&c[best]) && c[i].block[0] > c[best].block[0]))))
            best = i;
    return best;
}

static unsigned power_at_most(unsigned size, unsigned most)
{
    unsigned p = 1;
    while (2 * p <= most && size % (2 * p) == 0)
        p *= 2;
    return p;
}

/* PoCL: multiples of gcd(preferred, global), at least four times the preferred multiple, x first. */
static size_t pocl(const struct config *c, size_t n, unsigned warp)
{
    unsigned x = (unsigned)gp_largest_divisor(c->items[0], 4 * warp),
             y = (unsigned)gp_largest_divisor(c->items[1], 4 * warp / (x ? x : 1));
    return nearest(c, n, x, y ? y : 1);
}

/* NVIDIA, as its driver 580 was observed (runtime/nvidia_rule.c): x alone. */
static size_t nvidia(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    unsigned width = c->items[0], x = (unsigned)gp_largest_divisor(width, 256);
    return nearest(c, n, x == 1 && width <= 1024 ? width : x, 1);
}

/* Intel: power-of-two divisors up to SIMD width x 32 in all, x first. */
static size_t intel(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    unsigned x = power_at_most(c->items[0], 256), y = power_at_most(c->items[1], 256 / x);
    return nearest(c, n, x, y);
}

/* AMD: a budget of 256, greedy divisors. */
static size_t amd(const struct config *c, size_t n, unsigned warp)
{
    (void)warp;
    unsigned x = (unsigned)gp_largest_divisor(c->items[0], 256), y = (unsigned)gp_largest_divisor(c->items[1], 256 / x);
    return nearest(c, n, x, y);
}

/* rusticl: a whole sub-group along x where it divides, then powers of two. */
static size_t rusticl(const struct config *c, size_t n, unsigned warp)
{
    unsigned x = power_at_most(c->items[0], warp), y = power_at_most(c->items[1], 1024 / (x ? x : 1));
    return nearest(c, n, x, y);
}

const struct named_rule baselines[] = {{"256 wide", wide_256},
                                       {"128 wide", wide_128},
                                       {"1024 wide", wide_1024},
                                       {"16x16", square_16},
                                       {"max occupancy", max_occupancy},
                                       {"PoCL", pocl},
                                       {"NVIDIA", nvidia},
                                       {"Intel", intel},
                                       {"AMD", amd},
                                       {"rusticl", rusticl}};
const size_t baseline_count = sizeof baselines / sizeof *baselines;
