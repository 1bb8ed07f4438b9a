// What is advised against uncoalesced accesses follows from where the distance between work-items comes from. (Structs: array-of-structs.cl.)
// RUN: %clang -x cl %s -cl-std=CL1.2 -target spir64 -O2 -fplugin-arg-gpuperf-threshold=5 -emit-llvm -c -o %t.bc 2>&1 | FileCheck %s --implicit-check-not='array of structs'
// RUN: %clang -x cl %s -cl-std=CL1.2 -target spir64 -O2 -fplugin-arg-gpuperf-device=gtx280 -fplugin-arg-gpuperf-threshold=5 -DONLY_BLUR -emit-llvm -c -o %t.bc 2>&1 | FileCheck %s --check-prefix=OLD --implicit-check-not='array of structs'

#ifndef ONLY_BLUR
// A stretch for each work-item: the compiler unrolls the first loop, and leaves the second.
// CHECK: stride-advice.cl:[[@LINE+5]]:{{[0-9]+}}: warning: uncoalesced global store: {{[0-9]+}} transactions per warp, stride 32 bytes
// CHECK: note: each work-item has 32 bytes of 'out' to itself; interleave, so that work-items next to each other take elements next to each other
kernel void unrolled(global const float *in, global float *out)
{
    int i = get_global_id(0) * 8;
    for (int k = 0; k < 8; k++) out[i + k] = in[i + k] * 2.0f;
}

// CHECK: note: each work-item has 4096 bytes of 'in' to itself; interleave
kernel void looped(global const float *in, global float *out)
{
    int i = get_global_id(0) * 1024;
    float sum = 0;
    for (int k = 0; k < 1024; k++) sum += in[i + k];
    out[get_global_id(0)] = sum;
}

// At the launch's edge several work-items are cut off to one row; everywhere else they are rows apart.
// CHECK: note: work-items next to each other in dimension 0 are 4096 bytes apart in 'in'; make get_global_id(0) its fastest index
kernel void cut_off(global const float *in, global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    float sum = 0;
    for (int k = -2; k <= 2; k++) sum += in[clamp(x + k, 0, w - 1) * h + y];
    out[y * w + x] = sum;
}

// The pitch is the host's to know: rows, each walked by a work-item.
// CHECK: note: each work-item walks a row of its own of 'in'; let the work-items of a work-group walk it together
kernel void rows(global const float *in, global float *out, int pitch)
{
    float sum = 0;
    for (int k = 0; k < pitch; k++) sum += in[get_global_id(0) * pitch + k];
    out[get_global_id(0)] = sum;
}

// A few copies of an unrolled loop in a row of its own make no chunk.
// CHECK: note: work-items next to each other in dimension 0 are 4096 bytes apart in 'out'; make get_global_id(0) its fastest index
kernel void transposed(global const float *in, global float *out, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    for (int k = 0; k < 32; k += 8) out[x * pitch + y + k] = in[(y + k) * pitch + x];
}

// CHECK: note: work-items next to each other are 16 bytes apart in 'in' and use 4 of them; let them use elements next to each other
kernel void every_fourth(global const float *in, global float *out) { out[get_global_id(0)] = in[get_global_id(0) * 4]; }

// All bytes up to the next work-item's, as many as a vector has, and as no vector has; two of three.
// CHECK: note: each work-item goes to its 16 bytes of 'out' in 4 accesses; make them one, of a vector (vload4(), vstore4(), a float4 ...)
kernel void as_vector(global const int *in, global int *out)
{
    int i = get_global_id(0), v = in[i];
    for (int k = 0; k < 4; k++)
        out[4 * i + k] = v >> 8 * k & 255;
}

// CHECK: note: each work-item goes to its 3 bytes of 'rgb' in 3 accesses; let it take several neighbours' in whole words or vectors, or go through local memory
kernel void packed(global const float *in, global uchar *rgb)
{
    int i = get_global_id(0);
    float v = in[i];
    rgb[3 * i] = v;
    rgb[3 * i + 1] = v * 0.5f;
    rgb[3 * i + 2] = v * 0.25f;
}

// CHECK: note: work-items next to each other are 12 bytes apart in 'in' and use 8 of them
kernel void two_of_three(global const float *in, global float *out) { out[get_global_id(0)] = in[get_global_id(0) * 3] + in[get_global_id(0) * 3 + 1]; }

// What on the same line is only misaligned is mended by something else.
// CHECK: warning: uncoalesced global store: {{[0-9]+}} transactions per warp, stride 4096 bytes
// CHECK: note: work-items next to each other in dimension 0 are 4096 bytes apart in 'out'; make get_global_id(0) its fastest index, or go through local memory{{$}}
kernel void two_kinds(global const float *in, global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x * n + y] = in[y * n + x + 1];
}

// Every second work-item gets there: how far neighbours are apart does not depend on who takes part.
// CHECK: warning: uncoalesced global load: {{[0-9]+}} transactions per warp, stride 32 bytes along dimension 0
// CHECK: note: work-items next to each other are 32 bytes apart in 'in'
kernel void every_second(global const float *in, global float *out)
{
    int i = get_global_id(0);
    if (i & 1)
        out[i] = in[i * 8];
}

// CHECK: note: constant memory serves a warp one address at a time; where work-items read different elements of 'table', keep them in global or local memory
kernel void looked_up(constant float *table, global float *out)
{
    float sum = 0;
    for (int k = 0; k < 64; k++) sum += table[get_local_id(0) * 16 + k];
    out[get_global_id(0)] = sum;
}
#endif

// Neighbouring elements from where no line starts.
// OLD: stride-advice.cl:[[@LINE+5]]:{{[0-9]+}}: warning: uncoalesced global load: {{[0-9]+}} transactions per warp where 2 would do
// OLD-NEXT: in[
// OLD: note: neighbouring work-items ask for neighbouring elements in 'in', but those of a warp do not start where a line does (halo, odd pitch)
kernel void beside(global const float *in, global float *out)
{
    out[get_global_id(0)] = in[get_global_id(0) + 1] + in[get_global_id(0) + 3];
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
