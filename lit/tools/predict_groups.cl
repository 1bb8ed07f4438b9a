// A group for each row: with as many groups for each size the kernel does the same work, with as many work-items it does not.
// RUN: %gpuperf predict --device a100 --groups 8192 --arg n=4096 --local 64,256,1024 %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --groups 8192 --arg n=4096 --local 64,256 --json %s | FileCheck %s --check-prefix=JSON
// RUN: %gpuperf predict --device a100 --global 2097152 --arg n=4096 --local 64,256,1024 %s | FileCheck %s --check-prefix=ITEMS
// RUN: not %gpuperf predict --device a100 --global 64 --groups 64 %s 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %gpuperf predict --device a100 --groups 9007199254740992 %s 2>&1 | FileCheck %s --check-prefix=MANY
// CHECK: launch     groups 8192, n=4096
// CHECK: note       it uses the local id of dimension 0: results may differ between local sizes{{$}}
// CHECK: 256
// JSON: "global": [
// JSON-NEXT: 2097152,
// JSON: "global": [
// JSON-NEXT: 524288,
// ITEMS: results may differ between local sizes; with --groups each has as many groups
// ITEMS: 1024
// BOTH: gpuperf: --global and --groups both say how large the launch is; leave one of them out
// MANY: gpuperf: {{.*}}beyond what any device takes
kernel void sums(global const float *in, global float *out, int n)
{
    local float part[1024];
    int item = get_local_id(0);
    float sum = 0;
    for (int i = item; i < n; i += get_local_size(0))
        sum += in[get_group_id(0) * n + i];
    part[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (item < s)
            part[item] += part[item + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        out[get_group_id(0)] = part[0];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
