/*
 * What the database of devices asks of a GPU: latencies and rates of instructions, of local memory, caches and DRAM, of atomics, barriers and
 * launches, measured on the NVIDIA GPU at hand. Prints lines "name,parameter,value,unit".
 *
 *   nvcc -arch=native -O3 -o clocks bench/gpu/clocks.cu && ./clocks > clocks.csv
 *   ./clocks placement images > some.csv   (sections by name, as at the end of this file)
 *
 * Takes some twenty seconds and 4 GB of the GPU's memory. A section that fails or takes longer than a minute is left out, with a word on stderr.
 */
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <algorithm>
#include <vector>
#include <cstring>
#include <cuda_fp16.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t status_ = (call);                                                                \
        if (status_ != cudaSuccess) {                                                                \
            fprintf(stderr, "clocks.cu:%d: %s: %s\n", __LINE__, #call, cudaGetErrorString(status_)); \
            exit(1);                                                                                 \
        }                                                                                            \
    } while (0)

static long long *cycles_at_device;
static uint32_t *sink;
static char *a, *b, *c; /* 1 GB each */
static int sms;
static double clock_ghz;

static void say(const char *name, const char *parameter, double value, const char *unit)
{
    printf("%s,%s,%.5g,%s\n", name, parameter, value, unit);
    fflush(stdout);
}

static void say(const char *name, long parameter, double value, const char *unit)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", parameter);
    say(name, text, value, unit);
}

static long long cycles()
{
    long long result;
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&result, cycles_at_device, sizeof result, cudaMemcpyDeviceToHost));
    return result;
}

/* The least of several runs. */
template <class F> static double least_cycles(F launch)
{
    long long least = INT64_MAX;
    for (int i = 0; i < 4; i++) {
        launch();
        least = std::min(least, cycles());
    }
    return (double)least;
}

/* The median of several runs in nanoseconds, `together` of them between two events. */
template <class F> static double median_ns(F launch, int together = 1, int runs = 7)
{
    cudaEvent_t begin, end;
    std::vector<float> times;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    launch();
    for (int i = 0; i < runs; i++) {
        float ms;
        CHECK(cudaEventRecord(begin));
        for (int k = 0; k < together; k++)
            launch();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaGetLastError());
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        times.push_back(ms / together);
    }
    std::sort(times.begin(), times.end());
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return 1e6 * times[times.size() / 2];
}

/* ---- Instructions ------------------------------------------------------------------------------------------------ */

/* An operation: a step x -> f(x, a) of COUNT instructions of the kind. */
#define OPERATION(name, type, count, code)                                        \
    struct name {                                                                 \
        typedef type T;                                                           \
        enum { COUNT = count };                                                   \
        static __device__ __forceinline__ void step(T &x, T a) { code; }          \
    }
OPERATION(fma_f32, float, 1, asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(a)));
OPERATION(add_xor, int, 2, asm volatile("add.s32 %0, %0, %1; xor.b32 %0, %0, %1;" : "+r"(x) : "r"(a)));
OPERATION(mad_s32, int, 1, asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(x) : "r"(a)));
OPERATION(mulhi_u32, int, 1, asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x) : "r"(a)));
OPERATION(funnel_shift, int, 1, asm volatile("shf.l.wrap.b32 %0, %0, %1, %1;" : "+r"(x) : "r"(a)));
OPERATION(min_f32, float, 2, asm volatile("min.f32 %0, %0, %1; fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(a)));
OPERATION(fma_f64, double, 1, asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(a)));
OPERATION(fma_f16x2, int, 1, asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(a)));
OPERATION(dp4a, int, 1, asm volatile("dp4a.s32.s32 %0, %0, %1, %1;" : "+r"(x) : "r"(a)));
OPERATION(ex2_f32, float, 1, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)));
OPERATION(rsqrt_f32, float, 1, asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)));
OPERATION(sin_f32, float, 1, asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(x)));
OPERATION(popc, int, 1, asm volatile("popc.b32 %0, %0;" : "+r"(x)));
OPERATION(cvt_s32_f32, float, 2, asm volatile("{.reg .s32 t; cvt.rni.s32.f32 t, %0; cvt.rn.f32.s32 %0, t;}" : "+f"(x)));
OPERATION(cvt_f64_f32, float, 2, asm volatile("{.reg .f64 t; cvt.f64.f32 t, %0; cvt.rn.f32.f64 %0, t;}" : "+f"(x)));
OPERATION(cvt_u8, int, 2, asm volatile("{.reg .f32 t; cvt.rn.f32.u8 t, %0; cvt.rzi.u32.f32 %0, t;}" : "+r"(x)));
OPERATION(shuffle, int, 1, asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, 0xffffffff;" : "+r"(x)));
OPERATION(vote, int, 1, asm volatile("{.reg .pred p; setp.ne.s32 p, %0, %1; vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "+r"(x) : "r"(a)));
OPERATION(divide_f32, float, 1, x = a / x);
OPERATION(sqrt_f32, float, 1, x = sqrtf(x + a));
OPERATION(divide_f64, double, 1, x = a / x);
OPERATION(divide_u32, unsigned, 1, x = a / (x | 1));
OPERATION(sinf_full, float, 1, x = sinf(x + a));
OPERATION(powf_full, float, 1, x = powf(x, a));
OPERATION(expf_full, float, 1, x = expf(x - a));
OPERATION(logf_full, float, 1, x = logf(x + a));

enum { UNROLLED = 32, MOST_WARPS = 32 };

/* From the first warp's begin to the last one's end: which warp runs first is the scheduler's choice. */
static __device__ void span(long long *cycles, long long begin, long long end)
{
    __shared__ long long begins[MOST_WARPS], ends[MOST_WARPS];
    if (threadIdx.x % 32 == 0) {
        begins[threadIdx.x / 32] = begin;
        ends[threadIdx.x / 32] = end;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < blockDim.x / 32; warp++) {
            begin = min(begin, begins[warp]);
            end = max(end, ends[warp]);
        }
        *cycles = end - begin;
    }
}

template <class Op, int CHAINS> __global__ void instructions(long long *cycles, uint32_t *sink, typename Op::T a, int repeats)
{
    typename Op::T x[CHAINS];
    for (int c = 0; c < CHAINS; c++)
        x[c] = a + (typename Op::T)(threadIdx.x + c);
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < repeats; r++)
#pragma unroll
        for (int k = 0; k < UNROLLED; k++)
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                Op::step(x[c], a);
    const long long end = clock64();
    bool any = false;
    for (int c = 0; c < CHAINS; c++)
        any |= x[c] == (typename Op::T)12345;
    if (any)
        sink[threadIdx.x] = 1;
    span(cycles, begin, end);
}

template <class Op> static void instruction(const char *name, double a)
{
    enum { REPEATS = 16, WARPS = 32, CHAINS = 4 };
    const typename Op::T value = (typename Op::T)a;
    const double latency = least_cycles([&] { instructions<Op, 1><<<1, 32>>>(cycles_at_device, sink, value, REPEATS); }) / (REPEATS * UNROLLED * Op::COUNT);
    const double full = least_cycles([&] { instructions<Op, CHAINS><<<1, 32 * WARPS>>>(cycles_at_device, sink, value, REPEATS); });
    say("latency", name, latency, "clk");
    say("lanes", name, 32.0 * WARPS * CHAINS * REPEATS * UNROLLED * Op::COUNT / full, "per clk and SM");
}

static void all_instructions()
{
    instruction<fma_f32>("fma_f32", 0.5);
    instruction<add_xor>("add_xor", 77);
    instruction<mad_s32>("mad_s32", 77);
    instruction<mulhi_u32>("mulhi_u32", 77);
    instruction<funnel_shift>("funnel_shift", 77);
    instruction<min_f32>("min_fma_f32", 0.5);
    instruction<fma_f64>("fma_f64", 0.5);
    instruction<fma_f16x2>("fma_f16x2", 77);
    instruction<dp4a>("dp4a", 77);
    instruction<ex2_f32>("ex2_f32", 0.5);
    instruction<rsqrt_f32>("rsqrt_f32", 0.5);
    instruction<sin_f32>("sin_f32", 0.5);
    instruction<popc>("popc", 77);
    instruction<cvt_s32_f32>("cvt_s32_f32", 0.5);
    instruction<cvt_f64_f32>("cvt_f64_f32", 0.5);
    instruction<cvt_u8>("cvt_u8_f32", 77);
    instruction<shuffle>("shuffle", 77);
    instruction<vote>("setp_vote", 77);
    instruction<divide_f32>("divide_f32", 1.5);
    instruction<sqrt_f32>("sqrt_f32", 1.5);
    instruction<divide_f64>("divide_f64", 1.5);
    instruction<divide_u32>("divide_u32", 1234567);
    instruction<sinf_full>("sinf", 0.5);
    instruction<powf_full>("powf", 1.5);
    instruction<expf_full>("expf", 0.5);
    instruction<logf_full>("logf", 1.5);
}

/* ---- Chasing pointers --------------------------------------------------------------------------------------------- */

enum { CHASE = 2048 };

template <int SPACE> __global__ void chase(long long *cycles, uint32_t *sink, const uint32_t *next, int warm_up, int length)
{
    __shared__ uint32_t copy[1024];
    uint32_t at = 0;
    if (SPACE == 0) {
        for (int i = threadIdx.x; i < 1024; i += blockDim.x)
            copy[i] = ((i + 33) & 1023) * 4;
        __syncthreads();
    }
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(copy);
    for (int i = 0; i < warm_up; i++)
        at = SPACE == 1 ? __ldca(&next[at]) : __ldcg(&next[at]);
    const long long begin = clock64();
#pragma unroll 16
    for (int i = 0; i < length; i++) {
        if (SPACE == 0)
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(base + at));
        else if (SPACE == 1)
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
        else
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
    }
    const long long end = clock64();
    sink[0] = at;
    *cycles = end - begin;
}

