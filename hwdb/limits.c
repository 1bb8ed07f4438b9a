/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * For each field the numbers that a device can have: some times more, and less, than any device of today has. What lies
 * beyond is a slip of the unit or of the keyboard, and no arithmetic is made for it: what the model counts in 32 bits
 * stays below 2^32 however these are combined, a warp's lanes fit its masks, and no table or loop over lines, banks or
 * sectors gets long.
 */
#include "hwdb/internal.h"

/* Nothing of an SM works less than once in 64 cycles. */
#define SELDOM (1.0 / 64)
#define MB     (1024.0 * 1024)

#define AT(field, least, most)      [GP_FIELD_##field] = {least, most, false},
#define OR_NONE(field, least, most) [GP_FIELD_##field] = {least, most, true},

const struct gp_limit gp_limits[GP_NUMBER_COUNT] = {
    /* Execution */
    AT(sm_count, 1, 1e6) AT(clock_mhz, 1, 1e5)
        AT(warp_width, 1, 65536) /* the check has more to say of it */ AT(schedulers_per_sm, 1, 32)
            AT(issue_per_scheduler, SELDOM, 64) AT(issue_efficiency, 0.01, 1) AT(fp32_lanes, SELDOM, 65536)
                AT(fp64_lanes, SELDOM, 65536) AT(fp16_lanes, SELDOM, 65536) AT(int_lanes, SELDOM, 65536)
                    AT(int_mul_lanes, SELDOM, 65536) AT(shift_lanes, SELDOM, 65536) AT(sfu_lanes, SELDOM, 65536)
                        AT(cvt_lanes, SELDOM, 65536) AT(cvt64_lanes, SELDOM, 65536) AT(shuffle_lanes, SELDOM, 65536)
                            AT(barrier_lanes, SELDOM, 65536) AT(matrix_lanes, SELDOM, 65536)
                                AT(matrix_fp16_lanes, SELDOM, 65536) AT(matrix_tf32_lanes, SELDOM, 65536)
                                    AT(matrix_fp64_lanes, SELDOM, 65536) AT(matrix_int8_lanes, SELDOM, 65536)
                                        AT(matrix_group_lanes, SELDOM, 65536) AT(lsu_lanes, SELDOM, 4096)
                                            AT(load_lanes, SELDOM, 4096) OR_NONE(load_fp32_clk, SELDOM, 1e4)
                                                OR_NONE(smem_fp32_clk, SELDOM, 1e4) OR_NONE(int_shares_fp32, 0, 1)
                                                    OR_NONE(scalar_unit, 0, 1)

    /* Residency */
    AT(max_warps_per_sm, 1, 1024) AT(max_threads_per_sm, 1, 65536) AT(max_blocks_per_sm, 1, 1024)
        OR_NONE(max_barriers_per_sm, 1, 1024) AT(max_threads_per_block, 1, 65536) AT(registers_per_sm, 1, 1 << 24)
            AT(max_registers_per_thread, 1, 65536) AT(register_unit, 1, 65536) AT(warp_unit, 1, 64)
                OR_NONE(scalar_registers, 1, 65536) AT(scalar_register_unit, 1, 65536)

    /* Work-group memory */
    AT(smem_per_sm, 1, 256 * MB) AT(smem_per_block, 1, 256 * MB) OR_NONE(smem_reserved, 1, MB) AT(smem_unit, 1, MB)
        AT(smem_banks, 1, 1024) AT(smem_bank_bytes, 1, 64) AT(smem_bytes_per_clk, SELDOM, 65536)
            OR_NONE(smem_port_bytes, SELDOM, 65536) AT(smem_latency, SELDOM, 1e5) OR_NONE(smem_write_back, 0, 1)

    /* Caches */
    OR_NONE(l1_size, 64, 64 * MB) AT(l1_line, 16, 1024) AT(l1_sector, 16, 1024) AT(l1_latency, SELDOM, 1e5)
        AT(l1_bytes_per_clk, SELDOM, 65536) AT(l1_wide_bytes_per_clk, SELDOM, 65536) AT(l1_lines_per_clk, SELDOM, 64)
            OR_NONE(l2_size, 64, 4096 * MB) AT(l2_line, 16, 1024) AT(l2_sector, 16, 1024) AT(l2_fetch, 16, 65536)
                OR_NONE(l2_completes_lines, 0, 1) AT(l2_latency, SELDOM, 1e5) AT(l2_lines_per_clk, SELDOM, 1e6)
                    AT(l2_bytes_per_clk, SELDOM, 1e6) AT(l2_write_bytes_per_clk, SELDOM, 1e6)
                        OR_NONE(llc_size, 64, 65536 * MB) OR_NONE(llc_latency, SELDOM, 1e5) OR_NONE(llc_gbps, 0.1, 1e5)
                            OR_NONE(const_size, 64, 64 * MB) AT(const_latency, SELDOM, 1e5) AT(const_clk, SELDOM, 1e4)
                                AT(l1_ways, 1, 1024) AT(l2_ways, 1, 1024) AT(const_line, 16, 1024)
                                    AT(const_ways, 1, 1024) OR_NONE(tex_size, 64, 64 * MB) AT(tex_latency, SELDOM, 1e5)
                                        AT(texels_per_clk, SELDOM, 1024) AT(wide_texels_per_clk, SELDOM, 1024)
                                            OR_NONE(texel_read_clk, SELDOM, 1e6) OR_NONE(texel_write_clk, SELDOM, 1e6)

    /* DRAM */
    AT(dram_latency, SELDOM, 1e5) AT(dram_gbps, 0.1, 1e5) AT(dram_efficiency, 0.01, 1) AT(dram_read_efficiency, 0.01, 1)
        AT(dram_apart_efficiency, 0.01, 1) AT(dram_streams_efficiency, 0.01, 1) AT(dram_knee, 1, 64)
            AT(dram_read_knee, 1, 64) OR_NONE(dram_request_clk, SELDOM, 1e4) AT(dram_channels, 1, 65536)
                AT(channel_bytes, 16, MB) AT(departure_delay_coalesced, SELDOM, 1e5)
                    AT(departure_delay_uncoalesced, SELDOM, 1e5) OR_NONE(channel_hash, 0, 1)

    /* Latencies */
    AT(lat_fp32, SELDOM, 1e5) AT(lat_add, SELDOM, 1e5) AT(lat_fp64, SELDOM, 1e5) AT(lat_int, SELDOM, 1e5)
        AT(lat_int_mul, SELDOM, 1e5) AT(lat_sfu, SELDOM, 1e5) AT(lat_cvt, SELDOM, 1e5) AT(lat_shuffle, SELDOM, 1e5)
            AT(lat_matrix, SELDOM, 1e5) OR_NONE(barrier_latency, SELDOM, 1e5)

    /* Scheduling and requests in flight */
    OR_NONE(scheduler_policy, 0, 2) AT(scheduler_quantum, SELDOM, 1e6) OR_NONE(partitioned, 0, 1)
        AT(same_warp_clk, SELDOM, 1e5) AT(same_warp_memory_clk, SELDOM, 1e5) AT(warp_loads, 1, 65536)
            OR_NONE(tlb_pages, 1, 65536) OR_NONE(tlb_clk, SELDOM, 1e4) OR_NONE(tlb_entries, 1, 65536)
                AT(tlb_ways, 1, 1024) OR_NONE(page_walk_clk, SELDOM, 1e5) AT(page_walkers, 1, 64)
                    OR_NONE(mshr_entries, 1, 65536) AT(mshr_merges, 1, 65536) OR_NONE(prt_entries, 1, 65536)
                        OR_NONE(prt_lanes, 1, 1 << 24) OR_NONE(return_lanes, SELDOM, 65536) AT(load_replays, 1, 1024)
                            AT(smem_replay_clk, SELDOM, 1e5) AT(sm_bytes_per_clk, SELDOM, 65536)
                                AT(cluster_sms, 1, 65536)

    /* Overheads */
    OR_NONE(atomic_global_clk, SELDOM, 1e5) OR_NONE(atomic_local_clk, SELDOM, 1e5) OR_NONE(atomic_line_clk, SELDOM, 1e4)
        OR_NONE(atomic_word_clk, 1e-3, 1e4) AT(atomic_part_bytes, 4, MB) OR_NONE(atomic_sectors, SELDOM, 65536)
            OR_NONE(atomic_words, SELDOM, 65536) OR_NONE(launch_ns, SELDOM, 1e9)
                OR_NONE(group_dispatch_clk, SELDOM, 1e6) OR_NONE(group_rate, SELDOM, 64)
                    OR_NONE(emptying_per_doubling, 1e-3, 1) OR_NONE(prefetch_streams, 1, 64)
                        OR_NONE(prefetch_bytes, 1, MB) OR_NONE(store_buffer, 1, 64) OR_NONE(l1_set_fills, 1, 65536)
                            OR_NONE(reorder_buffer, 1, 65536) OR_NONE(vector_bytes, 1, 1024)};
