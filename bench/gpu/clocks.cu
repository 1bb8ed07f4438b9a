/*
 * What the database of devices asks of a GPU: latencies and rates of instructions, of local memory, caches and DRAM, of atomics, barriers and
 * launches, measured on the NVIDIA GPU at hand. Prints lines "name,parameter,value,unit".
 *
 *   nvcc -arch=native -O3 -o clocks bench/gpu/clocks.cu && ./clocks > clocks.csv
 *
 * Takes some ten seconds and 3 GB of the GPU's memory.
 */
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <algorithm>
#include <vector>
#include <cuda_fp16.h>

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
template <class F> static double median_ns(F launch, int together = 1)
{
    cudaEvent_t begin, end;
    std::vector<float> times;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    launch();
    for (int i = 0; i < 7; i++) {
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

enum access { LDS32, LDS64, LDS128, STS32, STS128, L1_32, L1_64, L1_128, REDS, ATOMS, CASTS };

/* Each lane at byte `offset[lane]` of a row, 64 rows 512 bytes apart in turn. */
template <access KIND> __global__ void on_chip(long long *cycles, uint32_t *sink, const uint32_t *offsets, const uint32_t *global, int repeats)
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
template <access KIND, class F> static void pattern(const char *name, long parameter, F of)
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

__constant__ uint32_t constants[8192];

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

enum where { ONE_ADDRESS, ONE_PER_WARP, ONE_PER_GROUP, SAME_SECTOR, SIDE_BY_SIDE, SECTORS, BINS_256, BINS_8 };

template <where PLACE, bool RETURNS> __global__ void atomics(uint32_t *memory, uint32_t *sink, int count)
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
        }
        if (RETURNS)
            asm volatile("{.reg .u32 t; atom.global.add.u32 t, [%1], %2; add.u32 %0, %0, t;}" : "+r"(got) : "l"(memory + at), "r"(random));
        else
            asm volatile("red.global.add.u32 [%0], %1;" ::"l"(memory + at), "r"(random) : "memory");
    }
    if (RETURNS && got == 12345)
        sink[thread % 1024] = got;
}

template <where PLACE> static void atomic(const char *name, uint32_t *memory)
{
    const int groups = sms * 8, count = PLACE == ONE_ADDRESS || PLACE == SAME_SECTOR || PLACE == BINS_8 ? 16 : 64;
    const double all = (double)groups * 256 * count;
    say("global_red", name, all / median_ns([&] { atomics<PLACE, false><<<groups, 256>>>(memory, sink, count); }) / clock_ghz, "operations per clk");
    say("global_atom", name, all / median_ns([&] { atomics<PLACE, true><<<groups, 256>>>(memory, sink, count); }) / clock_ghz, "operations per clk");
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

int main()
{
    cudaDeviceProp properties;
    char *a, *b, *c;
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDeviceProperties(&properties, 0));
    sms = properties.multiProcessorCount;
    printf("name,parameter,value,unit\n");
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
    all_instructions();
    latencies();
    on_chip_memory();
    constant_memory();
    all_barriers();
    launches();
    all_atomics((uint32_t *)a);
    bandwidths(a, b, c);
    measure_clock();
    lashgar<1>((const uint32_t *)b, a, (double *)c);
    lashgar<2>((const uint32_t *)b, a, (double *)c);
    lashgar<3>((const uint32_t *)b, a, (double *)c);
    lashgar<4>((const uint32_t *)b, a, (double *)c);
    return 0;
}
