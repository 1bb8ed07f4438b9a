/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/predict.h"

#include <math.h>
#include <string.h>

#include "model/assume/group_sizes.h"
#include "model/assume/neighbours.h"

/* Shapes people use, in the order in which they are worth a look: total size first, then how it is cut. */
static const uint32_t totals[] = {256, 128, 512, 64, 1024, 32, 192, 384, 768, 96, 2048, 4096, 16, 8};
static const uint32_t widths[] = {32, 16, 64, 8, 128, 256, 4, 512, 1024, 1, 2, 48, 24, 96, 2048, 4096};

struct listing {
    const struct gp_device *device;
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    bool uniform;
    bool along_first, along_last; /* work-items next to each other there touch what is next to each other */
    uint32_t told[3];             /* what the kernel's own constants ask for; 0: nothing */
    uint32_t (*list)[3];
    uint32_t count, max;
};

/* The largest divisor of `size` that is at most `target`. */
static uint32_t divisor_below(uint64_t size, uint32_t target)
{
    for (uint32_t d = size < target ? (uint32_t)size : target; d > 1; d--)
        if (size % d == 0)
            return d;
    return 1;
}

static uint32_t fit(const struct listing *l, int dim, uint32_t wanted)
{
    uint64_t size = l->launch->global[dim];
    if (l->told[dim] > 0 && (!l->uniform || size % l->told[dim] == 0))
        return l->told[dim];
    if (l->uniform)
        return divisor_below(size, wanted);
    return size < wanted ? (uint32_t)size : wanted;
}

static uint64_t limit_of(const struct listing *l)
{
    uint64_t limit = (uint64_t)l->device->max_threads_per_block.value;
    if (l->kernel->stated.max_local > 0 && l->kernel->stated.max_local < limit)
        limit = l->kernel->stated.max_local;
    return limit;
}

static void add(struct listing *l, const uint32_t wanted[3])
{
    uint32_t shape[3];
    for (int d = 0; d < 3; d++)
        shape[d] = fit(l, d, wanted[d]);
    if (l->count == l->max || (uint64_t)shape[0] * shape[1] * shape[2] > limit_of(l))
        return;
    for (uint32_t i = 0; i < l->count; i++)
        if (memcmp(l->list[i], shape, sizeof shape) == 0)
            return;
    memcpy(l->list[l->count++], shape, sizeof shape);
}

/* The dimensions that work-items are told apart by; where there is none, the first. */
static uint32_t dimensions_of_items(const struct listing *l, uint32_t dims[3])
{
    uint32_t count = 0;
    for (uint32_t d = 0; d < l->launch->dims; d++)
        if (!gp_dimension_is_of_groups(l->kernel, d))
            dims[count++] = d;
    if (count == 0)
        dims[count++] = 0;
    return count;
}

/* `across` dimensions: widths along the first, what is left along the second, and little of it along the third. */
static void add_cuts(struct listing *l, uint32_t total, const uint32_t d[3], uint32_t across)
{
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        uint32_t width = widths[i], shape[3] = {1, 1, 1};
        if (width > total || total % width != 0)
            continue;
        uint32_t rest = total / width;
        shape[d[0]] = width;
        shape[d[1]] = rest;
        add(l, shape);
        for (uint32_t deep = 2; across == 3 && deep <= 8 && deep <= rest; deep *= 2)
            if (rest % deep == 0) {
                shape[d[1]] = rest / deep;
                shape[d[2]] = deep;
                add(l, shape);
            }
    }
}

/*
 * Of three dimensions the one that goes through memory is cut in all widths; both, where a kernel goes through one
 * buffer along the first and another along the last: then each pair of dimensions.
 */
static void add_boxes(struct listing *l, uint32_t total, const uint32_t d[3])
{
    const uint32_t turned[3] = {d[2], d[1], d[0]}, ends[3] = {d[0], d[2], d[1]};
    if (!l->along_last) {
        add_cuts(l, total, d, 3);
    } else if (!l->along_first) {
        add_cuts(l, total, turned, 3);
    } else {
        add_cuts(l, total, ends, 2);
        add_cuts(l, total, d, 2);
        add_cuts(l, total, turned, 2);
    }
}

static void add_total(struct listing *l, uint32_t total)
{
    uint32_t d[3], dims = dimensions_of_items(l, d);
    if (dims == 1) {
        uint32_t shape[3] = {1, 1, 1};
        shape[d[0]] = total;
        add(l, shape);
    } else if (dims == 2) {
        add_cuts(l, total, d, 2);
    } else {
        add_boxes(l, total, d);
    }
}

uint32_t gp_candidates(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_launch *launch,
                       bool uniform, uint32_t (*candidates)[3], uint32_t max)
{
    uint8_t along = launch->dims == 3 ? gp_dimensions_of_neighbours(kernel) : 0;
    struct listing l = {device, kernel, launch, uniform, along & 1, along & 4, {0}, candidates, 0, max};
    if (kernel->stated.required_local[0] > 0) {
        if (max > 0)
            memcpy(candidates[l.count++], kernel->stated.required_local, sizeof *candidates);
        return l.count;
    }
    gp_group_sizes(kernel, l.told);
    uint32_t smallest = device->arch == GP_ARCH_CPU ? 8 : (uint32_t)device->warp_width.value;
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        if (totals[i] >= smallest)
            add_total(&l, totals[i]);
    if (l.count == 0)
        add(&l, (const uint32_t[3]){1, 1, 1});
    return l.count;
}

uint32_t gp_endurable_candidates(uint64_t effort, size_t done, size_t kernels)
{
    const double most = 3e8, most_of_all = 6e8, few = 6, fewest = 3;
    double own = fmin(most, most_of_all / fmax(1, (double)kernels));
    double least = (double)effort < own ? few : fmax(fewest, (double)done);
    return (uint32_t)fmin(GP_MAX_CANDIDATES, fmax(least, own * (double)done / fmax(1, (double)effort)));
}
