// Not every warp of a group is recorded. Rows of an image that share blocks of texels, and rows of a group that are several warps wide, lie elsewhere than a step
// behind the warp before: all of these shapes move the same bytes.
// RUN: %gpuperf predict --device a100 --model trace --global 1024x1024 --local 32x8,64x16,128x8,256x2,32x32 --json %s > %t.json
// RUN: %python -c "import json; t = [(p['kernel'], p['local'], p['time_ns']) for p in json.load(open('%t.json'))]; print(t); exit(any(x[2] > 1.15 * min(y[2] for y in t if y[0] == x[0]) for x in t))"
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void copy(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, nearest, at));
}

kernel void curve(read_only image2d_t in, write_only image2d_t out, float a, float b, float c)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 p = read_imagef(in, nearest, at);
    for (int i = 0; i < 20; i++)
        p = p * (p * (a * p + b) + c) + (float)i;
    write_imagef(out, at, p);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
