/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "model/assume/defaults.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/assume/array_bounds.h"
#include "model/assume/group_sizes.h"
#include "model/assume/rules.h"
#include "model/assume/guards.h"
#include "model/assume/stated_ranges.h"
#include "model/assume/texels.h"
#include "model/assume/vectors.h"
#include "model/launch/numbers.h"
#include "model/value/value.h"

enum {
    ASSUMED_INTEGER = 1024,
    ASSUMED_MODULUS = 1023,
    ASSUMED_BITS = 10,
    MOST_BITS = 32,
    ASSUMED_RADIUS = 4,
    ASSUMED_WIDTH = 2 * ASSUMED_RADIUS + 1,
    ASSUMED_SHARE = GP_DEFAULT_TRIP_COUNT
};

static const uint64_t assumed_global[3][3] = {{1048576, 1, 1}, {1024, 1024, 1}, {128, 128, 128}};
static const uint32_t assumed_local[3][3] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};

/* ---- Arguments ------------------------------------------------------------------------------------------------ */

/* The number, or the largest that the parameter holds: an 8-bit argument cannot be 1024. */
static uint64_t largest_up_to(const struct gp_param *param, uint64_t number)
{
    uint64_t most = gp_bits_mask(param->bits) >> ((param->flags & GP_PARAM_SIGNED) != 0 && param->bits > 1);
    return number < most ? number : most;
}

static void assume(struct gp_argument *argument, uint64_t value, enum gp_assumed_use use)
{
    argument->value = value;
    argument->use = use;
}

/* Other guards than of global ids. */
static void let_guards_pass(const struct gp_kernel *kernel, struct gp_launch *launch,
                            const bool settled[GP_MAX_ARGUMENTS])
{
    uint64_t limits[GP_MAX_ARGUMENTS];
    gp_guard_limits(kernel, launch, limits);
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        const struct gp_param *param = &kernel->params[i];
        bool open =
            gp_is_scalar_integer(param) && param->bounds_dim == GP_NONE && !launch->arguments[i].stated && !settled[i];
        bool exponent = launch->arguments[i].use == GP_ASSUMED_SHIFT && limits[i] < MOST_BITS;
        if ((open || (exponent && !launch->arguments[i].stated)) && limits[i] > 0 &&
            largest_up_to(param, limits[i]) == limits[i])
            assume(&launch->arguments[i], limits[i], exponent ? GP_ASSUMED_SHIFT : GP_ASSUMED_GUARD);
    }
}

/* What the uses of the kernel's arguments tell. */
struct uses {
    struct gp_lower_bounds bounds;
    bool unit[GP_MAX_ARGUMENTS], bits[GP_MAX_ARGUMENTS], of_data[GP_MAX_ARGUMENTS], moduli[GP_MAX_ARGUMENTS];
    struct gp_loop_steps steps;
    uint64_t strides[GP_MAX_ARGUMENTS], shared[GP_MAX_ARGUMENTS], strided[GP_MAX_ARGUMENTS], pitches[GP_MAX_ARGUMENTS];
    struct gp_loop_ends loops;
    struct gp_windows windows;
    struct gp_sliding_windows slides;
    struct gp_choice choices[GP_MAX_ARGUMENTS];
};

/* The launch with what counters step by, where that is told: it takes part in how far they come together. */
static struct gp_launch with_steps(const struct gp_kernel *kernel, const struct gp_launch *launch,
                                   const struct gp_loop_steps *steps)
{
    struct gp_launch with = *launch;
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        if (launch->arguments[i].stated || (steps->lanes[i] == 0 && !steps->unit[i]))
            continue;
        with.arguments[i].known = true;
        with.arguments[i].value = steps->lanes[i] > 0 ? launch->global[steps->lanes[i] - 1] : 1;
    }
    return with;
}

static void find_uses(const struct gp_kernel *kernel, const struct gp_launch *launch, struct uses *uses)
{
    gp_lower_bounds(kernel, &uses->bounds);
    gp_loop_ends(kernel, launch, &uses->bounds, &uses->loops);
    gp_pitches(kernel, launch, uses->pitches);
    gp_byte_strides(kernel, launch, ASSUMED_INTEGER, uses->strides);
    gp_unit_strides(kernel, uses->unit);
    gp_loop_steps(kernel, &uses->steps);
    gp_shift_counts(kernel, uses->bits);
    gp_shared_out(kernel, launch, uses->shared);
    struct gp_launch stepped = with_steps(kernel, launch, &uses->steps);
    gp_strided_ends(kernel, &stepped, &uses->steps, ASSUMED_SHARE, uses->strided);
    gp_data_bounds(kernel, uses->of_data);
    gp_moduli(kernel, uses->moduli);
    gp_find_windows(kernel, &uses->windows);
    gp_find_sliding_windows(kernel, &uses->slides);
    gp_choices(kernel, launch, uses->choices);
}