/* One cycle through `lines` lines of 128 bytes, in random order. */
static uint32_t *make_cycle(size_t lines)
{
    std::vector<uint32_t> order(lines), next(lines * 32);
    uint64_t state = 1;
    for (size_t i = 0; i < lines; i++)
        order[i] = (uint32_t)i;
    for (size_t i = lines - 1; i > 0; i--) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        std::swap(order[i], order[(state >> 33) % i]);
    }
    for (size_t i = 0; i < lines; i++)
        next[(size_t)order[i] * 32] = order[(i + 1) % lines] * 32;
    uint32_t *device;
    CHECK(cudaMalloc(&device, next.size() * 4));
    CHECK(cudaMemcpy(device, next.data(), next.size() * 4, cudaMemcpyHostToDevice));
    return device;
}

static void latencies()
{
    say("latency", "shared", least_cycles([] { chase<0><<<1, 1>>>(cycles_at_device, sink, NULL, 0, CHASE); }) / CHASE, "clk");
    static const struct { const char *name; size_t lines; bool l1; } places[] = {{"L1", 64, true}, {"L2_1MB", 8192, false}, {"L2_8MB", 65536, false}, {"L2_24MB", 196608, false},
                                                                               {"L2_40MB", 327680, false}, {"DRAM_1GB", 8u << 20, false}};
    for (const auto &place : places) {
        uint32_t *next = make_cycle(place.lines);
        const int warm_up = place.lines <= 327680 ? (int)place.lines : 0;
        double time = place.l1 ? least_cycles([&] { chase<1><<<1, 1>>>(cycles_at_device, sink, next, warm_up, CHASE); })
                               : least_cycles([&] { chase<2><<<1, 1>>>(cycles_at_device, sink, next, warm_up, CHASE); });
        if (warm_up == 0) { /* a second run would find the first one's lines in L2 */
            CHECK(cudaFree(next));
            next = make_cycle(place.lines);
            chase<2><<<1, 1>>>(cycles_at_device, sink, next, 0, CHASE);
            time = (double)cycles();
        }
        say("latency", place.name, time / CHASE, "clk");
        CHECK(cudaFree(next));
    }
}

/* ---- Local memory, L1, constant memory: one SM --------------------------------------------------------------------- */

enum access_kind { LDS32, LDS64, LDS128, STS32, STS128, L1_32, L1_64, L1_128, REDS, ATOMS, CASTS };

/* Each lane at byte `offset[lane]` of a row, 64 rows 512 bytes apart in turn. */
template <access_kind KIND> __global__ void on_chip(long long *cycles, uint32_t *sink, const uint32_t *offsets, const uint32_t *global, int repeats)
{
    extern __shared__ uint32_t memory[];
    const uint32_t offset = offsets[threadIdx.x % 32];
    const uint32_t base = (uint32_t)__cvta_generic_to_shared(memory) + offset;
    const char *from = (const char *)global + offset;
    uint32_t sum = 0, a, b, c, d;
    for (int i = threadIdx.x; i < 10240; i += blockDim.x)
        memory[i] = 0;
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < repeats; r++) {
        const uint32_t here = base + r % 8 * 4096;
        const char *there = from + r % 8 * 4096; /* an addition for 8 loads: else additions would take longer than the loads */
#pragma unroll
        for (int k = 0; k < 8; k++) {
            switch (KIND) {
            case LDS32: asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(here + k * 512)); sum += a; break;
            case LDS64: asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(here + k * 512)); sum += a; break;
            case LDS128: asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(here + k * 512)); sum += a; break;
            case STS32: asm volatile("st.shared.u32 [%0], %1;" ::"r"(here + k * 512), "r"(k)); break;
            case STS128: asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(here + k * 512), "r"(k)); break;
            case L1_32: asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(there + k * 512)); sum += a; break;
            case L1_64: asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(there + k * 512)); sum += a; break;
            case L1_128: asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(there + k * 512)); sum += a; break;
            case REDS: asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(here + k * 512), "r"(r + k)); break;
            case ATOMS: asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(a) : "r"(here + k * 512), "r"(r + k)); sum += a; break;
            case CASTS: asm volatile("atom.shared.xor.b32 %0, [%1], %2;" : "=r"(a) : "r"(here + k * 512), "r"(r + k)); sum += a; break;
            }
        }
    }
    if (sum == 12345) /* the last load has come */
        sink[threadIdx.x] = sum;
    const long long end = clock64();
    span(cycles, begin, end);
}

static uint32_t *offsets_at_device, *global_64k;

/* Cycles per warp instruction on one SM with 32 warps at work. `of`: offset of a lane in bytes. */
template <access_kind KIND, class F> static void pattern(const char *name, long parameter, F of)
{
    enum { WARPS = 32, REPEATS = 32, BYTES = 40 << 10 };
    uint32_t offsets[32];
    for (uint32_t lane = 0; lane < 32; lane++)
        offsets[lane] = of(lane);
    CHECK(cudaMemcpy(offsets_at_device, offsets, sizeof offsets, cudaMemcpyHostToDevice));
    double time = least_cycles([] { on_chip<KIND><<<1, 32 * WARPS, BYTES>>>(cycles_at_device, sink, offsets_at_device, global_64k, REPEATS); });
    say(name, parameter, time / (REPEATS * 8 * WARPS), "clk per warp instruction");
}

static void on_chip_memory()
{
    for (uint32_t stride : {0, 1, 2, 3, 4, 8, 16, 32}) {
        pattern<LDS32>("lds32_stride_words", stride, [=](uint32_t lane) { return lane * stride * 4; });
        pattern<STS32>("sts32_stride_words", stride, [=](uint32_t lane) { return lane * stride * 4; });
        pattern<L1_32>("l1_32_stride_words", stride, [=](uint32_t lane) { return lane * stride * 4; });
    }
    for (uint32_t stride : {0, 2, 4, 8, 16})
        pattern<LDS64>("lds64_stride_words", stride, [=](uint32_t lane) { return lane * stride * 4; });
    for (uint32_t stride : {0, 4, 8, 16}) {
        pattern<LDS128>("lds128_stride_words", stride, [=](uint32_t lane) { return lane * stride * 4; });
        pattern<STS128>("sts128_stride_words", stride, [=](uint32_t lane) { return lane * stride * 4; });
    }
    for (uint32_t stride : {2, 4, 8, 16})
        pattern<L1_64>("l1_64_stride_words", stride, [=](uint32_t lane) { return lane * stride * 4; });
    for (uint32_t stride : {4, 8, 16})
        pattern<L1_128>("l1_128_stride_words", stride, [=](uint32_t lane) { return lane * stride * 4; });
    for (uint32_t words : {0, 1, 4, 8, 16}) /* a warp's 128 bytes that begin within a line */
        pattern<L1_32>("l1_32_begins_at_word", words, [=](uint32_t lane) { return (lane + words) * 4; });
    for (uint32_t lines : {1, 2, 4, 8, 16, 32}) /* sectors side by side in a line, or each in a line of its own */
        pattern<L1_32>("l1_32_lines", lines, [=](uint32_t lane) { return lane % lines * 128 + lane / lines * 4; });
    for (uint32_t sharing : {1, 2, 4, 8, 16, 32}) {
        pattern<REDS>("shared_red_lanes_on_one_address", sharing, [=](uint32_t lane) { return lane / sharing * 4; });
        pattern<ATOMS>("shared_atom_lanes_on_one_address", sharing, [=](uint32_t lane) { return lane / sharing * 4; });
        pattern<REDS>("shared_red_addresses_in_one_bank", sharing, [=](uint32_t lane) { return lane % sharing * 128 + lane / sharing * 4; });
    }
    pattern<CASTS>("shared_atom_xor_lanes_on_one_address", 1, [=](uint32_t lane) { return lane * 4; });
    pattern<CASTS>("shared_atom_xor_lanes_on_one_address", 32, [=](uint32_t lane) { return 0u; });
}

__constant__ __align__(16) uint32_t constants[16384];

