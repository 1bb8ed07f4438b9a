/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Requests of every memory space on every architecture, against numbers worked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "hand_device.h"
#include "model/memory/lanes.h"
#include "model/memory/request_memo.h"

#define ALL32                         0xffffffffu
#define ALL64                         UINT64_MAX
#define assert_near(actual, expected) assert_true(fabs((actual)-1.0 * (expected)) <= 1e-6)
#define SET(device, field, number) \
    (device).field = (struct gp_number) { .value = (number), .origin = GP_FROM_VENDOR, .source = "test" }

/* ---- Fixtures ------------------------------------------------------------------------------------------------ */

static struct gp_inst inst;
static struct gp_memory memory;
static struct gp_kernel kernel = {.insts = &inst, .inst_count = 1, .memory = &memory, .memory_count = 1};
static uint32_t symbol[64];
static uint64_t offset[64];

/* The access under test: set by one of the shapes below, then costed. */
static void use(enum gp_space space, unsigned bytes, unsigned vector, unsigned flags)
{
    inst = (struct gp_inst){.op = flags & GP_MEMORY_STORE ? GP_OP_STORE : GP_OP_LOAD, .record = 0};
    memory = (struct gp_memory){.space = (uint8_t)space,
                                .element_bytes = (uint16_t)bytes,
                                .vector = (uint16_t)vector,
                                .alignment = (uint16_t)(bytes * vector),
                                .flags = (uint8_t)flags};
    for (int i = 0; i < 64; i++)
        symbol[i] = 7;
}

static void stride(int64_t start, int64_t step)
{
    for (int i = 0; i < 64; i++)
        offset[i] = (uint64_t)(start + i * step);
}

/* Rows of so many lanes that share an element, so many bytes apart. */
static void rows_of(int lanes, uint64_t apart)
{
    for (int i = 0; i < 64; i++)
        offset[i] = (uint64_t)(i / lanes) * apart;
}

static struct gp_request cost(const struct gp_device *device, gp_mask active)
{
    struct gp_access access = {.active = active, .weight = 1, .symbol = symbol, .offset = offset};
    struct gp_request request;
    gp_request_cost(device, &kernel, &access, &request);
    return request;
}

static struct gp_request cost_uniform(const struct gp_device *device, gp_mask active)
{
    struct gp_access access = {.active = active, .weight = 1, .symbol = symbol, .offset = offset, .uniform = true};
    struct gp_request request;
    gp_request_cost(device, &kernel, &access, &request);
    return request;
}

static struct gp_device nvidia(enum gp_arch arch)
{
    struct gp_device d = hand_device();
    hand_arch(&d, arch);
    return d;
}

static struct gp_device ga10x(void) /* 16 address lanes, 64 B/clk from L1, 128 B/clk from shared memory */
{
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    SET(d, lsu_lanes, 16);
    SET(d, load_lanes, 16);
    SET(d, l1_bytes_per_clk, 64);
    return d;
}

static struct gp_device turing(void) /* 16 address lanes, 64 B/clk from both */
{
    struct gp_device d = ga10x();
    hand_arch(&d, GP_ARCH_TURING);
    SET(d, smem_bytes_per_clk, 64);
    return d;
}

static struct gp_device amd(enum gp_arch arch)
{
    struct gp_device d = hand_device();
    bool rdna = arch == GP_ARCH_RDNA;
    hand_arch(&d, arch);
    SET(d, warp_width, rdna ? 32 : 64);
    SET(d, lsu_lanes, rdna ? 32 : 16);
    SET(d, l1_line, rdna ? 128 : 64);
    SET(d, l1_sector, rdna ? 128 : 64);
    SET(d, l1_bytes_per_clk, rdna ? 128 : 64);
    SET(d, scalar_unit, 1);
    return d;
}

static struct gp_device tesla(enum gp_arch arch)
{
    struct gp_device d = hand_device();
    hand_arch(&d, arch);
    SET(d, lsu_lanes, 8);
    SET(d, load_lanes, 8);
    SET(d, smem_banks, 16);
    SET(d, smem_bytes_per_clk, 32); /* 16 banks of 4 bytes every other clock */
    SET(d, l1_size, 0);
    SET(d, l1_line, 0);
    SET(d, l1_sector, 0);
    SET(d, l1_bytes_per_clk, 0);
    return d;
}

/* ---- Global memory, compute capability 5.x and later --------------------------------------------------------- */

static void unit_stride(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, ALL32); /* 128 bytes: 4 sectors of one line, one pass */
    assert_near(r.transactions, 4);
    assert_near(r.ideal_transactions, 4);
    assert_near(r.lines, 1);
    assert_near(r.bytes, 128);
    assert_near(r.useful_bytes, 128);
    assert_near(r.wavefronts, 1);
    assert_near(r.ideal_wavefronts, 1);
    assert_int_equal(r.stride, 4);
    assert_false(r.uniform);
    assert_false(r.guessed);

    use(GP_SPACE_GLOBAL, 8, 1, 0);
    stride(256, 8);
    r = cost(&d, ALL32); /* 256 bytes: 8 sectors, 2 lines; each half-warp is a pass */
    assert_near(r.transactions, 8);
    assert_near(r.lines, 2);
    assert_near(r.wavefronts, 2);
    assert_near(r.ideal_wavefronts, 2);

    use(GP_SPACE_GLOBAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL32); /* 512 bytes: 16 sectors, 4 lines, 4 quarter-warps */
    assert_near(r.transactions, 16);
    assert_near(r.ideal_transactions, 16);
    assert_near(r.lines, 4);
    assert_near(r.wavefronts, 4);
    assert_near(r.ideal_wavefronts, 4);

    use(GP_SPACE_GLOBAL, 1, 1, 0);
    stride(0, 1);
    r = cost(&d, ALL32); /* 32 bytes: one sector */
    assert_near(r.transactions, 1);
    assert_near(r.wavefronts, 1);
}

static void lanes_of_the_load_store_unit(void **state)
{
    (void)state;
    struct gp_device d = ga10x();
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    assert_near(cost(&d, ALL32).wavefronts, 2); /* max(32/16 lanes, 1 x 128/64) */
    stride(0, 8);
    struct gp_request r = cost(&d, ALL32); /* 2-way: max(2, 2 x 2) */
    assert_near(r.wavefronts, 4);
    assert_near(r.ideal_wavefronts, 2);
}

static void misaligned_by_one(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_VOLTA);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(4, 4);
    struct gp_request r = cost(&d, ALL32); /* bytes 4..131: sectors 0..4, lines 0 and 1 */
    assert_near(r.transactions, 5);
    assert_near(r.ideal_transactions, 4);
    assert_near(r.lines, 2);
    assert_near(r.wavefronts,
                1.25); /* 32 neighbouring words are in different banks wherever they start; two lines are looked up */
    stride(-4, 4);
    r = cost(&d, ALL32); /* bytes -4..123 */
    assert_near(r.transactions, 5);
    assert_near(r.lines, 2);
}

static void strided(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 8);
    struct gp_request r = cost(&d, ALL32); /* 252 bytes: 8 sectors, 2 lines, words 0, 2 .. 62: two per even bank */
    assert_near(r.transactions, 8);
    assert_near(r.ideal_transactions, 4);
    assert_near(r.lines, 2);
    assert_near(r.useful_bytes, 128);
    assert_near(r.wavefronts, 2);
    assert_near(r.ideal_wavefronts, 1);
    stride(0, 12);
    r = cost(&d, ALL32); /* bytes 0..375: sectors 0..11; words 0, 3 .. 93 are in different banks */
    assert_near(r.transactions, 12);
    assert_near(r.lines, 3);
    assert_near(r.wavefronts, 1.75);
    stride(0, 4096);
    r = cost(&d, ALL32); /* a column: 32 sectors of 32 lines, all in bank 0 */
    assert_near(r.transactions, 32);
    assert_near(r.ideal_transactions, 4);
    assert_near(r.lines, 32);
    assert_near(r.bytes, 1024);
    assert_near(r.wavefronts, 32);
    assert_int_equal(r.stride, 4096);
    stride(0, 4100);
    r = cost(&d, ALL32); /* padded by one: 32 banks, but 32 lines at 4 per cycle. Each word in a sector of its own */
    assert_near(r.transactions, 32);
    assert_near(r.wavefronts, 9);
    stride(0, -4);
    r = cost(&d, ALL32); /* downwards from 0: bytes -124..3: -4 sectors .. and sector 0 */
    assert_near(r.transactions, 5);
    assert_int_equal(r.stride, -4);
    stride(124, -4);
    assert_near(cost(&d, ALL32).transactions, 4);
    use(GP_SPACE_GLOBAL, 8, 1, 0);
    stride(0, 16);
    r = cost(&d, ALL32); /* doubles, every other: 16 sectors, 4 lines; per half words 0,1,4,5 .. 61: 2 per bank */
    assert_near(r.transactions, 16);
    assert_near(r.lines, 4);
    assert_near(r.wavefronts, 4);
}

