// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pad that nobody states is no more than half of the window that somebody does, and a window is large enough for a pad that is stated. Pools over windows that no edge cuts off have windows, too, whatever the order of channels.
// RUN: %gpuperf predict --device a100 --local 64x2x2 --kernel conv --arg K=3 %s | FileCheck %s --check-prefix=SMALL
// RUN: %gpuperf predict --device a100 --local 64x2x2 --kernel conv --arg pad=12 %s | FileCheck %s --check-prefix=WIDE
// RUN: %gpuperf predict --device a100 --local 256 --kernel max_pool --arg kernel_h=2 --arg kernel_w=5 %s | FileCheck %s --check-prefix=POOL
// RUN: %gpuperf predict --device a100 --local 256 --kernel average %s | FileCheck %s --check-prefix=UNCUT
// SMALL: K=3, stride=1, pad=1
// WIDE: K=25, stride=1, pad=12
kernel void conv(global const float *in, global const float *w, global float *out, int H, int W, int C, int OH, int OW, int K, int stride, int pad)
{
    int c = get_global_id(0), ox = get_global_id(1), oy = get_global_id(2);
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

// POOL: kernel_h=2, kernel_w=5, stride_h=1, stride_w=1, pad_t=0, pad_l=2
kernel void max_pool(int count, global const float *in, int height, int width, int channels, int pooled_h, int pooled_w, int kernel_h, int kernel_w, int stride_h, int stride_w, int pad_t, int pad_l, global float *out)
{
    for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
        int n = i, c = n % channels;
        n /= channels;
        int left = n % pooled_w * stride_w - pad_l;
        n /= pooled_w;
        int top = n % pooled_h * stride_h - pad_t;
        n /= pooled_h;
        int bottom = min(top + kernel_h, height), right = min(left + kernel_w, width);
        top = max(top, 0);
        left = max(left, 0);
        float most = -FLT_MAX;
        for (int y = top; y < bottom; y++)
            for (int x = left; x < right; x++)
                most = fmax(most, in[((n * height + y) * width + x) * channels + c]);
        out[i] = most;
    }
}

// UNCUT: window_w=9, window_h=9, step_w=1, step_h=1
kernel void average(global const float *in, global float *out, int width, int channels, int out_width, int window_w, int window_h, int step_w, int step_h)
{
    int i = get_global_id(0), c = i % channels, left = i / channels % out_width * step_w, top = i / channels / out_width * step_h;
    float sum = 0;
    for (int y = top; y < top + window_h; y++)
        for (int x = left; x < left + window_w; x++)
            sum += in[(y * width + x) * channels + c];
    out[i] = sum / (window_w * window_h);
}
