// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Exchanges between neighbouring lanes, 64 a turn: each on the one before's result; four side by side, since they take so long that a chain of each
 * work-item keeps no SM busy. */
#ifdef cl_khr_subgroup_shuffle
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#endif
#define FOUR(step) step step step step
#define SIXTEEN(step) FOUR(step) FOUR(step) FOUR(step) FOUR(step)
#define SHUFFLE(x) x = sub_group_shuffle_xor(x, 1);

kernel void shuffle_alone(global int *in, global int *out, int count, int other)
{
    int x = in[2] + (int)get_local_id(0);
    __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)
    {
        FOUR(SIXTEEN(SHUFFLE(x)))
    }
    out[get_global_id(0)] = x;
}

kernel void shuffle_four(global int *in, global int *out, int count, int other)
{
    int a = in[0], b = in[1], c = in[2], d = in[3] + (int)get_local_id(0);
    __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)
    {
        SIXTEEN(SHUFFLE(a) SHUFFLE(b) SHUFFLE(c) SHUFFLE(d))
    }
    out[get_global_id(0)] = a + b + c + d;
}
