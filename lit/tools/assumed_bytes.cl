// Distances in bytes put elements side by side also behind a remainder or a quotient of a counter that starts with an id, and where an index in elements is made of them.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s --implicit-check-not=uncoalesced

// CHECK: repeat on
// CHECK-NEXT: nb00=4, nb01=4096, nb0=4, nb1=4096
kernel void repeat(global const char *a, global char *d, int ne00, int ne01, int ne0, ulong nb00, ulong nb01, ulong nb0, ulong nb1)
{
    int row = get_group_id(0);
    for (int i = get_local_id(0); i < ne0; i += get_local_size(0))
        *(global float *)(d + row * nb1 + i * nb0) = *(global const float *)(a + row % ne01 * nb01 + i % ne00 * nb00);
}

// CHECK: pairs on
// CHECK-NEXT: nb00=4, nb01=4096, nb1=4096
kernel void pairs(global const char *a, global char *d, int ne0, ulong nb00, ulong nb01, ulong nb1)
{
    int row = get_group_id(0);
    for (int i = get_local_id(0); i < ne0; i += get_local_size(0))
        *(global float *)(d + row * nb1 + i * 4) = *(global const float *)(a + row * nb01 + i / 2 * nb00);
}

// CHECK: elements on
// CHECK-NEXT: nb00=4
kernel void elements(global const float *a, global float *d, ulong nb00)
{
    int i = get_global_id(0);
    d[i] = a[i * nb00 / 4];
}

// Two sources of one result: the step of whichever is read.
// RUN: %gpuperf predict --device a100 --kernel joined --local 256x1 %s | FileCheck %s --check-prefix=JOINED
// JOINED: launch global 1024x1024, ne00=1024, nb10=4, nb00=4, ne0=1024
kernel void joined(global float *out, global const char *a, global const char *b, int ne00, long nb10, long nb00,
                   int ne0)
{
    int i = get_global_id(0), j = get_global_id(1);
    if (i >= ne0)
        return;
    global const float *x =
        (global const float *)(i < ne00 ? a + i * nb00 + j * 4096 : b + (i - ne00) * nb10 + j * 4096);
    out[j * ne0 + i] = *x;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
