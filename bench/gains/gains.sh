#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a warning promises beside what the repair gained on a real GPU: pairs of a faulty and a repaired kernel, or of two group sizes, whose times are published (where, say the scripts whose kernels these are).
# Per pair: the gain as published, as the strongest finding of that cause promises for the faulty kernel, and as predicted for the repaired one.
# usage: bench/gains/gains.sh [BUILD_DIR [MODEL [MOST]]]; MOST: factor by which a promise may be off (1000); exit status 1 where one is by more.
set -eu
bench=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-build}" && pwd)
model=${2:-throughput}
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so"
M=$((1 << 20))
G=$((1 << 30))
numbers=$((8192 * 768))

predict() { # device, source, kernel, local size: JSON
    local kernel=$3 global= options=() macros=()
    case $kernel in
    transpose_*) global=32768x32768 options=(--arg n=32768) ;;
    histogram_*) global=$((132 * 32 * 512)) options=(--arg n=$G) ;;
    scale) global=$(((18012850 / $4 + 1) * $4)) options=(--arg n=18012850) ;;
    every_other | side_by_side | lower_half) global=$((($4 / 8) * M)) ;;
    tiled) global=$((64 * M)) options=(--arg taps=5 --arg n=$((64 * M))) ;;
    k1_naive) global=4096x4096 ;;
    k2_coalesced) global=131072x128 ;;
    gelu) global=$numbers options=(--cold --arg n=$numbers) ;;
    embed) global=$numbers options=(--cold --arg count=8192 --arg length=1024 --arg columns=768) ;;
    potential_16*) global=256x256x16 options=(--clock 1350 --arg n=64 --arg side=256) macros=(-DHEIGHT=16 -DUNROLL="${kernel#*_16_}" -DSPLIT=0) kernel=potential ;;
    esac
    case $2 in
    sgemm) options=(--arg M=4096 --arg N=4096 --arg K=4096 --arg alpha=0.5 --arg beta=3) ;;
    textbook) [ "$1" != rtx3080 ] || options+=(--clock 1855) ;;
    llm | coulomb) macros+=(-O2 -use_fast_math) ;;
    esac
    "$build/tools/gpuperf" predict --warm --json --device "$1" --model "$model" --kernel "$kernel" --global "$global" --local "$4" "${options[@]}" "$bench/$2/$2.cu" -- "${macros[@]}"
}

# Of a prediction in JSON: its time, and the largest gain that a finding of this cause promises (1: there is none).
read_prediction() {
    awk -v cause="\"$1\"," '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); time = $2} /"cause"/ {of = $2 == cause} /"speedup"/ && of {gsub(/[^0-9.]/, "", $2); if ($2 > most) most = $2} END {print time, most ? most : 1}'
}

while read -r device source cause faulty faulty_local repaired repaired_local before after; do
    read -r time promised <<<"$(predict "$device" "$source" "$faulty" "$faulty_local" | read_prediction "$cause")"
    read -r mended _ <<<"$(predict "$device" "$source" "$repaired" "$repaired_local" | read_prediction "$cause")"
    echo "$device $cause $faulty/$faulty_local $repaired/$repaired_local $before $after $promised $time $mended"
done <<END |
h100 hopper uncoalesced transpose_straight 32x32 transpose_32_rows_32 32x32 18064 5072
h100 hopper bank-conflict transpose_conflicts 32x32 transpose_32_rows_32 32x32 8624 5072
h100 hopper atomics histogram_global 512 histogram_local 512 276130 1530
h200 hopper local-size scale 32 scale 128 341 89.1
v100 textbook throughput every_other 256 side_by_side 256 804 506
v100 textbook bank-conflict side_by_side 256 lower_half 256 506 398
rtx3080 textbook throughput every_other 512 side_by_side 512 1906 1006
rtx3080 textbook bank-conflict side_by_side 512 lower_half 512 1006 910
rtx3080 textbook occupancy tiled 32 tiled 128 2340 1151
rtx2080ti coulomb spill potential_16_1 16x4x1 potential_16_0 16x4x1 3809 777
a6000 sgemm uncoalesced k1_naive 32x32 k2_coalesced 1024 444790 69170
a100-80 llm local-size gelu 32 gelu 128 150.2 40.4
rtx3070 llm occupancy embed 32 embed 128 293.3 192.4
END
    awk -v most="${3:-1000}" 'BEGIN {printf "%-9s %-13s %-25s %-27s %9s %9s %9s\n", "device", "cause", "faulty", "repaired", "published", "promised", "predicted"}
        {gain = $5 / $6; off = $7 > gain ? $7 / gain : gain / $7; if (off > most) bad = 1
         printf "%-9s %-13s %-25s %-27s %8.2fx %8.2fx %8.2fx\n", $1, $2, $3, $4, gain, $7, $8 / $9}
        END {if (NR != 13) bad = 1; exit bad}'