/* Half of a line's words in a cycle: lines as a whole take two, words of one bank one each. */
static void half_of_a_line(void **state)
{
    (void)state;
    struct gp_device half = ga10x(), whole = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    assert_near(cost(&half, ALL32).wavefronts, 2);
    stride(0, 8);
    assert_near(cost(&half, ALL32).wavefronts, 4); /* 8 banks of 16 */
    assert_near(cost(&whole, ALL32).wavefronts, 2);
    stride(0, 4096);
    assert_near(cost(&half, ALL32).wavefronts, 32);
    assert_near(cost(&whole, ALL32).wavefronts, 32);
    assert_near(cost(&half, 0xf).wavefronts, 4);
}

static void broadcast(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_HOPPER);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(40, 0);
    struct gp_request r = cost(&d, ALL32);
    assert_near(r.transactions, 1);
    assert_near(r.ideal_transactions, 1);
    assert_near(r.useful_bytes, 4);
    assert_near(r.lines, 1);
    assert_near(r.wavefronts, 1);
    assert_true(r.uniform);
    r = cost_uniform(&d, ALL32);
    assert_near(r.transactions, 1);
    assert_true(r.uniform);
    symbol[0] = GP_SYMBOL_UNKNOWN; /* where all read is not known, but it is one place */
    r = cost_uniform(&d, ALL32);
    assert_near(r.transactions, 1);
    assert_false(r.guessed);
    use(GP_SPACE_GLOBAL, 4, 4, 0);
    stride(0, 0);
    r = cost(
        &d,
        ALL32); /* the quarters read the same 4 words, but each quarter's registers are written for itself: 512 bytes */
    assert_near(r.transactions, 1);
    assert_near(r.wavefronts, 4);
    assert_near(r.ideal_wavefronts, 4);
    assert_near(r.lines, 1);
    assert_near(cost(&d, 0xff).wavefronts, 1); /* a quarter */
    d.l1_bytes_per_clk.value = d.smem_bytes_per_clk.value = 64;
    assert_near(cost(&d, ALL32).wavefronts, 8);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    assert_near(cost(&d, ALL32).wavefronts, 2);
    use(GP_SPACE_GLOBAL, 4, 4, GP_MEMORY_STORE);
    assert_true(cost(&d, ALL32).wavefronts < 8); /* nothing is written to registers */
}

static void permuted_and_partial(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    for (int i = 0; i < 32; i++)
        offset[i] = (uint64_t)(i ^ 5) * 4;
    struct gp_request r = cost(&d, ALL32); /* order does not matter */
    assert_near(r.transactions, 4);
    assert_near(r.lines, 1);
    assert_near(r.wavefronts, 1);
    assert_near(r.useful_bytes, 128);
    assert_int_equal(r.stride, 0);
    stride(0, 4);
    r = cost(&d, 0xff); /* 8 lanes: 32 bytes */
    assert_near(r.transactions, 1);
    assert_near(r.ideal_transactions, 1);
    assert_near(r.wavefronts, 1);
    r = cost(&d, 0x55555555); /* every other lane: 4 sectors for 64 bytes; the difference is 8 */
    assert_near(r.transactions, 4);
    assert_near(r.ideal_transactions, 2);
    assert_int_equal(r.stride, 8);
    r = cost(&d, 1u << 31);
    assert_near(r.transactions, 1);
    assert_near(r.useful_bytes, 4);
    r = cost(&d, 0);
    assert_near(r.transactions, 0);
    for (int i = 0; i < 32; i++)
        offset[i] = (uint64_t)(i / 2) * 4; /* pairs share a word: 64 bytes */
    r = cost(&d, ALL32);
    assert_near(r.transactions, 2);
    assert_near(r.ideal_transactions, 2);
    assert_near(r.useful_bytes, 64);
    stride(0, 4);
    for (int i = 16; i < 32; i++)
        symbol[i] = 9; /* another buffer: bytes 64..127 of it */
    r = cost(&d, ALL32);
    assert_near(r.transactions, 4);
    assert_near(r.lines, 2);
    assert_near(r.useful_bytes, 128);
}

static void unknown_addresses(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    for (int i = 16; i < 32; i++)
        symbol[i] = GP_SYMBOL_UNKNOWN;
    struct gp_request r = cost(&d, ALL32); /* 64 bytes in 2 sectors, 16 lanes in a sector each */
    assert_true(r.guessed);
    assert_near(r.transactions, 18);
    assert_near(r.lines, 17);
    assert_near(r.useful_bytes, 128);
    assert_near(r.ideal_transactions, 4);
    for (int i = 0; i < 32; i++)
        symbol[i] = GP_SYMBOL_UNKNOWN;
    r = cost(&d, ALL32); /* 32 lines at 4 a cycle, and one, are more than the 3.53 words expected in the fullest bank */
    assert_near(r.transactions, 32);
    assert_near(r.wavefronts, 9);
    use(GP_SPACE_GLOBAL, 8, 8, 0); /* 64 bytes a lane: 2 sectors each */
    symbol[0] = GP_SYMBOL_UNKNOWN;
    assert_near(cost(&d, 1).transactions, 2);
}

/* float8: two accesses of 16 bytes per lane. Sectors move once. */
static void wide_vectors(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_GLOBAL, 4, 8, 0);
    stride(0, 32);
    struct gp_request r = cost(&d, ALL32); /* 1024 bytes. Per quarter: 8 lanes, every other 16 bytes of 256: 2 lines,
                                              2-way; 4 quarters, 2 pieces */
    assert_near(r.transactions, 32);
    assert_near(r.bytes, 1024);
    assert_near(r.lines, 16);
    assert_near(r.wavefronts, 16);
    assert_near(r.ideal_wavefronts, 8);
    use(GP_SPACE_GLOBAL, 4, 4, 0);
    memory.alignment = 4; /* vload4: four scalar loads with stride 16, each 4-way */
    stride(0, 16);
    r = cost(&d, ALL32);
    assert_near(r.transactions, 16);
    assert_near(r.lines, 16);
    assert_near(r.wavefronts, 16);
    assert_near(r.ideal_wavefronts, 4);
    use(GP_SPACE_GLOBAL, 4, 3, 0);
    memory.alignment = 16; /* float3 is loaded as float4 */
    stride(0, 16);
    r = cost(&d, ALL32);
    assert_near(r.useful_bytes, 384);
    assert_near(r.wavefronts, 4);
}

/* ---- Local memory, compute capability 5.x and later ---------------------------------------------------------- */

static void local_banks(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, ALL32);
    assert_near(r.passes, 1);
    assert_near(r.ideal_passes, 1);
    assert_near(r.conflict_degree, 1);
    assert_near(r.wavefronts, 1);
    stride(0, 128); /* a column of a 32x32 tile: all in one bank */
    r = cost(&d, ALL32);
    assert_near(r.passes, 32);
    assert_near(r.ideal_passes, 1);
    assert_near(r.conflict_degree, 32);
    assert_near(r.wavefronts, 32);
    assert_near(r.ideal_wavefronts, 1);
    stride(0, 132); /* of a 32x33 tile */
    r = cost(&d, ALL32);
    assert_near(r.passes, 1);
    assert_near(r.conflict_degree, 1);
    stride(0, 8);
    assert_near(cost(&d, ALL32).passes, 2);
    stride(0, 12);
    assert_near(cost(&d, ALL32).passes, 1);
    stride(0, 64);
    assert_near(cost(&d, ALL32).passes, 16);
    stride(0, 0);
    r = cost(&d, ALL32);
    assert_near(r.passes, 1);
    assert_true(r.uniform);
    for (int i = 0; i < 32; i++)
        offset[i] = (uint64_t)(i % 16) * 4 + 256; /* multicast: 16 words, 2 lanes each */
    r = cost(&d, ALL32);
    assert_near(r.passes, 1);
    assert_near(r.conflict_degree, 1);
    for (int i = 0; i < 32; i++)
        offset[i] = (uint64_t)(i / 8 * 32 + i % 8) * 4; /* an 8x4 group reads rows of 32: 4 words in each of 8 banks */
    r = cost(&d, ALL32);
    assert_near(r.passes, 4);
    assert_near(r.conflict_degree, 4);
    stride(0, 128);
    assert_near(cost(&d, 0xf).passes, 4); /* 4 lanes only */
}

