// Coordinates from 0 to 1 are taken for those of an image as large as the range: the same texels as by their numbers.
// RUN: %gpuperf predict --device a100 --global 1024x1024 --local 16x16 --arg w=1024 --json %s > %t.json
// RUN: %python -c "import json; p = json.load(open('%t.json')); print([r['cycles'] for r in p]); exit(len(p) != 2 or abs(p[0]['cycles'] / p[1]['cycles'] - 1) > 0.01)"

const sampler_t fractions = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
const sampler_t numbers = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;

kernel void across(read_only image2d_t image, global float *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = read_imagef(image, numbers, (float2)(y * 37 + 0.5f, x * 91 + 0.5f)).x;
}

kernel void across_fractions(read_only image2d_t image, global float *out, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[y * w + x] = read_imagef(image, fractions, (float2)((y * 37 + 0.5f) / w, (x * 91 + 0.5f) / w)).x;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
