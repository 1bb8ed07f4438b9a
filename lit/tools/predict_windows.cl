// A filter's width, which two loops go round for, one within the other, is small; the number of taps of a filter along a line may be any.
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel filter --kernel line %s | FileCheck %s

// CHECK: filter on
// CHECK-NEXT: launch     global 1024x1024, width=9, pitch=1024
kernel void filter(global const float *in, global const float *weight, global float *out, int width, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int j = 0; j < width; j++)
        for (int i = 0; i < width; i++)
            sum += in[(y + j) * pitch + x + i] * weight[j * width + i];
    out[y * pitch + x] = sum;
}

// CHECK: line on
// CHECK-NEXT: launch     global 1024x1024, taps=1024, pitch=1024
kernel void line(global const float *in, global const float *weight, global float *out, int taps, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int i = 0; i < taps; i++)
        sum += in[y * pitch + x + i] * weight[i];
    out[y * pitch + x] = sum;
}
