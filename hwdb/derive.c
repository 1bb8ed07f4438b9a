/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a device file leaves `unknown`, by rule: one line per rule, with its reason. The values count as assumed (the
 * departure delays as derived), so that predictions that rest on them lose confidence. docs/hwdb.md shows the same
 * table. A rule may use fields of earlier rules, so their order matters.
 */
#include "hwdb/internal.h"

#include <math.h>

static void fill(struct gp_number *number, double value, const char *reason)
{
    if (number->origin == GP_FROM_UNKNOWN)
        *number = (struct gp_number){value, GP_FROM_ASSUMED, reason};
}

static void derive_pipes(struct gp_device *d)
{
    bool amd = gp_arch_is_amd(d->arch);
    fill(&d->issue_efficiency, 1, "rule: 1, nothing measured");
    fill(&d->issue_per_scheduler, 1, "rule: 1, as on every GPU since Volta and on AMD's SIMDs");
    fill(&d->int_lanes, d->fp32_lanes.value, "rule: fp32_lanes, as where both share their lanes");
    fill(&d->int_mul_lanes, d->int_lanes.value / (amd ? 4 : 1),
         "rule: int_lanes, a quarter of them on AMD (v_mul_lo_u32)");
    fill(&d->shift_lanes, d->int_lanes.value, "rule: int_lanes, shifts are plain integer operations");
    fill(&d->sfu_lanes, d->fp32_lanes.value / 4, "rule: fp32_lanes / 4, the usual quarter rate");
    fill(&d->fp16_lanes, d->fp32_lanes.value, "rule: fp32_lanes, halves are widened where there is no half arithmetic");
    fill(&d->cvt_lanes, d->sfu_lanes.value, "rule: sfu_lanes, conversions go through the same units");
    fill(&d->cvt64_lanes, d->fp64_lanes.value < d->cvt_lanes.value ? d->fp64_lanes.value : d->cvt_lanes.value,
         "rule: the slower of fp64_lanes and cvt_lanes");
    fill(&d->shuffle_lanes, d->warp_width.value < 32 ? d->warp_width.value : 32,
         "rule: 32, one exchange network of 32 lanes");
    fill(&d->barrier_lanes,
         gp_arch_is_nvidia_since(d->arch, GP_ARCH_VOLTA) ? 16 : d->schedulers_per_sm.value * d->warp_width.value,
         "rule: 16 on NVIDIA since Volta (V100 to Ada), elsewhere schedulers_per_sm x warp_width: no limit but issuing "
         "is known");
    fill(&d->matrix_lanes, d->fp16_lanes.value, "rule: fp16_lanes, no matrix units known");
    fill(&d->matrix_fp16_lanes, d->matrix_lanes.value,
         "rule: matrix_lanes, the width of sums is no matter on data centres' chips");
    fill(&d->matrix_tf32_lanes,
         d->matrix_lanes.value / 2 > d->fp32_lanes.value ? d->matrix_lanes.value / 2 : d->fp32_lanes.value,
         "rule: matrix_lanes / 2 (Ampere to Hopper), fp32_lanes where that is less");
    fill(&d->matrix_fp64_lanes, d->fp64_lanes.value, "rule: fp64_lanes, no matrix units for them known");
    fill(&d->matrix_int8_lanes, d->matrix_fp16_lanes.value, "rule: matrix_fp16_lanes");
    fill(&d->matrix_group_lanes, d->matrix_lanes.value, "rule: matrix_lanes, none before Hopper");
    fill(&d->lsu_lanes, amd ? 16 : 32, "rule: 32 (NVIDIA: a warp's addresses per cycle), 16 on AMD (64 B per cycle)");
    fill(&d->load_lanes, d->lsu_lanes.value, "rule: as lsu_lanes");
    bool holds =
        gp_arch_is_nvidia_since(d->arch, GP_ARCH_VOLTA) && d->fp32_lanes.value < 128 && d->lsu_lanes.value >= 32;
    fill(&d->load_fp32_clk, holds ? 0.6 : 0,
         "rule: 0.6 on NVIDIA since Volta where FP32 takes a warp in two turns and addresses in one (A100), else 0");
    fill(&d->smem_fp32_clk, holds ? 0.25 : 0, "rule: 0.25 where load_fp32_clk is 0.6 (A100), else 0");
    fill(&d->int_shares_fp32, amd || d->arch < GP_ARCH_VOLTA,
         "rule: 1 on AMD and before Volta, where one pipe serves both");
    fill(&d->scalar_unit, amd && d->arch != GP_ARCH_TERASCALE, "rule: 1 on GCN and its successors");
}

