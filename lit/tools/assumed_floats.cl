// Sizes that are made of floating-point arguments are not known: loops of so many iterations go round an assumed number of times, which is named with its effect, and rows so far apart do not overlap.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: halves on
// CHECK-NEXT: global 1048576, w=?, trip=16; all of it assumed
// CHECK: trip=16 (--trip): half of it {{.*}}, twice {{.*}} the time
kernel void halves(global const float *in, global float *out, float w)
{
    int x = get_global_id(0), n = (int)ceil(w / 2.0f);
    float s = 0;
    if (x >= n)
        return;
    for (int i = 0; i < n; i++)
        s += in[i * n + x];
    out[x] = s;
}

// CHECK: window on
// CHECK-NEXT: global 1024x1024, w=1024, h=1024, sigma=?, trip=16; all of it assumed
// CHECK: trip=16 (--trip): half of it {{.*}}, twice {{.*}} the time
kernel void window(global const float *in, global float *out, int w, int h, float sigma)
{
    int x = get_global_id(0), y = get_global_id(1), r = (int)ceil(3 * sigma);
    float s = 0;
    if (x >= w || y >= h)
        return;
    for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
            s += in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
    out[y * w + x] = s;
}

// As many bytes as where the pitch is an integer.
// CHECK: pitch on
// CHECK: time       9.3
kernel void pitch(global const float *in, global float *out, float w)
{
    int x = get_global_id(0), y = get_global_id(1), p = (int)w;
    out[y * p + x] = in[y * p + x];
}