/* What an argument's use tells: the first that holds. */
struct told {
    bool holds;
    uint64_t value;
    enum gp_assumed_use use;
};

static struct told told_by_use(const struct gp_launch *launch, const struct uses *uses, uint32_t i)
{
    uint8_t lanes = uses->steps.lanes[i], factor = uses->steps.factor[i];
    struct gp_group_size group = uses->steps.group[i];
    bool step = uses->windows.step[i] || uses->slides.step[i] || uses->loops.step[i],
         width = (uses->slides.width[i] && !(uses->slides.own[i] && uses->loops.radius[i])) || uses->loops.width[i] ||
                 (uses->windows.width[i] && !uses->loops.radius[i]);
    const struct told ranked[] = {
        {uses->strides[i] > 0, uses->strides[i], GP_ASSUMED_BYTE_STRIDE},
        {uses->unit[i], 1, GP_ASSUMED_UNIT_STRIDE},
        {step, 1, GP_ASSUMED_STEP},
        {factor > 0, factor, GP_ASSUMED_FACTOR},
        {lanes > 0, launch->global[lanes > 0 ? lanes - 1 : 0], GP_ASSUMED_LANES},
        {group.along > 0, group.along > 0 ? launch->local[group.along - 1] >> group.halved : 0, GP_ASSUMED_GROUP},
        {uses->bits[i], ASSUMED_BITS, GP_ASSUMED_SHIFT},
        {width, ASSUMED_WIDTH, GP_ASSUMED_WIDTH},
        {uses->slides.pad[i], ASSUMED_RADIUS, GP_ASSUMED_PAD},
        {uses->steps.unit[i] && !uses->loops.longer[i] && uses->pitches[i] == 0, 1, GP_ASSUMED_LOOP_STEP},
        {true, uses->shared[i] * ASSUMED_SHARE, GP_ASSUMED_SHARE},
    };
    size_t first = 0;
    while (!ranked[first].holds)
        first++;
    return ranked[first];
}

/* What ids have to reach and a loop goes round for, too, as in `if (i < taps) return; for (k = 0; k < taps; k++)`, or
 * what is taken from them: the usual number, and so few that half of the ids do. */
static uint64_t reached_by_half(const struct gp_launch *launch, uint32_t dimension)
{
    uint64_t half = launch->global[dimension] / 2;
    return half < ASSUMED_INTEGER ? half : ASSUMED_INTEGER;
}

/* An argument whose use tells what it is, whatever guards say: a distance in bytes or elements, a window's radius or
 * width, bits to shift by, what ids have to reach, where loops begin, what work-items share or step over together, what
 * chooses. */
static bool assume_by_use(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t i,
                          const struct uses *uses, struct gp_argument *argument)
{
    const struct gp_param *param = &kernel->params[i];
    uint64_t strided = uses->strided[i];
    if (uses->choices[i].found) {
        assume(argument, uses->choices[i].value, GP_ASSUMED_CHOICE);
        return true;
    }
    if (strided > 0 && largest_up_to(param, strided) == strided) {
        assume(argument, strided, GP_ASSUMED_STRIDED_END);
        return true;
    }
    struct told told = told_by_use(launch, uses, i);
    bool reached = uses->bounds.lower[i] ? uses->loops.longer[i] : uses->bounds.behind[i];
    bool fits = told.value > 0 && param->bounds_dim == GP_NONE && largest_up_to(param, told.value) == told.value;
    if (fits)
        assume(argument, told.value, told.use);
    else if (uses->loops.radius[i])
        assume(argument, ASSUMED_RADIUS, GP_ASSUMED_RADIUS);
    else if (reached && param->bounds_dim < GP_MAX_DIMS)
        assume(argument, largest_up_to(param, reached_by_half(launch, param->bounds_dim)), GP_ASSUMED_NOTHING);
    else
        assume(argument, 0, GP_ASSUMED_FIRST);
    return fits || uses->loops.radius[i] || uses->loops.first[i] || uses->bounds.lower[i] ||
           (uses->bounds.offset[i] && !uses->loops.longer[i]) || (reached && param->bounds_dim < GP_MAX_DIMS);
}

