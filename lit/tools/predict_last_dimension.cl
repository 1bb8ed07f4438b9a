// Where the last dimension goes through memory, sizes that are wide there are among the candidates, as are tiles of both ends where the first does so in
// another buffer; of kernels that go along the first as many as ever.
// RUN: %gpuperf predict --warm --device a100,pocl-cpu --json --kernel last --global 64x64x256 %s > %t.last
// RUN: %python %S/Inputs/locals.py %t.last | FileCheck %s --check-prefix=LAST
// LAST: a100 65 sizes, first 1x{{[124]}}x{{64|128|256}}
// LAST: pocl-cpu 65 sizes, first {{[12]}}x{{[0-9]+}}x{{32|64|128|256}}
// RUN: %gpuperf predict --warm --device a100,pocl-cpu --json --kernel turned --global 256x64x256 %s > %t.turned
// RUN: %python %S/Inputs/locals.py %t.turned | FileCheck %s --check-prefix=TURNED
// TURNED: a100 65 sizes, first {{4|8|16}}x1x{{16|32|64}}{{$}}
// TURNED: pocl-cpu 65 sizes, first {{[0-9]+}}x1x{{16|32|64}}{{$}}
// RUN: %gpuperf predict --warm --device a100 --json --kernel first --global 256x64x64 %s > %t.first
// RUN: %python %S/Inputs/locals.py %t.first | FileCheck %s --check-prefix=FIRST
// FIRST: a100 64 sizes, first {{32|64|128|256}}x
kernel void last(global const float *a, global float *o)
{
    int z = get_global_id(0), y = get_global_id(1), x = get_global_id(2), i = (z * 64 + y) * 256 + x;
    o[i] = a[i] * 2;
}
kernel void turned(global const float *a, global float *o)
{
    int z = get_global_id(0), y = get_global_id(1), x = get_global_id(2);
    o[(x * 64 + y) * 256 + z] = a[(z * 64 + y) * 256 + x];
}
kernel void first(global const float *a, global float *o)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = (z * 64 + y) * 256 + x;
    o[i] = a[i] * 2;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
