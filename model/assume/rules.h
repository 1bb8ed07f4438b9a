/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What an argument hardly is the assumed number of: a rule each, by what the kernel does with it, and a file each.
 * defaults.c ranks them and says them.
 */
#ifndef GPUPERF_MODEL_ASSUME_RULES_H
#define GPUPERF_MODEL_ASSUME_RULES_H

#include "model/launch/launch.h"

/* ---- Byte strides ------------------------------------------------------------------------------------------------ */

/* Arguments that are distances in bytes: in `*(float *)(base + i * nb)` nb is 4 where neighbours lie side by side, and
 * hardly the number that is assumed of other arguments. */

/*
 * strides[GP_MAX_ARGUMENTS]: per parameter that an id, or a counter that starts with one, is multiplied with to give
 * bytes, as many as there are where elements of more than one byte lie side by side: of one for the first dimension's
 * id, of a row of the range for the second's, of a plane for the third's, of `row` elements for a group's number alone.
 * 0: it is nothing of the kind, or the id has been multiplied with the elements' size before.
 */
void gp_byte_strides(const struct gp_kernel *kernel, const struct gp_launch *launch, uint32_t row,
                     uint64_t strides[GP_MAX_ARGUMENTS]);

/* ---- Choices ----------------------------------------------------------------------------------------------------- */

/*
 * Arguments that choose what a kernel does: a mode that a switch asks for, a flag, the colour of a checkerboard's
 * fields in `if (((x + y) & 1) != colour) return`. The number that is assumed of others would mostly be none of those
 * that the kernel knows.
 */

struct gp_choice {
    bool found;
    uint64_t value;
};

/*
 * choices[GP_MAX_ARGUMENTS]: per integer parameter that is compared for equality only, with constants or with what has
 * few values whatever the ids are, and decides nothing else: the least constant with which the kernel does something (1
 * where it is compared with 0 alone, which is how a flag is asked for), or the least of the values.
 */
void gp_choices(const struct gp_kernel *kernel, const struct gp_launch *launch,
                struct gp_choice choices[GP_MAX_ARGUMENTS]);

/* ---- Constant ranges --------------------------------------------------------------------------------------------- */

/* Ranges that the kernel itself says: in `if (i < 4096 && j < 4096) { ... }` work-items beyond 4096 do nothing, and
 * nobody launches many of them. */

/*
 * Per dimension the constant that its global id, or its group's number, or that and what is the same for all, must be
 * less than for a work-item to do anything, as the kernel's first branches have it, before anything is done, whatever
 * the constant is; 0: there is none.
 */
struct gp_constant_ranges {
    uint64_t items[3], groups[3];
};
void gp_constant_ranges(const struct gp_kernel *kernel, struct gp_constant_ranges *ranges);

/* ---- Counter widths ---------------------------------------------------------------------------------------------- */

/*
 * Arguments that counters of few bits come up to: `for (uchar i = 0; i < n; i++)` never ends where n is more than 255.
 */

/* most[GP_MAX_ARGUMENTS]: per parameter that ends a loop, the most that its counter of 16 bits or fewer comes to by the
 * steps that it has in the launch; 0: there is no such counter. */
void gp_counter_widths(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t most[GP_MAX_ARGUMENTS]);

/* ---- Data bounds ------------------------------------------------------------------------------------------------- */

/*
 * Arguments that bound what data decides: in `bins[key[i] & mask]` and `table[hash % slots]` nobody knows how many
 * places there are, and no number that is assumed of the argument tells.
 */

/*
 * bounds[GP_MAX_ARGUMENTS]: per integer parameter, whether it, or a sum of it and a constant, cuts off something that
 * was loaded (a mask, a divisor of a remainder, the other one of a minimum or of an upper half of a product), or is
 * compared with it, and decides nothing else: no address, branch or loop besides.
 */
void gp_data_bounds(const struct gp_kernel *kernel, bool bounds[GP_MAX_ARGUMENTS]);

/* ---- Extents ----------------------------------------------------------------------------------------------------- */

/*
 * How far the addresses of a launch reach. Sizes that are assumed of several arguments make one index together: in
 * `((image + c * images) * height + y) * width + x` three of 1024 each make one that no int holds, so that it would
 * wrap, and a buffer that no device has; in `if (i < n) ... a[i * n + k]` n bounds the range and is the length of a
 * row.
 */

/* What makes an index too large: the arguments that are factors of its largest part, or bound the counter in it, and
 * the dimensions, a bit each, of the ids in that. */
