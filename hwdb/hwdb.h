/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The hardware database: one YAML file per device, hwdb/NAME.yaml; docs/hwdb.md describes the files.
 *
 * Every number says where it is from. A number that no source knows is written `unknown`, or left out; derive.c then
 * fills it by a stated rule with origin `assumed`, and predictions that rest on it lose confidence. So a loaded device
 * has a value for every field.
 */
#ifndef GPUPERF_HWDB_HWDB_H
#define GPUPERF_HWDB_HWDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum gp_origin {
    GP_FROM_UNKNOWN,  /* never seen in a loaded device */
    GP_FROM_MEASURED, /* a benchmark on this chip */
    GP_FROM_VENDOR,   /* data sheet, programming guide, vendor's header */
    GP_FROM_FITTED,   /* chosen so that some model of this chip matched measurements (simulators, papers) */
    GP_FROM_DERIVED,  /* arithmetic on numbers of the three kinds above, by a file or by derive.c */
    GP_FROM_ASSUMED   /* taken from a relative or by rule of thumb: a guess */
};
const char *gp_origin_name(enum gp_origin origin);

struct gp_number {
    double value;
    enum gp_origin origin;
    const char *source; /* short; "rule: ..." when derive.c filled the number */
};

/*
 * X(field, unit, meaning). SM stands for SM, CU or CPU core throughout; lanes are work-items served per cycle per SM.
 * One cycle is one of clock_mhz. A cache that does not exist has size 0 (an L1 that global loads do not use, too). From
 * Volta on L1 and work-group memory share one array, and l1_size is the whole of it. A CPU's l1_size and l2_size are of
 * one core. RDNA: an SM is a CU, half of a work-group processor; occupancy.c joins the halves again.
 */
