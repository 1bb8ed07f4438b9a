/*
 * What does not fit a device is left out and named on standard error; the rest is predicted.
 *
 * RUN: %gpuperf predict --device a100,gtx280 %s 2> %t.err | FileCheck %s
 * RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.err
 * CHECK:     {{^}}large on a100
 * CHECK:     {{^}}small on a100
 * CHECK-NOT: {{^}}large on gtx280
 * CHECK-NOT: left out
 * CHECK:     {{^}}small on gtx280
 * LEFT:      gpuperf: left out: kernel 'large' cannot run with local 64x1x1 on gtx280: {{.*}}40000 bytes of local memory
 * LEFT-NOT:  left out
 *
 * A kernel asked for by name: on the devices that it fits; on a single one that it does not fit, an error.
 * RUN: %gpuperf predict --json --kernel large --device a100,gtx280 %s 2>%t.err | FileCheck %s --check-prefix=JSON
 * RUN: FileCheck %s --check-prefix=LEFT --input-file=%t.err
 * JSON:     "device": "a100"
 * JSON-NOT: gtx280
 * RUN: not %gpuperf predict --kernel large --device gtx280 %s 2>&1 | FileCheck %s --check-prefix=NONE
 * RUN: not %gpuperf predict --kernel large --device gtx280,8800gt %s 2>&1 | FileCheck %s --check-prefix=NONE
 * NONE-NOT: left out
 * NONE:     gpuperf: kernel 'large' cannot run with local 64x1x1 on gtx280
 * RUN: %gpuperf predict --device gtx280 %s 2>&1 | FileCheck %s --check-prefix=ONE
 * ONE-DAG: gpuperf: left out: kernel 'large'
 * ONE-DAG: {{^}}small on gtx280
 *
 * A device whose compiler does not take the source; where none does, that is the error.
 * RUN: %gpuperf predict --kernel small --device a100,w6600 %s -- -DNOT_FOR_NVIDIA 2> %t.err | FileCheck %s --check-prefix=TAKEN
 * RUN: FileCheck %s --check-prefix=REFUSED --input-file=%t.err
 * TAKEN:   {{^}}small on w6600
 * REFUSED: gpuperf: left out: a100: {{.*}}predict_left_out.cl:{{[0-9]+}}:{{[0-9]+}}: use of undeclared identifier 'missing'
 * RUN: not %gpuperf predict --kernel small --device a100,h100 %s -- -DNOT_FOR_NVIDIA 2>&1 | FileCheck %s --check-prefix=NOBODY
 * NOBODY-NOT: left out
 * NOBODY: gpuperf: {{.*}}predict_left_out.cl:{{[0-9]+}}:{{[0-9]+}}: use of undeclared identifier 'missing'{{$}}
 *
 * What is wrong with the question stays an error.
 * RUN: not %gpuperf predict --device a100,gtx280 --arg n=many %s 2>&1 | FileCheck %s --check-prefix=WRONG
 * WRONG-NOT: left out
 * WRONG: gpuperf: {{.*}}'many'
 */
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void large(global const float *in, global float *out, int n)
{
    local float buffer[10000];
    int l = get_local_id(0), g = get_global_id(0);
    buffer[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = buffer[63 - l] + in[g + n];
}

kernel __attribute__((reqd_work_group_size(64, 1, 1))) void small(global float *data)
{
    data[get_global_id(0)] *= 2;
}

#if defined(NOT_FOR_NVIDIA) && !defined(__AMDGCN__)
kernel void missing_there(global int *data) { data[0] = missing; }
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
