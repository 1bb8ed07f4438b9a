#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An H100 and an A100: microseconds as published and as predicted. github.com/yencal and yencal.github.io: transpositions of 32768 x 32768 floats (2025-12-24), reductions (2025-12-13, GB/s; 2^30 numbers here),
# gpu-histogram-optimization (2^30 random bytes), gpu-scan-optimization (2^30 numbers; two passes, of which the first is a third and more), gpu-bandwidth-benchmark (an A100 with 40 GB: bytes copied; 8 MB and less
# are in L2 from the copy before). github.com/te42kyfo/gpu-benches, gpu-small-kernels: scalings of so many doubles on an H200 and an A100 by group size, to and fro within L2 or not.
# usage: bench/hopper/hopper.sh [BUILD_DIR [MODEL [MOST]]]; MOST: percent by which a prediction may be off (100); exit status 1 where one is by more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
model=${2:-throughput}
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so"
all=$((1 << 30))

# Nanoseconds of one kernel: device, kernel, global size, local size, n.
predict() {
    "$build/tools/gpuperf" predict --warm --device "$1" --model "$model" --kernel "$2" --global "$3" --local "$4" --arg n="$5" --json "$here/hopper.cu" | awk '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); print $2}'
}

transpose() { # columns of work-items per tile, rows
    case $kernel in
    *_64_*) side=64 ;;
    *) side=32 ;;
    esac
    predict h100 "$kernel" "$((32768 / side * ${local%x*}))x$((32768 / side * ${local#*x}))" "$local" 32768
}

while read -r device kernel local n published; do
    case $kernel in
    transpose_*) time=$(transpose) ;;
    histogram_*) time=$(predict h100 "$kernel" $((132 * 32 * 512)) 512 $all) ;;
    sum_*) time=$(predict h100 "$kernel" $((1024 * 512)) 512 $all) ;;
    scan_*) time="$(predict h100 "$kernel" $all 256 $all) $(predict h100 add_before $all 256 $all)" ;;
    copy_*) time=$(predict "$device" "$kernel" $((n / ${kernel#copy_})) 256 $((n / ${kernel#copy_}))) ;;
    scale) time=$(predict "$device" scale $(((n / local + 1) * local)) "$local" "$n") ;;
    esac
    echo "$device $kernel $local $n $published $(echo "$time" | awk '{print ($1 + $2) / 1000}')"
done <<END |
h100 transpose_straight 32x32 32768 18064
h100 transpose_conflicts 32x32 32768 8624
h100 transpose_32_rows_32 32x32 32768 5072
h100 transpose_32_rows_16 32x16 32768 3601
h100 transpose_32_rows_8 32x8 32768 3098
h100 transpose_32_rows_4 32x4 32768 3095
h100 transpose_32_rows_32_wide_2 16x32 32768 3604
h100 transpose_32_rows_16_wide_2 16x16 32768 3098
h100 transpose_32_rows_8_wide_2 16x8 32768 3095
h100 transpose_32_rows_32_wide_4 8x32 32768 3100
h100 transpose_32_rows_16_wide_4 8x16 32768 3097
h100 transpose_32_rows_8_wide_4 8x8 32768 3096
h100 transpose_64_rows_32_wide_2 32x32 32768 2991
h100 transpose_64_rows_16_wide_2 32x16 32768 2922
h100 transpose_64_rows_8_wide_2 32x8 32768 2935
h100 transpose_64_rows_32_wide_4 16x32 32768 2923
h100 transpose_64_rows_16_wide_4 16x16 32768 2935
h100 transpose_64_rows_8_wide_4 16x8 32768 2921
h100 histogram_global 512 2^30 276130
h100 histogram_local 512 2^30 1530
h100 histogram_wide 512 2^30 470
h100 sum_1 512 2^30 1867
h100 sum_2 512 2^30 1408
h100 sum_4 512 2^30 1363
h100 scan_local 256 2^30 10720
h100 scan_by_warps 256 2^30 9330
a100 copy_1 256 1048576 6.33
a100 copy_4 256 1048576 3.85
a100 copy_16 256 1048576 3.56
a100 copy_1 256 8388608 30.2
a100 copy_4 256 8388608 10.0
a100 copy_16 256 8388608 7.17
a100 copy_1 256 134217728 617
a100 copy_4 256 134217728 203
a100 copy_16 256 134217728 197
h200 scale 32 256017 7.16
h200 scale 64 256017 4.82
h200 scale 128 256017 3.62
h200 scale 256 256017 3.04
h200 scale 1024 256017 2.91
h200 scale 32 1558613 31.6
h200 scale 64 1558613 17.0
h200 scale 128 1558613 9.71
h200 scale 256 1558613 6.50
h200 scale 1024 1558613 6.54
h200 scale 32 18012850 341
h200 scale 64 18012850 172
h200 scale 128 18012850 89.1
h200 scale 256 18012850 87.8
h200 scale 1024 18012850 93.4
END
    awk -v most="${3:-100}" 'BEGIN {print "device kernel                       local          n published predicted   error"}
        {error = 100 * ($6 / $5 - 1); printf "%-6s %-28s %5s %10s %9.4g %9.4g %+6.0f%%\n", $1, $2, $3, $4, $5, $6, error; if (error > most || -error > most) bad = 1}
        END {if (NR != 50) bad = 1; exit bad}'
