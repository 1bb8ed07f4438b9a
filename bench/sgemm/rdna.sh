#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Four steps of a matrix multiplication, 4096 cubed, that local memory bounds on a Radeon RX 7900 XTX: milliseconds as published (seb-v.github.io, January 2025) and as predicted, at the card's highest
# clock, 2656 MHz; the publication gives none.
# usage: bench/sgemm/rdna.sh [BUILD_DIR [MODEL [MOST]]]; MOST: percent by which a prediction may be off (100); exit status 1 where one is by more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so" GPUPERF_HWDB="$here/../devices:${GPUPERF_HWDB:-$here/../../hwdb}"
while read -r name kernel global local published defines; do
    "$build/tools/gpuperf" predict --warm --device rx7900xtx --clock 2656 --model "${2:-throughput}" --kernel "$kernel" --global "$global" --local "$local" --json \
        --arg alpha=0.5 --arg beta=3 "$here/rdna.cl" -- $defines |
        awk -v name="$name" -v published="$published" '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); print name, published, $2 / 1e6}'
done <<END |
tiles_in_local_memory tiled 4096x4096 32x32 34.2
register_tiles register_tiles 8192x32 256 6.03 -DITEMS=256 -DPAD=0 -DUNROLL=1 -DPREFETCH=0
prefetched register_tiles 8192x32 256 5.38 -DITEMS=256 -DPAD=0 -DUNROLL=1 -DPREFETCH=1
larger_tiles register_tiles 4096x32 128 4.10 -DITEMS=128 -DPAD=4 -DUNROLL=8 -DPREFETCH=1
END
    awk -v most="${3:-100}" 'BEGIN {print "kernel                published predicted   error"}
        {error = 100 * ($3 / $2 - 1); printf "%-21s %9.2f %9.2f %+6.0f%%\n", $1, $2, $3, error; if (error > most || -error > most) bad = 1}
        END {if (NR != 4) bad = 1; exit bad}'