/* An argument of which nothing else is told: the range that it bounds, or the usual number, or so many that rows do not
 * overlap; but what is a loop's length besides is no larger than an int can index a square of. */
static void assume_any(const struct gp_param *param, const struct gp_launch *launch, const struct uses *uses,
                       uint32_t i, struct gp_argument *argument)
{
    uint64_t pitch = uses->pitches[i];
    bool square = uses->loops.longer[i] && pitch > 0 && pitch > INT32_MAX / pitch;
    if (param->bounds_dim < GP_MAX_DIMS)
        assume(argument, largest_up_to(param, launch->global[param->bounds_dim]), GP_ASSUMED_RANGE);
    else if (uses->moduli[i])
        assume(argument, largest_up_to(param, ASSUMED_MODULUS), GP_ASSUMED_MODULUS);
    else if (pitch > ASSUMED_INTEGER && !square)
        assume(argument, largest_up_to(param, pitch), GP_ASSUMED_PITCH);
    else
        assume(argument, largest_up_to(param, ASSUMED_INTEGER), GP_ASSUMED_NOTHING);
}

/* ---- Sizes that go together ------------------------------------------------------------------------------------ */

static bool is_open(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t i)
{
    return gp_is_scalar_integer(&kernel->params[i]) && launch->arguments[i].known && !launch->arguments[i].stated;
}

static void lower_to(const struct gp_kernel *kernel, struct gp_launch *launch, const uint64_t most[GP_MAX_ARGUMENTS],
                     enum gp_assumed_use use)
{
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        if (is_open(kernel, launch, i) && most[i] > 0 && most[i] < launch->arguments[i].value)
            assume(&launch->arguments[i], most[i], use);
}

/* What loops fill arrays with is no more than these hold, and what they count up to no more than their counters can. */
static void bound_loops(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    uint64_t most[GP_MAX_ARGUMENTS];
    gp_counter_widths(kernel, launch, most);
    lower_to(kernel, launch, most, GP_ASSUMED_COUNTER);
    gp_array_bounds(kernel, launch, most);
    lower_to(kernel, launch, most, GP_ASSUMED_ARRAY);
}

/* Halves the largest of those that may be less. False: there is none. */
static bool halve_largest(struct gp_launch *launch, const bool factor[GP_MAX_ARGUMENTS],
                          const bool open[GP_MAX_ARGUMENTS], enum gp_assumed_use use)
{
    uint64_t largest = 1;
    for (uint32_t i = 0; i < GP_MAX_ARGUMENTS; i++)
        if (factor[i] && open[i] && launch->arguments[i].value > largest)
            largest = launch->arguments[i].value;
    for (uint32_t i = 0; i < GP_MAX_ARGUMENTS && largest > 1; i++)
        if (factor[i] && open[i] && launch->arguments[i].value == largest)
            assume(&launch->arguments[i], largest / 2, use);
    return largest > 1;
}

enum { LEAST_SIZE = 32 }; /* of an extent: with fewer, what makes the kernel slow may be gone; the range is less then */

/* Numbers that are assumed of several arguments make indices that an int holds: first work-items have less than their
 * usual share of what they step over together, then sizes of which nothing else is told are smaller. */
static void fit_extents(const struct gp_kernel *kernel, struct gp_launch *launch, const struct uses *uses,
                        const bool plain[GP_MAX_ARGUMENTS])
{
    struct gp_excess excess;
    bool open[GP_MAX_ARGUMENTS];
    do
        for (uint32_t i = 0; i < GP_MAX_ARGUMENTS; i++)
            open[i] = i < kernel->param_count && is_open(kernel, launch, i) && uses->strided[i] > 0 &&
                      launch->arguments[i].value > uses->strided[i] / ASSUMED_SHARE;
    while (gp_extent_exceeds(kernel, launch, open, 0, &excess) &&
           halve_largest(launch, excess.factor, open, GP_ASSUMED_EXTENT));
    for (int rows_too = 0; rows_too < 2; rows_too++) /* that rows lie side by side is given up last */
        do
            for (uint32_t i = 0; i < GP_MAX_ARGUMENTS; i++)
                open[i] = plain[i] && launch->arguments[i].value >
                                          (rows_too || uses->pitches[i] == 0 ? LEAST_SIZE : uses->pitches[i]);
        while (gp_extent_exceeds(kernel, launch, open, 0, &excess) &&
               halve_largest(launch, excess.factor, open, GP_ASSUMED_EXTENT));
}

