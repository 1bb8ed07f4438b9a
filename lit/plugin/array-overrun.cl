// A group that is too large for the kernel's own local array is neither assumed nor annotated; one that somebody asks for is no prediction.
// RUN: %cl -w -fplugin-arg-gpuperf-device=a100 -Rpass-analysis=gpuperf -S %s -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.ll
// RUN: %cl -w -fplugin-arg-gpuperf-device=a100 -Rpass-analysis=gpuperf -fplugin-arg-gpuperf-assume=exchange:local=256 -c %s -o %t.bc 2>&1 | FileCheck %s --check-prefix=ASKED --allow-empty
// CHECK: remark: kernel exchange on a100, global 1048576, local 64{{[:,]}}
// CHECK: remark: kernel square on a100, global 1024x1024, local 8x8{{[:,]}}
// IR-NOT: !{!"a100", i32 {{96|128|192|256|384|512|768|1024}}, i32 1,
// IR: !{!"a100", i32 64, i32 1, i32 1, i64
// ASKED-NOT: kernel exchange on a100
kernel void exchange(global const float *in, global float *out)
{
    local float tile[64];
    uint i = get_local_id(0);
    tile[i] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[i ^ 1];
}

kernel void square(global const float *in, global float *out)
{
    local float tile[8][8];
    uint x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * 1024 + get_global_id(0);
    tile[y][x] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = tile[y ^ 1][x];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