static void derive_groups(struct gp_device *d)
{
    fill(&d->max_threads_per_sm,
         d->arch == GP_ARCH_CPU ? d->max_threads_per_block.value : d->max_warps_per_sm.value * d->warp_width.value,
         "rule: max_warps_per_sm x warp_width; max_threads_per_block on a CPU, which runs them one by one");
    fill(&d->max_blocks_per_sm, d->max_warps_per_sm.value, "rule: max_warps_per_sm, a group has at least one warp");
    fill(&d->max_barriers_per_sm, d->arch == GP_ARCH_XE ? 32 : 0,
         "rule: 32 on Intel (oneAPI's occupancy calculator), elsewhere 0, as many as groups");
    fill(&d->warp_unit, 1, "rule: 1, no rounding known");
    bool scalar = d->arch == GP_ARCH_GCN || d->arch == GP_ARCH_CDNA;
    fill(&d->scalar_registers, scalar ? 800 : 0, "rule: 800 on GCN and CDNA (LLVM), elsewhere 0, no limit");
    fill(&d->scalar_register_unit, 16, "rule: 16 (LLVM, gfx9 and older)");
    fill(&d->smem_reserved, 0, "rule: 0, none known");
    fill(&d->smem_unit, 512, "rule: 512 B, the coarsest of the known ones but RDNA's");
}

