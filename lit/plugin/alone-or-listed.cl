// What is predicted for a device does not depend on which others are named, in kernels, too, that are too large to be looked at whole.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -Rpass-analysis=gpuperf -S %s -o %t.ll 2>&1 | grep -o 'kernel border on a100.*cycles' > %t.alone
// RUN: %cl -fplugin-arg-gpuperf-device=h200,w6600,a100,mi250x -Rpass-analysis=gpuperf -S %s -o %t.ll 2>&1 | grep -o 'kernel border on a100.*cycles' > %t.listed
// RUN: diff %t.alone %t.listed
kernel void border(read_only image2d_t in, write_only image2d_t out, int width, int height, unsigned filters)
{
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int x = get_global_id(0), y = get_global_id(1);
    float sum[4] = {0}, count[4] = {0};
    for (int j = y - 3; j <= y + 3; j++)
        for (int i = x - 3; i <= x + 3; i++) {
            int f = filters >> ((j << 1 & 14) + (i & 1) << 1) & 3;
            if (j >= 0 && i >= 0 && j < height && i < width) {
                sum[f] += read_imagef(in, nearest, (int2)(i, j)).x;
                count[f] += 1;
            }
        }
    write_imagef(out, (int2)(x, y), (float4)(sum[0] / count[0], sum[1] / count[1], sum[2] / count[2], 0));
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
