// A warp that is not followed to its end, since it never ends: the table says what its time is worth.
// RUN: %gpuperf predict --device a100 --local 64,256 %s | FileCheck %s

// CHECK-LABEL: endless on a100
// CHECK: note       local {{64, 256|256, 64}}: a warp is not followed to its end{{.*}}the kernel takes longer
// CHECK: confidence
__kernel void endless(__global int *flag, __global int *out)
{
    while (1)
        if (flag[0])
            break;
    out[get_global_id(0)] = 1;
}

// CHECK-LABEL: ends on a100
// CHECK-NOT: not followed
// CHECK: confidence
__kernel void ends(__global float *out, int n)
{
    float v = 0;
    for (int i = 0; i < n; i++)
        v = v * 0.5f + out[i];
    out[get_global_id(0)] = v;
}
