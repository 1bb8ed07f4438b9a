// Windows that slide over an image are small, steps and distances of their elements 1, and pads less than a window, also in loops over all work-items, where ends are clamped, and where half a window is a shift.
// RUN: %gpuperf predict --device a100 --local 256 --kernel ave --kernel im2col --kernel col2im %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel box --kernel median %s | FileCheck %s --check-prefix=HALVES
// RUN: %gpuperf predict --device a100 --local 32x8x1 --kernel conv2d --kernel of_ids %s | FileCheck %s --check-prefix=PLACES
// RUN: %gpuperf predict --device a100 --local 256 --kernel dilated %s | FileCheck %s --check-prefix=DILATED
// RUN: %gpuperf predict --device a100 --local 256 --kernel before_and_behind --kernel cut_off --kernel clamped --kernel rows %s | FileCheck %s --check-prefix=HALF
// RUN: %gpuperf predict --device a100 --local 256 --kernel staged --kernel pairs --kernel falling --kernel spread --kernel falling_pairs %s | FileCheck %s --check-prefix=DOUBLED
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel halo --kernel squared %s | FileCheck %s --check-prefix=HALO
// CHECK: ave on
// CHECK-NEXT: kernel_h=9, kernel_w=9, stride_h=1, stride_w=1, pad_h=4, pad_w=4
// CHECK: im2col on
// CHECK-NEXT: kernel_h=9, kernel_w=9, pad_h=4, pad_w=4, stride_h=1, stride_w=1, dilation_h=1, dilation_w=1
// CHECK: col2im on
// CHECK-NEXT: kernel_h=9, kernel_w=9, pad_h=4, pad_w=4, stride_h=1, stride_w=1
// HALVES: box on
// HALVES-NEXT: size=9
// HALVES: median on
// HALVES-NEXT: size=9
// PLACES: conv2d on
// PLACES-NEXT: K=9, stride=1, pad=4
// PLACES: of_ids on
// PLACES-NEXT: s0=1, s1=1, p0=4, p1=4, d0=1, d1=1
#define LOOP(i, n) for (int i = get_global_id(0); i < n; i += get_global_size(0))
kernel void ave(int n, global const float *in, global float *out, int channels, int height, int width, int pooled_h, int pooled_w, int kernel_h, int kernel_w, int stride_h, int stride_w, int pad_h, int pad_w) { LOOP(index, n) {
  int pw = index % pooled_w, ph = (index / pooled_w) % pooled_h, c = (index / pooled_w / pooled_h) % channels, b = index / pooled_w / pooled_h / channels;
  int hs = ph * stride_h - pad_h, ws = pw * stride_w - pad_w, he = min(hs + kernel_h, height + pad_h), we = min(ws + kernel_w, width + pad_w); int size = (he - hs) * (we - ws);
  hs = max(hs, 0); ws = max(ws, 0); he = min(he, height); we = min(we, width); float s = 0; global const float *p = in + (b * channels + c) * height * width; for (int h = hs; h < he; ++h) for (int w = ws; w < we; ++w) s += p[h * width + w]; out[index] = s / size; } }
kernel void im2col(int n, global const float *im, int height, int width, int kernel_h, int kernel_w, int pad_h, int pad_w, int stride_h, int stride_w, int dilation_h, int dilation_w, int height_col, int width_col, global float *col) { LOOP(index, n) {
  int h_index = index / width_col, h_col = h_index % height_col, w_col = index % width_col, c_im = h_index / height_col, c_col = c_im * kernel_h * kernel_w; int h_off = h_col * stride_h - pad_h, w_off = w_col * stride_w - pad_w;
  global float *dst = col + (c_col * height_col + h_col) * width_col + w_col; global const float *src = im + (c_im * height + h_off) * width + w_off;
  for (int i = 0; i < kernel_h; ++i) for (int j = 0; j < kernel_w; ++j) { int h = h_off + i * dilation_h, w = w_off + j * dilation_w; *dst = (h >= 0 && w >= 0 && h < height && w < width) ? src[i * dilation_h * width + j * dilation_w] : 0; dst += height_col * width_col; } } }