static void local_widths(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_VOLTA);
    use(GP_SPACE_LOCAL, 8, 1, 0);
    stride(0, 8);
    struct gp_request r = cost(&d, ALL32); /* doubles: a pass per half-warp */
    assert_near(r.passes, 2);
    assert_near(r.ideal_passes, 2);
    assert_near(r.conflict_degree, 1);
    stride(0, 16);
    r = cost(&d, ALL32); /* every other double: 2 words per bank and half */
    assert_near(r.passes, 4);
    assert_near(r.ideal_passes, 2);
    assert_near(r.conflict_degree, 2);
    for (int i = 0; i < 32; i++)
        offset[i] = (uint64_t)(i % 16) * 8; /* both halves read the same 16 doubles: one pass */
    r = cost(&d, ALL32);
    assert_near(r.passes, 1);
    assert_near(r.ideal_passes, 1);
    use(GP_SPACE_LOCAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL32); /* float4: quarter-warps, 128 B/clk */
    assert_near(r.passes, 4);
    assert_near(r.ideal_passes, 4);
    assert_near(r.conflict_degree, 1);
    assert_near(r.wavefronts, 4);
    stride(0, 144); /* rows of 9 float4: words 0, 36, 72 .. of a quarter: banks 0, 4, 8 .. 28: free of conflicts */
    assert_near(cost(&d, ALL32).passes, 4);
    stride(0, 128); /* rows of 8: 8-way in each quarter */
    r = cost(&d, ALL32);
    assert_near(r.passes, 32);
    assert_near(r.conflict_degree, 8);
    stride(0, 0);
    struct gp_device joins = ga10x();
    assert_near(cost(&joins, ALL32).passes, 1); /* the quarters read the same words */
    r = cost(&joins,
             ALL32); /* what they read is written to 32 lanes' registers all the same, which Turing takes longer for */
    assert_near(r.wavefronts, 2);
    joins = turing();
    r = cost(&joins, ALL32);
    assert_near(r.wavefronts, 8);
    assert_near(r.ideal_wavefronts, 8);
    r = cost(
        &d,
        ALL32); /* each its own way where addresses are taken 32 per cycle, and no order of the lanes repairs that */
    assert_near(r.passes, 4);
    assert_near(r.ideal_passes, 4);
    use(GP_SPACE_LOCAL, 1, 1, 0);
    stride(0, 1);
    r = cost(&d, ALL32); /* chars: 8 words, 4 lanes share each */
    assert_near(r.passes, 1);
    assert_near(r.conflict_degree, 1);
    use(GP_SPACE_LOCAL, 2, 1, GP_MEMORY_STORE);
    stride(0, 128);
    assert_near(cost(&d, ALL32).passes, 32);
}

static void local_rates(void **state)
{
    (void)state;
    struct gp_device fast = ga10x(), slow = turing();
    use(GP_SPACE_LOCAL, 4, 1, 0);
    stride(0, 4);
    assert_near(cost(&fast, ALL32).wavefronts, 2); /* 32 lanes / 16 */
    assert_near(cost(&slow, ALL32).wavefronts, 2);
    stride(0, 8); /* 2-way: free with 16 address lanes and 128 B/clk, paid with 64 B/clk */
    assert_near(cost(&fast, ALL32).wavefronts, 2);
    assert_near(cost(&fast, ALL32).ideal_wavefronts, 2);
    assert_near(cost(&slow, ALL32).wavefronts, 4);
    assert_near(cost(&slow, ALL32).ideal_wavefronts, 2);
}

static void local_unknown(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    symbol[0] = symbol[1] = GP_SYMBOL_UNKNOWN;
    struct gp_request r = cost(&d, 3); /* two lanes meet in one of 32 banks with probability 1/32 */
    assert_true(fabs(r.passes - (1 + 1.0 / 32)) < 1e-4);
    assert_true(r.guessed);
    for (int i = 0; i < 32; i++)
        symbol[i] = GP_SYMBOL_UNKNOWN;
    assert_true(fabs(cost(&d, ALL32).conflict_degree - 3.5329) < 1e-4);
}

static void atomics(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_GLOBAL, 4, 1, GP_MEMORY_ATOMIC);
    stride(0, 0);
    assert_near(cost(&d, ALL32).same_address, 32);
    assert_near(cost(&d, 0xff).same_address, 8);
    stride(0, 4);
    assert_near(cost(&d, ALL32).same_address, 1);
    for (int i = 0; i < 32; i++)
        offset[i] = i % 5 == 0 ? 64 : (uint64_t)i * 4; /* 0, 5 .. 30, and lane 16 itself: 8 lanes on word 16 */
    assert_near(cost(&d, ALL32).same_address, 8);
    use(GP_SPACE_LOCAL, 4, 1, GP_MEMORY_ATOMIC);
    stride(0, 0);
    assert_near(cost(&d, ALL32).same_address, 32);
    assert_near(cost(&d, ALL32).passes, 1);
    for (int i = 0; i < 32; i++)
        symbol[i] = GP_SYMBOL_UNKNOWN;
    assert_near(cost(&d, ALL32).same_address, 1);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 0);
    assert_near(cost(&d, ALL32).same_address, 1); /* not an atomic: nothing contends */
}

/* ---- Other spaces -------------------------------------------------------------------------------------------- */

static void constants(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_CONSTANT, 4, 1, 0);
    stride(16, 0);
    struct gp_request r = cost(&d, ALL32);
    assert_near(r.transactions, 1);
    assert_near(r.wavefronts, 1);
    stride(0, 4);
    r = cost(&d, ALL32); /* 32 addresses, one after the other */
    assert_near(r.transactions, 32);
    assert_near(r.wavefronts, 32);
    assert_near(r.lines, 2);
    assert_near(r.ideal_wavefronts, 1);
    for (int i = 0; i < 32; i++)
        offset[i] = (uint64_t)(i / 8) * 64;
    assert_near(cost(&d, ALL32).transactions, 4);
    use(GP_SPACE_CONSTANT, 4, 4, 0);
    stride(0, 16);
    assert_near(cost(&d, ALL32).transactions, 32);
    struct gp_device g = amd(GP_ARCH_GCN);
    use(GP_SPACE_CONSTANT, 4, 1, 0);
    inst.flags = GP_INST_UNIFORM; /* s_load_dword */
    stride(16, 0);
    r = cost_uniform(&g, ALL64);
    assert_near(r.transactions, 1);
    assert_near(r.wavefronts, 0);
    assert_near(r.bytes, 64);
    inst.flags = 0; /* not known to be uniform when it was compiled: a vector load, 4 cycles for the addresses */
    r = cost_uniform(&g, ALL64);
    assert_near(r.wavefronts, 4);
}

static void private_arrays(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_PRIVATE, 4, 1, 0);
    stride(40, 0); /* a[10] of every lane: 32 words side by side */
    struct gp_request r = cost_uniform(&d, ALL32);
    assert_near(r.transactions, 4);
    assert_near(r.lines, 1);
    assert_near(r.wavefronts, 1);
    assert_near(r.useful_bytes, 128);
    assert_near(r.ideal_transactions, 4);
    stride(0, 4); /* a[lane]: 32 rows, a word of each. Word l of row l: bank l, 32 lines at 4 a cycle, and one */
    r = cost(&d, ALL32);
    assert_near(r.transactions, 32);
    assert_near(r.lines, 32);
    assert_near(r.wavefronts, 9);
    use(GP_SPACE_PRIVATE, 8, 1, GP_MEMORY_STORE); /* a double: two rows */
    stride(16, 0);
    r = cost_uniform(&d, ALL32);
    assert_near(r.transactions, 8);
    assert_near(r.lines, 2);
    assert_near(r.useful_bytes, 256);
    struct gp_device g = amd(GP_ARCH_CDNA);
    use(GP_SPACE_PRIVATE, 4, 1, 0);
    stride(8, 0);
    r = cost_uniform(&g, ALL64); /* 256 bytes: 4 lines, 4 groups of 16 lanes */
    assert_near(r.transactions, 4);
    assert_near(r.wavefronts, 4);
}

static void generic_pointers(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_GENERIC, 4, 1, 0);
    stride(0, 128);
    assert_near(cost(&d, ALL32).transactions, 32);
    memory.base = gp_ref_make(GP_REF_LOCAL, 0);
    assert_near(cost(&d, ALL32).passes, 32);
    assert_near(cost(&d, ALL32).transactions, 0);
}