/* So many addresses in a warp; a table of `bytes` gone through a round at a time. */
__global__ void constant_loads(long long *cycles, uint32_t *sink, uint32_t distinct, uint32_t bytes, int repeats)
{
    uint32_t at = threadIdx.x % 32 % distinct, sum = 0, place = 0;
    for (uint32_t i = threadIdx.x; i < bytes / 4; i += blockDim.x)
        sum += constants[i];
    __syncthreads();
    const long long begin = clock64();
    for (int r = 0; r < repeats; r++)
#pragma unroll
        for (int k = 0; k < 8; k++) {
            sum += constants[place + at + (sum & 1)];
            place = (place + 32) & (bytes / 4 - 1);
        }
    if (sum == 12345) /* the last load has come */
        sink[threadIdx.x] = sum;
    const long long end = clock64();
    span(cycles, begin, end);
}

static void constant_memory()
{
    for (uint32_t bytes : {1024, 4096, 16384})
        for (uint32_t distinct : {1, 2, 4, 8, 16, 32}) {
            const double one = least_cycles([&] { constant_loads<<<1, 32>>>(cycles_at_device, sink, distinct, bytes, 16); }) / (16 * 8);
            const double full = least_cycles([&] { constant_loads<<<1, 1024>>>(cycles_at_device, sink, distinct, bytes, 16); }) / (16 * 8 * 32);
            char name[64];
            snprintf(name, sizeof name, "constant_latency_%u_bytes_distinct", bytes);
            say(name, distinct, one, "clk");
            snprintf(name, sizeof name, "constant_%u_bytes_distinct", bytes);
            say(name, distinct, full, "clk per warp instruction");
        }
}

/* ---- Barriers ------------------------------------------------------------------------------------------------------ */

__global__ void barriers(long long *cycles, int count)
{
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 8
    for (int i = 0; i < count; i++)
        __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *cycles = end - begin;
}

/* Each barrier after four dependent instructions, and, if SHARED, after a store to local memory and a load of a neighbour's. */
template <bool SHARED> __global__ void __launch_bounds__(1024) working_barriers(long long *cycles, uint32_t *sink, float a, int count)
{
    extern __shared__ float row[];
    const uint32_t here = (uint32_t)__cvta_generic_to_shared(row + threadIdx.x);
    float x = threadIdx.x;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 8
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++)
            fma_f32::step(x, a);
        if (SHARED) {
            asm volatile("st.shared.f32 [%0], %1;" ::"r"(here), "f"(x) : "memory");
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(here ^ 4) : "memory");
        }
        __syncthreads();
    }
    const long long end = clock64();
    if (x == 12345.0f)
        sink[0] = 1;
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *cycles = end - begin;
}

/* Of as many groups as an SM takes: cycles from barrier to barrier, and these shared out among the groups. */
template <bool SHARED> static void working_barrier(const char *after)
{
    enum { COUNT = 2048 };
    for (int threads : {32, 64, 128, 256, 512, 1024}) {
        int groups = 0;
        const size_t local = SHARED ? threads * sizeof(float) : 0;
        char name[64];
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&groups, working_barriers<SHARED>, threads, local));
        const double time = least_cycles([=] { working_barriers<SHARED><<<groups * sms, threads, local>>>(cycles_at_device, sink, 0.5f, COUNT); }) / COUNT;
        snprintf(name, sizeof name, "barrier_after_%s_full_SM_of", after);
        say(name, threads, time, "clk");
        snprintf(name, sizeof name, "barrier_after_%s_groups_of", after);
        say(name, threads, time / groups, "clk per group");
    }
}

static void busy_barriers()
{
    working_barrier<false>("fma");
    working_barrier<true>("fma_and_shared");
}

static void all_barriers()
{
    enum { COUNT = 512 };
    for (int threads : {32, 64, 128, 256, 512, 1024})
        say("barrier_lone_group_of", threads, least_cycles([&] { barriers<<<1, threads>>>(cycles_at_device, COUNT); }) / COUNT, "clk");
    for (int threads : {32, 64, 128, 256, 512, 1024}) { /* as many groups as an SM takes */
        int groups = 0;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&groups, barriers, threads, 0));
        say("barrier_full_SM_of", threads, least_cycles([&] { barriers<<<groups * sms, threads>>>(cycles_at_device, COUNT); }) / COUNT, "clk");
    }
}

/* ---- Atomics on global memory: the whole device --------------------------------------------------------------------- */

enum where { ONE_ADDRESS, ONE_PER_WARP, ONE_PER_GROUP, SAME_SECTOR, SIDE_BY_SIDE, SECTORS, BINS_256, BINS_8, RANDOM_16KB, RANDOM_4MB, RANDOM_512MB };

/* A number nobody foresees. */
static __device__ __forceinline__ uint32_t hash(uint32_t x)
{
    x = (x ^ x >> 15) * 2246822519u;
    return x ^ x >> 13;
}

template <where PLACE, bool RETURNS, bool FLOAT> __global__ void atomics(uint32_t *memory, uint32_t *sink, int count)
{
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = thread / 32;
    uint32_t random = thread * 2654435761u + 12345u, got = 0;
    for (int k = 0; k < count; k++) {
        uint32_t at = 0;
        random = random * 1664525u + 1013904223u;
        switch (PLACE) {
        case ONE_ADDRESS: at = 0; break;
        case ONE_PER_WARP: at = warp % 65536 * 32; break;
        case ONE_PER_GROUP: at = blockIdx.x % 65536 * 32; break;
        case SAME_SECTOR: at = lane % 8; break;
        case SIDE_BY_SIDE: at = warp % 65536 * 32 + lane; break;
        case SECTORS: at = (warp % 2048 * 32 + lane) * 8; break;
        case BINS_256: at = random >> 24; break;
        case BINS_8: at = random >> 29; break;
        case RANDOM_16KB: at = hash(random) >> 20; break;
        case RANDOM_4MB: at = hash(random) >> 12; break;
        case RANDOM_512MB: at = hash(random) >> 5; break;
        }
        if (FLOAT && RETURNS)
            asm volatile("{.reg .f32 t; .reg .u32 u; atom.global.add.f32 t, [%1], %2; mov.b32 u, t; add.u32 %0, %0, u;}" : "+r"(got) : "l"(memory + at), "f"(1.0f));
        else if (FLOAT)
            asm volatile("red.global.add.f32 [%0], %1;" ::"l"(memory + at), "f"(1.0f) : "memory");
        else if (RETURNS)
            asm volatile("{.reg .u32 t; atom.global.add.u32 t, [%1], %2; add.u32 %0, %0, t;}" : "+r"(got) : "l"(memory + at), "r"(random));
        else
            asm volatile("red.global.add.u32 [%0], %1;" ::"l"(memory + at), "r"(random) : "memory");
    }
    if (RETURNS && got == 12345)
        sink[thread % 1024] = got;
}

template <where PLACE, bool FLOAT = false> static void atomic(const char *name, uint32_t *memory)
{
    const int groups = sms * 8, count = PLACE == ONE_ADDRESS || PLACE == SAME_SECTOR || PLACE == BINS_8 || PLACE == RANDOM_512MB ? 16 : 64;
    const double all = (double)groups * 256 * count;
    say(FLOAT ? "global_red_f32" : "global_red", name, all / median_ns([&] { atomics<PLACE, false, FLOAT><<<groups, 256>>>(memory, sink, count); }) / clock_ghz, "operations per clk");
    say(FLOAT ? "global_atom_f32" : "global_atom", name, all / median_ns([&] { atomics<PLACE, true, FLOAT><<<groups, 256>>>(memory, sink, count); }) / clock_ghz, "operations per clk");
}

static void all_atomics(uint32_t *memory)
{
    atomic<ONE_ADDRESS>("one_address", memory);
    atomic<ONE_PER_WARP>("one_per_warp", memory);
    atomic<ONE_PER_GROUP>("one_per_group", memory);
    atomic<SAME_SECTOR>("same_sector", memory);
    atomic<SIDE_BY_SIDE>("side_by_side", memory);
    atomic<SECTORS>("a_sector_each", memory);
    atomic<BINS_256>("bins_256", memory);
    atomic<BINS_8>("bins_8", memory);
}

static void random_atomics(uint32_t *memory)
{
    atomic<RANDOM_16KB>("random_16KB", memory);
    atomic<RANDOM_4MB>("random_4MB", memory);
    atomic<RANDOM_512MB>("random_512MB", memory);
    CHECK(cudaMemset(memory, 0, 1u << 30)); /* floats that are none would do as well, but who knows */
    atomic<ONE_ADDRESS, true>("one_address", memory);
    atomic<ONE_PER_WARP, true>("one_per_warp", memory);
    atomic<SAME_SECTOR, true>("same_sector", memory);
    atomic<SIDE_BY_SIDE, true>("side_by_side", memory);
    atomic<SECTORS, true>("a_sector_each", memory);
    atomic<BINS_256, true>("bins_256", memory);
    atomic<RANDOM_16KB, true>("random_16KB", memory);
    atomic<RANDOM_4MB, true>("random_4MB", memory);
    atomic<RANDOM_512MB, true>("random_512MB", memory);
}

