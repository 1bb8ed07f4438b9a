/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the backend says of its loops, for the profile's: where these are the same. */
#include "compile/backend.h"

#include <math.h>
#include <stdlib.h>

#include "model/compilers/machine_code.h"
#include "model/compilers/spilled.h"

static bool same_loops(const struct gp_backend_kernel *known, const struct gp_kernel *kernel)
{
    bool same = known->loop_count == kernel->loop_count;
    for (uint32_t i = 0; same && i < known->loop_count; i++)
        same = known->loops[i].depth == kernel->loops[i].depth;
    return same;
}

/* The one of the backend's loops with such a depth and so many operations on floats; NULL: there is none, or more than
 * one. */
static const struct gp_backend_loop *loop_with(const struct gp_backend_kernel *known, uint32_t depth, uint32_t floats)
{
    const struct gp_backend_loop *found = NULL;
    for (uint32_t i = 0; i < known->loop_count; i++) {
        if (known->loops[i].depth != depth || !gp_same_floats(known->loops[i].floats, floats))
            continue;
        if (found != NULL)
            return NULL;
        found = &known->loops[i];
    }
    return found;
}

static bool is_alone(const struct gp_kernel *kernel, const uint32_t *floats, uint32_t loop)
{
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        if (i != loop && kernel->loops[i].depth == kernel->loops[loop].depth && gp_same_floats(floats[i], floats[loop]))
            return false;
    return floats[loop] > 0;
}

/*
 * The backend's loop for each of the profile's, NULL where it is not known: by their order where both have the same
 * ones; else that which alone has its operations. The caller frees the array; NULL: memory is short.
 */
static const struct gp_backend_loop **match_loops(const struct gp_backend_kernel *known, const struct gp_kernel *kernel)
{
    const struct gp_backend_loop **loops = calloc(kernel->loop_count + (size_t)1, sizeof *loops);
    uint32_t *floats = calloc(kernel->loop_count + (size_t)1, sizeof *floats);
    bool same = same_loops(known, kernel);
    if (floats != NULL && !same)
        gp_floats_of_loops(kernel, floats);
    for (uint32_t i = 0; loops != NULL && floats != NULL && i < kernel->loop_count; i++)
        loops[i] = same                          ? &known->loops[i]
                   : is_alone(kernel, floats, i) ? loop_with(known, kernel->loops[i].depth, floats[i])
                                                 : NULL;
    free(floats);
    return loops;
}

static uint32_t add_bytes(uint32_t bytes, double more) { return (uint32_t)fmin(UINT32_MAX, bytes + more); }

/* The innermost loop around one, or itself, whose number of turns only the launch tells; GP_NONE: none. */
static uint32_t launch_decides(const struct gp_kernel *kernel, uint32_t loop)
{
    while (loop != GP_NONE && gp_ref_kind(kernel->loops[loop].trip_count) == GP_REF_CONST)
        loop = kernel->loops[loop].parent;
    return loop;
}

struct spilled_bytes {
    double stores, loads;
};

/* What the loop spills in one turn, with the loops in it whose number of turns is constant. */
static struct spilled_bytes bytes_in(const struct gp_backend_loop *const *known, const struct gp_kernel *kernel,
                                     uint32_t loop)
{
    struct spilled_bytes bytes = {0};
    for (uint32_t i = 0; i < kernel->loop_count; i++)
        if (known[i] != NULL && launch_decides(kernel, i) == loop) {
            double times = gp_constant_iterations(kernel, i);
            bytes.stores += times * known[i]->spill_store_bytes;
            bytes.loads += times * known[i]->spill_load_bytes;
        }
    return bytes;
}

/* Of the loops whose number of turns only the launch tells the one that spills most. */
static void name_spill_loop(const struct gp_backend_loop *const *known, const struct gp_kernel *kernel,
                            struct gp_resources *resources)
{
    double most = 0;
    for (uint32_t i = 0; i < kernel->loop_count; i++) {
        struct spilled_bytes bytes =
            launch_decides(kernel, i) == i ? bytes_in(known, kernel, i) : (struct spilled_bytes){0};
        if (bytes.stores + bytes.loads <= most)
            continue;
        most = bytes.stores + bytes.loads;
        resources->spill_loop = i;
        resources->loop_store_bytes = add_bytes(0, bytes.stores);
        resources->loop_load_bytes = add_bytes(0, bytes.loads);
    }
}

void gp_weigh_spills(const struct gp_backend_kernel *known, const struct gp_kernel *kernel,
                     struct gp_resources *resources)
{
    const struct gp_backend_loop **loops = match_loops(known, kernel);
    for (uint32_t i = 0; loops != NULL && i < kernel->loop_count; i++) {
        double again = loops[i] != NULL ? gp_constant_iterations(kernel, i) - 1 : 0;
        if (again > 0) {
            resources->spill_store_bytes = add_bytes(resources->spill_store_bytes, again * loops[i]->spill_store_bytes);
            resources->spill_load_bytes = add_bytes(resources->spill_load_bytes, again * loops[i]->spill_load_bytes);
        }
    }
    if (loops != NULL)
        name_spill_loop(loops, kernel, resources);
    free(loops);
}

uint32_t gp_machine_code_of(const struct gp_backend_kernel *known, const struct gp_kernel *kernel,
                            struct gp_machine_code *code)
{
    if (known->vector == 0)
        return 0;
    uint32_t count = 0;
    const struct gp_backend_loop **loops = match_loops(known, kernel);
    for (uint32_t i = 0; loops != NULL && i < kernel->loop_count; i++)
        if (loops[i] != NULL)
            code[count++] = (struct gp_machine_code){i,       loops[i]->vector, loops[i]->floats, loops[i]->local_words,
                                                     GP_NONE, GP_NONE};
    free(loops);
    if (same_loops(known, kernel))
        code[count++] =
            (struct gp_machine_code){GP_NONE, known->vector, known->floats, known->local_words, GP_NONE, GP_NONE};
    return count;
}
