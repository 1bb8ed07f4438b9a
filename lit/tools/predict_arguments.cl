/*
 * What an id has to reach is 0, what it must not reach the global size; a number with a point is not known. Arguments with which nothing is done are told. A function that is `inline`, and no more,
 * has its body here: LLVM calls this one.
 * RUN: %gpuperf predict --device a100 --kernel filled --local 256 %s | FileCheck %s --check-prefix=FILLED
 * FILLED: launch {{.*}}size=1048576, start=0
 * FILLED-NOT: note
 * RUN: %gpuperf predict --device a100 --kernel filled --local 256 --arg start=1048576 %s | FileCheck %s --check-prefix=NOTHING
 * RUN: %gpuperf predict --device pocl-cpu --kernel filled --local 256 --arg start=1048576 %s | FileCheck %s --check-prefix=NOTHING
 * NOTHING: known {{[0-9]|10}}%
 * NOTHING: note       with these arguments no work-item that was looked at stores anything
 * NOTHING-NOT: Bottlenecks
 * RUN: %gpuperf predict --device a100 --kernel moved --local 256 %s | FileCheck %s --check-prefix=MOVED
 * MOVED: launch {{.*}}by=?
 * RUN: %gpuperf predict --device a100 --kernel moved --local 256 --arg by=0.5 %s | FileCheck %s --check-prefix=BY
 * BY: launch {{.*}}by=0.5
 * RUN: %gpuperf predict --device a100,mi50 --kernel within --local 32x8 --global 512x256 %s | FileCheck %s --check-prefix=WITHIN
 * WITHIN-COUNT-2: launch {{.*}}shape=512,256
 * RUN: %gpuperf predict --device a100 --kernel within --local 32x8 --global 512x256 --arg shape=-1,7 %s | FileCheck %s --check-prefix=PAIR
 * PAIR: launch {{.*}}shape=-1,7
 * RUN: not %gpuperf predict --device a100 --kernel within --local 32x8 --arg shape=3,a %s 2>&1 | FileCheck %s --check-prefix=NO-PAIR
 * NO-PAIR: '3,a' are no 2 integers of 32 bits for argument 'shape'
 * RUN: %gpuperf predict --device a100,mi50 --kernel strided --local 64 %s | FileCheck %s --check-prefix=STRIDED
 * STRIDED-COUNT-2: launch {{.*}}nb0=4, nb1=4096, rb0=2, gb=2048, pitch=1
 * RUN: %gpuperf predict --device a100,mi50 --kernel window --local 32x8 --global 512x256 %s | FileCheck %s --check-prefix=WINDOW
 * WINDOW-COUNT-2: launch {{.*}}w=512, h=256, n=1024, rx=4, ry=4
 * RUN: %gpuperf predict --device a100,mi50 --kernel asks --local 64 %s | FileCheck %s --check-prefix=ASKS
 * ASKS-COUNT-2: note {{.*}}predict_arguments.cl:{{[0-9]+}}:{{[0-9]+}}: elsewhere is not known; an estimate of its instructions is counted
 * ASKS-NOT: elsewhere
 * RUN: %gpuperf predict --device a100,mi50 --kernel calls --local 256 --arg n=64 %s | FileCheck %s --check-prefix=CALLS
 * CALLS-COUNT-2: known {{(9[0-9]|100)}}%
 */
__kernel void filled(__global int *a, int size, int pattern, int start)
{
    int i = get_global_id(0);
    if (i >= start && i < size)
        a[i] = pattern;
}

__kernel void window(__global const float *in, __global float *out, int w, int h, int n, int rx, uchar ry)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    if (x >= w || y >= h)
        return;
    for (int dy = -ry; dy <= ry; dy++)
        for (int dx = -rx; dx <= rx; dx++)
            sum += in[min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)];
    for (int i = -8; i < n; i++)
        sum *= 0.5f;
    out[y * w + x] = sum;
}

__kernel void moved(__global const float *in, __global float *out, float by)
{
    int i = get_global_id(0);
    out[i] = in[(int)(i * 0.5f + by)];
}

__kernel void within(__global float *out, __global const float *in, int2 shape)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < shape.x && y < shape.y)
        out[y * shape.x + x] = in[y * shape.x + x];
}

__kernel void strided(__global const char *in, __global const char *in16, __global char *out, int nb0, int nb1, int rb0, int gb, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    *(__global float *)(out + x * nb0 + y * nb1) = *(__global const float *)(in + x * nb0) + ((__global const float *)in)[x * pitch];
    for (int i = get_local_id(0); i < 1024; i += get_local_size(0))
        *(__global short *)(out + get_group_id(0) * gb + i * rb0) = in16[i];
}

float elsewhere(float x);

__kernel void asks(__global float *a)
{
    a[get_global_id(0)] = elsewhere(a[get_global_id(0)]) + elsewhere(1);
}

inline void body(__global const float *a, __global float *d, int n)
{
    int g = get_global_id(0);
    float s = 0;
#define S(i) s += a[(g + i * n) ^ (i * 7)] * a[(g * i + n) ^ i] / (s + (float)i);
#define T(i) S(i) S(i + 1) S(i + 2) S(i + 3) S(i + 4) S(i + 5) S(i + 6) S(i + 7)
    for (int k = 0; k < n; k++) {
        T(1) T(9) T(17) T(25) T(33) T(41)
    }
    d[g] = s;
}

__kernel void calls(__global const float *a, __global float *d, int n)
{
    body(a, d, n);
    body(a + 1, d + 1, n + 1);
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