struct gp_excess {
    bool factor[GP_MAX_ARGUMENTS];
    uint8_t dimensions;
};

/*
 * Whether an access to global memory reaches beyond what an int can index, or a buffer of 8 GiB, with arguments or
 * along dimensions that may be changed: the first such access.
 */
bool gp_extent_exceeds(const struct gp_kernel *kernel, const struct gp_launch *launch,
                       const bool free[GP_MAX_ARGUMENTS], uint8_t free_dimensions, struct gp_excess *excess);

/*
 * Whether a loop, with those around it, turns more often than a usual launch has work-items, with arguments that may be
 * changed: `for (i = 0; i < n * n * n; i++)`. excess: the parameters that these loops end with.
 */
bool gp_turns_exceed(const struct gp_kernel *kernel, const struct gp_launch *launch, const bool free[GP_MAX_ARGUMENTS],
                     struct gp_excess *excess);

/* ---- Lower bounds ------------------------------------------------------------------------------------------------ */

/*
 * Arguments that an id has to reach: in `if (g >= start && g < size)`, `if (x < border) return`. Nobody passes one that
 * is as large as the launch, where nobody says otherwise.
 */

struct gp_lower_bounds {
    bool lower[GP_MAX_ARGUMENTS];  /* a branch lets only ids from it on do anything: the other way leads to the kernel's
                                      end at once, past no memory operation */
    bool border[GP_MAX_ARGUMENTS]; /* ids, or a loop's counter, are compared with it and with what is so much less than
                                      something, on one way: `if (x < r || x >= w - r) ... else ...`, whatever is done
                                      on either */
    bool half_border[GP_MAX_ARGUMENTS]; /* the same with half of it: a window's width */
    bool offset[GP_MAX_ARGUMENTS]; /* it is added to an id that has to be less than something, and wherever that makes
                                      an address: `i = id + first; if (i < end) ... a[i]` */
    bool behind[GP_MAX_ARGUMENTS]; /* it, or the counter of a loop that goes round for it, is taken from an id in an
                                      address, and no branch lets only ids below it do anything: `i >= d ? in[i - d]` */
};

void gp_lower_bounds(const struct gp_kernel *kernel, struct gp_lower_bounds *bounds);

/* ---- Loop ends --------------------------------------------------------------------------------------------------- */

/*
 * Arguments at which loops begin and end: in `for (j = start; j < end; j++)` nothing is done where both are the number
 * that is assumed of any argument, and in `for (x = r; x < w - r; x++)` neither. What shortens a loop is small, so that
 * the loop that its author wrote does something.
 */

struct gp_loop_ends {
    bool first[GP_MAX_ARGUMENTS];  /* a loop begins with it, and it shortens loops only */
    bool radius[GP_MAX_ARGUMENTS]; /* a window's: a loop's counter starts at minus its value, or both of a loop's ends
                                      are so far from the edges, or it shortens one loop and is the length of another;
                                      or ids keep so far from both edges; or tiles of neighbouring groups overlap by
                                      it */
    bool width[GP_MAX_ARGUMENTS];  /* half of it is such a radius: a counter starts at minus that, or ids keep so far
                                      from both edges */
    bool step[GP_MAX_ARGUMENTS];   /* a counter that goes through such a window is advanced by it */
    bool longer[GP_MAX_ARGUMENTS]; /* the larger it is the longer is a loop */
};

/* Loops that begin where a group stands are the guards' (guards.h): these let all groups pass. */
void gp_loop_ends(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_lower_bounds *bounds,
                  struct gp_loop_ends *ends);

/* ---- Loop steps -------------------------------------------------------------------------------------------------- */

/*
 * Arguments that counters are advanced by: in `for (i = 0; i < n; i += step)` a step as large as n, where both are the
 * number that is assumed of any argument, leaves one iteration of a loop whose author wrote it for many. So does such a
 * factor in `i *= factor`.
 */