static void derive_memory(struct gp_device *d)
{
    bool amd = gp_arch_is_amd(d->arch);
    fill(&d->smem_bytes_per_clk, d->smem_banks.value * d->smem_bank_bytes.value,
         "rule: smem_banks x smem_bank_bytes, every bank once per cycle");
    fill(&d->smem_port_bytes, amd ? 64 * floor(d->schedulers_per_sm.value / 2) : 0,
         "rule: 64 B for each pair of SIMDs on AMD (HIP documentation), elsewhere 0, what the banks deliver");
    fill(&d->smem_latency, amd ? 64 : 29,
         "rule: 29 (A100 to Hopper 23 to 30), 64 on AMD (GCN, published microbenchmarks)");
    fill(&d->smem_write_back, d->arch == GP_ARCH_TURING, "rule: 1 on Turing (RTX 2080 Ti), elsewhere 0");
    fill(&d->dram_latency, amd ? 600 : 500, "rule: 500 (V100 434, A100 550), 600 on AMD (MI210)");
    fill(&d->l2_latency, d->dram_latency.value / (d->l2_size.value > 0 ? 2 : 1),
         "rule: half of dram_latency (V100 0.49, GA102 0.45, MI210 0.42), all of it where there is no L2");
    fill(&d->l1_latency,
         d->l1_size.value == 0 ? d->l2_latency.value
         : amd                 ? 128
                               : 33,
         "rule: 33 (A100, GA102), 128 on AMD (MI210), l2_latency where there is no L1");
    fill(&d->l1_line, amd ? 64 : 128, "rule: 128 B, 64 B on AMD before RDNA");
    fill(&d->l1_sector, d->l1_line.value, "rule: l1_line, no smaller transfer known");
    fill(&d->l1_bytes_per_clk, d->lsu_lanes.value * 4,
         "rule: 4 B per address lane, what a coalesced 32-bit load needs");
    fill(&d->l1_wide_bytes_per_clk, d->arch == GP_ARCH_RDNA ? 64 : d->l1_bytes_per_clk.value,
         "rule: 64 B on RDNA (float4 on an RX 6900 XT 13.4 TB/s of 80 CUs at 2555 MHz, RX 7600 5.3 of 32 at 2655), "
         "elsewhere l1_bytes_per_clk");
    fill(&d->l1_lines_per_clk, 4, "rule: 4 (A100, A40, H200; RDNA 2)");
    fill(&d->l2_line, 128, "rule: 128 B, as on every NVIDIA GPU since Fermi and on CDNA2 and RDNA");
    fill(&d->l2_sector, d->l1_sector.value < d->l2_line.value ? d->l1_sector.value : d->l2_line.value,
         "rule: l1_sector, caches exchange sectors");
    fill(&d->l2_fetch, gp_arch_is_nvidia_since(d->arch, GP_ARCH_AMPERE) ? 64 : d->l2_sector.value,
         "rule: 64 B on NVIDIA since Ampere (H200; the driver's default on 8.6), elsewhere l2_sector");
    fill(&d->l2_completes_lines, d->arch == GP_ARCH_XE,
         "rule: 1 on Intel (Max 1100: copies of 16 bytes, 32 to 128 apart), elsewhere 0");
    fill(&d->l2_bytes_per_clk, 20 * d->sm_count.value,
         "rule: 20 B per cycle and SM (L40 15, V100 19, MI210 27, A100 35)");
    fill(&d->l2_lines_per_clk, d->l2_bytes_per_clk.value / d->l2_sector.value,
         "rule: l2_bytes_per_clk / l2_sector, sectors read as fast wherever they lie (H200 64 of 155)");
    fill(&d->l2_write_bytes_per_clk, d->l2_bytes_per_clk.value, "rule: l2_bytes_per_clk, written as fast as read");
    fill(&d->llc_size, 0, "rule: 0, no third level known");
    fill(&d->llc_latency, d->llc_size.value > 0 ? (d->l2_latency.value + d->dram_latency.value) / 2 : 0,
         "rule: midway between L2 and DRAM; 0 where there is none");
    fill(&d->llc_gbps, d->llc_size.value > 0 ? (amd ? 4 : 2) * d->dram_gbps.value : 0,
         "rule: 4 x dram_gbps on AMD (Navi 21 3.8), 2 x elsewhere; 0 where there is none");
    fill(&d->const_size, amd ? 16384 : 2048, "rule: 2 KB (NVIDIA since Kepler), 16 KB scalar cache on AMD");
    fill(&d->const_latency, amd ? 50 : 20, "rule: 20 (Maxwell 20, Hopper 17), 50 on AMD (MI210 48 to 53)");
    fill(&d->const_clk, 1, "rule: 1, an address a cycle (H200 2)");
    fill(&d->dram_efficiency, 0.87, "rule: 0.87, the middle of what stream benchmarks reach (0.81 to 0.95)");
    fill(&d->dram_read_efficiency, d->dram_efficiency.value, "rule: dram_efficiency, read as fast as copied");
    fill(&d->dram_apart_efficiency, d->dram_read_efficiency.value, "rule: dram_read_efficiency, wherever it lies");
    fill(&d->dram_streams_efficiency, 1, "rule: 1, no other limit however many arrays");
    fill(&d->dram_knee, 4, "rule: 4 (H200 1.5, V100 2.3, MI210 2.6, A100 3.3, A40 4.1, L40 5, RX 6900 XT 8)");
    fill(&d->dram_read_knee, d->dram_knee.value, "rule: dram_knee, reading as copying");
    fill(&d->dram_request_clk, 0, "rule: 0, none known");
    fill(&d->dram_channels, 8, "rule: 8, a 256-bit bus of 32-bit channels");
    fill(&d->channel_bytes, 256, "rule: 256 B, GT200's and GCN's interleave; recent GPUs hash addresses");
}

/* Arithmetic on other numbers: derived as long as none of them is a guess. */
static void fill_from(struct gp_number *number, double value, const char *reason, const struct gp_number *const *from,
                      size_t count)
{
    if (number->origin != GP_FROM_UNKNOWN)
        return;
    *number = (struct gp_number){value, GP_FROM_DERIVED, reason};
    for (size_t i = 0; i < count; i++)
        if (from[i]->origin == GP_FROM_ASSUMED)
            number->origin = GP_FROM_ASSUMED;
}