static uint32_t known[64];
static gp_mask assumed;
static uint64_t texel_x[64], texel_y[64];

static struct gp_request cost_texels(const struct gp_device *device, gp_mask active, const uint32_t *symbols,
                                     uint32_t dims)
{
    struct gp_access access = {.active = active,
                               .weight = 1,
                               .symbol = symbol,
                               .offset = offset,
                               .coordinates = dims,
                               .coordinate_symbol = {symbols, symbols, symbols},
                               .coordinate = {texel_x, texel_y, texel_y},
                               .assumed = assumed};
    struct gp_request request;
    gp_request_cost(device, &kernel, &access, &request);
    return request;
}

static void images(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_IMAGE, 4, 1, 0);
    memset(known, 0, sizeof known);
    for (int i = 0; i < 64;
         i++) { /* 32x1: a sector is 4x2 texels, so 8 sectors, shared with the next row, in 4 lines of 8x4 */
        texel_x[i] = (uint64_t)i;
        texel_y[i] = 0;
    }
    struct gp_request r = cost_texels(&d, ALL32, known, 2);
    assert_near(r.transactions, 8);
    assert_near(r.ideal_transactions, 8);
    assert_near(r.lines, 4);
    assert_near(r.wavefronts, 8);  /* 32 texels, 4 a cycle */
    for (int i = 0; i < 64; i++) { /* 8x4: 2 x 2 sectors */
        texel_x[i] = (uint64_t)(i % 8);
        texel_y[i] = (uint64_t)(i / 8);
    }
    r = cost_texels(&d, ALL32, known, 2);
    assert_near(r.transactions, 4);
    assert_near(r.lines, 1);
    assert_false(r.guessed);
    assumed = 1;
    r = cost_texels(&d, ALL32, known, 2);
    assumed = 0;
    assert_near(r.transactions, 4);
    assert_true(r.guessed);
    for (int i = 0; i < 64; i++) { /* a column far apart: a line for every lane */
        texel_x[i] = (uint64_t)i * 100;
        texel_y[i] = (uint64_t)-3; /* beyond the border: clamped to 0 */
    }
    assert_near(cost_texels(&d, ALL32, known, 2).transactions, 32);
    for (int i = 0; i < 64;
         i++) /* a row that begins beyond the border: what is clamped lies in the first sector of the others */
        texel_x[i] = (uint64_t)(i - 2);
    assert_near(cost_texels(&d, ALL32, known, 2).transactions, 8);
    for (int i = 0; i < 64; i++)
        texel_x[i] = (uint64_t)i;
    assert_near(cost_texels(&d, ALL32, known, 1).transactions, 4); /* one dimension: 8 texels a sector */
    struct gp_device g = amd(GP_ARCH_GCN);
    for (int i = 0; i < 64; i++) { /* 8x8: four blocks of 4x4 texels in lines of 64 bytes */
        texel_x[i] = (uint64_t)(i % 8);
        texel_y[i] = (uint64_t)(i / 8);
    }
    r = cost_texels(&g, ALL64, known, 2);
    assert_near(r.transactions, 4);
    assert_near(r.ideal_transactions, 4);
    assert_near(r.wavefronts, 16);
}

/* Texels of one sector and of one line lie together, whatever lane, warp or tap asks for them; those relative to
 * different unknowns do not. */
static void texels_have_places(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    use(GP_SPACE_IMAGE, 4, 1, 0);
    kernel.memory[0].base = gp_ref_make(GP_REF_PARAM, 0);
    memset(known, 0, sizeof known);
    for (int i = 0; i < 64; i++) {
        texel_x[i] = (uint64_t)(i % 16);
        texel_y[i] = (uint64_t)(i / 16);
    }
    struct gp_access access = {.active = ALL32,
                               .weight = 1,
                               .coordinates = 2,
                               .coordinate_symbol = {known, known, known},
                               .coordinate = {texel_x, texel_y, texel_y}};
    struct gp_image_addresses a, other;
    gp_image_addresses(&d, &kernel, &access, &a);
    assert_true(a.access.one_symbol);
    assert_int_equal(a.access.coordinates, 0);
    for (int i = 0; i < 32; i++)
        for (int k = 0; k < 32; k++) {
            bool sector = texel_x[i] / 4 == texel_x[k] / 4 && texel_y[i] / 2 == texel_y[k] / 2,
                 line = texel_x[i] / 8 == texel_x[k] / 8;
            assert_int_equal(a.offset[i] / 32 == a.offset[k] / 32, sector);
            assert_int_equal(a.offset[i] / 128 == a.offset[k] / 128, line);
            assert_int_equal(a.offset[i] == a.offset[k], i == k);
        }
    for (int i = 0; i < 16; i++)
        known[i] = 77;
    gp_image_addresses(&d, &kernel, &access, &other);
    assert_false(other.access.one_symbol);
    assert_int_not_equal(other.symbol[0], a.symbol[0]);
    assert_int_equal(other.symbol[16], a.symbol[0]);
    assert_int_equal(other.symbol[15], other.symbol[0]);
}

/* ---- AMD ----------------------------------------------------------------------------------------------------- */

static void gcn_global(void **state)
{
    (void)state;
    struct gp_device d = amd(GP_ARCH_CDNA);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, ALL64); /* 256 bytes: 4 lines of 64, one per 16 lanes and cycle */
    assert_near(r.transactions, 4);
    assert_near(r.ideal_transactions, 4);
    assert_near(r.lines, 4);
    assert_near(r.bytes, 256);
    assert_near(r.wavefronts, 4);
    assert_near(r.ideal_wavefronts, 4);
    stride(4, 4);
    r = cost(&d, ALL64); /* bytes 4..259: 5 lines; each group of 16 looks up 2 */
    assert_near(r.transactions, 5);
    assert_near(r.lines, 8);
    assert_near(r.wavefronts, 8);
    stride(0, 8);
    r = cost(&d, ALL64); /* 8 lines. A quad needs two aligned 16 bytes: 8 cycles a group */
    assert_near(r.transactions, 8);
    assert_near(r.wavefronts, 32);
    assert_near(r.ideal_wavefronts, 4);
    stride(0, 16);
    assert_near(cost(&d, ALL64).wavefronts, 64); /* 16 cycles a group */
    stride(0, 4096);
    r = cost(&d, ALL64);
    assert_near(r.transactions, 64);
    assert_near(r.wavefronts, 64);
    for (int i = 0; i < 64; i++) /* quads side by side, a line apart from the next quad: lookups of 4 lines a group */
        offset[i] = (uint64_t)(i / 4) * 64 + (uint64_t)(i % 4) * 4;
    r = cost(&d, ALL64);
    assert_near(r.transactions, 16);
    assert_near(r.wavefronts, 16);
    use(GP_SPACE_GLOBAL, 8, 1, 0);
    stride(0, 8);
    r = cost(&d, ALL64); /* doubles: 512 bytes at 32 per cycle */
    assert_near(r.transactions, 8);
    assert_near(r.wavefronts, 16);
    assert_near(r.ideal_wavefronts, 16);
    use(GP_SPACE_GLOBAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL64); /* float4: 1024 bytes at 64 per cycle */
    assert_near(r.transactions, 16);
    assert_near(r.wavefronts, 16);
    assert_near(r.ideal_wavefronts, 16);
    stride(0, 32);
    assert_near(cost(&d, ALL64).wavefronts, 32); /* every other one: a quad has two lines */
    stride(0, 64);
    assert_near(cost(&d, ALL64).wavefronts, 64);
    rows_of(16, 16384);
    r = cost(&d, ALL64); /* rows of lanes share a float4: a quad takes its cycle, and no order of the lanes spares it */
    assert_near(r.wavefronts, 16);
    assert_near(r.ideal_wavefronts, 16);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 0);
    r = cost(&d, ALL64); /* one address by a vector load: each group looks the line up */
    assert_near(r.transactions, 1);
    assert_near(r.lines, 4);
    assert_near(r.wavefronts, 4);
    stride(0, 4);
    r = cost(&d, 0xffff); /* 16 lanes */
    assert_near(r.transactions, 1);
    assert_near(r.ideal_transactions, 1);
    for (int i = 0; i < 64; i++)
        symbol[i] = GP_SYMBOL_UNKNOWN;
    r = cost(&d, ALL64);
    assert_near(r.transactions, 64);
    assert_near(r.wavefronts, 64);
    assert_true(r.guessed);
}

