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
