// CUDA's siblings of assumed_floats.cl.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: halves on
// CHECK-NEXT: {{.*}}1048576, w=?, trip=16; all of it assumed
// CHECK: trip=16 (--trip): half of it {{.*}}, twice {{.*}} the time
__global__ void halves(const float *in, float *out, double w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, n = (int)ceil(w / 2.0);
    float s = 0;
    for (int i = 0; i < n; i++)
        s += in[i * n + x];
    out[x] = s;
}

// CHECK: pitch on
// CHECK: time       9.3
__global__ void pitch(const float *in, float *out, float w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, p = (int)w;
    out[y * p + x] = in[y * p + x];
}
