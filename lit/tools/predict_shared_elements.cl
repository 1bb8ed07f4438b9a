// Work-items half an element apart share elements: none has some to itself, whatever loops go through them.
// RUN: %gpuperf predict --device mi250x --local 128x4 %s | FileCheck %s
// CHECK: uncoalesced global load
// CHECK-NOT: interleave
// CHECK: work-items of one wave touch scattered or misaligned lines of 'in'
// CHECK-NOT: interleave

/* A transposed convolution, stride 2. */
kernel void enlarge(global const float *restrict in, global const float *restrict weights, global float *restrict out, int width, int height, int channels)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int c = 0; c < channels; c++)
        for (int ky = 0; ky < 4; ky++)
            for (int kx = 0; kx < 4; kx++) {
                int ix = x + 1 - kx, iy = y + 1 - ky;
                if (ix % 2 != 0 || iy % 2 != 0)
                    continue;
                ix /= 2;
                iy /= 2;
                if (ix < 0 || iy < 0 || ix >= width || iy >= height)
                    continue;
                sum += in[(c * height + iy) * width + ix] * weights[(c * 4 + ky) * 4 + kx];
            }
    out[y * get_global_size(0) + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