static void gcn_local(void **state)
{
    (void)state;
    struct gp_device d = amd(GP_ARCH_GCN);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, ALL64); /* 32 lanes a cycle */
    assert_near(r.passes, 2);
    assert_near(r.ideal_passes, 2);
    assert_near(r.conflict_degree, 1);
    assert_near(r.wavefronts, 2);
    stride(0, 128);
    r = cost(&d, ALL64); /* 32 in one bank, twice */
    assert_near(r.passes, 64);
    assert_near(r.conflict_degree, 32);
    stride(0, 132);
    assert_near(cost(&d, ALL64).passes, 2);
    stride(0, 0);
    assert_near(cost(&d, ALL64).passes, 2);
    use(GP_SPACE_LOCAL, 8, 1, 0);
    stride(0, 8);
    r = cost(&d, ALL64); /* 512 bytes at 128 per cycle */
    assert_near(r.passes, 4);
    assert_near(r.ideal_passes, 4);
    assert_near(r.conflict_degree, 1);
    stride(0, 16);
    r = cost(&d, ALL64); /* 32 lanes: words 0,1,4,5 .. 125: 4 per bank */
    assert_near(r.passes, 8);
    assert_near(r.conflict_degree, 2);
    use(GP_SPACE_LOCAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL64); /* 8 lanes a cycle */
    assert_near(r.passes, 8);
    assert_near(r.ideal_passes, 8);
    use(GP_SPACE_LOCAL, 1, 1, 0);
    stride(0, 1);
    assert_near(cost(&d, ALL64).passes, 2);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    stride(0, 4);
    assert_near(cost(&d, ALL32).passes, 1);
}

/*
 * A pair of SIMDs sends and receives 64 bytes per cycle. GCN's two pairs: what the banks deliver, and 8 of a pair's
 * cycles for a store of 4 bytes, 20 for one of 16 (ROCm Compute Profiler, "Local data share"). RDNA's one: half of what
 * its banks deliver, and so each pass of a conflict takes two cycles.
 */
static void local_ports(void **state)
{
    (void)state;
    static const struct {
        enum gp_arch arch;
        double load4, load16, shared8, conflict4, store4, store16, half;
    } cases[] = {{GP_ARCH_GCN, 2, 8, 4, 4, 4, 10, 1}, {GP_ARCH_RDNA, 2, 8, 4, 4, 4, 10, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gp_device d = amd(cases[i].arch);
        SET(d, schedulers_per_sm, cases[i].arch == GP_ARCH_RDNA ? 2 : 4);
        hand_arch(&d, d.arch);
        gp_mask all = cases[i].arch == GP_ARCH_RDNA ? ALL32 : ALL64;
        use(GP_SPACE_LOCAL, 4, 1, 0);
        stride(0, 4);
        assert_near(cost(&d, all).wavefronts, cases[i].load4);
        assert_near(cost(&d, cases[i].arch == GP_ARCH_RDNA ? all >> 16 : all >> 32).wavefronts, cases[i].half);
        stride(0, 8);
        assert_near(cost(&d, all).wavefronts, cases[i].conflict4);
        use(GP_SPACE_LOCAL, 8, 1, 0);
        stride(0, 0);
        assert_near(cost(&d, all).wavefronts, cases[i].shared8);
        use(GP_SPACE_LOCAL, 4, 4, 0);
        stride(0, 16);
        assert_near(cost(&d, all).wavefronts, cases[i].load16);
        use(GP_SPACE_LOCAL, 4, 4, GP_MEMORY_STORE);
        stride(0, 16);
        struct gp_request r = cost(&d, all);
        assert_near(r.wavefronts, cases[i].store16);
        assert_near(r.ideal_wavefronts, cases[i].store16);
        use(GP_SPACE_LOCAL, 4, 1, GP_MEMORY_STORE);
        stride(0, 4);
        assert_near(cost(&d, all).wavefronts, cases[i].store4);
    }
}

/* Lanes in more pages than the CU has translations for wait for each; rows of 4 KB are 4 pages of 64 KB. */
static void translations_cost_cycles(void **state)
{
    (void)state;
    struct gp_device d = amd(GP_ARCH_GCN);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 262144);
    double before = cost(&d, ALL64).wavefronts;
    d.tlb_pages.value = 32;
    d.tlb_clk.value = 8;
    assert_true(before < 512);
    assert_near(cost(&d, ALL64).wavefronts, 512);
    stride(0, 4096);
    assert_near(cost(&d, ALL64).wavefronts, before);
}

static void rdna_global(void **state)
{
    (void)state;
    struct gp_device d = amd(GP_ARCH_RDNA);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, ALL32); /* a line of 128 bytes */
    assert_near(r.transactions, 1);
    assert_near(r.wavefronts, 1);
    assert_near(r.bytes, 128);
    stride(4, 4);
    assert_near(cost(&d, ALL32).transactions, 2);
    stride(0, 8);
    r = cost(&d, ALL32);
    assert_near(r.transactions, 2);
    assert_near(r.ideal_transactions, 1);
    assert_near(r.wavefronts, 2);
    stride(0, 4096);
    assert_near(cost(&d, ALL32).transactions, 32);
    use(GP_SPACE_GLOBAL, 8, 1, 0);
    stride(0, 8);
    r = cost(&d, ALL32); /* 16 lanes a line, eight a cycle */
    assert_near(r.transactions, 2);
    assert_near(r.wavefronts, 4);
    use(GP_SPACE_GLOBAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL32); /* 8 lanes a line, 64 bytes a cycle */
    assert_near(r.transactions, 4);
    assert_near(r.wavefronts, 8);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    stride(0, 128);
    r = cost(&d, ALL32);
    assert_near(r.passes, 32);
    assert_near(r.ideal_passes, 1);
    SET(d, warp_width, 64);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    assert_near(cost(&d, ALL64).wavefronts, 2); /* wave64: two halves */
    inst.flags = GP_INST_UNIFORM;
    stride(0, 0);
    assert_near(cost_uniform(&d, ALL64).wavefronts, 0);
}

/* Cycles of a load that L0 has, measured on RDNA2: RRZE gpu-benches, gpu-strides/rdna2.txt, "float stride" and "double
 * stride", but for strides of 3 words (2). */
static void rdna_strides_as_measured(void **state)
{
    (void)state;
    static const struct {
        unsigned words, cycles;
    } floats[] = {{0, 1},  {1, 1},  {2, 2},   {4, 4},   {5, 2},  {7, 2},   {8, 8},  {9, 3},
                  {11, 3}, {12, 4}, {13, 4},  {16, 16}, {17, 5}, {21, 6},  {24, 8}, {25, 7},
                  {28, 7}, {29, 8}, {32, 32}, {33, 8},  {36, 8}, {48, 16}, {64, 32}},
      doubles[] = {{0, 4}, {2, 4}, {4, 4}, {8, 8}, {16, 16}, {18, 5}, {26, 7}, {30, 8}, {32, 32}, {34, 8}};
    struct gp_device d = amd(GP_ARCH_RDNA);
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        use(GP_SPACE_GLOBAL, 4, 1, 0);
        stride(0, 4 * (int64_t)floats[i].words);
        assert_near(cost(&d, ALL32).wavefronts, floats[i].cycles);
    }
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        use(GP_SPACE_GLOBAL, 8, 1, 0);
        stride(0, 4 * (int64_t)doubles[i].words);
        assert_near(cost(&d, ALL32).wavefronts, doubles[i].cycles);
    }
    use(GP_SPACE_GLOBAL, 4, 4, 0); /* float4: measured 65.6 bytes per cycle (gpu-cache) */
    stride(0, 16);
    assert_near(cost(&d, ALL32).wavefronts, 8);
    stride(0, 0);
    assert_near(cost(&d, ALL32).wavefronts, 8);
    rows_of(16, 16384); /* what lanes share is written to their registers all the same */
    assert_near(cost(&d, ALL32).wavefronts, 8);
    assert_near(cost(&d, ALL32).ideal_wavefronts, 8);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4 * 4098); /* rows: measured 15.9 */
    assert_near(cost(&d, ALL32).wavefronts, 16);
}

