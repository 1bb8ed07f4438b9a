#!/bin/sh
# run.sh DEVICE: on a machine with nvcc, an NVIDIA GPU and its driver. Builds the kit, runs it and scores the predictions for DEVICE (its name
# in hwdb/) against what it measured. The CSVs stay in bench/gpu/results/DEVICE. Where Nsight Compute (ncu) is installed and may read
# the counters, COUNTERS=1 adds KERNEL.ncu.csv: a line per configuration, in the order of the CSV of times.
set -eu
[ $# -eq 1 ] || { echo "usage: bench/gpu/run.sh DEVICE" >&2; exit 2; }
cd "$(dirname "$0")/../.."
command -v nvcc > /dev/null || { echo "run.sh: there is no nvcc in PATH; install the CUDA toolkit" >&2; exit 1; }
cmake -S . -B build -G Ninja > /dev/null
cmake --build build --target gpu_kit accuracy
build/bench/gpu_kit --device "$1"

metrics=sm__warps_active.avg.pct_of_peak_sustained_active,dram__sectors_read.sum,dram__sectors_write.sum,lts__t_sectors_op_read.sum
metrics=$metrics,lts__t_sectors_op_write.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
metrics=$metrics,smsp__sass_thread_inst_executed_op_fp32_pred_on.sum,smsp__sass_thread_inst_executed_op_integer_pred_on.sum
if [ "${COUNTERS:-0}" = 1 ] && command -v ncu > /dev/null; then
    for kernel in transpose reduction stride histogram stencil matmul spmv nbody scan blackscholes convolution dedispersion pnpoly; do
        ncu --csv --page raw --metrics "$metrics" build/bench/gpu_kit --device "$1" --once "$kernel" > "bench/gpu/results/$1/$kernel.ncu.csv" || {
            echo "run.sh: ncu may not read the counters here (NVIDIA's ERR_NVGPUCTRPERM)" >&2
            rm -f "bench/gpu/results/$1"/*.ncu.csv
            break
        }
    done
fi
build/bench/accuracy --measured "bench/gpu/results/$1"
