// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Chains of one operation: 64 a turn, so that the loop itself is little beside them, each of which takes the one before's result. What repeats is written so that no compiler joins two into one.
 */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define FOUR(step) step step step step
#define SIXTEEN(step) FOUR(step) FOUR(step) FOUR(step) FOUR(step)

#define CHAINS(name, type, code)                                                                                       \
    kernel void name##_alone(global type *in, global type *out, int count, int other)                                  \
    {                                                                                                                  \
        type a = in[0], b = in[1], x = in[2] + (type)get_local_id(0);                                                  \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)                                         \
        {                                                                                                              \
            FOUR(SIXTEEN(x = code(x);))                                                                                      \
        }                                                                                                              \
        out[get_global_id(0)] = x;                                                                                     \
    }

#define MAD(x) x * a + b
#define ADD(x) x + a
#define INT_ADD(x) ((x + a) ^ b)
#define INT_MUL(x) (x * x)
#define SHIFT(x) (x >> a)
#define CONVERT(x) as_float((int)x)

CHAINS(float_mad, float, MAD)
CHAINS(float_add, float, ADD)
CHAINS(int_add, int, INT_ADD)
CHAINS(int_mul, int, INT_MUL)
CHAINS(int_shift, uint, SHIFT)
CHAINS(convert, float, CONVERT)
CHAINS(rsqrt, float, native_rsqrt)
#ifdef cl_khr_fp64
CHAINS(double_mad, double, MAD)
#endif