/* clang-format off */
#define GP_DEVICE_NUMBERS(X) \
    X(sm_count, "", "SMs, CUs or CPU cores") \
    X(clock_mhz, "MHz", "clock at which kernels run by default") \
    X(warp_width, "lanes", "lanes of a warp or wave; for a CPU 1") \
    X(schedulers_per_sm, "", "warp schedulers or SIMDs of an SM") \
    X(issue_per_scheduler, "inst/clk", "instructions a scheduler issues per cycle") \
    X(issue_efficiency, "share", "of its cycles those in which a scheduler issues where instructions bound a kernel") \
    X(fp32_lanes, "lanes/clk", "FP32 add, multiply and FMA") \
    X(fp64_lanes, "lanes/clk", "FP64 add, multiply and FMA") \
    X(fp16_lanes, "lanes/clk", "FP16 add, multiply and FMA, elements") \
    X(int_lanes, "lanes/clk", "32-bit integer add and logic") \
    X(int_mul_lanes, "lanes/clk", "32-bit integer multiply") \
    X(shift_lanes, "lanes/clk", "shifts and bit fields") \
    X(sfu_lanes, "lanes/clk", "reciprocal, square root, sine ... approximations") \
    X(cvt_lanes, "lanes/clk", "conversions between 32-bit types") \
    X(cvt64_lanes, "lanes/clk", "conversions to or from 64-bit types") \
    X(shuffle_lanes, "lanes/clk", "exchange between lanes") \
    X(barrier_lanes, "lanes/clk", "work-items arriving at barriers") \
    X(matrix_lanes, "lanes/clk", "multiply-adds of matrix units: 16-bit floats, sums of 32 bits") \
    X(matrix_fp16_lanes, "lanes/clk", "the same with sums of 16 bits") \
    X(matrix_tf32_lanes, "lanes/clk", "32-bit floats, on NVIDIA cut to TF32") \
    X(matrix_fp64_lanes, "lanes/clk", "64-bit floats") \
    X(matrix_int8_lanes, "lanes/clk", "bytes, integers and floats") \
    X(matrix_group_lanes, "lanes/clk", "16-bit floats by instructions of four warps (wgmma)") \
    X(lsu_lanes, "lanes/clk", "addresses taken per cycle by the load/store units") \
    X(load_lanes, "lanes/clk", "the same of loads from global memory, whose addresses have 64 bits") \
    X(load_fp32_clk, "clk", "that a warp's load from global memory keeps the FP32 lanes, of each of its own") \
    X(smem_fp32_clk, "clk", "the same of an access to local memory") \
    X(int_shares_fp32, "0/1", "1 where integer operations take FP32 issue slots or lanes (GA10x, GCN, RDNA: yes)") \
    X(scalar_unit, "0/1", "1 where uniform operations run on a scalar unit (AMD)") \
    X(max_warps_per_sm, "warps", "resident") \
    X(max_threads_per_sm, "work-items", "resident") \
    X(max_blocks_per_sm, "groups", "resident") \
    X(max_barriers_per_sm, "groups", "resident, of several warps; 0: as many as max_blocks_per_sm") \
    X(max_threads_per_block, "work-items", "of one work-group") \
    X(registers_per_sm, "registers", "32-bit") \
    X(max_registers_per_thread, "registers", "") \
    X(register_unit, "registers", "allocation granularity: per warp (NVIDIA), per lane and wave (AMD)") \
    X(warp_unit, "warps", "warps of a group are rounded up to a multiple of this for registers") \
    X(scalar_registers, "registers", "scalar ones of a scheduler's warps; 0: no such limit known") \
    X(scalar_register_unit, "registers", "allocation granularity of scalar registers, per warp") \
    X(smem_per_sm, "B", "work-group memory of an SM at the largest carve-out") \
    X(smem_per_block, "B", "work-group memory that one group may have, opt-in included") \
    X(smem_reserved, "B", "per resident group, for the system") \
    X(smem_unit, "B", "allocation granularity") \
    X(smem_banks, "", "") \
    X(smem_bank_bytes, "B", "") \
    X(smem_bytes_per_clk, "B/clk", "per SM, conflict-free") \
    X(smem_port_bytes, "B/clk", "between local memory and the SIMDs of an SM, each way; 0: what the banks deliver") \
    X(smem_latency, "clk", "") \
    X(smem_write_back, "0/1", "1 where 128 bits that lanes share of local memory take as long as what each has of its own (Turing)") \
    X(l1_size, "B", "") X(l1_line, "B", "tag granularity") X(l1_sector, "B", "transfer granularity") \
    X(l1_latency, "clk", "hit") X(l1_bytes_per_clk, "B/clk", "per SM") \
    X(l1_wide_bytes_per_clk, "B/clk", "the same of what is wider than 32 bits a lane, whatever lanes share (RDNA)") \
    X(l1_lines_per_clk, "lines/clk", "that L1 looks up; on RDNA banks of its tags") \
    X(l2_size, "B", "") X(l2_line, "B", "") X(l2_sector, "B", "") X(l2_fetch, "B", "that L2 fetches from DRAM at once") X(l2_latency, "clk", "hit") \
    X(l2_completes_lines, "0/1", "1 where a line that is stored to in part is read from DRAM before (Intel)") \
    X(l2_lines_per_clk, "lines/clk", "that L2 looks up, whole device, however little of each is read") \
    X(l2_bytes_per_clk, "B/clk", "read, whole device") X(l2_write_bytes_per_clk, "B/clk", "written, whole device") \
    X(llc_size, "B", "third level (Infinity Cache, a CPU's L3)") X(llc_latency, "clk", "hit") X(llc_gbps, "GB/s", "of the third level") \
    X(const_size, "B", "constant or scalar cache of an SM") X(const_latency, "clk", "hit") X(const_clk, "clk", "a warp's load of constants, for each of its addresses") \
    X(dram_latency, "clk", "") X(dram_gbps, "GB/s", "peak") X(dram_efficiency, "share", "achievable share of the peak by copies") \
    X(dram_read_efficiency, "share", "the same by reading alone") \
    X(dram_apart_efficiency, "share", "the same by reading l2_fetch bytes at a time, far apart") \
    X(dram_streams_efficiency, "share", "the same by copies between tens of arrays or rows at a time") \
    X(dram_knee, "norm", "exponent k of (latency^k + transfer^k)^(1/k), which copies take that queue in DRAM") \
    X(dram_read_knee, "norm", "the same by reading alone") \
    X(dram_request_clk, "clk", "that each request of an SM's warps for DRAM costs it beside what DRAM moves; 0: none known") \
    X(dram_channels, "", "") X(channel_bytes, "B", "interleave") \
    X(departure_delay_coalesced, "clk", "between two coalesced requests of an SM (Hong & Kim, Departure_del_coal)") \
    X(departure_delay_uncoalesced, "clk", "between two transactions of an uncoalesced one (Departure_del_uncoal)") \
    X(lat_fp32, "clk", "") X(lat_add, "clk", "of a dependent addition of floats") X(lat_fp64, "clk", "") \
    X(lat_int, "clk", "") X(lat_int_mul, "clk", "") \
    X(lat_sfu, "clk", "") X(lat_cvt, "clk", "") X(lat_shuffle, "clk", "") X(lat_matrix, "clk", "of m16n8k16 or the like") \
    X(barrier_latency, "clk", "last arrival to release") \
    X(scheduler_policy, "policy", "0: in turn; 1: the same warp as long as it can, then the oldest; 2: in turn, but a blocked warp hands over to the oldest group") \
    X(scheduler_quantum, "clk", "policy 2: how long a warp keeps its turn") \
    X(partitioned, "0/1", "1 where each scheduler has arithmetic lanes of its own") \
    X(same_warp_clk, "clk", "between two instructions of one warp, at least") \
    X(same_warp_memory_clk, "clk", "the same after an access to memory off the chip") \
    X(warp_loads, "loads", "that one warp may wait for at the same time") \
    X(tlb_pages, "pages", "of 64 KB that one request may go to at no further cost; 0: any number") \
    X(tlb_clk, "clk", "of an SM, each page of a request that goes to more") \
    X(tlb_entries, "pages", "of 4 KB whose translations a CPU's core has; 0: a GPU") \
    X(tlb_ways, "", "of these") \
    X(page_walk_clk, "clk", "of a CPU's core, each translation that it lacks") \
    X(page_walkers, "", "translations that a CPU's core looks for at the same time") \
    X(mshr_entries, "lines", "missing lines that an SM waits for at the same time; 0: no such limit known") \
    X(mshr_merges, "requests", "of warps that one missing line can serve") \
    X(prt_entries, "requests", "of warps that an SM waits for at the same time; 0: no such limit known") \
    X(prt_lanes, "work-items", "that wait for memory at the same time; 0: no such limit known") \
    X(return_lanes, "lanes/clk", "whose missing loads' data reach registers; 0: no such limit known") \
    X(load_replays, "loads", "of several transactions that go out side by side, each its own that many passes apart") \
    X(smem_replay_clk, "clk", "latency of each further pass over local memory") \
    X(sm_bytes_per_clk, "B/clk", "between an SM and L2") \
    X(cluster_sms, "SMs", "that share a way to memory with a cluster's part of the bandwidth") \
    X(l1_ways, "", "") X(l2_ways, "", "") X(const_line, "B", "") X(const_ways, "", "") \
    X(tex_size, "B", "texture and read-only cache of an SM, where it is not L1") X(tex_latency, "clk", "hit") \
    X(texels_per_clk, "texels/clk", "of an SM") \
    X(wide_texels_per_clk, "texels/clk", "of more than 8 bytes") \
    X(texel_read_clk, "clk", "of a core that reads a texel by a function; 0: a GPU") \
    X(texel_write_clk, "clk", "the same of writing one") \
    X(channel_hash, "0/1", "1 where addresses are hashed over the DRAM channels") \
    X(atomic_global_clk, "clk", "each further lane on the same address of global memory") \
    X(atomic_local_clk, "clk", "each further lane on the same address of local memory") \
    X(atomic_line_clk, "clk", "of a part of L2, each line that a request for atomics asks for; 0: a cycle for each segment") \
    X(atomic_word_clk, "clk", "of a part of L2, each word of such a request") \
    X(atomic_part_bytes, "B", "next to each other that one part of L2 has") \
    X(atomic_sectors, "sectors", "of atomics, in the time in which L2 looks up a line; 0: no such limit known") \
    X(atomic_words, "words", "of atomics, likewise") \
    X(launch_ns, "ns", "fixed cost of a launch") \
    X(group_dispatch_clk, "clk", "cost of starting one work-group on an SM") \
    X(group_rate, "groups/clk", "that the whole device starts; 0: no such limit known") \
    X(emptying_per_doubling, "share", "that latencies count more with each doubling of a group beyond 8 warps") \
    X(prefetch_streams, "", "sequences of lines that a CPU's core follows") \
    X(prefetch_bytes, "B", "distance between accesses of an instruction up to which a CPU's core follows it") \
    X(store_buffer, "stores", "of a CPU's core that wait for their lines at the same time") \
    X(l1_set_fills, "lines", "of one set of L1 that a CPU's core waits for at the same time") \
    X(reorder_buffer, "instructions", "of a CPU's core that are under way at the same time") \
    X(vector_bytes, "B", "SIMD register of a CPU; 0 on a GPU")
