// A kernel of which the compiler leaves nothing is said to be so, as where a loop never ends, which C++ need not have.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: stays on
// CHECK: note nothing is left of it: compilers remove what stores nothing, and C++'s loops that never end
__global__ void stays(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        a[i] += 1;
        i += 0;
    }
}

// CHECK: counts on
// CHECK: note nothing is left of it
__global__ void counts(volatile int *a)
{
    int k = 0;
    while (true)
        k++;
    a[0] = k;
}

// CHECK: unused on
// CHECK: note nothing is left of it
__global__ void unused(const float *a, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
}

// CHECK: steps on
// CHECK-NOT: nothing is left
__global__ void steps(float *a, int n, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i < n) {
        a[i] += 1;
        i += s;
    }
}
