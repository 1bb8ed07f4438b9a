/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Resident work-groups on grids of cases, against the vendors' own calculators: NVIDIA's header cuda_occupancy.h where
 * a CUDA toolkit is installed (compute capability 3.0 and later), the formulas of NVIDIA's spreadsheet for 1.x and 2.x,
 * the waves that LLVM's AMDGPU backend reports and a hand-out of AMD's resources wave by wave, AMD's table for Cayman.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#ifdef HAVE_CUDA_OCCUPANCY
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wsign-compare"
#include <cuda_occupancy.h>
#pragma GCC diagnostic pop
#endif

#include "model/launch/occupancy.h"

static const uint32_t sizes[] = {1,   16,  32,  33,  64,  96,  100, 128, 160, 192, 224, 256,
                                 288, 320, 352, 384, 400, 448, 484, 512, 640, 768, 960, 1024};
static const uint32_t bytes[] = {0,    1,     100,   256,   513,   1024,  2000,  2048,  3000,  4096,  5000,   6000,
                                 8192, 10000, 12288, 16000, 16384, 24576, 32768, 40000, 49152, 65536, 100000, 163840};
enum { SIZES = sizeof sizes / sizeof sizes[0], BYTES = sizeof bytes / sizeof bytes[0] };

static struct gp_device *load(const char *name)
{
    struct gp_error error;
    struct gp_device *device = gp_device_load(name, SOURCE_HWDB, &error);
    if (device == NULL)
        fail_msg("%s", error.text);
    return device;
}

static double ours(const struct gp_device *d, uint32_t items, uint32_t registers, uint32_t local_bytes)
{
    struct gp_occupancy o;
    struct gp_error error;
    return gp_occupancy(d, items, registers, 0, local_bytes, &o, &error) ? o.resident_groups : 0;
}

static void compare(const struct gp_device *d, uint32_t items, uint32_t registers, uint32_t local_bytes, double theirs)
{
    double groups = ours(d, items, registers, local_bytes);
    if (groups != theirs)
        fail_msg("%s, %u work-items, %u registers, %u B: %g groups, the vendor's calculator says %g", d->name, items,
                 registers, local_bytes, groups, theirs);
}

/* ---- NVIDIA's header ---- */

#ifdef HAVE_CUDA_OCCUPANCY
static int header_says(const struct gp_device *d, uint32_t items, uint32_t registers, uint32_t local_bytes)
{
    size_t usual = d->smem_per_block.value < 49152 ? (size_t)d->smem_per_block.value : 49152;
    cudaOccDeviceProp device = {.computeMajor = (int)d->compute_capability / 10,
                                .computeMinor = (int)d->compute_capability % 10,
                                .maxThreadsPerBlock = (int)d->max_threads_per_block.value,
                                .maxThreadsPerMultiprocessor = (int)d->max_threads_per_sm.value,
                                .regsPerBlock = (int)d->registers_per_sm.value,
                                .regsPerMultiprocessor = (int)d->registers_per_sm.value,
                                .warpSize = 32,
                                .sharedMemPerBlock = usual,
                                .sharedMemPerMultiprocessor = (size_t)d->smem_per_sm.value,
                                .numSms = (int)d->sm_count.value,
                                .sharedMemPerBlockOptin = (size_t)d->smem_per_block.value,
                                .reservedSharedMemPerBlock = (size_t)d->smem_reserved.value};
    cudaOccFuncAttributes function = {.maxThreadsPerBlock = INT_MAX,
                                      .numRegs = (int)registers,
                                      .partitionedGCConfig = PARTITIONED_GC_OFF,
                                      .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                      .maxDynamicSharedSizeBytes = (size_t)d->smem_per_block.value,
                                      .numBlockBarriers = 1};
    cudaOccDeviceState state = {.cacheConfig = CACHE_PREFER_SHARED, .carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED};
    cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, (int)items, local_bytes) !=
        CUDA_OCC_SUCCESS)
        return 0;
    return result.activeBlocksPerMultiprocessor;
}