static void terascale(void **state)
{
    (void)state;
    struct gp_device d = amd(GP_ARCH_TERASCALE);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, ALL64); /* 4 lanes a cycle: 16 */
    assert_near(r.transactions, 4);
    assert_near(r.wavefronts, 16);
    use(GP_SPACE_GLOBAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL64); /* four times the bytes in the same time */
    assert_near(r.transactions, 16);
    assert_near(r.wavefronts, 16);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 64);
    r = cost(&d, ALL64); /* a line of 64 bytes for each of 64 lanes */
    assert_near(r.transactions, 64);
    assert_near(r.bytes, 4096);
    assert_near(r.ideal_transactions, 4);
    assert_near(r.wavefronts, 64);
    stride(32, 4);
    assert_near(cost(&d, ALL64).transactions, 5); /* half a line late */
    stride(0, 0);
    assert_near(cost(&d, ALL64).transactions, 1);
    use(GP_SPACE_LOCAL, 4, 1, 0); /* LDS: 32 banks, 32 lanes a cycle */
    stride(0, 4);
    assert_near(cost(&d, ALL64).passes, 2);
    stride(0, 8);
    assert_near(cost(&d, ALL64).passes, 4); /* 2-way in each half */
    stride(0, 128);
    r = cost(&d, ALL64);
    assert_near(r.passes, 64);
    assert_near(r.conflict_degree, 32);
    stride(0, 132);
    assert_near(cost(&d, ALL64).passes, 2); /* a row padded by one word */
    stride(0, 0);
    assert_near(cost(&d, ALL64).passes, 2);
}

/* ---- Older NVIDIA -------------------------------------------------------------------------------------------- */

/* CUDA C Programming Guide 4.2, F.3.2.1 and its figure of examples. */
static void cc1_0_is_strict(void **state)
{
    (void)state;
    struct gp_device d = tesla(GP_ARCH_TESLA1);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(128, 4);
    struct gp_request r = cost(&d, ALL32); /* one of 64 bytes per half-warp */
    assert_near(r.transactions, 2);
    assert_near(r.ideal_transactions, 2);
    assert_near(r.bytes, 128);
    stride(132, 4);
    r = cost(&d, ALL32); /* misaligned by one: 16 per half-warp */
    assert_near(r.transactions, 32);
    assert_near(r.bytes, 1024);
    stride(128, 4);
    offset[3] = 128 + 16;
    offset[4] = 128 + 12; /* lanes 3 and 4 swapped: the first half-warp falls apart */
    r = cost(&d, ALL32);
    assert_near(r.transactions, 17);
    stride(128, 4);
    r = cost(&d, 0xfffffff7); /* a lane that does not take part is no harm */
    assert_near(r.transactions, 2);
    stride(128, 0);
    assert_near(cost(&d, ALL32).transactions, 32); /* one address: not merged */
    use(GP_SPACE_GLOBAL, 8, 1, 0);
    stride(0, 8);
    r = cost(&d, ALL32);
    assert_near(r.transactions, 2);
    assert_near(r.bytes, 256);
    use(GP_SPACE_GLOBAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL32); /* two of 128 bytes per half-warp */
    assert_near(r.transactions, 4);
    assert_near(r.bytes, 512);
    use(GP_SPACE_GLOBAL, 2, 1, 0);
    stride(0, 2);
    assert_near(cost(&d, ALL32).transactions, 32); /* 16 bits never coalesce */
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 12); /* an array of float3 */
    assert_near(cost(&d, ALL32).transactions, 32);
}

/* F.3.2.2: segments, halved while one half is unused. */
static void cc1_2_shrinks_segments(void **state)
{
    (void)state;
    struct gp_device d = tesla(GP_ARCH_TESLA2);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(128, 4);
    struct gp_request r = cost(&d, ALL32); /* half-warp 0: bytes 128..191, 64; half-warp 1: 192..255, 64 */
    assert_near(r.transactions, 2);
    assert_near(r.bytes, 128);
    for (int i = 0; i < 32; i++)
        offset[i] = 128 + (uint64_t)(i ^ 9) * 4; /* order does not matter */
    assert_near(cost(&d, ALL32).transactions, 2);
    stride(132, 4); /* 16 lanes from 132: within one segment of 128, both halves used: one of 128 bytes */
    r = cost(&d, 0xffff);
    assert_near(r.transactions, 1);
    assert_near(r.bytes, 128);
    stride(224, 4); /* bytes 224..287: 32 of the first segment, 32 of the second */
    r = cost(&d, 0xffff);
    assert_near(r.transactions, 2);
    assert_near(r.bytes, 64);
    stride(96 * 2, 4); /* bytes 192..255: the upper half: 64 */
    r = cost(&d, 0xffff);
    assert_near(r.transactions, 1);
    assert_near(r.bytes, 64);
    stride(200, 4); /* bytes 200..263: 64 of the segment's upper half, 32 of the next */
    r = cost(&d, 0xffff);
    assert_near(r.transactions, 2);
    assert_near(r.bytes, 96);
    stride(0, 8); /* every other word: 128 bytes per half-warp */
    r = cost(&d, ALL32);
    assert_near(r.transactions, 2);
    assert_near(r.bytes, 256);
    stride(0, 128);
    r = cost(&d, ALL32); /* 16 x 32 bytes per half-warp */
    assert_near(r.transactions, 32);
    assert_near(r.bytes, 1024);
    stride(64, 0);
    r = cost(&d, ALL32); /* one address: 32 bytes per half-warp */
    assert_near(r.transactions, 2);
    assert_near(r.ideal_transactions, 2);
    assert_near(r.bytes, 64);
    use(GP_SPACE_GLOBAL, 2, 1, 0);
    stride(0, 2);
    r = cost(&d, ALL32); /* shorts: 32 bytes per half-warp, halves of one segment of 64 */
    assert_near(r.transactions, 2);
    assert_near(r.bytes, 64);
    use(GP_SPACE_GLOBAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL32); /* 256 bytes per half-warp: two of 128 */
    assert_near(r.transactions, 4);
    assert_near(r.bytes, 512);
}

/* F.3.3: 16 banks, half-warps, broadcast of a word. */
static void cc1_x_banks(void **state)
{
    (void)state;
    struct gp_device d = tesla(GP_ARCH_TESLA2);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, ALL32); /* a pass of 64 bytes per half-warp, 32 B/clk */
    assert_near(r.passes, 2);
    assert_near(r.wavefronts, 4);
    stride(0, 8);
    r = cost(&d, ALL32); /* 2-way */
    assert_near(r.passes, 4);
    assert_near(r.conflict_degree, 2);
    stride(0, 64);
    assert_near(cost(&d, ALL32).passes, 32); /* 16-way */
    stride(0, 68);
    assert_near(cost(&d, ALL32).passes, 2);
    stride(0, 0);
    assert_near(cost(&d, ALL32).passes, 2); /* broadcast */
    assert_near(cost_uniform(&d, ALL32).passes, 2);
    for (int i = 0; i < 64;
         i++) /* lanes 0..7 read word 0, lanes 8..15 words 8..15: broadcast and the others in one step */
        offset[i] = (uint64_t)(i % 16 < 8 ? 0 : i % 16) * 4;
    assert_near(cost(&d, 0xffff).passes, 1);
    for (int i = 0; i < 64; i++) /* pairs share words 0..7: step 1 broadcasts one word and serves a lane of each other,
                                    step 2 the 7 left */
        offset[i] = (uint64_t)(i % 16 / 2) * 4;
    assert_near(cost(&d, 0xffff).passes, 2);
    use(GP_SPACE_LOCAL, 1, 1, 0);
    stride(0, 1);
    r = cost(&d, ALL32); /* chars: 4 lanes share each of 4 words: 4-way */
    assert_near(r.passes, 8);
    assert_near(r.conflict_degree, 4);
    use(GP_SPACE_LOCAL, 8, 1, 0);
    stride(0, 8);
    r = cost(&d, ALL32); /* two requests with stride 2 per half-warp, each 2-way */
    assert_near(r.passes, 8);
    assert_near(r.ideal_passes, 4);
    assert_near(r.conflict_degree, 2);
    use(GP_SPACE_LOCAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL32); /* four requests with stride 4 per half-warp, each 4-way */
    assert_near(r.passes, 32);
    assert_near(r.ideal_passes, 8);
    assert_near(r.conflict_degree, 4);
    use(GP_SPACE_LOCAL, 2, 1, 0);
    stride(0, 2);
    assert_near(cost(&d, ALL32).passes,
                4); /* shorts: two lanes share each of 8 words; one word is broadcast, the others need a second step */
    use(GP_SPACE_LOCAL, 4, 1, GP_MEMORY_STORE);
    stride(0, 0);
    assert_near(cost(&d, ALL32).passes, 32); /* a store is no broadcast */
    stride(0, 4);
    assert_near(cost(&d, ALL32).passes, 2);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    for (int i = 0; i < 64;
         i++) /* words 0 and 16, eight lanes each, one bank: word 0 in one step, then word 16 in another */
        offset[i] = (uint64_t)(i % 16 < 8 ? 0 : 16) * 4;
    assert_near(cost(&d, 0xffff).passes, 2);
    for (int i = 0; i < 64;
         i++) /* words 0, 16 and 32 of one bank, four lanes each, and four alone in theirs: three steps */
        offset[i] = (uint64_t)(i % 16 < 12 ? i % 16 / 4 * 16 : i % 16) * 4;
    assert_near(cost(&d, 0xffff).passes, 3);
}