/* clang-format on */
enum {
#define X(field, unit, meaning) GP_FIELD_##field,
    GP_DEVICE_NUMBERS(X)
#undef X
        GP_NUMBER_COUNT
};

enum gp_arch {
    GP_ARCH_TESLA1, /* cc 1.0 and 1.1 */
    GP_ARCH_TESLA2, /* cc 1.2 and 1.3 */
    GP_ARCH_FERMI,
    GP_ARCH_KEPLER,
    GP_ARCH_MAXWELL,
    GP_ARCH_PASCAL,
    GP_ARCH_VOLTA,
    GP_ARCH_TURING,
    GP_ARCH_AMPERE,
    GP_ARCH_ADA,
    GP_ARCH_HOPPER,
    GP_ARCH_BLACKWELL,
    GP_ARCH_TERASCALE, /* HD 6970 */
    GP_ARCH_GCN,
    GP_ARCH_CDNA,
    GP_ARCH_RDNA,
    GP_ARCH_XE, /* Intel: Xe-HPG, Xe2, Xe-HPC */
    GP_ARCH_CPU,
    GP_ARCH_COUNT
};
const char *gp_arch_name(enum gp_arch arch); /* "ampere" */
static inline bool gp_arch_is_nvidia(enum gp_arch a) { return a <= GP_ARCH_BLACKWELL; }
/* `since`, one of NVIDIA's, or a later one of theirs. */
static inline bool gp_arch_is_nvidia_since(enum gp_arch a, enum gp_arch since)
{
    return gp_arch_is_nvidia(a) && a >= since;
}
static inline bool gp_arch_is_amd(enum gp_arch a) { return a >= GP_ARCH_TERASCALE && a <= GP_ARCH_RDNA; }

