// CUDA's siblings of assumed_borders.cl.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: rows on
// CHECK-NEXT: {{.*}}1024x1024, w=1028, h=1024, r=4
__global__ void rows(const float *in, float *out, int w, int h, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < r || x >= w - r || y >= h)
        return;
    float s = 0;
    for (int k = 0; k <= 2 * r; k++)
        s += in[y * w + x - r + k];
    out[y * w + x] = s;
}

// CHECK: box on
// CHECK-NEXT: {{.*}}1024x1024, w=1028, h=1028, r=4, step=1
__global__ void box(const float *in, float *out, unsigned w, unsigned h, unsigned r, unsigned step)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < r || y < r || x + r >= w || y + r >= h)
        return;
    float s = 0;
    for (unsigned j = y - r; j <= y + r; j += step)
        for (unsigned i = x - r; i <= x + r; i += step)
            s += in[j * w + i];
    out[y * w + x] = s;
}

// CHECK: causal on
// CHECK-NEXT: {{.*}}1048576, n=1048576, taps=1024
__global__ void causal(const float *in, float *out, const float *t, int n, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < taps || i >= n)
        return;
    float s = 0;
    for (int k = 0; k < taps; k++)
        s += in[i - k] * t[k];
    out[i] = s;
}

// CHECK: copies_border on
// CHECK-NEXT: {{.*}}1048576, n=1048576, border=4
__global__ void copies_border(const float *in, float *out, int n, int border)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n)
        return;
    if (x < border || x >= n - border)
        out[x] = 0;
    else
        out[x] = in[x - 1] + in[x] + in[x + 1];
}

// CHECK: border_of_stride on
// CHECK-NEXT: {{.*}}n={{[0-9]+}}, r=4
__global__ void border_of_stride(const float *in, float *out, int n, int r)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (i < r || i >= n - r) {
            out[i] = in[i];
            continue;
        }
        out[i] = sqrtf(in[i - 1] + in[i + 1]);
    }
}
