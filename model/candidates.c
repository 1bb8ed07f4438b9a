#include "model/predict.h"

#include <string.h>

/* Shapes people use, in the order in which they are worth a look: total size first, then how it is cut. */
static const uint32_t totals[] = {256, 128, 512, 64, 1024, 32, 192, 384, 768, 96, 2048, 4096, 16, 8};
static const uint32_t widths[] = {32, 16, 64, 8, 128, 256, 4, 512, 1024, 1, 2, 48, 24, 96, 2048, 4096};

struct listing {
    const struct gp_device *device;
    const struct gp_kernel *kernel;
    const struct gp_launch *launch;
    bool uniform;
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
    if (l->uniform)
        return divisor_below(size, wanted);
    return size < wanted ? (uint32_t)size : wanted;
}

static uint64_t limit_of(const struct listing *l)
{
    uint64_t limit = (uint64_t)l->device->max_threads_per_block.value;
    if (l->kernel->max_local > 0 && l->kernel->max_local < limit)
        limit = l->kernel->max_local;
    return limit;
}

static void add(struct listing *l, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t shape[3] = {fit(l, 0, x), fit(l, 1, y), fit(l, 2, z)};
    if (l->count == l->max || (uint64_t)shape[0] * shape[1] * shape[2] > limit_of(l))
        return;
    for (uint32_t i = 0; i < l->count; i++)
        if (memcmp(l->list[i], shape, sizeof shape) == 0)
            return;
    memcpy(l->list[l->count++], shape, sizeof shape);
}

static void add_total(struct listing *l, uint32_t total)
{
    uint32_t dims = l->launch->dims;
    if (dims == 1) {
        add(l, total, 1, 1);
        return;
    }
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        uint32_t x = widths[i];
        if (x > total || total % x != 0)
            continue;
        uint32_t rest = total / x;
        add(l, x, rest, 1);
        for (uint32_t z = 2; dims == 3 && z <= 8 && z <= rest; z *= 2)
            if (rest % z == 0)
                add(l, x, rest / z, z);
    }
}

uint32_t gp_candidates(const struct gp_device *device, const struct gp_kernel *kernel, const struct gp_launch *launch,
                       bool uniform, uint32_t (*candidates)[3], uint32_t max)
{
    struct listing l = {device, kernel, launch, uniform, candidates, 0, max};
    if (kernel->required_local[0] > 0) {
        if (max > 0)
            memcpy(candidates[l.count++], kernel->required_local, sizeof *candidates);
        return l.count;
    }
    uint32_t smallest = device->arch == GP_ARCH_CPU ? 8 : (uint32_t)device->warp_width.value;
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++)
        if (totals[i] >= smallest)
            add_total(&l, totals[i]);
    if (l.count == 0)
        add(&l, 1, 1, 1);
    return l.count;
}