static void loads_have_wide_addresses(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_AMPERE);
    SET(d, load_lanes, 16);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    assert_near(cost(&d, ALL32).wavefronts, 2); /* where a line is delivered in one cycle */
    use(GP_SPACE_GLOBAL, 4, 2, 0);
    stride(0, 8);
    assert_near(cost(&d, ALL32).wavefronts, 2);
    use(GP_SPACE_GLOBAL, 4, 1, GP_MEMORY_STORE);
    stride(0, 4);
    assert_near(cost(&d, ALL32).wavefronts, 1);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    assert_near(cost(&d, ALL32).wavefronts, 1);
}

static void fermi(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_FERMI);
    SET(d, lsu_lanes, 16);
    SET(d, load_lanes, 16);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, ALL32); /* a line */
    assert_near(r.transactions, 1);
    assert_near(r.bytes, 128);
    assert_near(r.wavefronts, 2);
    stride(4, 4);
    r = cost(&d, ALL32);
    assert_near(r.transactions, 2);
    assert_near(r.bytes, 256);
    stride(0, 128);
    r = cost(&d, ALL32);
    assert_near(r.transactions, 32);
    assert_near(r.bytes, 4096);
    assert_near(r.ideal_transactions, 1);
    use(GP_SPACE_GLOBAL, 4, 1, GP_MEMORY_STORE); /* stores: segments of 32 bytes */
    stride(0, 128);
    assert_near(cost(&d, ALL32).bytes, 1024);
    stride(0, 4);
    assert_near(cost(&d, ALL32).transactions, 4);
    use(GP_SPACE_GLOBAL, 8, 1, 0);
    stride(0, 8);
    assert_near(cost(&d, ALL32).transactions, 2); /* a request per half-warp */
    use(GP_SPACE_GLOBAL, 4, 4, 0);
    stride(0, 16);
    assert_near(cost(&d, ALL32).transactions, 4);
    use(GP_SPACE_LOCAL, 8, 1, 0);
    stride(0, 8);
    assert_near(cost(&d, ALL32).passes, 2);
    use(GP_SPACE_LOCAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL32); /* "add 1": 2 passes per quarter-warp, nothing to repair */
    assert_near(r.passes, 8);
    assert_near(r.ideal_passes, 8);
    assert_near(r.conflict_degree, 1);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    stride(0, 128);
    assert_near(cost(&d, ALL32).passes, 32);
    for (int i = 0; i < 32; i++) /* two words of different banks, half of the lanes each, and no conflict: multicast of
                                    any number of words */
        offset[i] = (uint64_t)(i % 2) * 4;
    assert_near(cost(&d, ALL32).passes, 1);
    for (int i = 0; i < 32; i++) /* words 0 and 32 share a bank */
        offset[i] = (uint64_t)(i % 2) * 128;
    assert_near(cost(&d, ALL32).passes, 2);
    use(GP_SPACE_LOCAL, 1, 1, 0);
    stride(0, 1);
    assert_near(cost(&d, ALL32).passes, 1); /* bytes of one word are one access */
    SET(d, l1_size, 0);                     /* L1 switched off: loads, too, in segments of 32 bytes */
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    r = cost(&d, ALL32);
    assert_near(r.transactions, 4);
    assert_near(r.bytes, 128);
    stride(0, 128);
    assert_near(cost(&d, ALL32).bytes, 1024);
}

static void kepler(void **state)
{
    (void)state;
    struct gp_device d = nvidia(GP_ARCH_KEPLER);
    SET(d, smem_bank_bytes, 8);
    SET(d, smem_bytes_per_clk, 256);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, ALL32); /* L2's segments of 32 bytes */
    assert_near(r.transactions, 4);
    assert_near(r.lines, 1);
    stride(0, 128);
    r = cost(&d, ALL32);
    assert_near(r.transactions, 32);
    assert_near(r.bytes, 1024);
    assert_near(r.wavefronts, 32);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    stride(0, 4);
    assert_near(cost(&d, ALL32).passes, 1);
    stride(0, 8);
    assert_near(cost(&d, ALL32).passes, 1); /* words i and i + 32 of an aligned segment of 64: no conflict */
    stride(0, 128);
    assert_near(cost(&d, ALL32).passes, 16); /* words 0, 32 together, 64, 96 together ... */
    offset[0] = 32 * 4, offset[1] = 64 * 4;  /* j = i + 32, but another segment */
    assert_near(cost(&d, 3).passes, 2);
    use(GP_SPACE_LOCAL, 8, 1, 0);
    stride(0, 8);
    r = cost(&d, ALL32); /* 256 bytes in one pass */
    assert_near(r.passes, 1);
    assert_near(r.wavefronts, 1);
    use(GP_SPACE_LOCAL, 4, 4, 0);
    stride(0, 16);
    r = cost(&d, ALL32);
    assert_near(r.passes, 2);
    assert_near(r.ideal_passes, 2);
    use(GP_SPACE_LOCAL, 8, 1, 0);
    stride(0, 16);
    assert_near(cost(&d, ALL32).passes, 2); /* every other double: two of 64 bits in a bank */
    use(GP_SPACE_GLOBAL, 8, 1, 0);
    stride(0, 8);
    r = cost(&d, ALL32); /* a request of 128 bytes per half-warp */
    assert_near(r.transactions, 8);
    assert_near(r.lines, 2);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(4, 4);
    assert_near(cost(&d, ALL32).transactions, 5); /* misaligned by one: one segment more */
}

/* ---- CPU ------------------------------------------------------------------------------------------------------ */

static void cpu_lanes(void **state)
{
    (void)state;
    struct gp_device d = hand_device();
    hand_arch(&d, GP_ARCH_CPU);
    SET(d, warp_width, 1);
    SET(d, vector_bytes, 32);
    SET(d, l1_line, 64);
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    stride(0, 4);
    struct gp_request r = cost(&d, 1);
    assert_near(r.transactions, 1);
    assert_near(r.wavefronts, 1);
    r = cost(&d, 0xff); /* 8 floats: one AVX access within a line */
    assert_near(r.transactions, 1);
    assert_near(r.wavefronts, 1);
    stride(0, 4096);
    r = cost(&d, 0xff); /* 8 scalar accesses, 8 lines */
    assert_near(r.transactions, 8);
    assert_near(r.wavefronts, 8);
    assert_near(r.ideal_wavefronts, 1);
    stride(0, 0);
    assert_near(cost(&d, 0xff).wavefronts, 1);
    use(GP_SPACE_GLOBAL, 8, 1, 0);
    stride(0, 8);
    assert_near(cost(&d, 0xff).wavefronts, 2);
    use(GP_SPACE_LOCAL, 4, 1, 0);
    stride(0, 128);
    r = cost(&d, 0xff);
    assert_near(r.conflict_degree, 0);
    assert_near(r.wavefronts, 8);
}

/* ---- Arithmetic against counting ----------------------------------------------------------------------------- */

/* Every regular access counted by arithmetic is counted again lane by lane (as an irregular one). */
static uint32_t count_slowly(gp_mask active, uint32_t width, uint32_t size)
{
    static uint64_t seen[64 * 80];
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < 64; lane++) {
        if (!(active >> lane & 1))
            continue;
        for (uint32_t byte = 0; byte < width; byte++) {
            uint64_t segment = (offset[lane] + byte + GP_LANES_ORIGIN) / size;
            uint32_t i = 0;
            while (i < count && seen[i] != segment)
                i++;
            if (i == count)
                seen[count++] = segment;
        }
    }
    return count;
}

static uint32_t banks_slowly(gp_mask active, uint32_t width, uint32_t banks)
{
    static uint64_t seen[64 * 80];
    uint32_t count = 0, fullest = 0;
    for (uint32_t lane = 0; lane < 64; lane++) {
        if (!(active >> lane & 1))
            continue;
        for (uint32_t byte = 0; byte < width; byte++) {
            uint64_t word = (offset[lane] + byte + GP_LANES_ORIGIN) / 4;
            uint32_t i = 0;
            while (i < count && seen[i] != word)
                i++;
            if (i == count)
                seen[count++] = word;
        }
    }
    for (uint32_t bank = 0; bank < banks; bank++) {
        uint32_t words = 0;
        for (uint32_t i = 0; i < count; i++)
            words += seen[i] % banks == bank;
        fullest = words > fullest ? words : fullest;
    }
    return fullest;
}

