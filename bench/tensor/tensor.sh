#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Products of half-precision matrices on tensor cores: TFLOPS as published and as predicted. From github.com/waynehacking8/blackwell-tensorcore-kernels (results/mma_ablation.md, results/bench_sm90a.csv): a
# ladder of mma.sync on an RTX PRO 6000 (Blackwell, Max-Q), 8192 cubed, at 1690 MHz as its log has the clock at the 300 W it may take; wmma on an H100 at three sizes, whose clock is not given.
# usage: bench/tensor/tensor.sh [BUILD_DIR [MODEL [MOST]]]; MOST: percent by which a prediction may be off (100); exit status 1 where one is by more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so" GPUPERF_HWDB="$here/../devices:${GPUPERF_HWDB:-$here/../../hwdb}"
while read -r device kernel threads n published; do
    tiles=$((n / 128))
    "$build/tools/gpuperf" predict --warm --device "$device" --model "${2:-throughput}" --kernel "$kernel" --groups "${tiles}x$tiles" --local "$threads" --json --arg n="$n" "$here/tensor.cu" |
        awk -v what="$kernel $n" -v n="$n" -v published="$published" '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); printf "%s %s %.1f\n", what, published, 2 * n ^ 3 / $2 / 1000}'
done <<END |
rtxpro6000 m1_base 512 8192 47.4
rtxpro6000 m2_swizzled 512 8192 58.7
rtxpro6000 m3_copied 512 8192 165.3
rtxpro6000 m4_two_stages 512 8192 178.0
rtxpro6000 m5_warp_tiles 128 8192 243.2
h100 w1_fragments 512 2048 56.0
h100 w1_fragments 512 4096 58.9
h100 w1_fragments 512 8192 61.0
END
    awk -v most="${3:-100}" 'BEGIN {print "kernel            n   published predicted   error"}
        {error = 100 * ($4 / $3 - 1); printf "%-14s %5d %9.1f %9.1f %+6.0f%%\n", $1, $2, $3, $4, error; if (error > most || -error > most) bad = 1}
        END {if (NR != 8) bad = 1; exit bad}'
