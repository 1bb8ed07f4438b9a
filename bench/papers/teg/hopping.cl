/*
 * TEG, 5.2: one of the two kernels of lattice QCD's Hopping_Matrix in its form with half spinors. For each site and each of eight directions the spinor
 * (3 colours x 4 spins, complex) is projected to a half spinor (3 x 2), "the temporary data generated on each of 8 space-time directions"; for the four forward
 * directions that is also multiplied by the gauge link (3 x 3) and a phase (the backward ones are when they are gathered, by the other kernel).
 * SOA 0: arrays of structures, as for a processor with caches; 1: one array per component.
 *
 * The paper does not print its kernel. Double precision and this half of the work follow from its numbers: C_mem of 18 is for doubles, and 73100 cycles for four
 * warps with a double-precision instruction every 32 leave room for at most 571 of them per warp: 480 here, 864 if one kernel gathered all eight directions.
 * Written in the order in which a back end would schedule it: loads some way before their use. The lattice's size is a constant, so that no address needs a multiplication.
 */
enum { COLOURS = 3, SPINS = 4, SPINOR = 2 * COLOURS * SPINS, HALF = SPINOR / 2, LINK = 2 * COLOURS * COLOURS, DIRECTIONS = 8 };

/* Where a site's first component is, and how far its next. */
#if SOA
#define START(array, size) ((array) + site)
#define AT(array, component) array[(component) * SITES]
#else
#define START(array, size) ((array) + site * (size))
#define AT(array, component) array[component]
#endif

/* Complex numbers in registers with names, no arrays: NAME_re and NAME_im. */
#define LOAD(name, array, number) double name##_re = AT(array, 2 * (number)), name##_im = AT(array, 2 * (number) + 1);

#define LOAD_SPINOR(c)                                                                      \
    LOAD(psi##c##0, spinor, c * SPINS) LOAD(psi##c##1, spinor, c * SPINS + 1)               \
    LOAD(psi##c##2, spinor, c * SPINS + 2) LOAD(psi##c##3, spinor, c * SPINS + 3)

/* sum = a + sign * b, or with b turned by i: (re, im) becomes (-im, re). */
#define ADD(sum, a, b, sign) double sum##_re = a##_re sign b##_re, sum##_im = a##_im sign b##_im;
#define ADD_I(sum, a, b, minus, plus) double sum##_re = a##_re minus b##_im, sum##_im = a##_im plus b##_re;

/* sum += a b */
#define MULTIPLY_ADD(sum, a, b)                              \
    sum##_re = fma(a##_re, b##_re, fma(-a##_im, b##_im, sum##_re)); \
    sum##_im = fma(a##_re, b##_im, fma(a##_im, b##_re, sum##_im));

#define STORE(name, direction, number)                         \
    AT(half_spinor, (direction) * HALF + 2 * (number)) = name##_re; \
    AT(half_spinor, (direction) * HALF + 2 * (number) + 1) = name##_im;

#define STORE_HALF(direction)                                                       \
    STORE(h00, direction, 0) STORE(h01, direction, 1) STORE(h10, direction, 2)      \
    STORE(h11, direction, 3) STORE(h20, direction, 4) STORE(h21, direction, 5)

#define LOAD_ROW(dimension, row)                                   \
    LOAD(u##row##0, link, dimension * LINK / 2 + row * COLOURS)    \
    LOAD(u##row##1, link, dimension * LINK / 2 + row * COLOURS + 1) \
    LOAD(u##row##2, link, dimension * LINK / 2 + row * COLOURS + 2)

/* One spin of one row of link times half spinor, times the phase. */
#define ROW_SPIN(direction, row, s)                                                  \
    {                                                                                \
        double sum_re = 0, sum_im = 0, phased_re = 0, phased_im = 0;                 \
        MULTIPLY_ADD(sum, u##row##0, h0##s)                                          \
        MULTIPLY_ADD(sum, u##row##1, h1##s)                                          \
        MULTIPLY_ADD(sum, u##row##2, h2##s)                                          \
        MULTIPLY_ADD(phased, phase, sum)                                             \
        STORE(phased, direction, row * 2 + s)                                        \
    }

#define ROW(direction, row) ROW_SPIN(direction, row, 0) ROW_SPIN(direction, row, 1)

/* PROJECT(c, +) declares the half spinor of colour c, PROJECT(c, -) the other direction's. */
#define BOTH_WAYS(dimension, PROJECT)                                                 \
    {                                                                                 \
        double phase_re = phases[2 * dimension], phase_im = phases[2 * dimension + 1]; \
        LOAD_ROW(dimension, 0)                                                        \
        {                                                                             \
            PROJECT(0, -, +) PROJECT(1, -, +) PROJECT(2, -, +)                        \
            STORE_HALF(2 * dimension + 1)                                             \
        }                                                                             \
        PROJECT(0, +, -) PROJECT(1, +, -) PROJECT(2, +, -)                            \
        LOAD_ROW(dimension, 1)                                                        \
        ROW(2 * dimension, 0)                                                         \
        LOAD_ROW(dimension, 2)                                                        \
        ROW(2 * dimension, 1)                                                         \
        ROW(2 * dimension, 2)                                                         \
    }

#define PROJECT_T(c, sign, other) ADD(h##c##0, psi##c##0, psi##c##2, sign) ADD(h##c##1, psi##c##1, psi##c##3, sign)
#define PROJECT_X(c, sign, other) ADD_I(h##c##0, psi##c##0, psi##c##3, other, sign) ADD_I(h##c##1, psi##c##1, psi##c##2, other, sign)
#define PROJECT_Y(c, sign, other) ADD(h##c##0, psi##c##0, psi##c##3, sign) ADD(h##c##1, psi##c##1, psi##c##2, other)
#define PROJECT_Z(c, sign, other) ADD_I(h##c##0, psi##c##0, psi##c##2, other, sign) ADD_I(h##c##1, psi##c##1, psi##c##3, sign, other)

kernel void hopping(global const double *restrict spinors, global const double *restrict links, constant double *phases, global double *restrict halves)
{
    int site = get_global_id(0);
    global const double *spinor = START(spinors, SPINOR), *link = START(links, 4 * LINK);
    global double *half_spinor = START(halves, DIRECTIONS * HALF);
    LOAD_SPINOR(0)
    LOAD_SPINOR(1)
    LOAD_SPINOR(2)
    BOTH_WAYS(0, PROJECT_T)
    BOTH_WAYS(1, PROJECT_X)
    BOTH_WAYS(2, PROJECT_Y)
    BOTH_WAYS(3, PROJECT_Z)
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
