// CUDA's siblings of predict_kept.cl.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: largest on
// CHECK: time       {{[0-9]+}} us
__global__ void largest(int *p, const float *in)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int old = *p, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, __float_as_int(fmaxf(v, __int_as_float(seen))));
    } while (old != seen);
}

// CHECK: least on
// CHECK: time       {{[0-9]+}} us
__global__ void least(unsigned long long *p, const double *in)
{
    double v = in[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned long long old = *p, seen;
    do {
        seen = old;
        old = atomicCAS(p, seen, (unsigned long long)__double_as_longlong(fmin(v, __longlong_as_double(seen))));
    } while (old != seen);
}

// CHECK: while_less on
// CHECK-NOT: trip=
// CHECK: time       {{[0-9]+}} us
__global__ void while_less(int *p, const float *in)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    int old = *p;
    while (__int_as_float(old) < v)
        old = atomicCAS(p, old, __float_as_int(v));
}

// CHECK: reads_anew on
// CHECK-NOT: trip=
// CHECK: time       {{[0-9]+}} us
__global__ void reads_anew(float *p, const float *in)
{
    float v = in[blockIdx.x * blockDim.x + threadIdx.x];
    while (*p < v) {
        float old = *p;
        atomicCAS((int *)p, __float_as_int(old), __float_as_int(v));
    }
}

// CHECK: early_exit on
// CHECK-NOT: trip=
// CHECK: time       {{[0-9]+}} us
__global__ void early_exit(int *p, const int *in)
{
    int v = in[blockIdx.x * blockDim.x + threadIdx.x], old = *p, assumed;
    if (v <= old)
        return;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, max(v, assumed));
    } while (assumed != old && old < v);
}

// The value with its place beside it.
// CHECK: with_place on
// CHECK-NOT: trip=
// CHECK: time       {{[0-9]+}} us
__global__ void with_place(unsigned long long *p, const float *in)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long mine = (unsigned long long)__float_as_uint(in[i]) << 32 | i, old = *p, assumed;
    do {
        assumed = old;
        if (assumed >> 32 >= mine >> 32)
            break;
        old = atomicCAS(p, assumed, mine);
    } while (assumed != old);
}
