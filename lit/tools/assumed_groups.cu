// As assumed_groups.cl.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: stepped on
// CHECK-NEXT: n=1024, s=group;
__global__ void stepped(const float *a, float *out, int n, int s)
{
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += s)
        sum += a[blockIdx.x * n + i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK: tree on
// CHECK-NEXT: size=group;
__global__ void tree(const float *a, float *out, int size)
{
    extern __shared__ float part[];
    int l = threadIdx.x;
    part[l] = a[blockIdx.x * blockDim.x + l];
    __syncthreads();
    for (int s = size / 2; s > 0; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        __syncthreads();
    }
    if (l == 0)
        out[blockIdx.x] = part[0];
}

// CHECK: scan on
// CHECK-NEXT: n=1048576, d=1024;
__global__ void scan(const int *a, int *b, int n, int d)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = i >= d ? a[i] + a[i - d] : a[i];
}

// CHECK: padded on
// CHECK-NEXT: width=1024, height=1024, border=4;
__global__ void padded(const float *in, float *out, int width, int height, int border)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + border, y = blockIdx.y * blockDim.y + threadIdx.y + border;
    int pitch = width + 2 * border;
    if (x < width + border && y < height + border)
        out[y * pitch + x] = in[y * pitch + x - 1] + in[y * pitch + x + 1];
}

// A window's elements lie side by side, where its radius comes as a size.
// CHECK: dilated on
// CHECK-NEXT: n=1048576, r=4, distance=1;
__global__ void dilated(const float *in, const float *w, float *out, int n, int r, int distance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = -r; j <= r; j++) {
        int k = i + j * distance;
        if (k >= 0 && k < n)
            sum += in[k] * w[j + r];
    }
    out[i] = sum;
}

// CHECK: doubled on
// CHECK-NEXT: r=4;
__global__ void doubled(const float *in, const float *w, float *out, int r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j <= 2 * r; j++)
        sum += in[i + j] * w[j];
    out[i] = sum;
}