/* ---- Bandwidth: the whole device ------------------------------------------------------------------------------------ */

/* A thread per element. */
template <class V> __global__ void copy_each(V *to, const V *from, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

template <class V> __global__ void write_each(V *to, V value, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = value;
}

__global__ void triad_each(float *a, const float *b, const float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] + 0.5f * c[i];
}

static __device__ uint32_t word(uint32_t v) { return v; }
static __device__ uint32_t word(uint2 v) { return v.x ^ v.y; }
static __device__ uint32_t word(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

/* `count` loads of each thread, IN_FLIGHT of them at once, all threads one after the other round n elements; past L1. */
template <class V, int IN_FLIGHT> __global__ void read_all(const V *from, uint32_t *sink, uint32_t n, uint32_t count)
{
    const uint32_t step = gridDim.x * blockDim.x % n;
    uint32_t at = (blockIdx.x * blockDim.x + threadIdx.x) % n, sum = 0;
    for (uint32_t i = 0; i < count; i += IN_FLIGHT) {
        V v[IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k++) {
            v[k] = __ldcg(&from[at]);
            at += step;
            at = at >= n ? at - n : at;
        }
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k++)
            sum ^= word(v[k]);
    }
    if (sum == 12345)
        sink[0] = sum;
}

/* GB/s of reading `moved` bytes or somewhat more out of `bytes`. */
template <class V, int IN_FLIGHT> static double read_rate(int groups, int threads, const char *from, size_t bytes, size_t moved)
{
    const size_t all = (size_t)groups * threads, count = (moved / sizeof(V) / all + IN_FLIGHT) / IN_FLIGHT * IN_FLIGHT;
    return (double)(all * count * sizeof(V)) / median_ns([=] { read_all<V, IN_FLIGHT><<<groups, threads>>>((const V *)from, sink, (uint32_t)(bytes / sizeof(V)), (uint32_t)count); });
}

/* Pieces of 4 LANES bytes at random places. */
__global__ void read_pieces(const uint32_t *from, uint32_t *sink, uint32_t pieces, uint32_t lanes, int count)
{
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, piece = thread / lanes, lane = thread % lanes, words = lanes < 8 ? 8 : lanes;
    uint32_t random = piece * 2654435761u + 12345u, sum = 0;
#pragma unroll 4
    for (int k = 0; k < count; k++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t mixed = (random ^ random >> 15) * 2246822519u;
        sum ^= __ldcg(&from[(size_t)(mixed % pieces) * words + lane]);
    }
    if (sum == 12345)
        sink[0] = sum;
}

template <class V> static void streams(const char *bits, char *a, char *b, size_t bytes, const char *where)
{
    char name[64];
    const size_t n = bytes / sizeof(V);
    const unsigned groups = (unsigned)((n + 255) / 256);
    const int together = bytes < (64u << 20) ? 32 : 2;
    V value = {};
    snprintf(name, sizeof name, "%s_copy_%s", where, bits);
    say(name, (long)(bytes >> 20), 2.0 * bytes / median_ns([&] { copy_each<<<groups, 256>>>((V *)a, (const V *)b, n); }, together), "GB/s");
    snprintf(name, sizeof name, "%s_write_%s", where, bits);
    say(name, (long)(bytes >> 20), bytes / median_ns([&] { write_each<<<groups, 256>>>((V *)a, value, n); }, together), "GB/s");
    snprintf(name, sizeof name, "%s_read_%s", where, bits);
    say(name, (long)(bytes >> 20), read_rate<V, 4>(sms * 8, 256, b, bytes, (size_t)1 << 30), "GB/s");
}

static void bandwidths(char *a, char *b, char *c)
{
    const size_t G = 1u << 30, M = 1u << 20;
    streams<uint32_t>("32", a, b, G, "DRAM");
    streams<uint2>("64", a, b, G, "DRAM");
    streams<uint4>("128", a, b, G, "DRAM");
    say("DRAM_triad_32", 1024, 3.0 * G / median_ns([&] { triad_each<<<(unsigned)(G / 1024), 256>>>((float *)a, (const float *)b, (const float *)c, G / 4); }), "GB/s");
    for (size_t size : {2 * M, 8 * M, 16 * M, 24 * M, 32 * M, 48 * M})
        streams<uint4>("128", a, b, size, "cached");
    streams<uint32_t>("32", a, b, 8 * M, "cached");
    for (int warps : {1, 2, 4, 8, 16, 32, 64}) {
        const int groups = warps > 32 ? 2 * sms : sms, threads = 32 * (warps > 32 ? 32 : warps);
        const size_t bytes = G / 4; /* each time the same ones: more than L2 holds */
        say("DRAM_read_32_one_in_flight_warps", warps, read_rate<uint32_t, 1>(groups, threads, b, G, bytes), "GB/s");
        say("DRAM_read_32_four_in_flight_warps", warps, read_rate<uint32_t, 4>(groups, threads, b, G, bytes), "GB/s");
        say("DRAM_read_128_one_in_flight_warps", warps, read_rate<uint4, 1>(groups, threads, b, G, bytes), "GB/s");
        say("DRAM_read_128_four_in_flight_warps", warps, read_rate<uint4, 4>(groups, threads, b, G, bytes), "GB/s");
    }
    for (uint32_t lanes : {1, 8, 16, 32}) {
        const uint32_t piece = std::max(lanes, 8u) * 4;
        const int groups = sms * 8, count = 64;
        const double moved = (double)groups * 256 / lanes * count * piece;
        say("DRAM_pieces_lanes", lanes, moved / median_ns([&] { read_pieces<<<groups, 256>>>((const uint32_t *)b, sink, (uint32_t)(G / piece), lanes, count); }), "GB/s of sectors");
        say("L2_pieces_lanes", lanes, moved / median_ns([&] { read_pieces<<<groups, 256>>>((const uint32_t *)b, sink, (uint32_t)(16 * M / piece), lanes, count); }), "GB/s of sectors");
    }
}

/* ---- Launches ------------------------------------------------------------------------------------------------------- */

__global__ void nothing() {}

__global__ void spin(long long *result)
{
    long long begin, end;
    const long long cycles = clock64();
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    while (clock64() - cycles < 2000000) {}
    result[0] = clock64() - cycles;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(end));
    result[1] = end - begin;
}

static void measure_clock()
{
    long long result[2];
    spin<<<1, 1>>>(cycles_at_device);
    spin<<<1, 1>>>(cycles_at_device);
    cycles();
    CHECK(cudaMemcpy(result, cycles_at_device, sizeof result, cudaMemcpyDeviceToHost));
    clock_ghz = (double)result[0] / (double)result[1];
    say("clock", "SM", 1000 * clock_ghz, "MHz");
}

static void launches()
{
    say("launch", "one_between_events", median_ns([] { nothing<<<1, 32>>>(); }), "ns");
    say("launch", "back_to_back", median_ns([] { nothing<<<1, 32>>>(); }, 512), "ns");
    say("launch", "back_to_back_132_groups", median_ns([] { nothing<<<132, 256>>>(); }, 512), "ns");
    for (int threads : {32, 64, 128, 256, 512, 1024})
        for (long groups : {132L, 4096L, 65536L, 1048576L}) {
            char name[64];
            snprintf(name, sizeof name, "empty_groups_of_%d", threads);
            say(name, groups, median_ns([=] { nothing<<<(unsigned)groups, threads>>>(); }, groups < 100000 ? 8 : 1), "ns");
        }
}

/* ---- Requests in flight: Lashgar et al., Listing 1 ------------------------------------------------------------------ */

/* Threads of one group load N lines of 128 bytes each; merger threads share theirs. Sum and sum of squares of what the threads waited. */
template <int N> __global__ void requests(double *result, const uint32_t *from, uint32_t *sink, int merger)
{
    __shared__ unsigned long long sum, square;
    if (threadIdx.x == 0)
        sum = square = 0;
    __syncthreads();
    uint32_t v[N], got = 0;
    const uint32_t at = threadIdx.x / merger * N * 32;
    const long long begin = clock64();
#pragma unroll
    for (int k = 0; k < N; k++)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(from + at + k * 32));
#pragma unroll
    for (int k = 0; k < N; k++)
        got ^= v[k];
    if (got == 12345)
        sink[0] = got;
    const long long took = clock64() - begin;
    atomicAdd(&sum, (unsigned long long)took);
    atomicAdd(&square, (unsigned long long)(took * took));
    __syncthreads();
    if (threadIdx.x == 0) {
        result[0] = (double)sum;
        result[1] = (double)square;
    }
}

