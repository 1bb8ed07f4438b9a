/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * gp_profile_check(): every invariant that profile.h states, in time linear in the size of the profile. Whoever
 * computes with a profile relies on this and checks nothing again.
 */
#include "model/profile/profile.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/profile/checker.h"

/* ---- Complaints -------------------------------------------------------------------------------------------------- */

bool gp_check_complain(struct check *c, const char *format, ...)
{
    char what[256], where[64] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    size_t length = 0;
    if (c->block != GP_NONE)
        length = (size_t)snprintf(where, sizeof where, ", block %u", c->block);
    if (c->inst != GP_NONE)
        snprintf(where + length, sizeof where - length, ", instruction %%%u", c->inst);
    if (c->kernel == NULL)
        return gp_fail(c->error, "invalid profile: %s", what);
    const char *name = c->kernel->name ? c->kernel->name : "?";
    return gp_fail(c->error, "invalid profile: kernel '%.200s'%s: %s", name, where, what);
}

/* ---- The profile's own tables ------------------------------------------------------------------------------------ */

bool gp_check_location_index(struct check *c, uint32_t location)
{
    REQUIRE(c, location == GP_NONE || location < c->profile->location_count, "location %u does not exist", location);
    return true;
}

static bool check_locations(struct check *c)
{
    const struct gp_profile *profile = c->profile;
    REQUIRE(c, profile->location_count == 0 || profile->locations != NULL, "the locations are missing");
    for (uint32_t i = 0; i < profile->location_count; i++) {
        const struct gp_location *location = &profile->locations[i];
        REQUIRE(c, location->file != NULL, "location %u has no file", i);
        REQUIRE(c, location->inlined_at == GP_NONE || location->inlined_at < i,
                "location %u is inlined at location %u, which does not stand before it", i, location->inlined_at);
    }
    return true;
}

static bool check_header(struct check *c)
{
    const struct gp_profile *profile = c->profile;
    REQUIRE(c, profile->producer && profile->source && profile->triple && profile->cpu && profile->language,
            "a string of the header is missing");
    REQUIRE(c, profile->opt_level <= 3, "optimisation level %u", profile->opt_level);
    REQUIRE(c, profile->kernel_count == 0 || profile->kernels != NULL, "the kernels are missing");
    return check_locations(c);
}

/* ---- A kernel ---------------------------------------------------------------------------------------------------- */

static bool reserve(struct check *c)
{
    size_t insts = c->kernel->inst_count + (size_t)1, blocks = c->kernel->block_count + (size_t)1,
           loops = c->kernel->loop_count + (size_t)1;
    c->block_of = calloc(insts, sizeof *c->block_of);
    c->first_edge = calloc(blocks, sizeof *c->first_edge);
    c->mark = calloc(blocks, sizeof *c->mark);
    c->seen = calloc(blocks, sizeof *c->seen);
    c->loop_begin = calloc(loops, sizeof *c->loop_begin);
    c->loop_end = calloc(loops, sizeof *c->loop_end);
    return (c->block_of && c->first_edge && c->mark && c->seen && c->loop_begin && c->loop_end) ||
           gp_check_complain(c, "out of memory");
}

static void release(struct check *c)
{
    free(c->block_of);
    free(c->edges);
    free(c->first_edge);
    free(c->mark);
    free(c->seen);
    free(c->loop_begin);
    free(c->loop_end);
    c->block_of = c->edges = c->first_edge = c->mark = c->seen = c->loop_begin = c->loop_end = NULL;
}

static bool check_kernel(struct check *c)
{
    const struct gp_kernel *k = c->kernel;
    bool good = gp_check_tables(c) && gp_check_params(c) && gp_check_arrays(c, k->locals, k->local_count, "local") &&
                gp_check_arrays(c, k->globals, k->global_count, "global") &&
                gp_check_arrays(c, k->privates, k->private_count, "private") && gp_check_facts(c) &&
                gp_check_operand_total(c) && reserve(c) && gp_check_blocks(c) && gp_check_post_dominators(c) &&
                gp_check_block_insts(c) && gp_check_expressions(c) && gp_check_cycles(c) && gp_check_phis(c) &&
                gp_check_memory_records(c) && gp_check_branch_records(c) && gp_check_loop_nest(c) &&
                gp_check_loops(c) && gp_check_inductions(c);
    release(c);
    return good;
}

bool gp_profile_check(const struct gp_profile *profile, struct gp_error *error)
{
    struct check c = {.profile = profile, .error = error, .block = GP_NONE, .inst = GP_NONE};
    if (!check_header(&c))
        return false;
    for (uint32_t i = 0; i < profile->kernel_count; i++) {
        c.kernel = &profile->kernels[i];
        c.block = c.inst = GP_NONE;
        if (!check_kernel(&c))
            return false;
    }
    return true;
}