/*
 * Hong & Kim fitted these for the G80s (4 and 10) and the GTX 280 (4 and 40). What limits coalesced requests beside the
 * bandwidth, which their equation (6) takes care of, is the rate at which an SM takes a warp's addresses: 32 / 8 = 4 on
 * both. Small transactions leave at the SM's share of the bandwidth: 9.0 cycles for 32 bytes on the FX 5600, 8.8 on the
 * GTX 280, whose fitted 40 is that of its largest transactions.
 */
static void derive_departures(struct gp_device *d)
{
    const struct gp_number *const of_addresses[] = {&d->warp_width, &d->lsu_lanes};
    const struct gp_number *const of_bandwidth[] = {&d->l1_sector, &d->clock_mhz, &d->sm_count, &d->dram_gbps};
    fill_from(&d->departure_delay_coalesced, d->warp_width.value / d->lsu_lanes.value,
              "rule: warp_width / lsu_lanes, a warp's addresses (G80 and GT200: 32 / 8, as fitted)", of_addresses, 2);
    fill_from(&d->departure_delay_uncoalesced,
              d->l1_sector.value * d->clock_mhz.value * d->sm_count.value / (1000 * d->dram_gbps.value),
              "rule: l1_sector x clock x SMs / bandwidth, a transaction's share of it (G80: 9.0, fitted 10)",
              of_bandwidth, 4);
}

static void derive_latencies(struct gp_device *d)
{
    bool amd = gp_arch_is_amd(d->arch);
    bool full_fp64 = d->fp64_lanes.value * 2 >= d->fp32_lanes.value;
    fill(&d->lat_fp32, 4, "rule: 4, as on Volta to Hopper and GCN");
    fill(&d->lat_add, d->lat_fp32.value, "rule: lat_fp32");
    fill(&d->lat_fp64, full_fp64 ? 2 * d->lat_fp32.value : d->lat_fp32.value + 40,
         "rule: 2 x lat_fp32 where FP64 is wide (V100, A100), else lat_fp32 + 40 (Turing 40, Maxwell 48)");
    fill(&d->lat_int, d->lat_fp32.value, "rule: lat_fp32, the pipes are alike");
    fill(&d->lat_int_mul, d->lat_int.value * (d->int_mul_lanes.value < d->int_lanes.value ? 4 : 1),
         "rule: lat_int, four times it where multiplication is slower");
    fill(&d->lat_sfu, amd ? 4 * d->lat_fp32.value : d->lat_fp32.value + 16,
         "rule: lat_fp32 + 16 (A100 18), 4 x lat_fp32 on AMD (quarter rate)");
    fill(&d->lat_cvt, d->lat_sfu.value, "rule: lat_sfu, conversions go through the same units");
    fill(&d->lat_shuffle, d->smem_latency.value,
         "rule: smem_latency, shuffles use the work-group memory's network (V100 22)");
    fill(&d->lat_matrix, amd ? 32 : 33, "rule: 33 (A100), 32 on AMD (8 passes of 4 cycles)");
    fill(&d->barrier_latency, d->smem_latency.value,
         "rule: smem_latency, an arrival is one more trip like it (GT200 20, V100 22)");
}

static void derive_scheduling(struct gp_device *d)
{
    bool amd = gp_arch_is_amd(d->arch);
    fill(&d->scheduler_policy, d->arch >= GP_ARCH_KEPLER && d->arch <= GP_ARCH_RDNA ? 1 : 0,
         "rule: 1 since Kepler (simulators fit it) and on AMD (oldest wave first), 0 before");
    fill(&d->scheduler_quantum, 1 / d->issue_per_scheduler.value,
         "rule: 1 / issue_per_scheduler, a turn is one instruction");
    fill(&d->partitioned, amd || (d->arch >= GP_ARCH_MAXWELL && d->arch <= GP_ARCH_BLACKWELL),
         "rule: 1 since Maxwell and on AMD, 0 before");
    fill(&d->same_warp_clk, 1 / d->issue_per_scheduler.value,
         "rule: 1 / issue_per_scheduler, no longer interval known");
    fill(&d->same_warp_memory_clk, d->same_warp_clk.value, "rule: same_warp_clk, no longer interval known");
    fill(&d->cluster_sms, 1, "rule: 1, an SM reaches L2 by itself");
    fill(&d->sm_bytes_per_clk, 64, "rule: 64 B (V100, A100; L40 reaches 60, MI210 59 to 64)");
    fill(&d->smem_replay_clk, d->smem_banks.value * d->smem_bank_bytes.value / d->smem_bytes_per_clk.value,
         "rule: a pass of all banks, smem_banks x smem_bank_bytes / smem_bytes_per_clk");
}