enum { GP_MAX_DEVICE_MATCHES = 8 };

struct gp_device {
    const char *name;  /* "a100": the file's name */
    const char *title; /* "NVIDIA A100 40 GB" */
    enum gp_arch arch;
    unsigned compute_capability; /* 80 for 8.0; 0 where there is none */
    const char *triple; /* what clang compiles for: "nvptx64-nvidia-cuda", "amdgcn-amd-amdhsa", "" for the host */
    const char *cpu;    /* "sm_80", "gfx90a", "" */
    bool proxy_target;  /* triple and cpu are a stand-in: no compiler at hand makes code for the device itself */
    const char
        *nearest; /* NULL; else the device is not in the database, and the numbers are those of this nearest entry */
    bool same_target; /* `nearest` is of the same compute capability or gfx number */
    const char
        *matches[GP_MAX_DEVICE_MATCHES]; /* substrings of CL_DEVICE_NAME that mean this device; NULL-terminated */
#define X(field, unit, meaning) struct gp_number field;
    GP_DEVICE_NUMBERS(X)
#undef X
    bool missing[GP_NUMBER_COUNT]; /* by GP_FIELD_...: the file does not have it, which counts as `unknown` */
    bool cu_mode;     /* of no file, but of the code at hand: RDNA's groups lie on one CU each, not on the two of a
                         work-group processor */
    const char *path; /* the file it came from */
    void *storage;
};

