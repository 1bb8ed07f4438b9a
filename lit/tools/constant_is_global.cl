// On AMD's devices and on Intel's constant memory is global memory: lanes that read different places of a table take as long.
// RUN: %gpuperf predict --device w6600 --local 256 --global 1048576 --arg n=1024 %s | FileCheck %s
// RUN: %gpuperf predict --device mi250x --local 256 --global 1048576 --arg n=1024 %s | FileCheck %s
// RUN: %gpuperf predict --device a770 --local 256 --global 1048576 --arg n=1024 %s | FileCheck %s
// CHECK: from_constant on
// CHECK: {{^ +time +}}[[TIME:[0-9.]+ .s]] with
// CHECK: from_global on
// CHECK: {{^ +time +}}[[TIME]] with
#define KERNEL(name, space)                                                                                            \
    kernel void name(space const float *table, global float *out, int n)                                               \
    {                                                                                                                  \
        int lane = get_local_id(0) & 31;                                                                               \
        float sum = 0;                                                                                                 \
        for (int k = 0; k < n; k++)                                                                                    \
            sum = sum * 1.5f + table[(k & 63) * 32 + lane];                                                            \
        out[get_global_id(0)] = sum;                                                                                   \
    }
KERNEL(from_constant, constant)
KERNEL(from_global, global)