static void compare_with_counting(gp_mask active, uint32_t width)
{
    struct gp_access access = {.active = active, .symbol = symbol, .offset = offset};
    struct gp_lanes lanes;
    gp_lanes_init(&lanes, &access, width, 64);
    static const gp_mask groups[] = {ALL64, 0xffff, 0xffff0000u, 0xf0, 0xff00000000u};
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        for (uint32_t size = 1; size <= 256; size *= 2)
            assert_int_equal(gp_lanes_segments(&lanes, groups[g], size), count_slowly(active & groups[g], width, size));
        for (uint32_t banks = 16; banks <= 64; banks *= 2)
            assert_near(gp_lanes_bank_passes(&lanes, groups[g], banks), banks_slowly(active & groups[g], width, banks));
    }
}

static void arithmetic_agrees_with_counting(void **state)
{
    (void)state;
    static const int64_t steps[] = {0,   1,   2,   3,   4,   5,   6,    7,  8,  12,  16,  20,
                                    24,  28,  32,  36,  40,  64,  68,   72, 96, 100, 128, 132,
                                    136, 144, 160, 192, 260, 272, 4096, -1, -4, -12, -36, -132};
    static const int64_t starts[] = {0, 1, 4, 12, 100, -8};
    static const gp_mask masks[] = {ALL64, ALL32, 0x0f0f0f0f0f0f0f0fu, 0x8000000000000001u, 0x123456789abcdef0u};
    static const uint32_t widths[] = {1, 2, 4, 8, 12, 16};
    use(GP_SPACE_GLOBAL, 4, 1, 0);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (size_t m = 0; m < sizeof masks / sizeof *masks; m += 1)
            for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
                stride(starts[(s + m + w) % 6], steps[s]);
                compare_with_counting(masks[m], widths[w]);
            }
    uint64_t random = 1;
    for (int round = 0; round < 60; round++) { /* and irregular ones */
        for (int i = 0; i < 64; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            offset[i] = (random >> 40) % (round < 30 ? 300 : 5000);
        }
        compare_with_counting(masks[round % 5], widths[round % 6]);
    }
}

static uint64_t random_state;

static uint64_t next(uint64_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % below;
}

/* Whatever lanes do, on whatever device: nothing is cheaper than its repaired state, nothing costs nothing. */
static void repairs_never_cost_more(void **state)
{
    (void)state;
    static const uint8_t spaces[] = {GP_SPACE_GLOBAL, GP_SPACE_CONSTANT, GP_SPACE_LOCAL, GP_SPACE_PRIVATE,
                                     GP_SPACE_GENERIC};
    random_state = 7;
    for (int round = 0; round < 200000; round++) {
        enum gp_arch arch = (enum gp_arch)next(GP_ARCH_COUNT);
        struct gp_device d = arch <= GP_ARCH_TESLA2 ? tesla(arch) : gp_arch_is_amd(arch) ? amd(arch) : nvidia(arch);
        bool local = false;
        use((enum gp_space)spaces[next(5)], 1u << next(4), 1u << next(4), (unsigned)next(4));
        local = memory.space == GP_SPACE_LOCAL;
        if (next(4) == 0)
            memory.alignment = (uint16_t)(1u << next(5));
        uint64_t range = (uint64_t)1 << next(16), width = memory.alignment ? memory.alignment : 1, regular = next(2);
        int64_t step = (int64_t)next(2 * range + 1) - (int64_t)range;
        for (int i = 0; i < 64; i++) {
            offset[i] = regular ? (uint64_t)(step * i) * width : (next(range) - range / 2) * width;
            if (next(400) == 0)
                symbol[i] = next(2) ? 8 : GP_SYMBOL_UNKNOWN;
        }
        gp_mask active = d.warp_width.value == 64 ? ALL64 : ALL32;
        if (next(2) == 0)
            active &= next((uint64_t)1 << 31) * 0x100000003u;
        if (active == 0)
            continue;
        struct gp_request r = next(8) == 0 ? cost_uniform(&d, active) : cost(&d, active);
        assert_true(r.wavefronts > 0 && r.ideal_wavefronts > 0 && r.useful_bytes > 0 && r.same_address >= 1);
        assert_true(r.wavefronts >= r.ideal_wavefronts);
        if (local) {
            assert_true(r.passes >= r.ideal_passes && r.ideal_passes > 0);
            assert_true(r.conflict_degree >= 1 || arch == GP_ARCH_CPU);
        } else {
            assert_true(r.transactions >= r.ideal_transactions && r.ideal_transactions > 0 && r.lines > 0 &&
                        r.bytes > 0);
        }
        struct gp_request again = cost(&d, active), twice = cost(&d, active);
        assert_memory_equal(&again, &twice, sizeof again);
    }
}

/* A request that is remembered is the one that would be costed: lanes of some patterns, moved by any multiple of their
 * alignment. */
static void remembered(void **state)
{
    (void)state;
    random_state = 11;
    for (int round = 0; round < 2000; round++) {
        enum gp_arch arch = (enum gp_arch)next(GP_ARCH_COUNT);
        struct gp_device d = arch <= GP_ARCH_TESLA2 ? tesla(arch) : gp_arch_is_amd(arch) ? amd(arch) : nvidia(arch);
        if (d.arch == GP_ARCH_KEPLER)
            SET(d, smem_bank_bytes, 8);
        uint32_t width = 1u << next(5);
        use(next(2) ? GP_SPACE_LOCAL : GP_SPACE_GLOBAL, width < 4 ? width : 4, width < 4 ? 1 : width / 4,
            next(2) ? GP_MEMORY_STORE : 0);
        struct gp_request_memo *memo = gp_request_memo_new(&kernel);
        int64_t start = (int64_t)(next(64) * width), step = (int64_t)(next(70) * width);
        bool scattered = next(3) == 0;
        for (int i = 0; i < 64; i++)
            offset[i] = scattered ? next(500) * width : (uint64_t)(start + i * step);
        gp_mask active = next(2) ? ALL32 : next(ALL32) | 1;
        struct gp_distance_table distances = {0};
        gp_distances_start(&distances, 64);
        for (int move = 0; move < 20; move++) {
            uint64_t distance = next(3) ? next(300) * width : 4096 * next(3);
            for (int i = 0; i < 64; i++)
                offset[i] += distance;
            struct gp_access access = {.active = active,
                                       .weight = 1,
                                       .symbol = symbol,
                                       .offset = offset,
                                       .one_symbol = true,
                                       .distances = gp_distances_of(&distances, offset)};
            struct gp_request fresh = cost(&d, active), again;
            gp_request_memo_cost(memo, &d, &access, &again);
            assert_memory_equal(&fresh, &again, sizeof fresh);
        }
        gp_request_memo_free(memo);
        gp_distances_free(&distances);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unit_stride),
        cmocka_unit_test(lanes_of_the_load_store_unit),
        cmocka_unit_test(misaligned_by_one),
        cmocka_unit_test(strided),
        cmocka_unit_test(half_of_a_line),
        cmocka_unit_test(broadcast),
        cmocka_unit_test(permuted_and_partial),
        cmocka_unit_test(unknown_addresses),
        cmocka_unit_test(wide_vectors),
        cmocka_unit_test(local_banks),
        cmocka_unit_test(local_widths),
        cmocka_unit_test(local_rates),
        cmocka_unit_test(local_unknown),
        cmocka_unit_test(atomics),
        cmocka_unit_test(constants),
        cmocka_unit_test(private_arrays),
        cmocka_unit_test(generic_pointers),
        cmocka_unit_test(images),
        cmocka_unit_test(texels_have_places),
        cmocka_unit_test(gcn_global),
        cmocka_unit_test(gcn_local),
        cmocka_unit_test(local_ports),
        cmocka_unit_test(translations_cost_cycles),
        cmocka_unit_test(rdna_global),
        cmocka_unit_test(rdna_strides_as_measured),
        cmocka_unit_test(terascale),
        cmocka_unit_test(cc1_0_is_strict),
        cmocka_unit_test(cc1_2_shrinks_segments),
        cmocka_unit_test(cc1_x_banks),
        cmocka_unit_test(loads_have_wide_addresses),
        cmocka_unit_test(fermi),
        cmocka_unit_test(kepler),
        cmocka_unit_test(cpu_lanes),
        cmocka_unit_test(arithmetic_agrees_with_counting),
        cmocka_unit_test(repairs_never_cost_more),
        cmocka_unit_test(remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
