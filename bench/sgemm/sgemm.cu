/*
 * Matrix multiplication in six steps, after the description of S. Boehm, "How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance" (siboehm.com/articles/22/CUDA-MMM), who measured
 * them on an RTX A6000 for 4096 cubed: sgemm.sh.
 */
#define BS 32
__global__ void k1_naive(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < M && y < N) {
        float t = 0;
        for (int i = 0; i < K; ++i) t += A[x * K + i] * B[i * N + y];
        C[x * N + y] = alpha * t + beta * C[x * N + y];
    }
}
__global__ void k2_coalesced(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    const int row = blockIdx.x * BS + threadIdx.x / BS, col = blockIdx.y * BS + threadIdx.x % BS;
    if (row < M && col < N) {
        float t = 0;
        for (int i = 0; i < K; ++i) t += A[row * K + i] * B[i * N + col];
        C[row * N + col] = alpha * t + beta * C[row * N + col];
    }
}
__global__ void k3_shared(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    __shared__ float As[BS * BS], Bs[BS * BS];
    const unsigned crow = blockIdx.x, ccol = blockIdx.y, tc = threadIdx.x % BS, tr = threadIdx.x / BS;
    A += crow * BS * K; B += ccol * BS; C += crow * BS * N + ccol * BS;
    float t = 0;
    for (int b = 0; b < K; b += BS) {
        As[tr * BS + tc] = A[tr * K + tc];
        Bs[tr * BS + tc] = B[tr * N + tc];
        __syncthreads();
        A += BS; B += BS * N;
        for (int i = 0; i < BS; ++i) t += As[tr * BS + i] * Bs[i * BS + tc];
        __syncthreads();
    }
    C[tr * N + tc] = alpha * t + beta * C[tr * N + tc];
}
__global__ void k4_tile1d(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    enum { BM = 64, BN = 64, BK = 8, TM = 8 };
    __shared__ float As[BM * BK], Bs[BK * BN];
    const unsigned crow = blockIdx.y, ccol = blockIdx.x;
    const int tc = threadIdx.x % BN, tr = threadIdx.x / BN;
    A += crow * BM * K; B += ccol * BN; C += crow * BM * N + ccol * BN;
    const unsigned ac = threadIdx.x % BK, ar = threadIdx.x / BK, bc = threadIdx.x % BN, br = threadIdx.x / BN;
    float r[TM] = {0};
    for (unsigned b = 0; b < K; b += BK) {
        As[ar * BK + ac] = A[ar * K + ac];
        Bs[br * BN + bc] = B[br * N + bc];
        __syncthreads();
        A += BK; B += BK * N;
        for (unsigned d = 0; d < BK; ++d) {
            float v = Bs[d * BN + tc];
            for (unsigned i = 0; i < TM; ++i) r[i] += As[(tr * TM + i) * BK + d] * v;
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; ++i) C[(tr * TM + i) * N + tc] = alpha * r[i] + beta * C[(tr * TM + i) * N + tc];
}
__global__ void k5_tile2d(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    enum { BM = 128, BN = 128, BK = 8, TM = 8, TN = 8, THREADS = BM * BN / (TM * TN) };
    __shared__ float As[BM * BK], Bs[BK * BN];
    const unsigned crow = blockIdx.y, ccol = blockIdx.x;
    const int tc = threadIdx.x % (BN / TN), tr = threadIdx.x / (BN / TN);
    A += crow * BM * K; B += ccol * BN; C += crow * BM * N + ccol * BN;
    const unsigned ar = threadIdx.x / BK, ac = threadIdx.x % BK, sa = THREADS / BK, br = threadIdx.x / BN, bc = threadIdx.x % BN, sb = THREADS / BN;
    float r[TM * TN] = {0}, m[TM], n[TN];
    for (unsigned b = 0; b < K; b += BK) {
        for (unsigned o = 0; o < BM; o += sa) As[(ar + o) * BK + ac] = A[(ar + o) * K + ac];
        for (unsigned o = 0; o < BK; o += sb) Bs[(br + o) * BN + bc] = B[(br + o) * N + bc];
        __syncthreads();
        A += BK; B += BK * N;
        for (unsigned d = 0; d < BK; ++d) {
            for (unsigned i = 0; i < TM; ++i) m[i] = As[(tr * TM + i) * BK + d];
            for (unsigned i = 0; i < TN; ++i) n[i] = Bs[d * BN + tc * TN + i];
            for (unsigned i = 0; i < TM; ++i) for (unsigned j = 0; j < TN; ++j) r[i * TN + j] += m[i] * n[j];
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; ++i) for (unsigned j = 0; j < TN; ++j) {
        float *c = &C[(tr * TM + i) * N + tc * TN + j];
        *c = alpha * r[i * TN + j] + beta * *c;
    }
}
__global__ void k6_vector(int M, int N, int K, float alpha, float *A, float *B, float beta, float *C)
{
    enum { BM = 128, BN = 128, BK = 8, TM = 8, TN = 8 };
    __shared__ float As[BM * BK], Bs[BK * BN];
    const unsigned crow = blockIdx.y, ccol = blockIdx.x;
    const int tc = threadIdx.x % (BN / TN), tr = threadIdx.x / (BN / TN);
    A += crow * BM * K; B += ccol * BN; C += crow * BM * N + ccol * BN;
    const unsigned ar = threadIdx.x / (BK / 4), ac = threadIdx.x % (BK / 4), br = threadIdx.x / (BN / 4), bc = threadIdx.x % (BN / 4);
    float r[TM * TN] = {0}, m[TM], n[TN];
    for (unsigned b = 0; b < K; b += BK) {
        float4 t = reinterpret_cast<float4 *>(&A[ar * K + ac * 4])[0];
        As[(ac * 4 + 0) * BM + ar] = t.x; As[(ac * 4 + 1) * BM + ar] = t.y; As[(ac * 4 + 2) * BM + ar] = t.z; As[(ac * 4 + 3) * BM + ar] = t.w;
        reinterpret_cast<float4 *>(&Bs[br * BN + bc * 4])[0] = reinterpret_cast<float4 *>(&B[br * N + bc * 4])[0];
        __syncthreads();
        A += BK; B += BK * N;
        for (unsigned d = 0; d < BK; ++d) {
            for (unsigned i = 0; i < TM; ++i) m[i] = As[d * BM + tr * TM + i];
            for (unsigned i = 0; i < TN; ++i) n[i] = Bs[d * BN + tc * TN + i];
            for (unsigned i = 0; i < TM; ++i) for (unsigned j = 0; j < TN; ++j) r[i * TN + j] += m[i] * n[j];
        }
        __syncthreads();
    }
    for (unsigned i = 0; i < TM; i++) for (unsigned j = 0; j < TN; j += 4) {
        float4 t = reinterpret_cast<float4 *>(&C[(tr * TM + i) * N + tc * TN + j])[0];
        t.x = alpha * r[i * TN + j] + beta * t.x; t.y = alpha * r[i * TN + j + 1] + beta * t.y;
        t.z = alpha * r[i * TN + j + 2] + beta * t.z; t.w = alpha * r[i * TN + j + 3] + beta * t.w;
        reinterpret_cast<float4 *>(&C[(tr * TM + i) * N + tc * TN + j])[0] = t;
    }
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
