#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Six steps of a matrix multiplication, from naive to register tiles and vector loads, on an RTX A6000: GFLOP/s as published (siboehm.com/articles/22/CUDA-MMM, 4096 cubed) and as predicted.
# usage: bench/sgemm/sgemm.sh [BUILD_DIR [MODEL [MOST]]]; MOST: percent by which a prediction may be off (100); exit status 1 where one is by more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so"
while read -r kernel global local published; do
    "$build/tools/gpuperf" predict --warm --device a6000 --model "${2:-throughput}" --kernel "$kernel" --global "$global" --local "$local" --json \
        --arg M=4096 --arg N=4096 --arg K=4096 --arg alpha=0.5 --arg beta=3 "$here/sgemm.cu" |
        awk -v kernel="$kernel" -v published="$published" '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); printf "%s %d %.0f\n", kernel, published, 2 * 4096 ^ 3 / $2}'
done <<END |
k1_naive 4096x4096 32x32 309
k2_coalesced 131072x128 1024x1 1987
k3_shared 131072x128 1024x1 2980
k4_tile1d 32768x64 512x1 8475
k5_tile2d 8192x32 256x1 15972
k6_vector 8192x32 256x1 18237
END
    awk -v most="${3:-100}" 'BEGIN {print "kernel        published predicted   error"}
        {error = 100 * ($3 / $2 - 1); printf "%-13s %9d %9d %+6.0f%%\n", $1, $2, $3, error; if (error > most || -error > most) bad = 1}
        END {if (NR != 6) bad = 1; exit bad}'
