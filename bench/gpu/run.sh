#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh DEVICE: on a machine with nvcc, an NVIDIA GPU and its driver. Builds the kit, runs it and scores the predictions for DEVICE (its name
# in hwdb/) against what it measured. The CSVs stay in bench/gpu/results/DEVICE, with clocks.csv (clocks.cu). Where Nsight Compute (ncu) is
# installed and may read the counters, COUNTERS=1 adds KERNEL.ncu.csv: a line per configuration, in the order of the CSV of times.
set -eu
[ $# -eq 1 ] || { echo "usage: bench/gpu/run.sh DEVICE" >&2; exit 2; }
cd "$(dirname "$0")/../.."
command -v nvcc > /dev/null || { echo "run.sh: there is no nvcc in PATH; install the CUDA toolkit" >&2; exit 1; }
command -v nvidia-smi > /dev/null || { echo "run.sh: there is no NVIDIA driver here (nvidia-smi)" >&2; exit 1; }
architecture=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
cmake -S . -B build -G Ninja > /dev/null
cmake --build build --target gpu_kit accuracy promises
results=bench/gpu/results/$1
compiled=build/gpu_kit/$architecture
mkdir -p "$results" "$compiled"
build/bench/gpu_kit --compile-only "$architecture" --out "$compiled"
build/bench/gpu_kit --device "$1" --compiled "$compiled"
nvcc -arch="$architecture" -O3 -o build/gpu_kit/clocks bench/gpu/clocks.cu
build/gpu_kit/clocks > "$results/clocks.csv"

metrics=sm__warps_active.avg.pct_of_peak_sustained_active,dram__sectors_read.sum,dram__sectors_write.sum,lts__t_sectors_op_read.sum
metrics=$metrics,lts__t_sectors_op_write.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
metrics=$metrics,smsp__sass_thread_inst_executed_op_fp32_pred_on.sum,smsp__sass_thread_inst_executed_op_integer_pred_on.sum,smsp__inst_executed.sum
if [ "${COUNTERS:-0}" = 1 ] && command -v ncu > /dev/null; then
    for file in "$results"/*__"$1".csv; do # the clocks and caches as they are when times are taken
        kernel=$(basename "$file" "__$1.csv")
        ncu --clock-control none --cache-control none --csv --page raw --metrics "$metrics" \
            build/bench/gpu_kit --device "$1" --compiled "$compiled" --once "$kernel" > "$results/$kernel.ncu.csv" || {
            echo "run.sh: ncu may not read the counters here (NVIDIA's ERR_NVGPUCTRPERM)" >&2
            rm -f "$results"/*.ncu.csv
            break
        }
    done
fi
build/bench/accuracy --measured "$results"
build/bench/promises --measured "$results"
