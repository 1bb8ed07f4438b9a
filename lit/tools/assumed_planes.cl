// Planes whose rows have a distance of their own lie behind each other, those that one id is cut into are left alone.
// RUN: %gpuperf predict --device a100 --local 32x8x1 --kernel transposed --kernel products %s | FileCheck %s
// RUN: %gpuperf predict --device a100 --local 256 --kernel copied %s | FileCheck %s --check-prefix=COPIED

// CHECK: transposed on
// CHECK-NEXT: m=128, n=128, stride_a=131072, stride_b=131072, lda=1024, ldb=1024;
kernel void transposed(global const float *a, global float *b, int m, int n, int stride_a, int stride_b, int lda, int ldb)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x < n && y < m)
        b[z * stride_b + x * ldb + y] = a[z * stride_a + y * lda + x];
}

// CHECK: products on
// CHECK-NEXT: N=1024, K=1024, sa=131072, sb={{[0-9]+}}, sc=131072;
kernel void products(global const float *A, global const float *B, global float *C, int N, int K, int sa, int sb, int sc)
{
    int j = get_global_id(0), i = get_global_id(1), b = get_global_id(2);
    float s = 0;
    for (int k = 0; k < K; k++)
        s += A[b * sa + i * K + k] * B[b * sb + k * N + j];
    C[b * sc + i * N + j] = s;
}

// COPIED: copied on
// COPIED-NEXT: width=1024, n=1048576, plane=1024;
kernel void copied(global const float *a, global float *b, int width, int n, int plane)
{
    int i = get_global_id(0);
    if (i < n)
        b[i] = a[i / width * plane + i % width];
}
