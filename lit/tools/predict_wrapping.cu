// CUDA's siblings of predict_wrapping.cl.
// RUN: %gpuperf predict --device a100 --global 65536 --local 32,64,256 %s | FileCheck %s

// CHECK-LABEL: blocks on a100
// CHECK: note       block 64, 256: the loop at {{.*}}predict_wrapping.cu:[[#@LINE+6]]:5 never ends
// CHECK: occupancy  limiter
// CHECK-NEXT: 32 {{.*}} best
__global__ void blocks(const float *in, float *out)
{
    float sum = 0;
    for (unsigned char i = threadIdx.x; i < 200; i += blockDim.x)
        sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// CHECK-LABEL: range on a100
// CHECK: note       all block sizes: the loop at {{.*}}predict_wrapping.cu:[[#@LINE+4]]:5 never ends
// CHECK: occupancy  limiter
__global__ void range(float *data)
{
    for (unsigned short i = blockIdx.x * blockDim.x + threadIdx.x; i < 50000; i += blockDim.x * gridDim.x)
        data[i] *= 2;
}

// CHECK-LABEL: words on a100
// CHECK-NOT: never ends
// CHECK: confidence 8{{[0-9]}}%
// CHECK-NOT: never ends
// CHECK: occupancy  limiter
__global__ void words(const float *in, float *out)
{
    float sum = 0;
    for (unsigned short i = threadIdx.x; i < 1000; i += blockDim.x)
        sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