static void test_header(void **state)
{
    (void)state;
    static const char *const names[] = {"k20",     "gtx680",   "k600",      "gtx645",  "k620",    "940m",  "v100",
                                        "t4",      "rtx2070s", "rtx2080ti", "a100",    "a100-80", "a4000", "a6000",
                                        "rtx3070", "rtx3080",  "rtx3090",   "rtx4090", "h100",    "h200"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++) {
        struct gp_device *d = load(names[n]);
        uint32_t most = (uint32_t)d->max_registers_per_thread.value;
        for (size_t s = 0; s < SIZES; s++) {
            for (uint32_t registers = 1; registers <= most; registers++)
                compare(d, sizes[s], registers, 0, header_says(d, sizes[s], registers, 0));
            for (size_t b = 0; b < BYTES; b++)
                compare(d, sizes[s], 24, bytes[b], header_says(d, sizes[s], 24, bytes[b]));
        }
        gp_device_free(d);
    }
}
#else
static void test_header(void **state)
{
    (void)state;
    skip();
}
#endif

/* ---- NVIDIA's spreadsheet, "CUDA Occupancy Calculator": the columns of its table of GPU data and its formulas ---- */

struct spreadsheet {
    const char *name;
    int warps, threads, blocks, registers, register_unit, most_registers, shared, shared_unit, warp_unit, system_shared;
    bool by_warp;
};

static const struct spreadsheet gpus[] = {
    {"8800gtx", 24, 768, 8, 8192, 256, 124, 16384, 512, 2, 16, false},
    {"fx5600", 24, 768, 8, 8192, 256, 124, 16384, 512, 2, 16, false},
    {"8800gt", 24, 768, 8, 8192, 256, 124, 16384, 512, 2, 16, false},
    {"gtx280", 32, 1024, 8, 16384, 512, 124, 16384, 512, 2, 16, false},
    {"m2070", 48, 1536, 8, 32768, 64, 63, 49152, 128, 2, 0, true},
    {"gtx580", 48, 1536, 8, 32768, 64, 63, 49152, 128, 2, 0, true},
};

static int ceiling(int value, int unit) { return (value + unit - 1) / unit * unit; }

/* Fermi's unit is doubled for these counts (cuda_occupancy.h before CUDA 9). */
static int register_unit(const struct spreadsheet *g, int registers)
{
    bool doubled = registers == 21 || registers == 22 || registers == 29 || registers == 30 || registers == 37 ||
                   registers == 38 || registers == 45 || registers == 46;
    return g->by_warp && doubled ? 2 * g->register_unit : g->register_unit;
}

static int spreadsheet_says(const struct spreadsheet *g, int items, int registers, int local_bytes)
{
    int warps = ceiling(items, 32) / 32, of_block = ceiling(warps, g->by_warp ? 1 : g->warp_unit);
    if (items > (g->by_warp ? 1024 : 512))
        return 0;
    int by_warps = g->warps / of_block, by_registers, by_shared = INT_MAX;
    if (g->by_warp) {
        int of_warp = ceiling(registers * 32, register_unit(g, registers));
        if (of_warp * ceiling(warps, g->warp_unit) > g->registers)
            return 0;
        by_registers = g->registers / of_warp / g->warp_unit * g->warp_unit / warps;
    } else {
        by_registers = g->registers / ceiling(of_block * registers * 32, g->register_unit);
    }
    int shared = ceiling(local_bytes + g->system_shared, g->shared_unit);
    if (shared > 0)
        by_shared = g->shared / shared;
    int blocks = g->blocks;
    blocks = by_warps < blocks ? by_warps : blocks;
    blocks = by_registers < blocks ? by_registers : blocks;
    return by_shared < blocks ? by_shared : blocks;
}