template <int N> static void lashgar(const uint32_t *from, char *flushed, double *result)
{
    for (int merger : {1, 4})
        for (int threads = 32; threads <= 1024; threads += 32) {
            double sums[2], mean = 0, variance = 0;
            const int runs = 3;
            for (int i = 0; i < runs; i++) {
                CHECK(cudaMemset(flushed, i, 96 << 20));
                requests<N><<<1, threads>>>(result, from, sink, merger);
                CHECK(cudaGetLastError());
                CHECK(cudaMemcpy(sums, result, sizeof sums, cudaMemcpyDeviceToHost));
                mean += sums[0] / threads / runs;
                variance += (sums[1] / threads - sums[0] / threads * (sums[0] / threads)) / runs;
            }
            char name[64];
            snprintf(name, sizeof name, "lashgar_mean_%d_loads_merger_%d", N, merger);
            say(name, threads, mean, "clk");
            snprintf(name, sizeof name, "lashgar_variance_%d_loads_merger_%d", N, merger);
            say(name, threads, variance, "clk^2");
        }
}

/* ---- Where a group's warps go ---------------------------------------------------------------------------------------- */

enum life { ALIKE, UNEVEN, RANDOM }; /* all warps live as long; the first one of a group 4 times as long; groups 1 to 4 times as long */

/* Each warp's SM and its place there. */
__global__ void __launch_bounds__(1024) placed(uint32_t *records, life lives, int cycles)
{
    const long long begin = clock64();
    const uint32_t warp = threadIdx.x / 32;
    uint32_t sm, place;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(place));
    if (threadIdx.x % 32 == 0)
        records[blockIdx.x * (blockDim.x / 32) + warp] = sm << 8 | place;
    const long long until = (long long)cycles * (lives == UNEVEN && warp == 0 ? 4 : lives == RANDOM ? 1 + hash(blockIdx.x * 2654435761u) % 4 : 1);
    while (clock64() - begin < until) {}
}

/* How the warps of groups of `threads` fall on the four partitions of an SM (a place modulo 4). */
static void placement_of(life lives, int threads, uint32_t *records_at_device)
{
    enum { WAVES = 8, CYCLES = 20000, SHOWN = 8 }; /* an SM takes some 5000 cycles for its first 32 groups */
    static const char *suffix[] = {"", "_uneven", "_random"};
    const int warps = threads / 32, shown = std::min<int>(warps, SHOWN), per_sm = std::min(32, 2048 / threads), groups = sms * per_sm * WAVES;
    std::vector<uint32_t> records((size_t)groups * warps);
    std::vector<double> on_sm(256 * SHOWN * 4, 0.0); /* warps by SM, warp of the group and partition */
    double share[SHOWN][4] = {}, from_first[SHOWN][4] = {}, fullest[SHOWN] = {};
    uint32_t places = 0, sms_seen = 0;
    char name[64], text[32];
    placed<<<groups, threads>>>(records_at_device, lives, CYCLES);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(records.data(), records_at_device, records.size() * sizeof records[0], cudaMemcpyDeviceToHost));
    for (int g = 0; g < groups; g++)
        for (int w = 0; w < warps; w++) {
            const uint32_t record = records[(size_t)g * warps + w], place = record & 255;
            places = std::max(places, place + 1);
            if (w >= shown)
                continue;
            share[w][place % 4] += 1.0 / groups;
            from_first[w][(place - records[(size_t)g * warps]) % 4] += 1.0 / groups;
            on_sm[((record >> 8) % 256 * SHOWN + w) * 4 + place % 4] += 1;
        }
    for (int sm = 0; sm < 256; sm++) {
        const double *of = &on_sm[(size_t)sm * SHOWN * 4];
        sms_seen += of[0] + of[1] + of[2] + of[3] > 0;
        for (int w = 0; w < shown; w++) {
            const double all = of[w * 4] + of[w * 4 + 1] + of[w * 4 + 2] + of[w * 4 + 3];
            fullest[w] += all > 0 ? *std::max_element(of + w * 4, of + w * 4 + 4) / all : 0;
        }
    }
    snprintf(name, sizeof name, "warp_places%s", suffix[lives]);
    say(name, threads, places, "places seen");
    for (int w = 0; w < shown; w++) {
        for (int p = 0; p < 4; p++) {
            snprintf(text, sizeof text, "%d:%d:%d", threads, w, p);
            snprintf(name, sizeof name, "warp_partition%s", suffix[lives]);
            say(name, text, share[w][p], "share");
            snprintf(name, sizeof name, "warp_partition_from_first%s", suffix[lives]);
            say(name, text, from_first[w][p], "share"); /* p partitions on from the group's first warp */
        }
        snprintf(text, sizeof text, "%d:%d", threads, w);
        snprintf(name, sizeof name, "warp_partition_fullest_of_SM%s", suffix[lives]);
        say(name, text, fullest[w] / sms_seen, "share"); /* 0.25: evenly spread on each SM */
    }
}

/* Keeps a partition's multiply-adders busy: 32 instructions a turn, 8 of them independent. */
static __device__ __forceinline__ float busy(float from, float a, int turns)
{
    float x[8], sum = 0;
    for (int i = 0; i < 8; i++)
        x[i] = from + i;
#pragma unroll 1
    for (int r = 0; r < turns; r++)
#pragma unroll
        for (int k = 0; k < 32; k++)
            fma_f32::step(x[k % 8], a);
    for (int i = 0; i < 8; i++)
        sum += x[i];
    return sum;
}

/* Two warps of a lone group at work: twice the time if they share a partition. */
__global__ void __launch_bounds__(1024) pair(long long *cycles, uint32_t *sink, float a, int other, int turns)
{
    const int warp = threadIdx.x / 32;
    float x = 0;
    __syncthreads();
    const long long begin = clock64();
    if (warp == 0 || warp == other)
        x = busy((float)threadIdx.x, a, turns);
    if (x == 12345.0f)
        sink[0] = 1;
    const long long end = clock64();
    span(cycles, begin, end);
}

/* Every so many-th warp of the device does so many times the work, the others nothing; `wait`: they stay until these have done. */
__global__ void __launch_bounds__(1024, 2) uneven_warps(uint32_t *sink, float a, uint32_t every, bool wait, int turns)
{
    const uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    float x = 0;
    if (warp % every == 0)
        x = busy((float)threadIdx.x, a, turns * every);
    if (x == 12345.0f)
        sink[0] = 1;
    if (wait)
        __syncthreads();
}

static void placement()
{
    enum { TURNS = 64, WAVES = 8 };
    char name[64];
    for (int other = 0; other < 8; other++)
        say("partition_shared_by_warp_0_and", other, least_cycles([=] { pair<<<1, 256>>>(cycles_at_device, sink, 0.5f, other, TURNS); }) / (TURNS * 32), "clk per fma");
    for (uint32_t every : {1, 2, 4})
        for (bool wait : {false, true})
            for (int threads : {32, 64, 128, 256, 512, 1024}) {
                const int groups = sms * (2048 / threads) * WAVES;
                snprintf(name, sizeof name, "uneven_warps_every_%u%s", every, wait ? "_then_barrier" : "");
                say(name, threads, median_ns([=] { uneven_warps<<<groups, threads>>>(sink, 0.5f, every, wait, TURNS); }), "ns");
            }
    for (life lives : {ALIKE, UNEVEN, RANDOM})
        for (int threads : {32, 64, 96, 128, 160, 192, 256, 512})
            placement_of(lives, threads, (uint32_t *)a);
}

/* ---- Constants that warps walk through, in step and out of it --------------------------------------------------------- */

enum start { AT_BEGIN, BY_WARP, BY_GROUP, BY_WARP_FROM_BEGIN }; /* the last one: as AT_BEGIN, but with the instructions of BY_WARP */