/* Loops within each other, or over a product of sizes, end. */
static void fit_turns(const struct gp_kernel *kernel, struct gp_launch *launch, const bool plain[GP_MAX_ARGUMENTS])
{
    struct gp_excess excess;
    bool open[GP_MAX_ARGUMENTS];
    do
        for (uint32_t i = 0; i < GP_MAX_ARGUMENTS; i++)
            open[i] = plain[i] && launch->arguments[i].value > LEAST_SIZE;
    while (gp_turns_exceed(kernel, launch, open, &excess) &&
           halve_largest(launch, excess.factor, open, GP_ASSUMED_TURNS));
}

/* Planes lie behind each other, the larger ones behind the smaller ones. */
static void fit_planes(const struct gp_kernel *kernel, struct gp_launch *launch, struct uses *uses,
                       const bool plain[GP_MAX_ARGUMENTS])
{
    enum { MOST_NESTED = 4 };
    for (int round = 0; round < MOST_NESTED; round++) {
        uint64_t least[GP_MAX_ARGUMENTS];
        gp_planes(kernel, launch, least);
        for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
            bool more = plain[i] && least[i] > launch->arguments[i].value &&
                        largest_up_to(&kernel->params[i], least[i]) == least[i];
            if (!more)
                continue;
            assume(&launch->arguments[i], least[i], GP_ASSUMED_PITCH);
            uses->pitches[i] = least[i];
        }
    }
}

/* Everything about the arguments that follows from the launch's sizes and that nobody stated. */
static void note_windows(const struct gp_kernel *kernel, const struct gp_sliding_windows *slides,
                         struct gp_launch *launch)
{
    for (uint32_t p = 0; p < kernel->param_count && p < GP_MAX_ARGUMENTS; p++)
        launch->arguments[p].window =
            slides->pad[p] && slides->width_of[p] != GP_NONE ? (uint16_t)(slides->width_of[p] + 1) : 0;
}

void gp_assume_arguments(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    bool settled[GP_MAX_ARGUMENTS] = {false}, plain[GP_MAX_ARGUMENTS] = {false};
    uint64_t usual[GP_MAX_ARGUMENTS] = {0};
    struct uses uses;
    find_uses(kernel, launch, &uses);
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        const struct gp_param *param = &kernel->params[i];
        struct gp_argument *argument = &launch->arguments[i];
        if (argument->stated || !gp_is_scalar_integer(param))
            continue;
        argument->known = !uses.of_data[i];
        settled[i] = assume_by_use(kernel, launch, i, &uses, argument);
        argument->distance = uses.unit[i] && argument->value == 1;
        argument->group = argument->use == GP_ASSUMED_GROUP ? uses.steps.group[i] : (struct gp_group_size){.along = 0};
        if (!settled[i])
            assume_any(param, launch, &uses, i, argument);
        if (!argument->known)
            argument->use = GP_ASSUMED_DATA;
        usual[i] = argument->value;
    }
    for (int round = 0; round < 2;
         round++) /* some are compared with what others bound: `j = diag - k; if (j < 1 || j > length)` */
        let_guards_pass(kernel, launch, settled);
    for (uint32_t i = 0; i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++)
        plain[i] = is_open(kernel, launch, i) && !settled[i] && kernel->params[i].bounds_dim == GP_NONE &&
                   launch->arguments[i].value == usual[i];
    bound_loops(kernel, launch);
    note_windows(kernel, &uses.slides, launch);
    gp_fit_sliding_windows(kernel, launch);
    fit_planes(kernel, launch, &uses, plain);
    fit_extents(kernel, launch, &uses, plain);
    fit_turns(kernel, launch, plain);
}

static void apply_defaults(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    for (uint32_t i = 0; i < kernel->stated.default_count; i++) {
        const struct gp_default *entry = &kernel->stated.defaults[i];
        const struct gp_param *param = &kernel->params[entry->param];
        if (entry->param < GP_MAX_ARGUMENTS && gp_is_scalar_integer(param))
            launch->arguments[entry->param] = (struct gp_argument){
                .known = true, .stated = true, .value = (uint64_t)entry->value & gp_bits_mask(param->bits)};
    }
}