kernel void col2im(int n, global const float *col, int height, int width, int channels, int kernel_h, int kernel_w, int pad_h, int pad_w, int stride_h, int stride_w, int height_col, int width_col, global float *im) { LOOP(index, n) {
  float val = 0; int w_im = index % width + pad_w, h_im = (index / width) % height + pad_h, c_im = index / (width * height);
  int w0 = (w_im < kernel_w) ? 0 : (w_im - kernel_w) / stride_w + 1, w1 = min(w_im / stride_w + 1, width_col), h0 = (h_im < kernel_h) ? 0 : (h_im - kernel_h) / stride_h + 1, h1 = min(h_im / stride_h + 1, height_col);
  for (int h_col = h0; h_col < h1; ++h_col) for (int w_col = w0; w_col < w1; ++w_col) { int h_k = h_im - h_col * stride_h, w_k = w_im - w_col * stride_w; val += col[(((c_im * kernel_h + h_k) * kernel_w + w_k) * height_col + h_col) * width_col + w_col]; } im[index] = val; } }
kernel void conv2d(global const float *in, global const float *w, global float *out, int H, int W, int K, int stride, int pad, int OH, int OW) { int ox = get_global_id(0), oy = get_global_id(1), oc = get_global_id(2); if (ox >= OW || oy >= OH) return; float s = 0;
  for (int ky = 0; ky < K; ky++) for (int kx = 0; kx < K; kx++) { int iy = oy * stride + ky - pad, ix = ox * stride + kx - pad; if (iy >= 0 && iy < H && ix >= 0 && ix < W) s += in[iy * W + ix] * w[(oc * K + ky) * K + kx]; } out[(oc * OH + oy) * OW + ox] = s; }
kernel void box(global const float *in, global float *out, int w, int h, int size) { int x = get_global_id(0), y = get_global_id(1); if (x >= w || y >= h) return; int hf = size >> 1; int y0 = max(0, y - hf), y1 = min(h - 1, y + hf), x0 = max(0, x - hf), x1 = min(w - 1, x + hf); float s = 0; for (int j = y0; j <= y1; j++) for (int i = x0; i <= x1; i++) s += in[j * w + i]; out[y * w + x] = s; }
kernel void median(global const float *in, global float *out, int w, int h, int size) { int x = get_global_id(0), y = get_global_id(1); int hf = size / 2; float s = 0; for (int j = -hf; j <= hf; j++) for (int i = -hf; i <= hf; i++) s += in[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)]; out[y * w + x] = s; }
kernel void of_ids(global const float *src, global float *dst, int OH, int OW, int IW, int IH, int CHW, int s0, int s1, int p0, int p1, int d0, int d1, int KW, int KH) { int i = get_global_id(0), oh = get_global_id(1), ic = get_global_id(2); int ksize = OW * KW, kx = i / ksize, kd = kx * ksize, ky = (i - kd) / OW, ix = i % OW; int iiw = ix * s0 + kx * d0 - p0, iih = oh * s1 + ky * d1 - p1; int at = (oh * OW + ix) * CHW + (ic * KW * KH + ky * KW + kx); dst[at] = (iih < 0 || iih >= IH || iiw < 0 || iiw >= IW) ? 0 : src[ic * IH * IW + iih * IW + iiw]; }
// PyTorch's: a window's begin moves on by its elements' distance until it is in the image.
// DILATED: dilated on
// DILATED-NEXT: {{.*}}kernel_h=9, kernel_w=9, stride_h=1, stride_w=1, pad_h=4, pad_w=4, dilation_h=1, dilation_w=1
kernel void dilated(int n, global const float *in, int channels, int height, int width, int pooled_h, int pooled_w, int kernel_h, int kernel_w, int stride_h, int stride_w, int pad_h, int pad_w, int dilation_h, int dilation_w, global float *out, global long *mask) { LOOP(index, n) {
  int pw = index % pooled_w, ph = (index / pooled_w) % pooled_h, c = (index / pooled_w / pooled_h) % channels, b = index / pooled_w / pooled_h / channels;
  int hs = ph * stride_h - pad_h, ws = pw * stride_w - pad_w, he = min(hs + (kernel_h - 1) * dilation_h + 1, height), we = min(ws + (kernel_w - 1) * dilation_w + 1, width);
  while (hs < 0) hs += dilation_h; while (ws < 0) ws += dilation_w;
  float best = -FLT_MAX; int at = hs * width + ws; global const float *p = in + (b * channels + c) * height * width;
  for (int h = hs; h < he; h += dilation_h) for (int w = ws; w < we; w += dilation_w) { float v = p[h * width + w]; if (v > best) { best = v; at = h * width + w; } } out[index] = best; mask[index] = at; } }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A window's length of which half is its radius, in one dimension as well, whatever form half of it has.
// HALF: before_and_behind on
// HALF-NEXT: global 1048576, n=1048580, m=9
kernel void before_and_behind(global const float *in, global const float *w, global float *out, int n, int m)
{
    int x = get_global_id(0), r = m >> 1;
    if (x < r || x >= n - r)
        return;
    float s = 0;
    for (int k = 0; k < m; k++)
        s += in[x + k - r] * w[k];
    out[x] = s;
}