static void test_spreadsheet(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof gpus / sizeof gpus[0]; n++) {
        const struct spreadsheet *g = &gpus[n];
        struct gp_device *d = load(g->name);
        for (int items = 1; items <= 1024; items += items % 32 == 1 ? 31 : items % 32 == 0 ? 1 : 31)
            for (int registers = 1; registers <= g->most_registers; registers++)
                for (int local_bytes = 0; local_bytes <= 49152; local_bytes += local_bytes < 8192 ? 600 : 4100)
                    compare(d, (uint32_t)items, (uint32_t)registers, (uint32_t)local_bytes,
                            spreadsheet_says(g, items, registers, local_bytes));
        gp_device_free(d);
    }
}

/* ---- AMD ---- */

/* Largest number of vector registers for each number of waves, most waves first: as llc reports "Occupancy" for code
 * that needs so many. */
struct waves {
    uint32_t waves, registers;
};
static const struct waves gfx906[] = {{10, 24}, {9, 28}, {8, 32},  {7, 36},  {6, 40}, {5, 48},
                                      {4, 64},  {3, 84}, {2, 128}, {1, 256}, {0, 0}};
static const struct waves gfx90a[] = {{8, 64}, {7, 72}, {6, 80}, {5, 96}, {4, 128}, {3, 168}, {2, 256}, {0, 0}};
static const struct waves gfx1032[] = {{16, 64}, {12, 80}, {10, 96}, {9, 112}, {8, 128},
                                       {7, 144}, {6, 160}, {5, 192}, {4, 256}, {0, 0}};
static const struct waves gfx1100[] = {{16, 96}, {12, 120}, {10, 144}, {9, 168}, {8, 192}, {7, 216}, {6, 240}, {0, 0}};
/* AMD APP OpenCL Programming Guide, wavefronts of a compute unit by general-purpose registers of 128 bits, 5 or more
 * registers. */
static const struct waves cayman[] = {{20, 12 * 4}, {19, 13 * 4}, {17, 14 * 4}, {16, 15 * 4}, {15, 16 * 4},
                                      {14, 17 * 4}, {13, 19 * 4}, {12, 20 * 4}, {11, 22 * 4}, {10, 24 * 4},
                                      {9, 27 * 4},  {8, 31 * 4},  {7, 35 * 4},  {6, 41 * 4},  {5, 49 * 4},
                                      {4, 62 * 4},  {3, 82 * 4},  {2, 124 * 4}, {0, 0}};

/* Groups of one wave per SIMD: as many as waves. RDNA: a work-group processor has 4 SIMDs, and a CU half of its groups.
 */
static void test_waves(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const struct waves *table;
        uint32_t items;
        double share;
    } rows[] = {{"mi50", gfx906, 256, 1},
                {"mi250x", gfx90a, 256, 1},
                {"w6600", gfx1032, 128, 0.5},
                {"w7800", gfx1100, 128, 0.5},
                {"hd6970", cayman, 64, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gp_device *d = load(rows[i].name);
        uint32_t registers = 1;
        for (const struct waves *w = rows[i].table; w->waves > 0; w++)
            for (; registers <= w->registers; registers++)
                compare(d, rows[i].items, registers, 0, rows[i].share * w->waves);
        gp_device_free(d);
    }
}

/*
 * What groups share, and how much of it there is: a CU's of GCN and CDNA, of RDNA a work-group processor's, which is
 * two CUs. Registers are of a SIMD, per lane; AMD's ISA documents and LLVM's AMDGPUUsage have them. Scalar registers
 * limit gfx9 and older. A group of several waves takes one of the barriers.
 */
struct resources {
    const char *name;
    uint32_t lanes, slots, registers, register_unit, scalars, bytes, byte_unit, barriers;
    double share;
};

static const struct resources amd[] = {
    {"mi50", 64, 10, 256, 4, 800, 65536, 512, 16, 1},
    {"mi250x", 64, 8, 512, 8, 800, 65536, 512, 16, 1},
    {"w6600", 32, 16, 1024, 16, 0, 131072, 1024, 32, 0.5},
    {"w7800", 32, 16, 1536, 24, 0, 131072, 1024, 32, 0.5},
};
enum { AMD = sizeof amd / sizeof amd[0], SIMDS = 4 };

