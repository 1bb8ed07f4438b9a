/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How many groups an SM holds at a time: all take as long as one while it holds them, since they only wait for loads;
 * the first that it does not hold waits for another's end. Small groups tell how many groups, large ones how many
 * warps, those with local memory how much of that. What registers a kernel has is its compiler's to say, so that they
 * tell nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/calibrate/calibration.h"
#include "tools/calibrate/readers.h"

enum { MOST = 48, HOPS = 64, STRIDE = 512, PLACES = 65536, RANGE = PLACES * STRIDE };

/* ns that so many groups of each SM take for a chain beyond L1, which is the same for all. */
static bool time_groups(struct gp_calibration *c, const char *kernel, const uint64_t *chain, uint32_t each,
                        uint32_t local, double *ns, struct gp_error *error)
{
    double spread;
    struct gp_times times;
    struct gp_run run = {.program = "residency",
                         .kernel = kernel,
                         .groups = (uint64_t)each * c->target->units,
                         .local = local,
                         .count = HOPS,
                         .in_bytes = RANGE,
                         .out_bytes = (size_t)each * c->target->units * local * 8,
                         .chain = chain};
    if (!gp_measure(c, &run, &times, &spread, error))
        return false;
    *ns = times.device;
    return true;
}

/* The most groups of an SM that take no more than half as long again as one, by halving. 0: a single one fails. */
static bool find_resident(struct gp_calibration *c, const char *kernel, const uint64_t *chain, uint32_t local,
                          uint32_t *resident, struct gp_error *error)
{
    static const double AS_LONG = 1.5;
    double one, ns;
    uint32_t low = 1, high = MOST;
    *resident = 0;
    if (!time_groups(c, kernel, chain, 1, local, &one, error))
        return false;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (!time_groups(c, kernel, chain, middle, local, &ns, error))
            return false;
        *(ns <= AS_LONG * one ? &low : &high) = middle;
    }
    *resident = low;
    return true;
}

static void say_groups(struct gp_calibration *c, uint32_t small, uint32_t large, uint32_t local)
{
    double warps = (double)large * local / c->target->warp;
    if (small + 1 < MOST)
        gp_found(c, "max_blocks_per_sm", small, 0, "groups of two warps that wait at the same time");
    else
        gp_not_identifiable(c, "max_blocks_per_sm", "%u groups of two warps still wait at the same time", small);
    if (large < small) {
        gp_found(c, "max_warps_per_sm", warps, 0, "groups of %u that wait at the same time", local);
        gp_found(c, "max_threads_per_sm", warps * c->target->warp, 0, "groups of %u that wait at the same time", local);
    } else {
        gp_not_identifiable(c, "max_warps_per_sm", "as many large groups are held as small ones");
        gp_not_identifiable(c, "max_threads_per_sm", "as many large groups are held as small ones");
    }
}

static bool say_local(struct gp_calibration *c, const uint64_t *chain, uint32_t small, struct gp_error *error)
{
    static const uint32_t sizes[] = {4096, 5120, 6144, 7680, 10240, 12288, 16384, 20480, 24576, 32768, 40960, 49152};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    double bytes[SIZES], groups[SIZES], low, high;
    size_t count = 0;
    for (size_t i = 0; i < SIZES; i++) {
        char kernel[24];
        uint32_t resident;
        snprintf(kernel, sizeof kernel, "holds_%u", sizes[i]);
        if (!find_resident(c, kernel, chain, 2 * c->target->warp, &resident, error)) {
            error->text[0] = '\0'; /* no group may have so much */
            break;
        }
        if (resident >= small)
            continue; /* something else limits them */
        bytes[count] = sizes[i];
        groups[count++] = resident;
    }
    if (!gp_read_room(bytes, groups, count, &low, &high))
        gp_not_identifiable(c, "smem_per_sm", "other limits are reached before it");
    else if (high - low > 0.2 * low)
        gp_not_identifiable(c, "smem_per_sm", "groups tell no more than %.0f to %.0f bytes", low, high);
    else
        gp_found(c, "smem_per_sm", (low + high) / 2, (high - low) / (high + low),
                 "room for %.0f bytes, not for %.0f, in groups of %zu sizes", low, high, count);
    return true;
}

/* As residency.cl has it: 1237 places further with each hop. */
static void make_chain(uint64_t *words)
{
    for (size_t i = 0; i < PLACES; i++)
        words[i * STRIDE / sizeof *words] = (i + 1237) % PLACES * STRIDE;
}

bool gp_probe_residency(struct gp_calibration *c, struct gp_error *error)
{
    uint32_t small, large, local = 8 * c->target->warp;
    if (c->target->is_cpu)
        return true; /* a core holds one group */
    uint64_t *words = calloc(RANGE / sizeof *words, sizeof *words);
    if (words == NULL)
        return gp_fail(error, "out of memory");
    make_chain(words);
    local = local < c->target->most_local ? local : c->target->most_local;
    bool done = find_resident(c, "waits", words, 2 * c->target->warp, &small, error) &&
                find_resident(c, "waits", words, local, &large, error);
    if (done) {
        say_groups(c, small, large, local);
        gp_not_identifiable(c, "registers_per_sm", "what registers a kernel has is its compiler's to say");
        done = say_local(c, words, small, error);
    }
    free(words);
    return done;
}