/* Each warp goes `walks` times round a table of so many float2, from its own start on, with FMAS instructions a step. */
template <int FMAS, start START> __global__ void __launch_bounds__(1024, 2) walk_constants(uint32_t *sink, int entries, int walks, int spread)
{
    const float2 *const table = (const float2 *)constants;
    const uint32_t chosen = START == BY_GROUP ? blockIdx.x : (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int first = START == AT_BEGIN ? 0 : (int)(hash(chosen * 2654435761u + 12345u) % (uint32_t)spread);
    float x[4] = {1, 2, 3, 4};
#pragma unroll 1
    for (int w = 0; w <= walks; w++) {
        const int end = w < walks ? entries : first;
#pragma unroll 4
        for (int i = w == 0 ? first : 0; i < end; i++) {
            const float2 v = table[i];
#pragma unroll
            for (int k = 0; k < FMAS; k++)
                x[k % 4] = k & 1 ? fmaf(x[k % 4], v.y, v.x) : fmaf(x[k % 4], v.x, v.y);
        }
    }
    if (x[0] + x[1] + x[2] + x[3] == 12345.0f)
        sink[0] = 1;
}

template <int FMAS, start START> static void walk(const char *how)
{
    enum { WAVES = 2, STEPS = 2048 };
    for (int kilobytes : {1, 2, 3, 4, 6, 8, 16, 32, 64})
        for (int threads : {32, 64, 128, 256, 512, 1024}) {
            const int entries = kilobytes * 128, walks = std::max(1, STEPS / entries), groups = sms * std::min(32, 2048 / threads) * WAVES;
            const int spread = START == BY_WARP_FROM_BEGIN ? 1 : entries;
            const double ns = median_ns([=] { walk_constants<FMAS, START><<<groups, threads>>>(sink, entries, walks, spread); }, 1, 3);
            char name[64], text[32];
            snprintf(name, sizeof name, "constant_walk_%s_%d_fma", how, FMAS);
            snprintf(text, sizeof text, "%dKB:%d", kilobytes, threads);
            say(name, text, ns * clock_ghz * sms / ((double)groups * (threads / 32) * entries * walks), "clk per warp step and SM");
        }
}

static void constant_walks()
{
    walk<2, AT_BEGIN>("in_step");
    walk<2, BY_WARP>("by_warp");
    walk<20, AT_BEGIN>("in_step");
    walk<20, BY_WARP>("by_warp");
    walk<2, BY_GROUP>("by_group");
    walk<20, BY_GROUP>("by_group");
    walk<2, BY_WARP_FROM_BEGIN>("by_warp_from_begin");
}

/* ---- Images ----------------------------------------------------------------------------------------------------------- */

enum image_work { SURFACE_WRITE, BUFFER_WRITE, TEXTURE_READ, BUFFER_READ, TEXTURE_TO_SURFACE, TRANSPOSITION, FORMATTED_WRITE };
enum { WIDTH = 4096, HEIGHT = 3072 };

static __device__ uint32_t word(unsigned char v) { return v; }
static __device__ uint32_t word(uchar4 v) { return v.x ^ v.y ^ v.z ^ v.w; }
static __device__ uint32_t word(float v) { return __float_as_uint(v); }
static __device__ uint32_t word(float4 v) { return __float_as_uint(v.x) ^ __float_as_uint(v.y) ^ __float_as_uint(v.z) ^ __float_as_uint(v.w); }
static __device__ void make(unsigned char &v, uint32_t i) { v = (unsigned char)i; }
static __device__ void make(uchar4 &v, uint32_t i) { v = make_uchar4(i, i, 1, 2); }
static __device__ void make(float &v, uint32_t i) { v = __uint_as_float(i); }
static __device__ void make(float4 &v, uint32_t i) { v = make_float4(__uint_as_float(i), 1, 2, 3); }

/* EACH texels of a work-item, HEIGHT / EACH rows apart. `never` is 12345, but the compiler, that knows bytes to be less, does not know it. */
template <class V, image_work WORK, int EACH> __global__ void __launch_bounds__(256) images(cudaTextureObject_t from, cudaSurfaceObject_t to, V *buffer, uint32_t *sink, uint32_t never)
{
    const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    uint32_t sum = 0;
    V v[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const uint32_t row = y + k * (HEIGHT / EACH);
        if (WORK == TEXTURE_READ || WORK == TEXTURE_TO_SURFACE || WORK == TRANSPOSITION)
            v[k] = tex2D<V>(from, x + 0.5f, row + 0.5f);
        else if (WORK == BUFFER_READ)
            v[k] = buffer[row * WIDTH + x];
        else
            make(v[k], x ^ row);
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const uint32_t row = y + k * (HEIGHT / EACH);
        if (WORK == SURFACE_WRITE || WORK == TEXTURE_TO_SURFACE)
            surf2Dwrite(v[k], to, (int)(x * sizeof(V)), (int)row);
        else if (WORK == TRANSPOSITION)
            surf2Dwrite(v[k], to, (int)(row * sizeof(V)), (int)x);
        else if (WORK == FORMATTED_WRITE) /* what OpenCL's write_image becomes */
            asm volatile("sust.p.2d.v4.b32.zero [%0, {%1, %2}], {%3, %3, %3, %3};" ::"l"(to), "r"(x), "r"(row), "r"(word(v[k])) : "memory");
        else if (WORK == BUFFER_WRITE)
            buffer[row * WIDTH + x] = v[k];
        else
            sum ^= word(v[k]);
    }
    if (sum == never)
        sink[0] = sum;
}

/* An image to read and one to write, square, such that it takes the other one's transposition. */
struct image_pair {
    cudaArray_t source, target;
    cudaTextureObject_t from;
    cudaSurfaceObject_t to;
};

template <class V> static image_pair make_images()
{
    image_pair made;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<V>();
    cudaResourceDesc resource = {};
    cudaTextureDesc sampling = {};
    CHECK(cudaMallocArray(&made.source, &format, WIDTH, HEIGHT));
    CHECK(cudaMallocArray(&made.target, &format, WIDTH, WIDTH, cudaArraySurfaceLoadStore));
    CHECK(cudaMemcpy2DToArray(made.source, 0, 0, b, WIDTH * sizeof(V), WIDTH * sizeof(V), HEIGHT, cudaMemcpyDeviceToDevice));
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = made.source;
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModePoint;
    sampling.readMode = cudaReadModeElementType;
    sampling.normalizedCoords = 0;
    CHECK(cudaCreateTextureObject(&made.from, &resource, &sampling, NULL));
    resource.res.array.array = made.target;
    CHECK(cudaCreateSurfaceObject(&made.to, &resource));
    return made;
}

static void free_images(const image_pair &made)
{
    CHECK(cudaDestroyTextureObject(made.from));
    CHECK(cudaDestroySurfaceObject(made.to));
    CHECK(cudaFreeArray(made.source));
    CHECK(cudaFreeArray(made.target));
}

template <class V, image_work WORK, int EACH> static void image(const image_pair &made, const char *work, const char *type)
{
    static const struct { unsigned x, y; } shapes[] = {{16, 16}, {32, 8}, {64, 4}, {256, 1}, {8, 32}};
    const double bytes = (double)WIDTH * HEIGHT * sizeof(V) * (WORK == TEXTURE_TO_SURFACE || WORK == TRANSPOSITION ? 2 : 1);
    for (const auto &shape : shapes) {
        const dim3 block(shape.x, shape.y), grid(WIDTH / shape.x, HEIGHT / EACH / shape.y);
        const double ns = median_ns([&] { images<V, WORK, EACH><<<grid, block>>>(made.from, made.to, (V *)c, sink, 12345); });
        char name[64], text[32];
        snprintf(name, sizeof name, "%s_%s_%d_each", work, type, EACH);
        snprintf(text, sizeof text, "%ux%u", shape.x, shape.y);
        say(name, text, ns, "ns");
        say(name, text, bytes / ns, "GB/s");
    }
}

template <class V> static void images_of(const char *type)
{
    const image_pair made = make_images<V>();
    image<V, SURFACE_WRITE, 1>(made, "surface_write", type);
    image<V, BUFFER_WRITE, 1>(made, "buffer_write", type);
    image<V, TEXTURE_READ, 1>(made, "texture_read", type);
    image<V, BUFFER_READ, 1>(made, "buffer_read", type);
    image<V, TEXTURE_TO_SURFACE, 1>(made, "texture_to_surface", type);
    image<V, TRANSPOSITION, 1>(made, "texture_to_surface_transposed", type);
    image<V, SURFACE_WRITE, 4>(made, "surface_write", type);
    image<V, BUFFER_WRITE, 4>(made, "buffer_write", type);
    image<V, TEXTURE_READ, 4>(made, "texture_read", type);
    image<V, BUFFER_READ, 4>(made, "buffer_read", type);
    image<V, TEXTURE_TO_SURFACE, 4>(made, "texture_to_surface", type);
    image<V, TRANSPOSITION, 4>(made, "texture_to_surface_transposed", type);
    free_images(made);
}

static void all_images()
{
    images_of<uchar4>("uchar4");
    images_of<float>("float");
    images_of<float4>("float4");
    images_of<unsigned char>("uchar");
}

template <class V> static void formatted_writes_of(const char *type)
{
    const image_pair made = make_images<V>();
    image<V, FORMATTED_WRITE, 1>(made, "formatted_surface_write", type);
    image<V, FORMATTED_WRITE, 4>(made, "formatted_surface_write", type);
    free_images(made);
}

static void formatted_writes()
{
    formatted_writes_of<unsigned char>("uchar");
    formatted_writes_of<uchar4>("uchar4");
    formatted_writes_of<float>("float");
    formatted_writes_of<float4>("float4");
}

/* ---- Loads from L1: all SMs, full -------------------------------------------------------------------------------------- */

enum { L1_BYTES = 16384, L1_APART = 20480 };

/* Rows of 32 lanes side by side, WORDS words each, round the SM's own 16 KB; `odd` is 1, but the compiler knows nothing of it. */
template <int WORDS> __global__ void __launch_bounds__(1024, 2) l1_loads(const char *from, uint32_t *sink, uint32_t sms, uint32_t shift, uint32_t odd, int repeats)
{
    uint32_t sm, sum = 0, x, y, z, w;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    const char *row = from + sm % sms * L1_APART + shift + threadIdx.x % 32 * 4 * WORDS;
#pragma unroll 1
    for (int r = 0; r < repeats; r++) {
        const char *here = row + (r & odd) * (L1_BYTES / 2);
#pragma unroll
        for (int k = 0; k < L1_BYTES / 2 / (128 * WORDS); k++)
            if (WORDS == 1) {
                asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(here + k * 128));
                sum ^= x;
            } else if (WORDS == 2) {
                asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(here + k * 256));
                sum ^= x ^ y;
            } else {
                asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(here + k * 512));
                sum ^= x ^ y ^ z ^ w;
            }
    }
    if (sum == 12345)
        sink[0] = sum;
}

