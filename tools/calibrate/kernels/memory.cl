// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*
 * Global memory as a stream: read and copied; four vectors of 16 bytes a turn, each a whole range behind the one
 * before, so that a work-item has 64 bytes under way.
 */
#define PLACES size_t id = get_global_id(0), range = get_global_size(0)
#define AT(k) (id + (size_t)(4 * i + k) * range)

kernel void read_stream(global float4 *in, global float4 *out, int count, int unused)
{
    PLACES;
    float4 sum = 0;
    for (int i = 0; i < count; i++) {
        float4 a = in[AT(0)], b = in[AT(1)], c = in[AT(2)], d = in[AT(3)];
        sum += a + b + c + d;
    }
    if (sum.x + sum.y + sum.z + sum.w == 0.12345f)
        out[0] = sum;
}

/* Round and round a range of a power of two of vectors, of which `last` is the last; and copied to another. */
kernel void read_again(global float4 *in, global float4 *out, int count, int last)
{
    PLACES;
    float4 sum = 0;
    for (int i = 0; i < count; i++) {
        float4 a = in[AT(0) & last], b = in[AT(1) & last], c = in[AT(2) & last], d = in[AT(3) & last];
        sum += a + b + c + d;
    }
    if (sum.x + sum.y + sum.z + sum.w == 0.12345f)
        out[0] = sum;
}

kernel void copy_again(global float4 *restrict in, global float4 *restrict out, int count, int last)
{
    PLACES;
    for (int i = 0; i < count; i++) {
        float4 a = in[AT(0) & last], b = in[AT(1) & last], c = in[AT(2) & last], d = in[AT(3) & last];
        out[AT(0) & last] = a, out[AT(1) & last] = b, out[AT(2) & last] = c, out[AT(3) & last] = d;
    }
}

kernel void copy_stream(global float4 *restrict in, global float4 *restrict out, int count, int unused)
{
    PLACES;
    for (int i = 0; i < count; i++) {
        float4 a = in[AT(0)], b = in[AT(1)], c = in[AT(2)], d = in[AT(3)];
        out[AT(0)] = a, out[AT(1)] = b, out[AT(2)] = c, out[AT(3)] = d;
    }
}

/* Lashgar et al., 3.3: an element of 8 bytes for each work-item. */
kernel void copy_elements(global ulong *restrict in, global ulong *restrict out, int unused, int other)
{
    out[get_global_id(0)] = in[get_global_id(0)];
}
