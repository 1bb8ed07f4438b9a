#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Textbook kernels: microseconds as published and as predicted. The V100's: X. Liu, github.com/Liu-xiandong/How_to_optimize_in_GPU (reduce/README.md), 32M floats, groups of 256. The
# RTX 3080's: github.com/R100001/Programming-Massively-Parallel-Processors (Performance-Tests-NvBench, BenchResults3080.csv), 64M numbers, sums in groups of 512, convolutions and histograms in all group sizes.
# usage: bench/textbook/textbook.sh [BUILD_DIR [MODEL [MOST]]]; MOST: percent by which a prediction may be off (100); exit status 1 where one is by more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so"
M=1048576
while read -r device kernel global local published; do
    case $kernel in
    add_*) arguments="--arg width=${global%x*} --arg height=${global%x*}" ;;
    histogram) arguments="--arg count=512 --arg n=$global" ;;
    tiled*) arguments="--arg taps=5 --arg n=$global" ;;
    *) arguments= ;;
    esac
    case $device in
    rtx3080) clock="--clock 1855" ;; # as many atomics on one address per nanosecond
    *) clock= ;;
    esac
    "$build/tools/gpuperf" predict --warm --device "$device" $clock --model "${2:-throughput}" --kernel "$kernel" --global "$global" --local "$local" --json $arguments "$here/textbook.cu" |
        awk -v what="$device $kernel $local" -v published="$published" '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); printf "%s %s %.0f\n", what, published, $2 / 1000}'
done <<END |
v100 every_other $((32 * M)) 256 804
v100 side_by_side $((32 * M)) 256 506
v100 lower_half $((32 * M)) 256 398
v100 two_each $((16 * M)) 256 213
v100 last_warp_alone $((16 * M)) 256 169
rtx3080 every_other $((64 * M)) 512 1906
rtx3080 side_by_side $((64 * M)) 512 1006
rtx3080 lower_half $((64 * M)) 512 910
rtx3080 two_each $((32 * M)) 512 630
rtx3080 last_warp_alone $((32 * M)) 512 424
rtx3080 tiled $((64 * M)) 32 2340
rtx3080 tiled $((64 * M)) 64 1252
rtx3080 tiled $((64 * M)) 128 1151
rtx3080 tiled $((64 * M)) 256 1204
rtx3080 tiled $((64 * M)) 512 1242
rtx3080 tiled $((64 * M)) 1024 2328
rtx3080 tiled_own $((64 * M)) 32 2392
rtx3080 tiled_own $((64 * M)) 64 1281
rtx3080 tiled_own $((64 * M)) 128 1258
rtx3080 tiled_own $((64 * M)) 256 1343
rtx3080 tiled_own $((64 * M)) 512 1418
rtx3080 tiled_own $((64 * M)) 1024 2142
rtx3080 histogram $((64 * M)) 32 22603
rtx3080 histogram $((64 * M)) 64 11309
rtx3080 histogram $((64 * M)) 128 5670
rtx3080 histogram $((64 * M)) 256 2844
rtx3080 histogram $((64 * M)) 512 1432
rtx3080 histogram $((64 * M)) 1024 733
rtx3080 add_by_rows 2048x2048 32x32 76.5
rtx3080 add_by_rows 8192x8192 32x32 1151
rtx3080 add_across 2048x2048 32x32 122
rtx3080 add_across 8192x8192 32x32 2131
END
    awk -v most="${3:-100}" 'BEGIN {print "device   kernel           local published predicted   error"}
        {error = 100 * ($5 / $4 - 1); printf "%-8s %-15s %6s %9.0f %9.0f %+6.0f%%\n", $1, $2, $3, $4, $5, error; if (error > most || -error > most) bad = 1}
        END {if (NR != 32) bad = 1; exit bad}'