template <int WORDS> static void l1_row(uint32_t words)
{
    enum { LOADS = 8192, A_TURN = L1_BYTES / 2 / (128 * WORDS) };
    const int repeats = LOADS / A_TURN;
    char name[64];
    const double ns = median_ns([=] { l1_loads<WORDS><<<2 * sms, 1024>>>(b, sink, (uint32_t)sms, words * 4, 1, repeats); });
    snprintf(name, sizeof name, "l1_all_SMs_%d_row_begins_at_word", 32 * WORDS);
    say(name, words, ns * clock_ghz / ((double)LOADS * 64), "clk per warp instruction");
}

static void l1_rows()
{
    for (uint32_t words : {0, 1, 2, 8, 16, 32}) /* 32: a line further, all else the same */
        l1_row<1>(words);
    for (uint32_t words : {0, 2, 8, 16, 32})
        l1_row<2>(words);
    for (uint32_t words : {0, 4, 8, 16, 32})
        l1_row<4>(words);
}

/* ---- Streams by size of group ------------------------------------------------------------------------------------------- */

enum stream_work { COPY, SUM, TRIAD };

static __device__ float triad(float x, float y) { return x + 0.5f * y; }
static __device__ float4 triad(float4 x, float4 y) { return make_float4(triad(x.x, y.x), triad(x.y, y.y), triad(x.z, y.z), triad(x.w, y.w)); }

/* EACH elements of a work-item, so far apart that its neighbours' lie beside each. Arrays of mask + 1 elements: the grid may go round them several times. */
template <class V, stream_work WORK, int EACH> __global__ void __launch_bounds__(1024) stream(V *to, const V *from, const V *also, uint32_t *sink, uint32_t mask)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, step = (mask + 1) / EACH;
    uint32_t sum = 0;
    V x[EACH], y[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        x[k] = from[(i + k * step) & mask];
        if (WORK == TRIAD)
            y[k] = also[(i + k * step) & mask];
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (WORK == SUM)
            sum ^= word(x[k]);
        else
            to[(i + k * step) & mask] = WORK == TRIAD ? triad(x[k], y[k]) : x[k];
    if (sum == 12345)
        sink[0] = sum;
}

/* 256 MB of each array go by, out of `bytes` of each. */
template <class V, stream_work WORK, int EACH> static void stream_by_group(const char *where, const char *work, const char *type, size_t bytes)
{
    const size_t all = (size_t)256 << 20;
    const int arrays = WORK == COPY ? 2 : WORK == SUM ? 1 : 3;
    for (int threads : {32, 64, 128, 256, 512, 1024}) {
        const unsigned groups = (unsigned)(all / sizeof(V) / EACH / threads);
        const uint32_t mask = (uint32_t)(bytes / sizeof(V) - 1);
        const double ns = median_ns([=] { stream<V, WORK, EACH><<<groups, threads>>>((V *)a, (const V *)b, (const V *)c, sink, mask); });
        char name[64];
        snprintf(name, sizeof name, "%s_%s_%s_%d_each_groups_of", where, work, type, EACH);
        say(name, threads, (double)arrays * all / ns, "GB/s");
    }
}

template <class V> static void streams_by_group(const char *where, const char *type, size_t copied, size_t summed, size_t added)
{
    stream_by_group<V, COPY, 1>(where, "copy", type, copied);
    stream_by_group<V, SUM, 1>(where, "sum", type, summed);
    stream_by_group<V, TRIAD, 1>(where, "triad", type, added);
    stream_by_group<V, COPY, 4>(where, "copy", type, copied);
    stream_by_group<V, SUM, 4>(where, "sum", type, summed);
    stream_by_group<V, TRIAD, 4>(where, "triad", type, added);
}

static void group_streams()
{
    const size_t M = 1u << 20;
    streams_by_group<float>("DRAM", "float", 256 * M, 256 * M, 256 * M);
    streams_by_group<float4>("DRAM", "float4", 256 * M, 256 * M, 256 * M);
    streams_by_group<float>("L2", "float", 8 * M, 16 * M, 4 * M); /* 16 MB in all, or 12 */
    streams_by_group<float4>("L2", "float4", 8 * M, 16 * M, 4 * M);
}

/* ---- Random reads -------------------------------------------------------------------------------------------------------- */

/* A sector of 32 bytes for each lane, somewhere; the next IN_FLIGHT of them once the last ones have come. Past L1, or through it. */
template <int IN_FLIGHT, bool L1> __global__ void __launch_bounds__(256, 8) read_random(const uint32_t *from, uint32_t *sink, int shift, int count)
{
    uint32_t random = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u, sum = 0;
#pragma unroll 1
    for (int k = 0; k < count; k += IN_FLIGHT) {
        uint32_t v[IN_FLIGHT];
#pragma unroll
        for (int j = 0; j < IN_FLIGHT; j++) {
            random = random * 1664525u + 1013904223u;
            const uint32_t *at = &from[(size_t)(hash(random) >> shift) * 8];
            v[j] = L1 ? __ldca(at) : __ldcg(at);
        }
#pragma unroll
        for (int j = 0; j < IN_FLIGHT; j++)
            sum ^= v[j];
        random += sum;
    }
    if (sum == 12345)
        sink[0] = sum;
}

/* Out of 16 MB, which L2 holds, and of 1 GB, with so many warps at work on each SM. */
template <int IN_FLIGHT> static void random_read_by_warps()
{
    for (int megabytes_log2 : {4, 10})
        for (int warps : {8, 16, 24, 32, 48, 64}) {
            const int shift = 32 - (megabytes_log2 + 15), groups = sms * warps / 8, count = 128;
            char name[64];
            snprintf(name, sizeof name, "random_sectors_%d_in_flight_%d_MB_warps", IN_FLIGHT, 1 << megabytes_log2);
            const double ns = median_ns([=] { read_random<IN_FLIGHT, false><<<groups, 256>>>((const uint32_t *)b, sink, shift, count); });
            say(name, warps, (double)groups * 256 * count / ns, "sectors per ns");
        }
}

static void random_reads_by_warps()
{
    random_read_by_warps<1>();
    random_read_by_warps<2>();
    random_read_by_warps<4>();
    random_read_by_warps<8>();
}

template <int IN_FLIGHT, bool L1> static void random_read(const char *name)
{
    for (int megabytes_log2 : {0, 2, 4, 5, 6, 8, 10}) {
        const int shift = 32 - (megabytes_log2 + 15), groups = sms * 8, count = 64; /* 2^15 sectors a megabyte */
        const double ns = median_ns([=] { read_random<IN_FLIGHT, L1><<<groups, 256>>>((const uint32_t *)b, sink, shift, count); });
        say(name, 1L << megabytes_log2, (double)groups * 256 * count / ns, "sectors per ns");
    }
}

static void random_reads()
{
    random_read<1, false>("random_sectors_1_in_flight_MB");
    random_read<2, false>("random_sectors_2_in_flight_MB");
    random_read<4, false>("random_sectors_4_in_flight_MB");
    random_read<1, true>("random_sectors_L1_1_in_flight_MB");
    random_read<4, true>("random_sectors_L1_4_in_flight_MB");
}

/* ---- Rows that a thread each walks along ---------------------------------------------------------------------------------- */

enum { ROW_WORDS = 256 };

/* ROWS rows of each thread side by side in time, word by word; neighbours' are a row and `odd` words apart. What L1 keeps of a row's sectors until the thread comes back to them decides. */
template <int ROWS> __global__ void __launch_bounds__(128) walk_rows(const uint32_t *from, uint32_t *sink, uint32_t odd, uint32_t rows)
{
    const uint32_t threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t sum = 0;
    for (uint32_t row = thread; row < rows / ROWS; row += threads) {
#pragma unroll 1
        for (int k = 0; k < ROW_WORDS; k += 2)
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                sum ^= from[(size_t)(row + r * (rows / ROWS)) * (ROW_WORDS + odd) + k] ^ from[(size_t)(row + r * (rows / ROWS)) * (ROW_WORDS + odd) + k + 1];
    }
    if (sum == 12345)
        sink[0] = sum;
}