/* ---- The assumed launch --------------------------------------------------------------------------------------- */

static uint32_t dims_of(const uint32_t sizes[3]) { return sizes[2] > 1 ? 3 : sizes[1] > 1 ? 2 : 1; }

/* Whether a quarter of the last group's place or more would be beyond the range. */
static bool wastes(uint64_t range, uint32_t local)
{
    uint64_t filled = (range + local - 1) / local * local;
    return (filled - range) * 4 >= filled;
}

/* Where the range along one dimension is less than what is assumed of a group, the others make up for it, the first one
 * that has room. */
static void fit_range(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    uint64_t items = gp_launch_group_items(launch);
    for (int d = 0; d < 3; d++)
        while (launch->local[d] > 1 &&
               (launch->local[d] > launch->global[d] || wastes(launch->global[d], launch->local[d])))
            launch->local[d] /= 2;
    for (uint32_t d = 0; d < launch->dims; d++)
        while (!gp_dimension_is_of_groups(kernel, d) && gp_launch_group_items(launch) * 2 <= items &&
               launch->local[d] * 2 <= launch->global[d])
            launch->local[d] *= 2;
}

/* Halves the last dimensions first until the group fits the kernel's own bound. */
static void fit_local(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    fit_range(kernel, launch);
    for (int d = 2; d >= 0; d--)
        while (launch->local[d] > 1 && kernel->stated.max_local != 0 &&
               gp_launch_group_items(launch) > kernel->stated.max_local)
            launch->local[d] /= 2;
}

/* Along it a group has one layer: its work-items all do the same, or there are no more. */
static bool is_flat(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t dimension)
{
    return gp_dimension_is_of_groups(kernel, dimension) || launch->global[dimension] == 1;
}

/* The other dimensions have what is assumed of so many. */
static void flatten(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    uint32_t dims = 0, next = 0;
    for (uint32_t d = 0; d < launch->dims; d++)
        dims += !is_flat(kernel, launch, d);
    if (dims == 0 || dims == launch->dims)
        return;
    for (uint32_t d = 0; d < launch->dims; d++)
        launch->local[d] = is_flat(kernel, launch, d) ? 1 : assumed_local[dims - 1][next++];
}

/* What the kernel's own constants tell of a group goes before; the other dimensions have what is left. */
static void take_told(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    uint32_t told[3];
    uint64_t most = gp_launch_group_items(launch), items = 1;
    gp_group_sizes(kernel, told);
    for (int d = 0; d < 3; d++)
        items *= told[d] > 0 ? launch->local[d] = told[d] : 1;
    most = items > most ? items : most;
    for (int d = 2; d >= 0; d--)
        while (told[d] == 0 && launch->local[d] > 1 && gp_launch_group_items(launch) > most)
            launch->local[d] /= 2;
}

static void assume_local(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    bool required = kernel->stated.required_local[0] != 0, stated = kernel->stated.default_local[0] != 0;
    const uint32_t *local = required ? kernel->stated.required_local
                            : stated ? kernel->stated.default_local
                                     : assumed_local[launch->dims - 1];
    memcpy(launch->local, local, sizeof launch->local);
    if (!required && !stated) {
        flatten(kernel, launch);
        fit_local(kernel, launch);
        take_told(kernel, launch);
    }
}

static void assume_dims(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    uint32_t dims = kernel->dims != 0 ? kernel->dims : 1;
    const uint32_t *const sizes[] = {kernel->stated.required_local, kernel->stated.default_local,
                                     kernel->stated.default_global};
    for (int i = 0; i < 3; i++)
        if (dims_of(sizes[i]) > dims)
            dims = dims_of(sizes[i]);
    launch->dims = dims;
}

void gp_launch_resize(const struct gp_kernel *kernel, struct gp_launch *launch, const uint64_t global[3])
{
    memmove(launch->global, global, sizeof launch->global);
    if (!launch->local_stated)
        assume_local(kernel, launch);
    gp_launch_fill_groups(launch);
    gp_assume_arguments(kernel, launch);
}

/* Where an argument bounds the range and a loop, the range is no more than the loop allows. */
static void fit_range_to_loops(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    bool changed = false;
    for (uint32_t i = 0; launch->global_assumed && i < kernel->param_count && i < GP_MAX_ARGUMENTS; i++) {
        uint32_t d = kernel->params[i].bounds_dim;
        bool bounded = launch->arguments[i].use == GP_ASSUMED_ARRAY || launch->arguments[i].use == GP_ASSUMED_COUNTER;
        if (!bounded || d >= launch->dims || !is_open(kernel, launch, i) || launch->arguments[i].value == 0 ||
            launch->arguments[i].value >= launch->global[d])
            continue;
        launch->global[d] = launch->arguments[i].value;
        changed = true;
    }
    if (changed)
        gp_launch_resize(kernel, launch, launch->global);
}