/* A CPU's core, as Skylake. */
static void derive_translations(struct gp_device *d)
{
    bool cpu = d->arch == GP_ARCH_CPU;
    fill(&d->tlb_entries, cpu ? 1536 : 0, "rule: 1536 of a CPU's core (Skylake), 0 on a GPU");
    fill(&d->tlb_ways, cpu ? 12 : 1, "rule: 12 of a CPU's core (Skylake)");
    fill(&d->page_walk_clk, cpu ? 30 : 0, "rule: 30 of a CPU's core (Skylake), 0 on a GPU");
    fill(&d->page_walkers, cpu ? 2 : 1, "rule: 2 of a CPU's core (Skylake)");
    fill(&d->prefetch_streams, cpu ? 32 : 0, "rule: 32 of a CPU's core (Skylake), 0 on a GPU");
    fill(&d->prefetch_bytes, cpu ? 2048 : 0, "rule: 2 KB on a CPU (Skylake), 0 on a GPU");
    fill(&d->l1_set_fills, cpu ? d->mshr_entries.value : 0, "rule: mshr_entries of a CPU's core, 0 on a GPU");
    fill(&d->reorder_buffer, cpu ? 224 : 0, "rule: 224 of a CPU's core (Skylake), 0 on a GPU");
    fill(&d->store_buffer, cpu ? 56 : 0, "rule: 56 of a CPU's core (Skylake), 0 on a GPU");
}

/* The guides' texture units of a multiprocessor; a CPU samples in software. */
static double texels_per_clk(enum gp_arch arch)
{
    switch (arch) {
    case GP_ARCH_TESLA2: return 3;
    case GP_ARCH_KEPLER: return 16;
    case GP_ARCH_HOPPER:
    case GP_ARCH_BLACKWELL:
    case GP_ARCH_XE: return 8;
    case GP_ARCH_CPU: return 1;
    default: return 4;
    }
}

static void derive_texels(struct gp_device *d)
{
    bool cpu = d->arch == GP_ARCH_CPU, hopper = gp_arch_is_nvidia_since(d->arch, GP_ARCH_HOPPER);
    fill(
        &d->texels_per_clk, texels_per_clk(d->arch),
        "rule: 4 (NVIDIA's and AMD's guides), 3 on compute capability 1.2 and 1.3, 16 on Kepler, 8 since Hopper (H200) "
        "and on Intel, 1 on a CPU");
    fill(&d->wide_texels_per_clk, hopper ? 4 : d->texels_per_clk.value,
         "rule: 4 since Hopper (H200), elsewhere texels_per_clk");
    fill(&d->texel_read_clk, cpu ? 25 : 0, "rule: 25 on a CPU (PoCL), 0 on a GPU");
    fill(&d->texel_write_clk, cpu ? 18 : 0, "rule: 18 on a CPU (PoCL), 0 on a GPU");
}