/* With so many warps at work on each SM, out of 256 MB. */
template <int ROWS> static void rows_by_warps(uint32_t odd)
{
    for (int warps : {4, 8, 12, 16, 20, 24, 32, 40, 48, 64}) {
        const uint32_t rows = (uint32_t)sms * 64 * 32 / 2 * 2;
        char name[64];
        snprintf(name, sizeof name, "%d_rows_a_thread_%u_words_more_warps", ROWS, odd);
        const double ns = median_ns([=] { walk_rows<ROWS><<<sms * warps / 4, 128>>>((const uint32_t *)b, sink, odd, rows); });
        say(name, warps, (double)rows * ROW_WORDS * 4 / ns, "GB/s");
    }
}

/* Rows that a thread each stores word by word: a part of a sector at a time. */
__global__ void __launch_bounds__(128) store_rows(uint32_t *to, uint32_t stride, uint32_t rows, uint32_t words)
{
    const uint32_t threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (uint32_t row = thread; row < rows; row += threads)
#pragma unroll 1
        for (uint32_t k = 0; k < words; k++)
            to[(size_t)row * stride + k] = k;
}

static void stored_rows()
{
    const uint32_t rows = (uint32_t)sms * 64 * 32, words = 128;
    for (uint32_t stride : {128, 256, 264, 512})
        for (int warps : {8, 32, 64}) {
            char name[64];
            snprintf(name, sizeof name, "stored_rows_%u_words_apart_warps", stride);
            const double ns = median_ns([=] { store_rows<<<sms * warps / 4, 128>>>((uint32_t *)a, stride, rows, words); });
            say(name, warps, (double)rows * words / ns / clock_ghz, "stores per clk");
        }
}

static void walked_rows()
{
    rows_by_warps<1>(0);
    rows_by_warps<1>(1);
    rows_by_warps<1>(8);
    rows_by_warps<2>(0);
    rows_by_warps<2>(8);
    rows_by_warps<4>(8);
}

/* ---- Atomics on local memory: all SMs, full -------------------------------------------------------------------------------- */

enum shared_kind { ADD_ONE, ADD_ANY, ADD_RETURNS, ADD_FLOAT, MAX_STEADY, MAX_RISING };
enum { DISTINCT = 0, SAME = -1 };

static __device__ __forceinline__ void max_by_cas(uint32_t *at, float v)
{
    uint32_t old = *(volatile uint32_t *)at, assumed;
    do {
        assumed = old;
        old = atomicCAS(at, assumed, __float_as_uint(fmaxf(v, __uint_as_float(assumed))));
    } while (old != assumed);
}

/* Of 256 bins a warp's lanes take `spread` at random, or 32 side by side (DISTINCT), or one that is the warp's own (SAME); 8 choices in turn. */
template <shared_kind KIND> __global__ void __launch_bounds__(1024, 2) shared_atomics(uint32_t *sink, int spread, int repeats)
{
    __shared__ uint32_t bins[256];
    const uint32_t lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    uint32_t at[8], sum = 0;
    for (uint32_t j = 0; j < 8; j++)
        at[j] = (spread == DISTINCT ? j * 32 + lane : spread == SAME ? warp * 8 + j : hash((warp * 256 + j * 32 + lane % (uint32_t)spread) * 2654435761u) >> 7) & 255;
    if (threadIdx.x < 256)
        bins[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll 1
    for (int r = 0; r < repeats; r++)
#pragma unroll
        for (int j = 0; j < 8; j++) {
            uint32_t *bin = &bins[at[j]];
            switch (KIND) {
            case ADD_ONE: atomicAdd(bin, 1u); break;
            case ADD_ANY: atomicAdd(bin, r + lane); break;
            case ADD_RETURNS: sum ^= atomicAdd(bin, r + lane); break;
            case ADD_FLOAT: atomicAdd((float *)bin, 1.0f); break;
            case MAX_STEADY: max_by_cas(bin, 0.0f); break;
            case MAX_RISING: max_by_cas(bin, (float)((r * 8 + j) * 32 + (int)lane)); break; /* each lane more than the one before */
            }
        }
    __syncthreads();
    if ((sum ^ bins[threadIdx.x & 255]) == 0xdeadbeef)
        sink[0] = 1;
}

template <shared_kind KIND> static void shared_atomic(const char *kind)
{
    const int repeats = KIND < ADD_FLOAT ? 256 : 8; /* lanes that share a bin take turns in a loop around CAS */
    for (int spread : {(int)DISTINCT, (int)SAME, 1, 2, 4, 8, 16, 32}) {
        const double ns = median_ns([=] { shared_atomics<KIND><<<2 * sms, 1024>>>(sink, spread, repeats); }, 1, 3);
        const double base = median_ns([=] { shared_atomics<KIND><<<2 * sms, 1024>>>(sink, spread, 0); }, 1, 3); /* the launch and the choice of bins */
        char name[64], text[32];
        snprintf(name, sizeof name, "shared_%s_bins_of_a_warp", kind);
        snprintf(text, sizeof text, "%d", spread);
        say(name, spread == DISTINCT ? "distinct" : spread == SAME ? "same" : text, (ns - base) * clock_ghz / (64.0 * 8 * repeats), "clk per warp instruction");
    }
}

static void shared_atomics_all()
{
    shared_atomic<ADD_ONE>("add_1");
    shared_atomic<ADD_ANY>("add");
    shared_atomic<ADD_RETURNS>("add_returns");
    shared_atomic<ADD_FLOAT>("add_f32");
    shared_atomic<MAX_STEADY>("max_by_cas_steady");
    shared_atomic<MAX_RISING>("max_by_cas_rising");
}

/* ---- All of it ------------------------------------------------------------------------------------------------------------ */

struct section {
    const char *name;
    void (*measure)();
};

static const section sections[] = {
    {"instructions", all_instructions},
    {"latencies", latencies},
    {"on_chip", on_chip_memory},
    {"constants", constant_memory},
    {"barriers", all_barriers},
    {"launches", launches},
    {"placement", placement},
    {"constant_walks", constant_walks},
    {"images", all_images},
    {"l1_rows", l1_rows},
    {"group_streams", group_streams},
    {"random_reads", random_reads},
    {"random_reads_by_warps", random_reads_by_warps},
    {"walked_rows", walked_rows},
    {"stored_rows", stored_rows},
    {"shared_atomics", shared_atomics_all},
    {"random_atomics", [] { random_atomics((uint32_t *)a); }},
    {"busy_barriers", busy_barriers},
    {"atomics", [] { all_atomics((uint32_t *)a); }},
    {"bandwidths", [] { bandwidths(a, b, c); }},
    {"formatted_writes", formatted_writes},
    {"clock", measure_clock},
    {"lashgar", [] {
         lashgar<1>((const uint32_t *)b, a, (double *)c);
         lashgar<2>((const uint32_t *)b, a, (double *)c);
         lashgar<3>((const uint32_t *)b, a, (double *)c);
         lashgar<4>((const uint32_t *)b, a, (double *)c);
     }},
};

static void prepare()
{
    cudaDeviceProp properties;
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    sms = properties.multiProcessorCount;
    say("device", properties.name, sms, "SMs");
    CHECK(cudaMalloc(&cycles_at_device, 64));
    CHECK(cudaMalloc(&sink, 65536));
    CHECK(cudaMalloc(&offsets_at_device, 128));
    CHECK(cudaMalloc(&global_64k, 65536));
    CHECK(cudaMemset(global_64k, 0, 65536));
    CHECK(cudaMalloc(&a, 1u << 30));
    CHECK(cudaMalloc(&b, 1u << 30));
    CHECK(cudaMalloc(&c, 1u << 30));
    CHECK(cudaMemset(a, 0, 1u << 30));
    CHECK(cudaMemset(b, 1, 1u << 30));
    CHECK(cudaMemset(c, 2, 1u << 30));
    measure_clock();
}

static bool wanted(const char *name, int argc, char **argv)
{
    bool found = argc < 2;
    for (int i = 1; i < argc; i++)
        found |= strcmp(name, argv[i]) == 0;
    return found;
}

/* The sections run in a process of their own, since a fault on the device leaves none that could go on; another one then takes up the rest. */
int main(int argc, char **argv)
{
    enum { COUNT = sizeof(sections) / sizeof(sections[0]), SECONDS = 60 };
    bool failed = false;
    volatile int *at = (volatile int *)mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    printf("name,parameter,value,unit\n");
    fflush(stdout);
    for (*at = 0; *at < COUNT; *at += 1) {
        const pid_t child = fork();
        if (child < 0) {
            perror("fork");
            return 1;
        }
        if (child == 0) {
            alarm(SECONDS);
            prepare();
            for (; *at < COUNT; *at += 1)
                if (wanted(sections[*at].name, argc, argv)) {
                    alarm(SECONDS);
                    sections[*at].measure();
                }
            exit(0);
        }
        waitpid(child, NULL, 0);
        if (*at < COUNT) {
            fprintf(stderr, "clocks.cu: %s failed\n", sections[*at].name);
            failed = true;
        }
    }
    return failed;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
