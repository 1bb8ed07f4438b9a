// As PyTorch, Caffe and depthwise convolutions write them in CUDA.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s
// CHECK: max_pool on
// CHECK-NEXT: kernel_h=9, kernel_w=9, stride_h=1, stride_w=1, pad_h=4, pad_w=4
// CHECK: depthwise on
// CHECK-NEXT: kh=9, kw=9, sh=1, sw=1, ph=4, pw=4, dh=1, dw=1
// CHECK: along on
// CHECK-NEXT: taps=9
#define KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
__global__ void max_pool(const int n, const float *bottom, int channels, int height, int width, int pooled_h, int pooled_w, int kernel_h, int kernel_w, int stride_h, int stride_w, int pad_h, int pad_w, float *top) { KERNEL_LOOP(index, n) {
  const int pw = index % pooled_w, ph = (index / pooled_w) % pooled_h, c = (index / pooled_w / pooled_h) % channels, b = index / pooled_w / pooled_h / channels; int hs = ph * stride_h - pad_h, ws = pw * stride_w - pad_w; const int he = min(hs + kernel_h, height), we = min(ws + kernel_w, width); hs = max(hs, 0); ws = max(ws, 0); float m = -1e30f; const float *p = bottom + (b * channels + c) * height * width; for (int h = hs; h < he; ++h) for (int w = ws; w < we; ++w) if (p[h * width + w] > m) m = p[h * width + w]; top[index] = m; } }
__global__ void depthwise(const float *in, const float *wt, float *out, int N, int C, int H, int W, int OH, int OW, int kh, int kw, int sh, int sw, int ph, int pw, int dh, int dw) { KERNEL_LOOP(i, N) { int ow = i % OW, oh = (i / OW) % OH, c = (i / OW / OH) % C, n = i / OW / OH / C; float s = 0; const int off0 = (n * C + c) * H * W; for (int y = 0; y < kh; ++y) for (int x = 0; x < kw; ++x) { const int hi = -ph + oh * sh + y * dh, wi = -pw + ow * sw + x * dw; if (hi >= 0 && hi < H && wi >= 0 && wi < W) s += wt[(c * kh + y) * kw + x] * in[off0 + hi * W + wi]; } out[i] = s; } }
__global__ void along(const float *in, const float *k, float *out, int n, int taps) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int start = i - taps / 2; float s = 0; for (int j = 0; j < taps; j++) if (start + j >= 0 && start + j < n) s += in[start + j] * k[j]; out[i] = s; }
// PyTorch's: a window's begin moves on by its elements' distance until it is in the image.
// CHECK: dilated on
// CHECK-NEXT: {{.*}}kernel_h=9, kernel_w=9, stride_h=1, stride_w=1, pad_h=4, pad_w=4, dilation_h=1, dilation_w=1
__global__ void dilated(const int n, const float *in, const int channels, const int height, const int width, const int pooled_h, const int pooled_w, const int kernel_h, const int kernel_w, const int stride_h, const int stride_w, const int pad_h, const int pad_w, const int dilation_h, const int dilation_w, float *out, long long *mask) { KERNEL_LOOP(index, n) {
  int pw = index % pooled_w, ph = (index / pooled_w) % pooled_h, c = (index / pooled_w / pooled_h) % channels, b = index / pooled_w / pooled_h / channels;
  int hs = ph * stride_h - pad_h, ws = pw * stride_w - pad_w, he = min(hs + (kernel_h - 1) * dilation_h + 1, height), we = min(ws + (kernel_w - 1) * dilation_w + 1, width);
  while (hs < 0) hs += dilation_h; while (ws < 0) ws += dilation_w;
  float best = -3e38f; int at = hs * width + ws; const float *p = in + (b * channels + c) * height * width;
  for (int h = hs; h < he; h += dilation_h) for (int w = ws; w < we; w += dilation_w) { float v = p[h * width + w]; if (v > best || isnan(v)) { best = v; at = h * width + w; } } out[index] = best; mask[index] = at; } }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Half of a window is a radius along a line, too.
// CHECK: before_and_behind on
// CHECK-NEXT: {{.*}}1048576, n=1048580, m=9
__global__ void before_and_behind(const float *in, const float *w, float *out, int n, int m)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < m / 2 || x >= n - m / 2)
        return;
    float s = 0;
    for (int k = 0; k < m; k++)
        s += in[x + k - m / 2] * w[k];
    out[x] = s;
}

// CHECK: cut_off on
// CHECK-NEXT: {{.*}}1048576, n=1048576, m=9
__global__ void cut_off(const float *in, const float *w, float *out, int n, int m)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, r = (m - 1) / 2;
    float s = 0;
    for (int k = 0; k < m; k++) {
        int i = x + k - r;
        if (i >= 0 && i < n)
            s += in[i] * w[k];
    }
    out[x] = s;
}

// CHECK: staged on
// CHECK-NEXT: {{.*}}1048576, r=4
__global__ void staged(const float *in, float *out, int r)
{
    __shared__ float t[512];
    int x = threadIdx.x;
    for (int j = x; j < blockDim.x + 2 * r; j += blockDim.x)
        t[j] = in[blockIdx.x * blockDim.x + j];
    __syncthreads();
    float s = 0;
    for (int j = 0; j < 2 * r + 1; j++)
        s += t[x + j];
    out[blockIdx.x * blockDim.x + x] = s;
}

// CHECK: rolled on
// CHECK-NEXT: {{.*}}1048576, r=4
__global__ void rolled(const float *in, const float *f, float *out, int r)
{
    float s = 0;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int j = 0; j <= 2 * r; j++)
        s += f[j] * in[x + j];
    out[x] = s;
}

// CHECK: falling on
// CHECK-NEXT: {{.*}}1048576, r=4
__global__ void falling(const float *in, const float *f, float *out, int r)
{
    float s = 0;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 2 * r; j >= 0; j--)
        s += f[j] * in[x + j];
    out[x] = s;
}
