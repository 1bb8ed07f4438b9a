#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Kernels of a language model's training in every group size: microseconds as published and as predicted. From github.com/karpathy/llm.c, whose programs in dev/cuda measure them with nothing in the caches:
# pull requests 221 (sums of 3072 columns of 8192 rows, an RTX 2070 SUPER; of its other kernel the published code cannot be the measured one: 96 warps, each with one load under way, do not move 146 GB/s), 274 (embeddings of 8192 tokens of 50257, an RTX 3070), 299, 301, 306 (6291456 numbers; an A100, as the time that its groups of 32 take
# to start tells, with 80 GB, as the bandwidth does), 645 (8192 rows of 768, an A100 with 80 GB), 383 (8192 rows of 50257, a laptop's RTX 3070, whose clock is not given).
# usage: bench/llm/llm.sh [BUILD_DIR [MODEL [MOST]]]; MOST: percent by which a prediction may be off (100); exit status 1 where one is by more. The sums of columns are not asked: docs/benchmarks.md says why.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
model=${2:-throughput}
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so"
tokens=8192
numbers=$((tokens * 768))

# Nanoseconds: device, kernel, global size, local size, macros, arguments.
predict() {
    device=$1 kernel=$2 global=$3 local=$4 macros=$5
    shift 5
    "$build/tools/gpuperf" predict --device "$device" --model "$model" --cold --kernel "$kernel" --global "$global" --local "$local" "$@" --json "$here/llm.cu" -- -O2 -use_fast_math $macros |
        awk '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); print $2}'
}

while read -r device kernel local published; do
    set --
    macros=
    size=$local
    case $kernel in
    column_per_warp) global=$((3072 * 32)) && set -- --arg rows=$tokens --arg columns=3072 ;;
    gelu | add) global=$numbers && set -- --arg n=$numbers ;;
    embed) global=$numbers && set -- --arg count=$tokens --arg length=1024 --arg columns=768 ;;
    embed_4) global=$((numbers / 4)) && set -- --arg count=$tokens --arg length=1024 --arg columns=768 ;;
    rows_normalised) global=$((tokens * 1024 / local))x$((local / 32)) && size=32x$((local / 32)) && macros="-DCOLUMNS=768 -DROWS=$((local / 32))" && set -- --arg rows=$tokens ;;
    softmax) global=$((tokens * 32)) && set -- --arg rows=$tokens --arg columns=50257 ;;
    esac
    echo "$device $kernel $local $published $(predict "$device" "$kernel" "$global" "$size" "$macros" "$@")"
done <<END |
rtx2070s column_per_warp 32 902.7
rtx2070s column_per_warp 64 4039.6
rtx2070s column_per_warp 128 3407.7
rtx2070s column_per_warp 256 1415.9
rtx2070s column_per_warp 512 730.2
rtx2070s column_per_warp 1024 994.7
a100-80 gelu 32 150.2
a100-80 gelu 64 76.1
a100-80 gelu 128 40.4
a100-80 gelu 256 37.6
a100-80 gelu 512 38.9
a100-80 gelu 1024 40.7
a100-80 add 32 149.8
a100-80 add 64 76.0
a100-80 add 128 49.0
a100-80 add 256 48.7
a100-80 add 512 48.7
a100-80 add 1024 49.7
rtx3070 embed 32 293.3
rtx3070 embed 64 209.9
rtx3070 embed 128 192.4
rtx3070 embed 256 197.9
rtx3070 embed 512 194.7
rtx3070 embed 1024 227.6
rtx3070 embed_4 32 190.2
rtx3070 embed_4 64 190.8
rtx3070 embed_4 128 191.9
rtx3070 embed_4 256 191.6
rtx3070 embed_4 512 192.3
rtx3070 embed_4 1024 189.6
a100-80 rows_normalised 32 46.6
a100-80 rows_normalised 64 43.7
a100-80 rows_normalised 128 43.4
a100-80 rows_normalised 256 42.5
a100-80 rows_normalised 512 43.3
a100-80 rows_normalised 1024 43.7
rtx3070 softmax 32 14164.8
rtx3070 softmax 64 13096.5
rtx3070 softmax 128 12779.8
rtx3070 softmax 256 13110.8
rtx3070 softmax 512 14819.1
rtx3070 softmax 1024 15516.8
END
    awk -v most="${3:-100}" 'BEGIN {print "device   kernel               local published predicted   error"}
        {error = 100 * ($5 / 1000 / $4 - 1); printf "%-8s %-20s %5s %9.4g %9.4g %+6.0f%%\n", $1, $2, $3, $4, $5 / 1000, error; if ($2 != "column_per_warp" && (error > most || -error > most)) bad = 1}
        END {if (NR != 42) bad = 1; exit bad}'