struct gp_loop_steps {
    bool unit[GP_MAX_ARGUMENTS]; /* a counter that starts with the same for all work-items is advanced by it, and none
                                    that starts with an id, nor one that stands beside an id in an address (`part[k +
                                    lane]`): these step over what other work-items take. Or it is a lane's stride, of
                                    what a counter starts with and of its step: `i = id * s; i += lanes * s` */
    uint8_t lanes[GP_MAX_ARGUMENTS]; /* 1 + a dimension: a counter that starts with its global id is advanced by it, so
                                        that it is the number of work-items; 0: none is */
    struct gp_group_size group[GP_MAX_ARGUMENTS]; /* a counter that starts with a local id is advanced by it; or what
                                                     it begins with, or half of it, is halved each turn and added to a
                                                     local id in local memory: a sum in a tree */
    uint8_t factor[GP_MAX_ARGUMENTS]; /* a loop ends since its counter is multiplied with it, divided by it or shifted
                                         by it: the least that changes a counter; 0: none does */
};

void gp_loop_steps(const struct gp_kernel *kernel, struct gp_loop_steps *steps);

/* ---- Moduli ------------------------------------------------------------------------------------------------------ */

/*
 * Arguments that divide a multiple of another one: `(i * down) % up`. Where both were the number that is assumed of any
 * argument, all work-items would have the same remainder, 0. And masks, `i & mask`, which are one less than a power of
 * two.
 */

/* moduli[GP_MAX_ARGUMENTS]: per parameter, whether what differs between work-items or iterations is multiplied with
 * another integer parameter and divided by this one, for a quotient or a remainder; or what begins with an id is masked
 * with it. */
void gp_moduli(const struct gp_kernel *kernel, bool moduli[GP_MAX_ARGUMENTS]);

/* ---- Pitches ----------------------------------------------------------------------------------------------------- */

/*
 * Arguments that are the distance of rows, or of planes: in `in[y * pitch + x]` rows would overlap where the pitch is
 * less than what x reaches.
 */

/*
 * least[GP_MAX_ARGUMENTS]: per parameter that something which differs is multiplied with in an address, the least
 * number of which such rows lie side by side: what the ids of other dimensions beside it reach in the launch. 0: there
 * are none, or the parameter cuts ids into rows itself (`i / width`).
 */
void gp_pitches(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t least[GP_MAX_ARGUMENTS]);

/* The same of what is the distance of planes whose rows have a distance of their own, as it is assumed in the launch by
 * now: `batch * stride + row * pitch + x`. */
void gp_planes(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t least[GP_MAX_ARGUMENTS]);

/* ---- Shift counts ------------------------------------------------------------------------------------------------ */

/* Arguments that count bits: `1 << log_n`. */

/* counts[GP_MAX_ARGUMENTS]: per parameter whether something is shifted by it, by a sum with it (`log_n - 1`), or by
 * what is left of it (`log_n - i`); or whether a loop goes round for it that shifts something to the right each time,
 * or counts its turns and doubles something. */
void gp_shift_counts(const struct gp_kernel *kernel, bool counts[GP_MAX_ARGUMENTS]);

/* ---- Sliding windows --------------------------------------------------------------------------------------------- */

/*
 * Windows that slide over an image, as in convolutions, pools and im2col: `for (y = max(py * step - pad, 0); y < min(py
 * * step - pad + window, height); y++)`, or `y = py * step - pad + k * dilation; if (y >= 0 && y < height)`. With the
 * number that is assumed of other arguments all of a window would lie beside the image.
 */

struct gp_sliding_windows {
    bool width[GP_MAX_ARGUMENTS]; /* of a window: where a loop begins at a place, cut off at an edge or moved by a pad,
                                     it is that loop's length; also where what is taken from the place is half of it */
    bool step[GP_MAX_ARGUMENTS];  /* from one window to the next, or from one element of it to the next: a place, or a
                                     counter beside it, is multiplied with it */
    bool pad[GP_MAX_ARGUMENTS];   /* is taken from such a place, which is compared with the image's size then */
    bool own[GP_MAX_ARGUMENTS];   /* of a width: it is taken from its own window's place, which begins that far before:
                                     `x + j - r` */
    uint32_t width_of[GP_MAX_ARGUMENTS]; /* of a pad, its window's; GP_NONE: it is not known */
};

void gp_find_sliding_windows(const struct gp_kernel *kernel, struct gp_sliding_windows *slides);

/* Pads that nobody stated are no more than half of their windows (gp_argument.window), and windows no smaller than what
 * pads that are stated ask for: else some would lie beside the image. */
void gp_fit_sliding_windows(const struct gp_kernel *kernel, struct gp_launch *launch);

/* ---- Unit strides ------------------------------------------------------------------------------------------------ */

/* Arguments that are the distance of neighbours in elements: in `x[i * incx + offset]` incx is 1 where neighbours lie
 * side by side, and hardly the number that is assumed of other arguments. */

