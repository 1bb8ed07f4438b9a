/* CUDA: what OpenCL does not have. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))
#define tid __nvvm_read_ptx_sreg_tid_x()
#define tidy __nvvm_read_ptx_sreg_tid_y()
#define bid __nvvm_read_ptx_sreg_ctaid_x()
#define bsize __nvvm_read_ptx_sreg_ntid_x()
#define gsize __nvvm_read_ptx_sreg_nctaid_x()
#define __syncthreads() __nvvm_bar_sync(0)
typedef unsigned int uint;

__constant__ float weights[32];
__device__ float everywhere[4096];

// run copy: global=256 local=64 n=200
extern "C" __global__ void copy(float *a, const float *b, int n)
{
    int i = bid * bsize + tid;
    if (i < n)
        a[i] = b[i];
}

template <int ROWS, typename T> __device__ T sum(const T *p, int pitch)
{
    T s = 0;
    for (int k = 0; k < ROWS; k++)
        s += p[k * pitch];
    return s;
}

// run templated: global=128 local=64 pitch=70
extern "C" __global__ void templated(float *a, const float *b, const double *c, int pitch)
{
    int i = bid * bsize + tid;
    a[i] = sum<5>(b + i, pitch) + (float)sum<3>(c + i * 2, 9);
}

// run dynamic_shared: global=256 local=64
extern __shared__ float scratch[];
extern "C" __global__ void dynamic_shared(float *a, const float *b)
{
    int l = tid, i = bid * bsize + l;
    scratch[l] = b[i];
    scratch[l * 2 + 64] = b[i * 2];
    __syncthreads();
    a[i] = scratch[(l * 5 + 3) & 127];
}

// run shuffles: global=192 local=64
extern "C" __global__ void shuffles(float *a, const float *b)
{
    int i = bid * bsize + tid;
    float s = b[i];
    for (int d = 16; d > 0; d >>= 1)
        s += __nvvm_shfl_sync_down_f32(~0u, s, d, 31);
    int t = __nvvm_shfl_sync_bfly_i32(~0u, i, 1, 31);
    if ((tid & 31) == 0)
        a[i / 32] = s;
    a[t + 500] = s; // expect: address
}

// run read_only: global=128 local=64 n=9
extern "C" __global__ void read_only(float *__restrict a, const float *__restrict b, int n)
{
    int i = bid * bsize + tid;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += __nvvm_ldg_f(b + k * 33 + i) * weights[k & 31] + everywhere[i + k];
    a[i] = s;
}

// run bounded: global=256 local=128
extern "C" __global__ void __launch_bounds__(128) bounded(float *a, const float *b)
{
    __shared__ float t[16][17];
    int x = tid & 15, y = tid / 16;
    for (int j = y; j < 16; j += 8)
        t[j][x] = b[j * 64 + x + bid * 16];
    __syncthreads();
    for (int j = y; j < 16; j += 8)
        a[j * 64 + x + bid * 16] = t[x][j];
}

struct particle { float x, y, z, w; };
struct counter {
    int at, step;
    __device__ counter(int from, int by) : at(from), step(by) {}
    __device__ bool more(int n) const { return at < n; }
    __device__ int next() { int was = at; at += step; return was; }
};

// run objects: global=128 local=64 n=400
extern "C" __global__ void objects(float *a, const particle *p, int n)
{
    counter c(bid * bsize + tid, bsize * gsize);
    while (c.more(n)) {
        int i = c.next();
        a[i] = p[i].x * p[i].w;
    }
}

// run votes: global=128 local=64 n=70
extern "C" __global__ void votes(int *a, const int *b, int n)
{
    int i = bid * bsize + tid;
    if (__nvvm_vote_any_sync(~0u, i < n))
        a[i] = b[i * 2]; // expect: count
    a[i + 1000] = 1;
}

// run atomic_sum: global=192 local=64
extern "C" __global__ void atomic_sum(float *a, int *n)
{
    __shared__ int t;
    if (tid == 0)
        t = 0;
    __syncthreads();
    __nvvm_atom_add_gen_f(a + (tid & 3), 1.0f);
    __atomic_fetch_add(&t, 1, __ATOMIC_RELAXED);
    __syncthreads();
    n[bid * bsize + tid] = t;
}

__device__ __attribute__((noinline)) int collatz(int n)
{
    int steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

// run functions: global=128 local=64
extern "C" __global__ void functions(float *a, const float *b)
{
    int i = bid * bsize + tid;
    int k = collatz(i + 1);
    a[i] = b[k] + b[i + k * 2];
}

// run lane_masks: global=128 local=32
extern "C" __global__ void lane_masks(float *a)
{
    uint at = __builtin_popcount(__nvvm_read_ptx_sreg_lanemask_lt()) + 32 * __builtin_popcount(__nvvm_read_ptx_sreg_lanemask_ge());
    a[at] += a[__builtin_popcount(__nvvm_read_ptx_sreg_lanemask_le() ^ __nvvm_read_ptx_sreg_lanemask_eq())];
    if (__nvvm_read_ptx_sreg_lanemask_gt() & 1 << tid % 32)
        a[tid] = 0;
}

/* Texture objects as clang's headers read them. */
typedef unsigned long long texture;
#define FETCH(op, ...) \
    float r, g, b, a; \
    asm(op : "=f"(r), "=f"(g), "=f"(b), "=f"(a) : __VA_ARGS__); \
    return r + a
__device__ float fetch_2d(texture t, float x, float y)
{
    FETCH("tex.2d.v4.f32.f32\t{%0, %1, %2, %3}, [%4, {%5, %6}];", "l"(t), "f"(x), "f"(y));
}
__device__ float fetch_1d(texture t, int x)
{
    FETCH("tex.1d.v4.f32.s32\t{%0, %1, %2, %3}, [%4, {%5}];", "l"(t), "r"(x));
}
__device__ float fetch_layer(texture t, int layer, float x, float y)
{
    FETCH("tex.a2d.v4.f32.f32\t{%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];", "l"(t), "r"(layer), "f"(x), "f"(y));
}
__device__ float fetch_level(texture t, float x, float y, float z, float level)
{
    FETCH("tex.level.3d.v4.f32.f32\t{%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}], %8;", "l"(t), "f"(x), "f"(y), "f"(z), "f"(level));
}

// run textures: global=64x16 local=16x4 width=64
extern "C" __global__ void textures(float *out, texture image, texture layers, int width)
{
    int x = bid * bsize + tid, y = __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() + tidy;
    float sum = fetch_2d(image, x + 0.5f, y + 0.5f) + fetch_2d(image, x - 1.25f, (y & 3) * 0.5f);
    for (int k = 0; k < 3; k++)
        sum += fetch_layer(layers, k, x * 0.75f, y + k) + fetch_level(layers, y, x + k, 2, 1.5f);
    out[y * width + x] = sum + fetch_1d(image, x * 2 + 1);
    out[((int)sum & 63) + 1024] = y; // expect: address
    out[y * width + x + 2048] = fetch_2d(image, sum, y); // expect: address
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