static void derive_in_flight(struct gp_device *d)
{
    bool unified = d->l1_size.value > 0 && d->arch >= GP_ARCH_MAXWELL;
    fill(&d->warp_loads, 64, "rule: 64, no limit known");
    fill(&d->tlb_pages, 0, "rule: 0, no cost of translations known");
    fill(&d->tlb_clk, 0, "rule: 0, no cost of translations known");
    derive_translations(d);
    fill(&d->mshr_entries, 0, "rule: 0, no limit known");
    fill(&d->mshr_merges, 8, "rule: 8, Fermi's");
    fill(&d->prt_entries, 0, "rule: 0, no limit known");
    fill(&d->prt_lanes, 0, "rule: 0, no limit known");
    fill(&d->return_lanes, 0, "rule: 0, no limit known");
    fill(&d->load_replays, 1, "rule: 1, one after the other");
    fill(&d->l1_ways, 4, "rule: 4, Fermi's and GCN's");
    fill(&d->l2_ways, 16, "rule: 16, as on Kepler, Volta and GCN");
    fill(&d->const_line, 64, "rule: 64 B, GT200's and GCN's");
    fill(&d->const_ways, 4, "rule: 4, GT200's");
    fill(&d->tex_size, unified ? 0 : 12288, "rule: 0 where L1 serves (since Maxwell and on AMD), else 12 KB");
    fill(&d->tex_latency, d->arch >= GP_ARCH_MAXWELL ? d->l1_latency.value : 0.6 * d->l2_latency.value,
         "rule: l1_latency since Maxwell and on AMD, where one cache is both; else 0.6 x l2_latency, what is behind it "
         "(GT200 261 of 440)");
    derive_texels(d);
    fill(&d->channel_hash, d->arch >= GP_ARCH_FERMI && d->arch != GP_ARCH_TERASCALE,
         "rule: 1 since Fermi and on GCN and its successors, 0 before");
}

/* Of atomics on many addresses. */
static void derive_atomics(struct gp_device *d)
{
    bool parts = gp_arch_is_nvidia_since(d->arch, GP_ARCH_VOLTA);
    fill(&d->atomic_line_clk, parts ? 2 : 0,
         "rule: 2 on NVIDIA since Volta (histograms on five GPUs), elsewhere 0, a cycle for each segment");
    fill(&d->atomic_word_clk, parts ? 0.5 / 32 : 0,
         "rule: half a cycle for 32 on NVIDIA since Volta (histograms on five GPUs), elsewhere 0");
    fill(&d->atomic_part_bytes, 1024, "rule: 1 KB (histograms on five of NVIDIA's)");
    fill(&d->atomic_sectors, parts ? 45.0 / 64 : 0,
         "rule: 45 for 64 lines on NVIDIA since Volta (H100), elsewhere 0, no limit known");
    fill(&d->atomic_words, parts ? 215.0 / 64 : 0,
         "rule: 215 for 64 lines on NVIDIA since Volta (H100), elsewhere 0, no limit known");
}

static void derive_overheads(struct gp_device *d)
{
    bool native = !gp_arch_is_nvidia(d->arch) || d->arch >= GP_ARCH_MAXWELL;
    fill(&d->atomic_global_clk, d->arch < GP_ARCH_KEPLER ? 9 : 1,
         "rule: 1, an operation per cycle on one address (Kepler whitepaper); 9 before Kepler");
    fill(&d->atomic_local_clk,
         native ? d->smem_banks.value * d->smem_bank_bytes.value / d->smem_bytes_per_clk.value : d->smem_latency.value,
         "rule: a pass per lane on one word; before Maxwell a locked load and store, smem_latency");
    derive_atomics(d);
    fill(&d->launch_ns, 2500, "rule: 2.5 us back to back in a stream (A100 2.6, H200 2.4, MI210 2.1)");
    fill(&d->group_dispatch_clk, 350, "rule: 350, the lowest that PPT-GPU fits (350 on Turing, 700 before)");
    bool one_by_one = gp_arch_is_nvidia(d->arch) || d->arch == GP_ARCH_RDNA;
    fill(&d->group_rate, one_by_one,
         "rule: 1 on NVIDIA and RDNA (RTX 4090 0.75, H200 0.84, A100 0.96), elsewhere 0, no limit known");
    fill(&d->emptying_per_doubling, gp_arch_is_nvidia(d->arch) ? 0.1 : 0,
         "rule: 0.1 on NVIDIA (H100: groups of 512 and 1024 work-items, against 256), elsewhere 0, none known");
    fill(&d->vector_bytes, 0, "rule: 0, a GPU");
}

void gp_derive(struct gp_device *device)
{
    derive_pipes(device);
    derive_groups(device);
    derive_memory(device);
    derive_departures(device);
    derive_latencies(device);
    derive_scheduling(device);
    derive_in_flight(device);
    derive_overheads(device);
}
