// Loops whose counter of few bits wraps before it comes to its bound: sizes at which they never end stand last, with a reason, and nobody is sure of their times.
// RUN: %gpuperf predict --device a100 --global 65536 --local 32,64,256 %s | FileCheck %s

// 200 is within a step of 32 from where a byte wraps, not within one of 64; 256 is no step.
// CHECK-LABEL: groups on a100
// CHECK: confidence 8% with local 256, 8{{[0-9]}}% with local 32
// CHECK: note       local 64, 256: the loop at {{.*}}predict_wrapping.cl:[[#@LINE+7]]:5 never ends: what would end it comes back to what it was before
// CHECK-NOT: not followed
// CHECK: occupancy  limiter
// CHECK-NEXT: 32 {{.*}} best
__kernel void groups(__global const float *in, __global float *out)
{
    float sum = 0;
    for (uchar i = get_local_id(0); i < 200; i += get_local_size(0))
        sum += in[i];
    out[get_global_id(0)] = sum;
}

// RUN: %gpuperf predict --device a100 --global 65536 --local 64 --kernel groups --format json %s | FileCheck %s --check-prefix=JSON
// JSON-NOT: "cause"
// JSON: "endless_loop": {
// JSON: "line": [[#@LINE-8]]

// In another loop, whose copies the compiler makes; it keeps the counter in 64 bits.
// CHECK-LABEL: rows on a100
// CHECK: note       local 64, 256: the loop at {{.*}}predict_wrapping.cl:[[#@LINE+6]]:9 never ends
// CHECK: occupancy  limiter
__kernel void rows(__global const float *in, __global float *out, int width)
{
    float sum = 0;
    for (int row = 0; row < 4; row++)
        for (uchar i = get_local_id(0); i < 200; i += get_local_size(0))
            sum += in[(get_group_id(0) * 4 + row) * width + i];
    out[get_global_id(0)] = sum;
}

// A step of 65536 is none of 16 bits, whatever the group is.
// CHECK-LABEL: range on a100
// CHECK: note       all local sizes: the loop at {{.*}}predict_wrapping.cl:[[#@LINE+4]]:5 never ends
// CHECK: occupancy  limiter
__kernel void range(__global float *data)
{
    for (ushort i = get_global_id(0); i < 50000; i += get_global_size(0))
        data[i] *= 2;
}

// All of these end.
// CHECK-LABEL: words on a100
// CHECK-NOT: never ends
// CHECK: confidence 8{{[0-9]}}%
// CHECK-NOT: never ends
// CHECK: occupancy  limiter
__kernel void words(__global const float *in, __global float *out)
{
    float sum = 0;
    for (ushort i = get_local_id(0); i < 1000; i += get_local_size(0))
        sum += in[i];
    out[get_global_id(0)] = sum;
}