/* Where no smaller argument would do, half the range along the longest of the dimensions that make an index too large.
 * False: there is none. */
static bool halve_excessive_range(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    const bool none[GP_MAX_ARGUMENTS] = {false};
    struct gp_excess excess;
    uint8_t free = 0;
    uint32_t longest = GP_MAX_DIMS;
    for (uint32_t d = 0; d < launch->dims; d++)
        free |= launch->global[d] / 2 >= launch->local[d] ? 1u << d : 0;
    if (!launch->global_assumed || !gp_extent_exceeds(kernel, launch, none, free, &excess))
        return false;
    for (uint32_t d = 0; d < launch->dims; d++)
        if ((excess.dimensions & free) >> d & 1 &&
            (longest == GP_MAX_DIMS || launch->global[d] > launch->global[longest]))
            longest = d;
    return longest < GP_MAX_DIMS && gp_launch_halve_range(kernel, launch, longest);
}

/* Dimensions before the last that the kernel does not look along are 1; the others have what is assumed of so many. */
static void assume_range(const struct gp_kernel *kernel, struct gp_launch *launch,
                         const struct gp_constant_ranges *constant)
{
    bool flat[3] = {false};
    uint32_t dims = 0, next = 0;
    for (uint32_t d = 0; d < launch->dims; d++) {
        flat[d] = d + 1 < kernel->dims && !gp_dimension_is_used(kernel, d) && kernel->stated.required_local[d] <= 1;
        dims += !flat[d];
    }
    for (uint32_t d = 0; d < 3; d++) {
        bool used = d < launch->dims && !flat[d];
        uint64_t usual = used ? assumed_global[dims - 1][next++] : 1;
        launch->global[d] = used && constant->items[d] > 0 ? constant->items[d] : usual;
    }
}

void gp_launch_default(const struct gp_kernel *kernel, struct gp_launch *launch)
{
    memset(launch, 0, sizeof *launch);
    launch->assumed = true;
    launch->assumed_trip_count = GP_DEFAULT_TRIP_COUNT;
    assume_dims(kernel, launch);
    bool stated = kernel->stated.default_global[0] != 0;
    struct gp_constant_ranges constant;
    gp_constant_ranges(kernel, &constant);
    launch->cold = true;
    launch->global_assumed = !stated;
    assume_range(kernel, launch, &constant);
    for (uint32_t d = 0; stated && d < 3; d++)
        launch->global[d] = kernel->stated.default_global[d];
    assume_local(kernel, launch);
    for (uint32_t d = 0; d < launch->dims; d++)
        if (!stated && constant.groups[d] > 0)
            launch->global[d] = constant.groups[d] * launch->local[d];
    if (!stated) /* whole groups, as OpenCL 1 wants them */
        gp_launch_fill_groups(launch);
    apply_defaults(kernel, launch);
    gp_assume_arguments(kernel, launch);
    fit_range_to_loops(kernel, launch);
    gp_range_from_stated(kernel, launch);
    while (halve_excessive_range(kernel, launch))
        ;
}

void gp_launch_set_global(const struct gp_kernel *kernel, struct gp_launch *launch, uint32_t dims,
                          const uint64_t global[3])
{
    bool other_dims = dims != launch->dims;
    launch->dims = dims;
    launch->global_assumed = false;
    memset(launch->range_from, 0, sizeof launch->range_from);
    for (uint32_t d = 0; d < 3; d++)
        launch->global[d] = d < dims ? global[d] : 1;
    if (other_dims || !launch->local_stated) /* an assumed group is no larger than the range */
        assume_local(kernel, launch);
    gp_assume_arguments(kernel, launch);
}

bool gp_launch_halve_range(const struct gp_kernel *kernel, struct gp_launch *launch, uint32_t dimension)
{
    if (!launch->global_assumed || launch->global[dimension] / 2 < launch->local[dimension])
        return false;
    launch->global[dimension] /= 2;
    launch->range_from[dimension] = 0;
    gp_assume_arguments(kernel, launch);
    return true;
}
