// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As stated_windows.cl.
// RUN: %gpuperf predict --device a100 --local 64x2x2 --kernel conv --arg K=3 %s | FileCheck %s --check-prefix=SMALL
// RUN: %gpuperf predict --device a100 --local 256 --kernel average %s | FileCheck %s --check-prefix=UNCUT
// SMALL: K=3, stride=1, pad=1
__global__ void conv(const float *in, const float *w, float *out, int H, int W, int C, int OH, int OW, int K, int stride, int pad)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, ox = blockIdx.y * blockDim.y + threadIdx.y, oy = blockIdx.z * blockDim.z + threadIdx.z;
    float sum = 0;
    if (c >= C || ox >= OW || oy >= OH)
        return;
    for (int ky = 0; ky < K; ky++)
        for (int kx = 0; kx < K; kx++) {
            int y = oy * stride + ky - pad, x = ox * stride + kx - pad;
            if (y >= 0 && y < H && x >= 0 && x < W)
                sum += in[(y * W + x) * C + c] * w[(ky * K + kx) * C + c];
        }
    out[(oy * OW + ox) * C + c] = sum;
}

// UNCUT: window_w=9, window_h=9, step_w=1, step_h=1
__global__ void average(const float *in, float *out, int width, int channels, int out_width, int window_w, int window_h, int step_w, int step_h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, c = i % channels, left = i / channels % out_width * step_w, top = i / channels / out_width * step_h;
    float sum = 0;
    for (int y = top; y < top + window_h; y++)
        for (int x = left; x < left + window_w; x++)
            sum += in[(y * width + x) * channels + c];
    out[i] = sum / (window_w * window_h);
}
