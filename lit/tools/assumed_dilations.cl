// Windows are small, and their elements lie side by side, where radius, distance and ends come in other forms, also where an optimiser unrolls them.
// RUN: %gpuperf predict --device a100,mi250x --local 256 --kernel doubled --kernel centred --kernel one_more --kernel pairs --kernel apart --kernel steps %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel dilated --kernel border --kernel by_columns %s | FileCheck %s --check-prefix=PLANE

// CHECK: doubled on
// CHECK-NEXT: r=4;
kernel void doubled(global const float *in, global const float *w, global float *out, int r)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j <= 2 * r; j++)
        sum += in[i + j] * w[j];
    out[i] = sum;
}

// CHECK: centred on
// CHECK-NEXT: r=4;
kernel void centred(global const float *in, global const float *w, global float *out, int n, int r)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j <= 2 * r; j++) {
        int k = i + j - r;
        if (k >= 0 && k < n)
            sum += in[k] * w[j];
    }
    out[i] = sum;
}

// CHECK: one_more on
// CHECK-NEXT: r=4;
kernel void one_more(global const uchar *in, global uchar *out, int r)
{
    int i = get_global_id(0);
    uchar most = 0;
    for (int j = 0; j < 2 * r + 1; j++)
        most = max(most, in[i + j]);
    out[i] = most;
}

// CHECK: pairs on
// CHECK-NEXT: n=1024;
kernel void pairs(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int j = 0; j < 2 * n; j++)
        sum += in[i + j];
    out[i] = sum;
}

// CHECK: apart on
// CHECK-NEXT: r=4, distance=1;
kernel void apart(global const float *in, global const float *w, global float *out, int n, int r, int distance)
{
    int i = get_global_id(0);
    float sum = 0;
    for (int j = -r; j <= r; j++) {
        int k = i + j * distance;
        if (k >= 0 && k < n)
            sum += in[k] * w[j + r];
    }
    out[i] = sum;
}

// CHECK: steps on
// CHECK-NEXT: r=4, distance=1;
kernel void steps(global const float *in, global float *out, int n, int r, int distance)
{
    int i = get_global_id(0), low = max(i - r * distance, 0), high = min(i + r * distance, n - 1);
    float sum = 0;
    for (int k = low; k <= high; k += distance)
        sum += in[k];
    out[i] = sum;
}

// PLANE: dilated on
// PLANE-NEXT: width=1024, height=1024, radius=4, distance=1;
kernel void dilated(global const float *in, global float *out, int width, int height, int radius, int distance)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int v = -radius; v <= radius; v++)
        for (int u = -radius; u <= radius; u++)
            sum += in[clamp(y + v * distance, 0, height - 1) * width + clamp(x + u * distance, 0, width - 1)];
    out[y * width + x] = sum;
}

// PLANE: border on
// PLANE-NEXT: radius=4, distance=1;
kernel void border(global const float *in, global float *out, int width, int height, int radius, int distance)
{
    int x = get_global_id(0), y = get_global_id(1), m = radius * distance;
    float sum = 0;
    if (x < m || y < m || x >= width - m || y >= height - m)
        return;
    for (int v = -m; v <= m; v += distance)
        for (int u = -m; u <= m; u += distance)
            sum += in[(y + v) * width + x + u];
    out[y * width + x] = sum;
}

// The distance of rows is none of a window's elements.
// PLANE: by_columns on
// PLANE-NEXT: width=1024, n=1048576, radius=4;
kernel void by_columns(global const float *in, global float *out, int width, int n, int radius)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int v = -radius; v <= radius; v++) {
        int at = (y + v) * width + x;
        if (at >= 0 && at < n)
            sum += in[at];
    }
    out[y * width + x] = sum;
}
