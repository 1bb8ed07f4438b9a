// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * The sampling paper's micro-benchmarks of section 4: a loop of one addition in single precision, of one to three independent ones in double
 * precision, of a load, of a transcendental operation. In uneven() the groups of an SM, which gets every `units`th one, have one to four times the work.
 */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define LOOP __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)
#define ADDS(name, type, adds)                                                                                         \
    kernel void name(global type *in, global type *out, int count, int unused)                                         \
    {                                                                                                                  \
        type step = in[0], a = get_global_id(0), b = a + 1, c = a + 2;                                                 \
        LOOP { adds }                                                                                                  \
        out[get_global_id(0)] = a + b + c;                                                                             \
    }
ADDS(one_float, float, a += step;)
#ifdef cl_khr_fp64
ADDS(one_double, double, a += step;)
ADDS(two_doubles, double, a += step; b += step;)
ADDS(three_doubles, double, a += step; b += step; c += step;)
#endif
ADDS(transcendental, float, a = native_sin(a);)

/* 32 additions a turn, in eight chains. */
kernel void many_floats(global float *in, global float *out, int count, int unused)
{
    float step = in[0], sum = 0, x[8];
    for (int k = 0; k < 8; k++)
        x[k] = get_global_id(0) + k;
    LOOP
    {
#pragma unroll
        for (int k = 0; k < 32; k++)
            x[k & 7] += step;
    }
    for (int k = 0; k < 8; k++)
        sum += x[k];
    out[get_global_id(0)] = sum;
}

kernel void loads(global float *in, global float *out, int count, int unused)
{
    float a = 0;
    LOOP a += in[i * get_global_size(0) + get_global_id(0)];
    out[get_global_id(0)] = a;
}

kernel void uneven(global float *in, global float *out, int count, int units)
{
    float step = in[0], a = get_global_id(0);
    count *= 1 + (get_group_id(0) / units & 3);
    LOOP a += step;
    out[get_global_id(0)] = a;
}