// HALF: cut_off on
// HALF-NEXT: global 1048576, n=1048576, m=9
kernel void cut_off(global const float *in, constant float *w, global float *out, int n, int m)
{
    int x = get_global_id(0), r = (m - 1) / 2;
    float s = 0;
    for (int k = 0; k < m; k++) {
        int i = x + k - r;
        if (i >= 0 && i < n)
            s += in[i] * w[k];
    }
    out[x] = s;
}

// HALF: clamped on
// HALF-NEXT: global 1048576, n=1048576, m=9
kernel void clamped(global const float *in, global const float *w, global float *out, int n, int m)
{
    int x = get_global_id(0), r = m / 2;
    float s = 0;
    for (int k = -r; k <= r; k++)
        s += in[clamp(x + k, 0, n - 1)] * w[k + r];
    out[x] = s;
}

// HALF: rows on
// HALF-NEXT: global 1024x1024, width=1024, h=1028, m=9
kernel void rows(global const float *in, global const float *w, global float *out, uint width, uint h, uint m)
{
    uint x = get_global_id(0), y = get_global_id(1), r = m / 2;
    if (x >= width || y < r || y + r >= h)
        return;
    float s = 0;
    for (uint k = 0; k < m; k++)
        s += in[(y + k - r) * width + x] * w[k];
    out[y * width + x] = s;
}

// Twice a radius and more is a window's width; twice a number alone counts pairs.
// HALO: halo on
// HALO-NEXT: global 1024x1024, r=4, w=1024
kernel void halo(global const float *in, global float *out, int r, int w)
{
    local float t[32][32];
    int lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0) * 16, gy = get_group_id(1) * 16;
    for (int j = ly; j < 16 + 2 * r; j += 16)
        for (int i = lx; i < 16 + 2 * r; i += 16)
            t[j][i] = in[(gy + j) * w + gx + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int j = 0; j <= 2 * r; j++)
        for (int i = 0; i <= 2 * r; i++)
            s += t[ly + j][lx + i];
    out[get_global_id(1) * w + get_global_id(0)] = s;
}

// DOUBLED: staged on
// DOUBLED-NEXT: global 1048576, r=4
kernel void staged(global const float *in, global float *out, int r)
{
    local float t[512];
    int x = get_local_id(0), size = get_local_size(0);
    for (int j = x; j < size + 2 * r; j += size)
        t[j] = in[get_group_id(0) * size + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0;
    for (int j = 0; j < 2 * r + 1; j++)
        s += t[x + j];
    out[get_global_id(0)] = s;
}

// DOUBLED: pairs on
// DOUBLED-NEXT: global 1048576, n=1024
kernel void pairs(global const float *in, global float *out, int n)
{
    float s = 0;
    int x = get_global_id(0);
    for (int j = 0; j < 2 * n; j++)
        s += in[x + j];
    out[x] = s;
}

// HALO: squared on
// HALO-NEXT: global 1024x1024, r=4, w=1024
kernel void squared(global const float *in, global const float *f, global float *out, int r, int w)
{
    float s = 0;
    int x = get_global_id(0), y = get_global_id(1);
    for (int j = 0; j <= 2 * r; j++)
        for (int i = 0; i <= 2 * r; i++)
            s += f[j * (2 * r + 1) + i] * in[(y + j) * w + x + i];
    out[y * w + x] = s;
}

// DOUBLED: falling on
// DOUBLED-NEXT: global 1048576, r=4
kernel void falling(global const float *in, global const float *f, global float *out, int r)
{
    float s = 0;
    int x = get_global_id(0);
    for (int j = 2 * r; j >= 0; j--)
        s += f[j] * in[x + j];
    out[x] = s;
}

// DOUBLED: spread on
// DOUBLED-NEXT: global 1048576, r=4, dil=4
kernel void spread(global const float *in, global float *out, int r, int dil)
{
    float s = 0;
    int x = get_global_id(0);
    for (int j = 0; j < 2 * r * dil + 1; j++)
        s += in[x + j];
    out[x] = s;
}

// DOUBLED: falling_pairs on
// DOUBLED-NEXT: global 1048576, n=1024
kernel void falling_pairs(global const float *in, global float *out, int n)
{
    float s = 0;
    int x = get_global_id(0);
    for (int j = 2 * n - 1; j >= 0; j--)
        s += in[x + j];
    out[x] = s;
}
