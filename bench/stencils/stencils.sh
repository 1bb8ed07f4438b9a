#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Stencils through 3-D arrays on one die of an MI250X: GB/s of the least bytes that could be moved, as AMD published them (stencils.cl says where) and as predicted.
# usage: bench/stencils/stencils.sh [BUILD_DIR [MODEL [MOST]]]; MOST: percent by which a prediction may be off (100); exit status 1 where one is by more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
model=${2:-throughput}
export GPUPERF_PLUGIN="$build/plugin/gpuperf.so"

# time KERNEL GLOBAL LOCAL "NAME=NUMBER ..." FLAG...: nanoseconds
time_of()
{
    kernel=$1 global=$2 local=$3 set=
    for value in $4; do
        set="$set --arg $value"
    done
    shift 4
    "$build/tools/gpuperf" predict --warm --device mi250x --model "$model" --kernel "$kernel" --global "$global" --local "$local" $set --json "$here/stencils.cl" -- "$@" |
        awk '/"time_ns"/ {gsub(/[^0-9.]/, "", $2); print $2}'
}

# laplacian KERNEL N GLOBAL LOCAL PUBLISHED FLAG...: N^3 doubles read and written
laplacian()
{
    kernel=$1 n=$2 global=$3 local=$4 published=$5
    shift 5
    echo "$kernel,$n^3,$local $*,$published $((16 * n * n * n)) $(time_of "$kernel" "$global" "$local" "nx=$n ny=$n nz=$n" "$@")"
}

# seismic KERNEL RADIUS WIDTH LINE X0 LOCAL PUBLISHED: 512^3 floats read and written, of lines of LINE whose first inner one is X0
seismic()
{
    n=512 slice=$(($4 * (n + 2 * $2))) inner="x0=$5 x1=$(($5 + n)) y0=$2 y1=$((n + $2)) z0=$2 z1=$((n + $2))"
    echo "$1,R=$2,V=$3,$6,lines of $4,$7 $((4 * (2 * n * n * n + 2 * $2 * n * n))) $(time_of "$1" $((n / $3))x${n}x$n "$6" "line=$4 slice=$slice $inner" -DR="$2" -DV="$3")"
}

{
    laplacian point 512 512x512x512 256 808
    laplacian point 512 512x512x512 256 961 -DSTREAM
    laplacian rows 512 512x256x512 256 796 -DM=2
    laplacian rows 512 512x128x512 256 763 -DM=4
    laplacian rows 512 512x64x512 256 746 -DM=8
    laplacian ordered 512 512x512x512 256 966 -DM=1
    laplacian ordered 512 512x256x512 256 1036 -DM=2
    laplacian ordered 512 512x128x512 256 1085 -DM=4
    laplacian ordered 512 512x64x512 256 1120 -DM=8
    laplacian ordered 512 512x64x512 256 1165 -DM=8 -DSTREAM
    laplacian ordered 1024 1024x128x1024 256 555 -DM=8 -DSTREAM
    laplacian turned 1024 32768x1024x4 256 1070 -DM=8 -DSTREAM
    seismic along_x 1 1 514 1 256 971
    seismic along_y 1 1 514 1 256 948
    seismic along_z 1 1 514 1 256 915
    seismic along_x 2 1 516 2 256 995
    seismic along_y 2 1 516 2 256 982
    seismic along_z 2 1 516 2 256 753
    seismic along_x 3 1 518 3 256 977
    seismic along_y 3 1 518 3 256 965
    seismic along_z 3 1 518 3 256 394
    seismic along_x 4 1 520 4 256 956
    seismic along_y 4 1 520 4 256 940
    seismic along_z 4 1 520 4 256 217
    seismic along_x 4 1 576 64 256 990
    seismic along_y 4 1 576 64 256 966
    seismic along_z 4 1 576 64 256 297
    seismic wide_x 4 1 576 64 64x4 980
    seismic wide_x 4 2 576 64 64x4 1216
    seismic wide_x 4 4 576 64 64x4 1240
    seismic wide_y 4 1 576 64 64x4 967
    seismic wide_y 4 2 576 64 64x4 831
    seismic wide_y 4 4 576 64 64x4 1163
    seismic local_y 4 4 576 64 64x4 1272
} | sed 's/,\([0-9]* [0-9]* [0-9.]*\)$/;\1/' | awk -F ';' -v most="${3:-100}" 'BEGIN {printf "%-44s published predicted   error\n", "kernel"}
    {split($2, n, " "); rate = n[2] / n[3]; error = 100 * (rate / n[1] - 1); printf "%-44s %9d %9.0f %+6.0f%%\n", $1, n[1], rate, error; if (error > most || -error > most) bad = 1}
    END {if (NR != 34) bad = 1; exit bad}'
