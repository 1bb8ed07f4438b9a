/* What the backend says of its loops, for the profile's: where these are the same. */
#include "compile/backend.h"

#include <math.h>

#include "model/code/spilled.h"

static bool same_loops(const struct gp_backend_kernel *known, const struct gp_kernel *kernel)
{
    bool same = known->loop_count == kernel->loop_count;
    for (uint32_t i = 0; same && i < known->loop_count; i++)
        same = known->loops[i].depth == kernel->loops[i].depth;
    return same;
}

static uint32_t add_bytes(uint32_t bytes, double more) { return (uint32_t)fmin(UINT32_MAX, bytes + more); }

/* The innermost loop around one, or itself, whose number of turns only the launch tells; GP_NONE: none. */
static uint32_t launch_decides(const struct gp_kernel *kernel, uint32_t loop)
{
    while (loop != GP_NONE && gp_ref_kind(kernel->loops[loop].trip_count) == GP_REF_CONST)
        loop = kernel->loops[loop].parent;
    return loop;
}

struct spilled_bytes { double stores, loads; };

/* What the loop spills in one turn, with the loops in it whose number of turns is constant. */
static struct spilled_bytes bytes_in(const struct gp_backend_kernel *known, const struct gp_kernel *kernel, uint32_t loop)
{
    struct spilled_bytes bytes = {0};
    for (uint32_t i = 0; i < known->loop_count; i++)
        if (launch_decides(kernel, i) == loop) {
            double times = gp_constant_iterations(kernel, i);
            bytes.stores += times * known->loops[i].spill_store_bytes;
            bytes.loads += times * known->loops[i].spill_load_bytes;
        }
    return bytes;
}

/* Of the loops whose number of turns only the launch tells the one that spills most. */
static void name_spill_loop(const struct gp_backend_kernel *known, const struct gp_kernel *kernel, struct gp_resources *resources)
{
    double most = 0;
    for (uint32_t i = 0; i < known->loop_count; i++) {
        struct spilled_bytes bytes = launch_decides(kernel, i) == i ? bytes_in(known, kernel, i) : (struct spilled_bytes){0};
        if (bytes.stores + bytes.loads <= most)
            continue;
        most = bytes.stores + bytes.loads;
        resources->spill_loop = i;
        resources->loop_store_bytes = add_bytes(0, bytes.stores);
        resources->loop_load_bytes = add_bytes(0, bytes.loads);
    }
}

void gp_weigh_spills(const struct gp_backend_kernel *known, const struct gp_kernel *kernel, struct gp_resources *resources)
{
    if (!same_loops(known, kernel))
        return;
    for (uint32_t i = 0; i < known->loop_count; i++) {
        double again = gp_constant_iterations(kernel, i) - 1;
        resources->spill_store_bytes = add_bytes(resources->spill_store_bytes, again * known->loops[i].spill_store_bytes);
        resources->spill_load_bytes = add_bytes(resources->spill_load_bytes, again * known->loops[i].spill_load_bytes);
    }
    name_spill_loop(known, kernel, resources);
}

uint32_t gp_machine_code_of(const struct gp_backend_kernel *known, const struct gp_kernel *kernel, struct gp_machine_code *code)
{
    if (known->vector == 0 || !same_loops(known, kernel))
        return 0;
    for (uint32_t i = 0; i < known->loop_count; i++)
        code[i] = (struct gp_machine_code){i, known->loops[i].vector, known->loops[i].floats};
    code[known->loop_count] = (struct gp_machine_code){GP_NONE, known->vector, known->floats};
    return known->loop_count + 1;
}
