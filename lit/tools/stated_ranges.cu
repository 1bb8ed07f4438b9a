// As stated_ranges.cl: blocks' numbers, and threads'.
// RUN: %gpuperf predict --device a100 --local 256 --kernel row --arg rows=100 --arg n=77 %s | FileCheck %s --check-prefix=ROW
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel product --arg m=300 --arg n=500 --arg k=10 %s | FileCheck %s --check-prefix=PRODUCT
// RUN: %gpuperf predict --device a100 --local 256 --kernel halved --arg n=100000 %s | FileCheck %s --check-prefix=HALVED
// RUN: %gpuperf predict --device a100 --local 256 --kernel halved --arg n=-100000 %s | FileCheck %s --check-prefix=NEGATIVE

// ROW: launch     grid times block 25600, rows=100, n=77; assumed: global (from rows)
__global__ void row(const float *a, float *b, int rows, int n)
{
    int r = blockIdx.x;
    float s = 0;
    if (r >= rows)
        return;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s += a[r * n + i];
    b[r] = s;
}

// PRODUCT: launch     grid times block 512x304, m=300, n=500, k=10; assumed: global (from n, m)
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < m && x < n) {
        float s = 0;
        for (int i = 0; i < k; i++)
            s += a[y * k + i] * b[i * n + x];
        c[y * n + x] = s;
    }
}

// NEGATIVE: launch     grid times block 1048576, n=-100000; assumed: global{{$}}
// HALVED: launch     grid times block 50176, n=100000; assumed: global (from n)
__global__ void halved(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i + 1 < n)
        a[2 * i] += a[2 * i + 1];
}
