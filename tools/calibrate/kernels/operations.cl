// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Wang et al., Table I: one operation again and again, whose result is an operand of the next; operands are swapped after each, so that no compiler
 * joins two into one. NAME_chain: one chain, 32 a turn. NAME_eight: eight of them side by side, 64 a turn (TEG, 3.2.2: what a warp issues by itself).
 */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define TWO(step) step step
#define SIXTEEN(step) TWO(TWO(TWO(TWO(step))))

#define OPERATION(name, type, code)                                                                                    \
    kernel void name##_chain(global type *in, global type *out, int count, int other)                                  \
    {                                                                                                                  \
        type x = in[0] + (type)get_local_id(0), y = in[1], z = in[2];                                                  \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)                                         \
        {                                                                                                              \
            SIXTEEN(x = code(x, y); y = code(y, x);)                                                                   \
        }                                                                                                              \
        out[get_global_id(0)] = x + y;                                                                                 \
    }
#define EIGHT(name, type, code)                                                                                        \
    kernel void name##_eight(global type *in, global type *out, int count, int other)                                  \
    {                                                                                                                  \
        type x[8], y[8], z = in[2], sum = 0;                                                                           \
        for (int k = 0; k < 8; k++) {                                                                                  \
            x[k] = in[k] + (type)get_local_id(0);                                                                      \
            y[k] = in[k + 8];                                                                                          \
        }                                                                                                              \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)                                         \
        {                                                                                                              \
            TWO(TWO(ROUND(code)))                                                                                       \
        }                                                                                                              \
        for (int k = 0; k < 8; k++)                                                                                    \
            sum += x[k] + y[k];                                                                                        \
        out[get_global_id(0)] = sum;                                                                                   \
    }
#define ROUND(code) HALF(x, y, code) HALF(y, x, code) /* 16 */
#define HALF(x, y, code) x[0] = code(x[0], y[0]); x[1] = code(x[1], y[1]); x[2] = code(x[2], y[2]); x[3] = code(x[3], y[3]); x[4] = code(x[4], y[4]); x[5] = code(x[5], y[5]); x[6] = code(x[6], y[6]); x[7] = code(x[7], y[7]);

#define ADD(x, y) x + y
#define SUB(x, y) x - y
#define MUL(x, y) x * y
#define DIV(x, y) x / y
#define MAD(x, y) x * y + z
#define FMAD(x, y) mad(x, y, z)
#define INT_DIV(x, y) x / (y | 1)
#define INT_REM(x, y) x % (y | 1)
#define SHL(x, y) x << (y & 31)
#define SHR(x, y) x >> (y & 31)
#define SQR(x, y) y * y
#define SIN(x, y) native_sin(y)
#define COS(x, y) native_cos(y)
#define TAN(x, y) native_tan(y)
#define EXP(x, y) native_exp(y)
#define LOG(x, y) native_log(y)
#define SQRT(x, y) native_sqrt(y)
#define DOUBLE_SQRT(x, y) sqrt(y)

#define INTEGERS(type)                                                                                                 \
    OPERATION(type##_add, type, ADD)                                                                                   \
    OPERATION(type##_sub, type, SUB)                                                                                   \
    OPERATION(type##_mul, type, MUL)                                                                                   \
    OPERATION(type##_div, type, INT_DIV)                                                                               \
    OPERATION(type##_rem, type, INT_REM)                                                                               \
    OPERATION(type##_mad, type, MAD)                                                                                   \
    OPERATION(type##_shl, type, SHL)                                                                                   \
    OPERATION(type##_shr, type, SHR)
#define FLOATS(type)                                                                                                   \
    OPERATION(type##_add, type, ADD)                                                                                   \
    OPERATION(type##_sub, type, SUB)                                                                                   \
    OPERATION(type##_mul, type, MUL)                                                                                   \
    OPERATION(type##_div, type, DIV)                                                                                   \
    OPERATION(type##_mad, type, FMAD)                                                                                  \
    OPERATION(type##_sqr, type, SQR)
INTEGERS(int)
INTEGERS(uint)
FLOATS(float)
OPERATION(float_sin, float, SIN)
OPERATION(float_cos, float, COS)
OPERATION(float_tan, float, TAN)
OPERATION(float_exp, float, EXP)
OPERATION(float_log, float, LOG)
OPERATION(float_sqrt, float, SQRT)
EIGHT(int_add, int, ADD)
EIGHT(float_add, float, ADD)
EIGHT(float_mul, float, MUL)
EIGHT(float_mad, float, FMAD)
#ifdef cl_khr_fp64
FLOATS(double)
OPERATION(double_sqrt, double, DOUBLE_SQRT)
EIGHT(double_add, double, ADD)
EIGHT(double_mul, double, MUL)
EIGHT(double_mad, double, FMAD)
#endif
