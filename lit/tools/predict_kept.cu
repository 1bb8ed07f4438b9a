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
