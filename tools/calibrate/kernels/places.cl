// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Where the lanes of a warp load from: so many words apart; from a word on that begins no line; in another order. And two ways through a branch, of
 * which every other `width` work-items take the same.
 */
#define FOUR(step) step step step step
#define SIXTEEN(step) FOUR(step) FOUR(step) FOUR(step) FOUR(step)
#define READ(name, place)                                                                                              \
    kernel void name(global const float *restrict in, global float *restrict out, int count, int other)                \
    {                                                                                                                  \
        size_t id = get_global_id(0), range = get_global_size(0);                                                      \
        float sum = 0;                                                                                                 \
        __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++) sum += in[place];                       \
        if (sum == 0.12345f)                                                                                           \
            out[0] = sum;                                                                                              \
    }
READ(apart, (i * range + id) * other)
READ(from, i * range + id + other)
READ(turned, i * range + (id ^ other))

kernel void two_ways(global float *in, global float *out, int count, int width)
{
    float a = in[0], b = in[1], x = in[2], y = in[3];
    __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < count; i++)
    {
        if (get_local_id(0) / width & 1) {
            SIXTEEN(x = mad(x, a, b);)
        } else {
            SIXTEEN(y = mad(y, b, a);)
        }
    }
    out[get_global_id(0)] = x + y;
}
