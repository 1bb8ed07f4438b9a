/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A device with round numbers, for expectations worked by hand: Volta-like, 10 SMs at 1000 MHz. */
#ifndef GPUPERF_TEST_HAND_DEVICE_H
#define GPUPERF_TEST_HAND_DEVICE_H

#include "hwdb/internal.h"

/* Fields that are as the rule of the device's architecture has them. */
/* clang-format off */
#define BY_RULE(X) X(load_fp32_clk) X(smem_fp32_clk) X(max_barriers_per_sm) X(scalar_registers) X(scalar_register_unit) \
    X(smem_port_bytes) X(smem_write_back) X(l1_wide_bytes_per_clk) X(l1_lines_per_clk) X(l2_completes_lines) \
    X(tlb_entries) X(tlb_ways) X(page_walk_clk) X(page_walkers) X(texels_per_clk) X(wide_texels_per_clk) \
    X(texel_read_clk) X(texel_write_clk) X(atomic_line_clk) X(atomic_word_clk) X(atomic_part_bytes) X(atomic_sectors) \
    X(atomic_words) X(emptying_per_doubling) X(prefetch_streams) X(prefetch_bytes) X(store_buffer) \
    X(l1_set_fills) X(reorder_buffer)
/* clang-format on */
static inline void hand_arch(struct gp_device *device, enum gp_arch arch)
{
    struct gp_device by_rule = *device;
    by_rule.arch = device->arch = arch;
#define X(field) by_rule.field.origin = GP_FROM_UNKNOWN;
    BY_RULE(X)
#undef X
    gp_derive(&by_rule);
#define X(field) device->field = by_rule.field;
    BY_RULE(X)
#undef X
}

static inline struct gp_device hand_device(void)
{
    struct gp_device d = {.name = "hand",
                          .title = "a device by hand",
                          .compute_capability = 70,
                          .triple = "nvptx64-nvidia-cuda",
                          .cpu = "sm_70"};
#define SET(field, number) d.field = (struct gp_number){.value = (number), .origin = GP_FROM_VENDOR, .source = "test"}
    SET(sm_count, 10);
    SET(clock_mhz, 1000);
    SET(warp_width, 32);
    SET(schedulers_per_sm, 4);
    SET(issue_per_scheduler, 1);
    SET(issue_efficiency, 1);
    SET(fp32_lanes, 64);
    SET(fp64_lanes, 32);
    SET(fp16_lanes, 128);
    SET(int_lanes, 64);
    SET(int_mul_lanes, 64);
    SET(shift_lanes, 64);
    SET(sfu_lanes, 16);
    SET(cvt_lanes, 16);
    SET(cvt64_lanes, 16);
    SET(shuffle_lanes, 32);
    SET(barrier_lanes, 128);
    SET(matrix_lanes, 512);
    SET(matrix_fp16_lanes, 512);
    SET(matrix_tf32_lanes, 256);
    SET(matrix_fp64_lanes, 32);
    SET(matrix_int8_lanes, 1024);
    SET(matrix_group_lanes, 512);
    SET(lat_matrix, 30);
    SET(lsu_lanes, 32);
    SET(load_lanes, 32);
    SET(int_shares_fp32, 0);
    SET(scalar_unit, 0);
    SET(max_warps_per_sm, 64);
    SET(max_threads_per_sm, 2048);
    SET(max_blocks_per_sm, 32);
    SET(max_threads_per_block, 1024);
    SET(registers_per_sm, 65536);
    SET(max_registers_per_thread, 255);
    SET(register_unit, 256);
    SET(warp_unit, 4);
    SET(smem_per_sm, 98304);
    SET(smem_per_block, 98304);
    SET(smem_reserved, 0);
    SET(smem_unit, 256);
    SET(smem_banks, 32);
    SET(smem_bank_bytes, 4);
    SET(smem_bytes_per_clk, 128);
    SET(smem_latency, 20);
    SET(l1_size, 131072);
    SET(l1_line, 128);
    SET(l1_sector, 32);
    SET(l1_latency, 30);
    SET(l1_bytes_per_clk, 128);
    SET(l2_size, 1 << 20);
    SET(l2_line, 128);
    SET(l2_sector, 32);
    SET(l2_latency, 200);
    SET(l2_bytes_per_clk, 640);
    SET(l2_lines_per_clk, 10);
    SET(l2_write_bytes_per_clk, 640);
    SET(llc_size, 0);
    SET(llc_latency, 0);
    SET(llc_gbps, 0);
    SET(const_size, 2048);
    SET(const_latency, 8);
    SET(dram_latency, 500);
    SET(dram_gbps, 200);
    SET(dram_efficiency, 1);
    SET(dram_read_efficiency, 1);
    SET(dram_apart_efficiency, 1);
    SET(dram_streams_efficiency, 1);
    SET(dram_request_clk, 0);
    SET(dram_knee, 64);
    SET(dram_read_knee, 64);
    SET(dram_channels, 8);
    SET(channel_bytes, 256);
    SET(departure_delay_coalesced, 1);
    SET(departure_delay_uncoalesced, 2);
    SET(lat_fp32, 4);
    SET(lat_add, 4);
    SET(lat_fp64, 8);
    SET(lat_int, 4);
    SET(lat_int_mul, 4);
    SET(lat_sfu, 20);
    SET(lat_cvt, 20);
    SET(lat_shuffle, 20);
    SET(barrier_latency, 10);
    SET(atomic_global_clk, 2);
    SET(atomic_local_clk, 1);
    SET(launch_ns, 0);
    SET(group_dispatch_clk, 0);
    SET(scheduler_policy, 1);
    SET(scheduler_quantum, 1);
    SET(partitioned, 1);
    SET(same_warp_clk, 1);
    SET(same_warp_memory_clk, 1);
    SET(warp_loads, 64);
    SET(tlb_pages, 0);
    SET(tlb_clk, 0);
    SET(mshr_entries, 0);
    SET(mshr_merges, 8);
    SET(prt_entries, 0);
    SET(prt_lanes, 0);
    SET(smem_replay_clk, 1);
    SET(sm_bytes_per_clk, 64);
    SET(cluster_sms, 1);
    SET(l1_ways, 4);
    SET(l2_ways, 16);
    SET(const_line, 64);
    SET(const_ways, 4);
    SET(return_lanes, 0);
    SET(load_replays, 1);
    SET(tex_size, 0);
    SET(tex_latency, 30);
    SET(channel_hash, 1);
    SET(group_rate, 0);
    SET(vector_bytes, 0);
#undef SET
    hand_arch(&d, GP_ARCH_VOLTA);
    return d;
}

#endif
