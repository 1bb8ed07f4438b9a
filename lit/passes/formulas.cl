// What OpenCL C's upsample() and views of numbers as vectors are, where they decide an address: a lane's offset is the value of 8 work-items.
// RUN: %plain_cl -S %s -o - | %profile_ir -addresses=global=1024:local=64 - | FileCheck %s
// CHECK: joined: store global 1x1 {{.*}}+5 65536 131072 196608 262144 327680 393216 458752
kernel void joined(global char *a) { a[upsample((ushort)get_local_id(0), (ushort)5)] = 1; }
// CHECK: bytes: store global 1x1 {{.*}}+0 257 514 771 1028 1285 1542 1799
kernel void bytes(global char *a)
{
    uchar4 parts = as_uchar4((uint)get_local_id(0) << 8);
    a[parts.y + parts.y * 256 + parts.z] = 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
