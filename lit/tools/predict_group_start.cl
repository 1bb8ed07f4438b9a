// A Hopper starts less than one work-group a cycle: of a copy's small groups the larger ones go twice as fast, and the report says why.
// RUN: %gpuperf predict --device h200 --global 1048576 --local 32,64 --kernel copy --json %s > %t.json
// RUN: %python -c "import json; p = {r['local'][0]: r for r in json.load(open('%t.json'))}; print(p[32]['cycles'] / p[64]['cycles']); exit(p[32]['limiter'] != 'launch' or not 1.7 < p[32]['cycles'] / p[64]['cycles'] < 2)"
// RUN: %gpuperf predict --device h200 --global 1048576 --local 32 --kernel copy %s | FileCheck %s
// CHECK: local-size: 32768 work-groups of 32 work-items start at no more than 0.83 a cycle
// CHECK-NEXT: larger work-groups, or more work for each work-item
// Groups that an array is made for do not become larger alone.
// RUN: %gpuperf predict --device h200 --global 1048576 --local 32 --kernel turn %s | FileCheck %s --check-prefix=ARRAY
// ARRAY: more work for each work-item, or larger work-groups and arrays in local memory that hold as much
// A device whose rate is not known is not said to be slow.
// RUN: %gpuperf predict --device mi250x --global 1048576 --local 32 --kernel copy %s | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN-NOT: a cycle
kernel void copy(global const float *in, global float *out) { out[get_global_id(0)] = in[get_global_id(0)]; }
kernel void turn(global const float *in, global float *out)
{
    local float tile[32];
    tile[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[31 - get_local_id(0)];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