/* SMs that a work-group may lie on: an RDNA group's waves lie on all four SIMDs of a work-group processor (RDNA
 * architecture whitepaper), but in CU mode. */
static inline uint32_t gp_device_group_sms(const struct gp_device *device)
{
    return device->arch == GP_ARCH_RDNA && !device->cu_mode ? 2 : 1;
}

/*
 * Loads one file. NULL and a sentence "FILE:LINE: field 'x': ... " on anything wrong: unknown field, wrong type,
 * impossible value (negative, a warp of 0 lanes ...), no value for a field that no rule derives. Free with
 * gp_device_free().
 */
struct gp_device *gp_device_load_file(const char *path, struct gp_error *error);

/*
 * Loads a device: NAME[:FIELD=VALUE...]. NAME is a file's (NAME.yaml, of the first directory that has it), a compile
 * target that is no file's name (gp_device_load_nearest()) or a board's of boards.tsv, whatever its case: "rtx 4060",
 * "GeForce RTX 4060". What is stated behind it goes before all of these (gp_device_set()). `directories` is "DIR[:DIR]"
 * as in GPUPERF_HWDB, searched before the installed database; NULL or "": only that. Error: lists the devices there
 * are, and boards with names like it.
 */
struct gp_device *gp_device_load(const char *spec, const char *directories, struct gp_error *error);

/* How long NAME is in NAME[:FIELD=VALUE...]. */
size_t gp_device_name_length(const char *spec);

/*
 * States a number: FIELD=VALUE, with sms, gbps, l2 and clock for sm_count, dram_gbps, l2_size and clock_mhz; K, M and G
 * behind bytes are powers of 1024. What rules derived is derived again. False and a sentence: no such field, no number,
 * or none that a device can have; the device is then to be freed.
 */
bool gp_device_set(struct gp_device *device, const char *assignment, struct gp_error *error);

/*
 * A device that has no file, by its compile target ("sm_87", "gfx1030"): the nearest entry by architecture with the
 * target for its name, `nearest` set and a title that says so. gp_device_load() does this for names that are targets
 * and no files. NULL and a sentence: no target, or nothing of its vendor in the database.
 */
struct gp_device *gp_device_load_nearest(const char *target, const char *directories, struct gp_error *error);
bool gp_is_target(const char *name);

/*
 * What the machine at hand says of itself goes before the database: SMs or cores, their clock, the bytes of the last
 * cache. 0 leaves a number alone. `source` must live as long as the device.
 */
void gp_device_at_hand(struct gp_device *device, double units, double clock_mhz, double cache_bytes,
                       const char *source);

/*
 * The entry that a driver's name for its device means: the one of whose `matches` the longest stands in it (an A100
 * with 80 GB is an A100, too). NULL: none does, and the error is empty; or a sentence.
 */
struct gp_device *gp_device_match(const char *driver_name, const char *directories, struct gp_error *error);

/* The target that an OpenCL driver's device name tells ("gfx90a:sramecc+:xnack-", "... (radeonsi, navi22, ...)");
 * false: none. */
bool gp_target_in_name(const char *name, char target[16]);
void gp_device_free(struct gp_device *device);

/* Names of all devices found, sorted, each once. Free each and the array with free(). */
bool gp_device_list(const char *directories, char ***names, size_t *count, struct gp_error *error);

/* The name of the device that a compile target stands for ("sm_80" a100, "sm_90" h100, "gfx90a" mi250x, a host triple
 * pocl-cpu); NULL: none. */
const char *gp_device_for_target(const char *triple, const char *cpu);

/* The installed database: beside the running library or program (share/gpuperf/hwdb), else the build tree's. */
const char *gp_device_directory(void);

/* A field by its name, for printing; NULL when there is no such field. */
const struct gp_number *gp_device_number(const struct gp_device *device, const char *field, const char **unit);

struct gp_text;

/* Appends the names of the fields that the device's file does not have, "l2_fetch, l2_latency". Returns how many. */
size_t gp_device_missing(const struct gp_device *device, struct gp_text *names);

#ifdef __cplusplus
}
#endif
#endif
