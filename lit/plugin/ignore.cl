// A line that holds gpuperf-ignore is not warned about.
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -c %s -o %t.bc 2>&1 | count 0
// RUN: %cl -fplugin-arg-gpuperf-device=a100 -DOTHER -c %s -o %t.bc 2>&1 | FileCheck %s

#ifndef OTHER
kernel void all_causes(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)]; // gpuperf-ignore
}

kernel void one_cause(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)]; /* gpuperf-ignore: uncoalesced */
}

kernel void two_causes(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)]; // gpuperf-ignore: spill, uncoalesced
}

kernel void some_words(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)]; // gpuperf-ignore: a turn cannot be helped
}

kernel void by_the_line_before(global const float *in, global float *out, int n)
{
    // gpuperf-ignore-next-line: uncoalesced
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)];
}

kernel void as_the_warning_writes_it(global const float *in, global float *out, int n)
{
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)]; // gpuperf-ignore: gpuperf-uncoalesced
}
#else
kernel void another_cause(global const float *in, global float *out, int n)
{
    // CHECK: ignore.cl:[[@LINE+1]]:{{.*}}[gpuperf-uncoalesced]
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)]; // gpuperf-ignore: bank-conflict
}
kernel void for_the_next_line_only(global const float *in, global float *out, int n)
{
    // CHECK: ignore.cl:[[@LINE+2]]:{{.*}}[gpuperf-uncoalesced]
    // gpuperf-ignore-next-line: spill
    out[get_global_id(0) * n + get_global_id(1)] = in[get_global_id(1) * n + get_global_id(0)]; // gpuperf-ignore-next-line
    out[n] = 0;
}
#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
