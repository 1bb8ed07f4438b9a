// Who states a size that bounds the range, or is the distance of its rows, has so large a range, in whole groups; a range that is stated stays.
// RUN: %gpuperf predict --device a100 --kernel copy --arg n=1000 %s | FileCheck %s --check-prefix=COPY
// RUN: %gpuperf predict --device a100 --kernel copy --arg n=1000 --global 4096 %s | FileCheck %s --check-prefix=STATED
// RUN: %gpuperf predict --device a100 --kernel quads --arg n=100000 %s | FileCheck %s --check-prefix=QUADS
// RUN: %gpuperf predict --device a100 --kernel image --local 32x8 --arg width=640 --arg height=480 %s | FileCheck %s --check-prefix=IMAGE
// RUN: %gpuperf predict --device a100 --kernel rows --local 32x8 --arg width=640 %s | FileCheck %s --check-prefix=ROWS
// RUN: %gpuperf predict --device a100 --kernel flat --local 32x8 --arg width=640 --arg n=307200 %s | FileCheck %s --check-prefix=FLAT
// RUN: %gpuperf predict --device a100 --kernel product --kernel unguarded --local 32x8 --arg n=512 %s | FileCheck %s --check-prefix=SQUARE
// RUN: %gpuperf predict --device a100 --kernel shared --arg n=1000 %s | FileCheck %s --check-prefix=LESS
// RUN: %gpuperf predict --device a100 --kernel shared --arg n=100000000 %s | FileCheck %s --check-prefix=MORE
// RUN: %gpuperf predict --device a100 --kernel window --local 256 --arg r=3 %s | FileCheck %s --check-prefix=WINDOW
// RUN: %gpuperf predict --device a100 --kernel copy --local 256 --arg n=1000 --format json %s | FileCheck %s --check-prefix=JSON
// RUN: %gpuperf predict --device a100 --kernel copy --arg n=-1 %s | FileCheck %s --check-prefix=NEGATIVE
// RUN: %gpuperf predict --device a100 --kernel image --arg width=640 --arg height=-5 %s | FileCheck %s --check-prefix=PARTLY
// RUN: %gpuperf predict --device a100 --kernel counted --arg n=4294967295 %s | FileCheck %s --check-prefix=COUNTED
// RUN: %gpuperf predict --device a100 --kernel two_ends --arg n=1000 --arg m=100 %s | FileCheck %s --check-prefix=ENDS
// RUN: %gpuperf predict --device a100 --kernel two_ends --arg n=100 --arg m=1000 %s | FileCheck %s --check-prefix=ENDS2
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel pitched --arg width=640 --arg pitch=1000 %s | FileCheck %s --check-prefix=PITCHED
// RUN: %cl -c -fplugin-arg-gpuperf-assume=image:width=640:height=480 -fplugin-arg-gpuperf-warn=all -Rpass-analysis=gpuperf -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=PLUGIN
// RUN: mkdir -p %t && printf 'kernels:\n  "copy":\n    args: {n: 1000}\n' > %t/gpuperf.yaml
// RUN: %gpuperf check --config %t/gpuperf.yaml --device a100 --kernel copy --format json %s | FileCheck %s --check-prefix=CHECKED

// COPY: launch     global 1024, n=1000; assumed: global (from n)
// STATED: launch     global 4096, n=1000{{$}}
// JSON: as large as stated arguments say that bound it
// CHECKED: global 1024, local 256, n=1000
kernel void copy(global const float *a, global float *b, int n)
{
    int i = get_global_id(0);
    if (i < n)
        b[i] = a[i];
}

// QUADS: launch     global 25088, n=100000; assumed: global (from n)
kernel void quads(global const float *a, global float *b, int n)
{
    int i = 4 * get_global_id(0);
    if (i < n)
        b[i] = a[i];
}

// IMAGE: launch     global 640x480, width=640, height=480; assumed: global (from width, height)
// PLUGIN: predicted for global 640x480, local 32x8, width=640, height=480{{.*}}; global from width, height
kernel void image(global const float *a, global float *b, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        b[x * height + y] = a[y * width + x];
}

// ROWS: launch     global 640x1024, width=640, c=1024; assumed: global (from width), c
kernel void rows(global const float *a, global float *b, int width, int c)
{
    int x = get_global_id(0), y = get_global_id(1);
    for (int k = 0; k < c; k++)
        b[y * width + x] += a[y * width + x + k];
}

// FLAT: launch     global 640x480, width=640, n=307200; assumed: global (from width, n)
kernel void flat(global const float *a, global float *b, int width, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (y * width + x < n)
        b[y * width + x] = a[y * width + x];
}

// SQUARE: launch     global 512x512, n=512; assumed: global (from n)
// SQUARE: launch     global 512x512, n=512; assumed: global (from n)
kernel void product(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    if (x >= n || y >= n)
        return;
    for (int k = 0; k < n; k++)
        s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}
kernel void unguarded(global const float *a, global const float *b, global float *c, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[y * n + k] * b[k * n + x];
    c[y * n + x] = s;
}

// Work-items that step over n together are no more than n, but may be less.
// LESS: launch     global 1024, n=1000; assumed: global (from n)
// MORE: launch     global 1048576, n=100000000; assumed: global{{$}}
kernel void shared(global const float *a, global float *b, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        b[i] = a[i];
}

// A radius that ids are compared with is no range.
// WINDOW: launch     global 1048576, n=1048579, r=3; assumed: global, n
kernel void window(global const float *a, global float *b, int n, int r)
{
    int i = get_global_id(0);
    float s = 0;
    if (i < r || i >= n - r)
        return;
    for (int k = -r; k <= r; k++)
        s += a[i + k];
    b[i] = s;
}

// Below zero nobody passes: no range lets work-items do so.
// NEGATIVE: launch     global 1048576, n=-1; assumed: global{{$}}
// PARTLY: launch     global 640x1024, width=640, height=-5; assumed: global (from width){{$}}
// COUNTED: launch     global 4294967296, n=4294967295; assumed: global (from n)
kernel void counted(global const float *a, global float *b, uint n)
{
    uint i = get_global_id(0);
    if (i < n)
        b[i] = a[i];
}

// Of several ends the last; what bounds ids goes before a distance of rows.
// ENDS: launch     global 1024, n=1000, m=100; assumed: global (from n)
// ENDS2: launch     global 1024, n=100, m=1000; assumed: global (from m)
kernel void two_ends(global const float *a, global float *b, int n, int m)
{
    int i = get_global_id(0);
    if (i < n)
        b[i] = a[i];
    if (i < m)
        b[i] *= 2;
}

// PITCHED: launch     global 640x1024, width=640, height=1024, pitch=1000;
kernel void pitched(global const float *a, global float *b, int width, int height, int pitch)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < width && y < height)
        b[y * pitch + x] = a[y * pitch + x];
}
