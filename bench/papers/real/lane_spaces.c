/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Wang et al., Table VI: the lane detection's 10, 20 and 20 designs. */
#include "bench/papers/real/point.h"

enum { PIXELS = 512 * 96 };

static void line(struct point *p, uint64_t items, uint32_t local)
{
    *p = (struct point){.global = {items, 1}, .local = {local, 1}};
}

static void pre(int input, uint32_t local, struct point *p)
{
    (void)input;
    line(p, PIXELS, local);
    add_value(p, (struct value){.kind = ROAD, .count = PIXELS});
    add_value(p, (struct value){.kind = FLOATS, .count = PIXELS});
    add_value(p, (struct value){.kind = FLOAT, .value = 0.25});
}

static void detect(int input, uint32_t local, struct point *p)
{
    line(p, UINT64_C(1024) << input, local);
    add_value(p, (struct value){.kind = ROAD, .count = PIXELS});
    add_value(p, (struct value){.kind = FLOATS, .count = (double)p->global[0]});
    add_value(p, (struct value){.kind = INT, .name = "candidates", .value = (double)p->global[0]});
}

static void follow(int input, uint32_t local, struct point *p)
{
    line(p, UINT64_C(1024) << input, local);
    add_value(p, (struct value){.kind = ROAD, .count = PIXELS});
    add_value(p, (struct value){.kind = FLOATS, .count = 2 * (double)p->global[0]});
    add_value(p, (struct value){.kind = FLOATS, .count = 2 * (double)p->global[0]});
    add_value(p, (struct value){.kind = FLOATS, .count = (double)p->global[0]});
    add_value(p, (struct value){.kind = INT, .name = "particles", .value = (double)p->global[0]});
    add_value(p, (struct value){.kind = INT, .name = "seed", .value = 1});
}

static const uint32_t all[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 0}, small[] = {2, 4, 8, 16, 32, 0};

const struct subspace lane_spaces[] = {{"lane", "lane/lane.cl", "pre", pre, 1, all, {15.45}},
                                       {"lane", "lane/lane.cl", "detect", detect, 4, small, {19.60}},
                                       {"lane", "lane/lane.cl", "follow", follow, 4, small, {17.10}},
                                       {.application = NULL}};
