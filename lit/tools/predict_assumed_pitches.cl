// Rows that nobody says the length of lie side by side, however many ids stand beside them in an address. Where fewer do than are usually assumed, it is the usual number.
// RUN: %gpuperf predict --device a100 --local 256 --kernel columns --kernel planes --kernel padded --kernel image --kernel square %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 32x8 --kernel scale --kernel pyramid --kernel pixels %s | FileCheck %s --check-prefix=TWO
// RUN: %gpuperf predict --device a100 --local 32x8 --global 4096x4096 --kernel scale %s | FileCheck %s --check-prefix=LARGE
// CHECK: launch     global 1048576, n=1024, rows=1048576
kernel void columns(global const float *x, global float *y, int n, int rows)
{
    float m = 0;
    for (int k = 0; k < n; k++)
        m = fmax(m, x[k * rows + get_global_id(0)]);
    y[get_global_id(0)] = m;
}

// 4096 groups.
// CHECK: launch     global 1048576, n=1024, channels=4096, size=1024
kernel void planes(global const float *x, global float *y, int n, int channels, int size)
{
    float s = 0;
    for (int k = 0; k < n; k++)
        for (int i = get_local_id(0); i < size; i += get_local_size(0))
            s += x[(k * channels + get_group_id(0)) * size + i];
    y[get_global_id(0)] = s;
}

// A row for each work-item, one longer than it is said to be: the id stands there once more, but not beside the rows.
// CHECK: launch     global 1048576, k=1024
kernel void padded(global float *x, int k)
{
    x[get_global_id(0) * (k + 1) + k] += 1;
}

// The range is the image.
// CHECK: launch     global 1048576, width=1024
kernel void image(global const float *in, global float *out, int width)
{
    int i = get_global_id(0), x = i % width, y = i / width;
    float s = 0;
    for (int k = 0; k < 3; k++)
        s += in[(y + k) * width + x];
    out[i] = s;
}

// A matrix of as many rows as columns holds no more than an int counts.
// CHECK: launch     global 1048576, n=1024
kernel void square(global const float *a, global float *out, int n)
{
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[k * n + get_global_id(0)];
    out[get_global_id(0)] = s;
}

// TWO: launch     global 1024x1024, width=1024
// LARGE: launch     global 4096x4096, width=4096
kernel void scale(global const float *x, global float *y, int width)
{
    int i = get_global_id(1) * width + get_global_id(0);
    y[i] = 2 * x[i];
}

// TWO: launch     global 1024x1024, ow=1024, oh=1024, iw=2048
kernel void pyramid(global const float *in, global float *out, int ow, int oh, int iw)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x < ow && y < oh)
        out[y * ow + x] = in[2 * y * iw + 2 * x] + in[2 * y * iw + 2 * x + 1] + in[(2 * y + 1) * iw + 2 * x] + in[(2 * y + 1) * iw + 2 * x + 1];
}

// Elements of three numbers: as many fit in a row.
// TWO: launch     global 1024x1024, width=1024
kernel void pixels(global const float *in, global float *out, int width)
{
    int i = get_global_id(1) * width + get_global_id(0);
    out[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2];
}