/*
 * unit[GP_MAX_ARGUMENTS]: per parameter, whether it is multiplied with the first dimension's id, or a counter that
 * starts with it, to give an index, beside which there is nothing in an element's place: no counter, no other id (`a[x
 * * height + y]`), no constant (`a[i * n + 1]`); and whether it is compared to nothing, and is no row's length
 * elsewhere (`a[i * n + k] / a[k * n + k]`).
 */
void gp_unit_strides(const struct gp_kernel *kernel, bool unit[GP_MAX_ARGUMENTS]);

/* ---- Shares ------------------------------------------------------------------------------------------------------ */

/* Arguments that a launch shares out: in `n / get_num_groups(0)` each group has a share of n, in `n / 4 /
 * get_num_groups(0)` of its quarter. */

/*
 * shared[GP_MAX_ARGUMENTS]: per parameter that is divided by a number of groups or of work-items, the work-items of the
 * launch along that dimension, and so many times that as the shared part goes into it. 0: it is not.
 */
void gp_shared_out(const struct gp_kernel *kernel, const struct gp_launch *launch, uint64_t shared[GP_MAX_ARGUMENTS]);

/*
 * The parameter in a sum, as in `(n + size - 1) / size`, or in a part of one, as in `n / 4 / groups`, where each is so
 * many times what is shared; GP_NONE: none. times: that.
 */
uint32_t gp_parameter_shared(const struct gp_kernel *kernel, gp_ref ref, uint64_t *times);

/* ---- Strided ends ------------------------------------------------------------------------------------------------ */

/*
 * Arguments at which loops end that step by all that the launch has: in `for (i = get_global_id(0); i < n; i +=
 * get_global_size(0))` a work-item's share of n is as many iterations. Where n were the range, as it is assumed of
 * guards, there would be one, and what follows the loop would seem to be most of the work.
 */

/*
 * end[GP_MAX_ARGUMENTS]: per parameter that the counter of such a loop is compared with, or that is a factor of what it
 * is, what it is where the loop turns `share` times in the launch. What the counter steps by is a multiple of the
 * number of groups, or of work-items, along a dimension, or an argument that is that (gp_loop_steps.lanes). 0: it is no
 * such end.
 */
void gp_strided_ends(const struct gp_kernel *kernel, const struct gp_launch *launch, const struct gp_loop_steps *steps,
                     uint64_t share, uint64_t end[GP_MAX_ARGUMENTS]);

/* What is cast, or cut to 32 bits: a narrow number that an optimiser keeps in 64 is cut to its own width wherever it is
 * used. */
gp_ref gp_behind_width(const struct gp_kernel *kernel, gp_ref ref);

/* Whether a value is a loop's counter, a phi, or what it is some steps on, in its own width or a larger one. */
bool gp_leads_to_counter(const struct gp_kernel *kernel, gp_ref ref, uint32_t phi);

/* ---- Windows ----------------------------------------------------------------------------------------------------- */

/*
 * Arguments that are the width of a window in several dimensions: in `for (j = 0; j < k; j++) for (i = 0; i < k; i++)
 * sum += in[(y + j) * n + x + i] * ...` k is a filter's width, which is small; so are those of `in[clamp(y + j, 0, h -
 * 1) * n + clamp(x + i, 0, n - 1)]`, of an image's texels, of a pool (`in[(y * step + j) * n + x * step + i]`) and of a
 * bin (`for (i = x * k; i < (x + 1) * k; i++)`). In one dimension it may be as long as any array.
 */

struct gp_windows {
    bool width[GP_MAX_ARGUMENTS]; /* it alone tells how often a loop goes round whose counter is added to an id in an
                                     address, where that of a loop around it, or within it, is, too; and it is no row's
                                     length there */
    bool step[GP_MAX_ARGUMENTS];  /* from one window to the next: it is multiplied with such an id, and is no width */
};

/* The one integer parameter that a value is made of; GP_MAX_ARGUMENTS or more: there are several, or none. */
uint32_t gp_value_parameter(const struct gp_kernel *kernel, gp_ref value);

/* The one integer parameter that tells how often a loop goes round; GP_MAX_ARGUMENTS or more: there are several, or
 * none. */
uint32_t gp_loop_parameter(const struct gp_kernel *kernel, uint32_t loop);

void gp_find_windows(const struct gp_kernel *kernel, struct gp_windows *windows);

#endif