static bool holds(const struct resources *r, uint32_t waves, uint32_t registers, uint32_t scalars)
{
    bool enough_scalars = r->scalars == 0 || waves * (uint32_t)ceiling((int)scalars, 16) <= r->scalars;
    return waves <= r->slots && waves * (uint32_t)ceiling((int)registers, (int)r->register_unit) <= r->registers &&
           enough_scalars;
}

/* Groups come one by one and their waves go to the SIMDs in turn, until something is used up. */
static uint32_t handed_out(const struct resources *r, uint32_t items, uint32_t registers, uint32_t scalars,
                           uint32_t local_bytes)
{
    uint32_t waves = (items + r->lanes - 1) / r->lanes, on[SIMDS] = {0}, next = 0, bytes_taken = 0, groups = 0;
    for (;; groups++) {
        bytes_taken += (uint32_t)ceiling((int)local_bytes, (int)r->byte_unit);
        if (bytes_taken > r->bytes || (waves > 1 && groups == r->barriers))
            return groups;
        for (uint32_t w = 0; w < waves; w++, next = (next + 1) % SIMDS)
            if (!holds(r, ++on[next], registers, scalars))
                return groups;
    }
}

static void compare_handed_out(const struct gp_device *d, const struct resources *r, uint32_t items, uint32_t registers,
                               uint32_t scalars, uint32_t local_bytes)
{
    struct gp_occupancy o;
    struct gp_error error;
    double groups = gp_occupancy(d, items, registers, scalars, local_bytes, &o, &error) ? o.resident_groups : 0;
    double theirs = r->share * handed_out(r, items, registers, scalars, local_bytes);
    if (groups != theirs)
        fail_msg("%s, %u work-items, %u and %u scalar registers, %u B: %g groups, handed out one by one %g", d->name,
                 items, registers, scalars, local_bytes, groups, theirs);
}

/* Groups of 1 to 32 waves; LDS, vector and scalar registers, slots and barriers, each alone and two at a time. */
static void test_handed_out(void **state)
{
    (void)state;
    static const uint32_t some_registers[] = {1, 24, 40, 65, 128};
    for (size_t i = 0; i < AMD; i++) {
        const struct resources *r = &amd[i];
        struct gp_device *d = load(r->name);
        for (size_t s = 0; s < SIZES; s++) {
            for (uint32_t registers = 1; registers <= 256; registers++)
                compare_handed_out(d, r, sizes[s], registers, 0, 0);
            for (uint32_t scalars = 1; scalars <= 102; scalars++)
                for (size_t v = 0; v < sizeof some_registers / sizeof some_registers[0]; v++)
                    compare_handed_out(d, r, sizes[s], some_registers[v], scalars, 0);
            for (size_t b = 0; b < BYTES && bytes[b] <= 65536; b++)
                for (size_t v = 0; v < sizeof some_registers / sizeof some_registers[0]; v++)
                    compare_handed_out(d, r, sizes[s], some_registers[v], 16, bytes[b]);
        }
        gp_device_free(d);
    }
}

/* Waves of a SIMD that llc reports for groups of 256 work-items of gfx90a by their LDS. It counts bytes, the hardware
 * units of 512: it says 7, too, from 9217 to 9362 B. */
static void test_local_memory(void **state)
{
    (void)state;
    static const struct {
        uint32_t bytes, waves;
    } rows[] = {{8192, 8}, {8193, 7}, {9216, 7}, {9728, 6}, {16384, 4}, {16385, 3}, {32768, 2}, {32769, 1}};
    struct gp_device *d = load("mi250x");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        compare(d, 256, 8, rows[i].bytes, rows[i].waves);
    gp_device_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_header), cmocka_unit_test(test_spreadsheet),
                                       cmocka_unit_test(test_waves), cmocka_unit_test(test_handed_out),
                                       cmocka_unit_test(test_local_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
