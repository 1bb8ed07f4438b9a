// One range shared out over two devices: by what each takes, never slower than the simple rules; what cannot be shared out is told why.
// RUN: %gpuperf split --device a100,rtx3080 --kernel scale --global 4096x4096 %s | FileCheck %s
// CHECK:      scale: shared out along dimension 1, in parts of [[PART:[0-9]+]]
// CHECK-NEXT: device {{.*}}from {{.*}}items {{.*}}share
// CHECK-NEXT: a100 0 [[FIRST:[0-9]+]] 6{{[0-9]}}%
// CHECK-NEXT: rtx3080 [[FIRST]] {{[0-9]+}} 3{{[0-9]}}%
// CHECK-NEXT: together {{.*}} us; alone: a100 {{.*}} us, rtx3080 {{.*}} us
// CHECK-NEXT: evenly {{.*}} us, by peak rates {{.*}} us, by whole times {{.*}} us, the best in steps of 5% {{.*}} us

// RUN: %gpuperf split --device a100,rtx3080 --kernel scale --global 4096x4096 --local 7x7 %s | FileCheck %s --check-prefix=UNEVEN
// RUN: %gpuperf split --device a100,rtx3080 --kernel scale --global 4096x4096 --local 16x8 %s | FileCheck %s --check-prefix=EVEN --implicit-check-not=note
// UNEVEN: note: the global size is no multiple of local 7x7: OpenCL before 2.0 refuses such a launch
// EVEN: the best in steps of 5%

// A slow way to both: what each is sent decides, not what it computes. Of 'in' that is the rows of its share: half of 67 MB and of 67 MB back at 12 GB/s.
// RUN: %gpuperf split --device a100,rtx3080 --kernel scale --global 4096x4096 --transfer 12 --arg w=4096 --arg in=67108864 --arg out=67108864 %s | FileCheck %s --check-prefix=SENT
// SENT: a100 {{.*}} {{49|50|51}}%  {{.*}} ms, of it transfer 5.{{.*}} ms
// SENT: rtx3080 {{.*}} {{49|50|51}}%  {{.*}} ms, of it transfer 5.{{.*}} ms

// What memory decides may lie anywhere: all of 'in' goes to both.
// RUN: %gpuperf split --device a100,rtx3080 --kernel gather --global 16777216 --transfer 12 --arg in=67108864 --arg out=67108864 --arg at=67108864 %s | FileCheck %s --check-prefix=ANYWHERE
// ANYWHERE: a100 {{.*}} 50%  {{.*}} ms, of it transfer 11.{{.*}} ms

// RUN: %gpuperf split --device a100,rtx3080 --kernel scale --global 4096x4096 --transfer=12 %s | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: not counted, as their sizes are not known: out; state them: --arg NAME=BYTES

// What ids less a border reach does not wrap below the buffer; what any index may reach is not known.
// RUN: %gpuperf split --device a100,rtx3080 --kernel stencil --global 4096x4096 --transfer 16 --arg w=4096 --arg h=4096 %s | FileCheck %s --check-prefix=BORDER
// BORDER: a100 {{.*}} transfer 4.{{.*}} ms
// BORDER: not counted, as their sizes are not known: out;
// RUN: %gpuperf split --device a100,rtx3080 --kernel before --global 16777216 --transfer 16 %s | FileCheck %s --check-prefix=BEFORE
// BEFORE: a100 {{.*}} transfer 0.00 ns
// BEFORE: not counted, as their sizes are not known: in, out;

// RUN: not %gpuperf split 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: gpuperf: no file to share out; gpuperf split --device

// RUN: not %gpuperf split --device a100,rtx3080 --kernel count --global 4096 %s 2>&1 | FileCheck %s --check-prefix=UNSAFE
// UNSAFE: kernel 'count' cannot be shared out: it uses the number of groups

// RUN: not %gpuperf split --device a100 --kernel scale --global 4096 %s 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: split needs 2 to 16 devices
// RUN: not %gpuperf split --device a100,t4 --kernel scale --global 64x64 --transfer 1,2,3 %s 2>&1 | FileCheck %s --check-prefix=RATES
// RATES: --transfer takes one rate, or one for each of the 2 devices, not 3
// RUN: not %gpuperf split --device a100,t4 --global 64x64 %s 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: has several kernels; say which one: --kernel K

// A kernel beside it that asks for group ids is no reason.
// RUN: %gpuperf split --device a100,rtx3080 --kernel gather --global 4096 %s | FileCheck %s --check-prefix=BESIDE
// BESIDE: gather: shared out along dimension 0
// RUN: not %gpuperf split --device a100,rtx3080 --kernel groups --global 4096 %s 2>&1 | FileCheck %s --check-prefix=GROUPS
// GROUPS: kernel 'groups' cannot be shared out: it uses the group id of dimension 0

// RUN: not %gpuperf split --device a100,rtx3080 --kernel scale --global 1048576 --local 2048 %s 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: gpuperf: kernel 'scale': a local size of 2048x1x1 is more than the 1024 work-items per group of a100
// RUN: not %gpuperf split --device a100,rtx3080 --kernel endless --global 65536 --arg n=1000 %s 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: kernel 'endless' does not run on a100: a loop never ends in groups of
// RUN: not %gpuperf split --device a100,t4 --kernel scale --global 64x64 --json %s 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: split prints text only

kernel void scale(global float *out, global const float *in, float f, int w)
{
    size_t i = get_global_id(1) * w + get_global_id(0);
    out[i] = in[i] * f;
}

kernel void gather(global float *out, global const float *in, global const int *at) { out[get_global_id(0)] = in[at[get_global_id(0)]]; }

kernel void stencil(global const float *in, global float *out, int w, int h)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * w + x;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
        return;
    out[at] = .2f * (in[at] + in[at - 1] + in[at + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}

kernel void before(global const float *in, global float *out)
{
    int i = get_global_id(0);
    if (i > 3)
        out[i] = in[i - 4] + in[i - 3];
}

kernel void groups(global int *out) { out[get_group_id(0)] = 0; }

kernel void endless(global float *out, int n)
{
    for (uchar i = 0; i < n; i++)
        out[get_global_id(0)] += i;
}

kernel void count(global int *out) { out[get_global_id(0)] = get_num_groups(0); }
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
