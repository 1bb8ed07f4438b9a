#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Electrostatic potentials of 64 atoms at 256 x 256 x 256 points on an RTX 2080 Ti: microseconds as published and as predicted, in groups of 16 x 4. From HiPerCoRe/KTT,
# Examples/CoulombSum3d/coulomb_2080_full_search_space_converted.json (nvcc -use_fast_math; the clock is the chip's base clock, as profilers set it: docs/benchmarks.md, "Potentials").
# height: points per work-item; unroll: of the loop over them, 0: up to the compiler; split: an array for each coordinate.
# usage: bench/coulomb/coulomb.sh [BUILD_DIR [MODEL [MOST]]]; MOST: percent by which a prediction may be off (100); exit status 1 where one is by more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so"
while read -r height unroll split published; do
    "$build/tools/gpuperf" predict --warm --device rtx2080ti --clock 1350 --model "${2:-throughput}" --global "256x256x$((256 / height))" --local 16x4x1 --arg n=64 --arg side=256 --json \
        "$here/coulomb.cu" -- -use_fast_math -DHEIGHT="$height" -DUNROLL="$unroll" -DSPLIT="$split" |
        awk -v what="$height $unroll $split" -v published="$published" '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); printf "%s %s %.0f\n", what, published, $2 / 1000}'
done <<END |
1 0 0 3037
2 0 0 1549
8 0 0 778
16 0 0 777
2 1 0 2309
4 1 0 2694
16 1 0 3809
32 1 0 8536
8 2 0 1903
16 2 0 4333
8 4 0 1156
16 4 0 1610
16 8 0 1444
32 8 0 2403
1 0 1 3025
2 0 1 1559
8 0 1 789
16 0 1 798
2 1 1 2758
4 1 1 2773
16 1 1 3709
32 1 1 8051
8 2 1 2064
16 2 1 3317
8 4 1 1312
16 4 1 1645
16 8 1 1496
32 8 1 2432
END
    awk -v most="${3:-100}" 'BEGIN {print "height unroll split published predicted   error"}
        {error = 100 * ($5 / $4 - 1); printf "%6d %6d %5d %9.0f %9.0f %+6.0f%%\n", $1, $2, $3, $4, $5, error; if (error > most || -error > most) bad = 1}
        END {if (NR != 28) bad = 1; exit bad}'
