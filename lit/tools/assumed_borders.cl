// Ids that keep as far from both edges of an image do so for a window, whatever its loops look like, and where nothing but a border is worked on; a window's counter steps by one element.
// RUN: %gpuperf predict --device a100 --local 256 %s | FileCheck %s

// CHECK: columns on
// CHECK-NEXT: global 1024x1024, w=1024, h=1028, r=4
kernel void columns(global const float *in, global float *out, int w, int h, int r)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (y < r || y >= h - r)
        return;
    float s = 0;
    for (int k = 0; k < 2 * r + 1; k++)
        s += in[(y + k - r) * w + x];
    out[y * w + x] = s;
}

// CHECK: box on
// CHECK-NEXT: global 1024x1024, w=1028, h=1028, r=4, step=1
kernel void box(global const float *in, global float *out, uint w, uint h, uint r, uint step)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < r || y < r || x >= w - r || y >= h - r)
        return;
    float s = 0;
    for (uint j = y - r; j <= y + r; j += step)
        for (uint i = x - r; i <= x + r; i += step)
            s += in[j * w + i];
    out[y * w + x] = s;
}

// CHECK: clamped on
// CHECK-NEXT: global 1024x1024, w=1024, h=1024, r=4
kernel void clamped(global const float *in, global float *out, uint w, uint h, uint r)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    uint x0 = x > r ? x - r : 0, x1 = min(x + r, w - 1), y0 = y > r ? y - r : 0, y1 = min(y + r, h - 1);
    float s = 0;
    for (uint j = y0; j <= y1; j++)
        for (uint i = x0; i <= x1; i++)
            s += in[j * w + i];
    out[y * w + x] = s;
}

// CHECK: fills_border on
// CHECK-NEXT: global 1024x1024, w=1024, h=1024, border=4
kernel void fills_border(global const float *in, global float *out, int w, int h, int border)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    if (x >= border && x < w - border && y >= border && y < h - border)
        return;
    out[y * w + x] = in[min(y, h - border) * w + min(x, w - border)];
}

// What ids have to reach, and a loop is as long as, is no window of so few: the usual number, which half of the ids reach.
// CHECK: causal on
// CHECK-NEXT: global 1048576, n=1048576, taps=1024
kernel void causal(global const float *in, global float *out, constant float *t, int n, int taps)
{
    int i = get_global_id(0);
    if (i < taps || i >= n)
        return;
    float s = 0;
    for (int k = 0; k < taps; k++)
        s += in[i - k] * t[k];
    out[i] = s;
}

// A part of the range that ends elsewhere begins at nothing.
// CHECK: crop on
// CHECK-NEXT: global 1024x1024, w=1024, h=1024, x0=0, x1=1024
kernel void crop(global const float *in, global float *out, int w, int h, int x0, int x1)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < x0 || x >= x1 || y >= h)
        return;
    out[y * w + x] = in[y * w + x] * 2;
}

// What those in the border do, less, as much or all, says nothing of how wide it is.
// CHECK: copies_border on
// CHECK-NEXT: global 1048576, n=1048580, border=4
kernel void copies_border(global const float *in, global float *out, int n, int border)
{
    int x = get_global_id(0);
    if (x < border || x >= n - border)
        out[x] = 0;
    else
        out[x] = in[x - 1] + in[x] + in[x + 1];
}

// CHECK: edges_apart on
// CHECK-NEXT: global 1048576, n=1048580, r=4
kernel void edges_apart(global const float *in, global float *out, int n, int r)
{
    int x = get_global_id(0);
    if (x < r)
        out[x] = in[x];
    else if (x >= n - r)
        out[x] = in[x] * 2;
    else
        out[x] = sqrt(in[x - 1] + in[x + 1]);
}

// CHECK: border_of_loop on
// CHECK-NEXT: global 1048576, w=1048576, h=1024, r=4
kernel void border_of_loop(global const float *in, global float *out, int w, int h, int r)
{
    int x = get_global_id(0);
    if (x >= w)
        return;
    for (int y = 0; y < h; y++)
        if (y < r || y >= h - r)
            out[y * w + x] = in[y * w + x];
        else
            out[y * w + x] = in[y * w + x - w] + in[y * w + x + w];
}
