/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * When a driver is to build a kernel for another local size: rent or buy. Each launch that does without the best size
 * loses what the model says; what launches have lost for want of a size is added up, over launches of all kinds and
 * over processes. Once it comes to what a build takes, the next launch has the kernel built. So a program takes no more
 * than its own time and one build, whenever it ends, and what has been lost long enough is not lost again.
 */
#include "runtime/layer_state.h"

/* What is told to the cache while the program runs: one that is killed has lost less than an eighth of a build from
 * memory. */
enum { SAVES_PER_BUILD = 8 };

struct query {
    const struct gp_hash *kernel_key;
    bool offset;
};

static bool is_built(const void *context, const uint32_t local[3])
{
    const struct query *query = context;
    return gp_map_get(&gp_layer.built, gp_built_key(query->kernel_key, local, query->offset)) != NULL;
}

/* Of the kernel where it was measured, else what the device's builds took so far. */
static double cost_of(const struct gp_cl_device *device, struct gp_hash kernel_key)
{
    const double *measured = gp_layer.settings.has_build_cost ? NULL : gp_map_get(&gp_layer.costs, kernel_key);
    return measured != NULL ? *measured : device->build_ns;
}

struct gp_lost *gp_rent_lost(struct gp_hash kernel_key, struct gp_hash size)
{
    struct gp_lost *lost = gp_map_made(&gp_layer.lost, size, sizeof *lost);
    if (lost != NULL) {
        lost->kernel_key = kernel_key;
        lost->size = size;
    }
    return lost;
}

/* Anew when a size has been built since. */
static void weigh(struct gp_entry *entry, const struct gp_cl_device *device, const struct gp_hash *kernel_key,
                  bool offset)
{
    struct query query = {kernel_key, offset};
    struct gp_pick pick = gp_decision_pick(&entry->decision, device->model, device->build_ns > 0, is_built, &query);
    entry->picked = pick.taken;
    entry->wanted = pick.wanted;
    entry->lost_ns = pick.lost_ns;
    entry->lost =
        pick.wanted != NULL ? gp_rent_lost(*kernel_key, gp_built_key(kernel_key, pick.wanted->local, offset)) : NULL;
    entry->build_ns = cost_of(device, *kernel_key);
    entry->weighed_at = gp_layer.build_count + 1;
}

static void add_loss(struct gp_lost *lost, double ns, double build_ns)
{
    lost->ns += ns;
    lost->unsaved_ns += ns;
    if (lost->unsaved_ns * SAVES_PER_BUILD >= build_ns && gp_worker_note_lost(lost))
        lost->unsaved_ns = 0;
}

const struct gp_alternative *gp_rent_pick(struct gp_entry *entry, const struct gp_cl_device *device,
                                          const struct gp_hash *kernel_key, bool offset, unsigned launches)
{
    if (entry->weighed_at != gp_layer.build_count + 1)
        weigh(entry, device, kernel_key, offset);
    if (entry->lost == NULL)
        return entry->picked;
    if (entry->lost->ns >= entry->build_ns)
        return entry->wanted;
    add_loss(entry->lost, entry->lost_ns * launches, entry->build_ns);
    return entry->picked;
}

bool gp_rent_add_built(struct gp_hash size)
{
    if (gp_map_get(&gp_layer.built, size) != NULL)
        return false;
    gp_map_put(&gp_layer.built, size, &gp_layer, NULL);
    gp_layer.build_count++;
    return true;
}

void gp_rent_learn_cost(struct gp_hash kernel_key, double ns)
{
    double *cost = gp_map_made(&gp_layer.costs, kernel_key, sizeof *cost);
    if (cost != NULL)
        *cost = ns;
}
